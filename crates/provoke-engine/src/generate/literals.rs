//! Literal pools: boundary values, small numbers, and what was mined from the target's sources and docs.

use std::borrow::Cow;

use provoke_wire::{Literal, LiteralKind};

use crate::hash::seen::WordHash;
use crate::program::integer_literal::integer;
use crate::rng::Rng;

/// One pool per kind, in three shelves: everyday values first, the target's own, and extremes.
#[derive(Clone, Debug)]
pub struct Literals {
    shelves: Vec<Shelves>,
}

#[derive(Clone, Debug, Default)]
struct Shelves {
    everyday: Vec<Literal>,
    mined: Vec<Literal>,
    extreme: Vec<Literal>,
}

impl Literals {
    /// `mined` is what was found in the target's sources and docs, each in the widest kind that there is: `I128`, `F64`,
    /// `Char`, `Str`, `Bytes`. It serves every kind that it fits.
    pub fn new(mined: &[Literal]) -> Literals {
        Literals { shelves: LiteralKind::ALL.iter().map(|&kind| shelves(kind, mined)).collect() }
    }

    /// The same for the same pools.
    pub(crate) fn fingerprint(&self) -> u64 {
        let mut hash = WordHash::default();
        let mut data = Vec::new();
        for shelves in &self.shelves {
            for literal in [&shelves.everyday, &shelves.mined, &shelves.extreme].into_iter().flatten() {
                data.clear();
                literal.write_data(&mut data);
                hash.bytes(&data);
            }
        }
        hash.finish()
    }

