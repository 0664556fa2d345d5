use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use super::*;
use crate::confirm::pipeline::fake_worker::{Bench, DRAIN, FILL, FakeWorker, call_after, calls};
use crate::confirm::pipeline::simplify::effort_for;
use crate::confirm::replayer::{Look, Process};
use provoke_engine::Effort;
use provoke_wire::RunOptions;

/// Draining what was filled twice crashes.
fn crashes_when_filled_twice() -> FakeWorker {
    FakeWorker::new(|program, _, _| call_after(program, DRAIN, 2))
}

fn functions(program: &Program) -> Vec<u32> {
    program.main.statements.iter().map(|statement| statement.op).collect()
}

/// Takes leads one after the other; what each came to, by the functions that its minimal program calls.
fn taken(bench: &Bench, worker: &mut FakeWorker, leads: &[Lead]) -> (Vec<Option<Vec<u32>>>, PipelineState) {
    let mut pipeline = Pipeline::new(bench.replayer());
    let clock = Clock::new(None, &bench.interrupt);
    let pace = Pace { clock: &clock, on_replay: &|| {} };
    let kept = leads.iter().map(|lead| pipeline.take(worker, lead, 0, &pace).expect("workers run").kept);
    let kept = kept.map(|kept| kept.map(|finding| functions(&finding.program))).collect();
    (kept, pipeline.state)
}

#[test]
fn a_lead_comes_out_as_the_simplest_program() {
    let bench = Bench::new();
    let program = calls(&[DRAIN, FILL, FILL, FILL, FILL, DRAIN, FILL]);
    let lead = bench.lead(&[], &program, 5);
    let (kept, state) = taken(&bench, &mut crashes_when_filled_twice(), &[lead]);
    assert_eq!(kept, [Some(vec![FILL, FILL, DRAIN])]);
    assert_eq!((state.causes.n_examples(), state.elusive.len()), (1, 0));
}

#[test]
fn the_same_leads_in_the_same_order_come_to_the_same() {
    let bench = Bench::new();
    let leads = || [[FILL, FILL, DRAIN], [FILL, FILL, DRAIN]].map(|functions| bench.lead(&[], &calls(&functions), 2));
    let first = taken(&bench, &mut crashes_when_filled_twice(), &leads());
    assert_eq!(first.0, [Some(vec![FILL, FILL, DRAIN]), None], "the second one is known");
    let second = taken(&bench, &mut crashes_when_filled_twice(), &leads());
    let as_saved = |state: &PipelineState| serde_json::to_string(state).unwrap();
    assert_eq!(as_saved(&second.1), as_saved(&first.1));
}

#[test]
fn what_needs_a_past_is_shown_with_it() {
    let bench = Bench::new();
    let lead = bench.lead(&[calls(&[FILL]), calls(&[FILL, FILL])], &calls(&[DRAIN]), 0);
    let (kept, _) = taken(&bench, &mut crashes_when_filled_twice(), &[lead]);
    assert_eq!(kept, [Some(vec![FILL, FILL, DRAIN])]);
}

#[test]
fn isolation_tells_apart_what_is_steady_hidden_elusive_and_not_worth_remembering() {
    let bench = Bench::new();
    let replayer = bench.replayer();
    let isolated = |rule: fn(&Program, Process, RunOptions) -> Option<u32>, lead: &Lead| {
        let look = || Look::Gone;
        isolate(&replayer, &mut FakeWorker::new(rule), lead, look()).expect("workers run")
    };
    let steadiness = |isolated: Isolated| match isolated {
        Isolated::Found(finding) => Some((finding.steadiness, functions(&finding.program))),
        _ => None,
    };
    let alone = bench.lead(&[], &calls(&[DRAIN]), 0);
    let in_a_fresh_process = isolated(|program, _, _| call_after(program, DRAIN, 0), &alone);
    assert_eq!(steadiness(in_a_fresh_process), Some((Steadiness::HiddenState, vec![DRAIN])), "a warm one hid it");
    let never = isolated(|_, _, _| None, &alone);
    assert_eq!(steadiness(never), Some((Steadiness::Elusive, vec![DRAIN])));
    let by_chance = isolated(|_, _, options| (options.entropy == 0).then_some(0), &alone);
    assert_eq!(steadiness(by_chance), Some((Steadiness::Chance, vec![DRAIN])));
    let met = Lead { encounter: None, ..bench.lead(&[], &calls(&[DRAIN]), 0) };
    assert!(matches!(isolated(|_, _, _| None, &met), Isolated::TryLater));
    let mut hang = bench.lead(&[], &calls(&[DRAIN]), 0);
    hang.incident.event = Failure::TimedOut;
    assert!(matches!(isolated(|_, _, _| None, &hang), Isolated::Dropped));
}

