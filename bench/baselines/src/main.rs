//! Calls a subject's API at random for a while, one way or another, and says how often:
//! `baselines DRIVER SUBJECT TIME` prints `calls=N seconds=S`.

mod bounded_stacks;
mod native;
mod quick;
mod rng;
mod state_machine;
mod subject;
mod tree_maps;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use bounded_stacks::BoundedStacks;
use subject::Subject;
use tree_maps::TreeMaps;

const USAGE: &str =
    "usage: baselines native|proptest|quickcheck tree-map|bounded-stack TIME (as in 2s)";

/// Makes calls until the time is up and gives their number.
type Driver = fn(Deadline) -> u64;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let chosen = match args[..] {
        [driver, subject, time] => find_driver(driver, subject).zip(parse_time(time)),
        _ => None,
    };
    let Some((driver, time)) = chosen else {
        eprintln!("{USAGE}");
        return ExitCode::FAILURE;
    };
    let start = Instant::now();
    let calls = driver(Deadline(start + time));
    println!("calls={calls} seconds={:.6}", start.elapsed().as_secs_f64());
    ExitCode::SUCCESS
}

/// When to stop.
#[derive(Clone, Copy)]
struct Deadline(Instant);

impl Deadline {
    fn is_over(self) -> bool {
        Instant::now() >= self.0
    }
}

fn find_driver(driver: &str, subject: &str) -> Option<Driver> {
    fn of<S: Subject>(driver: &str) -> Option<Driver> {
        match driver {
            "native" => Some(native::run::<S>),
            "proptest" => Some(state_machine::run::<S>),
            "quickcheck" => Some(quick::run::<S>),
            _ => None,
        }
    }
    match subject {
        "tree-map" => of::<TreeMaps>(driver),
        "bounded-stack" => of::<BoundedStacks>(driver),
        _ => None,
    }
}

fn parse_time(text: &str) -> Option<Duration> {
    let seconds: f64 = text.strip_suffix('s')?.parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}
