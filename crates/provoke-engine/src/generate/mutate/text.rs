//! Texts and bytes, changed by what parsers stumble over.
//!
//! A text is a buffer of bytes. Places between its characters are the only ones that are cut, so that UTF-8 stays UTF-8; in
//! other bytes the rule costs a few places and does no harm.

use std::ops::Range;

use crate::rng::Rng;

use super::number::Integer;
use super::vocabulary::{Vocabulary, push_decimal, push_hexadecimal, push_sign, push_unicode};

/// No text grows longer, and few grow longer than [`LONG`].
const MAX_LEN: usize = 4096;
const LONG: usize = 256;

/// Makes one change. `scratch` is memory to work in; what it holds is lost.
pub fn mutate_text(
    text: &mut Vec<u8>,
    is_utf8: bool,
    vocabulary: &Vocabulary<'_>,
    scratch: &mut Vec<u8>,
    rng: &mut Rng,
) {
    scratch.clear();
    let recipe = if text.is_empty() {
        10
    } else if text.len() > LONG && rng.percent(75) {
        0
    } else {
        rng.below(48)
    };
    match recipe {
        0..=4 => {
            text.drain(range(text, rng));
        }
        5 => close_up(text, rng),
        6..=7 => {
            scratch.extend_from_slice(&text[range(text, rng)]);
            insert(text, place(text, rng), scratch);
        }
        8 => swap(text, scratch, rng),
        9..=16 => {
            vocabulary.push_token(is_utf8, rng, scratch);
            insert(text, border(text, rng), scratch);
        }
        17..=22 => {
            vocabulary.push_token(is_utf8, rng, scratch);
            let over = if rng.percent(60) { run(text, place(text, rng), class) } else { range(text, rng) };
            text.splice(over, scratch.iter().copied());
        }
        23..=26 => {
            push_sign(rng, scratch);
            let at = if rng.percent(50) { border(text, rng) } else { place(text, rng) };
            insert(text, at, scratch);
        }
        27 => {
            push_unicode(rng, scratch);
            insert(text, place(text, rng), scratch);
        }
        28..=33 => change_number(text, vocabulary, scratch, rng),
        34..=35 => repeat(text, scratch, rng),
        36 => change_case(text, rng),
        37..=39 => change_lines(text, scratch, rng),
        40..=41 => {
            let other = vocabulary.other_text(is_utf8, rng);
            text.truncate(place(text, rng));
            text.extend_from_slice(&other[place(other, rng)..]);
        }
        42 if !is_utf8 => {
            let at = rng.below(text.len());
            text[at] ^= 1 << rng.below(8);
        }
        42..=45 => {
            // One character for another one, often a close one.
            let at = boundary(text, rng.below(text.len()));
            if rng.percent(50) && text[at].is_ascii() {
                text[at] = (text[at].wrapping_add(if rng.percent(50) { 1 } else { 127 })) & 127;
            } else {
                push_sign(rng, scratch);
                text.splice(at..next_boundary(text, at + 1), scratch.iter().copied());
            }
        }
        _ => {
            // All of it is something else.
            text.clear();
            vocabulary.push_token(is_utf8, rng, text);
        }
    }
    text.truncate(boundary(text, MAX_LEN.min(text.len())));
}

/// The last place between two characters up to `at`.
pub fn boundary(text: &[u8], at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| is_boundary(text, at)).unwrap_or(0)
}

/// Any place between two characters, the ends included.
pub fn place(text: &[u8], rng: &mut Rng) -> usize {
    boundary(text, rng.below(text.len() + 1))
}

fn next_boundary(text: &[u8], at: usize) -> usize {
    (at..text.len()).find(|&at| is_boundary(text, at)).unwrap_or(text.len())
}

fn is_boundary(text: &[u8], at: usize) -> bool {
    text.get(at).is_none_or(|byte| byte & 0xc0 != 0x80)
}

/// Some characters that follow each other: one, a few, or any number of them, up to the end now and then.
fn range(text: &[u8], rng: &mut Rng) -> Range<usize> {
    let start = boundary(text, rng.below(text.len().max(1)));
    let left = text.len() - start;
    let n = match rng.below(10) {
        0..=4 => 1,
        5..=7 => 1 + rng.below(8),
        8 => left,
        _ => 1 + rng.below(left.max(1)),
    };
    start..next_boundary(text, (start + n).min(text.len()))
}

