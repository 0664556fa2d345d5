//! When a call has taken too long. Measured in processor time of the worker, so that a busy machine changes nothing; a
//! worker in which every thread sleeps uses none, and is measured by the clock instead.

use std::time::{Duration, Instant};

use provoke_wire::{PageReading, Phase};

/// A program may use this many times the limit of one call.
const CALLS_PER_PROGRAM: u32 = 20;
/// The end of patience with a worker that neither computes nor sleeps, say because it is starved.
const STARVED: u32 = 200;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Processor time of one call; also how long all threads may sleep in one.
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
}

/// One look at a worker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) reading: PageReading,
    pub(crate) at: Instant,
    /// Processor time that the worker has used so far.
    pub(crate) cpu: Duration,
    /// No thread of it could run.
    pub(crate) is_asleep: bool,
}

/// Follows one batch.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    limits: Limits,
    call: Option<Mark>,
    program: Option<Mark>,
    /// Since when every look found it asleep in the same call with no time used.
    asleep_since: Option<(Instant, Duration)>,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    place: (u32, u32, Phase),
    cpu: Duration,
    at: Instant,
}

impl Stopwatch {
    pub(crate) fn new(limits: Limits) -> Stopwatch {
        Stopwatch { limits, call: None, program: None, asleep_since: None }
    }

    /// Whether the call that runs now is over its limit.
    pub(crate) fn is_over(&mut self, look: Look) -> bool {
        let reading = look.reading;
        let place = (reading.n_started, reading.statement, reading.phase);
        let program_place = (reading.n_started, 0, Phase::Call);
        let mark = |place| Mark { place, cpu: look.cpu, at: look.at };
        let program = match self.program {
            Some(seen) if seen.place == program_place => seen,
            _ => mark(program_place),
        };
        self.program = Some(program);
        let call = match self.call {
            Some(seen) if seen.place == place => seen,
            _ => {
                self.asleep_since = None;
                mark(place)
            }
        };
        self.call = Some(call);
        self.asleep_since = match self.asleep_since {
            _ if !look.is_asleep => None,
            Some((since, cpu)) if cpu == look.cpu => Some((since, cpu)),
            _ => Some((look.at, look.cpu)),
        };
        let limit = self.limits.call;
        let slept = self.asleep_since.map_or(Duration::ZERO, |(since, _)| look.at - since);
        look.cpu.saturating_sub(call.cpu) > limit
            || look.cpu.saturating_sub(program.cpu) > limit * CALLS_PER_PROGRAM
            || slept > limit
            || look.at - call.at > limit * STARVED
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use provoke_wire::LastWords;

    /// Looks at (program, statement, clock ms, processor ms, asleep); returns the place of the first one over the limit.
    fn first_over(looks: &[(u32, u32, u64, u64, bool)]) -> Option<usize> {
        let start = Instant::now();
        let mut stopwatch = Stopwatch::new(Limits::new(Duration::from_millis(100)));
        looks.iter().position(|&(program, statement, clock, cpu, is_asleep)| {
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
                is_asleep,
            })
        })
    }

    #[test]
    fn a_call_may_use_its_limit_and_no_more() {
        let over = [(0, 0, 0, 0, false), (0, 0, 100, 100, false), (0, 0, 101, 101, false)];
        assert_eq!(first_over(&over), Some(2));
        let next_call = [(0, 0, 0, 0, false), (0, 1, 90, 90, false), (0, 1, 180, 180, false)];
        assert_eq!(first_over(&next_call), None);
    }

    #[test]
    fn waiting_for_a_processor_does_not_count() {
        assert_eq!(first_over(&[(0, 0, 0, 0, false), (0, 0, 9_000, 50, false)]), None);
    }

    #[test]
    fn sleeping_counts_from_when_it_fell_asleep() {
        let looks = [(0, 0, 0, 0, false), (0, 0, 500, 10, true), (0, 0, 590, 10, true), (0, 0, 601, 10, true)];
        assert_eq!(first_over(&looks), Some(3));
        let woken = [(0, 0, 0, 0, true), (0, 0, 90, 1, true), (0, 0, 180, 1, true)];
        assert_eq!(first_over(&woken), None);
    }

    #[test]
    fn many_calls_of_one_program_cannot_run_for_ever() {
        let looks: Vec<_> = (0..60u64).map(|n| (0, n as u32, n * 50, n * 50, false)).collect();
        assert_eq!(first_over(&looks), Some(41));
    }
}
