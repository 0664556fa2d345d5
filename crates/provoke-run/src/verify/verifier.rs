//! Every test is compiled and run before anyone sees it.
//!
//! Decision: `docs/decisions/075-memory-errors-are-verified-with-the-sanitizer.md`

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use provoke_codegen::{OpText, Style, TestEnding, TestInput, emit_test, raw, snake_case};
use provoke_engine::{Api, Failure, Finding, MemoryError, PanicKind, explain};
use provoke_host::{
    CONTRACT_CHECKS_COMMAND, CargoError, ErrorClass, HarnessDir, RunStatus, SPECIFICATIONS_COMMAND, SanitizedBuild,
    TestFile, Verified, VerifyOptions, write_whole,
};
use provoke_report::{Event, ReplayStep, ReportedFinding, one_line};
use provoke_wire::{Body, FaultKind, Outcome, Statement, StatementKind, TracedStep};

use crate::config::{Accept, accepted_as};
use crate::confirm::checkpoint::{SavedRun, VerifiedFinding};
use crate::confirm::confirmed::{Confirmed, State};
use crate::confirm::retirement::{Retirement, is_about_memory, misread};
use crate::events::Events;
use crate::results::directory::{Results, log_finding, save};
use crate::verify::spelling::spelled_out;
use crate::verify::steps::{lines, steps};

/// A hang is given this long in its test.
const HANG_SECONDS: u64 = 5;

/// How a complaint about a test starts that compiles, and does not show what it should.
const NOT_AS_CLAIMED: &str = "does not fail as claimed";

/// What came of all tests.
#[derive(Default)]
pub struct Verification {
    pub reported: Vec<(ReportedFinding, Finding)>,
    pub n_rejected: u64,
    pub seconds: f64,
    /// Why tests could not be verified at all, which says nothing about them.
    pub failure: Option<CargoError>,
}

/// One way to write the test of a finding.
struct Attempt {
    confirmed: Confirmed,
    style: Style,
    /// Lints of rustc that the test switches off, since it cannot be written without what they warn of.
    allowed: BTreeSet<String>,
    /// Traits that turned out not to be needed: a method of the same name went before.
    unused_imports: BTreeSet<String>,
    /// Compiled and run with the sanitizer.
    is_sanitized: bool,
}

impl Attempt {
    /// Turns to what is to be tried after a complaint; `false` where nothing is left.
    fn turn_to_next(&mut self, complaint: &str, has_sanitizer: bool) -> bool {
        // What broken memory leads to may take the very worker that it was seen in.
        if complaint.starts_with(NOT_AS_CLAIMED) && has_sanitizer && !self.is_sanitized {
            self.is_sanitized = true;
            return true;
        }
        let n_unused = self.unused_imports.len();
        self.unused_imports.extend(between(complaint, "unused import: `", "`"));
        if self.unused_imports.len() > n_unused {
            return true;
        }
        if complaint.contains("use of deprecated") && self.allowed.insert("deprecated".to_string()) {
            return true;
        }
        if self.style == Style::Pretty {
            self.style = Style::Explicit;
            // An unused trait may mean that a method of the type itself went before: now the trait is named.
            self.unused_imports.clear();
            return true;
        }
        // Only a program that was not minimised comes this far: a value that is written and never read, and the like.
        let n_allowed = self.allowed.len();
        self.allowed.extend(between(complaint, "#[warn(", ")]"));
        self.allowed.len() > n_allowed
    }
}

/// Every text between two marks.
pub fn between(text: &str, start: &str, end: &str) -> Vec<String> {
    let parts = text.split(start).skip(1);
    parts.filter_map(|rest| rest.split_once(end)).map(|(found, _)| found.to_string()).collect()
}

pub struct Verifier<'a> {
    pub harness: &'a HarnessDir,
    pub api: &'a Api,
    pub texts: &'a [OpText],
    pub crate_name: &'a str,
    /// What the crate calls those of its dependencies that tests may name.
    pub dependency_names: &'a [String],
    pub events: &'a Events,
    pub jobs: usize,
    /// Findings that the user lives with.
    pub accepts: &'a [Accept],
    pub results: &'a Results,
    pub saved_run: &'a SavedRun,
    /// What an earlier part of the run has verified.
    pub earlier: Vec<VerifiedFinding>,
    /// For what only shows with the sanitizer.
    pub sanitized: Option<&'a SanitizedBuild>,
    /// Operations whose loans turn out not to be understood.
    pub retirement: &'a Retirement,
}

