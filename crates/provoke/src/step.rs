//! What was just done to an object.

/// The last step in the life of an object, as a [`model`](macro@crate::model) is told of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Step<'a> {
    /// The method that was called: `"insert"`.
    pub name: &'a str,
}

impl<'a> Step<'a> {
    /// For Provoke, and for tests of a model.
    pub fn new(name: &'a str) -> Step<'a> {
        Step { name }
    }
}
