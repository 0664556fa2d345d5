//! Which share of the budget each way to make programs gets: by what it paid lately.

use provoke_wire::{DecodeError, Reader, Writer};

/// After so many calls, what was seen before counts half.
const HALF_LIFE: u64 = 2_000_000;
/// Calls that each way is thought to have made before, for novelties of this number in all. They decide where nothing pays
/// any more.
const PRIOR_CALLS: u64 = 50_000;
const PRIOR_NOVEL: u64 = 9;
/// How those novelties are divided: as all were since the search began, and so to begin with. Building up comes first: it needs
/// no new ground to find faults.
const HEAD_START: [u64; Source::N] = [24, 2, 1];
/// Percent of the programs.
const MIN_PERCENT: u64 = 4;
const MAX_PERCENT: [u64; Source::N] = [100, 60, 30];

/// How a program came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// From components, one call after the other.
    Built,
    /// A witness, changed at random. Its place.
    Changed(u32),
    /// A witness, changed so that a comparison comes out otherwise.
    Aimed(u32),
}

impl Source {
    const N: usize = 3;

    fn index(self) -> usize {
        match self {
            Source::Built => 0,
            Source::Changed(_) => 1,
            Source::Aimed(_) => 2,
        }
    }

    /// The witness that it was made from.
    pub(super) fn witness(self) -> Option<u32> {
        match self {
            Source::Built => None,
            Source::Changed(place) | Source::Aimed(place) => Some(place),
        }
    }

    pub(super) fn to_word(self) -> u32 {
        self.witness().unwrap_or(0) << 2 | self.index() as u32
    }

    pub(super) fn from_word(word: u32) -> Option<Source> {
        let place = word >> 2;
        match word & 3 {
            0 => Some(Source::Built),
            1 => Some(Source::Changed(place)),
            2 => Some(Source::Aimed(place)),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    n_calls: u64,
    n_novel: u64,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Shares {
    /// Of late.
    tallies: [Tally; Source::N],
    /// Novelties since the search began.
    n_ever: [u64; Source::N],
}

impl Shares {
    pub(super) fn add(&mut self, source: Source, n_calls: u32, is_novel: bool) {
        let tally = &mut self.tallies[source.index()];
        tally.n_calls += u64::from(n_calls);
        tally.n_novel += u64::from(is_novel);
        self.n_ever[source.index()] += u64::from(is_novel);
        if self.tallies.iter().map(|tally| tally.n_calls).sum::<u64>() > HALF_LIFE {
            for tally in &mut self.tallies {
                tally.n_calls /= 2;
                // Rounded up, so that what paid once is not forgotten before anything else pays.
                tally.n_novel = tally.n_novel.div_ceil(2);
            }
        }
    }

    /// Percent of the programs that are to be changed witnesses, and aimed ones.
    pub(super) fn percents(&self) -> [usize; 2] {
        let ever: [u64; Source::N] = std::array::from_fn(|index| HEAD_START[index] + self.n_ever[index]);
        let n_ever: u64 = ever.iter().sum();
        let rate = |index: usize| {
            let Tally { n_calls, n_novel } = self.tallies[index];
            let prior = 1000 * PRIOR_NOVEL * ever[index] / n_ever;
            (1000 * n_novel + prior) * 1_000_000 / (n_calls + PRIOR_CALLS)
        };
        let rates: [u64; Source::N] = std::array::from_fn(rate);
        let total: u64 = rates.iter().sum::<u64>().max(1);
        [1, 2].map(|index| (100 * rates[index] / total).clamp(MIN_PERCENT, MAX_PERCENT[index]) as usize)
    }

    pub(super) fn save(&self, writer: &mut Writer) {
        for tally in &self.tallies {
            writer.u64(tally.n_calls);
            writer.u64(tally.n_novel);
        }
        self.n_ever.iter().for_each(|n_ever| writer.u64(*n_ever));
    }

    pub(super) fn restore(&mut self, reader: &mut Reader<'_>) -> Result<(), DecodeError> {
        for tally in &mut self.tallies {
            *tally = Tally { n_calls: reader.u64("share")?, n_novel: reader.u64("share")? };
        }
        for n_ever in &mut self.n_ever {
            *n_ever = reader.u64("share")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_pays_gets_more_and_where_nothing_ever_paid_most_goes_to_building_up() {
        let mut shares = Shares::default();
        let fresh = shares.percents();
        for _ in 0..1000 {
            shares.add(Source::Built, 900, false);
            shares.add(Source::Changed(0), 100, true);
        }
        assert_eq!(shares.percents()[0], 60);
        let mut shares = Shares::default();
        for _ in 0..100_000 {
            let [changed, aimed] = shares.percents().map(|percent| percent as u32);
            shares.add(Source::Built, 100 - changed - aimed, false);
            shares.add(Source::Changed(0), changed, false);
            shares.add(Source::Aimed(0), aimed, false);
        }
        let never_paid = shares.percents();
        assert!(never_paid[0] < 30 && never_paid[1] < 20, "{never_paid:?}");
        assert!(fresh[0] < 30 && fresh[1] < 15, "{fresh:?}");
    }

    #[test]
    fn a_source_survives_being_saved() {
        for source in [Source::Built, Source::Changed(7), Source::Aimed(4095)] {
            assert_eq!(Source::from_word(source.to_word()), Some(source));
        }
        assert_eq!(Source::from_word(3), None);
    }
}
