use super::*;
use crate::api::Op;
use crate::api::graph::Graph;
use crate::executor::Executor;
use crate::generate::components::Components;
use crate::minimize::stock::Stock;
use crate::program::check::{accepts, check_program};
use crate::program::loans::Loans;
use crate::program::rebuild::slot_type;
use crate::test_support::fake;
use crate::test_support::sample;
use crate::verdict::triage;
use provoke_wire::{Arg, Literal, Mode, RunOptions, Shape, StatementKind, TypeInfo};

/// SplitMix64: tests need nothing better.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % n as u64) as usize
    }
}

/// A program that obeys the rules, with whatever arguments come along.
fn random_program(api: &Api, dice: &mut Dice, n_steps: usize) -> Program {
    let mut main = Body::default();
    let mut loans = Loans::new();
    let modes = [Mode::Copy, Mode::Ref, Mode::RefMut, Mode::Move];
    for _ in 0..n_steps {
        if dice.below(4) == 0 {
            let slot = main.push_literal(&Literal::I32(dice.below(300) as i32 - 50));
            loans.literal(slot);
            continue;
        }
        let op_index = dice.below(api.ops.len());
        let op = &api.ops[op_index];
        let args: Option<Vec<Arg>> = op
            .args
            .iter()
            .map(|&wanted| {
                let fitting: Vec<Arg> = (0..main.n_slots())
                    .filter_map(|slot| {
                        let given = slot_type(api, &main.statements[slot as usize])?;
                        let mode = modes.iter().find(|&&mode| accepts(api, wanted, given, mode))?;
                        loans.can_use(slot, *mode).then_some(Arg::new(slot, *mode))
                    })
                    .collect();
                (!fitting.is_empty()).then(|| fitting[dice.below(fitting.len())])
            })
            .collect();
        let Some(args) = args.filter(|args| loans.args_are_compatible(args)) else {
            continue;
        };
        let mut blockers = Vec::new();
        for arg in &args {
            loans.conflicts(arg.slot(), arg.mode(), &mut blockers);
        }
        for &blocker in &blockers {
            main.push_drop(blocker);
            loans.end(blocker);
        }
        let slot = main.push_call(op_index as u32, &args);
        loans.call(op, &args, slot);
    }
    let program = Program { main, observe_from: 0 };
    assert_eq!(check_program(api, &program), Ok(()));
    program
}

/// Legal programs as a search would have kept them: those that leave a stack behind.
fn components(api: &Api) -> Components {
    let stack = 2;
    let mut components = Components::new(api.types.len(), 1 << 20);
    for seed in 10_000..10_200 {
        let program = random_program(api, &mut Dice(seed), 8);
        let is_moved = |slot: u32| program.main.args.iter().any(|arg| arg.slot() == slot && arg.mode() == Mode::Move);
        let is_legal = fake::run(api, &program).panics.is_empty();
        let mut slots = (0..program.main.n_slots()).filter(|&slot| !is_moved(slot));
        let is_stack = |slot: &u32| slot_type(api, &program.main.statements[*slot as usize]) == Some(stack);
        if let Some(slot) = slots.find(is_stack).filter(|_| is_legal) {
            let n_calls = program.main.n_calls() as u32;
            components.add(program.main.clone(), n_calls, 0, &[(stack, slot, false)]);
        }
    }
    assert!(components.len() > 10);
    components
}

/// The program without one statement and all that names its slot, directly or not; nothing is repaired.
fn bluntly_without(program: &Program, gone: usize) -> Program {
    let mut new_slots: Vec<Option<u32>> = Vec::new();
    let mut main = Body::default();
    for (index, statement) in program.main.statements.iter().enumerate() {
        let args: Option<Vec<Arg>> = program
            .main
            .args_of(statement)
            .iter()
            .map(|arg| Some(Arg::new(new_slots[arg.slot() as usize]?, arg.mode())))
            .collect();
        new_slots.push(match args {
            Some(args) if index != gone => Some(main.push_copy(&program.main, index, &args)),
            _ => None,
        });
    }
    Program { observe_from: main.statements.len() as u32, main }
}