#[test]
fn what_does_not_show_again_is_looked_at_again_and_flaky_in_the_end() {
    let bench = Bench::new();
    let lead = || bench.lead(&[], &calls(&[FILL, DRAIN]), 1);
    let mut pipeline = Pipeline::new(bench.replayer());
    let clock = Clock::new(None, &bench.interrupt);
    let pace = Pace { clock: &clock, on_replay: &|| {} };
    let key = lead().incident.key;
    let mut never = FakeWorker::new(|_, _, _| None);
    assert!(pipeline.take(&mut never, &lead(), 0, &pace).unwrap().kept.is_none());
    assert!(pipeline.is_known(key) && !pipeline.is_settled(key));
    let mut other = Pipeline::new(bench.replayer());
    other.restore(pipeline.state().clone());
    let (confirmed, result) = other.finish(&mut never, 0, &pace);
    assert!(result.is_ok());
    let [flaky] = &confirmed[..] else { panic!("{confirmed:?}") };
    assert_eq!((flaky.finding.steadiness, flaky.finding.judgement.tier), (Steadiness::Elusive, Tier::Suspicious));
    let mut always = FakeWorker::new(|program, _, _| call_after(program, DRAIN, 1));
    assert!(pipeline.take(&mut always, &lead(), 0, &pace).unwrap().kept.is_some());
    assert!(pipeline.is_settled(key));
    assert_eq!(pipeline.finish(&mut always, 0, &pace).0.len(), 1, "it is not flaky any more");
}

#[test]
fn a_known_finding_is_settled_at_the_first_look() {
    let bench = Bench::new();
    let (replayer, lead) = (bench.replayer(), bench.lead(&[], &calls(&[FILL, FILL, DRAIN]), 2));
    let (_, state) =
        taken(&bench, &mut crashes_when_filled_twice(), &[bench.lead(&[], &calls(&[FILL, FILL, DRAIN]), 2)]);
    let mut worker = crashes_when_filled_twice();
    let mut look = |causes: &Causes| look_again(&replayer, &mut worker, &lead, causes, true).unwrap();
    assert!(matches!(look(&Causes::default()), LookedAgain::Open(Look::Shows(..))));
    assert!(matches!(look(&state.causes), LookedAgain::Settled));
    let mut never = FakeWorker::new(|_, _, _| None);
    let looked = look_again(&replayer, &mut never, &lead, &state.causes, true).unwrap();
    assert!(matches!(looked, LookedAgain::Open(Look::Gone)));
    assert_eq!(never.n_run, 1);
}

#[test]
fn findings_settle_after_some_batches_and_a_better_example_takes_the_place() {
    let bench = Bench::new();
    let (_, state) =
        taken(&bench, &mut crashes_when_filled_twice(), &[bench.lead(&[], &calls(&[FILL, FILL, DRAIN]), 2)]);
    let mut causes = state.causes;
    let [held] = &causes.clone().take_all()[..] else { panic!("one is held") };
    assert_eq!(causes.take_settled(48).len(), 0);
    let better = Finding { program: calls(&[DRAIN]), ..held.finding.clone() };
    let worse = Finding { program: calls(&[FILL, FILL, FILL, DRAIN]), ..held.finding.clone() };
    assert!(causes.add(&worse, 48).is_none());
    let since = causes.add(&better, 48).expect("a better example");
    causes.hold(Confirmed { finding: better, ..held.clone() }, since);
    let settled = causes.take_settled(49);
    assert_eq!(settled.len(), 1, "since when the first one was kept back");
    assert_eq!(functions(&settled[0].finding.program), [DRAIN]);
}

#[test]
fn a_hang_and_a_search_without_time_are_minimised_with_little_effort() {
    for (event, process, has_time, is_first, max_replays) in [
        (Failure::TimedOut, Process::Warm, false, true, 4),
        (Failure::TimedOut, Process::Warm, true, true, 8),
        (Failure::Exit, Process::Warm, false, true, 300),
        (Failure::Exit, Process::Fresh, true, true, 400),
        (Failure::Signal(11), Process::Warm, true, false, 60),
        (Failure::Exit, Process::Warm, true, false, 1000),
        (Failure::Signal(11), Process::Warm, true, true, 5000),
    ] {
        let Effort { max_replays: expected, .. } = effort_for(event, process, has_time, is_first);
        assert_eq!(max_replays, expected, "{event:?} {process:?} {has_time} {is_first}");
    }
}

#[test]
fn an_interrupt_leaves_the_program_as_it_is() {
    let bench = Bench::new();
    let asked = Rc::new(Cell::new(0));
    let counted = Rc::clone(&asked);
    let mut worker = FakeWorker::new(move |program, _, _| {
        counted.set(counted.get() + 1);
        call_after(program, DRAIN, 2)
    });
    let replayer = bench.replayer();
    let lead = bench.lead(&[], &calls(&[FILL, FILL, FILL, DRAIN]), 3);
    let Isolated::Found(found) = isolate(&replayer, &mut worker, &lead, Look::Gone).unwrap() else { panic!("found") };
    bench.interrupt.ask();
    let n_before = asked.get();
    let clock = Clock::new(Some(Duration::from_secs(60)), &bench.interrupt);
    let pace = Pace { clock: &clock, on_replay: &|| {} };
    let known = BTreeSet::new();
    let simplifying = Simplifying { found: (*found).clone(), stock: None, is_first: true, known: &known };
    let (same, met) = simplify(&replayer, &mut worker, simplifying, &pace).unwrap();
    assert_eq!((same, met.len(), asked.get()), (*found, 0, n_before));
}
