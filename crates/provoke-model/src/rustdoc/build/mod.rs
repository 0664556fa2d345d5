//! From the raw crate to the model.

mod aliases;
mod contents;
mod display;
mod exports;
mod functions;
mod items;
mod reach;

use crate::api::Model;
use crate::rustdoc::error::ReadError;
use crate::rustdoc::formats;
use crate::rustdoc::importable::{Importable, importable};
use crate::rustdoc::lost_specifications::lost_specifications;
use crate::rustdoc::raw::{RawCrate, RawInner};

/// Reads what `rustdoc --output-format json` wrote.
///
/// Works with and without `--document-private-items`. With it, the methods of types that nobody outside can name but
/// that public functions return are found too; rustdoc leaves them out otherwise.
pub fn read(json: &str) -> Result<Model, ReadError> {
    let (krate, newer_format) = formats::parse(json)?;
    Ok(Model { newer_format, ..build(krate)? })
}

fn build(mut krate: RawCrate) -> Result<Model, ReadError> {
    let crate_name = krate
        .items
        .get(&krate.root)
        .filter(|root| matches!(root.inner, RawInner::Module { .. }))
        .and_then(|root| root.name.clone())
        .ok_or(ReadError::NoRoot)?;
    aliases::expand(&mut krate);
    let mentions = reach::Mentions::collect(&mut krate);
    let Importable { paths, foreign_globs } = importable(&krate, &crate_name);
    let reach = reach::Reach::new(&krate, &paths, &mentions);

    let mut model = Model { crate_name, crate_version: krate.version.clone(), ..Model::default() };
    contents::collect_types(&mut model, &krate, &paths, &reach);
    contents::collect_traits(&mut model, &krate, &paths, &reach);
    contents::collect_modules(&mut model, &krate);
    let impls = contents::collect_impls(&mut model, &krate, &reach);
    functions::collect_functions(&mut model, &krate, &paths, &reach, &impls);
    functions::collect_constants(&mut model, &krate, &paths, &reach, &impls);
    items::number_items(&mut model, &krate, &paths);
    exports::collect_exports(&mut model, &krate, &paths, &foreign_globs);
    display::name_functions(&mut model);
    display::name_constants(&mut model);
    model.set_specifications_apart();
    model.lost_specifications = lost_specifications(&krate, &model.specifications);
    functions::collect_skips(&mut model);
    Ok(model)
}
