//! One crate version with all the bugs that are to be found in it, searched with one seed.

use std::fmt;

use crate::corpus::bug::{Bug, Build};
use crate::support::crate_list::CrateVersion;

/// What one run of the tool is about. Bugs that the same run can show share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    pub krate: CrateVersion,
    pub build: Build,
    pub features: Vec<String>,
    pub seed: u64,
    pub bugs: Vec<Bug>,
}

impl Trial {
    /// In the order of the bugs, every crate version with all seeds in turn.
    pub fn all(bugs: &[Bug], seeds: &[u64]) -> Vec<Trial> {
        let mut groups: Vec<Trial> = Vec::new();
        for bug in bugs {
            let is_same = |trial: &&mut Trial| {
                trial.krate == bug.krate() && trial.build == bug.build && trial.features == bug.features
            };
            match groups.iter_mut().find(is_same) {
                Some(trial) => trial.bugs.push(bug.clone()),
                None => groups.push(Trial {
                    krate: bug.krate(),
                    build: bug.build,
                    features: bug.features.clone(),
                    seed: 0,
                    bugs: vec![bug.clone()],
                }),
            }
        }
        let with_seed = |group: &Trial, seed| Trial { seed, ..group.clone() };
        groups.iter().flat_map(|group| seeds.iter().map(|&seed| with_seed(group, seed))).collect()
    }

    /// Different for different trials; can be the name of a file.
    pub fn name(&self) -> String {
        format!("{}-seed{}", self.harness_name(), self.seed)
    }

    /// The same for all seeds, which run the same worker; can be the name of a file.
    pub fn harness_name(&self) -> String {
        let mut name = self.krate.to_string();
        for feature in &self.features {
            name += &format!("+{}", feature.replace('/', "."));
        }
        if self.build == Build::Release {
            name += "-release";
        }
        name
    }

    /// What to tell the tool.
    pub fn arguments(&self, time: &str) -> Vec<String> {
        let mut arguments = ["--crate", &self.krate.to_string(), "--time", time, "--seed", &self.seed.to_string()]
            .map(str::to_owned)
            .to_vec();
        if !self.features.is_empty() {
            arguments.extend(["--features".to_owned(), self.features.join(",")]);
        }
        if self.build == Build::Release {
            arguments.push("--release".to_owned());
        }
        arguments
    }
}

impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let release = if self.build == Build::Release { " (release)" } else { "" };
        write!(f, "{}{release}", self.krate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::bug;

    fn bugs() -> Vec<Bug> {
        let entry = |name: &str, rest: &str| {
            format!(
                "[[bug]]\ncrate = \"{name}\"\nversion = \"1.0.0\"\nfunction = [\"f\"]\nexpect = \"panic\"\n{rest}\n"
            )
        };
        let text = [
            entry("a", ""),
            entry("b", "features = [\"x/y\"]"),
            entry("a", "message = \"other\""),
            entry("a", "build = \"release\""),
        ];
        bug::parse(&text.concat()).expect("valid")
    }

    #[test]
    fn bugs_that_one_run_can_show_share_it() {
        let trials = Trial::all(&bugs(), &[0, 7]);
        let told: Vec<String> = trials.iter().map(|t| format!("{}: {}", t.name(), t.bugs.len())).collect();
        let expected = [
            "a@1.0.0-seed0: 2",
            "a@1.0.0-seed7: 2",
            "b@1.0.0+x.y-seed0: 1",
            "b@1.0.0+x.y-seed7: 1",
            "a@1.0.0-release-seed0: 1",
            "a@1.0.0-release-seed7: 1",
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn the_tool_is_told_of_features_and_build() {
        let arguments: Vec<String> = Trial::all(&bugs(), &[3]).iter().map(|t| t.arguments("60s").join(" ")).collect();
        let expected = [
            "--crate a@1.0.0 --time 60s --seed 3",
            "--crate b@1.0.0 --time 60s --seed 3 --features x/y",
            "--crate a@1.0.0 --time 60s --seed 3 --release",
        ];
        assert_eq!(arguments, expected);
    }
}
