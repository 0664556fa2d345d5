//! Runs programs again under controlled conditions: in a fresh process, with other random numbers, without this or that.
//!
//! Decision: `docs/decisions/046-minimised-warm-and-confirmed-fresh.md`

use std::collections::BTreeMap;
use std::time::Instant;

use provoke_engine::{
    Activity, Api, Effort, Executor, ExecutorError, Failure, FailureSite, FaultyClause, Finding, FindingId, Graph,
    Incident, Judgement, PanicKind, Replacements, Steadiness, Stock, Verdict, minimize, single_removals, spot_of,
    triage,
};
use provoke_model::Model;
use provoke_report::Operand;
use provoke_wire::{Outcome, Phase, Program, RunOptions, TracedStep, ValueIdentity};

use crate::confirm::confirmed::{HistoryPoint, State};
use crate::confirm::judge::Judge;
use crate::confirm::operands::operands;
use crate::interrupt::Interrupt;

/// Thirty times the usual limit in the end, which is more than the test of a hang waits.
const HANG_PATIENCE: u32 = 3;

/// How many other random numbers and clocks a finding has to show with, in fresh processes, which cost more, and in a warm one:
/// at first, and in the end.
pub const AT_FIRST: Chances = Chances { n_fresh: 0, n_warm: 2 };
pub const IN_THE_END: Chances = Chances { n_fresh: 2, n_warm: 12 };

#[derive(Clone, Copy)]
pub struct Chances {
    n_fresh: u64,
    n_warm: u64,
}

/// What else the worker's random numbers and clock start from.
fn other_chance(nth: u64) -> u64 {
    (nth + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Programs with other findings that are kept while one is minimised.
const MAX_MET: usize = 8;

pub struct Replayer<'a> {
    pub api: &'a Api,
    pub model: &'a Model,
    pub graph: Graph,
    pub judge: Judge<'a>,
    pub interrupt: &'a Interrupt,
    pub seed: u64,
}

/// In which process a program is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Process {
    /// One that has run others before: quick.
    Warm,
    /// One of its own.
    Fresh,
}

/// What came of running a program again.
pub enum Look {
    /// The same thing at the same place, and what the policy makes of it.
    Shows(Incident, Judgement),
    /// The same thing at the same place, and it is no finding. A clause of a contract may be to blame.
    Excused(Option<FaultyClause>),
    Gone,
}

/// How a program comes to where it breaks a contract.
#[derive(Default)]
pub struct Way {
    /// What its values are after each step.
    pub states: Vec<State>,
    /// When histories are looked at.
    pub points: Vec<HistoryPoint>,
    /// The values that the broken clause is about.
    pub operands: Vec<Operand>,
}

/// How a finding is to be minimised.
pub struct MinimizeManner<'a> {
    pub stock: Option<&'a Stock>,
    pub process: Process,
    pub effort: Effort,
    pub deadline: Option<Instant>,
    /// Only what also shows with other random numbers counts.
    pub is_wary_of_chance: bool,
    /// Called before every replay.
    pub on_replay: &'a dyn Fn(),
}

/// Something else that went wrong while a finding was minimised.
pub struct Met {
    pub incident: Incident,
    pub program: Program,
    /// Where it happened.
    pub spot: u64,
}

/// What is written down while a finding is minimised.
pub struct Notebook<'a> {
    /// Incidents that were looked at before.
    pub is_known: &'a dyn Fn(u64) -> bool,
    /// Other incidents, which may be findings of their own.
    pub met: Vec<Met>,
    pub n_replays: usize,
}

impl<'a> Notebook<'a> {
    pub fn new(is_known: &'a dyn Fn(u64) -> bool) -> Notebook<'a> {
        Notebook { is_known, met: Vec::new(), n_replays: 0 }
    }

    fn look_at(&mut self, api: &Api, program: &Program, outcome: &Outcome) {
        for incident in triage(outcome, api, &program.main).incidents {
            let is_new = incident.activity != Activity::Observe
                && self.met.len() < MAX_MET
                && !(self.is_known)(incident.key)
                && self.met.iter().all(|other| other.incident.key != incident.key);
            if is_new {
                let spot = spot_of(&incident, outcome);
                self.met.push(Met { incident, program: program.clone(), spot });
            }
        }
    }
}

impl Replayer<'_> {
    pub fn options(&self, activity: Activity) -> RunOptions {
        RunOptions {
            // Only the check that failed stays on.
            notion: if activity == Activity::Observe { ValueIdentity::Representation } else { ValueIdentity::None },
            backtrace: true,
            // Other random numbers and another clock than the search had: what depends on them shows.
            entropy: self.seed ^ 0xc0ff_ee00,
            // What breaks something else on its way shows that.
            checks: !self.api.specifications.is_empty(),
            // What does not come back may be a clause of a contract.
            stack: !self.api.clauses.is_empty(),
            ..RunOptions::QUIET
        }
    }

