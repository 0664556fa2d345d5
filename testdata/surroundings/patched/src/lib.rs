//! What `[patch.crates-io]` leads to.

/// No registry has it.
pub fn only_in_the_patch(n: u32) -> u32 {
    n / 3
}
