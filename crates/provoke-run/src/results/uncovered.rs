//! Why a function that could be called was never seen to return.

use provoke_codegen::SkipReason;
use provoke_engine::{Graph, Op};

use crate::prepare::assemble::Assembled;

/// Place of each callable function that no call covered, and the reason.
pub fn uncovered_reasons(
    assembled: &Assembled,
    graph: &Graph,
    covered: &[bool],
    callable: &[bool],
) -> Vec<(usize, SkipReason)> {
    let api = &assembled.api;
    let mut reasons = Vec::new();
    for (index, _) in callable.iter().enumerate().filter(|(i, yes)| **yes && !covered[*i]) {
        let of_function = |op: &&Op| op.function == Some(index as u32) || op.trait_function == Some(index as u32);
        let missing: Option<u32> = api.ops.iter().filter(of_function).find_map(|op| graph.missing_argument(&op.args));
        let is_reachable =
            api.ops.iter().enumerate().any(|(number, op)| of_function(&op) && graph.is_reachable(number as u32));
        let skip_reason = match missing {
            Some(ty) if !is_reachable => SkipReason::NothingMakes(api.types[ty as usize].name.clone()),
            _ => SkipReason::NeverReturned,
        };
        reasons.push((index, skip_reason));
    }
    reasons
}
