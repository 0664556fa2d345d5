//! A finding: what is shown, saved, and compared between runs.
//!
//! Decision: `docs/decisions/054-an-id-tells-which-arithmetic-failed.md`

use provoke_wire::Program;
use serde::{Deserialize, Serialize};

use crate::hash::stable::StableHash;
use crate::program::order::is_simpler;
use crate::saved_forms;
use crate::verdict::place::Place;
use crate::verdict::{Incident, Judgement};
use provoke_oracles::{PROBE, Tier, is_contract};

/// The same for every seed and run: a hash of oracle, function, place without line and column, and which arithmetic failed or
/// which clause.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FindingId(pub String);

/// How std's messages about arithmetic begin, in which nothing varies but the operation.
const ARITHMETIC: &str = "attempt to ";

impl FindingId {
    pub fn of(judgement: &Judgement) -> FindingId {
        let mut hash = StableHash::new();
        hash.text(judgement.oracle);
        hash.text(&judgement.function);
        let nowhere = Place::default();
        let place = judgement.place.as_ref().unwrap_or(&nowhere);
        hash.text(&place.file);
        hash.text(&place.function);
        // Other messages may hold values. A function that overflows in two ways has two faults, more often than not.
        if judgement.oracle == PROBE.id {
            hash.text(&without_values(&judgement.words()));
        } else if judgement.message.starts_with(ARITHMETIC) || is_contract(judgement.oracle) {
            hash.text(&judgement.words());
        }
        let mut id = format!("{:016x}", hash.finish());
        id.truncate(10);
        FindingId(id)
    }
}

/// A probe may assert several things, which its messages tell apart. But `assert_eq!` tells the values, too, from the second line
/// on, and what else is in a message is a number, more often than not.
fn without_values(message: &str) -> String {
    message.lines().next().unwrap_or_default().replace(|c: char| c.is_ascii_digit(), "")
}

impl std::fmt::Display for FindingId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether a finding shows every time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Steadiness {
    /// In every fresh process, whatever its random numbers and its clock.
    Steady,
    /// The same, but not in a process that has run something else before: what calls leave behind there matters.
    HiddenState,
    /// It comes and goes with random numbers or the clock.
    Chance,
    /// It was seen in a process that had run other programs before, and in no fresh one.
    Elusive,
}

impl Steadiness {
    pub fn is_flaky(self) -> bool {
        matches!(self, Steadiness::Chance | Steadiness::Elusive)
    }

    /// For people; nothing where there is nothing to say.
    pub fn remark(self) -> Option<&'static str> {
        match self {
            Steadiness::Steady => None,
            Steadiness::HiddenState => {
                Some("the crate keeps hidden state: what earlier calls left behind in the process matters")
            }
            Steadiness::Chance => Some("it comes and goes with random numbers or the clock"),
            Steadiness::Elusive => Some("it was seen after many other calls in one process, and never in a fresh one"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub id: FindingId,
    pub judgement: Judgement,
    /// Where in `program` it happens.
    pub incident: Incident,
    #[serde(with = "saved_forms::encoded")]
    pub program: Program,
    pub n_calls_before_minimizing: usize,
    pub steadiness: Steadiness,
    /// How many programs were run to minimise it.
    pub n_replays: usize,
}

/// One finding per (oracle, function, place), each with its simplest program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Findings {
    findings: Vec<Finding>,
}

impl Findings {
    pub fn new() -> Findings {
        Findings::default()
    }

    /// Adds a finding, or merges it with the one of the same id. Returns whether the id is new.
    ///
    /// Steady wins over flaky, then the higher tier, then the simpler program.
    pub fn add(&mut self, finding: Finding) -> bool {
        let Some(known) = self.findings.iter_mut().find(|known| known.id == finding.id) else {
            self.findings.push(finding);
            return true;
        };
        let rank = |f: &Finding| (!f.steadiness.is_flaky(), f.judgement.tier);
        let is_better = rank(&finding) > rank(known)
            || (rank(&finding) == rank(known) && is_simpler(&finding.program, &known.program));
        if is_better {
            *known = finding;
        }
        false
    }

