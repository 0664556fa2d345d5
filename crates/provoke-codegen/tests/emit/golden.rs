//! The text of every sample, kept beside this file. `UPDATE_EXPECT=1 cargo test` writes it anew.

use expect_test::{expect, expect_file};
use provoke_codegen::{Style, TestInput, emit_statements};

use crate::{emitted, programs, vocabulary};

#[test]
fn pretty_tests_read_as_if_written_by_hand() {
    let ops = vocabulary::ops();
    for sample in programs::all() {
        expect_file![format!("golden/pretty/{}.rs", sample.name)].assert_eq(&emitted(&sample, &ops, Style::Pretty));
    }
}

#[test]
fn explicit_tests_spell_types_out() {
    let ops = vocabulary::ops();
    for sample in programs::all() {
        expect_file![format!("golden/explicit/{}.rs", sample.name)].assert_eq(&emitted(&sample, &ops, Style::Explicit));
    }
}

#[test]
fn each_line_belongs_to_the_statement_that_it_ends_with() {
    let ops = vocabulary::ops();
    let listing = |name: &str| {
        let samples = programs::all();
        let sample = samples.iter().find(|sample| sample.name == name).expect("the sample exists");
        let input = TestInput {
            test_name: sample.name,
            body: &sample.body,
            ops: &ops,
            header: &[],
            ending: sample.ending,
            crate_name: "target",
            preamble: &[],
        };
        let lines = emit_statements(&input, Style::Pretty);
        lines.iter().map(|(statement, line)| format!("{statement:2} {line}\n")).collect::<String>()
    };
    expect![[r#"
         0 let mut vec = Vec::new();
         2 vec.push(1u8);
         4 vec.push(1u8);
         6 vec.push(1u8);
         8 vec.push(1u8);
        10 vec.push(1u8);
        12 vec.push(2u8);
        14 vec.push(2u8);
        16 vec.push(2u8);
        17 let _ = vec.pop();
        18 let _ = vec.pop();
        19 let _ = vec.pop();
        20 let _ = vec.pop();
        21 let _ = vec.pop();
        22 let _ = vec.pop();
    "#]]
    .assert_eq(&listing("repeated_calls_become_a_loop"));
    expect![[r#"
         3 let mut vec = vec![1u8, 2, 3];
         4 let mut vec2 = Vec::new();
         8 let mut vec3 = vec![1u8, 2, 3];
         9 let vec2_ref = &mut vec2;
        11 vec.resize_with(8, move || {
        11     let n = vec3.pop().unwrap_or(0u8);
        11     vec2_ref.push(n);
        11     n
        11 });
        12 let _ = vec2.len();
    "#]]
    .assert_eq(&listing("a_closure_that_moves_and_borrows"));
    expect![[r#"
         3 let mut vec = vec![1u8, 2, 3];
         7 let mut vec2 = vec![1u8, 2, 3];
         8 let option = vec2.pop();
         9 let n = vec.len();
        12 vec.insert(n, option.unwrap_or(0u8));
        13 let n2 = vec2.len();
        16 vec.insert(n2, vec2.pop().unwrap_or(0u8));
    "#]]
    .assert_eq(&listing("the_order_of_calls_is_kept"));
}

#[test]
fn headers_are_wrapped_and_hide_nothing() {
    let header = ["word ".repeat(30), "two\nlines".to_string(), String::new(), "right\u{202e}to left".to_string()];
    let input = TestInput {
        test_name: "empty",
        body: &provoke_wire::Body::default(),
        ops: &[],
        header: &header,
        ending: provoke_codegen::TestEnding::Panics,
        crate_name: "target",
        preamble: &[],
    };
    expect![[r#"
        // word word word word word word word word word word word word word word word word word word word
        // word word word word word word word word word word word
        // two
        // lines
        //
        // right\u{202e}to left
        #[test]
        fn empty() {}
    "#]]
    .assert_eq(&provoke_codegen::emit_test(&input, Style::Pretty));
}
