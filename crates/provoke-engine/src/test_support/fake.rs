//! A stand-in for workers in tests: runs programs over a toy API of integer stacks, in process.
//!
//! Four failures are planted, each with its own line: pushing a third number so that a stack descends all the way,
//! summing a view that holds a number over 100 beside another, joining two stacks of two or more, dropping a stack that
//! starts with a pair. Popping from an empty stack panics as its docs say.

use std::collections::{BTreeSet, VecDeque};

use provoke_api::{Flow, FlowPart, FlowTarget, OpKind, OpRole};
use provoke_wire::{
    Abilities, Batch, BatchReport, Body, Ending, Literal, LiteralKind, Mode, Outcome, Panic, Phase, Program,
    RunOptions, Shape, StatementKind, TypeInfo,
};

use crate::api::{Api, FunctionFacts, Op};
use crate::executor::{Executor, ExecutorError};
use crate::options::{Regions, SearchOptions};
use crate::search::{SearchObserver, Stats, Suspect};
use crate::test_support::sample;

pub fn api() -> Api {
    let copy = Abilities::PROBED.with(Abilities::COPY, true);
    let ty = |name: &str, shape, abilities, literal: Option<LiteralKind>| TypeInfo {
        name: name.into(),
        size: 8,
        align: 8,
        abilities,
        shape,
        literal: literal.map(|kind| kind as u32),
    };
    let types = vec![
        ty("()", Shape::Plain, copy, None),
        ty("i32", Shape::Plain, copy, Some(LiteralKind::I32)),
        ty("toy::Stack", Shape::Plain, Abilities::PROBED.with(Abilities::NEEDS_DROP, true), None),
        ty("&toy::Stack", Shape::Ref(2), copy, None),
        ty("&mut toy::Stack", Shape::RefMut(2), Abilities::PROBED, None),
        ty("toy::View", Shape::Plain, Abilities::PROBED, None),
    ];
    let lends = Flow { arg: 0, part: FlowPart::Outer, target: FlowTarget::Result };
    let mut functions = Vec::new();
    let mut op = |name: &str, args: &[u32], result, flows: &[Flow]| {
        functions.push(FunctionFacts {
            path: format!("toy::{name}"),
            name: name.into(),
            documents_panics: name == "pop",
            ..FunctionFacts::default()
        });
        Op {
            key: format!("toy::{name}"),
            role: OpRole::Function,
            function: Some(functions.len() as u32 - 1),
            trait_function: None,
            kind: OpKind::Other,
            args: args.to_vec(),
            result,
            flows: flows.to_vec(),
            static_args: Vec::new(),
            law: None,
            guards: Vec::new(),
            accused: None,
            belongs_to: None,
        }
    };
    let ops = vec![
        op("new", &[], 2, &[]),
        op("push", &[4, 1], 0, &[]),
        op("pop", &[4], 1, &[]),
        op("len", &[3], 1, &[]),
        op("add", &[1, 1], 1, &[]),
        op("join", &[2, 2], 2, &[]),
        op("copy", &[3], 2, &[]),
        op("view", &[3], 5, &[lends]),
        op("sum", &[5], 1, &[]),
    ];
    Api { types, ops, functions, ..Api::default() }
}

#[derive(Clone, Debug)]
enum Value {
    Unit,
    Int(i32),
    Stack(Vec<i32>),
    View(Vec<i32>),
}

const NONE: &str = "called `Option::unwrap()` on a `None` value";

