//! The machine: all state of the executor, and how batches and programs run on it.
//!
//! Decisions:
//! - `docs/decisions/015-one-catch-unwind-per-program.md`
//! - `docs/decisions/017-slots-are-reported-only-where-observed.md`

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use provoke_wire::{
    BatchReader, Checked, DecodeError, Ending, Fault, FaultKind, LastWords, Outcome, Page, Phase, Program,
    ReportWriter, RunOptions, Writer,
};

use crate::env::panics::Sighting;
use crate::env::threads::Others;
use crate::env::{deterministic_env, panics, sys};
use crate::look::monitor::History;
use crate::look::text::BoundedText;
use crate::look::{monitor, observe, tracked};
use crate::measure::coverage::Coverage;
use crate::measure::{allocator, compares, cost};
use crate::run::arena::Arena;
use crate::run::callback::Callback;
use crate::run::frame;
use crate::run::frame::{Flow, Frame, NO_CALLBACK, Slot};
use crate::run::harness::Harness;
use crate::run::literals::Literals;

/// How a worker ends that was asked for something impossible: a bug in Provoke.
pub(crate) const EXIT_PROTOCOL_ERROR: i32 = 70;

thread_local! {
    /// The machine that runs on this thread. Callbacks and the panic hook find it here.
    static CURRENT: Cell<*mut Machine> = const { Cell::new(std::ptr::null_mut()) };
}

/// The machine that runs on this thread, or null.
pub(crate) fn current() -> *mut Machine {
    CURRENT.get()
}

/// The statement of the main body that this thread runs, if it runs a program.
pub(crate) fn running_statement() -> Option<u32> {
    let machine = CURRENT.get();
    // It stays alive while it is there, and the field is a plain number.
    (!machine.is_null()).then(|| unsafe { (*machine).statement })
}

pub(crate) struct Machine {
    pub harness: Harness,
    pub page: Page,
    pub arena: Arena,
    pub literals: Literals,
    pub callbacks: Vec<Callback>,
    /// The captured values of all callbacks, in their order.
    pub captures: Vec<Slot>,
    pub generation: u32,
    pub n_callback_calls: u32,
    pub options: RunOptions,
    /// The statement of the main body that is running.
    pub statement: u32,
    pub n_calls: u32,
    /// Where the stack of the running program begins.
    pub stack_base: usize,
    /// Some statement may have lent a slot to its result.
    pub may_have_loans: bool,
    pub loans: Vec<(u32, u32)>,
    pub sighting: Option<Sighting>,
    pub text: BoundedText,
    pub outcome: Outcome,
    /// What monitors remember of the objects of the running program.
    pub histories: Vec<History>,
    /// Monitors that are not asked any more in the running program.
    pub spoilt: Vec<u32>,
    /// Why the first of them is not.
    pub trouble: Option<Checked>,
    pub coverage: Coverage,
    /// How many live bytes the code under test may have.
    memory_limit: u64,
    /// Live bytes before anything of the code under test ran.
    live_at_start: u64,
}

impl Machine {
    pub fn new(harness: Harness, page: Page, options: RunOptions, memory_limit: u64) -> Machine {
        Machine {
            harness,
            page,
            arena: Arena::new(),
            literals: Literals::default(),
            callbacks: Vec::new(),
            captures: Vec::new(),
            generation: 0,
            n_callback_calls: 0,
            options,
            statement: 0,
            n_calls: 0,
            stack_base: 0,
            may_have_loans: false,
            loans: Vec::new(),
            sighting: None,
            text: BoundedText::default(),
            outcome: Outcome::default(),
            histories: Vec::new(),
            spoilt: Vec::new(),
            trouble: None,
            coverage: Coverage::default(),
            memory_limit,
            live_at_start: allocator::live(),
        }
    }

    /// Ends the worker: the tool sent a program that cannot be run.
    #[cold]
    pub fn give_up(&self, what: &str) -> ! {
        self.page.say_last_words(LastWords::ProtocolError);
        let at = self.statement;
        sys::say(&format!("provoke worker: statement {at}: {what}\n"));
        sys::exit_at_once(EXIT_PROTOCOL_ERROR)
    }
}

