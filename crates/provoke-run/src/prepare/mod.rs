//! From a target to a worker that is ready to search: API, plan, harness, rustc's judgement, the worker's own table.

pub mod assemble;
pub mod contracts;
pub mod dependencies;
pub mod edge_regions;
pub mod law_groups;
pub mod material;
pub mod packages;
pub mod sandbox;
pub mod types_by_hand;
pub mod unsafe_code;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use provoke_api::{OpKind, OpRole};
use provoke_codegen::{AbilityQuery, HarnessSource, Line, PlannedOp, SkipReason, builtins, plan_telling};
use provoke_host::{
    BuildReport, Cache, CargoError, CheckReport, Documented, Fingerprint, HarnessDir, Pool, PoolOptions, add_runtime_to,
};
use provoke_model::{Function, LostSpecification, Model, NewerFormat, Skip};
use provoke_oracles::ORACLES;
use provoke_report::{Event, ExitCode, FunctionReason, RunPhase, UserError, plural};
use provoke_wire::{OpSignature, Table};
use serde::{Deserialize, Serialize};

use crate::config::Config;
use crate::config::file::PackageConfig;
use crate::config::pattern::Pattern;
use crate::config::policy::skip_reason;
use crate::error::{from_cargo, from_executor, from_model};
use crate::events::Events;
use crate::interrupt::Interrupt;
use crate::prepare::contracts::add_preconditions;
use crate::prepare::dependencies::adopt_dependencies;
use crate::prepare::types_by_hand::{UnusedType, add_types, unused_types, unused_warning};

/// rustc strikes out what does not type-check; two rounds are usual, and each can only make the harness smaller.
const MAX_ROUNDS: u32 = 12;
/// Bumped when plans of earlier versions must not be read back.
const PLAN_VERSION: u32 = 35;

/// A worker and all that is known about it.
pub struct Prepared {
    pub model: Arc<Model>,
    /// What the target calls those of its dependencies that operations may name.
    pub dependency_names: Vec<String>,
    pub ops: Vec<PlannedOp>,
    pub executable: PathBuf,
    /// Functions without any operation, sorted, and why.
    pub skipped: Vec<FunctionReason>,
    /// By place in the model: has an operation that compiles and may be called.
    pub is_callable: Vec<bool>,
    pub rustdoc_seconds: f64,
    pub build_seconds: f64,
}

impl Prepared {
    /// As many functions can be called.
    pub fn n_callable(&self) -> u64 {
        self.is_callable.iter().filter(|yes| **yes).count() as u64
    }
}

/// What rustc left of a plan; kept on disk so that an unchanged API is not judged again.
#[derive(Serialize, Deserialize)]
struct JudgedPlan {
    ops: Vec<PlannedOp>,
    probes: Vec<AbilityQuery>,
    skipped: Vec<FunctionReason>,
    unused_types: Vec<UnusedType>,
}

/// What it takes to come by a worker.
pub struct Preparation<'a> {
    pub harness: &'a HarnessDir,
    pub cache: &'a Cache,
    /// This program, which cargo calls back instead of rustdoc.
    pub wrapper: &'a Path,
    pub package_config: &'a PackageConfig,
    pub omitted: &'a [Pattern],
    pub events: &'a Events,
    pub interrupt: &'a Interrupt,
}

/// An API as it was read.
struct ReadApi {
    model: Model,
    dependency_names: Vec<String>,
    /// Of all that a plan follows from.
    fingerprint: Fingerprint,
}

