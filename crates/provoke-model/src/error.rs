//! Why rustdoc's output could not be read.

use std::fmt::Write as _;

#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("{}", unsupported_format(*found, supported))]
    UnsupportedFormat {
        found: u32,
        /// Format numbers, ascending, each with the toolchains that write it.
        supported: &'static [(u32, &'static str)],
    },
    #[error("rustdoc's output is cut off or not the JSON it should be: {0}")]
    Malformed(#[from] serde_json::Error),
    #[error("rustdoc's output is nested {depth} levels deep, at most {limit} are read")]
    TooDeep { depth: usize, limit: usize },
    #[error("rustdoc's output has no root module")]
    NoRoot,
    #[error("cannot start a thread to read rustdoc's output: {0}")]
    Thread(#[from] std::io::Error),
}

fn unsupported_format(found: u32, supported: &[(u32, &str)]) -> String {
    let age = match supported.first() {
        Some((oldest, _)) if found < *oldest => "old",
        _ => "new",
    };
    let mut text = format!("the toolchain is too {age}: its rustdoc writes JSON format {found}, supported are");
    for (place, (format, toolchains)) in supported.iter().enumerate() {
        let separator = if place == 0 { "" } else { "," };
        let _ = write!(text, "{separator} {format} ({toolchains})");
    }
    text
}
