use provoke_wire::{
    Abilities, Batch, BatchReport, LiteralKind, Outcome, Program, RunOptions, StatementKind, TypeInfo, ValueIdentity,
};

use super::*;
use crate::api::FunctionFacts;
use crate::api::graph::Graph;
use crate::api::user_policy::FunctionPolicy;
use crate::executor::{Executor, ExecutorError};
use crate::minimize::replacements::Replacements;
use crate::minimize::stock::Stock;
use crate::minimize::{Effort, FailureSite, minimize};
use crate::options::{Guidance, Regions, SearchOptions, Strategy};
use crate::search::{Search, SearchObserver, Stats, Suspect};
use crate::test_support::fake::{self, FakeExecutor};
use crate::verdict::triage;

/// Counts what it is asked to call, by operation.
struct Counting {
    inner: FakeExecutor,
    n_calls: Vec<u64>,
}

impl Counting {
    fn count(&mut self, programs: &[Program]) {
        let statements = programs.iter().flat_map(|program| &program.main.statements);
        statements.filter(|line| line.kind == StatementKind::Call).for_each(|call| self.n_calls[call.op as usize] += 1);
    }
}

impl Executor for Counting {
    fn submit(&mut self, batch: Batch) -> Result<(), ExecutorError> {
        self.count(&batch.programs);
        self.inner.submit(batch)
    }

    fn receive(&mut self, is_over: &dyn Fn() -> bool) -> Result<Option<(Batch, BatchReport)>, ExecutorError> {
        self.inner.receive(is_over)
    }

    fn run_warm(&mut self, programs: Vec<Program>, options: RunOptions) -> Result<Vec<Outcome>, ExecutorError> {
        self.count(&programs);
        self.inner.run_warm(programs, options)
    }

    fn run_fresh(&mut self, programs: &[Program], options: RunOptions) -> Result<Vec<Outcome>, ExecutorError> {
        self.count(programs);
        self.inner.run_fresh(programs, options)
    }
}

/// Minimises the first suspects with all that the search has to offer.
struct Minimising<'a> {
    api: &'a Api,
    graph: &'a Graph,
    n_left: u32,
    met: Vec<(Program, u64, Stock)>,
}

impl SearchObserver for Minimising<'_> {
    fn suspect(&mut self, suspect: Suspect<'_>) {
        if let Some(incident) = suspect.incidents.first().filter(|_| self.n_left > 0) {
            self.n_left -= 1;
            self.met.push((suspect.program.clone(), incident.key, suspect.stock()));
        }
    }

    fn after_batch(&mut self, executor: &mut dyn Executor, _: &Stats) -> Result<(), ExecutorError> {
        for (program, key, stock) in std::mem::take(&mut self.met) {
            let same = |program: &Program, outcome: &Outcome| {
                let incidents = triage(outcome, self.api, &program.main).incidents;
                let found = incidents.iter().find(|other| other.key == key)?;
                Some(FailureSite { statement: found.at, phase: found.phase })
            };
            let mut replay = |programs: &[Program]| executor.run_fresh(programs, RunOptions::QUIET);
            let replacements = Replacements::new(self.api, self.graph, &stock);
            minimize(self.api, Some(replacements), &program, &same, &mut replay, Effort::default())?;
        }
        Ok(())
    }

    fn at_checkpoint(&mut self, _: &dyn Fn() -> Vec<u8>) {}

    fn should_stop(&self) -> bool {
        false
    }
}