/// Whether triage finds an incident with this key, and where.
fn same_incident(api: &Api, key: u64) -> impl Fn(&Program, &Outcome) -> Option<FailureSite> {
    move |program, outcome| {
        let triage = triage(outcome, api, &program.main);
        let incident = triage.incidents.iter().find(|i| i.key == key)?;
        Some(FailureSite { statement: incident.at, phase: incident.phase })
    }
}

fn minimized(api: &Api, program: &Program, key: u64, effort: Effort) -> Minimized {
    let graph = Graph::new(api);
    let stock = Stock::for_all(api, &components(api));
    let replacements = Replacements::new(api, &graph, &stock);
    let options = RunOptions::QUIET;
    let mut replay = |programs: &[Program]| {
        for program in programs {
            assert_eq!(check_program(api, program), Ok(()), "every candidate obeys the rules");
        }
        fake::FakeExecutor::default().run_fresh(programs, options)
    };
    let same = same_incident(api, key);
    minimize(api, Some(replacements), program, &same, &mut replay, effort).unwrap().expect("it fails")
}

fn incident_key(api: &Api, program: &Program) -> Option<(u64, String)> {
    let outcome = fake::run(api, program);
    let incident = triage(&outcome, api, &program.main).incidents.into_iter().next()?;
    Some((incident.key, outcome.panics[incident.panic?].message.clone()))
}

#[test]
fn of_three_hundred_random_failures_nothing_single_can_be_removed() {
    let api = fake::api();
    let mut n_failing = 0;
    let mut sizes = std::collections::BTreeMap::new();
    for seed in 0.. {
        let program = random_program(&api, &mut Dice(seed), 60);
        let Some((key, message)) = incident_key(&api, &program) else {
            continue;
        };
        let result = minimized(&api, &program, key, Effort::default());
        assert!(result.is_minimal);
        let same = same_incident(&api, key);
        let failure = same(&result.program, &fake::run(&api, &result.program));
        assert_eq!(failure, Some(result.failure));
        for gone in 0..result.program.main.statements.len() {
            let less = bluntly_without(&result.program, gone);
            if check_program(&api, &less).is_ok() {
                let failure = same(&less, &fake::run(&api, &less));
                // A failing drop may be given up only for one that nobody sees in a test.
                let is_shown = failure.is_some_and(|failure| failure.phase == Phase::Call);
                assert!(!is_shown, "seed {seed}, without {gone}:\n{}", sample::print(&api, &result.program.main));
            }
        }
        let calls = sizes.entry(message).or_insert_with(Vec::new);
        calls.push(result.program.main.n_calls());
        n_failing += 1;
        if n_failing == 300 {
            break;
        }
    }
    let messages: Vec<&str> = sizes.keys().map(String::as_str).collect();
    assert_eq!(messages, ["a pair", "order", "too big", "too much"], "each planted failure came up");
    for (message, fewest) in [("a pair", 3), ("order", 4), ("too big", 5), ("too much", 5)] {
        // From wherever it started, it is not far from there.
        let longest = sizes[message].iter().max();
        assert!(longest <= Some(&(2 * fewest)), "{message}: {longest:?}");
    }
}

/// A long program around the failure of the last statement.
fn program_of(api: &Api, lines: &str) -> Program {
    let mut main = Body::default();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let mut words = line.split_whitespace();
        let key = words.next().unwrap_or_default();
        if let Ok(number) = key.parse() {
            main.push_literal(&Literal::I32(number));
            continue;
        }
        let op = api.ops.iter().position(|op| op.key == format!("toy::{key}")).unwrap();
        let args: Vec<Arg> = words
            .zip(&api.ops[op].args)
            .map(|(word, &wanted)| {
                let slot: u32 = word.parse().unwrap();
                let given = slot_type(api, &main.statements[slot as usize]).unwrap();
                let modes = [Mode::Copy, Mode::Ref, Mode::RefMut, Mode::Move];
                let mode = modes.into_iter().find(|&mode| accepts(api, wanted, given, mode));
                Arg::new(slot, mode.unwrap())
            })
            .collect();
        main.push_call(op as u32, &args);
    }
    Program { main, observe_from: 0 }
}

