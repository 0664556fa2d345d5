//! Which of two programs is the simpler one, and what is simpler than a literal.
//!
//! One total order on programs: calls, then statements, then the weight of the literals, then the names of the operations,
//! then bytes. Everything that replaces a program by another moves down this order, so it ends.
//!
//! Names are compared by number, since operations are numbered in the order of their keys. So of two programs of the same
//! size the same one is preferred whatever else the crate offers, and closures become as plain as they can: `|_| 0` comes
//! before `|_| 7`, and both before `|a| a`.

use std::cmp::Ordering;

use provoke_wire::{Body, Literal, LiteralKind, Program, StatementKind};

/// The size of a program; smaller is simpler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProgramSize {
    pub n_calls: usize,
    pub n_statements: usize,
    pub literal_weight: u128,
    pub n_bytes: usize,
}

impl ProgramSize {
    pub fn of(program: &Program) -> ProgramSize {
        ProgramSize {
            n_calls: program.main.n_calls(),
            n_statements: n_statements(&program.main),
            literal_weight: literal_weight(&program.main),
            n_bytes: program.main.weight_in_bytes(),
        }
    }
}

/// The place of a program in the order, for those that are compared again and again.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ProgramOrder {
    size: ProgramSize,
    operations: Vec<u32>,
    bytes: Vec<u8>,
}

impl ProgramOrder {
    pub(crate) fn of(program: &Program) -> ProgramOrder {
        let operations = program.main.statements.iter().map(|statement| statement.op).collect();
        ProgramOrder { size: ProgramSize::of(program), operations, bytes: program.to_bytes() }
    }
}

/// A total order: programs that compare equal have the same bytes.
pub fn compare(a: &Program, b: &Program) -> Ordering {
    // The first numbers decide nearly always, so the rest is not worked out ahead of them.
    a.main
        .n_calls()
        .cmp(&b.main.n_calls())
        .then_with(|| ProgramSize::of(a).cmp(&ProgramSize::of(b)))
        .then_with(|| ProgramOrder::of(a).cmp(&ProgramOrder::of(b)))
}

pub fn is_simpler(a: &Program, b: &Program) -> bool {
    compare(a, b) == Ordering::Less
}

fn n_statements(body: &Body) -> usize {
    body.statements.len() + body.bodies.iter().map(n_statements).sum::<usize>()
}

fn literal_weight(body: &Body) -> u128 {
    let own = body.statements.iter().filter(|statement| statement.kind == StatementKind::Literal).map(|statement| {
        LiteralKind::from_code(statement.op)
            .and_then(|kind| Literal::from_data(kind, body.data_of(statement)))
            .map_or(0, |literal| weight(&literal))
    });
    let nested = body.bodies.iter().map(literal_weight);
    own.chain(nested).fold(0, u128::saturating_add)
}

/// The absolute value of an integer; `None` for what is no integer.
pub fn magnitude(literal: &Literal) -> Option<u128> {
    Some(match literal {
        Literal::U8(v) => u128::from(*v),
        Literal::U16(v) => u128::from(*v),
        Literal::U32(v) => u128::from(*v),
        Literal::U64(v) | Literal::Usize(v) => u128::from(*v),
        Literal::U128(v) => *v,
        Literal::I8(v) => u128::from(v.unsigned_abs()),
        Literal::I16(v) => u128::from(v.unsigned_abs()),
        Literal::I32(v) => u128::from(v.unsigned_abs()),
        Literal::I64(v) | Literal::Isize(v) => u128::from(v.unsigned_abs()),
        Literal::I128(v) => v.unsigned_abs(),
        _ => return None,
    })
}

fn is_negative(literal: &Literal) -> bool {
    match literal {
        Literal::I8(v) => *v < 0,
        Literal::I16(v) => *v < 0,
        Literal::I32(v) => *v < 0,
        Literal::I64(v) | Literal::Isize(v) => *v < 0,
        Literal::I128(v) => *v < 0,
        _ => false,
    }
}

/// How complicated a literal looks to a reader.
pub fn weight(literal: &Literal) -> u128 {
    const PER_CHAR: u128 = 1 << 24;
    if let Some(magnitude) = magnitude(literal) {
        return magnitude.saturating_mul(2).saturating_add(u128::from(is_negative(literal)));
    }
    match literal {
        Literal::Bool(v) => u128::from(*v),
        Literal::Char(v) => char_rank(*v),
        Literal::F32(bits) => float_weight(f64::from(f32::from_bits(*bits))),
        Literal::F64(bits) => float_weight(f64::from_bits(*bits)),
        Literal::Str(text) | Literal::String(text) => text.chars().map(|c| PER_CHAR + char_rank(c)).sum(),
        Literal::Bytes(bytes) => bytes.iter().map(|&b| PER_CHAR + u128::from(b)).sum(),
        _ => 0,
    }
}

