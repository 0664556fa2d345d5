//! What the user wants, worked out once from the arguments. Everything behind it is plain data.

use crate::args::{
    Args, BuildArgs, Color, CommandArgs, Deny, FunctionArgs, OutputArgs, Part, ResultArgs, RunArgs, Same, SandboxArgs,
    SandboxMode, SanitizerMode, SearchArgs, Strategy, SubjectArgs, Until,
};
use crate::count::MAX_JOBS;
use crate::pattern::FunctionFilter;
use provoke_engine::Guidance;
use provoke_host::CrateSpec;
use provoke_report::{Theme, Tier, UserError, Verbosity};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

const DEFAULT_TIME: Duration = Duration::from_secs(30);
/// Who asks for a plateau wants to wait for it, but not for ever.
const LONGEST_UNTIL_PLATEAU: Duration = Duration::from_secs(600);

#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    pub command: Command,
    pub subject: Subject,
    pub build: Build,
    pub sandbox: SandboxMode,
    pub output: Output,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    Run(Run),
    List { functions: FunctionFilter },
    Replay(Replay),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// `None`: the calls are the only bound. At least one of the two is there; the search ends at whichever comes first.
    pub time: Option<Duration>,
    pub calls: Option<u64>,
    /// Stop when going on is hardly worth it.
    pub until_plateau: bool,
    pub seed: u64,
    pub jobs: usize,
    pub strategy: Strategy,
    pub same: Same,
    pub is_pruning: bool,
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
    pub is_hunting: bool,
    pub json: Option<PathBuf>,
    pub lcov: Option<PathBuf>,
    /// How many more programs to minimise per finding, for the log.
    pub trials: usize,
    /// Go on with the last run.
    pub is_resuming: bool,
    /// As the user typed it, for those who find a test and wonder where it comes from.
    pub command_line: String,
}

impl Run {
    /// Whether all that was asked for can be done together.
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

/// Which findings are to be run again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replay {
    One {
        /// Or the beginning of one.
        id: String,
    },
    All {
        /// The mildest tier that makes the run fail.
        deny: Option<Tier>,
    },
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    pub verbosity: Verbosity,
    /// `None`: the environment decides.
    pub color: Option<Color>,
}

impl Options {
    pub fn from_args(args: Args) -> Options {
        let command = args.command.unwrap_or(CommandArgs::Run(args.run));
        match command {
            CommandArgs::Run(run) => {
                let RunArgs { search, functions, result, subject, workspace, build, sandbox, output } = run;
                let run = run_options(search, functions, result);
                let subject = subject_options(subject, workspace.workspace);
                Options::new(Command::Run(run), subject, build, sandbox, output)
            }
            CommandArgs::List(list) => {
                let functions = filter(list.functions);
                let command = Command::List { functions };
                let subject = subject_options(list.subject, list.workspace.workspace);
                Options::new(command, subject, list.build, list.sandbox, list.output)
            }
            CommandArgs::Replay(replay) => {
                let replayed = match replay.id {
                    Some(id) => Replay::One { id },
                    None => Replay::All { deny: denied(replay.deny) },
                };
                let subject = subject_options(replay.subject, replay.workspace.workspace);
                Options::new(Command::Replay(replayed), subject, replay.build, replay.sandbox, replay.output)
            }
        }
    }

    /// Remembers what the user typed: the words behind `cargo provoke`.
    pub fn typed(mut self, words: &[OsString]) -> Options {
        if let Command::Run(run) = &mut self.command {
            let words = words.iter().map(|word| shell_quoted(&word.to_string_lossy()));
            let words: Vec<String> = ["cargo", "provoke"].map(str::to_string).into_iter().chain(words).collect();
            run.command_line = words.join(" ");
        }
        self
    }

    fn new(command: Command, subject: Subject, build: BuildArgs, sandbox: SandboxArgs, output: OutputArgs) -> Options {
        Options {
            command,
            subject,
            build: build_options(build),
            sandbox: sandbox.sandbox,
            output: Output {
                verbosity: match (output.quiet, output.verbose) {
                    (true, _) => Verbosity::Quiet,
                    (false, 0) => Verbosity::Normal,
                    (false, 1..) => Verbosity::Verbose,
                },
                color: output.color,
            },
        }
    }

    pub fn theme(&self) -> Theme {
        Theme { verbosity: self.output.verbosity, subject_arguments: self.subject_arguments() }
    }

