//! The last lines of a run, which tell the whole story to whoever reads nothing else.

use crate::text::printable::one_line;
use crate::text::style::{ERROR, HINT, VERB, WARNING, paint, verb_line};
use crate::text::units::{about, human_count, human_seconds, percent, plural};
use crate::text::{INDENT, tier_style, warning};
use crate::{ClauseCount, Contracts, Coverage, DiscoveryEstimate, ReportedFinding, StoppedBy, Summary, Theme, Tier};

/// A long list at the end would push the verdict off the screen; the rest is in the files.
const MAX_RECALLED_FINDINGS: usize = 20;

/// Functions that could not be tested as one would like: the first ones show what it is about.
const MAX_NAMED_FUNCTIONS: usize = 3;

/// The last lines: what was found, how much was tried, where the files are, and one line that tells it all.
pub(crate) fn run_summary(summary: &Summary, directory: &str, theme: &Theme) -> String {
    let mut text = String::new();
    let (accepted, open): (Vec<&ReportedFinding>, Vec<&ReportedFinding>) =
        summary.findings.iter().partition(|finding| finding.accepted.is_some());
    for findings in [open, accepted] {
        text.extend(findings.iter().take(MAX_RECALLED_FINDINGS).map(|finding| recalled(finding)));
        let n_left = findings.len().saturating_sub(MAX_RECALLED_FINDINGS);
        if n_left > 0 {
            text.push_str(&format!("{INDENT}and {n_left} more in summary.json\n"));
        }
    }
    text.push_str(&verb_line(VERB, "Functions", &functions(summary, theme)));
    if let Some(coverage) = &summary.coverage {
        text.push_str(&verb_line(VERB, "Coverage", &reached(coverage)));
    }
    text.push_str(&verb_line(VERB, "Calls", &calls(summary)));
    if summary.search.suspects_left > 0 {
        let rest =
            format!("{} not looked into: the time for it was up", plural(summary.search.suspects_left, "suspect"));
        text.push_str(&verb_line(VERB, "Left", &rest));
    }
    text.push_str(&futility(summary));
    if let Some(discovery) = &summary.search.discovery {
        text.push_str(&verb_line(VERB, "Outlook", &outlook(discovery)));
    }
    if let Some(contracts) = &summary.contracts {
        text.push_str(&preconditions(contracts));
    }
    text.push_str(&blocked(summary));
    text.push_str(&quarantined(summary));
    if summary.tests.failing > 0 {
        let rest = format!("{} in {directory}/findings", plural(summary.tests.failing, "failing test"));
        text.push_str(&verb_line(VERB, "Tests", &rest));
    }
    if let Some(rest) = regression(summary, directory) {
        text.push_str(&verb_line(VERB, "Tests", &rest));
    }
    let results = format!("{directory}/summary.json");
    text.push_str(&verb_line(VERB, "Results", &results));
    if summary.tests.rejected > 0 {
        let message = format!(
            "{} did not do what was claimed and {} not shown",
            plural(summary.tests.rejected, "test"),
            if summary.tests.rejected == 1 { "is" } else { "are" },
        );
        let hint = "this is a bug in Provoke; please report it with the command you ran";
        text.push_str(&warning(&message, Some(hint)));
    }
    for id in &summary.accepts_unused {
        let message = format!("the accepted finding {id} did not occur; if it is fixed, its [[accept]] can go");
        text.push_str(&format!("{}: {message}\n", paint(HINT, "hint")));
    }
    text.push_str(&verdict(summary));
    text
}

/// Nothing where nothing was to be written.
fn regression(summary: &Summary, directory: &str) -> Option<String> {
    let n_left_out = summary.tests.regression_left_out.unwrap_or(0);
    Some(match (summary.tests.regression?, n_left_out) {
        (0, 0) => return None,
        (0, n_left_out) => format!("no regression tests ({n_left_out} left out: not steady, or time was up)"),
        (n_tests, n_left_out) => {
            let left_out = if n_left_out > 0 { format!(" ({n_left_out} left out)") } else { String::new() };
            format!("{} in {directory}/regression.rs{left_out}", plural(n_tests, "regression test"))
        }
    })
}

