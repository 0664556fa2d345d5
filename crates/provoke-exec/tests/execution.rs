//! Hand-written programs, run in a real worker: what they do, what is seen of them, and in which order things die.

mod client;

use client::numbers::*;
use client::{QUIET, Worker, program, shown};
use provoke_wire::{
    Arg, Body, COMPARISON_BYTES, DEAR_BYTES, Ending, Literal, MadeText, Mode, Outcome, Panic, Phase, Program,
    RunOptions, ValueIdentity, Variant,
};

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

/// A vector of these numbers; three slots each.
fn vector(body: &mut Body, numbers: &[u8]) -> u32 {
    let vector = body.push_call(VEC_NEW, &[]);
    for n in numbers {
        let n = number(body, *n);
        body.push_call(VEC_PUSH, &[by(Mode::RefMut, vector), by(Mode::Copy, n)]);
    }
    vector
}

fn traced(build: impl FnOnce(&mut Body)) -> Outcome {
    Worker::start().run(vec![program(build)], TRACE).remove(0)
}

/// Runs a program and gives its outcome and the numbers of the loud values in the order in which they were dropped.
fn dropped(build: impl FnOnce(&mut Body)) -> (Outcome, String) {
    let log = program(|b| {
        b.push_call(LOUD_LOG, &[]);
    });
    let mut outcomes = Worker::start().run(vec![program(build), log], TRACE);
    let log = shown(&outcomes[1], 0).to_owned();
    (outcomes.remove(0), log)
}

fn places(outcome: &Outcome) -> Vec<(u32, Phase, &str)> {
    let panics = outcome.panics.iter();
    panics.map(|p: &Panic| (p.statement, p.phase, p.message.as_str())).collect()
}

#[test]
fn values_are_moved_copied_and_lent() {
    let outcome = traced(|b| {
        let v = vector(b, &[5, 6]);
        b.push_call(VEC_LEN, &[by(Mode::Ref, v)]);
        b.push_call(VEC_POP, &[by(Mode::RefMut, v)]);
        b.push_call(VEC_SUM, &[by(Mode::Move, v)]);
        let text = b.push_literal(&Literal::String("three".into()));
        b.push_call(STRING_LEN, &[by(Mode::Ref, text)]);
        let text = b.push_literal(&Literal::Str("four".into()));
        b.push_call(STR_LEN, &[by(Mode::Copy, text)]);
    });
    assert_eq!(outcome.ending, Ending::Finished);
    let texts: Vec<&str> = (5..12).map(|slot| shown(&outcome, slot)).collect();
    assert_eq!(texts, ["2", "Some(6)", "5", "\"three\"", "5", "\"four\"", "4"]);
    assert_eq!(shown(&outcome, 0), "[5]");
    assert_eq!(outcome.n_calls, 8);
}

#[test]
fn every_kind_of_literal_arrives_as_it_was_spelled() {
    let literals = [
        (Literal::Unit, "()"),
        (Literal::Bool(true), "true"),
        (Literal::Char('ß'), "'ß'"),
        (Literal::U128(u128::MAX), "340282366920938463463374607431768211455"),
        (Literal::I16(-300), "-300"),
        (Literal::Isize(-5), "-5"),
        (Literal::F32(1.5f32.to_bits()), "1.5"),
        (Literal::F64(f64::NAN.to_bits()), "NaN"),
        (Literal::Bytes(vec![0, 255]), "[0, 255]"),
    ];
    let outcome = traced(|b| {
        for (literal, _) in &literals {
            b.push_literal(literal);
        }
    });
    for (slot, (_, text)) in literals.iter().enumerate() {
        assert_eq!(shown(&outcome, slot as u32), *text);
    }
}

#[test]
fn short_texts_that_calls_return_are_told_while_comparisons_are_traced() {
    let run = |options: RunOptions| {
        let program = program(|b| {
            let text = b.push_literal(&Literal::Str(" ab ".into()));
            let trimmed = b.push_call(STR_TRIM, &[by(Mode::Copy, text)]);
            for n in [2, 200] {
                let n = number(b, n);
                b.push_call(STR_REPEAT, &[by(Mode::Copy, trimmed), by(Mode::Copy, n)]);
            }
        });
        Worker::start().run(vec![program], options).remove(0).texts
    };
    let told = |slot: u32, text: &str| MadeText { slot, text: text.into() };
    assert_eq!(run(RunOptions { comparisons: true, ..QUIET }), [told(1, "ab"), told(3, "abab")]);
    assert_eq!(run(TRACE), []);
}

