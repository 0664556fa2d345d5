//! Which local types and traits a user of the crate can meet, also those that nobody outside can name.

use std::collections::{BTreeMap, BTreeSet};

use crate::api::ItemId;
use crate::rustdoc::importable::Paths;
use crate::rustdoc::raw::{RawCrate, RawFields, RawImpl, RawInner, RawItem, RawKind};
use crate::rustdoc::walk::{Visitor, Walk};

pub(super) struct Reach<'a> {
    krate: &'a RawCrate,
    paths: &'a Paths,
    mentions: &'a Mentions,
    /// Local types and traits that are nameable, or occur in something public.
    known: BTreeSet<ItemId>,
}

/// The types and traits that each item mentions.
pub(super) struct Mentions {
    all: BTreeMap<ItemId, BTreeSet<ItemId>>,
    /// Of impls: those of the trait and the type, without bounds.
    headers: BTreeMap<ItemId, BTreeSet<ItemId>>,
}

impl Mentions {
    /// The items are only read; walking them is the same for readers and writers.
    pub(super) fn collect(krate: &mut RawCrate) -> Mentions {
        let mut mentions = Mentions { all: BTreeMap::new(), headers: BTreeMap::new() };
        for (&id, item) in &mut krate.items {
            let mut collector = Collector::default();
            item.walk(&mut collector);
            mentions.all.insert(id, collector.0);
            if let RawInner::Impl(raw) = &mut item.inner {
                let mut collector = Collector::default();
                raw.trait_ref.walk(&mut collector);
                raw.for_ty.walk(&mut collector);
                mentions.headers.insert(id, collector.0);
            }
        }
        mentions
    }

    fn of(&self, id: ItemId) -> impl Iterator<Item = ItemId> {
        self.all.get(&id).into_iter().flatten().copied()
    }

    fn of_header(&self, id: ItemId) -> impl Iterator<Item = ItemId> {
        self.headers.get(&id).into_iter().flatten().copied()
    }
}

#[derive(Default)]
struct Collector(BTreeSet<ItemId>);

impl Visitor for Collector {
    fn item(&mut self, id: &mut ItemId) {
        self.0.insert(*id);
    }
}

impl<'a> Reach<'a> {
    pub(super) fn new(krate: &'a RawCrate, paths: &'a Paths, mentions: &'a Mentions) -> Reach<'a> {
        let mut reach = Reach { krate, paths, mentions, known: BTreeSet::new() };
        for (id, item) in &krate.items {
            if item.is_local && paths.contains_key(id) {
                reach.add(*id);
                if matches!(item.kind, RawKind::Value) {
                    reach.add_mentions(*id);
                }
            }
        }
        while reach.spread() {}
        reach
    }

    pub(super) fn is_known(&self, id: ItemId) -> bool {
        self.known.contains(&id)
    }

    /// The impl is about types that a user can meet, and about a trait that matters to one.
    pub(super) fn is_relevant(&self, id: ItemId, raw: &RawImpl) -> bool {
        let is_met = |mentioned| !self.is_local(mentioned) || self.known.contains(&mentioned);
        !raw.is_implied && self.mentions.of_header(id).all(is_met)
    }

    /// Somebody outside can call what the impl defines.
    pub(super) fn is_usable(&self, raw: &RawImpl) -> bool {
        raw.trait_ref
            .as_ref()
            .is_none_or(|trait_ref| !self.is_local(trait_ref.item) || self.paths.contains_key(&trait_ref.item))
    }

    /// Hidden items are in no list of rustdoc's, but what is foreign always is.
    fn is_local(&self, id: ItemId) -> bool {
        self.krate.summaries.get(&id).is_none_or(|summary| summary.is_local)
    }

    /// One round; false when nothing new was met.
    fn spread(&mut self) -> bool {
        let n_before = self.known.len();
        let krate = self.krate;
        for id in self.known.clone() {
            let Some(item) = krate.items.get(&id) else {
                continue;
            };
            self.add_mentions(id);
            match &item.inner {
                RawInner::Struct { fields, .. } => self.add_fields(fields),
                RawInner::Enum { variants, .. } => {
                    for variant in variants {
                        if let Some(RawItem { inner: RawInner::Variant { fields }, .. }) = krate.items.get(variant) {
                            self.add_fields(fields);
                        }
                    }
                }
                RawInner::Trait { items, .. } if self.paths.contains_key(&id) => {
                    self.add_public_parts(items);
                }
                _ => {}
            }
        }
        for (&id, item) in &krate.items {
            if let RawInner::Impl(raw) = &item.inner
                && item.is_local
                && self.is_relevant(id, raw)
            {
                self.add_mentions(id);
                if self.is_usable(raw) {
                    self.add_public_parts(&raw.items);
                }
            }
        }
        self.known.len() > n_before
    }

    fn add(&mut self, id: ItemId) {
        if let Some(item) = self.krate.items.get(&id)
            && item.is_local
            && matches!(item.kind, RawKind::Struct | RawKind::Enum | RawKind::Union | RawKind::Trait)
        {
            self.known.insert(id);
        }
    }

    fn add_mentions(&mut self, id: ItemId) {
        for mentioned in self.mentions.of(id).collect::<Vec<_>>() {
            self.add(mentioned);
        }
    }

    fn add_public_parts(&mut self, parts: &[ItemId]) {
        for part in parts {
            if self.krate.items.get(part).is_some_and(|item| item.is_public && !item.is_hidden) {
                self.add_mentions(*part);
            }
        }
    }

    fn add_fields(&mut self, fields: &RawFields) {
        match fields {
            RawFields::Unit => {}
            RawFields::Tuple(fields) => {
                let present: Vec<_> = fields.iter().flatten().copied().collect();
                self.add_public_parts(&present);
            }
            RawFields::Named { fields, .. } => self.add_public_parts(fields),
        }
    }
}
