//! A law: a condition on a few values of one type, as text for the harness and for tests.

/// How the worker says that a law does not hold.
pub const LAW_BROKEN: &str = "provoke: law broken";

/// In the texts, `{a}`, `{b}` and `{c}` are the values, `{&a}` a reference to the first, `{T}` their type and `{Q}` the
/// argument of the trait on trial.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Law {
    /// Any of these brings a type before the law.
    pub trials: &'static [LawTrial],
    /// Traits that the type must have besides.
    pub needs: &'static [&'static str],
    /// Words in the documentation of the methods on trial that show that something else is meant.
    pub unless_docs_say: &'static [&'static str],
    /// It is also asked between two types, where the trait on trial is about two.
    pub spans_types: bool,
    /// How many values it takes, and how.
    pub values: &'static [LentArgument],
    /// An expression of type `bool`. Iterators are stepped a thousand times at most.
    pub check: &'static str,
    /// The failing line of a test: it need not bother with what the check had to exclude.
    pub test: &'static str,
    /// Paths that both need.
    pub imports: &'static [&'static str],
}

/// What brings a type before a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LawTrial {
    /// A hand-written impl of a trait of std; the finding is about this method of it. If methods are named, only an impl
    /// that writes one of them is on trial: what it inherits is right by construction.
    Impl { of: &'static str, method: &'static str, written: &'static [&'static str] },
    /// Inherent methods that take `&self` and nothing else; the finding is about the first.
    Methods(&'static [&'static str]),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LentArgument {
    Shared,
    Exclusive,
}
