//! `cargo provoke replay`: runs saved findings again, one with every step and the state after it, or all of them.

use provoke_engine::{Executor, FindingId, Incident, Judgement, backtrace_parts};
use provoke_host::{Pool, Target};
use provoke_oracles::is_contract;
use provoke_report::{
    Blame, Change, Fate, Finding as Reported, Operand, Replayed, ReplayedFinding, Tier, UserError, render_replay,
};
use provoke_wire::{Ending, Outcome, Program, RunOptions};

use crate::assemble::Assembled;
use crate::blame::{blame, frames, location, tier};
use crate::config::accepted_as;
use crate::failure::from_executor;
use crate::laboratory::{depends_on_size, is_large};
use crate::operands::operands;
use crate::options::Replay;
use crate::pipeline::Session;
use crate::results::{Results, SavedProgram};
use crate::sanitizing::replay_pool;
use crate::steps::{happened, lines, steps};

/// Of all selected packages those whose findings are meant, so that only they are built.
pub fn with_findings(replay: &Replay, targets: Vec<Target>) -> Result<Vec<Target>, UserError> {
    let results = |target: &Target| Results::new(target.output_directory());
    let known: Vec<Vec<String>> = targets.iter().map(|target| results(target).finding_ids()).collect();
    let is_meant = |id: &&String| match replay {
        Replay::One { id: start } => id.starts_with(start.as_str()),
        Replay::All { .. } => true,
    };
    match replay {
        Replay::One { id } => {
            let mut matching: Vec<&String> = known.iter().flatten().filter(is_meant).collect();
            matching.sort();
            matching.dedup();
            match matching.len() {
                0 => return Err(no_finding(id, &known)),
                1 => {}
                _ => {
                    let message = format!("`{id}` may be several findings");
                    return Err(UserError::usage(message, "give more letters of the id"));
                }
            }
        }
        Replay::All { .. } if !targets.iter().any(|target| results(target).read_summary().is_some()) => {
            return Err(UserError::usage(
                "there is no last run whose findings could be replayed",
                "run `cargo provoke` first",
            ));
        }
        Replay::All { .. } => {}
    }
    let has_meant = |ids: &Vec<String>| ids.iter().any(|id| is_meant(&id));
    Ok(targets.into_iter().zip(&known).filter(|(_, ids)| has_meant(ids)).map(|(target, _)| target).collect())
}

fn no_finding(id: &str, known: &[Vec<String>]) -> UserError {
    let ids: Vec<&str> = known.iter().flatten().map(String::as_str).collect();
    let hint =
        if ids.is_empty() { "the last run found nothing".to_string() } else { format!("known: {}", ids.join(", ")) };
    UserError::usage(format!("there is no finding `{id}`"), hint)
}

/// One finding with every step, as text.
pub fn replay_one(
    session: &Session<'_>,
    pool: &mut Pool,
    assembled: &Assembled,
    start: &str,
) -> Result<String, UserError> {
    let ids = session.results.finding_ids();
    let Some(id) = ids.iter().find(|id| id.starts_with(start)) else { return Err(no_finding(start, &[ids])) };
    let damaged = |why: String| {
        let message = format!("the finding {id} cannot be replayed: {why}");
        UserError::usage(message, "run `cargo provoke` again to find it anew")
    };
    let (saved, program) = load(session, assembled, id).map_err(damaged)?;
    let summary = session.results.read_summary();
    let known = summary.as_ref().and_then(|summary| summary.findings.iter().find(|finding| finding.id == *id));
    let mut sanitized = match saved.sanitizer {
        Some(_) => Some(replay_pool(session)?),
        None => None,
    };
    let rerun = Rerun::of(session, sanitized.as_mut().unwrap_or(pool), assembled, &saved, program)?;
    let backtrace = rerun.incident().and_then(|incident| rerun.outcome.panics.get(incident.panic?));
    let replayed = Replayed {
        id: id.clone(),
        before: saved.message.clone(),
        steps: steps(
            &lines(&rerun.program, &assembled.texts, &session.target.crate_name),
            &rerun.outcome,
            happened(&rerun.outcome),
        ),
        fate: rerun.fate(&saved, known),
        blame: rerun.judgement().map(|judgement| Blame {
            operands: rerun.operands(session, assembled),
            ..blame(judgement, &assembled.api.policy)
        }),
        backtrace: backtrace
            .map_or_else(Vec::new, |panic| frames(backtrace_parts(&panic.backtrace, &session.sources()))),
    };
    Ok(render_replay(&replayed, session.console.theme()))
}

/// What became of a finding, and whether it still makes a run fail.
pub struct Checked {
    pub replayed: ReplayedFinding,
    pub is_denied: bool,
}

