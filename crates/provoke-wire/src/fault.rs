//! What a tracked element noticed about how the code under test treats it.

use crate::Phase;
use crate::bytes::{DecodeError, Reader, Writer};

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum FaultKind {
    /// An element was dropped that was not alive: once more, or without ever having been made.
    DoubleDrop = 1,
    /// An element was read that was not alive.
    UseAfterDrop = 2,
    /// An element was still alive after everything had been dropped.
    Leak = 3,
}

/// The first fault of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    /// What was running; for a leak, what made the element.
    pub statement: u32,
    pub phase: Phase,
}

impl Fault {
    /// A single byte where there is none.
    pub(crate) fn encode(fault: Option<Fault>, writer: &mut Writer) {
        let Some(fault) = fault else {
            writer.u8(0);
            return;
        };
        writer.u8(fault.kind as u8);
        writer.u8(fault.phase as u8);
        writer.u32(fault.statement);
    }

    pub(crate) fn decode(reader: &mut Reader<'_>) -> Result<Option<Fault>, DecodeError> {
        let kind = match reader.u8("fault")? {
            0 => return Ok(None),
            1 => FaultKind::DoubleDrop,
            2 => FaultKind::UseAfterDrop,
            3 => FaultKind::Leak,
            _ => return Err(reader.error("fault")),
        };
        let phase = Phase::from_bits(reader.u8("fault")?.into()).ok_or(reader.error("fault"))?;
        Ok(Some(Fault { kind, phase, statement: reader.u32("fault")? }))
    }
}
