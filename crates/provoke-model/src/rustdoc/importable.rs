//! Importable paths: what a user of the crate can write after `use`.
//!
//! Definition paths are of no use for that: modules may be private, items renamed and re-exported. So the names in scope
//! of every module are worked out first (own items, then globs, until nothing changes), and then the modules are walked
//! from the root, nearest first.

use std::collections::{BTreeMap, BTreeSet};

use crate::api::ItemId;
use crate::rustdoc::raw::{RawCrate, RawInner, RawItem, RawKind};

/// What a user of the crate can name.
pub(crate) struct Importable {
    /// A path per item that can be named from outside, crate first. Holds re-exported foreign items too.
    pub paths: Paths,
    /// Foreign modules all of whose names are found in a module of the crate (`pub use other::*`), and its path.
    pub foreign_globs: Vec<(ItemId, Vec<String>)>,
}

pub(crate) fn importable(krate: &RawCrate, crate_name: &str) -> Importable {
    let scopes = Scopes::resolve(krate);
    let mut paths = Paths::new();
    paths.insert(krate.root, vec![crate_name.to_owned()]);
    let mut level = vec![krate.root];
    while !level.is_empty() {
        let mut found: BTreeMap<ItemId, Candidate> = BTreeMap::new();
        for module in level {
            let prefix = paths[&module].clone();
            for (name, id) in scopes.names_of(module) {
                if paths.contains_key(&id) {
                    continue;
                }
                let candidate = Candidate::new(krate, &prefix, name, id);
                match found.get(&id) {
                    Some(best) if *best <= candidate => {}
                    _ => {
                        found.insert(id, candidate);
                    }
                }
            }
        }
        level = Vec::new();
        for (id, candidate) in found {
            if scopes.is_module(id) {
                level.push(id);
            }
            paths.insert(id, candidate.path);
        }
    }
    let foreign_globs = scopes.foreign_globs(&paths);
    Importable { paths, foreign_globs }
}

pub(crate) type Paths = BTreeMap<ItemId, Vec<String>>;

/// Paths of equal length, the better one first: a prelude is for globs, an item's own name says more than another, and
/// its home more than a visit.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    is_through_prelude: bool,
    is_renamed: bool,
    is_reexport: bool,
    path: Vec<String>,
}