/// `a` first, then what is easy to read, then what is not.
fn char_rank(c: char) -> u128 {
    let code = u128::from(u32::from(c));
    match c {
        'a' => 0,
        'b'..='z' | 'A'..='Z' | '0'..='9' => code,
        ' '..='~' => 0x1000 + code,
        _ => 0x2000 + code,
    }
}

/// Beyond this, a float cannot tell whole numbers apart.
const WHOLE_LIMIT: f64 = 9e15;

/// Whole numbers by magnitude, then fractions, then infinities and NaN.
fn float_weight(value: f64) -> u128 {
    let negative = u128::from(value.is_sign_negative());
    let size = value.abs();
    if size < WHOLE_LIMIT && size.fract() == 0.0 {
        size as u128 * 2 + negative
    } else {
        (1 << 64) + u128::from(size.to_bits()) * 2 + negative
    }
}

/// Simpler literals of the same kind, the boldest step first.
pub fn simpler_literals(literal: &Literal) -> Vec<Literal> {
    let mut candidates = match literal {
        Literal::Unit => Vec::new(),
        Literal::Bool(_) => vec![Literal::Bool(false)],
        Literal::Char(c) => simpler_chars(*c).into_iter().map(Literal::Char).collect(),
        Literal::F32(bits) => simpler_floats(f64::from(f32::from_bits(*bits)))
            .into_iter()
            .map(|v| Literal::F32((v as f32).to_bits()))
            .collect(),
        Literal::F64(bits) => {
            simpler_floats(f64::from_bits(*bits)).into_iter().map(|v| Literal::F64(v.to_bits())).collect()
        }
        Literal::Str(text) => simpler_texts(text).into_iter().map(Literal::Str).collect(),
        Literal::String(text) => simpler_texts(text).into_iter().map(Literal::String).collect(),
        Literal::Bytes(bytes) => simpler_lists(bytes, |byte| if byte == 0 { vec![] } else { vec![0, byte / 2] })
            .into_iter()
            .map(Literal::Bytes)
            .collect(),
        integer => simpler_integers(integer),
    };
    let limit = weight(literal);
    candidates.retain(|candidate| weight(candidate) < limit);
    candidates
}

/// Zero, the same number without its sign, round numbers, then ever smaller steps towards zero.
fn simpler_integers(literal: &Literal) -> Vec<Literal> {
    let Some(magnitude) = magnitude(literal) else {
        return Vec::new();
    };
    let negative = is_negative(literal);
    let mut values = vec![(0, false)];
    if negative {
        values.push((magnitude, false));
    }
    values.extend(smaller_magnitudes(magnitude).map(|magnitude| (magnitude, negative)));
    values.into_iter().filter_map(|(magnitude, negative)| integer_like(literal, magnitude, negative)).collect()
}

/// Halving the step finds a boundary quickly; the last steps of one and two reach it whatever its parity.
fn smaller_magnitudes(magnitude: u128) -> impl Iterator<Item = u128> {
    let round = [1, 2, 10, 100, 1000].into_iter();
    let halves = std::iter::successors(Some(magnitude / 2), |step| Some(step / 2));
    let steps = halves.take_while(|&step| step > 0).chain([2]);
    round.filter(move |&n| n < magnitude).chain(steps.filter_map(move |step| magnitude.checked_sub(step)))
}

/// An integer of the same kind, if it fits.
fn integer_like(literal: &Literal, magnitude: u128, negative: bool) -> Option<Literal> {
    let signed = || {
        let value = i128::try_from(magnitude).ok()?;
        Some(if negative { -value } else { value })
    };
    Some(match literal {
        Literal::U8(_) => Literal::U8(magnitude.try_into().ok()?),
        Literal::U16(_) => Literal::U16(magnitude.try_into().ok()?),
        Literal::U32(_) => Literal::U32(magnitude.try_into().ok()?),
        Literal::U64(_) => Literal::U64(magnitude.try_into().ok()?),
        Literal::Usize(_) => Literal::Usize(magnitude.try_into().ok()?),
        Literal::U128(_) => Literal::U128(magnitude),
        Literal::I8(_) => Literal::I8(signed()?.try_into().ok()?),
        Literal::I16(_) => Literal::I16(signed()?.try_into().ok()?),
        Literal::I32(_) => Literal::I32(signed()?.try_into().ok()?),
        Literal::I64(_) => Literal::I64(signed()?.try_into().ok()?),
        Literal::Isize(_) => Literal::Isize(signed()?.try_into().ok()?),
        Literal::I128(_) => Literal::I128(signed()?),
        _ => return None,
    })
}

