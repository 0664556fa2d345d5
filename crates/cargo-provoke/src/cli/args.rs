//! The command line as it is written. What it means is decided once, in `options.rs`.

use crate::cli::count::{parse_calls, parse_jobs, parse_seed};
use crate::cli::duration::parse_duration;
use clap::builder::Styles;
use clap::builder::styling::AnsiColor;
use clap::{ArgAction, Parser, Subcommand, ValueEnum};
use provoke_host::CrateSpec;
use provoke_run::{BadValue, Pattern, parse_id};
use std::path::PathBuf;
use std::time::Duration;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const EXAMPLES: &str = "\
Examples:
  cargo provoke                           test the library in this directory for 30 seconds
  cargo provoke --time 2m --seed 7        search longer, along another path
  cargo provoke --crate slab@0.4.4        test a crate straight from the registry
  cargo provoke --only 'Slab::*'          call only the functions of one type (and what makes their arguments)
  cargo provoke --deny suspicious -q      for CI: print findings only, exit with 100 if any
  cargo provoke list                      what can be called, what is skipped and why
  cargo provoke replay 3f2a9c1d           run one finding again, showing every step
  cargo provoke replay --all              which findings are still there, changed or fixed

Exit codes:
  0 nothing to report · 1 usage · 4 nothing callable · 70 a bug in Provoke ·
  100 findings at or above --deny · 101 the crate does not build · 130 interrupted

Results are in target/provoke/<package>/: summary.json, findings/<id>.rs and regression.rs.";

/// Finds call sequences that break a Rust crate and hands back each as a failing #[test]
#[derive(Debug, Parser)]
#[command(
    name = "cargo-provoke",
    bin_name = "cargo provoke",
    version,
    styles = STYLES,
    max_term_width = 100,
    args_conflicts_with_subcommands = true,
    after_help = EXAMPLES
)]
pub struct Args {
    #[command(subcommand)]
    pub command: Option<CommandArgs>,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Debug, Subcommand)]
pub enum CommandArgs {
    /// Search for calls that break the crate (what happens without a command)
    Run(RunArgs),
    /// Show what can be called, what is skipped and why
    List(ListArgs),
    /// Run one finding again, showing every step and the state after it, or all of them
    Replay(ReplayArgs),
}

#[derive(Debug, clap::Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub functions: FunctionArgs,
    #[command(flatten)]
    pub result: ResultArgs,
    #[command(flatten)]
    pub subject: SubjectArgs,
    #[command(flatten)]
    pub workspace: WorkspaceArgs,
    #[command(flatten)]
    pub build: BuildArgs,
    #[command(flatten)]
    pub sandbox: SandboxArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, clap::Args)]
pub struct ListArgs {
    #[command(flatten)]
    pub functions: FunctionArgs,
    #[command(flatten)]
    pub subject: SubjectArgs,
    #[command(flatten)]
    pub workspace: WorkspaceArgs,
    #[command(flatten)]
    pub build: BuildArgs,
    #[command(flatten)]
    pub sandbox: SandboxArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, clap::Args)]
pub struct ReplayArgs {
    /// The finding's id, as it was printed
    #[arg(value_name = "ID", value_parser = parse_id, required_unless_present = "all")]
    pub id: Option<String>,
    /// Run every finding of the last run again and say which are still there, changed or fixed
    #[arg(long, conflicts_with = "id")]
    pub all: bool,
    /// With --all, exit with 100 if a finding of this tier or worse is still there
    #[arg(
        long,
        value_name = "TIER",
        value_enum,
        default_value = "error",
        hide_possible_values = true,
        conflicts_with = "id",
        help = "With --all, exit with 100 on what is left of this tier or worse: error, suspicious or none"
    )]
    pub deny: DenyArg,
    #[command(flatten)]
    pub subject: SubjectArgs,
    #[command(flatten)]
    pub workspace: ReplayWorkspaceArgs,
    #[command(flatten)]
    pub build: BuildArgs,
    #[command(flatten)]
    pub sandbox: SandboxArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Search")]
