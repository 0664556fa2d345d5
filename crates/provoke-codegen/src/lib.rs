//! From a model to a harness, and from a program back to Rust source. No I/O here.

mod abilities;
mod builtins;
mod by_hand;
mod catalog;
mod choose;
mod emit;
mod facts;
mod flows;
mod harness;
mod hindrance;
mod instances;
mod observed_value;
mod op;
mod plan;
mod prelude;
mod render;
mod solve;
mod spell;
mod subst;
mod tracked;
mod type_name;
mod types_by_hand;

pub use builtins::{Builtins, Probe, builtins};
pub use by_hand::{ValueByHand, operation_by_hand, value_by_hand};
pub use emit::{
    Ability, Check, Claim, Style, Suite, SuiteLine, SuiteTest, TestEnding, TestInput, emit_statements, emit_suite,
    emit_test, should_panic,
};
pub use harness::{HarnessSource, Line};
pub use hindrance::Hindrance;
pub use observed_value::ObservedValue;
pub use op::{Guard, OpText, PlannedFlow, PlannedOp, Role};
pub use plan::{POINT, Plan, UNSPECIFIED, WATCH_FINISH, WATCH_KEPT, WATCH_NEW, plan, plan_telling};
pub use render::raw;
pub use subst::has_impl_trait;
pub use type_name::{TypeName, snake_case};
pub use types_by_hand::{NameError, add_types_by_hand, check_trait_path, check_type};
