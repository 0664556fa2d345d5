//! What a run leaves behind: its findings, its summary and its exit code.

use provoke_engine::Graph;
use provoke_host::{CargoContext, toolchain};
use provoke_report::{
    ApiSummary, Event, ExitCode, FunctionReason, GrowthPoint, SearchSummary, Seconds, StoppedBy, Summary, TestCounts,
    UserError,
};

use crate::config::pattern::FunctionFilter;
use crate::prepare::assemble::Assembled;
use crate::prepare::{Prepared, function_reason};
use crate::regression::Regression;
use crate::results::coverage::SourceCoverage;
use crate::results::growth::Growth;
use crate::results::troubles::Troubles;
use crate::results::uncovered::uncovered_reasons;
use crate::results::written_tests::WrittenTests;
use crate::run::PackageRun;
use crate::session::Session;
use crate::settings::RunSettings;
use crate::verify::verifier::Verification;

/// All that a run of one package came to.
pub(crate) struct Conclusion<'a> {
    pub session: &'a Session<'a>,
    pub settings: &'a RunSettings,
    pub assembled: &'a Assembled,
    pub verification: Verification,
    pub regression: Option<Regression>,
    pub search: SearchSummary,
    pub seconds: Seconds,
    pub troubles: Troubles,
    pub coverage: Option<SourceCoverage>,
    pub growth: Growth,
}

impl Conclusion<'_> {
    /// Writes all files, and tells of them.
    pub fn write(self, graph: &Graph, covered: &[bool], is_selected: &[bool]) -> Result<PackageRun, UserError> {
        let Session { results, events, target, .. } = self.session;
        let reported = &self.verification.reported;
        results.forget_findings_but(reported.iter().map(|(shown, _)| shown.id.as_str()));
        for (shown, finding) in reported {
            results.write_finding(&self.assembled.api, shown, finding)?;
        }
        let suite = self.regression.as_ref().and_then(|regression| regression.source.clone());
        if let Some(source) = &suite {
            results.write_regression(source)?;
        }
        let mut api = self.api_summary(graph, covered, is_selected);
        self.troubles.explain(&mut api.uncovered);
        let settings = self.settings;
        let (summary, coverage) = self.into_summary(api);
        results.write_summary(&summary)?;
        if let Some(coverage) = &coverage {
            results.write_coverage(&coverage.reached)?;
        }
        if settings.write_tests {
            let tests = WrittenTests { package_root: &target.package_root, command_line: &settings.command_line };
            let (path, n_tests) = tests.write(&summary, suite.as_deref())?;
            events.emit(Event::TestsWritten { path: path.display().to_string(), n_tests });
        }
        let code = ExitCode::of_run(&summary, settings.deny);
        let reached = coverage.map_or_else(Vec::new, |coverage| coverage.files);
        let directory = results.directory.display().to_string();
        events.emit(Event::Done { summary: Box::new(summary.clone()), directory });
        Ok(PackageRun { code, summary, reached })
    }

    fn into_summary(self, api: ApiSummary) -> (Summary, Option<SourceCoverage>) {
        let accepts_unused = self.unused_accepts();
        let Conclusion { session, verification, regression, search, seconds, coverage, troubles, .. } = self;
        let target = session.target;
        let cargo_context = CargoContext { interrupt: session.interrupt().flag(), ..CargoContext::default() };
        let reported = verification.reported;
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
            package: target.package_name.clone(),
            package_version: target.version.clone(),
            seed: self.settings.seed,
            seconds,
            api,
            search,
            coverage: coverage_summary,
            growth: self.growth.into_points(end),
            tests: TestCounts {
                failing: reported.iter().filter(|(shown, _)| shown.test.is_some()).count() as u64,
                regression: regression.as_ref().map(|regression| regression.n_tests),
                rejected: verification.n_rejected,
                regression_left_out: regression.as_ref().map(|regression| regression.n_left_out),
            },
            findings: reported.into_iter().map(|(shown, _)| shown).collect(),
            provoke_version: env!("CARGO_PKG_VERSION").to_string(),
            toolchain: toolchain(&target.working_directory, &cargo_context)
                .map_or_else(|_| String::new(), |toolchain| format!("rustc {}", toolchain.rustc_version)),
            accepts_unused,
            blocked: troubles.blocked,
            quarantined: troubles.quarantined,
            contracts: troubles.contracts,
        };
        (summary, coverage)
    }

    /// The accepted findings that a complete run did not meet; what is not complete cannot tell.
    fn unused_accepts(&self) -> Vec<String> {
        let is_complete =
            self.search.stopped_by != StoppedBy::Interrupt && self.settings.functions == FunctionFilter::default();
        if !is_complete || self.session.config.is_shared {
            return Vec::new();
        }
        let reported = &self.verification.reported;
        let accepts = self.session.config.config.accepts.iter().map(|accept| &accept.id);
        let mut unused: Vec<String> =
            accepts.filter(|id| !reported.iter().any(|(shown, _)| shown.id == **id)).cloned().collect();
        unused.sort();
        unused
    }

    fn api_summary(&self, graph: &Graph, covered: &[bool], is_selected: &[bool]) -> ApiSummary {
        let Prepared { model, is_callable, skipped, .. } = &self.session.prepared;
        let uncovered: Vec<FunctionReason> = uncovered_reasons(self.assembled, graph, covered, is_callable)
            .into_iter()
            .filter(|(index, _)| is_selected[*index])
            .map(|(index, skip_reason)| function_reason(skip_reason.skip(&model.functions[index].display)))
            .collect();
        ApiSummary {
            functions: model.functions.len() as u64,
            callable: self.session.prepared.n_callable(),
            covered: covered.iter().filter(|yes| **yes).count() as u64,
            skipped: skipped.clone(),
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
