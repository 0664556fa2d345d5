//! Nested bodies, run in a real worker: parameters, captures, results, recursion and refusals.

mod client;

use client::numbers::*;
use client::{QUIET, Worker, program, shown};
use provoke_wire::{Arg, Body, Ending, Literal, Mode, Outcome, Phase, Refusal, RunOptions};

const TRACE: RunOptions = RunOptions { trace: true, ..QUIET };

fn by(mode: Mode, slot: u32) -> Arg {
    Arg::new(slot, mode)
}

fn number(body: &mut Body, n: u8) -> u32 {
    body.push_literal(&Literal::U8(n))
}

fn loud(body: &mut Body, n: u8) -> u32 {
    let n = number(body, n);
    body.push_call(LOUD_NEW, &[by(Mode::Copy, n)])
}

fn body(n_params: u32, n_captures: u32, build: impl FnOnce(&mut Body) -> Option<Arg>) -> Body {
    let mut body = Body { n_params, n_captures, ..Body::default() };
    body.result = build(&mut body);
    body
}

/// Runs a program and gives its outcome and the numbers of the loud values in the order in which they were dropped.
fn run(build: impl FnOnce(&mut Body)) -> (Outcome, String) {
    let log = program(|b| {
        b.push_call(LOUD_LOG, &[]);
    });
    let mut outcomes = Worker::start().run(vec![program(build), log], TRACE);
    let log = shown(&outcomes[1], 0).to_owned();
    (outcomes.remove(0), log)
}

fn refusal(outcome: &Outcome) -> Option<Refusal> {
    assert_eq!(outcome.ending, Ending::Panicked);
    Refusal::from_message(&outcome.panics[0].message)
}

#[test]
fn a_body_gets_parameters_and_returns_a_result() {
    let (outcome, _) = run(|b| {
        let v = b.push_call(VEC_NEW, &[]);
        for n in 1..6 {
            let n = number(b, n);
            b.push_call(VEC_PUSH, &[by(Mode::RefMut, v), by(Mode::Copy, n)]);
        }
        let is_odd = body(1, 0, |b| {
            let odd = b.push_call(IS_ODD, &[by(Mode::Copy, 0)]);
            Some(by(Mode::Move, odd))
        });
        let cb = b.push_callback(is_odd, &[]);
        b.push_call(RETAIN, &[by(Mode::RefMut, v), by(Mode::Copy, cb)]);
    });
    assert_eq!(outcome.ending, Ending::Finished);
    assert_eq!(shown(&outcome, 0), "[1, 3, 5]");
    // The constructor, five pushes, retain and its five calls.
    assert_eq!(outcome.n_calls, 12);
}

#[test]
fn captures_are_lent_shared_lent_exclusively_copied_and_moved() {
    let (outcome, log) = run(|b| {
        let v = b.push_call(VEC_NEW, &[]);
        let text = b.push_literal(&Literal::String("abc".into()));
        let n = number(b, 5);
        let moved = loud(b, 9);
        let nested = body(0, 4, |b| {
            b.push_call(STRING_LEN, &[by(Mode::Ref, 1)]);
            b.push_call(VEC_PUSH, &[by(Mode::RefMut, 0), by(Mode::Copy, 2)]);
            let one = b.push_call(ONE, &[]);
            let sum = b.push_call(ADD, &[by(Mode::Copy, 2), by(Mode::Copy, one)]);
            Some(by(Mode::Copy, sum))
        });
        let captures = [by(Mode::RefMut, v), by(Mode::Ref, text), by(Mode::Copy, n), by(Mode::Move, moved)];
        let cb = b.push_callback(nested, &captures);
        let sum = b.push_call(CALL_TWICE, &[by(Mode::Copy, cb)]);
        assert_eq!(sum, 6);
        loud(b, 8);
        b.push_drop(cb);
        b.push_call(VEC_POP, &[by(Mode::RefMut, v)]);
    });
    assert_eq!(outcome.ending, Ending::Finished);
    assert_eq!(shown(&outcome, 6), "12");
    assert_eq!(shown(&outcome, 0), "[5]");
    // The captured value dies with its callback, before what is dropped at the end.
    assert_eq!(log, "[9, 8]");
}

#[test]
fn a_slot_lent_to_a_living_callback_is_not_observed() {
    let (outcome, _) = run(|b| {
        let v = b.push_call(VEC_NEW, &[]);
        b.push_callback(body(0, 1, |_| None), &[by(Mode::RefMut, v)]);
    });
    assert_eq!(outcome.observed.iter().map(|o| o.slot).collect::<Vec<_>>(), [1]);
}

