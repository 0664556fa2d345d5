//! Judges what a program did, with the sources of the target at hand.

use provoke_engine::{
    Api, Caller, ClauseTrouble, Failure, FaultyClause, FinalPanic, Finding, FindingId, Incident, Judgement,
    MemoryReport, Place, PlaceOrigin, Scene, Sources, Verdict, Whereabouts, judge, places_on_stack, stated_at, triage,
    whereabouts,
};
use provoke_model::{Clause, ClauseKind, describe_site, meant_by};
use provoke_wire::{Outcome, Program};

use crate::confirm::site::Sites;
use crate::prepare::contracts::spoilt_clause;

/// What a panic of a contract is about: one clause, or any of several.
pub struct BrokenClauses {
    pub file: String,
    /// The function that checked them, as symbols call it.
    pub function: String,
    pub clauses: Vec<Clause>,
}

pub struct Judge<'a> {
    api: &'a Api,
    sources: Sources,
    sites: Sites,
}

impl<'a> Judge<'a> {
    pub fn new(api: &'a Api, sources: Sources, sites: Sites) -> Judge<'a> {
        Judge { api, sources, sites }
    }

    pub fn verdict(
        &self,
        incident: &Incident,
        outcome: &Outcome,
        program: &Program,
        uses_large_values: bool,
    ) -> Verdict {
        let stated_at = stated_at(incident, outcome, self.api, &program.main).and_then(|(file, line, column)| {
            let file = self.sources.relative_to_package(&file)?;
            Some(Place { file, line, column, function: String::new() })
        });
        let scene = Scene { stated_at, ..self.scene(incident, outcome, uses_large_values) };
        judge(incident, outcome, self.api, &program.main, Some(&scene))
    }

    /// Something like a finding in an outcome: the same id, or for tracked elements the same kind of fault. Which call is to
    /// blame for one of those is known only when nothing can be left out any more.
    pub fn find_like(&self, finding: &Finding, program: &Program, outcome: &Outcome) -> Option<(Incident, Judgement)> {
        match finding.incident.event {
            Failure::Tracked(_) => {
                self.find_by(program, outcome, |judgement| judgement.oracle == finding.judgement.oracle)
            }
            // One place may do several things to memory.
            event @ Failure::Memory(_) => {
                self.find(&finding.id, program, outcome).filter(|(incident, _)| incident.event == event)
            }
            _ => self.find(&finding.id, program, outcome),
        }
    }

    /// The finding with this id in an outcome, as if all numbers in it were modest.
    pub fn find(&self, id: &FindingId, program: &Program, outcome: &Outcome) -> Option<(Incident, Judgement)> {
        self.find_by(program, outcome, |judgement| FindingId::of(judgement) == *id)
    }

    fn find_by(
        &self,
        program: &Program,
        outcome: &Outcome,
        is_it: impl Fn(&Judgement) -> bool,
    ) -> Option<(Incident, Judgement)> {
        let incidents = triage(outcome, self.api, &program.main).incidents;
        incidents.into_iter().find_map(|incident| match self.verdict(&incident, outcome, program, false) {
            Verdict::Finding(judgement) if is_it(&judgement) => Some((incident, judgement)),
            _ => None,
        })
    }

    /// All findings in an outcome; `is_large` says whether large numbers led to one.
    pub fn findings(
        &self,
        program: &Program,
        outcome: &Outcome,
        is_large: impl Fn(&Incident) -> bool,
    ) -> Vec<(Incident, Judgement)> {
        let incidents = triage(outcome, self.api, &program.main).incidents;
        let finding = |incident: Incident| match self.verdict(&incident, outcome, program, is_large(&incident)) {
            Verdict::Finding(judgement) => Some((incident, judgement)),
            Verdict::Legal | Verdict::Illegal(_) => None,
        };
        incidents.into_iter().filter_map(finding).collect()
    }

    /// The clauses that a panic is about, if the function that checked them was called by the program itself and they are the
    /// function's own to keep. What callers have to keep, the crate breaks where nobody sees with what.
    pub fn broken_clauses(&self, incident: &Incident, outcome: &Outcome) -> Option<BrokenClauses> {
        let panic = outcome.panics.get(incident.panic?)?;
        let at = (panic.file.as_str(), panic.line, panic.column);
        let whereabouts = whereabouts(&panic.backtrace, at, &self.sources);
        let place = whereabouts.place?;
        let (file, source) = self.sites.source(&place)?;
        let site = describe_site(&source, place.line, place.column);
        let clauses: Vec<Clause> =
            meant_by(&site.clauses, &panic.message, &place.function).into_iter().cloned().collect();
        // Programs call specs through functions that stand beside them.
        let is_called_by_program =
            whereabouts.caller == Caller::Program || clauses.iter().all(|clause| clause.spec.is_some());
        let is_callers = clauses.iter().any(|clause| clause.kind == ClauseKind::Precondition);
        (is_called_by_program && !is_callers).then_some(BrokenClauses { file, function: place.function, clauses })
    }

    fn scene(&self, incident: &Incident, outcome: &Outcome, uses_large_values: bool) -> Scene {
        let panic = incident.panic.and_then(|panic| outcome.panics.get(panic));
        let nowhere = Whereabouts::default();
        let whereabouts = panic.map_or(nowhere, |panic| {
            whereabouts(&panic.backtrace, (&panic.file, panic.line, panic.column), &self.sources)
        });
        let report = match incident.event {
            Failure::Memory(_) => MemoryReport::in_output(&outcome.last_output),
            _ => None,
        };
        let final_panic = match incident.event {
            Failure::Signal(_) => FinalPanic::in_output(&outcome.last_output),
            _ => None,
        };
        let whereabouts = match (&report, final_panic) {
            (Some(report), _) => report.whereabouts(&self.sources),
            (None, Some(panic)) => panic.whereabouts(&self.sources),
            (None, None) => whereabouts,
        };
        let trail = report.map_or_else(Vec::new, |report| report.trail(&self.sources));
        let message = panic.map_or("", |panic| panic.message.as_str());
        let elsewhere = whereabouts.origin != Some(PlaceOrigin::Target);
        let site = whereabouts.place.as_ref().and_then(|place| self.sites.facts(place, message, elsewhere));
        let spoilt_clause = self.spoilt_clause_at(whereabouts.place.as_ref(), incident, outcome);
        Scene { whereabouts, site, uses_large_values, trail, stated_at: None, spoilt_clause }
    }

    /// The clause of a contract that was being asked when something happened, and to which that is due.
    pub fn spoilt_clause(&self, incident: &Incident, outcome: &Outcome) -> Option<FaultyClause> {
        self.scene(incident, outcome, false).spoilt_clause
    }

    /// `place` is where a panic started.
    fn spoilt_clause_at(&self, place: Option<&Place>, incident: &Incident, outcome: &Outcome) -> Option<FaultyClause> {
        let panic = incident.panic.and_then(|panic| outcome.panics.get(panic));
        let (stack, trouble) = match (incident.event, panic) {
            (Failure::Panic(_), Some(panic)) => (&panic.backtrace, ClauseTrouble::Panics),
            (Failure::TimedOut, _) => (&outcome.stack, ClauseTrouble::NeverEnds),
            (Failure::StackOverflow, _) => (&outcome.stack, ClauseTrouble::OverflowsStack),
            _ => return None,
        };
        let message = panic.map_or("", |panic| panic.message.as_str());
        let own = place.filter(|_| panic.is_some());
        // A clause that is answered has the panic in its own condition, or, by the line that a frame has, close to it. What is called by
        // a condition is around the place, whatever went wrong there: another clause, for one.
        let answered = own.map_or_else(Vec::new, |place| self.sites.answered_clauses(place, message));
        let around = places_on_stack(stack, &self.sources);
        let around = around.into_iter().filter(|around| Some(around) != place).map(|around| (around, ""));
        let unanswered = own.map(|place| (place.clone(), message)).into_iter().chain(around).find_map(|(at, said)| {
            let is_of_answered = |clause: &Clause| {
                own.is_some_and(|place| place.file == at.file)
                    && answered.iter().any(|answered| answered.is_asked_with(clause))
            };
            let clause = self.sites.unanswered_clause(&at, said).filter(|clause| !is_of_answered(clause))?;
            Some(spoilt_clause(clause, &at.file, trouble))
        });
        unanswered.or_else(|| {
            let place = own?;
            let clause = self.sites.writing_clause(place, message)?;
            Some(spoilt_clause(clause, &place.file, ClauseTrouble::Writes))
        })
    }
}
