//! Turns suspects of the search into confirmed, minimised findings.

use std::collections::{BTreeSet, HashSet};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use provoke_engine::{
    Activity, Api, Effort, Event as Happening, Executor, ExecutorError, Failure, Finding, FindingId, Findings,
    Incident, Judgement, PanicKind, Place, Sink, Stats, Suspect, Verdict, minimize, triage,
};
use provoke_report::{Event, Progress, per_second};
use provoke_wire::{Notion, Outcome, Phase, Program, RunOptions};

use crate::assessor::Assessor;
use crate::console::Console;
use crate::interrupt::Interrupt;

/// A finding on its way to becoming a test, with what only the hunt knows.
pub struct Confirmed {
    pub finding: Finding,
    pub found_after_seconds: f64,
}

/// What a hunt is bounded by.
pub struct Limits {
    pub time: Option<Duration>,
    pub calls: Option<u64>,
    pub seed: u64,
    pub functions_callable: u64,
}

/// Thirty times the usual limit in the end, which is more than the test of a hang waits.
const HANG_PATIENCE: u32 = 3;

/// What else the worker's random numbers and clock start from, to see whether a finding depends on them.
const OTHER_CHANCES: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0x0123_4567_89ab_cdef];

/// How hard to minimise: a time-out costs seconds each time, everything else about a millisecond.
fn effort_for(event: Happening, has_time: bool) -> Effort {
    match event {
        // Enough to leave out what the failing call has nothing to do with.
        _ if !has_time => Effort { max_replays: 4, batch: 4 },
        Happening::TimedOut => Effort { max_replays: 40, batch: 4 },
        _ => Effort { max_replays: 5000, batch: 16 },
    }
}

pub struct Hunt<'a> {
    api: &'a Api,
    assessor: Assessor<'a>,
    console: &'a Console,
    interrupt: &'a Interrupt,
    limits: Limits,
    started: Instant,
    /// Time that was spent on confirming and minimising: it does not count as search.
    paused: Duration,
    /// Keys of the incidents that were looked at.
    known: BTreeSet<u64>,
    findings: Findings,
    /// How far the search was after the last batch.
    progress: Progress,
    /// Where something was found, whichever function it was found through.
    places: HashSet<(&'static str, Option<Place>)>,
    to_verifier: Sender<Confirmed>,
}

