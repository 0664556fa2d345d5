//! The registry made ready: operations by number, types by place, and the table that describes both to the tool.

use std::any::{TypeId, type_name};
use std::collections::HashMap;
use std::rc::Rc;

use provoke_wire::{Abilities, LiteralKind, OpSignature, Shape, Table, TypeInfo};

use crate::look::guard::Guard;
use crate::look::hasher::FixedState;
use crate::look::monitor::{Monitor, MonitorKind};
use crate::measure::allocator;
use crate::run::callback::Cb;
use crate::run::probe::{EmptyFn, Probe, ShapeSpec, named};
use crate::run::registry::{RegisteredMonitor, RegisteredOp, Registry};
use crate::run::signature::{MAX_ARGS, Thunk};
use crate::run::type_spec::TypeSpec;

/// No place in the table.
pub(crate) const NO_TYPE: u32 = u32::MAX;

/// A type as the executor needs it.
#[derive(Clone, Copy)]
pub(crate) struct Type {
    pub spec: TypeSpec,
    pub probe: Option<Probe>,
    pub is_copy: bool,
    /// `T` of `&T`, else [`NO_TYPE`].
    pub shared_target: u32,
    /// `T` of `&mut T`, else [`NO_TYPE`].
    pub exclusive_target: u32,
    /// A value of the type may hold a loan, as far as its name shows.
    pub may_borrow: bool,
}

/// All types, told apart by `TypeId`.
#[derive(Default)]
pub(crate) struct Types {
    list: Vec<Type>,
    places: HashMap<TypeId, u32, FixedState>,
}

/// What an argument must be.
#[derive(Clone, Copy)]
pub(crate) struct ArgType {
    pub ty: u32,
    pub shared_target: u32,
    pub exclusive_target: u32,
    pub is_copy: bool,
}

#[derive(Clone, Copy)]
pub(crate) struct Op {
    pub function: *const (),
    pub thunk: Thunk,
    pub result: u32,
    pub result_size: usize,
    pub result_align: usize,
    pub first_arg: u32,
    pub n_args: u32,
    /// The result, or what an argument points to, may keep a loan that another argument brings.
    pub may_pass_loans: bool,
    pub first_guard: u32,
    pub n_guards: u32,
    /// Of an operation that unwraps its argument: whether there is nothing in it.
    pub is_empty: Option<EmptyFn>,
}

/// Everything a worker can do.
pub(crate) struct Harness {
    pub types: Types,
    pub ops: Vec<Op>,
    pub arg_types: Vec<ArgType>,
    /// In the order of their operations.
    pub guards: Vec<Guard>,
    /// In the order of the types that they are about.
    pub monitors: Vec<Monitor>,
    /// By type, as far as any has some: the first of its monitors, and the one behind the last.
    monitors_of: Vec<(u32, u32)>,
    /// By operation: what models are told that it is called.
    steps: Vec<Option<&'static str>>,
    /// The type of each literal kind, by its code.
    pub literals: [u32; LiteralKind::ALL.len()],
    /// The type of callbacks.
    pub callback: u32,
    pub table: Table,
}

impl Types {
    pub fn get(&self, place: u32) -> &Type {
        &self.list[place as usize]
    }

    /// The place of a type, which is added if it is new.
    pub fn place(&mut self, spec: &TypeSpec) -> u32 {
        *self.places.entry(spec.id).or_insert_with(|| {
            self.list.push(Type {
                spec: *spec,
                probe: None,
                is_copy: false,
                shared_target: NO_TYPE,
                exclusive_target: NO_TYPE,
                may_borrow: may_borrow((spec.name)(), prints_lifetimes()),
            });
            self.list.len() as u32 - 1
        })
    }

    /// As [`Types::place`], in the middle of a program: a callback may be given a type that no operation mentions.
    pub fn place_at_run_time(&mut self, spec: &TypeSpec) -> u32 {
        match self.places.get(&spec.id) {
            Some(place) => *place,
            None => allocator::unattributed(|| self.place(spec)),
        }
    }
}

