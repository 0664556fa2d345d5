//! What a run is asked for.

use std::path::PathBuf;
use std::time::Duration;

use provoke_engine::{Guidance, Strategy};
use provoke_host::CrateSpec;
use provoke_report::{Tier, UserError};
use provoke_wire::ValueIdentity;

use crate::config::pattern::FunctionFilter;
use crate::interrupt::Interrupt;

const DEFAULT_TIME: Duration = Duration::from_secs(30);
/// More workers than any machine has cores would only exhaust it.
pub const MAX_JOBS: usize = 1024;

/// What is tested, and how it is built and locked in.
#[derive(Clone, Debug)]
pub struct Setup {
    pub subject: Subject,
    pub build: Build,
    pub sandbox: SandboxMode,
    /// What hints put behind other commands, so that these are about the same build of the same crate.
    pub subject_arguments: String,
    /// Stops all of it.
    pub interrupt: Interrupt,
}

impl Default for Setup {
    /// The package in this directory, as cargo would take it.
    fn default() -> Setup {
        Setup {
            subject: Subject::Local { manifest_path: None, packages: Packages::Default },
            build: Build::default(),
            sandbox: SandboxMode::Auto,
            subject_arguments: String::new(),
            interrupt: Interrupt::default(),
        }
    }
}

/// The crate under test.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    Local {
        /// `None`: search this directory and those above.
        manifest_path: Option<PathBuf>,
        packages: Packages,
    },
    Registry(CrateSpec),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Packages {
    /// What cargo would take in this directory.
    Default,
    Named(Vec<String>),
    Workspace {
        exclude: Vec<String>,
    },
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Build {
    pub features: Vec<String>,
    pub all_features: bool,
    pub no_default_features: bool,
    pub release: bool,
    pub locked: bool,
    pub offline: bool,
    pub frozen: bool,
}

/// How code under test is locked in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SandboxMode {
    /// As well as the system can.
    Auto,
    /// Or not run.
    Strict,
    Off,
}

/// Whether AddressSanitizer watches over memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SanitizerMode {
    /// In the last part of a long search, if the crate has unsafe code.
    Auto,
    Address,
    None,
}

impl SanitizerMode {
    pub fn name(self) -> &'static str {
        match self {
            SanitizerMode::Auto => "auto",
            SanitizerMode::Address => "address",
            SanitizerMode::None => "none",
        }
    }
}

/// How one run searches, and what it leaves behind.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSettings {
    /// `None`: the calls are the only bound. At least one of the two is there; the search ends at whichever comes first.
    pub time: Option<Duration>,
    pub calls: Option<u64>,
    /// Stop when going on is hardly worth it.
    pub until_plateau: bool,
    pub seed: u64,
    pub jobs: usize,
    pub strategy: Strategy,
    /// Which values count as the same when programs are pruned.
    pub notion: ValueIdentity,
    /// How the search uses what programs reach.
    pub guidance: Guidance,
    /// Whether it is measured at all.
    pub has_counters: bool,
    /// Dependencies in which it is measured, too.
    pub cover: Vec<String>,
    /// Functions for testing only are called, too.
    pub has_probes: bool,
    pub sanitizer: SanitizerMode,
    pub functions: FunctionFilter,
    /// The mildest tier that makes the run fail.
    pub deny: Option<Tier>,
    pub write_tests: bool,
    pub is_writing_regression: bool,
    /// What goes wrong is looked into.
    pub is_confirming: bool,
    /// How many more programs to minimise per finding, for the log.
    pub trials: usize,
    /// Go on with the last run.
    pub is_resuming: bool,
    /// As the user typed it, for those who find a test and wonder where it comes from.
    pub command_line: String,
}

impl Default for RunSettings {
    fn default() -> RunSettings {
        RunSettings {
            time: Some(DEFAULT_TIME),
            calls: None,
            until_plateau: false,
            seed: 0,
            jobs: n_cores(),
            strategy: Strategy::Guided,
            notion: ValueIdentity::Equality,
            guidance: Guidance::ALL,
            has_counters: true,
            cover: Vec::new(),
            has_probes: false,
            sanitizer: SanitizerMode::Auto,
            functions: FunctionFilter::default(),
            deny: Some(Tier::Error),
            write_tests: false,
            is_writing_regression: true,
            is_confirming: true,
            trials: 0,
            is_resuming: false,
            command_line: String::new(),
        }
    }
}

fn n_cores() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get().min(MAX_JOBS))
}

impl RunSettings {
    /// Whether all that is asked for can be done together.
    pub fn check(&self) -> Result<(), UserError> {
        let is_measuring = self.has_counters && self.sanitizer != SanitizerMode::Address;
        if !self.cover.is_empty() && !is_measuring {
            return Err(UserError::usage(
                "`--cover` asks for what is reached in dependencies, but nothing is measured here",
                "leave out `--without counters` and `--sanitizer address`, or `--cover`",
            ));
        }
        if self.until_plateau && !is_measuring {
            return Err(UserError::usage(
                "`--until plateau` needs to know what programs reach, which is not measured here",
                "leave out `--without counters` and `--sanitizer address`, or bound the search by --time or --calls",
            ));
        }
        Ok(())
    }
}
