//! What came of asking specifications after each step.

use provoke_wire::{
    CheckAnswer, Checked, DecodeError, Ending, Mode, Outcome, Panic, Phase, Program, Reader, StatementKind, Writer,
};

use crate::api::Api;

/// What became of asking one specification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpecificationRecord {
    /// Programs that a model threw away.
    pub n_discarded: u64,
    /// It panicked.
    pub n_panics: u64,
    /// Asked twice, it said yes and no.
    pub n_unsteady: u64,
}

impl SpecificationRecord {
    fn fields(&mut self) -> [&mut u64; 3] {
        [&mut self.n_discarded, &mut self.n_panics, &mut self.n_unsteady]
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Specifications {
    /// By place in [`Api::specifications`].
    records: Vec<SpecificationRecord>,
    /// Workers that did not survive being asked, or ran out of time; nobody knows by whom.
    n_deaths: u64,
}

impl Specifications {
    pub(super) fn new(api: &Api) -> Specifications {
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
    pub(super) fn learn(&mut self, api: &Api, program: &Program, outcome: &Outcome) {
        if self.records.is_empty() {
            return;
        }
        if let Some((at, Phase::Check)) = death_of(outcome.ending) {
            let call = program.main.statements.get(at as usize).filter(|line| line.kind == StatementKind::Call);
            let has_guards = call.is_some_and(|call| !api.ops[call.op as usize].guards.is_empty());
            self.n_deaths += u64::from(!has_guards);
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

    pub(super) fn save(&self, writer: &mut Writer) {
        writer.u64(self.n_deaths);
        writer.u32(self.records.len() as u32);
        for mut record in self.records.iter().copied() {
            record.fields().into_iter().for_each(|n| writer.u64(*n));
        }
    }

    pub(super) fn restore(&mut self, reader: &mut Reader<'_>) -> Result<(), DecodeError> {
        self.n_deaths = reader.u64("specifications")?;
        if reader.count(24, "specifications")? != self.records.len() {
            return Err(reader.error("specifications"));
        }
        for record in &mut self.records {
            for field in record.fields() {
                *field = reader.u64("specification")?;
            }
        }
        Ok(())
    }
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
pub(super) fn asked_at_end(program: &Program, outcome: &Outcome) -> Option<(Program, Outcome)> {
    let checked = outcome.checked.filter(|checked| checked.answer == CheckAnswer::Broken)?;
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