/// Every finding of the last run, without its steps; `tell` hears of each as soon as it is known.
pub fn replay_all(
    session: &Session<'_>,
    pool: &mut Pool,
    assembled: &Assembled,
    deny: Option<Tier>,
    mut tell: impl FnMut(&ReplayedFinding),
) -> Result<Vec<Checked>, UserError> {
    let summary = session.results.read_summary();
    let mut all = Vec::new();
    let mut sanitized = None;
    for id in session.results.finding_ids() {
        let known = summary.as_ref().and_then(|summary| summary.findings.iter().find(|finding| finding.id == id));
        let is_accepted = accepted_as(&session.config.config.accepts, &id).is_some();
        let mut replayed = ReplayedFinding {
            function: known.map_or_else(String::new, |known| known.function.clone()),
            location: None,
            is_accepted,
            fate: Fate::StillThere,
            id,
        };
        let mut is_denied = false;
        match load(session, assembled, &replayed.id) {
            Ok((saved, program)) => {
                if saved.sanitizer.is_some() && sanitized.is_none() {
                    sanitized = Some(replay_pool(session)?);
                }
                let fitting = sanitized.as_mut().filter(|_| saved.sanitizer.is_some());
                let rerun = Rerun::of(session, fitting.unwrap_or(&mut *pool), assembled, &saved, program)?;
                replayed.fate = rerun.fate(&saved, known);
                if let Some(now) = rerun.judgement() {
                    replayed.function = now.function.clone();
                    replayed.location = location(now);
                    is_denied = !is_accepted && deny.is_some_and(|least| tier(now).is_at_least(least));
                }
            }
            Err(why) => replayed.fate = Fate::CannotRun { why },
        }
        tell(&replayed);
        all.push(Checked { replayed, is_denied });
    }
    Ok(all)
}

/// The saved finding and its program for this worker, or why there is none.
fn load(session: &Session<'_>, assembled: &Assembled, id: &str) -> Result<(SavedProgram, Program), String> {
    let text = std::fs::read_to_string(session.results.program_file(id)).map_err(|error| error.to_string())?;
    let saved: SavedProgram = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let program = saved.load(&assembled.api)?;
    Ok((saved, program))
}

/// A saved program that was run again, and what it shows now: the same finding if it is still there, else another one.
struct Rerun {
    program: Program,
    outcome: Outcome,
    found: Option<(Incident, Judgement)>,
    is_same: bool,
}

impl Rerun {
    fn of(
        session: &Session<'_>,
        pool: &mut Pool,
        assembled: &Assembled,
        saved: &SavedProgram,
        program: Program,
    ) -> Result<Rerun, UserError> {
        let stack = !assembled.api.clauses.is_empty();
        let options = RunOptions { trace: true, backtrace: true, stack, entropy: 0xc0ff_ee00, ..RunOptions::QUIET };
        let mut run = |program: &Program| {
            let outcomes = pool.run_fresh(std::slice::from_ref(program), options);
            let outcomes = outcomes.map_err(|error| from_executor(&error, session.interrupt))?;
            Ok::<_, UserError>(outcomes.into_iter().next().unwrap_or_default())
        };
        let mut outcome = run(&program)?;
        // A worker that dies takes what it saw with it: up to there, another one sees the same.
        if let Some((at, _)) = happened(&outcome).filter(|_| outcome.ending != Ending::Panicked) {
            let mut before = program.clone();
            before.main.truncate(at as usize);
            before.observe_from = before.observe_from.min(at);
            outcome.steps = run(&before)?.steps;
        }
        let judged = session.assessor(&assembled.api).findings(&program, &outcome, |incident| {
            let earlier = outcome.steps.iter().filter(|step| step.statement < incident.at);
            depends_on_size(incident) && earlier.into_iter().any(|step| is_large(&step.text))
        });
        let is_same = |(_, judgement): &(Incident, Judgement)| FindingId::of(judgement).0 == saved.id;
        let same = judged.iter().position(is_same);
        let found = judged.into_iter().nth(same.unwrap_or(0));
        Ok(Rerun { program, outcome, found, is_same: same.is_some() })
    }

    fn incident(&self) -> Option<&Incident> {
        self.found.as_ref().map(|(incident, _)| incident)
    }

    fn judgement(&self) -> Option<&Judgement> {
        self.found.as_ref().map(|(_, judgement)| judgement)
    }

    /// The values that a broken clause is about.
    fn operands(&self, session: &Session<'_>, assembled: &Assembled) -> Vec<Operand> {
        let api = &assembled.api;
        let Some((incident, judgement)) = &self.found else { return Vec::new() };
        match session.assessor(api).broken_clauses(incident, &self.outcome) {
            Some(broken) if is_contract(judgement.oracle) => {
                operands((&session.prepared.model, api), &self.program, incident, &broken, &self.outcome.steps)
            }
            _ => Vec::new(),
        }
    }

    /// `known` is what the summary of the last run says of the finding.
    fn fate(&self, saved: &SavedProgram, known: Option<&Reported>) -> Fate {
        let Some(now) = self.judgement() else {
            // What comes and goes may have gone for this time only.
            if let Some(flaky) = known.filter(|known| known.flaky) {
                let now = "did not fail this time".to_string();
                return Fate::Changed(vec![Change { what: "it is flaky", before: flaky.message.clone(), now }]);
            }
            return Fate::Fixed { happened: happened(&self.outcome).map(|(_, what)| what) };
        };
        let changes = changes(saved, known, now, self.is_same);
        if changes.is_empty() { Fate::StillThere } else { Fate::Changed(changes) }
    }
}

/// A line that moved is no change: what is above it may have grown.
fn changes(saved: &SavedProgram, known: Option<&Reported>, now: &Judgement, is_same: bool) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut compare = |what, before: &str, now: &str| {
        if before != now {
            changes.push(Change { what, before: before.to_string(), now: now.to_string() });
        }
    };
    compare("message", &saved.message, &now.words());
    if let Some(known) = known {
        compare("tier", known.tier.name(), tier(now).name());
        if !is_same {
            compare("rule", &known.oracle, now.oracle);
            compare("function", &known.function, &now.function);
            let nowhere = || "unknown".to_string();
            let before = known.location.clone().unwrap_or_else(nowhere);
            compare("place", &before, &location(now).unwrap_or_else(nowhere));
        }
    }
    changes
}

#[cfg(test)]
mod tests;