/// A finding in a line.
fn recalled(finding: &ReportedFinding) -> String {
    let mut line = format!("{}  {}", finding.id, finding.function);
    if let Some(location) = &finding.location {
        line.push_str(&format!(" at {}", one_line(location)));
    }
    if finding.flaky {
        line.push_str(" (flaky)");
    }
    match &finding.accepted {
        Some(accepted) => verb_line(VERB, "Accepted", &format!("{line}: {}", one_line(&accepted.reason))),
        None => verb_line(tier_style(finding.tier), &finding.tier.name().to_uppercase(), &line),
    }
}

fn functions(summary: &Summary, theme: &Theme) -> String {
    let api = &summary.api;
    let mut line = format!("{} covered of {} callable of {} public", api.covered, api.callable, api.functions);
    if api.covered < api.functions {
        line.push_str(&format!(" (the others: {})", theme.command("list")));
    }
    line
}

fn reached(coverage: &Coverage) -> String {
    let lines = percent(coverage.lines, coverage.lines_total);
    let edges = percent(coverage.edges, coverage.edges_total);
    format!("{lines}% of lines · {edges}% of edges")
}

/// What contracts state, which functions were never called rightly, and which clauses are no good.
fn preconditions(contracts: &Contracts) -> String {
    let counts = counts(contracts);
    let mut text = if counts.is_empty() { String::new() } else { verb_line(VERB, "Contracts", &counts) };
    let hardest = |name: &String| {
        let function = contracts.functions.iter().find(|function| function.function == *name)?;
        Some(format!("{name} (`{}`)", one_line(&function.hardest()?.text)))
    };
    let never_met: Vec<String> = contracts.never_met.iter().filter_map(hardest).collect();
    text.push_str(&some_functions("Untested", "since no call met the preconditions", never_met));
    let called = contracts.functions.iter().filter(|function| function.attempts > 0);
    let unchecked = called.filter_map(|function| {
        let clause = function.clauses.iter().find(|clause| !clause.checked)?;
        Some(format!("{} (`{}`)", function.function, one_line(&clause.text)))
    });
    text.push_str(&some_functions(
        "Unchecked",
        "called whatever the preconditions say, which this build leaves out",
        unchecked.collect(),
    ));
    for function in &contracts.functions {
        for clause in &function.clauses {
            if let Some(trouble) = &clause.trouble {
                let clause = format!("`{}` at {}", one_line(&clause.text), one_line(&clause.location));
                let message =
                    format!("the precondition {clause} {}; calls in such a state are not made", one_line(trouble));
                text.push_str(&warning(
                    &message,
                    Some("a precondition should be true or false for all arguments, and change nothing"),
                ));
            }
        }
    }
    for (place, clause) in contracts.spoilt_clauses.iter().enumerate() {
        let name = format!("the {} `{}` at {}", clause.kind, one_line(&clause.text), one_line(&clause.location));
        let message = format!("{name} {}; nothing is concluded from that", one_line(&clause.trouble));
        let is_last = place + 1 == contracts.spoilt_clauses.len();
        let hint = "a clause should be true or false in every state, and change nothing";
        text.push_str(&warning(&message, is_last.then_some(hint)));
    }
    for asked in &contracts.specifications {
        if let Some(trouble) = &asked.trouble {
            let name = format!("the {} `{}`", noun(&asked.kind), one_line(&asked.specification));
            text.push_str(&match asked.asked {
                Some(0) => warning(
                    &format!("{name} {}", one_line(trouble)),
                    Some("values of a type can be given by hand, in `[values]` of provoke.toml"),
                ),
                _ => warning(
                    &format!("{name} {}; nothing is concluded from that", one_line(trouble)),
                    Some("a specification should answer for every object, and change nothing"),
                ),
            });
        }
    }
    text
}

/// What a specification is called in a sentence.
fn noun(kind: &str) -> &str {
    if kind == "temporal" { "temporal property" } else { kind }
}

