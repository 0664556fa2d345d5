//! A list of crates to run over: `name@version` a line, with `#` comments and blank lines.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

/// One version of a crate in the registry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CrateVersion {
    pub name: String,
    /// In full, so that a list means the same tomorrow.
    pub version: String,
}

impl fmt::Display for CrateVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.name, self.version)
    }
}

pub fn read(path: &Path) -> Result<Vec<CrateVersion>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    parse(&text).map_err(|message| format!("{}: {message}", path.display()))
}

fn parse(text: &str) -> Result<Vec<CrateVersion>, String> {
    let mut crates = Vec::new();
    let mut seen = BTreeSet::new();
    for (line_idx, line) in text.lines().enumerate() {
        let entry = line.split('#').next().unwrap_or_default().trim();
        if entry.is_empty() {
            continue;
        }
        let here = |problem: &str| format!("line {}: `{entry}` {problem}", line_idx + 1);
        let krate = parse_entry(entry).ok_or_else(|| here("is no `name@version` with a full version"))?;
        if !seen.insert(krate.clone()) {
            return Err(here("is listed twice"));
        }
        crates.push(krate);
    }
    if crates.is_empty() { Err("no crates are listed".to_owned()) } else { Ok(crates) }
}

fn parse_entry(entry: &str) -> Option<CrateVersion> {
    let (name, version) = entry.split_once('@')?;
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    let is_plain = version.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-+".contains(&byte));
    let numbers: Vec<&str> = version.split(['-', '+']).next()?.split('.').collect();
    let is_full = numbers.len() == 3 && numbers.iter().all(|number| number.parse::<u64>().is_ok());
    (is_name && is_plain && is_full).then(|| CrateVersion { name: name.to_owned(), version: version.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blank_lines_are_no_crates() {
        let crates =
            parse("# old crates\n\n  slab@0.4.4  \nregex-syntax@0.6.18 # slow\nx@1.0.0-rc.1+y\n").expect("valid");
        let names: Vec<String> = crates.iter().map(CrateVersion::to_string).collect();
        assert_eq!(names, ["slab@0.4.4", "regex-syntax@0.6.18", "x@1.0.0-rc.1+y"]);
    }

    #[test]
    fn a_wrong_line_is_named() {
        for wrong in
            ["slab", "slab@", "@1.0.0", "slab@0.4", "slab@^1.0.0", "slab@1.0.x", "a b@1.0.0", "a@1.0.0 b@1.0.0"]
        {
            let message = parse(&format!("\n{wrong}")).expect_err(wrong);
            assert_eq!(message, format!("line 2: `{wrong}` is no `name@version` with a full version"));
        }
        assert_eq!(parse("a@1.0.0\na@1.0.0"), Err("line 2: `a@1.0.0` is listed twice".to_owned()));
        assert_eq!(parse("# nothing\n"), Err("no crates are listed".to_owned()));
    }

    #[test]
    fn the_lists_of_the_repository_are_valid() {
        for (list, expected) in [("dev.txt", "slab@0.4.4"), ("quiet.txt", "fnv@1.0.7")] {
            let crates = read(&crate::workspace_root().join("survey").join(list)).expect("valid");
            assert!(crates.iter().any(|krate| krate.to_string() == expected), "{list}");
        }
    }
}
