//! Where the target's control flow forks, and which ways there are.
//!
//! A condition is a place in the target's sources at which code goes on in two or more ways. Each way is a side, and known by the
//! place it leads to: so the instances of generic code are one condition, and what std decides inside of a call that goes on at
//! the same place either way is none. No condition is that a call may return or unwind, and what code does while it unwinds.
//! What ends in a panic on all ways is a side, since a bug may lie there, but marked: checks that the compiler adds (bounds,
//! overflow) have one that cannot be reached if the code is right.
//!
//! Sides that panic may share their code with those of other conditions of a function; then each counts as taken.
//!
//! Decision: `docs/decisions/080-a-branch-is-a-place-where-control-flow-forks.md`

use std::collections::{BTreeMap, BTreeSet};

use crate::binary::control_flow::ControlFlow;
use crate::binary::edges::{Framed, SourcePlace};
use crate::binary::reachability::Courses;

/// Where control flow forks, all instances together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    pub place: SourcePlace,
    /// Those that lead to it. Sorted.
    pub edges: Vec<u32>,
    /// At least two, by where they lead.
    pub sides: Vec<Side>,
}

/// One way to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// In the same function; nothing if it leaves that.
    pub to: Option<SourcePlace>,
    /// It leads to nothing but a panic, or to the end of the process.
    pub panics: bool,
    /// Those that are the first on it. Sorted.
    pub edges: Vec<u32>,
}

/// What else is known about the code.
pub(crate) struct Code<'a> {
    pub courses: &'a Courses,
    /// For each edge, the first place of the target that it leads to.
    pub first_places: &'a [Option<SourcePlace>],
    /// For each edge, the first place in each copy of a function that it leads to.
    pub frames: &'a [Vec<Framed>],
    /// For each edge, where the last code is that it leads to, if that is the target's.
    pub ends: &'a [Option<Framed>],
}

/// How far to look for where a side leads.
const MAX_STEPS: usize = 16;

