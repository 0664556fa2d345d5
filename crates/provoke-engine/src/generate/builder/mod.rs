//! Builds programs: arguments from the sequence itself, from components or from literals, with the borrow rules kept
//! by construction.

use std::borrow::Cow;

use provoke_api::OpRole;
use provoke_wire::{Arg, Body, Mode, StatementKind};

use crate::api::abilities::needs_drop;
use crate::api::graph::{Graph, Source};
use crate::api::{Api, Op, Wants};
use crate::generate::argument_constants::{ArgumentConstants, Parameter};
use crate::generate::components::{Components, Hands};
use crate::generate::cost_limits::CostLimits;
use crate::generate::literals::Literals;
use crate::program::loans::Loans;
use crate::rng::Rng;

mod derived_arguments;
mod replay;

use derived_arguments::Ways;

/// Longer programs are not built.
pub const MAX_STATEMENTS: usize = 500;
/// How deep missing values are made from scratch before only the cheapest way is taken.
const MAX_DEPTH: u32 = 4;
/// Literals that are what the operation measures the argument by.
const TOUCHSTONE_PERCENT: usize = 25;
/// Components that make values of a type, while there are few.
const FEW_VALUES: usize = 8;
/// Arguments of one call.
pub const MAX_ARGS: usize = 12;

/// What a builder draws from.
#[derive(Clone, Copy)]
pub struct Material<'a> {
    pub api: &'a Api,
    pub graph: &'a Graph,
    pub components: &'a Components,
    pub literals: &'a Literals,
    pub argument_constants: &'a ArgumentConstants,
    /// Components may be used; the random walk makes everything from scratch.
    pub may_reuse: bool,
    /// Some arguments are got from others.
    pub relates: bool,
    pub cost_limits: &'a CostLimits,
}

impl<'a> Material<'a> {
    /// For calls that are made again and again. To get an argument from another one often takes an `Option` apart, and of fifty
    /// such calls one would end the program.
    pub fn for_repetition(&self) -> Material<'a> {
        Material { relates: false, ..*self }
    }
}

/// A program under construction. Reused from program to program, so that nothing is allocated in the steady state.
#[derive(Default)]
pub struct Builder {
    pub body: Body,
    /// By slot; drops fill none.
    types: Vec<u32>,
    loans: Loans,
    /// The first statement that no component brought along.
    first_new: Option<u32>,
    /// What the argument under construction is for.
    parameter: Parameter,
    /// The call under construction asks a law.
    is_law: bool,
    /// The call under construction gets modest literals only.
    is_cautious: bool,
    doomed: Vec<u32>,
    candidates: Vec<Arg>,
    ways: Ways,
    hands: Hands,
}

/// Stands for the type of a slot that holds nothing.
const NO_TYPE: u32 = u32::MAX;

impl Builder {
    /// A new batch of programs begins, which draws from other components.
    pub fn begin_batch(&mut self) {
        self.hands.deal();
    }

    pub fn clear(&mut self) {
        self.body.clear();
        self.types.clear();
        self.loans.clear();
        self.first_new = None;
        self.is_cautious = false;
        self.is_law = false;
    }

    /// The first call that no component brought along; the end where there is none.
    pub fn first_new(&self) -> u32 {
        self.first_new.unwrap_or(self.body.statements.len() as u32)
    }

    /// Appends a call of `op` with freshly found arguments; `None` if some argument could not be had.
    pub fn call(&mut self, material: &Material<'_>, op: u32, rng: &mut Rng) -> Option<u32> {
        self.call_at_depth(material, op, None, MAX_DEPTH, rng)
    }

    /// As [`Builder::call`], with a certain value where it first fits.
    pub fn call_for(&mut self, material: &Material<'_>, op: u32, value: u32, rng: &mut Rng) -> Option<u32> {
        self.call_at_depth(material, op, Some(value), MAX_DEPTH, rng)
    }

    /// As [`Builder::call`], with modest literals only.
    pub fn call_with_care(&mut self, material: &Material<'_>, op: u32, rng: &mut Rng) -> Option<u32> {
        self.is_cautious = true;
        let slot = self.call(material, op, rng);
        self.is_cautious = false;
        slot
    }

