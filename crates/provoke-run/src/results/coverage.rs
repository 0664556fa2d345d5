//! What the search reached of the target's sources, for people and their tools.
//!
//! The search counts edges of machine code, of which generic code has some for each instance. Here they are places in the sources:
//! one that is reached in any instance is reached.
//!
//! Decision: `docs/decisions/079-an-edge-is-a-place-to-people.md`

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use provoke_host::{Branch, Edges, SourcePlace, read_named_source};
use provoke_model::function_spans;
use provoke_report::{
    ConditionCoverage, Coverage, FileCoverage, FunctionCoverage, Reached, ReachedCondition, ReachedEdge, ReachedSide,
};

/// By edge: the number of its place, which instances of it share; and how many places there are.
pub fn numbered_places(edges: &Edges) -> (Vec<u32>, u64) {
    let mut place_of_edge = vec![u32::MAX; edges.watch.n_edges as usize];
    let mut n_places = 0;
    for instances in edges.places.chunk_by(|(place, _), (other, _)| place == other) {
        for (_, edge) in instances {
            place_of_edge[*edge as usize] = n_places;
        }
        n_places += 1;
    }
    (place_of_edge, u64::from(n_places))
}

/// Coverage of one package.
pub struct SourceCoverage {
    /// With paths relative to the package.
    pub reached: Reached,
    /// With absolute paths.
    pub files: Vec<FileCoverage>,
}

impl SourceCoverage {
    /// `reached` are edges of the worker.
    pub fn of(edges: &Edges, reached: &[u32], package_root: &Path) -> SourceCoverage {
        let mut is_reached = vec![false; edges.watch.n_edges as usize];
        for edge in reached {
            if let Some(is_reached) = is_reached.get_mut(*edge as usize) {
                *is_reached = true;
            }
        }
        let of_places = edges.places.chunk_by(|(place, _), (other, _)| place == other).map(|instances| {
            let all = |kind: &BTreeSet<u32>| instances.iter().all(|(_, edge)| kind.contains(edge));
            let n_reached = instances.iter().filter(|(_, edge)| is_reached[*edge as usize]).count();
            ReachedEdge {
                place: spelled(edges, instances[0].0),
                reached: n_reached > 0,
                instances: instances.len() as u64,
                instances_reached: n_reached as u64,
                unwinds: all(&edges.unwinding),
                panics: all(&edges.panicking),
            }
        });
        let of_places = of_places.collect();
        let mut lines: Vec<BTreeMap<u32, bool>> = vec![BTreeMap::new(); edges.files.len()];
        for (file, line, edge) in &edges.lines {
            *lines[*file as usize].entry(*line).or_insert(false) |= is_reached[*edge as usize];
        }
        let conditions: Vec<ReachedCondition> =
            edges.conditions.iter().map(|condition| reached_condition(edges, &is_reached, condition)).collect();
        let files = edges.files.iter().zip(lines).zip(0..).filter(|((_, lines), _)| !lines.is_empty());
        let files = files.map(|((path, lines), file)| {
            let here = edges.conditions.iter().zip(&conditions).filter(|(condition, _)| condition.place.file == file);
            let conditions = here.map(|(condition, reached)| ConditionCoverage {
                line: condition.place.line,
                is_reached: reached.reached,
                sides: reached.sides.iter().map(|side| side.taken).collect(),
            });
            FileCoverage { conditions: conditions.collect(), ..file_coverage(&package_root.join(path), &lines) }
        });
        let files = files.collect();
        SourceCoverage { reached: Reached { edges: of_places, conditions }, files }
    }

    pub fn summary(&self) -> Coverage {
        let lines = || self.files.iter().flat_map(|file| &file.lines);
        let functions = || self.files.iter().flat_map(|file| &file.functions);
        let (branches, branches_total) = self.reached.branches();
        let (panic_branches, panic_branches_total) = self.reached.panic_branches();
        Coverage {
            edges: self.reached.edges.iter().filter(|edge| edge.reached).count() as u64,
            edges_total: self.reached.edges.len() as u64,
            lines: lines().filter(|(_, is_hit)| *is_hit).count() as u64,
            lines_total: lines().count() as u64,
            functions: functions().filter(|function| function.is_reached).count() as u64,
            functions_total: functions().count() as u64,
            branches,
            branches_total,
            panic_branches,
            panic_branches_total,
        }
    }
}

fn reached_condition(edges: &Edges, is_reached: &[bool], condition: &Branch) -> ReachedCondition {
    let any = |edges: &[u32]| edges.iter().any(|edge| is_reached.get(*edge as usize).is_some_and(|reached| *reached));
    let reached = any(&condition.edges);
    let sides = condition.sides.iter().map(|side| ReachedSide {
        to: side.to.map(|place| spelled(edges, place)),
        panics: side.panics,
        // Code that panics may be shared with another condition.
        taken: reached && any(&side.edges),
    });
    ReachedCondition { place: spelled(edges, condition.place), reached, sides: sides.collect() }
}

