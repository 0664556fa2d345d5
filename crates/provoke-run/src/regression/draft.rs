//! One test of the suite on its way, and what can be changed about it when rustc or a run complains.

use std::collections::{BTreeMap, BTreeSet};

use provoke_codegen::{Check, OpText, Style, SuiteTest, TestEnding, TestInput, TypeName, should_panic, snake_case};
use provoke_engine::{Api, ExemplarWay, FunctionFacts, Goal, PanicEvidence, PanicKind};
use provoke_wire::{Arg, Body, Outcome, StatementKind};

use crate::regression::observations::Observations;
use crate::verify::verifier::between;

pub struct Draft {
    pub name: String,
    /// What it was chosen for.
    pub goal: Goal,
    pub body: Body,
    /// How many of its statements are no observers.
    n_own: usize,
    checks: Vec<Check>,
    /// The attribute of a test that panics.
    should_panic: Option<String>,
    style: Style,
    /// Lints that the test switches off.
    allowed: BTreeSet<String>,
}

impl Draft {
    /// `None` where the runs do not agree on how the program ends. `n_own`: how many of its statements are no observers.
    pub fn new(
        api: &Api,
        crate_name: &str,
        body: Body,
        n_own: usize,
        goal: Goal,
        outcomes: &[&Outcome],
    ) -> Option<Draft> {
        let facts = &api.functions[goal.function as usize];
        let is_panic = goal.way == ExemplarWay::Panicked;
        let observations = Observations::new(api, crate_name, &body, outcomes, is_panic)?;
        let name = format!("{}_{}", called(facts), observations.ending(n_own - 1));
        let message = is_panic.then(|| own_words(outcomes)).flatten();
        let mut draft = Draft {
            name,
            goal,
            n_own,
            // Whatever went wrong before would pass for the panic, so nothing else is asserted with one.
            checks: if is_panic { Vec::new() } else { observations.checks(n_own) },
            should_panic: is_panic.then(|| should_panic(message)),
            body,
            style: Style::Pretty,
            allowed: BTreeSet::new(),
        };
        draft.drop_silent_observers();
        Some(draft)
    }

    pub fn attributes(&self) -> Vec<String> {
        let lints: Vec<&str> = self.allowed.iter().map(String::as_str).collect();
        let allow = (!lints.is_empty()).then(|| format!("#[allow({})]", lints.join(", ")));
        self.should_panic.iter().cloned().chain(allow).collect()
    }

    pub fn suite_test<'a>(
        &'a self,
        texts: &'a [OpText],
        crate_name: &'a str,
        attributes: &'a [String],
    ) -> SuiteTest<'a> {
        let input = TestInput {
            test_name: &self.name,
            body: &self.body,
            ops: texts,
            header: &[],
            ending: if self.should_panic.is_some() { TestEnding::Panics } else { TestEnding::Passes },
            crate_name,
            preamble: &[],
        };
        SuiteTest { input, style: self.style, checks: &self.checks, attributes }
    }

    /// Turns to what is to be tried after a complaint of rustc about a statement; `false` where nothing is left.
    pub fn mend(&mut self, complaint: &str, statement: Option<usize>, is_error: bool) -> bool {
        if self.style == Style::Pretty {
            self.style = Style::Explicit;
            return true;
        }
        if is_error {
            return statement.is_some_and(|statement| self.drop_checks(statement));
        }
        // A value that is written and never read, and the like: the programs are not minimal.
        let n_allowed = self.allowed.len();
        self.allowed.extend(between(complaint, "#[warn(", ")]"));
        self.allowed.len() > n_allowed
    }

    /// Says nothing any more about what a statement did. Returns whether it said anything.
    pub fn drop_checks(&mut self, statement: usize) -> bool {
        let n_checks = self.checks.len();
        self.checks.retain(|check| check.statement != statement);
        self.drop_silent_observers();
        self.checks.len() < n_checks
    }

    /// An observer about which nothing is said is not worth a line.
    fn drop_silent_observers(&mut self) {
        let is_needed = |index: usize| {
            let is_checked = self.checks.iter().any(|check| check.statement == index);
            self.body.statements[index].kind != StatementKind::Call || is_checked
        };
        let mut body = self.body.clone();
        body.truncate(self.n_own);
        let mut new_slots: Vec<u32> = (0..self.n_own as u32).collect();
        let mut literals: Vec<usize> = Vec::new();
        for (index, statement) in self.body.statements.iter().enumerate().skip(self.n_own) {
            new_slots.push(u32::MAX);
            match statement.kind {
                // The arguments of the call that comes next.
                StatementKind::Literal => literals.push(index),
                _ if is_needed(index) => {
                    for literal in literals.drain(..) {
                        new_slots[literal] = body.push_copy(&self.body, literal, &[]);
                    }
                    let renumbered = |arg: &Arg| Arg::new(new_slots[arg.slot() as usize], arg.mode());
                    let args: Vec<Arg> = self.body.args_of(statement).iter().map(renumbered).collect();
                    new_slots[index] = body.push_copy(&self.body, index, &args);
                }
                _ => literals.clear(),
            }
        }
        for check in &mut self.checks {
            check.slot = new_slots[check.slot as usize];
            check.statement = new_slots[check.statement] as usize;
        }
        self.body = body;
    }
}

