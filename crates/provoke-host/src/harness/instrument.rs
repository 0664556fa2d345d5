//! How target and harness come by counters of their edges: in the builds of workers, and in no others.
//!
//! Emitted tests link the target as the user has it, from the same build directory. Cargo tells the two apart by a setting of the
//! profile for those packages alone, which is part of the name of what it builds; all dependencies are shared.
//!
//! Decision: `docs/decisions/076-coverage-from-sanitizer-coverage.md`

use std::path::Path;
use std::process::Command;
use std::sync::atomic::Ordering;

use crate::cargo::invocation::tool;
use crate::harness::HarnessDir;
use crate::harness::compiled_runtime::keep_runtime;
use crate::harness::counted_sources::CountedSources;
use crate::harness::dependencies::Dependency;
use crate::harness::wrapper::{INNER_WRAPPER, INSTRUMENT};

/// A number of parts to compile a crate in that nobody else chooses; about as many as cargo has by default. Another one when
/// the flags of the wrapper change, which cargo does not see.
const CODEGEN_UNITS: u32 = 14;

impl HarnessDir {
    /// Workers are built with counters from now on, in the target and in these of its dependencies. `wrapper` is an executable
    /// whose `main` starts with [`run_as_wrapper_if_asked`](crate::run_as_wrapper_if_asked).
    pub fn with_counters(mut self, wrapper: &Path, dependencies: Vec<Dependency>) -> HarnessDir {
        self.counting_wrapper = Some(wrapper.to_path_buf());
        self.counted_dependencies = dependencies;
        self.has_counters.store(true, Ordering::Relaxed);
        self
    }

    /// Whether workers are built with counters.
    pub fn has_counters(&self) -> bool {
        self.has_counters.load(Ordering::Relaxed)
    }

    /// Where code is that counts.
    pub fn counted_sources(&self) -> CountedSources {
        CountedSources::of(&self.target, &self.counted_dependencies)
    }

    /// A cargo command for what is linked into a worker. The harness itself is only instrumented in the worker that searches.
    pub(crate) fn worker_cargo(&self, subcommand: &str, package: &str, is_first: bool) -> Command {
        let mut command = self.cargo(subcommand, package);
        let Some(wrapper) = self.counting_wrapper.as_ref().filter(|_| self.has_counters()) else {
            return command;
        };
        let mut packages = vec![format!("{}@{}", self.target.package_name, self.target.version)];
        packages.extend(self.counted_dependencies.iter().map(Dependency::spec));
        if !is_first {
            packages.push(format!("{}@0.0.0", self.package()));
        }
        for package in &packages {
            let setting = format!("profile.dev.package.\"{package}\".codegen-units={CODEGEN_UNITS}");
            command.arg("--config").arg(setting);
        }
        command
            .env("RUSTC_WRAPPER", wrapper)
            .env(INSTRUMENT, packages.join(" "))
            .env(INNER_WRAPPER, tool("RUSTC_WRAPPER", ""));
        keep_runtime(&mut command);
        command
    }
}
