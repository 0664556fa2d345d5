//! A program: a straight-line list of statements, each filling at most one slot.
//!
//! A body is kept flat (statements, arguments and literal data in three vectors) so that
//! concatenating two bodies is three copies and an addition, with no allocation per statement.
//!
//! Decision: `docs/decisions/014-bodies-are-flat.md`

/// A slot number that no body reaches.
pub const NO_SLOT: u32 = (1 << 28) - 1;

/// How a statement uses a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Mode {
    /// The value is moved out of the slot; the slot is empty afterwards.
    Move = 0,
    /// The value is `Copy` and stays.
    Copy = 1,
    /// `&slot`
    Ref = 2,
    /// `&mut slot`
    RefMut = 3,
    /// The slot holds a `&mut T`; the callee gets `&*slot`.
    Reborrow = 4,
    /// The slot holds a `&mut T`; the callee gets `&mut *slot`.
    ReborrowMut = 5,
}

impl Mode {
    #[inline]
    pub fn from_bits(bits: u32) -> Option<Mode> {
        Some(match bits {
            0 => Mode::Move,
            1 => Mode::Copy,
            2 => Mode::Ref,
            3 => Mode::RefMut,
            4 => Mode::Reborrow,
            5 => Mode::ReborrowMut,
            _ => return None,
        })
    }

    /// Whoever gets it may change what is lent.
    pub fn is_exclusive(self) -> bool {
        matches!(self, Mode::RefMut | Mode::ReborrowMut)
    }
}

/// One use of a slot, packed into a word: the slot above, the mode in the low three bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Arg(u32);

impl Arg {
    pub fn new(slot: u32, mode: Mode) -> Arg {
        debug_assert!(slot <= NO_SLOT);
        Arg(slot << 3 | mode as u32)
    }

    #[inline]
    pub fn slot(self) -> u32 {
        self.0 >> 3
    }

    #[inline]
    pub fn mode(self) -> Mode {
        match self.0 & 7 {
            0 => Mode::Move,
            1 => Mode::Copy,
            2 => Mode::Ref,
            3 => Mode::RefMut,
            4 => Mode::Reborrow,
            _ => Mode::ReborrowMut,
        }
    }

    /// The same use of the slot `offset` further on.
    pub fn shifted(self, offset: u32) -> Arg {
        Arg(self.0 + (offset << 3))
    }

    #[inline]
    pub fn to_word(self) -> u32 {
        self.0
    }

    #[inline]
    pub fn from_word(word: u32) -> Option<Arg> {
        Mode::from_bits(word & 7).map(|_| Arg(word))
    }
}

impl std::fmt::Debug for Arg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {}", self.mode(), self.slot())
    }
}

/// What a statement does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum StatementKind {
    /// Calls operation `op` with its arguments.
    Call = 0,
    /// Makes a literal; `op` is its [`LiteralKind`](crate::LiteralKind), the value is in the body's data.
    Literal = 1,
    /// Drops the one argument (used with `Mode::Move`); fills no slot.
    Drop = 2,
    /// Makes a callback: `op` is the index of the nested body, the arguments are its captures.
    Callback = 3,
}

impl StatementKind {
    #[inline]
    pub fn from_bits(bits: u32) -> Option<StatementKind> {
        Some(match bits {
            0 => StatementKind::Call,
            1 => StatementKind::Literal,
            2 => StatementKind::Drop,
            3 => StatementKind::Callback,
            _ => return None,
        })
    }
}

/// One line of a program. Its slot is the number of inputs of the body plus its own index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Statement {
    pub kind: StatementKind,
    pub n_args: u8,
    pub op: u32,
    pub first_arg: u32,
    pub data_start: u32,
    pub data_len: u32,
}

