//! How often the preconditions of the API's functions were met.
//!
//! A component is replayed whenever something is built from it, and its calls keep their
//! preconditions each time. So a function that is hard to call rightly looks easy by all calls; how
//! hard it is, only *new* calls tell: those that no component brought along.

use provoke_wire::{Answer, Ending, Outcome, Phase, Program, StatementKind};
use serde::{Deserialize, Serialize};

use crate::api::{Api, Op};
use crate::saved_forms::{RestoreError, ensure};

/// What became of the calls of one function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempts {
    pub n_attempts: u64,
    /// Calls that break a precondition, or of which that cannot be told.
    pub n_violated: u64,
}

impl Attempts {
    fn add(&mut self, is_violated: bool) {
        self.n_attempts += 1;
        self.n_violated += u64::from(is_violated);
    }
}

/// What became of asking one clause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClauseRecord {
    pub n_violated: u64,
    /// It panicked.
    pub n_panics: u64,
    /// The worker did not survive it, or ran out of time.
    pub n_deaths: u64,
    /// Asked twice, it said yes and no.
    pub n_unsteady: u64,
    /// How often it was asked of new calls, and broken by them.
    pub new: Attempts,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preconditions {
    /// By function; nothing where no function has a precondition.
    functions: Vec<Attempts>,
    /// By function: of new calls only.
    new_functions: Vec<Attempts>,
    /// By place in [`Api::preconditions`].
    clauses: Vec<ClauseRecord>,
}

impl Preconditions {
    pub(crate) fn new(api: &Api) -> Preconditions {
        let n_functions = if api.preconditions.is_empty() { 0 } else { api.functions.len() };
        Preconditions {
            functions: vec![Attempts::default(); n_functions],
            new_functions: vec![Attempts::default(); n_functions],
            clauses: vec![ClauseRecord::default(); api.preconditions.len()],
        }
    }

    /// Of a function, by its place.
    pub fn attempts(&self, function: u32) -> Attempts {
        self.functions.get(function as usize).copied().unwrap_or_default()
    }

    /// Of new calls of a function, by its place.
    pub fn new_attempts(&self, function: u32) -> Attempts {
        self.new_functions.get(function as usize).copied().unwrap_or_default()
    }

    /// Of a clause, by its place.
    pub fn clause(&self, precondition: u32) -> ClauseRecord {
        self.clauses.get(precondition as usize).copied().unwrap_or_default()
    }

    /// Takes in what became of a program that came as far as `stopped_at`; from `first_new` on its
    /// statements are new.
    pub(crate) fn learn(&mut self, api: &Api, program: &Program, outcome: &Outcome, first_new: u32, stopped_at: u32) {
        if self.clauses.is_empty() {
            return;
        }
        let broken = self.broken_clause(api, program, outcome, stopped_at);
        self.learn_new(api, program, broken, first_new, stopped_at);
        let tried = program.main.statements.iter().take(stopped_at as usize + 1);
        for call in tried.filter(|statement| statement.kind == StatementKind::Call) {
            let op = &api.ops[call.op as usize];
            for function in [op.function, op.trait_function].into_iter().flatten() {
                self.functions[function as usize].n_attempts += 1;
            }
        }
        let Some(broken) = broken else { return };
        let op = &api.ops[program.main.statements[stopped_at as usize].op as usize];
        for function in [op.function, op.trait_function].into_iter().flatten() {
            self.functions[function as usize].n_violated += 1;
        }
        if let Some(clause) = broken {
            let record = &mut self.clauses[clause as usize];
            record.n_violated += 1;
            match outcome.unmet.map(|unmet| unmet.answer) {
                Some(Answer::Nothing) => record.n_panics += 1,
                Some(Answer::Unsteady) => record.n_unsteady += 1,
                Some(Answer::No) => {}
                None if is_death_of_clause(outcome.ending) => record.n_deaths += 1,
                None => {}
            }
        }
    }

    /// Counts new calls, and which clauses were asked of them.
    fn learn_new(
        &mut self,
        api: &Api,
        program: &Program,
        broken: Option<Option<u32>>,
        first_new: u32,
        stopped_at: u32,
    ) {
        let reached = (0..=stopped_at).zip(&program.main.statements).skip(first_new as usize);
        for (at, call) in reached.filter(|(_, statement)| statement.kind == StatementKind::Call) {
            let op = &api.ops[call.op as usize];
            let broken = broken.filter(|_| at == stopped_at);
            for function in [op.function, op.trait_function].into_iter().flatten() {
                self.new_functions[function as usize].add(broken.is_some());
            }
            for (clause, is_broken) in asked(api, op, broken) {
                self.clauses[clause as usize].new.add(is_broken);
            }
        }
    }

