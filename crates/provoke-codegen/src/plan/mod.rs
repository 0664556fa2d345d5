//! The plan: every operation that the harness is to try, from the functions, constructors, fields and constants of the model.

pub mod builtins;
pub mod by_hand;
mod closures;
mod constructors;
pub mod flows;
mod formatting;
mod guards;
mod instance;
mod laws;
pub mod op;
mod settings;
mod snapshots;
mod specifications;
pub mod spell;
mod unsizing;

use std::collections::{BTreeMap, HashSet};

use provoke_api::OpRole;
use provoke_model::{Bound, Function, FunctionHome, GenericParamKind, ItemId, Model, Skip, Ty};

use crate::plan::op::PlannedOp;
use crate::plan::settings::Setting;
use crate::plan::unsizing::holds_dyn;
use crate::types::catalog::Catalog;
use crate::types::choose::{MAX_OF_FAMILY, choices, has_types_by_hand, is_family};
use crate::types::instances::Instances;
use crate::types::render::Renderer;
use crate::types::skip_reason::SkipReason;
use crate::types::solve::Trust;
use crate::types::subst::{Choice, is_concrete};
use crate::types::tracked::tracked_choice;

/// How many operations one function gets.
const MAX_PER_FUNCTION: usize = 6;
/// And a function of a dependency.
const MAX_PER_HELPER: usize = 2;
/// And a function on one type.
const MAX_PER_SETTING: usize = 2;
/// How often functions are planned again on types that others turned out to return.
const MAX_PASSES: usize = 3;
/// Function pointers are supported up to this many arguments.
pub const MAX_ARGS: usize = 12;

/// Candidate operations, ordered by key, and what is skipped before rustc is even asked.
#[derive(Debug, Default)]
pub struct Plan {
    pub ops: Vec<PlannedOp>,
    pub skips: Vec<Skip>,
    /// What to say of a function if rustc refuses all its operations, by place in `Model::functions`.
    pub refusal_reasons: BTreeMap<usize, SkipReason>,
    /// Which operations have a type that users list for a trait: their keys, the trait, and the type's place in the list.
    pub by_hand: Vec<(String, ItemId, usize)>,
}

/// Plans the whole API.
pub fn plan(model: &Model) -> Plan {
    plan_telling(model, &mut |_| {})
}

/// The same. Tells how many of the functions it is done with: before each of them, as often as it is planned, and at the end.
pub fn plan_telling(model: &Model, tell: &mut dyn FnMut(usize)) -> Plan {
    let catalog = Catalog::new(model);
    let instances = Instances::choose(&catalog);
    let mut planner = Planner {
        catalog,
        instances,
        plan: Plan::default(),
        done: vec![Vec::new(); model.functions.len()],
        is_tried: vec![false; model.functions.len()],
        n_ops: vec![0; model.functions.len()],
        reasons: vec![None; model.functions.len()],
        has_new_types: false,
        fn_pointers: Vec::new(),
        dyn_types: Vec::new(),
        all_noted: HashSet::new(),
        impl_settings: BTreeMap::new(),
    };
    // Functions return types that have functions in turn.
    for pass in 0..MAX_PASSES {
        planner.has_new_types = false;
        for index in 0..model.functions.len() {
            // What comes after the first pass is little.
            tell(if pass == 0 { index } else { model.functions.len() - 1 });
            planner.function(index, &model.functions[index]);
        }
        if !planner.has_new_types {
            break;
        }
    }
    for (index, function) in model.functions.iter().enumerate() {
        planner.explain(index, function);
    }
    for helper in &model.helpers {
        planner.helper(helper);
    }
    planner.unsizings();
    planner.closures();
    planner.constructors();
    planner.constants();
    planner.formatting_in_style();
    planner.laws();
    planner.snapshots();
    planner.specifications();
    tell(model.functions.len());
    let mut plan = planner.plan;
    plan.ops.sort_by(|a, b| a.key.cmp(&b.key));
    plan.ops.dedup_by(|a, b| a.key == b.key);
    plan.skips.extend(model.skips.iter().cloned());
    plan.skips.sort_by(|a, b| a.function.cmp(&b.function));
    plan
}

struct Planner {
    catalog: Catalog,
    instances: Instances,
    plan: Plan,
    /// By function: what it was planned on.
    done: Vec<Vec<Option<Ty>>>,
    /// By function: whether something fitting was looked for.
    is_tried: Vec<bool>,
    /// By function: how many operations it has.
    n_ops: Vec<usize>,
    /// By function: why an attempt to plan it failed.
    reasons: Vec<Option<SkipReason>>,
    /// Instances were found that functions have not been planned on.
    has_new_types: bool,
    /// Function pointers that stand for closures.
    fn_pointers: Vec<Ty>,
    /// References to and boxes of `dyn Trait` that something takes.
    dyn_types: Vec<Ty>,
    all_noted: HashSet<Ty>,
    /// By impl: for how many instances of its type they are, and the settings.
    impl_settings: BTreeMap<usize, (usize, Result<Vec<Setting>, SkipReason>)>,
}