/// Statements with their own numbering of slots: first the inputs (parameters, then captures), then one per statement.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub struct Body {
    /// How many values the caller hands over as parameters; only callbacks have any.
    pub n_params: u32,
    /// How many captured values follow the parameters.
    pub n_captures: u32,
    pub statements: Vec<Statement>,
    pub args: Vec<Arg>,
    pub data: Vec<u8>,
    pub bodies: Vec<Body>,
    /// What a callback returns; `None` means the unit value.
    pub result: Option<Arg>,
}

impl Clone for Body {
    fn clone(&self) -> Body {
        let mut body = Body::default();
        body.clone_from(self);
        body
    }

    /// Uses the memory that is there: the search copies millions of bodies.
    fn clone_from(&mut self, other: &Body) {
        self.n_params = other.n_params;
        self.n_captures = other.n_captures;
        self.statements.clone_from(&other.statements);
        self.args.clone_from(&other.args);
        self.data.clone_from(&other.data);
        self.bodies.clone_from(&other.bodies);
        self.result = other.result;
    }
}

impl Body {
    #[inline]
    pub fn n_inputs(&self) -> u32 {
        self.n_params + self.n_captures
    }

    #[inline]
    pub fn n_slots(&self) -> u32 {
        self.n_inputs() + self.statements.len() as u32
    }

    pub fn is_empty(&self) -> bool {
        self.statements.is_empty()
    }

    /// The slot that statement `index` fills.
    #[inline]
    pub fn slot_of(&self, index: usize) -> u32 {
        self.n_inputs() + index as u32
    }

    #[inline]
    pub fn args_of(&self, statement: &Statement) -> &[Arg] {
        &self.args[statement.first_arg as usize..][..statement.n_args as usize]
    }

    pub fn args_of_mut(&mut self, index: usize) -> &mut [Arg] {
        let statement = self.statements[index];
        &mut self.args[statement.first_arg as usize..][..statement.n_args as usize]
    }

    #[inline]
    pub fn data_of(&self, statement: &Statement) -> &[u8] {
        &self.data[statement.data_start as usize..][..statement.data_len as usize]
    }

    fn push(&mut self, kind: StatementKind, op: u32, args: &[Arg], data: &[u8]) -> u32 {
        let slot = self.n_slots();
        self.statements.push(Statement {
            kind,
            n_args: u8::try_from(args.len()).expect("an operation has few arguments"),
            op,
            first_arg: self.args.len() as u32,
            data_start: self.data.len() as u32,
            data_len: data.len() as u32,
        });
        self.args.extend_from_slice(args);
        self.data.extend_from_slice(data);
        slot
    }

    /// Appends a call and returns its slot.
    pub fn push_call(&mut self, op: u32, args: &[Arg]) -> u32 {
        self.push(StatementKind::Call, op, args, &[])
    }

    /// Appends a literal and returns its slot.
    pub fn push_literal(&mut self, literal: &crate::Literal) -> u32 {
        let mut data = Vec::new();
        literal.write_data(&mut data);
        self.push(StatementKind::Literal, literal.kind() as u32, &[], &data)
    }

    /// Appends a literal whose data are already encoded and returns its slot.
    pub fn push_literal_data(&mut self, kind: crate::LiteralKind, data: &[u8]) -> u32 {
        self.push(StatementKind::Literal, kind as u32, &[], data)
    }

    /// Appends an explicit drop of a slot.
    pub fn push_drop(&mut self, slot: u32) {
        self.push(StatementKind::Drop, 0, &[Arg::new(slot, Mode::Move)], &[]);
    }

    /// Appends a callback with its nested body and returns its slot.
    pub fn push_callback(&mut self, body: Body, captures: &[Arg]) -> u32 {
        let index = self.bodies.len() as u32;
        self.bodies.push(body);
        self.push(StatementKind::Callback, index, captures, &[])
    }

    /// Appends a copy of statement `index` of another body, its arguments given anew.
    pub fn push_copy(&mut self, from: &Body, index: usize, args: &[Arg]) -> u32 {
        let statement = from.statements[index];
        match statement.kind {
            StatementKind::Callback => self.push_callback(from.bodies[statement.op as usize].clone(), args),
            kind => self.push(kind, statement.op, args, from.data_of(&statement)),
        }
    }

