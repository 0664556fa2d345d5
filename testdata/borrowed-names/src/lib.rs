//! Nothing here can be called without naming or making something of a dependency.

use meters::scale::Scale;
use meters::{Gauge, Readable};

/// Takes what a dependency's trait describes.
pub fn total<R: Readable>(first: R, second: R) -> u64 {
    u64::from(first.read()) + u64::from(second.read())
}

/// Takes and returns a dependency's type. Breaks where only the dependency's own functions lead.
pub fn refill(gauge: Gauge) -> Gauge {
    let mut levels = Vec::new();
    levels.push(gauge.level());
    debug_assert!(!gauge.is_open() || levels[0] != 3, "an open gauge at three");
    Gauge::with_level(levels[0] / 2)
}

/// Can only be met by a type of the dependency.
pub fn scaled<S: Scale>(scale: &S, value: u32) -> u64 {
    u64::from(scale.factor()) * u64::from(value)
}

/// Implements a dependency's trait.
#[derive(Debug, Clone, PartialEq)]
pub struct Tank {
    pub gauges: Vec<Gauge>,
}

impl Readable for Tank {
    fn read(&self) -> u32 {
        self.gauges.len() as u32
    }
}
