//! Literals mined from the target's own sources and documentation.

use std::path::{Path, PathBuf};

use provoke_cargo::Target;
use provoke_model::{Mined, Model, mine};
use provoke_wire::Literal;

/// Larger files are generated tables, which would only drown the rest.
const MAX_FILE_BYTES: u64 = 1 << 20;
const MAX_FILES: usize = 2000;

/// Each in the widest kind that there is, as the search wants them.
pub fn mine_target(target: &Target, model: &Model) -> Vec<Literal> {
    let sources = sources_of(target);
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
pub fn sources_of(target: &Target) -> Vec<(PathBuf, String)> {
    let mut sources = Vec::new();
    let root = target.library_source.parent().unwrap_or(&target.package_root);
    read_sources(root, 0, &mut sources);
    sources
}

/// In the order of names, so that every run sees the same.
fn read_sources(directory: &Path, depth: u32, sources: &mut Vec<(PathBuf, String)>) {
    let Ok(entries) = std::fs::read_dir(directory) else {
        return;
    };
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if sources.len() >= MAX_FILES {
            return;
        }
        if path.is_dir() {
            if depth < 8 {
                read_sources(&path, depth + 1, sources);
            }
        } else if path.extension().is_some_and(|e| e == "rs")
            && path.metadata().is_ok_and(|m| m.len() <= MAX_FILE_BYTES)
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            sources.push((path, text));
        }
    }
}