impl Verifier<'_> {
    /// Takes findings as they come, those that wait together, until the confirmer is over.
    pub fn run(&self, from_confirmer: &Receiver<Confirmed>) -> Verification {
        let mut verification = Verification::default();
        let mut earlier = self.earlier.clone();
        while let Ok(first) = from_confirmer.recv() {
            let mut waiting = vec![first];
            waiting.extend(from_confirmer.try_iter());
            let started = Instant::now();
            let waiting = self.without_verified(waiting, &mut earlier, &mut verification);
            self.verify(waiting, &mut verification);
            verification.seconds += started.elapsed().as_secs_f64();
        }
        // What the search did not come by again this time was found all the same.
        for VerifiedFinding { confirmed, reported, .. } in earlier {
            let is_known = verification.reported.iter().any(|(known, _)| known.id == reported.id);
            if !is_known {
                self.report(confirmed, reported, &mut verification);
            }
        }
        verification
    }

    /// Reports those that an earlier part of the run has verified, and returns the others.
    fn without_verified(
        &self,
        waiting: Vec<Confirmed>,
        earlier: &mut Vec<VerifiedFinding>,
        verification: &mut Verification,
    ) -> Vec<Confirmed> {
        let mut left = Vec::new();
        for confirmed in waiting {
            let is_same = |verified: &VerifiedFinding| verified.confirmed.finding == confirmed.finding;
            match earlier.iter().position(is_same) {
                Some(place) => {
                    let reported = earlier.remove(place).reported;
                    self.report(confirmed, reported, verification);
                }
                None => left.push(confirmed),
            }
        }
        left
    }

    fn verify(&self, confirmed: Vec<Confirmed>, verification: &mut Verification) {
        // No test of what is flaky could be relied on to fail. A crash that no test shows may be what our own program did.
        let is_shown = |finding: &Finding| !(finding.steadiness.is_flaky() && is_about_memory(&finding.incident));
        let first = |confirmed: Confirmed| Attempt {
            is_sanitized: is_seen_by_sanitizer(&confirmed.finding),
            style: if confirmed.finding.steadiness.is_flaky() { Style::Explicit } else { Style::Pretty },
            confirmed,
            allowed: BTreeSet::new(),
            unused_imports: BTreeSet::new(),
        };
        let confirmed = confirmed.into_iter().filter(|confirmed| is_shown(&confirmed.finding));
        let mut attempts: Vec<Attempt> = confirmed.map(first).collect();
        while !attempts.is_empty() {
            attempts.retain(|attempt| {
                let is_discredited = self.retirement.discredits_finding(&attempt.confirmed.finding);
                if is_discredited {
                    self.log(attempt, "calls what is no longer called");
                }
                !is_discredited
            });
            let (sanitized, plain): (Vec<_>, Vec<_>) =
                attempts.into_iter().partition(|attempt: &Attempt| attempt.is_sanitized);
            attempts = Vec::new();
            for alike in [plain, sanitized] {
                match self.try_out(alike, verification) {
                    Ok(again) => attempts.extend(again),
                    Err(error) => {
                        verification.failure.get_or_insert(error);
                        return;
                    }
                }
            }
        }
    }

    /// Compiles and runs tests, all with the sanitizer or all without; returns those that are to be tried in another way.
    fn try_out(&self, attempts: Vec<Attempt>, verification: &mut Verification) -> Result<Vec<Attempt>, CargoError> {
        let tests: Vec<TestFile> = attempts.iter().map(|attempt| self.test_file(attempt)).collect();
        let is_sanitized = attempts.first().is_some_and(|attempt| attempt.is_sanitized);
        let results = match self.harness.verify(&tests, &self.options(is_sanitized)) {
            Err(error) if error.class() != ErrorClass::Internal => return Err(error),
            results => results,
        };
        let has_sanitizer = self.sanitized.is_some_and(|build| build.is_built().load(Ordering::Relaxed));
        let mut again = Vec::new();
        for (index, (mut attempt, test)) in attempts.into_iter().zip(tests).enumerate() {
            let verdict = match &results {
                Ok(results) => accepted(&attempt.confirmed.finding, &results[index]),
                Err(error) => Err(error.to_string()),
            };
            let is_flaky = attempt.confirmed.finding.steadiness.is_flaky();
            let Err(complaint) = verdict else {
                let source = (!is_flaky).then_some(test.source);
                self.accept(attempt.confirmed, source, is_sanitized, verification);
                continue;
            };
            self.log(&attempt, &complaint);
            let errors = results.as_ref().ok().and_then(|results| results[index].compile.as_ref().err());
            // Shorter spellings may be refused for reasons of their own.
            let is_illegal = attempt.style == Style::Explicit
                && errors.is_some_and(|errors| self.retire_misread(&attempt, &test, errors));
            if is_flaky && !is_illegal {
                self.accept(attempt.confirmed, None, is_sanitized, verification);
            } else if !is_illegal && results.is_ok() && attempt.turn_to_next(&complaint, has_sanitizer) {
                again.push(attempt);
            } else {
                self.reject(&attempt, &test, complaint, verification);
            }
        }
        Ok(again)
    }

    /// Takes out of service whose loans were not understood, and says so once. Nothing if the test was refused for something else.
    fn retire_misread(&self, attempt: &Attempt, test: &TestFile, errors: &[String]) -> bool {
        let body = &attempt.confirmed.finding.program.main;
        let Some(ops) = misread(errors, &test.source, self.api, self.texts, body) else { return false };
        if self.retirement.retire(&ops) {
            let keys: Vec<&str> = ops.iter().map(|op| self.api.ops[*op as usize].key.as_str()).collect();
            let keys = keys.join(", ");
            let (message, hint) = if self.retirement.is_in_force() {
                let message = format!("no longer called, since what it borrows from is not understood: {keys}");
                (message, "this is a bug in Provoke; crashes that involve it are not reported")
            } else {
                let message = format!("what one of these functions borrows from is not understood: {keys}");
                (message, "this is a bug in Provoke; a crash is reported only with a test that compiled and failed")
            };
            self.events.emit(Event::Warning { message, hint: Some(hint.to_string()) });
        }
        true
    }

    /// Why a first way to write a test did not do: nothing for the user, but for whoever improves the printer.
    fn log(&self, attempt: &Attempt, complaint: &str) {
        let path = self.harness.target().output_directory().join("log").join("tests.log");
        let known = std::fs::read_to_string(&path).unwrap_or_default();
        let line = format!("{} {:?}: {complaint}\n", attempt.confirmed.finding.id, attempt.style);
        // A log that cannot be written must not stop anything.
        let _ = write_whole(&path, (known + &line).as_bytes());
    }

    /// Kept beside the results, so that whoever reports the bug can attach it.
    fn reject(&self, attempt: &Attempt, test: &TestFile, reason: String, verification: &mut Verification) {
        verification.n_rejected += 1;
        let id = attempt.confirmed.finding.id.to_string();
        let path = self.harness.target().output_directory().join("rejected").join(format!("{id}.rs"));
        let finding = &attempt.confirmed.finding;
        let saved = save(self.api, &id, &finding.judgement.words(), &finding.program);
        let saved = serde_json::to_string_pretty(&saved).unwrap_or_default();
        let written = write_whole(&path, test.source.as_bytes())
            .and_then(|()| write_whole(&path.with_extension("json"), saved.as_bytes()));
        if let Err(error) = written {
            self.events.emit(Event::Warning { message: error.to_string(), hint: error.hint() });
        }
        self.events.emit(Event::TestRejected { id, reason });
    }

    fn options(&self, is_sanitized: bool) -> VerifyOptions {
        VerifyOptions {
            time_limit: Duration::from_secs(HANG_SECONDS * 6),
            jobs: self.jobs,
            sanitized: self.sanitized.filter(|_| is_sanitized).cloned(),
            ..VerifyOptions::default()
        }
    }

    fn accept(
        &self,
        confirmed: Confirmed,
        source: Option<String>,
        is_sanitized: bool,
        verification: &mut Verification,
    ) {
        let mut reported = reported(&confirmed, source);
        reported.sanitizer = is_sanitized.then(|| "address".to_string());
        reported.trace = self.trace(&confirmed);
        reported.accepted = accepted_as(self.accepts, &reported.id);
        if self.api.policy.decides(&reported.oracle, &reported.function) {
            reported.explanation.push("its tier is set by the configuration".to_string());
        }
        let verified = VerifiedFinding::new(confirmed, reported);
        self.keep(&verified);
        self.report(verified.confirmed, verified.reported, verification);
    }

    /// The steps of a program that breaks a contract, with the state after each.
    fn trace(&self, confirmed: &Confirmed) -> Vec<ReplayStep> {
        if confirmed.states.is_empty() {
            return Vec::new();
        }
        let Finding { program, incident, judgement, .. } = &confirmed.finding;
        let step =
            |state: &State| TracedStep { statement: state.statement, slot: state.slot, text: state.text.clone() };
        let outcome = Outcome { steps: confirmed.states.iter().map(step).collect(), ..Outcome::default() };
        let lines = lines(program, self.texts, self.crate_name);
        let failing = (incident.at, format!("panicked: {}", judgement.words()));
        steps(&lines, &outcome, Some(failing))
    }

    /// On disk before anyone is told, so that nothing that was shown can be lost.
    fn keep(&self, verified: &VerifiedFinding) {
        let VerifiedFinding { confirmed, reported, .. } = verified;
        let warn = |message: String, hint| self.events.emit(Event::Warning { message, hint });
        if let Err(error) = self.results.write_finding(self.api, reported, &confirmed.finding) {
            warn(error.message, error.hint);
        }
        if let Err(error) = self.saved_run.record(verified) {
            warn(format!("finding {} cannot be saved for --resume: {error}", reported.id), None);
        }
    }

    fn report(&self, confirmed: Confirmed, reported: ReportedFinding, verification: &mut Verification) {
        log_finding(&self.harness.target().output_directory(), &reported);
        self.events.emit(Event::FindingConfirmed(Box::new(reported.clone())));
        verification.reported.push((reported, confirmed.finding));
    }

    fn test_file(&self, attempt: &Attempt) -> TestFile {
        let finding = &attempt.confirmed.finding;
        let name = test_name(finding);
        let mut preamble = Vec::new();
        if !attempt.allowed.is_empty() {
            let lints: Vec<&str> = attempt.allowed.iter().map(String::as_str).collect();
            preamble.push(format!("#![allow({})]", lints.join(", ")));
        }
        let mut header = header(finding);
        if let Some(build) = self.sanitized.filter(|_| attempt.is_sanitized) {
            header.extend(["Seen by AddressSanitizer:".to_string(), build.test_command()]);
        }
        if finding.judgement.is_optional {
            let remark = "Checked only in builds that ask for it, and the test may pass in others. This shows it:";
            header.extend([remark, CONTRACT_CHECKS_COMMAND].map(str::to_string));
        }
        let Confirmed { points, .. } = &attempt.confirmed;
        let body = spelled_out(self.api, &finding.program.main, finding.judgement.oracle, points);
        if calls_specification(self.texts, &body) {
            preamble.extend(["#![allow(unexpected_cfgs)]", "#![cfg(provoke)]"].map(str::to_string));
            let remark = "There only in builds with specifications. This runs it:";
            header.extend([remark, SPECIFICATIONS_COMMAND].map(str::to_string));
        }
        let emit = |preamble: &[String]| {
            let input = TestInput {
                test_name: &name,
                body: &body,
                ops: self.texts,
                header: &header,
                ending: ending(finding),
                crate_name: self.crate_name,
                preamble,
            };
            emit_test(&input, attempt.style)
        };
        let mut source = emit(&preamble);
        if self.harness.target().edition == "2015" {
            let mut crates: Vec<&str> =
                self.dependency_names.iter().map(String::as_str).filter(|name| names_crate(&source, name)).collect();
            crates.push(self.crate_name);
            crates.sort();
            preamble.extend(crates.iter().map(|name| format!("extern crate {};", raw(name))));
            source = emit(&preamble);
        }
        for import in &attempt.unused_imports {
            source = source.replace(&format!("use {import};\n"), "");
        }
        TestFile { name: format!("provoke_{}", finding.id), source: self.harness.formatted(&source) }
    }
}

