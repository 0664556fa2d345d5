//! Emitted tests, compiled and run: each its own program, so that one cannot hide or disturb another.

pub mod format;
pub mod suite;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use cargo_metadata::Message;
use cargo_metadata::diagnostic::DiagnosticLevel;

use crate::cache::{make_directory, mirror};
use crate::cargo::diagnostic::{diagnostic, parse};
use crate::cargo::invocation::{explain, stream};
use crate::context::CargoContext;
use crate::error::{CargoError, disk_full_line};
use crate::harness::HarnessDir;
use crate::harness::manifest::verify_package;
use crate::harness::sanitizer::SanitizedBuild;
#[cfg(target_os = "linux")]
use crate::process::spawn::{Launch, Process};
#[cfg(target_os = "linux")]
use crate::process::{Finished, MAX_KILLS, run_confined};

/// A test may print without end; what it says last is what counts.
const MAX_OUTPUT: usize = 256 * 1024;

/// One emitted test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestFile {
    /// A file name without its ending: letters, digits, `_` and `-`.
    pub name: String,
    pub source: String,
}

#[derive(Clone, Debug)]
pub struct VerifyOptions {
    /// Wall-clock time for one test.
    pub time_limit: Duration,
    /// Address space of a test process; a test must not exhaust the machine.
    pub memory_limit: u64,
    /// How many tests run at once.
    pub jobs: usize,
    /// Compiles and runs them with the sanitizer.
    pub sanitized: Option<SanitizedBuild>,
}

impl Default for VerifyOptions {
    fn default() -> VerifyOptions {
        VerifyOptions { time_limit: Duration::from_secs(60), memory_limit: 8 << 30, jobs: 1, sanitized: None }
    }
}