/// By place.
pub(crate) fn conditions(flow: &ControlFlow, code: &Code<'_>) -> Vec<Branch> {
    let Courses { ways, panics, is_ordinary, .. } = code.courses;
    let edge_of = |block: usize| flow.blocks[block].edge.map_or(usize::MAX, |edge| edge as usize);
    let frames_at = |block: usize| code.frames.get(edge_of(block)).map_or(&[][..], Vec::as_slice);
    let first_place = |block: usize| code.first_places.get(edge_of(block)).copied().flatten();
    type Sides = BTreeMap<(Option<SourcePlace>, bool), BTreeSet<u32>>;
    let mut all: BTreeMap<SourcePlace, (BTreeSet<u32>, Sides)> = BTreeMap::new();
    for (block, ways_on) in ways.iter().enumerate().filter(|(block, ways_on)| is_ordinary[*block] && ways_on.len() > 1)
    {
        let Some((copy, place)) = code.ends.get(edge_of(block)).copied().flatten() else { continue };
        let leads_to = |side: usize| {
            let mut at = side;
            let mut found = None;
            for _ in 0..MAX_STEPS {
                match frames_at(at).iter().find(|(number, _)| *number == copy) {
                    Some((_, next)) if *next != place => return Some(*next),
                    // Nothing but the way there.
                    Some(_) => found = Some(place),
                    None if !frames_at(at).is_empty() => return None,
                    None => {}
                }
                let [next] = ways[at][..] else { break };
                at = next;
            }
            found
        };
        let sides_by = |key: &dyn Fn(usize) -> Option<SourcePlace>| -> Vec<_> {
            ways_on.iter().map(|side| ((key(*side), panics[*side]), edge_of(*side) as u32)).collect()
        };
        let is_fork = |sides: &[((Option<SourcePlace>, bool), u32)]| sides.iter().any(|(key, _)| *key != sides[0].0);
        let mut sides = sides_by(&leads_to);
        if !is_fork(&sides) {
            // What the result of an inlined function decides may be done without ever making it.
            sides = sides_by(&first_place);
        }
        if !is_fork(&sides) {
            continue;
        }
        let (edges, merged) = all.entry(place).or_default();
        edges.insert(edge_of(block) as u32);
        for (key, edge) in sides {
            merged.entry(key).or_default().insert(edge);
        }
    }
    let conditions = all.into_iter().map(|(place, (edges, sides))| Branch {
        place,
        edges: edges.into_iter().collect(),
        sides: sides
            .into_iter()
            .map(|((to, panics), edges)| Side { to, panics, edges: edges.into_iter().collect() })
            .collect(),
    });
    conditions.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binary::control_flow::Block;
    use expect_test::{Expect, expect};

    /// A block with its address, where its code starts and ends (0: nowhere in the target), and what may follow; all in one
    /// function, which starts with the first.
    type Row = (u64, Framed, Framed, &'static [u64], &'static [u64]);

    const PAD: u64 = 90;
    const PANIC: u64 = 700;

    fn at(line: u32) -> SourcePlace {
        SourcePlace { file: 0, line, column: 1 }
    }

    fn framed((copy, place): Framed) -> Option<Framed> {
        (place.line != 0).then_some((copy, place))
    }

    fn check(rows: &[Row], expected: Expect) {
        let blocks = rows.iter().map(|(address, _, _, successors, callees)| Block {
            address: *address,
            edge: None,
            successors: successors.to_vec(),
            callees: callees.to_vec(),
        });
        let addresses: Vec<u64> = rows.iter().map(|row| row.0).collect();
        let flow = ControlFlow::new(blocks.collect(), &addresses);
        let first = |row: &Row| framed(row.1);
        let [pads, dead_ends] = [PAD, PANIC].map(|address| BTreeSet::from([address]));
        let code = Code {
            courses: &Courses::of(&flow, &BTreeSet::from([0]), &pads, &dead_ends),
            first_places: &rows.iter().map(|row| first(row).map(|(_, place)| place)).collect::<Vec<_>>(),
            frames: &rows.iter().map(|row| first(row).into_iter().collect()).collect::<Vec<_>>(),
            ends: &rows.iter().map(|row| framed(row.2)).collect::<Vec<_>>(),
        };
        let mut text = String::new();
        for condition in conditions(&flow, &code) {
            text += &format!("line {} by {:?}:", condition.place.line, condition.edges);
            for side in condition.sides {
                let to = side.to.map_or("out".to_owned(), |place| place.line.to_string());
                text += &format!(" {to}{} by {:?}", if side.panics { " (panics)" } else { "" }, side.edges);
            }
            text += "\n";
        }
        expected.assert_eq(&text);
    }

    #[test]
    fn calls_that_unwind_are_no_conditions_and_checks_have_a_side_that_panics() {
        let here = |line| (0, at(line));
        check(
            &[
                // Calls something that may unwind.
                (10, here(1), here(1), &[20, PAD], &[500]),
                // A bounds check.
                (20, here(2), here(2), &[30, 40], &[]),
                (30, here(2), here(3), &[50, 60], &[]),
                (40, here(2), here(2), &[], &[PANIC]),
                (50, here(4), here(4), &[60], &[]),
                (60, here(5), here(5), &[], &[]),
                // What is done while unwinding.
                (PAD, here(5), here(5), &[95, 97], &[]),
                (95, here(6), here(6), &[97], &[]),
                (97, here(7), here(7), &[], &[]),
            ],
            expect![[r#"
                line 2 by [1]: 2 by [2] 2 (panics) by [3]
                line 3 by [2]: 4 by [4] 5 by [5]
            "#]],
        );
    }

    #[test]
    fn what_only_leads_back_to_the_same_place_is_none() {
        let here = |line| (0, at(line));
        check(
            &[
                // Inlined from std: the vector may have to grow, and it goes on at the same place.
                (10, here(1), here(1), &[20, 30], &[]),
                (20, here(1), here(1), &[30], &[500]),
                (30, here(1), here(2), &[40, 50], &[]),
                // No more than a counter on the way.
                (40, here(2), here(2), &[60], &[]),
                (50, here(3), here(3), &[60], &[]),
                (60, here(4), here(4), &[], &[]),
            ],
            expect![[r#"
                line 2 by [2]: 3 by [4] 4 by [3]
            "#]],
        );
    }

    #[test]
    fn copies_of_an_inlined_function_are_one_condition_wherever_they_lead() {
        let (here, first_copy, second_copy) = (|line| (0, at(line)), |line| (1, at(line)), |line| (2, at(line)));
        check(
            &[
                (10, first_copy(20), first_copy(20), &[12, 14], &[]),
                (12, first_copy(21), first_copy(21), &[14], &[]),
                (14, here(2), second_copy(20), &[16, 18], &[]),
                (16, second_copy(21), second_copy(21), &[18], &[]),
                (18, here(3), here(3), &[], &[]),
            ],
            expect![[r#"
                line 20 by [0, 2]: out by [2, 4] 21 by [1, 3]
            "#]],
        );
    }

    #[test]
    fn a_function_that_only_panics_is_a_dead_end_for_its_callers() {
        let here = |line| (0, at(line));
        check(
            &[
                (10, here(1), here(1), &[20, 30], &[]),
                (20, here(2), here(2), &[], &[10]),
                (30, here(3), here(3), &[35], &[]),
                (35, here(4), here(4), &[1], &[PANIC]),
            ],
            expect![[r#"
                line 1 by [0]: 2 by [1] 3 (panics) by [2]
            "#]],
        );
    }
}
