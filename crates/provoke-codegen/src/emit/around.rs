//! What stands around the calls of a test: a thread for calls that may not return, a block that everything is dropped in.

use crate::emit::imports::Imports;
use crate::emit::{HANG_NAMES, TestEnding};

/// What shows when everything has been dropped.
pub(super) struct FinalClaim {
    /// Opens a block around the calls, and closes it.
    block: [String; 2],
    text: &'static str,
}

impl FinalClaim {
    pub(super) fn of(ending: TestEnding, imports: &mut Imports) -> Option<FinalClaim> {
        let text = match ending {
            TestEnding::DropsTwice { .. } => "assert_eq!(Tracked::dropped_twice(), 0);",
            TestEnding::Leaks => "assert_eq!(Tracked::leaked(), 0);",
            _ => return None,
        };
        if ending != (TestEnding::DropsTwice { panics: true }) {
            return Some(FinalClaim { block: ["{".to_string(), "}".to_string()], text });
        }
        let catch = imports.write("catch_unwind", &["std::panic::catch_unwind".to_string()]);
        Some(FinalClaim { block: [format!("let _ = {catch}(|| {{"), "});".to_string()], text })
    }

    pub(super) fn around(&self) -> [String; 2] {
        let FinalClaim { block: [open, close], text } = self;
        [format!("    {open}\n"), format!("    {close}\n    {text}\n")]
    }
}

/// The calls on a thread of their own, which has to be done in time.
pub(super) struct Hang {
    seconds: u64,
    channel: String,
    spawn: String,
    duration: String,
}

impl Hang {
    pub(super) fn new(seconds: u64, imports: &mut Imports) -> Hang {
        let mut write = |text: &str, path: &str| imports.write(text, &[path.to_string()]);
        Hang {
            seconds,
            channel: write("mpsc::channel", "std::sync::mpsc"),
            spawn: write("thread::spawn", "std::thread"),
            duration: write("Duration::from_secs", "std::time::Duration"),
        }
    }

    pub(super) fn around(&self) -> [String; 2] {
        let ([done, finished], Hang { seconds, channel, spawn, duration }) = (HANG_NAMES, self);
        let plural = if *seconds == 1 { "" } else { "s" };
        [
            format!("    let ({done}, {finished}) = {channel}();\n    {spawn}(move || {{\n"),
            format!(
                "        {done}.send(()).unwrap();\n    }});\n    {finished}\n        \
                 .recv_timeout({duration}({seconds}))\n        \
                 .expect(\"the last call should return within {seconds} second{plural}\");\n"
            ),
        ]
    }
}
