//! From a lead to a finding, stage by stage: seen again, seen alone, steady, simple, and the best example of its cause.
//!
//! Leads are taken in order, each with everything that it needs. So what the pipeline comes to is a function of the
//! sequence of leads, wherever and whenever it runs; only a run that is bounded by time also asks the clock.
//!
//! Decision: `docs/decisions/091-looking-follows-from-the-leads.md`

mod causes;
#[cfg(test)]
pub(crate) mod fake_worker;
mod isolate;
mod look_again;
mod simplify;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use provoke_engine::{
    Buckets, Executor, ExecutorError, Failure, FaultyClause, Finding, Incident, Judgement, Steadiness, Tier,
};
use provoke_oracles::is_contract;
use provoke_wire::Program;
use serde::{Deserialize, Serialize};

use crate::confirm::confirmed::Confirmed;
use crate::confirm::confirmer::clock::Clock;
use crate::confirm::lead::Lead;
use crate::confirm::pipeline::causes::Causes;
use crate::confirm::pipeline::isolate::{Isolated, isolate};
use crate::confirm::pipeline::look_again::{LookedAgain, look_again};
use crate::confirm::pipeline::simplify::{Simplifying, simplify};
use crate::confirm::replayer::{AT_FIRST, IN_THE_END, Met, Replayer, Way};

/// How long looking may take, and who hears that it goes on.
pub(crate) struct Pace<'p> {
    pub(crate) clock: &'p Clock<'p>,
    /// Called before every replay.
    pub(crate) on_replay: &'p dyn Fn(),
}

/// What came of a lead.
#[derive(Default)]
pub(crate) struct Taken {
    /// Other leads that were met on the way.
    pub(crate) met: Vec<Lead>,
    pub(crate) kept: Option<Finding>,
}

/// Something that was seen and did not show again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Elusive {
    finding: Finding,
    found_after_seconds: f64,
}

pub(crate) struct Pipeline<'a> {
    pub(crate) replayer: Replayer<'a>,
    state: PipelineState,
}

/// What a pipeline knows: all that has to be saved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct PipelineState {
    /// Keys of the incidents that were looked at.
    known: BTreeSet<u64>,
    /// Clauses of contracts that went wrong when they were asked.
    spoilt_clauses: BTreeSet<FaultyClause>,
    /// Keys of incidents that such a clause was to blame for when they were looked at.
    excused: BTreeSet<u64>,
    /// By key of the incident.
    elusive: BTreeMap<u64, Elusive>,
    causes: Causes,
}

