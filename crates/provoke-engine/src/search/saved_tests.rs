use std::ops::Range;

use super::*;
use crate::executor::{Executor, ExecutorError};
use crate::options::{Guidance, Regions, SearchOptions, Strategy};
use crate::rng::Rng;
use crate::search::known::Known;
use crate::search::{End, SearchObserver, Stats, Suspect};
use crate::test_support::fake::{self, FakeExecutor};
use provoke_wire::{Literal, ValueIdentity};

/// Writes down what it is told, and keeps what was saved at each border with how much it had been told by then.
#[derive(Default)]
struct Listener {
    told: Vec<String>,
    saved: Vec<(usize, Vec<u8>)>,
}

impl SearchObserver for Listener {
    fn suspect(&mut self, suspect: Suspect<'_>) {
        self.told.push(format!("{:?} {}", suspect.program, suspect.outcome.panics[0].message));
    }

    fn after_batch(&mut self, _: &mut dyn Executor, stats: &Stats) -> Result<(), ExecutorError> {
        self.told.push(format!("{stats:?}"));
        Ok(())
    }

    fn at_checkpoint(&mut self, save: &dyn Fn() -> Vec<u8>) {
        self.saved.push((self.told.len(), save()));
    }

    fn should_stop(&self) -> bool {
        false
    }
}

fn options(strategy: Strategy, max_calls: u64) -> SearchOptions {
    SearchOptions {
        strategy,
        seed: 7,
        notion: ValueIdentity::Equality,
        max_calls: Some(max_calls),
        until_plateau: false,
        is_selected: vec![true; fake::api().functions.len()],
        // So little that components have to go.
        max_component_bytes: 200_000,
        guidance: Guidance::ALL,
        edge_places: (0..fake::N_EDGES).collect(),
        unsteady_sites: Vec::new(),
        regions: Regions { of_edges: vec![0; fake::N_EDGES as usize], owners: vec![None] },
    }
}

const MINED: &[Literal] = &[Literal::I128(77)];

#[test]
fn a_search_that_goes_on_from_any_border_ends_as_if_it_had_never_stopped() {
    for strategy in [Strategy::Legal, Strategy::Directed] {
        let api = fake::api();
        let options = options(strategy, 600_000);
        let mut whole = Search::new(&api, &options, MINED);
        let mut listener = Listener::default();
        whole.run(&mut FakeExecutor::default(), &mut listener).unwrap();
        assert!(listener.saved.len() >= 3, "{}", listener.saved.len());
        for (n_told, saved) in &listener.saved {
            let mut resumed = Search::new(&api, &options, MINED);
            resumed.restore(saved).unwrap();
            let mut rest = Listener::default();
            resumed.run(&mut FakeExecutor::default(), &mut rest).unwrap();
            assert!(rest.told == listener.told[*n_told..], "{strategy:?} differs after {n_told} messages");
            assert_eq!(resumed.exemplars().all(), whole.exemplars().all());
            assert_eq!(resumed.covered(), whole.covered());
            let later: Vec<&Vec<u8>> = listener.saved.iter().filter(|s| s.0 > *n_told).map(|s| &s.1).collect();
            assert!(rest.saved.iter().map(|s| &s.1).eq(later), "what is saved later differs, too");
        }
    }
}

#[test]
fn a_search_ends_at_the_same_plateau_if_it_was_stopped_before() {
    let api = fake::api();
    let options = SearchOptions { until_plateau: true, ..options(Strategy::Directed, u64::MAX) };
    let mut whole = Search::new(&api, &options, MINED);
    let mut listener = Listener::default();
    assert_eq!(whole.run(&mut FakeExecutor::default(), &mut listener).unwrap(), End::Plateau);
    let outlook = whole.outlook().unwrap();
    assert!(outlook.is_plateau() && outlook.n_programs == whole.stats().programs, "{outlook:?}");
    let mut resumed = Search::new(&api, &options, MINED);
    resumed.restore(&listener.saved.last().unwrap().1).unwrap();
    assert_eq!(resumed.run(&mut FakeExecutor::default(), &mut Listener::default()).unwrap(), End::Plateau);
    assert_eq!((resumed.outlook(), resumed.stats()), (whole.outlook(), whole.stats()));
    // Another kind of worker gets a share all the same.
    let n_planned = whole.stats().planned_calls;
    whole.forget_programs().allow(Some(n_planned + 10_000));
    assert_eq!(whole.run(&mut FakeExecutor::default(), &mut Listener::default()).unwrap(), End::Spent);
    assert_eq!(whole.outlook(), Some(outlook));
}