/// Whether a program calls what is there only in builds with specifications.
pub fn calls_specification(texts: &[OpText], body: &Body) -> bool {
    let is_it =
        |statement: &Statement| statement.kind == StatementKind::Call && texts[statement.op as usize].is_specification;
    body.statements.iter().any(is_it) || body.bodies.iter().any(|nested| calls_specification(texts, nested))
}

/// Whether a path in the source starts with the crate.
pub fn names_crate(source: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    source
        .match_indices(&format!("{name}::"))
        .any(|(at, _)| !source[..at].ends_with(is_word) && !source[..at].ends_with("::"))
}

/// Nothing else would see it.
fn is_seen_by_sanitizer(finding: &Finding) -> bool {
    matches!(finding.incident.event, Failure::Memory(_))
}

pub fn ending(finding: &Finding) -> TestEnding {
    match finding.incident.event {
        Failure::Panic(_) if finding.incident.activity == provoke_engine::Activity::Drop => TestEnding::PanicsOnDrop,
        Failure::Panic(_) => TestEnding::Panics,
        Failure::Tracked(FaultKind::DoubleDrop) => TestEnding::DropsTwice { panics: finding.incident.is_after_panic },
        Failure::Tracked(FaultKind::UseAfterDrop) => TestEnding::UsesAfterDrop,
        Failure::Tracked(FaultKind::Leak) => TestEnding::Leaks,
        Failure::TimedOut => TestEnding::Hangs { seconds: HANG_SECONDS },
        _ => TestEnding::Aborts,
    }
}

