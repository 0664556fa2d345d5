//! A flow: where the loans of an argument go.

use serde::{Deserialize, Serialize};

/// Which part of an argument's loans flows on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FlowPart {
    /// The reference itself: the target borrows from the slot that was lent.
    Outer,
    /// What the value inside already borrows.
    Inner,
}

impl FlowPart {
    pub const ALL: [FlowPart; 2] = [FlowPart::Outer, FlowPart::Inner];
}

/// Where it flows to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FlowTarget {
    Result,
    /// Another argument, passed by `&mut` (or with interior mutability), becomes a borrower.
    Arg(u8),
}

/// A label of the signature that links an argument to the result or to another argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Flow {
    pub arg: u8,
    pub part: FlowPart,
    pub target: FlowTarget,
}
