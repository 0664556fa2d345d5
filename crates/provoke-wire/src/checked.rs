//! What came of asking specifications while a program ran.

use crate::bytes::{DecodeError, Reader, Writer};

/// What is wrong with a specification, or with what it was asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum CheckAnswer {
    /// It does not hold: the program ended there.
    Broken = 0,
    /// No application would have come here: the program ended.
    Discarded = 1,
    /// It panicked, and was not asked again.
    Nothing = 2,
    /// Asked twice, it said yes and no.
    Unsteady = 3,
}

/// What came of asking one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The operation that asks the same.
    pub op: u32,
    /// Of which object it was asked.
    pub slot: u32,
    /// How many statements had run by then.
    pub n_statements: u32,
    pub answer: CheckAnswer,
}

impl Checked {
    pub(crate) fn encode(checked: Option<Checked>, writer: &mut Writer) {
        writer.u8(checked.map_or(0, |checked| 1 + checked.answer as u8));
        if let Some(checked) = checked {
            writer.u32(checked.op);
            writer.u32(checked.slot);
            writer.u32(checked.n_statements);
        }
    }

    pub(crate) fn decode(reader: &mut Reader<'_>) -> Result<Option<Checked>, DecodeError> {
        let answer = match reader.u8("check")? {
            0 => return Ok(None),
            1 => CheckAnswer::Broken,
            2 => CheckAnswer::Discarded,
            3 => CheckAnswer::Nothing,
            4 => CheckAnswer::Unsteady,
            _ => return Err(reader.error("check")),
        };
        let (op, slot) = (reader.u32("check")?, reader.u32("check")?);
        Ok(Some(Checked { op, slot, n_statements: reader.u32("check")?, answer }))
    }
}

/// A moment at which a history was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// After this statement.
    pub statement: u32,
    /// The history of this object.
    pub slot: u32,
    /// The operation that asks what the history has led to.
    pub op: u32,
}

impl Point {
    pub(crate) fn encode(&self, writer: &mut Writer) {
        writer.u32(self.statement);
        writer.u32(self.slot);
        writer.u32(self.op);
    }

    pub(crate) fn decode(reader: &mut Reader<'_>) -> Result<Point, DecodeError> {
        Ok(Point { statement: reader.u32("point")?, slot: reader.u32("point")?, op: reader.u32("point")? })
    }
}
