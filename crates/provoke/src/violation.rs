//! A property that did not hold.

use std::fmt;
use std::panic::Location;

/// Which property of a [`Watch`](crate::Watch) was broken first, and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Violation {
    property: &'static str,
    place: &'static Location<'static>,
}

impl Violation {
    pub(crate) fn new(property: &'static str, place: &'static Location<'static>) -> Violation {
        Violation { property, place }
    }

    /// The method of the watch: `"unless"`.
    pub fn property(&self) -> &'static str {
        self.property
    }

    /// Where that method is called: file, line and column.
    pub fn place(&self) -> &'static Location<'static> {
        self.place
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is broken at {}", self.property, self.place)
    }
}
