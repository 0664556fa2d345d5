//! The text of `cargo provoke replay`: each step of a finding with the state after it.

use crate::printable::{one_line, printable, shortened};
use crate::style::{ERROR, FAINT, HINT, STRONG, VERB, paint};
use crate::{Theme, Verbosity};

/// A `Debug` text longer than this is cut, unless the user asked for everything.
const MAX_STATE: usize = 400;

/// One statement that ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplayStep {
    /// As the test spells it.
    pub code: String,
    /// Name and `Debug` text of each variable that the statement touched.
    pub states: Vec<(String, String)>,
    /// What went wrong here, where something did.
    pub outcome: Option<String>,
}

/// What came of the finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayEnd {
    /// It fails as before, which the last step shows.
    Fails,
    /// It no longer does.
    Fixed {
        id: String,
        /// What used to happen.
        before: String,
        /// What happens now; `None` if all steps run to their end.
        happened: Option<String>,
    },
}

pub fn render_replay(steps: &[ReplayStep], end: &ReplayEnd, theme: &Theme) -> String {
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
        for (name, state) in &step.states {
            let state = match theme.verbosity {
                Verbosity::Verbose => joined(state),
                Verbosity::Quiet | Verbosity::Normal => shortened(&joined(state), MAX_STATE),
            };
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
    if let ReplayEnd::Fixed { id, before, happened } = end {
        let now = match happened {
            None => "every step runs to its end".to_string(),
            Some(happened) => format!("another thing happens, it {}", one_line(happened)),
        };
        text.push_str(&format!("\n{}: finding {id} no longer fails: {now}\n", paint(VERB, "fixed")));
        text.push_str(&format!("{}: it used to fail with: {}\n", paint(HINT, "before"), one_line(before)));
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
    use crate::style::unstyled;
    use expect_test::expect;

    fn theme(verbosity: Verbosity) -> Theme {
        Theme { verbosity, ..Theme::default() }
    }

    #[test]
    fn each_step_shows_the_state_after_it_and_the_last_what_happened() {
        let steps = [
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
        expect![[r#"
            1  let mut stack = BoundedStack::new(1);
                 stack = BoundedStack { items: [], cap: 1 }
            2  stack.push(7);
                 stack = BoundedStack { items: [7], }
                 text  = "a  b"
                 => panicked at src/lib.rs:12:5:
                    index out of bounds
        "#]]
        .assert_eq(&unstyled(&render_replay(&steps, &ReplayEnd::Fails, &theme(Verbosity::Normal))));
    }

    #[test]
    fn a_finding_that_no_longer_fails_is_said_to_be_fixed() {
        let steps = [ReplayStep { code: "stack.push(7);".into(), ..ReplayStep::default() }];
        let told = |happened: Option<&str>| {
            let end = ReplayEnd::Fixed {
                id: "3f2a9c1d".into(),
                before: "left: 1\nright: 2".into(),
                happened: happened.map(str::to_owned),
            };
            unstyled(&render_replay(&steps, &end, &theme(Verbosity::Normal)))
        };
        expect![[r#"
            1  stack.push(7);

            fixed: finding 3f2a9c1d no longer fails: every step runs to its end
            before: it used to fail with: left: 1 right: 2
        "#]]
        .assert_eq(&told(None));
        expect![[r#"
            1  stack.push(7);

            fixed: finding 3f2a9c1d no longer fails: another thing happens, it panicked: the stack is full
            before: it used to fail with: left: 1 right: 2
        "#]]
        .assert_eq(&told(Some("panicked: the stack is full")));
    }

    #[test]
    fn a_huge_state_is_cut_unless_asked_for() {
        let step = ReplayStep { code: "f();".into(), states: vec![("v".into(), "x".repeat(1000))], outcome: None };
        let steps = [step];
        let n_shown = |verbosity| render_replay(&steps, &ReplayEnd::Fails, &theme(verbosity)).matches('x').count();
        assert_eq!(n_shown(Verbosity::Normal), MAX_STATE);
        assert_eq!(n_shown(Verbosity::Verbose), 1000);
    }
}