impl<'a> Hunt<'a> {
    pub fn new(
        api: &'a Api,
        assessor: Assessor<'a>,
        console: &'a Console,
        interrupt: &'a Interrupt,
        limits: Limits,
        to_verifier: Sender<Confirmed>,
    ) -> Hunt<'a> {
        Hunt {
            api,
            assessor,
            console,
            interrupt,
            limits,
            started: Instant::now(),
            paused: Duration::ZERO,
            known: BTreeSet::new(),
            findings: Findings::new(),
            progress: Progress::default(),
            places: HashSet::new(),
            to_verifier,
        }
    }

    pub fn search_seconds(&self) -> f64 {
        (self.started.elapsed() - self.paused).as_secs_f64()
    }

    pub fn minimize_seconds(&self) -> f64 {
        self.paused.as_secs_f64()
    }

    /// Also while something is looked at closely, which may take longer than the search does between two findings.
    fn show_progress(&self) {
        self.console.emit(&Event::Progress(self.progress.clone()));
    }

    /// Minimising may take half of the search time on top of it.
    fn may_minimize(&self) -> bool {
        !self.interrupt.is_asked() && self.limits.time.is_none_or(|time| self.paused < time / 2)
    }

    /// One finding gets a third of what is left, so that the first does not eat it all, and a second in any case.
    fn minimize_deadline(&self) -> Option<Instant> {
        let left = (self.limits.time? / 2).saturating_sub(self.paused);
        Some(Instant::now() + (left / 3).max(Duration::from_secs(1)))
    }

    fn options(&self, activity: Activity) -> RunOptions {
        RunOptions {
            // Only the check that failed stays on.
            notion: if activity == Activity::Observe { Notion::Representation } else { Notion::None },
            trace: false,
            backtrace: true,
            // Other random numbers and another clock than the search had: what depends on them shows.
            entropy: self.limits.seed ^ 0xc0ff_ee00,
            patience: 1,
        }
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
        let outcomes = executor.run_aside(vec![before], options)?;
        let steps = outcomes.iter().flat_map(|outcome| &outcome.steps);
        Ok(steps.into_iter().any(|step| is_large(&step.text)))
    }

    /// Looks at an incident closely: quickly at first, then, if it is worth it, as nobody else would be there.
    fn confirm(
        &mut self,
        executor: &mut dyn Executor,
        incident: &Incident,
        program: &Program,
        found_after_seconds: f64,
    ) -> Result<(), ExecutorError> {
        let options = self.options(incident.activity);
        let outcomes = executor.run_aside(vec![program.clone()], options)?;
        let is_large = self.uses_large_values(executor, incident, program)?;
        let first_look = outcomes.first().and_then(|outcome| self.finding_like(incident, program, outcome, is_large));
        let Some((_, judgement)) = first_look else { return Ok(()) };
        // When the time for minimising is over, the same place through yet another function is not worth more of it.
        let place = (judgement.oracle, judgement.place.clone());
        let is_familiar = !self.places.insert(place) && !self.may_minimize();
        if is_familiar || self.findings.get(&FindingId::of(&judgement)).is_some() {
            return Ok(());
        }
        // What comes after the failing call never ran.
        let mut program = program.clone();
        if incident.phase == Phase::Call {
            program.main.truncate(incident.at as usize + 1);
            program.observe_from = program.observe_from.min(program.main.statements.len() as u32);
        }
        let outcomes = executor.run_fresh(std::slice::from_ref(&program), options)?;
        let Some((incident, judgement)) =
            outcomes.first().and_then(|outcome| self.finding_like(incident, &program, outcome, is_large))
        else {
            return Ok(());
        };
        let mut best = Finding {
            id: FindingId::of(&judgement),
            judgement,
            incident,
            n_calls_before_minimizing: program.main.n_calls(),
            program,
            is_flaky: false,
        };
        if !self.interrupt.is_asked() {
            // In one worker for speed; in fresh ones if the result turns out to need what others left behind.
            for is_aside in [true, false] {
                match self.minimize(executor, &best, is_aside) {
                    Ok(Some(minimized)) => {
                        best = minimized;
                        break;
                    }
                    Ok(None) => {}
                    // A Ctrl-C in between: better a long test than none.
                    Err(_) if self.interrupt.is_asked() => break,
                    Err(error) => return Err(error),
                }
            }
        }
        // What comes and goes with the clock or with random numbers has no test that fails every time.
        if !self.is_steady(executor, &best)? {
            return Ok(());
        }
        self.findings.add(best.clone());
        // The verifier only goes away with the whole run.
        let _ = self.to_verifier.send(Confirmed { finding: best, found_after_seconds });
        Ok(())
    }

    /// Whether the finding shows with other random numbers and another clock, too.
    fn is_steady(&self, executor: &mut dyn Executor, finding: &Finding) -> Result<bool, ExecutorError> {
        for chance in OTHER_CHANCES {
            let options = self.options(finding.incident.activity);
            let options = RunOptions { entropy: options.entropy ^ chance, patience: 0, ..options };
            let outcomes = match executor.run_fresh(std::slice::from_ref(&finding.program), options) {
                Ok(outcomes) => outcomes,
                // A Ctrl-C in between: the test will tell.
                Err(_) if self.interrupt.is_asked() => return Ok(true),
                Err(error) => return Err(error),
            };
            let shows = |outcome| self.assessor.find(&finding.id, &finding.program, outcome).is_some();
            if !outcomes.first().is_some_and(shows) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The finding that an outcome shows at the same place as before.
    fn finding_like(
        &self,
        incident: &Incident,
        program: &Program,
        outcome: &Outcome,
        uses_large_values: bool,
    ) -> Option<(Incident, Judgement)> {
        let incidents = triage(outcome, self.api, &program.main).incidents;
        let same = incidents.into_iter().find(|other| other.key == incident.key)?;
        match self.assessor.verdict(&same, outcome, program, uses_large_values) {
            Verdict::Finding(judgement) => Some((same, judgement)),
            Verdict::Legal | Verdict::Illegal(_) => None,
        }
    }

    /// A simpler program with the same finding, confirmed in a fresh worker.
    fn minimize(
        &self,
        executor: &mut dyn Executor,
        finding: &Finding,
        is_aside: bool,
    ) -> Result<Option<Finding>, ExecutorError> {
        let options = self.options(finding.incident.activity);
        // Whether a call that was over its limit would have come back is asked once, in the end.
        let hasty = RunOptions { patience: 0, ..options };
        let find = |program: &Program, outcome: &Outcome| self.assessor.find(&finding.id, program, outcome);
        let same = |program: &Program, outcome: &Outcome| {
            let (incident, _) = find(program, outcome)?;
            Some(Failure { statement: incident.at, phase: incident.phase })
        };
        let deadline = self.minimize_deadline();
        let replay = &mut |programs: &[Program]| {
            self.show_progress();
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) || self.interrupt.is_asked() {
                // Nothing fails any more, so the minimiser keeps what it has.
                return Ok(vec![Outcome::default(); programs.len()]);
            }
            if is_aside { executor.run_aside(programs.to_vec(), hasty) } else { executor.run_fresh(programs, hasty) }
        };
        let effort = effort_for(finding.incident.event, self.may_minimize());
        let Some(minimized) = minimize(self.api, &finding.program, &same, replay, effort)? else { return Ok(None) };
        // A test of a hang waits for seconds: what it claims must hold at least as long.
        let options = RunOptions { patience: HANG_PATIENCE, ..options };
        let outcomes = executor.run_fresh(std::slice::from_ref(&minimized.program), options)?;
        let Some(outcome) = outcomes.first() else { return Ok(None) };
        let Some((incident, _)) = find(&minimized.program, outcome) else { return Ok(None) };
        // Fewer calls may leave fewer large numbers, or none: the tier is that of the program that is shown.
        let is_large = self.uses_large_values(executor, &incident, &minimized.program)?;
        Ok(match self.assessor.verdict(&incident, outcome, &minimized.program, is_large) {
            Verdict::Finding(judgement) => {
                Some(Finding { judgement, incident, program: minimized.program, ..finding.clone() })
            }
            Verdict::Legal | Verdict::Illegal(_) => None,
        })
    }
}

