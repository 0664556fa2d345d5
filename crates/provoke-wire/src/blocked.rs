//! What a sandbox kept a program from doing. The worker says so, because only it knows which statement asked for it.

use crate::Phase;
use crate::bytes::{DecodeError, Reader, Writer};

/// Kinds of things that code under test may not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Forbidden {
    Network = 1,
    Programs = 2,
    ReadFiles = 3,
    WriteFiles = 4,
    DeleteFiles = 5,
    MoveFiles = 6,
    FileAttributes = 7,
    Signals = 8,
    /// How the process itself is run: its limits, session, credentials.
    ProcessControl = 9,
    /// Signals that come later, when another program runs.
    Timers = 10,
    OtherProcesses = 11,
    SharedMemory = 12,
    System = 13,
    FileSize = 14,
    Other = 15,
}

impl Forbidden {
    pub const ALL: [Forbidden; 15] = [
        Forbidden::Network,
        Forbidden::Programs,
        Forbidden::ReadFiles,
        Forbidden::WriteFiles,
        Forbidden::DeleteFiles,
        Forbidden::MoveFiles,
        Forbidden::FileAttributes,
        Forbidden::Signals,
        Forbidden::ProcessControl,
        Forbidden::Timers,
        Forbidden::OtherProcesses,
        Forbidden::SharedMemory,
        Forbidden::System,
        Forbidden::FileSize,
        Forbidden::Other,
    ];

    pub fn from_code(code: u32) -> Option<Forbidden> {
        Forbidden::ALL.into_iter().find(|what| *what as u32 == code)
    }
}

/// The first thing that a program was kept from doing, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocked {
    pub what: Forbidden,
    pub statement: u32,
    pub phase: Phase,
}

impl Blocked {
    pub(crate) fn encode(blocked: Option<Blocked>, writer: &mut Writer) {
        writer.u8(blocked.map_or(0, |blocked| blocked.what as u8));
        if let Some(blocked) = blocked {
            writer.u32(blocked.statement);
            writer.u8(blocked.phase as u8);
        }
    }

    pub(crate) fn decode(reader: &mut Reader<'_>) -> Result<Option<Blocked>, DecodeError> {
        let code = reader.u8("blocked")?;
        if code == 0 {
            return Ok(None);
        }
        let what = Forbidden::from_code(code.into()).ok_or(reader.error("blocked"))?;
        let statement = reader.u32("blocked")?;
        let phase = Phase::from_bits(reader.u8("blocked")?.into()).ok_or(reader.error("blocked"))?;
        Ok(Some(Blocked { what, statement, phase }))
    }
}
