//! The whole tool from top to bottom: which crates, then each one prepared, searched, verified and reported.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Instant;

use provoke_engine::{Api, End, ExecutorError, Regions, Search, SearchOptions, Sources};
use provoke_host::{
    Cache, Edges, FeatureFlags, HarnessDir, LockFlags, Pool, PoolOptions, Profile, Sanitizer, Selection, Surroundings,
    Target, default_target_directory, fetch, find_targets,
};
use provoke_report::{
    Event, ExitCode, FileCoverage, Phase, ReplayedFinding, SearchSummary, Seconds, StoppedBy, Summary, Theme,
    UserError, Verbosity, per_second, render_replayed, render_totals,
};
use provoke_wire::{Literal, Notion, Table};

use crate::args::{Same, Strategy};
use crate::assemble::{Assembled, assemble};
use crate::assessor::Assessor;
use crate::config_file::{FILE_NAME, PackageConfig};
use crate::console::Console;
use crate::contracts::{ClauseFacts, clause_places};
use crate::coverage::{LcovFile, SourceCoverage, numbered_places};
use crate::dependencies::covered_dependencies;
use crate::edge_regions::edge_regions;
use crate::failure::{from_cargo, from_executor, from_io};
use crate::hunt::{Hunt, HuntResults, Limits};
use crate::interrupt::Interrupt;
use crate::json_file::JsonFile;
use crate::laboratory::Laboratory;
use crate::material::{mine_target, source_files};
use crate::options::{Command, Options, Packages, Replay, Run, Subject};
use crate::outlook::discovery;
use crate::pattern::{FunctionFilter, Pattern};
use crate::policy::policy;
use crate::prepare::{Prepared, prepare};
use crate::regression;
use crate::results::Results;
use crate::retirement::Retirement;
use crate::root_cause::one_per_cause;
use crate::sanitizing::{BackgroundBuild, Sanitizing};
use crate::saved_run::{Earlier, Identity, SavedRun};
use crate::site::{Checkers, Sites};
use crate::trials::Trials;
use crate::troubles::Troubles;
use crate::verification::{Verification, Verifier};
use crate::written_tests::origin;
use crate::{listing, replay, sandbox};

mod conclusion;

/// The component set is kept below this, so that the whole tool stays below half a gigabyte.
const MAX_COMPONENT_BYTES: usize = 96 << 20;

/// Calls under a sanitizer may take so many times as long.
const SANITIZER_SLOWNESS: u32 = 3;

pub fn run(options: &Options, console: &Arc<Console>, interrupt: &Interrupt) -> Result<ExitCode, UserError> {
    let sandbox = sandbox::set_up(options.sandbox, console)?;
    let surroundings = Surroundings { sandbox, ..surroundings(options, console, interrupt) };
    if let Command::Run(run) = &options.command {
        run.check()?;
    }
    let mut json = match &options.command {
        Command::Run(Run { json: Some(path), .. }) => Some(JsonFile::open(path)?),
        _ => None,
    };
    let mut lcov = match &options.command {
        Command::Run(Run { lcov: Some(path), .. }) => Some(LcovFile::open(path)?),
        _ => None,
    };
    let mut targets = targets(options, &surroundings)?;
    if let Command::Replay(replay) = &options.command {
        targets = replay::with_findings(replay, targets)?;
    }
    // All before anything is built: who made a mistake in one of them should not wait for the others.
    let configs: Vec<PackageConfig> = targets.iter().map(PackageConfig::of).collect::<Result<_, _>>()?;
    let mut replayed = Vec::new();
    let mut worst = ExitCode::Success;
    let mut failure = None;
    for (target, config) in targets.iter().zip(&configs) {
        match one_target(options, target, config, &surroundings, console, interrupt) {
            Ok(done) => {
                worst = worse(worst, done.code);
                replayed.extend(done.replayed);
                if let (Some(json), Some(summary)) = (&mut json, done.summary) {
                    json.add(summary);
                }
                if let Some(lcov) = &mut lcov {
                    lcov.add(done.reached);
                }
            }
            // One of many without anything to call is no reason to leave the others out.
            Err(error) if error.exit == ExitCode::NothingCallable && targets.len() > 1 => {
                console.error(&error);
                worst = worse(worst, error.exit);
            }
            // What the packages before it came to stays true.
            Err(error) => {
                failure = Some(error);
                break;
            }
        }
        if interrupt.is_asked() {
            break;
        }
    }
    if let Some(json) = json {
        json.write(targets.len())?;
    }
    if let Some(lcov) = lcov {
        lcov.write()?;
    }
    if matches!(options.command, Command::Replay(Replay::All { .. })) {
        console.print(&render_totals(&replayed));
    }
    match failure {
        Some(error) if worse(worst, error.exit) == worst => Ok(worst),
        Some(error) => Err(error),
        None => Ok(worst),
    }
}