/// Runs all programs of a batch on this thread, which must be fresh, and writes the report.
///
/// # Safety
/// `machine` is valid and used by nobody else meanwhile.
pub(crate) unsafe fn run_batch(
    machine: *mut Machine,
    batch: &mut BatchReader<'_>,
    program: &mut Program,
    writer: &mut Writer,
) -> Result<(), DecodeError> {
    unsafe {
        allocator::claim_thread();
        CURRENT.set(machine);
        (*machine).options = batch.options;
        deterministic_env::reset(batch.options.entropy);
        (*machine).coverage.forget(&batch.news);
        if batch.options.coverage {
            (*machine).coverage.start();
        }
        let mut report = ReportWriter::new(writer, batch.number);
        let live_at_batch = allocator::live();
        let mut others = Others::at_start();
        // The thread that runs this was started, too.
        (*machine).page.forget_traces();
        let mut index = 0;
        while batch.next_into(program)? {
            // Programs that leak are not to be blamed on those after them, within reason.
            let limit = (*machine).memory_limit;
            let ceiling = allocator::live().min(live_at_batch.saturating_add(limit));
            allocator::set_ceiling(ceiling.saturating_add(limit));
            (*machine).page.start_program(index);
            run_program(machine, program);
            // Before anything of the executor's own is compared, such as the numbers of threads.
            if batch.options.comparisons {
                compares::stop(&mut (*machine).outcome.comparisons);
            }
            let are_others_busy = others.are_busy();
            if are_others_busy {
                (*machine).page.leave_traces();
            }
            allocator::set_ceiling(u64::MAX);
            (*machine).outcome.blocked = (*machine).page.blocked();
            let edges = &mut (*machine).outcome.edges;
            match batch.options.coverage {
                true if are_others_busy => (*machine).coverage.collect_from_busy(edges, sys::pause_briefly),
                true => (*machine).coverage.collect(edges),
                false => {}
            }
            report.push(&(*machine).outcome);
            index += 1;
            // Others are not to feel what this one did to the process.
            if (*machine).page.has_traces() {
                break;
            }
        }
        let leaked = allocator::live().saturating_sub((*machine).live_at_start);
        let wants_renewal = (*machine).literals.wants_renewal()
            || leaked > (*machine).memory_limit / 4
            || (*machine).page.has_traces()
            || (*machine).page.has_files()
            || others.are_left();
        report.finish(wants_renewal);
        CURRENT.set(std::ptr::null_mut());
        Ok(())
    }
}

unsafe fn run_program(machine: *mut Machine, program: &Program) {
    unsafe {
        (*machine).start();
        // Not before: what the last program left is freed by now, such as the path of a file in which it panicked.
        if (*machine).options.comparisons {
            compares::start();
        }
        let mut frame = Frame::new(machine, &program.main, NO_CALLBACK);
        let frame = &raw mut frame;
        (*machine).stack_base = frame.addr();
        cost::start();
        let ended = catch_unwind(AssertUnwindSafe(|| frame::run_statements::<true>(machine, frame)));
        cost::stop(&mut (*machine).outcome);
        (*machine).outcome.n_calls = (*machine).n_calls;
        match ended {
            Ok(Flow::On) => observe::observe(machine, frame, program.observe_from),
            Ok(Flow::NothingThere) => {
                let panic = panics::nothing_there((*machine).statement);
                if (*machine).harness.has_monitors() {
                    monitor::after_panic(machine, frame);
                }
                let outcome = &mut (*machine).outcome;
                outcome.ending = Ending::Panicked;
                outcome.cost = outcome.cost.saturating_add(panics::ALLOCATED_BY_STD);
                outcome.panics.insert(0, panic);
            }
            Err(payload) => {
                // What follows handles texts of places, which depend on where the crate lies.
                compares::pause();
                let sighting = (*machine).sighting.take();
                let statement = (*machine).statement;
                let outcome = &(*machine).outcome;
                let is_asking = outcome.unmet.is_some() || outcome.checked.is_some();
                let phase = if is_asking { Phase::Check } else { Phase::Call };
                if (*machine).harness.has_monitors() {
                    monitor::after_panic(machine, frame);
                }
                let outcome = &mut (*machine).outcome;
                let panic = panics::describe(sighting, payload, statement, phase);
                outcome.ending = Ending::Panicked;
                // Before those that cleaning up nested bodies caused.
                outcome.panics.insert(0, panic);
            }
        }
        frame::drop_rest::<true>(machine, frame, |slot, payload| {
            let sighting = (*machine).sighting.take();
            let panic = panics::describe(sighting, payload, slot, Phase::Cleanup);
            (*machine).outcome.panics.push(panic);
        });
        monitor::forget(machine);
        let trouble = (*machine).trouble;
        let outcome = &mut (*machine).outcome;
        outcome.checked = outcome.checked.or(trouble);
        let is_orderly = outcome.ending == Ending::Finished && outcome.panics.is_empty();
        // What a panic interrupted may have lost its elements.
        if outcome.fault.is_none() && is_orderly {
            let leak = |statement| Fault { kind: FaultKind::Leak, statement, phase: Phase::Call };
            outcome.fault = tracked::survivor().map(leak);
        }
    }
}

impl Machine {
    /// Nobody wants to see the way to a panic, or what is compared on it.
    pub fn may_end_quietly(&self) -> bool {
        !self.options.backtrace && !self.options.comparisons
    }

    /// Forgets everything of the program before.
    fn start(&mut self) {
        self.arena.reset();
        self.callbacks.clear();
        self.captures.clear();
        self.n_callback_calls = 0;
        self.statement = 0;
        self.n_calls = 0;
        self.may_have_loans = false;
        self.sighting = None;
        let outcome = &mut self.outcome;
        outcome.ending = Ending::Finished;
        outcome.panics.clear();
        outcome.observed.clear();
        outcome.steps.clear();
        outcome.edges.clear();
        outcome.comparisons.clear();
        outcome.texts.clear();
        outcome.unmet = None;
        outcome.checked = None;
        outcome.points.clear();
        self.spoilt.clear();
        self.trouble = None;
        outcome.fault = None;
        tracked::start();
    }
}
