//! A sorted list that gives out its greatest item first.

/// Items in ascending order, of which the greatest is remembered.
#[derive(Debug)]
pub struct SortedList {
    items: Vec<i32>,
    max: Option<i32>,
    is_open: bool,
}

impl SortedList {
    /// An empty list, which is open.
    pub fn new() -> SortedList {
        SortedList { items: Vec::new(), max: None, is_open: true }
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Puts `item` behind all items that are not greater.
    pub fn insert(&mut self, item: i32) {
        let place = self.items.partition_point(|other| *other <= item);
        self.items.insert(place, item);
        if self.max.is_none_or(|max| item < max) {
            self.max = Some(item);
        }
    }

    /// Takes the greatest item out of the list.
    pub fn get(&mut self) -> i32 {
        let greatest = self.max.expect("there is an item");
        self.items.retain(|item| *item != greatest);
        self.max = Some(self.items[self.items.len() - 1]);
        greatest
    }

    /// Takes one `item` out of an open list, and says whether there was one.
    pub fn remove(&mut self, item: i32) -> bool {
        match self.items.binary_search(&item) {
            Ok(place) if self.is_open => {
                self.items.remove(place);
                true
            }
            _ => false,
        }
    }

    /// From now on the list does not change. `get` still gives out the greatest item, but leaves it.
    pub fn close(&mut self) {
        self.is_open = false;
    }

    /// Whether the ranges of both lists have something in common.
    pub fn overlaps(&self, other: &SortedList) -> bool {
        self.items.first() <= other.items.last()
    }
}
