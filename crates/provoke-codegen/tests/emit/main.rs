//! Programs on std types, printed: against expected text, against rustfmt and against rustc.

mod builder;
mod golden;
mod programs;
mod rustc;
mod rustfmt;
mod suite;
mod vocabulary;

use provoke_codegen::{OpText, Style, TestInput, emit_test};

fn emitted(sample: &programs::Sample, ops: &[OpText], style: Style) -> String {
    let header = [
        "`Vec::insert` should return.".to_string(),
        "It panicked: insertion index (is 5) should be <= len (is 1)".to_string(),
    ];
    let input = TestInput {
        test_name: sample.name,
        body: &sample.body,
        ops,
        header: &header,
        ending: sample.ending,
        crate_name: "target",
        preamble: &[],
    };
    emit_test(&input, style)
}