#[test]
fn parameters_and_locals_die_when_the_body_returns_and_captures_at_the_end() {
    let (outcome, log) = run(|b| {
        let param = loud(b, 1);
        let captured = loud(b, 2);
        let nested = body(1, 1, |b| {
            loud(b, 3);
            loud(b, 4);
            None
        });
        let cb = b.push_callback(nested, &[by(Mode::Move, captured)]);
        b.push_call(CALL_WITH_LOUD, &[by(Mode::Move, cb), by(Mode::Move, param)]);
        loud(b, 5);
    });
    assert_eq!(outcome.ending, Ending::Finished);
    assert_eq!(log, "[4, 3, 1, 5, 2]");
}

#[test]
fn a_result_is_moved_out_before_the_rest_dies() {
    let (outcome, log) = run(|b| {
        let nested = body(0, 0, |b| {
            loud(b, 1);
            let result = loud(b, 2);
            loud(b, 3);
            Some(by(Mode::Move, result))
        });
        let cb = b.push_callback(nested, &[]);
        b.push_call(CALL_RETURNING_LOUD, &[by(Mode::Copy, cb)]);
    });
    assert_eq!(shown(&outcome, 1), "Loud(2)");
    assert_eq!(log, "[3, 1, 2]");
}

#[test]
fn a_body_that_moves_its_capture_out_works_once() {
    let (outcome, log) = run(|b| {
        let captured = loud(b, 2);
        let nested = body(0, 1, |b| {
            b.push_drop(0);
            let one = number(b, 1);
            Some(by(Mode::Copy, one))
        });
        let cb = b.push_callback(nested, &[by(Mode::Move, captured)]);
        b.push_call(CALL_NO_ARGS, &[by(Mode::Copy, cb)]);
        loud(b, 3);
        b.push_call(CALL_NO_ARGS, &[by(Mode::Copy, cb)]);
    });
    assert_eq!(refusal(&outcome), Some(Refusal::CallbackConsumed));
    assert_eq!(outcome.panics[0].statement, 6);
    assert_eq!(log, "[2, 3]");
}

#[test]
fn a_callback_calls_another_and_itself() {
    let (outcome, _) = run(|b| {
        let inner = body(1, 1, |b| {
            let sum = b.push_call(ADD, &[by(Mode::Copy, 0), by(Mode::Copy, 1)]);
            Some(by(Mode::Move, sum))
        });
        let ten = number(b, 10);
        let inner = b.push_callback(inner, &[by(Mode::Copy, ten)]);
        let outer = body(0, 1, |b| {
            let four = number(b, 4);
            let sum = b.push_call(CALL_U8, &[by(Mode::Copy, 0), by(Mode::Copy, four)]);
            let again = b.push_call(CALL_U8, &[by(Mode::Copy, 0), by(Mode::Copy, sum)]);
            Some(by(Mode::Copy, again))
        });
        let outer = b.push_callback(outer, &[by(Mode::Copy, inner)]);
        b.push_call(CALL_NO_ARGS, &[by(Mode::Copy, outer)]);
        let recursive = body(2, 0, |b| {
            let n = b.push_call(CALL_WITH_ITSELF, &[by(Mode::Copy, 0), by(Mode::Copy, 1)]);
            Some(by(Mode::Move, n))
        });
        let recursive = b.push_callback(recursive, &[]);
        let depth = number(b, 200);
        b.push_call(CALL_WITH_ITSELF, &[by(Mode::Copy, recursive), by(Mode::Copy, depth)]);
    });
    assert_eq!(outcome.ending, Ending::Finished);
    assert_eq!(shown(&outcome, 3), "24");
    assert_eq!(shown(&outcome, 6), "200");
}

#[test]
fn a_callback_made_inside_a_body_works_until_the_body_returns() {
    let (outcome, log) = run(|b| {
        let outer = body(0, 0, |b| {
            let captured = loud(b, 7);
            let inner = body(0, 1, |b| {
                let one = b.push_call(ONE, &[]);
                Some(by(Mode::Copy, one))
            });
            let inner = b.push_callback(inner, &[by(Mode::Move, captured)]);
            let n = b.push_call(CALL_TWICE, &[by(Mode::Copy, inner)]);
            Some(by(Mode::Move, n))
        });
        let outer = b.push_callback(outer, &[]);
        b.push_call(CALL_TWICE, &[by(Mode::Copy, outer)]);
    });
    assert_eq!(shown(&outcome, 1), "4");
    assert_eq!(log, "[7, 7]");
}

#[test]
fn recursion_without_end_uses_up_the_budget() {
    let (outcome, _) = run(|b| {
        let endless = body(1, 0, |b| {
            let n = b.push_call(CALL_WITHOUT_END, &[by(Mode::Copy, 0)]);
            Some(by(Mode::Move, n))
        });
        let endless = b.push_callback(endless, &[]);
        b.push_call(CALL_WITHOUT_END, &[by(Mode::Copy, endless)]);
    });
    assert_eq!(refusal(&outcome), Some(Refusal::CallbackBudget));
}

