//! The shared page: where the worker says what it is about to do, so that the tool knows even if it dies there.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::{Blocked, Forbidden, Phase};

/// One memory page, mapped by both sides.
pub const PAGE_BYTES: usize = 4096;

/// By which a worker is asked to put down its stack: `SIGUSR2`.
pub const STACK_SIGNAL: i32 = 12;

const PROGRAM: usize = 0;
const STATEMENT: usize = 1;
const PHASE: usize = 2;
const LAST_WORDS: usize = 3;
const N_STARTED: usize = 4;
/// What the program that runs was kept from doing first, or 0; then where.
const BLOCKED: usize = 5;
const BLOCKED_STATEMENT: usize = 6;
const BLOCKED_PHASE: usize = 7;
const TRACES: usize = 8;
const THREADS: usize = 9;
const FILES: usize = 10;
/// The thread that runs programs, as the system numbers it.
const THREAD: usize = 11;
const HAS_STACK: usize = 12;
/// Frames of the stack, however many were kept.
const N_FRAMES: usize = 13;
const N_WORDS: usize = 14;
/// The frames: the innermost ones, and behind them the outermost ones, each over one that lies further in.
const FRAMES: usize = 64;
const N_INNERMOST: usize = 256;
const N_OUTERMOST: usize = 512;

/// Why a worker ended itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum LastWords {
    None = 0,
    /// The allocator was asked for more than the limit.
    MemoryExhausted = 1,
    /// The worker could not understand the tool, or its own files: a bug in Provoke.
    ProtocolError = 2,
}

/// A view of the page. Copyable; whoever makes one keeps the mapping alive.
#[derive(Clone, Copy)]
pub struct Page {
    words: *const AtomicU32,
}

// The page is only ever touched through atomics.
unsafe impl Send for Page {}
unsafe impl Sync for Page {}

impl Page {
    /// # Safety
    /// `address` must point to `PAGE_BYTES` readable and writable bytes, aligned to 4, that outlive every copy of the page.
    pub unsafe fn new(address: *mut u8) -> Page {
        Page { words: address.cast() }
    }

    #[inline]
    fn word(&self, index: usize) -> &AtomicU32 {
        // In bounds: the indices above are below PAGE_BYTES / 4.
        unsafe { &*self.words.add(index) }
    }

