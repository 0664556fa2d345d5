//! Objects and their kinds.

/// Something that a test made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Object {
    /// A whole number.
    Int(i64),
    /// A character.
    Char(char),
    /// A text.
    Text(String),
    /// Other objects of the same pool, by index.
    List(Vec<usize>),
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
    /// [`Object::List`]
    List,
}

impl Object {
    /// The narrowest kind of this object.
    pub fn kind(&self) -> Kind {
        match self {
            Object::Int(_) => Kind::Int,
            Object::Char(_) => Kind::Char,
            Object::Text(_) => Kind::Text,
            Object::List(_) => Kind::List,
        }
    }

    /// The indices that it refers to.
    pub(crate) fn parts(&self) -> &[usize] {
        match self {
            Object::List(parts) => parts,
            _ => &[],
        }
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
