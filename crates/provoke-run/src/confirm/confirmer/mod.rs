//! Turns suspects of the search into confirmed, minimised findings.

mod allowance;
mod state;
mod waiting;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use provoke_engine::{
    Activity, Bucket, Buckets, Effort, Executor, ExecutorError, Failure, FaultyClause, Finding, FindingId, Findings,
    Incident, Judgement, Predecessors, Replacements, Search, SearchObserver, Stats, Steadiness, Suspect, Tier, Verdict,
    ask_about_clones, calls_function, is_better_example, joined, spot_of, triage,
};
use provoke_oracles::is_contract;
use provoke_report::{Event, Progress, per_second};
use provoke_wire::{FaultKind, Outcome, Phase, Program, RunOptions};
use serde::{Deserialize, Serialize};

use crate::confirm::checkpoint::Saver;
use crate::confirm::confirmed::Confirmed;
use crate::confirm::minimizer_check::MinimizerCheck;
use crate::confirm::replayer::{AT_FIRST, IN_THE_END, Look, Met, MinimizeManner, Notebook, Process, Replayer, Way};
use crate::confirm::retirement::Retirement;
use crate::events::Events;
use crate::results::growth::Growth;

pub use crate::confirm::confirmer::allowance::{AfterSearch, PARTS};
use crate::confirm::confirmer::allowance::{Allowance, first_time};
pub use crate::confirm::confirmer::state::ConfirmerState;
use crate::confirm::confirmer::waiting::{Waiting, WaitingOrigin, WaitingRoom};

/// What a confirmer is bounded by.
pub struct Limits {
    pub time: Option<Duration>,
    pub calls: Option<u64>,
    pub functions_callable: u64,
    /// Places in the target's sources, if it is known which are reached.
    pub n_places: Option<u64>,
    /// When set, the last part of the time is another worker's.
    pub gives_way: Arc<AtomicBool>,
    /// What goes wrong is looked into.
    pub is_confirming: bool,
    /// By function: whether the user asked for it.
    pub is_selected: Vec<bool>,
    /// Operations whose loans turn out not to be understood.
    pub retirement: Arc<Retirement>,
}

/// How often the batch before a program is replayed: what earlier batches left behind in the process, the same calls may
/// leave behind again.
const REPETITIONS: [usize; 2] = [1, 8];

/// What did not show again gets another chance at its second, fourth, eighth… occurrence, up to this one.
const MAX_OCCURRENCES: u32 = 1 << 6;

/// Batches for which a finding is kept back: most functions that lead to the same place with fewer calls turn up by then.
const SETTLING_BATCHES: u64 = 48;
const SETTLING_TIME: Duration = Duration::from_secs(2);

/// Whoever watches sees no more than this, and hearing of it costs time that is the search's.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Replays of a hang: each costs seconds.
const HANG_REPLAYS: usize = 8;

/// How hard to minimise: a time-out costs seconds each time, a fresh process some tens of milliseconds, everything else about
/// one.
fn effort_for(event: Failure, process: Process, has_time: bool, is_first: bool) -> Effort {
    match (event, process) {
        (Failure::TimedOut, _) if !has_time => Effort { max_replays: 4, batch: 4 },
        (Failure::TimedOut, _) => Effort { max_replays: HANG_REPLAYS, batch: 4 },
        // Enough to leave out what the failing call has nothing to do with: nobody reads a long test. It takes less than a
        // second, and there is a deadline.
        _ if !has_time => Effort { max_replays: 300, batch: 16 },
        (_, Process::Fresh) => Effort { max_replays: 400, batch: 4 },
        // The same place through another function: it only matters whether that takes fewer calls. Each death costs a worker.
        (Failure::Signal(_), _) if !is_first => Effort { max_replays: 60, batch: 16 },
        _ if !is_first => Effort { max_replays: 1000, batch: 16 },
        _ => Effort { max_replays: 5000, batch: 16 },
    }
}

