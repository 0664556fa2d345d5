use std::path::Path;

use provoke_model::Model;

use crate::types::solve::failures::FEW_STEPS;
use crate::types::solve::*;

/// A crate with a trait that is implemented for a number, and for wrappers around everything that has it in very many ways.
fn model_of_wrappers() -> Model {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../provoke-model/testdata/bounds.json");
    let mut model = provoke_model::read(&std::fs::read_to_string(fixture).unwrap()).unwrap();
    let is_wrapper = |found: &&provoke_model::Impl| {
        let of_walk = found.trait_ref.as_ref().is_some_and(|of| model.item(of.item).name == "Walk");
        of_walk && matches!(&found.for_ty, Ty::Path { item, .. } if model.item(*item).name == "Reversed")
    };
    let wrapper = model.impls.iter().find(is_wrapper).cloned().unwrap();
    model.impls.extend(vec![wrapper; 30]);
    model
}

/// `W: Walk<Step = Option<Option<Option<str>>>>`, which nothing has, as shows only when three wrappers are stacked.
fn hopeless(model: &Model) -> Generics {
    let mut generics = twice(model).clone();
    for param in &mut generics.params {
        let GenericParamKind::Type { bounds, .. } = &mut param.kind else { continue };
        for bound in bounds {
            let Bound::Trait { trait_ref: TraitRef { args, .. }, .. } = bound else { continue };
            let [GenericArg::Equality { ty: step, .. }] = &mut args[..] else { continue };
            let Ty::Path { item: option, .. } = *step else { continue };
            let wrap = |ty, _| Ty::Path { item: option, args: vec![GenericArg::Type(ty)] };
            *step = (0..3).fold(primitive("str"), wrap);
        }
    }
    generics
}

/// `W: Walk<Step = Option<i64>>`
fn twice(model: &Model) -> &Generics {
    &model.functions.iter().find(|function| function.display == "bounds::twice").unwrap().generics
}

/// How many steps a question takes, with a taste.
fn n_steps(catalog: &Catalog, generics: &Generics, profile: usize) -> u32 {
    let mut solver = Solver::new(catalog, profile, Trust::Facts);
    assert_eq!(attempt(&mut solver, &[generics], &Choice::default(), None), None);
    solver.n_steps
}

#[test]
fn a_question_with_many_impls_stays_within_its_budget_and_is_gone_into_once() {
    let model = model_of_wrappers();
    let generics = hopeless(&model);
    let catalog = Catalog::new(&model);
    let taken = [0, 0, 1, 1, 2].map(|profile| n_steps(&catalog, &generics, profile));
    assert_eq!(taken, [MAX_STEPS, 0, FEW_STEPS, 0, FEW_STEPS]);
}

#[test]
fn every_loop_over_impls_looks_at_the_budget() {
    let model = model_of_wrappers();
    let generics = hopeless(&model);
    for max_steps in [1, 2, 3, 10, 40, 100] {
        let catalog = Catalog::new(&model);
        let mut solver = Solver::new(&catalog, 0, Trust::Facts);
        let state = State { goals: goals_of(&generics, 0).into_iter().map(Rc::new).collect(), ..State::default() };
        solver.max_steps = max_steps;
        assert!(solver.search(state).is_none());
        assert_eq!(solver.n_steps, max_steps);
        // Each step makes up names for one impl at most; what else there is was looked at and left.
        assert!(solver.n_fresh <= max_steps, "{} of {max_steps}", solver.n_fresh);
    }
}

#[test]
fn what_has_an_answer_is_answered_after_a_failure_as_before() {
    let model = model_of_wrappers();
    let catalog = Catalog::new(&model);
    n_steps(&catalog, &hopeless(&model), 0);
    let [before, after] =
        [Catalog::new(&model), catalog].map(|catalog| solve(&catalog, &[twice(&model)], &Choice::default(), 0));
    assert!(before.is_some());
    assert_eq!(before, after);
}
