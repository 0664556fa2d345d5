//! A small set of programs that together show what all exemplars show.

use std::collections::BTreeSet;

use provoke_wire::{Body, StatementKind};

use crate::api::Api;
use crate::program::order::compare;
use crate::regression::exemplars::{Exemplar, ExemplarWay, Exemplars, Goal, functions_of};

/// Chooses at most `max` exemplars, greedily: always the one that adds most, and the simplest of those.
pub fn cover(api: &Api, exemplars: &Exemplars, max: usize) -> Vec<Exemplar> {
    let all = exemplars.all();
    let reached: Vec<BTreeSet<Goal>> = all.iter().map(|e| goals_of(api, e.goal, &e.program.main)).collect();
    let mut left: BTreeSet<Goal> = reached.iter().flatten().copied().collect();
    let mut chosen: Vec<usize> = Vec::new();
    while chosen.len() < max {
        let n_new = |index: usize| reached[index].intersection(&left).count();
        let best = (0..all.len()).filter(|&index| n_new(index) > 0).min_by(|&a, &b| {
            let by_use = n_new(b).cmp(&n_new(a));
            by_use.then_with(|| compare(&all[a].program, &all[b].program)).then_with(|| all[a].goal.cmp(&all[b].goal))
        });
        let Some(best) = best else { break };
        left.retain(|goal| !reached[best].contains(goal));
        chosen.push(best);
    }
    chosen.sort_unstable();
    chosen.into_iter().map(|index| all[index].clone()).collect()
}

/// Which tests are needed, given the goal that each was chosen for and its body: what is behind one, observers for example,
/// may show what another was chosen for.
pub fn needed_tests(api: &Api, tests: &[(Goal, &Body)]) -> Vec<bool> {
    let reached: Vec<BTreeSet<Goal>> = tests.iter().map(|(goal, body)| goals_of(api, *goal, body)).collect();
    let mut is_needed = vec![true; tests.len()];
    // The simplest say least, so they go first.
    let mut order: Vec<usize> = (0..tests.len()).collect();
    order.sort_by_key(|&place| (tests[place].1.n_calls(), tests[place].1.statements.len(), place));
    for place in order {
        let others: BTreeSet<Goal> = (0..tests.len())
            .filter(|&other| other != place && is_needed[other])
            .flat_map(|other| reached[other].iter().copied())
            .collect();
        is_needed[place] = !reached[place].is_subset(&others);
    }
    is_needed
}

/// All that a test shows. One of a panic shows nothing else: whatever goes wrong before it would pass for it.
pub fn goals_of(api: &Api, goal: Goal, body: &Body) -> BTreeSet<Goal> {
    let mut goals = BTreeSet::from([goal]);
    if goal.way == ExemplarWay::Panicked {
        return goals;
    }
    for statement in body.statements.iter().filter(|s| s.kind == StatementKind::Call) {
        let functions = functions_of(&api.ops[statement.op as usize]);
        goals.extend(functions.map(|function| Goal { function, way: ExemplarWay::Returned }));
    }
    goals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::sample;

    fn chosen(max: usize, programs: &[&str]) -> Vec<String> {
        let api = sample::api();
        let mut exemplars = Exemplars::new(&vec![true; api.functions.len()]);
        for text in programs {
            let body = sample::body(&api, text);
            exemplars.returned(&api, &body, 0, body.statements.len() as u32, &[]);
        }
        let line = |exemplar: Exemplar| sample::print(&api, &exemplar.program.main).trim_end().replace('\n', "; ");
        cover(&api, &exemplars, max).into_iter().map(line).collect()
    }

    #[test]
    fn what_an_observer_shows_needs_no_test_of_its_own() {
        let api = sample::api();
        let mut exemplars = Exemplars::new(&vec![true; api.functions.len()]);
        for text in ["x = make; touch &mut x", "x = make; look &x"] {
            let body = sample::body(&api, text);
            exemplars.returned(&api, &body, 0, 2, &[]);
        }
        let goals: Vec<Goal> = cover(&api, &exemplars, 100).iter().map(|exemplar| exemplar.goal).collect();
        let needed = |texts: [&str; 2]| {
            let bodies = texts.map(|text| sample::body(&api, text));
            let tests: Vec<(Goal, &Body)> = goals.iter().copied().zip(&bodies).collect();
            needed_tests(&api, &tests)
        };
        let look = "x = make; look &x";
        assert_eq!(needed([look, "x = make; touch &mut x; look &x"]), [false, true]);
        assert_eq!(needed([look, "x = make; touch &mut x"]), [true, true]);
    }

    #[test]
    fn one_program_stands_for_all_functions_that_it_calls() {
        assert_eq!(
            chosen(100, &["x = make; touch &mut x; look &x", "x = make; take x"]),
            ["s0 = make; s1 = take s0", "s0 = make; s1 = touch &mut s0; s2 = look &s0"]
        );
    }

    #[test]
    fn the_most_useful_come_first_where_not_all_fit() {
        assert_eq!(
            chosen(1, &["x = make; touch &mut x; look &x", "x = make; take x"]),
            ["s0 = make; s1 = touch &mut s0; s2 = look &s0"]
        );
    }

    #[test]
    fn a_documented_panic_has_a_test_of_its_own() {
        let mut api = sample::api();
        for function in &mut api.functions {
            function.documents_panics = true;
        }
        let mut exemplars = Exemplars::new(&vec![true; api.functions.len()]);
        let body = sample::body(&api, "x = make; look &x");
        exemplars.returned(&api, &body, 0, 2, &[]);
        exemplars.panicked(&api, &body, 1);
        let ways: Vec<ExemplarWay> = cover(&api, &exemplars, 100).iter().map(|exemplar| exemplar.goal.way).collect();
        assert_eq!(ways, [ExemplarWay::Returned, ExemplarWay::Panicked]);
    }
}
