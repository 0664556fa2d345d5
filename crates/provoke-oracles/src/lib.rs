//! What a crate can be accused of: one row, and one file, for every oracle.
//!
//! Rows are data. The engine decides with them, the plan turns those with a [`Law`] into operations, tests print them.

mod clause_kind;
mod contracts;
mod conventions;
mod law;
mod laws;
mod oracle;
mod panics;
mod tracked;

pub use clause_kind::ClauseKind;
pub use contracts::invariant::ORACLE as INVARIANT;
pub use contracts::message::{ContractMessage, message_of_anodized, message_of_contracts};
pub use contracts::postcondition::ORACLE as POSTCONDITION;
pub use contracts::precondition::ORACLE as PRECONDITION;
pub use contracts::probe::ORACLE as PROBE;
pub use contracts::stated_law::ORACLE as STATED_LAW;
pub use contracts::temporal::ORACLE as TEMPORAL;
pub use law::{LAW_BROKEN, Law, LawTrial, LentArgument};
pub use laws::clone_independent::ORACLE as CLONE_INDEPENDENT;
pub use laws::exclusive_borrows::ORACLE as EXCLUSIVE_BORROWS;
pub use oracle::{Oracle, Tier};
pub use panics::crash::ORACLE as CRASH;
pub use panics::debug_assert::ORACLE as DEBUG_ASSERT;
pub use panics::drop_panics::ORACLE as DROP_PANICS;
pub use panics::endless_loop::ORACLE as ENDLESS_LOOP;
pub use panics::error_promised::ORACLE as ERROR_PROMISED;
pub use panics::forbidden_panic::ORACLE as FORBIDDEN_PANIC;
pub use panics::memory_error::ORACLE as MEMORY_ERROR;
pub use panics::observer_panics::ORACLE as OBSERVER_PANICS;
pub use panics::overflow::ORACLE as OVERFLOW;
pub use panics::stack_overflow::ORACLE as STACK_OVERFLOW;
pub use panics::trait_panics::ORACLE as TRAIT_PANICS;
pub use panics::undocumented_panic::ORACLE as UNDOCUMENTED_PANIC;
pub use panics::unreachable::ORACLE as UNREACHABLE;
pub use tracked::double_drop::ORACLE as DOUBLE_DROP;
pub use tracked::leak::ORACLE as LEAK;
pub use tracked::use_after_drop::ORACLE as USE_AFTER_DROP;

/// Every oracle there is.
pub const ORACLES: &[&Oracle] = &[
    &panics::crash::ORACLE,
    &panics::memory_error::ORACLE,
    &panics::stack_overflow::ORACLE,
    &panics::endless_loop::ORACLE,
    &panics::drop_panics::ORACLE,
    &panics::observer_panics::ORACLE,
    &panics::trait_panics::ORACLE,
    &panics::debug_assert::ORACLE,
    &panics::unreachable::ORACLE,
    &panics::error_promised::ORACLE,
    &panics::overflow::ORACLE,
    &panics::undocumented_panic::ORACLE,
    &contracts::precondition::ORACLE,
    &contracts::postcondition::ORACLE,
    &contracts::invariant::ORACLE,
    &contracts::temporal::ORACLE,
    &contracts::stated_law::ORACLE,
    &contracts::probe::ORACLE,
    &tracked::double_drop::ORACLE,
    &tracked::use_after_drop::ORACLE,
    &tracked::leak::ORACLE,
    &panics::forbidden_panic::ORACLE,
    &laws::eq_reflexive::ORACLE,
    &laws::eq_symmetric::ORACLE,
    &laws::eq_transitive::ORACLE,
    &laws::ne_is_not_eq::ORACLE,
    &laws::ord_antisymmetric::ORACLE,
    &laws::ord_transitive::ORACLE,
    &laws::ord_total::ORACLE,
    &laws::ord_agrees_with_eq::ORACLE,
    &laws::ord_operators::ORACLE,
    &laws::hash_agrees::ORACLE,
    &laws::borrow_hashes_alike::ORACLE,
    &laws::borrow_equals_alike::ORACLE,
    &laws::borrow_compares_alike::ORACLE,
    &laws::clone_equals::ORACLE,
    &laws::clone_independent::ORACLE,
    &laws::exclusive_borrows::ORACLE,
    &laws::size_hint::ORACLE,
    &laws::size_hint_most::ORACLE,
    &laws::exact_size::ORACLE,
    &laws::double_ended::ORACLE,
    &laws::both_ends::ORACLE,
    &laws::fused::ORACLE,
    &laws::count_steps::ORACLE,
    &laws::last_steps::ORACLE,
    &laws::nth_steps::ORACLE,
    &conventions::is_empty_agrees::ORACLE,
    &conventions::count_agrees::ORACLE,
    &conventions::capacity_agrees::ORACLE,
    &conventions::text_round_trip::ORACLE,
    &conventions::conversion_round_trip::ORACLE,
];

/// Whether an oracle is about contracts: then its messages are the texts of clauses.
pub fn is_contract(id: &str) -> bool {
    contracts::ALL.iter().any(|oracle| oracle.id == id)
}

/// The oracle with this id.
pub fn oracle(id: &str) -> Option<&'static Oracle> {
    ORACLES.iter().copied().find(|oracle| oracle.id == id)
}

#[cfg(test)]
mod tests;
