//! How far the search is, as whoever watches is told.

use std::cell::Cell;
use std::time::{Duration, Instant};

use provoke_report::{Event, Progress};

use crate::events::Events;

/// Whoever watches sees no more than this, and hearing of it costs time that is the search's.
const INTERVAL: Duration = Duration::from_millis(100);

pub(crate) struct Display<'a> {
    events: &'a Events,
    /// How far the search was after the last batch.
    pub(crate) progress: Progress,
    shown_at: Cell<Option<Instant>>,
}

impl<'a> Display<'a> {
    pub(crate) fn new(events: &'a Events) -> Display<'a> {
        Display { events, progress: Progress::default(), shown_at: Cell::default() }
    }

    /// Also while something is looked at closely, which may take longer than the search does between two findings.
    pub(crate) fn show(&self) {
        if self.shown_at.get().is_some_and(|at| at.elapsed() < INTERVAL) {
            return;
        }
        self.shown_at.set(Some(Instant::now()));
        self.events.emit(Event::Progress(self.progress.clone()));
    }
}
