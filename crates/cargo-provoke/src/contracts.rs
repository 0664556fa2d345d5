//! Contracts in the target's sources.

use provoke_cargo::Target;
use provoke_engine::ClausePlace;
use provoke_model::clauses;

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
            is_optional: clause.moment.is_some(),
        })
    };
    sources_of(target).into_iter().flat_map(of_file).collect()
}
