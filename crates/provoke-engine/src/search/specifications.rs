//! What came of asking specifications after each step.
//!
//! Decision: `docs/decisions/068-specifications-are-asked-after-every-step.md`

use provoke_wire::{CheckAnswer, Checked, Ending, Mode, Outcome, Panic, Phase, Program, Statement, StatementKind};
use serde::{Deserialize, Serialize};

use crate::api::{Api, SpecificationOf};
use crate::saved_forms::{RestoreError, ensure};
use provoke_oracles::LAW_BROKEN;

/// What became of asking one specification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpecificationRecord {
    /// Programs that a model threw away.
    pub n_discarded: u64,
    /// It panicked.
    pub n_panics: u64,
    /// Asked twice, it said yes and no.
    pub n_unsteady: u64,
    /// Of a law: how often it was asked and said something. Others are asked after each step.
    pub n_answers: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Specifications {
    /// By place in [`Api::specifications`].
    records: Vec<SpecificationRecord>,
    /// Workers that did not survive being asked, or ran out of time; nobody knows by whom.
    n_deaths: u64,
}

impl Specifications {
    pub(crate) fn new(api: &Api) -> Specifications {
        Specifications { records: vec![SpecificationRecord::default(); api.specifications.len()], n_deaths: 0 }
    }

    /// Of a specification, by its place.
    pub fn record(&self, specification: usize) -> SpecificationRecord {
        self.records.get(specification).copied().unwrap_or_default()
    }

    /// How many workers did not survive being asked.
    pub fn n_deaths(&self) -> u64 {
        self.n_deaths
    }

    /// Takes in what became of a program.
    pub(crate) fn learn(&mut self, api: &Api, program: &Program, outcome: &Outcome) {
        if self.records.is_empty() {
            return;
        }
        if let Some((at, Phase::Check)) = death_of(outcome.ending) {
            let call = program.main.statements.get(at as usize).filter(|line| line.kind == StatementKind::Call);
            let has_guards = call.is_some_and(|call| !api.ops[call.op as usize].guards.is_empty());
            self.n_deaths += u64::from(!has_guards);
        }
        if let Some(law) = panicked_law(api, program, outcome) {
            self.records[law].n_panics += 1;
        }
        let is_law = |(_, specification): &(usize, &SpecificationOf)| specification.kind == "law";
        for (place, law) in api.specifications.iter().enumerate().filter(is_law) {
            let asked = answered_calls(program, outcome).filter(|call| law.ops.contains(&call.op));
            self.records[place].n_answers += asked.count() as u64;
        }
        let Some(Checked { op, answer, .. }) = outcome.checked else { return };
        let place = api.specifications.iter().position(|specification| specification.ops.contains(&op));
        let Some(record) = place.and_then(|place| self.records.get_mut(place)) else { return };
        match answer {
            CheckAnswer::Broken => {}
            CheckAnswer::Discarded => record.n_discarded += 1,
            CheckAnswer::Nothing => record.n_panics += 1,
            CheckAnswer::Unsteady => record.n_unsteady += 1,
        }
    }

    /// Takes over what was saved about the same specifications.
    pub(crate) fn restore(&mut self, saved: Specifications) -> Result<(), RestoreError> {
        let is_alike = saved.records.len() == self.records.len();
        *self = saved;
        ensure(is_alike, "specifications")
    }
}

/// The calls that returned, and a law that said no.
fn answered_calls<'a>(program: &'a Program, outcome: &Outcome) -> impl Iterator<Item = &'a Statement> {
    let panic = outcome.panics.first().filter(|it| it.phase == Phase::Call);
    let n_answered = match (outcome.ending, panic) {
        (Ending::Finished, _) => usize::MAX,
        (Ending::Panicked, Some(panic)) => {
            panic.statement as usize + usize::from(panic.message.starts_with(LAW_BROKEN))
        }
        _ => 0,
    };
    program.main.statements.iter().take(n_answered).filter(|line| line.kind == StatementKind::Call)
}

/// The law of the target that panicked instead of answering, by its place.
fn panicked_law(api: &Api, program: &Program, outcome: &Outcome) -> Option<usize> {
    let panic = outcome.panics.first().filter(|it| it.phase == Phase::Call && !it.message.starts_with(LAW_BROKEN))?;
    let call = program.main.statements.get(panic.statement as usize)?;
    let is_it = |it: &SpecificationOf| it.kind == "law" && it.ops.contains(&call.op);
    (call.kind == StatementKind::Call).then(|| api.specifications.iter().position(is_it)).flatten()
}

fn death_of(ending: Ending) -> Option<(u32, Phase)> {
    match ending {
        Ending::Finished | Ending::Panicked => None,
        Ending::Signal { statement, phase, .. }
        | Ending::Exit { statement, phase, .. }
        | Ending::StackOverflow { statement, phase }
        | Ending::TimedOut { statement, phase }
        | Ending::MemoryExhausted { statement, phase } => Some((statement, phase)),
    }
}

