//! What making a batch needs and nobody remembers: tools, memory that is used again, and what the
//! batch spent so far.

use provoke_wire::{Body, Program};

use crate::generate::builder::Builder;
use crate::generate::mutate::Mutator;
use crate::hash::seen::Seen;
use crate::search::schedule::spent::Spent;

/// Bodies whose memory waits to be used again.
const MAX_SPARE: usize = 2 * crate::options::BATCH_SIZE;
/// Room for the programs of one batch, as a power of two.
const BATCH_BITS: u32 = 12;

/// One for each batch that is made at the same time.
pub(crate) struct Workshop {
    pub builder: Builder,
    pub mutator: Mutator,
    pub spent: Spent,
    /// Programs of the batch.
    pub made: Seen,
    /// Scratch: what a pass of look-ups found.
    pub is_new: Vec<bool>,
    spare: Vec<Body>,
}

impl Workshop {
    pub fn new() -> Workshop {
        Workshop {
            builder: Builder::default(),
            mutator: Mutator::default(),
            spent: Spent::default(),
            made: Seen::new(BATCH_BITS),
            is_new: Vec::new(),
            spare: Vec::new(),
        }
    }

    pub fn begin_batch(&mut self) {
        self.builder.begin_batch();
        self.mutator.begin_batch();
        self.made.clear();
        self.spent.clear();
    }

    /// What the builder has made.
    pub fn built(&mut self) -> Body {
        copied(&mut self.spare, &self.builder.body)
    }

    /// What the mutator has made.
    pub fn changed(&mut self) -> Body {
        copied(&mut self.spare, self.mutator.body())
    }

    /// Not all come from here: what is aimed was made elsewhere.
    pub fn keep_spare(&mut self, programs: impl Iterator<Item = Program>) {
        let n_wanted = MAX_SPARE.saturating_sub(self.spare.len());
        self.spare.extend(programs.take(n_wanted).map(|program| program.main));
    }
}

/// In memory that was used before.
fn copied(spare: &mut Vec<Body>, body: &Body) -> Body {
    let mut copy = spare.pop().unwrap_or_default();
    copy.clone_from(body);
    copy
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::BATCH_SIZE;

    #[test]
    fn memory_that_nobody_uses_again_is_given_back() {
        let mut workshop = Workshop::new();
        for _ in 0..10 {
            workshop.keep_spare(vec![Program::default(); BATCH_SIZE].into_iter());
        }
        assert_eq!(workshop.spare.len(), MAX_SPARE);
    }
}