/// An incident to look into.
struct Lead<'a> {
    incident: Incident,
    program: &'a Program,
    /// Where it happened.
    spot: u64,
    replacements: Option<Replacements<'a>>,
    found_after_seconds: f64,
    /// How the search came by it; nothing if it was met while another finding was minimised.
    origin: Option<Origin<'a>>,
}

struct Origin<'a> {
    outcome: &'a Outcome,
    before: Predecessors<'a>,
    entropy: u64,
}

/// Something that was seen and did not show again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Elusive {
    finding: Finding,
    found_after_seconds: f64,
    n_seen: u32,
}

/// A finding that waits for a better one with the same cause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Held {
    confirmed: Confirmed,
    since_batch: u64,
    #[serde(skip, default = "Instant::now")]
    since: Instant,
}

impl Held {
    /// Batches can be slow, and the user wants to see something. When it is shown changes nothing about what is found.
    fn has_settled(&self, n_batches: u64) -> bool {
        self.since_batch + SETTLING_BATCHES < n_batches || self.since.elapsed() > SETTLING_TIME
    }
}

pub struct Confirmer<'a> {
    replayer: Replayer<'a>,
    events: &'a Events,
    limits: Limits,
    allowance: Allowance,
    waiting: WaitingRoom,
    /// Places at which something was found.
    fruitful_spots: BTreeSet<u64>,
    started: Instant,
    /// Time that was spent on confirming and minimising: it does not count as search.
    paused: Duration,
    /// Since when the search pauses now.
    pause: Option<Instant>,
    /// Keys of the incidents that were looked at.
    known: BTreeSet<u64>,
    /// Those of them that led to findings.
    fruitful: BTreeSet<u64>,
    /// Clauses of contracts that went wrong when they were asked.
    spoilt_clauses: BTreeSet<FaultyClause>,
    /// How often incidents were seen, by key, that such a clause was to blame for when they were looked at.
    excused: BTreeMap<u64, u32>,
    /// By key of the incident.
    elusive: BTreeMap<u64, Elusive>,
    findings: Findings,
    buckets: Buckets,
    /// By root cause: the finding that shows it best.
    examples: BTreeMap<Bucket, Finding>,
    held: Vec<Held>,
    n_batches: u64,
    /// How far the search was after the last batch.
    progress: Progress,
    /// When that was told last.
    shown_at: Cell<Option<Instant>>,
    growth: Growth,
    to_verifier: Sender<Confirmed>,
    /// All that the verifier was given.
    released: Vec<Confirmed>,
    pub check: MinimizerCheck,
    saver: Saver,
    may_save: bool,
}

/// What is left of a confirmer but its findings.
pub struct ConfirmerResults {
    /// Which functions lead to each place at which something was found.
    pub buckets: Buckets,
    pub check: MinimizerCheck,
    /// How the search came along.
    pub growth: Growth,
    /// Clauses of contracts that went wrong when they were asked.
    pub spoilt_clauses: BTreeSet<FaultyClause>,
    /// What went wrong and was not looked into, since the time was up.
    pub n_waiting: u64,
    /// Of the time after the search, for the regression suite, if it is bounded.
    pub time_left: Option<Duration>,
}

