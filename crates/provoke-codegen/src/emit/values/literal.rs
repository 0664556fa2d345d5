//! How a literal is written.

use provoke_wire::Literal;

use crate::emit::values::escape;

/// What the place where a literal stands asks of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    /// The type cannot be inferred there, so the text must tell it.
    pub typed: bool,
    /// A value that dies at the end of the statement will do.
    pub may_be_temporary: bool,
}

impl Demand {
    pub const TYPED: Demand = Demand { typed: true, may_be_temporary: false };
}

/// A text of at least this many characters that repeats one piece is written as a repetition.
const REPETITION_FROM: usize = 32;
/// Longest piece that is looked for.
const LONGEST_PIECE: usize = 4;

pub fn literal_text(literal: &Literal, demand: Demand) -> String {
    let int = |digits: String, ty: &str, limits: [(&str, bool); 2]| {
        for (name, is_it) in limits {
            if is_it {
                return format!("{ty}::{name}");
            }
        }
        let suffix = if demand.typed { ty } else { "" };
        format!("{}{suffix}", grouped(&digits))
    };
    macro_rules! integer {
        ($value:expr, $ty:ident) => {
            int(
                $value.to_string(),
                stringify!($ty),
                [
                    ("MAX", i128::try_from(*$value) == i128::try_from($ty::MAX)),
                    ("MIN", *$value != 0 && i128::try_from(*$value) == i128::try_from($ty::MIN)),
                ],
            )
        };
    }
    match literal {
        Literal::Unit => "()".to_string(),
        Literal::Bool(v) => v.to_string(),
        Literal::Char(v) => format!("'{}'", escape::in_char(*v)),
        Literal::U8(v) => integer!(v, u8),
        Literal::U16(v) => integer!(v, u16),
        Literal::U32(v) => integer!(v, u32),
        Literal::U64(v) => integer!(v, u64),
        Literal::U128(v) => int(v.to_string(), "u128", [("MAX", *v == u128::MAX), ("MIN", false)]),
        Literal::Usize(v) => int(v.to_string(), "usize", [("MAX", *v == u64::MAX), ("MIN", false)]),
        Literal::I8(v) => integer!(v, i8),
        Literal::I16(v) => integer!(v, i16),
        Literal::I32(v) => integer!(v, i32),
        Literal::I64(v) => integer!(v, i64),
        Literal::I128(v) => integer!(v, i128),
        Literal::Isize(v) => int(v.to_string(), "isize", [("MAX", *v == i64::MAX), ("MIN", *v == i64::MIN)]),
        Literal::F32(bits) => f32_text(f32::from_bits(*bits), demand),
        Literal::F64(bits) => f64_text(f64::from_bits(*bits), demand),
        Literal::Str(v) => match repetition(v) {
            Some(repeated) if demand.may_be_temporary => format!("&{repeated}"),
            _ => quoted(v),
        },
        Literal::String(v) if v.is_empty() => "String::new()".to_string(),
        Literal::String(v) => repetition(v).unwrap_or_else(|| format!("{}.to_string()", quoted(v))),
        Literal::Bytes(v) => bytes_text(v, demand),
    }
}

/// What a variable that holds the literal is called.
pub fn literal_variable(literal: &Literal) -> &'static str {
    match literal {
        Literal::Unit => "unit",
        Literal::Bool(_) => "flag",
        Literal::Char(_) => "c",
        Literal::F32(_) | Literal::F64(_) => "x",
        Literal::Str(_) => "text",
        Literal::String(_) => "string",
        Literal::Bytes(_) => "bytes",
        _ => "n",
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escape::in_string(text))
}

/// Long numbers in groups of three.
fn grouped(digits: &str) -> String {
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", digits),
    };
    if digits.len() < 7 {
        return format!("{sign}{digits}");
    }
    let mut out = sign.to_string();
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            out.push('_');
        }
        out.push(digit);
    }
    out
}

/// `"ab".repeat(40)`
fn repetition(text: &str) -> Option<String> {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() < REPETITION_FROM {
        return None;
    }
    let period = (1..=LONGEST_PIECE)
        .find(|&p| chars.len().is_multiple_of(p) && chars.iter().zip(&chars[p..]).all(|(a, b)| a == b))?;
    let piece: String = chars[..period].iter().collect();
    Some(format!("{}.repeat({})", quoted(&piece), chars.len() / period))
}

/// A byte string is a reference to an array, which becomes a slice by itself only where a slice is asked for.
fn bytes_text(bytes: &[u8], demand: Demand) -> String {
    let text = format!("b\"{}\"", escape::in_byte_string(bytes));
    if demand.typed {
        return format!("&{text}[..]");
    }
    match bytes {
        [first, rest @ ..] if bytes.len() >= REPETITION_FROM && rest.iter().all(|b| b == first) => {
            format!("&[{first}; {}]", bytes.len())
        }
        _ => text,
    }
}

