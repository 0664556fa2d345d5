//! Literals: values that a program spells out.

/// The types that have literals. The number is part of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum LiteralKind {
    Unit = 0,
    Bool = 1,
    Char = 2,
    U8 = 3,
    U16 = 4,
    U32 = 5,
    U64 = 6,
    U128 = 7,
    Usize = 8,
    I8 = 9,
    I16 = 10,
    I32 = 11,
    I64 = 12,
    I128 = 13,
    Isize = 14,
    F32 = 15,
    F64 = 16,
    /// `&'static str`
    Str = 17,
    String = 18,
    /// `&'static [u8]`
    Bytes = 19,
}

impl LiteralKind {
    pub const ALL: [LiteralKind; 20] = [
        LiteralKind::Unit,
        LiteralKind::Bool,
        LiteralKind::Char,
        LiteralKind::U8,
        LiteralKind::U16,
        LiteralKind::U32,
        LiteralKind::U64,
        LiteralKind::U128,
        LiteralKind::Usize,
        LiteralKind::I8,
        LiteralKind::I16,
        LiteralKind::I32,
        LiteralKind::I64,
        LiteralKind::I128,
        LiteralKind::Isize,
        LiteralKind::F32,
        LiteralKind::F64,
        LiteralKind::Str,
        LiteralKind::String,
        LiteralKind::Bytes,
    ];

    #[inline]
    pub fn from_code(code: u32) -> Option<LiteralKind> {
        LiteralKind::ALL.get(code as usize).copied()
    }

    /// The type as Rust spells it.
    pub fn type_name(self) -> &'static str {
        match self {
            LiteralKind::Unit => "()",
            LiteralKind::Bool => "bool",
            LiteralKind::Char => "char",
            LiteralKind::U8 => "u8",
            LiteralKind::U16 => "u16",
            LiteralKind::U32 => "u32",
            LiteralKind::U64 => "u64",
            LiteralKind::U128 => "u128",
            LiteralKind::Usize => "usize",
            LiteralKind::I8 => "i8",
            LiteralKind::I16 => "i16",
            LiteralKind::I32 => "i32",
            LiteralKind::I64 => "i64",
            LiteralKind::I128 => "i128",
            LiteralKind::Isize => "isize",
            LiteralKind::F32 => "f32",
            LiteralKind::F64 => "f64",
            LiteralKind::Str => "&'static str",
            LiteralKind::String => "String",
            LiteralKind::Bytes => "&'static [u8]",
        }
    }

    /// The number of data bytes of a literal of fixed size; `None` for text and bytes.
    #[inline]
    pub fn data_size(self) -> Option<usize> {
        Some(match self {
            LiteralKind::Unit => 0,
            LiteralKind::Bool | LiteralKind::U8 | LiteralKind::I8 => 1,
            LiteralKind::U16 | LiteralKind::I16 => 2,
            LiteralKind::Char | LiteralKind::U32 | LiteralKind::I32 | LiteralKind::F32 => 4,
            LiteralKind::U64 | LiteralKind::I64 | LiteralKind::F64 | LiteralKind::Usize | LiteralKind::Isize => 8,
            LiteralKind::U128 | LiteralKind::I128 => 16,
            LiteralKind::Str | LiteralKind::String | LiteralKind::Bytes => return None,
        })
    }
}

/// A literal value. Floats are kept by their bits, so that programs can be compared and hashed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Literal {
    Unit,
    Bool(bool),
    Char(char),
    U8(u8),
    U16(u16),
    U32(u32),
    U64(u64),
    U128(u128),
    Usize(u64),
    I8(i8),
    I16(i16),
    I32(i32),
    I64(i64),
    I128(i128),
    Isize(i64),
    F32(u32),
    F64(u64),
    Str(String),
    String(String),
    Bytes(Vec<u8>),
}

impl Literal {
    pub fn kind(&self) -> LiteralKind {
        match self {
            Literal::Unit => LiteralKind::Unit,
            Literal::Bool(_) => LiteralKind::Bool,
            Literal::Char(_) => LiteralKind::Char,
            Literal::U8(_) => LiteralKind::U8,
            Literal::U16(_) => LiteralKind::U16,
            Literal::U32(_) => LiteralKind::U32,
            Literal::U64(_) => LiteralKind::U64,
            Literal::U128(_) => LiteralKind::U128,
            Literal::Usize(_) => LiteralKind::Usize,
            Literal::I8(_) => LiteralKind::I8,
            Literal::I16(_) => LiteralKind::I16,
            Literal::I32(_) => LiteralKind::I32,
            Literal::I64(_) => LiteralKind::I64,
            Literal::I128(_) => LiteralKind::I128,
            Literal::Isize(_) => LiteralKind::Isize,
            Literal::F32(_) => LiteralKind::F32,
            Literal::F64(_) => LiteralKind::F64,
            Literal::Str(_) => LiteralKind::Str,
            Literal::String(_) => LiteralKind::String,
            Literal::Bytes(_) => LiteralKind::Bytes,
        }
    }

