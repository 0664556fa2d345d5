//! What a run leaves behind: its findings, its summary and its exit code.

use provoke_engine::{Finding, Graph};
use provoke_host::{Surroundings, toolchain};
use provoke_report::{
    ApiSummary, Event, ExitCode, Finding as Reported, FunctionReason, GrowthPoint, SearchSummary, Seconds, StoppedBy,
    Summary, TestCounts, UserError,
};

use super::{Done, Session};
use crate::assemble::Assembled;
use crate::coverage::SourceCoverage;
use crate::growth::Growth;
use crate::options::Run;
use crate::pattern::FunctionFilter;
use crate::prepare::function_reason;
use crate::regression::Regression;
use crate::troubles::Troubles;
use crate::uncovered::uncovered_reasons;
use crate::verification::Verification;
use crate::written_tests::WrittenTests;

impl Session<'_> {
    pub(super) fn finish(
        &self,
        run: &Run,
        assembled: &Assembled,
        (verification, regression): (Verification, Option<Regression>),
        search: SearchSummary,
        seconds: Seconds,
        (api, troubles, coverage, growth): (ApiSummary, Troubles, Option<SourceCoverage>, Growth),
    ) -> Result<Done, UserError> {
        let reported = verification.reported;
        self.results.forget_findings_but(reported.iter().map(|(shown, _)| shown.id.as_str()));
        for (shown, finding) in &reported {
            self.results.write_finding(&assembled.api, shown, finding)?;
        }
        let suite = regression.as_ref().and_then(|regression| regression.source.as_deref());
        if let Some(source) = suite {
            self.results.write_regression(source)?;
        }
        let surroundings = Surroundings { interrupt: self.interrupt.flag(), ..Surroundings::default() };
        let accepts_unused = self.unused_accepts(run, search.stopped_by, &reported);
        let coverage_summary = coverage.as_ref().map(SourceCoverage::summary);
        let end = GrowthPoint {
            seconds: seconds.search,
            calls: search.calls,
            programs: search.programs,
            edges: coverage_summary.as_ref().map(|coverage| coverage.edges),
            functions: api.covered,
            findings: reported.len() as u64,
        };
        let summary = Summary {
            version: Summary::VERSION,
            package: self.target.package_name.clone(),
            package_version: self.target.version.clone(),
            seed: run.seed,
            seconds,
            api,
            search,
            coverage: coverage_summary,
            growth: growth.into_points(end),
            tests: TestCounts {
                failing: reported.iter().filter(|(shown, _)| shown.test.is_some()).count() as u64,
                regression: regression.as_ref().map(|regression| regression.n_tests),
                rejected: verification.n_rejected,
                regression_left_out: regression.as_ref().map(|regression| regression.n_left_out),
            },
            findings: reported.iter().map(|(shown, _)| shown.clone()).collect(),
            provoke_version: env!("CARGO_PKG_VERSION").to_string(),
            toolchain: toolchain(&self.target.working_directory, &surroundings)
                .map_or_else(|_| String::new(), |toolchain| format!("rustc {}", toolchain.rustc_version)),
            accepts_unused,
            blocked: troubles.blocked,
            quarantined: troubles.quarantined,
            contracts: troubles.contracts,
        };
        self.results.write_summary(&summary)?;
        if let Some(coverage) = &coverage {
            self.results.write_coverage(&coverage.reached)?;
        }
        if run.write_tests {
            let tests = WrittenTests { package_root: &self.target.package_root, command_line: &run.command_line };
            let (path, n_tests) = tests.write(&summary, suite)?;
            self.console.emit(&Event::TestsWritten { path: path.display().to_string(), n_tests });
        }
        let code = ExitCode::of_run(&summary, run.deny);
        let reached = coverage.map_or_else(Vec::new, |coverage| coverage.files);
        let directory = self.results.directory.display().to_string();
        self.console.emit(&Event::Done { summary: Box::new(summary.clone()), directory });
        Ok(Done { code, summary: Some(summary), reached, ..Done::without_summary() })
    }

    /// The accepted findings that a complete run did not meet; what is not complete cannot tell.
    fn unused_accepts(&self, run: &Run, stopped_by: StoppedBy, reported: &[(Reported, Finding)]) -> Vec<String> {
        let is_complete = stopped_by != StoppedBy::Interrupt && run.functions == FunctionFilter::default();
        if !is_complete || self.config.is_shared {
            return Vec::new();
        }
        let accepts = self.config.config.accepts.iter().map(|accept| &accept.id);
        let mut unused: Vec<String> =
            accepts.filter(|id| !reported.iter().any(|(shown, _)| shown.id == **id)).cloned().collect();
        unused.sort();
        unused
    }

    pub(super) fn api_summary(
        &self,
        assembled: &Assembled,
        graph: &Graph,
        covered: &[bool],
        is_selected: &[bool],
    ) -> ApiSummary {
        let model = &self.prepared.model;
        let is_listed = |index: usize| is_selected[index];
        let callable = &self.prepared.is_callable;
        let uncovered: Vec<FunctionReason> = uncovered_reasons(assembled, graph, covered, callable)
            .into_iter()
            .filter(|(index, _)| is_listed(*index))
            .map(|(index, hindrance)| function_reason(hindrance.skip(&model.functions[index].display)))
            .collect();
        ApiSummary {
            functions: model.functions.len() as u64,
            callable: callable.iter().filter(|yes| **yes).count() as u64,
            covered: covered.iter().filter(|yes| **yes).count() as u64,
            skipped: self.prepared.skipped.clone(),
            uncovered,
            covered_functions: model
                .functions
                .iter()
                .zip(covered)
                .filter(|(_, is_covered)| **is_covered)
                .map(|(function, _)| function.display.clone())
                .collect(),
        }
    }
}
