//! The stack of a polynomial calculator.

use std::cell::RefCell;
use std::rc::Rc;

use crate::Poly;

/// A stack of polynomials with arithmetic on its top two.
#[derive(Debug, PartialEq, Eq)]
pub struct PStack {
    stack: Rc<RefCell<Vec<Poly>>>,
    /// How many polynomials are on the stack: the length of `stack`.
    size: usize,
    limit: usize,
}

impl PStack {
    /// Makes an empty stack for at most ten polynomials.
    pub fn new() -> Self {
        PStack::with_limit(10)
    }

    /// Makes an empty stack for at most `limit` polynomials.
    pub fn with_limit(limit: usize) -> Self {
        PStack {
            stack: Rc::default(),
            size: 0,
            limit,
        }
    }

    /// Puts `poly` on top; `Err(poly)` if the stack is full.
    pub fn push(&mut self, poly: Poly) -> Result<(), Poly> {
        if self.size >= self.limit {
            return Err(poly);
        }
        let mut stack = self.stack.borrow_mut();
        stack.push(poly);
        self.size += 1;
        debug_assert!(
            self.size == stack.len(),
            "size must be the number of polynomials on the stack"
        );
        Ok(())
    }

    /// Takes the top polynomial off; `None` if the stack is empty.
    pub fn pop(&mut self) -> Option<Poly> {
        self.size = self.size.checked_sub(1)?;
        self.stack.borrow_mut().pop()
    }

    /// Replaces the top two polynomials by their sum; `false`, and no change, if there are fewer
    /// or a coefficient does not fit.
    pub fn add(&mut self) -> bool {
        self.replace_top_two(Poly::checked_add)
    }

    /// Replaces the top two polynomials by the lower one minus the top one; `false`, and no
    /// change, if there are fewer or a coefficient does not fit.
    pub fn sub(&mut self) -> bool {
        self.replace_top_two(Poly::checked_sub)
    }

    /// A stack with the same polynomials and the same limit.
    pub fn copy(&self) -> PStack {
        PStack {
            stack: Rc::clone(&self.stack),
            size: self.size,
            limit: self.limit,
        }
    }

    /// The number of polynomials.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether there are no polynomials.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    fn replace_top_two(&mut self, combine: fn(&Poly, &Poly) -> Option<Poly>) -> bool {
        let mut stack = self.stack.borrow_mut();
        let [.., below, top] = stack.as_mut_slice() else {
            return false;
        };
        let Some(combined) = combine(below, top) else {
            return false;
        };
        *below = combined;
        stack.pop();
        self.size = self.size.saturating_sub(1);
        true
    }
}

impl Default for PStack {
    fn default() -> Self {
        PStack::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mono, Rat};

    fn constant(value: i32) -> Poly {
        Poly::from(Mono::new(Rat::from(value), 0))
    }

    #[test]
    fn a_full_stack_hands_the_polynomial_back() {
        let mut stack = PStack::with_limit(1);
        assert_eq!(stack.push(constant(1)), Ok(()));
        assert_eq!(stack.push(constant(2)), Err(constant(2)));
        assert_eq!(stack.pop(), Some(constant(1)));
        assert_eq!(stack.pop(), None);
        assert!(stack.is_empty());
    }

    #[test]
    fn arithmetic_replaces_the_top_two() {
        let mut stack = PStack::new();
        assert!(!stack.add());
        for value in [10, 5, 3] {
            stack.push(constant(value)).unwrap();
        }
        assert!(stack.sub());
        assert!(stack.add());
        assert!(!stack.sub());
        assert_eq!(stack.len(), 1);
        assert_eq!(stack.pop(), Some(constant(12)));
    }

    #[test]
    fn a_copy_holds_the_same() {
        let mut stack = PStack::new();
        stack.push(constant(4)).unwrap();
        let copy = stack.copy();
        assert_eq!(copy, stack);
        assert_eq!(copy.len(), 1);
    }
}