    /// Little-endian numbers; text as UTF-8.
    pub fn write_data(&self, out: &mut Vec<u8>) {
        match self {
            Literal::Unit => {}
            Literal::Bool(v) => out.push(u8::from(*v)),
            Literal::Char(v) => out.extend_from_slice(&u32::from(*v).to_le_bytes()),
            Literal::U8(v) => out.push(*v),
            Literal::U16(v) => out.extend_from_slice(&v.to_le_bytes()),
            Literal::U32(v) | Literal::F32(v) => out.extend_from_slice(&v.to_le_bytes()),
            Literal::U64(v) | Literal::Usize(v) | Literal::F64(v) => {
                out.extend_from_slice(&v.to_le_bytes());
            }
            Literal::U128(v) => out.extend_from_slice(&v.to_le_bytes()),
            Literal::I8(v) => out.extend_from_slice(&v.to_le_bytes()),
            Literal::I16(v) => out.extend_from_slice(&v.to_le_bytes()),
            Literal::I32(v) => out.extend_from_slice(&v.to_le_bytes()),
            Literal::I64(v) | Literal::Isize(v) => out.extend_from_slice(&v.to_le_bytes()),
            Literal::I128(v) => out.extend_from_slice(&v.to_le_bytes()),
            Literal::Str(v) | Literal::String(v) => out.extend_from_slice(v.as_bytes()),
            Literal::Bytes(v) => out.extend_from_slice(v),
        }
    }

    /// `None` where the data do not spell a value of the kind.
    pub fn from_data(kind: LiteralKind, data: &[u8]) -> Option<Literal> {
        fn number<const N: usize>(data: &[u8]) -> Option<[u8; N]> {
            data.try_into().ok()
        }
        Some(match kind {
            LiteralKind::Unit => {
                number::<0>(data)?;
                Literal::Unit
            }
            LiteralKind::Bool => match data {
                [0] => Literal::Bool(false),
                [1] => Literal::Bool(true),
                _ => return None,
            },
            LiteralKind::Char => Literal::Char(char::from_u32(u32::from_le_bytes(number(data)?))?),
            LiteralKind::U8 => Literal::U8(u8::from_le_bytes(number(data)?)),
            LiteralKind::U16 => Literal::U16(u16::from_le_bytes(number(data)?)),
            LiteralKind::U32 => Literal::U32(u32::from_le_bytes(number(data)?)),
            LiteralKind::U64 => Literal::U64(u64::from_le_bytes(number(data)?)),
            LiteralKind::U128 => Literal::U128(u128::from_le_bytes(number(data)?)),
            LiteralKind::Usize => Literal::Usize(u64::from_le_bytes(number(data)?)),
            LiteralKind::I8 => Literal::I8(i8::from_le_bytes(number(data)?)),
            LiteralKind::I16 => Literal::I16(i16::from_le_bytes(number(data)?)),
            LiteralKind::I32 => Literal::I32(i32::from_le_bytes(number(data)?)),
            LiteralKind::I64 => Literal::I64(i64::from_le_bytes(number(data)?)),
            LiteralKind::I128 => Literal::I128(i128::from_le_bytes(number(data)?)),
            LiteralKind::Isize => Literal::Isize(i64::from_le_bytes(number(data)?)),
            LiteralKind::F32 => Literal::F32(u32::from_le_bytes(number(data)?)),
            LiteralKind::F64 => Literal::F64(u64::from_le_bytes(number(data)?)),
            LiteralKind::Str => Literal::Str(String::from_utf8(data.to_vec()).ok()?),
            LiteralKind::String => Literal::String(String::from_utf8(data.to_vec()).ok()?),
            LiteralKind::Bytes => Literal::Bytes(data.to_vec()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_survives_its_own_data() {
        let all = [
            Literal::Unit,
            Literal::Bool(true),
            Literal::Char('ß'),
            Literal::U8(200),
            Literal::U16(60000),
            Literal::U32(u32::MAX),
            Literal::U64(u64::MAX),
            Literal::U128(u128::MAX - 1),
            Literal::Usize(7),
            Literal::I8(-1),
            Literal::I16(-300),
            Literal::I32(i32::MIN),
            Literal::I64(i64::MIN),
            Literal::I128(i128::MIN),
            Literal::Isize(-5),
            Literal::F32(f32::NAN.to_bits()),
            Literal::F64((-0.0f64).to_bits()),
            Literal::Str("a\u{301}\0".into()),
            Literal::String(String::new()),
            Literal::Bytes(vec![0, 255]),
        ];
        for (literal, kind) in all.into_iter().zip(LiteralKind::ALL) {
            assert_eq!(literal.kind(), kind);
            let mut data = Vec::new();
            literal.write_data(&mut data);
            if let Some(size) = kind.data_size() {
                assert_eq!(data.len(), size, "{kind:?}");
            }
            assert_eq!(Literal::from_data(kind, &data), Some(literal));
            assert_eq!(LiteralKind::from_code(kind as u32), Some(kind));
        }
        assert_eq!(Literal::from_data(LiteralKind::Char, &0xD800u32.to_le_bytes()), None);
        assert_eq!(Literal::from_data(LiteralKind::Str, &[0xff]), None);
    }
}