    /// The clause at which a call ended before it began; `Some(None)` where nobody knows which.
    fn broken_clause(&self, api: &Api, program: &Program, outcome: &Outcome, stopped_at: u32) -> Option<Option<u32>> {
        let call = program.main.statements.get(stopped_at as usize).filter(|line| line.kind == StatementKind::Call)?;
        let op = &api.ops[call.op as usize];
        if let Some(unmet) = outcome.unmet {
            return Some(op.guards.get(unmet.guard as usize).copied());
        }
        if is_death_of_clause(outcome.ending) {
            // Only of an operation with one clause it is known which one it was.
            let [only] = op.guards[..] else { return Some(None) };
            return Some(Some(only));
        }
        // What only the contract itself can tell: known by its place.
        let panic =
            outcome.panics.first().filter(|panic| panic.phase == Phase::Call && panic.statement == stopped_at)?;
        let broken = api.preconditions_of(op).find(|(number, precondition)| {
            // What shares its place with clauses of other kinds is known by the message.
            let is_meant = !precondition.place.is_optional || panic.message.starts_with("precondition ");
            precondition.place.is_of(panic) && is_meant && !op.guards.contains(number)
        });
        broken.map(|(place, _)| Some(place))
    }

    /// Takes over what was saved about the same functions.
    pub(crate) fn restore(&mut self, saved: Preconditions) -> Result<(), RestoreError> {
        let lengths = |it: &Preconditions| [it.functions.len(), it.new_functions.len(), it.clauses.len()];
        let is_alike = lengths(&saved) == lengths(self);
        *self = saved;
        ensure(is_alike, "preconditions")
    }
}

/// The clauses that were asked of a call, and whether they were broken. Those that the contract
/// itself checks come after the others, and where one of them is broken nobody knows which of them
/// came before it.
fn asked(api: &Api, op: &Op, broken: Option<Option<u32>>) -> Vec<(u32, bool)> {
    let guards = op.guards.iter().copied();
    match broken {
        None => {
            let others =
                api.preconditions_of(op).map(|(clause, _)| clause).filter(|clause| !op.guards.contains(clause));
            guards.chain(others).map(|clause| (clause, false)).collect()
        }
        Some(None) => Vec::new(),
        Some(Some(broken)) => {
            let before = guards.take_while(|clause| *clause != broken).map(|clause| (clause, false));
            before.chain([(broken, true)]).collect()
        }
    }
}

