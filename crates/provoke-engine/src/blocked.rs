//! What the sandbox kept functions from doing: not their fault, but whoever reads the results must know.

use std::collections::BTreeMap;

use provoke_wire::{Blocked, Body, Forbidden};

use crate::api::Api;
use crate::verdict::function_at;

/// Functions and what they were kept from doing, with how often.
#[derive(Clone, Debug, Default)]
pub struct BlockedCalls {
    times: BTreeMap<(String, Forbidden), u64>,
}

impl BlockedCalls {
    pub(crate) fn add(&mut self, api: &Api, body: &Body, blocked: Blocked) {
        let function = function_at(api, body, blocked.statement, blocked.phase);
        *self.times.entry((function, blocked.what)).or_default() += 1;
    }

    /// By function.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Forbidden, u64)> {
        self.times.iter().map(|((function, what), times)| (function.as_str(), *what, *times))
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
