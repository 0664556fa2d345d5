//! Whatever a worker sends, reading it neither panics nor takes more memory than a small multiple of what was sent.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use provoke_wire::{
    Abilities, BatchReport, Ending, Fault, FaultKind, Observed, OpSignature, Outcome, Panic, Phase, Program, Shape,
    Table, TracedStep, TypeInfo, Variant, Writer,
};

/// Counts what a thread holds, and the most that it has held.
struct Counting;

thread_local! {
    static HELD: Cell<usize> = const { Cell::new(0) };
    static MOST: Cell<usize> = const { Cell::new(0) };
}

// Everything is left to the system; cells of a thread are touched by that thread alone.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.set(HELD.get().wrapping_add(layout.size()));
        MOST.set(MOST.get().max(HELD.get()));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, address: *mut u8, layout: Layout) {
        HELD.set(HELD.get().wrapping_sub(layout.size()));
        unsafe { System.dealloc(address, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most that a reading held on top of what there was before, in bytes.
fn peak(read: impl FnOnce()) -> usize {
    let before = HELD.get();
    MOST.set(before);
    read();
    MOST.get() - before
}

struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

fn report() -> Vec<u8> {
    let panic = |statement| Panic {
        statement,
        phase: Phase::Cleanup,
        message: "index out of bounds".into(),
        file: "src/lib.rs".into(),
        line: 3,
        column: 9,
        depth: 0,
        backtrace: "   0: f\n".into(),
    };
    let observed = |slot| Observed { slot, variant: Variant::Full, fingerprint: Some(7) };
    let outcome = Outcome {
        ending: Ending::Panicked,
        panics: vec![panic(0), panic(1)],
        observed: (0..5).map(observed).collect(),
        steps: vec![TracedStep { statement: 0, slot: 0, text: "[1, 2]".into() }],
        fault: Some(Fault { kind: FaultKind::Leak, statement: 2, phase: Phase::Call }),
        n_calls: 5,
        cost: 77,
        dear: Some(1),
        edges: vec![3, 4, 900],
        ..Outcome::default()
    };
    let mut writer = Writer::default();
    let outcomes = vec![Outcome::default(), outcome.clone(), outcome];
    BatchReport { number: 9, outcomes, wants_renewal: false }.encode(&mut writer);
    writer.bytes
}

fn table() -> Vec<u8> {
    let info = |name: &str, shape| TypeInfo {
        name: name.into(),
        size: 8,
        align: 8,
        abilities: Abilities::CLONE,
        shape,
        literal: Some(3),
    };
    let types = vec![info("a::B", Shape::Plain), info("&a::B", Shape::Ref(0)), info("r", Shape::Result(1, 0))];
    let ops = vec![OpSignature { args: vec![1, 0], result: 2 }, OpSignature { args: vec![], result: 0 }];
    Table { types, ops }.encode()
}

/// Damages bytes as bad luck or bad intent would.
fn damaged(good: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = good.to_vec();
    for _ in 0..1 + dice.below(4) {
        let at = dice.below(bytes.len());
        match dice.below(6) {
            0 => bytes.truncate(at),
            1 => {
                let number = [0, 1, 0x7fff_ffff, 0x8000_0000, u32::MAX, dice.next() as u32][dice.below(6)];
                let end = (at + 4).min(bytes.len());
                bytes[at..end].copy_from_slice(&number.to_le_bytes()[..end - at]);
            }
            2 => {
                let piece: Vec<u8> = bytes[at..(at + dice.below(40)).min(bytes.len())].to_vec();
                let to = dice.below(bytes.len());
                bytes.splice(to..to, piece);
            }
            3 => {
                let end = (at + dice.below(12)).min(bytes.len());
                bytes.drain(at..end);
            }
            4 => bytes.extend((0..dice.below(64)).map(|n| n as u8)),
            _ if bytes.is_empty() => {}
            _ => bytes[at] = dice.next() as u8,
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
    bytes
}

const N_ROUNDS: usize = 200_000;

/// What is decoded is larger than its encoding, and vectors grow by doubling.
fn bound(bytes: &[u8]) -> usize {
    64 * bytes.len() + 1024
}

#[test]
fn damaged_messages_are_read_in_bounded_memory() {
    let mut dice = Dice(0x5eed);
    for good in [report(), table()] {
        let mut n_read = 0;
        for _ in 0..N_ROUNDS {
            let bytes = damaged(&good, &mut dice);
            let held = peak(|| {
                n_read += usize::from(BatchReport::decode(&bytes).is_ok());
                n_read += usize::from(Table::decode(&bytes).is_ok());
                n_read += usize::from(Program::from_bytes(&bytes).is_ok());
            });
            assert!(held <= bound(&bytes), "{held} bytes for {} in {bytes:?}", bytes.len());
        }
        assert!(n_read > 100, "hardly anything was whole enough to be read to its end: {n_read}");
    }
}

#[test]
fn what_no_worker_ever_sent_is_read_in_bounded_memory() {
    let mut dice = Dice(0xbad);
    for _ in 0..N_ROUNDS {
        let bytes: Vec<u8> = (0..dice.below(120)).map(|_| [0, 1, 0xff, dice.next() as u8][dice.below(4)]).collect();
        let held = peak(|| {
            let _ = BatchReport::decode(&bytes);
            let _ = Table::decode(&bytes);
            let _ = Program::from_bytes(&bytes);
        });
        assert!(held <= bound(&bytes), "{held} bytes for {bytes:?}");
    }
}
