//! The pool against a worker that misbehaves on demand. What each operation number means is in `stand_in/bin.rs`.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use provoke_engine::Executor;
use provoke_host::{GARBLED_EXIT, Pool, PoolOptions};
use provoke_wire::{Batch, BatchReport, Ending, Outcome, Phase, Program, RunOptions, WatchedEdges};
use tempfile::TempDir;

const STAND_IN: &str = env!("CARGO_BIN_EXE_stand-in");

const OK: u32 = 0;
const ABORT: u32 = 1;
const LOOP: u32 = 2;
const SLEEP: u32 = 3;
const EXIT: u32 = 4;
const FLOOD: u32 = 5;
const GARBAGE: u32 = 6;
const EXHAUST: u32 = 7;
const OVERFLOW: u32 = 8;
const SLOW: u32 = 9;
const FORK: u32 = 10;
const SEGFAULT: u32 = 11;
const CLOSE: u32 = 12;
const HUGE: u32 = 13;
const REDIRECT: u32 = 14;
const KILL: u32 = 15;
const WHO: u32 = 16;
const MOMENT: u32 = 17;
const TRUNCATE: u32 = 18;
const NAPS: u32 = 19;
const SOME_NAPS: u32 = 20;

const OPTIONS: RunOptions = RunOptions::QUIET;

struct Fixture {
    pool: Pool,
    interrupt: Arc<AtomicBool>,
    scratch: TempDir,
}

fn start(jobs: usize) -> Fixture {
    let scratch = tempfile::tempdir().unwrap();
    let mut options = PoolOptions::new(scratch.path().join("workers"));
    options.jobs = jobs;
    options.call_limit = Duration::from_millis(60);
    let interrupt = options.interrupt.clone();
    let (pool, _) = Pool::start(Path::new(STAND_IN), &options).unwrap();
    Fixture { pool, interrupt, scratch }
}

impl Fixture {
    /// Every worker, and whatever it forked, has the scratch directory as its working directory.
    fn processes(&self) -> Vec<i32> {
        let scratch = fs::canonicalize(self.scratch.path()).unwrap();
        let is_here = |entry: &fs::DirEntry| {
            fs::read_link(entry.path().join("cwd")).is_ok_and(|directory| directory.starts_with(&scratch))
        };
        let all = fs::read_dir("/proc").unwrap().flatten().filter(is_here);
        all.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
    }

    fn n_processes(&self) -> usize {
        self.processes().len()
    }
}

fn program(ops: &[u32]) -> Program {
    let mut program = Program::default();
    for &op in ops {
        program.main.push_call(op, &[]);
    }
    program
}

fn batch(number: u64, programs: &[&[u32]]) -> Batch {
    Batch { number, options: OPTIONS, programs: programs.iter().map(|ops| program(ops)).collect(), news: Vec::new() }
}

fn run(pool: &mut Pool, batch: Batch) -> BatchReport {
    pool.submit(batch).unwrap();
    pool.receive(&|| false).unwrap().unwrap().1
}

fn endings(report: &BatchReport) -> Vec<Ending> {
    report.outcomes.iter().map(|outcome| outcome.ending).collect()
}

fn signal(statement: u32, signal: i32) -> Ending {
    Ending::Signal { statement, phase: Phase::Call, signal }
}

fn exit(statement: u32, code: i32) -> Ending {
    Ending::Exit { statement, phase: Phase::Call, code }
}

#[test]
fn a_death_costs_one_program_and_names_its_statement() {
    let mut fixture = start(1);
    let programs: &[&[u32]] =
        &[&[OK], &[OK, OK, ABORT], &[OK, OK], &[EXIT], &[OK, SEGFAULT, OK], &[EXHAUST], &[OK, OVERFLOW], &[OK, OK, OK]];
    let report = run(&mut fixture.pool, batch(7, programs));
    let phase = Phase::Call;
    let expected = [
        Ending::Finished,
        signal(2, libc::SIGABRT),
        Ending::Finished,
        exit(0, 3),
        signal(1, libc::SIGSEGV),
        Ending::MemoryExhausted { statement: 0, phase },
        Ending::StackOverflow { statement: 1, phase },
        Ending::Finished,
    ];
    assert_eq!(report.number, 7);
    assert_eq!(endings(&report), expected);
    assert_eq!(report.outcomes[7].n_calls, 3);
    assert_eq!(report.outcomes[0].observed.len(), 1);
    assert!(report.outcomes[6].last_output.contains("overflowed"));
    assert_eq!(fixture.pool.restarts(), 5);
}