fn text_of_minimized(lines: &str, effort: Effort) -> String {
    let api = fake::api();
    let program = program_of(&api, lines);
    let (key, _) = incident_key(&api, &program).expect("it fails");
    let result = minimized(&api, &program, key, effort);
    sample::print(&api, &result.program.main)
}

#[test]
fn literals_shrink_copies_go_and_nothing_follows_the_failure() {
    let text = text_of_minimized(
        "new
        77
        push 0 1
        copy 0
        -3
        push 3 4
        len 3
        999
        copy 3
        -40
        push 8 9
        push 3 7",
        Effort::default(),
    );
    assert_eq!(
        text.lines().filter(|line| line.contains("toy::")).collect::<Vec<_>>().join("; "),
        "s0 = toy::new; s2 = toy::push &mut s0 =s1; s4 = toy::push &mut s0 =s3; s6 = toy::push &mut s0 =s5"
    );
    let literals: Vec<&str> = text.lines().filter(|line| line.contains("I32")).collect();
    assert_eq!(literals, ["s1 = I32(1)", "s3 = I32(0)", "s5 = I32(-1)"]);
}

#[test]
fn a_shorter_way_to_make_a_value_takes_the_place_of_a_longer_one() {
    // Each number is what is left of another stack, which no removal can take away.
    let made_of_another =
        "new\n5\npush 0 1\n6\npush 0 3\nlen 0\ncopy 0\npop 6\nnew\npush 8 5\n1\npush 8 10\n0\npush 8 12";
    let text = text_of_minimized(made_of_another, Effort::default());
    let calls: Vec<&str> = text.lines().filter(|line| line.contains("toy::")).collect();
    assert_eq!(calls.len(), 4, "{text}");
}

#[test]
fn a_failure_in_the_clean_up_becomes_a_final_drop() {
    let text = text_of_minimized(
        "new
        7
        push 0 1
        push 0 1
        new
        len 0",
        Effort::default(),
    );
    let expected = "s0 = toy::new\ns1 = I32(0)\ns2 = toy::push &mut s0 =s1\ns3 = toy::push &mut s0 =s1\ndrop s0\n";
    assert_eq!(text, expected);
}

/// One of many statements, and what fails in it.
fn long_failing_program(api: &Api) -> (Program, u64) {
    let programs = (0..).map(|seed| random_program(api, &mut Dice(seed), 200));
    let mut failing = programs.filter_map(|program| incident_key(api, &program).map(|(key, _)| (program, key)));
    failing.next().unwrap()
}

#[test]
fn a_spent_effort_still_gives_a_failing_program() {
    let api = fake::api();
    let (program, key) = long_failing_program(&api);
    let effort = Effort { max_replays: 10, batch: 4 };
    let result = minimized(&api, &program, key, effort);
    assert!(!result.is_minimal && result.n_replays <= 10);
    let same = same_incident(&api, key);
    assert!(same(&result.program, &fake::run(&api, &result.program)).is_some());
}

#[test]
fn few_programs_that_exhaust_memory_are_run() {
    let api = fake::api();
    let (program, key) = long_failing_program(&api);
    let same = same_incident(&api, key);
    let mut n_exhausted = 0;
    let exhausted = Ending::MemoryExhausted { statement: 0, phase: Phase::Call };
    let mut replay = |programs: &[Program]| {
        let run = |program: &Program| match fake::run(&api, program) {
            outcome if same(program, &outcome).is_some() => outcome,
            outcome => {
                n_exhausted += 1;
                Outcome { ending: exhausted, panics: Vec::new(), ..outcome }
            }
        };
        Ok(programs.iter().map(run).collect())
    };
    let effort = Effort { batch: 4, ..Effort::default() };
    let result = minimize(&api, None, &program, &same, &mut replay, effort).unwrap().unwrap();
    assert!((MAX_DEAR..MAX_DEAR + effort.batch).contains(&n_exhausted), "{n_exhausted}");
    assert!(!result.is_minimal && result.program.main.statements.len() < program.main.statements.len());
}