#[test]
fn an_iterator_in_a_slot_is_stepped_and_dropped_before_its_vector_changes() {
    let outcome = traced(|b| {
        let v = vector(b, &[7, 8]);
        let iter = b.push_call(VEC_ITER, &[by(Mode::Ref, v)]);
        b.push_call(ITER_NEXT, &[by(Mode::RefMut, iter)]);
        b.push_call(ITER_NEXT, &[by(Mode::RefMut, iter)]);
        b.push_call(ITER_NEXT, &[by(Mode::RefMut, iter)]);
        b.push_drop(iter);
        let n = number(b, 9);
        b.push_call(VEC_PUSH, &[by(Mode::RefMut, v), by(Mode::Copy, n)]);
    });
    assert_eq!(outcome.ending, Ending::Finished);
    let texts: Vec<&str> = (6..9).map(|slot| shown(&outcome, slot)).collect();
    assert_eq!(texts, ["Some(7)", "Some(8)", "None"]);
    assert_eq!(shown(&outcome, 0), "[7, 8, 9]");
}

#[test]
fn references_in_slots_are_reborrowed_thin_and_wide() {
    let outcome = traced(|b| {
        let v = vector(b, &[3, 1]);
        let thin = b.push_call(VEC_AS_MUT, &[by(Mode::RefMut, v)]);
        let n = number(b, 2);
        b.push_call(VEC_PUSH, &[by(Mode::ReborrowMut, thin), by(Mode::Copy, n)]);
        b.push_call(VEC_LEN, &[by(Mode::Reborrow, thin)]);
        let wide = b.push_call(VEC_AS_MUT_SLICE, &[by(Mode::Move, thin)]);
        b.push_call(SLICE_SORT, &[by(Mode::ReborrowMut, wide)]);
        b.push_call(SLICE_LEN, &[by(Mode::Reborrow, wide)]);
    });
    assert_eq!(outcome.ending, Ending::Finished);
    assert_eq!(shown(&outcome, 8), "3");
    assert_eq!(shown(&outcome, 9), "[1, 2, 3]");
    assert_eq!(shown(&outcome, 11), "3");
}

#[test]
fn what_is_left_is_dropped_in_reverse_order_after_explicit_drops() {
    let (outcome, log) = dropped(|b| {
        let first = loud(b, 1);
        loud(b, 2);
        loud(b, 3);
        b.push_drop(first);
    });
    assert_eq!(outcome.ending, Ending::Finished);
    assert_eq!(log, "[1, 3, 2]");
}

#[test]
fn a_panic_ends_the_program_and_arguments_die_with_the_call() {
    let (outcome, log) = dropped(|b| {
        let n = number(b, 4);
        let moved = loud(b, 1);
        loud(b, 2);
        b.push_call(LOUD_CONSUME_AND_PANIC, &[by(Mode::Move, moved), by(Mode::Copy, n)]);
        loud(b, 3);
    });
    assert_eq!(outcome.ending, Ending::Panicked);
    assert_eq!(places(&outcome), [(5, Phase::Call, "consumed 4")]);
    let panic = &outcome.panics[0];
    assert!(panic.file.ends_with("subjects.rs") && panic.line > 0 && panic.column > 0);
    assert!(outcome.observed.is_empty());
    assert_eq!(log, "[1, 2]");
}

#[test]
fn panics_while_dropping_are_reported_and_dropping_goes_on() {
    let (outcome, log) = dropped(|b| {
        loud(b, 1);
        loud(b, 66);
        loud(b, 2);
        loud(b, 66);
    });
    assert_eq!(outcome.ending, Ending::Finished);
    let expected = [(7, Phase::Cleanup, "bad luck"), (3, Phase::Cleanup, "bad luck")];
    assert_eq!(places(&outcome), expected);
    assert_eq!(log, "[66, 2, 66, 1]");
}

#[test]
fn a_panic_in_an_explicit_drop_ends_the_program_there() {
    let (outcome, log) = dropped(|b| {
        let bad = loud(b, 66);
        b.push_drop(bad);
        loud(b, 1);
    });
    assert_eq!(outcome.ending, Ending::Panicked);
    assert_eq!(places(&outcome), [(2, Phase::Call, "bad luck")]);
    assert_eq!(log, "[66]");
}