#[test]
fn a_worker_cannot_take_the_shared_page_away() {
    let mut fixture = start(1);
    let report = run(&mut fixture.pool, batch(0, &[&[OK, TRUNCATE, OK], &[OK, ABORT]]));
    assert_eq!(endings(&report), [Ending::Finished, signal(1, libc::SIGABRT)]);
}

#[test]
fn an_endless_loop_and_an_endless_sleep_time_out_and_a_slow_program_does_not() {
    let mut fixture = start(2);
    let programs: &[&[u32]] = &[&[OK, LOOP], &[OK, SLOW], &[OK], &[SLEEP], &[OK, OK]];
    let report = run(&mut fixture.pool, batch(0, programs));
    let timed_out = |statement| Ending::TimedOut { statement, phase: Phase::Call };
    let expected = [timed_out(1), Ending::Finished, Ending::Finished, timed_out(0), Ending::Finished];
    assert_eq!(endings(&report), expected);
    assert_eq!(report.outcomes[1].n_calls, 2);
}

#[test]
fn a_loop_that_sleeps_times_out_as_one_that_spins_does_and_the_pool_knows_what_takes_long() {
    let mut fixture = start(1);
    let report = run(&mut fixture.pool, batch(0, &[&[SOME_NAPS], &[OK, NAPS], &[OK]]));
    let timed_out = Ending::TimedOut { statement: 1, phase: Phase::Call };
    assert_eq!(endings(&report), [Ending::Finished, timed_out, Ending::Finished]);
    assert_eq!(fixture.pool.longest_occupied_by(), Some(NAPS));
}

#[test]
fn reports_are_the_same_and_in_order_with_any_number_of_workers() {
    let all = |jobs: usize| -> Vec<(Batch, BatchReport)> {
        let mut fixture = start(jobs);
        for number in 0..40u64 {
            let op = if number % 5 == 0 { ABORT } else { OK };
            let late = if number % 7 == 0 { EXIT } else { OK };
            fixture.pool.submit(batch(number, &[&[OK, op], &[OK], &[OK, OK, late], &[OK; 4]])).unwrap();
        }
        let reports = (0..40).map(|_| fixture.pool.receive(&|| false).unwrap().unwrap()).collect();
        assert_eq!(fixture.pool.restarts(), 14);
        reports
    };
    let alone = all(1);
    let numbers: Vec<u64> = alone.iter().map(|(_, report)| report.number).collect();
    assert_eq!(numbers, (0..40).collect::<Vec<u64>>());
    assert_eq!(alone, all(3));
}

#[test]
fn a_flood_of_output_neither_blocks_a_worker_nor_is_kept() {
    let mut fixture = start(1);
    let report = run(&mut fixture.pool, batch(0, &[&[FLOOD], &[FLOOD, ABORT], &[OK]]));
    let expected = [Ending::Finished, signal(1, libc::SIGABRT), Ending::Finished];
    assert_eq!(endings(&report), expected);
    let output = &report.outcomes[1].last_output;
    assert!(output.ends_with("the end") && output.len() <= 32 * 1024);
}

#[test]
fn nonsense_from_a_worker_is_laid_at_the_door_of_the_program_that_makes_it() {
    let mut fixture = start(1);
    for culprit in [GARBAGE, REDIRECT, HUGE] {
        let programs: &[&[u32]] = &[&[OK], &[OK], &[OK, culprit], &[OK], &[OK, OK]];
        let report = run(&mut fixture.pool, batch(0, programs));
        let mut expected = [Ending::Finished; 5];
        expected[2] = exit(1, GARBLED_EXIT);
        assert_eq!(endings(&report), expected, "operation {culprit}");
    }
}

#[test]
fn a_death_after_the_last_program_is_not_blamed_on_the_last_program() {
    let mut fixture = start(1);
    let programs: &[&[u32]] = &[&[OK], &[OK, CLOSE], &[OK], &[OK, OK]];
    let report = run(&mut fixture.pool, batch(0, programs));
    let mut expected = [Ending::Finished; 4];
    expected[1] = signal(1, libc::SIGABRT);
    assert_eq!(endings(&report), expected);
    assert_eq!(report.outcomes[3].n_calls, 2);
}

