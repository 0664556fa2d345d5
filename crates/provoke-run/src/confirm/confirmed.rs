//! A finding that showed again, on its way to becoming a test.

use provoke_engine::Finding;
use provoke_report::Operand;
use serde::{Deserialize, Serialize};

/// A finding on its way to becoming a test, with what only the confirmer knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Confirmed {
    pub finding: Finding,
    pub found_after_seconds: f64,
    /// Other functions that were seen to lead to the same place so far.
    pub also_through: Vec<String>,
    /// What the values of its program were on the way, where a contract is broken.
    #[serde(default)]
    pub states: Vec<State>,
    /// When histories were looked at meanwhile.
    #[serde(default)]
    pub points: Vec<HistoryPoint>,
    /// Those of them that the broken clause is about.
    #[serde(default)]
    pub operands: Vec<Operand>,
}

/// The `Debug` text of one slot after one statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    pub statement: u32,
    pub slot: u32,
    pub text: String,
}

/// A moment at which a history was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryPoint {
    pub statement: u32,
    pub slot: u32,
    pub op: u32,
}