    /// Runs a program again, to see whether the incident is still there.
    pub fn look(
        &self,
        executor: &mut dyn Executor,
        incident: &Incident,
        program: &Program,
        process: Process,
        options: RunOptions,
    ) -> Result<Look, ExecutorError> {
        let outcomes = run(executor, std::slice::from_ref(program), process, options)?;
        let Some(outcome) = outcomes.first() else { return Ok(Look::Gone) };
        let incidents = triage(outcome, self.api, &program.main).incidents;
        let Some(same) = incidents.into_iter().find(|other| other.key == incident.key) else {
            return Ok(Look::Gone);
        };
        let is_large = self.uses_large_values(executor, &same, program)?;
        Ok(match self.judge.verdict(&same, outcome, program, is_large) {
            Verdict::Finding(judgement) => Look::Shows(same, judgement),
            Verdict::Legal | Verdict::Illegal(_) => Look::Excused(self.judge.spoilt_clause(&same, outcome)),
        })
    }

    /// Whether the program works with numbers beyond ±1000, or texts longer than that, which it got from calls. Only asked
    /// where it makes a difference.
    fn uses_large_values(
        &self,
        executor: &mut dyn Executor,
        incident: &Incident,
        program: &Program,
    ) -> Result<bool, ExecutorError> {
        if !depends_on_size(incident) {
            return Ok(false);
        }
        let mut before = program.clone();
        before.main.truncate(incident.at as usize);
        before.observe_from = 0;
        let options = RunOptions { trace: true, backtrace: false, ..self.options(Activity::Call) };
        let outcomes = executor.run_warm(vec![before], options)?;
        let steps = outcomes.iter().flat_map(|outcome| &outcome.steps);
        Ok(steps.into_iter().any(|step| is_large(&step.text)))
    }

    /// What the way of a finding's program to where it breaks a contract looks like.
    pub fn way(&self, executor: &mut dyn Executor, finding: &Finding) -> Result<Way, ExecutorError> {
        let mut before = finding.program.clone();
        before.main.truncate(finding.incident.at as usize);
        before.observe_from = 0;
        let options = RunOptions { trace: true, backtrace: false, checks: false, ..self.options(Activity::Call) };
        let traced = executor.run_warm(vec![before], options)?.into_iter().next().unwrap_or_default();
        let outcomes = executor.run_warm(vec![finding.program.clone()], self.options(finding.incident.activity))?;
        let operands = outcomes.iter().find_map(|outcome| {
            let (incident, _) = self.judge.find(&finding.id, &finding.program, outcome)?;
            let broken = self.judge.broken_clauses(&incident, outcome)?;
            Some(operands(self.model, self.api, &finding.program, &incident, &broken, &traced.steps))
        });
        let state = |step: TracedStep| State { statement: step.statement, slot: step.slot, text: step.text };
        let point =
            |point: provoke_wire::Point| HistoryPoint { statement: point.statement, slot: point.slot, op: point.op };
        Ok(Way {
            states: traced.steps.into_iter().map(state).collect(),
            points: traced.points.into_iter().map(point).collect(),
            operands: operands.unwrap_or_default(),
        })
    }

    /// Whether the finding shows with other random numbers and another clock, too, and whether a process with a past hides it.
    pub fn steadiness(
        &self,
        executor: &mut dyn Executor,
        finding: &Finding,
        chances: Chances,
    ) -> Result<Steadiness, ExecutorError> {
        let mut steadiness = finding.steadiness;
        // Only fresh processes say something about hidden state.
        let n_fresh = if steadiness == Steadiness::Steady { chances.n_fresh } else { IN_THE_END.n_fresh };
        for nth in 0..n_fresh + chances.n_warm {
            let process = if nth < n_fresh { Process::Fresh } else { Process::Warm };
            // A time-out costs seconds each time.
            let is_quick = steadiness == Steadiness::Steady && finding.incident.event != Failure::TimedOut;
            if process == Process::Warm && !is_quick {
                break;
            }
            if self.shows_by_chance(executor, finding, process, nth)? {
                continue;
            }
            let is_hidden = process == Process::Warm && self.shows_by_chance(executor, finding, Process::Fresh, nth)?;
            if !is_hidden {
                return Ok(Steadiness::Chance);
            }
            steadiness = Steadiness::HiddenState;
        }
        Ok(steadiness)
    }

