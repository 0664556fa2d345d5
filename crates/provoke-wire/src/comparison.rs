//! What code under test compared while a program ran, as far as it was asked for.

use crate::bytes::{DecodeError, Reader, Writer};

/// Operands that are longer are cut.
pub const MAX_COMPARED_BYTES: usize = 64;

/// One comparison, before it was decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Which instruction made it; the same in every process of one worker.
    pub site: u32,
    /// Of the main body: during which it was made.
    pub statement: u32,
    pub operands: Operands,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operands {
    /// Two numbers of so many bytes, whether signed or not.
    Numbers { n_bytes: u8, a: u64, b: u64 },
    /// A value that is looked up among cases, of which this is one.
    Case { n_bytes: u8, value: u64, case: u64 },
    /// The beginnings of two ranges of memory that are compared up to the same length.
    Bytes { a: Vec<u8>, b: Vec<u8> },
}

const NUMBERS: u8 = 0;
const CASE: u8 = 1;
const BYTES: u8 = 2;

impl Comparison {
    pub(crate) fn encode(&self, writer: &mut Writer) {
        writer.u32(self.site);
        writer.u32(self.statement);
        let mut numbers = |kind: u8, n_bytes: u8, a: u64, b: u64| {
            writer.u8(kind);
            writer.u8(n_bytes);
            writer.u64(a);
            writer.u64(b);
        };
        match &self.operands {
            Operands::Numbers { n_bytes, a, b } => numbers(NUMBERS, *n_bytes, *a, *b),
            Operands::Case { n_bytes, value, case } => numbers(CASE, *n_bytes, *value, *case),
            Operands::Bytes { a, b } => {
                writer.u8(BYTES);
                writer.blob(a);
                writer.blob(b);
            }
        }
    }

    pub(crate) fn decode(reader: &mut Reader<'_>) -> Result<Comparison, DecodeError> {
        let (site, statement) = (reader.u32("comparison")?, reader.u32("comparison")?);
        let kind = reader.u8("comparison")?;
        let operands = match kind {
            NUMBERS | CASE => {
                let n_bytes = reader.u8("comparison")?;
                if ![1, 2, 4, 8].contains(&n_bytes) {
                    return Err(reader.error("comparison"));
                }
                let (a, b) = (reader.u64("comparison")?, reader.u64("comparison")?);
                match kind {
                    NUMBERS => Operands::Numbers { n_bytes, a, b },
                    _ => Operands::Case { n_bytes, value: a, case: b },
                }
            }
            BYTES => {
                let (a, b) = (reader.blob("comparison")?.to_vec(), reader.blob("comparison")?.to_vec());
                if a.len() > MAX_COMPARED_BYTES || a.len() != b.len() {
                    return Err(reader.error("comparison"));
                }
                Operands::Bytes { a, b }
            }
            _ => return Err(reader.error("comparison")),
        };
        Ok(Comparison { site, statement, operands })
    }
}
