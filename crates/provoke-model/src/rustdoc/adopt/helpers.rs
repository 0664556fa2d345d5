//! The functions of a dependency that are worth calling: those that make and change what the crate's functions take.

use crate::api::ty::Ty;
use crate::api::{Function, FunctionHome, Model};
use crate::rustdoc::adopt::wanted::Wanted;

/// How many functions one dependency contributes.
const MAX_HELPERS: usize = 60;

/// Parts of names of functions whose results differ from run to run.
const CHANCE_NAMES: &[&str] = &["random", "entropy", "thread_rng", "os_rng", "now"];

/// The crate whose attributes state specifications.
const ANNOTATIONS: &str = "provoke";

/// Places in the dependency's functions, best first.
pub(super) fn choose(dependency: &Model, wanted: &Wanted) -> Vec<usize> {
    // What watches over the crate is handed to specifications by the worker. A search that called it would test us.
    if dependency.crate_name == ANNOTATIONS {
        return Vec::new();
    }
    let mut found: Vec<(u32, usize)> = dependency
        .functions
        .iter()
        .enumerate()
        .filter(|(_, function)| !function.is_deprecated && !is_by_chance(&function.name))
        .filter_map(|(function_idx, function)| Some((rank(dependency, wanted, function)?, function_idx)))
        .collect();
    found.sort();
    found.truncate(MAX_HELPERS);
    found.into_iter().map(|(_, function_idx)| function_idx).collect()
}

/// What makes values comes first, then what changes them, then the rest; `None` for what is of no use.
fn rank(dependency: &Model, wanted: &Wanted, function: &Function) -> Option<u32> {
    let signature = &function.signature;
    let gives = |impl_idx| signature.result.as_ref().is_some_and(|ty| wanted.is_given(dependency, ty, impl_idx));
    match &function.home {
        FunctionHome::Free { .. } => gives(None).then_some(1),
        FunctionHome::Inherent { impl_idx } if wanted.is_wanted_self(dependency, *impl_idx) => {
            if !signature.has_self() {
                return gives(Some(*impl_idx)).then_some(0);
            }
            let is_mutable = matches!(signature.params.first(), Some((_, Ty::Ref { mutable: true, .. })));
            Some(if is_mutable { 2 } else { 3 })
        }
        FunctionHome::TraitImpl { impl_idx } if wanted.impls.contains(impl_idx) => {
            (!signature.has_self() && gives(Some(*impl_idx))).then_some(0)
        }
        _ => None,
    }
}

fn is_by_chance(name: &str) -> bool {
    name.split('_').any(|word| CHANCE_NAMES.contains(&word)) || CHANCE_NAMES.iter().any(|part| name.ends_with(part))
}
