//! What several runs of a program agree on, and what a test can therefore assert.

use std::collections::BTreeMap;

use provoke_api::OpRole;
use provoke_codegen::{Ability, Check, Claim, TypeName};
use provoke_engine::Api;
use provoke_wire::{Abilities, Body, Ending, Mode, Outcome, StatementKind};

/// The `Debug` text of a type of the crate is asserted only if it is as short as this.
const MAX_SHOWN: usize = 60;

pub struct Observations<'a> {
    api: &'a Api,
    crate_name: &'a str,
    body: &'a Body,
    /// By statement and slot: the `Debug` text that all runs showed.
    agreed: BTreeMap<(usize, u32), &'a str>,
    is_panic: bool,
}

impl<'a> Observations<'a> {
    /// `None` if not all runs ended in the same way.
    pub fn new(
        api: &'a Api,
        crate_name: &'a str,
        body: &'a Body,
        outcomes: &[&'a Outcome],
        is_panic: bool,
    ) -> Option<Observations<'a>> {
        let expected = if is_panic { Ending::Panicked } else { Ending::Finished };
        let n_panics = usize::from(is_panic);
        let place = |outcome: &Outcome| outcome.panics.first().map(|panic| panic.statement);
        let (first, others) = outcomes.split_first()?;
        let is_same = |outcome: &&Outcome| {
            outcome.ending == expected
                && outcome.panics.len() == n_panics
                && place(outcome) == place(first)
                && outcome.blocked.is_none()
        };
        if !outcomes.iter().all(is_same) {
            return None;
        }
        let mut agreed = texts(first);
        for outcome in others {
            let seen = texts(outcome);
            agreed.retain(|place, text| seen.get(place) == Some(text));
        }
        Some(Observations { api, crate_name, body, agreed, is_panic })
    }

    /// How a call ended, in words for the name of a test.
    pub fn ending(&self, statement: usize) -> &'static str {
        if self.is_panic {
            return "panics";
        }
        let text = self.result_text(statement).unwrap_or_default();
        match self.type_name(statement).and_then(|ty| ty.path()).as_deref() {
            Some("core::option::Option") if text == "None" => "returns_none",
            Some("core::option::Option") if text.starts_with("Some(") => "returns_some",
            Some("core::result::Result") if text.starts_with("Ok(") => "returns_ok",
            Some("core::result::Result") if text.starts_with("Err(") => "returns_err",
            Some("bool") if text == "true" => "returns_true",
            Some("bool") if text == "false" => "returns_false",
            _ => "returns",
        }
    }

    /// What results and observers said. Where they said nothing, what the last of the first `n_own` statements left behind
    /// looks like.
    pub fn checks(&self, n_own: usize) -> Vec<Check> {
        let is_function = |statement: usize| {
            let call = &self.body.statements[statement];
            call.kind == StatementKind::Call && self.api.ops[call.op as usize].role == OpRole::Function
        };
        let checks: Vec<Check> = (0..self.body.statements.len())
            .filter(|&statement| is_function(statement))
            .filter_map(|statement| {
                let slot = self.body.slot_of(statement);
                let text = self.result_text(statement)?;
                let claim = Claim::of(&self.type_name(statement)?, text, &|ty, ability| self.is_able(ty, ability))?;
                // Whoever takes the value out of it says so.
                let is_said =
                    matches!(claim, Claim::Holds("is_some" | "is_ok") | Claim::Unwraps(_)) && self.is_moved(slot);
                let claim = if statement + 1 == n_own { self.sharpened(claim, statement, text) } else { claim };
                (!is_said).then_some(Check { statement, slot, claim })
            })
            .collect();
        if checks.is_empty() { self.shown(n_own - 1).into_iter().collect() } else { checks }
    }

    /// More than that there is something in the last result: how that looks, if it is of the crate.
    fn sharpened(&self, claim: Claim, statement: usize, text: &str) -> Claim {
        let is_own = |ty: &TypeName| ty.path().is_some_and(|path| self.is_of_crate(&path));
        let is_shown = matches!(claim, Claim::Holds("is_some" | "is_ok" | "is_err"))
            && is_plain(text)
            && self.type_name(statement).is_some_and(|ty| ty.args().iter().any(is_own));
        if is_shown { Claim::Shows(text.to_string()) } else { claim }
    }

    fn is_of_crate(&self, path: &str) -> bool {
        path.split("::").next() == Some(self.crate_name)
    }

    fn is_moved(&self, slot: u32) -> bool {
        self.body.args.iter().any(|arg| arg.slot() == slot && arg.mode() == Mode::Move)
    }

    fn shown(&self, statement: usize) -> Option<Check> {
        let mut seen = self.agreed.range((statement, 0)..(statement + 1, 0));
        let is_own = |slot: u32| {
            let path = self.type_name(slot as usize).and_then(|ty| ty.path());
            path.is_some_and(|path| self.is_of_crate(&path))
        };
        let ((_, slot), text) = seen.find(|((_, slot), text)| is_plain(text) && is_own(*slot))?;
        Some(Check { statement, slot: *slot, claim: Claim::Shows(text.to_string()) })
    }

    fn result_text(&self, statement: usize) -> Option<&'a str> {
        self.agreed.get(&(statement, self.body.slot_of(statement))).copied()
    }

    /// Of the value that a statement makes.
    fn type_name(&self, statement: usize) -> Option<TypeName> {
        let call = self.body.statements.get(statement).filter(|call| call.kind == StatementKind::Call)?;
        let ty = self.api.ops[call.op as usize].result;
        Some(TypeName::parse(&self.api.types[ty as usize].name))
    }

    /// Types are looked up by their name, which may be that of several; rustc has the last word.
    fn is_able(&self, ty: &TypeName, ability: Ability) -> bool {
        let needed = match ability {
            Ability::Compare => Abilities(Abilities::PROBED.0 | Abilities::PARTIAL_EQ.0 | Abilities::DEBUG.0),
            Ability::Show => Abilities(Abilities::PROBED.0 | Abilities::DEBUG.0),
        };
        let name = ty.to_string();
        let mut same = self.api.types.iter().filter(|info| info.name == name);
        same.any(|info| info.abilities.has(needed))
    }
}