    pub fn draw(&self, kind: LiteralKind, rng: &mut Rng) -> Cow<'_, Literal> {
        let shelves = &self.shelves[kind as usize];
        let shelf = match rng.below(20) {
            0..=9 => &shelves.everyday,
            10..=14 => &shelves.mined,
            15..=17 => &shelves.extreme,
            _ => return Cow::Owned(self.invent(kind, rng)),
        };
        let shelf = if shelf.is_empty() { &shelves.everyday } else { shelf };
        Cow::Borrowed(&shelf[rng.below(shelf.len())])
    }

    /// Texts that were mined.
    pub fn mined_texts(&self) -> impl Iterator<Item = &str> {
        self.mined(LiteralKind::Str).iter().filter_map(|literal| match literal {
            Literal::Str(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// Whether the number was found in the target's sources and docs.
    pub fn has_mined(&self, number: i128) -> bool {
        self.mined(LiteralKind::I128).contains(&Literal::I128(number))
    }

    /// What was found there and fits the kind.
    pub fn mined(&self, kind: LiteralKind) -> &[Literal] {
        &self.shelves[kind as usize].mined
    }

    /// A value from no pool, so that even a small API never runs out of arguments: a number of random size, two texts put
    /// together.
    fn invent(&self, kind: LiteralKind, rng: &mut Rng) -> Literal {
        let any = |rng: &mut Rng| {
            let shelves = &self.shelves[kind as usize];
            let shelf = if shelves.mined.is_empty() || rng.percent(50) { &shelves.extreme } else { &shelves.mined };
            let shelf = if shelf.is_empty() { &shelves.everyday } else { shelf };
            shelf[rng.below(shelf.len())].clone()
        };
        match (any(rng), any(rng)) {
            (Literal::Str(a), Literal::Str(b)) => Literal::Str(spliced(&a, &b, rng)),
            (Literal::String(a), Literal::String(b)) => Literal::String(spliced(&a, &b, rng)),
            (Literal::Bytes(mut a), Literal::Bytes(b)) => {
                a.truncate(rng.below(a.len() + 1));
                a.extend(b);
                Literal::Bytes(a)
            }
            (Literal::F32(_), _) => Literal::F32(((rng.below(20_001) as f32 - 10_000.0) / 100.0).to_bits()),
            (Literal::F64(_), _) => Literal::F64(((rng.below(20_001) as f64 - 10_000.0) / 100.0).to_bits()),
            (Literal::Char(_), _) => char::from_u32(rng.below(0x3000) as u32).map_or(Literal::Char('a'), Literal::Char),
            (known, _) => {
                let n_bits = 1 + rng.below(63);
                let magnitude = i128::from(rng.bits() >> (64 - n_bits));
                let value = if rng.percent(40) { -magnitude } else { magnitude };
                integer(kind, value).or_else(|| integer(kind, magnitude % 128)).unwrap_or(known)
            }
        }
    }

    /// An everyday value: small numbers, short texts.
    pub fn draw_modest(&self, kind: LiteralKind, rng: &mut Rng) -> &Literal {
        let shelf = &self.shelves[kind as usize].everyday;
        &shelf[rng.below(shelf.len())]
    }
}

/// The beginning of one text and another one; never longer than a few hundred bytes.
fn spliced(a: &str, b: &str, rng: &mut Rng) -> String {
    let end = (0..=a.len().min(200)).filter(|&i| a.is_char_boundary(i)).nth(rng.below(a.chars().count().min(50) + 1));
    let start = (0..=b.len()).filter(|&i| b.is_char_boundary(i)).nth(rng.below(b.chars().count().min(50) + 1));
    format!("{}{}", &a[..end.unwrap_or(0)], &b[start.unwrap_or(b.len())..])
}

/// Combining, joining and invisible characters, and others that take more than one byte.
const ODD_CHARS: [char; 13] =
    ['\0', '\n', '\t', '\u{7f}', 'ß', 'é', 'İ', '\u{301}', '\u{200d}', '\u{feff}', '中', '🦀', '\u{10ffff}'];

/// Numbers of all sorts, white space, paths, markup, and text beyond ASCII.
#[rustfmt::skip]
const ODD_TEXTS: [&str; 28] = [
    "-1", "1.5", "\0", "\n", "\r\n", "ß", "é", "e\u{301}", "İ", "中文", "🦀", "👨\u{200d}👩\u{200d}👧", "\u{feff}a", "a\tb",
    "  a  ", "%00", "99999999999999999999", "-0", "1e400", "NaN", "\u{202e}abc", "a,b;c", "\"quoted\"", "\\", "/", "a/../b",
    "<a>", "{}",
];

fn shelves(kind: LiteralKind, mined: &[Literal]) -> Shelves {
    let mut shelves = Shelves::default();
    match kind {
        LiteralKind::Unit => shelves.everyday.push(Literal::Unit),
        LiteralKind::Bool => shelves.everyday.extend([Literal::Bool(false), Literal::Bool(true)]),
        LiteralKind::Char => {
            shelves.everyday.extend(['a', 'b', '0', ' ', 'Z'].map(Literal::Char));
            shelves.mined.extend(mined.iter().filter(|literal| literal.kind() == LiteralKind::Char).cloned());
            shelves.extreme.extend(ODD_CHARS.map(Literal::Char));
        }
        LiteralKind::F32 | LiteralKind::F64 => floats(kind, mined, &mut shelves),
        LiteralKind::Str => texts(|text| Literal::Str(text.to_string()), mined, &mut shelves),
        LiteralKind::String => texts(|text| Literal::String(text.to_string()), mined, &mut shelves),
        LiteralKind::Bytes => bytes(mined, &mut shelves),
        _ => integers(kind, mined, &mut shelves),
    }
    shelves
}

fn texts(make: fn(&str) -> Literal, mined: &[Literal], shelves: &mut Shelves) {
    shelves.everyday.extend(["", "a", "b", "ab", "hello", "0", "1", " ", "A b"].map(make));
    shelves.mined.extend(strings(mined).map(make));
    shelves.extreme.extend(ODD_TEXTS.map(make));
    shelves.extreme.push(make(&"a".repeat(300)));
    shelves.extreme.push(make(&"ab ".repeat(40)));
}

fn bytes(mined: &[Literal], shelves: &mut Shelves) {
    let everyday = [&b""[..], b"a", b"ab", b"\0", b"\x01\x02\x03"];
    shelves.everyday.extend(everyday.map(|bytes| Literal::Bytes(bytes.to_vec())));
    shelves.mined.extend(mined.iter().filter(|literal| literal.kind() == LiteralKind::Bytes).cloned());
    shelves.mined.extend(strings(mined).take(200).map(|text| Literal::Bytes(text.as_bytes().to_vec())));
    let extreme = [vec![255], vec![0; 64], vec![255; 17], vec![0xc3], vec![0xed, 0xa0, 0x80]];
    shelves.extreme.extend(extreme.map(Literal::Bytes));
}

fn strings(mined: &[Literal]) -> impl Iterator<Item = &str> {
    mined.iter().filter_map(|literal| match literal {
        Literal::Str(text) => Some(text.as_str()),
        _ => None,
    })
}

fn floats(kind: LiteralKind, mined: &[Literal], shelves: &mut Shelves) {
    let make = |v: f64| match kind {
        LiteralKind::F32 => Literal::F32((v as f32).to_bits()),
        _ => Literal::F64(v.to_bits()),
    };
    shelves.everyday.extend([0.0, 1.0, -1.0, 0.5, 2.0, 10.0, 100.0].map(make));
    shelves.mined.extend(mined.iter().filter_map(|literal| match literal {
        Literal::F64(bits) => Some(make(f64::from_bits(*bits))),
        _ => None,
    }));
    let mut extreme: Vec<f64> =
        vec![-0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e-10, 0.1, 1e10, 9_007_199_254_740_993.0];
    extreme.extend(match kind {
        LiteralKind::F32 => [f64::from(f32::MAX), f64::from(f32::MIN_POSITIVE), f64::from(f32::EPSILON)],
        _ => [f64::MAX, f64::MIN_POSITIVE, f64::EPSILON],
    });
    shelves.extreme.extend(extreme.into_iter().map(make));
}

fn integers(kind: LiteralKind, mined: &[Literal], shelves: &mut Shelves) {
    shelves.everyday.extend([0, 1, 2, 3, 4, 5, 7, 8, 10, 16, -1, -2, 100].iter().filter_map(|&v| integer(kind, v)));
    shelves.mined.extend(mined.iter().filter_map(|literal| match literal {
        Literal::I128(value) => integer(kind, *value),
        _ => None,
    }));
    let mut extreme: Vec<i128> = vec![31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 1000, -10, -100, -128];
    for bits in [8, 16, 32, 64, 127] {
        let power = if bits == 127 { i128::MAX } else { 1i128 << bits };
        extreme.extend([power - 1, power, power / 2 - 1, power / 2, -(power / 2), -(power / 2) + 1]);
    }
    extreme.extend([i128::MAX, i128::MIN]);
    for value in extreme {
        if let Some(literal) = integer(kind, value)
            && !shelves.extreme.contains(&literal)
            && !shelves.everyday.contains(&literal)
        {
            shelves.extreme.push(literal);
        }
    }
    if kind == LiteralKind::U128 {
        shelves.extreme.push(Literal::U128(u128::MAX));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_something_to_draw_and_keeps_its_kind() {
        let mined = [Literal::I128(300), Literal::I128(-7), Literal::Str("x=1".into())];
        let literals = Literals::new(&mined);
        let mut rng = Rng::new(1);
        for kind in LiteralKind::ALL {
            for _ in 0..200 {
                assert_eq!(literals.draw(kind, &mut rng).kind(), kind);
            }
        }
        assert!((0..300).any(|_| *literals.draw(LiteralKind::U16, &mut rng) == Literal::U16(300)));
        assert!((0..300).any(|_| *literals.draw(LiteralKind::String, &mut rng) == Literal::String("x=1".into())));
        assert!((0..300).any(|_| *literals.draw(LiteralKind::Bytes, &mut rng) == Literal::Bytes(b"x=1".to_vec())));
        // 300 does not fit, and is not cut down to what would.
        assert!(!literals.shelves[LiteralKind::U8 as usize].mined.contains(&Literal::U8(44)));
    }
}