/// From the last call and what it does: `get_debug_assertion`.
fn test_name(finding: &Finding) -> String {
    let function = finding.judgement.function.rsplit("::").next().unwrap_or("call");
    let function: String = function.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();
    let (function, oracle) = (snake_case(&function), finding.judgement.oracle.replace('-', "_"));
    if oracle.starts_with(&function) { oracle } else { format!("{function}_{oracle}") }
}

fn header(finding: &Finding) -> Vec<String> {
    let explained = explain(&finding.judgement);
    let mut lines =
        vec![format!("Expected: {}.", explained.expected), format!("Happened: {}", one_line(&explained.happened))];
    if let Some(place) = &finding.judgement.place {
        lines.push(format!("at {}:{}:{}", place.file, place.line, place.column));
    }
    lines
}

fn reported(confirmed: &Confirmed, source: Option<String>) -> ReportedFinding {
    let finding = &confirmed.finding;
    let mut explained = explain(&finding.judgement);
    explained.reasons.splice(0..0, finding.steadiness.remark().map(str::to_string));
    ReportedFinding {
        id: finding.id.to_string(),
        tier: finding.judgement.tier,
        oracle: finding.judgement.oracle.to_string(),
        function: finding.judgement.function.clone(),
        message: finding.judgement.words(),
        location: finding.judgement.place.as_ref().map(|p| format!("{}:{}:{}", p.file, p.line, p.column)),
        calls: finding.program.main.n_calls() as u64,
        calls_before_minimizing: finding.n_calls_before_minimizing as u64,
        found_after_seconds: confirmed.found_after_seconds,
        flaky: finding.steadiness.is_flaky(),
        test: source.as_ref().map(|_| format!("findings/{}.rs", finding.id)),
        expected: explained.expected,
        happened: explained.happened,
        explanation: explained.reasons,
        accepted: None,
        minimize_replays: finding.n_replays as u64,
        sanitizer: None,
        n_similar: confirmed.also_through.len() as u64,
        also_through: confirmed.also_through.clone(),
        trace: Vec::new(),
        operands: confirmed.operands.clone(),
        test_source: source,
    }
}