pub struct SearchArgs {
    /// How long to search: 20s, 500ms, 2m, 1m30s [default: 30s, or unbounded with --calls]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_negative_numbers = true)]
    pub time: Option<Duration>,
    /// How many calls to make: 5000, 10k, 2M; the same seed then gives the same result
    #[arg(long, value_name = "N", value_parser = parse_calls, allow_negative_numbers = true)]
    pub calls: Option<u64>,
    /// Stop as soon as going on is hardly worth it
    #[arg(
        long,
        value_name = "GOAL",
        value_enum,
        hide_possible_values = true,
        help = "With plateau, stop when nothing new was seen for so long that going on is hardly worth it; --time [then \
                10m by default] and --calls stay upper bounds"
    )]
    pub until: Option<Until>,
    /// Where the random search starts
    #[arg(long, value_name = "N", value_parser = parse_seed, allow_negative_numbers = true, default_value = "0")]
    pub seed: u64,
    /// How many workers run at once [default: one per core]
    #[arg(long, short, value_name = "N", value_parser = parse_jobs, allow_negative_numbers = true)]
    pub jobs: Option<usize>,
    /// How calls are chosen
    #[arg(
        long,
        value_name = "NAME",
        value_enum,
        default_value = "guided",
        hide_possible_values = true,
        help = "How calls are chosen: guided (by what they reach of the code and what it compares), directed (by new values \
                alone), or the baselines walk and legal"
    )]
    pub strategy: StrategyArg,
    /// What counts as the same value when programs are pruned
    #[arg(
        long,
        value_name = "NOTION",
        value_enum,
        default_value = "equality",
        hide_possible_values = true,
        help = "What counts as the same value when pruning: equality, representation or none"
    )]
    pub same: SameArg,
    /// Whether AddressSanitizer watches over memory
    #[arg(
        long,
        value_name = "NAME",
        value_enum,
        default_value = "auto",
        hide_possible_values = true,
        help = "Watch over memory: address, none, or auto, which gives AddressSanitizer the last fifth of a search of at \
                least 20s or 5M calls if the crate has unsafe code"
    )]
    pub sanitizer: SanitizerArg,
    /// Parts of the work to leave out
    #[arg(
        long,
        value_name = "PART",
        value_enum,
        value_delimiter = ',',
        hide_possible_values = true,
        help = "Leave parts out, separated by commas. Of the search: pruning, coverage (still measured, but not used), or \
                of its uses keeping, mutation, aiming, touchstones, kinship and weighting; counters (coverage is not even \
                measured, which is faster); regression, the tests after the search; findings (what goes wrong is not \
                looked into), to measure the search alone"
    )]
    pub without: Vec<Part>,
    /// Count what is reached in these dependencies, too, and let it guide the search: NAME or NAME@VERSION, separated by commas
    #[arg(long, value_name = "DEPENDENCY", value_delimiter = ',')]
    pub cover: Vec<String>,
    #[arg(long, help = "Call functions with `#[provoke::probe]`, too")]
    pub probes: bool,
    /// Go on with the last run, which was stopped or killed; --time and --calls count from its start
    #[arg(long, conflicts_with = "trials")]
    pub resume: bool,
    /// For developers: minimise so many other programs per finding, too, and write to log/trials.json what came out
    #[arg(long, value_name = "N", default_value = "0", hide = true)]
    pub trials: usize,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Functions")]
pub struct FunctionArgs {
    /// Test only functions whose path has these segments, and call others only to make arguments; * is any part of one (repeatable)
    #[arg(long, value_name = "PATTERN", value_parser = Pattern::parse)]
    pub only: Vec<Pattern>,
    /// Never call these functions, not even to make arguments, whatever --only selects (repeatable)
    #[arg(long, value_name = "PATTERN", value_parser = Pattern::parse)]
    pub omit: Vec<Pattern>,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Result")]
pub struct ResultArgs {
    /// Exit with 100 on findings of this tier or worse: error, suspicious or none
    #[arg(long, value_name = "TIER", value_enum, default_value = "error", hide_possible_values = true)]
    pub deny: DenyArg,
    /// Write failing and regression tests into the package's tests directory
    #[arg(long, conflicts_with = "krate")]
    pub write_tests: bool,
    /// Write the summary to this file, too: an object, or a list of them for several packages
    #[arg(long, value_name = "FILE", value_parser = parse_file)]
    pub json: Option<PathBuf>,
    /// Write which lines and branches of the crate were reached to this file, in the format of lcov
    #[arg(long, value_name = "FILE", value_parser = parse_file)]
    pub lcov: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Crate under test")]
pub struct SubjectArgs {
    /// The package's Cargo.toml [default: the one in this directory or above]
    #[arg(long, value_name = "PATH", value_parser = parse_file)]
    pub manifest_path: Option<PathBuf>,
    /// Test this package of the workspace (repeatable)
    #[arg(long, short, value_name = "NAME", value_parser = parse_nonempty, conflicts_with = "workspace")]
    pub package: Vec<String>,
    /// Leave a package out (repeatable; with --workspace)
    #[arg(long, value_name = "NAME", value_parser = parse_nonempty, requires = "workspace")]
    pub exclude: Vec<String>,
    /// Test a crate from the registry; nothing of this directory is used
    #[arg(
        id = "krate",
        long = "crate",
        value_name = "NAME[@VERSION]",
        value_parser = parse_crate_spec,
        conflicts_with_all = ["manifest_path", "package", "workspace", "exclude"]
    )]
    pub krate: Option<CrateSpec>,
}

