//! `PartialEq`, `Hash` and `Borrow`.

use std::borrow::Borrow;
use std::hash::{Hash, Hasher};

/// `eq-reflexive`: three does not equal itself, and says that it is `Eq`.
#[derive(Debug)]
pub struct Irreflexive(pub u8);

impl PartialEq for Irreflexive {
    fn eq(&self, other: &Irreflexive) -> bool {
        self.0 == other.0 && self.0 != 3
    }
}

impl Eq for Irreflexive {}

/// `eq-symmetric`
#[derive(Debug)]
pub struct Asymmetric(pub u8);

impl PartialEq for Asymmetric {
    fn eq(&self, other: &Asymmetric) -> bool {
        self.0 == other.0 || (self.0 % 8 == 1 && other.0 % 8 == 2)
    }
}

/// `eq-symmetric`, between two types.
#[derive(Debug)]
pub struct Name(pub String);

/// The other type.
#[derive(Debug)]
pub struct Label(pub String);

impl PartialEq<Label> for Name {
    fn eq(&self, other: &Label) -> bool {
        self.0 == other.0
    }
}

impl PartialEq<Name> for Label {
    fn eq(&self, other: &Name) -> bool {
        self.0.len() == other.0.len()
    }
}

/// `eq-transitive`: neighbours are equal.
#[derive(Debug)]
pub struct Intransitive(pub u8);

impl PartialEq for Intransitive {
    fn eq(&self, other: &Intransitive) -> bool {
        (self.0 % 8).abs_diff(other.0 % 8) <= 1
    }
}

/// `ne-is-not-eq`
#[derive(Debug)]
pub struct Undecided(pub u8);

impl PartialEq for Undecided {
    fn eq(&self, other: &Undecided) -> bool {
        self.0 == other.0
    }

    #[allow(clippy::partialeq_ne_impl)]
    fn ne(&self, other: &Undecided) -> bool {
        self.0 % 16 != other.0 % 16
    }
}

/// `hash-agrees`: equal without regard to case, hashed with it.
#[derive(Debug)]
pub struct Caseless(String);

impl Caseless {
    pub fn new(text: &str) -> Caseless {
        Caseless(text.to_string())
    }

    pub fn upper(&self) -> Caseless {
        Caseless(self.0.to_uppercase())
    }
}

impl PartialEq for Caseless {
    fn eq(&self, other: &Caseless) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

impl Eq for Caseless {}

impl Hash for Caseless {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

/// `borrow-hashes-alike`: hashes more than what it lends.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Tagged(pub u8, pub u8);

impl Borrow<u8> for Tagged {
    fn borrow(&self) -> &u8 {
        &self.0
    }
}

/// `trait-panics`
#[derive(Debug)]
pub struct Touchy(pub u8);

impl PartialEq for Touchy {
    fn eq(&self, other: &Touchy) -> bool {
        [1, 2, 3][usize::from(self.0 % 4)] == [1, 2, 3, 4][usize::from(other.0 % 4)]
    }
}
