//! Programs and outcomes as both sides speak them: the tool, and the worker that runs the code under test.
//!
//! This crate has no dependencies, because its source is also compiled into every harness.
//! Decoding never trusts its input: bytes from a worker can neither make it panic nor allocate without bound.

mod batch;
mod blocked;
mod bytes;
mod checked;
mod comparison;
mod confinement;
mod fault;
mod literal;
mod outcome;
mod page;
mod program;
mod refusal;
mod table;
mod watch;

pub use batch::{Batch, BatchReader, Request, RunOptions, ValueIdentity};
pub use blocked::{Blocked, Forbidden};
pub use bytes::{DecodeError, Reader, Writer};
pub use checked::{CheckAnswer, Checked, Point};
pub use comparison::{Comparison, MAX_COMPARED_BYTES, Operands};
pub use confinement::{Confinement, Manner, Trapped};
pub use fault::{Fault, FaultKind};
pub use literal::{Literal, LiteralKind};
pub use outcome::{
    Answer, BatchReport, COMPARISON_BYTES, DEAR_BYTES, Ending, MadeText, Observed, Outcome, Panic, Phase, ReportWriter,
    TracedStep, Unmet, Variant,
};
pub use page::{LastWords, PAGE_BYTES, Page, PageReading, STACK_SIGNAL};
pub use program::{Arg, Body, Mode, NO_SLOT, Program, Statement, StatementKind};
pub use refusal::Refusal;
pub use table::{Abilities, OpSignature, Shape, Table, TypeInfo};
pub use watch::WatchedEdges;

/// Both sides must be built from the same sources; the worker sends this first.
pub const PROTOCOL_VERSION: u32 = 8;
