//! Specifications that stand where nobody outside of the crate can call them.

use crate::api::specification::{LostSpecification, Specification, SpecificationKind};
use crate::rustdoc::raw::{RawCrate, RawInner};

/// All that are in the documentation and not among those that can be called.
pub(crate) fn lost_specifications(krate: &RawCrate, found: &[Specification]) -> Vec<LostSpecification> {
    let mut lost = Vec::new();
    for item in krate.items.values().filter(|item| item.is_local) {
        let Some(kind) = item.name.as_deref().and_then(SpecificationKind::of_function) else { continue };
        let is_found =
            |it: &Specification| Some(&it.trampoline.name) == item.name.as_ref() && it.trampoline.span == item.span;
        if matches!(item.inner, RawInner::Function { .. }) && !found.iter().any(is_found) {
            let name = item.docs.split('`').nth(1).unwrap_or_default().to_owned();
            lost.push(LostSpecification { kind, name, span: item.span.clone() });
        }
    }
    lost.sort_by_key(|it| it.span.as_ref().map(|span| (span.file.clone(), span.line)));
    lost
}
