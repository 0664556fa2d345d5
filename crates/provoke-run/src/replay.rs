//! Saved findings, run again: one with every step and the state after it, or all of them.

use provoke_engine::{Executor, FindingId, Incident, Judgement, backtrace_parts};
use provoke_host::{Pool, Target};
use provoke_oracles::is_contract;
use provoke_report::{
    Blame, Change, Event, ExitCode, Fate, Operand, Replayed, ReplayedFinding, ReportedFinding, Tier, UserError,
};
use provoke_wire::{Ending, Outcome, Program, RunOptions};

use crate::config::accepted_as;
use crate::confirm::blame::{blame, frames, location};
use crate::confirm::operands::operands;
use crate::confirm::replayer::{depends_on_size, is_large};
use crate::drive::sanitizer_share::replay_pool;
use crate::error::from_executor;
use crate::events::{Observer, observed};
use crate::prepare::assemble::Assembled;
use crate::prepare::packages::{AllPackages, cargo_context, each, packages};
use crate::results::directory::{Results, SavedProgram};
use crate::session::{ANYTHING, Session};
use crate::settings::Setup;
use crate::verify::steps::{happened, lines, steps};

/// Which findings are to be run again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replay {
    One {
        /// Or the beginning of one.
        id: String,
    },
    All {
        /// The mildest tier that makes the run fail.
        deny: Option<Tier>,
    },
}

/// What was replayed in one package.
#[derive(Clone, Debug)]
pub enum PackageReplay {
    One(Box<Replayed>),
    /// The observer has heard of each of them.
    All(Vec<ReplayedFinding>),
}

/// Runs findings of the last run again.
pub fn replay(setup: &Setup, replay: &Replay, observer: &mut dyn Observer) -> AllPackages<PackageReplay> {
    observed(observer, |events| {
        let all = || {
            let cargo_context = cargo_context(setup, events)?;
            let packages = packages(setup, &cargo_context, |targets| with_findings(replay, targets))?;
            Ok(each(setup, &packages, events, |package| {
                let session = Session::prepare(setup, package, ANYTHING, &cargo_context, events)?;
                replay_package(&session, replay)
            }))
        };
        all().unwrap_or_else(|error| AllPackages { packages: Vec::new(), n_asked_for: 0, end: Err(error) })
    })
}

fn replay_package(session: &Session<'_>, replay: &Replay) -> Result<(ExitCode, PackageReplay), UserError> {
    let (mut pool, assembled) = session.plain_pool()?;
    match replay {
        Replay::One { id } => {
            let replayed = replay_one(session, &mut pool, &assembled, id)?;
            Ok((ExitCode::Success, PackageReplay::One(Box::new(replayed))))
        }
        Replay::All { deny } => {
            let all = replay_all(session, &mut pool, &assembled, *deny)?;
            let is_denied = all.iter().any(|checked| checked.is_denied);
            let code = if is_denied { ExitCode::Findings } else { ExitCode::Success };
            Ok((code, PackageReplay::All(all.into_iter().map(|checked| checked.replayed).collect())))
        }
    }
}

/// Of all selected packages those whose findings are meant, so that only they are built.
fn with_findings(replay: &Replay, targets: Vec<Target>) -> Result<Vec<Target>, UserError> {
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

/// One finding with every step.
fn replay_one(
    session: &Session<'_>,
    pool: &mut Pool,
    assembled: &Assembled,
    start: &str,
) -> Result<Replayed, UserError> {
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
    Ok(replayed)
}

/// What became of a finding, and whether it still makes a run fail.
struct Checked {
    replayed: ReplayedFinding,
    is_denied: bool,
}

/// Every finding of the last run, without its steps.
fn replay_all(
    session: &Session<'_>,
    pool: &mut Pool,
    assembled: &Assembled,
    deny: Option<Tier>,
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
                    is_denied = !is_accepted && deny.is_some_and(|least| now.tier >= least);
                }
            }
            Err(why) => replayed.fate = Fate::CannotRun { why },
        }
        session.events.emit(Event::Replayed(Box::new(replayed.clone())));
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
            let outcomes = outcomes.map_err(|error| from_executor(&error, session.interrupt()))?;
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
        let judged = session.judge(&assembled.api).findings(&program, &outcome, |incident| {
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
        match session.judge(api).broken_clauses(incident, &self.outcome) {
            Some(broken) if is_contract(judgement.oracle) => {
                operands(&session.prepared.model, api, &self.program, incident, &broken, &self.outcome.steps)
            }
            _ => Vec::new(),
        }
    }

    /// `known` is what the summary of the last run says of the finding.
    fn fate(&self, saved: &SavedProgram, known: Option<&ReportedFinding>) -> Fate {
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
fn changes(saved: &SavedProgram, known: Option<&ReportedFinding>, now: &Judgement, is_same: bool) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut compare = |what, before: &str, now: &str| {
        if before != now {
            changes.push(Change { what, before: before.to_string(), now: now.to_string() });
        }
    };
    compare("message", &saved.message, &now.words());
    if let Some(known) = known {
        compare("tier", known.tier.name(), now.tier.name());
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
#[path = "replay_tests.rs"]
mod tests;