macro_rules! float_text {
    ($name:ident, $ty:ident) => {
        fn $name(value: $ty, demand: Demand) -> String {
            let ty = stringify!($ty);
            if value.is_nan() {
                return if value.to_bits() == $ty::NAN.to_bits() {
                    format!("{ty}::NAN")
                } else {
                    format!("{ty}::from_bits({:#x})", value.to_bits())
                };
            }
            let constants = [
                ("INFINITY", $ty::INFINITY),
                ("NEG_INFINITY", $ty::NEG_INFINITY),
                ("MAX", $ty::MAX),
                ("MIN", $ty::MIN),
                ("MIN_POSITIVE", $ty::MIN_POSITIVE),
                ("EPSILON", $ty::EPSILON),
            ];
            for (name, constant) in constants {
                if value == constant {
                    return format!("{ty}::{name}");
                }
            }
            // `Debug` prints the shortest text that reads back as the same number.
            let suffix = if demand.typed { ty } else { "" };
            format!("{value:?}{suffix}")
        }
    };
}
float_text!(f32_text, f32);
float_text!(f64_text, f64);

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(literal: Literal) -> String {
        let demand = Demand { typed: false, may_be_temporary: true };
        literal_text(&literal, demand)
    }

    fn typed(literal: Literal) -> String {
        literal_text(&literal, Demand::TYPED)
    }

    #[test]
    fn integers_have_a_suffix_only_where_it_is_demanded() {
        assert_eq!(plain(Literal::U8(5)), "5");
        assert_eq!(typed(Literal::U8(5)), "5u8");
        assert_eq!(typed(Literal::Isize(-7)), "-7isize");
        assert_eq!(plain(Literal::U64(1_234_567)), "1_234_567");
        assert_eq!(plain(Literal::I64(-1_000_000)), "-1_000_000");
        assert_eq!(plain(Literal::U32(65536)), "65536");
    }

    #[test]
    fn limits_of_integers_are_named() {
        assert_eq!(plain(Literal::U8(255)), "u8::MAX");
        assert_eq!(plain(Literal::U8(0)), "0");
        assert_eq!(typed(Literal::I32(i32::MIN)), "i32::MIN");
        assert_eq!(plain(Literal::I128(i128::MAX)), "i128::MAX");
        assert_eq!(plain(Literal::I128(i128::MIN)), "i128::MIN");
        assert_eq!(plain(Literal::U128(u128::MAX)), "u128::MAX");
        assert_eq!(plain(Literal::Usize(u64::MAX)), "usize::MAX");
        assert_eq!(plain(Literal::Isize(i64::MIN)), "isize::MIN");
        assert_eq!(plain(Literal::U64(u64::MAX)), "u64::MAX");
    }

    #[test]
    fn floats_read_back_as_the_same_number() {
        for value in [0.1, -0.0, 1.0, 1e300, 5e-324, 123456.789, -1.5e-7] {
            let text = plain(Literal::F64(f64::to_bits(value)));
            assert_eq!(text.parse::<f64>().map(f64::to_bits), Ok(value.to_bits()), "{text}");
        }
        assert_eq!(plain(Literal::F64((-0.0f64).to_bits())), "-0.0");
        assert_eq!(typed(Literal::F32(1.5f32.to_bits())), "1.5f32");
        assert_eq!(typed(Literal::F64(1e300f64.to_bits())), "1e300f64");
        assert_eq!(plain(Literal::F32(f32::NAN.to_bits())), "f32::NAN");
        assert_eq!(plain(Literal::F64(f64::NEG_INFINITY.to_bits())), "f64::NEG_INFINITY");
        assert_eq!(plain(Literal::F32(0xffc0_0001)), "f32::from_bits(0xffc00001)");
    }

    #[test]
    fn long_repetitions_are_written_short_where_a_temporary_will_do() {
        let long = "ab".repeat(20);
        assert_eq!(plain(Literal::Str(long.clone())), "&\"ab\".repeat(20)");
        assert_eq!(typed(Literal::Str(long.clone())), format!("\"{long}\""));
        assert_eq!(typed(Literal::String(long)), "\"ab\".repeat(20)");
        assert_eq!(plain(Literal::Str("aaaa".into())), "\"aaaa\"");
        assert_eq!(plain(Literal::Bytes(vec![0; 40])), "&[0; 40]");
    }

    #[test]
    fn bytes_are_a_slice_where_the_type_matters() {
        assert_eq!(plain(Literal::Bytes(vec![b'a', 0])), "b\"a\\0\"");
        assert_eq!(typed(Literal::Bytes(vec![b'a', 0])), "&b\"a\\0\"[..]");
    }
}
