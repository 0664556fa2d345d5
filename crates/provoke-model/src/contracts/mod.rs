//! Contracts: what functions demand of their callers and promise in return, as attributes state it.
//!
//! Read are the attributes of the crate `contracts`: `requires`, `ensures` and `invariant`, with `debug_` and `test_` before them, and
//! `contract`, which holds several of them; `spec` of the crate [`anodized`], and [`spec`](in_code) of the crate `provoke`. What a
//! clause checks is compiled by these crates; here it is only known what stands where.
//!
//! Decision: `docs/decisions/063-who-breaks-a-clause-is-to-blame.md`

pub mod anodized;
pub mod attributes;
pub mod in_code;
pub mod mentioned;
pub mod side_effects;

use std::mem;
use std::ops::Range;

use proc_macro2::{LineColumn, TokenStream, TokenTree};
use provoke_oracles::{ClauseKind, message_of_contracts};
use syn::Attribute;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::contracts::anodized::{spec_clauses, start_of_spec};
use crate::contracts::attributes::{on_one_line, split, written};
use crate::contracts::side_effects::mark_writing;

/// When the crate `anodized` checks a clause, which is all that its panics say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Moment {
    Entry,
    Exit,
}

impl Moment {
    /// What a panic says.
    fn message(self) -> &'static str {
        match self {
            Moment::Entry => "precondition failed",
            Moment::Exit => "postcondition failed",
        }
    }
}

/// One condition of a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    pub kind: ClauseKind,
    /// As it is written, on one line.
    pub text: String,
    /// The same as tokens, for whoever compiles it: no space inside of a text is lost.
    pub condition: String,
    /// In the author's own words.
    pub description: Option<String>,
    /// The name of the function that it stands at; nothing for an invariant of a whole impl.
    pub function: Option<String>,
    /// Its lines from the first attribute to the name.
    pub function_lines: Option<(u32, u32)>,
    /// The lines of the attributes of the impl or trait around it: what those rewrote has their place.
    pub lines_around: Option<(u32, u32)>,
    /// Nothing for clauses of the crate `contracts`: its panics start at the clause and name it. What `anodized` checks twice is
    /// two clauses.
    pub moment: Option<Moment>,
    /// Of a `pre!` or `post!`: the function with `#[provoke::spec]` that it stands in, which is called in place of `function`.
    pub spec: Option<String>,
    /// Of those: nothing is done in the spec before it.
    pub is_asked_first: bool,
    /// Where panics about it start: both count from 1, columns in characters. Clauses of `anodized` share a place.
    pub line: u32,
    pub column: u32,
    /// Where its condition starts.
    pub start: (u32, u32),
    /// Where its condition ends: the place behind it.
    pub end: (u32, u32),
    /// What is worked out for it before the call, where that stands apart: from where to where.
    pub captures: Option<Range<(u32, u32)>>,
    /// Asking it changes what it is about.
    pub writes: bool,
}

impl Clause {
    /// Whether a panic that says this is one of the condition itself, which did not come to an answer.
    pub fn panics_itself(&self, place: (u32, u32), message: &str) -> bool {
        self.holds(place) && message_of_contracts(message).is_none()
    }

    /// The column as the hook of a panic has it, where the compiler counts a tab as four. Other columns, such as those of frames, do not.
    pub fn column_in_panics(&self, source: &str) -> u32 {
        let line = (self.line as usize).checked_sub(1).and_then(|skipped| source.lines().nth(skipped)).unwrap_or("");
        let n_tabs = line.chars().take(self.column as usize - 1).filter(|c| *c == '\t').count();
        self.column + 3 * n_tabs as u32
    }

    /// Whether both are the same one, or stand at the same function of a file.
    pub fn is_asked_with(&self, other: &Clause) -> bool {
        self.start == other.start || self.function_lines.is_some() && self.function_lines == other.function_lines
    }

    /// Whether a place lies in its condition, or in what is worked out for it.
    pub fn holds(&self, place: (u32, u32)) -> bool {
        (self.start..self.end).contains(&place)
            || self.captures.as_ref().is_some_and(|captures| captures.contains(&place))
    }
}

