//! Literals made from the data of a program. Text and bytes behind `'static` references are leaked, each once.

use std::collections::HashSet;

use provoke_wire::LiteralKind;

use crate::look::hasher::FixedState;
use crate::measure::allocator;

/// A worker that has leaked more than this asks to be replaced.
const LEAK_LIMIT: usize = 64 << 20;

/// The leaked texts; a `&'static str` may be kept by the code under test for as long as the process lives.
#[derive(Default)]
pub(crate) struct Literals {
    texts: HashSet<&'static str, FixedState>,
    bytes: HashSet<&'static [u8], FixedState>,
    n_leaked: usize,
}

impl Literals {
    pub fn wants_renewal(&self) -> bool {
        self.n_leaked > LEAK_LIMIT
    }

    /// Writes the literal to `out`; `false` if the data do not spell one.
    ///
    /// # Safety
    /// `out` has room and alignment for the type of `kind`.
    pub unsafe fn write(&mut self, kind: LiteralKind, data: &[u8], out: *mut u8) -> bool {
        if let Some(size) = kind.data_size() {
            let is_valid = data.len() == size
                && match kind {
                    LiteralKind::Bool => data[0] <= 1,
                    LiteralKind::Char => {
                        char::from_u32(u32::from_le_bytes([data[0], data[1], data[2], data[3]])).is_some()
                    }
                    _ => true,
                };
            if is_valid {
                // Both supported processors are little-endian with 64-bit words: the data are the value.
                unsafe { out.copy_from_nonoverlapping(data.as_ptr(), size) };
            }
            return is_valid;
        }
        if kind == LiteralKind::Bytes {
            let bytes = match self.bytes.get(data) {
                Some(bytes) => bytes,
                None => self.leak_bytes(data),
            };
            unsafe { out.cast::<&'static [u8]>().write(bytes) };
            return true;
        }
        let Ok(text) = std::str::from_utf8(data) else {
            return false;
        };
        if kind == LiteralKind::String {
            unsafe { out.cast::<String>().write(text.to_owned()) };
        } else {
            let text = match self.texts.get(text) {
                Some(text) => text,
                None => self.leak_text(text),
            };
            unsafe { out.cast::<&'static str>().write(text) };
        }
        true
    }

    #[cold]
    fn leak_bytes(&mut self, data: &[u8]) -> &'static [u8] {
        allocator::unattributed(|| {
            let leaked: &'static [u8] = Box::leak(data.into());
            self.bytes.insert(leaked);
            self.n_leaked += leaked.len();
            leaked
        })
    }

    #[cold]
    fn leak_text(&mut self, text: &str) -> &'static str {
        allocator::unattributed(|| {
            let leaked: &'static str = Box::leak(text.into());
            self.texts.insert(leaked);
            self.n_leaked += leaked.len();
            leaked
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::MaybeUninit;

    fn made<T>(literals: &mut Literals, kind: LiteralKind, data: &[u8]) -> Option<T> {
        let mut out = MaybeUninit::<T>::uninit();
        // Each test asks for the type of the kind.
        unsafe {
            let is_made = literals.write(kind, data, out.as_mut_ptr().cast());
            is_made.then(|| out.assume_init())
        }
    }

    #[test]
    fn the_same_text_is_leaked_once() {
        let mut literals = Literals::default();
        let first: &str = made(&mut literals, LiteralKind::Str, b"text").unwrap();
        let second: &str = made(&mut literals, LiteralKind::Str, b"text").unwrap();
        assert_eq!((first, first.as_ptr()), ("text", second.as_ptr()));
        let bytes: &[u8] = made(&mut literals, LiteralKind::Bytes, b"\xff").unwrap();
        assert_eq!(bytes, [255]);
        assert_eq!(literals.n_leaked, 5);
    }

    #[test]
    fn data_that_spell_no_value_are_refused() {
        let mut literals = Literals::default();
        assert_eq!(made::<bool>(&mut literals, LiteralKind::Bool, &[2]), None);
        assert_eq!(made::<u16>(&mut literals, LiteralKind::U16, &[2]), None);
        let surrogate = 0xd800u32.to_le_bytes();
        assert_eq!(made::<char>(&mut literals, LiteralKind::Char, &surrogate), None);
        assert_eq!(made::<&str>(&mut literals, LiteralKind::Str, &[0xff]), None);
        assert_eq!(made::<String>(&mut literals, LiteralKind::String, &[0xff]), None);
        assert_eq!(made(&mut literals, LiteralKind::I16, &[254, 255]), Some(-2i16));
        assert_eq!(made(&mut literals, LiteralKind::Unit, &[]), Some(()));
    }
}
