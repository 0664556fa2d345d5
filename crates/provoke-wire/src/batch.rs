//! What the tool asks of a worker: lock yourself in, describe yourself, watch these edges, or run these programs.
//!
//! Arguments and data of a body lie in statement order, so only their numbers travel.

use crate::Confinement;
use crate::LiteralKind;
use crate::bytes::{DecodeError, Reader, Writer};
use crate::program::{Arg, Body, NO_SLOT, Program, Statement, StatementKind};
use crate::watch::WatchedEdges;

/// What counts as the same value when programs are pruned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ValueIdentity {
    /// Nothing is observed, and nothing reported of slots; every value counts as new.
    None = 0,
    /// By `Hash` where the type is `Hash + Eq`, else by its `Debug` text.
    Equality = 1,
    /// By its `Debug` text, else by `Hash`.
    Representation = 2,
}

/// How a batch is to be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunOptions {
    pub notion: ValueIdentity,
    /// Report the `Debug` text of every touched slot after every statement.
    pub trace: bool,
    /// Capture a backtrace with each panic.
    pub backtrace: bool,
    /// What the worker's stand-ins for random numbers and clocks start from.
    pub entropy: u64,
    /// How many times the usual limit a call may take before it is given a second chance; with 0 it gets none. Not sent: it
    /// is for whoever watches the worker.
    pub patience: u32,
    /// Report which watched edges each program is the first to reach.
    pub coverage: bool,
    /// Report what is compared.
    pub comparisons: bool,
    /// End programs at the first specification that does not hold, or cannot be asked. Histories outside of a model end in any case.
    pub checks: bool,
    /// Leave the stack on the shared page where a call does not come back in time or overflows its stack.
    pub stack: bool,
}

impl RunOptions {
    /// Nothing is reported but how a program ended.
    pub const QUIET: RunOptions = RunOptions {
        notion: ValueIdentity::None,
        trace: false,
        backtrace: false,
        entropy: 0,
        patience: 1,
        coverage: false,
        comparisons: false,
        checks: false,
        stack: false,
    };
}

/// Programs to run one after the other on a fresh thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    pub number: u64,
    pub options: RunOptions,
    pub programs: Vec<Program>,
    /// Edges that have become known since the batch before this one was made; they are not reported any more. Whoever hands
    /// batches to workers sees to it that each worker has heard of all news up to its batch.
    pub news: Vec<u32>,
}

const DESCRIBE: u8 = 0;
const RUN: u8 = 1;
const CONFINE: u8 = 2;
const WATCH: u8 = 3;
/// Callbacks nest; a worker must not overflow its stack by reading a message.
const MAX_NESTING: u32 = 16;

/// A request as the worker reads it: programs are decoded one at a time into a reused buffer.
pub enum Request<'a> {
    Describe,
    Run(BatchReader<'a>),
    /// Is not answered.
    Confine(Confinement<'a>),
    /// Is not answered. From now on these edges are reported, in batches that ask for it.
    Watch(WatchedEdges),
}

impl Request<'_> {
    pub fn encode_describe() -> Vec<u8> {
        vec![DESCRIBE]
    }

    pub fn encode_confine(confinement: &Confinement<'_>) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.u8(CONFINE);
        confinement.encode(&mut writer);
        writer.bytes
    }

    pub fn encode_watch(watch: &WatchedEdges) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.u8(WATCH);
        watch.encode(&mut writer);
        writer.bytes
    }

    pub fn decode(bytes: &[u8]) -> Result<Request<'_>, DecodeError> {
        let mut reader = Reader::new(bytes);
        match reader.u8("request")? {
            CONFINE => Ok(Request::Confine(Confinement::decode(&mut reader)?)),
            WATCH => Ok(Request::Watch(WatchedEdges::decode(&mut reader)?)),
            DESCRIBE => Ok(Request::Describe),
            RUN => {
                let number = reader.u64("batch number")?;
                let notion = match reader.u8("notion")? {
                    0 => ValueIdentity::None,
                    1 => ValueIdentity::Equality,
                    2 => ValueIdentity::Representation,
                    _ => return Err(reader.error("notion")),
                };
                let flags = reader.u8("flags")?;
                let entropy = reader.u64("entropy")?;
                let news = reader.words("news")?;
                let n_programs = reader.count(1, "program count")?;
                Ok(Request::Run(BatchReader {
                    number,
                    options: RunOptions {
                        notion,
                        trace: flags & 1 != 0,
                        backtrace: flags & 2 != 0,
                        entropy,
                        patience: 1,
                        coverage: flags & 4 != 0,
                        comparisons: flags & 8 != 0,
                        checks: flags & 16 != 0,
                        stack: flags & 32 != 0,
                    },
                    news,
                    n_left: n_programs,
                    reader,
                }))
            }
            _ => Err(reader.error("request")),
        }
    }
}

