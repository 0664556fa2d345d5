//! What a worker saw when it ran a program. No policy here: verdicts are made in the tool.

use crate::blocked::Blocked;
use crate::bytes::{DecodeError, Reader, Writer};
use crate::checked::{Checked, Point};
use crate::comparison::Comparison;
use crate::fault::Fault;
use crate::program::Program;

/// Which part of a statement was running.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Phase {
    /// The operation itself, or an explicit drop statement.
    Call = 0,
    /// Hashing or formatting a value at the end of the program.
    Observe = 1,
    /// Dropping what was left at the end; the statement is the one that made the value.
    Cleanup = 2,
    /// Asking whether the preconditions of a call hold, before it is made, or what is specified about values after it.
    Check = 3,
}

impl Phase {
    pub fn from_bits(bits: u32) -> Option<Phase> {
        Some(match bits {
            0 => Phase::Call,
            1 => Phase::Observe,
            2 => Phase::Cleanup,
            3 => Phase::Check,
            _ => return None,
        })
    }
}

/// A panic that reached the executor, as the panic hook saw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panic {
    pub statement: u32,
    pub phase: Phase,
    pub message: String,
    /// Where `#[track_caller]` puts it; only a hint of the place.
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// Bytes of stack from the program to there: the same for the same way.
    pub depth: u32,
    /// The text of the backtrace, empty unless asked for.
    pub backtrace: String,
}

/// Whether a value holds another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Variant {
    Plain = 0,
    /// `None` or `Err`
    Empty = 1,
    /// `Some` or `Ok`
    Full = 2,
}

/// The fingerprint of one slot at the end of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observed {
    pub slot: u32,
    pub variant: Variant,
    /// `None` where the type can be neither hashed nor formatted.
    pub fingerprint: Option<u64>,
}

/// The `Debug` text of one slot after one statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedStep {
    pub statement: u32,
    pub slot: u32,
    pub text: String,
}

/// A text that a call returned, as it was then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeText {
    pub slot: u32,
    pub text: String,
}

/// A precondition that kept a call from being made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unmet {
    pub statement: u32,
    /// Which of those that its operation has.
    pub guard: u32,
    pub answer: Answer,
}

/// What came of asking a precondition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Answer {
    No = 0,
    /// It panicked, or the worker ended.
    Nothing = 1,
    /// Asked twice, it said yes and no.
    Unsteady = 2,
}

impl Unmet {
    fn encode(unmet: Option<Unmet>, writer: &mut Writer) {
        writer.u8(unmet.map_or(0, |unmet| 1 + unmet.answer as u8));
        if let Some(unmet) = unmet {
            writer.u32(unmet.statement);
            writer.u32(unmet.guard);
        }
    }

    fn decode(reader: &mut Reader<'_>) -> Result<Option<Unmet>, DecodeError> {
        let answer = match reader.u8("unmet precondition")? {
            0 => return Ok(None),
            1 => Answer::No,
            2 => Answer::Nothing,
            3 => Answer::Unsteady,
            _ => return Err(reader.error("unmet precondition")),
        };
        let (statement, guard) = (reader.u32("unmet precondition")?, reader.u32("unmet precondition")?);
        Ok(Some(Unmet { statement, guard, answer }))
    }
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Finished,
    /// The first panic of the outcome ended it.
    Panicked,
    /// The worker ended; filled in by whoever watches it. The statement and phase are from the shared page.
    Signal {
        statement: u32,
        phase: Phase,
        signal: i32,
    },
    Exit {
        statement: u32,
        phase: Phase,
        code: i32,
    },
    StackOverflow {
        statement: u32,
        phase: Phase,
    },
    TimedOut {
        statement: u32,
        phase: Phase,
    },
    MemoryExhausted {
        statement: u32,
        phase: Phase,
    },
}

/// A program that allocates more than this is dear: it holds up the search.
pub const DEAR_BYTES: u64 = 1 << 20;

/// What a comparison of the target costs, in bytes that could be allocated instead.
pub const COMPARISON_BYTES: u64 = 8;

const NO_STATEMENT: u32 = u32::MAX;

