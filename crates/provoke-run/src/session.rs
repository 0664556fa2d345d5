//! One package, prepared: its worker, and everything that is needed to make sense of what the worker says.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use provoke_engine::{Api, ExecutorError, Sources};
use provoke_host::{Cache, CargoContext, Edges, HarnessDir, Pool, PoolOptions, Profile, Sanitizer, Target};
use provoke_report::{Event, UserError, command};
use provoke_wire::Table;

use crate::config::file::{FILE_NAME, PackageConfig};
use crate::config::pattern::Pattern;
use crate::config::policy::policy;
use crate::confirm::judge::Judge;
use crate::confirm::site::{Checkers, Sites};
use crate::error::{from_cargo, from_executor, from_io};
use crate::events::Events;
use crate::interrupt::Interrupt;
use crate::prepare::assemble::{Assembled, assemble};
use crate::prepare::contracts::clause_places;
use crate::prepare::dependencies::covered_dependencies;
use crate::prepare::material::source_files;
use crate::prepare::packages::Package;
use crate::prepare::{Preparation, Prepared};
use crate::results::directory::Results;
use crate::settings::Setup;

/// Calls under a sanitizer may take so many times as long.
const SANITIZER_SLOWNESS: u32 = 3;

/// What a package is prepared for.
pub(crate) struct Purpose<'a> {
    /// Functions for testing only are called, too.
    pub has_probes: bool,
    /// Functions that are not called at all.
    pub omitted: &'a [Pattern],
    /// Whether it is measured what programs reach.
    pub has_counters: bool,
    /// Dependencies in which it is measured, too.
    pub cover: &'a [String],
}

/// A list shows what may be called, and a finding is replayed because somebody asks for it.
pub(crate) const ANYTHING: Purpose<'static> =
    Purpose { has_probes: true, omitted: &[], has_counters: true, cover: &[] };

pub(crate) struct Session<'a> {
    pub purpose: Purpose<'a>,
    pub setup: &'a Setup,
    pub target: &'a Target,
    pub config: &'a PackageConfig,
    pub harness: HarnessDir,
    /// This program, which cargo calls back in the role of others.
    pub wrapper: PathBuf,
    pub prepared: Prepared,
    pub results: Results,
    pub events: &'a Events,
}

/// What workers run.
#[derive(Clone, Copy, Debug)]
pub struct WorkerProgram<'a> {
    pub executable: &'a Path,
    /// What it was built with.
    pub sanitizer: Sanitizer,
}

impl<'a> Session<'a> {
    /// Reads the API, and builds a worker.
    pub fn prepare(
        setup: &'a Setup,
        package: &'a Package,
        purpose: Purpose<'a>,
        cargo_context: &CargoContext,
        events: &'a Events,
    ) -> Result<Session<'a>, UserError> {
        let Package { target, config } = package;
        events.emit(Event::PackageStarted { package: target.package_name.clone(), version: target.version.clone() });
        warn_of_package(target, config, events);
        let profile = Profile { release: setup.build.release, ..Profile::default() };
        let mut harness = HarnessDir::prepare(target, profile, cargo_context).map_err(from_cargo)?;
        let cache = Cache::open(target.output_directory().join("cache")).map_err(from_cargo)?;
        let wrapper = std::env::current_exe().map_err(|error| from_io(&PathBuf::from("cargo-provoke"), &error))?;
        if purpose.has_counters {
            let covered = covered_dependencies(&harness, purpose.cover)?;
            harness = harness.with_counters(&wrapper, covered);
        }
        if target.uses_anodized || target.uses_provoke {
            harness = harness.with_contract_checks(&wrapper);
        }
        let preparation = Preparation {
            harness: &harness,
            cache: &cache,
            wrapper: &wrapper,
            package_config: config,
            omitted: purpose.omitted,
            events,
            interrupt: &setup.interrupt,
        };
        let prepared = preparation.prepare()?;
        let results = Results::new(target.output_directory());
        Ok(Session { purpose, setup, target, config, harness, wrapper, prepared, results, events })
    }

    pub fn interrupt(&self) -> &'a Interrupt {
        &self.setup.interrupt
    }

    /// Another command about the same build of the same crate, for hints.
    pub fn command(&self, words: &str) -> String {
        command(words, &self.setup.subject_arguments)
    }

    /// Workers of one kind, in a directory of their own.
    pub fn start_pool(
        &self,
        WorkerProgram { executable, sanitizer }: WorkerProgram<'_>,
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
        let (interrupt, sandbox) = (self.interrupt().flag(), self.harness.sandbox().clone());
        let watch = edges.map(|edges| Arc::new(edges.watch.clone()));
        Pool::start(executable, &PoolOptions { watch, jobs, sanitizer, interrupt, sandbox, ..options })
    }

    pub fn pool(
        &self,
        worker: WorkerProgram<'_>,
        jobs: usize,
        edges: Option<&Edges>,
    ) -> Result<(Pool, Assembled), UserError> {
        let started = self.start_pool(worker, jobs, edges).or_else(|error| {
            // Cargo may have taken a damaged file for the worker.
            let is_rebuilt = worker.sanitizer == Sanitizer::None
                && !self.interrupt().is_asked()
                && self.harness.rebuild(&self.prepared.executable).is_ok();
            if is_rebuilt { self.start_pool(worker, jobs, edges) } else { Err(error) }
        });
        let (pool, table) = started.map_err(|error| from_executor(&error, self.interrupt()))?;
        let mut assembled = assemble(&self.prepared.model, &self.prepared.ops, table, self.purpose.has_probes);
        let (policy, unmatched) = policy(&self.config.config, self.purpose.omitted, &assembled.api);
        assembled.api.policy = policy;
        assembled.api.clauses = clause_places(self.target, &self.prepared.model);
        // What all packages share need not be about each of them.
        for path in unmatched.into_iter().filter(|_| !self.config.is_shared) {
            let message = format!("`path = \"{path}\"` in the configuration matches no function");
            self.events.warn(message, Some(format!("`{}` shows the names to match", self.command("list"))));
        }
        Ok((pool, assembled))
    }

    /// The plain worker, one at a time.
    pub fn plain_pool(&self) -> Result<(Pool, Assembled), UserError> {
        let worker = WorkerProgram { executable: &self.prepared.executable, sanitizer: Sanitizer::None };
        self.pool(worker, 1, None)
    }

    pub fn judge<'api>(&self, api: &'api Api) -> Judge<'api> {
        let checkers = Checkers { contracts: self.target.uses_contracts, anodized: self.target.uses_anodized };
        let files = source_files(self.target, &self.prepared.model);
        Judge::new(api, self.sources(), Sites::new(self.target.package_root.clone(), files, checkers))
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

fn warn_of_package(target: &Target, config: &PackageConfig, events: &Events) {
    if target.is_yanked {
        events.warn(
            format!("{} {} is yanked: its owners took it back", target.package_name, target.version),
            Some(format!("`--crate {}` tests the newest version that is not", target.package_name)),
        );
    }
    if config.overrides_manifest {
        events.warn(
            format!("`{FILE_NAME}` is used, and `[package.metadata.provoke]` in Cargo.toml is not"),
            Some("keep the configuration in one of them".to_string()),
        );
    }
}
