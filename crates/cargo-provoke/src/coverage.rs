//! What the search reached of the target's sources, for people and their tools.
//!
//! The search counts edges of machine code, of which generic code has some for each instance. Here they are places in the sources:
//! one that is reached in any instance is reached.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use provoke_cargo::Edges;
use provoke_model::function_spans;
use provoke_report::{Coverage, FileCoverage, FunctionCoverage, UserError, lcov};

use crate::failure::from_io;
use crate::json_file::ensure_writable;

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
    n_places: u64,
    n_places_reached: u64,
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
        let mut places = BTreeMap::new();
        for (place, edge) in &edges.places {
            *places.entry(*place).or_insert(false) |= is_reached[*edge as usize];
        }
        let mut lines: Vec<BTreeMap<u32, bool>> = vec![BTreeMap::new(); edges.files.len()];
        for (file, line, edge) in &edges.lines {
            *lines[*file as usize].entry(*line).or_insert(false) |= is_reached[*edge as usize];
        }
        let files = edges.files.iter().zip(lines).filter(|(_, lines)| !lines.is_empty());
        SourceCoverage {
            n_places: places.len() as u64,
            n_places_reached: places.values().filter(|yes| **yes).count() as u64,
            files: files.map(|(path, lines)| file_coverage(&package_root.join(path), &lines)).collect(),
        }
    }

    pub fn summary(&self) -> Coverage {
        let lines = || self.files.iter().flat_map(|file| &file.lines);
        let functions = || self.files.iter().flat_map(|file| &file.functions);
        Coverage {
            edges: self.n_places_reached,
            edges_total: self.n_places,
            lines: lines().filter(|(_, is_hit)| *is_hit).count() as u64,
            lines_total: lines().count() as u64,
            functions: functions().filter(|function| function.is_reached).count() as u64,
            functions_total: functions().count() as u64,
        }
    }
}

/// The file of `--lcov`: what was reached of all packages.
pub struct LcovFile {
    path: PathBuf,
    files: Vec<FileCoverage>,
}

impl LcovFile {
    pub fn open(path: &Path) -> Result<LcovFile, UserError> {
        ensure_writable(path)?;
        Ok(LcovFile { path: path.to_path_buf(), files: Vec::new() })
    }

    pub fn add(&mut self, files: Vec<FileCoverage>) {
        self.files.extend(files);
    }

    pub fn write(self) -> Result<(), UserError> {
        fs::write(&self.path, lcov(&self.files)).map_err(|error| from_io(&self.path, &error))
    }
}

/// Functions that have no code, because nothing calls them with types that are known, are left out.
fn file_coverage(path: &Path, lines: &BTreeMap<u32, bool>) -> FileCoverage {
    let spans = function_spans(&fs::read_to_string(path).unwrap_or_default());
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
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use provoke_cargo::SourcePlace;
    use provoke_wire::Watch;

    #[test]
    fn instances_of_a_place_are_one_and_functions_without_code_are_none() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("lib.rs"), "fn a() {\n}\nfn b() {\n}\nfn never_instantiated() {\n}\n").unwrap();
        let place = |line, column| SourcePlace { file: 0, line, column };
        let edges = Edges {
            watch: Watch::new(&[true; 5]),
            files: vec!["lib.rs".into()],
            places: vec![(place(1, 1), 0), (place(1, 1), 3), (place(2, 1), 1), (place(4, 1), 2)],
            lines: vec![(0, 1, 0), (0, 1, 3), (0, 2, 1), (0, 4, 2)],
        };
        assert_eq!(numbered_places(&edges), (vec![0, 1, 2, 0, u32::MAX], 3));
        let coverage = SourceCoverage::of(&edges, &[3, 77], directory.path());
        let expected =
            Coverage { edges: 1, edges_total: 3, lines: 1, lines_total: 3, functions: 1, functions_total: 2 };
        assert_eq!(coverage.summary(), expected);
        assert_eq!(coverage.files[0].lines, [(1, true), (2, false), (4, false)]);
        let names: Vec<&str> = coverage.files[0].functions.iter().map(|function| function.name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
    }
}