    fn call_at_depth(
        &mut self,
        material: &Material<'_>,
        op_number: u32,
        mut value: Option<u32>,
        depth: u32,
        rng: &mut Rng,
    ) -> Option<u32> {
        let op = &material.api.ops[op_number as usize];
        // Whoever makes the arguments of a careful call is careful too.
        let was_cautious = self.is_cautious;
        self.is_cautious |= material.cost_limits.is_due(op_number, rng);
        let was_law = std::mem::replace(&mut self.is_law, op.role == OpRole::Law);
        let outer = self.parameter;
        let mut args = [Arg::new(0, Mode::Copy); MAX_ARGS];
        let n_args = op.args.len();
        let mut is_complete = true;
        for index in 0..n_args {
            self.parameter = Parameter { op: op_number, index: index as u32 };
            if let Some(arg) = value.and_then(|value| self.fitting(material, op, index, &args[..index], value)) {
                args[index] = arg;
                value = None;
                continue;
            }
            match self.find_argument(material, op, index, &args[..index], depth, rng) {
                Some(arg) => args[index] = arg,
                None => {
                    is_complete = false;
                    break;
                }
            }
        }
        self.is_cautious = was_cautious;
        self.is_law = was_law;
        self.parameter = outer;
        if is_complete { self.push_call(material, op_number, &args[..n_args]) } else { None }
    }

    /// The value as an argument, if it can be that one.
    fn fitting(&self, material: &Material<'_>, op: &Op, index: usize, taken: &[Arg], value: u32) -> Option<Arg> {
        let ty = self.types[value as usize];
        let source = material.graph.sources(op.args[index]).iter().find(|source| source.slot_type == ty)?;
        let arg = Arg::new(value, source.mode);
        let needs_static = op.static_args.contains(&(index as u8));
        self.is_usable(arg, taken, needs_static).then_some(arg)
    }

    /// The same call again: what was lent is lent again, what was handed over is made anew.
    pub fn call_again(&mut self, material: &Material<'_>, slot: u32, rng: &mut Rng) -> Option<u32> {
        let material = &material.for_repetition();
        let statement = self.body.statements[slot as usize];
        debug_assert_eq!(statement.kind, StatementKind::Call);
        let op = &material.api.ops[statement.op as usize];
        let mut args = [Arg::new(0, Mode::Copy); MAX_ARGS];
        let n_args = statement.n_args as usize;
        args[..n_args].copy_from_slice(self.body.args_of(&statement));
        for index in 0..n_args {
            let arg = args[index];
            let is_lent = matches!(arg.mode(), Mode::Ref | Mode::RefMut | Mode::Reborrow | Mode::ReborrowMut);
            if !(is_lent && self.loans.can_use(arg.slot(), arg.mode())) {
                self.parameter = Parameter { op: statement.op, index: index as u32 };
                args[index] = self.find_argument(material, op, index, &args[..index], 1, rng)?;
            }
        }
        self.push_call(material, statement.op, &args[..n_args])
    }

    /// One of the latest live values that is worth going on with, and its type: no number, no unit.
    pub fn lively(&self, material: &Material<'_>, rng: &mut Rng) -> Option<(u32, u32)> {
        let mut n_seen = 0;
        let mut chosen = None;
        for slot in (0..self.types.len() as u32).rev() {
            let ty = self.types[slot as usize];
            if ty == NO_TYPE || material.graph.literal(ty).is_some() || !self.loans.is_live(slot) {
                continue;
            }
            n_seen += 1;
            if rng.below(n_seen) == 0 {
                chosen = Some((slot, ty));
            }
            if n_seen == 4 {
                break;
            }
        }
        chosen
    }

    /// Whether repeating the call can add up: it changes something that stays.
    pub fn is_repeatable(&self, slot: u32) -> bool {
        let statement = self.body.statements[slot as usize];
        self.body.args_of(&statement).iter().any(|arg| arg.mode().is_exclusive())
    }

    fn push_call(&mut self, material: &Material<'_>, op_number: u32, args: &[Arg]) -> Option<u32> {
        let op = &material.api.ops[op_number as usize];
        if self.body.statements.len() >= MAX_STATEMENTS
            || !self.loans.args_are_compatible(args)
            || args.iter().any(|arg| !self.loans.can_use(arg.slot(), arg.mode()))
            || !self.keeps_drop_order(material, op, args)
        {
            return None;
        }
        self.end_conflicts(args);
        let slot = self.body.push_call(op_number, args);
        self.first_new.get_or_insert(slot);
        self.loans.call(op, args, slot);
        self.types.push(op.result);
        Some(slot)
    }

