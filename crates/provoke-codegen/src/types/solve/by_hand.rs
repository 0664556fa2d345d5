//! Types that users list for a trait go before all that the solver would take by itself.

use provoke_model::{TraitRef, Ty};

use crate::types::facts::TraitFacts;
use crate::types::solve::{Solver, State};

impl Solver<'_> {
    /// The states in which a type implements a trait, best first.
    pub(super) fn alternatives(
        &mut self,
        ty: &Ty,
        trait_ref: &TraitRef,
        higher_ranked: &[String],
        depth: u32,
        state: &State,
    ) -> Vec<State> {
        let catalog = self.catalog;
        let listed = catalog.model.types_by_hand.of(trait_ref.item);
        if listed.is_empty() {
            return self.alternatives_by_facts(ty, trait_ref, higher_ranked, depth, state);
        }
        let ty = self.normal(ty, state);
        let Ty::Param(variable) = &ty else {
            let whole = self.deep(&ty, state);
            let mut found = self.alternatives_by_facts(&ty, trait_ref, higher_ranked, depth, state);
            if let Some(place) = catalog.model.types_by_hand.place(trait_ref.item, &whole) {
                found.iter_mut().for_each(|state| _ = state.by_hand.insert((trait_ref.item, place)));
            }
            return found;
        };
        let mut found = Vec::new();
        for nth in 0..listed.len() {
            let place = (self.profile + nth) % listed.len();
            let by_hand = &listed[place].ty;
            let mut next = state.clone();
            next.bind(variable, by_hand.clone());
            next.by_hand.insert((trait_ref.item, place));
            let met = self.alternatives_by_facts(by_hand, trait_ref, higher_ranked, depth, &next);
            if met.is_empty() && !self.knows_all_impls(catalog.trait_facts(trait_ref.item), by_hand) {
                // The user may know better: rustc will tell.
                found.push(next);
            }
            found.extend(met);
        }
        // Where other bounds rule out all of them, something else is better than nothing.
        found.extend(self.alternatives_by_facts(&ty, trait_ref, higher_ranked, depth, state));
        found
    }

    /// Whether a type that no fact gives a trait lacks it for sure: one of both is the target's own.
    fn knows_all_impls(&self, facts: TraitFacts<'_>, ty: &Ty) -> bool {
        let is_local = |ty: &Ty| matches!(ty, Ty::Path { item, .. } if self.catalog.model.item(*item).is_local);
        facts.is_local || is_local(ty)
    }
}