/// The functions of the toy API that a search of some of them calls, its minimiser included.
fn called(selected: &[&str], skipped: &[&str], strategy: Strategy) -> Vec<String> {
    let mut api = fake::api();
    for name in skipped {
        let skipped = FunctionPolicy { is_skipped: true, ..FunctionPolicy::default() };
        api.policy.functions.insert(format!("toy::{name}"), skipped);
    }
    let is_selected = |facts: &FunctionFacts| selected.is_empty() || selected.contains(&facts.name.as_str());
    let options = SearchOptions {
        strategy,
        seed: 7,
        notion: ValueIdentity::Equality,
        max_calls: Some(100_000),
        until_plateau: false,
        is_selected: api.functions.iter().map(is_selected).collect(),
        max_component_bytes: 1 << 20,
        guidance: Guidance::ALL,
        edge_places: (0..fake::N_EDGES).collect(),
        unsteady_sites: Vec::new(),
        regions: Regions { of_edges: vec![0; fake::N_EDGES as usize], owners: vec![None] },
    };
    let mut executor = Counting { inner: FakeExecutor::default(), n_calls: vec![0; api.ops.len()] };
    let graph = Graph::of_selected(&api, &options.is_selected);
    let mut sink = Minimising { api: &api, graph: &graph, n_left: 20, met: Vec::new() };
    Search::new(&api, &options, &[]).run(&mut executor, &mut sink).unwrap();
    let names = api.functions.iter().zip(&executor.n_calls).filter(|(_, n_calls)| **n_calls > 0);
    names.map(|(facts, _)| facts.name.clone()).collect()
}

const STRATEGIES: [Strategy; 4] = [Strategy::Walk, Strategy::Legal, Strategy::Directed, Strategy::Guided];

#[test]
fn what_was_not_asked_for_is_called_only_where_an_argument_needs_it() {
    for strategy in STRATEGIES {
        // Stacks are needed; numbers are written down.
        assert_eq!(called(&["push"], &[], strategy), ["new", "push", "join", "copy"], "{strategy:?}");
        assert_eq!(called(&["push", "sum"], &[], strategy), ["new", "push", "join", "copy", "view", "sum"]);
        assert_eq!(called(&["add"], &[], strategy), ["add"], "{strategy:?}");
    }
}

#[test]
fn what_was_left_out_is_not_called_by_the_search_or_by_the_minimiser() {
    for strategy in STRATEGIES {
        let all_others = ["new", "push", "pop", "len", "add", "view", "sum"];
        assert_eq!(called(&[], &["join", "copy"], strategy), all_others, "{strategy:?}");
        assert_eq!(called(&["push"], &["join"], strategy), ["new", "push", "copy"], "{strategy:?}");
    }
}

/// `A::new(u8) -> A`, one operation per line; what starts with `std` is of no function, and so is what starts with a dot.
fn api(text: &str) -> Api {
    let mut api = Api::default();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (signature, result) = line.split_once(" -> ").unwrap();
        let (key, args) = signature.split_once('(').unwrap();
        let args = args.strip_suffix(')').unwrap().split("; ").filter(|arg| !arg.is_empty());
        let args = args.map(|arg| type_named(&mut api, arg)).collect();
        let result = type_named(&mut api, result);
        let (role, kind) = match key {
            _ if key.starts_with("std default_of") => (OpRole::Builtin, OpKind::DefaultValue),
            _ if key.starts_with("std ") => (OpRole::Builtin, OpKind::OfStd),
            _ if key.starts_with('.') => (OpRole::Constructor, OpKind::Other),
            _ => (OpRole::Function, OpKind::Other),
        };
        let function = (role == OpRole::Function).then_some(api.functions.len() as u32);
        if role == OpRole::Function {
            api.functions.push(FunctionFacts { path: key.into(), name: key.into(), ..FunctionFacts::default() });
        }
        api.ops.push(Op {
            key: key.into(),
            role,
            function,
            trait_function: None,
            kind,
            args,
            result,
            flows: Vec::new(),
            static_args: Vec::new(),
            law: None,
            guards: Vec::new(),
            accused: None,
            belongs_to: None,
        });
    }
    api
}