    fn shows_by_chance(
        &self,
        executor: &mut dyn Executor,
        finding: &Finding,
        process: Process,
        nth: u64,
    ) -> Result<bool, ExecutorError> {
        let options = self.options(finding.incident.activity);
        let options = RunOptions { entropy: options.entropy ^ other_chance(nth), patience: 0, ..options };
        let outcomes = match run(executor, std::slice::from_ref(&finding.program), process, options) {
            Ok(outcomes) => outcomes,
            // A Ctrl-C in between: the test will tell.
            Err(_) if self.interrupt.is_asked() => return Ok(true),
            Err(error) => return Err(error),
        };
        // The same call every time: with many calls that fail now and then, one of them nearly always does.
        let failure = outcomes.first().and_then(|outcome| self.failure(finding, &finding.program, outcome));
        Ok(failure.is_some_and(|failure| failure.statement == finding.incident.at))
    }

    /// A simpler program with the same finding, confirmed in a fresh worker.
    pub fn minimize(
        &self,
        executor: &mut dyn Executor,
        finding: &Finding,
        manner: &MinimizeManner<'_>,
        notebook: &mut Notebook<'_>,
    ) -> Result<Option<Finding>, ExecutorError> {
        let options = self.options(finding.incident.activity);
        // Whether a call that was over its limit would have come back is asked once, in the end.
        let hasty = RunOptions { patience: 0, ..options };
        let same = |program: &Program, outcome: &Outcome| self.failure(finding, program, outcome);
        let replay = &mut |programs: &[Program]| {
            (manner.on_replay)();
            if manner.deadline.is_some_and(|deadline| Instant::now() >= deadline) || self.interrupt.is_asked() {
                // Nothing fails any more, so the minimiser keeps what it has.
                return Ok(vec![Outcome::default(); programs.len()]);
            }
            notebook.n_replays += programs.len();
            let mut outcomes = run(executor, programs, manner.process, hasty)?;
            let mut failing = BTreeMap::new();
            for (index, (program, outcome)) in programs.iter().zip(&outcomes).enumerate() {
                if let Some(failure) = same(program, outcome) {
                    failing.insert(index, failure);
                } else {
                    notebook.look_at(self.api, program, outcome);
                }
            }
            if manner.is_wary_of_chance && !failing.is_empty() {
                let suspects: Vec<Program> = failing.keys().map(|&index| programs[index].clone()).collect();
                notebook.n_replays += suspects.len();
                let chance = RunOptions { entropy: hasty.entropy ^ other_chance(0), ..hasty };
                let again = run(executor, &suspects, manner.process, chance)?;
                for (((&index, failure), program), outcome) in failing.iter().zip(&suspects).zip(&again) {
                    if same(program, outcome).as_ref() != Some(failure) {
                        outcomes[index] = Outcome::default();
                    }
                }
            }
            Ok(outcomes)
        };
        let replacements = manner.stock.map(|stock| Replacements::new(self.api, &self.graph, stock));
        let minimized = minimize(self.api, replacements, &finding.program, &same, replay, manner.effort)?;
        let Some(minimized) = minimized else { return Ok(None) };
        // A test of a hang waits for seconds: what it claims must hold at least as long.
        let options = RunOptions { patience: HANG_PATIENCE, ..options };
        let outcomes = executor.run_fresh(std::slice::from_ref(&minimized.program), options)?;
        let Some(outcome) = outcomes.first() else { return Ok(None) };
        let Some((incident, _)) = self.judge.find_like(finding, &minimized.program, outcome) else {
            return Ok(None);
        };
        // Fewer calls may leave fewer large numbers, or none: the tier is that of the program that is shown.
        let is_large = self.uses_large_values(executor, &incident, &minimized.program)?;
        Ok(match self.judge.verdict(&incident, outcome, &minimized.program, is_large) {
            Verdict::Finding(judgement) => {
                let n_replays = notebook.n_replays;
                let id = FindingId::of(&judgement);
                Some(Finding { id, judgement, incident, program: minimized.program, n_replays, ..finding.clone() })
            }
            Verdict::Legal | Verdict::Illegal(_) => None,
        })
    }

