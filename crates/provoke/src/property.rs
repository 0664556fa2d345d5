//! A property in a watch, with what it has to remember from one point to the next.

use std::any::Any;
use std::panic::Location;

#[derive(Debug)]
pub(crate) struct Property {
    /// By which method of the watch it is stated.
    pub(crate) method: &'static str,
    /// Where it was stated first.
    pub(crate) place: &'static Location<'static>,
    /// Of a type that depends on the method.
    pub(crate) memory: Box<dyn Any>,
}

/// The memory of properties that are about what is still to come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Debt {
    /// Nothing was asked for yet.
    #[default]
    None,
    /// Something has to come before the end.
    Owed,
    /// It came.
    Paid,
}

impl Property {
    /// Whether something is still missing when the life of the object is over.
    pub(crate) fn is_owed(&self) -> bool {
        self.memory.downcast_ref() == Some(&Debt::Owed)
    }
}
