//! Why rustdoc's output could not be read.

use std::ops::RangeInclusive;

#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error(
        "the toolchain is too {}: its rustdoc writes JSON format {found}, supported are {} to {} ({toolchains})",
        if found < supported.start() { "old" } else { "new" }, supported.start(), supported.end()
    )]
    UnsupportedFormat {
        found: u32,
        supported: RangeInclusive<u32>,
        /// Those that write the supported ones.
        toolchains: &'static str,
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
