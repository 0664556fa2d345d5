//! A stand-in for workers: a target with two functions, of which a rule of the test says when they crash.

use std::path::PathBuf;
use std::sync::Arc;

use provoke_api::{OpKind, OpRole};
use provoke_engine::{
    Activity, Api, Executor, ExecutorError, Failure, FunctionFacts, Graph, Incident, Op, Sources, Stock, spot_of,
    triage,
};
use provoke_model::Model;
use provoke_wire::{Abilities, Batch, BatchReport, Ending, Outcome, Phase, Program, RunOptions, Shape, TypeInfo};

use crate::confirm::judge::Judge;
use crate::confirm::lead::{Encounter, Lead};
use crate::confirm::replayer::{Process, Replayer};
use crate::confirm::site::Sites;
use crate::interrupt::Interrupt;

/// Numbers of the functions.
pub(crate) const FILL: u32 = 0;
pub(crate) const DRAIN: u32 = 1;

const SIGSEGV: i32 = 11;

/// Where a run crashes, if it does: the program, the process it runs in, and how it is run.
pub(crate) type Rule = Box<dyn FnMut(&Program, Process, RunOptions) -> Option<u32>>;

pub(crate) struct FakeWorker {
    rule: Rule,
    /// Programs that were run.
    pub(crate) n_run: usize,
}

impl FakeWorker {
    pub(crate) fn new(rule: impl FnMut(&Program, Process, RunOptions) -> Option<u32> + 'static) -> FakeWorker {
        FakeWorker { rule: Box::new(rule), n_run: 0 }
    }

    fn run(&mut self, program: &Program, process: Process, options: RunOptions) -> Outcome {
        self.n_run += 1;
        (self.rule)(program, process, options).map_or_else(Outcome::default, crash)
    }
}

impl Executor for FakeWorker {
    fn submit(&mut self, _: Batch) -> Result<(), ExecutorError> {
        panic!("nothing is searched")
    }

    fn receive(&mut self, _: &dyn Fn() -> bool) -> Result<Option<(Batch, BatchReport)>, ExecutorError> {
        panic!("nothing is searched")
    }

    fn run_warm(&mut self, programs: Vec<Program>, options: RunOptions) -> Result<Vec<Outcome>, ExecutorError> {
        Ok(programs.iter().map(|program| self.run(program, Process::Warm, options)).collect())
    }

    fn run_fresh(&mut self, programs: &[Program], options: RunOptions) -> Result<Vec<Outcome>, ExecutorError> {
        Ok(programs.iter().map(|program| self.run(program, Process::Fresh, options)).collect())
    }
}

/// The first call of a function that comes after so many calls of the other one.
pub(crate) fn call_after(program: &Program, function: u32, n_others: usize) -> Option<u32> {
    let mut n_left = n_others;
    let mut calls = (0..).zip(&program.main.statements);
    let found = calls.find(|(_, statement)| {
        let is_other = statement.op != function;
        n_left -= usize::from(is_other && n_left > 0);
        !is_other && n_left == 0
    });
    found.map(|(index, _)| index)
}

/// What the worker says of a crash in a statement.
pub(crate) fn crash(statement: u32) -> Outcome {
    Outcome { ending: Ending::Signal { signal: SIGSEGV, statement, phase: Phase::Call }, ..Outcome::default() }
}

pub(crate) fn api() -> Api {
    let unit = TypeInfo {
        name: "()".into(),
        size: 0,
        align: 1,
        abilities: Abilities::PROBED.with(Abilities::COPY, true),
        shape: Shape::Plain,
        literal: None,
    };
    let names = ["fill", "drain"];
    let op = |(number, name): (u32, &str)| Op {
        key: format!("toy::{name}"),
        role: OpRole::Function,
        function: Some(number),
        trait_function: None,
        kind: OpKind::Other,
        args: Vec::new(),
        result: 0,
        flows: Vec::new(),
        static_args: Vec::new(),
        law: None,
        guards: Vec::new(),
        accused: None,
        belongs_to: None,
    };
    let facts = |name: &str| FunctionFacts { path: format!("toy::{name}"), name: name.into(), ..Default::default() };
    Api {
        types: vec![unit],
        ops: (0..).zip(names).map(op).collect(),
        functions: names.map(facts).to_vec(),
        ..Api::default()
    }
}

/// A program that calls functions one after the other.
pub(crate) fn calls(functions: &[u32]) -> Program {
    let mut program = Program::default();
    for &function in functions {
        program.main.push_call(function, &[]);
    }
    program
}

/// What it takes to run programs again.
pub(crate) struct Bench {
    pub(crate) api: Api,
    model: Model,
    pub(crate) interrupt: Interrupt,
}

impl Bench {
    pub(crate) fn new() -> Bench {
        Bench { api: api(), model: Model::default(), interrupt: Interrupt::default() }
    }

    pub(crate) fn replayer(&self) -> Replayer<'_> {
        let sites = Sites::new(PathBuf::new(), Default::default(), Default::default());
        Replayer {
            api: &self.api,
            model: &self.model,
            graph: Graph::new(&self.api),
            judge: Judge::new(&self.api, Sources::default(), sites),
            interrupt: &self.interrupt,
            seed: 0,
        }
    }

    /// The lead to a crash of a program that ran after others in its process.
    pub(crate) fn lead(&self, before: &[Program], program: &Program, at: u32) -> Lead {
        let outcome = crash(at);
        let incident = triage(&outcome, &self.api, &program.main).incidents.remove(0);
        let spot = spot_of(&incident, &outcome);
        let encounter = Encounter::after(before, outcome);
        Lead { encounter: Some(encounter), spot, program: program.clone(), ..of_incident(incident) }
    }
}

/// An incident that is told from others by its key alone.
pub(crate) fn incident(key: u64) -> Incident {
    Incident {
        key,
        event: Failure::Exit,
        activity: Activity::Call,
        statement: 0,
        at: 0,
        phase: Phase::Call,
        panic: None,
        is_after_panic: false,
    }
}

/// A lead that is told from others by its key alone.
pub(crate) fn lead(key: u64) -> Lead {
    of_incident(incident(key))
}

fn of_incident(incident: Incident) -> Lead {
    let (program, stock) = (Program::default(), Arc::new(Stock::default()));
    Lead { incident, program, spot: 0, found_after_seconds: 0.0, encounter: None, stock }
}