    /// What to put behind another command so that it is about the same build of the same crate.
    fn subject_arguments(&self) -> String {
        let mut arguments: Vec<String> = Vec::new();
        let mut option = |name: &str, value: &str| {
            arguments.push(format!("{name} {}", shell_quoted(value)));
        };
        match &self.subject {
            Subject::Registry(spec) => option("--crate", &spec.to_string()),
            Subject::Local { manifest_path, packages } => {
                if let Some(path) = manifest_path {
                    option("--manifest-path", &path.to_string_lossy());
                }
                match packages {
                    Packages::Default => {}
                    Packages::Named(names) => names.iter().for_each(|name| option("-p", name)),
                    Packages::Workspace { exclude } => {
                        arguments.push("--workspace".to_string());
                        for name in exclude {
                            arguments.push(format!("--exclude {}", shell_quoted(name)));
                        }
                    }
                }
            }
        }
        let build = &self.build;
        if !build.features.is_empty() {
            let features = shell_quoted(&build.features.join(","));
            arguments.push(format!("--features {features}"));
        }
        let switches = [
            (build.all_features, "--all-features"),
            (build.no_default_features, "--no-default-features"),
            (build.release, "--release"),
        ];
        for (is_on, name) in switches {
            if is_on {
                arguments.push(name.to_string());
            }
        }
        arguments.join(" ")
    }
}

fn guidance_without(parts: &[Part]) -> Guidance {
    if parts.contains(&Part::Coverage) {
        return Guidance::NONE;
    }
    let has = |part: Part| !parts.contains(&part);
    Guidance {
        keeps: has(Part::Keeping),
        mutates: has(Part::Mutation),
        aims: has(Part::Aiming),
        measures: has(Part::Touchstones),
        relates: has(Part::Kinship),
        weighs: has(Part::Weighting),
    }
}

fn run_options(search: SearchArgs, functions: FunctionArgs, result: ResultArgs) -> Run {
    // A run bounded by calls gives the same result every time; a clock that nobody asked for would spoil that.
    let until_plateau = search.until == Some(Until::Plateau);
    let time = match (search.time, search.calls) {
        (None, None) if until_plateau => Some(LONGEST_UNTIL_PLATEAU),
        (None, None) => Some(DEFAULT_TIME),
        (time, _) => time,
    };
    Run {
        time,
        calls: search.calls,
        until_plateau,
        seed: search.seed,
        jobs: search.jobs.unwrap_or_else(n_cores),
        strategy: search.strategy,
        same: search.same,
        sanitizer: search.sanitizer,
        is_pruning: !search.without.contains(&Part::Pruning),
        guidance: guidance_without(&search.without),
        has_counters: !search.without.contains(&Part::Counters),
        cover: search.cover,
        has_probes: search.probes,
        is_writing_regression: !search.without.contains(&Part::Regression),
        is_hunting: !search.without.contains(&Part::Findings),
        functions: filter(functions),
        deny: denied(result.deny),
        write_tests: result.write_tests,
        json: result.json,
        lcov: result.lcov,
        trials: search.trials,
        is_resuming: search.resume,
        command_line: String::new(),
    }
}

fn denied(deny: Deny) -> Option<Tier> {
    match deny {
        Deny::Error => Some(Tier::Error),
        Deny::Suspicious => Some(Tier::Suspicious),
        Deny::None => None,
    }
}

fn n_cores() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get().min(MAX_JOBS))
}

fn filter(functions: FunctionArgs) -> FunctionFilter {
    FunctionFilter { only: functions.only, omit: functions.omit }
}

fn subject_options(subject: SubjectArgs, is_workspace: bool) -> Subject {
    match subject.krate {
        Some(spec) => Subject::Registry(spec),
        None => Subject::Local {
            manifest_path: subject.manifest_path,
            packages: if is_workspace {
                Packages::Workspace { exclude: subject.exclude }
            } else if subject.package.is_empty() {
                Packages::Default
            } else {
                Packages::Named(subject.package)
            },
        },
    }
}

fn build_options(build: BuildArgs) -> Build {
    let features = build.features.iter().flat_map(|features| {
        let names = features.split([',', ' ']);
        names.filter(|name| !name.is_empty()).map(str::to_string)
    });
    Build {
        features: features.collect(),
        all_features: build.all_features,
        no_default_features: build.no_default_features,
        release: build.release,
        locked: build.locked,
        offline: build.offline,
        frozen: build.frozen,
    }
}