/// All that is known of one run of one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub ending: Ending,
    /// In the order in which they happened; more than one where cleaning up panicked too.
    pub panics: Vec<Panic>,
    pub observed: Vec<Observed>,
    pub steps: Vec<TracedStep>,
    /// What tracked elements noticed first.
    pub fault: Option<Fault>,
    /// What a sandbox kept it from doing first.
    pub blocked: Option<Blocked>,
    /// Operations that were executed, nested bodies included.
    pub n_calls: u32,
    /// Bytes that were allocated while the program ran, and [`COMPARISON_BYTES`](crate::COMPARISON_BYTES) for each comparison of
    /// the target, where those are counted, and for each nanosecond that it slept.
    pub cost: u64,
    /// The statement of the main body in which what it had allocated, or compared, came to [`DEAR_BYTES`](crate::DEAR_BYTES).
    pub dear: Option<u32>,
    /// The end of what the worker wrote to its standard error, where it died.
    pub last_output: String,
    /// Where the worker was when it ran out of time or stack, as std prints a backtrace, if it was asked for and the worker told.
    pub stack: String,
    /// Watched edges that it reached and that were not known, in ascending order; none where the worker died.
    pub edges: Vec<u32>,
    /// What was compared, in order, where it was asked for.
    pub comparisons: Vec<Comparison>,
    /// Short texts that calls returned, where comparisons were asked for.
    pub texts: Vec<MadeText>,
    /// The precondition at which it ended.
    pub unmet: Option<Unmet>,
    /// The specification at which it ended, or that could not be asked.
    pub checked: Option<Checked>,
    /// When histories were looked at, where steps were asked for.
    pub points: Vec<Point>,
}

impl Default for Outcome {
    fn default() -> Outcome {
        Outcome {
            ending: Ending::Finished,
            panics: Vec::new(),
            observed: Vec::new(),
            steps: Vec::new(),
            fault: None,
            blocked: None,
            n_calls: 0,
            cost: 0,
            dear: None,
            last_output: String::new(),
            stack: String::new(),
            edges: Vec::new(),
            comparisons: Vec::new(),
            texts: Vec::new(),
            unmet: None,
            checked: None,
            points: Vec::new(),
        }
    }
}

impl Outcome {
    /// Whether everything in it is about statements and slots that the program has. A worker in which anything may have
    /// happened can say anything.
    pub fn fits(&self, program: &Program) -> bool {
        let n_statements = program.main.statements.len() as u32;
        // What is about no statement is put on the first, also where there is none.
        let is_there = |statement: u32| statement < n_statements.max(1);
        self.panics.iter().all(|panic| is_there(panic.statement))
            && self.observed.iter().all(|observed| observed.slot < program.main.n_slots())
            && self.steps.iter().all(|step| is_there(step.statement) && step.slot < program.main.n_slots())
            && self.dear.is_none_or(is_there)
            && self.fault.is_none_or(|fault| is_there(fault.statement))
            && self.blocked.is_none_or(|blocked| is_there(blocked.statement))
            && self.texts.iter().all(|made| made.slot < program.main.n_slots())
            && self.unmet.is_none_or(|unmet| is_there(unmet.statement))
            && self.checked.is_none_or(|it| it.n_statements <= n_statements && it.slot < program.main.n_slots())
            && self.points.iter().all(|it| is_there(it.statement) && it.slot < program.main.n_slots())
            && self.edges.is_sorted_by(|a, b| a < b)
    }

    pub fn encode(&self, writer: &mut Writer) {
        writer.u8(u8::from(self.ending == Ending::Panicked));
        writer.u32(self.n_calls);
        writer.u64(self.cost);
        writer.u32(self.dear.unwrap_or(NO_STATEMENT));
        writer.u32(self.observed.len() as u32);
        for observed in &self.observed {
            writer.u32(observed.slot << 4 | (observed.variant as u32) << 1 | u32::from(observed.fingerprint.is_some()));
            writer.u64(observed.fingerprint.unwrap_or(0));
        }
        writer.u32(self.panics.len() as u32);
        for panic in &self.panics {
            writer.u32(panic.statement);
            writer.u8(panic.phase as u8);
            writer.text(&panic.message);
            writer.text(&panic.file);
            writer.u32(panic.line);
            writer.u32(panic.column);
            writer.u32(panic.depth);
            writer.text(&panic.backtrace);
        }
        writer.u32(self.steps.len() as u32);
        for step in &self.steps {
            writer.u32(step.statement);
            writer.u32(step.slot);
            writer.text(&step.text);
        }
        Fault::encode(self.fault, writer);
        Blocked::encode(self.blocked, writer);
        writer.words(&self.edges);
        writer.u32(self.comparisons.len() as u32);
        self.comparisons.iter().for_each(|comparison| comparison.encode(writer));
        writer.u32(self.texts.len() as u32);
        for made in &self.texts {
            writer.u32(made.slot);
            writer.text(&made.text);
        }
        Unmet::encode(self.unmet, writer);
        Checked::encode(self.checked, writer);
        writer.u32(self.points.len() as u32);
        self.points.iter().for_each(|point| point.encode(writer));
    }

