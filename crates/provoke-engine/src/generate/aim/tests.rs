use std::collections::BTreeSet;

use provoke_wire::{Arg, Body, Comparison, Literal, Mode, Operands, StatementKind};

use super::*;
use crate::generate::argument_constants::Parameter;
use crate::generate::mutate::Integer;
use crate::rng::Rng;
use crate::test_support::saved_and_read;

fn numbers(site: u32, n_bytes: u8, a: u64, b: u64) -> Comparison {
    Comparison { site, statement: 0, operands: Operands::Numbers { n_bytes, a, b } }
}

fn program(literals: &[Literal]) -> Body {
    let mut body = Body::default();
    let args: Vec<Arg> = literals.iter().map(|literal| Arg::new(body.push_literal(literal), Mode::Copy)).collect();
    body.push_call(0, &args);
    body
}

/// The literals of a program, as they would be written.
fn shown(body: &Body) -> String {
    let literals = body.statements.iter().filter(|statement| statement.kind == StatementKind::Literal);
    let texts: Vec<String> = literals
        .map(|statement| {
            let kind = LiteralKind::from_code(statement.op).unwrap();
            format!("{:?}", Literal::from_data(kind, body.data_of(statement)).unwrap())
        })
        .collect();
    texts.join(" ")
}

/// Aims at what `compare` says that the target compares, given the literals of a program.
fn aimed(literals: &[Literal], compare: impl Fn(&Body) -> Vec<Comparison>) -> Vec<String> {
    learned(literals, compare, &mut ArgumentConstants::default()).iter().map(shown).collect()
}

fn learned(
    literals: &[Literal],
    compare: impl Fn(&Body) -> Vec<Comparison>,
    argument_constants: &mut ArgumentConstants,
) -> Vec<Body> {
    let body = program(literals);
    let probes = probes(&body);
    let traces: Vec<Vec<Comparison>> = probes.iter().map(|probe| compare(&probe.body)).collect();
    let traced: Vec<Traced<'_>> =
        probes.iter().zip(&traces).map(|(probe, comparisons)| Traced { nudge: probe.nudge, comparisons }).collect();
    let pools = Literals::new(&[Literal::Str("magic".into())]);
    aim(&body, &traced, &pools, &mut Conditions::default(), argument_constants)
}

fn number_in(body: &Body, index: usize) -> i128 {
    let statement = &body.statements[index];
    Integer::read(LiteralKind::from_code(statement.op).unwrap(), body.data_of(statement)).unwrap().value()
}

fn text_in(body: &Body) -> String {
    String::from_utf8(body.data_of(&body.statements[0]).to_vec()).unwrap()
}

#[test]
fn a_number_that_moves_an_operand_is_moved_until_it_fits() {
    let compare = |body: &Body| vec![numbers(1, 8, (3 * number_in(body, 0) + 7) as u64, 40)];
    let found = aimed(&[Literal::U32(2)], compare);
    assert_eq!(found[0], "U32(11)", "3 * 11 + 7 = 40");
}

#[test]
fn of_two_numbers_the_one_that_matters_is_changed() {
    let compare = |body: &Body| vec![numbers(1, 4, number_in(body, 1) as u64, 0xdead_beef)];
    let found = aimed(&[Literal::U32(2), Literal::U32(5)], compare);
    assert_eq!(found[0], "U32(2) U32(3735928559)");
    assert!(found.iter().all(|text| text.starts_with("U32(2) ")), "{found:?}");
}

#[test]
fn two_numbers_that_are_compared_with_each_other_meet() {
    let compare = |body: &Body| vec![numbers(1, 8, number_in(body, 0) as u64, number_in(body, 1) as u64)];
    let found = aimed(&[Literal::I64(2), Literal::I64(50)], compare);
    for wanted in ["I64(50) I64(50)", "I64(2) I64(2)", "I64(51) I64(50)"] {
        assert!(found.contains(&wanted.to_owned()), "{wanted}: {found:?}");
    }
}

#[test]
fn the_largest_and_the_smallest_numbers_have_no_neighbours_beyond() {
    let compare = |body: &Body| vec![numbers(1, 8, number_in(body, 0) as u64, number_in(body, 1) as u64)];
    let found = aimed(&[Literal::I128(i128::MAX), Literal::I128(i128::MIN)], compare);
    assert!(!found.is_empty());
}

#[test]
fn what_an_argument_is_measured_by_is_learned_even_if_nothing_is_left_to_be_seen() {
    let compare = |body: &Body| {
        // As `(-9999..=9999).contains(&year)` is compiled, beside something that is not about the year.
        let year = |moved: i128| numbers(1, 4, (number_in(body, 0) + 9999 + moved) as u32 as u64, 19_999);
        // How far apart two ranges of memory are is nothing to go by.
        let in_call = |comparison: Comparison| Comparison { statement: 2, ..comparison };
        let distance = numbers(3, 4, number_in(body, 0) as u64, 0x0123_4567);
        vec![in_call(year(0)), in_call(year(20_000)), in_call(numbers(2, 8, 77, 78)), in_call(distance)]
    };
    let mut argument_constants = ArgumentConstants::default();
    learned(&[Literal::I32(5), Literal::U8(3)], compare, &mut argument_constants);
    let mut rng = Rng::new(1);
    let mut drawn = |index| -> BTreeSet<String> {
        let parameter = Parameter { op: 0, index };
        let literals = (0..99).filter_map(|_| argument_constants.draw(parameter, LiteralKind::I32, &mut rng));
        literals.map(|literal| format!("{literal:?}")).collect()
    };
    assert_eq!(
        drawn(0),
        BTreeSet::from(
            ["I32(-10000)", "I32(-10001)", "I32(-9999)", "I32(10000)", "I32(10001)", "I32(9999)"].map(str::to_owned)
        )
    );
    assert_eq!(drawn(1).len(), 0);
}