    /// Whether no single statement can be left out of the finding's program.
    pub fn is_minimal(&self, executor: &mut dyn Executor, finding: &Finding) -> Result<bool, ExecutorError> {
        let failure = FailureSite { statement: finding.incident.at, phase: finding.incident.phase };
        let programs = single_removals(self.api, &finding.program, failure);
        let options = RunOptions { patience: 0, ..self.options(finding.incident.activity) };
        let outcomes = executor.run_warm(programs.clone(), options)?;
        let fails = |(program, outcome)| self.failure(finding, program, outcome).is_some();
        Ok(!programs.iter().zip(&outcomes).any(fails))
    }

    /// Where the finding is in an outcome.
    fn failure(&self, finding: &Finding, program: &Program, outcome: &Outcome) -> Option<FailureSite> {
        let (incident, _) = self.judge.find_like(finding, program, outcome)?;
        Some(FailureSite { statement: incident.at, phase: incident.phase })
    }
}

fn run(
    executor: &mut dyn Executor,
    programs: &[Program],
    process: Process,
    options: RunOptions,
) -> Result<Vec<Outcome>, ExecutorError> {
    match process {
        Process::Warm => executor.run_warm(programs.to_vec(), options),
        Process::Fresh => executor.run_fresh(programs, options),
    }
}

/// Whether large numbers excuse what happened.
pub fn depends_on_size(incident: &Incident) -> bool {
    let is_of_kind =
        matches!(incident.event, Failure::Panic(PanicKind::Overflow) | Failure::TimedOut | Failure::StackOverflow);
    is_of_kind && incident.phase == Phase::Call
}

/// A `Debug` text that shows a number beyond ±1000, or a long text.
pub fn is_large(text: &str) -> bool {
    const MODEST: f64 = 1000.0;
    if text.len() > 1000 {
        return true;
    }
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    text.split(|c: char| !is_part(c)).any(|number| number.parse::<f64>().is_ok_and(|value| value > MODEST))
}

#[cfg(test)]
mod tests {
    use super::*;
    use provoke_api::{OpKind, OpRole};
    use provoke_engine::{FunctionFacts, Op};
    use provoke_wire::{Ending, Panic};

    #[test]
    fn what_is_met_on_the_way_is_noted_once_unless_it_is_known() {
        let facts = FunctionFacts { path: "toy::f".into(), name: "f".into(), ..FunctionFacts::default() };
        let op = Op {
            key: "toy::f".into(),
            role: OpRole::Function,
            function: Some(0),
            trait_function: None,
            kind: OpKind::Other,
            args: Vec::new(),
            result: 0,
            flows: Vec::new(),
            static_args: Vec::new(),
            law: None,
            guards: Vec::new(),
            accused: None,
            belongs_to: None,
        };
        let api = Api { ops: vec![op], functions: vec![facts], ..Api::default() };
        let mut program = Program::default();
        program.main.push_call(0, &[]);
        let panicked_at = |line: u32| Outcome {
            ending: Ending::Panicked,
            panics: vec![Panic {
                statement: 0,
                phase: Phase::Call,
                message: "index out of bounds: the len is 0 but the index is 0".into(),
                file: "src/lib.rs".into(),
                line,
                column: 1,
                depth: 0,
                backtrace: String::new(),
            }],
            ..Outcome::default()
        };
        let key = |line| triage(&panicked_at(line), &api, &program.main).incidents[0].key;
        let known = key(1);
        let is_known = |key| key == known;
        let mut notebook = Notebook::new(&is_known);
        for line in [1, 2, 3, 2] {
            notebook.look_at(&api, &program, &panicked_at(line));
        }
        notebook.look_at(&api, &program, &Outcome::default());
        let met: Vec<u64> = notebook.met.iter().map(|met| met.incident.key).collect();
        assert_eq!(met, [key(2), key(3)]);
    }

    #[test]
    fn a_number_beyond_a_thousand_anywhere_in_a_value_is_large() {
        for (text, expected) in [
            ("7", false),
            ("-1000", false),
            ("-1001", true),
            ("Duration { seconds: 9223372036854775807, nanoseconds: 1 }", true),
            ("Date { year: 2020, ordinal: 3 }", true),
            ("\"v1.2.3\"", false),
            ("1e-3", false),
        ] {
            assert_eq!(is_large(text), expected, "{text}");
        }
        assert!(is_large(&"a".repeat(1001)));
    }
}
