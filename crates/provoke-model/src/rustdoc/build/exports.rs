//! What the crate lets its users import, under which path and from whom.

use crate::api::{Export, ItemId, Model};
use crate::rustdoc::build::items::foreign_crate;
use crate::rustdoc::importable::Paths;
use crate::rustdoc::raw::{RawCrate, RawKind};

pub(super) fn collect_exports(
    model: &mut Model,
    krate: &RawCrate,
    paths: &Paths,
    foreign_globs: &[(ItemId, Vec<String>)],
) {
    let globs = foreign_globs.iter().map(|(id, path)| (id, path));
    for (id, path) in paths.iter().chain(globs) {
        let Some(summary) = krate.summaries.get(id) else {
            continue;
        };
        let is_module = summary.kind == RawKind::Module;
        let is_wanted = match summary.kind {
            RawKind::Struct | RawKind::Enum | RawKind::Union | RawKind::Trait | RawKind::TypeAlias => true,
            // Modules of the crate itself are in the paths of what is in them.
            RawKind::Module => !summary.is_local,
            _ => false,
        };
        if !is_wanted {
            continue;
        }
        let definition = summary.path.clone();
        let is_local = summary.is_local;
        let crate_idx = foreign_crate(model, krate, *id);
        if is_local || crate_idx.is_some() {
            model.exports.push(Export { crate_idx, is_module, definition, path: path.clone() });
        }
    }
    model.exports.sort_by(|a, b| (&a.path, &a.definition).cmp(&(&b.path, &b.definition)));
}
