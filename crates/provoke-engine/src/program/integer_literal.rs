//! Integers as literals of any kind.

use provoke_wire::{Literal, LiteralKind};

/// The value as a literal of an integer kind, if it fits.
pub fn integer(kind: LiteralKind, value: i128) -> Option<Literal> {
    Some(match kind {
        LiteralKind::U8 => Literal::U8(value.try_into().ok()?),
        LiteralKind::U16 => Literal::U16(value.try_into().ok()?),
        LiteralKind::U32 => Literal::U32(value.try_into().ok()?),
        LiteralKind::U64 => Literal::U64(value.try_into().ok()?),
        LiteralKind::U128 => Literal::U128(value.try_into().ok()?),
        LiteralKind::Usize => Literal::Usize(value.try_into().ok()?),
        LiteralKind::I8 => Literal::I8(value.try_into().ok()?),
        LiteralKind::I16 => Literal::I16(value.try_into().ok()?),
        LiteralKind::I32 => Literal::I32(value.try_into().ok()?),
        LiteralKind::I64 => Literal::I64(value.try_into().ok()?),
        LiteralKind::I128 => Literal::I128(value),
        LiteralKind::Isize => Literal::Isize(value.try_into().ok()?),
        _ => return None,
    })
}