/// How one package went.
struct Done {
    code: ExitCode,
    /// Of a search.
    summary: Option<Summary>,
    /// By `replay --all`.
    replayed: Vec<ReplayedFinding>,
    /// By a search.
    reached: Vec<FileCoverage>,
}

impl Done {
    fn without_summary() -> Done {
        Done { code: ExitCode::Success, summary: None, replayed: Vec::new(), reached: Vec::new() }
    }
}

/// Findings in one package matter more than an empty API or a Ctrl-C in another.
fn worse(a: ExitCode, b: ExitCode) -> ExitCode {
    let rank = |code: ExitCode| match code {
        ExitCode::Success => 0,
        ExitCode::NothingCallable => 1,
        ExitCode::Interrupted => 2,
        ExitCode::Findings => 3,
        ExitCode::Usage | ExitCode::TargetDoesNotBuild | ExitCode::Bug => 4,
    };
    if rank(b) > rank(a) { b } else { a }
}

fn surroundings(options: &Options, console: &Arc<Console>, interrupt: &Interrupt) -> Surroundings {
    let is_loud = options.output.verbosity >= Verbosity::Verbose;
    let listener: Option<provoke_host::Listener> = is_loud.then(|| {
        let listener: provoke_host::Listener = Arc::new(|line: &str| {
            use std::io::Write;
            // Who closed standard error cannot be told.
            let _ = writeln!(std::io::stderr(), "{line}");
        });
        listener
    });
    let console = Arc::clone(console);
    let on_wait: provoke_host::Listener =
        Arc::new(move |object: &str| console.emit(&Event::Waiting { object: object.to_string() }));
    Surroundings { interrupt: interrupt.flag(), listener, on_wait: Some(on_wait), ..Surroundings::default() }
}

fn targets(options: &Options, surroundings: &Surroundings) -> Result<Vec<Target>, UserError> {
    let build = &options.build;
    let features = FeatureFlags {
        features: build.features.clone(),
        all_features: build.all_features,
        no_default_features: build.no_default_features,
    };
    let lock = LockFlags { locked: build.locked, offline: build.offline, frozen: build.frozen };
    match &options.subject {
        Subject::Local { manifest_path, packages } => {
            let (named, workspace, exclude) = match packages {
                Packages::Default => (Vec::new(), false, Vec::new()),
                Packages::Named(names) => (names.clone(), false, Vec::new()),
                Packages::Workspace { exclude } => (Vec::new(), true, exclude.clone()),
            };
            let selection =
                Selection { manifest_path: manifest_path.clone(), packages: named, workspace, exclude, features, lock };
            find_targets(&selection, surroundings).map_err(from_cargo)
        }
        Subject::Registry(spec) => {
            let here = std::env::current_dir().map_err(|error| from_io(&PathBuf::from("."), &error))?;
            let target_directory = default_target_directory(&here);
            fetch(spec, &target_directory, &features, lock, surroundings).map(|target| vec![target]).map_err(from_cargo)
        }
    }
}

