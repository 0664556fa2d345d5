//! The second build of a worker, and of tests: instrumented by AddressSanitizer.
//!
//! It has a build directory of its own, so that the plain one stays as it is. std comes as it is, uninstrumented: what it does to
//! memory is seen where its generic code is compiled into the target or the harness, and by what stands in for `malloc` and
//! `memcpy`.
//!
//! Decision: `docs/decisions/073-the-sanitizer-is-a-second-build.md`

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::cargo::invocation::tool;
use crate::cargo::toolchain::toolchain;
use crate::context::CargoContext;
use crate::error::CargoError;
use crate::harness::HarnessDir;
use crate::harness::compile::BuildReport;
use crate::harness::compiled_runtime::keep_runtime;
use crate::harness::wrapper::{INNER_WRAPPER, SANITIZE};

/// What watches over memory while code under test runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sanitizer {
    #[default]
    None,
    Address,
}

/// In reports of both: leaks are no errors, an absurd size is refused as the system's allocator does it, and a report ends in a
/// signal, so that one which cannot be read is still a crash. That no core is dumped is settled by whoever starts the process,
/// and nothing else about limits may be changed in it.
const COMMON_OPTIONS: &str = "abort_on_error=1:detect_leaks=0:allocator_may_return_null=1:detect_odr_violation=0:\
                              symbolize=0:print_legend=0:color=never:detect_stack_use_after_return=1:disable_coredump=0";

impl Sanitizer {
    /// For the environment of a worker. Signals are left to std and to the tool, which know them from plain workers; the
    /// quarantine is small enough for many workers at once.
    pub(crate) fn worker_environment(self) -> Vec<(&'static str, Vec<u8>)> {
        match self {
            Sanitizer::None => Vec::new(),
            Sanitizer::Address => {
                let signals = "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0";
                let limits = "use_sigaltstack=0:quarantine_size_mb=32:malloc_context_size=20";
                vec![
                    ("ASAN_OPTIONS", format!("{COMMON_OPTIONS}:{signals}:{limits}").into_bytes()),
                    ("PROVOKE_SANITIZER", b"address".to_vec()),
                ]
            }
        }
    }
}

/// How to build with the sanitizer.
#[derive(Clone, Debug)]
pub struct SanitizedBuild {
    wrapper: PathBuf,
    /// `x86_64-unknown-linux-gnu`. Named to cargo, so that it tells apart what runs in the worker from build scripts and macros.
    pub host: String,
    /// Ends a build early, with [`CargoError::Interrupted`].
    interrupt: Option<Arc<AtomicBool>>,
    /// Set when a worker was built. Shared by all copies.
    is_built: Arc<AtomicBool>,
}

impl SanitizedBuild {
    /// `wrapper` is an executable whose `main` starts with [`run_as_wrapper_if_asked`](crate::run_as_wrapper_if_asked),
    /// normally the tool itself.
    pub fn new(harness: &HarnessDir, wrapper: &Path) -> Result<SanitizedBuild, CargoError> {
        let host = toolchain(&harness.target.working_directory, &harness.cargo_context)?.host;
        Ok(SanitizedBuild { wrapper: wrapper.to_path_buf(), host, interrupt: None, is_built: Arc::default() })
    }

    /// Beside a search: on one core, at the end of the queue, until the flag is set.
    pub fn in_background(&self, interrupt: Arc<AtomicBool>) -> SanitizedBuild {
        SanitizedBuild { interrupt: Some(interrupt), ..self.clone() }
    }

    /// Set as soon as a worker was built: then tests can be, too.
    pub fn is_built(&self) -> &Arc<AtomicBool> {
        &self.is_built
    }

    /// What shows the failure of a test that only fails with the sanitizer.
    pub fn test_command(&self) -> String {
        format!("RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address cargo test --target {}", self.host)
    }

    /// For the environment of a test.
    pub(crate) const TEST_ENVIRONMENT: (&str, &str) = ("ASAN_OPTIONS", COMMON_OPTIONS);

    pub(crate) fn cargo_context(&self, usual: &CargoContext) -> CargoContext {
        let mut cargo_context = usual.clone();
        if let Some(interrupt) = &self.interrupt {
            // Nobody wants to see what goes on behind a search, or waits for it.
            cargo_context.interrupt = interrupt.clone();
            (cargo_context.listener, cargo_context.on_wait) = (None, None);
        }
        cargo_context
    }
}

impl HarnessDir {
    /// Builds the worker with the sanitizer, from the sources of the plain one.
    pub fn build_sanitized(&self, build: &SanitizedBuild) -> Result<PathBuf, CargoError> {
        let command = self.sanitized_cargo(build, "build", &self.package());
        let refused = |message: String| CargoError::NoSanitizer { message };
        match self.build_with(command, &build.cargo_context(&self.cargo_context)) {
            Ok(BuildReport::Built { executable }) => {
                build.is_built.store(true, Ordering::Relaxed);
                Ok(executable)
            }
            Ok(BuildReport::Refused(report)) => {
                Err(refused(report.errors.first().map_or_else(String::new, |error| error.message.clone())))
            }
            Err(error @ (CargoError::Interrupted | CargoError::DiskFull { .. })) => Err(error),
            // The plain worker was built from the same sources.
            Err(error) => Err(refused(error.to_string())),
        }
    }

    pub(crate) fn sanitized_cargo(&self, build: &SanitizedBuild, subcommand: &str, package: &str) -> Command {
        let directory = self.target.target_directory.join("provoke").join("build-asan");
        let mut command = self.cargo_into(&directory, subcommand, package);
        command
            .args(["--target", &build.host])
            .env("RUSTC_WRAPPER", &build.wrapper)
            .env(SANITIZE, "address")
            .env(INNER_WRAPPER, tool("RUSTC_WRAPPER", ""));
        keep_runtime(&mut command);
        if build.interrupt.is_some() {
            command.args(["--jobs", "1"]);
            step_back(&mut command);
        }
        command
    }
}

/// Lets others go first.
#[cfg(unix)]
fn step_back(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    // An async-signal-safe call between fork and exec.
    unsafe {
        command.pre_exec(|| {
            libc::setpriority(libc::PRIO_PROCESS, 0, 10);
            Ok(())
        });
    }
}

#[cfg(not(unix))]
fn step_back(_: &mut Command) {}