/// Makes equal names different.
pub fn number_names(drafts: &mut [Draft]) {
    let mut n_seen: BTreeMap<String, usize> = BTreeMap::new();
    for draft in drafts {
        let n = n_seen.entry(draft.name.clone()).or_insert(0);
        *n += 1;
        if *n > 1 {
            draft.name = format!("{}_{n}", draft.name);
        }
    }
}

/// `slab_insert` for `slab::Slab::insert`, `slab_from` for `<slab::Slab as From<u8>>::from`.
fn called(facts: &FunctionFacts) -> String {
    let name = snake_case(&facts.name);
    let owner = facts.path.strip_suffix(&format!("::{}", facts.name)).unwrap_or_default();
    let owner = match owner.strip_prefix('<') {
        Some(inside) => inside.split(" as ").next().unwrap_or_default(),
        None => owner,
    };
    let owner = owner.trim_start_matches('&').trim_start_matches("mut ");
    match TypeName::parse(owner) {
        TypeName::Path { segments, .. } => match segments.last() {
            Some(last) if last.starts_with(char::is_uppercase) => format!("{}_{name}", snake_case(last)),
            _ => name,
        },
        _ => name,
    }
}

/// What the crate itself says about the panic, in all runs alike. std's words change with its releases.
fn own_words<'a>(outcomes: &[&'a Outcome]) -> Option<&'a str> {
    let first = outcomes.first()?.panics.first()?;
    let is_same = |outcome: &&Outcome| outcome.panics.first().is_some_and(|panic| panic.message == first.message);
    let evidence = PanicEvidence { message: &first.message, hook_file: &first.file, ..PanicEvidence::default() };
    let is_own = matches!(PanicKind::of(evidence), PanicKind::Other | PanicKind::Explicit | PanicKind::Expect);
    (is_own && outcomes.iter().all(is_same)).then_some(first.message.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use provoke_codegen::Claim;
    use provoke_wire::Mode;

    #[test]
    fn tests_are_named_after_type_and_function() {
        for (path, name, expected) in [
            ("slab::Slab::insert", "insert", "slab_insert"),
            ("slab::map::BTreeSlab::new", "new", "btree_slab_new"),
            ("slab::parse", "parse", "parse"),
            ("<slab::Slab as From<u8>>::from", "from", "slab_from"),
            ("<&mut slab::Slab as IntoIterator>::into_iter", "into_iter", "slab_into_iter"),
            ("<[u8]>::sum", "sum", "sum"),
            ("<slab::Slab<u8> as Extend<slab::Entry<u8>>>::extend", "extend", "slab_extend"),
            ("<Box<slab::Slab> as From<u8>>::from", "from", "box_from"),
        ] {
            let facts = FunctionFacts { path: path.into(), name: name.into(), ..FunctionFacts::default() };
            assert_eq!(called(&facts), expected, "{path}");
        }
    }

    fn draft(name: &str) -> Draft {
        Draft {
            name: name.into(),
            goal: Goal { function: 0, way: ExemplarWay::Returned },
            body: {
                let mut body = Body::default();
                for op in 0..4 {
                    body.push_call(op, &[]);
                }
                body
            },
            n_own: 4,
            checks: vec![Check { statement: 3, slot: 3, claim: Claim::True }],
            should_panic: None,
            style: Style::Pretty,
            allowed: BTreeSet::new(),
        }
    }

    #[test]
    fn observers_that_say_nothing_are_left_out() {
        let mut draft = draft("a");
        draft.n_own = 1;
        draft.body = Body::default();
        let object = draft.body.push_call(0, &[]);
        for op in [7, 8] {
            let literal = draft.body.push_literal(&provoke_wire::Literal::U8(op as u8));
            draft.body.push_call(op, &[Arg::new(object, Mode::Ref), Arg::new(literal, Mode::Copy)]);
        }
        draft.checks = vec![Check { statement: 4, slot: 4, claim: Claim::True }];
        draft.drop_silent_observers();
        let mut expected = Body::default();
        expected.push_call(0, &[]);
        let literal = expected.push_literal(&provoke_wire::Literal::U8(8));
        expected.push_call(8, &[Arg::new(object, Mode::Ref), Arg::new(literal, Mode::Copy)]);
        assert_eq!(draft.body, expected);
        assert_eq!(draft.checks, [Check { statement: 2, slot: 2, claim: Claim::True }]);
        assert!(draft.drop_checks(2));
        assert_eq!(draft.body.statements.len(), 1);
    }

    #[test]
    fn equal_names_are_numbered() {
        let mut drafts = ["a", "b", "a", "a"].map(draft);
        number_names(&mut drafts);
        assert_eq!(drafts.map(|draft| draft.name), ["a", "b", "a_2", "a_3"]);
    }

    #[test]
    fn a_test_is_spelled_out_then_says_less_then_is_given_up() {
        let mut draft = draft("a");
        assert!(draft.mend("error", Some(3), true));
        assert_eq!(draft.style, Style::Explicit);
        assert!(draft.mend("error", Some(3), true));
        assert_eq!(draft.checks, []);
        assert!(!draft.mend("error", Some(3), true));
    }

    #[test]
    fn lints_are_switched_off_for_one_test() {
        let mut draft = draft("a");
        let complaint = "warning: unused\n  = note: `#[warn(unused_assignments)]` on by default";
        assert!(draft.mend(complaint, None, false) && draft.mend(complaint, None, false));
        assert_eq!(draft.attributes(), ["#[allow(unused_assignments)]"]);
        assert!(!draft.mend(complaint, None, false));
    }
}
