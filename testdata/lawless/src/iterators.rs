//! `Iterator` and its kin.

use std::iter::FusedIterator;

macro_rules! countdown {
    ($(#[$doc:meta])* $Name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone)]
        pub struct $Name(u8);

        impl $Name {
            pub fn new(start: u8) -> $Name {
                $Name(start % 8)
            }
        }
    };
}

countdown!(
    /// `size-hint`
    Boastful
);

impl Iterator for Boastful {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        self.0 = self.0.checked_sub(1)?;
        Some(self.0)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::from(self.0) + 1, None)
    }
}

countdown!(
    /// `exact-size`: loses count at four.
    Miscounted
);

impl Iterator for Miscounted {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        self.0 = self.0.checked_sub(1)?;
        Some(self.0)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = usize::from(self.0);
        (n, Some(n))
    }
}

impl ExactSizeIterator for Miscounted {
    fn len(&self) -> usize {
        if self.0 == 4 { 5 } else { usize::from(self.0) }
    }
}

/// `double-ended`: the two ends give different things.
#[derive(Debug, Clone)]
pub struct TwoFaced(u8);

impl TwoFaced {
    pub fn new(start: u8) -> TwoFaced {
        TwoFaced(start % 8)
    }
}

impl Iterator for TwoFaced {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        self.0 = self.0.checked_sub(1)?;
        Some(self.0)
    }
}

impl DoubleEndedIterator for TwoFaced {
    fn next_back(&mut self) -> Option<u8> {
        self.next()
    }
}

/// `both-ends`: the ends do not know of each other.
#[derive(Debug, Clone)]
pub struct Crossing(u8, u8);

impl Crossing {
    pub fn new(length: u8) -> Crossing {
        Crossing(0, length % 8)
    }
}

impl Iterator for Crossing {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        (self.0 < 4).then(|| {
            self.0 += 1;
            self.0 - 1
        })
    }
}

impl DoubleEndedIterator for Crossing {
    fn next_back(&mut self) -> Option<u8> {
        self.1 = self.1.min(4).checked_sub(1)?;
        Some(self.1)
    }
}

countdown!(
    /// `fused`: starts again after its end.
    Restless
);

impl Iterator for Restless {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        if self.0 == 0 {
            self.0 = 7;
            return None;
        }
        self.0 -= 1;
        Some(self.0)
    }
}

impl FusedIterator for Restless {}

countdown!(
    /// `count-steps`, `last-steps` and `nth-steps`
    Shortcut
);

impl Iterator for Shortcut {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        self.0 = self.0.checked_sub(1)?;
        Some(self.0)
    }

    fn count(self) -> usize {
        usize::from(self.0.saturating_sub(1))
    }

    fn last(self) -> Option<u8> {
        (self.0 > 0).then_some(1)
    }

    fn nth(&mut self, n: usize) -> Option<u8> {
        self.0 = self.0.checked_sub(n as u8)?;
        Some(self.0)
    }
}
