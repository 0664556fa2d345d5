//! Several programs as one: what they leave behind in their process, the last one then finds.
//!
//! Decision: `docs/decisions/047-a-program-is-tried-with-its-past.md`

use provoke_wire::{Body, Ending, Mode, Outcome, Program, StatementKind};

use crate::api::Api;
use crate::api::abilities::needs_drop;
use crate::program::loans::Loans;
use crate::program::rebuild::slot_type;

/// Longer ones cost more time to minimise than they are worth.
const MAX_STATEMENTS: usize = 20_000;

/// The programs that ran before another one in the same process, and what became of them.
#[derive(Clone, Copy, Default)]
pub struct Predecessors<'a> {
    /// In earlier batches, as far as they are remembered.
    pub earlier: &'a [(Program, Outcome)],
    /// In the same batch.
    pub programs: &'a [Program],
    pub outcomes: &'a [Outcome],
}

impl<'a> Predecessors<'a> {
    /// Those that ran in the process that ran the last one: a death is followed by a new process.
    fn of_one_process(self) -> Vec<(&'a Program, &'a Outcome)> {
        let earlier = self.earlier.iter().map(|(program, outcome)| (program, outcome));
        let mut all: Vec<_> = earlier.chain(self.programs.iter().zip(self.outcomes)).collect();
        let is_death = |ran: &(_, &Outcome)| !matches!(ran.1.ending, Ending::Finished | Ending::Panicked);
        let first = all.iter().rposition(is_death).map_or(0, |last_death| last_death + 1);
        all.split_off(first)
    }
}

/// One program that does what the others did and then what the last one does, all that `n_times` over. A program that panicked
/// does what it did up to there; the last one, which panicked too, may not do so here before it is repeated. All values are
/// dropped where their own program dropped them.
pub fn joined(api: &Api, before: Predecessors<'_>, n_times: usize, last: &Program) -> Program {
    let mut parts: Vec<(&Program, usize)> = Vec::new();
    let n_last = last.main.statements.len();
    let mut n_left = MAX_STATEMENTS.saturating_sub(n_last);
    let n_run = |(program, outcome): (&'_ Program, &'_ Outcome)| match outcome.ending {
        Ending::Finished => program.main.statements.len(),
        _ => outcome.panics.first().map_or(0, |panic| panic.statement as usize),
    };
    let before = before.of_one_process();
    'all: for nth in 0..n_times {
        let repeated = (nth > 0).then_some((last, n_last));
        let others = before.iter().rev().map(|ran| (ran.0, n_run(*ran)));
        for (program, n_run) in repeated.into_iter().chain(others) {
            // Each statement may need a drop.
            let Some(left) = n_left.checked_sub(2 * n_run) else { break 'all };
            n_left = left;
            parts.push((program, n_run));
        }
    }
    let mut joiner = Joiner { api, out: Body::default(), loans: Loans::new() };
    for (program, n_run) in parts.into_iter().rev() {
        let mut body = program.main.clone();
        body.truncate(n_run);
        let first = joiner.append(&body);
        joiner.drop_from(first);
    }
    joiner.append(&last.main);
    let n_statements = joiner.out.statements.len() as u32;
    Program { main: joiner.out, observe_from: n_statements }
}

struct Joiner<'a> {
    api: &'a Api,
    out: Body,
    loans: Loans,
}

impl Joiner<'_> {
    /// Returns the first slot of what was appended.
    fn append(&mut self, body: &Body) -> u32 {
        let first = self.out.append(body);
        for index in first as usize..self.out.statements.len() {
            let statement = self.out.statements[index];
            let args = self.out.args_of(&statement);
            let slot = index as u32;
            match statement.kind {
                StatementKind::Call => self.loans.call(&self.api.ops[statement.op as usize], args, slot),
                StatementKind::Literal => self.loans.literal(slot),
                StatementKind::Drop => self.loans.end(args[0].slot()),
                StatementKind::Callback => self.loans.callback(args, slot),
            }
        }
        first
    }

    /// Drops what is still there from a slot on, the last first, as the end of a program does.
    fn drop_from(&mut self, first: u32) {
        let mut doomed = Vec::new();
        for slot in (first..self.out.statements.len() as u32).rev() {
            let statement = self.out.statements[slot as usize];
            let runs_code = slot_type(self.api, &statement).is_some_and(|ty| needs_drop(self.api, ty));
            if !runs_code || !self.loans.can_use(slot, Mode::Move) {
                continue;
            }
            doomed.clear();
            self.loans.conflicts(slot, Mode::Move, &mut doomed);
            doomed.push(slot);
            for &slot in &doomed {
                self.out.push_drop(slot);
                self.loans.end(slot);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::check::check_program;
    use crate::test_support::sample;
    use provoke_wire::{Panic, Phase};

    fn joined_text(before: &[(&str, Outcome)], n_times: usize, last: &str) -> String {
        let api = sample::api();
        let program = |text: &str| Program { main: sample::body(&api, text), observe_from: 0 };
        let programs: Vec<Program> = before.iter().map(|(text, _)| program(text)).collect();
        let outcomes: Vec<Outcome> = before.iter().map(|(_, outcome)| outcome.clone()).collect();
        // Where one batch ends makes no difference.
        let n_earlier = programs.len() / 2;
        let earlier: Vec<_> = programs.iter().cloned().zip(outcomes.iter().cloned()).take(n_earlier).collect();
        let (programs, outcomes) = (&programs[n_earlier..], &outcomes[n_earlier..]);
        let predecessors = Predecessors { earlier: &earlier, programs, outcomes };
        let joined = joined(&api, predecessors, n_times, &program(last));
        assert_eq!(check_program(&api, &joined), Ok(()));
        sample::print(&api, &joined.main)
    }

    fn panicked_at(statement: u32) -> Outcome {
        let panic = Panic {
            statement,
            phase: Phase::Call,
            message: String::new(),
            file: String::new(),
            line: 1,
            column: 1,
            depth: 0,
            backtrace: String::new(),
        };
        Outcome { ending: Ending::Panicked, panics: vec![panic], ..Outcome::default() }
    }

    #[test]
    fn values_are_dropped_where_their_program_ended_borrowers_first() {
        let text = joined_text(&[("x = make; r = lend &x; n = look =r", Outcome::default())], 1, "y = make; take y");
        let expected = "s0 = make\ns1 = lend &s0\ns2 = look =s1\ndrop s1\ndrop s0\ns5 = make\ns6 = take s5\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_program_that_panicked_counts_up_to_there_and_one_that_died_ends_the_process() {
        let died = Outcome { ending: Ending::Exit { statement: 0, phase: Phase::Call, code: 1 }, ..Outcome::default() };
        let before = [
            ("n = 1u8; number =n", Outcome::default()),
            ("n = 2u8; number =n", died),
            ("n = 3u8; number =n; number =n", panicked_at(2)),
        ];
        let text = joined_text(&before, 1, "n = 4u8; number =n");
        assert_eq!(text, "s0 = U8(3)\ns1 = number =s0\ns2 = U8(4)\ns3 = number =s2\n");
    }

    #[test]
    fn all_of_it_can_be_repeated() {
        let text = joined_text(&[("n = 1u8", Outcome::default())], 3, "n = 4u8");
        let expected = ["U8(1)", "U8(4)", "U8(1)", "U8(4)", "U8(1)", "U8(4)"];
        assert_eq!(text.lines().map(|line| line.rsplit(' ').next().unwrap()).collect::<Vec<_>>(), expected);
    }
}
