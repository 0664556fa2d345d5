//! The list with its contract in the words of the crate `contracts`.

use contracts::invariant;

/// A sorted list that remembers its greatest element, and can be closed.
#[derive(Debug, Clone)]
pub struct SortedList<T> {
    /// In ascending order.
    items: Vec<T>,
    max: Option<T>,
    is_open: bool,
}

#[invariant(self.items.is_empty() || self.max.as_ref().is_some_and(|max| self.items.contains(max)))]
impl<T: Ord + Clone> SortedList<T> {
    /// An empty list, which is open.
    pub fn new() -> Self {
        SortedList { items: Vec::new(), max: None, is_open: true }
    }

    /// Puts `item` behind all elements that are not greater.
    pub fn insert(&mut self, item: T) {
        let place = self.items.partition_point(|other| *other <= item);
        self.items.insert(place, item.clone());
        if self.max.as_ref().is_none_or(|max| item < *max) {
            self.max = Some(item);
        }
    }

    /// Takes the greatest element out of the list.
    #[requires(!self.items.is_empty())]
    #[ensures(self.items.last().is_none_or(|last| *last <= ret))]
    pub fn get(&mut self) -> T {
        let greatest = self.max.take().expect("a list with elements has a greatest one");
        self.items.retain(|item| *item != greatest);
        self.max = Some(self.items[self.items.len() - 1].clone());
        greatest
    }

    /// From now on the list is not to change.
    pub fn close(&mut self) {
        self.is_open = false;
    }
}

impl<T: Ord + Clone> Default for SortedList<T> {
    fn default() -> Self {
        SortedList::new()
    }
}

/// What is there for `cargo provoke` alone.
impl<T: Ord + Clone + 'static> SortedList<T> {
    /// What is in a closed list stays as it is.
    #[provoke::temporal]
    fn stays_as_it_is_when_closed(&self, watch: &mut provoke::Watch) {
        watch.unchanged_unless((self.items.clone(), self.max.clone()), self.is_open);
    }

    /// Nobody takes out more than was put in.
    #[provoke::model]
    fn no_more_gets_than_inserts(&self, step: provoke::Step<'_>, delta: &mut i32) -> bool {
        match step.name {
            "insert" => *delta += 1,
            "get" => *delta -= 1,
            _ => {}
        }
        *delta >= 0
    }

    /// Puts in the greatest element once more: it is there at least twice then, at the end.
    #[provoke::probe]
    fn insert_max_again(&mut self) {
        if let Some(max) = self.max.clone() {
            self.insert(max.clone());
            let n = self.items.len();
            assert!(self.items[n - 1] == max && self.items[n - 2] == max, "the greatest comes last");
        }
    }
}
