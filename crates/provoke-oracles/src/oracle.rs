//! An oracle: one kind of accusation.

use serde::{Deserialize, Serialize};

use crate::law::Law;

/// How sure it is that the crate is to blame, and so how much of a person's time a finding is worth. The worst is the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// A panic the documentation does not announce, a convention that is not kept.
    Suspicious,
    /// The crate is wrong, whatever the caller did.
    Error,
}

impl Tier {
    pub fn name(self) -> &'static str {
        match self {
            Tier::Suspicious => "suspicious",
            Tier::Error => "error",
        }
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Oracle {
    /// Part of every finding's id: never changed.
    pub id: &'static str,
    /// What must hold.
    pub claim: &'static str,
    /// What it is asked about.
    pub applies_to: &'static str,
    /// The highest tier that a finding of it can have.
    pub tier: Tier,
    /// When an accusation is unjust; reads after "a false alarm if".
    pub can_be_wrong: &'static str,
    /// What happened, where that is always the same; otherwise the panic or signal speaks for itself.
    pub message: Option<&'static str>,
    /// How it is asked, for those that ask something of their own.
    pub law: Option<Law>,
}

impl Oracle {
    /// A row of the panic policy; the engine's rules decide when it applies.
    pub(crate) const fn of_policy(
        id: &'static str,
        tier: Tier,
        applies_to: &'static str,
        claim: &'static str,
        can_be_wrong: &'static str,
    ) -> Oracle {
        Oracle { id, claim, applies_to, tier, can_be_wrong, message: None, law: None }
    }

    /// What happened is always the same.
    pub(crate) const fn saying(self, message: &'static str) -> Oracle {
        Oracle { message: Some(message), ..self }
    }
}
