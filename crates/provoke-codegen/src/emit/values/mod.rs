//! Values in a test: literals, tracked elements, and what is asserted of a value.

pub mod check;
pub mod element;
pub mod escape;
pub mod literal;
pub mod observed_value;
