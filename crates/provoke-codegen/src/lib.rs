//! From a model to a harness, and from a program back to Rust source. No I/O here.

mod emit;
mod harness;
mod plan;
mod types;

pub use emit::values::observed_value::ObservedValue;
pub use emit::{
    Ability, Check, Claim, Style, Suite, SuiteLine, SuiteTest, TestEnding, TestInput, emit_statements, emit_suite,
    emit_test, should_panic,
};
pub use harness::{HarnessSource, Line};
pub use plan::builtins::{AbilityQuery, Builtins, builtins};
pub use plan::by_hand::{ValueByHand, operation_by_hand, value_by_hand};
pub use plan::op::{Guard, OpText, PlannedFlow, PlannedOp};
pub use plan::{Plan, plan, plan_telling};
pub use types::render::raw;
pub use types::skip_reason::SkipReason;
pub use types::subst::has_impl_trait;
pub use types::type_name::{TypeName, snake_case};
pub use types::types_by_hand::{NameError, add_types_by_hand, check_trait_path, check_type};
