//! Edges of our subjects that no program can reach, read by hand: `subjects/infeasible.txt`.
//!
//! A line each: `subject | place | source | reason`, where the source is part of the line at that place, so that a list that
//! no longer fits is noticed.

use std::collections::BTreeSet;
use std::fs;

use crate::repro::trial::Subject;
use crate::workspace_root;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InfeasibleEdge {
    pub subject: String,
    /// As in `coverage.json`.
    pub place: String,
    pub source: String,
    pub reason: String,
}

pub fn read() -> Result<Vec<InfeasibleEdge>, String> {
    let path = workspace_root().join("subjects").join("infeasible.txt");
    let text = fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    parse(&text).map_err(|message| format!("{}: {message}", path.display()))
}

/// The places of those that are of a subject.
pub fn places_in(edges: &[InfeasibleEdge], subject: Subject) -> BTreeSet<&str> {
    let package = subject.package();
    edges.iter().filter(|edge| edge.subject == package).map(|edge| edge.place.as_str()).collect()
}

fn parse(text: &str) -> Result<Vec<InfeasibleEdge>, String> {
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let edges = lines.map(|line| {
        let parts: Vec<&str> = line.split(" | ").map(str::trim).collect();
        let [subject, place, source, reason] = parts[..] else { return Err(format!("`{line}` has not four parts")) };
        let [subject, place, source, reason] = [subject, place, source, reason].map(str::to_owned);
        Ok(InfeasibleEdge { subject, place, source, reason })
    });
    edges.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_four_parts() {
        let edges = parse("# why\n\na | src/lib.rs:1:2 | x() | never\n").expect("valid");
        assert_eq!((edges.len(), edges[0].reason.as_str()), (1, "never"));
        assert_eq!(places_in(&edges, Subject::Own("a")), BTreeSet::from(["src/lib.rs:1:2"]));
        assert!(places_in(&edges, Subject::Own("b")).is_empty());
        assert!(parse("a | src/lib.rs:1:2 | never").is_err());
    }

    #[test]
    fn the_list_fits_the_sources() {
        for edge in read().expect("valid") {
            let mut parts = edge.place.split(':');
            let path = workspace_root().join("subjects").join(&edge.subject).join(parts.next().unwrap_or_default());
            let line: usize = parts.next().and_then(|line| line.parse().ok()).expect("a line");
            let text = fs::read_to_string(path).expect("a source file");
            let found = text.lines().nth(line - 1).unwrap_or_default();
            assert!(found.contains(&edge.source), "{}: `{found}` is not `{}`", edge.place, edge.source);
        }
    }
}
