//! How what belongs to other crates is written in a saved run: the runtime's types have no dependencies, and oracles are rows.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The id of a row. Under a name of its own: serde takes every `&str` for a part of what is read.
pub type OracleId = &'static str;

pub(crate) mod oracle {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(id: &str, serializer: S) -> Result<S::Ok, S::Error> {
        id.serialize(serializer)
    }

    /// The row of that name.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static str, D::Error> {
        let id = String::deserialize(deserializer)?;
        provoke_oracles::oracle(&id).map(|row| row.id).ok_or_else(|| D::Error::custom(format!("no oracle `{id}`")))
    }
}

pub(crate) mod phase {
    use super::*;
    use provoke_wire::Phase;

    pub(crate) fn serialize<S: Serializer>(phase: &Phase, serializer: S) -> Result<S::Ok, S::Error> {
        (*phase as u32).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Phase, D::Error> {
        let bits = u32::deserialize(deserializer)?;
        Phase::from_bits(bits).ok_or_else(|| D::Error::custom(format!("no phase {bits}")))
    }
}

pub(crate) mod fault_kind {
    use super::*;
    use provoke_wire::FaultKind;

    pub(crate) fn serialize<S: Serializer>(kind: &FaultKind, serializer: S) -> Result<S::Ok, S::Error> {
        (*kind as u32).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<FaultKind, D::Error> {
        let number = u32::deserialize(deserializer)?;
        let all = [FaultKind::DoubleDrop, FaultKind::UseAfterDrop, FaultKind::Leak];
        let found = all.into_iter().find(|kind| *kind as u32 == number);
        found.ok_or_else(|| D::Error::custom(format!("no fault {number}")))
    }
}

/// In hexadecimal; operations by their numbers in this build of the worker.
pub(crate) mod program {
    use super::*;
    use provoke_wire::Program;

    pub(crate) fn serialize<S: Serializer>(program: &Program, serializer: S) -> Result<S::Ok, S::Error> {
        let text: String = program.to_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        text.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Program, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let bytes: Option<Vec<u8>> = text.as_bytes().chunks(2).map(digits).collect();
        let program = bytes.and_then(|bytes| Program::from_bytes(&bytes).ok());
        program.ok_or_else(|| D::Error::custom("a damaged program"))
    }
}
