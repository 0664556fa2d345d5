//! What a harness registers at start-up: its operations and the types it probed.

use crate::probe::{Of, Probe};
use crate::signature::{Signature, Thunk};
use crate::type_spec::TypeSpec;

/// Filled by the generated `register` functions, in any order.
#[derive(Default)]
pub struct Registry {
    pub(crate) ops: Vec<RegisteredOp>,
    pub(crate) probes: Vec<RegisteredProbe>,
    pub(crate) guards: Vec<RegisteredGuard>,
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
    pub fn op<S: Signature>(&mut self, number: u32, f: S) {
        self.ops.push(RegisteredOp {
            number,
            function: f.address(),
            thunk: S::thunk,
            args: S::ARGS,
            result: S::RESULT,
        });
    }

    /// Registers what has to hold before an operation is called; made by `guard_of_…`.
    pub fn guard<S: Signature<Result = bool>>(&mut self, op: u32, place: u32, f: S) {
        self.guards.push(RegisteredGuard { op, place, function: f.address(), thunk: S::thunk, n_args: S::ARGS.len() });
    }

    /// Registers what a type can do; used through [`probe!`](crate::probe!).
    #[doc(hidden)]
    pub fn probe<T: 'static>(&mut self, _: Of<T>, probe: Probe) {
        self.probes.push(RegisteredProbe { spec: &const { TypeSpec::of::<T>() }, probe });
    }
}