    /// Program `index` of the batch (counted from the programs that were sent) starts now.
    #[inline]
    pub fn start_program(&self, index: u32) {
        self.word(PROGRAM).store(index, Ordering::Relaxed);
        self.word(N_STARTED).store(self.word(N_STARTED).load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
        self.word(BLOCKED).store(0, Ordering::Relaxed);
        self.start_statement(0, Phase::Call);
    }

    #[inline]
    pub fn start_statement(&self, index: u32, phase: Phase) {
        self.word(STATEMENT).store(index, Ordering::Relaxed);
        self.word(PHASE).store(phase as u32, Ordering::Relaxed);
    }

    pub fn statement(&self) -> u32 {
        self.word(STATEMENT).load(Ordering::Relaxed)
    }

    /// The program that runs was kept from doing something. Only the first time counts.
    pub fn block(&self, what: Forbidden) {
        if self.word(BLOCKED).load(Ordering::Relaxed) == 0 {
            self.word(BLOCKED_STATEMENT).store(self.statement(), Ordering::Relaxed);
            self.word(BLOCKED_PHASE).store(self.word(PHASE).load(Ordering::Relaxed), Ordering::Relaxed);
            self.word(BLOCKED).store(what as u32, Ordering::Relaxed);
        }
    }

    /// What the program that runs was kept from doing.
    #[inline]
    pub fn blocked(&self) -> Option<Blocked> {
        match self.word(BLOCKED).load(Ordering::Relaxed) {
            0 => None,
            code => Some(Blocked {
                what: Forbidden::from_code(code).unwrap_or(Forbidden::Other),
                statement: self.word(BLOCKED_STATEMENT).load(Ordering::Relaxed),
                phase: Phase::from_bits(self.word(BLOCKED_PHASE).load(Ordering::Relaxed)).unwrap_or(Phase::Call),
            }),
        }
    }

    /// Something was done to the process that later programs may feel.
    pub fn leave_traces(&self) {
        self.word(TRACES).store(1, Ordering::Relaxed);
    }

    pub fn has_traces(&self) -> bool {
        self.word(TRACES).load(Ordering::Relaxed) != 0
    }

    /// A program changed something in the worker's own directory.
    pub fn leave_files(&self) {
        self.word(FILES).store(1, Ordering::Relaxed);
    }

    pub fn has_files(&self) -> bool {
        self.word(FILES).load(Ordering::Relaxed) != 0
    }

    /// A program starts a thread, which may outlive it.
    pub fn start_thread(&self) {
        self.word(THREADS).store(1, Ordering::Relaxed);
    }

    /// Nothing of earlier programs is left, since a worker of which that is not true is replaced.
    pub fn forget_traces(&self) {
        for word in [TRACES, THREADS, FILES] {
            self.word(word).store(0, Ordering::Relaxed);
        }
    }

    pub fn say_last_words(&self, words: LastWords) {
        self.word(LAST_WORDS).store(words as u32, Ordering::SeqCst);
    }

    /// The thread that calls this runs programs from now on.
    pub fn set_thread(&self, thread: u32) {
        self.word(THREAD).store(thread, Ordering::Relaxed);
    }

    /// The thread that runs programs.
    pub fn thread(&self) -> u32 {
        self.word(THREAD).load(Ordering::Relaxed)
    }

    /// Puts down the next frame of the stack, from the innermost one outwards: its offset in the executable, or 0. Takes no lock.
    pub fn add_frame(&self, offset: u32) {
        let n_frames = self.word(N_FRAMES).load(Ordering::Relaxed) as usize;
        self.word(FRAMES + place_of_frame(n_frames)).store(offset, Ordering::Relaxed);
        self.word(N_FRAMES).store(n_frames as u32 + 1, Ordering::Relaxed);
    }

    /// None of the frames so far counts.
    pub fn forget_frames(&self) {
        self.word(N_FRAMES).store(0, Ordering::Relaxed);
    }

    /// All frames have been put down.
    pub fn finish_stack(&self) {
        self.word(HAS_STACK).store(1, Ordering::SeqCst);
    }

    pub fn has_stack(&self) -> bool {
        self.word(HAS_STACK).load(Ordering::SeqCst) != 0
    }

    /// The stack from the innermost frame outwards; what lies in the middle of a deep one is left out. Nothing if not all of it was
    /// put down.
    pub fn stack(&self) -> Vec<u32> {
        if !self.has_stack() {
            return Vec::new();
        }
        let n_frames = self.word(N_FRAMES).load(Ordering::Relaxed) as usize;
        let outermost = n_frames.saturating_sub(N_OUTERMOST).max(N_INNERMOST)..n_frames;
        let kept = (0..n_frames.min(N_INNERMOST)).chain(outermost);
        kept.map(|nth| self.word(FRAMES + place_of_frame(nth)).load(Ordering::Relaxed)).collect()
    }

    /// Nothing runs; called before a worker starts.
    pub fn reset(&self) {
        for index in 0..N_WORDS {
            self.word(index).store(0, Ordering::SeqCst);
        }
    }

    pub fn read(&self) -> PageReading {
        PageReading {
            program: self.word(PROGRAM).load(Ordering::SeqCst),
            statement: self.word(STATEMENT).load(Ordering::SeqCst),
            phase: Phase::from_bits(self.word(PHASE).load(Ordering::SeqCst)).unwrap_or(Phase::Call),
            last_words: match self.word(LAST_WORDS).load(Ordering::SeqCst) {
                1 => LastWords::MemoryExhausted,
                2 => LastWords::ProtocolError,
                _ => LastWords::None,
            },
            n_started: self.word(N_STARTED).load(Ordering::SeqCst),
            blocked: self.blocked(),
            has_traces: self.has_traces() || self.word(THREADS).load(Ordering::Relaxed) != 0,
        }
    }
}

/// Where the nth frame from the inside is kept.
fn place_of_frame(nth: usize) -> usize {
    if nth < N_INNERMOST { nth } else { N_INNERMOST + (nth - N_INNERMOST) % N_OUTERMOST }
}

/// What the page said at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageReading {
    pub program: u32,
    pub statement: u32,
    pub phase: Phase,
    pub last_words: LastWords,
    /// Programs started since the worker started, wrapping: a sign of life.
    pub n_started: u32,
    /// What the program was kept from doing.
    pub blocked: Option<Blocked>,
    /// Something was done to the process that later programs may feel: a thread started, a handler installed.
    pub has_traces: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_deep_stack_both_ends_are_kept() {
        let mut memory = vec![0u32; PAGE_BYTES / 4];
        let page = unsafe { Page::new(memory.as_mut_ptr().cast()) };
        page.add_frame(3);
        page.forget_frames();
        page.add_frame(7);
        assert_eq!(page.stack(), [], "not finished");
        page.finish_stack();
        assert_eq!(page.stack(), [7]);
        for (n_frames, kept) in [
            (300, (0..300).collect::<Vec<u32>>()),
            (768, (0..768).collect()),
            (1000, (0..256).chain(488..1000).collect()),
            (70_000, (0..256).chain(69_488..70_000).collect()),
        ] {
            page.reset();
            (0..n_frames).for_each(|frame| page.add_frame(frame));
            page.finish_stack();
            assert_eq!(page.stack(), kept, "{n_frames}");
        }
    }
}
