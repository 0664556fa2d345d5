//! What the user wants, worked out once from the arguments. Everything behind it is plain data.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use provoke_engine::{Guidance, Strategy};
use provoke_report::{Theme, Tier, Verbosity};
use provoke_run::{Build, FunctionFilter, Packages, Replay, RunSettings, SandboxMode, SanitizerMode, Setup, Subject};
use provoke_wire::ValueIdentity;

use crate::cli::args::{
    Args, BuildArgs, Color, CommandArgs, DenyArg, FunctionArgs, OutputArgs, Part, ResultArgs, RunArgs, SameArg,
    SandboxArg, SandboxArgs, SanitizerArg, SearchArgs, StrategyArg, SubjectArgs, Until,
};

/// Who asks for a plateau wants to wait for it, but not for ever.
const LONGEST_UNTIL_PLATEAU: Duration = Duration::from_secs(600);

#[derive(Clone, Debug)]
pub struct Options {
    pub command: Command,
    pub setup: Setup,
    pub output: Output,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    Run { settings: Box<RunSettings>, json: Option<PathBuf>, lcov: Option<PathBuf> },
    List { functions: FunctionFilter },
    Replay(Replay),
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
                let (json, lcov) = (result.json.clone(), result.lcov.clone());
                let settings = Box::new(run_settings(search, functions, result));
                let subject = subject_options(subject, workspace.workspace);
                Options::new(Command::Run { settings, json, lcov }, subject, build, sandbox, output)
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
        if let Command::Run { settings, .. } = &mut self.command {
            let words = words.iter().map(|word| shell_quoted(&word.to_string_lossy()));
            let words: Vec<String> = ["cargo", "provoke"].map(str::to_string).into_iter().chain(words).collect();
            settings.command_line = words.join(" ");
        }
        self
    }

    fn new(command: Command, subject: Subject, build: BuildArgs, sandbox: SandboxArgs, output: OutputArgs) -> Options {
        let build = build_options(build);
        let subject_arguments = subject_arguments(&subject, &build);
        let sandbox = match sandbox.sandbox {
            SandboxArg::Auto => SandboxMode::Auto,
            SandboxArg::Strict => SandboxMode::Strict,
            SandboxArg::Off => SandboxMode::Off,
        };
        Options {
            command,
            setup: Setup { subject, build, sandbox, subject_arguments, ..Setup::default() },
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
        Theme { verbosity: self.output.verbosity, subject_arguments: self.setup.subject_arguments.clone() }
    }
}

