//! Listens to the search, and turns what it meets into confirmed findings: suspects become leads, and leads are taken
//! through the pipeline while the search pauses.
//!
//! The search hears nothing of what comes of it. What there is no time for now waits until the search is over.

pub mod allowance;
pub(crate) mod clock;
mod display;
mod intake;
mod state;
mod waiting;

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use provoke_engine::{
    Activity, Buckets, Executor, ExecutorError, FaultyClause, Search, SearchObserver, Stats, Suspect, ask_about_clones,
    spot_of,
};
use provoke_report::{Progress, per_second};

use crate::confirm::checkpoint::Saver;
use crate::confirm::confirmed::Confirmed;
use crate::confirm::confirmer::allowance::{AfterSearch, first_time};
use crate::confirm::confirmer::clock::Clock;
use crate::confirm::confirmer::display::Display;
use crate::confirm::confirmer::intake::Intake;
use crate::confirm::confirmer::waiting::WaitingRoom;
use crate::confirm::lead::Lead;
use crate::confirm::minimizer_check::MinimizerCheck;
use crate::confirm::pipeline::{Pace, Pipeline, Taken};
use crate::confirm::replayer::Replayer;
use crate::confirm::retirement::Retirement;
use crate::events::Events;
use crate::results::growth::Growth;

pub use crate::confirm::confirmer::state::ConfirmerState;

/// What a confirmer is bounded by.
pub struct Limits {
    pub time: Option<Duration>,
    pub calls: Option<u64>,
    pub functions_callable: u64,
    /// Places in the target's sources, if it is known which are reached.
    pub n_places: Option<u64>,
    /// When set, the last part of the time is another worker's.
    pub gives_way: Arc<AtomicBool>,
    /// What goes wrong is looked into.
    pub is_confirming: bool,
    /// By function: whether the user asked for it.
    pub is_selected: Vec<bool>,
    /// Operations whose loans turn out not to be understood.
    pub retirement: Arc<Retirement>,
}

/// What is to be done about a suspect.
enum Task {
    LookInto(Lead),
    /// The incident is known: another starting point for the minimiser.
    CheckMinimizer(Lead),
}

pub struct Confirmer<'a> {
    pipeline: Pipeline<'a>,
    events: &'a Events,
    limits: Limits,
    clock: Clock<'a>,
    intake: Intake,
    /// Of the batch at hand, in order.
    tasks: VecDeque<Task>,
    waiting: WaitingRoom,
    /// Places at which something was found.
    fruitful_spots: BTreeSet<u64>,
    n_batches: u64,
    display: Display<'a>,
    growth: Growth,
    to_verifier: Sender<Confirmed>,
    /// All that the verifier was given.
    released: Vec<Confirmed>,
    check: MinimizerCheck,
    saver: Saver,
    may_save: bool,
}

/// What is left of a confirmer but its findings.
pub struct ConfirmerResults {
    /// Which functions lead to each place at which something was found.
    pub buckets: Buckets,
    pub check: MinimizerCheck,
    /// How the search came along.
    pub growth: Growth,
    /// Clauses of contracts that went wrong when they were asked.
    pub spoilt_clauses: BTreeSet<FaultyClause>,
    /// What went wrong and was not looked into, since the time was up.
    pub n_waiting: u64,
    /// Of the time after the search, for the regression suite, if it is bounded.
    pub time_left: Option<Duration>,
}

