//! Specifications in the code: what the attributes of the crate `provoke` leave in the documentation.
//!
//! Each attribute puts a public function beside the one that it stands at, known by its name. Those are no part of the API.

use crate::api::ty::Ty;
use crate::api::{Function, FunctionHome, Model, Span};

/// What names of such functions begin with.
const PREFIX: &str = "__provoke_";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SpecificationKind {
    /// Holds of every value between two calls.
    Invariant,
    /// Is called in place of a function.
    Spec,
    /// Watches over the life of an object.
    Temporal,
    /// Says which histories of an object an application would make.
    Model,
    /// Is called in testing only.
    Probe,
    /// Is true of any values.
    Law,
}

impl SpecificationKind {
    const ALL: [(SpecificationKind, &'static str); 6] = [
        (SpecificationKind::Invariant, "invariant"),
        (SpecificationKind::Spec, "spec"),
        (SpecificationKind::Temporal, "temporal"),
        (SpecificationKind::Model, "model"),
        (SpecificationKind::Probe, "probe"),
        (SpecificationKind::Law, "law"),
    ];

    /// The attribute.
    pub fn name(self) -> &'static str {
        SpecificationKind::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }

    pub(crate) fn of_function(name: &str) -> Option<SpecificationKind> {
        let rest = name.strip_prefix(PREFIX)?;
        let is_it = |word: &str| rest.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
        SpecificationKind::ALL.iter().find(|(_, word)| is_it(word)).map(|(kind, _)| *kind)
    }
}

/// One annotated function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specification {
    pub kind: SpecificationKind,
    /// What its author calls it: `closed_stays`.
    pub name: String,
    /// The same with the type or the module that it belongs to: `sorted_list::SortedList::closed_stays`.
    pub display: String,
    /// The function by which it is called.
    pub trampoline: Function,
    /// Of a spec: the function in whose place it is called, by its place in [`Model::functions`].
    pub of: Option<usize>,
}

/// One that stands where nobody outside of the crate can call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostSpecification {
    pub kind: SpecificationKind,
    pub name: String,
    pub span: Option<Span>,
}

impl Model {
    /// Takes the functions that attributes added out of the API.
    pub(crate) fn set_specifications_apart(&mut self) {
        let functions = std::mem::take(&mut self.functions);
        for function in functions {
            match SpecificationKind::of_function(&function.name) {
                Some(kind) => self.specifications.push(specification(kind, function)),
                None => self.functions.push(function),
            }
        }
        for place in 0..self.specifications.len() {
            self.specifications[place].of = self.specified(&self.specifications[place]);
        }
    }

    /// What is called in place of a function, by its place in [`Model::specifications`].
    pub fn spec_of(&self, function: usize) -> Option<usize> {
        self.specifications.iter().position(|it| it.of == Some(function))
    }

    /// The function that a spec is of.
    fn specified(&self, spec: &Specification) -> Option<usize> {
        let name = spec.trampoline.name.strip_prefix(PREFIX)?.strip_prefix("spec_")?;
        let named = || (0..self.functions.len()).filter(|&place| self.functions[place].name == name);
        match &spec.trampoline.home {
            FunctionHome::Free { path } => {
                let (_, module) = path.split_last()?;
                let path_of = |place: usize| match &self.functions[place].home {
                    FunctionHome::Free { path } => Some(path),
                    _ => None,
                };
                let is_beside = |place: &usize| path_of(*place).is_some_and(|path| path[..path.len() - 1] == *module);
                named().find(is_beside).or_else(|| named().find(|&place| path_of(place).is_some()))
            }
            FunctionHome::Inherent { impl_idx } => {
                let ty = self.type_of_impl(*impl_idx)?;
                // Its own function goes before one of a trait that it implements.
                let is_inherent = |place: &usize| match self.functions[*place].home {
                    FunctionHome::Inherent { impl_idx } => self.type_of_impl(impl_idx) == Some(ty),
                    _ => false,
                };
                let is_of_trait = |place: &usize| match self.functions[*place].home {
                    FunctionHome::TraitImpl { impl_idx } => self.type_of_impl(impl_idx) == Some(ty),
                    _ => false,
                };
                named().find(is_inherent).or_else(|| named().find(is_of_trait))
            }
            FunctionHome::TraitImpl { .. } | FunctionHome::TraitDef { .. } => None,
        }
    }

    fn type_of_impl(&self, impl_idx: usize) -> Option<crate::api::ItemId> {
        match &self.impls[impl_idx].for_ty {
            Ty::Path { item, .. } => Some(*item),
            _ => None,
        }
    }
}

/// The documentation of the trampoline names the function that was annotated.
fn specification(kind: SpecificationKind, trampoline: Function) -> Specification {
    let name = trampoline.docs.text.split('`').nth(1).unwrap_or(&trampoline.name).to_owned();
    let display = match trampoline.display.rsplit_once("::") {
        Some((before, _)) => format!("{before}::{name}"),
        None => name.clone(),
    };
    Specification { kind, name, display, trampoline, of: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_attributes_add_is_known_by_its_name() {
        let cases = [
            ("__provoke_invariant_ok", Some(SpecificationKind::Invariant)),
            ("__provoke_spec_get", Some(SpecificationKind::Spec)),
            ("__provoke_model", Some(SpecificationKind::Model)),
            ("__provoke_lawful", None),
            ("__provoke_", None),
            ("provoke_law_a", None),
        ];
        for (name, expected) in cases {
            assert_eq!(SpecificationKind::of_function(name), expected, "{name}");
        }
    }
}
