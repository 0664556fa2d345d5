//! The type graph: what can stand for an argument, what makes a type, and what can be reached at all.

use provoke_wire::{LiteralKind, Mode, Shape};

use crate::api::Api;
use crate::api::abilities::is_copy;
use crate::api::scope::{Calls, scope};

/// A slot type that fits an argument type, and how it is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    pub slot_type: u32,
    pub mode: Mode,
}

/// Facts about the API that do not change during a run.
#[derive(Clone, Debug)]
pub struct Graph {
    /// By argument type.
    sources: Vec<Vec<Source>>,
    /// Operations that result in a type and whose own arguments can be had, cheapest first.
    makers: Vec<Vec<u32>>,
    /// How many statements the cheapest way to make a type takes; `None` where nothing makes it.
    cost: Vec<Option<u32>>,
    literal: Vec<Option<LiteralKind>>,
    /// By literal kind.
    type_of_literal: Vec<Option<u32>>,
    /// Operations all of whose arguments can be had.
    reachable: Vec<bool>,
    /// By slot type: operations that can take such a value and are called for their own sake.
    users: Vec<Vec<u32>>,
    /// By operation.
    calls: Vec<Calls>,
}

impl Graph {
    /// Of a search that calls everything.
    pub fn new(api: &Api) -> Graph {
        Graph::of_selected(api, &vec![true; api.functions.len()])
    }

    /// Of a search that calls these functions, and others only to make what those take.
    pub fn of_selected(api: &Api, is_selected: &[bool]) -> Graph {
        let n_types = api.types.len();
        let literal: Vec<Option<LiteralKind>> =
            api.types.iter().map(|t| t.literal.and_then(LiteralKind::from_code)).collect();
        let sources = (0..n_types as u32).map(|t| sources_of(api, t)).collect::<Vec<_>>();
        let mut graph = Graph {
            sources,
            makers: vec![Vec::new(); n_types],
            cost: literal.iter().map(|l| l.map(|_| 1)).collect(),
            type_of_literal: LiteralKind::ALL
                .iter()
                .map(|&kind| literal.iter().position(|l| *l == Some(kind)).map(|t| t as u32))
                .collect(),
            literal,
            reachable: vec![false; api.ops.len()],
            users: vec![Vec::new(); n_types],
            calls: scope(api, is_selected),
        };
        graph.find_costs(api);
        graph.find_users(api);
        graph
    }