/// The literals that say least about a type.
pub fn plainest_literals(kind: LiteralKind) -> Vec<Literal> {
    let zeros = vec![0; kind.data_size().unwrap_or(0)];
    let zero = match kind {
        LiteralKind::Char => Some(Literal::Char('a')),
        kind => Literal::from_data(kind, &zeros),
    };
    let mut one = zeros;
    if let Some(first) = one.first_mut() {
        *first = 1;
    }
    let one = match kind {
        LiteralKind::Str => Some(Literal::Str("a".into())),
        LiteralKind::String => Some(Literal::String("a".into())),
        LiteralKind::Char | LiteralKind::Unit | LiteralKind::Bytes => None,
        LiteralKind::F32 => Some(Literal::F32(1f32.to_bits())),
        LiteralKind::F64 => Some(Literal::F64(1f64.to_bits())),
        kind => Literal::from_data(kind, &one),
    };
    let minus_one = one.as_ref().and_then(negated);
    zero.into_iter().chain(one).chain(minus_one).collect()
}

/// The same number with the other sign, where there is one.
pub fn negated(literal: &Literal) -> Option<Literal> {
    match literal {
        Literal::F32(bits) => Some(Literal::F32((-f32::from_bits(*bits)).to_bits())),
        Literal::F64(bits) => Some(Literal::F64((-f64::from_bits(*bits)).to_bits())),
        Literal::U8(_) | Literal::U16(_) | Literal::U32(_) | Literal::U64(_) | Literal::U128(_) | Literal::Usize(_) => {
            None
        }
        integer => {
            let magnitude = magnitude(integer).filter(|&magnitude| magnitude > 0)?;
            integer_like(integer, magnitude, !is_negative(integer))
        }
    }
}

fn simpler_chars(c: char) -> Vec<char> {
    ['a', 'b', 'A', '0', ' ', 'é'].into_iter().filter(|&other| char_rank(other) < char_rank(c)).collect()
}

fn simpler_floats(value: f64) -> Vec<f64> {
    let mut values = vec![0.0, 1.0, -1.0, value.abs(), value.trunc()];
    if value.abs() < WHOLE_LIMIT && value.fract() == 0.0 {
        let smaller = smaller_magnitudes(value.abs() as u128);
        values.extend(smaller.map(|magnitude| (magnitude as f64).copysign(value)));
    } else {
        values.extend([1e15, 1e6, 0.5, 1.5, value / 2.0]);
    }
    values
}

fn simpler_texts(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    simpler_lists(&chars, simpler_chars).into_iter().map(|chars| chars.into_iter().collect()).collect()
}

