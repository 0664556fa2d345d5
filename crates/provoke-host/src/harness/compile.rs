//! Compiling the harness: rustc as the judge of what was generated.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::Ordering;

use crate::cargo::diagnostic::{Collector, Diagnostic, crash_sites, is_link_error};
use crate::cargo::invocation::{complaint, explain, stream};
use crate::context::CargoContext;
use crate::error::{CargoError, disk_full_line};
use crate::harness::HarnessDir;
use crate::harness::manifest::verify_package;

/// How many errors of a broken crate are shown.
const MAX_SHOWN: usize = 3;

/// What rustc refuses. If it is not clean, then there is at least one error with a place, or a crash site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    pub errors: Vec<Diagnostic>,
    /// Items in the harness, as `ops::op_17`, on which rustc itself crashed.
    pub crash_sites: Vec<String>,
}

impl CheckReport {
    pub fn is_clean(&self) -> bool {
        self.errors.is_empty() && self.crash_sites.is_empty()
    }
}

/// A worker, or what is in its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildReport {
    Built {
        executable: PathBuf,
    },
    /// Some errors only show when code is generated.
    Refused(CheckReport),
}

impl HarnessDir {
    /// Compiles the target as the harness will use it, so that a crate that does not build is told apart from a harness
    /// that does not. A target that only builds without counters gets none.
    pub fn build_target_first(&self) -> Result<(), CargoError> {
        // Through a package that has the target as its dependency and nothing else: so its features are those of the
        // harness. Naming the target to cargo would not do that in every resolver.
        let mut command = self.worker_cargo("build", &verify_package(&self.target), true);
        command.arg("--lib");
        let (collector, is_success, stderr) = self.run_compiler(command)?;
        if is_success {
            return Ok(());
        }
        if self.has_counters.swap(false, Ordering::Relaxed) {
            return self.build_target_first();
        }
        Err(refusal(&self.target.package_name, &collector, &stderr))
    }

    /// Type-checks the harness.
    pub fn check(&self) -> Result<CheckReport, CargoError> {
        let command = self.cargo("check", &self.package());
        let (collector, is_success, stderr) = self.run_compiler(command)?;
        if is_success {
            return Ok(CheckReport::default());
        }
        self.report(collector, &stderr)
    }

    /// Builds the worker. A first one is only there to describe itself: its generated code is not optimised.
    pub fn build(&self, is_first: bool) -> Result<BuildReport, CargoError> {
        let mut command = self.worker_cargo("build", &self.package(), is_first);
        if is_first {
            let setting = format!("profile.dev.package.\"{}\".opt-level=0", self.package());
            command.arg("--config").arg(setting);
        }
        self.build_with(command, &self.cargo_context)
    }

    pub(crate) fn build_with(&self, command: Command, cargo_context: &CargoContext) -> Result<BuildReport, CargoError> {
        let (collector, is_success, stderr) = self.run_compiler_in(cargo_context, command)?;
        if !is_success {
            return self.report(collector, &stderr).map(BuildReport::Refused);
        }
        match collector.executable {
            Some(executable) => Ok(BuildReport::Built { executable }),
            None => {
                Err(CargoError::Internal { message: "cargo built the harness but does not say where it is".into() })
            }
        }
    }

    fn run_compiler(&self, command: Command) -> Result<(Collector, bool, String), CargoError> {
        self.run_compiler_in(&self.cargo_context, command)
    }

    fn run_compiler_in(
        &self,
        cargo_context: &CargoContext,
        mut command: Command,
    ) -> Result<(Collector, bool, String), CargoError> {
        command.args(["--message-format", "json"]);
        let mut collector = Collector::new(&self.root, &self.main_source());
        let answer = stream(command, cargo_context, Some(&self.log_file), &mut |line| collector.hear(line))?;
        Ok((collector, answer.is_success, answer.stderr))
    }

    fn report(&self, collector: Collector, stderr: &str) -> Result<CheckReport, CargoError> {
        let crash_sites = crash_sites(stderr);
        let can_be_mended = !crash_sites.is_empty() || collector.errors.iter().any(|e| !e.places.is_empty());
        if !collector.foreign_errors.is_empty() || !can_be_mended || full_disk(&collector, stderr).is_some() {
            return Err(refusal(&self.target.package_name, &collector, stderr));
        }
        Ok(CheckReport { errors: collector.errors, crash_sites })
    }
}

