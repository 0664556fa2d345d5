//! The text of `cargo provoke replay ID`: each step of a finding with the state after it, whom it accuses, and the way there.

use serde::{Deserialize, Serialize};

use crate::text::printable::{one_line, printable, shortened_in_the_middle};
use crate::text::replay_all::change_lines;
use crate::text::style::{ERROR, FAINT, HINT, STRONG, VERB, WARNING, paint};
use crate::text::tier_style;
use crate::text::units::plural;
use crate::{Operand, Theme, Tier, Verbosity};

/// A `Debug` text longer than this is cut, unless the user asked for everything.
const MAX_STATE: usize = 200;

/// One statement that ran.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplayStep {
    /// As the test spells it.
    pub code: String,
    /// Name and `Debug` text of each variable that the statement made or changed.
    pub states: Vec<(String, String)>,
    /// What went wrong here, where something did.
    pub outcome: Option<String>,
}

/// What became of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    StillThere,
    /// It fails, but not as before.
    Changed(Vec<Change>),
    /// It no longer fails, or not in a way that speaks against the crate.
    Fixed {
        /// What happens now; `None` if all steps run to their end.
        happened: Option<String>,
    },
    /// The crate no longer has what it needs.
    CannotRun {
        why: String,
    },
}

/// What is different from when the finding was saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub what: &'static str,
    pub before: String,
    pub now: String,
}

/// Whom a finding accuses, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blame {
    pub function: String,
    pub location: Option<String>,
    /// The rule that is broken, and what it claims.
    pub oracle: String,
    pub claim: String,
    pub tier: Tier,
    pub tier_reason: String,
    /// The values that a broken clause is about.
    pub operands: Vec<Operand>,
    /// What else there is to say, a line each.
    pub notes: Vec<String>,
}

/// A part of the way to the failing place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frames {
    /// One of the crate's own.
    Own { function: String, location: String },
    /// Some of others, in between.
    Folded { n: u64, owner: &'static str },
}

/// One finding that was run again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    pub id: String,
    /// What used to happen.
    pub before: String,
    pub steps: Vec<ReplayStep>,
    pub fate: Fate,
    /// `None` if nothing speaks against the crate any more.
    pub blame: Option<Blame>,
    /// The innermost first.
    pub backtrace: Vec<Frames>,
}

pub fn render_replay(replayed: &Replayed, theme: &Theme) -> String {
    let mut text = steps(&replayed.steps, theme);
    match &replayed.fate {
        Fate::StillThere => {}
        Fate::Changed(changes) => {
            text.push_str(&format!("\n{}: finding {} fails in another way\n", paint(WARNING, "changed"), replayed.id));
            text.push_str(&change_lines(changes, "  "));
        }
        Fate::Fixed { happened } => {
            let now = match happened {
                None => "every step runs to its end".to_string(),
                Some(happened) => format!("another thing happens, it {}", one_line(happened)),
            };
            text.push_str(&format!("\n{}: finding {} no longer fails: {now}\n", paint(VERB, "fixed"), replayed.id));
            text.push_str(&format!(
                "{}: it used to fail with: {}\n",
                paint(HINT, "before"),
                one_line(&replayed.before)
            ));
        }
        Fate::CannotRun { why } => {
            text.push_str(&format!("\n{}: {}\n", paint(WARNING, "cannot run"), one_line(why)));
        }
    }
    if let Some(blame) = &replayed.blame {
        text.push_str(&blame_lines(blame, theme));
    }
    if !replayed.backtrace.is_empty() {
        text.push_str(&backtrace_lines(&replayed.backtrace));
    }
    text
}