#[test]
fn what_came_out_both_ways_is_left_alone() {
    let compare = |_: &Body| vec![numbers(1, 1, 1, 2), numbers(1, 1, 2, 2), numbers(1, 1, 3, 2)];
    assert_eq!(aimed(&[Literal::U8(1)], compare), [""; 0]);
}

#[test]
fn a_case_is_met_by_the_character_that_stands_for_it() {
    let case =
        |case| Comparison { site: 4, statement: 0, operands: Operands::Case { n_bytes: 4, value: 'b'.into(), case } };
    let found = aimed(&[Literal::Str("abc".into())], |_| vec![case('['.into()), case('b'.into())]);
    assert_eq!(found, [r#"Str("a[c")"#]);
}

#[test]
fn at_the_end_of_a_text_a_case_is_met_by_writing_more() {
    let end = |case: char| Comparison {
        site: 4,
        statement: 0,
        operands: Operands::Case { n_bytes: 4, value: 0x11_0000, case: case.into() },
    };
    let found = aimed(&[Literal::Str("a:b".into())], |_| vec![end('#')]);
    assert_eq!(found, [r##"Str("a:b#")"##, r##"Str("a#:b")"##]);
}

#[test]
fn a_checksum_that_is_computed_is_written_where_the_wrong_one_stood() {
    let compare = |body: &Body| {
        let text = text_in(body);
        let written = text.split_once('#').and_then(|(_, sum)| u64::from_str_radix(sum, 16).ok()).unwrap();
        vec![numbers(9, 4, 0x3f2a, written)]
    };
    let found = aimed(&[Literal::Str("abc#00ff".into())], compare);
    assert!(found.contains(&r#"Str("abc#3f2a")"#.to_owned()), "{found:?}");
}

#[test]
fn a_word_is_replaced_by_what_it_is_compared_with_and_a_length_by_a_known_word() {
    let bytes = Operands::Bytes { a: b"cat".to_vec(), b: b"dog".to_vec() };
    let found = aimed(&[Literal::Str("a cat!".into())], |_| {
        vec![Comparison { site: 1, statement: 0, operands: bytes.clone() }]
    });
    assert_eq!(found, [r#"Str("a dog!")"#]);
    let found = aimed(&[Literal::Str("cat=1".into())], |_| vec![numbers(1, 8, 3, 5)]);
    assert!(found.contains(&r#"Str("magic=1")"#.to_owned()), "{found:?}");
    assert!(found.contains(&r#"Str("catt=1")"#.to_owned()) || found.contains(&r#"Str("cattt=1")"#.to_owned()));
}

#[test]
fn a_part_of_unknown_length_is_stretched_at_each_of_its_words() {
    let found = aimed(&[Literal::Str("!do it now".into())], |_| vec![numbers(1, 8, 6, 9)]);
    assert!(found.contains(&r#"Str("!do it nowaaa")"#.to_owned()), "{found:?}");
    assert!(found.contains(&r#"Str("!do itaaa now")"#.to_owned()), "{found:?}");
    let found = aimed(&[Literal::Str("!do it now".into())], |_| vec![numbers(1, 8, 6, 4)]);
    assert!(found.contains(&r#"Str("!do it n")"#.to_owned()), "{found:?}");
}

#[test]
fn what_is_rarely_equal_is_tried_again_though_it_was_equal_before() {
    let unequal = numbers(3, 4, 7000, 5000);
    let wanted = |conditions: &Conditions| conditions.wanted(&unequal).collect::<Vec<Relation>>();
    let mut conditions = Conditions::default();
    for _ in 0..10 {
        conditions.see(&numbers(3, 4, 1, 2));
        conditions.see(&numbers(3, 4, 2, 2));
        conditions.see(&numbers(3, 4, 3, 2));
    }
    assert_eq!(wanted(&conditions), []);
    for _ in 0..1000 {
        conditions.see(&unequal);
    }
    assert_eq!(wanted(&conditions), [Relation::Equal]);
}

#[test]
fn what_one_program_makes_equal_again_and_again_is_tried_for_in_others() {
    let wanted = |conditions: &Conditions, a, b| conditions.wanted(&numbers(3, 4, a, b)).collect::<Vec<Relation>>();
    let mut checksum = Conditions::default();
    let mut length = Conditions::default();
    for n in 0..40 {
        (0..100).for_each(|_| checksum.see(&numbers(3, 4, 7, 7)));
        checksum.see(&numbers(3, 4, 1000 * n, n));
        checksum.see(&numbers(3, 4, n, 2000 * n));
        (0..100).for_each(|_| length.see(&numbers(3, 4, n, n)));
        length.see(&numbers(3, 4, 1000 * n, n));
        length.see(&numbers(3, 4, n, 2000 * n));
    }
    assert_eq!(wanted(&checksum, 7000, 5000), [Relation::Equal]);
    assert_eq!(wanted(&checksum, 7, 7), []);
    assert_eq!(wanted(&length, 7000, 5000), []);
}

#[test]
fn texts_stay_texts() {
    let found = aimed(&[Literal::Str("é".into())], |_| vec![numbers(1, 8, 2, 1), numbers(2, 1, 0xc3, 0xff)]);
    assert!(!found.is_empty());
}

#[test]
fn conditions_are_saved() {
    let mut conditions = Conditions::default();
    conditions.see(&numbers(1, 1, 1, 2));
    conditions.see(&numbers(7, 1, 2, 2));
    conditions.try_for(&numbers(7, 1, 2, 2), 3);
    assert_eq!(saved_and_read(&conditions), conditions);
}
