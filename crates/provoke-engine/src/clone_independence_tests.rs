use std::cell::Cell;
use std::rc::Rc;

use provoke_wire::{Arg, Batch, BatchReport, Ending, Panic, Phase, StatementKind};

use super::*;
use crate::api::Api;
use crate::options::{Guidance, SearchOptions, Strategy};
use crate::search::{Stats, Suspect};
use crate::test_support::sample;

/// What the parts of a `Foo` are worth: its own, and one that it may have in common with others.
#[derive(Clone, Default)]
struct Foo {
    own: Cell<u32>,
    common: Rc<Cell<u32>>,
}

/// What a clone has in common with its original.
#[derive(Clone, Copy, PartialEq)]
enum Cloning {
    Nothing,
    OnePart,
    Everything,
}

/// Runs programs about `Foo`: `touch` changes its own part, `stir` the other one.
struct Workshop {
    api: Api,
    cloning: Cloning,
    /// What all values show beside their own.
    weather: u32,
    is_weather_shown: bool,
}

enum Slot {
    Foo(Foo),
    Text(String),
    Other,
}

impl Workshop {
    fn show(&self, foo: &Foo) -> String {
        let weather = if self.is_weather_shown { self.weather } else { 0 };
        format!("{} {} {weather}", foo.own.get(), foo.common.get())
    }

    fn run(&mut self, program: &Program) -> Outcome {
        let mut slots: Vec<Slot> = Vec::new();
        let body = &program.main;
        for (index, statement) in body.statements.iter().enumerate() {
            let args = body.args_of(statement);
            let foo = |arg: Option<&Arg>| match arg.map(|arg| &slots[arg.slot() as usize]) {
                Some(Slot::Foo(foo)) => foo,
                _ => panic!("programs are checked"),
            };
            let key = match statement.kind {
                StatementKind::Call => self.api.ops[statement.op as usize].key.as_str(),
                _ => "",
            };
            let made = match key {
                "make" => Slot::Foo(Foo::default()),
                "clone" => {
                    let mut clone = foo(args.first()).clone();
                    if self.cloning == Cloning::Nothing {
                        clone.common = Rc::new(Cell::new(clone.common.get()));
                    }
                    Slot::Foo(clone)
                }
                "snapshot" => Slot::Text(self.show(foo(args.first()))),
                "touch" | "touch_and_look" | "stir" => {
                    let is_own = key != "stir" && self.cloning != Cloning::Everything;
                    let changed = if is_own { &foo(args.first()).own } else { &*foo(args.first()).common };
                    changed.set(changed.get() + 1);
                    self.weather += 1;
                    Slot::Other
                }
                "same" => {
                    let Slot::Text(before) = &slots[args[1].slot() as usize] else { panic!("programs are checked") };
                    if self.show(foo(args.first())) != *before {
                        return broken(index);
                    }
                    Slot::Other
                }
                _ => Slot::Other,
            };
            slots.push(made);
        }
        Outcome::default()
    }
}

fn broken(statement: usize) -> Outcome {
    let panic = Panic {
        statement: statement as u32,
        phase: Phase::Call,
        message: LAW_BROKEN.into(),
        file: "ops.rs".into(),
        line: 1,
        column: 1,
        depth: 0,
        backtrace: String::new(),
    };
    Outcome { ending: Ending::Panicked, panics: vec![panic], ..Outcome::default() }
}

impl Executor for Workshop {
    fn submit(&mut self, _: Batch) -> Result<(), ExecutorError> {
        panic!("nothing is searched")
    }

    fn receive(&mut self, _: &dyn Fn() -> bool) -> Result<Option<(Batch, BatchReport)>, ExecutorError> {
        panic!("nothing is searched")
    }

    fn run_warm(&mut self, programs: Vec<Program>, _: RunOptions) -> Result<Vec<Outcome>, ExecutorError> {
        Ok(programs.iter().map(|program| self.run(program)).collect())
    }

    fn run_fresh(&mut self, _: &[Program], _: RunOptions) -> Result<Vec<Outcome>, ExecutorError> {
        panic!("nobody confirms anything")
    }
}

#[derive(Default)]
struct Suspects(Vec<Program>);

impl SearchObserver for Suspects {
    fn at_checkpoint(&mut self, _: &dyn Fn() -> Vec<u8>) {}

    fn suspect(&mut self, suspect: Suspect<'_>) {
        self.0.push(suspect.program.clone());
    }

    fn after_batch(&mut self, _: &mut dyn Executor, _: &Stats) -> Result<(), ExecutorError> {
        Ok(())
    }

    fn should_stop(&self) -> bool {
        false
    }
}

fn suspects(cloning: Cloning, is_weather_shown: bool, is_selected: bool) -> Vec<String> {
    let mut api = sample::api();
    sample::add_twins(&mut api);
    let options = SearchOptions {
        strategy: Strategy::Directed,
        seed: 7,
        notion: provoke_wire::ValueIdentity::None,
        max_calls: None,
        until_plateau: false,
        is_selected: vec![is_selected; api.functions.len()],
        max_component_bytes: 1 << 20,
        guidance: Guidance::NONE,
        edge_places: Vec::new(),
        unsteady_sites: Vec::new(),
        regions: Default::default(),
    };
    let search = Search::new(&api, &options, &[]);
    let mut workshop = Workshop { api: api.clone(), cloning, weather: 0, is_weather_shown };
    let mut suspects = Suspects::default();
    ask_about_clones(&search, &mut workshop, &mut suspects).unwrap();
    let line = |program: &Program| sample::print(&api, &program.main).trim_end().replace('\n', "; ");
    suspects.0.iter().map(line).collect()
}

#[test]
fn a_part_that_clones_have_in_common_is_suspect() {
    let found = suspects(Cloning::OnePart, false, true);
    let [program] = &found[..] else { panic!("{found:?}") };
    assert!(program.starts_with("s0 = make; s1 = clone &s0; s2 = snapshot &s"), "{program}");
    assert!(program.contains("stir"), "{program}");
}

#[test]
fn clones_that_share_nothing_or_everything_are_not() {
    assert_eq!(suspects(Cloning::Nothing, false, true), [""; 0]);
    assert_eq!(suspects(Cloning::Everything, false, true), [""; 0]);
}

#[test]
fn what_shows_in_all_values_says_nothing_about_clones() {
    assert_eq!(suspects(Cloning::Nothing, true, true), [""; 0]);
}

#[test]
fn types_are_not_asked_about_where_only_some_functions_are_asked_for() {
    assert_eq!(suspects(Cloning::OnePart, false, false), [""; 0]);
}
