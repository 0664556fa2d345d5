//! How the time of a run is shared between the search and looking into what it finds.
//!
//! Decision: `docs/decisions/051-the-search-gets-its-time.md`

use std::time::{Duration, Instant};

use crate::confirm::confirmer::allowance::{AfterSearch, Allowance};
use crate::interrupt::Interrupt;

pub(crate) struct Clock<'a> {
    interrupt: &'a Interrupt,
    /// Of the search.
    time: Option<Duration>,
    allowance: Allowance,
    started: Instant,
    /// Time that was spent on looking into findings: it does not count as search.
    paused: Duration,
    /// Since when the search pauses now.
    pause: Option<Instant>,
}

/// A pause that goes on; an inner one is part of it.
#[must_use]
pub(crate) struct Pause {
    is_outermost: bool,
}

impl<'a> Clock<'a> {
    pub(crate) fn new(time: Option<Duration>, interrupt: &'a Interrupt) -> Clock<'a> {
        Clock {
            interrupt,
            time,
            allowance: Allowance::new(time),
            started: Instant::now(),
            paused: Duration::ZERO,
            pause: None,
        }
    }

    /// As if the run had started earlier.
    pub(crate) fn restore(&mut self, searched: Duration, looked: Duration) {
        self.paused = looked;
        let now = Instant::now();
        self.started = now.checked_sub(searched + looked).unwrap_or(now);
    }

    pub(crate) fn searched(&self) -> Duration {
        self.started.elapsed().saturating_sub(self.looked())
    }

    /// How long the search has paused so far, the pause of this moment included.
    pub(crate) fn looked(&self) -> Duration {
        self.paused + self.pause.map_or(Duration::ZERO, |pause| pause.elapsed())
    }

    pub(crate) fn begin_pause(&mut self) -> Pause {
        let is_outermost = self.pause.is_none();
        self.pause.get_or_insert_with(Instant::now);
        Pause { is_outermost }
    }

    pub(crate) fn end_pause(&mut self, pause: Pause) {
        if pause.is_outermost {
            self.paused = self.looked();
            self.pause = None;
        }
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.is_asked()
    }

    /// Something went wrong at a place.
    pub(crate) fn meet(&mut self, spot: u64) {
        self.allowance.meet(spot);
    }

    /// Whether there is time to look into something now.
    pub(crate) fn may_look(&self) -> bool {
        !self.is_interrupted() && self.allowance.has_room(self.searched(), self.looked())
    }

    /// Minimising may take half of the search time beside it, and what is left of the time after it.
    pub(crate) fn may_minimize(&self) -> bool {
        !self.is_interrupted() && self.minimize_time().is_none_or(|left| left > Duration::ZERO)
    }

    /// One finding gets a third of what is left, so that the first does not eat it all, and a second in any case.
    pub(crate) fn minimize_deadline(&self) -> Option<Instant> {
        Some(Instant::now() + (self.minimize_time()? / 3).max(Duration::from_secs(1)))
    }

    fn minimize_time(&self) -> Option<Duration> {
        let time = self.time?;
        Some(self.allowance.left().unwrap_or_else(|| (time / 2).saturating_sub(self.looked())))
    }

    pub(crate) fn end_search(&mut self, then: AfterSearch) {
        self.allowance.end_search(then);
    }

    pub(crate) fn resume_search(&mut self) {
        self.allowance.resume_search();
    }

    pub(crate) fn left_for_tests(&self) -> Option<Duration> {
        self.allowance.left_for_tests()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inner_pause_is_part_of_the_outer_one_and_what_was_saved_counts() {
        let interrupt = Interrupt::default();
        let mut clock = Clock::new(Some(Duration::from_secs(60)), &interrupt);
        clock.restore(Duration::from_secs(20), Duration::from_secs(5));
        assert!(clock.searched() >= Duration::from_secs(20) && clock.looked() == Duration::from_secs(5));
        let outer = clock.begin_pause();
        let inner = clock.begin_pause();
        clock.end_pause(inner);
        assert!(clock.pause.is_some(), "the outer one goes on");
        clock.end_pause(outer);
        assert!(clock.pause.is_none() && clock.looked() >= Duration::from_secs(5));
        assert!(clock.may_look() && clock.may_minimize());
    }

    #[test]
    fn a_run_that_is_bounded_by_calls_always_has_time() {
        let interrupt = Interrupt::default();
        let clock = Clock::new(None, &interrupt);
        assert!(clock.may_look() && clock.may_minimize());
        assert_eq!(clock.minimize_deadline(), None);
    }
}
