//! The corpus: programs that are kept because they made a new value, reached something first, or show what a function does.

pub mod witnesses;

use crate::generate::components::Components;
use crate::regression::exemplars::Exemplars;
use crate::search::corpus::witnesses::Witnesses;

pub(crate) struct Corpus {
    /// What programs are built from.
    pub components: Components,
    /// What programs are changed from.
    pub witnesses: Witnesses,
    /// What regression tests are made from.
    pub exemplars: Exemplars,
}

impl Corpus {
    pub fn new(n_types: usize, max_component_bytes: usize, is_selected: &[bool]) -> Corpus {
        Corpus {
            components: Components::new(n_types, max_component_bytes),
            witnesses: Witnesses::default(),
            exemplars: Exemplars::new(is_selected),
        }
    }
}
