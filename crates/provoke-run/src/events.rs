//! What happens in a run, taken to whoever listens.
//!
//! Most of it happens on other threads than the one that listens, and some of that outlives every borrow. So events are sent, and
//! heard one after the other on the thread that started the work.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use provoke_report::Event;

/// As much as a main thread has.
const STACK_BYTES: usize = 8 << 20;

/// Hears what happens in a run.
pub trait Observer {
    fn on_event(&mut self, event: &Event);
}

impl<F: FnMut(&Event)> Observer for F {
    fn on_event(&mut self, event: &Event) {
        self(event);
    }
}

/// Takes events to the observer, from any thread.
#[derive(Clone)]
pub struct Events {
    sender: Sender<Message>,
}

enum Message {
    Event(Event),
    /// Nothing comes any more.
    End,
}

impl Events {
    pub fn emit(&self, event: Event) {
        // Who does not listen any more need not know.
        let _ = self.sender.send(Message::Event(event));
    }

    /// Nobody hears of these.
    #[cfg(test)]
    pub(crate) fn unheard() -> Events {
        Events { sender: channel().0 }
    }

    pub(crate) fn warn(&self, message: impl Into<String>, hint: Option<String>) {
        self.emit(Event::Warning { message: message.into(), hint });
    }

    /// Tells of lines and the like, as those want it who know no events.
    pub(crate) fn listener(&self, event: impl Fn(&str) -> Event + Send + Sync + 'static) -> provoke_host::Listener {
        let events = self.clone();
        Arc::new(move |text: &str| events.emit(event(text)))
    }
}

/// Does the work on a thread of its own while the observer hears on this one what happens. A panic of the work is a panic here.
pub(crate) fn observed<T: Send>(observer: &mut dyn Observer, work: impl FnOnce(&Events) -> T + Send) -> T {
    let (sender, receiver) = channel();
    let events = Events { sender };
    let result = thread::scope(|scope| {
        let body = move || {
            // Also if the work panics: others may hold on to the channel for ever.
            let _end = EndOnDrop(events.clone());
            work(&events)
        };
        let worker = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, body).expect("a thread starts");
        while let Ok(Message::Event(event)) = receiver.recv() {
            observer.on_event(&event);
        }
        worker.join()
    });
    result.unwrap_or_else(|panic| resume_unwind(panic))
}

struct EndOnDrop(Events);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        let _ = self.0.sender.send(Message::End);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warnings_of(work: impl FnOnce(&Events) + Send) -> Vec<String> {
        let mut heard = Vec::new();
        let mut observer = |event: &Event| match event {
            Event::Warning { message, .. } => heard.push(message.clone()),
            other => panic!("{other:?}"),
        };
        observed(&mut observer, work);
        heard
    }

    #[test]
    fn events_of_all_threads_are_heard_until_the_work_is_done() {
        let heard = warnings_of(|events| {
            events.warn("a", None);
            thread::scope(|scope| scope.spawn(|| events.warn("b", None)).join().unwrap());
            events.warn("c", None);
        });
        assert_eq!(heard, ["a", "b", "c"]);
    }

    #[test]
    fn nobody_waits_for_a_thread_that_holds_on_to_the_events() {
        let heard = warnings_of(|events| {
            let kept = events.clone();
            thread::spawn(move || {
                let _kept = kept;
                thread::park();
            });
            events.warn("a", None);
        });
        assert_eq!(heard, ["a"]);
    }

    #[test]
    #[should_panic(expected = "on purpose")]
    fn a_panic_of_the_work_is_a_panic_of_who_listens() {
        warnings_of(|_| panic!("on purpose"));
    }
}