impl Preparation<'_> {
    /// Does it all.
    pub fn prepare(&self) -> Result<Prepared, UserError> {
        let started = Instant::now();
        self.events.emit(Event::PhaseStarted { phase: RunPhase::ReadingApi });
        let ReadApi { model, dependency_names, fingerprint } = self.read_api()?;
        let model = Arc::new(model);
        let rustdoc_seconds = started.elapsed().as_secs_f64();
        self.events.emit(Event::PhaseFinished { phase: RunPhase::ReadingApi, seconds: rustdoc_seconds });

        self.events.emit(Event::PhaseStarted { phase: RunPhase::BuildingHarness });
        let started = Instant::now();
        let (plan, executable) = self.build(&model, fingerprint)?;
        let build_seconds = started.elapsed().as_secs_f64();
        self.events.emit(Event::PhaseFinished { phase: RunPhase::BuildingHarness, seconds: build_seconds });
        self.tell_what_is_left_out(&model, &plan);
        let mut skipped = plan.skipped;
        let is_callable = leave_out(&self.package_config.config, self.omitted, &model, &plan.ops, &mut skipped);
        let functions = model.functions.len() as u64;
        self.events.emit(Event::ApiRead {
            functions,
            callable: functions - skipped.len() as u64,
            skipped: skipped.len() as u64,
        });
        Ok(Prepared {
            model,
            dependency_names,
            ops: plan.ops,
            executable,
            skipped,
            is_callable,
            rustdoc_seconds,
            build_seconds,
        })
    }

    fn read_api(&self) -> Result<ReadApi, UserError> {
        let (harness, config) = (self.harness, &self.package_config.config);
        let Documented { json: json_file, libraries } = harness.rustdoc_json(self.wrapper).map_err(from_cargo)?;
        let json = std::fs::read_to_string(&json_file)
            .map_err(|source| from_cargo(CargoError::Unreadable { path: json_file.clone(), source }))?;
        let mut fingerprint = Fingerprint::default();
        fingerprint.add(&PLAN_VERSION.to_le_bytes());
        for law in ORACLES.iter().filter_map(|oracle| oracle.law.as_ref()) {
            fingerprint.add(law.check.as_bytes());
            fingerprint.add(law.test.as_bytes());
        }
        fingerprint.add(env!("CARGO_PKG_VERSION").as_bytes());
        fingerprint.add(json.as_bytes());
        add_runtime_to(&mut fingerprint);
        let read = self.interrupt.wait_for(move || provoke_model::read(&json))?;
        let mut model = read.map_err(|error| from_model(&error))?;
        if let Some(newer) = &model.newer_format {
            self.events.emit(newer_format_warning(newer));
        }
        let dependency_names =
            adopt_dependencies(harness, self.wrapper, self.interrupt, &libraries, &mut model, &mut fingerprint)?;
        add_preconditions(harness.target(), &mut model, &mut fingerprint);
        config.ops_by_hand().for_each(|op| fingerprint.add(op.key.as_bytes()));
        add_types(self.package_config, &mut model, &mut fingerprint)?;
        Ok(ReadApi { model, dependency_names, fingerprint })
    }

    /// The plan that rustc left, with the worker that is built of it.
    fn build(&self, model: &Arc<Model>, fingerprint: Fingerprint) -> Result<(JudgedPlan, PathBuf), UserError> {
        let Preparation { harness, events, interrupt, .. } = *self;
        let cached_name = format!("plan-{fingerprint}.json");
        let cached = self.cache.read_text(&cached_name);
        let builder = HarnessBuilder { harness, events, interrupt };
        if let Some(plan) = cached.and_then(|text| serde_json::from_str::<JudgedPlan>(&text).ok())
            && let Some(executable) = builder.build(&plan.ops, &plan.probes)?
        {
            return Ok((plan, executable));
        }
        harness.build_target_first().map_err(from_cargo)?;
        let (plan, executable) = builder.judge(model, &self.package_config.config)?;
        if let Ok(text) = serde_json::to_string(&plan) {
            self.cache.write(&cached_name, text.as_bytes()).map_err(from_cargo)?;
        }
        Ok((plan, executable))
    }

    fn tell_what_is_left_out(&self, model: &Model, plan: &JudgedPlan) {
        let (config, log_file) = (&self.package_config.config, self.harness.log_file());
        for lost in config.ops_by_hand().filter(|by_hand| !plan.ops.iter().any(|op| op.key == by_hand.key)) {
            self.events.emit(Event::Warning {
                message: format!("`{}` in the configuration does not compile and is left out", lost.expression),
                hint: Some(format!("rustc's messages are in {}", log_file.display())),
            });
        }
        for unused in plan.unused_types.iter().filter(|_| !self.package_config.is_shared) {
            self.events.emit(unused_warning(unused, log_file));
        }
        tell_lost_specifications(model, &plan.ops, self.events);
    }
}

