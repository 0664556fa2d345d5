//! What a changed value may borrow from: values that the target compared, other literals of the program, and what was mined
//! from the target's sources.

use std::io::Write as _;

use provoke_wire::{Body, Literal, LiteralKind, StatementKind};

use crate::generate::literals::Literals;
use crate::rng::Rng;

use super::number::Integer;

/// How often something is drawn that may not be of the right kind.
const TRIES: usize = 4;
/// Longer tokens are cut: what matters of a text is rarely all of it.
const MAX_TOKEN: usize = 64;

/// Brackets, quotes, escapes, separators and what starts a comment.
const PUNCTUATION: [&str; 42] = [
    "\"", "'", "`", "\\", "\\\\", "\\\"", "\\n", "\\u", "\\x", "%", "%00", "%2", "$", "&", "(", ")", "[", "]", "[]",
    "{", "}", "<", ">", "</", "/", "//", "/*", "*/", "#", ";", ":", "::", ",", ".", "..", "=", "==", "!", "?", "@",
    "-", "+",
];
/// White space of all sorts, ends of lines, and what looks like none.
const SPACE: [&str; 16] = [
    " ", "  ", "\t", "\n", "\r\n", "\r", "\n\n", "\0", "\u{b}", "\u{c}", "\u{85}", "\u{a0}", "\u{2028}", "\u{3000}",
    "\u{200b}", "\u{feff}",
];
/// Characters of two, three and four bytes, combining ones, joiners, directions, and what changes its length with its case.
const UNICODE: [&str; 18] = [
    "ß",
    "é",
    "İ",
    "ı",
    "ǆ",
    "Σ",
    "e\u{301}",
    "\u{301}",
    "\u{200d}",
    "\u{202e}",
    "ש",
    "中",
    "ﬁ",
    "가",
    "🦀",
    "👨\u{200d}👩",
    "\u{1d7d8}",
    "\u{10ffff}",
];

/// Where changes get their words and numbers from.
#[derive(Clone, Copy)]
pub struct Vocabulary<'a> {
    pub body: &'a Body,
    pub literals: &'a Literals,
    /// What the target compared something with while it ran programs like this one.
    pub compared: &'a [Literal],
}

impl<'a> Vocabulary<'a> {
    pub fn compared_number(&self, rng: &mut Rng) -> Option<i128> {
        (0..TRIES).find_map(|_| match rng.pick(self.compared)? {
            Literal::Char(c) => Some(i128::from(u32::from(*c))),
            literal => Integer::from_literal(literal).map(Integer::value),
        })
    }

    pub fn number_of_program(&self, rng: &mut Rng) -> Option<i128> {
        (0..TRIES).find_map(|_| {
            let (kind, data) = self.literal_of_program(rng)?;
            Some(Integer::read(kind, data)?.value())
        })
    }

    pub fn mined_number(&self, rng: &mut Rng) -> Option<i128> {
        rng.pick(self.literals.mined(LiteralKind::I128)).and_then(Integer::from_literal).map(Integer::value)
    }

    pub fn compared_float(&self, rng: &mut Rng) -> Option<f64> {
        (0..TRIES).find_map(|_| match rng.pick(self.compared)? {
            Literal::F32(bits) => Some(f64::from(f32::from_bits(*bits))),
            Literal::F64(bits) => Some(f64::from_bits(*bits)),
            literal => Integer::from_literal(literal).map(|integer| integer.value() as f64),
        })
    }

    pub fn float_of_program(&self, rng: &mut Rng) -> Option<f64> {
        (0..TRIES).find_map(|_| {
            let (kind, data) = self.literal_of_program(rng)?;
            match kind {
                LiteralKind::F32 => Some(f64::from(f32::from_le_bytes(data.try_into().ok()?))),
                LiteralKind::F64 => Some(f64::from_le_bytes(data.try_into().ok()?)),
                _ => Integer::read(kind, data).map(|integer| integer.value() as f64),
            }
        })
    }

