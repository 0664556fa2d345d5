//! Which calls hold workers up: those that are still running when somebody looks again.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

/// Time by operation.
#[derive(Debug, Default)]
pub(crate) struct Occupation(Mutex<BTreeMap<u32, Duration>>);

impl Occupation {
    /// For so long a worker was at one call of the operation.
    pub(crate) fn add(&self, op: u32, time: Duration) {
        *self.0.lock().unwrap_or_else(|error| error.into_inner()).entry(op).or_default() += time;
    }

    /// The operation that took most of the time, if it was at least that much.
    pub(crate) fn longest(&self, least: Duration) -> Option<u32> {
        let times = self.0.lock().unwrap_or_else(|error| error.into_inner());
        times.iter().filter(|(_, time)| **time >= least).max_by_key(|(_, time)| **time).map(|(op, _)| *op)
    }
}