impl<'a> Confirmer<'a> {
    pub fn new(
        replayer: Replayer<'a>,
        events: &'a Events,
        limits: Limits,
        to_verifier: Sender<Confirmed>,
        check: MinimizerCheck,
        saver: Saver,
    ) -> Confirmer<'a> {
        Confirmer {
            clock: Clock::new(limits.time, replayer.interrupt),
            pipeline: Pipeline::new(replayer),
            events,
            limits,
            intake: Intake::default(),
            tasks: VecDeque::new(),
            waiting: WaitingRoom::default(),
            fruitful_spots: BTreeSet::new(),
            n_batches: 0,
            display: Display::new(events),
            growth: Growth::default(),
            to_verifier,
            released: Vec::new(),
            check,
            saver,
            may_save: true,
        }
    }

    pub fn search_seconds(&self) -> f64 {
        self.clock.searched().as_secs_f64()
    }

    pub fn minimize_seconds(&self) -> f64 {
        self.clock.looked().as_secs_f64()
    }

    /// The search goes on in another worker, with the time that is left. A saved run goes on from before that.
    pub fn go_on(&mut self) {
        self.limits.gives_way = Arc::default();
        self.may_save = false;
        self.clock.resume_search();
    }

    /// The search is over, or goes on elsewhere later: what had to wait is looked into, as long as there is time for it.
    pub fn work_off(&mut self, executor: &mut dyn Executor, then: AfterSearch) -> Result<(), ExecutorError> {
        self.clock.end_search(then);
        let pause = self.clock.begin_pause();
        let mut result = Ok(());
        while self.clock.may_look() && result.is_ok() {
            let spots = &self.fruitful_spots;
            let Some(lead) = self.waiting.take_next(|spot| spots.contains(&spot)) else { break };
            if !self.is_discredited(&lead) {
                result = self.look_into(executor, &lead);
            }
        }
        self.clock.end_pause(pause);
        if self.clock.is_interrupted() { Ok(()) } else { result }
    }

    /// What can only be asked when the search is over, because it takes many programs to tell. What goes wrong there may have to
    /// wait like everything else.
    pub fn look_back(&mut self, executor: &mut dyn Executor, search: &Search<'_>) -> Result<(), ExecutorError> {
        let pause = self.clock.begin_pause();
        let is_over = self.clock.is_interrupted() || !self.limits.is_confirming;
        let asked = if is_over { Ok(()) } else { ask_about_clones(search, executor, self) };
        let result = asked.and_then(|()| self.work(executor));
        self.clock.end_pause(pause);
        if self.clock.is_interrupted() { Ok(()) } else { result }
    }

    /// What the search leaves unsettled: elusive findings are reported as flaky, and all that was kept back goes out, whatever
    /// ended the search.
    pub fn finish(&mut self, executor: &mut dyn Executor) -> Result<(), ExecutorError> {
        let pause = self.clock.begin_pause();
        let pace = Pace { clock: &self.clock, on_replay: &|| self.display.show() };
        let (confirmed, result) = self.pipeline.finish(executor, self.n_batches, &pace);
        confirmed.into_iter().for_each(|confirmed| self.hand_over(confirmed));
        self.clock.end_pause(pause);
        result
    }

    pub fn into_results(mut self) -> ConfirmerResults {
        self.saver.finish(self.events);
        let n_waiting = self.waiting.n_left();
        let time_left = self.clock.left_for_tests();
        let (buckets, spoilt_clauses) = self.pipeline.into_results();
        let Confirmer { check, growth, .. } = self;
        ConfirmerResults { buckets, check, growth, spoilt_clauses, n_waiting, time_left }
    }

    /// Does what there is to do about the suspects that were met.
    fn work(&mut self, executor: &mut dyn Executor) -> Result<(), ExecutorError> {
        if self.tasks.is_empty() {
            return Ok(());
        }
        let pause = self.clock.begin_pause();
        let mut result = Ok(());
        while let Some(task) = self.tasks.pop_front().filter(|_| result.is_ok() && !self.clock.is_interrupted()) {
            result = match task {
                Task::LookInto(lead) if self.is_moot(&lead) => Ok(()),
                Task::LookInto(lead) => self.look_into_or_put_off(executor, lead),
                Task::CheckMinimizer(lead) if self.clock.may_look() => {
                    self.check.take(executor, &self.pipeline.replayer, &lead)
                }
                Task::CheckMinimizer(_) => Ok(()),
            };
        }
        self.tasks.clear();
        self.clock.end_pause(pause);
        result
    }

    /// Whether there is nothing to find out about a lead any more.
    fn is_moot(&self, lead: &Lead) -> bool {
        self.pipeline.is_settled(lead.incident.key)
            || self.pipeline.explains(&lead.incident, &lead.program)
            || self.is_discredited(lead)
    }

    fn is_discredited(&self, lead: &Lead) -> bool {
        self.limits.retirement.discredits(&lead.incident, &lead.program.main)
    }

    fn look_into_or_put_off(&mut self, executor: &mut dyn Executor, lead: Lead) -> Result<(), ExecutorError> {
        if self.clock.may_look() {
            self.waiting.call_in(lead.incident.key);
            self.display.show();
            self.look_into(executor, &lead)
        } else {
            self.put_off(lead);
            Ok(())
        }
    }

    /// Looks into a lead and then into the others that were met on the way.
    fn look_into(&mut self, executor: &mut dyn Executor, lead: &Lead) -> Result<(), ExecutorError> {
        let mut met: VecDeque<Lead> = self.take(executor, lead)?.into();
        while let Some(lead) = met.pop_front() {
            let key = lead.incident.key;
            let is_known = self.pipeline.is_known(key) || self.waiting.has(key);
            if is_known || self.is_discredited(&lead) || !self.is_asked_for(&lead) {
                continue;
            }
            self.clock.meet(lead.spot);
            if self.clock.may_look() {
                self.waiting.call_in(key);
                met.extend(self.take(executor, &lead)?);
            } else {
                self.put_off(lead);
            }
        }
        Ok(())
    }

    fn take(&mut self, executor: &mut dyn Executor, lead: &Lead) -> Result<Vec<Lead>, ExecutorError> {
        let pace = Pace { clock: &self.clock, on_replay: &|| self.display.show() };
        let Taken { met, kept } = self.pipeline.take(executor, lead, self.n_batches, &pace)?;
        if let Some(finding) = kept {
            self.check.expect(lead.incident.key, &finding);
            self.fruitful_spots.insert(lead.spot);
        }
        Ok(met)
    }

    /// There is no time for a look now. What finds no room to wait in is as if nobody had seen it.
    fn put_off(&mut self, lead: Lead) {
        if self.waiting.has(lead.incident.key) {
            return;
        }
        if let Some(turned_away) = self.waiting.add(lead) {
            self.intake.forget(turned_away);
        }
    }

    /// Whether the user wants to hear of the function.
    fn is_asked_for(&self, lead: &Lead) -> bool {
        let statement = lead.program.main.statements.get(lead.incident.statement as usize);
        let op = statement.and_then(|statement| self.pipeline.replayer.api.ops.get(statement.op as usize));
        op.and_then(|op| op.function).is_none_or(|function| self.limits.is_selected[function as usize])
    }

    fn hand_over(&mut self, confirmed: Confirmed) {
        // The verifier only goes away with the whole run.
        let _ = self.to_verifier.send(confirmed.clone());
        self.released.push(confirmed);
    }
}

