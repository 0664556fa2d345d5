//! `[types]` of the configuration: which types stand for a trait, taken into the model, and which of them were of no use.

use std::path::Path;

use provoke_codegen::{NameError, PlannedOp, add_types_by_hand};
use provoke_host::{Fingerprint, similar};
use provoke_model::{ItemId, Model};
use provoke_report::{Event, UserError};
use serde::{Deserialize, Serialize};

use crate::config::TypesEntry;
use crate::config::file::PackageConfig;

/// A type of the configuration that no operation has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnusedType {
    /// The name of the trait.
    pub stands_for: String,
    pub text: String,
}

/// Takes what the configuration lists into the model. What a file that packages share says of traits that this one does not
/// know is about others.
pub fn add_types(config: &PackageConfig, model: &mut Model, fingerprint: &mut Fingerprint) -> Result<(), UserError> {
    for entry in &config.config.types {
        match add_types_by_hand(model, &entry.trait_path, &entry.types) {
            Err(NameError::UnknownTrait { .. }) if config.is_shared => continue,
            Err(error) => return Err(complaint(entry, error, &model.crate_name)),
            Ok(()) => {}
        }
        for text in std::iter::once(&entry.trait_path).chain(&entry.types) {
            fingerprint.add(text.as_bytes());
        }
    }
    Ok(())
}

fn complaint(entry: &TypesEntry, error: NameError, crate_name: &str) -> UserError {
    let (message, hint) = match error {
        NameError::UnknownTrait { name, known } => {
            let names = known.iter().map(String::as_str);
            let last_names = known.iter().filter_map(|path| path.rsplit("::").next());
            let near = similar(&name, names.chain(last_names));
            let hint = match near.first() {
                Some(near) => format!("did you mean `{near}`?"),
                None => "write the path of a trait that a signature or an impl of the crate names".to_string(),
            };
            (format!("`{name}` is no trait that the API of `{crate_name}` mentions"), hint)
        }
        NameError::Ambiguous { name, meanings } => {
            let meanings: Vec<String> = meanings.iter().map(|meaning| format!("`{meaning}`")).collect();
            (format!("`{name}` may mean {}", meanings.join(" or ")), "write the whole path".to_string())
        }
        NameError::UnknownType { name } => {
            let message = format!("`{name}` is no type that the API of `{crate_name}` mentions");
            (message, "write its path, from the name of its crate on".to_string())
        }
    };
    UserError::usage(format!("{}: {message}", entry.place), hint)
}

/// What the configuration lists and no operation has that is left of the plan.
pub fn unused_types(model: &Model, planned: &[(String, ItemId, usize)], ops: &[PlannedOp]) -> Vec<UnusedType> {
    let is_used = |item: ItemId, place: usize| {
        let mut uses = planned.iter().filter(|(_, of, at)| (*of, *at) == (item, place));
        uses.any(|(key, ..)| ops.iter().any(|op| op.key == *key))
    };
    let mut unused = Vec::new();
    for (item, types) in model.types_by_hand.traits() {
        for (_, by_hand) in types.iter().enumerate().filter(|(place, _)| !is_used(item, *place)) {
            unused.push(UnusedType { stands_for: model.item(item).name.clone(), text: by_hand.text.clone() });
        }
    }
    unused.dedup();
    unused
}

/// What to tell about a type that was of no use.
pub fn unused_warning(unused: &UnusedType, log_file: &Path) -> Event {
    let UnusedType { stands_for, text } = unused;
    Event::Warning {
        message: format!("`{text}` in [types] is of no use: nothing that asks for a `{stands_for}` can take it"),
        hint: Some(format!("what it lacks, rustc may have said in {}", log_file.display())),
    }
}
