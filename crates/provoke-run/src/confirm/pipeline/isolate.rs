//! The second stage: the program alone in a fresh process, or, where it needs one, with the past that it had.
//!
//! Decision: `docs/decisions/047-a-program-is-tried-with-its-past.md`

use provoke_engine::{
    Executor, ExecutorError, Failure, FaultyClause, Finding, FindingId, Incident, Judgement, Predecessors, Steadiness,
    Verdict, joined,
};
use provoke_wire::{FaultKind, Phase, Program, RunOptions};

use crate::confirm::lead::{Encounter, Lead};
use crate::confirm::replayer::{Look, Process, Replayer};

/// How often the batch before a program is replayed: what earlier batches left behind in the process, the same calls may
/// leave behind again.
const REPETITIONS: [usize; 2] = [1, 8];

pub(crate) enum Isolated {
    Found(Box<Finding>),
    /// It is no finding. A clause of a contract may be to blame.
    Excused(Option<FaultyClause>),
    /// It was met in a process with a past that nobody knows: the search may come by it in a better way.
    TryLater,
    /// It is not worth remembering.
    Dropped,
}

/// What a program shows, and in which processes.
type Seen = (Incident, Judgement, Program, Steadiness);

pub(crate) fn isolate(
    replayer: &Replayer<'_>,
    executor: &mut dyn Executor,
    lead: &Lead,
    first_look: Look,
) -> Result<Isolated, ExecutorError> {
    let program = up_to_failure(lead);
    let options = replayer.options(lead.incident.activity);
    let seen = match replayer.look(executor, &lead.incident, &program, Process::Fresh, options)? {
        Look::Excused(clause) => return Ok(Isolated::Excused(clause)),
        Look::Shows(incident, judgement) => {
            let is_hidden = matches!(first_look, Look::Gone);
            let steadiness = if is_hidden { Steadiness::HiddenState } else { Steadiness::Steady };
            Some((incident, judgement, program, steadiness))
        }
        Look::Gone => {
            let Some(encounter) = &lead.encounter else { return Ok(Isolated::TryLater) };
            // Load and leaks make these come and go, and say nothing about the crate.
            if matches!(lead.incident.event, Failure::TimedOut | Failure::MemoryExhausted) {
                return Ok(Isolated::Dropped);
            }
            with_past(replayer, executor, lead, encounter, &program, first_look)?
        }
    };
    let Some((incident, judgement, program, steadiness)) = seen else { return Ok(Isolated::Dropped) };
    Ok(Isolated::Found(Box::new(Finding {
        id: FindingId::of(&judgement),
        judgement,
        incident,
        n_calls_before_minimizing: program.main.n_calls(),
        program,
        steadiness,
        n_replays: 0,
    })))
}

/// What comes after the failing call never ran.
fn up_to_failure(lead: &Lead) -> Program {
    let mut program = lead.program.clone();
    if lead.incident.phase == Phase::Call && lead.incident.event != Failure::Tracked(FaultKind::Leak) {
        program.main.truncate(lead.incident.at as usize + 1);
        program.observe_from = program.observe_from.min(program.main.statements.len() as u32);
    }
    program
}

/// What is seen only in a process with a past: the programs before it, as one with it, may show it in a fresh process. Otherwise
/// it is elusive.
fn with_past(
    replayer: &Replayer<'_>,
    executor: &mut dyn Executor,
    lead: &Lead,
    encounter: &Encounter,
    program: &Program,
    first_look: Look,
) -> Result<Option<Seen>, ExecutorError> {
    let options = replayer.options(lead.incident.activity);
    let mut together = program.clone();
    let before = encounter.before();
    let of_its_batch = Predecessors { earlier: &[], ..before };
    let with_all = (!before.earlier.is_empty()).then_some((before, 1));
    for (before, n_times) in REPETITIONS.map(|n_times| (of_its_batch, n_times)).into_iter().chain(with_all) {
        together = joined(replayer.api, before, n_times, program);
        let look = replayer.look(executor, &lead.incident, &together, Process::Fresh, options)?;
        if let Look::Shows(incident, judgement) = look {
            return Ok(Some((incident, judgement, together, Steadiness::HiddenState)));
        }
    }
    let as_before = RunOptions { entropy: encounter.entropy, ..options };
    for candidate in [program, &together] {
        let look = replayer.look(executor, &lead.incident, candidate, Process::Fresh, as_before)?;
        if let Look::Shows(_, judgement) = look {
            return Ok(Some((lead.incident.clone(), judgement, program.clone(), Steadiness::Chance)));
        }
    }
    let seen = match first_look {
        Look::Shows(_, judgement) => Some(judgement),
        Look::Excused(_) => None,
        Look::Gone => match replayer.judge.verdict(&lead.incident, &encounter.outcome, &lead.program, false) {
            Verdict::Finding(judgement) => Some(judgement),
            Verdict::Legal | Verdict::Illegal(_) => None,
        },
    };
    Ok(seen.map(|judgement| (lead.incident.clone(), judgement, program.clone(), Steadiness::Elusive)))
}