#[test]
fn each_program_runs_fresh_and_outcomes_keep_their_order() {
    let mut fixture = start(2);
    let lengths = [3, 1, 2, 5, 4];
    let mut programs: Vec<Program> = lengths.iter().map(|&n| program(&vec![OK; n])).collect();
    programs.push(program(&[ABORT]));
    let outcomes = fixture.pool.run_fresh(&programs, OPTIONS).unwrap();
    let calls: Vec<u32> = outcomes.iter().map(|outcome| outcome.n_calls).collect();
    assert_eq!(calls, [3, 1, 2, 5, 4, 0]);
    assert_eq!(outcomes[5].ending, signal(0, libc::SIGABRT));
    assert_eq!(fixture.pool.restarts(), 0);
    assert!(fixture.pool.run_fresh(&[], OPTIONS).unwrap().is_empty());
    assert_eq!(run(&mut fixture.pool, batch(1, &[&[OK]])).outcomes.len(), 1);
}

#[test]
fn a_worker_that_asks_for_renewal_is_replaced_without_counting() {
    let mut fixture = start(1);
    let many: Vec<&[u32]> = vec![&[OK]; 60];
    for number in 0..3 {
        let report = run(&mut fixture.pool, batch(number, &many));
        assert!(!report.wants_renewal);
        assert_eq!(report.outcomes.len(), 60);
    }
    assert_eq!(fixture.pool.restarts(), 0);
}

/// Which process ran the only statement.
fn who(outcome: &Outcome) -> Option<u64> {
    outcome.observed[0].fingerprint
}

#[test]
fn workers_are_renewed_for_what_is_submitted_afterwards_and_only_then() {
    let mut fixture = start(2);
    let lanes = |fixture: &mut Fixture| -> Vec<Option<u64>> {
        (0..8).map(|number| who(&run(&mut fixture.pool, batch(number, &[&[WHO]])).outcomes[0])).collect()
    };
    let aside = |fixture: &mut Fixture| who(&fixture.pool.run_warm(vec![program(&[WHO])], OPTIONS).unwrap()[0]);
    let (first, first_aside) = (lanes(&mut fixture), aside(&mut fixture));
    assert_eq!((lanes(&mut fixture), aside(&mut fixture)), (first.clone(), first_aside));
    fixture.pool.renew_workers();
    let second = lanes(&mut fixture);
    assert!(second.iter().all(|process| !first.contains(process)), "{first:?} {second:?}");
    assert_eq!((lanes(&mut fixture), aside(&mut fixture)), (second.clone(), first_aside));
    fixture.pool.renew_warm();
    assert_ne!(aside(&mut fixture), first_aside);
    assert_eq!(lanes(&mut fixture), second);
    assert_eq!(fixture.pool.restarts(), 0);
}

#[test]
fn a_worker_that_somebody_kills_costs_nothing_and_one_that_kills_itself_is_told() {
    let mut fixture = start(2);
    let report = run(&mut fixture.pool, batch(0, &[&[OK], &[OK, KILL], &[OK]]));
    assert_eq!(endings(&report), [Ending::Finished, signal(1, libc::SIGKILL), Ending::Finished]);
    let alone = fixture.pool.run_fresh(&[program(&[KILL])], OPTIONS).unwrap();
    assert_eq!(alone[0].ending, signal(0, libc::SIGKILL));

    for number in 1..4 {
        fixture.pool.submit(batch(number, &[&[MOMENT][..]; 5])).unwrap();
    }
    for _ in 0..4 {
        let mut victims = Vec::new();
        while victims.is_empty() {
            victims = fixture.processes();
        }
        std::thread::sleep(Duration::from_millis(15));
        victims.iter().for_each(|id| unsafe {
            libc::kill(*id, libc::SIGKILL);
        });
    }
    for _ in 1..4 {
        let (_, report) = fixture.pool.receive(&|| false).unwrap().unwrap();
        assert_eq!(endings(&report), [Ending::Finished; 5]);
    }
    assert!(fixture.pool.restarts() > 3);
}

#[test]
fn an_empty_batch_has_an_empty_report() {
    let mut fixture = start(1);
    assert!(run(&mut fixture.pool, batch(3, &[])).outcomes.is_empty());
    assert!(fixture.pool.receive(&|| false).is_err());
}

#[test]
fn no_process_is_left_when_the_pool_is_dropped() {
    let mut fixture = start(2);
    run(&mut fixture.pool, batch(0, &[&[FORK], &[OK]]));
    fixture.pool.submit(batch(1, &[&[LOOP]])).unwrap();
    fixture.pool.submit(batch(2, &[&[FORK], &[SLEEP]])).unwrap();
    while fixture.n_processes() < 2 {
        std::thread::yield_now();
    }
    let Fixture { pool, interrupt, scratch } = fixture;
    drop(pool);
    let (pool, _) = Pool::start(Path::new(STAND_IN), &PoolOptions::new(scratch.path().join("other"))).unwrap();
    let fixture = Fixture { pool, interrupt, scratch };
    // Orphans of a killed group are reaped by whoever adopted them, which may take a moment; what is left must be none.
    while fixture.n_processes() > 0 {
        std::thread::yield_now();
    }
}

