//! One run: every selected package prepared, searched, and reported.

pub mod conclusion;

use std::time::Instant;

use provoke_engine::{Api, End, ExecutorError, Search, Strategy};
use provoke_host::{CargoContext, Pool};
use provoke_report::{
    Event, ExitCode, FileCoverage, RunPhase, SearchSummary, Seconds, StoppedBy, Summary, UserError, per_second,
};

use crate::confirm::checkpoint::SavedRun;
use crate::confirm::root_cause::one_per_cause;
use crate::drive::sanitizer_share::Sanitizing;
use crate::drive::search_run::{Driven, SearchRun, edges_of};
use crate::error::{from_cargo, from_executor};
use crate::events::{Events, Observer, observed};
use crate::prepare::contracts::ClauseFacts;
use crate::prepare::packages::{AllPackages, Package, cargo_context, each, packages};
use crate::regression::{Regression, SuiteWriter};
use crate::results::coverage::SourceCoverage;
use crate::results::outlook::discovery;
use crate::results::troubles::Troubles;
use crate::results::written_tests::origin;
use crate::run::conclusion::Conclusion;
use crate::session::{Purpose, Session};
use crate::settings::{RunSettings, Setup};
use crate::verify::verifier::Verification;

/// A run that has not started yet.
pub struct Run {
    setup: Setup,
    settings: RunSettings,
}

/// How one package went.
#[derive(Clone, Debug)]
pub struct PackageRun {
    pub code: ExitCode,
    /// What is in its `summary.json`, with the findings.
    pub summary: Summary,
    /// What of its sources was reached.
    pub reached: Vec<FileCoverage>,
}

impl Run {
    pub fn new(setup: Setup, settings: RunSettings) -> Run {
        Run { setup, settings }
    }

    /// Tests all packages; the observer hears what happens meanwhile. Nothing is printed. All files are below the target
    /// directory, but for the compiled runtime in the user's cache, and tests in the package's own directory if the settings ask
    /// for them.
    pub fn run(&self, observer: &mut dyn Observer) -> AllPackages<PackageRun> {
        observed(observer, |events| {
            self.all_packages(events).unwrap_or_else(|error| AllPackages {
                packages: Vec::new(),
                n_asked_for: 0,
                end: Err(error),
            })
        })
    }

    fn all_packages(&self, events: &Events) -> Result<AllPackages<PackageRun>, UserError> {
        let cargo_context = cargo_context(&self.setup, events)?;
        self.settings.check()?;
        let packages = packages(&self.setup, &cargo_context, Ok)?;
        Ok(each(&self.setup, &packages, events, |package| {
            let done = self.one_package(package, &cargo_context, events)?;
            Ok((done.code, done))
        }))
    }

    fn one_package(
        &self,
        package: &Package,
        cargo_context: &CargoContext,
        events: &Events,
    ) -> Result<PackageRun, UserError> {
        let started = Instant::now();
        let purpose = Purpose {
            has_probes: self.settings.has_probes,
            omitted: &self.settings.functions.omit,
            has_counters: self.settings.has_counters,
            cover: &self.settings.cover,
        };
        let session = Session::prepare(&self.setup, package, purpose, cargo_context, events)?;
        self.search(&session, started)
    }