fn spelled(edges: &Edges, place: SourcePlace) -> String {
    let file = edges.files.get(place.file as usize).map_or("", String::as_str);
    format!("{file}:{}:{}", place.line, place.column)
}

/// Functions that have no code, because nothing calls them with types that are known, are left out.
fn file_coverage(path: &Path, lines: &BTreeMap<u32, bool>) -> FileCoverage {
    let spans = function_spans(&read_named_source(path).unwrap_or_default());
    let mut reached: Vec<Option<bool>> = vec![None; spans.len()];
    for (line, is_hit) in lines {
        // The innermost function starts last.
        let innermost = spans.iter().rposition(|span| (span.first_line..=span.last_line).contains(line));
        if let Some(place) = innermost {
            *reached[place].get_or_insert(false) |= is_hit;
        }
    }
    let functions = spans.into_iter().zip(reached).filter_map(|(span, is_reached)| {
        Some(FunctionCoverage { name: span.name, first_line: span.first_line, is_reached: is_reached? })
    });
    FileCoverage {
        path: path.to_string_lossy().into_owned(),
        functions: functions.collect(),
        lines: lines.iter().map(|(line, is_hit)| (*line, *is_hit)).collect(),
        conditions: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use provoke_host::Side;
    use provoke_wire::WatchedEdges;
    use std::fs;

    #[test]
    fn instances_of_a_place_are_one_and_functions_without_code_are_none() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("lib.rs"), "fn a() {\n}\nfn b() {\n}\nfn never_instantiated() {\n}\n").unwrap();
        let place = |line, column| SourcePlace { file: 0, line, column };
        let edges = Edges {
            watch: WatchedEdges::new(&[true; 5]),
            files: vec!["lib.rs".into()],
            places: vec![(place(1, 1), 0), (place(1, 1), 3), (place(2, 1), 1), (place(4, 1), 2)],
            lines: vec![(0, 1, 0), (0, 1, 3), (0, 2, 1), (0, 4, 2)],
            // Of the first place one instance, of the second all; and the other way round.
            unwinding: BTreeSet::from([0, 1]),
            panicking: BTreeSet::from([0, 3]),
            ..Edges::default()
        };
        assert_eq!(numbered_places(&edges), (vec![0, 1, 2, 0, u32::MAX], 3));
        let coverage = SourceCoverage::of(&edges, &[3, 77], directory.path());
        let expected = Coverage {
            edges: 1,
            edges_total: 3,
            lines: 1,
            lines_total: 3,
            functions: 1,
            functions_total: 2,
            ..Coverage::default()
        };
        assert_eq!(coverage.summary(), expected);
        let kinds: Vec<[bool; 2]> = coverage.reached.edges.iter().map(|edge| [edge.unwinds, edge.panics]).collect();
        assert_eq!(kinds, [[false, true], [true, false], [false, false]]);
        assert_eq!(coverage.files[0].lines, [(1, true), (2, false), (4, false)]);
        let names: Vec<&str> = coverage.files[0].functions.iter().map(|function| function.name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
    }

    #[test]
    fn a_side_is_taken_if_its_condition_was_reached_and_any_of_its_instances_was() {
        let place = |file, line, column| SourcePlace { file, line, column };
        let side = |to, panics, edges: &[u32]| Side { to, panics, edges: edges.to_vec() };
        let edges = Edges {
            watch: WatchedEdges::new(&[true; 6]),
            files: vec!["a.rs".into(), "b.rs".into()],
            places: Vec::new(),
            lines: vec![(0, 3, 0), (1, 9, 3)],
            conditions: vec![
                Branch {
                    place: place(0, 3, 8),
                    edges: vec![0, 1],
                    sides: vec![side(None, false, &[2]), side(Some(place(0, 4, 1)), false, &[3, 4])],
                },
                Branch {
                    place: place(1, 9, 2),
                    edges: vec![2],
                    sides: vec![side(Some(place(1, 9, 2)), true, &[4]), side(None, false, &[5])],
                },
            ],
            ..Edges::default()
        };
        let coverage = SourceCoverage::of(&edges, &[1, 4], Path::new("/nowhere"));
        let summary = coverage.summary();
        assert_eq!((summary.branches, summary.branches_total), (1, 4));
        assert_eq!((summary.panic_branches, summary.panic_branches_total), (0, 1));
        let spelled: Vec<(&str, bool)> =
            coverage.reached.conditions.iter().map(|condition| (condition.place.as_str(), condition.reached)).collect();
        assert_eq!(spelled, [("a.rs:3:8", true), ("b.rs:9:2", false)]);
        assert_eq!(coverage.reached.conditions[0].sides[1].to.as_deref(), Some("a.rs:4:1"));
        let of_files: Vec<_> = coverage.files.iter().map(|file| &file.conditions[..]).collect();
        let condition =
            |line, is_reached, sides: &[bool]| ConditionCoverage { line, is_reached, sides: sides.to_vec() };
        assert_eq!(of_files, [[condition(3, true, &[false, true])], [condition(9, false, &[false, false])]]);
    }
}