/// As a POSIX shell reads it back.
fn shell_quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./@,=+:".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_string()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn options(line: &str) -> Options {
        let words = std::iter::once("cargo-provoke").chain(line.split_whitespace());
        Options::from_args(Args::try_parse_from(words).unwrap())
    }

    fn run(line: &str) -> Run {
        match options(line).command {
            Command::Run(run) => run,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn run_is_what_happens_without_a_command() {
        assert_eq!(options(""), options("run"));
        assert_eq!(options("--seed 7 --time 5s -p a"), options("run --seed 7 --time 5s -p a"));
    }

    #[test]
    fn the_time_has_a_default_unless_calls_bound_the_search() {
        assert_eq!((run("").time, run("").calls), (Some(DEFAULT_TIME), None));
        let counted = run("--calls 10k");
        assert_eq!((counted.time, counted.calls), (None, Some(10_000)));
        let both = run("--calls 10k --time 1m30s");
        assert_eq!(both.time, Some(Duration::from_secs(90)));
        assert_eq!(both.calls, Some(10_000));
        let until_plateau = |line| (run(line).until_plateau, run(line).time);
        assert_eq!(until_plateau("--until plateau"), (true, Some(LONGEST_UNTIL_PLATEAU)));
        assert_eq!(until_plateau("--until plateau --time 5s"), (true, Some(Duration::from_secs(5))));
        assert_eq!(until_plateau("--until plateau --calls 1M"), (true, None));
    }

    #[test]
    fn a_plateau_cannot_be_seen_without_counters() {
        for (line, is_fine) in [
            ("--until plateau", true),
            ("--until plateau --without coverage", true),
            ("--until plateau --without counters", false),
            ("--until plateau --sanitizer address", false),
            ("--without counters --sanitizer address", true),
        ] {
            assert_eq!(run(line).check().is_ok(), is_fine, "{line}");
        }
    }

    #[test]
    fn defaults_are_those_of_the_help() {
        let run = run("");
        assert_eq!(run.seed, 0);
        assert_eq!(options("").sandbox, SandboxMode::Auto);
        assert_eq!(options("list --sandbox=strict").sandbox, SandboxMode::Strict);
        assert!((1..=MAX_JOBS).contains(&run.jobs));
        assert_eq!(run.strategy, Strategy::Guided);
        assert_eq!(run.same, Same::Equality);
        assert!(run.is_pruning);
        assert_eq!(run.deny, Some(Tier::Error));
        assert!(!run.write_tests);
        assert!(run.is_writing_regression && run.is_hunting);
    }

    #[test]
    fn the_command_line_is_remembered_as_a_shell_reads_it() {
        let words = ["--only", "Slab::*", "--calls", "10k"].map(OsString::from);
        match options("--only Slab::* --calls 10k").typed(&words).command {
            Command::Run(run) => assert_eq!(run.command_line, "cargo provoke --only 'Slab::*' --calls 10k"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn parts_can_be_left_out_and_nothing_denied() {
        let run = run("--without pruning,regression --deny none --same none --strategy walk --jobs 3");
        assert!(!run.is_pruning && !run.is_writing_regression && run.is_hunting);
        assert_eq!(run.deny, None);
        assert_eq!(run.same, Same::None);
        assert_eq!(run.strategy, Strategy::Walk);
        assert_eq!(run.jobs, 3);
    }

    #[test]
    fn features_are_split_at_commas_and_spaces() {
        let words = ["cargo-provoke", "-F", "a,b c", "--features", "d"];
        let options = Options::from_args(Args::try_parse_from(words).unwrap());
        assert_eq!(options.build.features, ["a", "b", "c", "d"]);
    }

    #[test]
    fn packages_are_named_excluded_or_left_to_cargo() {
        let packages = |line| match options(line).subject {
            Subject::Local { packages, .. } => packages,
            Subject::Registry(spec) => panic!("{spec:?}"),
        };
        assert_eq!(packages("list"), Packages::Default);
        let named = Packages::Named(vec!["a".into(), "b".into()]);
        assert_eq!(packages("list -p a --package b"), named);
        let workspace = Packages::Workspace { exclude: vec!["c".into()] };
        assert_eq!(packages("list --all --exclude c"), workspace);
        assert_eq!(packages("list --workspace --exclude c"), workspace);
    }

    #[test]
    fn all_is_about_findings_where_they_are_replayed_and_about_packages_elsewhere() {
        let one = options("replay 3f2a --workspace");
        assert_eq!(one.command, Command::Replay(Replay::One { id: "3f2a".into() }));
        let all = options("replay --all --deny suspicious");
        assert_eq!(all.command, Command::Replay(Replay::All { deny: Some(Tier::Suspicious) }));
        let workspace = Packages::Workspace { exclude: Vec::new() };
        let local = |packages| Subject::Local { manifest_path: None, packages };
        assert_eq!((one.subject, all.subject), (local(workspace.clone()), local(Packages::Default)));
        assert_eq!(options("--all").subject, local(workspace));
    }

    #[test]
    fn verbosity_follows_the_switches() {
        let verbosity = |line| options(line).output.verbosity;
        assert_eq!(verbosity("-q"), Verbosity::Quiet);
        assert_eq!(verbosity(""), Verbosity::Normal);
        assert_eq!(verbosity("-vv"), Verbosity::Verbose);
    }

    #[test]
    fn another_command_can_be_about_the_same_build() {
        let table = [
            ("", ""),
            ("--seed 3 --time 2s", ""),
            ("--crate slab@0.4.4", "--crate slab@0.4.4"),
            ("-p a -p b", "-p a -p b"),
            ("--workspace --exclude c", "--workspace --exclude c"),
            (
                "--manifest-path it's/Cargo.toml -F x -F y --no-default-features --release",
                r"--manifest-path 'it'\''s/Cargo.toml' --features x,y --no-default-features --release",
            ),
        ];
        for (line, expected) in table {
            assert_eq!(options(line).theme().subject_arguments, expected, "{line}");
        }
    }
}
