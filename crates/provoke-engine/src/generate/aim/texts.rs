//! Which texts and bytes of a program make a comparison come out as wanted.
//!
//! Nothing is known about how a text becomes an operand, so the operand is looked for in it, in every way in which it may be
//! written there, and the other operand is written in its place the same way.

use std::fmt::Write as _;

use provoke_wire::{Body, Comparison, LiteralKind, Operands, StatementKind};

use super::{Relation, number_operands};
use crate::generate::literals::Literals;

/// Places of one text at which an operand is replaced, the first and the last ones.
const MAX_PLACES: usize = 3;
/// Texts are not made longer than this.
const MAX_LENGTH: usize = 4096;
/// What stands for `None` where a character may be: the text, or what is read of it, is at its end.
const NO_CHAR: u64 = 0x11_0000;
/// By how much a part of unknown length is made longer or shorter.
const MAX_STRETCH: usize = 256;

type Changes = Vec<Vec<(usize, Vec<u8>)>>;

/// Adds what may be changed for this comparison.
pub(super) fn changes(
    body: &Body,
    comparison: &Comparison,
    relation: Relation,
    literals: &Literals,
    out: &mut Changes,
) {
    for (index, statement) in body.statements.iter().enumerate() {
        let kind = LiteralKind::from_code(statement.op).filter(|_| statement.kind == StatementKind::Literal);
        let is_text = match kind {
            Some(LiteralKind::Str | LiteralKind::String) => true,
            Some(LiteralKind::Bytes) => false,
            _ => continue,
        };
        let text = Text { data: body.data_of(statement), is_text };
        let mut new = Vec::new();
        match &comparison.operands {
            Operands::Bytes { a, b } => {
                text.replace_all_places(a, b, &mut new);
                text.replace_all_places(b, a, &mut new);
                if new.is_empty() && b.len() > 1 {
                    // Nothing to go by but the word itself.
                    text.insert(b, &mut new);
                    text.insert(a, &mut new);
                }
            }
            _ => {
                if let Some((n_bytes, a, b)) = number_operands(comparison) {
                    let step = match relation {
                        Relation::Equal => 0,
                        Relation::Less => -1,
                        Relation::Greater => 1,
                    };
                    let is_case = matches!(comparison.operands, Operands::Case { .. });
                    text.replace_number(n_bytes, a, i128::from(b) + step, literals, &mut new);
                    // A case stands in the code, and not in the text.
                    if !is_case {
                        text.replace_number(n_bytes, b, i128::from(a) - step, literals, &mut new);
                    }
                }
            }
        }
        let is_valid = |data: &Vec<u8>| data.len() <= MAX_LENGTH && (!is_text || std::str::from_utf8(data).is_ok());
        out.extend(new.into_iter().filter(is_valid).map(|data| vec![(index, data)]));
    }
}

#[derive(Clone, Copy)]
struct Text<'a> {
    data: &'a [u8],
    is_text: bool,
}

