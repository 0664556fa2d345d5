//! What a harness registers at start-up: its operations and the types it probed.

use crate::look::monitor::{Monitor, MonitorKind};
use crate::look::watch::WatchKind;
use crate::run::probe::{Of, Probe};
use crate::run::signature::{FnSignature, Thunk};
use crate::run::type_spec::TypeSpec;

/// Filled by the generated `register` functions, in any order.
#[derive(Default)]
pub struct Registry {
    pub(crate) ops: Vec<RegisteredOp>,
    pub(crate) probes: Vec<RegisteredProbe>,
    pub(crate) guards: Vec<RegisteredGuard>,
    pub(crate) monitors: Vec<RegisteredMonitor>,
    /// Operations that ask at the end of a life, for which monitor of which type.
    pub(crate) endings: Vec<(u32, &'static TypeSpec, &'static str)>,
    /// What models are told that an operation is called.
    pub(crate) steps: Vec<(u32, &'static str)>,
    /// Operations that unwrap an `Option` or a `Result`.
    pub(crate) unwraps: Vec<u32>,
}

/// What is asked of all objects of a type.
#[derive(Clone, Copy)]
pub(crate) struct RegisteredMonitor {
    /// A reference to the type.
    pub subject: &'static TypeSpec,
    pub monitor: Monitor,
}

/// A predicate over references to the arguments of an operation.
#[derive(Clone, Copy)]
pub(crate) struct RegisteredGuard {
    pub op: u32,
    /// Which of those that the operation has.
    pub place: u32,
    pub function: *const (),
    pub thunk: Thunk,
    pub n_args: usize,
}

#[derive(Clone, Copy)]
pub(crate) struct RegisteredOp {
    pub number: u32,
    pub function: *const (),
    pub thunk: Thunk,
    pub args: &'static [&'static TypeSpec],
    pub result: &'static TypeSpec,
}

#[derive(Clone, Copy)]
pub(crate) struct RegisteredProbe {
    pub spec: &'static TypeSpec,
    pub probe: Probe,
}

impl Registry {
    /// Registers an operation under its number.
    pub fn op<S: FnSignature>(&mut self, number: u32, f: S) {
        self.ops.push(RegisteredOp {
            number,
            function: f.address(),
            thunk: S::thunk,
            args: S::ARGS,
            result: S::RESULT,
        });
    }

    /// Registers what has to hold before an operation is called; made by `guard_of_…`.
    pub fn guard<S: FnSignature<Result = bool>>(&mut self, op: u32, place: u32, f: S) {
        self.guards.push(RegisteredGuard { op, place, function: f.address(), thunk: S::thunk, n_args: S::ARGS.len() });
    }

    /// Registers what holds of every object of a type between two calls; `op` asks the same.
    pub fn invariant<S: FnSignature<Result = bool>>(&mut self, op: u32, f: S) {
        self.monitor(MonitorKind::Invariant, op, "", f, None);
    }

    /// Registers what watches over the life of every object of a type; `op` asks what came of it.
    pub fn temporal<S: FnSignature<Result = ()>>(&mut self, op: u32, name: &'static str, f: S, watch: WatchKind) {
        self.monitor(MonitorKind::Temporal, op, name, f, Some(watch));
    }

    /// Registers `op`, which asks the same at the end of a life.
    pub fn ending<S: FnSignature>(&mut self, op: u32, name: &'static str, _: S) {
        self.endings.push((op, S::ARGS[0], name));
    }

    /// Registers which lives of an object of a type an application would lead; `op` stands for it in reports.
    pub fn model<S: FnSignature<Result = bool>>(&mut self, op: u32, f: S, watch: WatchKind) {
        self.monitor(MonitorKind::Model, op, "", f, Some(watch));
    }

    /// Registers what models are told that an operation is called.
    pub fn step(&mut self, op: u32, name: &'static str) {
        self.steps.push((op, name));
    }

    /// Registers that an operation does nothing but take the value out of its argument, an `Option` or a `Result`.
    pub fn unwraps(&mut self, op: u32) {
        self.unwraps.push(op);
    }

    fn monitor<S: FnSignature>(
        &mut self,
        kind: MonitorKind,
        op: u32,
        name: &'static str,
        f: S,
        watch: Option<WatchKind>,
    ) {
        let monitor = Monitor { kind, op, end_op: op, name, function: f.address(), thunk: S::thunk, watch };
        self.monitors.push(RegisteredMonitor { subject: S::ARGS[0], monitor });
    }

    /// Registers what a type can do; used through [`probe!`](crate::run::probe!).
    #[doc(hidden)]
    pub fn probe<T: 'static>(&mut self, _: Of<T>, probe: Probe) {
        self.probes.push(RegisteredProbe { spec: &const { TypeSpec::of::<T>() }, probe });
    }
}