fn newer_format_warning(NewerFormat { format, known, n_unreadable }: &NewerFormat) -> Event {
    let left_out = match n_unreadable {
        0 => String::new(),
        n => format!(", without {}", plural(*n as u64, "item")),
    };
    Event::Warning {
        message: format!(
            "the toolchain's rustdoc writes JSON format {format}, newer than Provoke knows ({} to {}): it is read as \
             far as it is understood{left_out}",
            known.start(),
            known.end()
        ),
        hint: Some("if anything looks wrong, choose an older toolchain with `cargo +VERSION provoke`".to_string()),
    }
}

/// What is specified and will not be asked.
fn tell_lost_specifications(model: &Model, ops: &[PlannedOp], events: &Events) {
    for LostSpecification { kind, name, .. } in &model.lost_specifications {
        events.emit(Event::Warning {
            message: format!("the {} `{name}` is not asked: nobody outside of the crate can call it", kind.name()),
            hint: Some("a function has to stand in a public module, or in an impl of a public type".to_string()),
        });
    }
    for (place, spec) in model.specifications.iter().enumerate() {
        if !ops.iter().any(|op| op.specification == Some(place)) {
            events.emit(Event::Warning {
                message: format!(
                    "the {} `{}` is not asked: no types were found for it",
                    spec.kind.name(),
                    spec.display
                ),
                hint: None,
            });
        }
    }
}

/// Which functions may be called; those that the user does not want to be are listed as skipped.
fn leave_out(
    config: &Config,
    omitted: &[Pattern],
    model: &Model,
    ops: &[PlannedOp],
    skipped: &mut Vec<FunctionReason>,
) -> Vec<bool> {
    let n_functions = model.functions.len();
    let (mut has_op, mut is_callable) = (vec![false; n_functions], vec![false; n_functions]);
    let reason_against = |function: &Function| skip_reason(config, omitted, &function.display);
    let against: Vec<Option<&str>> = model.functions.iter().map(reason_against).collect();
    // Of a method, or of the trait's declaration of it.
    let mut of_ops: Vec<Option<&str>> = vec![None; n_functions];
    for op in ops {
        let functions = || [op.function, op.trait_function].into_iter().flatten();
        let reason = functions().find_map(|function| against[function]);
        for function in functions() {
            has_op[function] = true;
            is_callable[function] |= reason.is_none();
            of_ops[function] = of_ops[function].or(reason);
        }
    }
    for (index, function) in model.functions.iter().enumerate() {
        let reason = against[index].or(of_ops[index]).filter(|_| has_op[index] && !is_callable[index]);
        if let Some(reason) = reason {
            let (function, reason) = (function.display.clone(), reason.to_string());
            skipped.push(FunctionReason { function, reason, help: None });
        }
    }
    skipped.sort_by(|a, b| a.function.cmp(&b.function));
    is_callable
}

struct HarnessBuilder<'a> {
    harness: &'a HarnessDir,
    events: &'a Events,
    interrupt: &'a Interrupt,
}

/// Why rustc refused operations, by function.
type Refusals = BTreeMap<usize, SkipReason>;

