//! What a worker says of itself: the types it knows and the signatures of its operations.
//!
//! Types are told apart by `TypeId` inside the worker and by their place in this table outside,
//! so two types of the same name (two versions of one dependency) are never mixed up.

use crate::bytes::{DecodeError, Reader, Writer};

/// What a type can do, found at compile time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Abilities(pub u32);

impl Abilities {
    pub const CLONE: Abilities = Abilities(1);
    pub const COPY: Abilities = Abilities(1 << 1);
    pub const PARTIAL_EQ: Abilities = Abilities(1 << 2);
    pub const EQ: Abilities = Abilities(1 << 3);
    pub const HASH: Abilities = Abilities(1 << 4);
    pub const PARTIAL_ORD: Abilities = Abilities(1 << 5);
    pub const ORD: Abilities = Abilities(1 << 6);
    pub const DEBUG: Abilities = Abilities(1 << 7);
    pub const DISPLAY: Abilities = Abilities(1 << 8);
    pub const DEFAULT: Abilities = Abilities(1 << 9);
    pub const ITERATOR: Abilities = Abilities(1 << 10);
    pub const SEND: Abilities = Abilities(1 << 11);
    pub const SYNC: Abilities = Abilities(1 << 12);
    pub const NEEDS_DROP: Abilities = Abilities(1 << 13);
    /// The type's probes were compiled; without this bit the others say nothing.
    pub const PROBED: Abilities = Abilities(1 << 14);
    /// A value may hold a loan, as far as the name of the type shows. Known of every type, probed or not.
    pub const MAY_BORROW: Abilities = Abilities(1 << 15);

    pub fn has(self, other: Abilities) -> bool {
        self.0 & other.0 == other.0
    }

    pub fn with(self, other: Abilities, yes: bool) -> Abilities {
        if yes { Abilities(self.0 | other.0) } else { self }
    }
}

/// How a type is built, as far as the tool makes use of it. Numbers are places in the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    Plain,
    Ref(u32),
    RefMut(u32),
    Option(u32),
    Result(u32, u32),
}

/// One type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeInfo {
    /// As `std::any::type_name` prints it; for people and for discovery, never for identity.
    pub name: String,
    pub size: u32,
    pub align: u32,
    pub abilities: Abilities,
    pub shape: Shape,
    /// The code of the [`LiteralKind`](crate::LiteralKind) that makes values of this type.
    pub literal: Option<u32>,
}

/// The types of one operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpSignature {
    pub args: Vec<u32>,
    pub result: u32,
}

/// Everything a worker can do; operation numbers are places in `ops`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    pub types: Vec<TypeInfo>,
    pub ops: Vec<OpSignature>,
}

impl Table {
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.u32(crate::PROTOCOL_VERSION);
        writer.u32(self.types.len() as u32);
        for info in &self.types {
            writer.text(&info.name);
            writer.u32(info.size);
            writer.u32(info.align);
            writer.u32(info.abilities.0);
            let (tag, first, second) = match info.shape {
                Shape::Plain => (0, 0, 0),
                Shape::Ref(t) => (1, t, 0),
                Shape::RefMut(t) => (2, t, 0),
                Shape::Option(t) => (3, t, 0),
                Shape::Result(t, e) => (4, t, e),
            };
            writer.u8(tag);
            writer.u32(first);
            writer.u32(second);
            writer.u32(info.literal.unwrap_or(u32::MAX));
        }
        writer.u32(self.ops.len() as u32);
        for op in &self.ops {
            writer.u32(op.result);
            writer.u32(op.args.len() as u32);
            for &arg in &op.args {
                writer.u32(arg);
            }
        }
        writer.bytes
    }

    pub fn decode(bytes: &[u8]) -> Result<Table, DecodeError> {
        let mut reader = Reader::new(bytes);
        if reader.u32("protocol version")? != crate::PROTOCOL_VERSION {
            return Err(reader.error("protocol version"));
        }
        let n_types = reader.count(29, "types")?;
        let mut types = Vec::with_capacity(n_types);
        let place = |reader: &mut Reader<'_>| {
            let t = reader.u32("type")?;
            if (t as usize) < n_types { Ok(t) } else { Err(reader.error("type")) }
        };
        for _ in 0..n_types {
            let name = reader.text("type name")?;
            let size = reader.u32("size")?;
            let align = reader.u32("alignment")?;
            let abilities = Abilities(reader.u32("abilities")?);
            let tag = reader.u8("shape")?;
            let first = place(&mut reader)?;
            let second = place(&mut reader)?;
            let shape = match tag {
                0 => Shape::Plain,
                1 => Shape::Ref(first),
                2 => Shape::RefMut(first),
                3 => Shape::Option(first),
                4 => Shape::Result(first, second),
                _ => return Err(reader.error("shape")),
            };
            let literal = reader.u32("literal")?;
            types.push(TypeInfo {
                name,
                size,
                align,
                abilities,
                shape,
                literal: (literal != u32::MAX).then_some(literal),
            });
        }
        let mut ops = Vec::new();
        for _ in 0..reader.count(8, "operations")? {
            let result = place(&mut reader)?;
            let n_args = reader.count(4, "arguments")?;
            let args = (0..n_args).map(|_| place(&mut reader)).collect::<Result<Vec<_>, _>>()?;
            ops.push(OpSignature { args, result });
        }
        if reader.is_at_end() { Ok(Table { types, ops }) } else { Err(reader.error("table")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_survives_the_wire_and_damage_never_panics() {
        let info = |name: &str, shape| TypeInfo {
            name: name.into(),
            size: 8,
            align: 8,
            abilities: Abilities::CLONE.with(Abilities::HASH, true),
            shape,
            literal: None,
        };
        let table = Table {
            types: vec![info("a::B", Shape::Plain), info("&a::B", Shape::Ref(0)), info("r", Shape::Result(1, 0))],
            ops: vec![OpSignature { args: vec![1, 0], result: 2 }],
        };
        let good = table.encode();
        assert_eq!(Table::decode(&good), Ok(table));
        for at in 0..good.len() {
            assert!(Table::decode(&good[..at]).is_err());
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                let _ = Table::decode(&bad);
            }
        }
    }
}