#[test]
fn whoever_waits_for_a_batch_can_be_told_that_it_is_over() {
    let mut fixture = start(1);
    fixture.pool.submit(batch(0, &[&[SLEEP]])).unwrap();
    assert_eq!(fixture.pool.receive(&|| true), Ok(None));
}

#[test]
fn without_patience_the_first_limit_counts() {
    let mut fixture = start(1);
    let options = RunOptions { patience: 0, ..OPTIONS };
    // Slow programs come back when they have a second chance.
    let outcomes = fixture.pool.run_fresh(&[program(&[SLOW])], options).unwrap();
    assert!(matches!(outcomes[0].ending, Ending::TimedOut { statement: 0, .. }));
    let report = run(&mut fixture.pool, Batch { options, ..batch(0, &[&[SLOW], &[OK]]) });
    assert!(matches!(endings(&report)[..], [Ending::TimedOut { .. }, Ending::Finished]));
}

#[test]
fn every_worker_hears_of_what_is_known_up_to_its_batch_and_of_no_more() {
    for jobs in 1..=3 {
        let scratch = tempfile::tempdir().unwrap();
        let mut options = PoolOptions::new(scratch.path().join("workers"));
        (options.jobs, options.watch) = (jobs, Some(Arc::new(WatchedEdges::new(&[true; 40]))));
        let (mut pool, _) = Pool::start(Path::new(STAND_IN), &options).unwrap();
        let counting = RunOptions { coverage: true, ..OPTIONS };
        // More than there are lanes, and all of them lose their workers now and then.
        for number in 0..30 {
            let programs: &[&[u32]] = if number % 3 == 0 { &[&[OK], &[ABORT], &[OK]] } else { &[&[OK], &[OK]] };
            let news = vec![number as u32, 100 + number as u32];
            pool.submit(Batch { options: counting, news, ..batch(number, programs) }).unwrap();
        }
        for number in 0..30 {
            let report = pool.receive(&|| false).unwrap().unwrap().1;
            let heard: Vec<u32> = (0..=number).collect();
            for outcome in report.outcomes.iter().filter(|outcome| outcome.ending == Ending::Finished) {
                assert_eq!(outcome.edges, heard, "batch {number} of {jobs} jobs");
            }
        }
        // Whoever asks aside is told all that a program reaches, and only if it wants to.
        for options in [counting, OPTIONS] {
            assert!(pool.run_fresh(&[program(&[OK])], options).unwrap()[0].edges.is_empty());
            assert!(pool.run_warm(vec![program(&[OK])], options).unwrap()[0].edges.is_empty());
        }
    }
}

#[test]
fn an_interrupt_ends_waiting() {
    let mut fixture = start(1);
    fixture.pool.submit(batch(0, &[&[SLEEP]])).unwrap();
    fixture.interrupt.store(true, Ordering::Relaxed);
    assert_eq!(fixture.pool.receive(&|| false).unwrap_err().0, "interrupted");
    let again = fixture.pool.run_fresh(&[program(&[OK])], OPTIONS);
    assert_eq!(again.unwrap_err().0, "interrupted");
}

#[test]
fn a_program_that_is_no_worker_is_an_error_and_not_a_hang() {
    let scratch = tempfile::tempdir().unwrap();
    let options = PoolOptions::new(scratch.path().join("workers"));
    for executable in ["/bin/true", "/no/such/file"] {
        let Err(error) = Pool::start(Path::new(executable), &options) else {
            panic!("`{executable}` is no worker");
        };
        assert!(error.0.contains("worker"), "{error}");
    }
}

#[test]
fn outcomes_of_a_batch_do_not_depend_on_what_ran_before() {
    let mut fixture = start(1);
    let programs: &[&[u32]] = &[&[OK, FLOOD, ABORT], &[OK]];
    let first = run(&mut fixture.pool, batch(0, programs));
    run(&mut fixture.pool, batch(0, &[&[FLOOD], &[FLOOD]]));
    let second = run(&mut fixture.pool, batch(0, programs));
    assert_eq!(first, second);
    let fresh: Vec<Outcome> = fixture.pool.run_fresh(&[program(programs[0])], OPTIONS).unwrap();
    assert_eq!(fresh[0], first.outcomes[0]);
}
