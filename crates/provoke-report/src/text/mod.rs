//! Events as lines of a terminal, in cargo's style: a right-aligned verb, then what it is about.

pub mod list;
pub mod printable;
pub mod replay;
pub mod replay_all;
pub mod run_summary;
pub mod style;
pub mod units;

use crate::text::printable::{one_line, printable};
use crate::text::replay::{called_with, steps};
use crate::text::replay_all::render_replayed;
use crate::text::run_summary::run_summary;
use crate::text::style::{ERROR, HINT, STRONG, VERB, WARNING, paint, verb_line};
use crate::text::units::{human_count, human_seconds, percent, plural};
use crate::{Event, Progress, ReportedFinding, RunPhase, Theme, Tier, Verbosity};
use anstyle::Style;

/// Where text below a verb line starts.
pub(crate) const INDENT: &str = "             ";

/// The event as whole lines with ANSI styles, or `None` where this theme says nothing about it.
pub fn render(event: &Event, theme: &Theme) -> Option<String> {
    let is_said = theme.verbosity >= least_verbosity(event);
    is_said.then(|| lines(event, theme))
}

fn least_verbosity(event: &Event) -> Verbosity {
    match event {
        Event::FindingConfirmed(finding) if finding.accepted.is_some() => Verbosity::Verbose,
        Event::FindingConfirmed(_) | Event::TestRejected { .. } | Event::Replayed(_) | Event::PackageFailed(_) => {
            Verbosity::Quiet
        }
        Event::PackageStarted { .. }
        | Event::PhaseStarted { .. }
        | Event::ApiRead { .. }
        | Event::Planning { .. }
        | Event::Progress(_)
        | Event::Waiting { .. }
        | Event::Resumed { .. }
        | Event::Warning { .. }
        | Event::TestsWritten { .. }
        | Event::StopAsked
        | Event::Done { .. } => Verbosity::Normal,
        Event::PhaseFinished { .. }
        | Event::HarnessRound { .. }
        | Event::WorkerReplaced { .. }
        | Event::CargoSaid { .. } => Verbosity::Verbose,
    }
}

fn lines(event: &Event, theme: &Theme) -> String {
    match event {
        Event::PackageStarted { package, version } => verb_line(VERB, "Provoking", &format!("{package} v{version}")),
        Event::PhaseStarted { phase } => {
            let (verb, object) = phase_words(*phase);
            verb_line(VERB, verb, object)
        }
        Event::PhaseFinished { phase, seconds } => {
            let (verb, object) = phase_words(*phase);
            let rest = format!("{object}: {}", human_seconds(*seconds));
            verb_line(VERB, verb, &rest)
        }
        Event::Planning { planned, functions } => {
            verb_line(VERB, "Planning", &format!("{planned}/{functions} functions"))
        }
        Event::HarnessRound { round, n_ops, n_struck } => {
            let rest =
                format!("round {round}: {}, {} refused by rustc", plural(*n_ops, "operation"), human_count(*n_struck));
            verb_line(VERB, "Checked", &rest)
        }
        Event::ApiRead { functions, callable, skipped } => {
            let rest = format!("{}: {callable} callable, {skipped} skipped", plural(*functions, "function"));
            verb_line(VERB, "Found", &rest)
        }
        Event::Progress(progress) => progress_line(progress),
        // In the words of cargo, which waits for others in the same way.
        Event::Waiting { object } => verb_line(HINT, "Blocking", &format!("waiting for {}", one_line(object))),
        Event::Resumed { seconds, calls, findings } => {
            let (calls, findings) = (plural(*calls, "call"), plural(*findings, "finding"));
            verb_line(VERB, "Resuming", &format!("after {}, {calls} and {findings}", human_seconds(*seconds)))
        }
        Event::FindingConfirmed(finding) => finding_block(finding, theme),
        Event::WorkerReplaced { why } => verb_line(WARNING, "Replaced", &worker(why)),
        Event::Warning { message, hint } => warning(message, hint.as_deref()),
        Event::TestRejected { id, reason } => warning(
            &format!("the test of finding {id} was rejected: {reason}"),
            Some("this is a bug in Provoke; please report it with the command you ran"),
        ),
        Event::TestsWritten { path, n_tests } => {
            let rest = format!("{} to {path}", plural(*n_tests, "test"));
            verb_line(VERB, "Wrote", &rest)
        }
        Event::Replayed(replayed) => render_replayed(replayed),
        Event::CargoSaid { line } => format!("{line}\n"),
        Event::PackageFailed(error) => error.render(),
        Event::StopAsked => {
            verb_line(WARNING, "Stopping", "and keeping what was found; press Ctrl-C again to quit at once")
        }
        Event::Done { summary, directory } => run_summary(summary, directory, theme),
    }
}