impl Batch {
    /// Replaces the contents of `writer` by this batch, leaving out its first `skip` programs. `news` are for the worker that
    /// it goes to, which may have missed some.
    pub fn encode(&self, skip: usize, news: &[u32], writer: &mut Writer) {
        writer.bytes.clear();
        writer.u8(RUN);
        writer.u64(self.number);
        writer.u8(self.options.notion as u8);
        let RunOptions { trace, backtrace, coverage, comparisons, checks, stack, .. } = self.options;
        let flags = [trace, backtrace, coverage, comparisons, checks, stack];
        writer.u8((0..).zip(flags).map(|(bit, is_set)| u8::from(is_set) << bit).sum());
        writer.u64(self.options.entropy);
        writer.words(news);
        writer.u32((self.programs.len() - skip) as u32);
        for program in &self.programs[skip..] {
            writer.u32(program.observe_from);
            encode_body(&program.main, writer);
        }
    }
}

/// The programs of a batch, still encoded.
pub struct BatchReader<'a> {
    pub number: u64,
    pub options: RunOptions,
    /// Edges that are not to be reported any more.
    pub news: Vec<u32>,
    n_left: usize,
    reader: Reader<'a>,
}

impl BatchReader<'_> {
    pub fn n_left(&self) -> usize {
        self.n_left
    }

    /// Decodes the next program into `program`; `false` at the end.
    pub fn next_into(&mut self, program: &mut Program) -> Result<bool, DecodeError> {
        if self.n_left == 0 {
            return if self.reader.is_at_end() { Ok(false) } else { Err(self.reader.error("batch")) };
        }
        self.n_left -= 1;
        program.observe_from = self.reader.u32("observe from")?;
        decode_body(&mut self.reader, &mut program.main, 0)?;
        Ok(true)
    }
}

