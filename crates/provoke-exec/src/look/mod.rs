//! Looking at values while a program runs: what they show, what contracts ask of them, and what becomes of tracked elements.

pub mod guard;
pub mod hasher;
pub mod monitor;
pub mod observe;
pub mod snapshot;
pub mod text;
pub mod tracked;
pub mod watch;
