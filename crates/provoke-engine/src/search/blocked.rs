//! What the sandbox kept functions from doing: not their fault, but whoever reads the results must know.

use std::collections::BTreeMap;

use provoke_wire::{Blocked, Body, Forbidden};
use serde::{Deserialize, Serialize};

use crate::api::Api;
use crate::saved_forms;
use crate::verdict::blamed::function_at;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct BlockedCall {
    function: String,
    #[serde(with = "saved_forms::number")]
    what: Forbidden,
}

/// Functions and what they were kept from doing, with how often.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct BlockedCalls {
    times: BTreeMap<BlockedCall, u64>,
}

impl BlockedCalls {
    pub(crate) fn add(&mut self, api: &Api, body: &Body, blocked: Blocked) {
        let function = function_at(api, body, blocked.statement, blocked.phase);
        *self.times.entry(BlockedCall { function, what: blocked.what }).or_default() += 1;
    }

    /// By function.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Forbidden, u64)> {
        self.times.iter().map(|(call, times)| (call.function.as_str(), call.what, *times))
    }
}

/// For people: "the sandbox kept it from …".
pub fn forbidden_words(what: Forbidden) -> &'static str {
    match what {
        Forbidden::Network => "using the network",
        Forbidden::Programs => "starting programs",
        Forbidden::ReadFiles => "reading files",
        Forbidden::WriteFiles => "writing files outside its directory",
        Forbidden::DeleteFiles => "deleting files",
        Forbidden::MoveFiles => "moving or linking files",
        Forbidden::FileAttributes => "changing permissions or times of files",
        Forbidden::Signals => "sending signals to other processes",
        Forbidden::ProcessControl => "changing how its process is run",
        Forbidden::Timers => "setting timers that interrupt it later",
        Forbidden::OtherProcesses => "looking into other processes",
        Forbidden::SharedMemory => "sharing memory with other processes",
        Forbidden::System => "changing the system",
        Forbidden::FileSize => "writing very large files",
        Forbidden::Other => "making unusual system calls",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::sample;
    use provoke_wire::Phase;

    #[test]
    fn blocked_calls_are_counted_by_function_and_survive_being_saved() {
        let api = sample::api();
        let body = sample::body(&api, "x = make; look &x");
        let mut calls = BlockedCalls::default();
        for (what, statement) in [(Forbidden::Network, 1), (Forbidden::Network, 1), (Forbidden::ReadFiles, 0)] {
            calls.add(&api, &body, Blocked { what, statement, phase: Phase::Call });
        }
        let bytes = saved_forms::to_bytes(&calls);
        let restored: BlockedCalls = saved_forms::from_bytes(&bytes, "blocked calls").unwrap();
        let listed: Vec<_> =
            restored.iter().map(|(function, what, times)| (function.to_string(), what, times)).collect();
        assert_eq!(listed.len(), 2);
        assert!(listed.iter().any(|(_, what, times)| (*what, *times) == (Forbidden::Network, 2)));
        assert_eq!(calls.iter().collect::<Vec<_>>(), restored.iter().collect::<Vec<_>>());
        for end in 0..bytes.len() {
            let cut = saved_forms::from_bytes::<BlockedCalls>(&bytes[..end], "blocked calls");
            assert!(cut.is_err(), "cut at {end}");
        }
    }
}