#[test]
fn another_bound_on_calls_does_not_matter_and_another_seed_does() {
    let api = fake::api();
    let short = options(Strategy::Directed, 300_000);
    let mut listener = Listener::default();
    Search::new(&api, &short, MINED).run(&mut FakeExecutor::default(), &mut listener).unwrap();
    let (_, saved) = &listener.saved[0];
    let long = options(Strategy::Directed, 600_000);
    assert_eq!(Search::new(&api, &long, MINED).restore(saved), Ok(()));
    let other_seed = SearchOptions { seed: 8, ..short.clone() };
    assert!(Search::new(&api, &other_seed, MINED).restore(saved).is_err());
    assert!(Search::new(&api, &short, &[]).restore(saved).is_err(), "other literals");
}

#[test]
fn no_damage_to_a_saved_search_makes_reading_it_panic() {
    let api = fake::api();
    let options = options(Strategy::Legal, 300_000);
    let mut listener = Listener::default();
    Search::new(&api, &options, MINED).run(&mut FakeExecutor::default(), &mut listener).unwrap();
    let (_, saved) = &listener.saved[0];
    let step = saved.len() / 97 + 1;
    for at in (0..saved.len()).step_by(step) {
        assert!(Search::new(&api, &options, MINED).restore(&saved[..at]).is_err(), "cut at {at}");
        let mut bad = saved.clone();
        bad[at] ^= 0x55;
        let _ = Search::new(&api, &options, MINED).restore(&bad);
    }
}

/// Stops after some batches.
struct Brief {
    n_left: u32,
}