/// What there is, and how much models threw away.
fn counts(contracts: &Contracts) -> String {
    let mut parts = Vec::new();
    if !contracts.functions.is_empty() {
        let count = plural(contracts.functions.len() as u64, "function");
        parts.push(format!("{count} with preconditions"));
    }
    let postconditions = contracts.postconditions;
    if postconditions.stated > 0 {
        parts.push(plural(postconditions.stated, "postcondition") + &left_out(postconditions));
    }
    for (kind, noun) in ["law", "invariant", "temporal", "model"].map(|kind| (kind, noun(kind))) {
        let asked = contracts.specifications.iter().filter(|it| it.kind == kind);
        let (n_asked, discarded) = asked.fold((0, 0), |(n, discarded), it| (n + 1, discarded + it.discarded));
        let of_contracts = if kind == "invariant" { contracts.invariants } else { ClauseCount::default() };
        let n = n_asked + of_contracts.stated;
        let count = match (n, noun.strip_suffix('y')) {
            (0, _) => continue,
            (2.., Some(stem)) => format!("{n} {stem}ies"),
            _ => plural(n, noun),
        };
        parts.push(count + &left_out(of_contracts));
        if discarded > 0 {
            let them = if n == 1 { "it" } else { "them" };
            parts.push(format!("{} outside of {them}", plural(discarded, "program")));
        }
    }
    parts.join(" · ")
}

/// How many clauses nobody can break: the build leaves them out, or the compiler saw that they always hold.
fn left_out(count: ClauseCount) -> String {
    match count.stated.saturating_sub(count.checked.unwrap_or(count.stated)) {
        0 => String::new(),
        n => format!(" ({n} cannot fail in this build)"),
    }
}

/// What the sandbox kept functions from doing.
fn blocked(summary: &Summary) -> String {
    let mut by_function: Vec<(&str, Vec<&str>)> = Vec::new();
    for blocked in &summary.blocked {
        match by_function.last_mut() {
            Some((function, what)) if *function == blocked.function => what.push(&blocked.what),
            _ => by_function.push((&blocked.function, vec![&blocked.what])),
        }
    }
    let named = by_function.iter().map(|(function, what)| format!("{function} ({})", what.join(", "))).collect();
    some_functions("Blocked", "by the sandbox, which is no finding", named)
}

/// Functions that end their process again and again.
fn quarantined(summary: &Summary) -> String {
    let named = summary.quarantined.iter().map(|it| format!("{} ({})", it.function, it.why)).collect();
    some_functions("Quarantined", "called rarely", named)
}

/// A line that names the first of them; nothing if there are none.
fn some_functions(verb: &str, how: &str, mut named: Vec<String>) -> String {
    if named.is_empty() {
        return String::new();
    }
    let count = plural(named.len() as u64, "function");
    let n_left = named.len().saturating_sub(MAX_NAMED_FUNCTIONS);
    named.truncate(MAX_NAMED_FUNCTIONS);
    let rest = if n_left > 0 { format!(" and {n_left} more in summary.json") } else { String::new() };
    verb_line(VERB, verb, &one_line(&format!("{count} {how}: {}{rest}", named.join(", "))))
}

fn calls(summary: &Summary) -> String {
    let search = &summary.search;
    let mut line = format!(
        "{} in {} · {} calls/s",
        human_count(search.calls),
        human_seconds(summary.seconds.search),
        human_count(search.calls_per_second),
    );
    match search.stopped_by {
        StoppedBy::Exhausted => line.push_str(" · nothing new left to try"),
        StoppedBy::Plateau => line.push_str(" · stopped at a plateau"),
        StoppedBy::Time | StoppedBy::Calls | StoppedBy::Interrupt => {}
    }
    if search.worker_restarts > 0 {
        // Calls run in processes of their own, which a call may end or block; a newcomer does not know that.
        let restarts = plural(search.worker_restarts, "restart");
        line.push_str(&format!(" · {restarts} after crashes, hangs or too much memory"));
    }
    line
}

/// That there is nothing to conclude from, and why.
fn futility(summary: &Summary) -> String {
    match &summary.search.held_by {
        _ if !summary.is_in_vain() => String::new(),
        Some(function) => {
            let function = one_line(function);
            let message = format!("no call returned, so nothing was tested: {function} took the time");
            warning(&message, Some(&format!("`--omit {function}` leaves it out; a longer `--time` may also do")))
        }
        None => warning("no call was made, so nothing was tested", None),
    }
}

/// Whether it is worth searching on.
fn outlook(discovery: &DiscoveryEstimate) -> String {
    let Some(probability) = discovery.probability else {
        return "too few programs to say how much is left to see".to_string();
    };
    if probability > 0.0 {
        let one_in = about((1.0 / probability) as u64);
        return format!("about 1 in {one_in} programs still shows something new");
    }
    format!("nothing new in the last {} programs", about(discovery.programs_since_new))
}

