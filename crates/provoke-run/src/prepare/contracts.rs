//! Contracts in the target's sources.
//!
//! Decision: `docs/decisions/063-who-breaks-a-clause-is-to-blame.md`

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use provoke_engine::{ClausePlace, ClauseTrouble, FaultyClause, Place};
use provoke_host::{Edges, Fingerprint, SourcePlace, Target};
use provoke_model::{Clause, ClauseKind, Model, Moment, clauses};
use provoke_report::ClauseCount;

use crate::prepare::material::sources_of;

/// Where their clauses start.
pub fn clause_places(target: &Target, model: &Model) -> Vec<ClausePlace> {
    let of_file = |(path, text): (PathBuf, String)| {
        let file = path.to_string_lossy().into_owned();
        let places = clauses(&text).into_iter();
        places.map(move |clause| ClausePlace {
            file: file.clone(),
            line: clause.line,
            column: clause.column_in_panics(&text),
            is_optional: clause.moment.is_some() || clause.spec.is_some(),
        })
    };
    sources_of(target, model).into_iter().flat_map(of_file).collect()
}

/// What a run knows of clauses when it is over.
pub struct ClauseFacts {
    /// Those that went wrong when they were asked, or change what they are about.
    pub spoilt: BTreeSet<FaultyClause>,
    /// Where those start that the build left out: a file as the compiler knows it, a line and a column.
    pub left_out: BTreeSet<(String, u32, u32)>,
    pub postconditions: ClauseCount,
    pub invariants: ClauseCount,
}

impl ClauseFacts {
    /// `spoilt` are those that the search met. Without edges nobody knows what became code.
    pub fn new(target: &Target, model: &Model, spoilt: BTreeSet<FaultyClause>, edges: Option<&Edges>) -> ClauseFacts {
        let mut facts = ClauseFacts {
            spoilt,
            left_out: BTreeSet::new(),
            postconditions: ClauseCount::default(),
            invariants: ClauseCount::default(),
        };
        facts.spoilt.extend(writing_clauses(target, model));
        for (path, text) in sources_of(target, model) {
            let stated = clauses(&text);
            if stated.is_empty() {
                continue;
            }
            let compiled = edges.map(|edges| places_in(edges, &relative_to(target, &path)));
            for clause in stated {
                let is_compiled = compiled.as_ref().map(|places| is_among(places, &clause));
                facts.count(&clause, is_compiled);
                if is_compiled == Some(false) {
                    let file = path.to_string_lossy().into_owned();
                    facts.left_out.insert((file, clause.line, clause.column_in_panics(&text)));
                }
            }
        }
        facts
    }

    fn count(&mut self, clause: &Clause, is_compiled: Option<bool>) {
        let count = match (clause.kind, clause.moment) {
            // What `anodized` checks twice is stated once.
            (ClauseKind::Precondition, _) | (ClauseKind::Invariant, Some(Moment::Entry)) => return,
            (ClauseKind::Postcondition, _) => &mut self.postconditions,
            (ClauseKind::Invariant, _) => &mut self.invariants,
        };
        count.stated += 1;
        if let Some(is_compiled) = is_compiled {
            *count.checked.get_or_insert(0) += u64::from(is_compiled);
        }
    }
}

/// All lines and columns of a file that control flow leads to.
fn places_in(edges: &Edges, file: &str) -> BTreeSet<(u32, u32)> {
    let is_in_file = |place: &SourcePlace| edges.files[place.file as usize] == file;
    let places = edges.places.iter().map(|(place, _)| place).filter(|place| is_in_file(place));
    places.map(|place| (place.line, place.column)).collect()
}

/// Whether a clause became code: each check is a condition, and so an edge to where its panic starts.
fn is_among(compiled: &BTreeSet<(u32, u32)>, clause: &Clause) -> bool {
    compiled.contains(&(clause.line, clause.column)) || compiled.range(clause.start..clause.end).next().is_some()
}

fn relative_to(target: &Target, path: &Path) -> String {
    path.strip_prefix(&target.package_root).unwrap_or(path).to_string_lossy().into_owned()
}

/// Those that change what they are about.
fn writing_clauses(target: &Target, model: &Model) -> Vec<FaultyClause> {
    let of_file = |(path, text): (PathBuf, String)| {
        let relative = relative_to(target, &path);
        let writing = clauses(&text).into_iter().filter(|clause| clause.writes);
        writing.map(move |clause| spoilt_clause(clause, &relative, ClauseTrouble::Writes))
    };
    sources_of(target, model).into_iter().flat_map(of_file).collect()
}

/// A clause in a file of the target, as the engine knows it.
pub fn spoilt_clause(clause: Clause, file: &str, trouble: ClauseTrouble) -> FaultyClause {
    let function = clause.function.unwrap_or_default();
    FaultyClause {
        kind: clause.kind,
        text: clause.text,
        place: Place { file: file.to_string(), line: clause.line, column: clause.column, function },
        trouble,
    }
}

/// Tells the model what contracts demand of callers. A plan depends on that, so its fingerprint does.
pub fn add_preconditions(target: &Target, model: &mut Model, fingerprint: &mut Fingerprint) {
    for (path, text) in sources_of(target, model) {
        let as_in_panics = |clause: Clause| Clause { column: clause.column_in_panics(&text), ..clause };
        let clauses: Vec<Clause> = clauses(&text).into_iter().map(as_in_panics).collect();
        model.add_preconditions(&path.to_string_lossy(), &clauses);
    }
    for precondition in &model.preconditions {
        fingerprint.add(precondition.condition.as_deref().unwrap_or_default().as_bytes());
        fingerprint.add(model.functions[precondition.function].display.as_bytes());
    }
}
