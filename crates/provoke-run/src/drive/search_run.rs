//! The search of one package, from a worker that is ready to everything that the run leaves behind.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Instant;

use provoke_engine::{Api, End, ExecutorError, Graph, Regions, Search, SearchOptions};
use provoke_host::{Edges, Pool, Sanitizer};
use provoke_report::{Event, ExitCode, RunPhase, UserError, command};
use provoke_wire::Literal;

use crate::config::pattern::FunctionFilter;
use crate::confirm::checkpoint::{Earlier, Identity, SavedRun, VerifiedFinding};
use crate::confirm::confirmed::Confirmed;
use crate::confirm::confirmer::{Confirmer, ConfirmerResults, Limits};
use crate::confirm::minimizer_check::MinimizerCheck;
use crate::confirm::replayer::Replayer;
use crate::confirm::retirement::Retirement;
use crate::drive::sanitizer_share::{BackgroundBuild, Sanitizing};
use crate::prepare::assemble::Assembled;
use crate::prepare::edge_regions::edge_regions;
use crate::prepare::material::mine_target;
use crate::results::coverage::numbered_places;
use crate::session::{Session, WorkerProgram};
use crate::settings::RunSettings;
use crate::verify::verifier::{Verification, Verifier};

/// The component set is kept below this, so that the whole tool stays below half a gigabyte.
const MAX_COMPONENT_BYTES: usize = 96 << 20;

/// What a search of a package is made with.
pub(crate) struct SearchRun<'a> {
    pub session: &'a Session<'a>,
    pub settings: &'a RunSettings,
    pub sanitizing: &'a Sanitizing,
    pub edges: Option<&'a Edges>,
    pub assembled: &'a Assembled,
}

/// What a search came to.
pub(crate) struct Driven {
    pub ending: Result<End, ExecutorError>,
    pub search_seconds: f64,
    pub minimize_seconds: f64,
    /// When the search, and all that was looked into after it, was over.
    pub ended: Instant,
    pub confirmed: ConfirmerResults,
    pub verification: Verification,
    /// Of workers with the sanitizer.
    pub n_sanitized_restarts: u64,
}

/// Where the edges of a worker are in the sources; nothing if it has no counters.
pub(crate) fn edges_of(
    session: &Session<'_>,
    settings: &RunSettings,
    worker: WorkerProgram<'_>,
) -> Result<Option<Edges>, UserError> {
    if !settings.has_counters || worker.sanitizer != Sanitizer::None {
        return Ok(None);
    }
    let executable = worker.executable.to_path_buf();
    let sources = session.harness.counted_sources();
    session.interrupt().wait_for(move || Edges::of(&executable, sources))
}

