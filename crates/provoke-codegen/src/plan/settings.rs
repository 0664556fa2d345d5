//! A setting: what a function is called on, with all parameters of its impl or trait chosen.

use provoke_model::{
    Bound, Function, FunctionHome, GenericArg, GenericParam, GenericParamKind, Generics, Impl, TraitDef, TraitRef, Ty,
};

use crate::plan::Planner;
use crate::types::choose::choices;
use crate::types::instances::{expanded, shortened};
use crate::types::render::Renderer;
use crate::types::skip_reason::SkipReason;
use crate::types::solve::{Trust, implementors, solve, solve_for, solve_trusting};
use crate::types::subst::{Choice, Substitution, is_concrete};

/// What a function is called on: the impl or trait it lives in, with its parameters chosen.
#[derive(Clone)]
pub(super) struct Setting {
    pub choice: Choice,
    /// The type as the impl declares it, with its lifetimes.
    pub declared_self: Option<Ty>,
    pub trait_ref: Option<TraitRef>,
    pub generics: Generics,
}

impl Planner {
    /// The impl instances or implementors to try, or why there are none.
    pub(super) fn settings(&mut self, function: &Function) -> Result<Vec<Setting>, SkipReason> {
        match &function.home {
            FunctionHome::Free { .. } => Ok(vec![Setting {
                choice: Choice::default(),
                declared_self: None,
                trait_ref: None,
                generics: Generics::default(),
            }]),
            FunctionHome::Inherent { impl_idx } | FunctionHome::TraitImpl { impl_idx } => self.impl_settings(*impl_idx),
            FunctionHome::TraitDef { trait_idx, .. } => {
                let def = self.catalog.model.traits[*trait_idx].clone();
                let item = self.catalog.model.item(def.item).clone();
                if item.path.is_none() {
                    return Err(SkipReason::Unnameable);
                }
                let mut settings = Vec::new();
                let wanted = TraitRef { item: def.item, args: Vec::new() };
                for implementor in implementors(&self.catalog, &wanted, 3) {
                    for implemented in self.trait_refs(&implementor, def.item) {
                        let place = self.catalog.model.types_by_hand.place(def.item, &implementor);
                        let by_hand = place.map(|place| (def.item, place)).into_iter().collect();
                        let mut choice = Choice { self_ty: Some(implementor.clone()), by_hand, ..Choice::default() };
                        let params = def.generics.params.iter().filter(|p| !p.name.starts_with('\''));
                        let args = crate::types::catalog::type_args(&implemented.args);
                        for (param, arg) in params.zip(args) {
                            choice.types.insert(param.name.clone(), arg.clone());
                        }
                        settings.push(Setting {
                            choice,
                            declared_self: Some(implementor.clone()),
                            trait_ref: Some(implemented),
                            generics: def.generics.clone(),
                        });
                    }
                }
                if settings.is_empty() {
                    return Err(SkipReason::NoImplementor(item.name));
                }
                settings.truncate(3);
                Ok(settings)
            }
        }
    }

    /// With which trait arguments a type implements a trait of the target.
    fn trait_refs(&self, ty: &Ty, trait_item: provoke_model::ItemId) -> Vec<TraitRef> {
        let mut found: Vec<TraitRef> = Vec::new();
        for candidate in &self.catalog.model.impls {
            let Some(trait_ref) = candidate.trait_ref.as_ref().filter(|t| t.item == trait_item) else {
                continue;
            };
            let mut choice = Choice::default();
            if !crate::types::subst::unify(&candidate.for_ty, ty, &mut choice) {
                continue;
            }
            let applied = choice.apply_trait(trait_ref);
            if !found.contains(&applied) {
                found.push(applied);
            }
        }
        found.truncate(2);
        found
    }

    /// All settings of an impl. Worked out once for all its functions, and again when its type has new instances.
    pub(super) fn impl_settings(&mut self, impl_idx: usize) -> Result<Vec<Setting>, SkipReason> {
        let home = self.catalog.model.impls[impl_idx].clone();
        let n_instances = self.instances.of(&self.catalog, &home.for_ty).len();
        if let Some((known_for, known)) = self.impl_settings.get(&impl_idx)
            && *known_for == n_instances
        {
            return known.clone();
        }
        let found = self.find_settings(&home);
        self.impl_settings.insert(impl_idx, (n_instances, found.clone()));
        found
    }

