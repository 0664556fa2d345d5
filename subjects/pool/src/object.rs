//! Objects and their kinds.

/// What an object is known by in the pool that took it in. In another pool it stands for whatever
/// has the same place there, if anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub(crate) usize);

/// Something that a test made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Object {
    /// A whole number.
    Int(i64),
    /// A character.
    Char(char),
    /// A text.
    Text(String),
    /// Two objects of the same pool.
    Pair(ObjectId, ObjectId),
}

/// What an object is, or must be to fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Every object.
    Any,
    /// Numbers and characters.
    Scalar,
    /// [`Object::Int`]
    Int,
    /// [`Object::Char`]
    Char,
    /// [`Object::Text`]
    Text,
    /// [`Object::Pair`]
    Pair,
}

impl Object {
    /// The narrowest kind of this object.
    pub fn kind(&self) -> Kind {
        match self {
            Object::Int(_) => Kind::Int,
            Object::Char(_) => Kind::Char,
            Object::Text(_) => Kind::Text,
            Object::Pair(..) => Kind::Pair,
        }
    }

    /// Whether it is of a kind, the narrowest or one that includes it.
    pub fn is(&self, kind: Kind) -> bool {
        kind.includes(self.kind())
    }

    /// What it refers to.
    pub(crate) fn parts(&self) -> impl Iterator<Item = ObjectId> {
        let parts = match self {
            Object::Pair(one, other) => Some([*one, *other]),
            _ => None,
        };
        parts.into_iter().flatten()
    }
}

impl Kind {
    /// Whether everything that is of kind `other` is of this kind, too.
    pub fn includes(self, other: Kind) -> bool {
        match self {
            Kind::Any => true,
            Kind::Scalar => matches!(other, Kind::Scalar | Kind::Int | Kind::Char),
            _ => self == other,
        }
    }
}
