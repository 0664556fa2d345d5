//! When a call has taken too long. Its time goes by the clock, without the time for which it had to wait for a processor: so a
//! busy machine changes nothing, and a loop that sleeps is over its limit as soon as one that spins.
//!
//! Decision: `docs/decisions/018-time-goes-by-the-clock-without-waits.md`

use std::time::{Duration, Instant};

use provoke_wire::{PageReading, Phase};

/// A program may use this many times the limit of one call.
const CALLS_PER_PROGRAM: u32 = 20;
/// The end of patience with a worker that neither computes nor sleeps, say because it is starved.
const STARVED: u32 = 200;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// The time of one call.
    call: Duration,
}

impl Limits {
    pub(crate) fn new(call: Duration) -> Limits {
        Limits { call }
    }

    /// For the run that decides.
    pub(crate) fn relaxed(self) -> Limits {
        Limits { call: self.call * 10 }
    }

    /// How often to look: often enough to notice, seldom enough to cost nothing.
    pub(crate) fn tick(self) -> Duration {
        (self.call / 10).clamp(Duration::from_millis(1), Duration::from_millis(25))
    }

    /// Whoever looks that late was stopped or starved itself, and the worker may have been so, too: more than this does not count.
    fn longest_gap(self) -> Duration {
        self.tick() * 4
    }
}

/// One look at a worker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) reading: PageReading,
    pub(crate) at: Instant,
    /// Processor time that the worker has used so far.
    pub(crate) cpu: Duration,
    /// For how long its threads have waited for a processor so far. The system adds a wait when it is over, and forgets those of
    /// threads that have ended.
    pub(crate) waited: Duration,
    /// After `at`, every thread of it slept or was stopped, so that no wait is missing in `waited`.
    pub(crate) is_asleep: bool,
}

/// Follows one batch.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    limits: Limits,
    call: Option<Mark>,
    program: Option<Mark>,
    looked_at: Option<Instant>,
    /// Goes on from look to look, but never by more than the longest gap.
    clock: Duration,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    place: (u32, u32, Phase),
    at: Instant,
    cpu: Duration,
    clock: Duration,
    waited: Duration,
}

impl Stopwatch {
    pub(crate) fn new(limits: Limits) -> Stopwatch {
        Stopwatch { limits, call: None, program: None, looked_at: None, clock: Duration::ZERO }
    }

    /// Whether the call that runs now is over its limit.
    pub(crate) fn is_over(&mut self, look: Look) -> bool {
        let reading = look.reading;
        let gap = self.looked_at.replace(look.at).map_or(Duration::ZERO, |before| look.at - before);
        self.clock += gap.min(self.limits.longest_gap());
        let since = |seen: Option<Mark>, place| match seen {
            Some(seen) if seen.place == place => seen,
            _ => Mark { place, at: look.at, cpu: look.cpu, clock: self.clock, waited: look.waited },
        };
        let program = since(self.program, (reading.n_started, 0, Phase::Call));
        let call = since(self.call, (reading.n_started, reading.statement, reading.phase));
        (self.program, self.call) = (Some(program), Some(call));
        let limit = self.limits.call;
        self.time(look, call) > limit
            || self.time(look, program) > limit * CALLS_PER_PROGRAM
            || look.at - call.at > limit * STARVED
    }

    /// What has gone by since then, as far as it is certain: while a thread could run, it may be waiting, and nobody knows yet
    /// for how long. Of several threads that wait at once each counts, which is rather too much than too little; what they use
    /// of processors counts in any case.
    fn time(&self, look: Look, since: Mark) -> Duration {
        let computed = look.cpu.saturating_sub(since.cpu);
        let waited = look.waited.saturating_sub(since.waited);
        let gone_by = (self.clock - since.clock).saturating_sub(waited);
        if look.is_asleep { computed.max(gone_by) } else { computed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use provoke_wire::LastWords;

    /// At this time of the clock: processor time used, time waited for a processor, and whether all threads sleep.
    #[derive(Clone, Copy)]
    struct At(u64, u64, u64, bool);

    /// Looks at (program, statement), in milliseconds; returns the place of the first one over the limit, which is 100.
    fn first_over(looks: impl IntoIterator<Item = (u32, u32, At)>) -> Option<usize> {
        let start = Instant::now();
        let mut stopwatch = Stopwatch::new(Limits::new(Duration::from_millis(100)));
        looks.into_iter().position(|(program, statement, At(clock, cpu, waited, is_asleep))| {
            stopwatch.is_over(Look {
                reading: PageReading {
                    program,
                    statement,
                    phase: Phase::Call,
                    last_words: LastWords::None,
                    n_started: program + 1,
                    blocked: None,
                    has_traces: false,
                },
                at: start + Duration::from_millis(clock),
                cpu: Duration::from_millis(cpu),
                waited: Duration::from_millis(waited),
                is_asleep,
            })
        })
    }

    /// One look after the other at one call, ten milliseconds apart.
    fn one_call(look: impl Fn(u64) -> At) -> Option<usize> {
        first_over((0..100).map(|n| (0, 0, look(10 * n))))
    }

    #[test]
    fn a_call_may_use_its_limit_and_no_more() {
        assert_eq!(one_call(|clock| At(clock, clock, 0, false)), Some(11));
        let over = |clock| At(clock, clock, 0, false);
        let next_call = [(0, 0, over(0)), (0, 1, over(90)), (0, 1, over(180))];
        assert_eq!(first_over(next_call), None);
    }

    #[test]
    fn waiting_for_a_processor_does_not_count() {
        // It is known of when it is over.
        assert_eq!(one_call(|clock| At(clock, 5, 0, false)), None);
        assert_eq!(one_call(|clock| At(clock, clock / 20, clock - clock / 20, true)), None);
        let at_last = |clock| if clock < 500 { At(clock, 5, 0, false) } else { At(clock, 30, 480, true) };
        assert_eq!(one_call(at_last), Some(59), "it had waited for all but 20 ms until 500");
    }

    #[test]
    fn a_loop_that_sleeps_is_over_its_limit_as_soon_as_one_that_spins() {
        // It wakes up all the time, and is seen at it now and then.
        assert_eq!(one_call(|clock| At(clock, clock / 50, clock / 100, clock % 30 != 0)), Some(11));
        assert_eq!(one_call(|clock| At(clock, 0, 0, true)), Some(11));
        // What each call waits for is its own.
        let calls = (0..40).map(|n| (0, n / 9, At(10 * u64::from(n), 0, 0, true)));
        assert_eq!(first_over(calls), None);
    }

    #[test]
    fn what_goes_by_while_nobody_looks_hardly_counts() {
        // The tool was stopped for a while, and the worker with it.
        let late = [0, 10, 15_000, 15_010, 15_020].map(|clock| (0, 0, At(clock, 0, 0, true)));
        assert_eq!(first_over(late), None);
    }

    #[test]
    fn many_calls_of_one_program_cannot_run_for_ever() {
        let spinning = (0..60).map(|n| (0, n, At(u64::from(n) * 50, u64::from(n) * 50, 0, false)));
        assert_eq!(first_over(spinning), Some(41));
        let sleeping = (0..60).map(|n| (0, n, At(u64::from(n) * 40, 0, 0, true)));
        assert_eq!(first_over(sleeping), Some(51));
    }

    #[test]
    fn patience_with_a_starved_worker_ends() {
        let starved = (0..2).map(|n| (0, 0, At(n * 20_001, 0, 0, false)));
        assert_eq!(first_over(starved), Some(1));
    }
}
