//! A flag that is set when the time is up, or when the user presses Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::interrupt::Interrupt;

/// How often the clock is looked at.
const TICK: Duration = Duration::from_millis(20);

pub struct Deadline {
    is_over: Arc<AtomicBool>,
}

impl Deadline {
    pub fn new(until: Option<Instant>, interrupt: &Interrupt) -> Deadline {
        let is_over = Arc::new(AtomicBool::new(false));
        // Whoever has the flag keeps the watch going.
        let (watched, interrupt) = (Arc::downgrade(&is_over), interrupt.clone());
        let is_late = move || interrupt.is_asked() || until.is_some_and(|until| Instant::now() >= until);
        is_over.store(is_late(), Ordering::Relaxed);
        std::thread::spawn(move || {
            while let Some(flag) = watched.upgrade() {
                if is_late() {
                    flag.store(true, Ordering::Relaxed);
                    return;
                }
                drop(flag);
                std::thread::sleep(TICK);
            }
        });
        Deadline { is_over }
    }

    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.is_over)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_is_set_when_the_time_comes() {
        let interrupt = Interrupt::default();
        let now = Instant::now();
        assert!(Deadline::new(Some(now), &interrupt).is_over());
        assert!(!Deadline::new(Some(now + Duration::from_secs(3600)), &interrupt).is_over());
        assert!(!Deadline::new(None, &interrupt).is_over());
        let soon = Deadline::new(Some(now + Duration::from_millis(50)), &interrupt);
        while !soon.is_over() {
            std::thread::yield_now();
        }
    }
}
