//! Writes programs by the names of operations.

use provoke_wire::{Arg, Body, Literal, Mode};

use crate::vocabulary::op;

/// Builds a body by the names of operations.
#[derive(Default)]
pub struct Program {
    pub body: Body,
}

pub fn mv(slot: u32) -> Arg {
    Arg::new(slot, Mode::Move)
}

pub fn cp(slot: u32) -> Arg {
    Arg::new(slot, Mode::Copy)
}

pub fn by_ref(slot: u32) -> Arg {
    Arg::new(slot, Mode::Ref)
}

pub fn by_mut(slot: u32) -> Arg {
    Arg::new(slot, Mode::RefMut)
}

pub fn reborrow(slot: u32) -> Arg {
    Arg::new(slot, Mode::Reborrow)
}

pub fn reborrow_mut(slot: u32) -> Arg {
    Arg::new(slot, Mode::ReborrowMut)
}

impl Program {
    pub fn nested(n_params: u32, n_captures: u32) -> Program {
        Program { body: Body { n_params, n_captures, ..Body::default() } }
    }

    pub fn literal(&mut self, literal: Literal) -> u32 {
        self.body.push_literal(&literal)
    }

    pub fn byte(&mut self, value: u8) -> u32 {
        self.literal(Literal::U8(value))
    }

    pub fn size(&mut self, value: u64) -> u32 {
        self.literal(Literal::Usize(value))
    }

    pub fn text(&mut self, value: &str) -> u32 {
        self.literal(Literal::Str(value.into()))
    }

    pub fn string(&mut self, value: &str) -> u32 {
        self.literal(Literal::String(value.into()))
    }

    pub fn call(&mut self, key: &str, args: &[Arg]) -> u32 {
        self.body.push_call(op(key), args)
    }

    /// `vec![1, 2, 3]`
    pub fn small_vec(&mut self) -> u32 {
        let elements = [1, 2, 3].map(|n| cp(self.byte(n)));
        self.call("vec_of_3", &elements)
    }

    pub fn push(&mut self, vec: u32, value: u8) {
        let value = self.byte(value);
        self.call("push", &[by_mut(vec), cp(value)]);
    }

    pub fn callback(&mut self, nested: Program, result: Option<Arg>, captures: &[Arg]) -> u32 {
        let mut body = nested.body;
        body.result = result;
        self.body.push_callback(body, captures)
    }
}