    /// Shortest ways, by relaxing until nothing gets cheaper.
    fn find_costs(&mut self, api: &Api) {
        loop {
            let mut changed = false;
            for (op, _) in api.ops.iter().zip(&self.calls).filter(|(_, calls)| **calls != Calls::Never) {
                let Some(cost) = self.op_cost(&op.args) else {
                    continue;
                };
                let place = &mut self.cost[op.result as usize];
                if place.is_none_or(|old| cost < old) {
                    *place = Some(cost);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        for (number, op) in api.ops.iter().enumerate() {
            if self.op_cost(&op.args).is_some() && self.calls[number] != Calls::Never {
                self.reachable[number] = true;
                self.makers[op.result as usize].push(number as u32);
            }
        }
        let costs: Vec<Option<u32>> = api.ops.iter().map(|op| self.op_cost(&op.args)).collect();
        for makers in &mut self.makers {
            makers.sort_by_key(|&op| (costs[op as usize], op));
        }
    }

    fn find_users(&mut self, api: &Api) {
        for (number, op) in api.ops.iter().enumerate() {
            if !self.is_target(number as u32) {
                continue;
            }
            for &arg in &op.args {
                for source in &self.sources[arg as usize] {
                    let users = &mut self.users[source.slot_type as usize];
                    if users.last() != Some(&(number as u32)) {
                        users.push(number as u32);
                    }
                }
            }
        }
    }

    fn op_cost(&self, args: &[u32]) -> Option<u32> {
        let mut total = 1u32;
        for &arg in args {
            let cheapest = self.sources[arg as usize].iter().filter_map(|s| self.cost[s.slot_type as usize]).min()?;
            total = total.saturating_add(cheapest);
        }
        Some(total.min(1_000_000))
    }

    pub fn sources(&self, arg_type: u32) -> &[Source] {
        &self.sources[arg_type as usize]
    }

    pub fn makers(&self, ty: u32) -> &[u32] {
        &self.makers[ty as usize]
    }

    /// Operations that can take a value of the type, without those that are called for their results alone.
    pub fn users(&self, ty: u32) -> &[u32] {
        &self.users[ty as usize]
    }

    pub fn literal(&self, ty: u32) -> Option<LiteralKind> {
        self.literal[ty as usize]
    }

    pub fn type_of_literal(&self, kind: u32) -> Option<u32> {
        self.type_of_literal.get(kind as usize).copied().flatten()
    }

    pub fn can_be_made(&self, ty: u32) -> bool {
        self.cost[ty as usize].is_some()
    }

    /// The source that takes the fewest statements: following it from type to type comes to an end.
    pub fn cheapest_source(&self, arg_type: u32) -> Option<Source> {
        let makeable = self.sources[arg_type as usize].iter().filter(|s| self.can_be_made(s.slot_type));
        makeable.min_by_key(|s| self.cost[s.slot_type as usize]).copied()
    }

    pub fn is_reachable(&self, op: u32) -> bool {
        self.reachable[op as usize]
    }

    /// Whether an operation can be called for its own sake.
    pub fn is_target(&self, op: u32) -> bool {
        self.is_reachable(op) && self.calls[op as usize] == Calls::Freely
    }

    /// The first argument type that nothing can provide.
    pub fn missing_argument(&self, args: &[u32]) -> Option<u32> {
        args.iter().copied().find(|&arg| !self.sources[arg as usize].iter().any(|s| self.can_be_made(s.slot_type)))
    }
}

/// What an argument of the type can be made from, the natural one first.
pub(crate) fn sources_of(api: &Api, arg_type: u32) -> Vec<Source> {
    let by_value = if is_copy(api, arg_type) { Mode::Copy } else { Mode::Move };
    let mut sources = vec![Source { slot_type: arg_type, mode: by_value }];
    let info = &api.types[arg_type as usize];
    let ref_mut_of =
        |target: u32| (0..api.types.len() as u32).find(|&t| api.types[t as usize].shape == Shape::RefMut(target));
    match info.shape {
        Shape::Ref(target) => {
            sources.insert(0, Source { slot_type: target, mode: Mode::Ref });
            if let Some(slot_type) = ref_mut_of(target) {
                sources.push(Source { slot_type, mode: Mode::Reborrow });
            }
        }
        Shape::RefMut(target) => {
            sources.insert(0, Source { slot_type: target, mode: Mode::RefMut });
            sources[1].mode = Mode::ReborrowMut;
        }
        _ => {}
    }
    sources
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::sample;

    #[test]
    fn following_the_cheapest_maker_and_source_always_comes_to_an_end() {
        let api = sample::api();
        let graph = Graph::new(&api);
        for ty in (0..api.types.len() as u32).filter(|&ty| graph.can_be_made(ty)) {
            let mut current = ty;
            let mut n_steps = 0;
            while graph.literal(current).is_none() {
                let maker = &api.ops[graph.makers(current)[0] as usize];
                let cost = |ty: u32| graph.cost[ty as usize];
                let sources: Vec<Source> = maker.args.iter().filter_map(|&arg| graph.cheapest_source(arg)).collect();
                assert_eq!(sources.len(), maker.args.len());
                assert!(sources.iter().all(|source| cost(source.slot_type) < cost(current)), "{}", maker.key);
                let Some(next) = sources.first() else { break };
                current = next.slot_type;
                n_steps += 1;
                assert!(n_steps < 100);
            }
        }
    }
}