fn is_death_of_clause(ending: Ending) -> bool {
    match ending {
        Ending::Finished | Ending::Panicked => false,
        Ending::Signal { phase, .. }
        | Ending::Exit { phase, .. }
        | Ending::StackOverflow { phase, .. }
        | Ending::TimedOut { phase, .. }
        | Ending::MemoryExhausted { phase, .. } => phase == Phase::Check,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{ClausePlace, PreconditionFacts};
    use crate::test_support::{sample, saved_and_read};
    use provoke_wire::{Panic, Unmet};

    /// `number` has two clauses, of which the second can be asked before the call.
    fn api() -> Api {
        let mut api = sample::api();
        let number = api.ops.iter().position(|op| op.key == "number").unwrap();
        let function = api.ops[number].function.unwrap();
        for line in [3, 4] {
            let place = ClausePlace { file: "src/lib.rs".into(), line, column: 12, is_optional: false };
            api.preconditions.push(PreconditionFacts { function, text: format!("n > {line}"), place });
        }
        api.ops[number].guards = vec![1];
        api
    }

    fn learned(outcome: &Outcome, first_new: u32) -> Preconditions {
        let api = api();
        let main = sample::body(&api, "n = 1u8; number =n; number =n; number =n");
        let stopped_at = if outcome.ending == Ending::Finished { 4 } else { 2 };
        let mut preconditions = Preconditions::new(&api);
        preconditions.learn(&api, &Program { main, observe_from: 0 }, outcome, first_new, stopped_at);
        let mut restored = Preconditions::new(&api);
        restored.restore(saved_and_read(&preconditions)).unwrap();
        assert_eq!(restored, preconditions);
        preconditions
    }

    /// Of all calls.
    fn records(outcome: &Outcome) -> (Attempts, [ClauseRecord; 2]) {
        let preconditions = learned(outcome, 9);
        let function = api().preconditions[0].function;
        (preconditions.attempts(function), [0, 1].map(|place| preconditions.clause(place)))
    }

    /// Of new calls: attempts and violations, of the function and of its clauses.
    fn new_records(outcome: &Outcome, first_new: u32) -> [(u64, u64); 3] {
        let preconditions = learned(outcome, first_new);
        let function = api().preconditions[0].function;
        let [one, other] = [0, 1].map(|place| preconditions.clause(place).new);
        [preconditions.new_attempts(function), one, other].map(|it| (it.n_attempts, it.n_violated))
    }

    const NONE: ClauseRecord = ClauseRecord {
        n_violated: 0,
        n_panics: 0,
        n_deaths: 0,
        n_unsteady: 0,
        new: Attempts { n_attempts: 0, n_violated: 0 },
    };

    #[test]
    fn calls_are_counted_and_those_that_break_a_clause_put_down_to_it() {
        let (attempts, clauses) = records(&Outcome::default());
        assert_eq!((attempts, clauses), (Attempts { n_attempts: 3, n_violated: 0 }, [NONE; 2]));
        let broken = Attempts { n_attempts: 2, n_violated: 1 };
        let one = ClauseRecord { n_violated: 1, ..NONE };
        for (answer, record) in [
            (Answer::No, one),
            (Answer::Nothing, ClauseRecord { n_panics: 1, ..one }),
            (Answer::Unsteady, ClauseRecord { n_unsteady: 1, ..one }),
        ] {
            let unmet = Some(Unmet { statement: 2, guard: 0, answer });
            let outcome = Outcome { ending: Ending::Panicked, unmet, ..Outcome::default() };
            assert_eq!(records(&outcome), (broken, [NONE, record]));
        }
        let ending = Ending::TimedOut { statement: 2, phase: Phase::Check };
        let died = records(&Outcome { ending, ..Outcome::default() });
        assert_eq!(died, (broken, [NONE, ClauseRecord { n_deaths: 1, ..one }]));
    }

    fn panic_at(line: u32) -> Panic {
        Panic {
            statement: 2,
            phase: Phase::Call,
            message: "Pre-condition of number violated: n > 3".into(),
            file: "src/lib.rs".into(),
            line,
            column: 12,
            depth: 0,
            backtrace: String::new(),
        }
    }

    #[test]
    fn what_only_the_contract_can_tell_is_known_by_its_place() {
        let outcome = |line| Outcome { ending: Ending::Panicked, panics: vec![panic_at(line)], ..Outcome::default() };
        let broken = Attempts { n_attempts: 2, n_violated: 1 };
        assert_eq!(records(&outcome(3)), (broken, [ClauseRecord { n_violated: 1, ..NONE }, NONE]));
        assert_eq!(records(&outcome(9)), (Attempts { n_violated: 0, ..broken }, [NONE; 2]), "something else");
    }

    #[test]
    fn what_components_brought_along_is_no_attempt() {
        assert_eq!(new_records(&Outcome::default(), 0), [(3, 0); 3]);
        assert_eq!(new_records(&Outcome::default(), 3), [(1, 0); 3]);
        assert_eq!(new_records(&Outcome::default(), 4), [(0, 0); 3]);
    }

    #[test]
    fn a_clause_is_asked_where_the_earlier_ones_hold() {
        let unmet = Some(Unmet { statement: 2, guard: 0, answer: Answer::No });
        let refused = Outcome { ending: Ending::Panicked, unmet, ..Outcome::default() };
        assert_eq!(
            new_records(&refused, 0),
            [(2, 1), (1, 0), (2, 1)],
            "the guard comes before the contract's own check"
        );
        assert_eq!(new_records(&refused, 2), [(1, 1), (0, 0), (1, 1)]);
        assert_eq!(new_records(&refused, 3), [(0, 0); 3], "the refused call was no new one");
        let by_contract = Outcome { ending: Ending::Panicked, panics: vec![panic_at(3)], ..Outcome::default() };
        assert_eq!(new_records(&by_contract, 2), [(1, 1), (1, 1), (1, 0)]);
        let elsewhere = Outcome { panics: vec![panic_at(9)], ..by_contract };
        assert_eq!(new_records(&elsewhere, 2), [(1, 0); 3], "a call that panics has met its preconditions");
    }
}
