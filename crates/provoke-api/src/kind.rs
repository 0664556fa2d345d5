//! The kind of an operation: what it does, as far as anybody asks.

use serde::{Deserialize, Serialize};

/// What an operation does, as far as anybody asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum OpKind {
    /// What nobody asks about: calls of functions, variants, constants, closures.
    #[default]
    Other,
    /// Makes a struct of fields that the program chooses. Those of a variant are for everybody to choose.
    StructLiteral,
    FieldAssignment,
    /// Formats a value: `format!("{}", a)`.
    Formatting,
    /// A built-in that Provoke brings along, mostly on a type of std, and none of the following five.
    OfStd,
    /// Takes the value out of `Some`.
    UnwrapSome,
    /// Takes the value out of `Ok`.
    UnwrapOk,
    /// Takes the error out of `Err`.
    UnwrapErr,
    DefaultValue,
    Clone,
    /// Calls a user's own function for testing.
    Probe,
    /// Asks a model which histories an application would make.
    Model,
    /// Calls a function as it is, though it has a spec.
    Unspecified,
    /// Asks whether a history is right so far.
    AskHistory,
    /// Asks whether it is right as a whole.
    AskLife,
    /// Tells a watch of a point in a history.
    WatchPoint,
    /// Makes a watch.
    WatchNew,
    /// Tells a watch that the history is over.
    WatchFinish,
    /// Asks a watch whether the history was right.
    WatchKept,
}

impl OpKind {
    /// Whether fields of a struct get values that the program chooses.
    pub fn sets_fields(self) -> bool {
        matches!(self, OpKind::StructLiteral | OpKind::FieldAssignment)
    }

    /// Whether it is a built-in that Provoke brings along, and none that the crate or its dependencies give rise to.
    pub fn is_of_std(self) -> bool {
        use OpKind::{Clone, DefaultValue, OfStd, UnwrapErr, UnwrapOk, UnwrapSome};
        matches!(self, OfStd | UnwrapSome | UnwrapOk | UnwrapErr | DefaultValue | Clone)
    }
}