#[test]
fn a_panic_that_the_code_under_test_catches_is_not_reported() {
    let mut worker = Worker::start();
    let one = |op| {
        program(|b: &mut Body| {
            b.push_call(op, &[]);
        })
    };
    let outcomes = worker.run(vec![one(CATCH_PANIC), one(PANIC_ON_THREAD)], QUIET);
    assert!(outcomes.iter().all(|o| o.ending == Ending::Finished && o.panics.is_empty()));
}

#[test]
fn a_panic_past_the_hook_has_its_own_message_and_no_place() {
    let one = |op| {
        program(|b: &mut Body| {
            b.push_call(op, &[]);
        })
    };
    let boom = program(|b| {
        let n = number(b, 9);
        b.push_call(PANIC, &[by(Mode::Copy, n)]);
    });
    let mut worker = Worker::start();
    let programs = vec![one(RESUME_UNSEEN), one(CATCH_THEN_RESUME), one(SET_HOOK), boom.clone()];
    let outcomes = worker.run(programs, QUIET);
    assert_eq!(places(&outcomes[0]), [(0, Phase::Call, "unseen")]);
    assert_eq!(places(&outcomes[1]), [(0, Phase::Call, "Box<dyn Any>")]);
    assert_eq!((outcomes[3].panics[0].message.as_str(), outcomes[3].panics[0].line), ("boom 9", 0));
    // The next batch has its hook again.
    let outcome = worker.run(vec![boom], QUIET).remove(0);
    assert!(outcome.panics[0].line > 0 && outcome.panics[0].backtrace.is_empty());
}

#[test]
fn a_backtrace_is_captured_when_asked_for() {
    let boom = program(|b| {
        let n = number(b, 9);
        b.push_call(PANIC, &[by(Mode::Copy, n)]);
    });
    let options = RunOptions { backtrace: true, ..QUIET };
    let outcome = Worker::start().run(vec![boom], options).remove(0);
    assert!(outcome.panics[0].backtrace.contains("sample_worker"));
}

#[test]
fn values_without_size_and_with_great_alignment_have_slots() {
    let (outcome, log) = dropped(|b| {
        let n = number(b, 1);
        b.push_call(MARKER_NEW, &[]);
        let marker = b.push_call(MARKER_NEW, &[]);
        b.push_call(MARKER_CHECK, &[by(Mode::Ref, marker)]);
        let wide = b.push_call(WIDE_NEW, &[by(Mode::Copy, n)]);
        b.push_call(WIDE_CHECK, &[by(Mode::Ref, wide)]);
    });
    assert_eq!((shown(&outcome, 3), shown(&outcome, 5)), ("true", "true"));
    assert_eq!(log, "[200, 200]");
}

fn fingerprints(program: Program, notion: ValueIdentity) -> Vec<(u32, Variant, Option<u64>)> {
    let options = RunOptions { notion, ..QUIET };
    let outcome = Worker::start().run(vec![program], options).remove(0);
    let observed = outcome.observed.iter();
    observed.map(|o| (o.slot, o.variant, o.fingerprint)).collect()
}

#[test]
fn equal_values_have_equal_fingerprints_and_only_what_was_touched_is_observed() {
    let build = |from: u32| {
        let mut program = program(|b| {
            let a = vector(b, &[1, 2]);
            let c = vector(b, &[1]);
            let n = number(b, 2);
            b.push_call(VEC_PUSH, &[by(Mode::RefMut, c), by(Mode::Copy, n)]);
            b.push_call(VEC_POP, &[by(Mode::RefMut, a)]);
            b.push_call(VEC_POP, &[by(Mode::RefMut, c)]);
            b.push_drop(n);
        });
        program.observe_from = from;
        program
    };
    let seen = fingerprints(build(10), ValueIdentity::Equality);
    let slots: Vec<(u32, Variant)> = seen.iter().map(|s| (s.0, s.1)).collect();
    use Variant::{Full, Plain};
    assert_eq!(slots, [(0, Plain), (5, Plain), (10, Full), (11, Full)]);
    assert_eq!((seen[0].2, seen[2].2), (seen[1].2, seen[3].2));
    assert_ne!(seen[0].2, seen[2].2);
    assert!(seen[0].2.is_some());
    let by_text = fingerprints(build(10), ValueIdentity::Representation);
    assert_eq!(by_text[0].2, by_text[1].2);
    assert_ne!(by_text[0].2, seen[0].2);
    assert_eq!(fingerprints(build(11), ValueIdentity::Equality).len(), 2);
    assert_eq!(fingerprints(build(10), ValueIdentity::None), []);
}

