//! What is known of types: what implements what, which instances there are, and how they are written.

pub mod abilities;
pub mod catalog;
pub mod choose;
pub mod facts;
pub mod instances;
pub mod prelude;
pub mod render;
pub mod skip_reason;
pub mod solve;
pub mod subst;
pub mod tracked;
pub mod type_name;
pub mod types_by_hand;
