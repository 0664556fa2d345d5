//! How what is saved is written: a search as bytes, and what belongs to other crates. The runtime's types have no dependencies, and
//! oracles are rows.

use std::fmt;

use provoke_wire::{Body, FaultKind, Forbidden, Phase, Program};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What of a saved search does not fit together, or not to the search that is to go on with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RestoreError(pub &'static str);

impl fmt::Display for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "malformed {}", self.0)
    }
}

impl std::error::Error for RestoreError {}

/// No search counts any further; larger numbers, multiplied, would overflow.
pub(crate) const MAX_COUNT: u64 = 1 << 48;

/// An error unless it fits.
pub(crate) fn ensure(fits: bool, what: &'static str) -> Result<(), RestoreError> {
    if fits { Ok(()) } else { Err(RestoreError(what)) }
}

/// Bytes that say nothing of their own structure.
pub(crate) fn to_bytes(state: &impl Serialize) -> Vec<u8> {
    // What is saved has a length and no condition under which it could not be written.
    postcard::to_stdvec(state).unwrap_or_default()
}

/// What all of these bytes say. Only what is there is allocated for: nobody believes the length of a list.
pub(crate) fn from_bytes<T: DeserializeOwned>(bytes: &[u8], what: &'static str) -> Result<T, RestoreError> {
    match postcard::take_from_bytes(bytes) {
        Ok((state, [])) => Ok(state),
        _ => Err(RestoreError(what)),
    }
}

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

/// What the runtime has a number for.
pub(crate) trait Numbered: Copy {
    fn number(self) -> u32;

    fn from_number(number: u32) -> Option<Self>;
}

impl Numbered for Phase {
    fn number(self) -> u32 {
        self as u32
    }

    fn from_number(number: u32) -> Option<Phase> {
        Phase::from_bits(number)
    }
}

impl Numbered for FaultKind {
    fn number(self) -> u32 {
        self as u32
    }

    fn from_number(number: u32) -> Option<FaultKind> {
        let all = [FaultKind::DoubleDrop, FaultKind::UseAfterDrop, FaultKind::Leak];
        all.into_iter().find(|kind| *kind as u32 == number)
    }
}

impl Numbered for Forbidden {
    fn number(self) -> u32 {
        self as u32
    }

    fn from_number(number: u32) -> Option<Forbidden> {
        Forbidden::from_code(number)
    }
}

pub(crate) mod number {
    use super::*;

    pub(crate) fn serialize<T: Numbered, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        value.number().serialize(serializer)
    }

    pub(crate) fn deserialize<'de, T: Numbered, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        let number = u32::deserialize(deserializer)?;
        T::from_number(number).ok_or_else(|| D::Error::custom(format!("nothing has the number {number}")))
    }
}

/// What the runtime has bytes for. Operations are in them by their numbers in this build of the worker.
pub(crate) trait Encoded: Sized {
    fn encoded(&self) -> Vec<u8>;

    fn from_encoded(bytes: &[u8]) -> Option<Self>;
}

impl Encoded for Body {
    fn encoded(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn from_encoded(bytes: &[u8]) -> Option<Body> {
        Body::from_bytes(bytes).ok()
    }
}

impl Encoded for Program {
    fn encoded(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn from_encoded(bytes: &[u8]) -> Option<Program> {
        Program::from_bytes(bytes).ok()
    }
}

/// In hexadecimal where people read along.
pub(crate) mod encoded {
    use super::*;

    pub(crate) fn serialize<T: Encoded, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes = value.encoded();
        if !serializer.is_human_readable() {
            return serializer.serialize_bytes(&bytes);
        }
        let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        text.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, T: Encoded, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        let value = if deserializer.is_human_readable() {
            let text = String::deserialize(deserializer)?;
            let digits = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
            let bytes: Option<Vec<u8>> = text.as_bytes().chunks(2).map(digits).collect();
            bytes.and_then(|bytes| T::from_encoded(&bytes))
        } else {
            T::from_encoded(<&[u8]>::deserialize(deserializer)?)
        };
        value.ok_or_else(|| D::Error::custom("a damaged program"))
    }
}
