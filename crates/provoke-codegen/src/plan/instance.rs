//! One instance of a function as an operation: its name in the harness, its text in a test, its loans and guards.

use provoke_api::OpRole;
use provoke_model::{Function, FunctionHome, GenericArg, GenericParam, GenericParamKind, Generics, Model, Ty};

use crate::plan::Planner;
use crate::plan::flows::{Flows, flows};
use crate::plan::op::{OpText, PlannedOp};
use crate::plan::settings::Setting;
use crate::plan::spell;
use crate::types::choose::{bound_hindrance, candidates};
use crate::types::render::{Renderer, raw};
use crate::types::skip_reason::SkipReason;
use crate::types::solve::normalize;
use crate::types::subst::{Choice, Substitution, has_impl_trait, mentions};
use crate::types::tracked::asked_traits;

impl Planner {
    /// An operation for one choice of types.
    pub(super) fn operation(
        &mut self,
        index: usize,
        function: &Function,
        setting: &Setting,
        choice: &Choice,
        variant: usize,
    ) -> Result<PlannedOp, SkipReason> {
        let signature = &function.signature;
        let mut choice = choice.clone();
        let pointer_args = self.pointer_args(function, &mut choice, variant)?;
        let arguments = TypeArguments::of(function, &choice);
        let model = &self.catalog.model;
        let unnameable = SkipReason::UnnameableInSignature;
        let expression = expression(model, function, setting, &arguments).ok_or(unnameable.clone())?;
        let mut text = spelled(model, function, setting, &arguments).ok_or(unnameable)?;
        let scopes = [&setting.generics, &function.generics];
        text.element_traits = asked_traits(&self.catalog, &scopes, &choice);
        let Flows { flows, static_args, declared_refs } =
            flows(model, signature, &scopes, setting.declared_self.as_ref(), &choice);
        let chosen: Vec<Ty> = choice.types.values().cloned().collect();
        for ty in chosen {
            self.note(&ty);
        }
        choice.self_ty = setting.choice.self_ty.clone();
        let trait_function = self.trait_declaration(function);
        let guards = self.guards(index, trait_function, &choice);
        for ty in signature.params.iter().map(|(_, ty)| ty).chain(&signature.result) {
            let ty = normalize(&self.catalog, &choice.apply(ty));
            self.note(&ty);
        }
        let key = format!("{}{}", expression.trim_start_matches("::"), pointer_key(&pointer_args));
        self.note_types_by_hand(&key, &choice);
        Ok(PlannedOp {
            function: Some(index),
            trait_function,
            pointer: format!("fn({}) -> _", pointer_args.join(", ")),
            flows,
            static_args,
            declared_refs,
            text,
            guards,
            ..PlannedOp::new(key, OpRole::Function, expression, signature.params.len())
        })
    }

    /// `impl Trait` arguments have to be named in the pointer; everything else is inferred.
    pub(super) fn pointer_args(
        &mut self,
        function: &Function,
        choice: &mut Choice,
        variant: usize,
    ) -> Result<Vec<String>, SkipReason> {
        let mut args = Vec::new();
        for (_, ty) in &function.signature.params {
            args.push(if has_impl_trait(ty) {
                let concrete = self.fill_impl_trait(ty, choice, variant)?;
                let named = Renderer::absolute(&self.catalog.model).ty(&concrete);
                named.ok_or(SkipReason::UnnameableInSignature)?
            } else {
                "_".to_string()
            });
        }
        Ok(args)
    }

    /// The declaration in a local trait that a method written in an impl also covers.
    pub(super) fn trait_declaration(&self, function: &Function) -> Option<usize> {
        let FunctionHome::TraitImpl { impl_idx } = function.home else {
            return None;
        };
        let trait_item = self.catalog.model.impls[impl_idx].trait_ref.as_ref()?.item;
        self.catalog.model.functions.iter().position(|other| match other.home {
            FunctionHome::TraitDef { trait_idx, .. } => {
                self.catalog.model.traits[trait_idx].item == trait_item && other.name == function.name
            }
            _ => false,
        })
    }

    /// Chooses a type for each `impl Trait` inside an argument.
    pub(super) fn fill_impl_trait(&mut self, ty: &Ty, choice: &mut Choice, variant: usize) -> Result<Ty, SkipReason> {
        Ok(match ty {
            Ty::ImplTrait(bounds) => {
                let bounds = choice.apply_bounds(bounds);
                let mut found = candidates(&self.catalog, &bounds);
                if found.is_empty() {
                    let skip_reason = bounds.first().map(|bound| bound_hindrance(&self.catalog, bound));
                    return Err(skip_reason.unwrap_or(SkipReason::Combination));
                }
                let nth = variant % found.len();
                let chosen = found.swap_remove(nth);
                choice.by_hand.extend(self.listed_as(&bounds, &chosen));
                chosen
            }
            Ty::Ref { lifetime, mutable, ty } => Ty::Ref {
                lifetime: lifetime.clone(),
                mutable: *mutable,
                ty: Box::new(self.fill_impl_trait(ty, choice, variant)?),
            },
            Ty::Path { item, args } => {
                let mut filled = Vec::new();
                for arg in args {
                    filled.push(match arg {
                        provoke_model::GenericArg::Type(ty) => {
                            provoke_model::GenericArg::Type(self.fill_impl_trait(ty, choice, variant)?)
                        }
                        other => other.clone(),
                    });
                }
                Ty::Path { item: *item, args: filled }
            }
            Ty::Tuple(parts) => {
                Ty::Tuple(parts.iter().map(|ty| self.fill_impl_trait(ty, choice, variant)).collect::<Result<_, _>>()?)
            }
            Ty::Slice(ty) => Ty::Slice(Box::new(self.fill_impl_trait(ty, choice, variant)?)),
            Ty::Array(ty, len) => Ty::Array(Box::new(self.fill_impl_trait(ty, choice, variant)?), len.clone()),
            other => choice.apply(other),
        })
    }
}