pub(crate) fn steps(steps: &[ReplayStep], theme: &Theme) -> String {
    let number_width = steps.len().max(1).ilog10() as usize + 1;
    let margin = " ".repeat(number_width);
    let mut text = String::new();
    for (step, number) in steps.iter().zip(1..) {
        let code = printable(&step.code);
        let mut code_lines = code.lines();
        let first = code_lines.next().unwrap_or_default();
        let number = paint(FAINT, &format!("{number:>number_width$}"));
        text.push_str(&format!("{number}  {}\n", paint(STRONG, first)));
        for line in code_lines {
            text.push_str(&format!("{margin}  {}\n", paint(STRONG, line)));
        }
        let names = step.states.iter().map(|(name, _)| name.chars().count());
        let name_width = names.max().unwrap_or(0);
        for (name, text_of_state) in &step.states {
            let state = state(text_of_state, theme);
            text.push_str(&format!("{margin}    {name:<name_width$} = {state}\n"));
        }
        if let Some(outcome) = &step.outcome {
            let outcome = printable(outcome);
            for (line, mark) in outcome.lines().zip(std::iter::once("=>").chain(std::iter::repeat("  "))) {
                let line = paint(ERROR, &format!("{mark} {line}"));
                text.push_str(&format!("{margin}    {line}\n"));
            }
        }
    }
    text
}

