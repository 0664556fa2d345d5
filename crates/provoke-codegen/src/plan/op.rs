//! One planned operation: how the harness names it and how a test spells it.

use provoke_api::{Flow, FlowPart, FlowTarget, OpKind, OpRole};
use provoke_oracles::{CLONE_INDEPENDENT, Oracle};
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

/// A flow as it is planned, before a worker has shown what the types can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedFlow {
    pub flow: Flow,
    /// The signature does not show it: it is there only if the target can hold a reference.
    pub is_guess: bool,
    /// It is there only if the target can be changed through a shared reference.
    pub needs_cell: bool,
}

impl PlannedFlow {
    /// One to the result that the signature shows.
    pub fn to_result(arg: u8, part: FlowPart) -> PlannedFlow {
        PlannedFlow::shown(Flow { arg, part, target: FlowTarget::Result })
    }

    /// One to another argument that the signature shows.
    pub fn to_arg(arg: u8, part: FlowPart, target: u8) -> PlannedFlow {
        PlannedFlow::shown(Flow { arg, part, target: FlowTarget::Arg(target) })
    }

    fn shown(flow: Flow) -> PlannedFlow {
        PlannedFlow { flow, is_guess: false, needs_cell: false }
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
    pub role: OpRole,
    pub kind: OpKind,
    /// Place in `Model::specifications` of what it asks, or calls in place of a function.
    pub specification: Option<usize>,
    /// The key of the operation that it belongs to: of what calls a function as it is the one that calls the spec, of what else
    /// serves a history the one that asks it.
    pub belongs_to: Option<String>,
    /// What stands accused where that is no function of the model: of a law (`<im::HashMap as Hash>::hash`; empty where the
    /// program tells), of a probe, of a clone.
    pub accused: Option<String>,
    /// Of a law: the id of the oracle by which it accuses.
    pub oracle: Option<String>,
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
    /// One that takes so many arguments, and of which nothing more is known.
    pub(crate) fn new(key: String, role: OpRole, expression: String, n_args: usize) -> PlannedOp {
        PlannedOp {
            key,
            function: None,
            trait_function: None,
            role,
            kind: OpKind::Other,
            specification: None,
            belongs_to: None,
            accused: None,
            oracle: None,
            expression,
            pointer: pointer(n_args),
            n_args,
            flows: Vec::new(),
            static_args: Vec::new(),
            declared_refs: Vec::new(),
            text: OpText::default(),
            guards: Vec::new(),
            registrations: Vec::new(),
        }
    }

    /// The same as a law, by which the oracle accuses somebody.
    pub(crate) fn accusing(self, oracle: &Oracle, accused: &str) -> PlannedOp {
        let (accused, oracle) = (Some(accused.to_string()), Some(oracle.id.to_string()));
        PlannedOp { role: OpRole::Law, accused, oracle, ..self }
    }

    /// Only programs that are made after the search call it.
    pub fn is_asked_afterwards(&self) -> bool {
        match self.role {
            OpRole::Watch | OpRole::Aside => true,
            OpRole::Law => self.oracle.as_deref() == Some(CLONE_INDEPENDENT.id),
            _ => false,
        }
    }
}

/// The pointer type of what takes so many arguments.
pub(crate) fn pointer(n_args: usize) -> String {
    format!("fn({}) -> _", vec!["_"; n_args].join(", "))
}

/// A precondition as a predicate over the arguments of an operation; rustc decides whether it stays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guard {
    /// Place in `Model::preconditions`.
    pub precondition: usize,
    /// A closure that takes a reference to each argument.
    pub closure: String,
}
