//! A worker as a process: what it says of itself, how it dies, and what it draws from outside.

mod client;

use client::numbers::*;
use client::{QUIET, Worker, program, run_alone, shown};
use provoke_wire::{
    Abilities, Arg, Body, COMPARISON_BYTES, LastWords, Literal, LiteralKind, Mode, Outcome, Phase, Program, RunOptions,
    Shape, TypeInfo,
};

const TRACE: RunOptions = RunOptions { trace: true, ..QUIET };

fn one(op: u32) -> Program {
    program(|b: &mut Body| {
        b.push_call(op, &[]);
    })
}

fn with_literal(op: u32, literal: Literal) -> Program {
    program(|b: &mut Body| {
        let slot = b.push_literal(&literal);
        b.push_call(op, &[Arg::new(slot, Mode::Move)]);
    })
}

#[test]
fn started_by_hand_it_says_what_it_is() {
    let output = run_alone();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "this is a worker of Provoke; cargo provoke starts it\n");
}

#[test]
fn the_table_describes_operations_and_types() {
    let table = Worker::start().describe();
    let place = |name: &str| {
        let found = table.types.iter().position(|t| t.name == name);
        found.unwrap_or_else(|| panic!("{name} among {:?}", table.types)) as u32
    };
    let info = |name: &str| -> &TypeInfo { &table.types[place(name) as usize] };
    let vector = place("alloc::vec::Vec<u8>");
    assert_eq!(vector, 0);
    let push = &table.ops[VEC_PUSH as usize];
    assert_eq!(push.args, [place("&mut alloc::vec::Vec<u8>"), place("u8")]);
    assert_eq!(push.result, place("()"));
    assert_eq!(info("&mut alloc::vec::Vec<u8>").shape, Shape::RefMut(vector));
    assert_eq!(info("&alloc::vec::Vec<u8>").shape, Shape::Ref(vector));
    assert_eq!(info("&str").shape, Shape::Plain);
    assert_eq!(info("core::option::Option<u8>").shape, Shape::Option(place("u8")));
    assert_eq!(info("core::result::Result<u8, &str>").shape, Shape::Result(place("u8"), place("&str")));
    let sample = info("sample_worker::subjects::Wide");
    assert_eq!((sample.size, sample.align), (256, 256));
    let can = |name: &str, ability| info(name).abilities.has(ability);
    assert!(can("sample_worker::subjects::Loud", Abilities::PROBED));
    assert!(can("sample_worker::subjects::Loud", Abilities::NEEDS_DROP));
    assert!(!can("sample_worker::subjects::Loud", Abilities::CLONE));
    assert!(!can("sample_worker::subjects::Opaque", Abilities::PROBED));
    assert!(can("core::slice::iter::Iter<'_, u8>", Abilities::ITERATOR));
    assert!(!can("alloc::rc::Rc<u8>", Abilities::SEND));
    assert!(!can("f32", Abilities::EQ) && can("f32", Abilities::COPY));
    for kind in LiteralKind::ALL {
        let made = table.types.iter().filter(|t| t.literal == Some(kind as u32));
        assert_eq!(made.count(), 1, "{kind:?}");
    }
}

#[test]
fn an_abort_is_found_at_its_program_and_statement() {
    let mut worker = Worker::start();
    let fatal = program(|b| {
        b.push_call(ONE, &[]);
        b.push_call(ABORT, &[]);
    });
    assert_eq!(worker.try_run(vec![one(ONE), fatal, one(ONE)], QUIET), None);
    let death = worker.death();
    assert_eq!(death.signal, Some(6));
    let page = death.page;
    assert_eq!((page.program, page.statement, page.phase), (1, 1, Phase::Call));
    assert_eq!((page.last_words, page.n_started), (LastWords::None, 2));
}

#[test]
fn an_exit_and_a_stack_overflow_are_deaths_too() {
    let mut worker = Worker::start();
    assert_eq!(worker.try_run(vec![with_literal(EXIT, Literal::I32(3))], QUIET), None);
    let death = worker.death();
    assert_eq!((death.code, death.page.statement), (Some(3), 1));
    let mut worker = Worker::start();
    assert_eq!(worker.try_run(vec![with_literal(OVERFLOW_STACK, Literal::U64(0))], QUIET), None);
    let death = worker.death();
    assert_eq!(death.signal, Some(6));
    assert!(death.stderr.contains("overflowed its stack"), "{}", death.stderr);
}

#[test]
fn a_stack_that_overflows_is_put_down_if_that_is_asked_for() {
    let overflow = || vec![with_literal(OVERFLOW_STACK, Literal::U64(0))];
    for (stack, n_frames) in [(false, 0), (true, 768)] {
        let mut worker = Worker::start();
        assert_eq!(worker.try_run(overflow(), RunOptions { stack, ..QUIET }), None);
        let death = worker.death();
        assert_eq!((death.signal, death.stack.len()), (Some(6), n_frames));
        assert!(death.stderr.contains("overflowed its stack"), "{}", death.stderr);
    }
}

