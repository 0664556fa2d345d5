//! How long findings may be looked into, so that the search gets its time.
//!
//! Decisions:
//! - `docs/decisions/051-the-search-gets-its-time.md`
//! - `docs/decisions/052-looking-takes-no-longer-than-searching.md`

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Beside the search: a part of the time searched so far, and this much more for each new place.
const SHARE: u32 = 3;
const PER_SPOT: Duration = Duration::from_secs(2);

/// After the search at least so much.
const AT_LEAST: Duration = Duration::from_secs(10);

/// Of the time after a search that goes on elsewhere, one of so many parts is kept for what that comes by.
const KEPT_PARTS: u32 = 3;

/// The plain worker gets all but one of so many parts.
pub const PARTS: u32 = 5;

/// When the first worker has to give way.
pub fn first_time(time: Duration) -> Duration {
    time / PARTS * (PARTS - 1)
}

/// What comes after a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterSearch {
    Nothing,
    /// Another search, in another worker.
    Search,
}

/// Where every call may end the worker, there is always more to look into. A search that is not bounded by time is not held up
/// by any of this: what it comes to must not depend on the clock.
pub(crate) struct Allowance {
    /// Of the search.
    time: Option<Duration>,
    /// Places at which something went wrong so far.
    spots: BTreeSet<u64>,
    /// When the time after the search is over; nothing while it runs.
    deadline: Option<Instant>,
    /// What is left of the time after the search, besides that until the deadline.
    left: Duration,
}

impl Allowance {
    pub(crate) fn new(time: Option<Duration>) -> Allowance {
        Allowance { time, spots: BTreeSet::new(), deadline: None, left: after_search(time.unwrap_or_default()) }
    }

    /// Something went wrong at a place.
    pub(crate) fn meet(&mut self, spot: u64) {
        self.spots.insert(spot);
    }

    /// Whether there is time for a look after so much searching and so much looking.
    pub(crate) fn has_room(&self, searched: Duration, looked: Duration) -> bool {
        match (self.time, self.deadline) {
            (None, _) => true,
            (_, Some(deadline)) => Instant::now() < deadline,
            (Some(time), None) => looked < beside_search(time, searched, self.spots.len()),
        }
    }

    /// Also a second time: if nothing comes after the search any more, what was kept for that is there now.
    pub(crate) fn end_search(&mut self, then: AfterSearch) {
        self.resume_search();
        if self.time.is_some() {
            let kept = match then {
                AfterSearch::Nothing => Duration::ZERO,
                AfterSearch::Search => self.left / KEPT_PARTS,
            };
            self.deadline = Some(Instant::now() + self.left - kept);
            self.left = kept;
        }
    }

    /// The search goes on after all; what is left of the time after it is kept for later.
    pub(crate) fn resume_search(&mut self) {
        if let Some(deadline) = self.deadline.take() {
            self.left += deadline.saturating_duration_since(Instant::now());
        }
    }

    /// What is left of half of the search's time for what is written after it.
    pub(crate) fn left_for_tests(&self) -> Option<Duration> {
        let time = self.time?;
        let until_deadline = self.left().unwrap_or_default();
        let spent = after_search(time).saturating_sub(self.left + until_deadline);
        Some((time / 2).saturating_sub(spent))
    }

    /// What is left of the time after the search, now that it is over.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }
}

fn beside_search(time: Duration, searched: Duration, n_spots: usize) -> Duration {
    let n_spots = u32::try_from(n_spots).unwrap_or(u32::MAX);
    // All in all not longer than the search itself.
    (searched / SHARE).saturating_add(PER_SPOT.saturating_mul(n_spots)).min(time.max(AT_LEAST))
}

fn after_search(time: Duration) -> Duration {
    (time / 2).max(AT_LEAST)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn looking_gets_a_third_of_the_time_searched_and_two_seconds_a_place() {
        for (time, searched, n_spots, expected) in [
            (60, 0, 0, 0),
            (60, 0, 1, 2),
            (60, 30, 0, 10),
            (60, 30, 4, 18),
            (60, 30, 1000, 60),
            (5, 0, 1000, 10),
            (60, 30, usize::MAX, 60),
        ] {
            let allowed = beside_search(seconds(time), seconds(searched), n_spots);
            assert_eq!(allowed, seconds(expected), "{searched} s searched of {time} s, {n_spots} places");
        }
        assert_eq!((after_search(seconds(60)), after_search(seconds(5))), (seconds(30), seconds(10)));
    }

    #[test]
    fn each_place_counts_once_and_a_run_bounded_by_calls_knows_no_clock() {
        let mut allowance = Allowance::new(Some(seconds(60)));
        assert!(!allowance.has_room(seconds(3), seconds(1)));
        allowance.meet(7);
        allowance.meet(7);
        assert!(allowance.has_room(seconds(3), seconds(2)));
        assert!(!allowance.has_room(seconds(3), seconds(3)));
        allowance.end_search(AfterSearch::Nothing);
        assert!(allowance.has_room(seconds(60), seconds(1000)), "now it is the time after the search that counts");
        allowance.resume_search();
        assert!(!allowance.has_room(seconds(3), seconds(3)));
        let mut unbounded = Allowance::new(None);
        assert!(unbounded.has_room(seconds(0), seconds(1_000_000)));
        unbounded.end_search(AfterSearch::Nothing);
        assert!(unbounded.has_room(seconds(0), seconds(1_000_000)));
        assert_eq!(unbounded.left(), None);
    }

    #[test]
    fn what_comes_after_the_search_shares_half_of_its_time_whether_it_goes_on_or_not() {
        let mut allowance = Allowance::new(Some(seconds(60)));
        assert_eq!(allowance.left_for_tests(), Some(seconds(30)));
        allowance.end_search(AfterSearch::Search);
        assert!(allowance.left() <= Some(seconds(20)), "a third is kept");
        allowance.end_search(AfterSearch::Nothing);
        assert!(allowance.left() > Some(seconds(20)), "there is no search that it was kept for");
        allowance.resume_search();
        assert!(allowance.left_for_tests().is_some(), "a run bounded by time has no tests without end");
        allowance.end_search(AfterSearch::Nothing);
        assert!(allowance.left() > Some(seconds(10)), "what was kept is there now");
        assert!(allowance.left_for_tests() <= Some(seconds(30)));
        assert_eq!(Allowance::new(None).left_for_tests(), None);
    }

    #[test]
    fn the_first_worker_gives_way_for_the_last_fifth() {
        assert_eq!(first_time(Duration::from_secs(30)), Duration::from_secs(24));
    }
}