/// Whether large numbers excuse what happened.
pub fn depends_on_size(incident: &Incident) -> bool {
    let is_of_kind = matches!(
        incident.event,
        Happening::Panic(PanicKind::Overflow) | Happening::TimedOut | Happening::StackOverflow
    );
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

impl Sink for Hunt<'_> {
    fn suspect(&mut self, executor: &mut dyn Executor, suspect: Suspect<'_>) -> Result<(), ExecutorError> {
        let triage = triage(suspect.outcome, self.api, &suspect.program.main);
        for incident in triage.incidents {
            // Panics of `Debug` and `Hash` while values are told apart are the business of the laws to come: no test
            // could show them yet.
            if incident.activity == Activity::Observe || !self.known.insert(incident.key) {
                continue;
            }
            self.show_progress();
            let found_after_seconds = self.search_seconds();
            let pause = Instant::now();
            let result = self.confirm(executor, &incident, suspect.program, found_after_seconds);
            self.paused += pause.elapsed();
            result?;
        }
        Ok(())
    }

    fn progress(&mut self, stats: &Stats) {
        let seconds = self.search_seconds();
        self.progress = Progress {
            seconds_left: self.limits.time.map(|time| (time.as_secs_f64() - seconds).max(0.0)),
            calls: stats.calls,
            calls_limit: self.limits.calls,
            calls_per_second: per_second(stats.calls, seconds),
            functions_covered: stats.functions_covered,
            functions_callable: self.limits.functions_callable,
            findings: self.findings.len() as u64,
        };
        self.show_progress();
    }

    fn should_stop(&self) -> bool {
        self.interrupt.is_asked() || self.limits.time.is_some_and(|time| self.started.elapsed() - self.paused >= time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
