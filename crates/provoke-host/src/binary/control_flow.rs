//! Which blocks of instrumented code follow which, as the compiler left it in the executable.
//!
//! The table has, for each block of each function: its address, those of the blocks that may follow, 0, what it calls, 0. What
//! was optimised away later has the address 1.

use std::collections::{BTreeMap, BTreeSet};

use crate::binary::tables::words;

const BLOCKS: &str = "__sancov_cfs";

/// Code without a branch but at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Block {
    pub address: u64,
    /// Its counter. A block that cannot be reached has none.
    pub edge: Option<u32>,
    /// Addresses of all that may follow, whether there is code of it or not.
    pub successors: Vec<u64>,
    /// Addresses of functions.
    pub callees: Vec<u64>,
}

#[derive(Debug, Default)]
pub(crate) struct ControlFlow {
    pub blocks: Vec<Block>,
    /// By address; it may be shared, if the code of one of them is all gone.
    at: BTreeMap<u64, Vec<usize>>,
}

impl ControlFlow {
    /// `addresses` are those of the edges. Nothing if the compiler left no table.
    pub fn of(file: &object::File<'_>, addresses: &[u64]) -> Option<ControlFlow> {
        Some(ControlFlow::new(read_blocks(&words(file, BLOCKS)?), addresses))
    }

    pub fn new(mut blocks: Vec<Block>, addresses: &[u64]) -> ControlFlow {
        let mut at: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (place, block) in blocks.iter().enumerate() {
            at.entry(block.address).or_default().push(place);
        }
        let mut edges_at: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
        for (address, edge) in addresses.iter().zip(0..) {
            edges_at.entry(*address).or_default().push(edge);
        }
        for (address, edges) in edges_at {
            let Some(places) = at.get(&address) else { continue };
            // Both tables are in the order of the code as it was. If there are too many blocks, some cannot be reached:
            // nothing is in them.
            let mut places: Vec<usize> = places.clone();
            if places.len() > edges.len() {
                places.sort_by_key(|place| blocks[*place].successors.is_empty() && blocks[*place].callees.is_empty());
                places.truncate(edges.len());
                places.sort_unstable();
            }
            for (place, edge) in places.into_iter().zip(edges) {
                blocks[place].edge = Some(edge);
            }
        }
        ControlFlow { blocks, at }
    }

    /// For each block those that have code and may follow, by place, other than by unwinding.
    pub fn ways(&self, entries: &BTreeSet<u32>, landing_pads: &BTreeSet<u64>) -> Vec<Vec<usize>> {
        let is_way = |from: usize, to: usize| {
            let block = &self.blocks[to];
            // A loop of one block has a second one for the way back.
            from != to && block.edge.is_some_and(|edge| !entries.contains(&edge))
        };
        let ways_from = |from: usize| {
            let mut ways: Vec<usize> = Vec::new();
            for address in self.blocks[from].successors.iter().filter(|address| !landing_pads.contains(address)) {
                // What was optimised away shares one address that means nothing.
                let places = self.at.get(address).filter(|_| *address > 1).into_iter().flatten().copied();
                ways.extend(places.filter(|to| is_way(from, *to)));
            }
            ways.sort_unstable();
            ways.dedup();
            ways
        };
        (0..self.blocks.len()).map(ways_from).collect()
    }
}

/// As far as the table is complete.
fn read_blocks(words: &[u64]) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut rest = words;
    while let Some((&address, after)) = rest.split_first() {
        let mut lists = after.splitn(3, |word| *word == 0);
        let (Some(successors), Some(callees), Some(others)) = (lists.next(), lists.next(), lists.next()) else { break };
        blocks.push(Block { address, edge: None, successors: successors.to_vec(), callees: callees.to_vec() });
        rest = others;
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read_as_far_as_it_is_complete() {
        let block = |address, successors: &[u64], callees: &[u64]| Block {
            address,
            edge: None,
            successors: successors.to_vec(),
            callees: callees.to_vec(),
        };
        let words = [16, 20, 30, 0, 0, 20, 0, 99, 0, 30, 0];
        assert_eq!(read_blocks(&words), [block(16, &[20, 30], &[]), block(20, &[], &[99])]);
    }

    #[test]
    fn ways_lead_to_counted_blocks_and_never_by_unwinding() {
        // 40 is a landing pad, 50 is where the next function starts, and where a block without code lies; 1 is gone.
        let words =
            [10, 20, 40, 50, 1, 0, 99, 0, 20, 0, 0, 40, 0, 0, 1, 0, 0, 50, 0, 0, 50, 60, 0, 0, 60, 50, 60, 0, 0];
        let flow = ControlFlow::new(read_blocks(&words), &[10, 20, 40, 1, 50, 60]);
        let edges: Vec<Option<u32>> = flow.blocks.iter().map(|block| block.edge).collect();
        assert_eq!(edges, [Some(0), Some(1), Some(2), Some(3), None, Some(4), Some(5)]);
        let ways = flow.ways(&BTreeSet::from([0, 4]), &BTreeSet::from([40]));
        assert_eq!(ways, [vec![1], vec![], vec![], vec![], vec![], vec![6], vec![]]);
    }
}
