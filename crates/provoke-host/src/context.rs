//! What every run of cargo shares: the interrupt flag, and whoever listens to cargo's progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::Sandbox;

/// Hears each line that cargo writes to its standard error.
pub type Listener = Arc<dyn Fn(&str) + Send + Sync>;

#[derive(Clone, Default)]
pub struct CargoContext {
    /// Set by Ctrl-C: whatever runs is killed and reports [`CargoError::Interrupted`](crate::CargoError::Interrupted).
    pub interrupt: Arc<AtomicBool>,
    pub listener: Option<Listener>,
    /// Hears what is waited for, when another process has it.
    pub on_wait: Option<Listener>,
    /// Around tests that are run to see what they do.
    pub sandbox: Sandbox,
}

impl CargoContext {
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    pub(crate) fn tell_wait(&self, object: &str) {
        if let Some(listener) = &self.on_wait {
            listener(object);
        }
    }

    pub(crate) fn tell(&self, line: &str) {
        if let Some(listener) = &self.listener {
            listener(line);
        }
    }
}
