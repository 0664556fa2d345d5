//! The sorted list of *Trace-based Reflexive Testing of OO Programs* (Prasetya, Vos, Baars, 2007) with all that the paper
//! specifies about it: the weak contract of figure 1, the temporal property of figure 3, the application model of figure 4 and
//! the probe of section 3.3.
//!
//! The contract is there three times, as users of three crates would write it; what the first two of them have no words for
//! is written with `provoke` each time. All three lists have the same faults, which are told in `BUG.md`.

pub mod with_anodized;
pub mod with_contracts;
pub mod with_provoke;
