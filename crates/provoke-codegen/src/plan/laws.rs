//! Operations that ask whether a law holds, for what the crate wrote by hand.
//!
//! Decision: `docs/decisions/013-a-law-is-an-operation.md`

use provoke_api::OpRole;
use provoke_model::{FunctionHome, Impl, Ty};
use provoke_oracles::{Law, LawTrial, LentArgument, ORACLES, Oracle};

use crate::plan::Planner;
use crate::plan::op::{OpText, PlannedOp};
use crate::plan::settings::Setting;
use crate::types::abilities::{AbilityAnswer, implements_std};
use crate::types::catalog::type_args;
use crate::types::render::Renderer;

/// For how many instances of a type each law is asked.
const MAX_INSTANCES: usize = 2;
const NAMES: [&str; 3] = ["a", "b", "c"];

/// A law and what it is asked about.
struct Case<'a> {
    oracle: &'static Oracle,
    law: &'static Law,
    /// The types of the values; the last stands for those that are left.
    types: &'a [Ty],
    /// The first argument of the trait on trial.
    trait_arg: Option<&'a Ty>,
    subject: String,
    function: Option<usize>,
}

impl Planner {
    pub(super) fn laws(&mut self) {
        for oracle in ORACLES {
            let Some(law) = &oracle.law else { continue };
            for trial in law.trials {
                match *trial {
                    LawTrial::Impl { of, method, written } => self.trials_of_impls(oracle, law, of, method, written),
                    LawTrial::Methods(methods) => self.trials_of_methods(oracle, law, methods),
                }
            }
        }
    }

    fn trials_of_impls(
        &mut self,
        oracle: &'static Oracle,
        law: &'static Law,
        of: &str,
        method: &str,
        written: &[&str],
    ) {
        for impl_idx in 0..self.catalog.model.impls.len() {
            let home = &self.catalog.model.impls[impl_idx];
            let Some(trait_ref) = &home.trait_ref else { continue };
            let is_written_by_hand = !home.is_derived && !home.is_negative && !matches!(home.for_ty, Ty::Param(_));
            // What was taken in from a dependency is not what is tested. The crate's own impls of traits of std are about its types.
            let types = type_args(&trait_ref.args).chain([&home.for_ty]);
            let is_own = types.into_iter().any(|ty| self.holds_own_type(ty));
            if !is_written_by_hand || !is_own || self.catalog.std_name(trait_ref.item) != Some(of) {
                continue;
            }
            let is_on_trial = written.is_empty() || written.iter().any(|name| self.method_of(impl_idx, name).is_some());
            let Some(subject) = self.subject(home, method).filter(|_| is_on_trial) else { continue };
            let function = self
                .method_of(impl_idx, method)
                .or_else(|| written.iter().find_map(|name| self.method_of(impl_idx, name)))
                .or_else(|| self.method_beside(impl_idx, method));
            let settings = self.impl_settings(impl_idx).unwrap_or_default();
            for Setting { choice, trait_ref, .. } in settings.into_iter().take(MAX_INSTANCES) {
                let (Some(self_ty), Some(trait_ref)) = (choice.self_ty, trait_ref) else { continue };
                let trait_arg = type_args(&trait_ref.args).next();
                // `impl PartialEq<str> for Name` is about two types.
                let other = trait_arg.filter(|arg| !is_one_sided(of) && **arg != self_ty);
                let types = match other {
                    Some(_) if !law.spans_types => continue,
                    Some(other) => vec![self_ty, other.clone()],
                    None => vec![self_ty],
                };
                let subject = subject.clone();
                self.law(&Case { oracle, law, types: &types, trait_arg, subject, function });
            }
        }
    }

    fn trials_of_methods(&mut self, oracle: &'static Oracle, law: &'static Law, methods: &[&str]) {
        for type_idx in 0..self.catalog.model.types.len() {
            let item = self.catalog.model.types[type_idx].item;
            let found: Vec<Option<usize>> = methods.iter().map(|name| self.observer(item, name)).collect();
            if found.iter().any(Option::is_none) {
                continue;
            }
            let docs =
                found.iter().flatten().map(|&index| self.catalog.model.functions[index].docs.text.to_lowercase());
            if docs.into_iter().any(|docs| law.unless_docs_say.iter().any(|word| docs.contains(word))) {
                continue;
            }
            let function = found.first().copied().flatten();
            let Some(index) = function else { continue };
            let subject = self.catalog.model.functions[index].display.clone();
            for instance in self.instances.of_type(type_idx).to_vec().iter().take(MAX_INSTANCES) {
                let types = std::slice::from_ref(instance);
                self.law(&Case { oracle, law, types, trait_arg: None, subject: subject.clone(), function });
            }
        }
    }

    /// An inherent method of this name that takes `&self` and nothing else.
    fn observer(&self, item: provoke_model::ItemId, name: &str) -> Option<usize> {
        let model = &self.catalog.model;
        model.functions.iter().position(|function| {
            let FunctionHome::Inherent { impl_idx } = function.home else { return false };
            let is_of = matches!(&model.impls[impl_idx].for_ty, Ty::Path { item: of, .. } if *of == item);
            let params = &function.signature.params;
            let is_by_ref = matches!(params.first(), Some((_, Ty::Ref { mutable: false, .. })));
            is_of && function.name == name && params.len() == 1 && is_by_ref && function.signature.has_self()
        })
    }

