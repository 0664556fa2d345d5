use std::fmt::{Debug, Write as _};

use expect_test::{Expect, expect};
use provoke_api::OpRole;
use provoke_wire::Program;

use super::*;
use crate::api::Api;
use crate::api::graph::Graph;
use crate::generate::argument_constants::ArgumentConstants;
use crate::generate::components::Components;
use crate::generate::cost_limits::CostLimits;
use crate::generate::literals::Literals;
use crate::program::check::check_program;
use crate::test_support::sample;

use float::mutate_f64;
use number::Integer;
use text::mutate_text;

/// The sample API with what a mutator needs to know of it.
struct Bench {
    api: Api,
    graph: Graph,
    components: Components,
    literals: Literals,
    argument_constants: ArgumentConstants,
    cost_limits: CostLimits,
    compared: Vec<Literal>,
}

impl Bench {
    fn new() -> Bench {
        let api = sample::api();
        Bench {
            graph: Graph::new(&api),
            components: Components::new(api.types.len(), 1 << 20),
            literals: Literals::new(&[Literal::Str("key".into()), Literal::I128(4321)]),
            argument_constants: ArgumentConstants::default(),
            cost_limits: CostLimits::new(api.ops.len()),
            compared: Vec::new(),
            api,
        }
    }

    fn material(&self) -> Material<'_> {
        Material {
            api: &self.api,
            graph: &self.graph,
            components: &self.components,
            literals: &self.literals,
            argument_constants: &self.argument_constants,
            may_reuse: true,
            relates: true,
            cost_limits: &self.cost_limits,
        }
    }

    fn op(&self, key: &str) -> u32 {
        self.api.ops.iter().position(|op| op.key == key).unwrap() as u32
    }

    /// A program of some random calls.
    fn program(&self, rng: &mut Rng) -> Body {
        let mut builder = Builder::default();
        for _ in 0..1 + rng.below(12) {
            let op = rng.below(self.api.ops.len()) as u32;
            let _ = builder.call(&self.material(), op, rng);
        }
        builder.body
    }

    /// So many mutants of programs by chance and of their own mutants, each handed over with what it was made from.
    fn mutants(&self, n: usize, seed: u64, mut each: impl FnMut(&Body, &Mutant<'_>)) {
        let mut rng = Rng::new(seed);
        let mut mutator = Mutator::default();
        let material = self.material();
        let from = Ingredients { material: &material, compared: &self.compared, may_insert: &|_| true };
        let mut body = self.program(&mut rng);
        let mut n_made = 0;
        while n_made < n {
            if rng.percent(10) {
                body = self.program(&mut rng);
            }
            if let Some(mutant) = mutator.mutate(&from, &body, &mut rng) {
                each(&body, &mutant);
                n_made += 1;
                body = mutant.body.clone();
            }
        }
    }

    fn vocabulary<'a>(&'a self, body: &'a Body) -> Vocabulary<'a> {
        Vocabulary { body, literals: &self.literals, compared: &self.compared }
    }
}