#[test]
fn what_does_not_fail_is_not_minimised() {
    let api = fake::api();
    let program = program_of(&api, "new\nlen 0");
    let mut replay = |programs: &[Program]| Ok(programs.iter().map(|p| fake::run(&api, p)).collect());
    let same = same_incident(&api, 1);
    let result = minimize(&api, None, &program, &same, &mut replay, Effort::default());
    assert_eq!(result, Ok(None));
}

#[test]
fn the_size_of_a_batch_does_not_change_the_result() {
    let api = fake::api();
    let mut n_compared = 0;
    for seed in 500.. {
        let program = random_program(&api, &mut Dice(seed), 60);
        let Some((key, _)) = incident_key(&api, &program) else {
            continue;
        };
        let with = |batch| {
            let effort = Effort { batch, ..Effort::default() };
            minimized(&api, &program, key, effort).program
        };
        assert_eq!(with(1), with(32));
        n_compared += 1;
        if n_compared == 10 {
            break;
        }
    }
}

/// The toy API with closures from `i32` to `i32` and a function that takes one, in the order of their keys. Their numbers begin
/// just below 256, where the order of numbers is not that of their bytes.
fn api_with_closures() -> (Api, u32) {
    let mut api = fake::api();
    let pointer = api.types.len() as u32;
    api.types.push(provoke_wire::TypeInfo { name: "fn(i32) -> i32".into(), literal: None, ..api.types[1].clone() });
    let op = |api: &Api, key: &str, args: &[u32], result: u32| crate::api::Op {
        key: key.into(),
        args: args.to_vec(),
        result,
        ..api.ops[0].clone()
    };
    while api.ops.len() < 254 {
        let filler = op(&api, "toy::filler", &[pointer], 0);
        api.ops.push(filler);
    }
    for closure in ["|_| 0", "|_| 1", "|_| 7", "|a| a", "|a| a + 1"] {
        let maker = op(&api, &format!("closure fn(i32) -> i32 {closure}"), &[], pointer);
        api.ops.push(maker);
    }
    let apply = op(&api, "toy::apply", &[pointer], 0);
    api.ops.push(apply);
    let number = api.ops.len() as u32 - 1;
    (api, number)
}

/// What is left of a program that calls `apply` with the closure, if that fails for some closures.
fn simplest_closure(start: &str, failing: &[&str]) -> String {
    let (api, apply) = api_with_closures();
    let closure_of = |key: &str| key.rsplit("-> i32 ").next().unwrap().to_string();
    let given = api.ops.iter().position(|op| closure_of(&op.key) == start).unwrap() as u32;
    let mut main = Body::default();
    let closure = main.push_call(given, &[]);
    main.push_call(apply, &[Arg::new(closure, Mode::Copy)]);
    let program = Program { main, observe_from: 0 };
    assert_eq!(check_program(&api, &program), Ok(()));
    let same = |program: &Program, _: &Outcome| {
        let at = program.main.statements.iter().position(|statement| statement.op == apply)?;
        let maker = program.main.args_of(&program.main.statements[at]).first()?.slot() as usize;
        let closure = closure_of(&api.ops[program.main.statements[maker].op as usize].key);
        failing.contains(&closure.as_str()).then_some(FailureSite { statement: at as u32, phase: Phase::Call })
    };
    let (graph, stock) = (Graph::new(&api), Stock::default());
    let replacements = Replacements::new(&api, &graph, &stock);
    let mut replay = |programs: &[Program]| Ok(vec![Outcome::default(); programs.len()]);
    let found =
        minimize(&api, Some(replacements), &program, &same, &mut replay, Effort::default()).unwrap().expect("it fails");
    assert!(found.is_minimal);
    let maker = found.program.main.statements[0];
    closure_of(&api.ops[maker.op as usize].key)
}

