//! Operations whose loans were not understood: rustc refuses a test for using what is borrowed, so no program that calls
//! them says anything about the crate any more.
//!
//! Decision: `docs/decisions/009-hidden-loans-are-guessed.md`

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use provoke_codegen::OpText;
use provoke_engine::{Api, Failure, Finding, Incident, calls_any};
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

    pub fn is_in_force(&self) -> bool {
        self.is_in_force
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

    /// The same of a finding; what comes and goes may be what is left in memory that was freed, whatever it looks like.
    pub fn discredits_finding(&self, finding: &Finding) -> bool {
        let body = &finding.program.main;
        self.discredits(&finding.incident, body) || finding.steadiness.is_flaky() && calls_any(body, &self.ops())
    }
}

/// A crash or a memory error: never shown without a test that compiled and failed.
pub fn is_about_memory(incident: &Incident) -> bool {
    matches!(
        incident.event,
        Failure::Signal(_) | Failure::Memory(_) | Failure::Tracked(FaultKind::DoubleDrop | FaultKind::UseAfterDrop)
    )
}

/// Errors of the borrow checker about loans. Those about moves and mutability say nothing about them.
const BORROW_ERRORS: [&str; 9] = ["E0499", "E0502", "E0503", "E0505", "E0506", "E0521", "E0597", "E0713", "E0716"];

/// The operations of a program whose loans were not understood, by what rustc says of its test; nothing if it says something else.
/// Which of those between the loan and the last use of it lost sight of it, nobody can tell, so it is all of them. What std's own
/// operations do is known.
pub fn misread(errors: &[String], source: &str, api: &Api, texts: &[OpText], body: &Body) -> Option<BTreeSet<u32>> {
    let refusal = errors.iter().find(|error| {
        let is_one = |code: &&str| error.contains(&format!("error[{code}]"));
        BORROW_ERRORS.iter().any(is_one) || error.contains("lifetime may not live long enough")
    })?;
    let called: BTreeSet<u32> =
        body.statements.iter().filter(|line| line.kind == StatementKind::Call).map(|line| line.op).collect();
    let is_of_target = |op: &u32| api.ops[*op as usize].function.is_some();
    let all: BTreeSet<u32> = called.into_iter().filter(is_of_target).collect();
    let lines = lines_on_the_way(refusal, source);
    let is_on_the_way = |op: &u32| lines.iter().any(|line| calls(line, &texts[*op as usize].explicit));
    let named: BTreeSet<u32> = all.iter().copied().filter(is_on_the_way).collect();
    Some(if named.is_empty() { all } else { named })
}

/// The lines of a test from where rustc says that something is borrowed up to where it says that the loan is used, without that and
/// without the line that it complains of.
fn lines_on_the_way<'a>(error: &str, source: &'a str) -> Vec<&'a str> {
    let mut labelled = Vec::new();
    let mut last_number = None;
    for (margin, rest) in error.lines().filter_map(|line| line.split_once('|')) {
        if let Ok(number) = margin.trim().parse::<usize>() {
            last_number = Some(number);
        } else if margin.trim().is_empty() && rest.contains(['^', '-']) {
            labelled.extend(last_number);
        }
    }
    let place = error.lines().find_map(|line| line.trim_start().strip_prefix("--> "));
    let complaint: Option<usize> = place.and_then(|place| place.split(':').nth(1)?.parse().ok());
    let (Some(&first), Some(&last)) = (labelled.iter().min(), labelled.iter().max()) else { return Vec::new() };
    let is_on_the_way =
        |number: usize| number == first || (number > first && number < last && Some(number) != complaint);
    let numbered = (1..).zip(source.lines());
    numbered.filter(|(number, _)| is_on_the_way(*number)).map(|(_, line)| line).collect()
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
    use provoke_api::{OpKind, OpRole};
    use provoke_engine::Op;

    const REFUSED: &str = "\
error[E0502]: cannot borrow `register` as mutable because it is also borrowed as immutable
  --> tests/provoke_2c2f076c26.rs:6:21
   |
3  |     let map = Register::texts(&register);
   |                               --------- immutable borrow occurs here
...
6  |     Register::clear(&mut register);
   |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ mutable borrow occurs here
7  |     let _: usize = Shelf::total(&shelf);
   |                                 ------ immutable borrow later used here
";

    const SOURCE: &str = "\
let shelf = Shelf::default();
let mut register = Register::new();
let map = Register::texts(&register);
let vec = map.take(100).collect::<Vec<_>>();
Shelf::keep_all(&shelf, &vec);
Register::clear(&mut register);
let _: usize = Shelf::total(&shelf);
";

    fn op(key: &str, function: Option<u32>) -> Op {
        Op {
            key: key.into(),
            role: OpRole::Function,
            function,
            trait_function: None,
            kind: OpKind::Other,
            args: Vec::new(),
            result: 0,
            flows: Vec::new(),
            static_args: Vec::new(),
            law: None,
            guards: Vec::new(),
            accused: None,
            belongs_to: None,
        }
    }

    fn text(explicit: &str) -> OpText {
        OpText { explicit: explicit.into(), ..OpText::default() }
    }

    fn body(n_calls: u32) -> Body {
        let mut body = Body::default();
        (0..n_calls).for_each(|op| {
            body.push_call(op, &[]);
        });
        body
    }

    #[test]
    fn what_lost_sight_of_a_loan_is_between_the_loan_and_its_last_use() {
        let texts: Vec<OpText> = [
            "<Register>::texts({0})",
            "{0}.take(100).collect::<Vec<_>>()",
            "<Shelf<&str>>::keep_all({0}, {1})",
            "<Register>::clear({0})",
            "<Shelf<&str>>::total({0})",
        ]
        .map(text)
        .into();
        let ops = (0..5).map(|number| op(&number.to_string(), (number != 1).then_some(number))).collect();
        let api = Api { ops, ..Api::default() };
        let found = |error: &str| misread(&[error.to_string()], SOURCE, &api, &texts, &body(5));
        assert_eq!(found(REFUSED), Some([0, 2].into()), "std's `collect` is none of them");
        assert_eq!(found("error[E0502]: nothing that can be read"), Some([0, 2, 3, 4].into()), "all of the target");
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
        assert!(!retirement.discredits(&incident(Failure::Signal(11)), &body(3)));
        assert!(retirement.retire(&[1].into()) && !retirement.retire(&[1].into()));
        assert!(retirement.discredits(&incident(Failure::Signal(11)), &body(3)));
        assert!(!retirement.discredits(&incident(Failure::TimedOut), &body(3)));
        assert!(!retirement.discredits(&incident(Failure::Signal(11)), &Body::default()));
        let bounded_by_calls = Retirement::of_run(false);
        assert!(bounded_by_calls.retire(&[1].into()));
        assert!(!bounded_by_calls.discredits(&incident(Failure::Signal(11)), &body(3)));
    }
}
