//! One planned operation: how the harness names it and how a test spells it.

use provoke_oracles::CLONE_INDEPENDENT;
use serde::{Deserialize, Serialize};

/// How a test spells an operation.
///
/// A template holds `{0}`, `{1}`… for arguments as they are passed (`&x`, `&mut x`, `x`), and `{.0}` for an argument
/// in receiver position, where the language borrows by itself (`x`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpText {
    /// As a person would write it: `{.0}.insert({1})`.
    pub pretty: String,
    /// With everything spelled out, for when inference fails: `<Slab<u8>>::insert({0}, {1})`.
    pub explicit: String,
    /// Paths that `pretty` and `explicit` need imported: `slab::Slab`, `std::time::Duration`.
    pub imports: Vec<String>,
    /// What a variable holding the result is called: `slab`, `option`.
    pub variable: String,
    /// The type of the result where it can be named, with the imports of `imports`: `Slab<u8>`.
    pub result_type: Option<String>,
    /// The result is `()`: a statement of its own, never bound.
    pub is_unit: bool,
    /// A change of view that is written inside the statement that uses it.
    pub is_inline: bool,
    /// Arguments whose declared type is a type parameter: an integer there needs its suffix.
    pub generic_args: Vec<u8>,
    /// The result has drop glue or borrows: it must stay alive as long as in the program.
    pub needs_drop: bool,
    /// Traits that it asks of tracked elements.
    pub element_traits: Vec<String>,
    /// It names what is there only in builds with specifications.
    pub is_specification: bool,
}

/// Loans that flow through an operation; mirrored by the engine's own type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PlannedFlow {
    pub arg: u8,
    /// The reference itself is passed on; otherwise what the value already borrows.
    pub is_outer: bool,
    /// `None` is the result.
    pub to_arg: Option<u8>,
    /// The signature does not show it: it is there only if the target can hold a reference.
    #[serde(default)]
    pub is_guess: bool,
    /// It is there only if the target can be changed through a shared reference.
    #[serde(default)]
    pub needs_cell: bool,
}

impl PlannedFlow {
    /// One that the signature shows.
    pub fn of(arg: u8, is_outer: bool, to_arg: Option<u8>) -> PlannedFlow {
        PlannedFlow { arg, is_outer, to_arg, is_guess: false, needs_cell: false }
    }
}

/// One candidate for the harness; rustc decides whether it stays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedOp {
    /// Unique, stable name: the path with type arguments.
    pub key: String,
    /// Place in `Model::functions`.
    pub function: Option<usize>,
    /// The declaration in a local trait that a call of this impl's method covers too.
    pub trait_function: Option<usize>,
    pub role: Role,
    /// What is coerced to a function pointer.
    pub expression: String,
    /// The pointer type it is coerced to: `fn(_, _) -> _`.
    pub pointer: String,
    pub n_args: usize,
    pub flows: Vec<PlannedFlow>,
    pub static_args: Vec<u8>,
    /// Arguments that the signature itself shows to be references. Others may turn out to be some, through a projection.
    pub declared_refs: Vec<u8>,
    pub text: OpText,
    /// What contracts demand of its callers, as far as that can be asked from outside.
    pub guards: Vec<Guard>,
    /// What else the harness registers with it: code with `{op}` for its number, after `r` and the function pointer `f`.
    pub registrations: Vec<String>,
}

impl PlannedOp {
    /// Whether it gives the fields of a struct values of the caller's choice. Those of a variant are for everybody to choose.
    pub fn sets_fields(&self) -> bool {
        let is_literal = self.n_args > 0 && self.expression.contains(STRUCT_LITERAL);
        self.role == Role::Constructor && (is_literal || self.key.ends_with(ASSIGNMENT))
    }
}

/// Behind the parameters of what writes a struct literal.
pub(crate) const STRUCT_LITERAL: &str = "| X {";
/// At the end of the key of what assigns to a field.
pub(crate) const ASSIGNMENT: &str = " = _";

/// A precondition as a predicate over the arguments of an operation; rustc decides whether it stays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guard {
    /// Place in `Model::preconditions`.
    pub precondition: usize,
    /// A closure that takes a reference to each argument.
    pub closure: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    Function,
    Constructor,
    Builtin,
    Coercion,
    /// Asks whether a law holds: the id of the oracle, and what stands accused (`<im::HashMap as Hash>::hash`).
    Law {
        oracle: String,
        subject: String,
    },
    /// Serves such a law where it is asked after the search, which never calls it.
    Watch,
    /// A user's own function for testing: what stands accused if it panics.
    Probe {
        subject: String,
    },
    /// Stands in tests, or in reports, and is never called by the search.
    Aside,
}

impl PlannedOp {
    /// Only programs that are made after the search call it.
    pub fn is_asked_afterwards(&self) -> bool {
        match &self.role {
            Role::Watch | Role::Aside => true,
            Role::Law { oracle, .. } => oracle == CLONE_INDEPENDENT.id,
            _ => false,
        }
    }
}
