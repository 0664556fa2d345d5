//! One run of the tool: on what, how it searches and how far.

use std::fmt;
use std::path::Path;
use std::process::Command;

use crate::workspace_root;

/// What the tool is let loose on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// By its directory in `subjects`, which is also its name.
    Own(&'static str),
    /// Name and version in the registry.
    Registry(&'static str, &'static str),
    /// A copy of one in `subjects` that also tells which predicates hold where (`predicates.rs`).
    WithPredicates(&'static str),
}

impl Subject {
    /// As the tool names the directory with its results.
    pub fn package(self) -> &'static str {
        match self {
            Subject::Own(name) | Subject::Registry(name, _) | Subject::WithPredicates(name) => name,
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Own(name) => f.pad(name),
            Subject::Registry(name, version) => f.pad(&format!("{name}@{version}")),
            Subject::WithPredicates(name) => f.pad(&format!("{name} with predicates")),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    Calls(u64),
    Seconds(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    pub subject: Subject,
    pub strategy: &'static str,
    /// A part of the search that is switched off.
    pub without: Option<&'static str>,
    pub budget: Budget,
    pub seed: u64,
}

impl Trial {
    /// What makes it this trial and no other.
    pub fn key(&self) -> String {
        let Trial { subject, strategy, without, budget, seed } = self;
        let without = without.map_or(String::new(), |part| format!(" without {part}"));
        let budget = match budget {
            Budget::Calls(calls) => format!("{calls} calls"),
            Budget::Seconds(seconds) => format!("{seconds} s"),
        };
        format!("{subject} {strategy}{without}, {budget}, seed {seed}")
    }

    /// `copies` is where subjects with predicates are.
    pub fn add_arguments(&self, command: &mut Command, copies: &Path) {
        let subjects = workspace_root().join("subjects");
        match self.subject {
            Subject::Own(name) => command.arg("--manifest-path").arg(subjects.join(name).join("Cargo.toml")),
            Subject::Registry(..) => command.args(["--crate", &self.subject.to_string()]),
            Subject::WithPredicates(name) => command.arg("--manifest-path").arg(copies.join(name).join("Cargo.toml")),
        };
        command.args(["--strategy", self.strategy, "--seed", &self.seed.to_string(), "--sanitizer", "none"]);
        command.args(["--jobs", "1"]);
        match self.budget {
            Budget::Calls(calls) => command.args(["--calls", &calls.to_string()]),
            Budget::Seconds(seconds) => command.args(["--time", &format!("{seconds}s")]),
        };
        // Neither what is found nor tests after the search say anything about what it reaches.
        let parts = self.without.into_iter().chain(["findings", "regression"]).collect::<Vec<_>>();
        command.args(["--without", &parts.join(",")]);
    }

    /// About how long it takes when everything is built.
    pub fn seconds(&self) -> f64 {
        match self.budget {
            Budget::Calls(calls) => 0.8 + calls as f64 / 2_000_000.0,
            Budget::Seconds(seconds) => f64::from(seconds) + 2.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_says_all_that_makes_a_difference() {
        let trial = Trial {
            subject: Subject::Registry("slab", "0.4.4"),
            strategy: "guided",
            without: Some("aiming"),
            budget: Budget::Seconds(20),
            seed: 3,
        };
        assert_eq!(trial.key(), "slab@0.4.4 guided without aiming, 20 s, seed 3");
        let plain = Trial { without: None, budget: Budget::Calls(9), subject: Subject::Own("ini"), ..trial };
        assert_eq!(plain.key(), "ini guided, 9 calls, seed 3");
    }
}
