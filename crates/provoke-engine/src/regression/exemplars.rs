//! Exemplars: for every function, and every way in which calls of it end, the simplest program that shows it.
//!
//! They are gathered while the search runs and must not slow it down: only programs that are kept as components, that cover a
//! function for the first time, or that end in a documented panic are looked at, and of each kind only the first few. Those
//! are short, since the search begins with short programs.

use provoke_api::OpRole;
use provoke_wire::{Body, Mode, Observed, Program, Statement, StatementKind, Variant};
use serde::{Deserialize, Serialize};

use crate::api::{Api, Op};
use crate::program::check::check_program;
use crate::program::order::is_simpler;
use crate::program::rebuild::{StatementFate, rebuild};
use crate::saved_forms::{self, RestoreError, ensure};

/// How a call ends, as far as a suite of tests tells calls apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ExemplarWay {
    Returned,
    /// With `Some` or `Ok`.
    ReturnedFull,
    /// With `None` or `Err`.
    ReturnedEmpty,
    /// As its documentation says.
    Panicked,
}

const N_WAYS: usize = 4;

/// Something that a suite of tests should show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Goal {
    /// Place in [`Api::functions`].
    pub function: u32,
    pub way: ExemplarWay,
}

/// A program whose last statement is a call that reaches the goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exemplar {
    pub goal: Goal,
    pub program: Program,
}

