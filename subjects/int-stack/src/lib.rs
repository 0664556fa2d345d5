//! A stack of integers with a fixed capacity.
//!
//! A port of `INT_STACK`, listing 1 of *Using Contracts and Boolean Queries to Improve the Quality
//! of Automatic Test Generation* (Liu, Meyer, Schoeller, TAP 2007), complete and correct. What the original forbids by preconditions is refused by value here;
//! its class invariant is checked after every change.
//!
//! ```
//! use int_stack::IntStack;
//!
//! let mut stack = IntStack::new(2).unwrap();
//! assert!(stack.push(1) && stack.push(2) && !stack.push(3));
//! assert!(stack.is_full());
//! assert_eq!(stack.pop(), Some(2));
//! ```

/// A stack for a fixed number of integers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IntStack {
    capacity: usize,
    items: Vec<i32>,
}

impl IntStack {
    /// Makes an empty stack for `capacity` integers; `None` if that is 0. Memory is taken only as
    /// it is needed.
    pub fn new(capacity: usize) -> Option<Self> {
        if capacity == 0 {
            return None;
        }
        let stack = IntStack {
            capacity,
            items: Vec::new(),
        };
        stack.check();
        Some(stack)
    }

    /// Puts `item` on top; `false`, and no change, if the stack is full.
    pub fn push(&mut self, item: i32) -> bool {
        if self.is_full() {
            return false;
        }
        self.items.push(item);
        self.check();
        true
    }

    /// Takes the top integer off; `None` if the stack is empty.
    pub fn pop(&mut self) -> Option<i32> {
        let top = self.items.pop();
        self.check();
        top
    }

    /// The top integer; `None` if the stack is empty.
    pub fn top(&self) -> Option<i32> {
        self.items.last().copied()
    }

    /// The number of integers on the stack.
    pub fn count(&self) -> usize {
        self.items.len()
    }

    /// The number of integers that fit altogether.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Whether there is nothing on the stack.
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// Whether nothing more fits.
    pub fn is_full(&self) -> bool {
        self.count() == self.capacity
    }

    /// The class invariant.
    fn check(&self) {
        debug_assert!(self.capacity > 0, "there is room for something");
        debug_assert!(self.count() <= self.capacity, "the capacity is kept");
        debug_assert!(
            !(self.is_empty() && self.is_full()),
            "an empty stack is not full"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_without_room_is_refused() {
        assert_eq!(IntStack::new(0), None);
        assert_eq!(IntStack::new(usize::MAX).unwrap().capacity(), usize::MAX);
    }

    #[test]
    fn integers_come_off_in_reverse_order() {
        let mut stack = IntStack::new(3).unwrap();
        for item in [4, 5, 6] {
            assert!(stack.push(item));
            assert_eq!(stack.top(), Some(item));
        }
        assert_eq!(
            [stack.pop(), stack.pop(), stack.pop()],
            [Some(6), Some(5), Some(4)]
        );
        assert_eq!(stack.pop(), None);
        assert_eq!(stack.top(), None);
    }

    #[test]
    fn a_full_stack_refuses_and_stays_the_same() {
        let mut stack = IntStack::new(1).unwrap();
        assert!(stack.is_empty() && !stack.is_full());
        assert!(stack.push(1));
        let before = stack.clone();
        assert!(!stack.push(2));
        assert_eq!(stack, before);
        assert!(!stack.is_empty() && stack.is_full());
        assert_eq!(stack.count(), 1);
    }
}
