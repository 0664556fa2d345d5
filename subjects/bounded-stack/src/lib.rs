//! A stack of integers that holds only so many.
//!
//! A port of `BoundedStack`, figures 1 and 2 of *Random Testing for Higher-Order, Stateful
//! Programs* (Klein, Flatt, Findler, OOPSLA 2010), without its observers. As there,
//! [`BoundedStack::capacity`] is the room that is left, and decides whether a push is possible;
//! a push that does not fit hands the item back instead of being forbidden.
//!
//! ```
//! use bounded_stack::BoundedStack;
//!
//! let mut stack = BoundedStack::new(3);
//! stack.push_n(2, 7)?;
//! assert_eq!(stack.pop(), Some(7));
//! # Ok::<(), i32>(())
//! ```

/// A stack with an upper bound on the number of its items.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BoundedStack {
    bound: u8,
    items: Vec<i32>,
}

impl BoundedStack {
    /// Makes an empty stack for at most `bound` items.
    pub fn new(bound: u8) -> Self {
        BoundedStack {
            bound,
            items: Vec::new(),
        }
    }

    /// Puts `item` on top; `Err(item)` if there is no room for it.
    pub fn push(&mut self, item: i32) -> Result<(), i32> {
        self.push_n(1, item)?;
        debug_assert!(!self.is_empty(), "something was just pushed");
        Ok(())
    }

    /// Puts `n` copies of `item` on top; `Err(item)`, and no change, if there is no room for all.
    pub fn push_n(&mut self, n: usize, item: i32) -> Result<(), i32> {
        if n > self.capacity() {
            return Err(item);
        }
        self.items.extend(std::iter::repeat_n(item, n));
        debug_assert!(
            self.items.len() <= usize::from(self.bound),
            "the stack never holds more than its bound"
        );
        Ok(())
    }

    /// Takes the top item off; `None` if the stack is empty.
    pub fn pop(&mut self) -> Option<i32> {
        self.items.pop()
    }

    /// The top item.
    pub fn peek(&self) -> Option<i32> {
        self.items.last().copied()
    }

    /// How many more items fit.
    pub fn capacity(&self) -> usize {
        (isize::from(self.bound) - self.top()) as usize
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.top() == -1
    }

    /// The index of the top item, -1 for an empty stack.
    fn top(&self) -> isize {
        self.items.len() as isize - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_off_in_reverse_order() {
        let mut stack = BoundedStack::new(3);
        for item in [1, 2, 3] {
            assert_eq!(stack.push(item), Ok(()));
            assert_eq!(stack.peek(), Some(item));
        }
        assert_eq!(stack.len(), 3);
        assert_eq!(
            [stack.pop(), stack.pop(), stack.pop()],
            [Some(3), Some(2), Some(1)]
        );
        assert_eq!(stack.pop(), None);
        assert!(stack.is_empty());
    }

    #[test]
    fn many_copies_go_on_at_once() {
        let mut stack = BoundedStack::new(255);
        assert_eq!(stack.push_n(200, 9), Ok(()));
        assert_eq!(stack.len(), 200);
        assert_eq!(stack.peek(), Some(9));
        assert_eq!(stack.push_n(0, 1), Ok(()));
        assert_eq!(stack.peek(), Some(9));
    }

    #[test]
    fn far_too_many_copies_are_handed_back() {
        let mut stack = BoundedStack::new(5);
        assert_eq!(stack.push_n(usize::MAX, 4), Err(4));
        assert!(stack.is_empty());
    }
}
