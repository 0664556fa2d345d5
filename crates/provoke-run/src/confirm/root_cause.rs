//! One finding per root cause: of those that were verified, the best example is shown and the others are counted on it.
//!
//! Decision: `docs/decisions/058-crashes-count-on-the-shortest-program.md`

use provoke_engine::{
    Activity, Api, Bucket, Buckets, Failure, Finding, calls_function, is_better_example, last_function,
};
use provoke_report::ReportedFinding;
use provoke_wire::FaultKind;
use std::cmp::Reverse;

/// The best example of each cause, the worst tier first, then by id.
pub fn one_per_cause(
    verified: Vec<(ReportedFinding, Finding)>,
    buckets: &Buckets,
    api: &Api,
) -> Vec<(ReportedFinding, Finding)> {
    let mut best: Vec<(ReportedFinding, Finding)> = Vec::new();
    for (reported, finding) in verified {
        let bucket = Bucket::of(&finding.judgement);
        match best.iter_mut().find(|(_, known)| Bucket::of(&known.judgement) == bucket) {
            Some(known) if is_better_example(&finding, &known.1) => *known = (reported, finding),
            Some(_) => {}
            None => best.push((reported, finding)),
        }
    }
    for (reported, finding) in &mut best {
        reported.also_through = buckets.also_through(&finding.judgement);
    }
    let mut best = without_aftermath(best, api);
    for (reported, _) in &mut best {
        reported.n_similar = reported.also_through.len() as u64;
    }
    best.sort_by(|(a, _), (b, _)| (Reverse(a.tier), &a.id).cmp(&(Reverse(b.tier), &b.id)));
    best
}

/// Broken memory shows wherever it is used next. A crash after a call that was found to break it is counted there; the shortest
/// programs come first, since they stand nearest to the cause.
fn without_aftermath(mut findings: Vec<(ReportedFinding, Finding)>, api: &Api) -> Vec<(ReportedFinding, Finding)> {
    findings.sort_by_key(|(reported, finding)| {
        // What shows by itself before what takes a sanitizer.
        let is_hidden = matches!(finding.incident.event, Failure::Memory(_));
        (finding.program.main.n_calls(), is_hidden, reported.id.clone())
    });
    let mut kept: Vec<(ReportedFinding, Finding)> = Vec::new();
    for (reported, finding) in findings {
        let cause = kept.iter_mut().find(|(_, known)| is_aftermath(&finding, known, api));
        match cause.filter(|_| breaks_memory(&finding)) {
            Some((cause, _)) => {
                let others = std::iter::once(reported.function).chain(reported.also_through);
                cause.also_through.extend(others.filter(|function| *function != cause.function));
                cause.also_through.sort();
                cause.also_through.dedup();
            }
            None => kept.push((reported, finding)),
        }
    }
    kept
}

fn is_aftermath(finding: &Finding, known: &Finding, api: &Api) -> bool {
    // What cannot be dropped was broken by the last call before.
    let function = match known.incident.activity {
        Activity::Drop => last_function(api, &known.program.main),
        _ => Some(known.judgement.function.as_str()),
    };
    breaks_memory(known)
        && function.is_some_and(|function| {
            // The sanitizer sees again what was found by other means, or what else the same call does.
            let is_seen_again = [finding, known].iter().any(|one| matches!(one.incident.event, Failure::Memory(_)));
            (is_seen_again || function != finding.judgement.function)
                && calls_function(api, &finding.program.main, function)
        })
}

fn breaks_memory(finding: &Finding) -> bool {
    matches!(
        finding.incident.event,
        Failure::Signal(_) | Failure::Memory(_) | Failure::Tracked(FaultKind::DoubleDrop | FaultKind::UseAfterDrop)
    )
}