/// What a function is instantiated with.
struct TypeArguments(Vec<GenericArg>);

impl TypeArguments {
    /// In the order of their declaration: types and consts may be mixed.
    fn of(function: &Function, choice: &Choice) -> TypeArguments {
        let argument = |param: &GenericParam| match &param.kind {
            GenericParamKind::Type { is_synthetic: false, .. } => {
                Some(GenericArg::Type(choice.apply(&Ty::Param(param.name.clone()))))
            }
            GenericParamKind::Const { .. } => {
                Some(GenericArg::Const(choice.consts.get(&param.name).cloned().unwrap_or_default()))
            }
            _ => None,
        };
        TypeArguments(function.generics.params.iter().filter_map(argument).collect())
    }

    fn turbofish(&self, renderer: &mut Renderer<'_>) -> Option<String> {
        let mut parts: Vec<String> = Vec::new();
        for arg in &self.0 {
            match arg {
                GenericArg::Type(ty) => parts.push(renderer.ty(ty)?),
                GenericArg::Const(value) => parts.push(value.clone()),
                _ => {}
            }
        }
        Some(if parts.is_empty() { String::new() } else { format!("::<{}>", parts.join(", ")) })
    }
}

/// How the harness names the function; `None` if a type of it has no name.
fn expression(model: &Model, function: &Function, setting: &Setting, arguments: &TypeArguments) -> Option<String> {
    let mut absolute = Renderer::absolute(model);
    let arguments = arguments.turbofish(&mut absolute)?;
    let name = raw(&function.name);
    if let FunctionHome::Free { path } = &function.home {
        return Some(format!("::{}{arguments}", path.iter().map(|s| raw(s)).collect::<Vec<_>>().join("::")));
    }
    let ty = absolute.ty(setting.choice.self_ty.as_ref()?)?;
    match &setting.trait_ref {
        Some(trait_ref) => Some(format!("<{ty} as {}>::{name}{arguments}", absolute.trait_ref(trait_ref)?)),
        None => Some(format!("<{ty}>::{name}{arguments}")),
    }
}

/// How a test calls the function; `None` if a type of it has no name.
fn spelled(model: &Model, function: &Function, setting: &Setting, arguments: &TypeArguments) -> Option<OpText> {
    let mut short = Renderer::short(model);
    let shown = arguments.turbofish(&mut short)?;
    let params = &function.signature.params;
    let must_show = turbofish_params(&function.generics).any(|param| !params.iter().any(|(_, ty)| mentions(ty, param)));
    let (self_ty, trait_ref) = (setting.choice.self_ty.as_ref(), setting.trait_ref.as_ref());
    let mut text = spell::function(model, function, self_ty, trait_ref, &shown, must_show)?;
    if !shown.is_empty() {
        text.imports.extend(short.imports);
    }
    text.generic_args = generic_args(function);
    Some(text)
}

fn pointer_key(args: &[String]) -> String {
    if args.iter().all(|a| a == "_") { String::new() } else { format!("({})", args.join(", ")) }
}

/// Parameters that may be named in a turbofish.
fn turbofish_params(generics: &Generics) -> impl Iterator<Item = &str> {
    generics.params.iter().filter_map(|param| match &param.kind {
        GenericParamKind::Type { is_synthetic: false, .. } => Some(param.name.as_str()),
        _ => None,
    })
}

/// Arguments whose declared type is a parameter of the function itself, plain or behind a reference. Those of the impl
/// are settled by the receiver or by the path.
fn generic_args(function: &Function) -> Vec<u8> {
    let is_own = |name: &str| function.generics.params.iter().any(|param| param.name == name);
    let is_open = |ty: &Ty| match ty {
        Ty::Param(name) => is_own(name),
        Ty::ImplTrait(_) => true,
        _ => false,
    };
    let is_generic = |ty: &Ty| match ty {
        Ty::Ref { ty, .. } => is_open(ty),
        ty => is_open(ty),
    };
    let params = function.signature.params.iter().enumerate();
    params.filter(|(_, (_, ty))| is_generic(ty)).map(|(index, _)| index as u8).collect()
}