fn phase_words(phase: RunPhase) -> (&'static str, &'static str) {
    match phase {
        RunPhase::ReadingApi => ("Reading", "public API"),
        RunPhase::BuildingHarness => ("Building", "harness"),
        RunPhase::Searching => ("Searching", "for calls that break it"),
        RunPhase::BuildingSanitized => ("Building", "harness with AddressSanitizer"),
        RunPhase::SearchingSanitized => ("Searching", "with AddressSanitizer"),
        RunPhase::Minimizing => ("Minimizing", "what was found"),
        RunPhase::Verifying => ("Verifying", "tests"),
        RunPhase::Regression => ("Writing", "regression tests"),
    }
}

fn progress_line(progress: &Progress) -> String {
    let first = match (progress.seconds_left, progress.calls_limit) {
        (Some(seconds), _) => format!("{} left", human_seconds(seconds)),
        (None, Some(limit)) => format!("{} of {}", human_count(progress.calls), plural(limit, "call")),
        (None, None) => plural(progress.calls, "call"),
    };
    let rest = format!(
        "{first} · {} calls/s · {}/{} functions{} · {}",
        human_count(progress.calls_per_second),
        progress.functions_covered,
        progress.functions_callable,
        progress.edges.map_or_else(String::new, |(n, total)| format!(" · {}% of edges", percent(n, total))),
        plural(progress.findings, "finding"),
    );
    verb_line(VERB, "Searching", &rest)
}

fn worker(why: &str) -> String {
    format!("a worker: {}", one_line(why))
}

pub(crate) fn warning(message: &str, hint: Option<&str>) -> String {
    let mut text = format!("{}: {}\n", paint(WARNING, "warning"), one_line(message));
    if let Some(hint) = hint {
        text.push_str(&format!("{}: {}\n", paint(HINT, "hint"), one_line(hint)));
    }
    text
}

pub(crate) fn tier_style(tier: Tier) -> Style {
    match tier {
        Tier::Error => ERROR,
        Tier::Suspicious => WARNING,
    }
}

/// The verdict and where, then why, then the test, then how to see it again.
fn finding_block(finding: &ReportedFinding, theme: &Theme) -> String {
    let message = printable(&finding.message);
    let mut message_lines = message.lines();
    let verdict = format!("{}  {}", paint(STRONG, &finding.function), message_lines.next().unwrap_or_default());
    let mut text = verb_line(tier_style(finding.tier), &finding.tier.name().to_uppercase(), verdict.trim_end());
    let mut below = |line: &str| {
        text.push_str(format!("{INDENT}{line}").trim_end());
        text.push('\n');
    };
    for line in message_lines {
        below(line);
    }
    below(&facts(finding, theme));
    if !finding.operands.is_empty() {
        below(&format!("called with {}", called_with(&finding.operands, theme)));
    }
    if !finding.also_through.is_empty() {
        below(&also_through(finding, theme));
    }
    if finding.flaky {
        below("flaky: it did not happen in every fresh process");
    }
    for line in &finding.explanation {
        below(&format!("{}: {}", paint(STRONG, "note"), one_line(line)));
    }
    match &finding.test_source {
        // The test says itself what was expected and what happened.
        Some(source) => {
            text.push('\n');
            for line in printable(source).trim_end().lines() {
                text.push_str(format!("    {line}").trim_end());
                text.push('\n');
            }
            text.push('\n');
        }
        None => {
            below(&format!("expected: {}", one_line(&finding.expected)));
            below(&format!("happened: {}", one_line(&finding.happened)));
        }
    }
    // One step says no more than the test does.
    if finding.trace.len() > 1 {
        text.extend(steps(&finding.trace, theme).lines().map(|line| format!("    {line}\n")));
        text.push('\n');
    }
    text.push_str(&format!(
        "{INDENT}{}: {}\n\n",
        paint(HINT, "rerun"),
        theme.command(&format!("replay {}", finding.id))
    ));
    text
}

/// `also through 3 other functions`, with their names for those who want to know more.
fn also_through(finding: &ReportedFinding, theme: &Theme) -> String {
    let functions = plural(finding.also_through.len() as u64, "other function");
    match theme.verbosity {
        Verbosity::Verbose => format!("also through {functions}: {}", one_line(&finding.also_through.join(", "))),
        Verbosity::Quiet | Verbosity::Normal => format!("also through {functions}"),
    }
}