    /// Appends all statements of a body without inputs; returns what its slots have to be shifted by.
    pub fn append(&mut self, other: &Body) -> u32 {
        debug_assert_eq!(other.n_inputs(), 0);
        let slot_shift = self.n_slots();
        let arg_shift = self.args.len() as u32;
        let data_shift = self.data.len() as u32;
        let body_shift = self.bodies.len() as u32;
        self.statements.extend(other.statements.iter().map(|s| Statement {
            op: if s.kind == StatementKind::Callback { s.op + body_shift } else { s.op },
            first_arg: s.first_arg + arg_shift,
            data_start: s.data_start + data_shift,
            ..*s
        }));
        self.args.extend(other.args.iter().map(|a| a.shifted(slot_shift)));
        self.data.extend_from_slice(&other.data);
        self.bodies.extend_from_slice(&other.bodies);
        slot_shift
    }

    /// Cuts off everything behind the first `n` statements.
    pub fn truncate(&mut self, n: usize) {
        if let Some(first_cut) = self.statements.get(n).copied() {
            self.statements.truncate(n);
            self.args.truncate(first_cut.first_arg as usize);
            self.data.truncate(first_cut.data_start as usize);
            let n_bodies = self.statements.iter().filter(|s| s.kind == StatementKind::Callback).count();
            self.bodies.truncate(n_bodies);
        }
    }

    pub fn clear(&mut self) {
        self.n_params = 0;
        self.n_captures = 0;
        self.statements.clear();
        self.args.clear();
        self.data.clear();
        self.bodies.clear();
        self.result = None;
    }

    /// Bytes this body holds, for bounding the component set.
    pub fn weight_in_bytes(&self) -> usize {
        size_of::<Body>()
            + size_of_val(&self.statements[..])
            + size_of_val(&self.args[..])
            + self.data.len()
            + self.bodies.iter().map(Body::weight_in_bytes).sum::<usize>()
    }

    /// Calls of operations, nested bodies included; literals and drops do not count.
    pub fn n_calls(&self) -> usize {
        self.statements.iter().filter(|s| s.kind == StatementKind::Call).count()
            + self.bodies.iter().map(Body::n_calls).sum::<usize>()
    }
}

/// A program is its main body, together with the statement from which on it is new.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Program {
    pub main: Body,
    /// Values touched by this statement or a later one are observed at the end.
    pub observe_from: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Literal;

    #[test]
    fn appending_shifts_slots_data_and_nested_bodies() {
        let mut inner = Body { n_params: 1, ..Body::default() };
        inner.push_call(9, &[Arg::new(0, Mode::Copy)]);
        let mut a = Body::default();
        let one = a.push_literal(&Literal::U8(1));
        a.push_call(4, &[Arg::new(one, Mode::Copy)]);
        let mut b = Body::default();
        let text = b.push_literal(&Literal::Str("hé".into()));
        let callback = b.push_callback(inner.clone(), &[Arg::new(text, Mode::Copy)]);
        b.push_call(5, &[Arg::new(callback, Mode::Move), Arg::new(text, Mode::Copy)]);
        let mut joined = a.clone();
        joined.append(&b);
        assert_eq!(joined.append(&b), 5);
        let last = joined.statements[7];
        assert_eq!(joined.args_of(&last), [Arg::new(6, Mode::Move), Arg::new(5, Mode::Copy)]);
        assert_eq!(joined.statements[6].op, 1);
        assert_eq!(joined.bodies[1], inner);
        assert_eq!(joined.data_of(&joined.statements[5]), "hé".as_bytes());
        assert_eq!(joined.n_calls(), 1 + 2 * 2);
        joined.truncate(2);
        assert_eq!(joined, a);
    }
}
