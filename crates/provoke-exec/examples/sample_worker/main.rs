//! A worker as the tool generates it, with hand-written operations; the tests of this crate run it.

provoke_exec::worker!();

mod numbers;
#[rustfmt::skip]
mod ops;
mod subjects;
