//! Which edges of the target's control flow a program reached.
//!
//! The tool compiles target and harness with SanitizerCoverage: each edge has a counter of eight bits, and all counters of the
//! executable lie in one section, whose bounds are announced before `main`. In a build without it nothing is announced, and
//! nothing is ever reported.
//!
//! What is reported is decided by the tool: the watched edges without those that it says are known. So it does not depend on what
//! else this worker has run.

use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed};

use provoke_wire::WatchedEdges;

static COUNTERS: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static N_COUNTERS: AtomicUsize = AtomicUsize::new(0);

/// Called by code that the compiler adds to every instrumented crate; all calls are about the same section.
///
/// # Safety
/// The counters lie between the two.
#[unsafe(no_mangle)]
unsafe extern "C" fn __sanitizer_cov_8bit_counters_init(start: *mut u8, stop: *mut u8) {
    COUNTERS.store(start, Relaxed);
    N_COUNTERS.store(stop.addr().saturating_sub(start.addr()), Relaxed);
}

/// The tool reads the addresses of the edges from the executable.
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_pcs_init(_start: *const usize, _stop: *const usize) {}

/// As above: which blocks follow which.
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_cfs_init(_start: *const usize, _stop: *const usize) {}

/// Counters that are looked at together.
const WORD_EDGES: usize = 8;

/// How often counters are looked at that change all the time.
const BUSY_LOOKS: u32 = 4;

/// Eight counters of which some are watched.
struct Word {
    address: *mut u64,
    /// All ones in the bytes of edges that are watched and not known.
    mask: u64,
    first_edge: u32,
}

/// The watched edges that are not known yet.
#[derive(Default)]
pub(crate) struct Coverage {
    /// By first edge.
    words: Vec<Word>,
}

impl Coverage {
    /// An error if the tool means another executable.
    pub fn watch(&mut self, watch: &WatchedEdges) -> Result<(), &'static str> {
        let (counters, n_counters) = (COUNTERS.load(Relaxed), N_COUNTERS.load(Relaxed));
        if watch.n_edges as usize != n_counters {
            return Err("it has other edges than those that are to be watched");
        }
        self.words.clear();
        if n_counters < WORD_EDGES {
            return Ok(());
        }
        for edge in watch.edges() {
            // The last word must not reach beyond the counters.
            let first = (edge as usize / WORD_EDGES * WORD_EDGES).min(n_counters - WORD_EDGES);
            let mask = mask_of(edge as usize - first);
            match self.words.last_mut() {
                Some(word) if word.first_edge as usize == first => word.mask |= mask,
                _ => {
                    let address = counters.wrapping_add(first).cast();
                    self.words.push(Word { address, mask, first_edge: first as u32 });
                }
            }
        }
        Ok(())
    }

    /// Edges that are not to be reported any more.
    pub fn forget(&mut self, known: &[u32]) {
        for &edge in known {
            // The last two words may overlap; only one of them has it in its mask.
            let end = self.words.partition_point(|word| word.first_edge <= edge);
            for word in self.words[..end].iter_mut().rev().take(2) {
                let place = (edge - word.first_edge) as usize;
                if place < WORD_EDGES {
                    word.mask &= !mask_of(place);
                }
            }
        }
        if !known.is_empty() {
            self.words.retain(|word| word.mask != 0);
        }
    }

    /// What was reached up to now counts for nobody.
    pub fn start(&mut self) {
        for word in &self.words {
            // Inside of the counters, which may have any alignment.
            unsafe { word.address.write_unaligned(word.address.read_unaligned() & !word.mask) };
        }
    }

    /// The same while other threads run, which may change counters all the time: such a counter goes round, and is zero by chance in one
    /// look of 256. So there are several, with a pause before each but the first.
    pub fn collect_from_busy(&mut self, edges: &mut Vec<u32>, mut pause: impl FnMut()) {
        self.collect(edges);
        let mut more = Vec::new();
        for _ in 1..BUSY_LOOKS {
            pause();
            self.collect(&mut more);
            edges.append(&mut more);
        }
        edges.sort_unstable();
        edges.dedup();
    }

    /// Replaces `edges` by those that were reached since the last time.
    pub fn collect(&mut self, edges: &mut Vec<u32>) {
        edges.clear();
        for word in &self.words {
            // As above.
            unsafe {
                let counters = word.address.read_unaligned();
                let mut reached = counters & word.mask;
                if reached == 0 {
                    continue;
                }
                word.address.write_unaligned(counters & !word.mask);
                while reached != 0 {
                    let place = reached.trailing_zeros() as usize / 8;
                    edges.push(word.first_edge + place as u32);
                    reached &= !mask_of(place);
                }
            }
        }
    }
}

/// The byte of the edge at this place of a word, as it lies in memory.
fn mask_of(place: usize) -> u64 {
    0xff << (8 * place)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Announces counters of its own, which nothing else in this test program does.
    fn counters(n: usize) -> &'static mut [u8] {
        let counters = Vec::leak(vec![0u8; n]);
        let bounds = counters.as_mut_ptr_range();
        unsafe { __sanitizer_cov_8bit_counters_init(bounds.start, bounds.end) };
        counters
    }

    #[test]
    fn only_watched_edges_that_are_not_known_are_reported_and_each_to_one_program() {
        let counters = counters(21);
        let mut coverage = Coverage::default();
        let is_watched: Vec<bool> = (0..21).map(|edge| edge != 3).collect();
        assert!(coverage.watch(&WatchedEdges::new(&is_watched[..20])).is_err());
        coverage.watch(&WatchedEdges::new(&is_watched)).unwrap();
        let mut edges = Vec::new();
        counters.fill(1);
        coverage.start();
        coverage.collect(&mut edges);
        assert!(edges.is_empty());
        for edge in [3, 4, 13, 15, 16, 20] {
            counters[edge] = 255;
        }
        coverage.collect(&mut edges);
        assert_eq!(edges, [4, 13, 15, 16, 20]);
        assert_eq!(counters[3], 255);
        coverage.collect(&mut edges);
        assert!(edges.is_empty());
        coverage.forget(&[4, 13, 20, 99]);
        counters.fill(7);
        coverage.collect(&mut edges);
        let rest: Vec<u32> = (0..21).filter(|edge| ![3, 4, 13, 20].contains(edge)).collect();
        assert_eq!(edges, rest);
        coverage.forget(&rest);
        assert!(coverage.words.is_empty());

        // A counter that goes round may be zero at any look.
        coverage.watch(&WatchedEdges::new(&is_watched)).unwrap();
        counters.fill(0);
        counters[7] = 1;
        let mut rounds = [(2, 1), (7, 9), (7, 3)].into_iter();
        coverage.collect_from_busy(&mut edges, || {
            let (edge, count) = rounds.next().unwrap();
            counters[edge] = count;
        });
        assert_eq!((edges, rounds.next()), (vec![2, 7], None));
    }
}
