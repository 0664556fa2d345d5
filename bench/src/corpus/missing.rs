//! What is missing to find the bugs that are not found, as read by hand (`survey/missing.txt`).

use std::fs;

use crate::workspace_root;

/// One line each: the bug as the table calls it, a colon, and a sentence.
pub struct Missing {
    reasons: Vec<(String, String)>,
}

impl Missing {
    pub fn read() -> Result<Missing, String> {
        let path = workspace_root().join("survey").join("missing.txt");
        let text = fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        Missing::parse(&text)
    }

    fn parse(text: &str) -> Result<Missing, String> {
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let entries = lines.map(|line| {
            let (bug, reason) = line.split_once(": ").ok_or(format!("no reason in `{line}`"))?;
            Ok((bug.to_owned(), reason.to_owned()))
        });
        Ok(Missing { reasons: entries.collect::<Result<_, String>>()? })
    }

    /// A line for each of these bugs.
    pub fn lines<'a>(&self, bugs: impl IntoIterator<Item = &'a str>) -> String {
        let line = |bug: &str| {
            let reason = self.reasons.iter().find(|(name, _)| name == bug);
            format!("  {bug}: {}\n", reason.map_or("nobody has read why", |(_, reason)| reason))
        };
        bugs.into_iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bug_that_is_not_found_has_a_line() {
        let missing = Missing::parse("# by hand\n\na@1.0.0 f: needs luck\nb@1.0.0 g: c: d\n").unwrap();
        let lines = missing.lines(["b@1.0.0 g", "c@1.0.0 h"]);
        assert_eq!(lines, "  b@1.0.0 g: c: d\n  c@1.0.0 h: nobody has read why\n");
        assert!(Missing::parse("a@1.0.0 f\n").is_err());
    }

    #[test]
    fn the_list_can_be_read() {
        assert!(!Missing::read().unwrap().reasons.is_empty());
    }
}
