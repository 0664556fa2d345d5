//! rustfmt has nothing to change in an emitted test.

use std::io::Write;
use std::process::{Command, Stdio};

use provoke_codegen::Style;

use crate::suite::emitted_suite;
use crate::{emitted, programs, vocabulary};

/// `None` where rustfmt is not installed.
#[allow(
    clippy::disallowed_methods,
    reason = "only the tool is bound to one home for processes; this test asks rustfmt itself"
)]
fn formatted(source: &str) -> Option<String> {
    let mut child = Command::new("rustfmt")
        .args(["--edition", "2021"])
        // Away from any configuration of this workspace: emitted tests follow the defaults.
        .current_dir(std::env::temp_dir())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(source.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    assert!(output.status.success(), "rustfmt refuses:\n{source}");
    String::from_utf8(output.stdout).ok()
}

#[test]
fn rustfmt_leaves_emitted_tests_as_they_are() {
    let ops = vocabulary::ops();
    let mut differing = String::new();
    for style in [Style::Pretty, Style::Explicit] {
        let mut sources: Vec<String> = programs::all().iter().map(|sample| emitted(sample, &ops, style)).collect();
        sources.push(emitted_suite(&ops, style));
        for source in sources {
            if let Some(formatted) = formatted(&source)
                && formatted != source
            {
                differing.push_str(&format!("--- emitted\n{source}--- rustfmt\n{formatted}"));
            }
        }
    }
    assert!(differing.is_empty(), "{differing}");
}