impl Planner {
    /// Plans a function on everything that it was not planned on yet.
    fn function(&mut self, index: usize, function: &Function) {
        let settings = match self.settings(function) {
            Ok(settings) => settings,
            Err(reason) => {
                self.reasons[index].get_or_insert(reason);
                return;
            }
        };
        for setting in settings {
            if self.n_ops[index] >= MAX_PER_FUNCTION {
                break;
            }
            let on = setting.choice.self_ty.clone();
            if self.done[index].contains(&on) {
                continue;
            }
            self.operations(index, function, &setting, Trust::Facts);
            self.done[index].push(on);
        }
        if self.n_ops[index] > 0 || self.is_tried[index] {
            return;
        }
        // The function asks more than its impl or trait does: something is found that has both.
        self.is_tried[index] = true;
        let fitting = match function.home {
            FunctionHome::Free { .. } => None,
            FunctionHome::TraitDef { trait_idx, .. } => {
                let def = self.catalog.model.traits[trait_idx].clone();
                self.fitting_implementor(function, &def)
            }
            FunctionHome::Inherent { impl_idx } | FunctionHome::TraitImpl { impl_idx } => {
                let home = self.catalog.model.impls[impl_idx].clone();
                self.fitting_instance(function, &home)
            }
        };
        if let Some(setting) = fitting {
            self.operations(index, function, &setting, Trust::Facts);
        }
        if self.n_ops[index] == 0 {
            for setting in self.settings(function).unwrap_or_default().iter().take(2) {
                self.operations(index, function, setting, Trust::Hope);
            }
        }
    }

    /// Says why a function has no operation, or why rustc may refuse those it has.
    fn explain(&mut self, index: usize, function: &Function) {
        if self.n_ops[index] == 0 {
            let skip_reason = self.reasons[index].take().unwrap_or(SkipReason::NoReceiver);
            self.plan.skips.push(skip_reason.skip(&function.display));
        } else if let Some(reason) = self.foreign_bound_reason(function) {
            self.plan.refusal_reasons.insert(index, reason);
        }
    }

    /// A function of a dependency is raw material: no part of the API, and no loss if it cannot be called.
    fn helper(&mut self, function: &Function) {
        let n_before = self.plan.ops.len();
        for setting in self.settings(function).unwrap_or_default() {
            // Its place among the functions does not matter: it is taken back below.
            let planned = self.try_operations(0, function, &setting, Trust::Facts);
            if planned.is_err() || self.plan.ops.len() - n_before >= MAX_PER_HELPER {
                break;
            }
        }
        self.plan.ops.truncate(n_before + MAX_PER_HELPER);
        for op in &mut self.plan.ops[n_before..] {
            (op.function, op.trait_function, op.role) = (None, None, OpRole::Builtin);
            op.guards.clear();
        }
    }

    /// A bound on a trait that neither the crate nor std has: the likely cause if rustc refuses everything.
    fn foreign_bound_reason(&self, function: &Function) -> Option<SkipReason> {
        let mut bounds: Vec<&Bound> = Vec::new();
        for param in &function.generics.params {
            if let GenericParamKind::Type { bounds: inline, .. } = &param.kind {
                bounds.extend(inline);
            }
        }
        for predicate in &function.generics.predicates {
            if let provoke_model::WherePredicate::Type { bounds: more, .. } = predicate {
                bounds.extend(more);
            }
        }
        bounds.iter().find_map(|bound| {
            let Bound::Trait { trait_ref, .. } = bound else {
                return None;
            };
            let item = self.catalog.model.item(trait_ref.item);
            (!item.is_local && self.catalog.std_name(trait_ref.item).is_none())
                .then(|| SkipReason::NothingImplements(format!("{}::{}", item.crate_name, item.name)))
        })
    }

    /// All operations of one function in one setting.
    fn operations(&mut self, index: usize, function: &Function, setting: &Setting, trust: Trust) {
        let n_before = self.plan.ops.len();
        if let Err(reason) = self.try_operations(index, function, setting, trust) {
            self.reasons[index].get_or_insert(reason);
        }
        self.n_ops[index] += self.plan.ops.len() - n_before;
    }

