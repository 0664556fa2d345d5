//! The regression suite: tests that say what the crate does today, chosen from the programs of the search.
//!
//! Exemplars of the search are replayed under several entropies, in several orders and in fresh processes; what they agree on
//! is asserted. The suite is then compiled and run ten times, and what does not hold each time is taken out again.
//!
//! Decision: `docs/decisions/081-regression-tests-are-one-file.md`

mod deadline;
mod draft;
mod observations;
mod test_output;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use provoke_codegen::{Suite, emit_suite, raw};
use provoke_engine::{
    Executor, ExecutorError, Exemplar, ExemplarWay, Goal, Observers, Search, Verdict, cover, goals_of, needed_tests,
    triage,
};
use provoke_host::{CargoError, CompiledSuite, Diagnostic, RunStatus, TestFile, VerifyOptions, write_whole};
use provoke_report::{Event, RunPhase, one_line};
use provoke_wire::{Body, Ending, Outcome, Phase, Program, RunOptions};

use crate::confirm::judge::Judge;
use crate::prepare::assemble::Assembled;
use crate::session::Session;
use crate::verify::spelling::without_specs;
use crate::verify::verifier::{between, calls_specification, names_crate};

use deadline::Deadline;
use draft::Draft;
use test_output::TestOutput;

/// A suite that somebody may read.
const MAX_TESTS: usize = 100;
/// The name of the suite as a test, and as a file in the user's package.
pub const SUITE_NAME: &str = "provoke_regression";

/// Runs in fresh processes that every test has to pass.
const N_RUNS: usize = 10;
/// On one thread and on many in turn: what tests share shows in one or the other.
const N_THREADS: [usize; 2] = [1, 8];
/// How often the suite is mended and compiled again, and from when on what is wrong is taken out at once.
const MAX_ROUNDS: usize = 10;
const LENIENT_ROUNDS: usize = 7;
/// How often observers that panic are exchanged.
const OBSERVER_ROUNDS: usize = 3;

/// What random numbers and clocks of the replays start from.
const ENTROPIES: [u64; 7] = [
    0x243f_6a88_85a3_08d3,
    0x1319_8a2e_0370_7344,
    0xa409_3822_299f_31d0,
    0x082e_fa98_ec4e_6c89,
    0x4528_21e6_38d0_1377,
    0xbe54_66cf_34e9_0c6c,
    0xc0ac_29b7_c97c_50dd,
];

/// What came of it.
#[derive(Debug, Default)]
pub struct Regression {
    /// The source of the suite, if there is any.
    pub source: Option<String>,
    pub n_tests: u64,
    /// Chosen, but not steady, not compilable, or too late.
    pub n_left_out: u64,
    pub seconds: f64,
}

/// Everything that is needed to write the suite.
pub struct SuiteWriter<'a> {
    pub session: &'a Session<'a>,
    pub assembled: &'a Assembled,
    pub judge: Judge<'a>,
    /// Comment lines at the top of the file.
    pub header: Vec<String>,
    /// When the time for it is over; `None`: never.
    pub until: Option<Instant>,
}

/// Why a suite cannot be had.
enum Obstacle {
    /// Time is up, or the user pressed Ctrl-C.
    Late,
    /// Told to the user; the run goes on.
    Failed(String),
}

impl From<ExecutorError> for Obstacle {
    fn from(error: ExecutorError) -> Obstacle {
        Obstacle::Failed(error.0)
    }
}

impl From<CargoError> for Obstacle {
    fn from(error: CargoError) -> Obstacle {
        match error {
            CargoError::Interrupted => Obstacle::Late,
            error => Obstacle::Failed(error.to_string()),
        }
    }
}

/// What concerns the whole file.
#[derive(Default)]
struct FileSettings {
    allowed: BTreeSet<String>,
    unused_imports: BTreeSet<String>,
}

