//! Values that the target compared something with lately, for random changes to draw from.

use provoke_wire::{Comparison, Literal, Operands};

use crate::hash::seen::WordHash;

/// Beyond this number, the oldest goes.
const MAX_VALUES: usize = 256;

#[derive(Clone, Debug, Default)]
pub(crate) struct Compared {
    values: Vec<Literal>,
    /// By value. Comparisons are many and mostly the same, so no value is made before its hash was looked up.
    hashes: Vec<u64>,
    /// Which one is replaced next.
    oldest: usize,
}

impl Compared {
    pub(crate) fn values(&self) -> &[Literal] {
        &self.values
    }

    pub(crate) fn clear(&mut self) {
        *self = Compared::default();
    }

    pub(crate) fn add(&mut self, comparison: &Comparison) {
        match &comparison.operands {
            Operands::Numbers { a, b, .. } => [a, b].into_iter().for_each(|value| self.add_number(*value)),
            Operands::Case { case, .. } => self.add_number(*case),
            Operands::Bytes { a, b } => [a, b].into_iter().for_each(|bytes| self.add_text(bytes)),
        }
    }

    fn add_number(&mut self, value: u64) {
        let mut hash = WordHash::default();
        hash.add(value);
        self.add_unless_known(hash, || Some(Literal::U64(value)));
    }

    fn add_text(&mut self, bytes: &[u8]) {
        let mut hash = WordHash::default();
        hash.bytes(bytes);
        self.add_unless_known(hash, || String::from_utf8(bytes.to_vec()).ok().map(Literal::Str));
    }

    fn add_unless_known(&mut self, hash: WordHash, value: impl FnOnce() -> Option<Literal>) {
        let hash = hash.finish();
        if self.hashes.contains(&hash) {
            return;
        }
        let Some(value) = value() else { return };
        if self.values.len() < MAX_VALUES {
            self.values.push(value);
            self.hashes.push(hash);
        } else {
            self.values[self.oldest] = value;
            self.hashes[self.oldest] = hash;
            self.oldest = (self.oldest + 1) % MAX_VALUES;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(a: u64, b: u64) -> Comparison {
        Comparison { site: 0, statement: 0, operands: Operands::Numbers { n_bytes: 8, a, b } }
    }

    #[test]
    fn each_value_is_there_once_and_the_oldest_goes() {
        let mut compared = Compared::default();
        compared.add(&numbers(7, 8));
        compared.add(&numbers(8, 7));
        let text = Operands::Bytes { a: b"magic".to_vec(), b: vec![0xff] };
        compared.add(&Comparison { site: 0, statement: 0, operands: text });
        assert_eq!(compared.values(), [Literal::U64(7), Literal::U64(8), Literal::Str("magic".into())]);
        for number in 1000..1000 + MAX_VALUES as u64 - 2 {
            compared.add(&numbers(number, number));
        }
        assert_eq!(compared.values().len(), MAX_VALUES);
        assert!(!compared.values().contains(&Literal::U64(7)));
        assert!(compared.values().contains(&Literal::U64(8)));
    }
}