fn type_named(api: &mut Api, name: &str) -> u32 {
    if let Some(known) = api.types.iter().position(|info| info.name == name) {
        return known as u32;
    }
    let shape = match (name.strip_prefix("&mut "), name.strip_prefix('&')) {
        (Some(target), _) => Shape::RefMut(type_named(api, target)),
        (None, Some(target)) => Shape::Ref(type_named(api, target)),
        (None, None) => Shape::Plain,
    };
    let literal = match name {
        "u8" => Some(LiteralKind::U8 as u32),
        "String" => Some(LiteralKind::String as u32),
        _ => None,
    };
    api.types.push(TypeInfo { name: name.into(), size: 8, align: 8, abilities: Abilities::PROBED, shape, literal });
    api.types.len() as u32 - 1
}

/// Operations that are called if all functions of one type are asked for: those of functions that were not, and those of none.
fn called_for(ty: &str, text: &str) -> Vec<String> {
    let api = api(text);
    let is_selected: Vec<bool> = api.functions.iter().map(|facts| facts.path.starts_with(ty)).collect();
    let calls = scope(&api, &is_selected);
    let others = api.ops.iter().zip(calls).filter(|(op, _)| !op.key.starts_with(ty));
    others.filter(|(_, calls)| *calls != Calls::Never).map(|(op, _)| op.key.clone()).collect()
}

#[test]
fn makers_are_called_for_arguments_and_for_the_arguments_of_makers() {
    let text = "
        A::join(B) -> A
        A::len(&A) -> u8
        B::of(C) -> B
        B::len(&B) -> u8
        C::new(u8) -> C
        C::touch(&mut C) -> u8
        C::into_d(C) -> D
    ";
    assert_eq!(called_for("A::", text), ["B::of", "C::new"]);
    assert_eq!(called_for("D::", text), [""; 0]);
}

#[test]
fn texts_and_numbers_are_written_down() {
    let text = "
        A::find(&str; u8; Vec<u8>) -> u8
        B::name(&B) -> &str
        B::len(&B) -> u8
        B::bytes(B) -> Vec<u8>
        B::new() -> B
        std as_str(&String) -> &str
        std vec(u8) -> Vec<u8>
    ";
    assert_eq!(called_for("A::", text), ["std as_str", "std vec"]);
}

#[test]
fn what_has_a_default_value_is_made_in_other_ways_too() {
    let text = "
        A::take(&B) -> u8
        B::of(u8) -> B
        B::len(&B) -> u8
        std default_of B() -> B
    ";
    assert_eq!(called_for("A::", text), ["B::of", "std default_of B"]);
}

#[test]
fn what_lies_in_others_comes_from_who_returned_those() {
    let text = "
        A::len(&A) -> u8
        B::make() -> Result<A, E>
        E::new() -> E
        B::pair(u8) -> (A, C)
        C::new() -> C
        D::new() -> D
        std unwrap(Result<A, E>) -> A
        std err(E) -> Result<A, E>
        std first((A, C)) -> A
        std pair(A; C) -> (A, C)
        std wrap(D) -> Option<D>
    ";
    // An `E` would be needed to make what holds no `A`.
    assert_eq!(called_for("A::", text), ["B::make", "B::pair", "std unwrap", "std first"]);
}

#[test]
fn containers_are_filled() {
    let text = "
        A::of(Vec<B>; Option<C>) -> A
        B::new() -> B
        C::new() -> C
        D::new() -> D
        std vec() -> Vec<B>
        std push(&mut Vec<B>; B) -> ()
        std some(C) -> Option<C>
        std none() -> Option<C>
        std vec_of_d() -> Vec<D>
    ";
    let called = called_for("A::", text);
    assert_eq!(called, ["B::new", "C::new", "std vec", "std push", "std some", "std none"]);
}

#[test]
fn results_of_what_was_asked_for_are_used_by_std() {
    let text = "
        A::new() -> A
        A::items(&A) -> Option<Item>
        Item::new() -> Item
        Item::look(&Item) -> u8
        std unwrap(Option<Item>) -> Item
        std boxed(Item) -> Box<Item>
        std swap(&mut Item; Other) -> ()
        Other::new() -> Other
    ";
    assert_eq!(called_for("A::", text), ["std unwrap", "std boxed"]);
}
