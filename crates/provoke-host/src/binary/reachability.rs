//! Where blocks of instrumented code lead, and how they are come by.

use std::collections::BTreeSet;

use crate::binary::control_flow::ControlFlow;

/// By block.
pub(crate) struct Courses {
    /// Those that have code and may follow, other than by unwinding.
    pub ways: Vec<Vec<usize>>,
    /// No way leads back to the caller but by unwinding.
    pub panics: Vec<bool>,
    /// Some way leads there on which nothing unwinds.
    pub is_ordinary: Vec<bool>,
    /// Some way leads there on which something unwinds.
    pub is_unwinding: Vec<bool>,
}

impl Courses {
    /// `entries` are edges that lead into a function; `dead_ends` are addresses of functions that do not return, of those that have
    /// no blocks here.
    pub fn of(
        flow: &ControlFlow,
        entries: &BTreeSet<u32>,
        landing_pads: &BTreeSet<u64>,
        dead_ends: &BTreeSet<u64>,
    ) -> Courses {
        let ways = flow.ways(entries, landing_pads);
        let is_entry = |block: usize| flow.blocks[block].edge.is_some_and(|edge| entries.contains(&edge));
        let is_pad = |block: usize| landing_pads.contains(&flow.blocks[block].address);
        Courses {
            panics: panicking(flow, &ways, entries, dead_ends),
            is_ordinary: reached_from(&ways, is_entry),
            is_unwinding: reached_from(&ways, is_pad),
            ways,
        }
    }

    /// Those that are taken while something unwinds, and at no other time.
    pub fn unwinding_edges(&self, flow: &ControlFlow) -> BTreeSet<u32> {
        edges_of(flow, |block| self.is_unwinding[block] && !self.is_ordinary[block])
    }

    /// Those that lead to nothing but a panic.
    pub fn panicking_edges(&self, flow: &ControlFlow) -> BTreeSet<u32> {
        edges_of(flow, |block| self.panics[block])
    }
}

fn edges_of(flow: &ControlFlow, counts: impl Fn(usize) -> bool) -> BTreeSet<u32> {
    flow.blocks.iter().enumerate().filter(|(block, _)| counts(*block)).filter_map(|(_, block)| block.edge).collect()
}

fn panicking(flow: &ControlFlow, ways: &[Vec<usize>], entries: &BTreeSet<u32>, dead_ends: &BTreeSet<u64>) -> Vec<bool> {
    let mut panics = vec![false; flow.blocks.len()];
    let mut dead_ends = dead_ends.clone();
    loop {
        let mut has_changed = false;
        // What follows mostly comes later.
        for (at, block) in flow.blocks.iter().enumerate().rev() {
            if panics[at] {
                continue;
            }
            let is_stuck = !block.successors.is_empty() && ways[at].iter().all(|way| panics[*way]);
            if is_stuck || block.callees.iter().any(|callee| dead_ends.contains(callee)) {
                panics[at] = true;
                has_changed = true;
                if block.edge.is_some_and(|edge| entries.contains(&edge)) {
                    dead_ends.insert(block.address);
                }
            }
        }
        if !has_changed {
            return panics;
        }
    }
}

fn reached_from(ways: &[Vec<usize>], is_start: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut waiting: Vec<usize> = (0..ways.len()).filter(|block| is_start(*block)).collect();
    let mut is_reached = vec![false; ways.len()];
    while let Some(block) = waiting.pop() {
        if !std::mem::replace(&mut is_reached[block], true) {
            waiting.extend(&ways[block]);
        }
    }
    is_reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binary::control_flow::Block;

    #[test]
    fn what_only_unwinding_leads_to_and_what_only_leads_to_a_panic_are_known() {
        const PAD: u64 = 40;
        const PANIC: u64 = 700;
        // The entry forks to a check that fails and to a call that may unwind; both clean up, and the last block is shared with
        // what goes on normally.
        let rows: [(u64, &[u64], &[u64]); 6] = [
            (10, &[20, 30], &[]),
            (20, &[1], &[PANIC]),
            (30, &[60, PAD], &[500]),
            (PAD, &[50, 60], &[]),
            (50, &[], &[]),
            (60, &[], &[]),
        ];
        let blocks = rows.map(|(address, successors, callees)| Block {
            address,
            edge: None,
            successors: successors.to_vec(),
            callees: callees.to_vec(),
        });
        let flow = ControlFlow::new(blocks.to_vec(), &rows.map(|row| row.0));
        let [pads, dead_ends] = [PAD, PANIC].map(|address| BTreeSet::from([address]));
        let courses = Courses::of(&flow, &BTreeSet::from([0]), &pads, &dead_ends);
        assert_eq!(courses.unwinding_edges(&flow), BTreeSet::from([3, 4]));
        assert_eq!(courses.panicking_edges(&flow), BTreeSet::from([1]));
    }
}
