//! A dependency inside the workspace, with a feature that is switched on from outside.

/// Helps.
pub fn help(n: u32) -> u32 {
    n / 2
}

/// Helps more.
#[cfg(feature = "deep")]
pub fn deep(n: u32) -> u32 {
    n / 4
}
