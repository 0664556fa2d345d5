//! The corpus: programs that are kept because they made a new value, reached something first, or show what a function does.

pub mod witnesses;

use serde::{Deserialize, Serialize};

use crate::api::Api;
use crate::generate::components::Components;
use crate::regression::exemplars::Exemplars;
use crate::saved_forms::RestoreError;
use crate::search::corpus::witnesses::Witnesses;

#[derive(Clone, Serialize, Deserialize)]
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

    /// Takes over what was saved about the same API.
    pub fn restore(&mut self, api: &Api, saved: Corpus) -> Result<(), RestoreError> {
        self.components.restore(api, saved.components)?;
        self.witnesses.restore(api, saved.witnesses)?;
        self.exemplars.restore(api, saved.exemplars)
    }
}
