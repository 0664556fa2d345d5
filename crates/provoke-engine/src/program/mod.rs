//! Programs as data: what makes one legal, which of two is simpler, and how one becomes another.

pub mod check;
pub mod history;
pub mod integer_literal;
pub mod loans;
pub mod order;
pub mod rebuild;
pub mod retype;
pub mod slice;
pub mod twins;
