//! An element that counts its own births, drops and uses: how containers are caught that drop an element twice, use it
//! afterwards, or lose it.
//!
//! It owns no memory, so that a second drop harms nobody, and never panics: faults go into the outcome of the program.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use provoke_wire::{Fault, FaultKind, Phase};

use crate::run::machine;

/// How many elements of a program are tracked; those beyond count as plain values.
const MAX_TRACKED: usize = 4096;
/// The id of an element that is not tracked.
const UNTRACKED: u32 = 0;
/// The state of an element that was dropped; any other is the statement that made it.
const DROPPED: u32 = u32::MAX;

/// Elements may be made and dropped on threads of the code under test, hence the atomics. Their order does not matter.
static LIVES: [AtomicU32; MAX_TRACKED] = [const { AtomicU32::new(DROPPED) }; MAX_TRACKED];
/// The first id of the running program. Ids go on from program to program: an element that the code under test keeps in a
/// static must not be taken for one of a later program.
static FIRST: AtomicU32 = AtomicU32::new(1);
static N_MADE: AtomicU32 = AtomicU32::new(0);

/// A value that is compared, hashed and shown like the number in it.
pub struct Tracked {
    id: u32,
    /// Memory that never was an element hardly has the right one.
    check: u32,
    value: u8,
}

/// What is known of an id.
enum Life {
    /// Not tracked, or of another program.
    Foreign,
    Alive(usize),
    Over,
    /// The memory holds no element at all.
    Garbage,
}

impl Tracked {
    pub fn new(value: u8) -> Tracked {
        let id = born();
        Tracked { id, check: check_of(id), value }
    }

    fn life(&self) -> Life {
        if self.check != check_of(self.id) {
            return Life::Garbage;
        }
        let place = self.id.wrapping_sub(FIRST.load(Relaxed)) as usize;
        if self.id == UNTRACKED || place >= n_tracked() {
            return Life::Foreign;
        }
        if LIVES[place].load(Relaxed) == DROPPED { Life::Over } else { Life::Alive(place) }
    }

    /// The number, for whatever use.
    fn used(&self) -> u8 {
        if matches!(self.life(), Life::Over | Life::Garbage) {
            report(FaultKind::UseAfterDrop);
        }
        self.value
    }
}

fn check_of(id: u32) -> u32 {
    id.wrapping_mul(0x9e37_79b9) ^ 0x5bd1_e995
}

fn n_tracked() -> usize {
    (N_MADE.load(Relaxed) as usize).min(MAX_TRACKED)
}

fn born() -> u32 {
    let place = N_MADE.fetch_add(1, Relaxed) as usize;
    let Some(life) = LIVES.get(place) else { return UNTRACKED };
    life.store(running_statement().map_or(0, |(statement, _)| statement), Relaxed);
    FIRST.load(Relaxed).wrapping_add(place as u32)
}

/// `None` on other threads than that of the program.
fn running_statement() -> Option<(u32, Phase)> {
    let machine = machine::current();
    if machine.is_null() {
        return None;
    }
    // The machine lives as long as its thread runs programs.
    let reading = unsafe { (*machine).page.read() };
    Some((reading.statement, reading.phase))
}

/// Only the first fault of a program counts: what follows may follow from it. That the executor itself cannot look at a value
/// is nothing that a test could show.
#[cold]
fn report(kind: FaultKind) {
    let Some((statement, phase)) = running_statement() else { return };
    if phase != Phase::Observe {
        // Nobody else uses the machine while code under test runs.
        unsafe { (*machine::current()).outcome.fault.get_or_insert(Fault { kind, statement, phase }) };
    }
}

/// A program starts: no element is alive.
pub(crate) fn start() {
    let next = FIRST.load(Relaxed).wrapping_add(n_tracked() as u32);
    // Far from the end, so that no program's ids go round.
    let has_room = next != UNTRACKED && next < u32::MAX - MAX_TRACKED as u32;
    FIRST.store(if has_room { next } else { 1 }, Relaxed);
    N_MADE.store(0, Relaxed);
}

/// The statement that made the first of the elements that are still alive.
pub(crate) fn survivor() -> Option<u32> {
    LIVES[..n_tracked()].iter().map(|life| life.load(Relaxed)).find(|&life| life != DROPPED)
}

impl Drop for Tracked {
    fn drop(&mut self) {
        match self.life() {
            Life::Foreign => {}
            Life::Alive(place) => LIVES[place].store(DROPPED, Relaxed),
            Life::Over | Life::Garbage => report(FaultKind::DoubleDrop),
        }
    }
}

impl Clone for Tracked {
    fn clone(&self) -> Tracked {
        Tracked::new(self.used())
    }
}

impl Default for Tracked {
    fn default() -> Tracked {
        Tracked::new(0)
    }
}

impl fmt::Debug for Tracked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tracked").field(&self.used()).finish()
    }
}

impl PartialEq for Tracked {
    fn eq(&self, other: &Tracked) -> bool {
        self.used() == other.used()
    }
}

impl Eq for Tracked {}

impl PartialOrd for Tracked {
    fn partial_cmp(&self, other: &Tracked) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Tracked {
    fn cmp(&self, other: &Tracked) -> Ordering {
        self.used().cmp(&other.used())
    }
}

impl Hash for Tracked {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.used().hash(state);
    }
}