impl SearchObserver for Confirmer<'_> {
    fn suspect(&mut self, suspect: Suspect<'_>) {
        if !self.limits.is_confirming || self.clock.is_interrupted() {
            return;
        }
        for incident in suspect.incidents {
            // Panics of `Debug` and `Hash` while values are told apart: those written by hand are called as functions, too, and
            // found there.
            if incident.activity == Activity::Observe {
                continue;
            }
            let key = incident.key;
            if self.waiting.has_turned_away(key) && !self.clock.may_look() {
                continue;
            }
            let spot = spot_of(incident, suspect.outcome);
            self.clock.meet(spot);
            let lead = || Lead::new(&suspect, incident, spot, self.clock.searched().as_secs_f64());
            // What is settled is dropped later in any case.
            if self.intake.admits(incident) && !self.pipeline.is_settled(key) {
                self.tasks.push_back(Task::LookInto(lead()));
            } else if self.check.wants(key) {
                self.tasks.push_back(Task::CheckMinimizer(lead()));
            }
        }
    }

    fn after_batch(&mut self, executor: &mut dyn Executor, stats: &Stats) -> Result<(), ExecutorError> {
        self.work(executor)?;
        let seconds = self.search_seconds();
        self.display.progress = Progress {
            seconds_left: self.limits.time.map(|time| (time.as_secs_f64() - seconds).max(0.0)),
            calls: stats.calls,
            calls_limit: self.limits.calls,
            calls_per_second: per_second(stats.calls, seconds),
            functions_covered: stats.functions_covered,
            functions_callable: self.limits.functions_callable,
            edges: self.limits.n_places.map(|n_places| (stats.places, n_places)),
            findings: self.pipeline.n_findings() as u64,
        };
        self.growth.follow(&self.display.progress, stats.programs, seconds);
        self.display.show();
        self.n_batches += 1;
        for confirmed in self.pipeline.take_settled(self.n_batches) {
            self.hand_over(confirmed);
        }
        Ok(())
    }

    fn at_checkpoint(&mut self, save: &dyn Fn() -> Vec<u8>) {
        if self.may_save && self.saver.is_due() {
            let state = self.state();
            self.saver.save(&state, save, self.events);
        }
    }

    fn retired(&self) -> Vec<u32> {
        self.limits.retirement.ops().into_iter().collect()
    }

    fn should_stop(&self) -> bool {
        self.clock.is_interrupted()
            || self.limits.time.is_some_and(|time| {
                let gives_way = self.limits.gives_way.load(Ordering::Relaxed);
                self.clock.searched() >= if gives_way { first_time(time) } else { time }
            })
    }
}