#[test]
fn what_is_lent_exclusively_is_not_observed() {
    let build = |ends_loan: bool| {
        program(|b| {
            let v = b.push_call(VEC_NEW, &[]);
            let drain = b.push_call(VEC_DRAIN, &[by(Mode::RefMut, v)]);
            if ends_loan {
                b.push_drop(drain);
            }
        })
    };
    let slots = |program| fingerprints(program, ValueIdentity::Equality).iter().map(|s| s.0).collect::<Vec<_>>();
    assert_eq!(slots(build(false)), [1]);
    assert_eq!(slots(build(true)), [0]);
}

#[test]
fn what_is_lent_to_something_that_was_moved_on_is_not_observed_either() {
    let seen = fingerprints(
        program(|b| {
            let v = b.push_call(VEC_NEW, &[]);
            let thin = b.push_call(VEC_AS_MUT, &[by(Mode::RefMut, v)]);
            b.push_call(VEC_AS_MUT_SLICE, &[by(Mode::Move, thin)]);
        }),
        ValueIdentity::Equality,
    );
    assert_eq!(seen.iter().map(|s| s.0).collect::<Vec<_>>(), [2]);
}

#[test]
fn a_value_that_cannot_be_looked_at_is_reported_and_the_others_still_are() {
    let outcome = Worker::start().run(
        vec![program(|b| {
            b.push_call(BAD_DEBUG_NEW, &[]);
            b.push_call(OPAQUE_NEW, &[]);
            b.push_call(ENDLESS_DEBUG_NEW, &[]);
            number(b, 1);
        })],
        QUIET,
    );
    let outcome = &outcome[0];
    assert_eq!(outcome.ending, Ending::Finished);
    assert_eq!(places(outcome), [(0, Phase::Observe, "bad debug")]);
    let seen: Vec<_> = outcome.observed.iter().map(|o| (o.slot, o.fingerprint.is_some())).collect();
    assert_eq!(seen, [(1, false), (2, true), (3, true)]);
}

#[test]
fn tracing_survives_bad_and_endless_text() {
    let outcome = traced(|b| {
        b.push_call(BAD_DEBUG_NEW, &[]);
        b.push_call(ENDLESS_DEBUG_NEW, &[]);
    });
    assert_eq!(shown(&outcome, 0), " (its Debug panicked)");
    assert!(shown(&outcome, 1).starts_with("endless endless") && shown(&outcome, 1).len() < 2100);
}

#[test]
fn ways_to_one_place_differ_in_their_depth_and_one_way_has_always_the_same() {
    let panicking = |n: u64| {
        program(|b| {
            let n = b.push_literal(&Literal::U64(n));
            b.push_call(PANIC_BELOW, &[by(Mode::Copy, n)]);
        })
    };
    let depths = |n: &[u64], options: RunOptions| -> Vec<u32> {
        let programs = n.iter().map(|&n| panicking(n)).collect();
        Worker::start().run(programs, options).iter().map(|outcome| outcome.panics[0].depth).collect()
    };
    let [direct, other_direct, nested, deeper] = depths(&[0, 0, 1, 2], QUIET)[..] else { panic!("four programs") };
    assert!(0 < direct && direct < nested && nested < deeper, "{direct} {nested} {deeper}");
    assert_eq!(direct, other_direct);
    // In another process, and looked at closely.
    assert_eq!(depths(&[1, 0], RunOptions { backtrace: true, ..QUIET }), [nested, direct]);
}

