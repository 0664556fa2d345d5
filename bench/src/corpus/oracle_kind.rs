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

/// An oracle can be of two kinds: a failed `debug_assert!` is a panic, and says that an invariant is broken. One that
/// is not listed is a law, since laws are what is added most.
pub fn kinds_of(oracle: &str) -> &'static [OracleKind] {
    match oracle {
        "undocumented-panic" | "error-promised" | "overflow" | "unreachable" | "drop-panics" | "forbidden-panic"
        | "trait-panics" => &[OracleKind::Panic],
        "debug-assert" => &[OracleKind::Panic, OracleKind::Invariant],
        "observer-panics" => &[OracleKind::Panic, OracleKind::Law],
        "crash" | "stack-overflow" => &[OracleKind::Signal],
        "memory-error" => &[OracleKind::Signal, OracleKind::Drop],
        "endless-loop" => &[OracleKind::Hang],
        "double-drop" | "use-after-drop" | "leak" => &[OracleKind::Drop],
        "is-empty-agrees"
        | "count-agrees"
        | "capacity-agrees"
        | "text-round-trip"
        | "conversion-round-trip"
        | "clone-independent"
        | "exclusive-borrows"
        | "precondition"
        | "postcondition"
        | "invariant"
        | "temporal"
        | "stated-law" => &[OracleKind::Invariant],
        "probe" => &[OracleKind::Panic, OracleKind::Invariant],
        _ => &[OracleKind::Law],
    }
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
    fn oracles_that_nobody_listed_are_laws() {
        assert_eq!(kinds_of("ord-transitive"), [OracleKind::Law]);
        assert_eq!(kinds_of("crash"), [OracleKind::Signal]);
        assert_eq!(kinds_of("memory-error"), [OracleKind::Signal, OracleKind::Drop]);
        assert_eq!(kinds_of("debug-assert"), [OracleKind::Panic, OracleKind::Invariant]);
    }
}