impl SearchObserver for Brief {
    fn suspect(&mut self, _: Suspect<'_>) {}

    fn after_batch(&mut self, _: &mut dyn Executor, _: &Stats) -> Result<(), ExecutorError> {
        self.n_left -= 1;
        Ok(())
    }

    fn at_checkpoint(&mut self, _: &dyn Fn() -> Vec<u8>) {}

    fn should_stop(&self) -> bool {
        self.n_left == 0
    }
}

/// Where the small parts are. Most of the rest is hashes and batches under way.
fn small_parts(saved: &[u8], search: &Search<'_>) -> Vec<Range<usize>> {
    let Known { knowledge, corpus, schedule, stats, .. } = &search.known;
    let parts = [
        to_bytes(stats),
        to_bytes(schedule),
        to_bytes(&knowledge.edges),
        to_bytes(&knowledge.discovery),
        to_bytes(&corpus.components),
        to_bytes(&corpus.witnesses),
        to_bytes(&corpus.exemplars),
        to_bytes(&search.shares),
        to_bytes(&search.sources[2].save()),
    ];
    let start = |part: &Vec<u8>| saved.windows(part.len()).position(|window| window == part).unwrap();
    parts.iter().map(|part| start(part)..start(part) + part.len()).collect()
}

/// Damages bytes as bad luck would, so that lists get longer or shorter, numbers huge, and what comes behind means something else.
fn damage(bytes: &mut Vec<u8>, at: usize, rng: &mut Rng) {
    match rng.below(8) {
        0 => bytes.truncate(at),
        1 => _ = bytes.remove(at),
        2 => bytes.insert(at, rng.bits() as u8),
        3 => _ = bytes.splice(at..=at, [0xff, 0xff, 0xff, 0xff, 0x0f]),
        4 => _ = bytes.splice(at..=at, [0xff; 9].into_iter().chain([1])),
        5 => bytes[at] = bytes[at].wrapping_add(1),
        6 => bytes[at] = 0,
        _ => bytes[at] ^= 1 << rng.below(8),
    }
}

#[test]
fn a_damaged_search_is_refused_or_runs() {
    for strategy in [Strategy::Legal, Strategy::Guided] {
        let api = fake::api();
        let options = options(strategy, 200_000);
        let mut listener = Listener::default();
        Search::new(&api, &options, MINED).run(&mut FakeExecutor::default(), &mut listener).unwrap();
        let (_, saved) = &listener.saved[0];
        let mut whole = Search::new(&api, &options, MINED);
        whole.restore(saved).unwrap();
        let parts = small_parts(saved, &whole);
        let mut rng = Rng::new(1);
        let (mut n_refused, mut n_run) = (0, 0);
        for round in 0..120 {
            let places = if round % 3 == 0 { 0..saved.len() } else { rng.pick(&parts).unwrap().clone() };
            let mut bad = saved.clone();
            damage(&mut bad, places.start + rng.below(places.len()), &mut rng);
            let mut search = Search::new(&api, &options, MINED);
            if search.restore(&bad).is_err() {
                n_refused += 1;
            } else {
                search.run(&mut FakeExecutor::default(), &mut Brief { n_left: 12 }).unwrap();
                n_run += 1;
            }
        }
        assert!(n_refused > 30 && n_run > 10, "{n_refused} refused, {n_run} run");
    }
}

/// Wants an operation retired after some batches, and notes which operations succeed when.
struct Retiring {
    op: u32,
    n_batches: u32,
}

impl SearchObserver for Retiring {
    fn suspect(&mut self, _: Suspect<'_>) {}

    fn after_batch(&mut self, _: &mut dyn Executor, _: &Stats) -> Result<(), ExecutorError> {
        self.n_batches += 1;
        Ok(())
    }

    fn at_checkpoint(&mut self, _: &dyn Fn() -> Vec<u8>) {}

    fn should_stop(&self) -> bool {
        false
    }

    fn retired(&self) -> Vec<u32> {
        if self.n_batches > 20 { vec![self.op] } else { Vec::new() }
    }
}

/// Notes in how many of the last batches an operation was called.
#[derive(Default)]
struct Counting {
    executor: FakeExecutor,
    /// By batch: calls of each operation.
    calls: Vec<Vec<u32>>,
}

impl Executor for Counting {
    fn submit(&mut self, batch: provoke_wire::Batch) -> Result<(), ExecutorError> {
        let statements = batch.programs.iter().flat_map(|program| &program.main.statements);
        let calls = statements.filter(|line| line.kind == provoke_wire::StatementKind::Call).map(|line| line.op);
        self.calls.push(calls.collect());
        self.executor.submit(batch)
    }

    fn receive(
        &mut self,
        give_up: &dyn Fn() -> bool,
    ) -> Result<Option<(provoke_wire::Batch, provoke_wire::BatchReport)>, ExecutorError> {
        self.executor.receive(give_up)
    }

    fn run_warm(
        &mut self,
        programs: Vec<provoke_wire::Program>,
        options: provoke_wire::RunOptions,
    ) -> Result<Vec<provoke_wire::Outcome>, ExecutorError> {
        self.executor.run_warm(programs, options)
    }

    fn run_fresh(
        &mut self,
        programs: &[provoke_wire::Program],
        options: provoke_wire::RunOptions,
    ) -> Result<Vec<provoke_wire::Outcome>, ExecutorError> {
        self.executor.run_fresh(programs, options)
    }

    fn renew_workers(&mut self) {
        self.executor.renew_workers();
    }

    fn renew_warm(&mut self) {
        self.executor.renew_warm();
    }
}

#[test]
fn what_is_retired_is_not_called_any_more_and_the_search_goes_on() {
    let api = fake::api();
    let options = options(Strategy::Directed, 300_000);
    let op = api.ops.iter().position(|op| op.key == "toy::push").unwrap() as u32;
    let mut counting = Counting::default();
    let end = Search::new(&api, &options, MINED).run(&mut counting, &mut Retiring { op, n_batches: 0 });
    assert_eq!(end.unwrap(), End::Spent);
    // What was under way when it was retired still runs.
    let n_before = 20 + crate::options::WINDOW + 1;
    let (before, after) = counting.calls.split_at(n_before);
    assert!(before.iter().flatten().any(|called| *called == op));
    assert!(after.len() > 20 && after.iter().flatten().count() > 10_000, "{}", after.len());
    assert!(!after.iter().flatten().any(|called| *called == op));
}