/// Short, complete, and without an address.
fn is_plain(text: &str) -> bool {
    let is_odd = ["0x", "…", "its Debug panicked"].iter().any(|sign| text.contains(sign));
    text.len() <= MAX_SHOWN && !is_odd
}

fn texts(outcome: &Outcome) -> BTreeMap<(usize, u32), &str> {
    outcome.steps.iter().map(|step| ((step.statement as usize, step.slot), step.text.as_str())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use provoke_api::OpKind;
    use provoke_engine::{FunctionFacts, Op};
    use provoke_wire::{Arg, Panic, Phase, Shape, TracedStep, TypeInfo};

    const MAKE: u32 = 0;
    const LEN: u32 = 1;
    const TAKE: u32 = 2;
    const TOUCH: u32 = 3;

    /// `make() -> Shelf`, `len(&Shelf) -> usize`, `take(&mut Shelf) -> Option<Shelf>`, `touch(&mut Shelf)`.
    fn api() -> Api {
        let ty = |name: &str, shape| TypeInfo {
            name: name.into(),
            size: 8,
            align: 8,
            abilities: Abilities::PROBED,
            shape,
            literal: None,
        };
        let op = |function, args: &[u32], result| Op {
            key: String::new(),
            role: OpRole::Function,
            function: Some(function),
            trait_function: None,
            kind: OpKind::Other,
            args: args.to_vec(),
            result,
            flows: Vec::new(),
            static_args: Vec::new(),
            law: None,
            guards: Vec::new(),
            accused: None,
            belongs_to: None,
        };
        let names = [
            ("shelf::Shelf", Shape::Plain),
            ("&shelf::Shelf", Shape::Ref(0)),
            ("&mut shelf::Shelf", Shape::RefMut(0)),
            ("usize", Shape::Plain),
            ("core::option::Option<shelf::Shelf>", Shape::Option(0)),
            ("()", Shape::Plain),
        ];
        Api {
            types: names.map(|(name, shape)| ty(name, shape)).into(),
            ops: vec![op(0, &[], 0), op(1, &[1], 3), op(2, &[2], 4), op(3, &[2], 5)],
            policy: Default::default(),
            functions: vec![FunctionFacts::default(); 4],
            clauses: Vec::new(),
            preconditions: Vec::new(),
            specifications: Vec::new(),
        }
    }

    fn outcome(steps: &[(u32, u32, &str)]) -> Outcome {
        let step = |&(statement, slot, text): &(u32, u32, &str)| TracedStep { statement, slot, text: text.into() };
        Outcome { steps: steps.iter().map(step).collect(), ..Outcome::default() }
    }

    fn body(calls: &[u32]) -> Body {
        let mut body = Body::default();
        for &op in calls {
            let mode = if op == LEN { Mode::Ref } else { Mode::RefMut };
            let args: &[Arg] = if op == MAKE { &[] } else { &[Arg::new(0, mode)] };
            body.push_call(op, args);
        }
        body
    }

    fn claims(body: &Body, n_own: usize, outcomes: &[Outcome]) -> Option<Vec<(usize, u32, Claim)>> {
        let api = api();
        let outcomes: Vec<&Outcome> = outcomes.iter().collect();
        let observations = Observations::new(&api, "shelf", body, &outcomes, false)?;
        let checks = observations.checks(n_own).into_iter();
        Some(checks.map(|check| (check.statement, check.slot, check.claim)).collect())
    }

    #[test]
    fn only_what_all_runs_agree_on_is_asserted() {
        let body = body(&[MAKE, LEN, TAKE]);
        let run = |len| outcome(&[(0, 0, "Shelf"), (1, 1, len), (2, 2, "None")]);
        let steady = claims(&body, 3, &[run("3"), run("3")]).unwrap();
        assert_eq!(steady.len(), 2);
        let unsteady = claims(&body, 3, &[run("3"), run("4"), run("3")]).unwrap();
        assert_eq!(unsteady, [(2, 2, Claim::Holds("is_none"))]);
    }

    #[test]
    fn runs_that_end_differently_make_no_test() {
        let body = body(&[MAKE]);
        let panic = Panic {
            statement: 0,
            phase: Phase::Call,
            message: String::new(),
            file: String::new(),
            line: 1,
            column: 1,
            depth: 0,
            backtrace: String::new(),
        };
        let panicked = Outcome { ending: Ending::Panicked, panics: vec![panic], ..Outcome::default() };
        assert_eq!(claims(&body, 1, &[outcome(&[]), panicked]), None);
    }

    #[test]
    fn where_nothing_else_is_said_the_object_is_shown() {
        let body = body(&[MAKE, TOUCH]);
        let run = |text| outcome(&[(0, 0, "Shelf { n: 0 }"), (1, 1, "()"), (1, 0, text)]);
        let shown = claims(&body, 2, &[run("Shelf { n: 1 }"), run("Shelf { n: 1 }")]).unwrap();
        assert_eq!(shown, [(1, 0, Claim::Shows("Shelf { n: 1 }".into()))]);
        assert_eq!(claims(&body, 2, &[run("Shelf { at: 0x7f }"), run("Shelf { at: 0x7f }")]), Some(Vec::new()));
        assert_eq!(claims(&body, 2, &[run("Shelf { n: 1 }"), run("Shelf { n: 2 }")]), Some(Vec::new()));
    }

    #[test]
    fn what_is_taken_apart_needs_no_word() {
        let mut body = body(&[MAKE, TAKE]);
        let run = [outcome(&[(1, 1, "Some(Shelf)")])];
        assert_eq!(claims(&body, 3, &run), Some(vec![(1, 1, Claim::Holds("is_some"))]));
        body.push_drop(1);
        assert_eq!(claims(&body, 3, &run), Some(Vec::new()));
    }

    #[test]
    fn the_last_result_is_shown_where_it_holds_something_of_the_crate() {
        let run = |text| claims(&body(&[MAKE, TAKE]), 2, &[outcome(&[(1, 1, text)])]).unwrap();
        assert_eq!(run("Some(Shelf(3))"), [(1, 1, Claim::Shows("Some(Shelf(3))".into()))]);
        assert_eq!(run("Some(Shelf(0x3))"), [(1, 1, Claim::Holds("is_some"))]);
        assert_eq!(run("None"), [(1, 1, Claim::Holds("is_none"))]);
    }
}
