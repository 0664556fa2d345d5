//! What a user is told when something cannot go on: one line, perhaps details, and how to mend it.

use crate::ExitCode;
use crate::text::printable::{one_line, printable};
use crate::text::style::{ERROR, HINT, paint};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserError {
    /// One line, lower case, without a full stop.
    pub message: String,
    /// What another program said (rustc's errors, say), printed indented below.
    pub details: Option<String>,
    /// How to mend it; each line becomes a hint of its own.
    pub hint: Option<String>,
    pub exit: ExitCode,
}

impl UserError {
    pub fn new(exit: ExitCode, message: impl Into<String>) -> UserError {
        UserError { message: message.into(), details: None, hint: None, exit }
    }

    /// Something the user asked for in a way that makes no sense.
    pub fn usage(message: impl Into<String>, hint: impl Into<String>) -> UserError {
        UserError::new(ExitCode::Usage, message).with_hint(hint)
    }

    pub fn with_hint(mut self, hint: impl Into<String>) -> UserError {
        self.hint = Some(hint.into());
        self
    }

    pub fn with_details(mut self, details: impl Into<String>) -> UserError {
        self.details = Some(details.into());
        self
    }

    /// The whole message with styles, ending in a newline.
    pub fn render(&self) -> String {
        let mut text = format!("{}: {}\n", paint(ERROR, "error"), one_line(&self.message));
        for line in self.details.iter().flat_map(|details| details.lines()) {
            text.push_str(format!("    {}", printable(line)).trim_end());
            text.push('\n');
        }
        for line in self.hint.iter().flat_map(|hint| hint.lines()) {
            text.push_str(&format!("{}: {}\n", paint(HINT, "hint"), printable(line)));
        }
        text
    }
}

impl std::fmt::Display for UserError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for UserError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::style::unstyled;
    use expect_test::expect;

    #[test]
    fn an_error_is_one_line_then_details_then_hints() {
        let error = UserError::new(ExitCode::TargetDoesNotBuild, "`slab` does not\ncompile")
            .with_details("error[E0425]: cannot find `x`\n\n  --> src/lib.rs:1:1")
            .with_hint("run `cargo check`\nmend what it says");
        expect![[r#"
            error: `slab` does not compile
                error[E0425]: cannot find `x`

                  --> src/lib.rs:1:1
            hint: run `cargo check`
            hint: mend what it says
        "#]]
        .assert_eq(&unstyled(&error.render()));
    }
}