#[test]
fn a_built_in_that_has_nothing_to_unwrap_tells_the_same_whether_or_not_it_unwinds() {
    let unwrap_popped = program(|b| {
        let v = b.push_call(VEC_NEW, &[]);
        let popped = b.push_call(VEC_POP, &[by(Mode::RefMut, v)]);
        b.push_call(UNWRAP_POPPED, &[by(Mode::Move, popped)]);
        b.push_call(LOUD_LOG, &[]);
    });
    let unwrap_refused = |n: u8| {
        program(|b| {
            let n = number(b, n);
            let refused = b.push_call(REFUSE_LOUDLY, &[by(Mode::Copy, n)]);
            b.push_call(UNWRAP_LOUD, &[by(Mode::Move, refused)]);
        })
    };
    let log = program(|b| {
        b.push_call(LOUD_LOG, &[]);
    });
    let programs = [unwrap_popped, unwrap_refused(5), unwrap_refused(66), log];
    let run = |options: RunOptions| {
        let mut outcomes = Worker::start().run(programs.to_vec(), options);
        for outcome in &mut outcomes {
            outcome.comparisons.clear();
            outcome.texts.clear();
            for panic in &mut outcome.panics {
                // It says how deep std was in its own code.
                panic.depth = 0;
                panic.backtrace.clear();
            }
        }
        outcomes
    };
    let quiet = run(RunOptions { notion: ValueIdentity::Equality, ..QUIET });
    assert_eq!(quiet, run(RunOptions { notion: ValueIdentity::Equality, comparisons: true, ..QUIET }));
    let messages: Vec<&str> = quiet[..3].iter().map(|outcome| outcome.panics[0].message.as_str()).collect();
    let nothing = "called `Option::unwrap()` on a `None` value";
    assert_eq!(messages, [nothing, nothing, "bad luck"]);
    assert!(quiet[..3].iter().all(|outcome| outcome.ending == Ending::Panicked && outcome.panics.len() == 1));
}

#[test]
fn the_cost_of_a_program_is_its_own_and_does_not_depend_on_what_ran_before() {
    let reserve = |n: u64| {
        program(|b| {
            b.push_literal(&Literal::Str(format!("text {n}")));
            let n = b.push_literal(&Literal::Usize(n));
            b.push_call(HOG, &[by(Mode::Copy, n)]);
        })
    };
    let mut worker = Worker::start();
    let costs = |outcomes: Vec<Outcome>| outcomes.iter().map(|o| o.cost).collect::<Vec<_>>();
    assert_eq!(costs(worker.run(vec![reserve(1000), reserve(0), reserve(5)], QUIET)), [1000, 0, 5]);
    assert_eq!(costs(worker.run(vec![reserve(1000)], QUIET)), [1000]);
}

#[test]
fn comparisons_cost_something_and_many_make_a_program_dear_traced_or_not() {
    let comparing = |counts: &[u64]| {
        program(|b| {
            for &count in counts {
                let count = b.push_literal(&Literal::Usize(count));
                b.push_call(COMPARE, &[by(Mode::Copy, count)]);
            }
        })
    };
    let dear = DEAR_BYTES / COMPARISON_BYTES;
    let programs = [&[10, dear - 11][..], &[10, dear - 10, dear], &[3 * dear + 5], &[0]].map(comparing);
    let expected = [(dear - 1, None), (2 * dear, Some(3)), (3 * dear + 5, Some(1)), (0, None)];
    let expected = expected.map(|(count, dear)| (COMPARISON_BYTES * count, dear));
    let mut worker = Worker::start();
    for comparisons in [false, true] {
        let outcomes = worker.run(programs.to_vec(), RunOptions { comparisons, ..QUIET });
        let costs: Vec<(u64, Option<u32>)> = outcomes.iter().map(|o| (o.cost, o.dear)).collect();
        assert_eq!(costs, expected, "{comparisons}");
        assert_eq!(outcomes[0].comparisons.is_empty(), !comparisons);
    }
}

#[test]
fn the_statement_in_which_a_program_becomes_dear_is_told() {
    let reserving = |sizes: &[u64]| {
        program(|b| {
            for &size in sizes {
                let size = b.push_literal(&Literal::Usize(size));
                b.push_call(HOG, &[by(Mode::Copy, size)]);
            }
        })
    };
    let mut worker = Worker::start();
    let programs = [&[1000, DEAR_BYTES, DEAR_BYTES][..], &[1000], &[DEAR_BYTES / 2, DEAR_BYTES / 2, 1]].map(reserving);
    let dear: Vec<Option<u32>> = worker.run(programs.to_vec(), QUIET).iter().map(|o| o.dear).collect();
    assert_eq!(dear, [Some(3), None, Some(5)]);
}