/// What became of one test. Whether its failure is the claimed one is for the caller to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    pub name: String,
    /// The warnings of rustc, or its errors.
    pub compile: Result<Vec<String>, Vec<String>>,
    /// `None` if it did not compile.
    pub run: Option<RunResult>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunResult {
    pub status: RunStatus,
    /// Standard output and error, interleaved; only the end if it is very long.
    pub output: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunStatus {
    Passed,
    /// Ended with this exit code; the test runner's own is 101.
    Failed(i32),
    Signal(i32),
    TimedOut,
}

#[derive(Default)]
struct Compiled {
    warnings: Vec<String>,
    errors: Vec<String>,
    executable: Option<PathBuf>,
}

impl HarnessDir {
    /// Compiles all tests at once against the target and runs each in a process of its own.
    pub fn verify(&self, tests: &[TestFile], options: &VerifyOptions) -> Result<Vec<Verified>, CargoError> {
        if tests.is_empty() {
            return Ok(Vec::new());
        }
        let mut compiled = self.compile_tests(tests, options)?;
        let scratch = self.root.join("verify").join("scratch");
        // Left-overs of an earlier run could change what a test does.
        let _ = fs::remove_dir_all(&scratch);
        make_directory(&scratch)?;
        let mut verified: Vec<Verified> = Vec::new();
        let mut executables = Vec::new();
        for test in tests {
            let result = compiled.remove(&test.name).unwrap_or_default();
            executables.push(result.executable.filter(|_| result.errors.is_empty()));
            let compile =
                if executables.last().is_some_and(Option::is_some) { Ok(result.warnings) } else { Err(result.errors) };
            verified.push(Verified { name: test.name.clone(), compile, run: None });
        }
        let jobs: Vec<(usize, PathBuf)> =
            executables.into_iter().enumerate().filter_map(|(place, executable)| Some((place, executable?))).collect();
        for (place, result) in run_all(jobs, &scratch, options, &self.patient())? {
            verified[place].run = Some(result);
        }
        Ok(verified)
    }

    /// What was found before a Ctrl-C is kept, and so its tests are still verified.
    fn patient(&self) -> CargoContext {
        CargoContext { interrupt: Arc::default(), ..self.cargo_context.clone() }
    }

    fn compile_tests(
        &self,
        tests: &[TestFile],
        options: &VerifyOptions,
    ) -> Result<BTreeMap<String, Compiled>, CargoError> {
        let directory = self.root.join("verify").join("tests");
        let names: Vec<String> = tests.iter().map(|t| format!("{}.rs", t.name)).collect();
        let files: Vec<(&str, &[u8])> =
            names.iter().zip(tests).map(|(name, test)| (name.as_str(), test.source.as_bytes())).collect();
        mirror(&directory, &files)?;
        let package = verify_package(&self.target);
        let mut command = match &options.sanitized {
            Some(build) => self.sanitized_cargo(build, "build", &package),
            None => self.cargo("build", &package),
        };
        command.args(["--tests", "--keep-going", "--message-format", "json"]);
        let mut compiled: BTreeMap<String, Compiled> = BTreeMap::new();
        let answer =
            stream(command, &self.patient(), Some(&self.log_file), &mut |line| hear(line, &directory, &mut compiled))?;
        if let Some(line) = compiled.values().flat_map(|test| &test.errors).find_map(|error| disk_full_line(error)) {
            return Err(CargoError::DiskFull { message: line.into() });
        }
        let says_nothing = compiled.values().all(|c| c.errors.is_empty() && c.executable.is_none());
        if !answer.is_success && says_nothing {
            return Err(explain(&answer.stderr, &self.target.package_name));
        }
        Ok(compiled)
    }
}

fn hear(line: &[u8], directory: &Path, compiled: &mut BTreeMap<String, Compiled>) {
    let message = parse(line);
    let source = match &message {
        Some(Message::CompilerMessage(message)) => &message.target.src_path,
        Some(Message::CompilerArtifact(artifact)) => &artifact.target.src_path,
        _ => return,
    };
    let source = source.as_std_path();
    if source.parent() != Some(directory) {
        return;
    }
    let name = source.file_stem().unwrap_or(OsStr::new("")).to_string_lossy();
    let entry = compiled.entry(name.into_owned()).or_default();
    match message {
        Some(Message::CompilerMessage(message)) => {
            let message = message.message;
            let rendered = diagnostic(&message, directory).rendered;
            let is_summary = message.spans.is_empty() && message.code.is_none();
            match message.level {
                DiagnosticLevel::Error | DiagnosticLevel::Ice => entry.errors.push(rendered),
                DiagnosticLevel::Warning if !is_summary => entry.warnings.push(rendered),
                _ => {}
            }
        }
        Some(Message::CompilerArtifact(artifact)) => {
            entry.executable = artifact.executable.map(|path| path.into_std_path_buf());
        }
        _ => {}
    }
}

fn run_all(
    jobs: Vec<(usize, PathBuf)>,
    scratch: &Path,
    options: &VerifyOptions,
    cargo_context: &CargoContext,
) -> Result<Vec<(usize, RunResult)>, CargoError> {
    let n_threads = options.jobs.clamp(1, jobs.len().max(1));
    let queue = Mutex::new(jobs.into_iter());
    let results = Mutex::new(Ok(Vec::new()));
    let lock = |error: std::sync::PoisonError<_>| error.into_inner();
    thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().unwrap_or_else(|e| e.into_inner()).next();
                    let Some((place, executable)) = next else {
                        return;
                    };
                    let arguments = ["--nocapture", "--test-threads=1"];
                    let result = run_test(&executable, &arguments, scratch, options, cargo_context);
                    let mut results = results.lock().unwrap_or_else(lock);
                    match (result, &mut *results) {
                        (Ok(result), Ok(list)) => list.push((place, result)),
                        (Ok(_), Err(_)) => return,
                        (Err(error), _) => {
                            *results = Err(error);
                            return;
                        }
                    }
                }
            });
        }
    });
    results.into_inner().unwrap_or_else(|e| e.into_inner())
}

/// SIGKILL, which is the doing of the system or of another process, unless it always ends so.
const KILLED: RunStatus = RunStatus::Signal(9);