    /// Drops what stands in the way of the arguments.
    fn end_conflicts(&mut self, args: &[Arg]) {
        let mut doomed = std::mem::take(&mut self.doomed);
        doomed.clear();
        for arg in args {
            self.loans.conflicts(arg.slot(), arg.mode(), &mut doomed);
        }
        for &slot in &doomed {
            self.body.push_drop(slot);
            self.types.push(NO_TYPE);
            self.loans.end(slot);
        }
        self.doomed = doomed;
    }

    fn keeps_drop_order(&mut self, material: &Material<'_>, op: &Op, args: &[Arg]) -> bool {
        if op.flows.is_empty() {
            return true;
        }
        let types = &self.types;
        !self.loans.inverts(op, args, |slot| {
            types.get(slot as usize).is_some_and(|&ty| ty != NO_TYPE && needs_drop(material.api, ty))
        })
    }

    fn find_argument(
        &mut self,
        material: &Material<'_>,
        op: &Op,
        index: usize,
        taken: &[Arg],
        depth: u32,
        rng: &mut Rng,
    ) -> Option<Arg> {
        let wanted = op.args[index];
        let needs_static = op.static_args.contains(&(index as u8));
        let literal = material.graph.literal(wanted);
        if let Some(arg) = self.derive(material, wanted, taken, needs_static, depth, rng) {
            return Some(arg);
        }
        // A value that is already there, a component, or a literal. Numbers are mostly drawn, objects mostly reused, most of all
        // while there is nothing better to be had than a fresh one, to which nothing was done yet.
        let reuse_percent = match literal {
            Some(_) => 35,
            None if material.components.n_values(material.graph.sources(wanted)[0].slot_type) < FEW_VALUES => 85,
            None => 60,
        };
        if rng.percent(reuse_percent)
            && let Some(arg) = self.reuse(material, wanted, taken, needs_static, rng)
        {
            // A law about several values says little about one and the same.
            let is_dull = op.role == OpRole::Law && taken.iter().any(|other| other.slot() == arg.slot());
            if !is_dull || rng.percent(10) {
                return Some(arg);
            }
        }
        if let Some(kind) = literal
            && (rng.percent(90) || !material.may_reuse)
        {
            return Some(self.push_literal(material, kind, wanted, rng));
        }
        let sources = material.graph.sources(wanted);
        let n_makeable = sources.iter().filter(|s| material.graph.can_be_made(s.slot_type)).count();
        if n_makeable == 0 {
            return self.reuse(material, wanted, taken, needs_static, rng);
        }
        let source = if depth == 0 {
            material.graph.cheapest_source(wanted)?
        } else {
            // The first source is the natural one: the value itself, lent.
            let nth = if n_makeable > 1 && rng.percent(15) { rng.below(n_makeable) } else { 0 };
            *sources.iter().filter(|s| material.graph.can_be_made(s.slot_type)).nth(nth)?
        };
        let slot = self.make(material, source, op.wants(), needs_static, depth, rng)?;
        let arg = Arg::new(slot, source.mode);
        self.is_usable(arg, taken, needs_static).then_some(arg)
    }

    fn is_usable(&self, arg: Arg, taken: &[Arg], needs_static: bool) -> bool {
        if !self.loans.can_use(arg.slot(), arg.mode()) {
            return false;
        }
        if needs_static && (self.loans.borrows(arg.slot()) || !matches!(arg.mode(), Mode::Move | Mode::Copy)) {
            return false;
        }
        taken.iter().all(|other| other.slot() != arg.slot() || (is_shared(other.mode()) && is_shared(arg.mode())))
    }