fn one_target(
    options: &Options,
    target: &Target,
    config: &PackageConfig,
    surroundings: &Surroundings,
    console: &Console,
    interrupt: &Interrupt,
) -> Result<Done, UserError> {
    let started = Instant::now();
    console.emit(&Event::PackageStarted { package: target.package_name.clone(), version: target.version.clone() });
    if target.is_yanked {
        console.emit(&Event::Warning {
            message: format!("{} {} is yanked: its owners took it back", target.package_name, target.version),
            hint: Some(format!("`--crate {}` tests the newest version that is not", target.package_name)),
        });
    }
    if config.overrides_manifest {
        console.emit(&Event::Warning {
            message: format!("`{FILE_NAME}` is used, and `[package.metadata.provoke]` in Cargo.toml is not"),
            hint: Some("keep the configuration in one of them".to_string()),
        });
    }
    let profile = Profile { release: options.build.release, ..Profile::default() };
    let mut harness = HarnessDir::prepare(target, profile, surroundings).map_err(from_cargo)?;
    let cache = Cache::open(target.output_directory().join("cache")).map_err(from_cargo)?;
    let wrapper = std::env::current_exe().map_err(|error| from_io(&PathBuf::from("cargo-provoke"), &error))?;
    match &options.command {
        Command::Run(run) if !run.has_counters => {}
        Command::Run(run) => {
            let covered = covered_dependencies(&harness, &run.cover)?;
            harness = harness.with_counters(&wrapper, covered);
        }
        Command::List { .. } | Command::Replay(_) => harness = harness.with_counters(&wrapper, Vec::new()),
    }
    if target.uses_anodized || target.uses_provoke {
        harness = harness.with_contract_checks(&wrapper);
    }
    let omitted = match &options.command {
        Command::Run(run) => run.functions.omit.as_slice(),
        // A list shows what may be called, and a finding is replayed because somebody asks for it.
        Command::List { .. } | Command::Replay(_) => &[],
    };
    let prepared = prepare(&harness, &cache, &wrapper, config, omitted, console, interrupt)?;
    let results = Results::new(target.output_directory());
    let has_probes = match &options.command {
        Command::Run(run) => run.has_probes,
        Command::List { .. } | Command::Replay(_) => true,
    };
    let session = Session {
        has_probes,
        omitted,
        target,
        config,
        harness: &harness,
        wrapper: &wrapper,
        prepared: &prepared,
        results: &results,
        console,
        interrupt,
    };
    match &options.command {
        Command::Run(run) => session.search(run, started),
        Command::List { functions } => {
            console.print(&listing::listing(&prepared, &results, functions));
            Ok(Done::without_summary())
        }
        Command::Replay(replay) => session.replay(replay),
    }
}

/// One prepared package and everything around it.
pub struct Session<'a> {
    /// Functions for testing only are called, too.
    pub has_probes: bool,
    /// Functions that are not called at all.
    pub omitted: &'a [Pattern],
    pub target: &'a Target,
    pub config: &'a PackageConfig,
    pub harness: &'a HarnessDir,
    /// This program, which cargo calls back in the role of others.
    pub wrapper: &'a Path,
    pub prepared: &'a Prepared,
    pub results: &'a Results,
    pub console: &'a Console,
    pub interrupt: &'a Interrupt,
}

