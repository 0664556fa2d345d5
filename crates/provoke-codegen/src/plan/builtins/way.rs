//! The form of a row: a std type, and the operations that make it or take it apart.

use provoke_api::OpKind;

/// One type.
pub struct StdType {
    pub pattern: &'static str,
    pub makers: &'static [BuiltinWay],
    pub takers: &'static [BuiltinWay],
}

/// One operation on a type.
#[derive(Clone, Copy)]
pub struct BuiltinWay {
    /// An adapter of the runtime that takes a witness of `Self`, or an expression that needs none (`::std::time::Duration::from_secs`).
    pub function: &'static str,
    pub args: &'static [&'static str],
    pub result: &'static str,
    /// As a test spells it; `@0` is the name of `T0`. Where it has none, the whole `::<…>` around it is left out.
    pub text: &'static str,
    pub explicit: Option<&'static str>,
    pub imports: &'static [&'static str],
    pub loans: RowLoans,
    /// The runtime's adapter asks something of the parts, and may be refused; they are met all the same.
    pub is_bounded: bool,
    pub kind: OpKind,
}

/// What an operation lends and passes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowLoans {
    /// The result holds the arguments.
    Passed,
    /// The result is another view of what the first argument refers to, written inside the statement that uses it.
    Viewed,
    /// The result borrows from the first argument.
    Lent,
    /// The result comes out of what the first argument refers to.
    TakenOut,
    /// The other arguments go into what the first refers to.
    PutIn,
    /// The result borrows nothing.
    Owned,
    /// The first argument is called with the others, which it may hand out again.
    Called,
    /// The same with an argument that may also keep the others.
    CalledMut,
}

pub const fn way(
    function: &'static str,
    args: &'static [&'static str],
    result: &'static str,
    text: &'static str,
    loans: RowLoans,
) -> BuiltinWay {
    let kind = OpKind::OfStd;
    BuiltinWay { function, args, result, text, explicit: None, imports: &[], loans, is_bounded: false, kind }
}

/// A value made from parts.
pub const fn make(function: &'static str, args: &'static [&'static str], text: &'static str) -> BuiltinWay {
    way(function, args, "Self", text, RowLoans::Passed)
}

/// The default value.
pub const fn default(text: &'static str) -> BuiltinWay {
    make("default_of", &[], text).being(OpKind::DefaultValue)
}

/// A value made from parts, which are copied or plain.
pub const fn own(function: &'static str, args: &'static [&'static str], text: &'static str) -> BuiltinWay {
    way(function, args, "Self", text, RowLoans::Owned)
}

/// A part taken out of a value that is used up.
pub const fn take(function: &'static str, result: &'static str, text: &'static str) -> BuiltinWay {
    way(function, &["Self"], result, text, RowLoans::Passed)
}

/// What a smart pointer points to.
pub const fn deref(target: &'static str) -> BuiltinWay {
    way("deref_of", &["&Self"], target, "&**{0}", RowLoans::Viewed)
}

pub const fn put(function: &'static str, args: &'static [&'static str], text: &'static str) -> BuiltinWay {
    way(function, args, "()", text, RowLoans::PutIn)
}

impl BuiltinWay {
    pub const fn importing(self, imports: &'static [&'static str]) -> BuiltinWay {
        BuiltinWay { imports, ..self }
    }

    pub const fn explicitly(self, text: &'static str) -> BuiltinWay {
        BuiltinWay { explicit: Some(text), ..self }
    }

    pub const fn bounded(self) -> BuiltinWay {
        BuiltinWay { is_bounded: true, ..self }
    }

    pub const fn being(self, kind: OpKind) -> BuiltinWay {
        BuiltinWay { kind, ..self }
    }

    pub const fn lending(self, loans: RowLoans) -> BuiltinWay {
        BuiltinWay { loans, ..self }
    }

    /// The expression does without a witness.
    pub fn is_direct(&self) -> bool {
        self.function.starts_with([':', '|'])
    }
}

pub const fn made(pattern: &'static str, makers: &'static [BuiltinWay]) -> StdType {
    StdType { pattern, makers, takers: &[] }
}

pub const fn both(pattern: &'static str, makers: &'static [BuiltinWay], takers: &'static [BuiltinWay]) -> StdType {
    StdType { pattern, makers, takers }
}
