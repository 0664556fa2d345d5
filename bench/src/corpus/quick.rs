//! The bugs of a quick run: those of crate versions that build fast, by a fixed list (`survey/quick.txt`).

use crate::corpus::bug::Bug;
use crate::support::crate_list::{self, CrateVersion};
use crate::workspace_root;

/// Where the searches start if nothing else is said.
pub const SEEDS: &str = "0,1";
/// How long they take if nothing else is said: what is found at all is mostly found by then.
pub const TIME: &str = "15s";

pub fn list() -> Result<Vec<CrateVersion>, String> {
    crate_list::read(&workspace_root().join("survey").join("quick.txt"))
}

/// The bugs of listed versions, and the versions of which there are none.
pub fn select(mut bugs: Vec<Bug>, list: &[CrateVersion]) -> (Vec<Bug>, Vec<CrateVersion>) {
    bugs.retain(|bug| list.contains(&bug.krate()));
    let is_missing = |krate: &&CrateVersion| !bugs.iter().any(|bug| bug.krate() == **krate);
    let missing = list.iter().filter(is_missing).cloned().collect();
    (bugs, missing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::bug;

    #[test]
    fn the_list_selects_all_bugs_of_a_version_and_of_no_other() {
        let entry = |version: &str, function: &str| {
            format!(
                "[[bug]]\ncrate = \"a\"\nversion = \"{version}\"\nfunction = [\"{function}\"]\nexpect = \"panic\"\n"
            )
        };
        let text = [entry("1.0.0", "f"), entry("1.0.0", "g"), entry("1.0.1", "h")].concat();
        let version = |version: &str| CrateVersion { name: "a".to_owned(), version: version.to_owned() };
        let list = [version("1.0.0"), version("2.0.0")];
        let (bugs, missing) = select(bug::parse(&text).expect("valid"), &list);
        assert_eq!(bugs.iter().map(|bug| bug.functions[0].as_str()).collect::<Vec<_>>(), ["f", "g"]);
        assert_eq!(missing, [version("2.0.0")]);
    }

    #[test]
    fn the_list_can_be_read() {
        assert!(!list().expect("valid").is_empty());
    }
}