/// `type_name` prints every lifetime as `'_`, closures and callbacks may have captured a loan, and trait objects may hide one.
/// Where it does not print lifetimes, as before Rust 1.91, any type with a path may have one.
fn may_borrow(name: &str, prints_lifetimes: bool) -> bool {
    let shows_loan = ["&", "'", "{{closure}}", "dyn ", type_name::<Cb>()].iter().any(|sign| name.contains(sign));
    shows_loan || !prints_lifetimes && name.contains("::")
}

fn prints_lifetimes() -> bool {
    type_name::<std::slice::Iter<'static, u8>>().contains('\'')
}

impl Harness {
    /// The order of types: by first appearance in operations, then those that were only probed, then those of literals and
    /// callbacks, then those that only occur inside others.
    pub fn new(registry: Registry) -> Result<Harness, String> {
        check_probes()?;
        let Registry { mut ops, probes, mut guards, monitors, endings, steps, unwraps } = registry;
        ops.sort_by_key(|op| op.number);
        let mut types = Types::default();
        for (place, op) in ops.iter().enumerate() {
            if op.number as usize != place {
                return Err(format!("operation {place} is missing or there twice"));
            }
            for spec in op.args.iter().chain([&op.result]) {
                types.place(spec);
            }
        }
        for probe in &probes {
            types.place(probe.spec);
        }
        let mut builtin = Registry::default();
        let literals = probe_literals(&mut builtin, &mut types);
        crate::probe!(&mut builtin, named::<Cb>());
        let callback = types.place(&TypeSpec::of::<Cb>());
        let mut shapes: Vec<Shape> = Vec::new();
        for probe in probes.iter().chain(&builtin.probes) {
            let place = types.place(probe.spec) as usize;
            if types.list[place].probe.is_some() {
                continue;
            }
            let shape = types.shape(probe.probe.shape);
            let ty = &mut types.list[place];
            ty.probe = Some(probe.probe);
            ty.is_copy = probe.probe.abilities.has(Abilities::COPY);
            match shape {
                Shape::Ref(target) => ty.shared_target = target,
                Shape::RefMut(target) => ty.exclusive_target = target,
                _ => {}
            }
            shapes.resize(types.list.len().max(shapes.len()), Shape::Plain);
            shapes[place] = shape;
        }
        shapes.resize(types.list.len(), Shape::Plain);
        let table = table(&mut types, &ops, shapes, &literals);
        let (mut ops, arg_types) = ready(&mut types, &ops);
        guards.sort_by_key(|guard| (guard.op, guard.place));
        for (number, guard) in guards.iter().enumerate() {
            let op = ops.get_mut(guard.op as usize).filter(|op| op.n_args as usize == guard.n_args);
            let Some(op) = op else { return Err(format!("a guard of no operation: {}", guard.op)) };
            if op.n_guards == 0 {
                op.first_guard = number as u32;
            }
            op.n_guards += 1;
        }
        for number in unwraps {
            let op = ops.get_mut(number as usize).filter(|op| op.n_args == 1);
            let op = op.ok_or("an unwrapping that is no operation")?;
            let argument = types.get(arg_types[op.first_arg as usize].ty);
            op.is_empty = match argument.probe.map(|probe| probe.shape) {
                Some(ShapeSpec::Option(_, is_empty) | ShapeSpec::Result(_, _, is_empty)) => Some(is_empty),
                // It was not probed, and can only be called.
                _ => None,
            };
        }
        let guards = guards.iter().map(|guard| Guard { function: guard.function, thunk: guard.thunk }).collect();
        let mut named_steps = vec![None; ops.len()];
        for (op, name) in steps {
            *named_steps.get_mut(op as usize).ok_or("a step that is no operation")? = Some(name);
        }
        let (monitors, monitors_of) = sorted_monitors(&mut types, monitors, &endings);
        let steps = named_steps;
        Ok(Harness { types, ops, arg_types, guards, monitors, monitors_of, steps, literals, callback, table })
    }

    /// Whether anything is specified about values.
    #[inline]
    pub fn has_monitors(&self) -> bool {
        !self.monitors.is_empty()
    }

    /// The monitors of a type: the first, and the one behind the last.
    pub fn monitors_of(&self, ty: u32) -> (u32, u32) {
        self.monitors_of.get(ty as usize).copied().unwrap_or_default()
    }

    /// What models are told that an operation is called.
    pub fn step_name(&self, op: u32) -> Option<&'static str> {
        self.steps.get(op as usize).copied().flatten()
    }
}

