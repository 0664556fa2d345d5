//! Why a function that could be called was never seen to return.

use provoke_engine::{Graph, Op};

use crate::assemble::Assembled;

/// Place of each callable function that no call covered, and the reason in a user's words.
pub fn uncovered_reasons(
    assembled: &Assembled,
    graph: &Graph,
    covered: &[bool],
    callable: &[bool],
) -> Vec<(usize, String)> {
    let api = &assembled.api;
    let mut reasons = Vec::new();
    for (index, _) in callable.iter().enumerate().filter(|(i, yes)| **yes && !covered[*i]) {
        let of_function = |op: &&Op| op.function == Some(index as u32) || op.trait_function == Some(index as u32);
        let missing: Option<u32> = api.ops.iter().filter(of_function).find_map(|op| graph.missing_argument(&op.args));
        let is_reachable =
            api.ops.iter().enumerate().any(|(number, op)| of_function(&op) && graph.is_reachable(number as u32));
        let reason = match missing {
            Some(ty) if !is_reachable => {
                format!("needs a `{}`, and nothing in the crate makes one", api.types[ty as usize].name)
            }
            _ => "no call returned normally: the arguments tried were refused or led to a panic".to_string(),
        };
        reasons.push((index, reason));
    }
    reasons
}