/// Halves, then shorter cuts, then without one element each, then with one element simpler.
fn simpler_lists<T: Copy + PartialEq>(list: &[T], simpler: impl Fn(T) -> Vec<T>) -> Vec<Vec<T>> {
    /// Longer texts are first cut; only then is each element worth a try.
    const MAX_SINGLES: usize = 64;
    let mut lists = Vec::new();
    let n = list.len();
    if n == 0 {
        return lists;
    }
    lists.push(Vec::new());
    let mut cut = n / 2;
    while cut > 1 {
        lists.push(list[..n - cut].to_vec());
        lists.push(list[cut..].to_vec());
        cut /= 2;
    }
    for at in (0..n).rev().take(MAX_SINGLES) {
        let mut shorter = list.to_vec();
        shorter.remove(at);
        lists.push(shorter);
    }
    for at in (0..n).take(MAX_SINGLES) {
        for element in simpler(list[at]) {
            let mut plainer = list.to_vec();
            plainer[at] = element;
            lists.push(plainer);
        }
    }
    lists.dedup();
    lists
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_makes_a_literal_simpler_so_steps_end() {
        let literals = [
            Literal::U8(255),
            Literal::I64(i64::MIN),
            Literal::I128(i128::MIN),
            Literal::U128(u128::MAX),
            Literal::F64(f64::NAN.to_bits()),
            Literal::F32((-3.25f32).to_bits()),
            Literal::F64(1e300f64.to_bits()),
            Literal::Str("héllo wörld\0".into()),
            Literal::Bytes(vec![255; 9]),
            Literal::Char('\u{10ffff}'),
            Literal::Bool(true),
        ];
        for literal in literals {
            let mut current = literal.clone();
            let mut n_steps = 0;
            while let Some(next) = simpler_literals(&current).pop() {
                assert_eq!(next.kind(), literal.kind());
                assert!(weight(&next) < weight(&current), "{current:?} to {next:?}");
                current = next;
                n_steps += 1;
                if n_steps == 2000 {
                    break;
                }
            }
            // The boldest step leads to the simplest value at once.
            let boldest = simpler_literals(&literal).into_iter().next().unwrap();
            assert!(simpler_literals(&boldest).is_empty(), "{boldest:?}");
        }
    }

    /// Steps as the minimiser takes them: the first simpler literal that still fails.
    fn shrink(mut literal: Literal, fails: impl Fn(&Literal) -> bool) -> Literal {
        while let Some(next) = simpler_literals(&literal).into_iter().find(&fails) {
            literal = next;
        }
        literal
    }

    #[test]
    fn numbers_shrink_exactly_to_the_boundary() {
        let to = |start, limit: i64| shrink(Literal::I64(start), |l| matches!(l, Literal::I64(v) if *v >= limit));
        assert_eq!(to(i64::MAX, 1001), Literal::I64(1001));
        assert_eq!(to(77, -5), Literal::I64(0));
        let below = shrink(Literal::I8(-128), |l| matches!(l, Literal::I8(v) if *v <= -3));
        assert_eq!(below, Literal::I8(-3));
        let odd = shrink(Literal::U128(u128::MAX), |l| matches!(l, Literal::U128(v) if v % 2 == 1));
        assert_eq!(odd, Literal::U128(1));
    }

    #[test]
    fn texts_shrink_to_the_characters_that_matter() {
        let text = |l: &Literal| match l {
            Literal::Str(text) => text.clone(),
            other => panic!("{other:?}"),
        };
        let start = Literal::Str("Grüße, Jürgen! <b>".into());
        let shrunk = shrink(start.clone(), |l| !text(l).is_ascii());
        assert_eq!(text(&shrunk), "é");
        let shrunk = shrink(start.clone(), |l| text(l).contains('<'));
        assert_eq!(text(&shrunk), "<");
        let shrunk = shrink(start, |l| text(l).chars().count() >= 3);
        assert_eq!(text(&shrunk), "aaa");
    }

    #[test]
    fn floats_shrink_to_plain_numbers() {
        let to = |start: f64, fails: fn(f64) -> bool| match shrink(
            Literal::F64(start.to_bits()),
            |l| matches!(l, Literal::F64(bits) if fails(f64::from_bits(*bits))),
        ) {
            Literal::F64(bits) => f64::from_bits(bits),
            other => panic!("{other:?}"),
        };
        assert_eq!(to(123.456, |v| v > 2.0), 3.0);
        assert_eq!(to(-7.5, |v| v < 0.0), -1.0);
        assert!(to(f64::NAN, f64::is_nan).is_nan());
        assert_eq!(to(1e300, |v| v > 1e10), 10_000_000_001.0);
        assert_eq!(to(f64::INFINITY, f64::is_infinite), f64::INFINITY);
    }

    #[test]
    fn fewer_calls_count_before_anything_else_and_equal_means_identical() {
        let with = |n_calls: u32, n_literals: u8| {
            let mut program = Program::default();
            for n in 0..n_literals {
                program.main.push_literal(&Literal::U8(n));
            }
            for op in 0..n_calls {
                program.main.push_call(op, &[]);
            }
            program
        };
        assert!(is_simpler(&with(1, 9), &with(2, 0)));
        assert!(is_simpler(&with(2, 0), &with(2, 1)));
        assert_eq!(compare(&with(2, 1), &with(2, 1)), Ordering::Equal);
        let of_op = |op: u32| {
            let mut program = Program::default();
            program.main.push_call(op, &[]);
            program
        };
        assert!(is_simpler(&of_op(255), &of_op(256)), "whatever the bytes of their numbers are");
        let mut other = with(2, 1);
        other.main.statements[2].op = 7;
        assert_ne!(compare(&other, &with(2, 1)), Ordering::Equal);
    }
}