    fn try_operations(
        &mut self,
        index: usize,
        function: &Function,
        setting: &Setting,
        trust: Trust,
    ) -> Result<(), SkipReason> {
        let signature = &function.signature;
        if signature.is_unsafe {
            return Err(SkipReason::Unsafe);
        }
        if signature.is_variadic || signature.params.len() > MAX_ARGS {
            return Err(SkipReason::ManyParameters { most: MAX_ARGS });
        }
        if signature.abi != "Rust" {
            return Err(SkipReason::CallingConvention(signature.abi.clone()));
        }
        if signature.params.iter().any(|(_, ty)| has_raw_pointer(ty)) {
            return Err(SkipReason::RawPointer);
        }
        if let Some(op) = self.formatting(index, function, setting) {
            self.push(op);
            return Ok(());
        }
        let scopes = [&setting.generics, &function.generics];
        let all = choices(&self.catalog, &scopes, &setting.choice, trust)?;
        let is_many = all.len() > MAX_PER_SETTING + 1 || has_types_by_hand(&self.catalog, &scopes, &setting.choice);
        let n_choices = if is_many { MAX_OF_FAMILY } else { MAX_PER_SETTING };
        let n_variants = signature.params.iter().map(|(_, ty)| n_variants(&self.catalog, ty)).max().unwrap_or(1);
        let mut reason = None;
        let is_free = matches!(function.home, FunctionHome::Free { .. });
        let tracked = if is_free { tracked_choice(&self.catalog, &scopes, &setting.choice) } else { None };
        for choice in all.iter().take(n_choices).chain(&tracked) {
            for variant in 0..n_variants {
                match self.operation(index, function, setting, choice, variant) {
                    Ok(op) => {
                        let is_of_api = self.catalog.model.functions.get(index).is_some_and(|it| it == function);
                        let planned = if is_of_api { self.specified(op, setting, choice) } else { vec![op] };
                        planned.into_iter().for_each(|op| self.push(op));
                    }
                    Err(why) => {
                        reason.get_or_insert(why);
                    }
                }
            }
        }
        reason.map_or(Ok(()), Err)
    }

    /// Takes down which types that users list an operation has.
    fn note_types_by_hand(&mut self, key: &str, choice: &Choice) {
        for &(item, place) in &choice.by_hand {
            let ty = &self.catalog.model.types_by_hand.of(item)[place].ty;
            // What the solver chose for an `impl Trait` gave way to the variant.
            let is_there = Renderer::absolute(&self.catalog.model).ty(ty).is_some_and(|text| key.contains(&text));
            if is_there {
                self.plan.by_hand.push((key.to_string(), item, place));
            }
        }
    }

    /// For which of the traits that bounds ask for users list this type, and where in their list.
    fn listed_as(&self, bounds: &[Bound], ty: &Ty) -> Vec<(ItemId, usize)> {
        let traits = bounds.iter().filter_map(|bound| match bound {
            Bound::Trait { trait_ref, .. } => Some(trait_ref.item),
            _ => None,
        });
        traits.filter_map(|item| Some((item, self.catalog.model.types_by_hand.place(item, ty)?))).collect()
    }

    /// Takes up what a type in a signature needs: instances of local types, closures, `dyn Trait` values.
    fn note(&mut self, ty: &Ty) {
        if !self.all_noted.insert(ty.clone()) {
            return;
        }
        self.has_new_types |= self.instances.note(&self.catalog, ty);
        if holds_dyn(ty) && is_concrete(ty) {
            self.dyn_types.push(ty.clone());
        }
        match ty {
            Ty::FnPointer { .. } if is_concrete(ty) => self.fn_pointers.push(ty.clone()),
            Ty::Path { args, .. } => crate::types::catalog::type_args(args).for_each(|ty| self.note(ty)),
            Ty::Ref { ty, .. } | Ty::Slice(ty) | Ty::Array(ty, _) => self.note(ty),
            Ty::Tuple(parts) => parts.iter().for_each(|ty| self.note(ty)),
            _ => {}
        }
    }

    fn push(&mut self, op: PlannedOp) {
        self.plan.ops.push(op);
    }
}

/// How many types are to stand for the `impl Trait` somewhere in a type: many of a family, and beside what is converted also
/// what it is converted into, which may say more.
fn n_variants(catalog: &Catalog, ty: &Ty) -> usize {
    let is_conversion = |bound: &Bound| match bound {
        Bound::Trait { trait_ref, .. } => catalog.std_name(trait_ref.item) == Some("Into"),
        _ => false,
    };
    match ty {
        Ty::ImplTrait(bounds) if is_family(catalog, bounds) => MAX_OF_FAMILY,
        Ty::ImplTrait(bounds) if bounds.iter().any(is_conversion) => MAX_PER_SETTING,
        Ty::Ref { ty, .. } => n_variants(catalog, ty),
        _ => 1,
    }
}

fn has_raw_pointer(ty: &Ty) -> bool {
    match ty {
        Ty::RawPointer { .. } => true,
        Ty::Ref { ty, .. } => has_raw_pointer(ty),
        Ty::Path { args, .. } => crate::types::catalog::type_args(args).any(has_raw_pointer),
        _ => false,
    }
}
