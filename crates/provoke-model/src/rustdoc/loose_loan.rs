//! Signatures that lend without saying from whom: the result's lifetime is in no argument, so callers may keep what they
//! get for as long as they like.
//!
//! Decision: `docs/decisions/057-who-lends-loosely-is-to-blame.md`

use crate::api::text::{Names, Printer};
use crate::api::ty::{GenericParamKind, Ty};
use crate::api::{Function, Model};

impl Model {
    /// `fn iter<'a>(&self) -> Iter<'a>`. Where nothing is lent to the function, there is nothing it could lend on.
    pub fn lends_loosely(&self, function: &Function) -> bool {
        let printer = Printer { model: self, has_lifetimes: true, names: Names::Last };
        let Some(result) = &function.signature.result else { return false };
        let result = printer.ty(result);
        let params: Vec<String> = function.signature.params.iter().map(|(_, ty)| printer.ty(ty)).collect();
        let is_lent_something = function.signature.params.iter().any(|(_, ty)| matches!(ty, Ty::Ref { .. }));
        let own = function.generics.params.iter().filter_map(|param| match &param.kind {
            GenericParamKind::Lifetime { outlives } if outlives.is_empty() => Some(&param.name),
            _ => None,
        });
        let is_bound = |name: &str| {
            params.iter().any(|param| mentions(param, name))
                || mentions(&printer.generic_params(&function.generics).replacen(name, "", 1), name)
                || mentions(&printer.predicates(&function.generics), name)
        };
        is_lent_something && own.into_iter().any(|name| mentions(&result, name) && !is_bound(name))
    }
}

/// The text names this lifetime, not only one that begins like it.
fn mentions(text: &str, lifetime: &str) -> bool {
    text.match_indices(lifetime)
        .any(|(at, _)| !text[at + lifetime.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}
