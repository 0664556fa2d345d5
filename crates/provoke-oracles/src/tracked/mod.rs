//! Elements that count their own births, drops and uses; the engine's rules turn their faults into these rows.

pub mod double_drop;
pub mod leak;
pub mod use_after_drop;