/// What becomes of a value, again and again, from the value itself.
fn table<T: Debug>(n_columns: usize, mut mutated: impl FnMut(&Vocabulary<'_>, &mut Rng) -> T, expected: &Expect) {
    let bench = Bench { compared: vec![Literal::U32(777), Literal::Str("magic".into())], ..Bench::new() };
    let body = sample::body(&bench.api, "n = 9u8; t = \"other text\"; number =n; text =t");
    let mut rng = Rng::new(5);
    let mut lines = String::new();
    for nth in 1..=40 {
        let end = if nth % n_columns == 0 { "\n" } else { " " };
        let _ = write!(lines, "{:?}{end}", mutated(&bench.vocabulary(&body), &mut rng));
    }
    expected.assert_eq(&lines);
}

#[test]
fn a_small_number_becomes_others_of_its_width() {
    let known = Integer::read(LiteralKind::U8, &[10]).unwrap();
    table(
        10,
        |vocabulary, rng| known.mutated(vocabulary, rng).value(),
        &expect![[r#"
            0 5 8 9 9 2 9 20 10 10
            11 9 245 9 14 9 109 4 9 9
            14 10 26 9 9 11 9 9 11 22
            11 9 14 246 8 246 225 8 255 9
        "#]],
    );
}

#[test]
fn a_wide_signed_number_reaches_all_that_it_can_be() {
    let known = Integer::read(LiteralKind::I64, &1000i64.to_le_bytes()).unwrap();
    table(
        10,
        |vocabulary, rng| known.mutated(vocabulary, rng).value(),
        &expect![[r#"
            0 500 8 777 777 2048 999 2000 778 778
            1001 777 -1001 777 525288 777 10009 131072 999 999
            1004 778 1016 777 999 1001 777 777 1001 1012
            1001 9 66536 -1000 8 -1000 4321 8 -1 9
        "#]],
    );
}

#[test]
fn a_float_becomes_near_ones_and_strange_ones() {
    table(
        8,
        |vocabulary, rng| mutate_f64(2.5, vocabulary, rng),
        &expect![[r#"
        0.4 2.5000000000000036 -inf 2.4999999999999996 9.0 777.0 777.0 0.25
        -inf 2.4999999999999996 0.25 10.97 2.4999999999999996 25.0 -5.529999999999999 777.0
        1.25 5.0 1e-323 3.0 25.0 2.500244140625 25.0 1.25
        1.5 3.5 -3.62 1.5e-323 777.0 25.0 0.0 777.0
        3.5 3.5 2.5000000000000004 -2.5 777.0 1.5 0.0 2.4999999999999996
    "#]],
    );
}

#[test]
fn a_text_is_cut_stretched_and_mixed_with_words_that_matter() {
    let mut scratch = Vec::new();
    let mutated = |vocabulary: &Vocabulary<'_>, rng: &mut Rng| {
        let mut text = "[names]\ncount = 12\npath = é/x\n".as_bytes().to_vec();
        mutate_text(&mut text, true, vocabulary, &mut scratch, rng);
        String::from_utf8(text).unwrap()
    };
    table(
        1,
        mutated,
        &expect![[r#"
            "[names]\ncount = 12\npathkey = é/x\n"
            "[names]\ncount = 12\npath = émagic"
            "[names]\ncount가= 12\npath = é/x\n"
            "[names]\ncount = 800\npath = é/x\n"
            "[names]\ncount = 10\npath = é/x\n"
            "magic"
            "[names]\ncount = 12\npath = é/mx\n"
            "[names]\ncount = -12\npath = é/x\n"
            "[names]\nnt = 12\npath = é/x\ncou"
            "[names]\ncount = 12\npath = é/2\npatx\n"
            "[names]\ncounmagic"
            "[nameskey]\ncount = 12\npath = é/x\n"
            "[names]\ncount = 12\npath = é/magicx\n"
            "[names]\ncount = 12\npath = /x\n"
            "[names]\ncount = 12\npath =]\ncount = 12\npath = é/ é/x\n"
            "[names]\ncpunt = 12\npath = é/x\n"
            "Znames]\ncount = 12\npath = é/x\n"
            "[names]\ncount = 12\npath = é/x\nkey"
            "[nams]\ncount = 12\npath = é/x\n"
            "[names]\ncount = 12\npah = é/x\n"
            "[names]\ncount = 12key\npath = é/x\n"
            "[names]\ncount = 12\npatmagic é/x\n"
            "[names]\ncount = 12\npath = é/x\npath = é/x\n"
            "[names]\ncount777 = 12\npath = é/x\n"
            "[names]\ncount = 6\npath = é/x\n"
            "[names]\ncount = 12\npath magic"
            "[names]\ncount = 1h = é/x\n"
            "[names]\ncount = 12\npath = é\n/x\n"
            "[names]\ncount = 12\npth = é/x\n"
            "[names]\ncount = 12\npath = é777x\n"
            "[names]\nc\u{10ffff}ount = 12\npath = é/x\n"
            "[names]\ncount = 255\npath = é/x\n"
            "[names]\ncount = 12\npath = /x\n"
            "[İnames]\ncount = 12\npath = é/x\n"
            "magic"
            "[names]\nmagic = 12\npath = é/x\n"
            "[names]\ncount = 12\npath = émagicx\n"
            "[NAMES]\ncount = 12\npath = é/x\n"
            "[names]\ncount = 12\npa:h = é/x\n"
            "[names]\ncount = 12\npath = key/x\n"
        "#]],
    );
}

#[test]
fn what_opens_something_comes_to_close_it() {
    let bench = Bench::new();
    let body = sample::body(&bench.api, "n = 9u8; number =n");
    let (mut rng, mut scratch) = (Rng::new(1), Vec::new());
    let n_closed = (0..2000).filter(|_| {
        let mut text = b"{# a comment #}".to_vec();
        mutate_text(&mut text, true, &bench.vocabulary(&body), &mut scratch, &mut rng);
        text == b"{#}"
    });
    assert!(n_closed.count() > 5);
}

#[test]
fn texts_stay_valid_and_bounded_and_few_are_long() {
    let bench = Bench {
        compared: vec![Literal::Bytes(vec![0xff, 0xc3]), Literal::Str("日本".into()), Literal::U64(0xd800)],
        ..Bench::new()
    };
    let body = sample::body(&bench.api, "t = \"aé中🦀\"; text =t");
    let mut rng = Rng::new(1);
    let mut text = "x=é中🦀\u{301}".as_bytes().to_vec();
    let mut scratch = Vec::new();
    let mut n_long = 0;
    for _ in 0..50_000 {
        mutate_text(&mut text, true, &bench.vocabulary(&body), &mut scratch, &mut rng);
        assert!(std::str::from_utf8(&text).is_ok(), "{text:?}");
        assert!(text.len() <= 4096);
        n_long += usize::from(text.len() > 256);
    }
    assert!((100..10_000).contains(&n_long), "{n_long}");
}

#[test]
fn bytes_need_not_be_text() {
    let bench = Bench { compared: vec![Literal::U32(0xdead_beef)], ..Bench::new() };
    let body = Body::default();
    let mut rng = Rng::new(1);
    let mut scratch = Vec::new();
    let mut is_found = false;
    for _ in 0..1000 {
        let mut bytes = vec![1, 2, 3];
        mutate_text(&mut bytes, false, &bench.vocabulary(&body), &mut scratch, &mut rng);
        is_found |= bytes.windows(4).any(|four| four == 0xdead_beef_u32.to_be_bytes());
    }
    assert!(is_found);
}

#[test]
fn every_kind_of_literal_stays_of_its_kind_and_changes() {
    let bench = Bench { compared: vec![Literal::U64(u64::MAX), Literal::F64(f64::NAN.to_bits())], ..Bench::new() };
    let body = Body::default();
    let mut rng = Rng::new(2);
    let (mut scratch, mut out) = (Vec::new(), Vec::new());
    for kind in LiteralKind::ALL {
        let mut data = Vec::new();
        bench.literals.draw_modest(kind, &mut rng).write_data(&mut data);
        let mut n_changed = 0;
        for _ in 0..2000 {
            mutate_literal(kind, &data, &bench.vocabulary(&body), &mut scratch, &mut rng, &mut out);
            assert!(Literal::from_data(kind, &out).is_some(), "{kind:?} {out:?}");
            n_changed += usize::from(out != data);
            std::mem::swap(&mut data, &mut out);
        }
        assert!(n_changed > 1500 || kind == LiteralKind::Unit, "{kind:?} {n_changed}");
    }
}

#[test]
fn what_exhausted_memory_is_mostly_asked_for_little() {
    let mut bench = Bench::new();
    let number = bench.op("number");
    (0..10).for_each(|_| bench.cost_limits.exhaust(number));
    let body = sample::body(&bench.api, "n = 3u8; number =n");
    let material = bench.material();
    let from = Ingredients { material: &material, compared: &[], may_insert: &|_| true };
    let mut rng = Rng::new(3);
    let mut mutator = Mutator::default();
    let mut n_large = 0;
    for _ in 0..2000 {
        let Some(mutant) = mutator.mutate(&from, &body, &mut rng) else { continue };
        for statement in mutant.body.statements.iter().filter(|s| s.kind == StatementKind::Literal) {
            n_large += usize::from(mutant.body.data_of(statement).first().is_some_and(|&n| n > 100));
        }
    }
    assert!((1..100).contains(&n_large), "{n_large}");
}

#[test]
fn ten_thousand_mutants_keep_all_rules() {
    let bench = Bench { compared: vec![Literal::U8(200), Literal::Str("word".into())], ..Bench::new() };
    bench.mutants(10_000, 1, |body, mutant| {
        let program = Program { main: mutant.body.clone(), observe_from: mutant.first_changed };
        if let Err(error) = check_program(&bench.api, &program) {
            let (old, new) = (sample::print(&bench.api, body), sample::print(&bench.api, mutant.body));
            panic!("{error}\n{old}\nbecame\n{new}");
        }
        assert!(mutant.body.statements.len() <= MAX_STATEMENTS + 50);
    });
}

#[test]
fn a_mutant_differs_exactly_from_where_it_says() {
    let bench = Bench::new();
    bench.mutants(2000, 2, |body, mutant| {
        let n = mutant.first_changed as usize;
        let (mut old, mut new) = (body.clone(), mutant.body.clone());
        assert_ne!(old, new);
        old.truncate(n + 1);
        new.truncate(n + 1);
        assert_ne!(sample::print(&bench.api, &old), sample::print(&bench.api, &new));
        old.truncate(n);
        new.truncate(n);
        assert_eq!(sample::print(&bench.api, &old), sample::print(&bench.api, &new));
    });
}

#[test]
fn the_same_seed_makes_the_same_mutants() {
    let all = |seed| {
        let mut all = Vec::new();
        Bench::new().mutants(500, seed, |_, mutant| all.push(mutant.body.clone()));
        all
    };
    assert_eq!(all(7), all(7));
    assert_ne!(all(7), all(8));
}

#[test]
fn nothing_is_inserted_that_is_not_wanted() {
    let bench = Bench::new();
    let material = bench.material();
    let touch = bench.op("touch");
    let from = Ingredients { material: &material, compared: &[], may_insert: &|op| op == touch };
    let body = sample::body(&bench.api, "x = make; look &x");
    let mut rng = Rng::new(4);
    let mut mutator = Mutator::default();
    let mut keys = std::collections::BTreeSet::new();
    for _ in 0..500 {
        if let Some(mutant) = mutator.mutate(&from, &body, &mut rng) {
            let calls = mutant.body.statements.iter().filter(|s| s.kind == StatementKind::Call);
            keys.extend(calls.map(|s| bench.api.ops[s.op as usize].key.as_str()));
        }
    }
    assert!(bench.api.ops.iter().all(|op| op.role == OpRole::Function));
    // Others only make what is passed on.
    assert!(keys.contains("touch") && !keys.contains("take") && !keys.contains("touch_and_look"), "{keys:?}");
}

#[test]
fn a_program_is_changed_in_every_way() {
    let bench = Bench { compared: vec![Literal::U8(77)], ..Bench::new() };
    let body = sample::body(&bench.api, "n = 3u8; number =n; x = make; y = make; look2 &x &y; touch &mut x; take y");
    let material = bench.material();
    let from = Ingredients { material: &material, compared: &bench.compared, may_insert: &|_| true };
    let mut rng = Rng::new(6);
    let mut mutator = Mutator::default();
    let mut mutants = std::collections::BTreeSet::new();
    for _ in 0..20_000 {
        if let Some(mutant) = mutator.mutate(&from, &body, &mut rng) {
            mutants.insert(sample::print(&bench.api, mutant.body).replace('\n', "; "));
        }
    }
    let rest = "s1 = number =s0; s2 = make; s3 = make; s4 = look2 &s2 &s3; s5 = touch &mut s2; s6 = take s3; ";
    let begin = "s0 = U8(3); s1 = number =s0; s2 = make; s3 = make; ";
    for (way, expected) in [
        ("a compared value", format!("s0 = U8(77); {rest}")),
        ("a near value", format!("s0 = U8(4); {rest}")),
        ("an alias", format!("{begin}s4 = look2 &s2 &s2; s5 = touch &mut s2; s6 = take s3; ")),
        ("other owner", format!("{begin}s4 = look2 &s2 &s3; s5 = touch &mut s2; s6 = take s2; ")),
        ("removed", format!("{begin}s4 = look2 &s2 &s3; s5 = take s3; ")),
        ("repeated", format!("{begin}s4 = look2 &s2 &s3; s5 = touch &mut s2; s6 = touch &mut s2; s7 = take s3; ")),
        ("delayed", format!("{begin}s4 = touch &mut s2; s5 = look2 &s2 &s3; s6 = take s3; ")),
        ("inserted", format!("{begin}s4 = look2 &s2 &s3; s5 = touch &mut s2; s6 = take s3; s7 = look &s2; ")),
    ] {
        assert!(mutants.contains(&expected), "{way} is missing");
    }
}

/// All programs in which one object is another, of one that has `&mut` and moves.
#[test]
fn every_other_object_is_passed_once() {
    let bench = Bench::new();
    let material = bench.material();
    let from = Ingredients { material: &material, compared: &[], may_insert: &|_| true };
    let body = sample::body(&bench.api, "a = make; touch &mut a; b = make; look2 &a &b; take b");
    let mut mutator = Mutator::default();
    let mut rng = Rng::new(1);
    let mut lines = String::new();
    for edit in object_edits(&body) {
        let made = mutator.with_edit(&from, &body, edit, &mut rng);
        let _ = match made {
            Some(mutant) => write!(lines, "{edit:?}\n{}", sample::print(&bench.api, mutant.body)),
            None => writeln!(lines, "{edit:?}: nothing"),
        };
    }
    expect![[r#"
        Edit { at: 4, change: Alias(0) }
        s0 = make
        s1 = touch &mut s0
        s2 = make
        s3 = look2 &s0 &s2
        s4 = take s0
        Edit { at: 4, change: Twin(0) }
        s0 = make
        s1 = touch &mut s0
        s2 = make
        s3 = look2 &s0 &s2
        s4 = make
        s5 = take s4
        Edit { at: 3, change: Alias(0) }
        s0 = make
        s1 = touch &mut s0
        s2 = make
        s3 = look2 &s2 &s2
        s4 = take s2
        Edit { at: 3, change: Twin(0) }
        s0 = make
        s1 = touch &mut s0
        s2 = make
        s3 = make
        s4 = touch &mut s3
        s5 = look2 &s3 &s2
        s6 = take s2
        Edit { at: 3, change: Alias(1) }
        s0 = make
        s1 = touch &mut s0
        s2 = make
        s3 = look2 &s0 &s0
        s4 = take s2
        Edit { at: 3, change: Twin(1) }
        s0 = make
        s1 = touch &mut s0
        s2 = make
        s3 = make
        s4 = look2 &s0 &s3
        s5 = take s2
        Edit { at: 1, change: Alias(0) }: nothing
        Edit { at: 1, change: Twin(0) }
        s0 = make
        s1 = make
        s2 = touch &mut s1
        s3 = make
        s4 = look2 &s0 &s3
        s5 = take s3
        Edit { at: 1, change: Repeat(1) }
        s0 = make
        s1 = touch &mut s0
        s2 = touch &mut s0
        s3 = make
        s4 = look2 &s0 &s3
        s5 = take s3
        Edit { at: 1, change: Repeat(4) }
        s0 = make
        s1 = touch &mut s0
        s2 = touch &mut s0
        s3 = touch &mut s0
        s4 = touch &mut s0
        s5 = touch &mut s0
        s6 = make
        s7 = look2 &s0 &s6
        s8 = take s6
        Edit { at: 1, change: Repeat(24) }
        s0 = make
        s1 = touch &mut s0
        s2 = touch &mut s0
        s3 = touch &mut s0
        s4 = touch &mut s0
        s5 = touch &mut s0
        s6 = touch &mut s0
        s7 = touch &mut s0
        s8 = touch &mut s0
        s9 = touch &mut s0
        s10 = touch &mut s0
        s11 = touch &mut s0
        s12 = touch &mut s0
        s13 = touch &mut s0
        s14 = touch &mut s0
        s15 = touch &mut s0
        s16 = touch &mut s0
        s17 = touch &mut s0
        s18 = touch &mut s0
        s19 = touch &mut s0
        s20 = touch &mut s0
        s21 = touch &mut s0
        s22 = touch &mut s0
        s23 = touch &mut s0
        s24 = touch &mut s0
        s25 = touch &mut s0
        s26 = make
        s27 = look2 &s0 &s26
        s28 = take s26
    "#]]
    .assert_eq(&lines);
}
