//! What looks random and is the same in every run.

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Chance {
    state: u64,
}

impl Chance {
    /// Any of the items; `None` if there are none.
    pub(crate) fn one_of<T>(&mut self, items: impl IntoIterator<Item = T>) -> Option<T> {
        let mut items = Vec::from_iter(items);
        let place = self.next().checked_rem(items.len())?;
        Some(items.swap_remove(place))
    }

    fn next(&mut self) -> usize {
        // The constants of Knuth's MMIX; the upper bits are the better ones.
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize
    }
}
