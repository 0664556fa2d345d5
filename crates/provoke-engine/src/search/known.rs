//! What a search knows: the API, what was kept, what is called next, and what was seen.

use std::collections::BTreeSet;

use provoke_api::OpRole;
use provoke_wire::Literal;

use crate::api::Api;
use crate::api::graph::Graph;
use crate::generate::builder::Material;
use crate::generate::literals::Literals;
use crate::options::{Guidance, SearchOptions, Strategy};
use crate::search::corpus::Corpus;
use crate::search::knowledge::Knowledge;
use crate::search::observer::Stats;
use crate::search::schedule::Schedule;

/// Sources of programs read this, and what came of their programs is written here, batch by batch.
pub(crate) struct Known<'a> {
    pub api: &'a Api,
    pub options: &'a SearchOptions,
    pub graph: Graph,
    pub literals: Literals,
    /// Which uses are made of what programs reach.
    pub guidance: Guidance,
    /// Operations that may be the call under test.
    pub targets: Vec<u32>,
    /// Operations on std types and constructors that may be appended for their own sake.
    pub material: Vec<u32>,
    /// Operations that are not called any more, since programs that call them turned out to be none that rustc accepts.
    pub retired: BTreeSet<u32>,
    pub corpus: Corpus,
    pub schedule: Schedule,
    pub knowledge: Knowledge,
    pub stats: Stats,
}

impl<'a> Known<'a> {
    pub fn new(api: &'a Api, options: &'a SearchOptions, mined: &[Literal]) -> Known<'a> {
        let graph = Graph::of_selected(api, &options.is_selected);
        let (targets, material) = callable(api, options, &graph);
        Known {
            api,
            options,
            literals: Literals::new(mined),
            guidance: if options.strategy == Strategy::Guided && !options.regions.of_edges.is_empty() {
                options.guidance
            } else {
                Guidance::NONE
            },
            targets,
            material,
            retired: BTreeSet::new(),
            corpus: Corpus::new(api.types.len(), options.max_component_bytes, &options.is_selected),
            schedule: Schedule::new(api, &options.regions),
            knowledge: Knowledge::new(api, options),
            stats: Stats::default(),
            graph,
        }
    }

    /// What programs are built from.
    pub fn material(&self, may_reuse: bool) -> Material<'_> {
        Material {
            api: self.api,
            graph: &self.graph,
            components: &self.corpus.components,
            literals: &self.literals,
            argument_constants: &self.knowledge.argument_constants,
            may_reuse,
            relates: self.guidance.relates,
            cost_limits: &self.schedule.cost_limits,
        }
    }

    pub fn retire(&mut self, ops: &[u32]) {
        if ops.iter().all(|op| self.retired.contains(op)) {
            return;
        }
        self.retired.extend(ops);
        // Somebody has to be called; programs that call what is retired are dropped in any case.
        if self.targets.iter().any(|target| !self.retired.contains(target)) {
            self.targets.retain(|target| !self.retired.contains(target));
        }
    }

    pub fn is_covered(&self, op: u32) -> bool {
        self.api.ops[op as usize].function.is_none_or(|function| self.knowledge.covered[function as usize])
    }

    /// Whether the user asked for the function behind an operation; what is no function is never left out.
    pub fn is_selected(&self, op: u32) -> bool {
        self.api.ops[op as usize].function.is_none_or(|function| self.options.is_selected[function as usize])
    }
}

/// Operations that may be the call under test, and those that may be appended for their own sake.
fn callable(api: &Api, options: &SearchOptions, graph: &Graph) -> (Vec<u32>, Vec<u32>) {
    let (mut targets, mut material) = (Vec::new(), Vec::new());
    for (number, op) in (0..).zip(&api.ops) {
        if !graph.is_target(number) {
            continue;
        }
        match (op.role, op.function) {
            (OpRole::Function | OpRole::Law, Some(_)) => targets.push(number),
            // About no function in particular, so only where all are asked for.
            (OpRole::Law, None) if options.is_selected.iter().all(|yes| *yes) => targets.push(number),
            (OpRole::Function | OpRole::Coercion | OpRole::Law | OpRole::Watch | OpRole::Aside, _) => {}
            _ => material.push(number),
        }
    }
    (targets, material)
}