fn verdict(summary: &Summary) -> String {
    let verb = if summary.search.stopped_by == StoppedBy::Interrupt { "Interrupted" } else { "Finished" };
    let n_errors = summary.n_findings(Tier::Error);
    let n_suspicious = summary.n_findings(Tier::Suspicious);
    let style = match (n_errors, n_suspicious) {
        (1.., _) => ERROR,
        (0, 1..) => WARNING,
        (0, 0) => VERB,
    };
    let mut counts = Vec::new();
    if n_errors > 0 {
        counts.push(plural(n_errors, "error"));
    }
    if n_suspicious > 0 {
        counts.push(format!("{n_suspicious} suspicious"));
    }
    if counts.is_empty() {
        counts.push("no findings".to_string());
    }
    if summary.n_accepted() > 0 {
        counts.push(format!("{} accepted", summary.n_accepted()));
    }
    let found = counts.join(", ");
    let rest = format!(
        "{} v{} in {}: {found}",
        summary.package,
        summary.package_version,
        human_seconds(summary.seconds.total),
    );
    verb_line(style, verb, &rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Accepted;
    use crate::summary::sample;
    use crate::text::style::screen;
    use expect_test::expect;

    fn told(summary: &Summary) -> String {
        run_summary(summary, "target/provoke/slab", &Theme::default())
    }

    #[test]
    fn the_last_lines_tell_the_whole_story() {
        expect![[r#"
            $ cargo provoke
                   ERROR 3f2a9c1d  slab::Slab::insert_at at src/lib.rs:12:5
               Functions 54 covered of 55 callable of 58 public (the others: cargo provoke list)
                Coverage 95% of lines · 90% of edges
                   Calls 68.2M in 20.0s · 3.4M calls/s · 2 restarts after crashes, hangs or too much memory
                 Outlook about 1 in 40,000 programs still shows something new
                 Blocked 1 function by the sandbox, which is no finding: slab::Slab::load (reading files)
             Quarantined 1 function called rarely: slab::Slab::with_capacity (exhausts the memory)
                   Tests 1 failing test in target/provoke/slab/findings
                   Tests 12 regression tests in target/provoke/slab/regression.rs (1 left out)
                 Results target/provoke/slab/summary.json
                Finished slab v0.4.4 in 27.2s: 1 error
        "#]]
        .assert_eq(&screen(&told(&sample())));
    }

    #[test]
    fn preconditions_that_were_never_met_are_named_and_clauses_that_are_no_good_told() {
        let clause = |text: &str, violated, trouble: Option<&str>| crate::GuardClause {
            text: text.into(),
            location: "src/lib.rs:3:16".into(),
            asked_before: true,
            checked: text != "self.is_open()",
            violated,
            new_calls: crate::NewCalls::new(100, violated),
            trouble: trouble.map(Into::into),
        };
        let function = |name: &str, satisfied, clauses| crate::GuardedFunction {
            function: name.into(),
            attempts: 100,
            satisfied,
            violated: 100 - satisfied,
            new_calls: crate::NewCalls::new(100, 100 - satisfied),
            clauses,
        };
        let asked = |kind: &str, name: &str, discarded, trouble: Option<&str>| crate::AskedSpecification {
            kind: kind.into(),
            specification: name.into(),
            discarded,
            asked: None,
            trouble: trouble.map(Into::into),
        };
        let mut summary = sample();
        summary.contracts = Some(Contracts {
            functions: vec![
                function("slab::Slab::key_of", 0, vec![clause("n > 7", 30, None), clause("self.has(n)", 70, None)]),
                function("slab::Slab::close", 100, vec![clause("self.is_open()", 0, None)]),
                function("slab::Slab::peek", 90, vec![clause("self[n] > 0", 10, Some("panics itself"))]),
            ],
            never_met: vec!["slab::Slab::key_of".into()],
            postconditions: ClauseCount { stated: 7, checked: Some(5) },
            invariants: ClauseCount { stated: 2, checked: None },
            specifications: vec![
                asked("invariant", "slab::Slab::is_sound", 0, None),
                asked("temporal", "slab::Slab::keys_stay", 0, Some("panics itself (3 times)")),
                asked("temporal", "slab::Slab::grows", 0, None),
                asked("model", "slab::Slab::usual", 1200, None),
            ],
            spoilt_clauses: vec![crate::SpoiltClause {
                kind: "postcondition".into(),
                text: "self.first() > 0".into(),
                function: "push".into(),
                location: "src/lib.rs:9:15".into(),
                trouble: "panics itself".into(),
            }],
        });
        let text = told(&summary);
        let lines = text.lines().filter(|line| {
            ["Contracts", "Untested", "Unchecked", "warning", "hint"].iter().any(|word| line.contains(word))
        });
        expect![[r#"
            $ cargo provoke
               Contracts 3 functions with preconditions · 7 postconditions (2 cannot fail in this build) · 3 invariants · 2 temporal properties · 1 model · 1.2k programs outside of it
                Untested 1 function since no call met the preconditions: slab::Slab::key_of (`self.has(n)`)
               Unchecked 1 function called whatever the preconditions say, which this build leaves out: slab::Slab::close (`self.is_open()`)
            warning: the precondition `self[n] > 0` at src/lib.rs:3:16 panics itself; calls in such a state are not made
            hint: a precondition should be true or false for all arguments, and change nothing
            warning: the postcondition `self.first() > 0` at src/lib.rs:9:15 panics itself; nothing is concluded from that
            hint: a clause should be true or false in every state, and change nothing
            warning: the temporal property `slab::Slab::keys_stay` panics itself (3 times); nothing is concluded from that
            hint: a specification should answer for every object, and change nothing
        "#]]
        .assert_eq(&screen(&lines.map(|line| format!("{line}\n")).collect::<String>()));
    }

    #[test]
    fn a_clean_run_says_so() {
        let mut summary = sample();
        summary.findings.clear();
        summary.tests.failing = 0;
        summary.tests.regression_left_out = Some(0);
        summary.search.worker_restarts = 0;
        summary.blocked.clear();
        summary.quarantined.clear();
        summary.api.covered = 58;
        summary.api.callable = 58;
        expect![[r#"
            $ cargo provoke
               Functions 58 covered of 58 callable of 58 public
                Coverage 95% of lines · 90% of edges
                   Calls 68.2M in 20.0s · 3.4M calls/s
                 Outlook about 1 in 40,000 programs still shows something new
                   Tests 12 regression tests in target/provoke/slab/regression.rs
                 Results target/provoke/slab/summary.json
                Finished slab v0.4.4 in 27.2s: no findings
        "#]]
        .assert_eq(&screen(&told(&summary)));
    }

    #[test]
    fn the_outlook_is_a_rate_or_how_long_nothing_was_new() {
        let line = |probability, stopped_by| {
            let mut summary = sample();
            summary.search.stopped_by = stopped_by;
            summary.search.discovery.as_mut().expect("a sample of it").probability = probability;
            let text = told(&summary);
            let lines = text.lines().filter(|line| line.contains("Outlook") || line.contains("plateau"));
            lines.map(|line| format!("{line}\n")).collect::<String>()
        };
        let lines =
            [line(Some(0.5), StoppedBy::Calls), line(Some(0.0), StoppedBy::Plateau), line(None, StoppedBy::Exhausted)];
        expect![[r#"
            $ cargo provoke
                 Outlook about 1 in 2 programs still shows something new
                   Calls 68.2M in 20.0s · 3.4M calls/s · stopped at a plateau · 2 restarts after crashes, hangs or too much memory
                 Outlook nothing new in the last 12,000 programs
                 Outlook too few programs to say how much is left to see
        "#]]
        .assert_eq(&screen(&lines.concat()));
    }

    #[test]
    fn of_many_blocked_functions_the_first_are_named_with_all_that_was_blocked() {
        let blocked = |function: &str, what: &str| crate::BlockedFunction {
            function: function.into(),
            what: what.into(),
            times: 1,
        };
        let mut summary = sample();
        summary.blocked = ["a", "b", "c", "d", "e"].map(|function| blocked(function, "reading files")).to_vec();
        summary.blocked.insert(1, blocked("a", "using the network"));
        let text = told(&summary);
        let line = text.lines().find(|line| line.contains("Blocked")).expect("a line about them");
        let expected = "5 functions by the sandbox, which is no finding: a (reading files, using the network), \
            b (reading files), c (reading files) and 2 more in summary.json";
        assert!(line.ends_with(expected), "{line}");
    }

    #[test]
    fn a_suite_that_could_not_be_written_is_mentioned_and_one_that_was_not_wanted_is_not() {
        let lines_with_tests = |regression, left_out| {
            let mut summary = sample();
            summary.tests.failing = 0;
            summary.tests.regression = regression;
            summary.tests.regression_left_out = left_out;
            told(&summary).matches("regression").count()
        };
        assert_eq!(lines_with_tests(None, None), 0);
        assert_eq!(lines_with_tests(Some(0), Some(0)), 0);
        assert_eq!(lines_with_tests(Some(0), Some(3)), 1);
    }

    #[test]
    fn rejected_tests_and_interruption_are_never_silent() {
        let mut summary = sample();
        summary.tests.rejected = 1;
        summary.search.suspects_left = 7;
        summary.search.stopped_by = StoppedBy::Interrupt;
        summary.findings = vec![sample().findings[0].clone(); 22];
        let text = told(&summary);
        let tail: Vec<&str> = text.lines().skip(19).collect();
        expect![[r#"
            $ cargo provoke
                   ERROR 3f2a9c1d  slab::Slab::insert_at at src/lib.rs:12:5
                         and 2 more in summary.json
               Functions 54 covered of 55 callable of 58 public (the others: cargo provoke list)
                Coverage 95% of lines · 90% of edges
                   Calls 68.2M in 20.0s · 3.4M calls/s · 2 restarts after crashes, hangs or too much memory
                    Left 7 suspects not looked into: the time for it was up
                 Outlook about 1 in 40,000 programs still shows something new
                 Blocked 1 function by the sandbox, which is no finding: slab::Slab::load (reading files)
             Quarantined 1 function called rarely: slab::Slab::with_capacity (exhausts the memory)
                   Tests 1 failing test in target/provoke/slab/findings
                   Tests 12 regression tests in target/provoke/slab/regression.rs (1 left out)
                 Results target/provoke/slab/summary.json
            warning: 1 test did not do what was claimed and is not shown
            hint: this is a bug in Provoke; please report it with the command you ran
             Interrupted slab v0.4.4 in 27.2s: 22 errors
        "#]]
        .assert_eq(&screen(&(tail.join("\n") + "\n")));
    }

    #[test]
    fn accepted_findings_are_listed_apart_and_unused_accepts_hinted_at() {
        let mut summary = sample();
        let accepted = ReportedFinding {
            accepted: Some(Accepted { reason: "callers\ncheck".into() }),
            ..sample().findings.remove(0)
        };
        summary.findings.insert(0, accepted);
        summary.accepts_unused = vec!["0a1b2c3d".into()];
        let all = told(&summary);
        summary.findings.pop();
        let only_accepted = told(&summary);
        let last = only_accepted.lines().last().unwrap_or_default();
        expect![[r#"
            $ cargo provoke
                   ERROR 3f2a9c1d  slab::Slab::insert_at at src/lib.rs:12:5
                Accepted 3f2a9c1d  slab::Slab::insert_at at src/lib.rs:12:5: callers check
               Functions 54 covered of 55 callable of 58 public (the others: cargo provoke list)
                Coverage 95% of lines · 90% of edges
                   Calls 68.2M in 20.0s · 3.4M calls/s · 2 restarts after crashes, hangs or too much memory
                 Outlook about 1 in 40,000 programs still shows something new
                 Blocked 1 function by the sandbox, which is no finding: slab::Slab::load (reading files)
             Quarantined 1 function called rarely: slab::Slab::with_capacity (exhausts the memory)
                   Tests 1 failing test in target/provoke/slab/findings
                   Tests 12 regression tests in target/provoke/slab/regression.rs (1 left out)
                 Results target/provoke/slab/summary.json
            hint: the accepted finding 0a1b2c3d did not occur; if it is fixed, its [[accept]] can go
                Finished slab v0.4.4 in 27.2s: 1 error, 1 accepted
                Finished slab v0.4.4 in 27.2s: no findings, 1 accepted
        "#]]
        .assert_eq(&screen(&format!("{all}{last}\n")));
    }

    #[test]
    fn a_run_without_a_call_says_so_and_names_what_held_it() {
        let mut summary = sample();
        let told = |summary: &Summary| {
            let text = run_summary(summary, "out", &Theme::default());
            text.contains("so nothing was tested").then(|| text.contains("slab::Slab::drain took the time"))
        };
        assert_eq!(told(&summary), None);
        summary.findings.clear();
        summary.search.calls = 0;
        assert_eq!(told(&summary), Some(false));
        summary.search.held_by = Some("slab::Slab::drain".into());
        assert_eq!(told(&summary), Some(true));
    }
}
