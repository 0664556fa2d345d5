//! How progress is shown: as a live line on a terminal, as a plain line now and then in a log, or not at all.

use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgressMode {
    /// One line that is drawn again and again.
    Live,
    /// A line of its own at most every [`LINE_INTERVAL`].
    Lines,
    Off,
}

/// What the choice depends on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Terminal {
    pub is_quiet: bool,
    pub is_terminal: bool,
    pub is_ci: bool,
    pub is_dumb: bool,
    /// `CARGO_TERM_PROGRESS_WHEN=never`
    pub is_progress_off: bool,
}

impl ProgressMode {
    pub fn choose(terminal: Terminal) -> ProgressMode {
        let Terminal { is_quiet, is_terminal, is_ci, is_dumb, is_progress_off } = terminal;
        if is_quiet || is_progress_off {
            ProgressMode::Off
        } else if is_terminal && !is_ci && !is_dumb {
            ProgressMode::Live
        } else {
            ProgressMode::Lines
        }
    }
}

impl Terminal {
    /// As the environment has them, for output to something that is a terminal or not.
    pub fn look(is_quiet: bool, is_terminal: bool) -> Terminal {
        let variable = |name| std::env::var_os(name).unwrap_or_default();
        Terminal {
            is_quiet,
            is_terminal,
            is_ci: !variable("CI").is_empty() && variable("CI") != "false",
            is_dumb: variable("TERM") == "dumb",
            is_progress_off: variable("CARGO_TERM_PROGRESS_WHEN") == "never",
        }
    }
}

const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Lets a plain line through when the last one is long enough ago.
#[derive(Debug, Default)]
pub struct LineClock {
    last: Option<Instant>,
}

impl LineClock {
    /// The first call only starts the clock: a search that has just begun has nothing to tell.
    pub fn is_due(&mut self, now: Instant) -> bool {
        match self.last {
            Some(last) if now.saturating_duration_since(last) < LINE_INTERVAL => false,
            last => {
                self.last = Some(now);
                last.is_some()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_real_terminal_gets_a_live_line() {
        let terminal = Terminal { is_terminal: true, ..Terminal::default() };
        let table = [
            (terminal, ProgressMode::Live),
            (Terminal::default(), ProgressMode::Lines),
            (Terminal { is_ci: true, ..terminal }, ProgressMode::Lines),
            (Terminal { is_dumb: true, ..terminal }, ProgressMode::Lines),
            (Terminal { is_quiet: true, ..terminal }, ProgressMode::Off),
            (Terminal { is_progress_off: true, ..terminal }, ProgressMode::Off),
            (Terminal { is_progress_off: true, ..Terminal::default() }, ProgressMode::Off),
        ];
        for (terminal, expected) in table {
            assert_eq!(ProgressMode::choose(terminal), expected, "{terminal:?}");
        }
    }

    #[test]
    fn plain_lines_keep_their_distance() {
        let start = Instant::now();
        let mut clock = LineClock::default();
        let due: Vec<u64> = (0..40).filter(|&second| clock.is_due(start + Duration::from_secs(second))).collect();
        assert_eq!(due, [10, 20, 30]);
    }
}
