//! Ctrl-C: once to stop and keep what was found, twice to quit at once.

use provoke_report::{ExitCode, UserError};
use provoke_run::Interrupt;

/// Listens for Ctrl-C (and termination) from now on; `on_stop` tells the user that it was heard.
pub fn listen(interrupt: &Interrupt, on_stop: impl Fn() + Send + 'static) -> Result<(), UserError> {
    let interrupt = interrupt.clone();
    ctrlc::set_handler(move || match reaction(&interrupt) {
        Reaction::Stop => on_stop(),
        Reaction::Quit => {
            // Workers die with the process that started them.
            #[expect(clippy::disallowed_methods, reason = "main may be stuck in what the user wants to get out of")]
            std::process::exit(ExitCode::Interrupted.code().into());
        }
    })
    .map_err(|error| UserError::new(ExitCode::Bug, format!("cannot listen for Ctrl-C: {error}")))
}

/// What a signal means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reaction {
    Stop,
    Quit,
}

fn reaction(interrupt: &Interrupt) -> Reaction {
    if interrupt.ask() { Reaction::Quit } else { Reaction::Stop }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_signal_stops_and_the_second_quits() {
        let interrupt = Interrupt::default();
        assert!(!interrupt.is_asked());
        assert_eq!(reaction(&interrupt), Reaction::Stop);
        assert!(interrupt.is_asked());
        assert_eq!(reaction(&interrupt), Reaction::Quit);
    }
}