impl Session<'_> {
    /// Workers of one kind, in a directory of their own.
    pub fn start_pool(
        &self,
        (executable, sanitizer): (&Path, Sanitizer),
        jobs: usize,
        edges: Option<&Edges>,
    ) -> Result<(Pool, Table), ExecutorError> {
        let directory = self.target.output_directory();
        let mut options = match sanitizer {
            Sanitizer::None => PoolOptions::new(directory.join("scratch")),
            Sanitizer::Address => PoolOptions::new(directory.join("scratch-asan")),
        };
        if sanitizer != Sanitizer::None {
            options.call_limit *= SANITIZER_SLOWNESS;
            // Its shadow takes terabytes of addresses.
            options.limits_address_space = false;
        }
        let (interrupt, sandbox) = (self.interrupt.flag(), self.harness.sandbox().clone());
        let watch = edges.map(|edges| Arc::new(edges.watch.clone()));
        Pool::start(executable, &PoolOptions { watch, jobs, sanitizer, interrupt, sandbox, ..options })
    }

    pub fn pool(
        &self,
        worker: (&Path, Sanitizer),
        jobs: usize,
        edges: Option<&Edges>,
    ) -> Result<(Pool, Assembled), UserError> {
        let started = self.start_pool(worker, jobs, edges).or_else(|error| {
            // Cargo may have taken a damaged file for the worker.
            let is_rebuilt = worker.1 == Sanitizer::None
                && !self.interrupt.is_asked()
                && self.harness.rebuild(&self.prepared.executable).is_ok();
            if is_rebuilt { self.start_pool(worker, jobs, edges) } else { Err(error) }
        });
        let (pool, table) = started.map_err(|error| from_executor(&error, self.interrupt))?;
        let mut assembled = assemble(&self.prepared.model, &self.prepared.ops, table, self.has_probes);
        let (policy, unmatched) = policy(&self.config.config, self.omitted, &assembled.api);
        assembled.api.policy = policy;
        assembled.api.clauses = clause_places(self.target, &self.prepared.model);
        // What all packages share need not be about each of them.
        for path in unmatched.into_iter().filter(|_| !self.config.is_shared) {
            self.console.emit(&Event::Warning {
                message: format!("`path = \"{path}\"` in the configuration matches no function"),
                hint: Some(format!("`{}` shows the names to match", self.console.theme().command("list"))),
            });
        }
        Ok((pool, assembled))
    }

    fn replay(&self, replay: &Replay) -> Result<Done, UserError> {
        let (mut pool, assembled) = self.pool((&self.prepared.executable, Sanitizer::None), 1, None)?;
        match replay {
            Replay::One { id } => {
                self.console.print(&replay::replay_one(self, &mut pool, &assembled, id)?);
                Ok(Done::without_summary())
            }
            Replay::All { deny } => {
                let tell = |replayed: &ReplayedFinding| self.console.print(&render_replayed(replayed));
                let all = replay::replay_all(self, &mut pool, &assembled, *deny, tell)?;
                let is_denied = all.iter().any(|checked| checked.is_denied);
                let code = if is_denied { ExitCode::Findings } else { ExitCode::Success };
                let replayed = all.into_iter().map(|checked| checked.replayed).collect();
                Ok(Done { code, replayed, ..Done::without_summary() })
            }
        }
    }

    fn search(&self, run: &Run, started: Instant) -> Result<Done, UserError> {
        let sanitizing = Sanitizing::of(run, self.harness, &self.prepared.model, self.wrapper, self.console)?;
        let worker = sanitizing.first_worker(&self.prepared.executable);
        let edges = self.edges(run, worker)?;
        let (mut pool, assembled) = self.pool(worker, run.jobs, edges.as_ref())?;
        let api = &assembled.api;
        let is_selected = selected(api, &run.functions)?;
        if n_callable(self.prepared) == 0 {
            self.results.clear();
            let n_functions = self.prepared.model.functions.len();
            return Err(nothing_callable(&self.target.package_name, n_functions, self.console.theme()));
        }
        let (edge_places, n_places) = edges.as_ref().map(numbered_places).unzip();
        let search_options = SearchOptions {
            strategy: match run.strategy {
                Strategy::Guided => provoke_engine::Strategy::Guided,
                Strategy::Directed => provoke_engine::Strategy::Directed,
                Strategy::Walk => provoke_engine::Strategy::Walk,
                Strategy::Legal => provoke_engine::Strategy::Legal,
            },
            seed: run.seed,
            notion: match run.same {
                _ if !run.is_pruning => Notion::None,
                Same::Equality => Notion::Equality,
                Same::Representation => Notion::Representation,
                Same::None => Notion::None,
            },
            max_calls: sanitizing.first_calls(run.calls),
            until_plateau: run.until_plateau,
            is_selected,
            max_component_bytes: MAX_COMPONENT_BYTES,
            guidance: run.guidance,
            edge_places: edge_places.unwrap_or_default(),
            unsteady_sites: edges.as_ref().map(|edges| edges.unsteady_sites.clone()).unwrap_or_default(),
            regions: edges.as_ref().map_or_else(Regions::default, |edges| {
                edge_regions(edges, &self.prepared.model, &self.target.package_root)
            }),
        };
        let mined = self.interrupt.wait_for({
            let (target, model) = (self.target.clone(), Arc::clone(&self.prepared.model));
            move || mine_target(&target, &model)
        })?;
        // What users give comes first.
        let mined: Vec<Literal> = self.config.config.literals_by_hand().cloned().chain(mined).collect();
        let mut search = Search::new(api, &search_options, &mined);
        let saved_run = SavedRun::new(&self.results.directory);
        // Whoever interrupts earlier still has what the last run found.
        let earlier = self.begin(run, &saved_run, &mut search)?;
        let callable = n_callable(self.prepared);
        if !run.is_hunting {
            self.console.emit(&Event::Warning {
                message: "what goes wrong is not looked into".to_string(),
                hint: Some("leave `findings` out of `--without` to have it reported".to_string()),
            });
        }
        self.console.emit(&Event::PhaseStarted { phase: Phase::Searching });
        let (to_verifier, from_hunt) = channel();
        let retirement = Arc::new(Retirement::of_run(run.time.is_some()));
        let verifier = Verifier {
            harness: self.harness,
            api,
            texts: &assembled.texts,
            crate_name: &self.target.crate_name,
            dependency_names: &self.prepared.dependency_names,
            console: self.console,
            jobs: run.jobs,
            accepts: &self.config.config.accepts,
            results: self.results,
            saved_run: &saved_run,
            earlier: earlier.verified,
            sanitized: sanitizing.build(),
            retirement: &retirement,
        };
        let limits = |gives_way| Limits {
            retirement: Arc::clone(&retirement),
            time: run.time,
            calls: run.calls,
            functions_callable: callable,
            n_places,
            is_hunting: run.is_hunting,
            gives_way,
            is_selected: search_options.is_selected.clone(),
        };
        let lab = Laboratory {
            api,
            model: &self.prepared.model,
            assessor: self.assessor(api),
            interrupt: self.interrupt,
            seed: run.seed,
        };
        let (
            outcome,
            search_seconds,
            minimize_seconds,
            ended,
            HuntResults { buckets, trials, growth, spoilt_clauses, n_waiting, time_left },
            verification,
            sanitized_restarts,
        ) = std::thread::scope(|scope| {
            let verifying = scope.spawn(move || verifier.run(&from_hunt));
            let (trials, saver) = (Trials::new(run.trials), saved_run.saver());
            let mut sanitized = BackgroundBuild::start(scope, &sanitizing, self.harness);
            let limits = limits(sanitized.is_ready.clone());
            let mut hunt = Hunt::new(lab, self.console, limits, to_verifier, trials, saver);
            if let Some(checkpoint) = earlier.checkpoint {
                hunt.restore(checkpoint.hunt);
            }
            let outcome = search.run(&mut pool, &mut hunt);
            let outcome = outcome.and_then(|end| hunt.look_back(&mut pool, &search).map(|()| end));
            let outcome =
                outcome.and_then(|end| hunt.work_off(&mut pool, &search, sanitizing.after_search()).map(|()| end));
            let finished = hunt.finish(&mut pool);
            let outcome = outcome.and_then(|end| finished.map(|()| end));
            let outcome =
                outcome.and_then(|end| sanitized.run_share(self, run, (&mut search, &mut hunt), &mut pool, end));
            let (search_seconds, minimize_seconds) = (hunt.search_seconds(), hunt.minimize_seconds());
            self.console.emit(&Event::PhaseFinished { phase: Phase::Searching, seconds: search_seconds });
            let ended = Instant::now();
            // Closes the channel, so that the verifier ends when it has seen everything.
            let results = hunt.into_results();
            let verification: Verification = verifying.join().unwrap_or_default();
            (outcome, search_seconds, minimize_seconds, ended, results, verification, sanitized.n_restarts)
        });
        let stopped_by = match outcome {
            _ if self.interrupt.is_asked() => StoppedBy::Interrupt,
            Err(error) => return Err(from_executor(&error, self.interrupt)),
            Ok(End::Spent) => StoppedBy::Calls,
            Ok(End::Exhausted) => StoppedBy::Exhausted,
            Ok(End::Plateau) => StoppedBy::Plateau,
            Ok(End::Told) => StoppedBy::Time,
        };
        if let Some(error) = verification.failure {
            return Err(from_cargo(error));
        }
        if run.trials > 0 {
            self.results.write_trials(&trials, &assembled.texts, &self.target.crate_name)?;
        }
        let verified =
            Verification { reported: one_per_cause(verification.reported, &buckets, &assembled.api), ..verification };
        let regression = run.is_writing_regression.then(|| {
            let writer = regression::Writer {
                session: self,
                assembled: &assembled,
                assessor: self.assessor(api),
                header: self.regression_header(run),
                // What is looked into after the search and what is written share half of its time.
                until: time_left.map(|left| ended + left),
            };
            writer.write(&search, &mut pool)
        });
        let stats = search.stats();
        let search_summary = SearchSummary {
            programs: stats.programs,
            calls: stats.calls,
            calls_per_second: per_second(stats.calls, search_seconds),
            components: stats.components,
            worker_restarts: pool.restarts() + sanitized_restarts,
            replayed_calls: stats.replayed_calls,
            strategy: search_options.strategy.name().to_string(),
            stopped_by,
            suspects_left: n_waiting,
            discovery: search.outlook().map(discovery),
            held_by: (!search.covered().contains(&true)).then(|| holder(api, &pool)).flatten(),
        };
        let seconds = Seconds {
            rustdoc: self.prepared.rustdoc_seconds,
            build: self.prepared.build_seconds,
            search: search_seconds,
            minimize: minimize_seconds,
            verify: verified.seconds + regression.as_ref().map_or(0.0, |regression| regression.seconds),
            total: started.elapsed().as_secs_f64(),
        };
        let mut api_summary =
            self.api_summary(&assembled, search.graph(), search.covered(), &search_options.is_selected);
        let clauses = ClauseFacts::new(self.target, &self.prepared.model, spoilt_clauses, edges.as_ref());
        let troubles = Troubles::of(&search, api, &self.target.package_root, clauses);
        troubles.explain(&mut api_summary.uncovered);
        let coverage = edges.map(|edges| SourceCoverage::of(&edges, search.edges().known(), &self.target.package_root));
        let looks = (api_summary, troubles, coverage, growth);
        self.finish(run, &assembled, (verified, regression), search_summary, seconds, looks)
    }

    /// Where the edges of a worker are in the sources; nothing if it has no counters.
    fn edges(&self, run: &Run, (executable, sanitizer): (&Path, Sanitizer)) -> Result<Option<Edges>, UserError> {
        if !run.has_counters || sanitizer != Sanitizer::None {
            return Ok(None);
        }
        let (executable, sources) = (executable.to_path_buf(), self.harness.counted_sources());
        self.interrupt.wait_for(move || Edges::of(&executable, sources))
    }

    /// Starts a new run, or goes on with the last one.
    fn begin(&self, run: &Run, saved_run: &SavedRun, search: &mut Search<'_>) -> Result<Earlier, UserError> {
        let identity = Identity {
            provoke_version: env!("CARGO_PKG_VERSION").to_string(),
            // What was refused in one sandbox is done in another, and the sanitizer has a share of the calls.
            fingerprint: [
                format!("{:016x}", search.fingerprint()),
                self.harness.sandbox().name().to_string(),
                run.sanitizer.name().to_string(),
            ]
            .join(" "),
            command_line: run.command_line.clone(),
        };
        let warn = |message: String, hint: &str| {
            self.console.emit(&Event::Warning { message, hint: Some(hint.to_string()) });
        };
        if run.is_resuming {
            let emit = |event: &Event| self.console.emit(event);
            match saved_run.resume(&identity, &emit)? {
                Some(earlier) => {
                    let seconds = earlier.checkpoint.as_ref().map_or(0.0, |checkpoint| checkpoint.hunt.search_seconds);
                    if let Some(checkpoint) = &earlier.checkpoint {
                        search.restore(&checkpoint.search).map_err(|error| {
                            UserError::new(ExitCode::Bug, format!("the saved search cannot be read: {error}"))
                                .with_hint("leave out --resume to start anew")
                        })?;
                    }
                    let calls = search.stats().calls;
                    self.console.emit(&Event::Resumed { seconds, calls, findings: earlier.verified.len() as u64 });
                    return Ok(earlier);
                }
                None => {
                    let package = &self.target.package_name;
                    warn(format!("there is no run of `{package}` to go on with"), "a new one starts");
                }
            }
        }
        self.results.clear();
        saved_run.begin(&identity)?;
        Ok(Earlier::default())
    }

    fn regression_header(&self, run: &Run) -> Vec<String> {
        let Target { package_name, version, .. } = self.target;
        vec![
            format!(
                "// What {package_name} {version} does: a test that fails says that this has changed, not that it is wrong."
            ),
            origin(env!("CARGO_PKG_VERSION"), run.seed, &run.command_line),
        ]
    }

    pub fn assessor<'api>(&self, api: &'api Api) -> Assessor<'api> {
        let checkers = Checkers { contracts: self.target.uses_contracts, anodized: self.target.uses_anodized };
        let files = source_files(self.target, &self.prepared.model);
        Assessor::new(api, self.sources(), Sites::new(self.target.package_root.clone(), files, checkers))
    }

    pub fn sources(&self) -> Sources {
        let text = |path: PathBuf| path.to_string_lossy().trim_end_matches('/').to_string();
        Sources {
            package_root: text(self.target.package_root.clone()),
            excluded: vec![text(self.target.target_directory.clone())],
            harness_root: text(self.harness.root().to_path_buf()),
            worker_dir: text(self.target.output_directory().join("scratch")),
        }
    }
}