/// After this many programs for one goal no simpler one is looked for.
const MAX_OFFERS: u8 = 64;

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Simplest {
    #[serde(with = "saved_forms::encoded")]
    program: Program,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Record {
    best: Option<Simplest>,
    n_offers: u8,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Exemplars {
    /// By function, then by way.
    records: Vec<[Record; N_WAYS]>,
    /// By function: whether the user asked for it.
    #[serde(skip)]
    is_wanted: Vec<bool>,
}

impl Exemplars {
    pub fn new(is_wanted: &[bool]) -> Exemplars {
        Exemplars { records: vec![Default::default(); is_wanted.len()], is_wanted: is_wanted.to_vec() }
    }

    /// The statements `from..until` of a program ran and returned; `observed` says what some of the results were.
    pub fn returned(&mut self, api: &Api, body: &Body, from: u32, until: u32, observed: &[Observed]) {
        for index in from as usize..(until as usize).min(body.statements.len()) {
            let statement = &body.statements[index];
            if statement.kind != StatementKind::Call {
                continue;
            }
            let slot = body.slot_of(index);
            // They come in the order of slots.
            let seen = observed.binary_search_by_key(&slot, |seen| seen.slot);
            let way = match seen.map(|place| observed[place].variant) {
                Ok(Variant::Full) => ExemplarWay::ReturnedFull,
                Ok(Variant::Empty) => ExemplarWay::ReturnedEmpty,
                Ok(Variant::Plain) | Err(_) => ExemplarWay::Returned,
            };
            for function in functions_of(&api.ops[statement.op as usize]) {
                self.offer(api, body, index, Goal { function, way });
            }
        }
    }

    /// A statement of a program panicked. It counts where the documentation announces that.
    pub fn panicked(&mut self, api: &Api, body: &Body, statement: u32) {
        let Some(call) = body.statements.get(statement as usize).filter(|s| s.kind == StatementKind::Call) else {
            return;
        };
        if let Some(function) = functions_of(&api.ops[call.op as usize]).next()
            && api.functions[function as usize].documents_panics
        {
            self.offer(api, body, statement as usize, Goal { function, way: ExemplarWay::Panicked });
        }
    }

    fn offer(&mut self, api: &Api, body: &Body, index: usize, goal: Goal) {
        let record = &mut self.records[goal.function as usize][goal.way as usize];
        if record.n_offers == MAX_OFFERS || !self.is_wanted[goal.function as usize] {
            return;
        }
        // Seen at a glance most of the time, and then it costs no offer.
        if uses_runtime(api, &body.statements[index..=index]) {
            return;
        }
        record.n_offers += 1;
        let Some(main) = slice(api, body, index).filter(|main| !uses_runtime(api, &main.statements)) else {
            return;
        };
        let program = Program { main, observe_from: 0 };
        if record.best.as_ref().is_none_or(|best| is_simpler(&program, &best.program)) {
            record.best = Some(Simplest { program });
        }
    }

    /// Takes over what was saved about the same functions.
    pub(crate) fn restore(&mut self, api: &Api, saved: Exemplars) -> Result<(), RestoreError> {
        self.records = saved.records;
        let is_legal = |best: &Simplest| check_program(api, &best.program).is_ok();
        let is_sound = |it: &Record| it.n_offers <= MAX_OFFERS && it.best.as_ref().is_none_or(is_legal);
        let is_alike = self.records.len() == self.is_wanted.len();
        ensure(is_alike && self.records.iter().flatten().all(is_sound), "exemplars")
    }

    /// All that were found, in the order of functions.
    pub fn all(&self) -> Vec<Exemplar> {
        const WAYS: [ExemplarWay; N_WAYS] =
            [ExemplarWay::Returned, ExemplarWay::ReturnedFull, ExemplarWay::ReturnedEmpty, ExemplarWay::Panicked];
        let mut all = Vec::new();
        for (function, records) in self.records.iter().enumerate() {
            for (way, record) in WAYS.into_iter().zip(records) {
                let goal = Goal { function: function as u32, way };
                all.extend(record.best.iter().map(|best| Exemplar { goal, program: best.program.clone() }));
            }
        }
        all
    }
}

/// Whether a value of a type of the runtime plays a part, such as a tracked element: no test of the user's could name it.
fn uses_runtime(api: &Api, statements: &[Statement]) -> bool {
    let is_of_runtime = |ty: u32| api.types.get(ty as usize).is_some_and(|info| info.name.contains("provoke_exec::"));
    let mut calls = statements.iter().filter(|statement| statement.kind == StatementKind::Call);
    calls.any(|call| {
        let op = &api.ops[call.op as usize];
        is_of_runtime(op.result) || op.args.iter().any(|&ty| is_of_runtime(ty))
    })
}

/// The functions that a call of an operation covers. Asking whether a law holds shows nothing of what a function does.
pub fn functions_of(op: &Op) -> impl Iterator<Item = u32> + use<> {
    let is_shown = op.role != OpRole::Law;
    [op.function, op.trait_function].into_iter().flatten().filter(move |_| is_shown)
}

/// The program up to a statement, without what neither makes nor changes anything that the statement uses.
fn slice(api: &Api, body: &Body, required: usize) -> Option<Body> {
    let mut start = body.clone();
    start.truncate(required + 1);
    let needed = needed_by(&start, required);
    rebuild(api, &start, required, |index| if needed[index] { StatementFate::Keep } else { StatementFate::Remove })
}

/// By statement. What was lent to another value exclusively may be changed through it, so such values are needed too, and
/// what is done with them.
fn needed_by(body: &Body, required: usize) -> Vec<bool> {
    let mut needed = vec![false; body.statements.len()];
    needed[required] = true;
    loop {
        let n_before = needed.iter().filter(|yes| **yes).count();
        for (index, statement) in body.statements.iter().enumerate().rev() {
            let args = body.args_of(statement);
            let is_needed = |slot: u32| needed.get(slot as usize) == Some(&true);
            let changes = |mode| matches!(mode, Mode::RefMut | Mode::ReborrowMut | Mode::Move);
            if !needed[index] && args.iter().any(|arg| changes(arg.mode()) && is_needed(arg.slot())) {
                needed[index] = true;
            }
            if needed[index] {
                for arg in args {
                    needed[arg.slot() as usize] = true;
                }
            }
        }
        if needed.iter().filter(|yes| **yes).count() == n_before {
            return needed;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::sample;

    fn exemplars(api: &Api) -> Exemplars {
        Exemplars::new(&vec![true; api.functions.len()])
    }

    fn shown(api: &Api, exemplars: &Exemplars) -> Vec<String> {
        let line = |e: &Exemplar| {
            let program = sample::print(api, &e.program.main).trim_end().replace('\n', "; ");
            format!("{} {:?}: {program}", api.functions[e.goal.function as usize].name, e.goal.way)
        };
        exemplars.all().iter().map(line).collect()
    }

    fn offer(api: &Api, exemplars: &mut Exemplars, text: &str, observed: &[Observed]) {
        let body = sample::body(api, text);
        exemplars.returned(api, &body, 0, body.statements.len() as u32, observed);
    }

    #[test]
    fn each_function_gets_the_simplest_program_that_ends_with_it() {
        let api = sample::api();
        let mut exemplars = exemplars(&api);
        offer(&api, &mut exemplars, "x = make; touch &mut x; look &x; n = 9u8; number =n", &[]);
        offer(&api, &mut exemplars, "y = make; x = make; look &x; n = 3u8; number =n", &[]);
        assert_eq!(
            shown(&api, &exemplars),
            [
                "make Returned: s0 = make",
                "number Returned: s0 = U8(3); s1 = number =s0",
                "look Returned: s0 = make; s1 = look &s0",
                "touch Returned: s0 = make; s1 = touch &mut s0",
            ]
        );
    }

    #[test]
    fn what_changes_a_value_through_a_borrow_of_it_belongs_to_it() {
        let api = sample::api();
        let mut exemplars = exemplars(&api);
        offer(&api, &mut exemplars, "x = make; r = lend_mut &mut x; touch &mut*r; drop r; y = make; look &x", &[]);
        let look = shown(&api, &exemplars).into_iter().find(|line| line.starts_with("look")).unwrap();
        assert_eq!(look, "look Returned: s0 = make; s1 = lend_mut &mut s0; s2 = touch &mut*s1; drop s1; s4 = look &s0");
    }

    #[test]
    fn what_a_call_returned_is_another_goal() {
        let api = sample::api();
        let mut exemplars = exemplars(&api);
        let seen = |variant| Observed { slot: 1, variant, fingerprint: None };
        for variant in [Variant::Full, Variant::Empty, Variant::Plain] {
            offer(&api, &mut exemplars, "x = make; look &x", &[seen(variant)]);
        }
        let ways: Vec<ExemplarWay> = exemplars.all().iter().map(|e| e.goal.way).collect();
        assert_eq!(
            ways,
            [ExemplarWay::Returned, ExemplarWay::Returned, ExemplarWay::ReturnedFull, ExemplarWay::ReturnedEmpty]
        );
    }

    #[test]
    fn a_panic_counts_only_where_it_is_documented() {
        let mut api = sample::api();
        let look = api.functions.iter().position(|f| f.name == "look").unwrap();
        let body = sample::body(&api, "x = make; look &x");
        let mut exemplars = exemplars(&api);
        exemplars.panicked(&api, &body, 1);
        assert_eq!(shown(&api, &exemplars), [""; 0]);
        api.functions[look].documents_panics = true;
        exemplars.panicked(&api, &body, 1);
        assert_eq!(shown(&api, &exemplars), ["look Panicked: s0 = make; s1 = look &s0"]);
    }

    #[test]
    fn functions_that_nobody_asked_for_have_no_exemplars() {
        let api = sample::api();
        let mut exemplars = Exemplars::new(&vec![false; api.functions.len()]);
        offer(&api, &mut exemplars, "x = make; look &x", &[]);
        assert_eq!(exemplars.all(), []);
    }
}
