//! How programs come about: built from nothing, changed at random, or aimed at a comparison.

pub mod aim;
pub mod argument_constants;
pub mod builder;
pub mod components;
pub mod cost_limits;
pub mod literals;
pub mod mutate;