/// `at src/lib.rs:12:5 · 3 calls, minimized from 41`
fn facts(finding: &ReportedFinding, theme: &Theme) -> String {
    let mut facts = Vec::new();
    if let Some(location) = &finding.location {
        facts.push(format!("at {}", one_line(location)));
    }
    let calls = plural(finding.calls, "call");
    facts.push(if finding.calls_before_minimizing > finding.calls {
        format!("{calls}, minimized from {}", human_count(finding.calls_before_minimizing))
    } else {
        calls
    });
    if theme.verbosity == Verbosity::Verbose && finding.minimize_replays > 0 {
        facts.push(plural(finding.minimize_replays, "replay"));
    }
    facts.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::sample;
    use crate::text::style::{screen, unstyled};
    use crate::{Accepted, Operand, Summary};
    use expect_test::{Expect, expect};

    fn theme(verbosity: Verbosity) -> Theme {
        Theme { verbosity, subject_arguments: String::new() }
    }

    fn check(event: &Event, expected: Expect) {
        let text = render(event, &theme(Verbosity::Verbose)).unwrap();
        expected.assert_eq(&screen(&text));
    }

    fn sample_finding() -> ReportedFinding {
        sample().findings.remove(0)
    }

    fn done(summary: Summary) -> Event {
        Event::Done { summary: Box::new(summary), directory: "target/provoke/slab".into() }
    }

    /// One of each, in the order of a run.
    fn all_events() -> Vec<Event> {
        vec![
            Event::PackageStarted { package: "slab".into(), version: "0.4.4".into() },
            Event::PhaseStarted { phase: RunPhase::ReadingApi },
            Event::PhaseFinished { phase: RunPhase::ReadingApi, seconds: 0.41 },
            Event::Planning { planned: 312, functions: 580 },
            Event::HarnessRound { round: 1, n_ops: 112, n_struck: 9 },
            Event::ApiRead { functions: 58, callable: 55, skipped: 3 },
            Event::Progress(Progress {
                seconds_left: Some(12.34),
                calls: 26_000_000,
                calls_limit: Some(50_000_000),
                calls_per_second: 3_400_000,
                functions_covered: 52,
                functions_callable: 55,
                edges: Some((310, 342)),
                findings: 2,
            }),
            Event::Progress(Progress { calls: 26_000, calls_limit: Some(50_000_000), ..Progress::default() }),
            Event::Progress(Progress { findings: 1, ..Progress::default() }),
            Event::Waiting { object: "another cargo provoke in this directory".into() },
            Event::Resumed { seconds: 12.34, calls: 1_234_567, findings: 1 },
            Event::WorkerReplaced { why: "signal 11 (SIGSEGV)".into() },
            Event::Warning { message: "`serde` is not a feature".into(), hint: Some("see [features]".into()) },
            Event::TestRejected { id: "3f2a9c1d".into(), reason: "it passed".into() },
            Event::TestsWritten { path: "tests/provoke.rs".into(), n_tests: 1 },
            Event::StopAsked,
        ]
    }

    #[test]
    fn the_way_to_a_broken_contract_is_shown_step_by_step() {
        let step = |code: &str, state: &str| crate::ReplayStep {
            code: code.into(),
            states: vec![("list".into(), state.into())],
            outcome: None,
        };
        let mut broken = step("list.get();", "");
        broken.states.clear();
        broken.outcome = Some("panicked: Post-condition of get violated".into());
        let trace = vec![step("let mut list = List::new();", "[]"), step("list.insert(1);", "[1]"), broken];
        let operand = |name: &str, value: String, before_call| Operand { name: name.into(), value, before_call };
        let operands = vec![
            operand("self", "List(\n    [1],\n)".into(), true),
            operand("text", format!("{:?}", "x".repeat(300)), false),
        ];
        let text = finding_block(&ReportedFinding { trace, operands, ..sample_finding() }, &Theme::default());
        let line = text.lines().find(|line| line.contains("called with")).unwrap_or_default();
        let start = "             called with self = List( [1], ) (before the call), text = \"xxx";
        assert!(line.starts_with(start) && line.contains("xxx…xxx") && line.chars().count() < 300, "{line}");
        let shown = text.split("\n\n").find(|part| part.contains("list.insert(1);")).unwrap_or_default();
        expect![[r#"
            $ cargo provoke
                1  let mut list = List::new();
                     list = []
                2  list.insert(1);
                     list = [1]
                3  list.get();
                     => panicked: Post-condition of get violated
        "#]]
        .assert_eq(&screen(&format!("{shown}\n")));
    }

    #[test]
    fn every_small_event_is_a_line_in_cargos_style() {
        let text: String = all_events().iter().filter_map(|event| render(event, &theme(Verbosity::Verbose))).collect();
        expect![[r#"
            $ cargo provoke
               Provoking slab v0.4.4
                 Reading public API
                 Reading public API: 0.4s
                Planning 312/580 functions
                 Checked round 1: 112 operations, 9 refused by rustc
                   Found 58 functions: 55 callable, 3 skipped
               Searching 12.3s left · 3.4M calls/s · 52/55 functions · 90% of edges · 2 findings
               Searching 26.0k of 50.0M calls · 0 calls/s · 0/0 functions · 0 findings
               Searching 0 calls · 0 calls/s · 0/0 functions · 1 finding
                Blocking waiting for another cargo provoke in this directory
                Resuming after 12.3s, 1.2M calls and 1 finding
                Replaced a worker: signal 11 (SIGSEGV)
            warning: `serde` is not a feature
            hint: see [features]
            warning: the test of finding 3f2a9c1d was rejected: it passed
            hint: this is a bug in Provoke; please report it with the command you ran
                   Wrote 1 test to tests/provoke.rs
                Stopping and keeping what was found; press Ctrl-C again to quit at once
        "#]]
        .assert_eq(&screen(&text));
    }

    #[test]
    fn a_finding_has_its_verdict_first_and_its_test_below() {
        check(
            &Event::FindingConfirmed(Box::new(sample_finding())),
            expect![[r#"
                $ cargo provoke
                       ERROR slab::Slab::insert_at  assertion failed: key <= self.len
                               left: 3
                              right: 0
                             at src/lib.rs:12:5 · 2 calls, minimized from 41 · 312 replays
                             also through 1 other function: slab::Slab::insert
                             note: a `debug_assert!` of the crate failed

                    use slab::Slab;

                    #[test]
                    fn insert_at_keeps_its_length() {
                        let mut slab: Slab<u8> = Slab::new();
                        slab.insert_at(3, 0);
                    }

                             rerun: cargo provoke replay 3f2a9c1d

            "#]],
        );
    }

    #[test]
    fn a_finding_without_a_test_says_what_was_expected() {
        let finding = ReportedFinding {
            tier: Tier::Suspicious,
            message: "received signal 11\u{1b}[2J".into(),
            location: None,
            calls_before_minimizing: 1,
            calls: 1,
            flaky: true,
            also_through: Vec::new(),
            trace: Vec::new(),
            explanation: Vec::new(),
            test_source: None,
            ..sample_finding()
        };
        check(
            &Event::FindingConfirmed(Box::new(finding)),
            expect![[r#"
                $ cargo provoke
                  SUSPICIOUS slab::Slab::insert_at  received signal 11\u{1b}[2J
                             1 call · 312 replays
                             flaky: it did not happen in every fresh process
                             expected: the crate's own debug assertions hold
                             happened: panicked: assertion failed: key <= self.len
                             rerun: cargo provoke replay 3f2a9c1d

            "#]],
        );
    }

    #[test]
    fn replays_and_the_other_functions_are_for_those_who_want_to_know_more() {
        let event = Event::FindingConfirmed(Box::new(sample_finding()));
        let text = unstyled(&render(&event, &theme(Verbosity::Normal)).unwrap());
        assert!(text.contains("2 calls, minimized from 41\n"), "{text}");
        assert!(text.contains("also through 1 other function\n"), "{text}");
    }

    #[test]
    fn printed_commands_lead_back_to_the_same_crate() {
        let theme = Theme { verbosity: Verbosity::Normal, subject_arguments: "--crate slab@0.4.4".into() };
        let finding = Event::FindingConfirmed(Box::new(sample_finding()));
        let text = unstyled(&render(&finding, &theme).unwrap());
        assert!(text.contains("rerun: cargo provoke replay 3f2a9c1d --crate slab@0.4.4\n"));
        let text = unstyled(&render(&done(sample()), &theme).unwrap());
        assert!(text.contains("cargo provoke list --crate slab@0.4.4)"));
    }

    #[test]
    fn quiet_says_nothing_but_findings_and_rejected_tests() {
        let quiet = theme(Verbosity::Quiet);
        let mut events = all_events();
        events.push(done(sample()));
        for event in &events {
            let is_kept = matches!(event, Event::TestRejected { .. });
            assert_eq!(render(event, &quiet).is_some(), is_kept, "{event:?}");
        }
        assert!(render(&Event::FindingConfirmed(Box::new(sample_finding())), &quiet).is_some());
    }

    #[test]
    fn an_accepted_finding_is_shown_only_to_those_who_ask() {
        let accepted = ReportedFinding { accepted: Some(Accepted { reason: "known".into() }), ..sample_finding() };
        let event = Event::FindingConfirmed(Box::new(accepted));
        assert!(render(&event, &theme(Verbosity::Normal)).is_none());
        assert!(render(&event, &theme(Verbosity::Verbose)).is_some());
    }

    #[test]
    fn styles_are_closed_where_they_were_opened() {
        let event = Event::FindingConfirmed(Box::new(sample_finding()));
        let text = render(&event, &theme(Verbosity::Normal)).unwrap();
        for line in text.lines() {
            let last_style = line.rfind('\u{1b}').map(|at| &line[at..]);
            assert!(last_style.is_none_or(|style| style.starts_with("\u{1b}[0m")), "{line:?}");
        }
        assert!(text.contains('\u{1b}'));
    }
}
