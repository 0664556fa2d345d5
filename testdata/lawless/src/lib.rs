//! One type for each law that can be broken; its documentation names the oracle that has to notice.

pub mod comparisons;
pub mod containers;
pub mod copies;
pub mod iterators;
pub mod orders;
