//! What a search knows of the target: what was reached, how much may be left, and which values it compared.

pub mod compared;
pub mod discovery;
pub mod edge_map;
