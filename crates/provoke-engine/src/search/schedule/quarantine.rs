//! Operations that end the worker again and again: each time costs a process, so they are tried ever more rarely.

/// From so many deaths on, a function is in quarantine.
const MIN_DEATHS: u32 = 3;

/// How often the operations of a function ended the worker, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Deaths {
    pub(crate) n_all: u32,
    pub(crate) n_time_outs: u32,
    pub(crate) n_out_of_memory: u32,
}

/// A function in quarantine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quarantined {
    /// Index into the functions of the API.
    pub function: u32,
    /// What it did most of the time, for people.
    pub why: &'static str,
    pub times: u32,
}

impl Deaths {
    pub(crate) fn quarantine(self, function: u32) -> Option<Quarantined> {
        if self.n_all < MIN_DEATHS {
            return None;
        }
        let n_ended = self.n_all.saturating_sub(self.n_time_outs + self.n_out_of_memory);
        let why = if self.n_time_outs >= self.n_out_of_memory.max(n_ended) {
            "does not return in time"
        } else if self.n_out_of_memory >= n_ended {
            "exhausts the memory"
        } else {
            "ends the process"
        };
        Some(Quarantined { function, why, times: self.n_all })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_death_leads_to_quarantine_for_what_happened_most() {
        let deaths = |n_all, n_time_outs, n_out_of_memory| Deaths { n_all, n_time_outs, n_out_of_memory };
        assert_eq!(deaths(2, 2, 0).quarantine(7), None);
        let why = |deaths: Deaths| deaths.quarantine(7).map(|quarantined| quarantined.why);
        assert_eq!(why(deaths(3, 1, 0)), Some("ends the process"));
        assert_eq!(why(deaths(4, 3, 1)), Some("does not return in time"));
        assert_eq!(why(deaths(5, 1, 3)), Some("exhausts the memory"));
    }
}