#[test]
fn a_signal_that_the_code_under_test_sends_does_what_it_does_elsewhere() {
    for signal in [10, provoke_wire::STACK_SIGNAL] {
        let mut worker = Worker::start();
        assert_eq!(worker.try_run(vec![with_literal(RAISE, Literal::I32(signal))], QUIET), None);
        assert_eq!(worker.death().signal, Some(signal));
    }
}

#[test]
fn a_worker_that_is_asked_in_time_says_where_it_is() {
    let stack = Worker::start().stack_in(with_literal(SPIN, Literal::U64(0)));
    assert!((3..256).contains(&stack.len()), "{stack:?}");
    assert!(stack.iter().filter(|offset| **offset != 0).count() > 2, "{stack:?}");
}

#[test]
fn too_much_memory_leaves_last_words() {
    let mut worker = Worker::start();
    let modest = with_literal(HOG, Literal::Usize(60 << 20));
    assert!(worker.try_run(vec![modest.clone(), modest], QUIET).is_some());
    assert_eq!(worker.try_run(vec![with_literal(HOG, Literal::Usize(65 << 20))], QUIET), None);
    let death = worker.death();
    assert_eq!(death.code, Some(77));
    assert_eq!((death.page.last_words, death.page.statement), (LastWords::MemoryExhausted, 1));
}

#[test]
fn a_program_of_wrong_types_is_refused_before_it_can_do_harm() {
    let wrong = [
        with_literal(VEC_SUM, Literal::U8(1)),
        with_literal(u32::MAX >> 8, Literal::U8(1)),
        one(PANIC),
        program(|b| {
            let v = b.push_call(VEC_NEW, &[]);
            b.push_call(VEC_SUM, &[Arg::new(v, Mode::Move)]);
            b.push_call(VEC_LEN, &[Arg::new(v, Mode::Ref)]);
        }),
        program(|b| {
            let v = b.push_call(VEC_NEW, &[]);
            b.push_call(VEC_SUM, &[Arg::new(v, Mode::Copy)]);
        }),
    ];
    for program in wrong {
        let mut worker = Worker::start();
        assert_eq!(worker.try_run(vec![program.clone()], QUIET), None, "{program:?}");
        let death = worker.death();
        assert_eq!((death.code, death.page.last_words), (Some(70), LastWords::ProtocolError));
        assert!(death.stderr.starts_with("provoke worker: "), "{}", death.stderr);
    }
}

#[test]
fn nonsense_ends_the_worker_and_a_closed_pipe_does_so_quietly() {
    let mut worker = Worker::start();
    worker.send(&[200, 1, 2]);
    let death = worker.death();
    assert_eq!((death.code, death.page.last_words), (Some(70), LastWords::ProtocolError));
    let mut worker = Worker::start();
    worker.run(vec![one(ONE)], QUIET);
    let death = worker.death();
    assert_eq!((death.code, death.stderr.as_str()), (Some(0), ""));
}

fn outside() -> Vec<Program> {
    [HASH_ORDER, DATE, UPTIME, RAW_RANDOM, HASH_ORDER].map(one).to_vec()
}

fn texts(outcomes: &[Outcome]) -> Vec<String> {
    outcomes.iter().map(|outcome| shown(outcome, 0).to_owned()).collect()
}

#[test]
fn random_keys_and_clocks_follow_from_the_entropy_of_the_batch() {
    let mut worker = Worker::start();
    let first = texts(&worker.run(outside(), TRACE));
    worker.run(vec![one(HASH_ORDER), one(DATE)], TRACE);
    let later = texts(&worker.run(outside(), TRACE));
    assert_eq!(first, later, "what ran before must not matter");
    let elsewhere = texts(&Worker::start().run(outside(), TRACE));
    assert_eq!(first, elsewhere);
    let other = RunOptions { entropy: 2, ..TRACE };
    let others = texts(&worker.run(outside(), other));
    assert!(first.iter().zip(&others).all(|(a, b)| a != b), "{first:?} {others:?}");
    assert_ne!(first[0], first[4], "two maps of one program differ in their keys");
}

#[test]
fn sleeping_and_waiting_still_work() {
    let programs = [SLEEP_ADVANCES, WAIT_TIMES_OUT, RECEIVE_IN_TIME, PARK_TIMES_OUT].map(one);
    let outcomes = Worker::start().run(programs.to_vec(), TRACE);
    assert_eq!(texts(&outcomes), ["true"; 4]);
}

#[test]
fn sleeping_costs_what_the_program_asked_for_however_long_it_took() {
    let sleep = || Worker::start().run(vec![one(SLEEP_ADVANCES)], QUIET).remove(0);
    let (outcome, again) = (sleep(), sleep());
    let three_milliseconds = 3_000_000 * COMPARISON_BYTES;
    assert!((three_milliseconds..three_milliseconds + 1000).contains(&outcome.cost), "{}", outcome.cost);
    assert_eq!(outcome.dear, Some(0));
    assert_eq!(again.cost, outcome.cost);
}