/// The message and the line of a panic.
type Broken = (&'static str, u32);

pub fn run(api: &Api, program: &Program) -> Outcome {
    let mut outcome = Outcome::default();
    let body = &program.main;
    let mut slots: Vec<Option<Value>> = Vec::new();
    for index in 0..body.statements.len() {
        match execute(api, body, index, &mut slots) {
            Ok(value) => slots.push(value),
            Err(broken) => {
                outcome.panics.push(panic(broken, index, Phase::Call));
                outcome.ending = Ending::Panicked;
                break;
            }
        }
        outcome.n_calls += u32::from(body.statements[index].kind == StatementKind::Call);
    }
    for (index, slot) in slots.iter_mut().enumerate().rev() {
        if let Err(broken) = slot.take().map_or(Ok(()), drop_value) {
            outcome.panics.push(panic(broken, index, Phase::Cleanup));
        }
    }
    outcome
}

fn panic((message, line): Broken, statement: usize, phase: Phase) -> Panic {
    Panic {
        statement: statement as u32,
        phase,
        message: message.into(),
        file: "/toy/src/lib.rs".into(),
        line,
        column: 1,
        depth: 0,
        backtrace: String::new(),
    }
}

fn drop_value(value: Value) -> Result<(), Broken> {
    match value {
        Value::Stack(stack) if stack.len() >= 2 && stack[0] == stack[1] => Err(("a pair", 40)),
        _ => Ok(()),
    }
}

fn execute(api: &Api, body: &Body, index: usize, slots: &mut [Option<Value>]) -> Result<Option<Value>, Broken> {
    let statement = &body.statements[index];
    let args = body.args_of(statement);
    match statement.kind {
        StatementKind::Literal => {
            let kind = LiteralKind::from_code(statement.op).expect("programs are checked");
            return Ok(Some(match Literal::from_data(kind, body.data_of(statement)) {
                Some(Literal::I32(v)) => Value::Int(v),
                other => panic!("no literal of the toy API: {other:?}"),
            }));
        }
        StatementKind::Drop => {
            let value = slots[args[0].slot() as usize].take().expect("programs are checked");
            return drop_value(value).map(|()| None);
        }
        StatementKind::Callback => panic!("the toy API has no callbacks"),
        StatementKind::Call => {}
    }
    let values: Vec<Value> = args
        .iter()
        .map(|arg| {
            let slot = &mut slots[arg.slot() as usize];
            let value = if arg.mode() == Mode::Move { slot.take() } else { slot.clone() };
            value.expect("programs are checked")
        })
        .collect();
    let mut write_back = |stack: Vec<i32>| slots[args[0].slot() as usize] = Some(Value::Stack(stack));
    let name = api.ops[statement.op as usize].key.trim_start_matches("toy::");
    Ok(Some(match (name, &values[..]) {
        ("new", []) => Value::Stack(Vec::new()),
        ("push", [Value::Stack(stack), Value::Int(v)]) => {
            let mut stack = stack.clone();
            stack.push(*v);
            if stack.len() == 3 && stack.is_sorted_by(|a, b| a > b) {
                return Err(("order", 10));
            }
            write_back(stack);
            Value::Unit
        }
        ("pop", [Value::Stack(stack)]) => {
            let mut stack = stack.clone();
            let last = stack.pop().ok_or((NONE, 50))?;
            write_back(stack);
            Value::Int(last)
        }
        ("len", [Value::Stack(stack)]) => Value::Int(stack.len() as i32),
        ("add", [Value::Int(a), Value::Int(b)]) => Value::Int(a.wrapping_add(*b)),
        ("join", [Value::Stack(a), Value::Stack(b)]) => {
            if a.len() >= 2 && b.len() >= 2 {
                return Err(("too much", 30));
            }
            Value::Stack([&a[..], &b[..]].concat())
        }
        ("copy", [Value::Stack(stack)]) => Value::Stack(stack.clone()),
        ("view", [Value::Stack(stack)]) => Value::View(stack.clone()),
        ("sum", [Value::View(view)]) => {
            if view.len() >= 2 && view.iter().any(|&v| v > 100) {
                return Err(("too big", 20));
            }
            Value::Int(view.iter().fold(0, |sum, v| v.wrapping_add(sum)))
        }
        other => panic!("programs are checked: {other:?}"),
    }))
}

/// How many edges there seem to be: one for each operation, and some for programs of growing length.
pub const N_EDGES: u32 = 16;

fn edges(program: &Program) -> BTreeSet<u32> {
    let statements = &program.main.statements;
    let calls = statements.iter().filter(|statement| statement.kind == StatementKind::Call);
    let length = N_EDGES - 1 - (64 / statements.len().max(1)).min(6) as u32;
    calls.map(|call| call.op).chain([length]).collect()
}

/// The toy API behind the engine's seam.
#[derive(Default)]
pub struct FakeExecutor {
    waiting: VecDeque<Batch>,
    /// Edges that are not to be reported.
    known: BTreeSet<u32>,
}

impl Executor for FakeExecutor {
    fn submit(&mut self, batch: Batch) -> Result<(), ExecutorError> {
        self.waiting.push_back(batch);
        Ok(())
    }

    fn receive(&mut self, _: &dyn Fn() -> bool) -> Result<Option<(Batch, BatchReport)>, ExecutorError> {
        let batch = self.waiting.pop_front();
        let batch = batch.ok_or_else(|| ExecutorError("nothing was submitted".into()))?;
        self.known.extend(&batch.news);
        let api = api();
        let outcome = |program: &Program| {
            let edges = edges(program).into_iter().filter(|edge| batch.options.coverage && !self.known.contains(edge));
            Outcome { edges: edges.collect(), ..run(&api, program) }
        };
        let report = BatchReport {
            number: batch.number,
            outcomes: batch.programs.iter().map(outcome).collect(),
            ..BatchReport::default()
        };
        Ok(Some((batch, report)))
    }

    fn run_warm(&mut self, programs: Vec<Program>, options: RunOptions) -> Result<Vec<Outcome>, ExecutorError> {
        self.run_fresh(&programs, options)
    }

    fn run_fresh(&mut self, programs: &[Program], _: RunOptions) -> Result<Vec<Outcome>, ExecutorError> {
        let api = api();
        Ok(programs.iter().map(|program| run(&api, program)).collect())
    }
}

/// A guided search that is made in so many calls.
pub fn options(max_calls: u64) -> SearchOptions {
    SearchOptions {
        max_calls: Some(max_calls),
        regions: Regions { of_edges: vec![0; N_EDGES as usize], owners: vec![None] },
        edge_places: (0..N_EDGES).collect(),
        ..sample::options(&api())
    }
}

/// Listens to nothing.
pub struct Silent;

impl SearchObserver for Silent {
    fn suspect(&mut self, _: Suspect<'_>) {}

    fn after_batch(&mut self, _: &mut dyn Executor, _: &Stats) -> Result<(), ExecutorError> {
        Ok(())
    }

    fn at_checkpoint(&mut self, _: &dyn Fn() -> Vec<u8>) {}

    fn should_stop(&self) -> bool {
        false
    }
}
