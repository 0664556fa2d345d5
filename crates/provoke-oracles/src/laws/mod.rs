//! What hand-written impls of std traits must keep.

pub mod borrow_compares_alike;
pub mod borrow_equals_alike;
pub mod borrow_hashes_alike;
pub mod both_ends;
pub mod clone_equals;
pub mod clone_independent;
pub mod count_steps;
pub mod double_ended;
pub mod eq_reflexive;
pub mod eq_symmetric;
pub mod eq_transitive;
pub mod exact_size;
pub mod exclusive_borrows;
pub mod fused;
pub mod hash_agrees;
pub mod last_steps;
pub mod ne_is_not_eq;
pub mod nth_steps;
pub mod ord_agrees_with_eq;
pub mod ord_antisymmetric;
pub mod ord_operators;
pub mod ord_total;
pub mod ord_transitive;
pub mod size_hint;
pub mod size_hint_most;