/// All clauses in a source file, in order. Nothing where the source does not parse.
pub fn clauses(source: &str) -> Vec<Clause> {
    // Most crates have none, and parsing takes time.
    let has_word = |word: &str| source.contains(word);
    if !WORDS.iter().any(|(word, _)| has_word(word)) && !["maintains", "Spec!", "spec("].into_iter().any(has_word) {
        return Vec::new();
    }
    let Ok(file) = syn::parse_file(source) else { return Vec::new() };
    clauses_of(&file)
}

pub(crate) fn clauses_of(file: &syn::File) -> Vec<Clause> {
    let mut finder = Finder::default();
    finder.visit_file(file);
    mark_writing(file, &mut finder.found);
    finder.found.sort_by_key(|clause| (clause.line, clause.column));
    finder.found
}

const WORDS: [(&str, ClauseKind); 3] = [
    ("requires", ClauseKind::Precondition),
    ("ensures", ClauseKind::Postcondition),
    ("invariant", ClauseKind::Invariant),
];

/// The attribute that holds others: `#[contract(requires(n > 0), ensures(ret > n))]`.
const COMBINED: &str = "contract";

/// Those that a panic can be about, of clauses at the place where it started. `function` is what symbols call the function that
/// panicked; nothing if they do not tell.
pub fn meant_by<'c>(clauses: &'c [Clause], message: &str, function: &str) -> Vec<&'c Clause> {
    let is_said = |clause: &&Clause| clause.moment.is_none_or(|moment| moment.message() == message);
    let said: Vec<&Clause> = clauses.iter().filter(is_said).collect();
    // Functions of traits are renamed by `anodized`: the name that they had is then the one of what checks and calls them.
    let mangled = ["__anodized_fn_try_", "__anodized_"].into_iter().find_map(|prefix| function.strip_prefix(prefix));
    let function = mangled.unwrap_or(function);
    let own: Vec<&Clause> =
        said.iter().copied().filter(|clause| clause.function.as_deref() == Some(function)).collect();
    if own.is_empty() { said } else { own }
}

#[derive(Default)]
struct Finder {
    found: Vec<Clause>,
    /// Of the attributes that are read.
    first_line: u32,
    /// Where an attribute of `anodized` starts that stands at the impl or the trait.
    spec_around: Option<LineColumn>,
    /// The lines of all attributes there.
    lines_around: Option<(u32, u32)>,
}

impl Finder {
    fn read(&mut self, attributes: &[Attribute], function: Option<&syn::Signature>) {
        self.first_line = attributes.first().map_or(0, |attribute| attribute.span().start().line as u32);
        for attribute in written(attributes) {
            self.read_list(&attribute.name, attribute.arguments, function);
        }
        if let Some(signature) = function {
            let n_before = self.found.len();
            spec_clauses(attributes, signature, self.spec_around, &mut self.found);
            self.found[n_before..].iter_mut().for_each(|clause| clause.lines_around = self.lines_around);
        }
    }

    fn read_list(&mut self, name: &str, arguments: TokenStream, function: Option<&syn::Signature>) {
        if name == COMBINED {
            for part in split(arguments) {
                if let [TokenTree::Ident(name), TokenTree::Group(group)] = &part[..] {
                    self.read_list(&name.to_string(), group.stream(), function);
                }
            }
            return;
        }
        let word = name.strip_prefix("debug_").or_else(|| name.strip_prefix("test_")).unwrap_or(name);
        let Some((_, kind)) = WORDS.into_iter().find(|(known, _)| *known == word) else { return };
        let arguments = split(arguments);
        let description = arguments.last().and_then(|last| text_literal(last));
        let n_conditions = arguments.len() - usize::from(description.is_some());
        for condition in &arguments[..n_conditions] {
            let (Some(first), Some(last)) = (condition.first(), condition.last()) else { continue };
            let whole = first.span().join(last.span()).and_then(|span| span.source_text());
            let text = whole.unwrap_or_else(|| condition.iter().cloned().collect::<TokenStream>().to_string());
            let start = first.span().start();
            self.found.push(Clause {
                kind,
                text: on_one_line(&text),
                condition: condition.iter().cloned().collect::<TokenStream>().to_string(),
                description: description.clone(),
                function: function.map(|signature| signature.ident.to_string()),
                function_lines: function.map(|signature| (self.first_line, signature.ident.span().start().line as u32)),
                lines_around: self.lines_around,
                moment: None,
                spec: None,
                is_asked_first: true,
                line: start.line as u32,
                column: start.column as u32 + 1,
                start: place_of(start),
                end: place_behind(last),
                captures: None,
                writes: false,
            });
        }
    }

