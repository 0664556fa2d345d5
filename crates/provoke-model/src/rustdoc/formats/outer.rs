//! The outer shape of rustdoc's JSON, with no more in it than is needed, so that one reader does for all formats.
//!
//! What is inside of items is left to `rustdoc-types`, where one format only adds to the last. The shapes here are those
//! that did not only add: attributes, the file of a crate, and how stable an item is, which nobody here asks for.

use std::collections::HashMap;
use std::path::PathBuf;

use rustdoc_types::{Id, ItemEnum, ItemSummary, Span, Visibility};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

#[derive(Deserialize)]
pub(super) struct Crate<I = Item, S = ItemSummary> {
    pub(super) root: Id,
    pub(super) crate_version: Option<String>,
    pub(super) index: HashMap<Id, I>,
    pub(super) paths: HashMap<Id, S>,
    pub(super) external_crates: HashMap<u32, ExternalCrate>,
}

#[derive(Deserialize)]
pub(super) struct ExternalCrate {
    pub(super) name: String,
    /// The file that rustc loaded a crate from. From format 57 on.
    #[serde(default)]
    pub(super) path: PathBuf,
}

#[derive(Deserialize)]
pub(super) struct Item {
    pub(super) crate_id: u32,
    pub(super) name: Option<String>,
    pub(super) span: Option<Span>,
    pub(super) visibility: Visibility,
    pub(super) docs: Option<String>,
    pub(super) attrs: Vec<Attribute>,
    pub(super) deprecation: Option<IgnoredAny>,
    pub(super) inner: ItemEnum,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(super) enum Attribute {
    NonExhaustive,
    AutomaticallyDerived,
    Other(String),
    /// Nothing that matters here, and what it is differs from format to format.
    #[serde(untagged)]
    Irrelevant(IgnoredAny),
}

impl Crate {
    pub(super) fn read(json: &str) -> serde_json::Result<Self> {
        read(json)
    }
}

/// What is known in outline only.
type Outlined<'a> = Crate<&'a RawValue, &'a RawValue>;

/// Reads what can be read, and counts the items that cannot.
pub(super) fn read_leniently(json: &str) -> serde_json::Result<(Crate, usize)> {
    let Outlined { root, crate_version, index, paths, external_crates } = read(json)?;
    let n_items = index.len();
    let index: HashMap<Id, Item> = readable(index);
    let n_unreadable = n_items - index.len();
    Ok((Crate { root, crate_version, index, paths: readable(paths), external_crates }, n_unreadable))
}

fn readable<'a, T: Deserialize<'a>>(outlined: HashMap<Id, &'a RawValue>) -> HashMap<Id, T> {
    outlined.into_iter().filter_map(|(id, value)| Some((id, read(value.get()).ok()?))).collect()
}

fn read<'a, T: Deserialize<'a>>(json: &'a str) -> serde_json::Result<T> {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    // The caller has measured the nesting and provided the stack.
    deserializer.disable_recursion_limit();
    T::deserialize(&mut deserializer)
}
