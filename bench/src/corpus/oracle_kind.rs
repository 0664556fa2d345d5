//! What kind of bug an oracle sees: the words of a corpus for the ids of Provoke's oracles.

use serde::Deserialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OracleKind {
    Panic,
    /// A trait law is broken.
    Law,
    /// An abort, a segmentation fault, an illegal instruction.
    Signal,
    Hang,
    /// A double drop, a use after drop, a leak.
    Drop,
    /// Two views of the same object disagree, or a result is wrong.
    Invariant,
}

impl OracleKind {
    /// A message of the panic or abort itself can be expected in the finding.
    pub fn has_message(self) -> bool {
        matches!(self, OracleKind::Panic | OracleKind::Signal)
    }
}

/// Oracles by the kinds of bugs that they see. One can be of two kinds: a failed `debug_assert!` is
/// a panic, and says that an invariant is broken.
const KINDS: [(&[OracleKind], &[&str]); 8] = [
    (
        &[OracleKind::Panic],
        &[
            "undocumented-panic",
            "error-promised",
            "overflow",
            "unreachable",
            "drop-panics",
            "forbidden-panic",
            "trait-panics",
        ],
    ),
    (&[OracleKind::Panic, OracleKind::Invariant], &["debug-assert", "probe"]),
    (&[OracleKind::Panic, OracleKind::Law], &["observer-panics"]),
    (&[OracleKind::Signal], &["crash", "stack-overflow"]),
    (&[OracleKind::Signal, OracleKind::Drop], &["memory-error"]),
    (&[OracleKind::Hang], &["endless-loop"]),
    (&[OracleKind::Drop], &["double-drop", "use-after-drop", "leak"]),
    (
        &[OracleKind::Invariant],
        &[
            "is-empty-agrees",
            "count-agrees",
            "capacity-agrees",
            "text-round-trip",
            "conversion-round-trip",
            "clone-independent",
            "exclusive-borrows",
            "precondition",
            "postcondition",
            "invariant",
            "temporal",
            "stated-law",
        ],
    ),
];

/// An oracle that is not listed is a law, since laws are what is added most.
pub fn kinds_of(oracle: &str) -> &'static [OracleKind] {
    let listed = KINDS.iter().find(|(_, oracles)| oracles.contains(&oracle));
    listed.map_or(&[OracleKind::Law], |(kinds, _)| kinds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use provoke_oracles::ORACLES;

    #[test]
    fn only_what_asks_a_law_is_one() {
        for oracle in ORACLES.iter().filter(|oracle| oracle.law.is_none()) {
            assert_ne!(kinds_of(oracle.id), [OracleKind::Law], "{}", oracle.id);
        }
    }

    #[test]
    fn every_listed_oracle_exists() {
        for id in KINDS.iter().flat_map(|(_, oracles)| *oracles) {
            assert!(provoke_oracles::oracle(id).is_some(), "{id}");
        }
    }

    #[test]
    fn oracles_that_nobody_listed_are_laws() {
        assert_eq!(kinds_of("ord-transitive"), [OracleKind::Law]);
        assert_eq!(kinds_of("crash"), [OracleKind::Signal]);
        assert_eq!(kinds_of("memory-error"), [OracleKind::Signal, OracleKind::Drop]);
        assert_eq!(kinds_of("debug-assert"), [OracleKind::Panic, OracleKind::Invariant]);
    }
}
