//! A lead: something that went wrong, with all that looking into it takes.
//!
//! A lead owns what it holds, so that it can be looked into at any time and anywhere, while the search goes on.
//!
//! Decision: `docs/decisions/091-looking-follows-from-the-leads.md`

use std::sync::Arc;

use provoke_engine::{Incident, Predecessors, Stock, Suspect};
use provoke_wire::{Outcome, Program};

pub struct Lead {
    pub incident: Incident,
    pub program: Program,
    /// Where it happened.
    pub spot: u64,
    pub found_after_seconds: f64,
    /// How the search came by it; nothing if it was met while another finding was minimised.
    pub encounter: Option<Encounter>,
    /// What the minimiser may draw from.
    pub stock: Arc<Stock>,
}

/// How the search came by a program that did not end well.
pub struct Encounter {
    pub outcome: Outcome,
    /// What the batch's random numbers and clock started from.
    pub entropy: u64,
    earlier: Vec<(Program, Outcome)>,
    programs: Vec<Program>,
    outcomes: Vec<Outcome>,
}

impl Lead {
    pub fn new(suspect: &Suspect<'_>, incident: &Incident, spot: u64, found_after_seconds: f64) -> Lead {
        Lead {
            incident: incident.clone(),
            program: suspect.program.clone(),
            spot,
            found_after_seconds,
            encounter: Some(Encounter::of(suspect)),
            stock: Arc::new(suspect.stock()),
        }
    }

    /// Something else that went wrong while this one was minimised.
    pub fn met_on_the_way(&self, incident: Incident, program: Program, spot: u64) -> Lead {
        let (found_after_seconds, stock) = (self.found_after_seconds, Arc::clone(&self.stock));
        Lead { incident, program, spot, found_after_seconds, encounter: None, stock }
    }
}

impl Encounter {
    fn of(suspect: &Suspect<'_>) -> Encounter {
        Encounter {
            outcome: suspect.outcome.clone(),
            entropy: suspect.entropy,
            earlier: suspect.before.earlier.to_vec(),
            programs: suspect.before.programs.to_vec(),
            outcomes: suspect.before.outcomes.to_vec(),
        }
    }

    /// After these programs of its batch, which ended well.
    #[cfg(test)]
    pub(crate) fn after(programs: &[Program], outcome: Outcome) -> Encounter {
        let outcomes = vec![Outcome::default(); programs.len()];
        Encounter { outcome, entropy: 0, earlier: Vec::new(), programs: programs.to_vec(), outcomes }
    }

    pub fn before(&self) -> Predecessors<'_> {
        Predecessors { earlier: &self.earlier, programs: &self.programs, outcomes: &self.outcomes }
    }
}
