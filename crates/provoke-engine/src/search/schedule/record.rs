//! How an operation fared so far, and how gladly it is called again.

use serde::{Deserialize, Serialize};

use crate::saved_forms::MAX_COUNT;
use crate::search::known::Known;
use crate::search::schedule::quarantine::{Deaths, Quarantined};

/// Each takes seconds, and their square has to be a number.
const MAX_TIME_OUTS: u32 = 1 << 24;

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct OpRecord {
    pub(crate) n_tries: u64,
    pub(crate) n_deaths: u32,
    /// Deaths by running over the limit.
    pub(crate) n_time_outs: u32,
    /// Panics.
    pub(crate) n_stops: u64,
}

impl OpRecord {
    /// Much caution is needed only where modest arguments do not help.
    pub(crate) fn reluctance(self, cost_limits: u32) -> usize {
        let (n_deaths, n_time_outs) = (self.n_deaths as usize, self.n_time_outs as usize);
        16 * n_deaths + 64 * n_time_outs * n_time_outs + cost_limits as usize / 2
    }

    /// Whether a search can have come to this.
    pub(crate) fn is_plausible(self, n_exhausted: u32) -> bool {
        let n_time_outs = self.n_time_outs;
        n_time_outs <= n_exhausted.min(self.n_deaths).min(MAX_TIME_OUTS) && self.n_tries.max(self.n_stops) <= MAX_COUNT
    }

    /// With so many more tries.
    pub(crate) fn after(self, n_more: u32) -> OpRecord {
        OpRecord { n_tries: self.n_tries + u64::from(n_more), ..self }
    }

    /// Tries, of which those that did not return count a quarter.
    pub(crate) fn effort(self) -> u64 {
        self.n_tries - self.n_stops.min(self.n_tries) * 3 / 4
    }

    /// Would end a program that goes on with it more often than now and then.
    pub(crate) fn is_risky(self) -> bool {
        self.n_deaths > 0 || self.n_stops * 8 > self.n_tries
    }
}

impl Known<'_> {
    /// Functions that end the worker again and again, and are tried rarely for that.
    pub fn quarantined(&self) -> Vec<Quarantined> {
        let mut deaths = vec![Deaths::default(); self.api.functions.len()];
        for ((number, op), record) in (0..).zip(&self.api.ops).zip(&self.schedule.records) {
            if let Some(function) = op.function {
                // All operations of a function count the same deaths, but for laws about it.
                let deaths = &mut deaths[function as usize];
                if record.n_deaths > deaths.n_all {
                    let n_out_of_memory = self.schedule.cost_limits.n_exhausted(number) - record.n_time_outs;
                    *deaths = Deaths { n_all: record.n_deaths, n_time_outs: record.n_time_outs, n_out_of_memory };
                }
            }
        }
        deaths.into_iter().zip(0..).filter_map(|(deaths, function)| deaths.quarantine(function)).collect()
    }
}