/// Why nothing can be built, whatever is left out of the harness.
fn refusal(package: &str, collector: &Collector, stderr: &str) -> CargoError {
    if let Some(line) = full_disk(collector, stderr) {
        return CargoError::DiskFull { message: line.into() };
    }
    let package = package.to_owned();
    if !collector.foreign_errors.is_empty() {
        return CargoError::DoesNotBuild { package, message: shown(&collector.foreign_errors) };
    }
    if let Some(error) = collector.errors.iter().find(|e| is_link_error(&e.message)) {
        return CargoError::LinkFailed { package, message: error.rendered.trim_end().into() };
    }
    if !collector.runtime_errors.is_empty() {
        return CargoError::Internal {
            message: format!("the runtime does not compile with this toolchain:\n{}", shown(&collector.runtime_errors)),
        };
    }
    if let Some(error) = collector.errors.iter().find(|e| clashes_with_std(e)) {
        return CargoError::CannotBeLinked { package, message: error.message.clone() };
    }
    if collector.errors.is_empty() {
        explain(stderr, &package)
    } else {
        CargoError::Internal {
            message: format!(
                "the harness does not compile, for no line of it:\n{}\n{}",
                shown(&collector.errors),
                complaint(stderr)
            ),
        }
    }
}

/// Where any of them says that the disk is full. Of an ordinary error only the message: the rest shows sources.
fn full_disk<'a>(collector: &'a Collector, stderr: &'a str) -> Option<&'a str> {
    let errors = [&collector.errors, &collector.runtime_errors, &collector.foreign_errors];
    let said = |error: &'a Diagnostic| if is_link_error(&error.message) { &error.rendered } else { &error.message };
    errors.into_iter().flatten().find_map(|error| disk_full_line(said(error))).or_else(|| disk_full_line(stderr))
}

/// A crate that brings its own panic handler or global allocator cannot share a program with ours.
fn clashes_with_std(error: &Diagnostic) -> bool {
    error.code.as_deref() == Some("E0152") || error.message.contains("global_allocator")
}

fn shown(errors: &[Diagnostic]) -> String {
    let mut text: String =
        errors.iter().take(MAX_SHOWN).map(|error| error.rendered.trim_end()).collect::<Vec<_>>().join("\n");
    match errors.len().saturating_sub(MAX_SHOWN) {
        0 => {}
        1 => text.push_str("\n… and 1 more error"),
        n_left => text.push_str(&format!("\n… and {n_left} more errors")),
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorClass;
    use std::path::Path;

    fn error(message: &str) -> Diagnostic {
        Diagnostic {
            places: Vec::new(),
            code: None,
            message: message.to_owned(),
            rendered: format!("error: {message}\n"),
        }
    }

    fn refused(errors: &[Diagnostic], stderr: &str) -> CargoError {
        let mut collector = Collector::new(Path::new("/h"), Path::new("/h/src/main.rs"));
        collector.errors = errors.to_vec();
        refusal("slab", &collector, stderr)
    }

    #[test]
    fn a_link_error_and_a_full_disk_are_no_bugs_of_ours() {
        let link = Diagnostic {
            rendered: "error: linking with `cc` failed\nld: cannot find -lz\n".into(),
            ..error("linking with `cc` failed")
        };
        let refusal = refused(std::slice::from_ref(&link), "error: could not compile\n");
        assert_eq!(refusal.class(), ErrorClass::DoesNotBuild);
        assert!(refusal.to_string().contains("ld: cannot find -lz"), "{refusal}");
        let full = "ld: final link failed: No space left on device";
        let full_while_linking = Diagnostic { rendered: format!("error: x\n{full}\n"), ..link };
        let full_while_compiling = error("failed to write x.rmeta: No space left on device (os error 28)");
        for errors in [&[full_while_linking][..], &[full_while_compiling], &[]] {
            let refusal = refused(errors, &format!("error: {full}\n"));
            assert!(matches!(refusal, CargoError::DiskFull { .. }), "{refusal}");
        }
        assert_eq!(refused(&[error("no")], "").class(), ErrorClass::Internal);
    }

    #[test]
    fn the_errors_that_are_not_shown_are_counted() {
        let end = |n_errors| shown(&vec![error("no"); n_errors]).lines().last().map(str::to_owned).unwrap();
        assert_eq!(end(3), "error: no");
        assert_eq!(end(4), "… and 1 more error");
        assert_eq!(end(5), "… and 2 more errors");
    }
}
