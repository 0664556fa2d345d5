//! Which share of the budget each way to make programs gets: by what it paid lately.
//!
//! The budget is what programs cost: their calls, and something for each program, so that short ones are not taken for free.

use provoke_wire::{DecodeError, Reader, Writer};

/// What it costs to run a program, in calls, before it makes any.
const PROGRAM_COST: u64 = 8;
/// After so much, what was seen before counts half.
const HALF_LIFE: u64 = 3_000_000;
/// What each way is thought to have cost before, for novelties of this number in all. They decide where nothing pays any more.
const PRIOR_COST: u64 = 75_000;
const PRIOR_NOVEL: u64 = 9;
/// How those novelties are divided: as all were since the search began, and so to begin with. Building up comes first: it needs
/// no new ground to find faults.
const HEAD_START: [u64; Source::N] = [24, 2, 1];
/// Percent of the budget.
const MIN_PERCENT: u64 = 4;
const MAX_PERCENT: [u64; Source::N] = [100, 60, 30];

/// How a program came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) enum Source {
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
    pub(in crate::search) fn witness(self) -> Option<u32> {
        match self {
            Source::Built => None,
            Source::Changed(place) | Source::Aimed(place) => Some(place),
        }
    }

    pub(in crate::search) fn to_word(self) -> u32 {
        self.witness().unwrap_or(0) << 2 | self.index() as u32
    }

    pub(in crate::search) fn from_word(word: u32) -> Option<Source> {
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
    n_programs: u64,
    cost: u64,
    n_novel: u64,
}

impl Tally {
    /// Of a program, in hundredths of a call.
    fn mean_cost(self) -> u64 {
        (100 * self.cost / self.n_programs.max(1)).max(100 * PROGRAM_COST)
    }
}

#[derive(Clone, Debug, Default)]
pub(in crate::search) struct Shares {
    /// Of late.
    tallies: [Tally; Source::N],
    /// Novelties since the search began.
    n_ever: [u64; Source::N],
}

impl Shares {
    pub(in crate::search) fn add(&mut self, source: Source, n_calls: u32, is_novel: bool) {
        let tally = &mut self.tallies[source.index()];
        tally.n_programs += 1;
        tally.cost += PROGRAM_COST + u64::from(n_calls);
        tally.n_novel += u64::from(is_novel);
        self.n_ever[source.index()] += u64::from(is_novel);
        if self.tallies.iter().map(|tally| tally.cost).sum::<u64>() > HALF_LIFE {
            for tally in &mut self.tallies {
                tally.n_programs = tally.n_programs.div_ceil(2);
                tally.cost /= 2;
                // Rounded up, so that what paid once is not forgotten before anything else pays.
                tally.n_novel = tally.n_novel.div_ceil(2);
            }
        }
    }

    /// Percent of the programs that are to be changed witnesses, and aimed ones.
    pub(in crate::search) fn percents(&self) -> [usize; 2] {
        let ever: [u64; Source::N] = std::array::from_fn(|index| HEAD_START[index] + self.n_ever[index]);
        let n_ever: u64 = ever.iter().sum();
        let rate = |index: usize| {
            let Tally { cost, n_novel, .. } = self.tallies[index];
            let prior = 1000 * PRIOR_NOVEL * ever[index] / n_ever;
            (1000 * n_novel + prior) * 1_000_000 / (cost + PRIOR_COST)
        };
        let rates: [u64; Source::N] = std::array::from_fn(rate);
        let total: u64 = rates.iter().sum::<u64>().max(1);
        let [changed, aimed] = [1, 2].map(|index| (100 * rates[index] / total).clamp(MIN_PERCENT, MAX_PERCENT[index]));
        let shares = [100 - changed - aimed, changed, aimed];
        // Of the dearer ones it takes fewer programs to use up a share.
        let programs: [u64; Source::N] =
            std::array::from_fn(|index| 1_000_000 * shares[index] / self.tallies[index].mean_cost());
        let total: u64 = programs.iter().sum::<u64>().max(1);
        [1, 2].map(|index| (100 * programs[index] / total) as usize)
    }

    pub(in crate::search) fn save(&self, writer: &mut Writer) {
        for tally in &self.tallies {
            writer.u64(tally.n_programs);
            writer.u64(tally.cost);
            writer.u64(tally.n_novel);
        }
        self.n_ever.iter().for_each(|n_ever| writer.u64(*n_ever));
    }

    pub(in crate::search) fn restore(&mut self, reader: &mut Reader<'_>) -> Result<(), DecodeError> {
        for tally in &mut self.tallies {
            let [n_programs, cost, n_novel] = [reader.u64("share")?, reader.u64("share")?, reader.u64("share")?];
            *tally = Tally { n_programs, cost, n_novel };
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
        assert!(fresh[0] < 30 && fresh[1] < 15, "{fresh:?}");
        for _ in 0..1000 {
            shares.add(Source::Built, 900, false);
            shares.add(Source::Changed(0), 900, true);
            shares.add(Source::Aimed(0), 900, false);
        }
        assert!(shares.percents()[0] > 50);
        let mut shares = Shares::default();
        for _ in 0..100_000 {
            let [changed, aimed] = shares.percents().map(|percent| percent as u32);
            shares.add(Source::Built, 100 - changed - aimed, false);
            shares.add(Source::Changed(0), changed, false);
            shares.add(Source::Aimed(0), aimed, false);
        }
        let never_paid = shares.percents();
        assert!(never_paid[0] + never_paid[1] < 50, "{never_paid:?}");
    }

    #[test]
    fn of_short_programs_there_are_more() {
        let percents = |n_calls: u32| {
            let mut shares = Shares::default();
            for _ in 0..1000 {
                shares.add(Source::Built, 92, true);
                shares.add(Source::Changed(0), n_calls, true);
            }
            shares.percents()[0]
        };
        assert!(percents(2) > 2 * percents(92), "{} {}", percents(2), percents(92));
    }

    #[test]
    fn a_source_survives_being_saved() {
        for source in [Source::Built, Source::Changed(7), Source::Aimed(4095)] {
            assert_eq!(Source::from_word(source.to_word()), Some(source));
        }
        assert_eq!(Source::from_word(3), None);
    }
}
