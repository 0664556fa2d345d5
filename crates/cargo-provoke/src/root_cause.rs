//! One finding per root cause: of those that were verified, the best example is shown and the others are counted on it.

use provoke_engine::{Bucket, Buckets, Finding, is_better_example};
use provoke_report::Finding as Reported;

/// The best example of each cause, the worst tier first, then by id.
pub fn one_per_cause(verified: Vec<(Reported, Finding)>, buckets: &Buckets) -> Vec<(Reported, Finding)> {
    let mut best: Vec<(Reported, Finding)> = Vec::new();
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
        reported.n_similar = reported.also_through.len() as u64;
    }
    best.sort_by(|(a, _), (b, _)| (a.tier, &a.id).cmp(&(b.tier, &b.id)));
    best
}