/// The monitors in the order of the types that they are about, and where those of each type are. What is said about references
/// that were not probed, in a first harness, is left out.
fn sorted_monitors(
    types: &mut Types,
    registered: Vec<RegisteredMonitor>,
    endings: &[(u32, &'static TypeSpec, &'static str)],
) -> (Vec<Monitor>, Vec<(u32, u32)>) {
    let mut monitors: Vec<(u32, Monitor)> = Vec::new();
    for RegisteredMonitor { subject, mut monitor } in registered {
        let place = types.place(subject);
        let ty = types.get(place).shared_target;
        // Values without size share their addresses, and have nothing to tell.
        if ty == NO_TYPE || types.get(ty).spec.size == 0 {
            continue;
        }
        let is_its = |(_, of, name): &&(u32, &TypeSpec, &str)| of.id == subject.id && *name == monitor.name;
        if let Some((op, ..)) = endings.iter().find(is_its).filter(|_| monitor.kind == MonitorKind::Temporal) {
            monitor.end_op = *op;
        }
        monitors.push((ty, monitor));
    }
    monitors.sort_by_key(|(ty, monitor)| (*ty, monitor.kind, monitor.op));
    let n_types = monitors.last().map_or(0, |(ty, _)| *ty as usize + 1);
    let mut of_types = vec![(0, 0); n_types];
    for (place, (ty, _)) in (0u32..).zip(&monitors) {
        let range: &mut (u32, u32) = &mut of_types[*ty as usize];
        *range = if range.1 == 0 { (place, place + 1) } else { (range.0, place + 1) };
    }
    (monitors.into_iter().map(|(_, monitor)| monitor).collect(), of_types)
}

impl Types {
    fn shape(&mut self, spec: ShapeSpec) -> Shape {
        match spec {
            ShapeSpec::Plain => Shape::Plain,
            ShapeSpec::Ref(t) => Shape::Ref(self.place(t)),
            ShapeSpec::RefMut(t) => Shape::RefMut(self.place(t)),
            ShapeSpec::Option(t, _) => Shape::Option(self.place(t)),
            ShapeSpec::Result(t, e, _) => Shape::Result(self.place(t), self.place(e)),
        }
    }
}

fn table(types: &mut Types, ops: &[RegisteredOp], shapes: Vec<Shape>, literals: &[u32]) -> Table {
    let infos = types.list.iter().zip(shapes).zip(0u32..);
    let infos = infos.map(|((ty, shape), place)| TypeInfo {
        name: (ty.spec.name)().to_owned(),
        size: u32::try_from(ty.spec.size).unwrap_or(u32::MAX),
        align: ty.spec.align as u32,
        abilities: ty
            .probe
            .map_or(Abilities::default(), |probe| probe.abilities)
            .with(Abilities::NEEDS_DROP, ty.spec.drop.is_some())
            .with(Abilities::MAY_BORROW, ty.may_borrow),
        shape,
        literal: literals.iter().position(|&l| l == place).map(|code| code as u32),
    });
    let infos = infos.collect();
    let signatures = ops.iter().map(|op| OpSignature {
        args: op.args.iter().map(|spec| types.place(spec)).collect(),
        result: types.place(op.result),
    });
    Table { ops: signatures.collect(), types: infos }
}

fn ready(types: &mut Types, registered: &[RegisteredOp]) -> (Vec<Op>, Vec<ArgType>) {
    let mut ops = Vec::with_capacity(registered.len());
    let mut arg_types = Vec::new();
    for op in registered {
        debug_assert!(op.args.len() <= MAX_ARGS);
        let first_arg = arg_types.len() as u32;
        for spec in op.args {
            let place = types.place(spec);
            let ty = types.get(place);
            arg_types.push(ArgType {
                ty: place,
                shared_target: ty.shared_target,
                exclusive_target: ty.exclusive_target,
                is_copy: ty.is_copy,
            });
        }
        let result = types.place(op.result);
        let may_keep = |arg: &ArgType| arg.exclusive_target != NO_TYPE && types.get(arg.exclusive_target).may_borrow;
        ops.push(Op {
            function: op.function,
            thunk: op.thunk,
            result,
            result_size: op.result.size,
            result_align: op.result.align,
            first_arg,
            n_args: op.args.len() as u32,
            may_pass_loans: types.get(result).may_borrow || arg_types[first_arg as usize..].iter().any(may_keep),
            first_guard: 0,
            n_guards: 0,
            is_empty: None,
        });
    }
    (ops, arg_types)
}