impl Candidate {
    fn new(krate: &RawCrate, prefix: &[String], name: &str, id: ItemId) -> Candidate {
        let summary = krate.summaries.get(&id);
        let own_name = match krate.items.get(&id) {
            Some(item) => item.name.as_ref(),
            None => summary.and_then(|summary| summary.path.last()),
        };
        let mut path = prefix.to_vec();
        path.push(name.to_owned());
        Candidate {
            is_through_prelude: prefix.iter().any(|segment| segment == "prelude"),
            is_renamed: own_name.is_none_or(|own_name| own_name != name),
            is_reexport: summary.is_none_or(|summary| summary.path != path),
            path,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Namespace {
    Type,
    Value,
    Macro,
}

fn namespace(kind: RawKind) -> Option<Namespace> {
    match kind {
        RawKind::Module
        | RawKind::Struct
        | RawKind::Enum
        | RawKind::Union
        | RawKind::Trait
        | RawKind::TypeAlias
        | RawKind::OtherType => Some(Namespace::Type),
        RawKind::Value => Some(Namespace::Value),
        RawKind::Macro => Some(Namespace::Macro),
        RawKind::Inner => None,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// Declared or imported by name; hides what globs bring. Private ones hide too.
    Explicit {
        is_public: bool,
    },
    Glob(ItemId),
    /// Two globs bring different items: using the name is an error.
    Ambiguous,
}

#[derive(Default)]
struct Scope<'a> {
    names: BTreeMap<(Namespace, &'a str), (ItemId, Origin)>,
    globs: BTreeSet<ItemId>,
}

struct Scopes<'a> {
    scopes: BTreeMap<ItemId, Scope<'a>>,
}

impl<'a> Scopes<'a> {
    fn resolve(krate: &'a RawCrate) -> Scopes<'a> {
        let scopes = krate
            .items
            .iter()
            .filter_map(|(&id, item)| match &item.inner {
                RawInner::Module { items } => Some((id, explicit_scope(krate, items))),
                _ => None,
            })
            .collect();
        let mut resolved = Scopes { scopes };
        while resolved.spread_globs() {}
        resolved
    }

    /// One round of glob imports; false when nothing changed. Each round adds a name or makes one ambiguous, so it ends.
    fn spread_globs(&mut self) -> bool {
        let mut additions = Vec::new();
        for (&module, scope) in &self.scopes {
            for target in &scope.globs {
                let Some(source) = self.scopes.get(target) else {
                    continue;
                };
                for (&name, &(id, origin)) in &source.names {
                    let is_visible = match origin {
                        Origin::Explicit { is_public } => is_public,
                        Origin::Glob(_) => true,
                        Origin::Ambiguous => false,
                    };
                    if is_visible {
                        additions.push((module, name, id));
                    }
                }
            }
        }
        let mut changed = false;
        for (module, name, id) in additions {
            let Some(scope) = self.scopes.get_mut(&module) else {
                continue;
            };
            let known = scope.names.get(&name).copied();
            let origin = match known {
                None => Origin::Glob(id),
                Some((_, Origin::Glob(other))) if other != id => Origin::Ambiguous,
                Some(_) => continue,
            };
            scope.names.insert(name, (id, origin));
            changed = true;
        }
        changed
    }

    fn is_module(&self, id: ItemId) -> bool {
        self.scopes.contains_key(&id)
    }

    fn foreign_globs(&self, paths: &Paths) -> Vec<(ItemId, Vec<String>)> {
        let mut found = Vec::new();
        for (module, scope) in &self.scopes {
            let Some(path) = paths.get(module) else {
                continue;
            };
            let foreign = scope.globs.iter().filter(|target| !self.is_module(**target));
            found.extend(foreign.map(|target| (*target, path.clone())));
        }
        found
    }

    /// The names that a user of the module sees.
    fn names_of(&self, module: ItemId) -> impl Iterator<Item = (&'a str, ItemId)> {
        self.scopes
            .get(&module)
            .into_iter()
            .flat_map(|scope| &scope.names)
            .filter(|(_, (_, origin))| matches!(origin, Origin::Explicit { is_public: true } | Origin::Glob(_)))
            .map(|(&(_, name), &(id, _))| (name, id))
    }
}

fn explicit_scope<'a>(krate: &'a RawCrate, items: &[ItemId]) -> Scope<'a> {
    let mut scope = Scope::default();
    for id in items {
        let Some(item) = krate.items.get(id) else {
            continue;
        };
        let is_public = item.is_public && !item.is_hidden;
        match &item.inner {
            RawInner::Use { target: Some(target), is_glob: true, .. } => {
                // A private glob is not seen from outside; what it brings hides nothing.
                if is_public && let Some(module) = follow_uses(krate, *target) {
                    scope.globs.insert(module);
                }
            }
            RawInner::Use { name, target: Some(target), is_glob: false } => {
                if let Some(target) = follow_uses(krate, *target) {
                    scope.declare(krate, name, target, is_public);
                }
            }
            _ => {
                if let Some(name) = &item.name {
                    scope.declare(krate, name, *id, is_public);
                }
            }
        }
    }
    scope
}

impl<'a> Scope<'a> {
    fn declare(&mut self, krate: &RawCrate, name: &'a str, id: ItemId, is_public: bool) {
        let kind = match krate.items.get(&id) {
            Some(item) => Some(item.kind),
            None => krate.summaries.get(&id).map(|summary| summary.kind),
        };
        let Some(namespace) = kind.and_then(namespace) else {
            return;
        };
        let known = self.names.get(&(namespace, name));
        // A public import beside a private one of the same item: both are legal, the public one counts.
        let is_known_public = matches!(known, Some((_, Origin::Explicit { is_public: true })));
        if !is_known_public {
            let origin = Origin::Explicit { is_public };
            self.names.insert((namespace, name), (id, origin));
        }
    }
}

/// The item behind a chain of re-exports; `None` for a chain that bites its tail.
fn follow_uses(krate: &RawCrate, start: ItemId) -> Option<ItemId> {
    let mut id = start;
    let mut seen = BTreeSet::new();
    while let Some(RawItem { inner: RawInner::Use { target: Some(target), .. }, .. }) = krate.items.get(&id) {
        if !seen.insert(id) {
            return None;
        }
        id = *target;
    }
    Some(id)
}
