//! The one place that prints. What happens goes to standard error, as with cargo; what was asked for (`list`, `replay`) to standard output.

pub mod bug;
pub mod color;
pub mod ctrl_c;
pub mod progress;

use crate::cli::options::Options;
use crate::console::color::{for_stream, is_colored};
use crate::console::progress::{LineClock, ProgressMode, Terminal};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use provoke_report::{Event, RunPhase, Theme, UserError, render};
use std::io::{IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

pub struct Console {
    theme: Theme,
    is_stderr_colored: bool,
    is_stdout_colored: bool,
    progress_mode: ProgressMode,
    live: Mutex<Live>,
}

/// What is on the screen while something goes on for long.
#[derive(Default)]
struct Live {
    bar: Option<ProgressBar>,
    line_clock: LineClock,
}

impl Live {
    fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        self.line_clock = LineClock::default();
    }
}

impl Console {
    pub fn new(options: &Options) -> Console {
        let stderr = std::io::stderr();
        let theme = options.theme();
        let is_quiet = theme.verbosity == provoke_report::Verbosity::Quiet;
        let terminal = Terminal::look(is_quiet, stderr.is_terminal());
        Console {
            theme,
            is_stderr_colored: is_colored(&stderr, options.output.color),
            is_stdout_colored: is_colored(&std::io::stdout(), options.output.color),
            progress_mode: ProgressMode::choose(terminal),
            live: Mutex::default(),
        }
    }

    pub fn theme(&self) -> &Theme {
        &self.theme
    }

    /// Tells the user what happened, as far as they want to know. Can be called from any thread.
    pub fn emit(&self, event: &Event) {
        let mut live = self.live();
        if ends_progress(event) {
            live.clear();
        }
        let Some(text) = render(event, &self.theme) else {
            return;
        };
        if let Event::Replayed(_) = event {
            self.print(&text);
        } else if is_planned(event) {
            // There is nothing left to wait for.
        } else if matches!(event, Event::Planning { .. } | Event::Progress(_)) {
            self.show_progress(&mut live, &text);
        } else {
            self.write_above(&live, &text);
        }
    }

    fn show_progress(&self, live: &mut Live, line: &str) {
        match self.progress_mode {
            ProgressMode::Off => {}
            ProgressMode::Lines => {
                if live.line_clock.is_due(Instant::now()) {
                    self.write_above(live, line);
                }
            }
            ProgressMode::Live => {
                let bar = live.bar.get_or_insert_with(live_line);
                let line = for_stream(line.trim_end(), self.is_stderr_colored);
                bar.set_message(line);
            }
        }
    }

    pub fn error(&self, error: &UserError) {
        let mut live = self.live();
        live.clear();
        self.write_above(&live, &error.render());
    }

    /// Prints what a command was asked for. A reader that went away (`| head`) has seen enough.
    pub fn print(&self, text: &str) {
        let text = for_stream(text, self.is_stdout_colored);
        let mut stdout = std::io::stdout().lock();
        let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    }

    /// Nobody can be told that standard error is gone.
    fn write_above(&self, live: &Live, text: &str) {
        let text = for_stream(text, self.is_stderr_colored);
        let write = || {
            let _ = std::io::stderr().write_all(text.as_bytes());
        };
        match &live.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    fn live(&self) -> MutexGuard<'_, Live> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn ends_progress(event: &Event) -> bool {
    matches!(event, Event::Done { .. } | Event::PhaseFinished { phase: RunPhase::Searching, .. }) || is_planned(event)
}

fn is_planned(event: &Event) -> bool {
    matches!(event, Event::Planning { planned, functions } if planned == functions)
}

fn live_line() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    bar.set_style(ProgressStyle::with_template("{wide_msg}").unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