/// A program that broke a specification, as one that asks it at its end, with what comes of that.
pub(crate) fn asked_at_end(api: &Api, program: &Program, outcome: &Outcome) -> Option<(Program, Outcome)> {
    // A worker in which anything may have happened can say anything.
    let is_asked = |op: u32| api.specifications.iter().any(|specification| specification.ops.contains(&op));
    let checked = outcome.checked.filter(|it| it.answer == CheckAnswer::Broken && is_asked(it.op))?;
    let mut main = program.main.clone();
    main.truncate(checked.n_statements as usize);
    main.push_call(checked.op, &[provoke_wire::Arg::new(checked.slot, Mode::Ref)]);
    let panic = Panic {
        statement: checked.n_statements,
        phase: Phase::Call,
        message: outcome.panics.first().map_or_else(String::new, |panic| panic.message.clone()),
        file: String::new(),
        line: 0,
        column: 0,
        depth: 0,
        backtrace: String::new(),
    };
    let outcome =
        Outcome { ending: Ending::Panicked, panics: vec![panic], n_calls: outcome.n_calls + 1, ..Outcome::default() };
    Some((Program { main, observe_from: 0 }, outcome))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{LawOf, Op};
    use crate::test_support::{sample, saved_and_read};
    use crate::verdict::triage;
    use provoke_api::OpRole;
    use provoke_oracles::INVARIANT;

    /// With an invariant of `Foo`, which is asked by the last operation.
    fn api() -> Api {
        let mut api = sample::api();
        let law = LawOf {
            oracle: &INVARIANT,
            subject: "sample::Foo::is_sound".into(),
            group: String::new(),
            is_monitored: true,
            stated_at: None,
        };
        let look = api.ops.iter().find(|op| op.key == "look").unwrap().clone();
        api.ops.push(Op { key: "ask".into(), role: OpRole::Law, function: None, result: 0, law: Some(law), ..look });
        let ops = vec![api.ops.len() as u32 - 1];
        api.specifications.push(SpecificationOf { kind: "invariant", path: "sample::Foo::is_sound".into(), ops });
        api
    }

    fn program(api: &Api, text: &str) -> Program {
        Program { main: sample::body(api, text), observe_from: 0 }
    }

    /// After two statements, about the first slot.
    fn ended(api: &Api, answer: CheckAnswer) -> Outcome {
        let op = api.ops.len() as u32 - 1;
        let panic = Panic {
            statement: 1,
            phase: Phase::Check,
            message: LAW_BROKEN.into(),
            file: String::new(),
            line: 0,
            column: 0,
            depth: 0,
            backtrace: String::new(),
        };
        let checked = Some(Checked { op, slot: 0, n_statements: 2, answer });
        Outcome { ending: Ending::Panicked, panics: vec![panic], checked, ..Outcome::default() }
    }

    #[test]
    fn what_a_worker_saw_to_be_broken_is_asked_at_the_end() {
        let api = api();
        let run = program(&api, "x = make; touch &mut x; y = make; take y");
        let outcome = ended(&api, CheckAnswer::Broken);
        let (asked, said) = asked_at_end(&api, &run, &outcome).unwrap();
        assert_eq!(asked.main, sample::body(&api, "x = make; touch &mut x; ask &x"));
        let incidents = triage(&said, &api, &asked.main).incidents;
        assert_eq!(incidents.iter().map(|it| it.statement).collect::<Vec<_>>(), [2]);
        // Run again, the worker ends it in the same way, and it is the same incident.
        let again = triage(&outcome, &api, &asked.main).incidents;
        assert_eq!(again.iter().map(|it| it.key).collect::<Vec<_>>(), [incidents[0].key]);
        // It says nothing about a program that goes on.
        assert!(triage(&outcome, &api, &run.main).incidents.is_empty());
        let outcome = Outcome { checked: outcome.checked.map(|it| Checked { op: 0, ..it }), ..outcome };
        assert!(asked_at_end(&api, &run, &outcome).is_none(), "no worker makes up specifications");
    }

    #[test]
    fn laws_that_say_something_are_counted() {
        let mut api = api();
        api.specifications[0].kind = "law";
        let law = api.specifications[0].ops[0];
        let mut run = program(&api, "x = make; touch &mut x");
        for _ in 0..3 {
            run.main.push_call(law, &[provoke_wire::Arg::new(0, Mode::Ref)]);
        }
        let mut specifications = Specifications::new(&api);
        let mut n_answers = |ending, message: &str| {
            let mut panics = ended(&api, CheckAnswer::Broken).panics;
            (panics[0].statement, panics[0].phase, panics[0].message) = (3, Phase::Call, message.into());
            let before = specifications.record(0).n_answers;
            specifications.learn(&api, &run, &Outcome { ending, panics, ..Outcome::default() });
            specifications.record(0).n_answers - before
        };
        assert_eq!(n_answers(Ending::Finished, ""), 3);
        assert_eq!(n_answers(Ending::Panicked, "index out of bounds"), 1);
        assert_eq!(n_answers(Ending::Panicked, LAW_BROKEN), 2);
        assert_eq!(n_answers(Ending::TimedOut { statement: 4, phase: Phase::Call }, ""), 0);
    }

    #[test]
    fn what_cannot_be_asked_is_counted_and_accuses_nobody() {
        let api = api();
        let run = program(&api, "x = make; touch &mut x");
        let mut specifications = Specifications::new(&api);
        for answer in [CheckAnswer::Discarded, CheckAnswer::Nothing, CheckAnswer::Nothing, CheckAnswer::Unsteady] {
            let outcome = ended(&api, answer);
            specifications.learn(&api, &run, &outcome);
            assert!(asked_at_end(&api, &run, &outcome).is_none());
            assert!(triage(&outcome, &api, &run.main).incidents.is_empty());
        }
        let ending = Ending::TimedOut { statement: 1, phase: Phase::Check };
        specifications.learn(&api, &run, &Outcome { ending, ..Outcome::default() });
        assert_eq!(
            specifications.record(0),
            SpecificationRecord { n_discarded: 1, n_panics: 2, n_unsteady: 1, n_answers: 0 }
        );
        assert_eq!(specifications.n_deaths(), 1);
        let mut restored = Specifications::new(&api);
        restored.restore(saved_and_read(&specifications)).unwrap();
        assert_eq!(restored, specifications);
    }
}