/// Runs a test program in `scratch`; again, if somebody kills it.
pub(crate) fn run_test(
    executable: &Path,
    arguments: &[&str],
    scratch: &Path,
    options: &VerifyOptions,
    cargo_context: &CargoContext,
) -> Result<RunResult, CargoError> {
    let once = || run_test_once(executable, arguments, scratch, options, cargo_context);
    let mut result = once()?;
    for _ in 1..MAX_KILLS {
        if result.status != KILLED {
            break;
        }
        result = once()?;
    }
    Ok(result)
}

fn run_test_once(
    executable: &Path,
    arguments: &[&str],
    scratch: &Path,
    options: &VerifyOptions,
    cargo_context: &CargoContext,
) -> Result<RunResult, CargoError> {
    let mut output = Vec::new();
    let finished = run_program(executable, arguments, scratch, options, cargo_context, &mut |bytes| {
        output.extend_from_slice(bytes);
        if output.len() > 2 * MAX_OUTPUT {
            output.drain(..output.len() - MAX_OUTPUT);
        }
    });
    let status = match finished {
        Ok(Finished::Exited(status)) => match (status.code(), signal_of(&status)) {
            (Some(0), _) => RunStatus::Passed,
            (Some(code), _) => RunStatus::Failed(code),
            (None, signal) => RunStatus::Signal(signal),
        },
        Ok(Finished::TimedOut) => RunStatus::TimedOut,
        Ok(Finished::Interrupted) => return Err(CargoError::Interrupted),
        Err(source) => {
            return Err(CargoError::ProgramNotFound { program: executable.to_string_lossy().into_owned(), source });
        }
    };
    Ok(RunResult { status, output: String::from_utf8_lossy(&output).into_owned() })
}

#[cfg(unix)]
fn signal_of(status: &std::process::ExitStatus) -> i32 {
    std::os::unix::process::ExitStatusExt::signal(status).unwrap_or(0)
}

#[cfg(not(unix))]
fn signal_of(_: &std::process::ExitStatus) -> i32 {
    0
}

/// In the sandbox, with limits, and with an environment in which nothing of the user's is left.
#[cfg(target_os = "linux")]
fn run_program(
    executable: &Path,
    arguments: &[&str],
    scratch: &Path,
    options: &VerifyOptions,
    cargo_context: &CargoContext,
    on_output: &mut dyn FnMut(&[u8]),
) -> io::Result<Finished> {
    let environment = environment(options).into_iter().map(|(name, value)| (name, value.into())).collect();
    let fence = cargo_context.sandbox.around(executable);
    let launch = |output| {
        Process::start(Launch {
            executable,
            arguments,
            directory: scratch,
            environment,
            output,
            inherited: Vec::new(),
            // As when the user runs it: where things lie must not decide whether it fails.
            has_fixed_addresses: false,
            fence: &fence,
            // The shadow of a sanitizer takes terabytes of addresses.
            address_space: options.sanitized.is_none().then_some(options.memory_limit),
        })
    };
    run_confined(launch, &cargo_context.interrupt, options.time_limit, on_output)
}

#[cfg(not(target_os = "linux"))]
fn run_program(
    executable: &Path,
    arguments: &[&str],
    scratch: &Path,
    options: &VerifyOptions,
    cargo_context: &CargoContext,
    on_output: &mut dyn FnMut(&[u8]),
) -> io::Result<Finished> {
    let mut command = std::process::Command::new(executable);
    command.args(arguments).current_dir(scratch).envs(environment(options));
    let limit = Some(options.time_limit);
    crate::process::run(command, &cargo_context.interrupt, limit, &mut |_, bytes| on_output(bytes))
}

fn environment(options: &VerifyOptions) -> Vec<(&'static str, &'static str)> {
    let of_sanitizer = options.sanitized.as_ref().map(|_| SanitizedBuild::TEST_ENVIRONMENT);
    of_sanitizer.into_iter().chain([("RUST_BACKTRACE", "1")]).collect()
}