impl HarnessBuilder<'_> {
    fn judge(&self, model: &Arc<Model>, config: &Config) -> Result<(JudgedPlan, PathBuf), UserError> {
        let functions = model.functions.len() as u64;
        let planned = self.interrupt.wait_hearing(
            {
                let model = Arc::clone(model);
                move |tell: &mut dyn FnMut(usize)| plan_telling(&model, tell)
            },
            |n_done| self.events.emit(Event::Planning { planned: n_done as u64, functions }),
        )?;
        let mut refusals = Refusals::new();
        // First generation: the API alone, unoptimised, to learn which types it uses.
        let mut ops = planned.ops;
        ops.extend(config.ops_by_hand().cloned());
        ops.sort_by(|a, b| a.key.cmp(&b.key));
        ops.dedup_by(|a, b| a.key == b.key);
        let mut probes = Vec::new();
        let first = self.strike(&mut ops, &mut probes, true, &mut refusals)?;
        let table = self.describe(&first)?;
        drop_giants(&mut ops, &table, &mut refusals);
        call_unspecified(&mut ops);
        let table = without_giants(table);
        // Second generation: with operations on those types and probes of what each can do.
        let (mut ops, found) = self.interrupt.wait_for({
            let model = Arc::clone(model);
            move || {
                let found = builtins(&model, &ops, &table);
                (ops, found)
            }
        })?;
        ops.extend(found.ops);
        ops.sort_by(|a, b| a.key.cmp(&b.key));
        probes = found.probes;
        let executable = self.strike(&mut ops, &mut probes, false, &mut refusals)?;

        let mut skipped: Vec<FunctionReason> = planned.skips.into_iter().map(function_reason).collect();
        let mut is_callable = vec![false; model.functions.len()];
        for op in &ops {
            for function in [op.function, op.trait_function].into_iter().flatten() {
                is_callable[function] = true;
            }
        }
        for (index, function) in model.functions.iter().enumerate() {
            let is_listed = skipped.iter().any(|s| s.function == function.display);
            if is_callable[index] {
                skipped.retain(|s| s.function != function.display);
            } else if !is_listed {
                let known = planned.refusal_reasons.get(&index).or_else(|| refusals.get(&index));
                let skip_reason = known.unwrap_or(&SkipReason::NoReceiver);
                skipped.push(function_reason(skip_reason.skip(&function.display)));
            }
        }
        skipped.sort_by(|a, b| a.function.cmp(&b.function));
        skipped.dedup_by(|a, b| a.function == b.function);
        let unused_types = unused_types(model, &planned.by_hand, &ops);
        Ok((JudgedPlan { ops, probes, skipped, unused_types }, executable))
    }

    /// Starts a worker only to hear what it knows.
    fn describe(&self, executable: &Path) -> Result<Table, UserError> {
        let scratch = self.harness.target().output_directory().join("scratch");
        let options = PoolOptions {
            jobs: 1,
            interrupt: self.interrupt.flag(),
            sandbox: self.harness.sandbox().clone(),
            ..PoolOptions::new(scratch)
        };
        Pool::start(executable, &options).map(|(_, table)| table).map_err(|error| from_executor(&error, self.interrupt))
    }

    /// Checks and builds, deleting what rustc does not accept, until it is clean.
    fn strike(
        &self,
        ops: &mut Vec<PlannedOp>,
        probes: &mut Vec<AbilityQuery>,
        is_first: bool,
        refusals: &mut Refusals,
    ) -> Result<PathBuf, UserError> {
        for round in 1..=MAX_ROUNDS {
            let source = self.write(ops, probes)?;
            let mut report = self.harness.check().map_err(from_cargo)?;
            if report.is_clean() {
                match self.harness.build(is_first).map_err(from_cargo)? {
                    BuildReport::Built { executable } => return Ok(executable),
                    BuildReport::Refused(refused) => report = refused,
                }
            }
            let n_ops = ops.len() as u64;
            let n_struck = delete_refused(&source, &report, ops, probes, refusals);
            self.events.emit(Event::HarnessRound { round, n_ops, n_struck });
            if n_struck == 0 {
                break;
            }
        }
        Err(UserError::new(ExitCode::Bug, "rustc does not accept the harness, whatever is left out of it")
            .with_hint(format!("cargo's messages are in {}", self.harness.log_file().display())))
    }

    /// Builds a plan that was accepted before; `None` if it no longer is.
    fn build(&self, ops: &[PlannedOp], probes: &[AbilityQuery]) -> Result<Option<PathBuf>, UserError> {
        self.write(ops, probes)?;
        match self.harness.build(false).map_err(from_cargo)? {
            BuildReport::Built { executable } => Ok(Some(executable)),
            BuildReport::Refused(_) => Ok(None),
        }
    }

    fn write(&self, ops: &[PlannedOp], probes: &[AbilityQuery]) -> Result<HarnessSource, UserError> {
        let source = HarnessSource::new(ops, probes);
        self.harness.write_sources(&[("main.rs", &source.main), ("ops.rs", &source.ops)]).map_err(from_cargo)?;
        Ok(source)
    }
}