    pub fn get(&self, id: &FindingId) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.id == *id)
    }

    /// In the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter()
    }

    /// Errors first, then by function and id: the same order for every run that finds the same.
    pub fn sorted(&self) -> Vec<&Finding> {
        let mut sorted: Vec<&Finding> = self.findings.iter().collect();
        sorted.sort_by(|a, b| {
            let tiers = b.judgement.tier.cmp(&a.judgement.tier);
            tiers.then_with(|| a.judgement.function.cmp(&b.judgement.function)).then_with(|| a.id.cmp(&b.id))
        });
        sorted
    }

    pub fn n_of(&self, tier: Tier) -> usize {
        let is_of = |finding: &&Finding| finding.judgement.tier == tier;
        self.findings.iter().filter(is_of).count()
    }

    pub fn len(&self) -> usize {
        self.findings.len()
    }

    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::panic_kind::PanicKind;
    use crate::verdict::{Activity, Failure};
    use provoke_wire::{Literal, Phase};

    fn judgement(line: u32, tier: Tier) -> Judgement {
        Judgement {
            tier,
            oracle: "overflow",
            function: "slab::Slab::insert".into(),
            place: Some(Place { file: "src/lib.rs".into(), line, column: 3, function: "grow".into() }),
            group: None,
            message: "attempt to add with overflow".into(),
            clause: None,
            is_optional: false,
            trail: Vec::new(),
        }
    }

    fn finding(line: u32, tier: Tier, n_literals: u8) -> Finding {
        let judgement = judgement(line, tier);
        let mut program = Program::default();
        for n in 0..n_literals {
            program.main.push_literal(&Literal::U8(n));
        }
        Finding {
            id: FindingId::of(&judgement),
            judgement,
            incident: Incident {
                key: 1,
                event: Failure::Panic(PanicKind::Overflow),
                activity: Activity::Call,
                statement: 0,
                at: 0,
                phase: Phase::Call,
                panic: Some(0),
                is_after_panic: false,
            },
            program,
            n_calls_before_minimizing: 9,
            steadiness: Steadiness::Steady,
            n_replays: 0,
        }
    }

    #[test]
    fn an_id_does_not_depend_on_line_column_tier_or_values() {
        let id = FindingId::of(&judgement(1, Tier::Error));
        assert_eq!(id.0.len(), 10);
        assert_eq!(FindingId::of(&judgement(99, Tier::Suspicious)), id);
        let mut other = judgement(1, Tier::Error);
        other.function = "slab::Slab::remove".into();
        assert_ne!(FindingId::of(&other), id);
        let mut other = judgement(1, Tier::Error);
        other.place.as_mut().unwrap().function = "shrink".into();
        assert_ne!(FindingId::of(&other), id);
        let mut other = judgement(1, Tier::Error);
        other.oracle = "crash";
        assert_ne!(FindingId::of(&other), id);
        let with_message =
            |message: &str| FindingId::of(&Judgement { message: message.into(), ..judgement(1, Tier::Error) });
        assert_ne!(with_message("attempt to multiply with overflow"), id);
        assert_eq!(with_message("no room for 7"), with_message("no room for 8"));
        let of_clause = |message: &str| {
            let message = message.into();
            FindingId::of(&Judgement { oracle: "postcondition", message, ..judgement(1, Tier::Error) })
        };
        assert_ne!(
            of_clause("Post-condition of grow violated: ret > 0"),
            of_clause("Post-condition of grow violated: ret < 9")
        );
        let of_probe = |message: &str| {
            let message = message.into();
            FindingId::of(&Judgement { oracle: "probe", message, ..judgement(1, Tier::Error) })
        };
        let unequal = |left: &str| format!("assertion `left == right` failed\n  left: {left}\n right: None");
        assert_eq!(of_probe(&unequal("Some(\"a\")")), of_probe(&unequal("Some(\"b\")")));
        assert_eq!(of_probe("7 slots are left"), of_probe("10 slots are left"));
        assert_ne!(of_probe("a slot is left"), of_probe("a key is left"));
        let of_unnamed_clause = |clause: &str| {
            let (message, clause) = ("postcondition failed".into(), Some(clause.into()));
            FindingId::of(&Judgement { oracle: "postcondition", message, clause, ..judgement(1, Tier::Error) })
        };
        assert_ne!(of_unnamed_clause("|n| n > 0"), of_unnamed_clause("|n| n < 9"));
    }

    #[test]
    fn of_two_with_one_id_the_higher_tier_wins_then_the_simpler_program() {
        let mut findings = Findings::new();
        assert!(findings.add(finding(1, Tier::Suspicious, 1)));
        assert!(!findings.add(finding(1, Tier::Error, 3)));
        assert!(!findings.add(finding(2, Tier::Error, 2)));
        assert!(!findings.add(finding(2, Tier::Error, 4)));
        assert!(!findings.add(finding(2, Tier::Suspicious, 1)));
        assert_eq!(findings.len(), 1);
        let kept = findings.sorted()[0];
        assert_eq!((kept.judgement.tier, kept.program.main.statements.len()), (Tier::Error, 2));
        assert_eq!((findings.n_of(Tier::Error), findings.n_of(Tier::Suspicious)), (1, 0));
    }
}
