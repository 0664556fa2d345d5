//! What the engine knows of the crate under test: types, operations, functions.

pub mod abilities;
pub mod graph;
pub mod scope;
pub mod user_policy;

use provoke_api::{Flow, OpKind, OpRole};
use provoke_oracles::{Oracle, message_of_anodized, message_of_contracts};
use provoke_wire::{Panic, TypeInfo};

use crate::api::user_policy::Policy;

/// What an operation of the role [`Law`](OpRole::Law) asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LawOf {
    pub oracle: &'static Oracle,
    /// What stands accused: `<im::HashMap as Hash>::hash`.
    pub subject: String,
    /// Stands for all subjects that are accused together, since the same code would be to blame; empty where the subject is.
    pub group: String,
    /// Workers ask the same of all objects after each step; the function that was called last stands accused.
    pub is_monitored: bool,
    /// Where it is stated, if the target states it: a file as the compiler knows it, a line and a column.
    pub stated_at: Option<(String, u32, u32)>,
}

/// Which values of an `Option` or `Result` argument make sense.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wants {
    #[default]
    Any,
    /// Taking the value out of `Some` or `Ok`.
    Full,
    /// Taking the error out of `Err`.
    Empty,
}

/// One monomorphic operation; its number is its place in [`Api::ops`] and in the worker.
#[derive(Clone, Debug)]
pub struct Op {
    /// The path with type arguments as printed: the name of the operation on disk and in hashes.
    pub key: String,
    pub role: OpRole,
    pub kind: OpKind,
    /// Place in [`Api::functions`].
    pub function: Option<u32>,
    /// The declaration in a local trait that a call of this method covers too.
    pub trait_function: Option<u32>,
    /// Types of the arguments and of the result: places in [`Api::types`].
    pub args: Vec<u32>,
    pub result: u32,
    pub flows: Vec<Flow>,
    /// Arguments whose type says `'static`: only owned or leaked data may go there.
    pub static_args: Vec<u8>,
    pub law: Option<LawOf>,
    /// What is asked before each call, in the order in which the worker asks: places in [`Api::preconditions`].
    pub guards: Vec<u32>,
    /// What stands accused where neither a function nor a law does: a probe, or what clones a value.
    pub accused: Option<String>,
    /// The operation that it belongs to: of what calls a function as it is the one that calls the spec, of what else serves a
    /// history the one that asks it.
    pub belongs_to: Option<u32>,
}

impl Op {
    /// Which values make sense for its argument.
    pub fn wants(&self) -> Wants {
        match self.kind {
            OpKind::UnwrapSome | OpKind::UnwrapOk => Wants::Full,
            OpKind::UnwrapErr => Wants::Empty,
            _ => Wants::Any,
        }
    }

    /// What stands accused if a user's own function for testing panics.
    pub fn probe(&self) -> Option<&str> {
        self.accused.as_deref().filter(|_| self.kind == OpKind::Probe)
    }
}

/// What the verdict needs to know of a function.
#[derive(Clone, Debug, Default)]
pub struct FunctionFacts {
    /// `slab::Slab::insert`
    pub path: String,
    /// The last segment: `insert`.
    pub name: String,
    /// `Index`, `Add`, … for a method of a trait impl.
    pub of_trait: Option<String>,
    /// The docs of the function, its type, trait or module announce panics.
    pub documents_panics: bool,
    /// All that they announce is about where a range begins and ends.
    pub documents_range_panics: bool,
    /// All that they announce is about a parameter being zero.
    pub documents_zero_panics: bool,
    /// `try_…`, `checked_…`, `parse…`, `FromStr`, `TryFrom`, or a `Result` with an error type of the crate's own.
    pub promises_error: bool,
    pub is_deprecated: bool,
    /// The docs say what callers must do: what happens otherwise is no proof of a fault.
    pub states_preconditions: bool,
    /// The docs speak of overflow.
    pub documents_overflow: bool,
    /// The result may be kept for as long as one likes, though it can only come from what was lent to the function.
    pub lends_loosely: bool,
    /// The docs speak of leaking.
    pub documents_leaks: bool,
}

/// The crate under test as the worker was built for it.
#[derive(Clone, Debug, Default)]
pub struct Api {
    pub types: Vec<TypeInfo>,
    pub ops: Vec<Op>,
    pub functions: Vec<FunctionFacts>,
    /// What the user says of them.
    pub policy: Policy,
    /// Where clauses of contracts start in the sources of the target.
    pub clauses: Vec<ClausePlace>,
    /// Those that callers of the API have to keep.
    pub preconditions: Vec<PreconditionFacts>,
    /// What workers ask by themselves.
    pub specifications: Vec<SpecificationOf>,
}

/// What users state about the objects of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecificationOf {
    /// The attribute: `invariant`, `temporal`, `model`.
    pub kind: &'static str,
    /// `sorted_list::SortedList::closed_stays`
    pub path: String,
    /// The operations that stand for it.
    pub ops: Vec<u32>,
}

/// A clause that callers of a function have to keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreconditionFacts {
    /// Place in [`Api::functions`].
    pub function: u32,
    /// As it is written.
    pub text: String,
    pub place: ClausePlace,
}

/// Where a clause of a contract starts, as panics report it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClausePlace {
    /// As the compiler knows it.
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// It is checked in builds that ask for it, and in no others.
    pub is_optional: bool,
}

impl ClausePlace {
    /// Whether a panic started there.
    pub fn is_of(&self, panic: &Panic) -> bool {
        (self.line, self.column) == (panic.line, panic.column) && self.file == panic.file
    }
}

impl Api {
    /// The operation of this kind that belongs to another one.
    pub fn companion(&self, of: u32, kind: OpKind) -> Option<u32> {
        let is_it = |op: &Op| op.kind == kind && op.belongs_to == Some(of);
        self.ops.iter().position(is_it).map(|place| place as u32)
    }

    /// Whether a panic is about a clause of a contract: one that is known by its place, or says so.
    pub fn is_about_clause(&self, panic: &Panic) -> bool {
        self.clauses_at(panic).next().is_some()
            || message_of_contracts(&panic.message).or(message_of_anodized(&panic.message)).is_some()
    }

    /// Whether a panic comes from a check that most builds of the target do without.
    pub fn is_optional(&self, panic: &Panic) -> bool {
        self.clauses_at(panic).any(|clause| clause.is_optional)
    }

    fn clauses_at(&self, panic: &Panic) -> impl Iterator<Item = &ClausePlace> {
        self.clauses.iter().filter(|clause| clause.is_of(panic))
    }

    /// The preconditions of what an operation calls, with their places.
    pub fn preconditions_of(&self, op: &Op) -> impl Iterator<Item = (u32, &PreconditionFacts)> {
        let functions = [op.function, op.trait_function];
        let all = self.preconditions.iter().zip(0u32..).map(|(precondition, place)| (place, precondition));
        all.filter(move |(_, precondition)| functions.contains(&Some(precondition.function)))
    }
}