impl<'a> Pipeline<'a> {
    pub(crate) fn new(replayer: Replayer<'a>) -> Pipeline<'a> {
        Pipeline { replayer, state: PipelineState::default() }
    }

    pub(crate) fn state(&self) -> &PipelineState {
        &self.state
    }

    pub(crate) fn restore(&mut self, state: PipelineState) {
        self.state = state;
    }

    /// Whether looking at an incident once more would change nothing. What a clause was to blame for may be the function's own
    /// doing another time.
    pub(crate) fn is_settled(&self, key: u64) -> bool {
        let PipelineState { known, elusive, excused, .. } = &self.state;
        known.contains(&key) && !elusive.contains_key(&key) && !excused.contains(&key)
    }

    pub(crate) fn is_known(&self, key: u64) -> bool {
        self.state.known.contains(&key)
    }

    /// Whether what happened is what one of the calls was found to do already.
    pub(crate) fn explains(&self, incident: &Incident, program: &Program) -> bool {
        self.state.causes.explain(self.replayer.api, incident, program)
    }

    pub(crate) fn n_findings(&self) -> usize {
        self.state.causes.n_examples()
    }

    /// Takes a lead through all stages.
    pub(crate) fn take(
        &mut self,
        executor: &mut dyn Executor,
        lead: &Lead,
        n_batches: u64,
        pace: &Pace<'_>,
    ) -> Result<Taken, ExecutorError> {
        let key = lead.incident.key;
        self.state.known.insert(key);
        let may_minimize = pace.clock.may_minimize();
        let look = match look_again(&self.replayer, executor, lead, &self.state.causes, may_minimize)? {
            LookedAgain::Excused(clause) => return Ok(self.excuse(key, clause)),
            LookedAgain::Settled => return Ok(Taken::default()),
            LookedAgain::LeadsTo(judgement) => return Ok(self.count(&judgement)),
            LookedAgain::Open(look) => look,
        };
        let found = match isolate(&self.replayer, executor, lead, look)? {
            Isolated::Found(finding) => *finding,
            Isolated::Excused(clause) => return Ok(self.excuse(key, clause)),
            Isolated::TryLater => {
                self.state.known.remove(&key);
                return Ok(Taken::default());
            }
            Isolated::Dropped => return Ok(Taken::default()),
        };
        if self.state.causes.has_found(&found.judgement) {
            return Ok(Taken::default());
        }
        let Some(found) = self.steady(executor, lead, found)? else { return Ok(Taken::default()) };
        let (best, met) = self.simplify(executor, found, Some(lead), pace)?;
        let met = met.into_iter().map(|Met { incident, program, spot }| lead.met_on_the_way(incident, program, spot));
        let met = met.collect();
        let kept = self.keep_if_new(executor, lead, best, n_batches)?;
        Ok(Taken { met, kept })
    }

    /// An incident turned out to be no finding.
    fn excuse(&mut self, key: u64, clause: Option<FaultyClause>) -> Taken {
        if let Some(clause) = clause {
            self.state.spoilt_clauses.insert(clause);
            self.state.excused.insert(key);
        }
        Taken::default()
    }

    fn count(&mut self, judgement: &Judgement) -> Taken {
        self.state.causes.add_way(judgement);
        Taken::default()
    }

    /// The finding, if it does not come and go; otherwise it is remembered as elusive.
    fn steady(
        &mut self,
        executor: &mut dyn Executor,
        lead: &Lead,
        mut found: Finding,
    ) -> Result<Option<Finding>, ExecutorError> {
        // For a hang, this is asked once, in the end.
        if found.incident.event != Failure::TimedOut && !found.steadiness.is_flaky() {
            found.steadiness = self.replayer.steadiness(executor, &found, AT_FIRST)?;
        }
        if found.steadiness.is_flaky() {
            self.remember(lead, found);
            return Ok(None);
        }
        Ok(Some(found))
    }

    fn simplify(
        &self,
        executor: &mut dyn Executor,
        found: Finding,
        lead: Option<&Lead>,
        pace: &Pace<'_>,
    ) -> Result<(Finding, Vec<Met>), ExecutorError> {
        let is_first = self.state.causes.example_of(&found.judgement).is_none();
        let stock = lead.map(|lead| &*lead.stock);
        let simplifying = Simplifying { found, stock, is_first, known: &self.state.known };
        simplify(&self.replayer, executor, simplifying, pace)
    }

    /// Keeps a finding that nothing can be left out of any more, unless it turned out to be one that is known, or to come and go.
    fn keep_if_new(
        &mut self,
        executor: &mut dyn Executor,
        lead: &Lead,
        mut best: Finding,
        n_batches: u64,
    ) -> Result<Option<Finding>, ExecutorError> {
        // Which call is to blame for what happens to tracked elements is only known now.
        if self.state.causes.has_found(&best.judgement) {
            return Ok(None);
        }
        best.steadiness = self.replayer.steadiness(executor, &best, IN_THE_END)?;
        // What comes and goes with the clock or with random numbers has no test that fails every time.
        if best.steadiness.is_flaky() {
            self.remember(lead, best);
            return Ok(None);
        }
        self.state.elusive.remove(&lead.incident.key);
        self.keep(executor, best.clone(), lead.found_after_seconds, n_batches)?;
        Ok(Some(best))
    }

    /// Once more when it comes up again; in the end, it is flaky.
    fn remember(&mut self, lead: &Lead, finding: Finding) {
        let found_after_seconds = lead.found_after_seconds;
        self.state.elusive.entry(lead.incident.key).or_insert(Elusive { finding, found_after_seconds });
    }

    /// Keeps a finding; what shows its cause better than all before goes to the verifier, when it has settled.
    fn keep(
        &mut self,
        executor: &mut dyn Executor,
        finding: Finding,
        found_after_seconds: f64,
        n_batches: u64,
    ) -> Result<(), ExecutorError> {
        let Some(since) = self.state.causes.add(&finding, n_batches) else { return Ok(()) };
        let is_traced = is_contract(finding.judgement.oracle);
        let way = if is_traced { self.replayer.way(executor, &finding)? } else { Way::default() };
        let Way { states, points, operands } = way;
        let confirmed = Confirmed { finding, found_after_seconds, also_through: Vec::new(), states, points, operands };
        self.state.causes.hold(confirmed, since);
        Ok(())
    }

    /// What the verifier gets after a batch.
    pub(crate) fn take_settled(&mut self, n_batches: u64) -> Vec<Confirmed> {
        self.state.causes.take_settled(n_batches)
    }

    /// What the verifier gets in the end: all that was kept back, and, as flaky, what stayed elusive. Whatever ended the search,
    /// the former go out.
    pub(crate) fn finish(
        &mut self,
        executor: &mut dyn Executor,
        n_batches: u64,
        pace: &Pace<'_>,
    ) -> (Vec<Confirmed>, Result<(), ExecutorError>) {
        let mut result = Ok(());
        for (_, elusive) in std::mem::take(&mut self.state.elusive) {
            let settled = self.settle(executor, elusive, n_batches, pace);
            if settled.is_err() && !pace.clock.is_interrupted() {
                result = settled;
                break;
            }
        }
        (self.state.causes.take_all(), result)
    }

    /// The last word on an elusive finding: flaky, unless something steady has the same cause.
    fn settle(
        &mut self,
        executor: &mut dyn Executor,
        Elusive { mut finding, found_after_seconds }: Elusive,
        n_batches: u64,
        pace: &Pace<'_>,
    ) -> Result<(), ExecutorError> {
        let causes = &self.state.causes;
        if causes.has_found(&finding.judgement) || causes.example_of(&finding.judgement).is_some() {
            return Ok(());
        }
        if finding.steadiness == Steadiness::Chance && pace.clock.may_minimize() {
            let steadiness = finding.steadiness;
            finding = Finding { steadiness, ..self.simplify(executor, finding, None, pace)?.0 };
        }
        finding.judgement.tier = Tier::Suspicious;
        self.keep(executor, finding, found_after_seconds, n_batches)
    }

    /// Which functions lead to each root cause, and the clauses of contracts that went wrong when they were asked.
    pub(crate) fn into_results(self) -> (Buckets, BTreeSet<FaultyClause>) {
        (self.state.causes.buckets, self.state.spoilt_clauses)
    }
}
