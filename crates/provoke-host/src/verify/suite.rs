//! One file with many tests, compiled once and run again and again.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cargo_metadata::Message;
use cargo_metadata::diagnostic::DiagnosticLevel;

use crate::cache::{make_directory, mirror};
use crate::cargo::diagnostic::{Diagnostic, diagnostic, parse};
use crate::cargo::invocation::{explain, stream};
use crate::context::CargoContext;
use crate::error::{CargoError, disk_full_line};
use crate::harness::HarnessDir;
use crate::harness::manifest::verify_package;
use crate::verify::{RunResult, TestFile, VerifyOptions, run_test};

/// What rustc made of a suite.
#[derive(Debug, Default)]
pub struct CompiledSuite {
    pub errors: Vec<Diagnostic>,
    pub warnings: Vec<Diagnostic>,
    executable: Option<PathBuf>,
}

impl HarnessDir {
    /// Compiles a suite against the target. `interrupt` ends it early, with [`CargoError::Interrupted`].
    pub fn compile_suite(&self, suite: &TestFile, interrupt: &Arc<AtomicBool>) -> Result<CompiledSuite, CargoError> {
        let directory = self.root.join("verify").join("tests");
        let name = format!("{}.rs", suite.name);
        mirror(&directory, &[(name.as_str(), suite.source.as_bytes())])?;
        let mut command = self.cargo("build", &verify_package(&self.target));
        command.args(["--tests", "--message-format", "json"]);
        let mut compiled = CompiledSuite::default();
        let source = directory.join(&name);
        let answer = stream(command, &self.until(interrupt), Some(&self.log_file), &mut |line| {
            hear(line, &source, &self.root, &mut compiled);
        })?;
        if let Some(line) = compiled.errors.iter().find_map(|error| disk_full_line(&error.rendered)) {
            return Err(CargoError::DiskFull { message: line.into() });
        }
        if !answer.is_success && compiled.errors.is_empty() {
            return Err(explain(&answer.stderr, &self.target.package_name));
        }
        Ok(compiled)
    }

    /// Runs all tests of a suite in one fresh process, on so many threads.
    pub fn run_suite(
        &self,
        compiled: &CompiledSuite,
        n_threads: usize,
        options: &VerifyOptions,
        interrupt: &Arc<AtomicBool>,
    ) -> Result<RunResult, CargoError> {
        let Some(executable) = &compiled.executable else {
            return Err(CargoError::Internal { message: "a suite that did not compile cannot be run".into() });
        };
        let scratch = self.root.join("verify").join("scratch");
        // Left-overs of an earlier run could change what a test does.
        let _ = fs::remove_dir_all(&scratch);
        make_directory(&scratch)?;
        let threads = format!("--test-threads={n_threads}");
        run_test(executable, &[&threads], &scratch, options, &self.until(interrupt))
    }

    fn until(&self, interrupt: &Arc<AtomicBool>) -> CargoContext {
        CargoContext { interrupt: interrupt.clone(), ..self.cargo_context.clone() }
    }
}

fn hear(line: &[u8], source: &Path, root: &Path, compiled: &mut CompiledSuite) {
    match parse(line) {
        Some(Message::CompilerMessage(message)) if message.target.src_path.as_std_path() == source => {
            let message = message.message;
            let is_summary = message.spans.is_empty() && message.code.is_none();
            match message.level {
                DiagnosticLevel::Error | DiagnosticLevel::Ice if !is_summary => {
                    compiled.errors.push(diagnostic(&message, root));
                }
                DiagnosticLevel::Warning if !is_summary => compiled.warnings.push(diagnostic(&message, root)),
                _ => {}
            }
        }
        Some(Message::CompilerArtifact(artifact)) if artifact.target.src_path.as_std_path() == source => {
            compiled.executable = artifact.executable.map(|path| path.into_std_path_buf());
        }
        _ => {}
    }
}
