//! A request to stop: what was found so far is kept.

use provoke_report::{ExitCode, UserError};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How often a wait looks at the flag.
const TICK: Duration = Duration::from_millis(20);
/// As much as a main thread has.
const STACK_BYTES: usize = 8 << 20;

/// Shared by everything that can be stopped.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    is_asked: Arc<AtomicBool>,
}

/// From work to those who wait for it.
enum Message<News, T> {
    News(News),
    Result(T),
}

impl Interrupt {
    /// Everything is to stop as soon as possible. Whether that was asked for before.
    pub fn ask(&self) -> bool {
        self.is_asked.swap(true, Ordering::Relaxed)
    }

    /// Whether to stop as soon as possible.
    pub fn is_asked(&self) -> bool {
        self.is_asked.load(Ordering::Relaxed)
    }

    /// The flag itself, for those who should not know this type.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.is_asked)
    }

    pub fn error() -> UserError {
        UserError::new(ExitCode::Interrupted, "interrupted")
    }

    /// Does long work that knows nothing of interrupts. After one, nobody waits for it any more; it ends with the process.
    pub fn wait_for<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, UserError> {
        self.wait_hearing(|_: &mut dyn FnMut(())| work(), |()| {})
    }

    /// The same for work that has something to tell on the way, which is heard on the thread that waits.
    pub fn wait_hearing<T: Send + 'static, News: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn FnMut(News)) -> T + Send + 'static,
        mut hear: impl FnMut(News),
    ) -> Result<T, UserError> {
        let (sender, receiver) = channel();
        let thread = std::thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn(move || {
                // Whoever asked may be gone.
                let result = work(&mut |news| _ = sender.send(Message::News(news)));
                let _ = sender.send(Message::Result(result));
            })
            .map_err(|error| UserError::new(ExitCode::Bug, format!("cannot start a thread: {error}")))?;
        loop {
            match receiver.recv_timeout(TICK) {
                Ok(Message::Result(result)) => return Ok(result),
                Err(RecvTimeoutError::Disconnected) => break,
                Ok(Message::News(_)) | Err(RecvTimeoutError::Timeout) if self.is_asked() => {
                    return Err(Interrupt::error());
                }
                Ok(Message::News(news)) => hear(news),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        match thread.join() {
            Err(panic) => resume_unwind(panic),
            Ok(()) => unreachable!("a thread that does not panic sends its result"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_never_ends_is_waited_for_until_the_first_signal() {
        let interrupt = Interrupt::default();
        assert_eq!(interrupt.wait_for(|| 7), Ok(7));
        let listener = interrupt.clone();
        let endless = move || {
            listener.ask();
            loop {
                std::thread::park();
            }
        };
        let waited: Result<(), UserError> = interrupt.wait_for(endless);
        assert_eq!(waited.unwrap_err().exit, ExitCode::Interrupted);
    }

    #[test]
    fn what_work_tells_on_the_way_is_heard_in_order_until_the_first_signal() {
        let interrupt = Interrupt::default();
        let mut heard = Vec::new();
        let told = |tell: &mut dyn FnMut(u8)| (0..5).for_each(tell);
        assert_eq!(interrupt.wait_hearing(told, |news| heard.push(news)), Ok(()));
        assert_eq!(heard, [0, 1, 2, 3, 4]);
        interrupt.ask();
        let endless = |tell: &mut dyn FnMut(u8)| loop {
            tell(7);
            std::thread::yield_now();
        };
        let waited: Result<(), UserError> = interrupt.wait_hearing(endless, |_| panic!("nobody listens any more"));
        assert_eq!(waited.unwrap_err().exit, ExitCode::Interrupted);
    }

    #[test]
    #[should_panic(expected = "on purpose")]
    fn a_panic_of_the_work_is_a_panic_of_who_waits() {
        let _: Result<(), UserError> = Interrupt::default().wait_for(|| panic!("on purpose"));
    }
}