impl SuiteWriter<'_> {
    pub fn write(&self, search: &Search<'_>, executor: &mut dyn Executor) -> Regression {
        let started = Instant::now();
        let mut exemplars = cover(&self.assembled.api, search.exemplars(), MAX_TESTS);
        for exemplar in &mut exemplars {
            exemplar.program.main = without_specs(&self.assembled.api, &exemplar.program.main);
        }
        // Tests are for builds without specifications.
        exemplars.retain(|exemplar| !calls_specification(&self.assembled.texts, &exemplar.program.main));
        let mut n_chosen = exemplars.len() as u64;
        let deadline = Deadline::new(self.until, self.session.interrupt());
        let suite = if n_chosen == 0 || deadline.is_over() {
            Ok(None)
        } else {
            self.session.events.emit(Event::PhaseStarted { phase: RunPhase::Regression });
            self.suite(search, executor, exemplars, &mut n_chosen, &deadline)
        };
        let (source, n_tests) = match suite {
            Ok(Some((source, n_tests))) => (Some(source), n_tests),
            Ok(None) | Err(Obstacle::Late) => (None, 0),
            // Whatever was going on then is no failure.
            Err(Obstacle::Failed(_)) if deadline.is_over() => (None, 0),
            Err(Obstacle::Failed(message)) => {
                let message = format!("there are no regression tests: {message}");
                self.session.events.emit(Event::Warning { message, hint: None });
                (None, 0)
            }
        };
        let seconds = started.elapsed().as_secs_f64();
        Regression { source, n_tests, n_left_out: n_chosen - n_tests, seconds }
    }

    fn suite(
        &self,
        search: &Search<'_>,
        executor: &mut dyn Executor,
        exemplars: Vec<Exemplar>,
        n_chosen: &mut u64,
        deadline: &Deadline,
    ) -> Result<Option<(String, u64)>, Obstacle> {
        let programs = self.observed_programs(search, executor, &exemplars)?;
        let runs = replay(executor, &programs, deadline)?;
        let mut drafts = Vec::new();
        for (place, (exemplar, program)) in exemplars.into_iter().zip(programs).enumerate() {
            let outcomes: Vec<&Outcome> = runs.iter().map(|run| &run[place]).collect();
            if exemplar.goal.way == ExemplarWay::Panicked && !self.is_expected_panic(&program, outcomes[0]) {
                continue;
            }
            let n_own = exemplar.program.main.statements.len();
            let crate_name = &self.session.target.crate_name;
            drafts.extend(Draft::new(&self.assembled.api, crate_name, program.main, n_own, exemplar.goal, &outcomes));
        }
        draft::number_names(&mut drafts);
        let tests: Vec<(Goal, &Body)> = drafts.iter().map(|draft| (draft.goal, &draft.body)).collect();
        let is_needed = needed_tests(&self.assembled.api, &tests);
        let (needed, others): (Vec<_>, Vec<_>) = drafts.into_iter().zip(is_needed).partition(|(_, yes)| *yes);
        let drafts = needed.into_iter().map(|(draft, _)| draft).collect::<Vec<Draft>>();
        *n_chosen -= others.len() as u64;
        let reserve = others.into_iter().map(|(draft, _)| draft).collect();
        self.verified(drafts, reserve, n_chosen, deadline)
    }

    /// The exemplars with observers behind them, as far as those do not panic.
    fn observed_programs(
        &self,
        search: &Search<'_>,
        executor: &mut dyn Executor,
        exemplars: &[Exemplar],
    ) -> Result<Vec<Program>, Obstacle> {
        let mut observers = Observers::new(&self.assembled.api, |op| {
            search.graph().is_target(op) && !search.is_deadly(op) && !self.assembled.texts[op as usize].is_specification
        });
        let mut excluded: Vec<Vec<u32>> = vec![Vec::new(); exemplars.len()];
        let mut programs: Vec<Program> = Vec::new();
        for exemplar in exemplars {
            programs.push(match exemplar.goal.way {
                // Nobody would get to see it.
                ExemplarWay::Panicked => exemplar.program.clone(),
                _ => observed(&mut observers, exemplar, &[]),
            });
        }
        for round in 0..OBSERVER_ROUNDS {
            let outcomes = executor.run_warm(programs.clone(), options(ENTROPIES[0]))?;
            let mut is_changed = false;
            for (place, (exemplar, outcome)) in exemplars.iter().zip(&outcomes).enumerate() {
                if exemplar.goal.way == ExemplarWay::Panicked || is_clean(outcome) {
                    continue;
                }
                let n_own = exemplar.program.main.statements.len();
                let blocked = outcome.blocked.map(|blocked| blocked.statement);
                let culprit = outcome.panics.first().map(|panic| panic.statement).or(blocked);
                let culprit = culprit.map(|at| at as usize).filter(|at| *at >= n_own);
                let statement = culprit.and_then(|at| programs[place].main.statements.get(at)).copied();
                programs[place] = match statement {
                    Some(statement) if round + 1 < OBSERVER_ROUNDS => {
                        excluded[place].push(statement.op);
                        observed(&mut observers, exemplar, &excluded[place])
                    }
                    _ => exemplar.program.clone(),
                };
                is_changed = true;
            }
            if !is_changed {
                break;
            }
        }
        Ok(programs)
    }

    /// Not one that the policy reports as a finding, or that only shows with checks which users switch on.
    fn is_expected_panic(&self, program: &Program, outcome: &Outcome) -> bool {
        let last = program.main.statements.len() as u32 - 1;
        let is_at_end = outcome.ending == Ending::Panicked
            && matches!(&outcome.panics[..], [panic] if panic.statement == last && panic.phase == Phase::Call
                && !self.assembled.api.is_optional(panic));
        let incidents = triage(outcome, &self.assembled.api, &program.main).incidents;
        let is_finding =
            |incident| matches!(self.judge.verdict(incident, outcome, program, false), Verdict::Finding(_));
        is_at_end && !incidents.iter().any(is_finding)
    }

    /// Mends the suite until it compiles without a warning and passes ten times. `reserve`: tests that show nothing which the
    /// others do not show.
    fn verified(
        &self,
        mut drafts: Vec<Draft>,
        mut reserve: Vec<Draft>,
        n_chosen: &mut u64,
        deadline: &Deadline,
    ) -> Result<Option<(String, u64)>, Obstacle> {
        let mut settings = FileSettings::default();
        for round in 0..MAX_ROUNDS {
            *n_chosen += self.recall(&mut drafts, &mut reserve);
            if drafts.is_empty() {
                return Ok(None);
            }
            let suite = self.emit(&drafts, &settings);
            let file = TestFile { name: SUITE_NAME.to_string(), source: suite.source.clone() };
            let compiled = self.session.harness.compile_suite(&file, &deadline.flag())?;
            let is_lenient = round < LENIENT_ROUNDS;
            let is_mended = if compiled.errors.is_empty() && compiled.warnings.is_empty() {
                self.run(&compiled, &suite, &mut drafts, is_lenient, deadline)?
            } else {
                self.heed(&compiled, &suite, &mut drafts, &mut settings, is_lenient)?
            };
            if !is_mended {
                return Ok(Some((self.laid_out(suite.source, deadline), drafts.len() as u64)));
            }
        }
        Err(Obstacle::Failed("they could not be made to compile and to pass every time".to_string()))
    }

    /// As rustfmt lays it out. Lines are mapped back to tests before, so what it changes is compiled and run once more: nothing is
    /// written that was not.
    fn laid_out(&self, source: String, deadline: &Deadline) -> String {
        let harness = &self.session.harness;
        let file = TestFile { name: SUITE_NAME.to_string(), source: harness.formatted(&source) };
        if file.source == source {
            return source;
        }
        let holds = || -> Result<bool, CargoError> {
            let compiled = harness.compile_suite(&file, &deadline.flag())?;
            let is_clean = compiled.errors.is_empty() && compiled.warnings.is_empty();
            let run = || harness.run_suite(&compiled, N_THREADS[0], &run_options(), &deadline.flag());
            Ok(is_clean && run()?.status == RunStatus::Passed)
        };
        if holds().unwrap_or(false) { file.source } else { source }
    }

    /// When tests have lost something, others that were not needed may be. Returns how many.
    fn recall(&self, drafts: &mut Vec<Draft>, reserve: &mut Vec<Draft>) -> u64 {
        let api = &self.assembled.api;
        let reached: BTreeSet<Goal> = drafts.iter().flat_map(|draft| goals_of(api, draft.goal, &draft.body)).collect();
        let (known, recalled): (Vec<Draft>, Vec<Draft>) =
            std::mem::take(reserve).into_iter().partition(|draft| reached.contains(&draft.goal));
        *reserve = known;
        let n_recalled = recalled.len() as u64;
        drafts.extend(recalled);
        drafts.sort_by_key(|draft| draft.goal);
        n_recalled
    }

    fn emit(&self, drafts: &[Draft], settings: &FileSettings) -> Suite {
        let target = self.session.target;
        let mut preamble = self.header.clone();
        if !settings.allowed.is_empty() {
            let lints: Vec<&str> = settings.allowed.iter().map(String::as_str).collect();
            preamble.extend([String::new(), format!("#![allow({})]", lints.join(", "))]);
        }
        let attributes: Vec<Vec<String>> = drafts.iter().map(Draft::attributes).collect();
        let emit = |preamble: &[String]| {
            let tests: Vec<_> = drafts
                .iter()
                .zip(&attributes)
                .map(|(draft, attributes)| draft.suite_test(&self.assembled.texts, &target.crate_name, attributes))
                .collect();
            emit_suite(&tests, &target.crate_name, preamble, &settings.unused_imports)
        };
        let suite = emit(&preamble);
        if target.edition != "2015" {
            return suite;
        }
        let names = self.session.prepared.dependency_names.iter().map(String::as_str);
        let mut crates: Vec<&str> = names.filter(|name| names_crate(&suite.source, name)).collect();
        crates.push(&target.crate_name);
        crates.sort();
        preamble.push(String::new());
        preamble.extend(crates.iter().map(|name| format!("extern crate {};", raw(name))));
        emit(&preamble)
    }

    /// Changes what rustc complained about. Returns whether anything was changed.
    fn heed(
        &self,
        compiled: &CompiledSuite,
        suite: &Suite,
        drafts: &mut Vec<Draft>,
        settings: &mut FileSettings,
        is_lenient: bool,
    ) -> Result<bool, Obstacle> {
        let mut is_settled = vec![false; drafts.len()];
        let mut lost: BTreeSet<usize> = BTreeSet::new();
        let mut is_changed = false;
        let errors = compiled.errors.iter().map(|complaint| (complaint, true));
        // Warnings come in full only where nothing is wrong.
        let warnings = compiled.warnings.iter().map(|complaint| (complaint, false));
        for (complaint, is_error) in errors.chain(warnings) {
            self.log(&complaint.rendered);
            let unused = between(&complaint.rendered, "unused import: `", "`");
            if !unused.is_empty() {
                is_changed |=
                    unused.into_iter().fold(false, |any, import| settings.unused_imports.insert(import) | any);
                continue;
            }
            if complaint.rendered.contains("use of deprecated") {
                is_changed |= settings.allowed.insert("deprecated".to_string());
                continue;
            }
            let Some(place) = place_of(complaint, suite) else {
                continue;
            };
            if std::mem::replace(&mut is_settled[place.test], true) {
                continue;
            }
            is_changed = true;
            let draft = &mut drafts[place.test];
            if !is_lenient || !draft.mend(&complaint.rendered, place.statement, is_error) {
                lost.insert(place.test);
            }
        }
        remove(drafts, &lost);
        if is_changed {
            return Ok(true);
        }
        let first = compiled.errors.iter().chain(&compiled.warnings).next();
        let message = first.map(|complaint| one_line(&complaint.message)).unwrap_or_default();
        Err(Obstacle::Failed(format!("they do not compile: {message}")))
    }

    /// Runs the suite in fresh processes and takes out what fails in any. Returns whether anything was changed.
    fn run(
        &self,
        compiled: &CompiledSuite,
        suite: &Suite,
        drafts: &mut Vec<Draft>,
        is_lenient: bool,
        deadline: &Deadline,
    ) -> Result<bool, Obstacle> {
        let options = run_options();
        let mut lost: BTreeSet<usize> = BTreeSet::new();
        let mut unsteady: BTreeSet<(usize, usize)> = BTreeSet::new();
        for run in 0..N_RUNS {
            let n_threads = N_THREADS[run % N_THREADS.len()];
            let result = self.session.harness.run_suite(compiled, n_threads, &options, &deadline.flag())?;
            if result.status == RunStatus::Passed {
                continue;
            }
            let output = TestOutput::read(&result.output, SUITE_NAME);
            let named = |name: &str| drafts.iter().position(|draft| draft.name == name);
            if let RunStatus::Failed(101) = result.status {
                for name in &output.failed {
                    let place = named(name);
                    let line = output.failed_assertions.get(name);
                    let statement = line.and_then(|line| suite.at(*line)).and_then(|at| at.statement);
                    match (place, statement) {
                        (Some(place), Some(statement)) if is_lenient => drop(unsteady.insert((place, statement))),
                        (Some(place), _) => drop(lost.insert(place)),
                        (None, _) => {}
                    }
                }
            } else if let Some(place) = output.unfinished.as_deref().and_then(named) {
                lost.insert(place);
            }
            if lost.is_empty() && unsteady.is_empty() {
                return Err(Obstacle::Failed(format!("together they end with {:?}", result.status)));
            }
        }
        for (place, statement) in &unsteady {
            if !drafts[*place].drop_checks(*statement) {
                lost.insert(*place);
            }
        }
        remove(drafts, &lost);
        Ok(!lost.is_empty() || !unsteady.is_empty())
    }

    /// Nothing for the user, but for whoever improves the printer.
    fn log(&self, complaint: &str) {
        let path = self.session.harness.target().output_directory().join("log").join("tests.log");
        let known = std::fs::read_to_string(&path).unwrap_or_default();
        // A log that cannot be written must not stop anything.
        let _ = write_whole(&path, format!("{known}regression: {complaint}\n").as_bytes());
    }
}