    fn search(&self, session: &Session<'_>, started: Instant) -> Result<PackageRun, UserError> {
        let settings = &self.settings;
        let sanitizing = Sanitizing::of(settings, session)?;
        let worker = sanitizing.first_worker(&session.prepared.executable);
        let edges = edges_of(session, settings, worker)?;
        let (mut pool, assembled) = session.pool(worker, settings.jobs, edges.as_ref())?;
        let api = &assembled.api;
        let search_run =
            SearchRun { session, settings, sanitizing: &sanitizing, edges: edges.as_ref(), assembled: &assembled };
        let search_options = search_run.search_options()?;
        let literals = search_run.literals()?;
        let mut search = Search::new(api, &search_options, &literals);
        let saved_run = SavedRun::new(&session.results.directory);
        // Whoever interrupts earlier still has what the last run found.
        let earlier = search_run.begin(&saved_run, &mut search)?;
        if !settings.is_confirming {
            let hint = "leave `findings` out of `--without` to have it reported".to_string();
            session.events.warn("what goes wrong is not looked into", Some(hint));
        }
        session.events.emit(Event::PhaseStarted { phase: RunPhase::Searching });
        let driven = search_run.drive(&mut search, &search_options.is_selected, &mut pool, &saved_run, earlier);
        let Driven { ending, search_seconds, minimize_seconds, ended, confirmed, verification, .. } = driven;
        let stopped_by = self.stopped_by(ending)?;
        if let Some(error) = verification.failure {
            return Err(from_cargo(error));
        }
        if settings.trials > 0 {
            session.results.write_trials(&confirmed.check.rows(&assembled.texts, &session.target.crate_name))?;
        }
        let verification =
            Verification { reported: one_per_cause(verification.reported, &confirmed.buckets, api), ..verification };
        let regression = settings.is_writing_regression.then(|| {
            let writer = SuiteWriter {
                session,
                assembled: &assembled,
                judge: session.judge(api),
                header: self.regression_header(session),
                // What is looked into after the search and what is written share half of its time.
                until: confirmed.time_left.map(|left| ended + left),
            };
            writer.write(&search, &mut pool)
        });
        let n_restarts = pool.restarts() + driven.n_sanitized_restarts;
        let search_summary = SearchSummary {
            worker_restarts: n_restarts,
            suspects_left: confirmed.n_waiting,
            held_by: (!search.covered().contains(&true)).then(|| holder(api, &pool)).flatten(),
            ..what_was_searched(&search, search_options.strategy, search_seconds, stopped_by)
        };
        let seconds = Seconds {
            rustdoc: session.prepared.rustdoc_seconds,
            build: session.prepared.build_seconds,
            search: search_seconds,
            minimize: minimize_seconds,
            verify: verification.seconds
                + regression.as_ref().map_or(0.0, |regression: &Regression| regression.seconds),
            total: started.elapsed().as_secs_f64(),
        };
        let clauses =
            ClauseFacts::new(session.target, &session.prepared.model, confirmed.spoilt_clauses, edges.as_ref());
        let package_root = &session.target.package_root;
        let troubles = Troubles::of(&search, api, package_root, clauses);
        let coverage = edges.as_ref().map(|edges| SourceCoverage::of(edges, search.edges().known(), package_root));
        let conclusion = Conclusion {
            session,
            settings,
            assembled: &assembled,
            verification,
            regression,
            search: search_summary,
            seconds,
            troubles,
            coverage,
            growth: confirmed.growth,
        };
        conclusion.write(search.graph(), search.covered(), &search_options.is_selected)
    }

    fn stopped_by(&self, ending: Result<End, ExecutorError>) -> Result<StoppedBy, UserError> {
        match ending {
            _ if self.setup.interrupt.is_asked() => Ok(StoppedBy::Interrupt),
            Err(error) => Err(from_executor(&error, &self.setup.interrupt)),
            Ok(End::Spent) => Ok(StoppedBy::Calls),
            Ok(End::Exhausted) => Ok(StoppedBy::Exhausted),
            Ok(End::Plateau) => Ok(StoppedBy::Plateau),
            Ok(End::Stopped) => Ok(StoppedBy::Time),
        }
    }

    fn regression_header(&self, session: &Session<'_>) -> Vec<String> {
        let (package, version) = (&session.target.package_name, &session.target.version);
        vec![
            format!(
                "// What {package} {version} does: a test that fails says that this has changed, not that it is wrong."
            ),
            origin(env!("CARGO_PKG_VERSION"), self.settings.seed, &self.settings.command_line),
        ]
    }
}

/// What the search itself knows of how it went.
fn what_was_searched(search: &Search<'_>, strategy: Strategy, seconds: f64, stopped_by: StoppedBy) -> SearchSummary {
    let stats = search.stats();
    SearchSummary {
        programs: stats.programs,
        calls: stats.calls,
        calls_per_second: per_second(stats.calls, seconds),
        components: stats.components,
        worker_restarts: 0,
        replayed_calls: stats.replayed_calls,
        strategy: strategy.name().to_string(),
        stopped_by,
        suspects_left: 0,
        discovery: search.outlook().map(discovery),
        held_by: None,
    }
}

/// The function in which most of the time was spent.
fn holder(api: &Api, pool: &Pool) -> Option<String> {
    let op = api.ops.get(pool.longest_occupied_by()? as usize)?;
    Some(api.functions.get(op.function? as usize)?.path.clone())
}