impl Text<'_> {
    /// Where a number is written in the text, as a character, in digits, in bytes, or as a length, another one is written.
    fn replace_number(self, n_bytes: u8, old: u64, new: i128, literals: &Literals, out: &mut Vec<Vec<u8>>) {
        let Ok(new) = u64::try_from(new) else { return };
        let char_of = |value: u64| u32::try_from(value).ok().and_then(char::from_u32);
        if let (Some(old), Some(new)) = (char_of(old), char_of(new)) {
            let (mut from, mut to) = ([0; 4], [0; 4]);
            self.replace_all_places(old.encode_utf8(&mut from).as_bytes(), new.encode_utf8(&mut to).as_bytes(), out);
        }
        if let (NO_CHAR, Some(new)) = (old, char_of(new)) {
            let mut to = [0; 4];
            self.insert_behind_words(new.encode_utf8(&mut to).as_bytes(), out);
        }
        for base in [Base::Decimal, Base::Hex, Base::UpperHex] {
            self.replace_digits(base, old, new, out);
        }
        if n_bytes > 1 && old > 0xff {
            let n = n_bytes as usize;
            self.replace_all_places(&old.to_le_bytes()[..n], &new.to_le_bytes()[..n], out);
            self.replace_all_places(&old.to_be_bytes()[8 - n..], &new.to_be_bytes()[8 - n..], out);
        }
        self.replace_length(old, new, literals, out);
    }

    /// Whole runs of digits with this value, however many zeros they start with.
    fn replace_digits(self, base: Base, old: u64, new: u64, out: &mut Vec<Vec<u8>>) {
        let is_digit = |byte: &u8| base.is_digit(*byte);
        let mut at = 0;
        let mut n_found = 0;
        while at < self.data.len() && n_found < MAX_PLACES {
            let Some(start) = self.data[at..].iter().position(is_digit).map(|offset| at + offset) else { return };
            let length = self.data[start..].iter().take_while(|byte| is_digit(byte)).count();
            at = start + length;
            let digits = std::str::from_utf8(&self.data[start..at]).unwrap_or_default();
            if base.value_of(digits) == Some(old) {
                n_found += 1;
                let written = base.written(new, length);
                out.push([&self.data[..start], written.as_bytes(), &self.data[at..]].concat());
            }
        }
    }

    /// Where the text, a line or a word of it is as long as the operand says, it is made so long.
    fn replace_length(self, old: u64, new: u64, literals: &Literals, out: &mut Vec<Vec<u8>>) {
        let (Ok(old), Ok(new)) = (usize::try_from(old), usize::try_from(new)) else { return };
        if old == new || new > MAX_LENGTH {
            return;
        }
        if self.data.len() == old {
            out.push(resized(self.data, new));
        }
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
        let mut n_found = 0;
        for is_inside in [&is_word as &dyn Fn(&u8) -> bool, &|byte: &u8| *byte != b'\n'] {
            let mut at = 0;
            while at < self.data.len() && n_found < MAX_PLACES {
                let Some(start) = self.data[at..].iter().position(is_inside).map(|offset| at + offset) else { break };
                let length = self.data[start..].iter().take_while(|byte| is_inside(byte)).count();
                at = start + length;
                if length != old || length == self.data.len() {
                    continue;
                }
                n_found += 1;
                let mut put = |word: &[u8]| out.push([&self.data[..start], word, &self.data[at..]].concat());
                put(&resized(&self.data[start..at], new));
                // A word of that length that the target knows.
                if self.is_text {
                    let known = literals.mined_texts().filter(|text| text.len() == new).take(MAX_PLACES);
                    known.for_each(|text| put(text.as_bytes()));
                }
            }
        }
        self.stretch(old, new, out);
    }

    /// What is so long may be any part of the text: some words are made longer or shorter by the difference.
    fn stretch(self, old: usize, new: usize, out: &mut Vec<Vec<u8>>) {
        if old > self.data.len() || old.abs_diff(new) > MAX_STRETCH {
            return;
        }
        for end in self.word_ends() {
            if new > old {
                let filler = vec![b'a'; new - old];
                // What is empty may only start behind something.
                let separators: &[&[u8]] = if old == 0 { &[b"", b" ", b"="] } else { &[b""] };
                for separator in separators {
                    out.push([&self.data[..end], separator, &filler, &self.data[end..]].concat());
                }
            } else if let Some(start) = end.checked_sub(old - new) {
                out.push([&self.data[..start], &self.data[end..]].concat());
            }
        }
    }

    /// What is read to its end may be any part of the text: more is written behind some of its words.
    fn insert_behind_words(self, new: &[u8], out: &mut Vec<Vec<u8>>) {
        let ends = self.word_ends();
        out.extend(ends.into_iter().rev().map(|end| [&self.data[..end], new, &self.data[end..]].concat()));
    }

    /// The first and the last few, and the end of the text.
    fn word_ends(self) -> Vec<usize> {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric();
        let mut ends: Vec<usize> =
            (1..self.data.len()).filter(|&at| is_word(&self.data[at - 1]) && !is_word(&self.data[at])).collect();
        ends.push(self.data.len());
        if ends.len() > 2 * MAX_PLACES {
            ends.drain(MAX_PLACES..ends.len() - MAX_PLACES);
        }
        ends
    }

    fn replace_all_places(self, old: &[u8], new: &[u8], out: &mut Vec<Vec<u8>>) {
        if old.is_empty() || old == new || old.len() > self.data.len() {
            return;
        }
        let places: Vec<usize> =
            self.data.windows(old.len()).enumerate().filter(|(_, w)| *w == old).map(|(at, _)| at).collect();
        let last = places.len().saturating_sub(1);
        for (nth, &at) in places.iter().enumerate() {
            if nth + 1 < MAX_PLACES || nth == last {
                out.push([&self.data[..at], new, &self.data[at + old.len()..]].concat());
            }
        }
    }

    /// At the beginning, at the end, and in place of all.
    fn insert(self, word: &[u8], out: &mut Vec<Vec<u8>>) {
        out.push(word.to_vec());
        out.push([word, self.data].concat());
        out.push([self.data, word].concat());
    }
}

/// Cut, or made longer by what it ends with.
fn resized(text: &[u8], length: usize) -> Vec<u8> {
    let filler = text.last().copied().filter(u8::is_ascii).unwrap_or(b'a');
    let mut resized = text[..text.len().min(length)].to_vec();
    resized.resize(length, filler);
    resized
}

#[derive(Clone, Copy)]
enum Base {
    Decimal,
    Hex,
    UpperHex,
}

impl Base {
    fn is_digit(self, byte: u8) -> bool {
        match self {
            Base::Decimal => byte.is_ascii_digit(),
            Base::Hex => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
            Base::UpperHex => byte.is_ascii_digit() || (b'A'..=b'F').contains(&byte),
        }
    }

    fn value_of(self, digits: &str) -> Option<u64> {
        u64::from_str_radix(digits, if matches!(self, Base::Decimal) { 10 } else { 16 }).ok()
    }

    /// As many digits as there were, if that is enough.
    fn written(self, value: u64, n_digits: usize) -> String {
        let mut text = String::new();
        let _ = match self {
            Base::Decimal => write!(text, "{value:0n_digits$}"),
            Base::Hex => write!(text, "{value:0n_digits$x}"),
            Base::UpperHex => write!(text, "{value:0n_digits$X}"),
        };
        text
    }
}