fn run_options() -> VerifyOptions {
    VerifyOptions { time_limit: Duration::from_secs(30), ..VerifyOptions::default() }
}

fn observed(observers: &mut Observers<'_>, exemplar: &Exemplar, excluded: &[u32]) -> Program {
    Program { main: observers.observe(&exemplar.program.main, excluded), observe_from: 0 }
}

fn is_clean(outcome: &Outcome) -> bool {
    outcome.ending == Ending::Finished && outcome.panics.is_empty() && outcome.blocked.is_none()
}

fn options(entropy: u64) -> RunOptions {
    RunOptions { trace: true, entropy, ..RunOptions::QUIET }
}

/// Outcomes by run and program. The first run is in fresh processes, with backtraces; of the others every second is backwards,
/// so that what one program leaves behind for the next is not the same.
fn replay(
    executor: &mut dyn Executor,
    programs: &[Program],
    deadline: &Deadline,
) -> Result<Vec<Vec<Outcome>>, Obstacle> {
    let [first, others @ ..] = ENTROPIES;
    let mut runs = vec![executor.run_fresh(programs, RunOptions { backtrace: true, ..options(first) })?];
    for (place, entropy) in others.into_iter().enumerate() {
        if deadline.is_over() {
            return Err(Obstacle::Late);
        }
        let is_backwards = place % 2 == 1;
        let mut ordered = programs.to_vec();
        if is_backwards {
            ordered.reverse();
        }
        let mut outcomes = executor.run_warm(ordered, options(entropy))?;
        if is_backwards {
            outcomes.reverse();
        }
        runs.push(outcomes);
    }
    Ok(runs)
}

/// The first line of the suite that a complaint is about.
fn place_of(complaint: &Diagnostic, suite: &Suite) -> Option<provoke_codegen::SuiteLine> {
    let file = format!("{SUITE_NAME}.rs");
    let own = complaint.places.iter().filter(|place| place.file.ends_with(&file));
    own.into_iter().find_map(|place| suite.at(place.line as usize))
}

fn remove(drafts: &mut Vec<Draft>, lost: &BTreeSet<usize>) {
    let mut place = 0;
    drafts.retain(|_| {
        place += 1;
        !lost.contains(&(place - 1))
    });
}