impl SearchRun<'_> {
    pub fn search_options(&self) -> Result<SearchOptions, UserError> {
        let is_selected = selected(&self.assembled.api, &self.settings.functions)?;
        let Session { prepared, target, .. } = self.session;
        if prepared.n_callable() == 0 {
            self.session.results.clear();
            let n_functions = prepared.model.functions.len();
            let subject_arguments = &self.session.setup.subject_arguments;
            return Err(nothing_callable(&target.package_name, n_functions, subject_arguments));
        }
        let edges = self.edges;
        Ok(SearchOptions {
            strategy: self.settings.strategy,
            seed: self.settings.seed,
            notion: self.settings.notion,
            max_calls: self.sanitizing.first_calls(self.settings.calls),
            until_plateau: self.settings.until_plateau,
            is_selected,
            max_component_bytes: MAX_COMPONENT_BYTES,
            guidance: self.settings.guidance,
            edge_places: edges.map(|edges| numbered_places(edges).0).unwrap_or_default(),
            unsteady_sites: edges.map(|edges| edges.unsteady_sites.clone()).unwrap_or_default(),
            regions: edges
                .map_or_else(Regions::default, |edges| edge_regions(edges, &prepared.model, &target.package_root)),
        })
    }

    /// What programs are seeded with. What users give comes first.
    pub fn literals(&self) -> Result<Vec<Literal>, UserError> {
        let mined = self.session.interrupt().wait_for({
            let (target, model) = (self.session.target.clone(), Arc::clone(&self.session.prepared.model));
            move || mine_target(&target, &model)
        })?;
        Ok(self.session.config.config.literals_by_hand().cloned().chain(mined).collect())
    }

    /// Starts a new run, or goes on with the last one.
    pub fn begin(&self, saved_run: &SavedRun, search: &mut Search<'_>) -> Result<Earlier, UserError> {
        let identity = Identity {
            provoke_version: env!("CARGO_PKG_VERSION").to_string(),
            // What was refused in one sandbox is done in another, and the sanitizer has a share of the calls.
            fingerprint: [
                format!("{:016x}", search.fingerprint()),
                self.session.harness.sandbox().name().to_string(),
                self.settings.sanitizer.name().to_string(),
            ]
            .join(" "),
            command_line: self.settings.command_line.clone(),
        };
        let events = self.session.events;
        if self.settings.is_resuming {
            match saved_run.resume(&identity, events)? {
                Some(earlier) => {
                    let seconds =
                        earlier.checkpoint.as_ref().map_or(0.0, |checkpoint| checkpoint.confirmer.search_seconds);
                    if let Some(checkpoint) = &earlier.checkpoint {
                        search.restore(&checkpoint.search).map_err(|error| {
                            UserError::new(ExitCode::Bug, format!("the saved search cannot be read: {error}"))
                                .with_hint("leave out --resume to start anew")
                        })?;
                    }
                    let calls = search.stats().calls;
                    events.emit(Event::Resumed { seconds, calls, findings: earlier.verified.len() as u64 });
                    return Ok(earlier);
                }
                None => {
                    let package = &self.session.target.package_name;
                    let hint = "a new one starts".to_string();
                    events.warn(format!("there is no run of `{package}` to go on with"), Some(hint));
                }
            }
        }
        self.session.results.clear();
        saved_run.begin(&identity)?;
        Ok(Earlier::default())
    }

    /// Searches until the bounds are reached, and looks into what went wrong, while tests are verified beside it.
    pub fn drive(
        &self,
        search: &mut Search<'_>,
        is_selected: &[bool],
        pool: &mut Pool,
        saved_run: &SavedRun,
        earlier: Earlier,
    ) -> Driven {
        let Earlier { checkpoint, verified } = earlier;
        let (to_verifier, from_confirmer) = channel();
        let retirement = Arc::new(Retirement::of_run(self.settings.time.is_some()));
        let verifier = self.verifier(saved_run, &retirement, verified);
        thread::scope(|scope| {
            let verifying = scope.spawn(move || verifier.run(&from_confirmer));
            let mut sanitized = BackgroundBuild::start(scope, self.sanitizing, &self.session.harness);
            let limits = self.limits(is_selected, &retirement, &sanitized);
            let mut confirmer = self.confirmer(limits, to_verifier, saved_run);
            if let Some(checkpoint) = checkpoint {
                confirmer.restore(checkpoint.confirmer);
            }
            let ending = self.search_and_look(search, pool, &mut confirmer, &mut sanitized);
            let (search_seconds, minimize_seconds) = (confirmer.search_seconds(), confirmer.minimize_seconds());
            self.session.events.emit(Event::PhaseFinished { phase: RunPhase::Searching, seconds: search_seconds });
            let ended = Instant::now();
            // Closes the channel, so that the verifier ends when it has seen everything.
            let confirmed = confirmer.into_results();
            let verification = verifying.join().unwrap_or_default();
            let n_sanitized_restarts = sanitized.n_restarts;
            Driven { ending, search_seconds, minimize_seconds, ended, confirmed, verification, n_sanitized_restarts }
        })
    }

    fn search_and_look(
        &self,
        search: &mut Search<'_>,
        pool: &mut Pool,
        confirmer: &mut Confirmer<'_>,
        sanitized: &mut BackgroundBuild<'_>,
    ) -> Result<End, ExecutorError> {
        let ending = search.run(pool, confirmer).and_then(|end| {
            confirmer.look_back(pool, search)?;
            confirmer.work_off(pool, self.sanitizing.after_search())?;
            Ok(end)
        });
        let finished = confirmer.finish(pool);
        let end = ending?;
        finished?;
        sanitized.run_share(self.session, self.settings, search, confirmer, pool, end)
    }

    fn verifier<'v>(
        &'v self,
        saved_run: &'v SavedRun,
        retirement: &'v Retirement,
        earlier: Vec<VerifiedFinding>,
    ) -> Verifier<'v> {
        Verifier {
            harness: &self.session.harness,
            api: &self.assembled.api,
            texts: &self.assembled.texts,
            crate_name: &self.session.target.crate_name,
            dependency_names: &self.session.prepared.dependency_names,
            events: self.session.events,
            jobs: self.settings.jobs,
            accepts: &self.session.config.config.accepts,
            results: &self.session.results,
            saved_run,
            earlier,
            sanitized: self.sanitizing.build(),
            retirement,
        }
    }

    fn limits(&self, is_selected: &[bool], retirement: &Arc<Retirement>, sanitized: &BackgroundBuild<'_>) -> Limits {
        Limits {
            retirement: Arc::clone(retirement),
            time: self.settings.time,
            calls: self.settings.calls,
            functions_callable: self.session.prepared.n_callable(),
            n_places: self.edges.map(|edges| numbered_places(edges).1),
            is_confirming: self.settings.is_confirming,
            gives_way: sanitized.is_ready.clone(),
            is_selected: is_selected.to_vec(),
        }
    }

    fn confirmer(&self, limits: Limits, to_verifier: Sender<Confirmed>, saved_run: &SavedRun) -> Confirmer<'_> {
        let replayer = Replayer {
            api: &self.assembled.api,
            model: &self.session.prepared.model,
            graph: Graph::of_selected(&self.assembled.api, &limits.is_selected),
            judge: self.session.judge(&self.assembled.api),
            interrupt: self.session.interrupt(),
            seed: self.settings.seed,
        };
        let (check, saver) = (MinimizerCheck::new(self.settings.trials), saved_run.saver());
        Confirmer::new(replayer, self.session.events, limits, to_verifier, check, saver)
    }
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

fn nothing_callable(package: &str, n_functions: usize, subject_arguments: &str) -> UserError {
    let hint = if n_functions == 0 {
        // The list would be empty.
        "only public and safe functions are called: make one `pub`, or activate the feature that has them".to_string()
    } else {
        format!("`{}` says why each function is skipped", command("list", subject_arguments))
    };
    let message = format!("`{package}` has no public function that can be called");
    UserError::new(ExitCode::NothingCallable, message).with_hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_sent_to_an_empty_list() {
        let hint = |n_functions| nothing_callable("slab", n_functions, "-p slab").hint.unwrap();
        assert!(hint(3).starts_with("`cargo provoke list -p slab` "));
        assert!(!hint(0).contains("list"));
    }
}
