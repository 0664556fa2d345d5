//! Contracts in the target's sources.

use provoke_cargo::{Fingerprint, Target};
use provoke_engine::ClausePlace;
use provoke_model::{Model, clauses};

use crate::material::sources_of;

/// Where their clauses start.
pub fn clause_places(target: &Target) -> Vec<ClausePlace> {
    let of_file = |(path, text): (std::path::PathBuf, String)| {
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