/// Encodes one body by itself, as a saved search keeps it.
impl Body {
    pub fn to_bytes(&self) -> Vec<u8> {
        // In memory it is larger than it gets. A search has a hundred thousand of them, so growing is not for free.
        let mut writer = Writer { bytes: Vec::with_capacity(self.weight_in_bytes()) };
        encode_body(self, &mut writer);
        writer.bytes
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Body, DecodeError> {
        let (mut reader, mut body) = (Reader::new(bytes), Body::default());
        decode_body(&mut reader, &mut body, 0)?;
        if reader.is_at_end() { Ok(body) } else { Err(reader.error("body")) }
    }
}

/// Encodes one program by itself, as findings keep it on disk.
impl Program {
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.u32(self.observe_from);
        encode_body(&self.main, &mut writer);
        writer.bytes
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Program, DecodeError> {
        let mut reader = Reader::new(bytes);
        let mut program = Program { observe_from: reader.u32("observe from")?, ..Program::default() };
        decode_body(&mut reader, &mut program.main, 0)?;
        if reader.is_at_end() { Ok(program) } else { Err(reader.error("program")) }
    }
}

fn encode_body(body: &Body, writer: &mut Writer) {
    writer.u32(body.n_params);
    writer.u32(body.n_captures);
    writer.u32(body.result.map_or(u32::MAX, Arg::to_word));
    writer.u32(body.bodies.len() as u32);
    writer.u32(body.statements.len() as u32);
    writer.u32(body.args.len() as u32);
    writer.u32(body.data.len() as u32);
    for statement in &body.statements {
        writer.u32(statement.op << 8 | u32::from(statement.n_args) << 2 | statement.kind as u32);
        if statement.kind == StatementKind::Literal {
            writer.u32(statement.data_len);
        }
    }
    for arg in &body.args {
        writer.u32(arg.to_word());
    }
    writer.bytes.extend_from_slice(&body.data);
    for nested in &body.bodies {
        encode_body(nested, writer);
    }
}

fn decode_body(reader: &mut Reader<'_>, body: &mut Body, depth: u32) -> Result<(), DecodeError> {
    body.clear();
    if depth > MAX_NESTING {
        return Err(reader.error("nesting"));
    }
    body.n_params = reader.u32("parameters")?;
    body.n_captures = reader.u32("captures")?;
    if body.n_params > 255 || body.n_captures > 255 {
        return Err(reader.error("inputs"));
    }
    let result = reader.u32("result")?;
    let n_bodies = reader.count(28, "bodies")?;
    let n_statements = reader.count(4, "statements")?;
    let n_args = reader.count(4, "arguments")?;
    let n_data = reader.count(1, "data")?;
    let n_slots = body.n_inputs() + n_statements as u32;
    if n_slots > NO_SLOT {
        return Err(reader.error("statements"));
    }
    if result != u32::MAX {
        body.result = Some(slot_use(reader, result, n_slots)?);
    }
    let (mut first_arg, mut data_start) = (0u32, 0u32);
    for _ in 0..n_statements {
        let word = reader.u32("statement")?;
        let kind = StatementKind::from_bits(word & 3).ok_or(reader.error("statement"))?;
        let n_args = (word >> 2 & 63) as u8;
        let op = word >> 8;
        let data_len = if kind == StatementKind::Literal { reader.u32("data length")? } else { 0 };
        let is_known = match kind {
            StatementKind::Literal => LiteralKind::from_code(op).is_some() && n_args == 0,
            StatementKind::Callback => (op as usize) < n_bodies,
            StatementKind::Drop => n_args == 1,
            StatementKind::Call => true,
        };
        if !is_known || data_len as usize > n_data {
            return Err(reader.error("statement"));
        }
        body.statements.push(Statement { kind, n_args, op, first_arg, data_start, data_len });
        first_arg += u32::from(n_args);
        data_start = data_start.checked_add(data_len).ok_or(reader.error("data length"))?;
    }
    if first_arg as usize != n_args || data_start as usize != n_data {
        return Err(reader.error("argument count"));
    }
    for index in 0..n_statements {
        let statement = body.statements[index];
        for _ in 0..statement.n_args {
            let word = reader.u32("argument")?;
            // Only earlier slots exist when a statement runs.
            let arg = slot_use(reader, word, body.n_inputs() + index as u32)?;
            body.args.push(arg);
        }
    }
    body.data.extend_from_slice(reader.take(n_data, "data")?);
    for _ in 0..n_bodies {
        let mut nested = Body::default();
        decode_body(reader, &mut nested, depth + 1)?;
        body.bodies.push(nested);
    }
    Ok(())
}

#[inline]
fn slot_use(reader: &Reader<'_>, word: u32, n_slots: u32) -> Result<Arg, DecodeError> {
    Arg::from_word(word).filter(|arg| arg.slot() < n_slots).ok_or(reader.error("argument"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Literal, Mode};

    fn sample() -> Program {
        let mut inner = Body { n_params: 1, n_captures: 1, ..Body::default() };
        let slot = inner.push_call(3, &[Arg::new(1, Mode::RefMut), Arg::new(0, Mode::Reborrow)]);
        inner.result = Some(Arg::new(slot, Mode::Move));
        let mut main = Body::default();
        let text = main.push_literal(&Literal::String("a\"b".into()));
        let callback = main.push_callback(inner, &[Arg::new(text, Mode::RefMut)]);
        main.push_call(7, &[Arg::new(callback, Mode::Move)]);
        main.push_drop(text);
        Program { main, observe_from: 2 }
    }

    fn batch() -> Batch {
        let options = RunOptions {
            notion: ValueIdentity::Equality,
            trace: true,
            backtrace: false,
            entropy: 5,
            patience: 1,
            coverage: true,
            comparisons: true,
            checks: true,
            stack: true,
        };
        Batch { number: 3, options, programs: vec![sample(), Program::default(), sample()], news: vec![7, 3] }
    }

    fn read_all(bytes: &[u8]) -> Result<Vec<Program>, DecodeError> {
        let Request::Run(mut reader) = Request::decode(bytes)? else {
            return Ok(Vec::new());
        };
        let mut programs = Vec::new();
        let mut program = Program::default();
        while reader.next_into(&mut program)? {
            programs.push(program.clone());
        }
        Ok(programs)
    }

    #[test]
    fn a_batch_with_nested_bodies_captures_and_drops_survives_the_wire() {
        let mut writer = Writer::default();
        batch().encode(1, &[3, 9], &mut writer);
        let Ok(Request::Run(reader)) = Request::decode(&writer.bytes) else { panic!("not a batch") };
        assert_eq!((reader.options, &reader.news[..]), (batch().options, &[3, 9][..]));
        assert_eq!(read_all(&writer.bytes).unwrap(), batch().programs[1..]);
        assert_eq!(Program::from_bytes(&sample().to_bytes()), Ok(sample()));
    }

    #[test]
    fn a_confinement_survives_the_wire_and_is_never_longer_than_it_says() {
        let confinement = Confinement { pass: u64::MAX - 1, filter: &[1, 2, 3, 4, 5, 6, 7, 8] };
        let bytes = Request::encode_confine(&confinement);
        assert!(matches!(Request::decode(&bytes), Ok(Request::Confine(read)) if read == confinement));
        for end in 0..bytes.len() {
            assert!(Request::decode(&bytes[..end]).is_err(), "cut at {end}");
        }
    }

    #[test]
    fn no_damage_to_a_batch_makes_the_reader_panic() {
        let mut writer = Writer::default();
        batch().encode(0, &[3, 9], &mut writer);
        let good = writer.bytes;
        for at in 0..good.len() {
            assert!(read_all(&good[..at]).is_err(), "cut at {at}");
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                let _ = read_all(&bad);
            }
        }
    }
}
