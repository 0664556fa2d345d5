//! Contracts in the target's sources.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use provoke_cargo::{Edges, Fingerprint, SourcePlace, Target};
use provoke_engine::{ClausePlace, ClauseTrouble, Place, SpoiltClause};
use provoke_model::{Clause, Model, clauses};

use crate::material::sources_of;
use crate::site::kind_of;

/// Where their clauses start.
pub fn clause_places(target: &Target) -> Vec<ClausePlace> {
    let of_file = |(path, text): (PathBuf, String)| {
        let file = path.to_string_lossy().into_owned();
        let places = clauses(&text).into_iter();
        places.map(move |clause| ClausePlace {
            file: file.clone(),
            line: clause.line,
            column: clause.column,
            is_optional: clause.moment.is_some() || clause.spec.is_some(),
        })
    };
    sources_of(target).into_iter().flat_map(of_file).collect()
}

/// What a run knows of clauses when it is over.
pub struct ClauseFacts {
    /// Those that went wrong when they were asked, or change what they are about.
    pub spoilt: BTreeSet<SpoiltClause>,
    /// Where those start that the build left out: a file as the compiler knows it, a line and a column.
    pub left_out: BTreeSet<(String, u32, u32)>,
}

impl ClauseFacts {
    /// `spoilt` are those that the search met. Without edges nobody knows what became code.
    pub fn new(target: &Target, spoilt: BTreeSet<SpoiltClause>, edges: Option<&Edges>) -> ClauseFacts {
        let mut facts = ClauseFacts { spoilt, left_out: BTreeSet::new() };
        facts.spoilt.extend(writing_clauses(target));
        let Some(edges) = edges else { return facts };
        for (path, text) in sources_of(target) {
            let relative = relative_to(target, &path);
            let is_in_file = |place: &SourcePlace| edges.files[place.file as usize] == relative;
            let compiled: BTreeSet<(u32, u32)> = edges
                .places
                .iter()
                .filter(|(place, _)| is_in_file(place))
                .map(|(place, _)| (place.line, place.column))
                .collect();
            // Each check is a condition, and so an edge to where its panic starts.
            let is_left_out = |clause: &Clause| {
                !compiled.contains(&(clause.line, clause.column))
                    && compiled.range(clause.start..clause.end).next().is_none()
            };
            let left_out = clauses(&text).into_iter().filter(is_left_out);
            let file = path.to_string_lossy();
            facts.left_out.extend(left_out.map(|clause| (file.to_string(), clause.line, clause.column)));
        }
        facts
    }
}

fn relative_to(target: &Target, path: &Path) -> String {
    path.strip_prefix(&target.package_root).unwrap_or(path).to_string_lossy().into_owned()
}

/// Those that change what they are about.
fn writing_clauses(target: &Target) -> Vec<SpoiltClause> {
    let of_file = |(path, text): (PathBuf, String)| {
        let relative = relative_to(target, &path);
        let writing = clauses(&text).into_iter().filter(|clause| clause.writes);
        writing.map(move |clause| spoilt_clause(clause, &relative, ClauseTrouble::Writes))
    };
    sources_of(target).into_iter().flat_map(of_file).collect()
}

/// A clause in a file of the target, as the engine knows it.
pub fn spoilt_clause(clause: Clause, file: &str, trouble: ClauseTrouble) -> SpoiltClause {
    let function = clause.function.unwrap_or_default();
    SpoiltClause {
        kind: kind_of(clause.kind),
        text: clause.text,
        place: Place { file: file.to_string(), line: clause.line, column: clause.column, function },
        trouble,
    }
}

/// Tells the model what contracts demand of callers. A plan depends on that, so its fingerprint does.
pub fn add_preconditions(target: &Target, model: &mut Model, fingerprint: &mut Fingerprint) {
    for (path, text) in sources_of(target) {
        model.add_preconditions(&path.to_string_lossy(), &clauses(&text));
    }
    for precondition in &model.preconditions {
        fingerprint.add(precondition.condition.as_deref().unwrap_or_default().as_bytes());
        fingerprint.add(model.functions[precondition.function].display.as_bytes());
    }
}