/// A place where something ends or starts: mostly a word or a line, otherwise the text itself.
fn border(text: &[u8], rng: &mut Rng) -> usize {
    match rng.below(8) {
        0 => 0,
        1..=2 => text.len(),
        3 => place(text, rng),
        _ => {
            let start = place(text, rng);
            let is_border = |&at: &usize| at == 0 || class(text[at - 1]) != class(text[at]);
            (start..text.len()).find(is_border).unwrap_or(text.len())
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Space,
    LineEnd,
    Sign,
}

fn class(byte: u8) -> Class {
    match byte {
        b'\n' => Class::LineEnd,
        b if b.is_ascii_whitespace() => Class::Space,
        b if b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80 => Class::Word,
        _ => Class::Sign,
    }
}

/// All that stands around a place and is of one class with what follows it.
fn run<C: PartialEq>(text: &[u8], at: usize, class: impl Fn(u8) -> C) -> Range<usize> {
    let Some(&byte) = text.get(at) else { return at..at };
    let wanted = class(byte);
    let start = text[..at].iter().rposition(|&b| class(b) != wanted).map_or(0, |at| at + 1);
    let end = text[at..].iter().position(|&b| class(b) != wanted).map_or(text.len(), |n| at + n);
    start..end
}

fn insert(text: &mut Vec<u8>, at: usize, inserted: &[u8]) {
    text.splice(at..at, inserted.iter().copied());
}

/// From a sign to one of the next such, all goes but one of them: what opens something then closes it, too.
fn close_up(text: &mut Vec<u8>, rng: &mut Rng) {
    let mut has_twin = [false; 128];
    let mut first = None;
    let mut n_found = 0;
    for (at, &byte) in text.iter().enumerate().rev() {
        if !matches!(class(byte), Class::Sign | Class::LineEnd) {
            continue;
        }
        if std::mem::replace(&mut has_twin[byte as usize], true) {
            n_found += 1;
            first = if rng.below(n_found) == 0 { Some(at) } else { first };
        }
    }
    let Some(first) = first else {
        text.drain(range(text, rng));
        return;
    };
    let sign = text[first];
    let twins = (first + 1..text.len()).filter(|at| text[*at] == sign);
    let nth = rng.below(twins.clone().take(4).count().max(1));
    let end = twins.clone().nth(nth).unwrap_or(first);
    text.drain(first..end);
}

/// Two pieces change places.
fn swap(text: &mut [u8], scratch: &mut Vec<u8>, rng: &mut Rng) {
    let mut places = [place(text, rng), place(text, rng), place(text, rng)];
    places.sort_unstable();
    let [start, middle, end] = places;
    scratch.extend_from_slice(&text[middle..end]);
    scratch.extend_from_slice(&text[start..middle]);
    text[start..end].copy_from_slice(scratch);
}

/// Another number in the place of one; where there is none, a number appears.
fn change_number(text: &mut Vec<u8>, vocabulary: &Vocabulary<'_>, scratch: &mut Vec<u8>, rng: &mut Rng) {
    let is_hexadecimal = rng.percent(30);
    let is_digit = |byte: u8| if is_hexadecimal { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() };
    let start = place(text, rng);
    let found = (start..text.len()).chain(0..start).find(|&at| is_digit(text[at]));
    let place = found.unwrap_or_else(|| border(text, rng));
    let run = if found.is_some() { run(text, place, is_digit) } else { place..place };
    let radix = if is_hexadecimal { 16 } else { 10 };
    let digits = std::str::from_utf8(&text[run.clone()]).unwrap_or_default();
    let known = Integer::from_text(i128::from_str_radix(digits, radix).unwrap_or_default());
    let number = known.mutated(vocabulary, rng);
    if is_hexadecimal {
        let n_digits = if rng.percent(50) { run.len().min(32) } else { 0 };
        push_hexadecimal(number.bits(), n_digits, scratch);
    } else {
        push_decimal(number.value(), scratch);
    }
    text.splice(run, scratch.iter().copied());
}

/// A character, word or sign several times in a row; few times so often that something may run over.
fn repeat(text: &mut Vec<u8>, scratch: &mut Vec<u8>, rng: &mut Rng) {
    let at = boundary(text, rng.below(text.len()));
    let piece = match rng.below(3) {
        0 => at..next_boundary(text, at + 1),
        1 => run(text, at, class),
        _ => range(text, rng),
    };
    let n_times = match rng.below(16) {
        0 => 100 + rng.below(900),
        1..=3 => 8 + rng.below(64),
        _ => 1 + rng.below(7),
    };
    let n_times = n_times.min(MAX_LEN / piece.len().max(1));
    for _ in 0..n_times {
        scratch.extend_from_slice(&text[piece.clone()]);
    }
    insert(text, piece.end, scratch);
}

fn change_case(text: &mut [u8], rng: &mut Rng) {
    let piece = if rng.percent(50) { run(text, place(text, rng), class) } else { range(text, rng) };
    match rng.below(3) {
        0 => text[piece].make_ascii_uppercase(),
        1 => text[piece].make_ascii_lowercase(),
        _ => text[piece].iter_mut().filter(|byte| byte.is_ascii_alphabetic()).for_each(|byte| *byte ^= 0x20),
    }
}

/// A line is there twice, is gone, or stands elsewhere.
fn change_lines(text: &mut Vec<u8>, scratch: &mut Vec<u8>, rng: &mut Rng) {
    let at = place(text, rng);
    let start = text[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let end = text[at..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |n| at + n + 1);
    scratch.extend_from_slice(&text[start..end]);
    let what = rng.below(4);
    if what >= 2 {
        text.drain(start..end);
    }
    if what == 2 {
        return;
    }
    if scratch.last() != Some(&b'\n') {
        scratch.push(b'\n');
    }
    let at = place(text, rng);
    let at = text[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    insert(text, at, scratch);
}