/// As cargo has it, with the name that it used to have.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Crate under test")]
pub struct WorkspaceArgs {
    /// Test every library of the workspace
    #[arg(long, visible_alias = "all")]
    pub workspace: bool,
}

/// Where `--all` is about findings.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Crate under test")]
pub struct ReplayWorkspaceArgs {
    /// Look for findings in every library of the workspace
    #[arg(long)]
    pub workspace: bool,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Build")]
pub struct BuildArgs {
    /// Features to activate, separated by commas or spaces
    #[arg(long, short = 'F', value_name = "FEATURES", value_parser = parse_nonempty)]
    pub features: Vec<String>,
    /// Activate all features
    #[arg(long)]
    pub all_features: bool,
    /// Do not activate the default feature
    #[arg(long)]
    pub no_default_features: bool,
    /// Test the crate without debug assertions and overflow checks
    #[arg(long)]
    pub release: bool,
    /// Require that Cargo.lock is up to date
    #[arg(long)]
    pub locked: bool,
    /// Do not access the network
    #[arg(long)]
    pub offline: bool,
    /// --locked and --offline
    #[arg(long)]
    pub frozen: bool,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Sandbox")]
pub struct SandboxArgs {
    /// How code under test is locked in: auto, strict or off
    #[arg(
        long,
        value_name = "MODE",
        value_enum,
        default_value = "auto",
        hide_possible_values = true,
        help = "How calls are locked in: auto (as well as the system can), strict (or not run) or off"
    )]
    pub sandbox: SandboxArg,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Print findings and errors only
    #[arg(long, short, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say more about what is going on
    #[arg(long, short, action = ArgAction::Count)]
    pub verbose: u8,
    /// When to use colour: auto, always or never
    #[arg(long, value_name = "WHEN", value_enum, hide_possible_values = true)]
    pub color: Option<Color>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Until {
    Plateau,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SandboxArg {
    Auto,
    Strict,
    Off,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StrategyArg {
    Guided,
    Directed,
    Walk,
    Legal,
}

/// What counts as the same value when programs are pruned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SameArg {
    Equality,
    Representation,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SanitizerArg {
    Auto,
    Address,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    Pruning,
    Regression,
    /// What goes wrong is not looked into: for measuring the search alone.
    Findings,
    /// The search does not look at coverage; it is measured all the same.
    Coverage,
    /// Programs that reach something new are not kept for that.
    Keeping,
    /// No changed programs.
    Mutation,
    /// No programs aimed at comparisons.
    Aiming,
    /// No argument is what comparisons measured it by.
    Touchstones,
    /// No argument is got from another one.
    Kinship,
    /// All functions are called alike.
    Weighting,
    /// The worker has no counters, so coverage is not even measured.
    Counters,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DenyArg {
    Error,
    Suspicious,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

fn parse_crate_spec(text: &str) -> Result<CrateSpec, BadValue> {
    let hint = "write NAME or NAME@VERSION, for example slab or slab@0.4.4";
    CrateSpec::parse(text).map_err(|error| BadValue::new(error.to_string(), hint))
}

fn parse_nonempty(text: &str) -> Result<String, BadValue> {
    if text.trim().is_empty() {
        return Err(BadValue::new("it is empty", "give a name, or leave the option out"));
    }
    Ok(text.to_string())
}

fn parse_file(text: &str) -> Result<PathBuf, BadValue> {
    match text {
        "" => Err(BadValue::new("it is empty", "give the path of a file")),
        "-" => Err(BadValue::new("it is not a file", "for standard output write /dev/stdout")),
        path => Ok(PathBuf::from(path)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_of_the_arguments_is_consistent() {
        Args::command().debug_assert();
    }
}
