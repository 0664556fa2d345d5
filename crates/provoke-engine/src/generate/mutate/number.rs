//! Whole numbers of every width, changed a little or a lot.

use provoke_wire::{Literal, LiteralKind};

use crate::rng::Rng;

use super::vocabulary::Vocabulary;

/// A whole number in two's complement; what a change carries beyond the width is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer {
    bits: u128,
    width: u32,
    is_signed: bool,
}

impl Integer {
    /// `None` where the kind is not one of whole numbers.
    pub fn read(kind: LiteralKind, data: &[u8]) -> Option<Integer> {
        let (width, is_signed) = shape(kind)?;
        let mut bytes = [0; 16];
        bytes.get_mut(..data.len())?.copy_from_slice(data);
        Some(Integer { bits: 0, width, is_signed }.with_bits(u128::from_le_bytes(bytes)))
    }

    pub fn from_literal(literal: &Literal) -> Option<Integer> {
        let integer =
            |width, is_signed, value: i128| Some(Integer { bits: 0, width, is_signed }.with_bits(value as u128));
        match *literal {
            Literal::U8(value) => integer(8, false, value.into()),
            Literal::U16(value) => integer(16, false, value.into()),
            Literal::U32(value) => integer(32, false, value.into()),
            Literal::U64(value) | Literal::Usize(value) => integer(64, false, value.into()),
            Literal::U128(value) => integer(128, false, value as i128),
            Literal::I8(value) => integer(8, true, value.into()),
            Literal::I16(value) => integer(16, true, value.into()),
            Literal::I32(value) => integer(32, true, value.into()),
            Literal::I64(value) | Literal::Isize(value) => integer(64, true, value.into()),
            Literal::I128(value) => integer(128, true, value),
            _ => None,
        }
    }

    /// A number as it stands in a text: as wide as it needs to be.
    pub fn from_text(value: i128) -> Integer {
        let width = if i64::try_from(value).is_ok() { 64 } else { 128 };
        Integer { bits: 0, width, is_signed: true }.with_bits(value as u128)
    }

    pub fn write(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.bits.to_le_bytes()[..self.width as usize / 8]);
    }

    /// The value; what only an `u128` can hold becomes negative.
    pub fn value(self) -> i128 {
        let unused = 128 - self.width;
        if self.is_signed { ((self.bits << unused) as i128) >> unused } else { self.bits as i128 }
    }

    pub fn bits(self) -> u128 {
        self.bits
    }

    /// Another number of the same width. What was compared and what other literals say counts most, then what is near.
    pub fn mutated(self, vocabulary: &Vocabulary<'_>, rng: &mut Rng) -> Integer {
        let value = self.value();
        match rng.below(32) {
            0..=3 => self.with_value(value.wrapping_add(sign(rng))),
            4..=6 => self.with_value(value.wrapping_add(sign(rng) * (2 + rng.below(15) as i128))),
            7..=9 => self.boundary(rng),
            10 => self.with_value(value.wrapping_neg()),
            11 => self.with_bits(!self.bits),
            12..=14 => {
                let power = 1u128 << self.low_bit(rng);
                self.with_value((power as i128).wrapping_add(rng.below(3) as i128 - 1))
            }
            15 => self.with_value(value.wrapping_mul(2)),
            16 => self.with_value(value / 2),
            17..=18 => self.with_bits(self.bits ^ (1u128 << self.low_bit(rng))),
            19 => self.with_value(value.wrapping_mul(10).wrapping_add(rng.below(10) as i128)),
            20 => self.with_value(value / 10),
            21..=23 => self.near(vocabulary.number_of_program(rng), rng),
            24..=25 => self.near(vocabulary.mined_number(rng), rng),
            _ => self.near(vocabulary.compared_number(rng), rng),
        }
    }

    /// A small number close by, for those who must not ask for much.
    pub fn mutated_modestly(self, rng: &mut Rng) -> Integer {
        self.with_value(self.value().wrapping_add(sign(rng) * (1 + rng.below(4) as i128)))
    }

    /// A number that somebody suggested, or a neighbour of it; without a suggestion, one of any size.
    fn near(self, suggested: Option<i128>, rng: &mut Rng) -> Integer {
        match suggested {
            Some(value) if rng.percent(70) => self.with_value(value),
            Some(value) => self.with_value(value.wrapping_add(sign(rng))),
            None => {
                let n_bits = 1 + self.low_bit(rng).min(63);
                self.with_value(i128::from(rng.bits() >> (64 - n_bits)))
            }
        }
    }

    /// A bit, rather a low one: large numbers have little to say to most functions, and cost some of them all memory.
    fn low_bit(self, rng: &mut Rng) -> u32 {
        let limit = 1 + rng.below(self.width as usize);
        rng.below(limit) as u32
    }

    /// The ends of the type, or of a narrower one, and zero.
    fn boundary(self, rng: &mut Rng) -> Integer {
        let width = if rng.percent(60) { self.width } else { [8, 16, 32, 64][rng.below(4)].min(self.width) };
        let half = 1u128 << (width - 1);
        let all = half | (half - 1);
        self.with_bits(match rng.below(8) {
            0 => 0,
            1 => 1,
            2 => half - 1,
            3 => half,
            4 => half + 1,
            5 => all - 1,
            6 => all,
            _ => all.wrapping_add(1),
        })
    }

    /// Another number of the same type, if it has this value.
    pub fn become_value(self, value: i128) -> Option<Integer> {
        let new = self.with_value(value);
        (new.value() == value).then_some(new)
    }

    fn with_value(self, value: i128) -> Integer {
        self.with_bits(value as u128)
    }

    fn with_bits(self, bits: u128) -> Integer {
        let unused = 128 - self.width;
        Integer { bits: (bits << unused) >> unused, ..self }
    }
}

fn sign(rng: &mut Rng) -> i128 {
    if rng.percent(50) { 1 } else { -1 }
}

/// The width in bits, and whether there are negative numbers.
fn shape(kind: LiteralKind) -> Option<(u32, bool)> {
    Some(match kind {
        LiteralKind::U8 => (8, false),
        LiteralKind::U16 => (16, false),
        LiteralKind::U32 => (32, false),
        LiteralKind::U64 | LiteralKind::Usize => (64, false),
        LiteralKind::U128 => (128, false),
        LiteralKind::I8 => (8, true),
        LiteralKind::I16 => (16, true),
        LiteralKind::I32 => (32, true),
        LiteralKind::I64 | LiteralKind::Isize => (64, true),
        LiteralKind::I128 => (128, true),
        _ => return None,
    })
}
