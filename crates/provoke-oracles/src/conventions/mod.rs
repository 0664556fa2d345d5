//! What is usual, though no trait asks for it.

pub mod capacity_agrees;
pub mod conversion_round_trip;
pub mod count_agrees;
pub mod is_empty_agrees;
pub mod text_round_trip;
