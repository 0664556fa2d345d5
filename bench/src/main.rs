//! `provoke-bench`: measures Provoke; run as `cargo xtask survey …` and so on.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "developer tasks print for people")]

use std::process::ExitCode;

use provoke_bench::speed::{coverage, isolation, throughput};
use provoke_bench::{corpus, repro, soak, survey, unchanged};

const USAGE: &str = "\
usage: cargo xtask TASK

tasks:
  bench throughput    compares calls per second of Provoke, a native loop, proptest and quickcheck
      --rounds N          rounds, of which the medians are shown (default 5)
      --time 2s           how long each of the others runs in a round
      --search-time 5s    how long Provoke searches in a round
      --subject NAME      only tree-map or only bounded-stack
  bench isolation     compares calls per second with and without the sandbox
      --rounds N          rounds, each with both ways; medians and quartiles are shown (default 20)
      --calls N           calls of a run (default 5000000)
      --subject NAME      one of subjects/ (default bounded-stack)
  bench coverage      compares calls per second with and without counters of edges in the worker
      --rounds N          rounds, each with both ways; medians and quartiles are shown (default 10)
      --calls N           calls of a run (default 5000000)
      --subject NAME      one of subjects/ (default tree-map, then bounded-stack)
  survey FILE         runs Provoke over a list of crates (such as survey/dev.txt), one name@version a line
      --time 20s          how long it searches in each
      --seed 0            where the searches start
      --skips             also lists why functions are skipped or not covered
      --cold N            instead compares N cold starts with plain builds, and shows the medians
  corpus FILE         says which known bugs of released crates Provoke finds, and how soon; a TOML file lists them. Without
                      FILE it is the one that the variable PROVOKE_CORPUS names, or that of the last run
      --quick             only the bugs of crates that build fast (survey/quick.txt), with --time 15s --seeds 0,1
      --time 60s          how long it searches for the bugs of a crate; it stops when it has them all
      --seeds 0,1         where the searches start (default 0)
      --tool PATH         runs this executable of cargo-provoke instead of building the one of this checkout
      --filter TEXT       only bugs with this in their name@version or function
      --fresh             does not use what an earlier run of the same tool found
      -- OPTIONS          more options for Provoke, such as --sanitizer address
  repro randoop       our figures beside those published about Randoop: containers, branches, ablations
      --full              more seeds (hours instead of minutes)
      --only PART         only containers, frontier, predicates or ablations
      --fresh             does not use what an earlier run of the same tool found
      --draw              instead draws the sample of frontier conditions anew (survey/frontier.txt)
  repro t2            our figures beside those published about T2: coverage of four classes with as many calls
      --only SUBJECT      only search-tree, sorted-list, show or pool
      --fresh             does not use what an earlier run of the same tool found
  soak                kills workers, and the tool itself, at random moments; what is found must be as in peace
      --minutes 10        how long
      --tool-kills 20     how often the tool is killed and resumed
      --seed 0            where the searches, and the moments, start
  unchanged record NAME   records what Provoke makes of our subjects and fixtures and of five published crates
  unchanged check NAME    makes it again and says what is different
      --quick             only four fixtures and slab, with fewer calls
      --filter TEXT       only crates with this in their name
      --tool PATH         runs this executable of cargo-provoke instead of building the one of this checkout";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args[..] {
        ["bench", "throughput", ref options @ ..] => {
            throughput::Options::parse(options).and_then(|options| throughput::run(&options))
        }
        ["bench", "isolation", ref options @ ..] => {
            isolation::Options::parse(options).and_then(|options| isolation::run(&options))
        }
        ["bench", "coverage", ref options @ ..] => {
            coverage::Options::parse(options).and_then(|options| coverage::run(&options))
        }
        ["survey", ref options @ ..] => survey::Options::parse(options).and_then(|options| survey::run(&options)),
        ["corpus", ref options @ ..] => corpus::Options::parse(options).and_then(|options| corpus::run(&options)),
        ["repro", "randoop", ref options @ ..] => {
            repro::randoop::Options::parse(options).and_then(|options| repro::randoop::run(&options))
        }
        ["repro", "t2", ref options @ ..] => {
            repro::t2::Options::parse(options).and_then(|options| repro::t2::run(&options))
        }
        ["soak", ref options @ ..] => soak::Options::parse(options).and_then(|options| soak::run(&options)),
        ["unchanged", ref options @ ..] => {
            unchanged::Options::parse(options).and_then(|options| unchanged::run(&options))
        }
        [] | ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => Err(format!("unknown task `{}`\n\n{USAGE}", args.join(" "))),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
