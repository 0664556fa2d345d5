//! What a regression suite is made of: programs worth keeping, and functions that look at what they leave behind.

pub mod cover;
pub mod exemplars;
pub mod observers;
