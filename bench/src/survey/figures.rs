//! The figures of one run that a survey shows, as its `summary.json` has them.

use serde_json::Value;

/// The figures of one crate, or the sums of several.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    pub n_functions: u64,
    pub n_callable: u64,
    pub n_covered: u64,
    /// Edges reached and edges there are; absent if they were not measured.
    pub edges: Option<(u64, u64)>,
    pub n_errors: u64,
    pub n_suspicious: u64,
    pub n_rejected: u64,
    pub calls_per_second: Option<f64>,
    pub seconds: Seconds,
}

/// How long each phase took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seconds {
    pub rustdoc: f64,
    pub build: f64,
    pub search: f64,
    pub minimize: f64,
    pub verify: f64,
    pub total: f64,
}

impl Figures {
    /// `None` if something is missing that every summary has.
    pub fn from_summary(summary: &Value) -> Option<Figures> {
        let findings = summary["findings"].as_array()?;
        let n_of_tier = |tier: &str| findings.iter().filter(|finding| finding["tier"] == tier).count() as u64;
        let coverage = &summary["coverage"];
        let seconds = |phase: &str| summary["seconds"][phase].as_f64();
        Some(Figures {
            n_functions: summary["api"]["functions"].as_u64()?,
            n_callable: summary["api"]["callable"].as_u64()?,
            n_covered: summary["api"]["covered"].as_u64()?,
            edges: coverage["edges"].as_u64().zip(coverage["edges_total"].as_u64()),
            n_errors: n_of_tier("error"),
            n_suspicious: n_of_tier("suspicious"),
            n_rejected: summary["tests"]["rejected"].as_u64()?,
            calls_per_second: summary["search"]["calls_per_second"].as_f64(),
            seconds: Seconds {
                rustdoc: seconds("rustdoc")?,
                build: seconds("build")?,
                search: seconds("search")?,
                minimize: seconds("minimize")?,
                verify: seconds("verify")?,
                total: seconds("total")?,
            },
        })
    }

    /// Adds up everything but the calls per second, which have no meaningful sum.
    pub fn sum<'a>(all: impl IntoIterator<Item = &'a Figures>) -> Figures {
        let mut sum = Figures::default();
        for figures in all {
            sum.n_functions += figures.n_functions;
            sum.n_callable += figures.n_callable;
            sum.n_covered += figures.n_covered;
            if let Some((edges, edges_total)) = figures.edges {
                let (sum_edges, sum_total) = sum.edges.unwrap_or_default();
                sum.edges = Some((sum_edges + edges, sum_total + edges_total));
            }
            sum.n_errors += figures.n_errors;
            sum.n_suspicious += figures.n_suspicious;
            sum.n_rejected += figures.n_rejected;
            sum.seconds.rustdoc += figures.seconds.rustdoc;
            sum.seconds.build += figures.seconds.build;
            sum.seconds.search += figures.seconds.search;
            sum.seconds.minimize += figures.seconds.minimize;
            sum.seconds.verify += figures.seconds.verify;
            sum.seconds.total += figures.seconds.total;
        }
        sum
    }
}

impl Seconds {
    /// How much of the total was over when the search started. Tests are verified while the search goes on, so taking
    /// the later phases away can take too much; what came before them is a lower bound.
    pub fn before_search(&self) -> f64 {
        let later = self.search + self.minimize + self.verify;
        (self.total - later).max(self.rustdoc + self.build)
    }
}

/// A summary as the tool writes it, with only what a survey reads.
#[cfg(test)]
pub(crate) fn canned_summary(functions: u64, callable: u64, covered: u64) -> Value {
    serde_json::json!({
        "seconds": {"rustdoc": 0.5, "build": 6.25, "search": 20.0, "total": 27.5, "minimize": 0.25, "verify": 0.25},
        "api": {"functions": functions, "callable": callable, "covered": covered, "skipped": [], "uncovered": []},
        "search": {"calls_per_second": 3_412_450},
        "coverage": null,
        "findings": [{"tier": "error"}, {"tier": "suspicious"}, {"tier": "suspicious"}],
        "tests": {"failing": 3, "regression": null, "rejected": 0},
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_count_only_where_they_were_measured() {
        let mut summary = canned_summary(1, 1, 1);
        let edges = |summary: &Value| Figures::from_summary(summary).expect("complete").edges;
        assert_eq!(edges(&summary), None);
        summary["coverage"] = serde_json::json!({"edges": 5, "edges_total": null});
        assert_eq!(edges(&summary), None);
        summary["coverage"]["edges_total"] = 9.into();
        assert_eq!(edges(&summary), Some((5, 9)));
        let measured = Figures { edges: Some((5, 9)), ..Figures::default() };
        let sum = Figures::sum([&measured, &Figures::default(), &measured]);
        assert_eq!(sum.edges, Some((10, 18)));
    }

    #[test]
    fn a_summary_without_its_counts_gives_no_figures() {
        let mut summary = canned_summary(1, 1, 1);
        summary["api"]["covered"] = Value::Null;
        assert_eq!(Figures::from_summary(&summary), None);
    }

    #[test]
    fn verifying_during_the_search_does_not_shorten_the_start() {
        let mut seconds = Seconds { rustdoc: 1.0, build: 2.0, search: 4.0, minimize: 0.5, verify: 0.5, total: 8.5 };
        assert_eq!(seconds.before_search(), 3.5);
        seconds.verify = 4.0;
        assert_eq!(seconds.before_search(), 3.0);
    }
}
