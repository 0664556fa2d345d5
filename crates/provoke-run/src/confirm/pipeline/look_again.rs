//! The first stage: the program once more, quickly, to drop what is known and what is no finding.

use provoke_engine::{Executor, ExecutorError, Failure, FaultyClause, Judgement};
use provoke_wire::FaultKind;

use crate::confirm::lead::Lead;
use crate::confirm::pipeline::causes::Causes;
use crate::confirm::replayer::{Look, Process, Replayer};

pub(crate) enum LookedAgain {
    /// It is no finding. A clause of a contract may be to blame.
    Excused(Option<FaultyClause>),
    /// It is one that is known, or one that there is no time for.
    Settled,
    /// It is the same place through another function, and not worth more than to be counted.
    LeadsTo(Judgement),
    /// Worth a closer look: what was seen of it.
    Open(Look),
}

pub(crate) fn look_again(
    replayer: &Replayer<'_>,
    executor: &mut dyn Executor,
    lead: &Lead,
    causes: &Causes,
    may_minimize: bool,
) -> Result<LookedAgain, ExecutorError> {
    let options = replayer.options(lead.incident.activity);
    let look = replayer.look(executor, &lead.incident, &lead.program, Process::Warm, options)?;
    let judgement = match &look {
        Look::Excused(clause) => return Ok(LookedAgain::Excused(clause.clone())),
        Look::Gone => return Ok(LookedAgain::Open(look)),
        Look::Shows(_, judgement) => judgement,
    };
    if causes.has_found(judgement) {
        return Ok(LookedAgain::Settled);
    }
    // Which call lost an element, only a minimal program tells.
    if lead.incident.event == Failure::Tracked(FaultKind::Leak) && !may_minimize {
        return Ok(LookedAgain::Settled);
    }
    // When the time for minimising is over, the same place through yet another function is not worth more of it. Nor is it
    // ever if each look costs a worker, and this function cannot show it better than the one that is known.
    let example = causes.example_of(judgement);
    let is_well_shown = matches!(lead.incident.event, Failure::Signal(_))
        && example
            .is_some_and(|known| known.program.main.n_calls() <= 1 && known.judgement.function <= judgement.function);
    if is_well_shown || example.is_some() && !may_minimize {
        return Ok(LookedAgain::LeadsTo(judgement.clone()));
    }
    Ok(LookedAgain::Open(look))
}