/// `called with amount = 3, self = Account { balance: 2 } (before the call)`
pub(crate) fn called_with(operands: &[Operand], theme: &Theme) -> String {
    let one = |operand: &Operand| {
        let moment = if operand.before_call { " (before the call)" } else { "" };
        format!("{} = {}{moment}", operand.name, state(&operand.value, theme))
    };
    operands.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// A `Debug` text on one line.
fn state(text: &str, theme: &Theme) -> String {
    match theme.verbosity {
        Verbosity::Verbose => joined(text),
        Verbosity::Quiet | Verbosity::Normal => shortened_in_the_middle(&joined(text), MAX_STATE),
    }
}

fn blame_lines(blame: &Blame, theme: &Theme) -> String {
    let tier = blame.tier.name();
    let place = blame.location.as_ref().map_or_else(String::new, |location| format!(" at {}", one_line(location)));
    let mut text = format!("\n{}: {}{place}\n", paint(tier_style(blame.tier), tier), one_line(&blame.function));
    let mut line = |word: &str, rest: &str| {
        text.push_str(&format!(
            "{}: {}\n",
            paint(STRONG, &format!("{word:>width$}", width = tier.len())),
            one_line(rest)
        ));
    };
    line("rule", &format!("{}: {}", blame.oracle, blame.claim));
    if !blame.operands.is_empty() {
        line("with", &called_with(&blame.operands, theme));
    }
    line("why", &blame.tier_reason);
    for note in &blame.notes {
        line("note", note);
    }
    text
}

fn backtrace_lines(frames: &[Frames]) -> String {
    let mut text = format!("\n{}, the failing place first:\n", paint(STRONG, "backtrace"));
    for frame in frames {
        text.push_str(&match frame {
            Frames::Own { function, location } => {
                format!("  {}\n      at {}\n", one_line(function), one_line(location))
            }
            Frames::Folded { n, owner } => {
                format!("  {}\n", paint(FAINT, &format!("({} of {owner})", plural(*n, "call"))))
            }
        });
    }
    text
}

/// Lines put behind each other, with all spaces kept that may be inside a string.
fn joined(state: &str) -> String {
    let lines: Vec<&str> = state.lines().map(str::trim_start).collect();
    printable(&lines.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::style::unstyled;
    use expect_test::expect;

    fn theme(verbosity: Verbosity) -> Theme {
        Theme { verbosity, ..Theme::default() }
    }

    fn replayed(steps: Vec<ReplayStep>, fate: Fate) -> Replayed {
        let before = "left: 1\nright: 2".into();
        Replayed { id: "3f2a9c1d".into(), before, steps, fate, blame: None, backtrace: Vec::new() }
    }

    fn told(replayed: &Replayed) -> String {
        unstyled(&render_replay(replayed, &theme(Verbosity::Normal)))
    }

    fn push() -> Vec<ReplayStep> {
        vec![ReplayStep { code: "stack.push(7);".into(), ..ReplayStep::default() }]
    }

    #[test]
    fn each_step_shows_the_state_after_it_and_the_last_what_happened_and_why_that_is_wrong() {
        let steps = vec![
            ReplayStep {
                code: "let mut stack = BoundedStack::new(1);".into(),
                states: vec![("stack".into(), "BoundedStack { items: [], cap: 1 }".into())],
                outcome: None,
            },
            ReplayStep {
                code: "stack.push(7);".into(),
                states: vec![
                    ("stack".into(), "BoundedStack {\n    items: [7],\n}".into()),
                    ("text".into(), "\"a  b\"".into()),
                ],
                outcome: Some("panicked at src/lib.rs:12:5:\nindex out of bounds".into()),
            },
        ];
        let own = |function: &str, location: &str| Frames::Own { function: function.into(), location: location.into() };
        let replayed = Replayed {
            blame: Some(Blame {
                function: "bounded_stack::BoundedStack::push".into(),
                location: Some("src/lib.rs:12:5".into()),
                oracle: "undocumented-panic".into(),
                claim: "a panic that callers can cause is announced in the docs".into(),
                tier: Tier::Suspicious,
                tier_reason: "the caller may be to blame".into(),
                operands: vec![
                    Operand { name: "self".into(), value: "BoundedStack {\n    cap: 1\n}".into(), before_call: true },
                    Operand { name: "item".into(), value: "7".into(), before_call: false },
                ],
                notes: vec!["a false alarm if it is conventional".into()],
            }),
            backtrace: vec![
                Frames::Folded { n: 3, owner: "std" },
                own("bounded_stack::grow", "src/lib.rs:12:5"),
                Frames::Folded { n: 1, owner: "a dependency" },
                own("bounded_stack::BoundedStack<u8>::push", "src/lib.rs:8:9"),
            ],
            ..replayed(steps, Fate::StillThere)
        };
        expect![[r#"
            1  let mut stack = BoundedStack::new(1);
                 stack = BoundedStack { items: [], cap: 1 }
            2  stack.push(7);
                 stack = BoundedStack { items: [7], }
                 text  = "a  b"
                 => panicked at src/lib.rs:12:5:
                    index out of bounds

            suspicious: bounded_stack::BoundedStack::push at src/lib.rs:12:5
                  rule: undocumented-panic: a panic that callers can cause is announced in the docs
                  with: self = BoundedStack { cap: 1 } (before the call), item = 7
                   why: the caller may be to blame
                  note: a false alarm if it is conventional

            backtrace, the failing place first:
              (3 calls of std)
              bounded_stack::grow
                  at src/lib.rs:12:5
              (1 call of a dependency)
              bounded_stack::BoundedStack<u8>::push
                  at src/lib.rs:8:9
        "#]]
        .assert_eq(&told(&replayed));
    }

    #[test]
    fn a_finding_that_no_longer_fails_is_said_to_be_fixed() {
        expect![[r#"
            1  stack.push(7);

            fixed: finding 3f2a9c1d no longer fails: every step runs to its end
            before: it used to fail with: left: 1 right: 2
        "#]]
        .assert_eq(&told(&replayed(push(), Fate::Fixed { happened: None })));
        expect![[r#"
            1  stack.push(7);

            fixed: finding 3f2a9c1d no longer fails: another thing happens, it panicked: the stack is full
            before: it used to fail with: left: 1 right: 2
        "#]]
        .assert_eq(&told(&replayed(push(), Fate::Fixed { happened: Some("panicked: the stack is full".into()) })));
    }

    #[test]
    fn a_finding_that_fails_in_another_way_says_what_is_different() {
        let change = Change { what: "tier", before: "suspicious".into(), now: "error".into() };
        expect![[r#"
            1  stack.push(7);

            changed: finding 3f2a9c1d fails in another way
              tier: was `suspicious`, is `error`
        "#]]
        .assert_eq(&told(&replayed(push(), Fate::Changed(vec![change]))));
    }

    #[test]
    fn a_huge_state_is_cut_in_the_middle_unless_asked_for() {
        let states = vec![("v".into(), format!("[{}]", "x".repeat(1000)))];
        let replayed = replayed(vec![ReplayStep { code: "f();".into(), states, outcome: None }], Fate::StillThere);
        let shown = |verbosity| render_replay(&replayed, &theme(verbosity));
        let normal = shown(Verbosity::Normal);
        assert!(normal.contains("v = [xx") && normal.contains("xx]\n") && normal.contains('…'), "{normal}");
        assert!(normal.matches('x').count() < MAX_STATE);
        assert_eq!(shown(Verbosity::Verbose).matches('x').count(), 1000);
    }
}