    /// Visits what stands in an impl or a trait.
    fn inside(&mut self, attributes: &[Attribute], visit: impl FnOnce(&mut Finder)) {
        let lines = attributes
            .first()
            .zip(attributes.last())
            .map(|(first, last)| (first.span().start().line as u32, last.span().end().line as u32));
        let before = mem::replace(&mut self.lines_around, lines);
        self.with_spec_around(start_of_spec(attributes), visit);
        self.lines_around = before;
    }

    /// Visits something with another attribute of `anodized` around it.
    fn with_spec_around(&mut self, around: Option<LineColumn>, visit: impl FnOnce(&mut Finder)) {
        let before = mem::replace(&mut self.spec_around, around);
        visit(self);
        self.spec_around = before;
    }
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.read(&item.attrs, Some(&item.sig));
        in_code::spec_clauses(&item.attrs, &item.sig, &item.block, &mut self.found);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.read(&item.attrs, Some(&item.sig));
        in_code::spec_clauses(&item.attrs, &item.sig, &item.block, &mut self.found);
        self.with_spec_around(None, |finder| visit::visit_impl_item_fn(finder, item));
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.read(&item.attrs, Some(&item.sig));
        self.with_spec_around(None, |finder| visit::visit_trait_item_fn(finder, item));
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        self.read(&item.attrs, None);
        self.inside(&item.attrs, |finder| visit::visit_item_impl(finder, item));
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.inside(&item.attrs, |finder| visit::visit_item_trait(finder, item));
    }
}

/// As panics would report it.
pub(crate) fn place_of(at: LineColumn) -> (u32, u32) {
    (at.line as u32, at.column as u32 + 1)
}

pub(crate) fn place_behind(token: &TokenTree) -> (u32, u32) {
    place_of(token.span().end())
}

