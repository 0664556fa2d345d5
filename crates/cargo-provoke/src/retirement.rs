//! Operations whose loans were not understood: rustc refuses a test for using what is borrowed, so no program that calls
//! them says anything about the crate any more.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use provoke_codegen::OpText;
use provoke_engine::{Api, Event as Happening, Finding, Incident, calls_any};
use provoke_wire::{Body, FaultKind, StatementKind};

/// Told by whoever verifies tests, asked by whoever searches.
pub struct Retirement {
    ops: Mutex<BTreeSet<u32>>,
    is_in_force: bool,
}

impl Retirement {
    /// When a test is refused depends on the clock: a run that is bounded by calls goes on as if nobody had noticed, and each of
    /// its crashes stands or falls by its own test.
    pub fn of_run(is_bounded_by_time: bool) -> Retirement {
        Retirement { ops: Mutex::default(), is_in_force: is_bounded_by_time }
    }

    /// Operations that are not to be called any more.
    pub fn ops(&self) -> BTreeSet<u32> {
        if !self.is_in_force {
            return BTreeSet::new();
        }
        self.ops.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether any of the operations is news.
    pub fn retire(&self, ops: &BTreeSet<u32>) -> bool {
        let mut retired = self.ops.lock().unwrap_or_else(PoisonError::into_inner);
        let n_before = retired.len();
        retired.extend(ops);
        retired.len() > n_before
    }

    /// Whether an incident may be what our own program did to memory that it was not to use.
    pub fn discredits(&self, incident: &Incident, body: &Body) -> bool {
        is_about_memory(incident) && calls_any(body, &self.ops())
    }

    pub fn discredits_finding(&self, finding: &Finding) -> bool {
        self.discredits(&finding.incident, &finding.program.main)
    }
}

/// A crash or a memory error: never shown without a test that compiled and failed.
pub fn is_about_memory(incident: &Incident) -> bool {
    matches!(
        incident.event,
        Happening::Signal(_)
            | Happening::Memory(_)
            | Happening::Tracked(FaultKind::DoubleDrop | FaultKind::UseAfterDrop)
    )
}

/// Errors of the borrow checker about loans. Those about moves and mutability say nothing about them.
const BORROW_ERRORS: [&str; 9] = ["E0499", "E0502", "E0503", "E0505", "E0506", "E0521", "E0597", "E0713", "E0716"];

/// The operations of a program that lent what a test was refused for, by what rustc says; nothing if it says something else.
pub fn lenders(errors: &[String], api: &Api, texts: &[OpText], body: &Body) -> Option<BTreeSet<u32>> {
    let refusal = errors.iter().find(|error| {
        let is_one = |code: &&str| error.contains(&format!("error[{code}]"));
        BORROW_ERRORS.iter().any(is_one) || error.contains("lifetime may not live long enough")
    })?;
    let called: BTreeSet<u32> =
        body.statements.iter().filter(|line| line.kind == StatementKind::Call).map(|line| line.op).collect();
    let lends = |op: &u32| !api.ops[*op as usize].flows.is_empty();
    let all: BTreeSet<u32> = called.into_iter().filter(lends).collect();
    let line = lending_line(refusal);
    let is_in_line = |op: &u32| line.is_some_and(|line| calls(line, &texts[*op as usize].explicit));
    let named: BTreeSet<u32> = all.iter().copied().filter(is_in_line).collect();
    Some(if named.is_empty() { all } else { named })
}

/// The first line of the test under which rustc says that something is borrowed: the loan comes before what it forbids.
fn lending_line(error: &str) -> Option<&str> {
    let mut last_line = None;
    for (margin, rest) in error.lines().filter_map(|line| line.split_once('|')) {
        if margin.trim().parse::<u32>().is_ok() {
            last_line = Some(rest);
        } else if margin.trim().is_empty() && rest.contains("borrow") {
            return last_line;
        }
    }
    None
}

/// Whether a line of code calls what the template of an operation calls last: `Slab::insert` in `<Slab<u8>>::insert({0})`.
fn calls(line: &str, template: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let Some(callee) = template.rfind('(').map(|end| &template[..end]) else { return false };
    let callee = if callee.ends_with('>') { callee.split("::<").next().unwrap_or(callee) } else { callee };
    let name = callee.rsplit(|c| !is_word(c)).next().unwrap_or_default();
    let is_whole = |at: usize| {
        let rest = &line[at + name.len()..];
        !line[..at].ends_with(is_word) && (rest.starts_with('(') || rest.starts_with("::<"))
    };
    !name.is_empty() && line.match_indices(name).any(|(at, _)| is_whole(at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use provoke_engine::{Flow, FlowPart, FlowTarget, Op, OpRole, Wants};

    const REFUSED: &str = "\
error[E0502]: cannot borrow `register` as mutable because it is also borrowed as immutable
  --> tests/provoke_2c2f076c26.rs:11:21
   |
9  |     let box_ = Register::iter(&register);
   |                               --------- immutable borrow occurs here
10 |     let mut vec: Vec<&String> = box_.take(100).collect::<Vec<_>>();
11 |     Register::clear(&mut register);
   |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ mutable borrow occurs here
12 |     let text: Option<&String> = vec.pop();
   |                                 --- immutable borrow later used here
";

    fn op(key: &str, is_lending: bool) -> Op {
        let flow = Flow { arg: 0, part: FlowPart::Outer, target: FlowTarget::Result };
        Op {
            key: key.into(),
            role: OpRole::Function,
            function: None,
            trait_function: None,
            wants: Wants::Any,
            args: Vec::new(),
            result: 0,
            flows: if is_lending { vec![flow] } else { Vec::new() },
            static_args: Vec::new(),
            law: None,
            guards: Vec::new(),
            probe: None,
            unspecified: None,
            sets_fields: false,
        }
    }

    fn text(explicit: &str) -> OpText {
        OpText { explicit: explicit.into(), ..OpText::default() }
    }

    fn body() -> Body {
        let mut body = Body::default();
        (0..3).for_each(|op| {
            body.push_call(op, &[]);
        });
        body
    }

    #[test]
    fn the_operation_that_lent_what_a_test_was_refused_for_is_found_by_its_line() {
        let api = Api { ops: vec![op("iter", true), op("collect", true), op("clear", false)], ..Api::default() };
        let texts =
            [text("<Register>::iter({0})"), text("{0}.take(100).collect::<Vec<_>>()"), text("<Register>::clear({0})")];
        let found = |error: &str| lenders(&[error.to_string()], &api, &texts, &body());
        assert_eq!(found(REFUSED), Some([0].into()));
        assert_eq!(found("error[E0502]: nothing that can be read"), Some([0, 1].into()), "all that lend");
        assert_eq!(found("error[E0382]: use of moved value: `register`"), None);
    }

    #[test]
    fn a_call_is_known_by_the_name_that_is_called_last() {
        for (line, template, expected) in [
            ("let a = Register::iter(&register);", "<Register>::iter({0})", true),
            ("let a = register.iter_mut();", "<Register>::iter({0})", false),
            ("let a = register.into_iter();", "<Register>::iter({0})", false),
            ("let a = b.collect::<Vec<_>>();", "{0}.take(100).collect::<Vec<_>>()", true),
            ("let a = Register { names };", "Register { names: {0} }", false),
        ] {
            assert_eq!(calls(line, template), expected, "{line}");
        }
    }

    #[test]
    fn crashes_of_programs_that_call_what_is_retired_say_nothing() {
        let incident = |event| Incident {
            key: 0,
            event,
            activity: provoke_engine::Activity::Call,
            statement: 0,
            at: 0,
            phase: provoke_wire::Phase::Call,
            panic: None,
            is_after_panic: false,
        };
        let retirement = Retirement::of_run(true);
        assert!(!retirement.discredits(&incident(Happening::Signal(11)), &body()));
        assert!(retirement.retire(&[1].into()) && !retirement.retire(&[1].into()));
        assert!(retirement.discredits(&incident(Happening::Signal(11)), &body()));
        assert!(!retirement.discredits(&incident(Happening::TimedOut), &body()));
        assert!(!retirement.discredits(&incident(Happening::Signal(11)), &Body::default()));
        let bounded_by_calls = Retirement::of_run(false);
        assert!(bounded_by_calls.retire(&[1].into()));
        assert!(!bounded_by_calls.discredits(&incident(Happening::Signal(11)), &body()));
    }
}
