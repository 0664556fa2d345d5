//! What a confirmer knows, for a saved run.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::confirm::confirmed::Confirmed;
use crate::confirm::confirmer::Confirmer;
use crate::confirm::pipeline::PipelineState;
use crate::results::growth::Growth;

/// At a checkpoint of the search: all that was looked into.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ConfirmerState {
    pub search_seconds: f64,
    minimize_seconds: f64,
    n_batches: u64,
    intake: Vec<(u64, u32)>,
    pipeline: PipelineState,
    released: Vec<Confirmed>,
    growth: Growth,
}

impl Confirmer<'_> {
    pub(crate) fn state(&self) -> ConfirmerState {
        ConfirmerState {
            search_seconds: self.search_seconds(),
            minimize_seconds: self.minimize_seconds(),
            n_batches: self.n_batches,
            // What waits for a look is not saved: a run that goes on comes by it again.
            intake: self.intake.save_without(&self.waiting.keys().collect()),
            pipeline: self.pipeline.state().clone(),
            released: self.released.clone(),
            growth: self.growth.clone(),
        }
    }

    /// Goes on where another confirmer was. What that one handed to the verifier is handed over again.
    pub fn restore(&mut self, state: ConfirmerState) {
        let seconds = Duration::from_secs_f64;
        self.clock.restore(seconds(state.search_seconds), seconds(state.minimize_seconds));
        self.n_batches = state.n_batches;
        self.intake.restore(state.intake);
        self.pipeline.restore(state.pipeline);
        self.growth = state.growth;
        for confirmed in state.released {
            self.hand_over(confirmed);
        }
    }
}
