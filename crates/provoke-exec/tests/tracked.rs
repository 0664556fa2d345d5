//! What tracked elements notice, run in a real worker.

mod client;

use client::numbers::*;
use client::{QUIET, Worker, program};
use provoke_wire::{Arg, Body, Ending, Fault, FaultKind, Literal, Mode, Phase, Program};

fn made(body: &mut Body) -> u32 {
    let number = body.push_literal(&Literal::U8(1));
    body.push_call(TRACKED_NEW, &[Arg::new(number, Mode::Copy)])
}

fn by_ref(slot: u32) -> Arg {
    Arg::new(slot, Mode::Ref)
}

fn by_move(slot: u32) -> Arg {
    Arg::new(slot, Mode::Move)
}

fn faults(programs: Vec<Program>) -> Vec<Option<Fault>> {
    Worker::start().run(programs, QUIET).into_iter().map(|outcome| outcome.fault).collect()
}

fn fault(build: impl FnOnce(&mut Body)) -> Option<Fault> {
    faults(vec![program(build)]).remove(0)
}

fn found(kind: FaultKind, statement: u32, phase: Phase) -> Option<Fault> {
    Some(Fault { kind, statement, phase })
}

#[test]
fn elements_that_live_and_die_once_say_nothing() {
    let seen = fault(|b| {
        let (one, other) = (made(b), made(b));
        b.push_call(TRACKED_EQUAL, &[by_ref(one), by_ref(other)]);
        b.push_drop(one);
    });
    assert_eq!(seen, None);
}

#[test]
fn a_second_drop_is_noticed_where_it_happens() {
    let explicit = fault(|b| {
        let one = made(b);
        let twin = b.push_call(TRACKED_DUPLICATE, &[by_ref(one)]);
        b.push_drop(one);
        b.push_drop(twin);
    });
    assert_eq!(explicit, found(FaultKind::DoubleDrop, 4, Phase::Call));
    let in_the_end = fault(|b| {
        let one = made(b);
        b.push_call(TRACKED_DUPLICATE, &[by_ref(one)]);
    });
    // The last slot is dropped first, so it is the first element that dies again.
    assert_eq!(in_the_end, found(FaultKind::DoubleDrop, 1, Phase::Cleanup));
}

#[test]
fn memory_that_never_was_an_element_is_neither_dropped_nor_used() {
    let dropped = fault(|b| {
        b.push_call(TRACKED_ZEROED, &[]);
    });
    assert_eq!(dropped, found(FaultKind::DoubleDrop, 0, Phase::Cleanup));
    let used = fault(|b| {
        let nothing = b.push_call(TRACKED_ZEROED, &[]);
        b.push_call(TRACKED_EQUAL, &[by_ref(nothing), by_ref(nothing)]);
    });
    assert_eq!(used, found(FaultKind::UseAfterDrop, 1, Phase::Call));
}

#[test]
fn a_use_after_the_drop_is_noticed_and_what_follows_is_not() {
    let seen = fault(|b| {
        let one = made(b);
        let twin = b.push_call(TRACKED_DUPLICATE, &[by_ref(one)]);
        b.push_drop(one);
        b.push_call(TRACKED_EQUAL, &[by_ref(twin), by_ref(twin)]);
    });
    assert_eq!(seen, found(FaultKind::UseAfterDrop, 4, Phase::Call));
}

#[test]
fn what_is_alive_in_the_end_has_leaked_unless_a_panic_came_between() {
    let forget = |b: &mut Body| {
        let one = made(b);
        b.push_call(TRACKED_FORGET, &[by_move(one)]);
    };
    let panic = program(|b| {
        forget(b);
        let number = b.push_literal(&Literal::U8(3));
        b.push_call(PANIC, &[Arg::new(number, Mode::Copy)]);
    });
    let outcomes = Worker::start().run(vec![program(forget), panic, program(|_| ())], QUIET);
    assert_eq!(outcomes[0].fault, found(FaultKind::Leak, 1, Phase::Call));
    assert_eq!((outcomes[1].ending, outcomes[1].fault), (Ending::Panicked, None));
    assert_eq!(outcomes[2].fault, None);
}

#[test]
fn an_element_of_an_earlier_program_is_nobodys_fault() {
    let keep = || {
        program(|b| {
            let one = made(b);
            b.push_call(TRACKED_KEEP, &[by_move(one)]);
        })
    };
    // Each but the first drops an element of the one before.
    let leak = found(FaultKind::Leak, 1, Phase::Call);
    assert_eq!(faults(vec![keep(), keep(), keep()]), [leak, leak, leak]);
}

#[test]
fn elements_may_die_on_another_thread() {
    let seen = fault(|b| {
        let one = made(b);
        b.push_call(TRACKED_ON_THREAD, &[by_move(one)]);
    });
    assert_eq!(seen, None);
}

#[test]
fn more_elements_than_can_be_tracked_are_plain_values() {
    let many = || {
        program(|b| {
            let n = b.push_literal(&Literal::Usize(10_000));
            b.push_call(TRACKED_MANY, &[Arg::new(n, Mode::Copy)]);
        })
    };
    assert_eq!(faults(vec![many(), many()]), [None, None]);
}