impl<'a> Confirmer<'a> {
    pub fn new(
        replayer: Replayer<'a>,
        events: &'a Events,
        limits: Limits,
        to_verifier: Sender<Confirmed>,
        check: MinimizerCheck,
        saver: Saver,
    ) -> Confirmer<'a> {
        Confirmer {
            replayer,
            events,
            allowance: Allowance::new(limits.time),
            limits,
            waiting: WaitingRoom::default(),
            fruitful_spots: BTreeSet::new(),
            started: Instant::now(),
            paused: Duration::ZERO,
            pause: None,
            known: BTreeSet::new(),
            fruitful: BTreeSet::new(),
            spoilt_clauses: BTreeSet::new(),
            excused: BTreeMap::new(),
            elusive: BTreeMap::new(),
            findings: Findings::new(),
            buckets: Buckets::default(),
            examples: BTreeMap::new(),
            held: Vec::new(),
            n_batches: 0,
            progress: Progress::default(),
            shown_at: Cell::default(),
            growth: Growth::default(),
            to_verifier,
            released: Vec::new(),
            check,
            saver,
            may_save: true,
        }
    }

    pub fn search_seconds(&self) -> f64 {
        self.searched().as_secs_f64()
    }

    pub fn minimize_seconds(&self) -> f64 {
        self.looked().as_secs_f64()
    }

    fn searched(&self) -> Duration {
        self.started.elapsed().saturating_sub(self.looked())
    }

    /// How long the search has paused so far, the pause of this moment included.
    fn looked(&self) -> Duration {
        self.paused + self.pause.map_or(Duration::ZERO, |pause| pause.elapsed())
    }

    /// Whether a pause begins here: within another one, it is part of that.
    fn begin_pause(&mut self) -> bool {
        let is_outermost = self.pause.is_none();
        self.pause.get_or_insert_with(Instant::now);
        is_outermost
    }

    fn end_pause(&mut self, is_outermost: bool) {
        if is_outermost {
            self.paused = self.looked();
            self.pause = None;
        }
    }

    /// Whether there is time to look into something now.
    fn may_look(&self) -> bool {
        !self.replayer.interrupt.is_asked() && self.allowance.has_room(self.searched(), self.looked())
    }

    /// The search goes on in another worker, with the time that is left. A saved run goes on from before that.
    pub fn go_on(&mut self) {
        self.limits.gives_way = Arc::default();
        self.may_save = false;
        self.allowance.resume_search();
    }

    /// The search is over, or goes on elsewhere later: what had to wait is looked into, as long as there is time for it.
    pub fn work_off(
        &mut self,
        executor: &mut dyn Executor,
        search: &Search<'_>,
        then: AfterSearch,
    ) -> Result<(), ExecutorError> {
        self.allowance.end_search(then);
        let is_outermost = self.begin_pause();
        let mut result = Ok(());
        while self.may_look() && result.is_ok() {
            let spots = &self.fruitful_spots;
            let Some(next) = self.waiting.take_next(|spot| spots.contains(&spot)) else { break };
            if self.limits.retirement.discredits(&next.incident, &next.program.main) {
                continue;
            }
            let origin = next.origin.as_ref().map(|origin| Origin {
                outcome: &origin.outcome,
                before: origin.before(),
                entropy: origin.entropy,
            });
            let lead = Lead {
                incident: next.incident.clone(),
                program: &next.program,
                spot: next.spot,
                replacements: Some(search.replacements()),
                found_after_seconds: next.found_after_seconds,
                origin,
            };
            result = self.look_into(executor, lead);
        }
        self.end_pause(is_outermost);
        if self.replayer.interrupt.is_asked() { Ok(()) } else { result }
    }

    /// What can only be asked when the search is over, because it takes many programs to tell. What goes wrong there may have to
    /// wait like everything else.
    pub fn look_back(&mut self, executor: &mut dyn Executor, search: &Search<'_>) -> Result<(), ExecutorError> {
        let is_outermost = self.begin_pause();
        let is_over = self.replayer.interrupt.is_asked() || !self.limits.is_confirming;
        let result = if is_over { Ok(()) } else { ask_about_clones(search, executor, self) };
        self.end_pause(is_outermost);
        if self.replayer.interrupt.is_asked() { Ok(()) } else { result }
    }

    /// What the search leaves unsettled: elusive findings are reported as flaky, and all that was kept back goes out, whatever
    /// ended the search.
    pub fn finish(&mut self, executor: &mut dyn Executor) -> Result<(), ExecutorError> {
        let is_outermost = self.begin_pause();
        let mut result = Ok(());
        for (_, elusive) in std::mem::take(&mut self.elusive) {
            let settled = self.settle(executor, elusive);
            if settled.is_err() && !self.replayer.interrupt.is_asked() {
                result = settled;
                break;
            }
        }
        for held in std::mem::take(&mut self.held) {
            self.release(held.confirmed);
        }
        self.end_pause(is_outermost);
        result
    }

    pub fn into_results(mut self) -> ConfirmerResults {
        self.saver.finish(self.events);
        let n_waiting = self.waiting.n_left();
        let time_left = self.allowance.left_for_tests();
        let Confirmer { buckets, check, growth, spoilt_clauses, .. } = self;
        ConfirmerResults { buckets, check, growth, spoilt_clauses, n_waiting, time_left }
    }

    /// Also while something is looked at closely, which may take longer than the search does between two findings.
    fn show_progress(&self) {
        if self.shown_at.get().is_some_and(|at| at.elapsed() < PROGRESS_INTERVAL) {
            return;
        }
        self.shown_at.set(Some(Instant::now()));
        self.events.emit(Event::Progress(self.progress.clone()));
    }

    /// Minimising may take half of the search time beside it, and what is left of the time after it.
    fn may_minimize(&self) -> bool {
        !self.replayer.interrupt.is_asked() && self.minimize_time().is_none_or(|left| left > Duration::ZERO)
    }

    /// One finding gets a third of what is left, so that the first does not eat it all, and a second in any case.
    fn minimize_deadline(&self) -> Option<Instant> {
        Some(Instant::now() + (self.minimize_time()? / 3).max(Duration::from_secs(1)))
    }

    fn minimize_time(&self) -> Option<Duration> {
        let time = self.limits.time?;
        Some(self.allowance.left().unwrap_or_else(|| (time / 2).saturating_sub(self.looked())))
    }

    /// Whether an incident is worth a look: it is new, or has come up often enough since the last try, which settled nothing. What a
    /// clause was to blame for may be the function's own doing another time.
    fn is_worth_a_look(&mut self, key: u64) -> bool {
        let n_seen = match self.elusive.get_mut(&key) {
            Some(elusive) => Some(&mut elusive.n_seen),
            None => self.excused.get_mut(&key),
        };
        match n_seen {
            Some(n_seen) => {
                *n_seen += 1;
                n_seen.is_power_of_two() && *n_seen <= MAX_OCCURRENCES
            }
            None => self.known.insert(key),
        }
    }

    /// An incident turned out to be no finding.
    fn excuse(&mut self, key: u64, spoilt_clause: Option<FaultyClause>) {
        if let Some(clause) = spoilt_clause {
            self.spoilt_clauses.insert(clause);
            self.excused.entry(key).or_insert(1);
        }
    }

    /// Whether a fault of a tracked element or a crash is what one of the calls was found to do already. An element that was
    /// dropped twice or used afterwards shows in many ways, a leak in one.
    fn is_explained(&self, incident: &Incident, program: &Program) -> bool {
        if !matches!(incident.event, Failure::Tracked(_) | Failure::Signal(_)) {
            return false;
        }
        self.findings.iter().any(|known| {
            let explains = match known.incident.event {
                Failure::Tracked(FaultKind::Leak) => incident.event == known.incident.event,
                Failure::Tracked(FaultKind::DoubleDrop | FaultKind::UseAfterDrop) => true,
                _ => false,
            };
            explains && calls_function(self.replayer.api, &program.main, &known.judgement.function)
        })
    }

    /// Looks into an incident and then into the others that were met on the way.
    fn look_into(&mut self, executor: &mut dyn Executor, lead: Lead<'_>) -> Result<(), ExecutorError> {
        let (replacements, found_after_seconds) = (lead.replacements, lead.found_after_seconds);
        let mut met: VecDeque<Met> = self.confirm(executor, &lead)?.into();
        while let Some(Met { incident, program, spot }) = met.pop_front() {
            let is_discredited = self.limits.retirement.discredits(&incident, &program.main);
            if is_discredited || !self.is_asked_for(&incident, &program) || self.known.contains(&incident.key) {
                continue;
            }
            self.allowance.meet(spot);
            if self.may_look() {
                self.known.insert(incident.key);
                self.waiting.call_in(incident.key);
                let lead = Lead { incident, program: &program, spot, replacements, found_after_seconds, origin: None };
                met.extend(self.confirm(executor, &lead)?);
            } else {
                self.put_off(Waiting { incident, program, spot, found_after_seconds, origin: None });
            }
        }
        Ok(())
    }

    /// There is no time for a look now. What finds no room to wait in is as if nobody had seen it.
    fn put_off(&mut self, waiting: Waiting) {
        self.known.insert(waiting.incident.key);
        if let Some(turned_away) = self.waiting.add(waiting) {
            self.known.remove(&turned_away);
        }
    }

    /// Whether the user wants to hear of the function.
    fn is_asked_for(&self, incident: &Incident, program: &Program) -> bool {
        let statement = program.main.statements.get(incident.statement as usize);
        let op = statement.and_then(|statement| self.replayer.api.ops.get(statement.op as usize));
        op.and_then(|op| op.function).is_none_or(|function| self.limits.is_selected[function as usize])
    }

    /// Looks at an incident closely: quickly at first, then, if it is worth it, as nobody else would be there. Returns other
    /// incidents that it met.
    fn confirm(&mut self, executor: &mut dyn Executor, lead: &Lead<'_>) -> Result<Vec<Met>, ExecutorError> {
        let options = self.replayer.options(lead.incident.activity);
        let first_look = self.replayer.look(executor, &lead.incident, lead.program, (Process::Warm, options))?;
        match &first_look {
            Look::Excused(spoilt_clause) => {
                self.excuse(lead.incident.key, spoilt_clause.clone());
                return Ok(Vec::new());
            }
            Look::Shows(_, judgement) => {
                if self.findings.get(&FindingId::of(judgement)).is_some() {
                    return Ok(Vec::new());
                }
                // Which call lost an element, only a minimal program tells.
                if lead.incident.event == Failure::Tracked(FaultKind::Leak) && !self.may_minimize() {
                    return Ok(Vec::new());
                }
                // When the time for minimising is over, the same place through yet another function is not worth more of it. Nor
                // is it ever if each look costs a worker, and this function cannot show it better than the one that is known.
                let known = self.examples.get(&Bucket::of(judgement));
                let is_well_shown = matches!(lead.incident.event, Failure::Signal(_))
                    && known.is_some_and(|known| {
                        known.program.main.n_calls() <= 1 && known.judgement.function <= judgement.function
                    });
                if is_well_shown || known.is_some() && !self.may_minimize() {
                    self.buckets.add(judgement);
                    return Ok(Vec::new());
                }
            }
            Look::Gone => {}
        }
        // What comes after the failing call never ran.
        let mut program = lead.program.clone();
        if lead.incident.phase == Phase::Call && lead.incident.event != Failure::Tracked(FaultKind::Leak) {
            program.main.truncate(lead.incident.at as usize + 1);
            program.observe_from = program.observe_from.min(program.main.statements.len() as u32);
        }
        let finding = |incident: Incident, judgement: Judgement, program: Program, steadiness| Finding {
            id: FindingId::of(&judgement),
            judgement,
            incident,
            n_calls_before_minimizing: program.main.n_calls(),
            program,
            steadiness,
            n_replays: 0,
        };
        let found = match self.replayer.look(executor, &lead.incident, &program, (Process::Fresh, options))? {
            Look::Excused(spoilt_clause) => {
                self.excuse(lead.incident.key, spoilt_clause);
                return Ok(Vec::new());
            }
            Look::Shows(incident, judgement) => {
                let is_hidden = matches!(first_look, Look::Gone);
                let steadiness = if is_hidden { Steadiness::HiddenState } else { Steadiness::Steady };
                finding(incident, judgement, program, steadiness)
            }
            Look::Gone => match self.look_at_history(executor, lead, &program, first_look)? {
                Some((incident, judgement, program, steadiness)) => finding(incident, judgement, program, steadiness),
                None => return Ok(Vec::new()),
            },
        };
        if self.findings.get(&found.id).is_some() {
            return Ok(Vec::new());
        }
        self.confirm_found(executor, lead, found)
    }

    /// What is seen only in a process with a past: the programs before it, as one with it, may show it in a fresh process.
    /// Otherwise it is elusive. Nothing if it is not worth remembering.
    fn look_at_history(
        &mut self,
        executor: &mut dyn Executor,
        lead: &Lead<'_>,
        program: &Program,
        first_look: Look,
    ) -> Result<Option<(Incident, Judgement, Program, Steadiness)>, ExecutorError> {
        let Some(origin) = &lead.origin else {
            // Met in a process with a past of its own: the search may come by it in a better way.
            self.known.remove(&lead.incident.key);
            return Ok(None);
        };
        // Load and leaks make these come and go, and say nothing about the crate.
        if matches!(lead.incident.event, Failure::TimedOut | Failure::MemoryExhausted) {
            return Ok(None);
        }
        let options = self.replayer.options(lead.incident.activity);
        let mut together = program.clone();
        let of_its_batch = Predecessors { earlier: &[], ..origin.before };
        let with_all = (!origin.before.earlier.is_empty()).then_some((origin.before, 1));
        for (before, n_times) in REPETITIONS.map(|n_times| (of_its_batch, n_times)).into_iter().chain(with_all) {
            together = joined(self.replayer.api, before, n_times, program);
            let look = self.replayer.look(executor, &lead.incident, &together, (Process::Fresh, options))?;
            if let Look::Shows(incident, judgement) = look {
                return Ok(Some((incident, judgement, together, Steadiness::HiddenState)));
            }
        }
        let as_before = RunOptions { entropy: origin.entropy, ..options };
        for candidate in [program, &together] {
            let look = self.replayer.look(executor, &lead.incident, candidate, (Process::Fresh, as_before))?;
            if let Look::Shows(_, judgement) = look {
                return Ok(Some((lead.incident.clone(), judgement, program.clone(), Steadiness::Chance)));
            }
        }
        let seen = match first_look {
            Look::Shows(_, judgement) => Some(judgement),
            Look::Excused(_) => None,
            Look::Gone => match self.replayer.judge.verdict(&lead.incident, origin.outcome, lead.program, false) {
                Verdict::Finding(judgement) => Some(judgement),
                Verdict::Legal | Verdict::Illegal(_) => None,
            },
        };
        Ok(seen.map(|judgement| (lead.incident.clone(), judgement, program.clone(), Steadiness::Elusive)))
    }

    /// Minimises what was found and keeps it; or remembers it as elusive.
    fn confirm_found(
        &mut self,
        executor: &mut dyn Executor,
        lead: &Lead<'_>,
        mut found: Finding,
    ) -> Result<Vec<Met>, ExecutorError> {
        // For a hang, this is asked once, in the end.
        if found.incident.event != Failure::TimedOut && !found.steadiness.is_flaky() {
            found.steadiness = self.replayer.steadiness(executor, &found, AT_FIRST)?;
        }
        if found.steadiness.is_flaky() {
            self.remember(lead, found);
            return Ok(Vec::new());
        }
        let (mut best, met) = self.minimize(executor, found, lead.replacements)?;
        // Which call is to blame for what happens to tracked elements is only known now.
        if self.findings.get(&best.id).is_some() {
            return Ok(met);
        }
        best.steadiness = self.replayer.steadiness(executor, &best, IN_THE_END)?;
        // What comes and goes with the clock or with random numbers has no test that fails every time.
        if best.steadiness.is_flaky() {
            self.remember(lead, best);
        } else {
            self.elusive.remove(&lead.incident.key);
            self.check.expect(lead.incident.key, &best);
            self.fruitful_spots.insert(lead.spot);
            self.keep(executor, best, lead.found_after_seconds)?;
        }
        Ok(met)
    }

    /// Once more when it comes up again; in the end, it is flaky.
    fn remember(&mut self, lead: &Lead<'_>, finding: Finding) {
        let found_after_seconds = lead.found_after_seconds;
        self.elusive.entry(lead.incident.key).or_insert(Elusive { finding, found_after_seconds, n_seen: 1 });
    }

    /// The simplest program that was found for the finding, and other incidents that were met on the way.
    fn minimize(
        &mut self,
        executor: &mut dyn Executor,
        found: Finding,
        replacements: Option<Replacements<'_>>,
    ) -> Result<(Finding, Vec<Met>), ExecutorError> {
        if self.replayer.interrupt.is_asked() {
            return Ok((found, Vec::new()));
        }
        let (known, is_first) = (&self.known, !self.examples.contains_key(&Bucket::of(&found.judgement)));
        let is_known = |key| known.contains(&key);
        let mut notebook = Notebook::new(&is_known);
        // In one worker for speed; in fresh ones if the result turns out to need what others left behind.
        let processes: &[Process] = match found.steadiness {
            Steadiness::HiddenState => &[Process::Fresh],
            _ => &[Process::Warm, Process::Fresh],
        };
        for &process in processes {
            let manner = MinimizeManner {
                replacements,
                process,
                effort: effort_for(found.incident.event, process, self.may_minimize(), is_first),
                deadline: self.minimize_deadline(),
                is_wary_of_chance: found.incident.event != Failure::TimedOut && !found.steadiness.is_flaky(),
                on_replay: &|| self.show_progress(),
            };
            match self.replayer.minimize(executor, &found, &manner, &mut notebook) {
                Ok(Some(minimized)) => return Ok((minimized, notebook.met)),
                Ok(None) => {}
                // A Ctrl-C in between: better a long test than none.
                Err(_) if self.replayer.interrupt.is_asked() => break,
                Err(error) => return Err(error),
            }
        }
        Ok((Finding { n_replays: notebook.n_replays, ..found }, notebook.met))
    }

    /// Keeps a finding; what shows its cause better than all before goes to the verifier, when it has settled.
    fn keep(
        &mut self,
        executor: &mut dyn Executor,
        finding: Finding,
        found_after_seconds: f64,
    ) -> Result<(), ExecutorError> {
        self.findings.add(finding.clone());
        self.buckets.add(&finding.judgement);
        let bucket = Bucket::of(&finding.judgement);
        if self.examples.get(&bucket).is_some_and(|known| !is_better_example(&finding, known)) {
            return Ok(());
        }
        let worse = self.held.iter().position(|held| Bucket::of(&held.confirmed.finding.judgement) == bucket);
        let (since_batch, since) = match worse {
            Some(place) => {
                let Held { since_batch, since, .. } = self.held.remove(place);
                (since_batch, since)
            }
            None => (self.n_batches, Instant::now()),
        };
        self.examples.insert(bucket, finding.clone());
        let is_traced = is_contract(finding.judgement.oracle);
        let way = if is_traced { self.replayer.way(executor, &finding)? } else { Way::default() };
        let Way { states, points, operands } = way;
        let confirmed = Confirmed { finding, found_after_seconds, also_through: Vec::new(), states, points, operands };
        self.held.push(Held { confirmed, since_batch, since });
        Ok(())
    }

    fn release(&mut self, mut confirmed: Confirmed) {
        confirmed.also_through = self.buckets.also_through(&confirmed.finding.judgement);
        self.hand_over(confirmed);
    }

    fn hand_over(&mut self, confirmed: Confirmed) {
        // The verifier only goes away with the whole run.
        let _ = self.to_verifier.send(confirmed.clone());
        self.released.push(confirmed);
    }

    /// The last word on an elusive finding: flaky, unless something steady has the same cause.
    fn settle(&mut self, executor: &mut dyn Executor, elusive: Elusive) -> Result<(), ExecutorError> {
        let mut finding = elusive.finding;
        let is_known = self.findings.get(&finding.id).is_some();
        if is_known || self.examples.contains_key(&Bucket::of(&finding.judgement)) {
            return Ok(());
        }
        if finding.steadiness == Steadiness::Chance && self.may_minimize() {
            let steadiness = finding.steadiness;
            finding = Finding { steadiness, ..self.minimize(executor, finding, None)?.0 };
        }
        finding.judgement.tier = Tier::Suspicious;
        self.keep(executor, finding, elusive.found_after_seconds)
    }
}