    /// A text of the program, or of the pools; valid UTF-8 if asked for.
    pub fn other_text(&self, is_utf8: bool, rng: &mut Rng) -> &'a [u8] {
        let of_program = if rng.percent(50) { self.text_of_program(is_utf8, rng) } else { None };
        of_program.or_else(|| self.mined_text(rng)).unwrap_or_default()
    }

    /// Appends a word, sign or number that the target may know; valid UTF-8 if asked for.
    pub fn push_token(&self, is_utf8: bool, rng: &mut Rng, out: &mut Vec<u8>) {
        let n_before = out.len();
        match rng.below(20) {
            0..=8 => self.push_compared(is_utf8, rng, out),
            9..=14 => push_piece(self.mined_text(rng).unwrap_or_default(), rng, out),
            15 => push_piece(self.text_of_program(is_utf8, rng).unwrap_or_default(), rng, out),
            16..=17 => {
                let number = self.mined_number(rng).or_else(|| self.number_of_program(rng));
                if let Some(number) = number {
                    push_decimal(number, out);
                }
            }
            _ => {}
        }
        if out.len() == n_before {
            push_sign(rng, out);
        }
    }

    fn push_compared(&self, is_utf8: bool, rng: &mut Rng, out: &mut Vec<u8>) {
        let Some(literal) = rng.pick(self.compared) else { return };
        match literal {
            Literal::Str(text) | Literal::String(text) => out.extend_from_slice(text.as_bytes()),
            Literal::Bytes(bytes) if !is_utf8 || std::str::from_utf8(bytes).is_ok() => out.extend_from_slice(bytes),
            Literal::Char(c) => push_char(*c, out),
            literal => {
                if let Some(integer) = Integer::from_literal(literal) {
                    push_integer(integer, is_utf8, rng, out);
                }
            }
        }
    }

    fn literal_of_program(&self, rng: &mut Rng) -> Option<(LiteralKind, &'a [u8])> {
        // Any statement, then on to the next literal: programs have many, and nobody minds that some are found more often.
        let statements = &self.body.statements;
        let start = rng.below(statements.len().max(1));
        let (from_start, before) = (statements.get(start..)?.iter(), statements[..start].iter());
        let statement = from_start.chain(before).find(|s| s.kind == StatementKind::Literal)?;
        Some((LiteralKind::from_code(statement.op)?, self.body.data_of(statement)))
    }

    fn text_of_program(&self, is_utf8: bool, rng: &mut Rng) -> Option<&'a [u8]> {
        (0..TRIES).find_map(|_| match self.literal_of_program(rng)? {
            (LiteralKind::Str | LiteralKind::String, data) => Some(data),
            (LiteralKind::Bytes, data) if !is_utf8 || std::str::from_utf8(data).is_ok() => Some(data),
            _ => None,
        })
    }

    fn mined_text(&self, rng: &mut Rng) -> Option<&'a [u8]> {
        match rng.pick(self.literals.mined(LiteralKind::Str))? {
            Literal::Str(text) => Some(text.as_bytes()),
            _ => None,
        }
    }
}

/// Appends a sign that parsers care about, white space, or a character from far away.
pub fn push_sign(rng: &mut Rng, out: &mut Vec<u8>) {
    let sign = match rng.below(16) {
        0..=8 => PUNCTUATION[rng.below(PUNCTUATION.len())],
        // Ends of lines are what most formats are made of.
        9..=10 => "\n",
        11..=13 => SPACE[rng.below(SPACE.len())],
        _ => UNICODE[rng.below(UNICODE.len())],
    };
    out.extend_from_slice(sign.as_bytes());
}

pub fn push_unicode(rng: &mut Rng, out: &mut Vec<u8>) {
    out.extend_from_slice(UNICODE[rng.below(UNICODE.len())].as_bytes());
}

/// All of a short text, or one of its words with what stands beside it.
fn push_piece(text: &[u8], rng: &mut Rng, out: &mut Vec<u8>) {
    if text.len() <= MAX_TOKEN && rng.percent(70) {
        out.extend_from_slice(text);
        return;
    }
    let start = super::text::place(text, rng);
    let is_inside = |&byte: &u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let begin = text[..start].iter().rposition(|byte| !is_inside(byte)).map_or(0, |at| at + 1);
    let end = text[start..].iter().position(|byte| !is_inside(byte)).map_or(text.len(), |at| start + at + 1);
    let end = super::text::boundary(text, end.min(begin + MAX_TOKEN));
    out.extend_from_slice(&text[begin..end]);
}

pub fn push_char(c: char, out: &mut Vec<u8>) {
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

/// A number as texts spell it: in decimal, in hexadecimal, as a character; among bytes also as it lies in memory.
fn push_integer(integer: Integer, is_utf8: bool, rng: &mut Rng, out: &mut Vec<u8>) {
    let character = u32::try_from(integer.bits()).ok().and_then(char::from_u32);
    match (rng.below(8), character) {
        (0..=1, _) if !is_utf8 => integer.write(out),
        (2, _) if !is_utf8 => {
            let n_before = out.len();
            integer.write(out);
            out[n_before..].reverse();
        }
        (3..=4, _) => push_hexadecimal(integer.bits(), 0, out),
        (5, Some(c)) => push_char(c, out),
        _ => push_decimal(integer.value(), out),
    }
}

pub fn push_decimal(value: i128, out: &mut Vec<u8>) {
    // Writing to memory cannot fail.
    let _ = write!(out, "{value}");
}

/// With leading zeros up to so many digits.
pub fn push_hexadecimal(bits: u128, n_digits: usize, out: &mut Vec<u8>) {
    let _ = write!(out, "{bits:0n_digits$x}");
}