    pub fn decode(reader: &mut Reader<'_>) -> Result<Outcome, DecodeError> {
        let ending = match reader.u8("ending")? {
            0 => Ending::Finished,
            1 => Ending::Panicked,
            _ => return Err(reader.error("ending")),
        };
        let n_calls = reader.u32("calls")?;
        let cost = reader.u64("cost")?;
        let dear = Some(reader.u32("dear statement")?).filter(|&statement| statement != NO_STATEMENT);
        let n_observed = reader.count(12, "observed")?;
        let mut observed = Vec::with_capacity(n_observed);
        for _ in 0..n_observed {
            let word = reader.u32("observed slot")?;
            let hash = reader.u64("fingerprint")?;
            let variant = match word >> 1 & 7 {
                0 => Variant::Plain,
                1 => Variant::Empty,
                2 => Variant::Full,
                _ => return Err(reader.error("variant")),
            };
            observed.push(Observed { slot: word >> 4, variant, fingerprint: (word & 1 != 0).then_some(hash) });
        }
        let mut panics = Vec::new();
        for _ in 0..reader.count(25, "panics")? {
            panics.push(Panic {
                statement: reader.u32("panic")?,
                phase: Phase::from_bits(reader.u8("phase")?.into()).ok_or(reader.error("phase"))?,
                message: reader.text("message")?,
                file: reader.text("file")?,
                line: reader.u32("line")?,
                column: reader.u32("column")?,
                depth: reader.u32("depth")?,
                backtrace: reader.text("backtrace")?,
            });
        }
        if ending == Ending::Panicked && panics.is_empty() {
            return Err(reader.error("panics"));
        }
        let mut steps = Vec::new();
        for _ in 0..reader.count(12, "steps")? {
            steps.push(TracedStep {
                statement: reader.u32("step")?,
                slot: reader.u32("step")?,
                text: reader.text("step")?,
            });
        }
        let fault = Fault::decode(reader)?;
        let blocked = Blocked::decode(reader)?;
        let edges = reader.words("edges")?;
        let n_comparisons = reader.count(17, "comparisons")?;
        let comparisons = (0..n_comparisons).map(|_| Comparison::decode(reader)).collect::<Result<_, _>>()?;
        let mut texts = Vec::new();
        for _ in 0..reader.count(8, "texts")? {
            texts.push(MadeText { slot: reader.u32("text")?, text: reader.text("text")? });
        }
        let unmet = Unmet::decode(reader)?;
        let checked = Checked::decode(reader)?;
        let n_points = reader.count(12, "points")?;
        let points = (0..n_points).map(|_| Point::decode(reader)).collect::<Result<_, _>>()?;
        Ok(Outcome {
            ending,
            panics,
            observed,
            steps,
            fault,
            blocked,
            n_calls,
            cost,
            dear,
            last_output: String::new(),
            stack: String::new(),
            edges,
            comparisons,
            texts,
            unmet,
            checked,
            points,
        })
    }
}

/// The outcomes of a batch in program order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatchReport {
    pub number: u64,
    /// Fewer than there were programs if one has changed the process: the others are not to feel it.
    pub outcomes: Vec<Outcome>,
    /// The worker asks to be replaced: it has leaked too much for literals that must live for ever, or a program has done
    /// something to the process that others may feel.
    pub wants_renewal: bool,
}

impl BatchReport {
    pub fn encode(&self, writer: &mut Writer) {
        let mut report = ReportWriter::new(writer, self.number);
        for outcome in &self.outcomes {
            report.push(outcome);
        }
        report.finish(self.wants_renewal);
    }

    pub fn decode(bytes: &[u8]) -> Result<BatchReport, DecodeError> {
        let mut reader = Reader::new(bytes);
        let number = reader.u64("batch number")?;
        let wants_renewal = reader.u8("renewal")? != 0;
        let n_outcomes = reader.count(45, "outcomes")?;
        let mut outcomes = Vec::with_capacity(n_outcomes);
        for _ in 0..n_outcomes {
            outcomes.push(Outcome::decode(&mut reader)?);
        }
        if !reader.is_at_end() {
            return Err(reader.error("report"));
        }
        Ok(BatchReport { number, outcomes, wants_renewal })
    }
}