pub(crate) fn text_literal(tokens: &[TokenTree]) -> Option<String> {
    let [TokenTree::Literal(literal)] = tokens else { return None };
    syn::parse2::<syn::LitStr>(TokenTree::Literal(literal.clone()).into()).ok().map(|text| text.value())
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn shown(source: &str) -> String {
        let line = |clause: &Clause| {
            let Clause { kind, text, description, function, moment, line, column, .. } = clause;
            let (function, description) = (function.as_deref().unwrap_or("-"), description.as_deref().unwrap_or("-"));
            let moment = moment.map_or_else(String::new, |moment| format!(" on {moment:?}"));
            format!("{line}:{column} {kind:?}{moment} of {function}: {text} ({description})\n")
        };
        clauses(source).iter().map(line).collect()
    }

    #[test]
    fn a_condition_that_panics_itself_is_told_from_one_that_does_not_hold() {
        let found = clauses("#[requires(self.items[0] > 1, \"some\")]\nfn f(&self) {}");
        let panics_itself = |place, message: &str| found[0].panics_itself(place, message);
        assert!(panics_itself((1, 12), "index out of bounds: the len is 0 but the index is 0"));
        assert!(panics_itself((1, 25), "boom"));
        assert!(!panics_itself((1, 12), "Pre-condition of f violated: some: self.items[0] > 1"));
        assert!(!panics_itself((1, 12), "Invariant (as pre-condition) of f violated: self.items[0] > 1"));
        assert!(!panics_itself((1, 29), "boom") && !panics_itself((2, 1), "boom"));
    }

    #[test]
    fn the_hook_of_a_panic_counts_a_tab_as_four_columns() {
        let source = "\t#[requires(\tn > 0)] fn f(n: u8) {}\n";
        let clause = &clauses(source)[0];
        assert_eq!((clause.line, clause.column, clause.column_in_panics(source)), (1, 14, 20));
    }

    #[test]
    fn what_is_captured_belongs_to_the_postconditions_that_look_back_at_it() {
        let source = "#[spec(requires: n > 0, captures: [m = v[n]], ensures: m > 0)] fn f(n: usize, v: &[u8]) {}";
        let found = clauses(source);
        let holds = |column| found.iter().map(|clause| clause.holds((1, column))).collect::<Vec<bool>>();
        let column_of = |text: &str| source.find(text).unwrap() as u32 + 1;
        assert_eq!(holds(column_of("n > 0")), [true, false]);
        assert_eq!(holds(column_of("v[n]")), [false, true]);
        assert_eq!(holds(column_of("m > 0")), [false, true]);
        assert_eq!(holds(column_of("ensures")), [false, false]);
    }

    #[test]
    fn clauses_are_read_wherever_they_may_stand() {
        let source = r#"
            #[invariant(self.len <= self.items.len(), "it fits")]
            impl Stack {
                #[requires(n > 0, n < 100, "a few")]
                #[debug_ensures(ret.is_some() -> self.len == old(self.len) - f(1, 2))]
                pub fn pop(&mut self, n: u8) -> Option<u8> {
                    #[contracts::requires(true)]
                    fn inner() {}
                    None
                }
            }

            #[contract_trait]
            trait Sized2 {
                #[ensures(ret
                    >= 1)]
                fn size(&self) -> u8;
            }

            #[cfg_attr(debug_assertions, inline, contracts::test_requires(x.is_finite()))]
            #[must_use = "requires a reader"]
            #[doc(alias = "ensures")]
            fn free(x: f64) {}

            #[cfg_attr(debug_assertions, contract(
                requires(n > 0, m > 0, "some"),
                debug_ensures(ret > n),
                invariant(true),
                nothing, unknown(1),
            ))]
            fn combined(n: u8, m: u8) -> u8 {}
        "#;
        expect![[r#"
            2:25 Invariant of -: self.len <= self.items.len() (it fits)
            4:28 Precondition of pop: n > 0 (a few)
            4:35 Precondition of pop: n < 100 (a few)
            5:33 Postcondition of pop: ret.is_some() -> self.len == old(self.len) - f(1, 2) (-)
            7:43 Precondition of inner: true (-)
            15:27 Postcondition of size: ret >= 1 (-)
            20:75 Precondition of free: x.is_finite() (-)
            26:26 Precondition of combined: n > 0 (some)
            26:33 Precondition of combined: m > 0 (some)
            27:31 Postcondition of combined: ret > n (-)
            28:27 Invariant of combined: true (-)
        "#]]
        .assert_eq(&shown(source));
    }

    #[test]
    fn specs_of_anodized_have_the_place_of_the_attribute_that_is_expanded() {
        let source = r#"
            impl Tank {
                #[spec(
                    requires: [litres > 0, litres <= self.free()],
                    maintains: self.level <= self.size,
                    captures: [before = self.level],
                    #[cfg(debug_assertions)]
                    ensures: |rest| [rest < litres, self.level > before],
                    ensures: [true, |(a, b)| a
                        < b],
                )]
                fn fill(&mut self, litres: u32) -> u32 {
                    #[anodized::spec(total, requires: n != 0)]
                    fn inner(n: u32) {}
                    #[spec(maintains: i < 9, decreases: 9 - i)]
                    while i < 9 {}
                    0
                }
            }

            #[spec]
            trait Gauge {
                #[spec(ensures: |ref level| level.is_finite())]
                fn level(&self) -> f64;
                fn reset(&mut self);
            }

            #[cfg_attr(debug_assertions, inline, anodized::spec(maintains: list.len() < 10))]
            fn free(list: &mut Vec<u8>) {}

            #[spec]
            fn typed(self: Spec!(&Self), a: Spec!(Even, inout), b: Spec!(&mut Even, out)) -> Spec!(Even) {}
        "#;
        expect![[r#"
            3:17 Precondition on Entry of fill: litres > 0 (-)
            3:17 Precondition on Entry of fill: litres <= self.free() (-)
            3:17 Invariant on Entry of fill: self.level <= self.size (-)
            3:17 Invariant on Exit of fill: self.level <= self.size (-)
            3:17 Postcondition on Exit of fill: |rest| rest < litres (-)
            3:17 Postcondition on Exit of fill: |rest| self.level > before (-)
            3:17 Postcondition on Exit of fill: true (-)
            3:17 Postcondition on Exit of fill: |(a, b)| a < b (-)
            13:21 Precondition on Entry of inner: n != 0 (-)
            21:13 Postcondition on Exit of level: |ref level| level.is_finite() (-)
            28:50 Precondition on Entry of free: list.len() < 10 (-)
            28:50 Postcondition on Exit of free: list.len() < 10 (-)
            31:13 Invariant on Entry of typed: self: Spec!(&Self) (-)
            31:13 Precondition on Entry of typed: a: Spec!(Even, inout) (-)
            31:13 Postcondition on Exit of typed: a: Spec!(Even, inout) (-)
            31:13 Postcondition on Exit of typed: b: Spec!(&mut Even, out) (-)
            31:13 Postcondition on Exit of typed: -> Spec!(Even) (-)
        "#]]
        .assert_eq(&shown(source));
    }

    #[test]
    fn what_a_function_maintains_is_its_callers_business_where_they_pass_it() {
        let kinds = |condition: &str| {
            let source = format!("#[spec(maintains: {condition})] fn f(&mut self, n: u8, (a, b): (u8, u8)) {{}}");
            clauses(&source).iter().map(|clause| format!("{:?} ", clause.kind)).collect::<String>()
        };
        for own in ["self.n > 0", "LIMIT > 3", "self.all(|x| x > 0)"] {
            assert_eq!(kinds(own), "Invariant Invariant ", "{own}");
        }
        for passed in ["n > 0", "self.has(b)", "(0..n).contains(&1)", "matches!(a, 1)"] {
            assert_eq!(kinds(passed), "Precondition Postcondition ", "{passed}");
        }
    }

    #[test]
    fn a_panic_is_about_the_clauses_of_its_moment_and_its_function() {
        let source = "#[spec] impl A { #[spec(requires: x, ensures: [y, z])] fn f() {} \
                      #[spec(requires: v, #[cfg(any())] requires: w)] fn g() {} }";
        let meant = |message: &str, function: &str| {
            let clauses = clauses(source);
            let texts: Vec<&str> = meant_by(&clauses, message, function).iter().map(|c| c.text.as_str()).collect();
            texts.join(" ")
        };
        assert_eq!(meant("precondition failed", "f"), "x");
        assert_eq!(meant("precondition failed", "g"), "v w");
        assert_eq!(meant("precondition failed", "__anodized_g"), "v w");
        assert_eq!(meant("postcondition failed", "__anodized_fn_try_f"), "y z");
        assert_eq!(meant("precondition failed", ""), "x v w");
        assert_eq!(meant("attempt to add with overflow", "f"), "");
        let [clause] = &clauses("#[requires(x > 0)] fn f(x: u8) {}")[..] else { panic!("one clause") };
        assert_eq!(meant_by(std::slice::from_ref(clause), "Pre-condition of f violated: x > 0", "f"), [clause]);
    }

    #[test]
    fn what_does_not_parse_has_no_clauses() {
        assert_eq!(shown("#[requires(x)] fn f( {"), "");
        assert_eq!(
            shown("#[spec(requires: )] fn f() {} #[spec(requires x)] fn g() {} #[spec = \"requires\"] fn h() {}"),
            ""
        );
        assert_eq!(shown("#[spec(0: x, requires, maintains: [], whatever: y)] fn f() {}"), "");
        assert_eq!(shown("#[requires] fn f() {} #[ensures()] fn g() {}"), "");
    }
}