#[test]
fn a_callback_becomes_the_plainest_one_that_still_fails() {
    for (failing, simplest) in [
        (&["|_| 0", "|_| 1", "|_| 7", "|a| a", "|a| a + 1"][..], "|_| 0"),
        (&["|_| 1", "|_| 7", "|a| a + 1"], "|_| 1"),
        (&["|_| 7", "|a| a", "|a| a + 1"], "|_| 7"),
        (&["|a| a", "|a| a + 1"], "|a| a"),
        (&["|a| a + 1"], "|a| a + 1"),
    ] {
        assert_eq!(simplest_closure("|a| a + 1", failing), simplest);
    }
}

/// A copy that shares its stack: looking at it fails if the stack was changed since, by a push, or by a pop of what is there.
#[test]
fn another_function_changes_a_value_in_the_place_of_one_that_takes_more_calls() {
    let api = fake::api();
    let op = |name: &str| api.ops.iter().position(|op| op.key == format!("toy::{name}")).unwrap() as u32;
    let (push, pop, copy, len) = (op("push"), op("pop"), op("copy"), op("len"));
    let same = |program: &Program, _: &Outcome| {
        let main = &program.main;
        let copied_at = main.statements.iter().position(|statement| statement.op == copy && statement.n_args == 1)?;
        let stack = main.args_of(&main.statements[copied_at])[0].slot();
        let (mut n_items, mut is_changed) = (0, false);
        for (at, statement) in main.statements.iter().enumerate() {
            let is_call_on = |wanted: u32, slot: u32| {
                let is_call = statement.kind == StatementKind::Call && statement.op == wanted;
                is_call && main.args_of(statement)[0].slot() == slot
            };
            let step = if is_call_on(push, stack) { 1 } else { -i32::from(is_call_on(pop, stack)) };
            if n_items + step < 0 {
                return None;
            }
            n_items += step;
            is_changed |= at > copied_at && step != 0;
            if is_changed && is_call_on(len, copied_at as u32) {
                return Some(FailureSite { statement: at as u32, phase: Phase::Call });
            }
        }
        None
    };
    let program = program_of(&api, "new\n7\npush 0 1\n8\npush 0 3\ncopy 0\npop 0\nlen 5");
    let (graph, stock) = (Graph::new(&api), Stock::default());
    let replacements = Replacements::new(&api, &graph, &stock);
    let mut replay = |programs: &[Program]| Ok(vec![Outcome::default(); programs.len()]);
    let found =
        minimize(&api, Some(replacements), &program, &same, &mut replay, Effort::default()).unwrap().expect("it fails");
    let text = sample::print(&api, &found.program.main);
    let shortest = "s0 = toy::new\ns1 = toy::copy &s0\ns2 = I32(0)\ns3 = toy::push &mut s0 =s2\ns4 = toy::len &s1\n";
    assert_eq!(text, shortest);
}

/// Something that fails while there is exactly one item: neither a push nor a pop can go alone.
#[test]
fn what_is_put_in_and_taken_out_again_goes_together() {
    let api = fake::api();
    let op = |name: &str| api.ops.iter().position(|op| op.key == format!("toy::{name}")).unwrap() as u32;
    let (push, pop, add) = (op("push"), op("pop"), op("add"));
    let same = |program: &Program, _: &Outcome| {
        let mut n_items = 0;
        for (at, statement) in program.main.statements.iter().enumerate() {
            match statement.op {
                _ if statement.kind != StatementKind::Call => {}
                op if op == push => n_items += 1,
                op if op == pop && n_items == 0 => return None,
                op if op == pop => n_items -= 1,
                op if op == add && n_items == 1 => {
                    return Some(FailureSite { statement: at as u32, phase: Phase::Call });
                }
                _ => {}
            }
        }
        None
    };
    let shortest = "s0 = toy::new\ns1 = I32(0)\ns2 = toy::push &mut s0 =s1\ns3 = toy::add =s1 =s1\n";
    for (what, text) in [
        ("nobody needs what was taken out", "new\n3\npush 0 1\npop 0\npush 0 1\nadd 1 1"),
        ("what was taken out is needed", "new\n3\npush 0 1\npop 0\npush 0 1\nadd 3 3"),
    ] {
        let program = program_of(&api, text);
        let mut replay = |programs: &[Program]| Ok(vec![Outcome::default(); programs.len()]);
        let found = minimize(&api, None, &program, &same, &mut replay, Effort::default()).unwrap().expect("it fails");
        assert_eq!(sample::print(&api, &found.program.main), shortest, "{what}");
    }
}

