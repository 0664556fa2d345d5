//! The text of `cargo provoke replay`: each step of a finding with the state after it.

use crate::printable::{printable, shortened};
use crate::style::{ERROR, FAINT, STRONG, paint};
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

pub fn render_replay(steps: &[ReplayStep], theme: &Theme) -> String {
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
        .assert_eq(&unstyled(&render_replay(&steps, &theme(Verbosity::Normal))));
    }

    #[test]
    fn a_huge_state_is_cut_unless_asked_for() {
        let step = ReplayStep { code: "f();".into(), states: vec![("v".into(), "x".repeat(1000))], outcome: None };
        let steps = [step];
        let n_shown = |verbosity| render_replay(&steps, &theme(verbosity)).matches('x').count();
        assert_eq!(n_shown(Verbosity::Normal), MAX_STATE);
        assert_eq!(n_shown(Verbosity::Verbose), 1000);
    }
}
