//! proptest-state-machine with its usual sequential runner. The reference state is empty, the
//! cheapest there can be: what is not legal is skipped when it would be called.

use std::marker::PhantomData;

use proptest::prelude::{BoxedStrategy, Just, Strategy};
use proptest::test_runner::{Config, TestRunner};
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};

use crate::Deadline;
use crate::subject::{Subject, counted_call, n_counted_calls};

/// The longest sequence; the same as for quickcheck.
const MAX_LEN: usize = 20;

pub fn run<S: Subject>(deadline: Deadline) -> u64 {
    let config = Config {
        cases: 256,
        failure_persistence: None,
        ..Config::default()
    };
    let strategy = Reference::<S>::sequential_strategy(1..=MAX_LEN);
    while !deadline.is_over() {
        let mut runner = TestRunner::new(config.clone());
        let result = runner.run(&strategy, |(initial, transitions, seen_counter)| {
            Machine::<S>::test_sequential(config.clone(), initial, transitions, seen_counter);
            Ok(())
        });
        assert!(result.is_ok(), "only legal uses are made: {result:?}");
    }
    n_counted_calls()
}

struct Reference<S>(PhantomData<S>);

impl<S: Subject> ReferenceStateMachine for Reference<S> {
    type State = ();
    type Transition = S::Op;

    fn init_state() -> BoxedStrategy<()> {
        Just(()).boxed()
    }

    fn transitions(_: &()) -> BoxedStrategy<S::Op> {
        S::strategy()
    }

    fn apply(state: (), _: &S::Op) {
        state
    }
}

struct Machine<S>(PhantomData<S>);

impl<S: Subject> StateMachineTest for Machine<S> {
    type SystemUnderTest = S;
    type Reference = Reference<S>;

    fn init_test(_: &()) -> S {
        S::default()
    }

    fn apply(mut subject: S, _: &(), op: S::Op) -> S {
        counted_call(&mut subject, &op);
        subject
    }
}