#[test]
fn a_call_on_another_thread_unwinds_there() {
    let (outcome, _) = run(|b| {
        let one = body(0, 0, |b| {
            let one = number(b, 1);
            Some(by(Mode::Copy, one))
        });
        let cb = b.push_callback(one, &[]);
        b.push_call(CALL_ON_THREAD, &[by(Mode::Copy, cb)]);
    });
    assert_eq!(outcome.ending, Ending::Finished);
    assert_eq!((shown(&outcome, 1), outcome.panics.len()), ("true", 0));
}

#[test]
fn a_kept_callback_can_be_called_until_its_slot_is_dropped() {
    let (outcome, _) = run(|b| {
        let one = body(0, 0, |b| {
            let one = number(b, 1);
            Some(by(Mode::Copy, one))
        });
        let cb = b.push_callback(one, &[]);
        let kept = b.push_call(KEEP_CALLBACK, &[by(Mode::Copy, cb)]);
        b.push_call(CALL_KEPT, &[by(Mode::Ref, kept)]);
        b.push_drop(cb);
        b.push_call(CALL_KEPT, &[by(Mode::Ref, kept)]);
    });
    assert_eq!(refusal(&outcome), Some(Refusal::CallbackGone));
    assert_eq!(shown(&outcome, 2), "1");
}

#[test]
fn a_panic_in_a_body_cleans_its_frame_and_comes_before_panics_of_the_cleaning() {
    let (outcome, log) = run(|b| {
        loud(b, 1);
        let nested = body(0, 0, |b| {
            loud(b, 2);
            loud(b, 66);
            loud(b, 3);
            let n = number(b, 5);
            let result = b.push_call(PANIC, &[by(Mode::Copy, n)]);
            Some(by(Mode::Copy, result))
        });
        let cb = b.push_callback(nested, &[]);
        b.push_call(CALL_NO_ARGS, &[by(Mode::Copy, cb)]);
    });
    assert_eq!(outcome.ending, Ending::Panicked);
    let panics: Vec<_> = outcome.panics.iter().map(|p| (p.statement, p.phase, p.message.as_str())).collect();
    assert_eq!(panics, [(3, Phase::Call, "boom 5"), (3, Phase::Cleanup, "bad luck")]);
    assert!(outcome.panics.iter().all(|p| p.line > 0));
    assert_eq!(log, "[3, 66, 2, 1]");
}

#[test]
fn a_panic_in_a_body_can_be_caught_by_the_code_under_test() {
    let (outcome, log) = run(|b| {
        let nested = body(0, 0, |b| {
            loud(b, 2);
            let n = number(b, 5);
            let result = b.push_call(PANIC, &[by(Mode::Copy, n)]);
            Some(by(Mode::Copy, result))
        });
        let cb = b.push_callback(nested, &[]);
        b.push_call(CALL_CAUGHT, &[by(Mode::Copy, cb)]);
        loud(b, 3);
    });
    assert_eq!((outcome.ending, outcome.panics.len()), (Ending::Finished, 0));
    assert_eq!(shown(&outcome, 1), "true");
    assert_eq!(log, "[2, 3]");
}

#[test]
fn a_panic_while_a_returning_body_is_cleaned_unwinds_and_drops_the_result() {
    let (outcome, log) = run(|b| {
        let nested = body(0, 0, |b| {
            let result = loud(b, 2);
            loud(b, 66);
            Some(by(Mode::Move, result))
        });
        let cb = b.push_callback(nested, &[]);
        b.push_call(CALL_RETURNING_LOUD, &[by(Mode::Copy, cb)]);
    });
    assert_eq!(outcome.ending, Ending::Panicked);
    assert_eq!((outcome.panics.len(), outcome.panics[0].message.as_str()), (1, "bad luck"));
    assert_eq!(log, "[66, 2]");
}

#[test]
fn captures_that_panic_when_their_callback_ends_are_reported_at_its_statement() {
    let (outcome, log) = run(|b| {
        let bad = loud(b, 66);
        let good = loud(b, 1);
        let captures = [by(Mode::Move, bad), by(Mode::Move, good)];
        let cb = b.push_callback(body(0, 2, |_| None), &captures);
        b.push_call(CALL_UNIT, &[by(Mode::Copy, cb)]);
    });
    assert_eq!(outcome.ending, Ending::Finished);
    assert_eq!((outcome.panics[0].statement, outcome.panics[0].phase), (4, Phase::Cleanup));
    assert_eq!(log, "[66, 1]");
}
