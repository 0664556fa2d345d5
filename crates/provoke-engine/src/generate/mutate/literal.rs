//! A literal as another one of its kind.

use provoke_wire::LiteralKind;

use crate::rng::Rng;

use super::float::{mutate_f32, mutate_f64};
use super::number::Integer;
use super::text::mutate_text;
use super::vocabulary::Vocabulary;

/// What counts as modest: numbers up to this size, texts up to this length.
const MODEST: i128 = 100;
/// Changes of one text that follow each other at most.
const MAX_TEXT_CHANGES: usize = 4;

/// Writes the data of another literal of the same kind; `out` is cleared first. Nothing is written for kinds with one value.
pub fn mutate_literal(
    kind: LiteralKind,
    data: &[u8],
    vocabulary: &Vocabulary<'_>,
    scratch: &mut Vec<u8>,
    rng: &mut Rng,
    out: &mut Vec<u8>,
) {
    out.clear();
    match kind {
        LiteralKind::Unit => {}
        LiteralKind::Bool => out.push(u8::from(data == [0])),
        LiteralKind::Char => {
            let c = mutate_char(data.try_into().map_or(0, u32::from_le_bytes), vocabulary, scratch, rng);
            out.extend_from_slice(&u32::from(c).to_le_bytes());
        }
        LiteralKind::F32 => {
            let value = data.try_into().map_or(0.0, f32::from_le_bytes);
            out.extend_from_slice(&mutate_f32(value, vocabulary, rng).to_le_bytes());
        }
        LiteralKind::F64 => {
            let value = data.try_into().map_or(0.0, f64::from_le_bytes);
            out.extend_from_slice(&mutate_f64(value, vocabulary, rng).to_le_bytes());
        }
        LiteralKind::Str | LiteralKind::String | LiteralKind::Bytes => {
            out.extend_from_slice(data);
            for _ in 0..MAX_TEXT_CHANGES {
                mutate_text(out, kind != LiteralKind::Bytes, vocabulary, scratch, rng);
                if rng.percent(60) {
                    break;
                }
            }
        }
        _ => {
            if let Some(integer) = Integer::read(kind, data) {
                integer.mutated(vocabulary, rng).write(out);
            }
        }
    }
}

/// The same for a call that must not be asked for much.
pub fn mutate_modestly(
    kind: LiteralKind,
    data: &[u8],
    vocabulary: &Vocabulary<'_>,
    scratch: &mut Vec<u8>,
    rng: &mut Rng,
    out: &mut Vec<u8>,
) {
    if let Some(integer) = Integer::read(kind, data) {
        out.clear();
        integer.mutated_modestly(rng).write(out);
    } else {
        mutate_literal(kind, data, vocabulary, scratch, rng, out);
    }
    if !is_modest(kind, out) {
        out.clear();
        vocabulary.literals.draw_modest(kind, rng).write_data(out);
    }
}

fn is_modest(kind: LiteralKind, data: &[u8]) -> bool {
    let range = -(MODEST as f64)..=MODEST as f64;
    match kind {
        LiteralKind::F32 => data.try_into().is_ok_and(|data| range.contains(&f64::from(f32::from_le_bytes(data)))),
        LiteralKind::F64 => data.try_into().is_ok_and(|data| range.contains(&f64::from_le_bytes(data))),
        LiteralKind::Str | LiteralKind::String | LiteralKind::Bytes => data.len() as i128 <= MODEST,
        _ => Integer::read(kind, data).is_none_or(|integer| (-MODEST..=MODEST).contains(&integer.value())),
    }
}

fn mutate_char(code: u32, vocabulary: &Vocabulary<'_>, scratch: &mut Vec<u8>, rng: &mut Rng) -> char {
    let known = char::from_u32(code).unwrap_or('a');
    let changed = match rng.below(8) {
        0 => char::from_u32(code.wrapping_add(1)),
        1 => char::from_u32(code.wrapping_sub(1)),
        2 => known.to_uppercase().next().filter(|&c| c != known).or_else(|| known.to_lowercase().next()),
        3 => char::from_u32(code ^ (1 << rng.below(16))),
        4..=5 => {
            let number = vocabulary.compared_number(rng);
            number.and_then(|number| u32::try_from(number).ok()).and_then(char::from_u32)
        }
        _ => None,
    };
    changed.unwrap_or_else(|| {
        // Whatever a text might start with.
        scratch.clear();
        vocabulary.push_token(true, rng, scratch);
        std::str::from_utf8(scratch).ok().and_then(|token| token.chars().next()).unwrap_or('\0')
    })
}
