//! Which share of the budget each source of programs gets: by what it paid lately.
//!
//! The budget is what programs cost: their calls, and something for each program, so that short ones are not taken for free.
//!
//! Decision: `docs/decisions/025-a-guided-search-keeps-witnesses.md`

use serde::{Deserialize, Serialize};

use crate::saved_forms::{MAX_COUNT, RestoreError, ensure};
use crate::search::sources::Row;

/// What it costs to run a program, in calls, before it makes any.
const PROGRAM_COST: u64 = 8;
/// After so much, what was seen before counts half.
const HALF_LIFE: u64 = 3_000_000;
/// What each way is thought to have cost before, for novelties of this number in all. They decide where nothing pays any more.
const PRIOR_COST: u64 = 75_000;
const PRIOR_NOVEL: u64 = 9;
/// Percent of the budget that each source beside building gets at least.
pub(crate) const MIN_PERCENT: u64 = 4;
/// What they get at most together, in percent. Where their shares add up to more, all of them are cut alike.
pub(crate) const MAX_BESIDE_BUILDING: u64 = 90;

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
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

/// By source.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Budget {
    #[serde(skip)]
    rows: Vec<Row>,
    /// Of late.
    tallies: Vec<Tally>,
    /// Novelties since the search began.
    n_ever: Vec<u64>,
}

impl Budget {
    /// Of these sources, the first of which gets what the others leave.
    pub fn new(rows: &[Row]) -> Budget {
        Budget { rows: rows.to_vec(), tallies: vec![Tally::default(); rows.len()], n_ever: vec![0; rows.len()] }
    }

    pub fn add(&mut self, source: usize, n_calls: u32, is_novel: bool) {
        let tally = &mut self.tallies[source];
        tally.n_programs += 1;
        tally.cost += PROGRAM_COST + u64::from(n_calls);
        tally.n_novel += u64::from(is_novel);
        self.n_ever[source] += u64::from(is_novel);
        if self.tallies.iter().map(|tally| tally.cost).sum::<u64>() > HALF_LIFE {
            for tally in &mut self.tallies {
                tally.n_programs = tally.n_programs.div_ceil(2);
                tally.cost /= 2;
                // Rounded up, so that what paid once is not forgotten before anything else pays.
                tally.n_novel = tally.n_novel.div_ceil(2);
            }
        }
    }

    /// Percent of the programs that are to be each source's.
    pub fn percents(&self) -> Vec<usize> {
        // Of the dearer ones it takes fewer programs to use up a share.
        let shares = self.shares().into_iter().zip(&self.tallies);
        let programs: Vec<u64> = shares.map(|(share, tally)| 1_000_000 * share / tally.mean_cost()).collect();
        let total = programs.iter().sum::<u64>().max(1);
        programs.into_iter().map(|n_programs| (100 * n_programs / total) as usize).collect()
    }

    /// Percent of the budget, by source: by novelties per cost, as they are of late, with those of the past as a prior.
    fn shares(&self) -> Vec<u64> {
        let ever: Vec<u64> = self.rows.iter().zip(&self.n_ever).map(|(row, n_ever)| row.head_start + n_ever).collect();
        let n_ever: u64 = ever.iter().sum();
        let rate = |(tally, ever): (&Tally, &u64)| {
            let prior = 1000 * PRIOR_NOVEL * ever / n_ever;
            (1000 * tally.n_novel + prior) * 1_000_000 / (tally.cost + PRIOR_COST)
        };
        let rates: Vec<u64> = self.tallies.iter().zip(&ever).map(rate).collect();
        let total = rates.iter().sum::<u64>().max(1);
        let mut shares: Vec<u64> = rates
            .iter()
            .zip(&self.rows)
            .map(|(rate, row)| (100 * rate / total).clamp(MIN_PERCENT, row.max_percent))
            .collect();
        let beside: u64 = shares[1..].iter().sum();
        if beside > MAX_BESIDE_BUILDING {
            shares[1..].iter_mut().for_each(|share| *share = *share * MAX_BESIDE_BUILDING / beside);
        }
        shares[0] = 100 - shares[1..].iter().sum::<u64>();
        shares
    }

    /// Takes over what was saved about the same sources.
    pub(crate) fn restore(&mut self, saved: Budget) -> Result<(), RestoreError> {
        let rows = std::mem::take(&mut self.rows);
        let is_alike = [saved.tallies.len(), saved.n_ever.len()] == [rows.len(); 2];
        let is_sound = |it: &Tally| it.n_programs.max(it.cost).max(it.n_novel) <= HALF_LIFE;
        let is_plausible = saved.tallies.iter().all(is_sound) && saved.n_ever.iter().all(|n| *n <= MAX_COUNT);
        *self = Budget { rows, ..saved };
        ensure(is_alike && is_plausible, "shares")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::sources::ROWS;

    const BUILT: usize = 0;
    const CHANGED: usize = 1;
    const AIMED: usize = 2;

    #[test]
    fn what_pays_gets_more_and_where_nothing_ever_paid_most_goes_to_building_up() {
        let mut shares = Budget::new(&ROWS);
        let fresh = shares.percents();
        assert!(fresh[CHANGED] < 30 && fresh[AIMED] < 15, "{fresh:?}");
        for _ in 0..1000 {
            shares.add(BUILT, 900, false);
            shares.add(CHANGED, 900, true);
            shares.add(AIMED, 900, false);
        }
        assert!(shares.percents()[CHANGED] > 50);
        let mut shares = Budget::new(&ROWS);
        for _ in 0..100_000 {
            let percents = shares.percents();
            let [changed, aimed] = [CHANGED, AIMED].map(|source| percents[source] as u32);
            shares.add(BUILT, 100 - changed - aimed, false);
            shares.add(CHANGED, changed, false);
            shares.add(AIMED, aimed, false);
        }
        let never_paid = shares.percents();
        assert!(never_paid[CHANGED] + never_paid[AIMED] < 50, "{never_paid:?}");
    }

    #[test]
    fn of_short_programs_there_are_more() {
        let percents = |n_calls: u32| {
            let mut shares = Budget::new(&ROWS);
            for _ in 0..1000 {
                shares.add(BUILT, 92, true);
                shares.add(CHANGED, n_calls, true);
            }
            shares.percents()[CHANGED]
        };
        assert!(percents(2) > 2 * percents(92), "{} {}", percents(2), percents(92));
    }

    #[test]
    fn a_further_source_starts_like_aiming_and_stays_between_its_floor_and_its_ceiling() {
        let toy = Row { head_start: 1, max_percent: 40 };
        let rows: Vec<Row> = ROWS.into_iter().chain([toy]).collect();
        let toy = rows.len() - 1;
        let fresh = Budget::new(&rows).shares();
        assert_eq!((fresh[toy], fresh[AIMED]), (MIN_PERCENT, MIN_PERCENT));
        let after = |paying: &[usize]| {
            let mut shares = Budget::new(&rows);
            for _ in 0..1000 {
                (0..rows.len()).for_each(|source| shares.add(source, 92, paying.contains(&source)));
            }
            shares.shares()
        };
        assert_eq!(after(&[toy])[toy], 40);
        assert_eq!(after(&[BUILT])[toy], MIN_PERCENT);
        // Whoever pays, building goes on.
        let all_others = after(&[CHANGED, AIMED, toy]);
        assert!(all_others[BUILT] >= 100 - MAX_BESIDE_BUILDING, "{all_others:?}");
        assert_eq!(all_others.iter().sum::<u64>(), 100);
    }
}
