//! Type aliases are replaced by what they stand for, so that nobody after this has to know them.
//!
//! rustdoc expands private aliases and those in impl headers itself; public ones stay by name in signatures. Aliases of
//! dependencies stay too: their meaning is not in the JSON.

use std::collections::BTreeMap;

use crate::api::ItemId;
use crate::api::ty::{GenericArg, GenericParam, GenericParamKind, Ty};
use crate::rustdoc::raw::{RawCrate, RawInner, RawKind, RawSummary};
use crate::rustdoc::walk::{Visitor, Walk};

/// Aliases of aliases deeper than this are left by name: no real crate comes near, and expansion may double each time.
const MAX_DEPTH: u32 = 16;

struct Alias {
    params: Vec<GenericParam>,
    ty: Ty,
}

pub(super) fn expand(krate: &mut RawCrate) {
    let mut aliases: BTreeMap<ItemId, Alias> = krate
        .items
        .iter()
        .filter_map(|(&id, item)| match &item.inner {
            RawInner::TypeAlias { generics, ty } if item.is_local => {
                Some((id, Alias { params: generics.params.clone(), ty: ty.clone() }))
            }
            _ => None,
        })
        .collect();
    add_std_aliases(krate, &mut aliases);
    if aliases.is_empty() {
        return;
    }
    let mut expander = Expander { aliases: &aliases, depth: 0 };
    for item in krate.items.values_mut() {
        item.walk(&mut expander);
    }
}

/// The aliases of std that nearly every crate meets: `fmt::Result` and `io::Result`.
fn add_std_aliases(krate: &mut RawCrate, aliases: &mut BTreeMap<ItemId, Alias>) {
    const KNOWN: &[(&[&str], &str, &[&str])] = &[
        (&["core", "fmt", "Result"], "core", &["core", "fmt", "Error"]),
        (&["std", "io", "error", "Result"], "std", &["std", "io", "error", "Error"]),
    ];
    for (alias, crate_name, error) in KNOWN {
        let Some(alias_id) = find(krate, alias) else {
            continue;
        };
        let result = find_or_add(krate, "core", &["core", "result", "Result"], RawKind::Enum);
        let error = find_or_add(krate, crate_name, error, RawKind::Struct);
        let has_param = *crate_name == "std";
        let success = if has_param { Ty::Param("T".to_owned()) } else { Ty::Tuple(Vec::new()) };
        let params = has_param.then(|| GenericParam {
            name: "T".to_owned(),
            kind: GenericParamKind::Type { bounds: Vec::new(), default: None, is_synthetic: false },
        });
        let ty = Ty::Path {
            item: result,
            args: vec![GenericArg::Type(success), GenericArg::Type(Ty::Path { item: error, args: Vec::new() })],
        };
        let params = params.into_iter().collect();
        aliases.insert(alias_id, Alias { params, ty });
    }
}

fn find(krate: &RawCrate, path: &[&str]) -> Option<ItemId> {
    krate.summaries.iter().find(|(_, summary)| summary.path == path).map(|(&id, _)| id)
}

fn find_or_add(krate: &mut RawCrate, crate_name: &str, path: &[&str], kind: RawKind) -> ItemId {
    find(krate, path).unwrap_or_else(|| {
        // Any number that rustdoc did not give away; counting down cannot meet its own, which count up.
        let mut id = ItemId(u32::MAX);
        while krate.summaries.contains_key(&id) || krate.items.contains_key(&id) {
            id.0 -= 1;
        }
        let summary = RawSummary {
            crate_name: crate_name.to_owned(),
            // Of std there is only one, and it is known by its name.
            crate_number: u32::MAX,
            is_local: false,
            path: path.iter().map(|&segment| segment.to_owned()).collect(),
            kind,
        };
        krate.summaries.insert(id, summary);
        id
    })
}

struct Expander<'a> {
    aliases: &'a BTreeMap<ItemId, Alias>,
    depth: u32,
}

impl Visitor for Expander<'_> {
    fn ty(&mut self, ty: &mut Ty) {
        let Ty::Path { item, args } = ty else {
            return;
        };
        let Some(alias) = self.aliases.get(item) else {
            return;
        };
        if self.depth >= MAX_DEPTH {
            return;
        }
        let mut body = alias.ty.clone();
        body.walk(&mut Substitution::new(&alias.params, args));
        self.depth += 1;
        body.walk(self);
        self.depth -= 1;
        *ty = body;
    }
}

/// What each parameter of an alias stands for.
struct Substitution<'a> {
    arguments: BTreeMap<&'a str, GenericArg>,
}

impl<'a> Substitution<'a> {
    fn new(params: &'a [GenericParam], args: &[GenericArg]) -> Substitution<'a> {
        let is_lifetime = |arg: &&GenericArg| matches!(arg, GenericArg::Lifetime(_));
        let mut lifetimes = args.iter().filter(is_lifetime);
        let mut others = args.iter().filter(|arg| !is_lifetime(arg));
        let mut arguments = BTreeMap::new();
        for param in params {
            let argument = match &param.kind {
                // Lifetimes may be left out altogether.
                GenericParamKind::Lifetime { .. } => {
                    lifetimes.next().cloned().unwrap_or_else(|| GenericArg::Lifetime("'_".to_owned()))
                }
                GenericParamKind::Type { default, .. } => match (others.next(), default) {
                    (Some(arg), _) => arg.clone(),
                    (None, Some(default)) => GenericArg::Type(default.clone()),
                    (None, None) => continue,
                },
                GenericParamKind::Const { default, .. } => match (others.next(), default) {
                    (Some(arg), _) => arg.clone(),
                    (None, Some(default)) => GenericArg::Const(default.clone()),
                    (None, None) => continue,
                },
            };
            arguments.insert(param.name.as_str(), argument);
        }
        Substitution { arguments }
    }

    fn lifetime(&self, name: &str) -> Option<&str> {
        match self.arguments.get(name) {
            Some(GenericArg::Lifetime(lifetime)) => Some(lifetime),
            _ => None,
        }
    }
}

impl Visitor for Substitution<'_> {
    fn ty(&mut self, ty: &mut Ty) {
        match ty {
            Ty::Param(name) => {
                if let Some(GenericArg::Type(argument)) = self.arguments.get(name.as_str()) {
                    *ty = argument.clone();
                }
            }
            Ty::Array(_, length) => {
                if let Some(GenericArg::Const(argument)) = self.arguments.get(length.as_str()) {
                    *length = argument.clone();
                }
            }
            Ty::Ref { lifetime, .. } => {
                if let Some(new) = lifetime.as_deref().and_then(|name| self.lifetime(name)) {
                    *lifetime = (new != "'_").then(|| new.to_owned());
                }
            }
            // `dyn Trait + '_` borrows, and `dyn Trait` alone may mean `dyn Trait + 'static`.
            Ty::Dyn { lifetime, .. } => {
                if let Some(new) = lifetime.as_deref().and_then(|name| self.lifetime(name)) {
                    *lifetime = Some(new.to_owned());
                }
            }
            _ => {}
        }
    }

    fn arg(&mut self, arg: &mut GenericArg) {
        if let GenericArg::Lifetime(name) | GenericArg::Const(name) = arg
            && let Some(new) = self.arguments.get(name.as_str())
        {
            *arg = new.clone();
        }
    }
}