/// Something that fails when a cursor takes away the last item.
#[test]
fn what_a_borrower_takes_out_goes_with_what_its_owner_was_given() {
    let mut api = fake::api();
    let cursor_type = api.types.len() as u32;
    let like = |ty: u32, name: &str, shape| TypeInfo { name: name.into(), shape, ..api.types[ty as usize].clone() };
    api.types = [
        &api.types[..],
        &[like(5, "toy::Cursor", Shape::Plain), like(4, "&mut toy::Cursor", Shape::RefMut(cursor_type))],
    ]
    .concat();
    let (view, pop) = (api.ops[7].clone(), api.ops[2].clone());
    api.ops.push(Op { key: "toy::cursor".into(), args: vec![4], result: cursor_type, ..view });
    api.ops.push(Op { key: "toy::remove".into(), args: vec![cursor_type + 1], ..pop });
    let ops = &api.ops;
    let same = |program: &Program, _: &Outcome| {
        let main = &program.main;
        let calls = |key: &'static str| {
            main.statements.iter().filter(move |it| it.kind == StatementKind::Call && ops[it.op as usize].key == key)
        };
        let at = main.statements.iter().rposition(|it| it.kind == StatementKind::Call)?;
        let n_removed = calls("toy::remove").count().checked_sub(1)?;
        (calls("toy::push").count() == n_removed + 1)
            .then_some(FailureSite { statement: at as u32, phase: Phase::Call })
    };
    let lines = "new\n0\npush 0 1\npush 0 1\npush 0 1\ncursor 0\nremove 5\nremove 5\nremove 5";
    let program = program_of(&api, lines);
    let mut replay = |programs: &[Program]| Ok(vec![Outcome::default(); programs.len()]);
    let found = minimize(&api, None, &program, &same, &mut replay, Effort::default()).unwrap().expect("it fails");
    let shortest =
        "s0 = toy::new\ns1 = I32(0)\ns2 = toy::push &mut s0 =s1\ns3 = toy::cursor &mut s0\ns4 = toy::remove &mut s3\n";
    assert_eq!(sample::print(&api, &found.program.main), shortest);
}

#[test]
fn of_two_literals_that_have_to_differ_the_plainer_one_comes_first() {
    let api = fake::api();
    let same = |program: &Program, _: &Outcome| {
        let main = &program.main;
        let at = main.statements.iter().rposition(|it| it.kind == StatementKind::Call && it.op == 4)?;
        let [one, other] = main.args_of(&main.statements[at]) else { return None };
        let data = |arg: &Arg| main.data_of(&main.statements[arg.slot() as usize]).to_vec();
        (data(one) != data(other)).then_some(FailureSite { statement: at as u32, phase: Phase::Call })
    };
    for text in ["1\n0\nadd 0 1", "0\n1\nadd 0 1", "7\n3\nadd 1 0"] {
        let program = program_of(&api, text);
        let mut replay = |programs: &[Program]| Ok(vec![Outcome::default(); programs.len()]);
        let found = minimize(&api, None, &program, &same, &mut replay, Effort::default()).unwrap().expect("it fails");
        let literals: Vec<String> = sample::print(&api, &found.program.main).lines().map(str::to_owned).collect();
        assert_eq!(literals[..2], ["s0 = I32(0)", "s1 = I32(1)"], "{text}");
    }
}
