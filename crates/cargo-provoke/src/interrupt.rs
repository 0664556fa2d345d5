//! Ctrl-C: once to stop and keep what was found, twice to quit at once.

use provoke_report::{ExitCode, UserError};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Shared by everything that can be stopped.
#[derive(Clone, Default)]
pub struct Interrupt {
    is_asked: Arc<AtomicBool>,
}

/// What a signal means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reaction {
    Stop,
    Quit,
}

impl Interrupt {
    /// Listens for Ctrl-C (and termination) from now on; `on_stop` tells the user that it was heard.
    pub fn install(on_stop: impl Fn() + Send + 'static) -> Result<Interrupt, UserError> {
        let interrupt = Interrupt::default();
        let handler = interrupt.clone();
        ctrlc::set_handler(move || match handler.signalled() {
            Reaction::Stop => on_stop(),
            Reaction::Quit => {
                // Workers die with the process that started them.
                #[expect(
                    clippy::disallowed_methods,
                    reason = "main may be stuck in what the user wants to get out of"
                )]
                std::process::exit(ExitCode::Interrupted.code().into());
            }
        })
        .map_err(|error| UserError::new(ExitCode::Bug, format!("cannot listen for Ctrl-C: {error}")))?;
        Ok(interrupt)
    }

    /// Whether to stop as soon as possible.
    pub fn is_asked(&self) -> bool {
        self.is_asked.load(Ordering::Relaxed)
    }

    /// The flag itself, for those who should not know this type.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.is_asked)
    }

    fn signalled(&self) -> Reaction {
        if self.is_asked.swap(true, Ordering::Relaxed) { Reaction::Quit } else { Reaction::Stop }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_signal_stops_and_the_second_quits() {
        let interrupt = Interrupt::default();
        let flag = interrupt.flag();
        assert!(!interrupt.is_asked());
        assert_eq!(interrupt.signalled(), Reaction::Stop);
        assert!(interrupt.is_asked() && flag.load(Ordering::Relaxed));
        assert_eq!(interrupt.signalled(), Reaction::Quit);
    }
}