impl SearchObserver for Confirmer<'_> {
    fn suspect(&mut self, executor: &mut dyn Executor, suspect: Suspect<'_>) -> Result<Vec<u64>, ExecutorError> {
        if !self.limits.is_confirming {
            return Ok(Vec::new());
        }
        let triage = triage(suspect.outcome, self.replayer.api, &suspect.program.main);
        let mut shown = Vec::new();
        for incident in triage.incidents {
            // Panics of `Debug` and `Hash` while values are told apart: those written by hand are called as functions, too, and
            // found there.
            if incident.activity == Activity::Observe || self.is_explained(&incident, suspect.program) {
                continue;
            }
            if self.limits.retirement.discredits(&incident, &suspect.program.main) {
                continue;
            }
            if self.replayer.interrupt.is_asked() {
                break;
            }
            let found_after_seconds = self.search_seconds();
            let is_outermost = self.begin_pause();
            let (key, n_examples) = (incident.key, self.examples.len());
            let spot = spot_of(&incident, suspect.outcome);
            self.allowance.meet(spot);
            let may_look = self.may_look();
            let result = if !may_look {
                if !self.known.contains(&key) && !self.waiting.has_turned_away(key) {
                    let origin = WaitingOrigin::new(suspect.outcome, suspect.before, suspect.entropy);
                    let (program, origin) = (suspect.program.clone(), Some(origin));
                    self.put_off(Waiting { incident, program, spot, found_after_seconds, origin });
                }
                Ok(())
            } else if self.is_worth_a_look(incident.key) {
                self.waiting.call_in(key);
                self.show_progress();
                let origin = Origin { outcome: suspect.outcome, before: suspect.before, entropy: suspect.entropy };
                let lead = Lead {
                    incident,
                    program: suspect.program,
                    spot,
                    replacements: Some(suspect.replacements),
                    found_after_seconds,
                    origin: Some(origin),
                };
                self.look_into(executor, lead)
            } else {
                let (check, replayer) = (&mut self.check, &self.replayer);
                check.take(executor, replayer, &incident, suspect.program, suspect.replacements)
            };
            self.end_pause(is_outermost);
            result?;
            if self.examples.len() > n_examples {
                self.fruitful.insert(key);
            }
            shown.extend(self.fruitful.get(&key));
        }
        Ok(shown)
    }

    fn progress(&mut self, stats: &Stats) {
        let seconds = self.search_seconds();
        self.progress = Progress {
            seconds_left: self.limits.time.map(|time| (time.as_secs_f64() - seconds).max(0.0)),
            calls: stats.calls,
            calls_limit: self.limits.calls,
            calls_per_second: per_second(stats.calls, seconds),
            functions_covered: stats.functions_covered,
            functions_callable: self.limits.functions_callable,
            edges: self.limits.n_places.map(|n_places| (stats.places, n_places)),
            findings: self.examples.len() as u64,
        };
        self.growth.follow(&self.progress, stats.programs, seconds);
        self.show_progress();
        self.n_batches += 1;
        let n_batches = self.n_batches;
        for held in self.held.extract_if(.., |held| held.has_settled(n_batches)).collect::<Vec<_>>() {
            self.release(held.confirmed);
        }
    }

    fn at_checkpoint(&mut self, save: &dyn Fn() -> Vec<u8>) {
        if self.may_save && self.saver.is_due() {
            let state = self.state();
            self.saver.save(&state, save, self.events);
        }
    }

    fn retired(&self) -> Vec<u32> {
        self.limits.retirement.ops().into_iter().collect()
    }

    fn should_stop(&self) -> bool {
        self.replayer.interrupt.is_asked()
            || self.limits.time.is_some_and(|time| {
                let gives_way = self.limits.gives_way.load(Ordering::Relaxed);
                self.searched() >= if gives_way { first_time(time) } else { time }
            })
    }
}
