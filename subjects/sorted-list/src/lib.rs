//! A list that keeps its elements sorted and gives back the greatest one first.
//!
//! A port of `SortedList`, figure 1 of *Trace-based Reflexive Testing of OO Programs* (Prasetya,
//! Vos, Baars, 2007). The specification is as weak as the original's: the greatest element is
//! remembered apart and is one of the list's, and what [`SortedList::get`] returns is not
//! smaller than what stays.
//!
//! ```
//! use sorted_list::SortedList;
//!
//! let mut list = SortedList::new();
//! list.insert("pear");
//! assert_eq!(list.get(), Some("pear"));
//! assert_eq!(list.get(), None);
//! ```

/// A sorted list with quick access to its greatest element.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SortedList<T> {
    /// In ascending order; equal elements in the order of their arrival.
    items: Vec<T>,
    /// The greatest of `items`.
    max: Option<T>,
}

impl<T: Ord + Clone> SortedList<T> {
    /// Makes an empty list.
    pub fn new() -> Self {
        SortedList {
            items: Vec::new(),
            max: None,
        }
    }

    /// Puts `item` behind all elements that are not greater.
    pub fn insert(&mut self, item: T) {
        let place = self.items.partition_point(|other| *other <= item);
        self.items.insert(place, item.clone());
        if self.max.as_ref().is_none_or(|max| item < *max) {
            self.max = Some(item);
        }
        debug_assert!(self.remembers_an_element(), "max must be in the list");
    }

    /// Takes the greatest element out of the list; `None` if the list is empty.
    pub fn get(&mut self) -> Option<T> {
        let greatest = self.max.take()?;
        if let Some(place) = self.items.iter().position(|item| *item == greatest) {
            self.items.remove(place);
        }
        self.max = self.items.last().cloned();
        debug_assert!(self.remembers_an_element(), "max must be in the list");
        debug_assert!(
            self.items.last().is_none_or(|last| *last <= greatest),
            "no element left may be greater than the one returned"
        );
        Some(greatest)
    }

    /// Whether an element equal to `item` is in the list.
    pub fn contains(&self, item: &T) -> bool {
        self.items.binary_search(item).is_ok()
    }

    /// The class invariant.
    fn remembers_an_element(&self) -> bool {
        match &self.max {
            Some(max) => self.items.contains(max),
            None => self.items.is_empty(),
        }
    }
}

impl<T> SortedList<T> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

impl<T: Ord + Clone> Default for SortedList<T> {
    fn default() -> Self {
        SortedList::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_list_has_nothing_to_give() {
        let mut list = SortedList::<i32>::new();
        assert!(list.is_empty());
        assert_eq!(list.get(), None);
    }

    #[test]
    fn falling_insertions_are_sorted() {
        let mut list = SortedList::new();
        for item in [5, 3, 3, 1] {
            list.insert(item);
        }
        assert_eq!(list.items, [1, 3, 3, 5]);
        assert_eq!(list.len(), 4);
        assert!(list.contains(&3) && !list.contains(&4));
    }

    #[test]
    fn what_went_in_alone_comes_out_again() {
        let mut list = SortedList::new();
        for item in [2, 7, -1] {
            list.insert(item);
            assert_eq!(list.get(), Some(item));
            assert!(list.is_empty());
        }
    }

    #[test]
    fn equal_elements_come_out_one_by_one() {
        let mut list = SortedList::new();
        list.insert(4);
        list.insert(4);
        assert_eq!(list.get(), Some(4));
        assert_eq!(list.get(), Some(4));
        assert_eq!(list.get(), None);
    }
}
