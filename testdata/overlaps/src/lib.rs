//! What is lent to two at once.

/// `exclusive-borrows`: both halves hold the middle.
#[derive(Debug)]
pub struct Halves(Vec<u8>);

impl Halves {
    pub fn new(bytes: Vec<u8>) -> Halves {
        Halves(bytes)
    }

    /// The first and the last byte, which are the same one if there is only one.
    pub fn ends(&mut self) -> Option<(&mut u8, &mut u8)> {
        let last = self.0.len().checked_sub(1)?;
        let bytes = self.0.as_mut_ptr();
        // Wrong on purpose: nothing checks that the two differ.
        Some(unsafe { (&mut *bytes, &mut *bytes.add(last)) })
    }

    /// The same, done right.
    pub fn two(&mut self) -> Option<(&mut u8, &mut u8)> {
        let (first, rest) = self.0.split_first_mut()?;
        Some((first, rest.last_mut()?))
    }
}

/// `exclusive-borrows`: an iterator that does not get past the last byte.
#[derive(Debug)]
pub struct Stuck<'a> {
    bytes: &'a mut [u8],
    at: usize,
}

impl<'a> Stuck<'a> {
    pub fn new(bytes: &'a mut [u8]) -> Stuck<'a> {
        Stuck { bytes, at: 0 }
    }

    pub fn step(&mut self) -> Option<&'a mut u8> {
        let at = self.at.min(self.bytes.len().checked_sub(1)?);
        self.at = at + 1;
        // Wrong on purpose: the last byte is given out again and again.
        Some(unsafe { &mut *self.bytes.as_mut_ptr().add(at) })
    }
}

/// `exclusive-borrows`: who has peeked still holds what is taken afterwards.
#[derive(Debug)]
pub struct Peeking<'a> {
    numbers: &'a mut [u16],
}

impl<'a> Peeking<'a> {
    pub fn new(numbers: &'a mut [u16]) -> Peeking<'a> {
        Peeking { numbers }
    }

    /// Wrong on purpose: what it lends outlives the loan of `self`.
    pub fn peek(&self) -> Option<&'a u16> {
        self.numbers.first().map(|number| unsafe { &*std::ptr::from_ref(number) })
    }

    pub fn take(&mut self) -> Option<&'a mut u16> {
        let (first, rest) = std::mem::take(&mut self.numbers).split_first_mut()?;
        self.numbers = rest;
        Some(first)
    }
}