/// What to put behind another command so that it is about the same build of the same crate.
fn subject_arguments(subject: &Subject, build: &Build) -> String {
    let mut arguments: Vec<String> = Vec::new();
    let mut option = |name: &str, value: &str| {
        arguments.push(format!("{name} {}", shell_quoted(value)));
    };
    match subject {
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

fn run_settings(search: SearchArgs, functions: FunctionArgs, result: ResultArgs) -> RunSettings {
    let defaults = RunSettings::default();
    let has = |part: Part| !search.without.contains(&part);
    // A run bounded by calls gives the same result every time; a clock that nobody asked for would spoil that.
    let until_plateau = search.until == Some(Until::Plateau);
    let time = match (search.time, search.calls) {
        (None, None) if until_plateau => Some(LONGEST_UNTIL_PLATEAU),
        (None, None) => defaults.time,
        (time, _) => time,
    };
    RunSettings {
        time,
        calls: search.calls,
        until_plateau,
        seed: search.seed,
        jobs: search.jobs.unwrap_or(defaults.jobs),
        strategy: match search.strategy {
            StrategyArg::Guided => Strategy::Guided,
            StrategyArg::Directed => Strategy::Directed,
            StrategyArg::Walk => Strategy::Walk,
            StrategyArg::Legal => Strategy::Legal,
        },
        notion: match search.same {
            _ if !has(Part::Pruning) => ValueIdentity::None,
            SameArg::Equality => ValueIdentity::Equality,
            SameArg::Representation => ValueIdentity::Representation,
            SameArg::None => ValueIdentity::None,
        },
        sanitizer: match search.sanitizer {
            SanitizerArg::Auto => SanitizerMode::Auto,
            SanitizerArg::Address => SanitizerMode::Address,
            SanitizerArg::None => SanitizerMode::None,
        },
        guidance: guidance_without(&search.without),
        has_counters: has(Part::Counters),
        is_writing_regression: has(Part::Regression),
        is_confirming: has(Part::Findings),
        cover: search.cover,
        has_probes: search.probes,
        functions: filter(functions),
        deny: denied(result.deny),
        write_tests: result.write_tests,
        trials: search.trials,
        is_resuming: search.resume,
        command_line: String::new(),
    }
}

fn denied(deny: DenyArg) -> Option<Tier> {
    match deny {
        DenyArg::Error => Some(Tier::Error),
        DenyArg::Suspicious => Some(Tier::Suspicious),
        DenyArg::None => None,
    }
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
    use provoke_run::MAX_JOBS;

    fn options(line: &str) -> Options {
        let words = std::iter::once("cargo-provoke").chain(line.split_whitespace());
        Options::from_args(Args::try_parse_from(words).unwrap())
    }

    fn run(line: &str) -> RunSettings {
        match options(line).command {
            Command::Run { settings, .. } => *settings,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn run_is_what_happens_without_a_command() {
        let shown = |line| format!("{:?}", options(line));
        assert_eq!(shown(""), shown("run"));
        assert_eq!(shown("--seed 7 --time 5s -p a"), shown("run --seed 7 --time 5s -p a"));
    }

    #[test]
    fn the_time_has_a_default_unless_calls_bound_the_search() {
        assert_eq!((run("").time, run("").calls), (Some(Duration::from_secs(30)), None));
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
        assert_eq!(options("").setup.sandbox, SandboxMode::Auto);
        assert_eq!(options("list --sandbox=strict").setup.sandbox, SandboxMode::Strict);
        assert!((1..=MAX_JOBS).contains(&run.jobs));
        assert_eq!(run.strategy, Strategy::Guided);
        assert_eq!(run.notion, ValueIdentity::Equality);
        assert_eq!(run.deny, Some(Tier::Error));
        assert!(!run.write_tests);
        assert!(run.is_writing_regression && run.is_confirming);
    }

    #[test]
    fn the_command_line_is_remembered_as_a_shell_reads_it() {
        let words = ["--only", "Slab::*", "--calls", "10k"].map(OsString::from);
        match options("--only Slab::* --calls 10k").typed(&words).command {
            Command::Run { settings, .. } => {
                assert_eq!(settings.command_line, "cargo provoke --only 'Slab::*' --calls 10k")
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn parts_can_be_left_out_and_nothing_denied() {
        assert_eq!(run("--without pruning").notion, ValueIdentity::None);
        let run = run("--without regression --deny none --same representation --strategy walk --jobs 3");
        assert!(!run.is_writing_regression && run.is_confirming);
        assert_eq!(run.deny, None);
        assert_eq!(run.notion, ValueIdentity::Representation);
        assert_eq!(run.strategy, Strategy::Walk);
        assert_eq!(run.jobs, 3);
    }

    #[test]
    fn features_are_split_at_commas_and_spaces() {
        let words = ["cargo-provoke", "-F", "a,b c", "--features", "d"];
        let options = Options::from_args(Args::try_parse_from(words).unwrap());
        assert_eq!(options.setup.build.features, ["a", "b", "c", "d"]);
    }

    #[test]
    fn packages_are_named_excluded_or_left_to_cargo() {
        let packages = |line| match options(line).setup.subject {
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
        assert_eq!((one.setup.subject, all.setup.subject), (local(workspace.clone()), local(Packages::Default)));
        assert_eq!(options("--all").setup.subject, local(workspace));
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