/// Whether the test compiled without a warning and failed as claimed.
fn accepted(finding: &Finding, result: &Verified) -> Result<(), String> {
    let warnings = result.compile.as_ref().map_err(|errors| format!("does not compile: {}", first(errors)))?;
    if !warnings.is_empty() {
        return Err(format!("compiles with a warning: {}", first(warnings)));
    }
    let run = result.run.as_ref().ok_or("was not run")?;
    let is_as_claimed = match (finding.incident.event, &run.status) {
        // The assertion that states the law is the test's own.
        (Failure::Panic(PanicKind::LawBroken), RunStatus::Failed(_)) => run.output.contains("\nassertion "),
        (Failure::Panic(_), RunStatus::Failed(_)) => {
            let message = finding.judgement.message.lines().next().unwrap_or_default();
            run.output.contains(message)
        }
        // The struct that counts is the test's own. After that, anything may happen to what was dropped.
        (Failure::Tracked(FaultKind::UseAfterDrop), _) => run.output.contains("an element was used that is not alive"),
        // What holds the element may free its memory twice with it, before anybody can count.
        (Failure::Tracked(FaultKind::DoubleDrop), RunStatus::Signal(_)) => true,
        (Failure::Tracked(_), RunStatus::Failed(_)) => run.output.contains("\nassertion `left == right` failed"),
        // It stopped the whole process, and with it whoever would have noticed.
        (Failure::TimedOut, RunStatus::TimedOut) => true,
        (Failure::TimedOut, RunStatus::Failed(_)) => run.output.contains("should return within"),
        (Failure::Memory(error), _) => MemoryError::in_output(&run.output).is_some_and(|seen| seen.is_like(error)),
        (Failure::Signal(signal), RunStatus::Signal(seen)) => *seen == signal,
        (Failure::StackOverflow, RunStatus::Signal(_)) => run.output.contains("has overflowed its stack"),
        (Failure::Exit, _) => true,
        _ => false,
    };
    if is_as_claimed { Ok(()) } else { Err(format!("{NOT_AS_CLAIMED}: {:?}", run.status)) }
}

fn first(messages: &[String]) -> String {
    messages.first().map(|m| one_line(m)).unwrap_or_default()
}
