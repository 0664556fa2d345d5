//! Emitted tests, laid out by rustfmt.
//!
//! The printer knows rustfmt's rules for what is common, but not for everything that an assertion can contain, and it
//! cannot know the settings that the user's package has. So the last word is rustfmt's own: a written test passes
//! `cargo fmt --check` in the package it is written into. Where rustfmt is not installed, or refuses, the printer's
//! layout stays.
//!
//! Decision: `docs/decisions/082-rustfmt-has-the-last-word.md`

use std::fs::File;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::cache::write_whole;
use crate::cargo::invocation::tool;
use crate::harness::HarnessDir;
use crate::process::{Finished, Stream, run_with_input};

/// It takes milliseconds; a stand-in that waits for something must not make us wait.
const TIME_LIMIT: Duration = Duration::from_secs(20);

impl HarnessDir {
    /// The source as rustfmt writes it under the settings of the target's package; as it is where that cannot be had.
    pub fn formatted(&self, source: &str) -> String {
        let mut command = Command::new(tool("RUSTFMT", "rustfmt"));
        // Settings are looked up from there.
        command.current_dir(&self.target.package_root);
        command.args(["--edition", &self.target.edition, "--quiet", "--color", "never"]);
        let input = self.root.join("verify").join("unformatted.rs");
        let opened = write_whole(&input, source.as_bytes()).ok().and_then(|()| File::open(&input).ok());
        opened.and_then(|file| output_of(command, file)).unwrap_or_else(|| source.to_string())
    }
}

/// What the command made of the input, if it succeeded and said anything.
fn output_of(command: Command, input: File) -> Option<String> {
    let mut output = Vec::new();
    // What was found before a Ctrl-C is still shown, and so it is still laid out.
    let uninterrupted = AtomicBool::new(false);
    let hear = &mut |stream: Stream, bytes: &[u8]| {
        if stream == Stream::Out {
            output.extend_from_slice(bytes);
        }
    };
    match run_with_input(command, Stdio::from(input), &uninterrupted, Some(TIME_LIMIT), hear) {
        Ok(Finished::Exited(status)) if status.success() => {
            String::from_utf8(output).ok().filter(|text| !text.is_empty())
        }
        _ => None,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::{Seek, Write};

    use super::*;

    fn output(script: &str) -> Option<String> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"fn  a() {}\n").unwrap();
        file.rewind().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        output_of(command, file)
    }

    #[test]
    fn only_the_output_of_a_success_counts() {
        assert_eq!(output("tr -s ' '; echo warning >&2").as_deref(), Some("fn a() {}\n"));
        assert_eq!(output("tr -s ' '; exit 1"), None);
        assert_eq!(output("cat > /dev/null"), None, "a configuration may switch it off");
        assert_eq!(output("kill -9 $$"), None);
    }

    #[test]
    fn a_program_that_is_not_there_is_no_failure() {
        let file = tempfile::tempfile().unwrap();
        assert_eq!(output_of(Command::new("no-such-program-anywhere"), file), None);
    }
}