    fn method_of(&self, impl_idx: usize, name: &str) -> Option<usize> {
        let is_it = |home: &FunctionHome| matches!(home, FunctionHome::TraitImpl { impl_idx: of } if *of == impl_idx);
        self.catalog.model.functions.iter().position(|f| f.name == name && is_it(&f.home))
    }

    /// A method of another trait of the same type: `Iterator::next` of what is a `FusedIterator`.
    fn method_beside(&self, impl_idx: usize, name: &str) -> Option<usize> {
        let impls = &self.catalog.model.impls;
        let of_type = |ty: &Ty| match ty {
            Ty::Path { item, .. } => Some(*item),
            _ => None,
        };
        let item = of_type(&impls[impl_idx].for_ty)?;
        self.catalog.model.functions.iter().position(|function| match function.home {
            FunctionHome::TraitImpl { impl_idx: other } => {
                function.name == name && of_type(&impls[other].for_ty) == Some(item)
            }
            _ => false,
        })
    }

    /// `<slab::Slab as Clone>::clone`, as functions of impls are displayed.
    pub(super) fn subject(&self, home: &Impl, method: &str) -> Option<String> {
        let model = &self.catalog.model;
        let of_trait = &model.item(home.trait_ref.as_ref()?.item).name;
        let ty = match &home.for_ty {
            Ty::Path { item, .. } => model.item(*item).path.as_ref()?.join("::"),
            other => Renderer::short(model).ty(other)?,
        };
        Some(format!("<{ty} as {of_trait}>::{method}"))
    }

    fn law(&mut self, case: &Case<'_>) {
        let law = case.law;
        let lacks = |name: &&str| implements_std(&self.catalog, &case.types[0], name) == AbilityAnswer::No;
        if law.needs.iter().any(lacks) {
            return;
        }
        let model = &self.catalog.model;
        let ty_of = |index: usize| &case.types[index.min(case.types.len() - 1)];
        let mut absolute = Renderer::absolute(model);
        let mut params = Vec::new();
        let mut names = Vec::new();
        for (index, lent) in law.values.iter().enumerate() {
            let Some(ty) = absolute.ty(ty_of(index)) else { return };
            let reference = match lent {
                LentArgument::Shared => "&'static",
                LentArgument::Exclusive => "&'static mut",
            };
            params.push(format!("{}: {reference} {ty}", NAMES[index]));
            names.push(ty);
        }
        let key = format!("law {} {}", case.oracle.id, names.join(" "));
        let mut short = Renderer::short(model);
        let named = |renderer: &mut Renderer<'_>, text: &str| -> Option<String> {
            let mut text = text.to_string();
            for (place, ty) in [("{T}", Some(ty_of(0))), ("{Q}", case.trait_arg)] {
                if text.contains(place) {
                    text = text.replace(place, &renderer.ty(ty?)?);
                }
            }
            Some(text)
        };
        let (Some(check), Some(test)) = (named(&mut absolute, law.check), named(&mut short, law.test)) else { return };
        let uses: String = law.imports.iter().map(|path| format!("use ::{path}; ")).collect();
        let condition = filled(&check, |index, is_ref| if is_ref { NAMES[index].into() } else { place(index) });
        let pretty =
            filled(&test, |index, is_ref| if is_ref { format!("{{{index}}}") } else { format!("{{.{index}}}") });
        let explicit =
            filled(&test, |index, is_ref| if is_ref { format!("{{{index}}}") } else { format!("(*{{{index}}})") });
        let mut imports = short.imports;
        imports.extend(law.imports.iter().map(ToString::to_string));
        let expression = format!("|{}| {{ {uses}uphold({condition}) }}", params.join(", "));
        let op = PlannedOp {
            function: case.function,
            declared_refs: (0..params.len() as u8).collect(),
            text: OpText { pretty, explicit, imports, ..OpText::default() },
            ..PlannedOp::new(key, OpRole::Law, expression, params.len())
        };
        self.push(op.accusing(case.oracle, &case.subject));
    }
}

/// The argument is what a value is turned into or made from, not what it is compared with.
fn is_one_sided(of: &str) -> bool {
    matches!(of, "Borrow" | "TryFrom")
}

fn place(index: usize) -> String {
    format!("(*{})", NAMES[index])
}

/// The text with its values filled in.
fn filled(text: &str, value: impl Fn(usize, bool) -> String) -> String {
    let mut out = text.to_string();
    for (index, name) in NAMES.iter().enumerate() {
        out = out.replace(&format!("{{&{name}}}"), &value(index, true));
        out = out.replace(&format!("{{{name}}}"), &value(index, false));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_filled_in_as_places_and_as_references() {
        let text = "{a}.cmp({&b}) == {b}.cmp({&a})";
        assert_eq!(
            filled(text, |index, is_ref| if is_ref { NAMES[index].into() } else { place(index) }),
            "(*a).cmp(b) == (*b).cmp(a)"
        );
    }
}
