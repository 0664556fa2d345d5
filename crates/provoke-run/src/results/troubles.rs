//! Functions that could not be tested as one would like: blocked by the sandbox, in quarantine, or never called rightly.

use std::collections::BTreeSet;
use std::path::Path;

use provoke_engine::{
    Api, ClausePlace, ClauseRecord, ClauseTrouble, FaultyClause, PreconditionFacts, Quarantined, Search,
    SpecificationOf, SpecificationRecord, forbidden_words,
};
use provoke_report::{
    AskedSpecification, BlockedFunction, Contracts, FunctionReason, GuardClause, GuardedFunction, NewCalls,
    QuarantinedFunction, plural,
};
use provoke_wire::Forbidden;

use crate::prepare::contracts::ClauseFacts;

/// All by name of the function.
pub struct Troubles {
    pub blocked: Vec<BlockedFunction>,
    pub quarantined: Vec<QuarantinedFunction>,
    pub contracts: Option<Contracts>,
}

impl Troubles {
    pub fn of(search: &Search<'_>, api: &Api, package_root: &Path, clauses: ClauseFacts) -> Troubles {
        let blocked = |(function, what, times): (&str, Forbidden, u64)| BlockedFunction {
            function: function.to_string(),
            what: forbidden_words(what).to_string(),
            times,
        };
        let quarantined = |found: Quarantined| QuarantinedFunction {
            function: api.functions[found.function as usize].path.clone(),
            why: found.why.to_string(),
            times: found.times.into(),
        };
        let mut troubles = Troubles {
            blocked: search.blocked().iter().map(blocked).collect(),
            quarantined: search.quarantined().into_iter().map(quarantined).collect(),
            contracts: contracts(search, api, package_root, clauses),
        };
        troubles.quarantined.sort_by(|a, b| a.function.cmp(&b.function));
        troubles
    }

    /// What the sandbox did to a function, or what nobody could meet, is a better reason than what the search makes of it.
    pub fn explain(&self, uncovered: &mut [FunctionReason]) {
        for entry in uncovered {
            let guarded = self.contracts.iter().flat_map(|contracts| &contracts.functions);
            let unmet = guarded.filter(|guarded| guarded.attempts > 0 && guarded.satisfied == 0);
            if let Some(hardest) =
                unmet.filter(|guarded| guarded.function == entry.function).find_map(|guarded| guarded.hardest())
            {
                entry.reason = format!("no call met its precondition `{}`", hardest.text);
                entry.help = None;
            }
            if let Some(blocked) = self.blocked.iter().find(|blocked| blocked.function == entry.function) {
                entry.reason = format!("no call returned normally: the sandbox keeps it from {}", blocked.what);
                entry.help = Some("if you trust it with that, `--sandbox off`".to_string());
            }
        }
    }
}

/// How the preconditions of all functions fared, what else is stated, and which clauses are no good; nothing if there are none.
fn contracts(search: &Search<'_>, api: &Api, package_root: &Path, facts: ClauseFacts) -> Option<Contracts> {
    let n_promises = facts.postconditions.stated + facts.invariants.stated;
    if api.preconditions.is_empty() && api.specifications.is_empty() && facts.spoilt.is_empty() && n_promises == 0 {
        return None;
    }
    let preconditions = search.preconditions();
    let is_left_out = |at: &ClausePlace| facts.left_out.contains(&(at.file.clone(), at.line, at.column));
    let is_asked = |place: u32| api.ops.iter().any(|op| op.guards.contains(&place));
    let mut contracts = Contracts {
        postconditions: facts.postconditions,
        invariants: facts.invariants,
        specifications: specifications(search, api),
        ..Contracts::default()
    };
    for (function, number) in api.functions.iter().zip(0u32..) {
        let clauses: Vec<GuardClause> = api
            .preconditions
            .iter()
            .zip(0u32..)
            .filter(|(precondition, _)| precondition.function == number)
            .map(|(precondition, place)| {
                let record = preconditions.clause(place);
                GuardClause {
                    text: precondition.text.clone(),
                    location: location(precondition, package_root),
                    asked_before: is_asked(place),
                    checked: is_asked(place) || !is_left_out(&precondition.place),
                    violated: record.n_violated,
                    new_calls: NewCalls::new(record.new.n_attempts, record.new.n_violated),
                    trouble: trouble(record),
                }
            })
            .collect();
        if clauses.is_empty() {
            continue;
        }
        let (attempts, new_attempts) = (preconditions.attempts(number), preconditions.new_attempts(number));
        let satisfied = attempts.n_attempts - attempts.n_violated;
        if attempts.n_attempts > 0 && satisfied == 0 {
            contracts.never_met.push(function.path.clone());
        }
        contracts.functions.push(GuardedFunction {
            function: function.path.clone(),
            attempts: attempts.n_attempts,
            satisfied,
            violated: attempts.n_violated,
            new_calls: NewCalls::new(new_attempts.n_attempts, new_attempts.n_violated),
            clauses,
        });
    }
    contracts.spoilt_clauses = facts.spoilt.into_iter().map(spoilt).collect();
    // What was asked before calls is told with their functions.
    let told = contracts.functions.iter().flat_map(|function| &function.clauses).filter(|it| it.trouble.is_some());
    let told: BTreeSet<(&String, &String)> = told.map(|clause| (&clause.location, &clause.text)).collect();
    contracts.spoilt_clauses.retain(|clause| !told.contains(&(&clause.location, &clause.text)));
    contracts.spoilt_clauses.sort_by(|a, b| a.location.cmp(&b.location).then_with(|| a.trouble.cmp(&b.trouble)));
    Some(contracts)
}

