//! From suspect to finding: seen again, minimised, judged, and told apart from others.

pub mod blame;
pub mod checkpoint;
pub mod confirmed;
pub mod confirmer;
pub mod judge;
pub mod lead;
pub mod minimizer_check;
pub mod operands;
pub(crate) mod pipeline;
pub mod replayer;
pub mod retirement;
pub mod root_cause;
pub mod site;