    /// A live slot of the sequence, chosen at random among the latest ones that fit.
    fn reuse(
        &mut self,
        material: &Material<'_>,
        wanted: u32,
        taken: &[Arg],
        needs_static: bool,
        rng: &mut Rng,
    ) -> Option<Arg> {
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        'slots: for slot in (0..self.types.len() as u32).rev() {
            let ty = self.types[slot as usize];
            for source in material.graph.sources(wanted) {
                if source.slot_type == ty {
                    let arg = Arg::new(slot, source.mode);
                    if self.is_usable(arg, taken, needs_static) {
                        candidates.push(arg);
                        if candidates.len() == 8 {
                            break 'slots;
                        }
                    }
                }
            }
        }
        let found = rng.pick(&candidates).copied();
        self.candidates = candidates;
        found
    }

    /// A slot of the type: a literal, a component appended, or a maker called.
    fn make(
        &mut self,
        material: &Material<'_>,
        source: Source,
        wants: Wants,
        needs_static: bool,
        depth: u32,
        rng: &mut Rng,
    ) -> Option<u32> {
        let ty = source.slot_type;
        if let Some(kind) = material.graph.literal(ty)
            && (rng.percent(80) || depth == 0)
        {
            return Some(self.push_literal(material, kind, ty, rng).slot());
        }
        let reuse_percent = if self.is_cautious { 30 } else { 85 };
        if material.may_reuse && rng.percent(reuse_percent) {
            let from_empty = match wants {
                Wants::Full => false,
                Wants::Empty => true,
                Wants::Any => rng.percent(15),
            };
            let early = if self.is_law && rng.percent(50) { material.components.pick_early(ty, rng) } else { None };
            let found = early.or_else(|| material.components.pick(&mut self.hands, ty, from_empty, rng)).or_else(
                || match wants {
                    Wants::Any => material.components.pick(&mut self.hands, ty, !from_empty, rng),
                    _ => None,
                },
            );
            if let Some(found) = found
                && self.body.statements.len() + found.component.body.statements.len() < MAX_STATEMENTS
            {
                let shift = self.append(material, &found.component.body);
                let slot = found.slot + shift;
                if self.loans.is_live(slot) && !(needs_static && self.loans.borrows(slot)) {
                    return Some(slot);
                }
            }
        }
        let makers = material.graph.makers(ty);
        let maker = if depth == 0 {
            calm_maker(material, ty, depth)?
        } else {
            // Cheap makers first, but all of them now and then.
            let n = if rng.percent(70) { makers.len().min(4) } else { makers.len() };
            if n == 0 {
                return None;
            }
            let drawn = makers[rng.below(n)];
            // What makes a value from one like it, as a clone, says little about one that has just been made.
            let maker = if takes_its_like(material, drawn) { makers[rng.below(n)] } else { drawn };
            let level = material.cost_limits.level(maker) as usize;
            if level > 0 && rng.below(1 + 4 * level) != 0 { calm_maker(material, ty, depth)? } else { maker }
        };
        let slot = self.call_at_depth(material, maker, None, depth.saturating_sub(1), rng)?;
        self.loans.is_live(slot).then_some(slot)
    }

    fn push_literal(
        &mut self,
        material: &Material<'_>,
        kind: provoke_wire::LiteralKind,
        ty: u32,
        rng: &mut Rng,
    ) -> Arg {
        let own = if !self.is_cautious && rng.percent(TOUCHSTONE_PERCENT) {
            material.argument_constants.draw(self.parameter, kind, rng)
        } else {
            None
        };
        let literal = match own {
            Some(own) => Cow::Owned(own),
            None if self.is_cautious => Cow::Borrowed(material.literals.draw_modest(kind, rng)),
            None => material.literals.draw(kind, rng),
        };
        let slot = self.body.push_literal(&literal);
        self.types.push(ty);
        self.loans.literal(slot);
        let mode = if kind == provoke_wire::LiteralKind::String { Mode::Move } else { Mode::Copy };
        Arg::new(slot, mode)
    }

    /// Appends a whole body; returns the shift of its slots.
    pub fn append(&mut self, material: &Material<'_>, body: &Body) -> u32 {
        let shift = self.body.append(body);
        self.record_from(material, shift as usize);
        shift
    }

    /// Takes note of what the statements from `first` on do.
    fn record_from(&mut self, material: &Material<'_>, first: usize) {
        for index in first..self.body.statements.len() {
            let statement = self.body.statements[index];
            let slot = index as u32;
            match statement.kind {
                StatementKind::Call => {
                    let op = &material.api.ops[statement.op as usize];
                    self.loans.call(op, self.body.args_of(&statement), slot);
                    self.types.push(op.result);
                }
                StatementKind::Literal => {
                    self.loans.literal(slot);
                    self.types.push(material.graph.type_of_literal(statement.op).unwrap_or(NO_TYPE));
                }
                StatementKind::Drop => {
                    let dropped = self.body.args_of(&statement)[0].slot();
                    self.loans.end(dropped);
                    self.types.push(NO_TYPE);
                }
                StatementKind::Callback => {
                    self.loans.callback(self.body.args_of(&statement), slot);
                    self.types.push(NO_TYPE);
                }
            }
        }
    }
}

