//! Functions that could not be tested as one would like: blocked by the sandbox, or in quarantine.

use provoke_engine::{Api, Quarantined, Search, forbidden_words};
use provoke_report::{BlockedFunction, FunctionReason, QuarantinedFunction};
use provoke_wire::Forbidden;

/// Both by name of the function.
pub struct Troubles {
    pub blocked: Vec<BlockedFunction>,
    pub quarantined: Vec<QuarantinedFunction>,
}

impl Troubles {
    pub fn of(search: &Search<'_>, api: &Api) -> Troubles {
        let blocked = |(function, what, times): (&str, Forbidden, u64)| BlockedFunction {
            function: function.to_string(),
            what: forbidden_words(what).to_string(),
            times,
        };
        let quarantined = |found: Quarantined| QuarantinedFunction {
            function: api.functions[found.function as usize].path.clone(),
            why: found.why.to_string(),
            times: found.times.into(),
        };
        let mut troubles = Troubles {
            blocked: search.blocked().iter().map(blocked).collect(),
            quarantined: search.quarantined().into_iter().map(quarantined).collect(),
        };
        troubles.quarantined.sort_by(|a, b| a.function.cmp(&b.function));
        troubles
    }

    /// What the sandbox did to a function is a better reason than what the search makes of it.
    pub fn explain(&self, uncovered: &mut [FunctionReason]) {
        for entry in uncovered {
            if let Some(blocked) = self.blocked.iter().find(|blocked| blocked.function == entry.function) {
                entry.reason = format!("no call returned normally: the sandbox keeps it from {}", blocked.what);
                entry.help = Some("if you trust it with that, `--sandbox off`".to_string());
            }
        }
    }
}
