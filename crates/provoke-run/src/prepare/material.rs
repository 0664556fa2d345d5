//! Literals mined from the target's own sources and documentation.

use std::path::{Path, PathBuf};

use provoke_host::{SourceFiles, Target};
use provoke_model::{Mined, Model, mine};
use provoke_wire::Literal;

/// Larger files are generated tables, which would only drown the rest.
const MAX_FILE_BYTES: u64 = 1 << 20;
const MAX_FILES: usize = 2000;

/// Each in the widest kind that there is, as the search wants them.
pub fn mine_target(target: &Target, model: &Model) -> Vec<Literal> {
    let sources = sources_of(target, model);
    let sources: Vec<&str> = sources.iter().map(|(_, text)| text.as_str()).collect();
    let functions = model.functions.iter().map(|f| f.docs.text.as_str());
    let types = model.types.iter().map(|t| t.docs.text.as_str());
    let traits = model.traits.iter().map(|t| t.docs.text.as_str());
    let docs: Vec<&str> = functions.chain(types).chain(traits).filter(|text| !text.is_empty()).collect();
    let Mined { integers, floats, strings, chars, bytes } = mine(&sources, &docs);
    let integers = integers.into_iter().map(Literal::I128);
    let floats = floats.into_iter().map(|value| Literal::F64(value.to_bits()));
    let strings = strings.into_iter().map(Literal::Str);
    let chars = chars.into_iter().map(Literal::Char);
    let bytes = bytes.into_iter().map(Literal::Bytes);
    integers.chain(floats).chain(strings).chain(chars).chain(bytes).collect()
}

/// The files beside and below the root of the library, with their texts.
pub fn sources_of(target: &Target, model: &Model) -> Vec<(PathBuf, String)> {
    let root = target.library_source.parent().unwrap_or(&target.package_root);
    source_files(target, model).rust_files(root, MAX_FILE_BYTES, MAX_FILES)
}

/// The package's files, and those that rustdoc names: a library may have parts elsewhere.
pub fn source_files(target: &Target, model: &Model) -> SourceFiles {
    let spans = model.functions.iter().filter_map(|function| function.span.as_ref());
    target.source_files().and(spans.map(|span| Path::new(&span.file)))
}