/// A skip as the summary has it.
pub fn function_reason(skip: Skip) -> FunctionReason {
    FunctionReason { function: skip.function, reason: skip.reason, help: skip.help }
}

/// Where the spec of a function does not compile, the function itself is called.
fn call_unspecified(ops: &mut [PlannedOp]) {
    let keys: BTreeSet<String> = ops.iter().map(|op| op.key.clone()).collect();
    for op in ops.iter_mut().filter(|op| op.kind == OpKind::Unspecified) {
        if let Some(key) = op.belongs_to.take_if(|key| !keys.contains(key)) {
            (op.key, op.role, op.kind) = (key, OpRole::Function, OpKind::Other);
        }
    }
}

/// Values larger than this overflow the stack of whoever passes them around, which says nothing about the crate.
const MAX_VALUE_BYTES: u32 = 64 << 10;

fn is_giant(table: &Table, signature: &OpSignature) -> bool {
    let mut types = signature.args.iter().chain([&signature.result]);
    types.any(|&ty| table.types[ty as usize].size > MAX_VALUE_BYTES)
}

/// Deletes the operations that take or return a giant by value.
fn drop_giants(ops: &mut Vec<PlannedOp>, table: &Table, refusals: &mut Refusals) {
    let mut signatures = table.ops.iter();
    ops.retain(|op| {
        let is_kept = signatures.next().is_none_or(|signature| !is_giant(table, signature));
        if let (false, Some(function)) = (is_kept, op.function) {
            refusals.entry(function).or_insert(SkipReason::Giant { kib: MAX_VALUE_BYTES >> 10 });
        }
        is_kept
    });
}

/// The table of the operations that are left.
fn without_giants(mut table: Table) -> Table {
    let signatures = std::mem::take(&mut table.ops);
    table.ops = signatures.into_iter().filter(|signature| !is_giant(&table, signature)).collect();
    table
}

/// Deletes the operations and probes that errors point at; returns how many.
fn delete_refused(
    source: &HarnessSource,
    report: &CheckReport,
    ops: &mut Vec<PlannedOp>,
    probes: &mut Vec<AbilityQuery>,
    refusals: &mut Refusals,
) -> u64 {
    let mut bad_ops = vec![false; ops.len()];
    let mut bad_probes = vec![false; probes.len()];
    let mut bad_guards: Vec<Vec<bool>> = ops.iter().map(|op| vec![false; op.guards.len()]).collect();
    for error in &report.errors {
        let place = error.places.iter().filter(|p| p.file == "src/ops.rs").find_map(|p| source.line(p.line));
        match place {
            Some(Line::Op(index)) => {
                bad_ops[index] = true;
                if let Some(function) = ops[index].function {
                    refusals.entry(function).or_insert_with(|| SkipReason::Rustc(error.message.clone()));
                }
            }
            Some(Line::Probe(index)) => bad_probes[index] = true,
            // What sees private parts is left to the contract's own check.
            Some(Line::Guard { op, guard }) => bad_guards[op][guard] = true,
            None => {}
        }
    }
    for site in &report.crash_sites {
        let number = |prefix: &str| site.strip_prefix(prefix).and_then(|n| n.parse::<usize>().ok());
        if let Some(bad) = number("ops::op_").and_then(|n| bad_ops.get_mut(n)) {
            *bad = true;
        }
        if let Some(bad) = number("ops::ty_").and_then(|n| bad_probes.get_mut(n)) {
            *bad = true;
        }
        if let Some(Line::Guard { op, guard }) = number("ops::guard_").and_then(|n| source.guard(n)) {
            bad_guards[op][guard] = true;
        }
    }
    let n_struck =
        bad_ops.iter().chain(&bad_probes).chain(bad_guards.iter().flatten()).filter(|bad| **bad).count() as u64;
    for (op, bad) in ops.iter_mut().zip(bad_guards) {
        let mut bad = bad.into_iter();
        op.guards.retain(|_| !bad.next().unwrap_or(false));
    }
    let mut bad = bad_ops.into_iter();
    ops.retain(|_| !bad.next().unwrap_or(false));
    let mut bad = bad_probes.into_iter();
    probes.retain(|_| !bad.next().unwrap_or(false));
    n_struck
}