/// Probes the types of all literals and gives their places by code.
fn probe_literals(registry: &mut Registry, types: &mut Types) -> [u32; LiteralKind::ALL.len()] {
    macro_rules! literal {
        ($T:ty) => {{
            crate::probe!(registry, named::<$T>());
            types.place(&TypeSpec::of::<$T>())
        }};
    }
    LiteralKind::ALL.map(|kind| match kind {
        LiteralKind::Unit => literal!(()),
        LiteralKind::Bool => literal!(bool),
        LiteralKind::Char => literal!(char),
        LiteralKind::U8 => literal!(u8),
        LiteralKind::U16 => literal!(u16),
        LiteralKind::U32 => literal!(u32),
        LiteralKind::U64 => literal!(u64),
        LiteralKind::U128 => literal!(u128),
        LiteralKind::Usize => literal!(usize),
        LiteralKind::I8 => literal!(i8),
        LiteralKind::I16 => literal!(i16),
        LiteralKind::I32 => literal!(i32),
        LiteralKind::I64 => literal!(i64),
        LiteralKind::I128 => literal!(i128),
        LiteralKind::Isize => literal!(isize),
        LiteralKind::F32 => literal!(f32),
        LiteralKind::F64 => literal!(f64),
        LiteralKind::Str => literal!(&'static str),
        LiteralKind::String => literal!(String),
        LiteralKind::Bytes => literal!(&'static [u8]),
    })
}

/// A probe that is wrong by one `&` says "no" to everything, silently: ask what is known first.
fn check_probes() -> Result<(), String> {
    let mut registry = Registry::default();
    crate::probe!(&mut registry, named::<u8>());
    crate::probe!(&mut registry, named::<f64>());
    crate::probe!(&mut registry, named::<Rc<u8>>());
    crate::probe!(&mut registry, named::<Option<&'static mut u8>>());
    let numbers = [
        Abilities::CLONE,
        Abilities::PARTIAL_EQ,
        Abilities::PARTIAL_ORD,
        Abilities::DEBUG,
        Abilities::DISPLAY,
        Abilities::DEFAULT,
        Abilities::PROBED,
    ];
    let total = [Abilities::EQ, Abilities::ORD, Abilities::HASH];
    let threads = [Abilities::SEND, Abilities::SYNC];
    let common = numbers.iter().fold(0, |all, ability| all | ability.0);
    let total = total.iter().fold(0, |all, ability| all | ability.0);
    let threads = threads.iter().fold(0, |all, ability| all | ability.0);
    let expected = [
        common | total | threads | Abilities::COPY.0,
        common | threads | Abilities::COPY.0,
        common | total,
        common & !(Abilities::CLONE.0 | Abilities::DISPLAY.0) | total | threads,
    ];
    for (probe, expected) in registry.probes.iter().zip(expected) {
        if probe.probe.abilities.0 != expected {
            let name = (probe.spec.name)();
            let found = probe.probe.abilities.0;
            return Err(format!("probes of {name} gave {found:#x}, not {expected:#x}"));
        }
    }
    match registry.probes[3].probe.shape {
        ShapeSpec::Option(target, _) if target.id == TypeId::of::<&'static mut u8>() => Ok(()),
        _ => Err("an Option was not recognised".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_show_which_types_may_borrow() {
        assert!(prints_lifetimes(), "the toolchain is recent enough");
        for (name, expected, without_lifetimes) in [
            ("u8", false, false),
            ("(u8, [u8; 3])", false, false),
            ("&str", true, true),
            ("core::slice::iter::Iter<'_, u8>", true, true),
            ("core::slice::iter::Iter<u8>", false, true),
            ("alloc::boxed::Box<dyn core::any::Any>", true, true),
            ("shelf::Shelf::names::{{closure}}", true, true),
        ] {
            assert_eq!((may_borrow(name, true), may_borrow(name, false)), (expected, without_lifetimes), "{name}");
        }
    }
}