    fn find_settings(&mut self, home: &Impl) -> Result<Vec<Setting>, SkipReason> {
        if let Some(trait_ref) = &home.trait_ref
            && self.catalog.model.item(trait_ref.item).path.is_none()
        {
            return Err(SkipReason::Unnameable);
        }
        let mut found: Vec<Setting> = Vec::new();
        let instances = self.instances.of(&self.catalog, &home.for_ty);
        // `impl Graph<N, E>` is about the default of what it leaves out.
        let for_ty = expanded(&self.catalog, &home.for_ty);
        // What is sure goes before what may be, and instances that are there before new ones.
        for trust in [Trust::Facts, Trust::Hope] {
            for instance in &instances {
                let whole = expanded(&self.catalog, instance);
                for profile in 0..2 {
                    let solved = solve_for(&self.catalog, &home.generics, &for_ty, &whole, profile, trust);
                    if let Some(mut choice) = solved {
                        choice.self_ty = Some(instance.clone());
                        self.add_setting(home, choice, &mut found);
                    }
                }
            }
            if !found.is_empty() {
                return Ok(found);
            }
            // No instance has what this impl asks for: one is made that does.
            for profile in 0..3 {
                let solved = solve_trusting(&self.catalog, &[&home.generics], &Choice::default(), profile, trust);
                let Some(mut choice) = solved else { continue };
                let self_ty = shortened(&self.catalog, &choice.apply(&home.for_ty));
                if is_concrete(&self_ty) {
                    self.has_new_types |= self.instances.demand(&self.catalog, &self_ty);
                    choice.self_ty = Some(self_ty);
                    self.add_setting(home, choice, &mut found);
                }
            }
            if !found.is_empty() {
                return Ok(found);
            }
        }
        match choices(&self.catalog, &[&home.generics], &Choice::default(), Trust::Hope) {
            Ok(_) => Err(SkipReason::Unnameable),
            Err(skip_reason) => Err(skip_reason),
        }
    }

    /// An instance that has what the impl and the function ask for.
    pub(super) fn fitting_instance(&mut self, function: &Function, home: &Impl) -> Option<Setting> {
        let as_declared = Choice { self_ty: Some(home.for_ty.clone()), ..Choice::default() };
        let scopes = [&home.generics, &function.generics].map(|generics| as_declared.apply_generics(generics));
        let scopes: Vec<&Generics> = scopes.iter().collect();
        let mut choice = solve_trusting(&self.catalog, &scopes, &Choice::default(), 0, Trust::Facts)?;
        let self_ty = shortened(&self.catalog, &choice.apply(&home.for_ty));
        let keeps = |name: &String| home.generics.params.iter().any(|p| p.name == *name);
        choice.types.retain(|name, _| keeps(name));
        choice.consts.retain(|name, _| keeps(name));
        choice.self_ty = Some(self_ty.clone());
        self.has_new_types |= self.instances.demand(&self.catalog, &self_ty);
        let mut found = Vec::new();
        self.add_setting(home, choice, &mut found);
        found.pop()
    }

    /// A type that has what the trait and its method ask of `Self`.
    pub(super) fn fitting_implementor(&mut self, function: &Function, def: &TraitDef) -> Option<Setting> {
        const SELF: &str = "Self of the trait";
        let as_param = Choice { self_ty: Some(Ty::Param(SELF.to_string())), ..Choice::default() };
        let own = def.generics.params.iter().filter(|p| !p.name.starts_with('\''));
        let args = own.map(|p| match p.kind {
            GenericParamKind::Const { .. } => GenericArg::Const(p.name.clone()),
            _ => GenericArg::Type(Ty::Param(p.name.clone())),
        });
        let trait_ref = TraitRef { item: def.item, args: args.collect() };
        let bound = Bound::Trait { trait_ref: trait_ref.clone(), maybe: false, higher_ranked: Vec::new() };
        let mut scope = Generics::default();
        scope.params.push(GenericParam {
            name: SELF.to_string(),
            kind: GenericParamKind::Type { bounds: vec![bound], default: None, is_synthetic: false },
        });
        let scopes = [&scope, &def.generics, &function.generics].map(|generics| as_param.apply_generics(generics));
        let scopes: Vec<&Generics> = scopes.iter().collect();
        let mut choice = solve(&self.catalog, &scopes, &Choice::default(), 0)?;
        let self_ty = choice.types.remove(SELF)?;
        let keeps = |name: &String| def.generics.params.iter().any(|p| p.name == *name);
        choice.types.retain(|name, _| keeps(name));
        choice.consts.retain(|name, _| keeps(name));
        choice.self_ty = Some(self_ty.clone());
        Some(Setting {
            trait_ref: Some(choice.apply_trait(&trait_ref)),
            choice,
            declared_self: Some(self_ty),
            generics: def.generics.clone(),
        })
    }

    /// Adds a setting if its type can be named and it is new.
    fn add_setting(&self, home: &Impl, choice: Choice, found: &mut Vec<Setting>) {
        let is_known = found.iter().any(|setting| setting.choice == choice);
        let can_be_named =
            choice.self_ty.as_ref().is_some_and(|ty| Renderer::absolute(&self.catalog.model).ty(ty).is_some());
        if !is_known && can_be_named {
            found.push(Setting {
                trait_ref: home.trait_ref.as_ref().map(|t| choice.apply_trait(t)),
                choice,
                declared_self: Some(home.for_ty.clone()),
                generics: home.generics.clone(),
            });
        }
    }
}