/// Writes a report as its outcomes come in, so that a worker keeps one outcome and not a batch of them.
pub struct ReportWriter<'a> {
    writer: &'a mut Writer,
    n_outcomes: u32,
}

impl<'a> ReportWriter<'a> {
    /// Where the encoding says whether the worker wants to be replaced; known only at the end.
    const RENEWAL_AT: usize = 8;
    /// And how many programs have run.
    const N_OUTCOMES_AT: usize = 9;

    /// Replaces the contents of `writer` by the beginning of a report.
    pub fn new(writer: &'a mut Writer, number: u64) -> ReportWriter<'a> {
        writer.bytes.clear();
        writer.u64(number);
        writer.u8(0);
        writer.u32(0);
        ReportWriter { writer, n_outcomes: 0 }
    }

    /// Appends the next outcome.
    pub fn push(&mut self, outcome: &Outcome) {
        outcome.encode(self.writer);
        self.n_outcomes += 1;
    }

    pub fn finish(self, wants_renewal: bool) {
        self.writer.bytes[Self::RENEWAL_AT] = u8::from(wants_renewal);
        self.writer.bytes[Self::N_OUTCOMES_AT..Self::N_OUTCOMES_AT + 4].copy_from_slice(&self.n_outcomes.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocked::Forbidden;
    use crate::checked::CheckAnswer;
    use crate::comparison::Operands;
    use crate::fault::FaultKind;

    fn sample() -> BatchReport {
        let panic = Panic {
            statement: 4,
            phase: Phase::Cleanup,
            message: "boom".into(),
            file: "src/lib.rs".into(),
            line: 3,
            column: 9,
            depth: 640,
            backtrace: String::new(),
        };
        let observed = Observed { slot: 1, variant: Variant::Empty, fingerprint: Some(u64::MAX) };
        let unseen = Observed { slot: 2, variant: Variant::Plain, fingerprint: None };
        let bad = Outcome {
            ending: Ending::Panicked,
            panics: vec![panic],
            observed: vec![observed, unseen],
            steps: vec![TracedStep { statement: 0, slot: 0, text: "[1]".into() }],
            fault: Some(Fault { kind: FaultKind::UseAfterDrop, statement: 2, phase: Phase::Call }),
            blocked: Some(Blocked { what: Forbidden::Network, statement: 1, phase: Phase::Cleanup }),
            n_calls: 5,
            cost: 77,
            edges: vec![0, 4, u32::MAX],
            comparisons: vec![
                Comparison { site: 7, statement: 2, operands: Operands::Numbers { n_bytes: 4, a: 1, b: 2 } },
                Comparison { site: 8, statement: 0, operands: Operands::Case { n_bytes: 1, value: 3, case: 4 } },
                Comparison {
                    site: 9,
                    statement: 5,
                    operands: Operands::Bytes { a: b"ab".to_vec(), b: b"cd".to_vec() },
                },
            ],
            texts: vec![MadeText { slot: 3, text: "ab".into() }],
            unmet: Some(Unmet { statement: 4, guard: 1, answer: Answer::Unsteady }),
            checked: Some(Checked { op: 3, slot: 2, n_statements: 5, answer: CheckAnswer::Discarded }),
            points: vec![Point { statement: 1, slot: 0, op: 3 }],
            ..Outcome::default()
        };
        BatchReport { number: 9, outcomes: vec![Outcome::default(), bad], wants_renewal: true }
    }

    #[test]
    fn an_outcome_fits_programs_that_have_its_statements_and_slots() {
        let outcome = sample().outcomes.remove(1);
        let mut program = Program::default();
        for n_statements in 0..8 {
            assert_eq!(outcome.fits(&program), n_statements > 4, "{n_statements}");
            program.main.push_call(0, &[]);
        }
        assert!(Outcome::default().fits(&Program::default()));
        for edges in [vec![2, 2], vec![2, 1]] {
            assert!(!Outcome { edges, ..Outcome::default() }.fits(&Program::default()));
        }
    }

    #[test]
    fn a_report_survives_the_wire_and_damage_never_panics() {
        let mut writer = Writer::default();
        sample().encode(&mut writer);
        let good = writer.bytes;
        assert_eq!(BatchReport::decode(&good), Ok(sample()));
        for at in 0..good.len() {
            assert!(BatchReport::decode(&good[..at]).is_err(), "cut at {at}");
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                let _ = BatchReport::decode(&bad);
            }
        }
    }
}