fn n_callable(prepared: &Prepared) -> u64 {
    prepared.is_callable.iter().filter(|yes| **yes).count() as u64
}

/// The function in which most of the time was spent.
fn holder(api: &Api, pool: &Pool) -> Option<String> {
    let op = api.ops.get(pool.longest_occupied_by()? as usize)?;
    Some(api.functions.get(op.function? as usize)?.path.clone())
}

/// What the run is about. What is left out is no part of it in any case: nobody calls it.
fn selected(api: &Api, filter: &FunctionFilter) -> Result<Vec<bool>, UserError> {
    if !api.functions.is_empty() && !api.functions.iter().any(|function| filter.selects(&function.path)) {
        return Err(UserError::usage(
            "no function matches --only and --omit",
            "`cargo provoke list` shows the names to match",
        ));
    }
    Ok(api.functions.iter().map(|function| filter.asks_for(&function.path)).collect())
}

fn nothing_callable(package: &str, n_functions: usize, theme: &Theme) -> UserError {
    let hint = if n_functions == 0 {
        // The list would be empty.
        "only public and safe functions are called: make one `pub`, or activate the feature that has them".to_string()
    } else {
        format!("`{}` says why each function is skipped", theme.command("list"))
    };
    let message = format!("`{package}` has no public function that can be called");
    UserError::new(ExitCode::NothingCallable, message).with_hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_sent_to_an_empty_list() {
        let theme = Theme { subject_arguments: "-p slab".into(), ..Theme::default() };
        let hint = |n_functions| nothing_callable("slab", n_functions, &theme).hint.unwrap();
        assert!(hint(3).starts_with("`cargo provoke list -p slab` "));
        assert!(!hint(0).contains("list"));
    }

    #[test]
    fn findings_outweigh_a_ctrl_c_and_both_an_empty_api() {
        assert_eq!(worse(ExitCode::Findings, ExitCode::Interrupted), ExitCode::Findings);
        assert_eq!(worse(ExitCode::NothingCallable, ExitCode::Interrupted), ExitCode::Interrupted);
        assert_eq!(worse(ExitCode::Findings, ExitCode::TargetDoesNotBuild), ExitCode::TargetDoesNotBuild);
    }
}
