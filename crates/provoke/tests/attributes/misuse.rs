//! Mistakes, and the words that have to be in what the compiler says of them.

use crate::project::Mode;

pub struct Case {
    pub name: &'static str,
    /// Beside a `List` with a method `get`.
    items: &'static str,
    words: &'static str,
    /// Whether the compiler sees it in a normal build, where the function is not there.
    is_seen: Seen,
}

#[derive(PartialEq, Eq)]
enum Seen {
    Always,
    Provoked,
}

use Seen::{Always, Provoked};

impl Case {
    const fn new(name: &'static str, is_seen: Seen, items: &'static str, words: &'static str) -> Case {
        Case { name, items, words, is_seen }
    }

    /// As a program.
    pub fn source(&self) -> String {
        let list =
            "pub struct List;\nimpl List { pub fn get(&mut self) -> u8 { 0 } }\npub fn parse(n: u8) -> u8 { n }\n";
        format!("#![allow(dead_code)]\n{list}{}\nfn main() {{}}\n", self.items)
    }

    pub fn words(&self, mode: Mode) -> Option<&'static str> {
        (self.is_seen == Always || mode == Mode::Provoked).then_some(self.words)
    }
}

pub const CASES: &[Case] = &[
    Case::new(
        "on_a_struct",
        Always,
        "#[provoke::invariant] struct Other;",
        "`#[provoke::invariant]` goes on a function, not on a struct",
    ),
    Case::new("on_an_enum", Always, "#[provoke::probe] enum Other { A }", "goes on a function, not on an enum"),
    Case::new("on_a_module", Always, "#[provoke::law] mod other {}", "goes on a function, not on a module"),
    Case::new("on_a_trait", Always, "#[provoke::temporal] trait Other {}", "goes on a function, not on a trait"),
    Case::new("on_an_impl", Always, "#[provoke::spec(of = get)] impl List {}", "goes on a function, not on an impl"),
    Case::new(
        "invariant_with_parameter",
        Always,
        "impl List { #[provoke::invariant] fn ok(&self, n: u8) -> bool { n > 0 } }",
        "an invariant takes `&self` and nothing else, as in `fn ok(&self) -> bool`",
    ),
    Case::new(
        "invariant_as_free_function",
        Always,
        "#[provoke::invariant] fn ok() -> bool { true }",
        "an invariant takes `&self`",
    ),
    Case::new(
        "invariant_without_answer",
        Always,
        "impl List { #[provoke::invariant] fn ok(&self) {} }",
        "an invariant returns `bool`",
    ),
    Case::new(
        "invariant_with_arguments",
        Always,
        "impl List { #[provoke::invariant(strict)] fn ok(&self) -> bool { true } }",
        "`#[provoke::invariant]` takes no arguments",
    ),
    Case::new(
        "async_probe",
        Always,
        "#[provoke::probe] async fn p() {}",
        "`#[provoke::probe]` does not go on functions that are `async`",
    ),
    Case::new("unsafe_probe", Always, "#[provoke::probe] unsafe fn p() {}", "functions that are `unsafe`"),
    Case::new("const_law", Always, "#[provoke::law] const fn p() -> bool { true }", "functions that are `const`"),
    Case::new(
        "spec_of_nothing",
        Always,
        "impl List { #[provoke::spec] fn get_spec(&mut self) -> u8 { self.get() } }",
        "a spec says of which function it is one: `#[provoke::spec(of = get)]`",
    ),
    Case::new(
        "spec_of_a_path",
        Always,
        "impl List { #[provoke::spec(of = List::get)] fn get_spec(&mut self) -> u8 { self.get() } }",
        "`of` takes the plain name of a function",
    ),
    Case::new(
        "spec_with_another_key",
        Always,
        "impl List { #[provoke::spec(off = get)] fn get_spec(&mut self) -> u8 { self.get() } }",
        "a spec has no argument `off`, only `of`",
    ),
    Case::new(
        "spec_of_another_name",
        Always,
        "impl List { #[provoke::spec(of = gett)] fn get_spec(&mut self) -> u8 { self.get() } }",
        "a spec of `gett` has to call it, and `get_spec` does not",
    ),
    Case::new(
        "spec_of_a_missing_method",
        Provoked,
        "impl List { #[provoke::spec(of = gett)] fn get_spec(&mut self) -> u8 { self.gett() } }",
        "named `gett` found",
    ),
    Case::new(
        "spec_of_a_name_that_is_something_else",
        Provoked,
        "impl List {\n#[provoke::spec(of = gett)]\nfn get_spec(&mut self) -> u8 { let gett = 1; gett }\n}",
        "#[provoke::spec(of = gett)]\n  |                      ^^^^",
    ),
    Case::new(
        "spec_of_a_missing_function",
        Provoked,
        "#[provoke::spec(of = pars)] fn parse_spec(n: u8) -> u8 { pars(n) }",
        "`pars`",
    ),
    Case::new(
        "spec_with_another_result",
        Provoked,
        "impl List { #[provoke::spec(of = get)] fn get_spec(&mut self) -> u16 { self.get().into() } }",
        "expected `u16`, found `u8`",
    ),
    Case::new(
        "spec_with_another_parameter",
        Provoked,
        "impl List { #[provoke::spec(of = get)] fn get_spec(&mut self, _: u8) -> u8 { self.get() } }",
        "unexpected argument #2",
    ),
    Case::new(
        "spec_of_a_function_with_another_parameter",
        Provoked,
        "#[provoke::spec(of = parse)] fn parse_spec(n: u16) -> u8 { parse(n as u8) }",
        "expected `u8`, found `u16`",
    ),
    Case::new(
        "two_specs",
        Provoked,
        "impl List {
            #[provoke::spec(of = get)] fn get_spec(&mut self) -> u8 { self.get() }
            #[provoke::spec(of = get)] fn get_spec_2(&mut self) -> u8 { self.get() }
        }",
        "duplicate definitions with name `__provoke_spec_get`",
    ),
    Case::new(
        "clause_without_condition",
        Always,
        "impl List { #[provoke::spec(of = get)] fn get_spec(&mut self) -> u8 { pre!(); self.get() } }",
        "`pre!` needs a condition",
    ),
    Case::new(
        "clause_that_is_no_condition",
        Provoked,
        "impl List { #[provoke::spec(of = get)] fn get_spec(&mut self) -> u8 { pre!(1 + 1); self.get() } }",
        "expected `bool`, found integer",
    ),
    Case::new(
        "temporal_without_watch",
        Always,
        "impl List { #[provoke::temporal] fn stays(&self) {} }",
        "a temporal property takes `&self` and a `&mut provoke::Watch`",
    ),
    Case::new(
        "model_of_a_text",
        Always,
        "impl List { #[provoke::model] fn m(&self, step: &str) -> bool { step == \"get\" } }",
        "a model takes `&self`, a `provoke::Step`",
    ),
    Case::new(
        "two_models",
        Provoked,
        "impl List { #[provoke::model] fn a(&self, _: provoke::Step) -> bool { true } }
        impl List { #[provoke::model] fn b(&self, _: provoke::Step) -> bool { true } }",
        "duplicate definitions with name `a_type_has_one_provoke_model`",
    ),
    Case::new(
        "law_with_receiver",
        Always,
        "impl List { #[provoke::law] fn f(&self) -> bool { true } }",
        "a law has no `self`, only the values that it is about",
    ),
    Case::new("law_without_answer", Always, "#[provoke::law] fn f(_: u8) {}", "a law returns `bool`"),
    Case::new(
        "in_the_impl_of_a_trait",
        Provoked,
        "impl Clone for List {
            fn clone(&self) -> List { List }
            #[provoke::invariant] fn ok(&self) -> bool { true }
        }",
        "method `ok` is not a member of trait `Clone`",
    ),
    Case::new(
        "in_a_trait",
        Provoked,
        "trait Other { #[provoke::invariant] fn ok(&self) -> bool { true } }",
        "visibility qualifiers are not permitted here",
    ),
];
