//! What the search had reached when: a curve for `summary.json`.
//!
//! There is a point after each batch that brought something new, so the last one tells when the last new thing came. Of more
//! than can be plotted, those that lie close together go: early on everything grows fast, so distance is that of the logarithms
//! of calls. Which points stay does not depend on the clock.

use provoke_report::{GrowthPoint, Progress};
use serde::{Deserialize, Serialize};

const MAX_POINTS: usize = 200;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Growth {
    points: Vec<GrowthPoint>,
}

impl Growth {
    /// Where the search is after a batch.
    pub fn follow(&mut self, progress: &Progress, programs: u64, seconds: f64) {
        self.add(GrowthPoint {
            seconds,
            calls: progress.calls,
            programs,
            edges: progress.edges.map(|(n_reached, _)| n_reached),
            functions: progress.functions_covered,
            findings: progress.findings,
        });
    }

    /// It has no effect if there is nothing new.
    fn add(&mut self, point: GrowthPoint) {
        let reached = |point: &GrowthPoint| (point.edges, point.functions, point.findings);
        if self.points.last().is_some_and(|last| reached(last) == reached(&point)) {
            return;
        }
        self.points.push(point);
        if self.points.len() > MAX_POINTS {
            let crowded =
                (1..self.points.len() - 1).reduce(|best, at| if self.is_closer(at, best) { at } else { best });
            crowded.map(|at| self.points.remove(at));
        }
    }

    /// Whether the neighbours of one point are closer to each other than those of another, in ratio.
    fn is_closer(&self, at: usize, other: usize) -> bool {
        let calls = |at: usize| u128::from(self.points[at].calls.max(1));
        calls(at + 1) * calls(other - 1) < calls(other + 1) * calls(at - 1)
    }

    /// The curve of a run that ended here. Of its findings only those count that are reported in the end, since some turn out to
    /// have the same cause; others are only found when the search is over.
    pub fn into_points(mut self, end: GrowthPoint) -> Vec<GrowthPoint> {
        for point in &mut self.points {
            point.findings = point.findings.min(end.findings);
        }
        self.points.dedup_by_key(|point| (point.edges, point.functions, point.findings));
        self.add(end);
        self.points
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn point(calls: u64, edges: u64, findings: u64) -> GrowthPoint {
        GrowthPoint { seconds: 0.5, calls, programs: calls / 10, edges: Some(edges), functions: 3, findings }
    }

    #[test]
    fn only_what_brings_something_new_is_a_point() {
        let mut growth = Growth::default();
        for (calls, edges, findings) in [(10, 4, 0), (20, 4, 0), (30, 4, 1), (40, 7, 1), (50, 7, 1)] {
            growth.add(point(calls, edges, findings));
        }
        let calls: Vec<u64> = growth.points.iter().map(|point| point.calls).collect();
        assert_eq!(calls, [10, 30, 40]);
    }

    #[test]
    fn of_many_points_the_first_the_last_and_an_even_spread_stay() {
        let mut growth = Growth::default();
        for n in 1..=100_000 {
            growth.add(point(100 + n * n, n, 0));
        }
        let calls: Vec<u64> = growth.points.iter().map(|point| point.calls).collect();
        assert_eq!((calls.len(), calls[0], calls[MAX_POINTS - 1]), (MAX_POINTS, 101, 10_000_000_100));
        assert!(calls.is_sorted());
        let mut in_decade = [0; 9];
        for calls in calls {
            in_decade[calls.ilog10() as usize - 2] += 1;
        }
        expect!["[27, 25, 26, 26, 27, 27, 22, 19, 1]"].assert_eq(&format!("{in_decade:?}"));
    }

    #[test]
    fn the_last_point_has_the_totals_and_none_before_it_has_more() {
        let mut growth = Growth::default();
        for (calls, edges, findings) in [(10, 4, 1), (20, 4, 2), (30, 4, 3), (40, 5, 3)] {
            growth.add(point(calls, edges, findings));
        }
        let shown = |points: Vec<GrowthPoint>| -> Vec<(u64, u64)> {
            points.iter().map(|point| (point.calls, point.findings)).collect()
        };
        assert_eq!(shown(growth.clone().into_points(point(90, 5, 2))), [(10, 1), (20, 2), (40, 2)]);
        assert_eq!(shown(growth.into_points(point(90, 5, 4))), [(10, 1), (20, 2), (30, 3), (40, 3), (90, 4)]);
    }
}