/// A clause with which something is wrong, in words.
fn spoilt(clause: FaultyClause) -> provoke_report::SpoiltClause {
    let FaultyClause { kind, text, place, trouble } = clause;
    let trouble = match trouble {
        ClauseTrouble::Panics => "panics itself",
        ClauseTrouble::NeverEnds => "does not come to an end",
        ClauseTrouble::OverflowsStack => "overflows the stack",
        ClauseTrouble::Writes => "changes what it is about",
    };
    let location = format!("{}:{}:{}", place.file, place.line, place.column);
    provoke_report::SpoiltClause {
        kind: kind.name().into(),
        text,
        function: place.function,
        location,
        trouble: trouble.into(),
    }
}

/// What came of asking specifications.
fn specifications(search: &Search<'_>, api: &Api) -> Vec<AskedSpecification> {
    let asked = |(place, it): (usize, &SpecificationOf)| {
        let SpecificationRecord { n_discarded, n_panics, n_unsteady, n_answers } =
            search.specifications().record(place);
        let asked = (it.kind == "law").then_some(n_answers + n_panics);
        // Nobody knows who of several it was.
        let n_deaths = search.specifications().n_deaths();
        let trouble = if n_deaths > 0 && api.specifications.len() == 1 {
            Some(format!("does not come to an end, or ends the process ({})", plural(n_deaths, "time")))
        } else if n_deaths > 0 {
            let times = plural(n_deaths, "time");
            Some(format!("or another one does not come to an end, or ends the process ({times})"))
        } else if n_unsteady > 0 {
            Some(format!("says something else when asked again ({})", plural(n_unsteady, "time")))
        } else if n_panics > 0 {
            Some(format!("panics itself ({})", plural(n_panics, "time")))
        } else if asked == Some(0) {
            Some("was never asked: nothing made all that it is about".into())
        } else {
            None
        };
        AskedSpecification {
            kind: it.kind.to_string(),
            specification: it.path.clone(),
            discarded: n_discarded,
            asked,
            trouble,
        }
    };
    api.specifications.iter().enumerate().map(asked).collect()
}

fn location(precondition: &PreconditionFacts, package_root: &Path) -> String {
    let place = &precondition.place;
    let file = Path::new(&place.file);
    format!("{}:{}:{}", file.strip_prefix(package_root).unwrap_or(file).display(), place.line, place.column)
}

/// What is wrong with a clause itself.
fn trouble(record: ClauseRecord) -> Option<String> {
    let ClauseRecord { n_panics, n_deaths, n_unsteady, .. } = record;
    if n_deaths > 0 {
        Some(format!("does not come to an end, or ends the process ({})", plural(n_deaths, "time")))
    } else if n_unsteady > 0 {
        Some(format!("says something else when asked again ({})", plural(n_unsteady, "time")))
    } else if n_panics > 0 {
        Some(format!("panics itself ({})", plural(n_panics, "time")))
    } else {
        None
    }
}