/// The cheapest way to make a value of the type that needs no caution, if there is one. At no depth it is the cheapest of all, or
/// one that needs nothing: others would go on for ever.
fn calm_maker(material: &Material<'_>, ty: u32, depth: u32) -> Option<u32> {
    let makers = material.graph.makers(ty);
    let comes_to_an_end = |maker: u32| depth > 0 || material.api.ops[maker as usize].args.is_empty();
    let first = *makers.first()?;
    let is_calm = |maker: u32| material.cost_limits.level(maker) == 0;
    let other = || makers.iter().copied().find(|&maker| is_calm(maker) && comes_to_an_end(maker));
    if is_calm(first) { Some(first) } else { other().or(Some(first)) }
}

/// Whether a value of the type that it makes can be an argument.
fn takes_its_like(material: &Material<'_>, maker: u32) -> bool {
    let Op { args, result, .. } = &material.api.ops[maker as usize];
    args.iter().flat_map(|arg| material.graph.sources(*arg)).any(|source| source.slot_type == *result)
}

fn is_shared(mode: Mode) -> bool {
    matches!(mode, Mode::Ref | Mode::Reborrow | Mode::Copy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::sample;

    #[test]
    fn a_call_for_a_value_gets_it_where_it_first_fits() {
        let api = sample::api();
        let op = |key: &str| api.ops.iter().position(|op| op.key == key).unwrap() as u32;
        let material = Material {
            graph: &Graph::new(&api),
            components: &Components::new(api.types.len(), 1 << 20),
            literals: &Literals::new(&[]),
            argument_constants: &ArgumentConstants::default(),
            may_reuse: true,
            relates: true,
            cost_limits: &CostLimits::new(api.ops.len()),
            api: &api,
        };
        let mut rng = Rng::new(1);
        let mut builder = Builder::default();
        let mut n_calls = 0;
        for _ in 0..100 {
            for (key, place) in [("look", 0), ("touch_and_look", 0), ("add_to_guard", 1)] {
                builder.clear();
                let [first, _] = [(); 2].map(|()| builder.call(&material, op("make"), &mut rng).unwrap());
                // Another argument may stand in its way.
                let Some(call) = builder.call_for(&material, op(key), first, &mut rng) else { continue };
                let statement = builder.body.statements[call as usize];
                assert_eq!(builder.body.args_of(&statement)[place].slot(), first, "{key}");
                n_calls += 1;
            }
            builder.call_for(&material, op("number"), 0, &mut rng).unwrap();
        }
        assert!(n_calls > 200, "{n_calls}");
    }

    #[test]
    fn values_are_rarely_made_from_their_like_where_nothing_was_done_to_those() {
        let mut api = sample::api();
        // As a clone.
        let view = api.ops.iter().position(|op| op.key == "view").unwrap();
        let clone = Op { key: "clone".into(), args: vec![4], result: 3, flows: Vec::new(), ..api.ops[view].clone() };
        api.ops.push(clone);
        let (take, clone) = (1, api.ops.len() as u32 - 1);
        let material = Material {
            graph: &Graph::new(&api),
            components: &Components::new(api.types.len(), 1 << 20),
            literals: &Literals::new(&[]),
            argument_constants: &ArgumentConstants::default(),
            may_reuse: true,
            relates: true,
            cost_limits: &CostLimits::new(api.ops.len()),
            api: &api,
        };
        let mut rng = Rng::new(1);
        let mut builder = Builder::default();
        let mut n_clones = 0;
        for _ in 0..1000 {
            builder.clear();
            builder.call(&material, take, &mut rng).unwrap();
            n_clones += builder.body.statements.iter().filter(|statement| statement.op == clone).count();
        }
        assert!((200..400).contains(&n_clones), "{n_clones}");
    }

    #[test]
    fn what_needs_no_caution_is_no_way_without_end() {
        let api = sample::api();
        let op = |key: &str| api.ops.iter().position(|op| op.key == key).unwrap() as u32;
        let mut cost_limits = CostLimits::new(api.ops.len());
        // What is left takes a view to make a view.
        for key in ["new_view", "view", "view_mut", "view_static"] {
            (0..1000).for_each(|_| cost_limits.exhaust(op(key)));
        }
        let material = Material {
            graph: &Graph::new(&api),
            components: &Components::new(api.types.len(), 1 << 20),
            literals: &Literals::new(&[]),
            argument_constants: &ArgumentConstants::default(),
            may_reuse: true,
            relates: true,
            cost_limits: &cost_limits,
            api: &api,
        };
        let mut rng = Rng::new(1);
        let mut builder = Builder::default();
        for _ in 0..1000 {
            builder.clear();
            builder.call(&material, op("use_view"), &mut rng).unwrap();
        }
    }
}
