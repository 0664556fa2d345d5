//! How the preconditions that contracts state fared in a search, and what came of asking specifications.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contracts {
    /// Those with preconditions, by name.
    pub functions: Vec<GuardedFunction>,
    /// Those of them that were called, but never rightly, by name.
    pub never_met: Vec<String>,
    /// Of the crates `contracts` and `anodized`, and `post!` of specs.
    #[serde(default)]
    pub postconditions: ClauseCount,
    /// Of the crates `contracts` and `anodized`; those of the crate `provoke` are specifications.
    #[serde(default)]
    pub invariants: ClauseCount,
    /// What is asked after every step, in the order of their names.
    #[serde(default)]
    pub specifications: Vec<AskedSpecification>,
    /// Clauses that went wrong when they were checked, by place; those that are asked before calls are told above.
    #[serde(default)]
    pub spoilt_clauses: Vec<SpoiltClause>,
}

/// How many clauses of a kind there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClauseCount {
    pub stated: u64,
    /// Those that became code: the build leaves others out, or the compiler saw that they always hold. Nobody knows without counters.
    pub checked: Option<u64>,
}

/// A clause of a contract from which nothing can be concluded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpoiltClause {
    /// `precondition`, `postcondition` or `invariant`.
    pub kind: String,
    /// As it is written.
    pub text: String,
    /// The function that it stands at; empty for one of a whole impl.
    pub function: String,
    pub location: String,
    /// What is wrong with it, for people.
    pub trouble: String,
}

/// What an attribute of the crate `provoke` states about the objects of a type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedSpecification {
    /// The attribute: `invariant`, `temporal`, `model` or `law`.
    pub kind: String,
    /// The function that it stands at.
    pub specification: String,
    /// Of a model: programs that it threw away.
    pub discarded: u64,
    /// Of a law: how often it was asked. Others are asked of every object, after every step.
    #[serde(default)]
    pub asked: Option<u64>,
    /// What is wrong with it, for people.
    pub trouble: Option<String>,
}

/// A function with preconditions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuardedFunction {
    pub function: String,
    /// Calls that the search wanted to make.
    pub attempts: u64,
    /// Of those, the ones that kept all preconditions that are checked.
    pub satisfied: u64,
    pub violated: u64,
    /// Of calls that no component brought along.
    #[serde(default)]
    pub new_calls: NewCalls,
    pub clauses: Vec<GuardClause>,
}

/// What became of calls that are no replayed part of a component: how hard a precondition is to
/// meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewCalls {
    pub attempted: u64,
    pub satisfied: u64,
    pub refused: u64,
}

impl NewCalls {
    pub fn new(attempted: u64, refused: u64) -> NewCalls {
        NewCalls { attempted, satisfied: attempted - refused, refused }
    }
}

/// One clause of a precondition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuardClause {
    /// As it is written.
    pub text: String,
    pub location: String,
    /// It is asked before each call. Otherwise it sees private parts, and the contract itself tells.
    pub asked_before: bool,
    /// It is checked at all. Otherwise the build left it out, or it is always true: which calls keep it, nobody knows.
    #[serde(default = "yes")]
    pub checked: bool,
    /// Calls that broke it, of those that kept the ones before it.
    pub violated: u64,
    /// Of calls that no component brought along, those of which it was asked: others had broken a
    /// clause before it.
    #[serde(default)]
    pub new_calls: NewCalls,
    /// What is wrong with the clause itself, for people.
    pub trouble: Option<String>,
}

/// What was written down before it was known.
fn yes() -> bool {
    true
}

impl GuardedFunction {
    /// The clause that was broken most often, of a function that was never called rightly.
    pub fn hardest(&self) -> Option<&GuardClause> {
        self.clauses.iter().rev().max_by_key(|clause| clause.violated)
    }
}
