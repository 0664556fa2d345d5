//! Processor cores: which there are, and staying on one.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// The numbers of those that this process may use; one at least.
pub fn available() -> Vec<usize> {
    let cores = sched_getaffinity(None).map(|set| (0..CpuSet::MAX_CPU).filter(|core| set.is_set(*core)).collect());
    cores.ok().filter(|cores: &Vec<usize>| !cores.is_empty()).unwrap_or(vec![0])
}

/// Keeps the calling thread, and the processes that it starts from now on, on one core. Where the system does not allow that, they
/// go where they like.
pub fn stay_on(core: usize) {
    let mut set = CpuSet::new();
    set.set(core);
    let _ = sched_setaffinity(None, &set);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_stays_where_it_was_put() {
        let all = available();
        let last = *all.last().expect("one at least");
        let seen = std::thread::spawn(move || {
            stay_on(last);
            available()
        });
        assert_eq!(seen.join().expect("no panic"), [last]);
        assert_eq!(available(), all, "other threads are free");
    }
}
