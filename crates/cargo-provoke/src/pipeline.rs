//! From the options to the result, top to bottom.

use crate::console::Console;
use crate::interrupt::Interrupt;
use crate::options::Options;
use provoke_report::{ExitCode, UserError};

pub fn run(
    _options: &Options,
    _console: &Console,
    _interrupt: &Interrupt,
) -> Result<ExitCode, UserError> {
    Err(UserError::new(ExitCode::Bug, "not built yet")
        .with_hint("this part of Provoke is being written"))
}
