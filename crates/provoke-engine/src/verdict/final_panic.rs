//! A panic that does not unwind but ends the process: what the worker said of it with its last breath.
//!
//! Decision: `docs/decisions/022-last-words-of-a-panic-that-cannot-unwind.md`

use crate::verdict::place::{Sources, Whereabouts, whereabouts};

/// What stands between the message and the backtrace, if there is one.
const BACKTRACE: &str = "\nstack backtrace:\n";

/// Its place by the hook and the backtrace, as they were written; what it said stands between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FinalPanic<'a> {
    place: &'a str,
    backtrace: &'a str,
}

impl<'a> FinalPanic<'a> {
    /// The last one in what the worker wrote: one that cannot unwind comes after the one that wanted to.
    pub fn in_output(output: &'a str) -> Option<FinalPanic<'a>> {
        let (_, said) = output.rsplit_once("thread panicked at ")?;
        let (place, rest) = said.split_once(":\n")?;
        let (_, backtrace) = rest.split_once(BACKTRACE)?;
        Some(FinalPanic { place, backtrace })
    }

    pub fn whereabouts(&self, sources: &Sources) -> Whereabouts {
        let mut parts = self.place.rsplitn(3, ':');
        let (column, line) = (parts.next(), parts.next());
        let number = |part: Option<&str>| part.and_then(|part| part.parse().ok()).unwrap_or(0);
        whereabouts(self.backtrace, (parts.next().unwrap_or_default(), number(line), number(column)), sources)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_the_innermost_one_of_the_target() {
        let sources = Sources { package_root: "/home/u/im".into(), ..Sources::default() };
        let output = "noise\nthread panicked at /home/u/im/src/a.rs:1:2:\nsome reason\nthread panicked at \
            /rustc/59/library/core/src/panicking.rs:225:5:\nattempted to leave type `Chunk` uninitialized\nstack backtrace:\n   \
            0: __rustc::rust_begin_unwind\n             at /rustc/59/library/std/src/panicking.rs:689:5\n   \
            1: uninitialized<Chunk>\n             at /rustc/59/library/core/src/mem/mod.rs:700:9\n   \
            2: new\n             at /home/u/im/src/chunk.rs:7:9\n";
        let place = FinalPanic::in_output(output).unwrap().whereabouts(&sources).place.unwrap();
        assert_eq!((place.file.as_str(), place.line, place.function.as_str()), ("src/chunk.rs", 7, "new"));
    }

    #[test]
    fn what_has_no_backtrace_has_no_place() {
        assert_eq!(FinalPanic::in_output("thread panicked at src/a.rs:1:2:\nsome reason\n"), None);
        assert_eq!(FinalPanic::in_output("free(): double free detected"), None);
        let cut_off = FinalPanic::in_output("thread panicked at :\nsome reason\nstack backtrace:\n 0").unwrap();
        assert_eq!(cut_off.whereabouts(&Sources::default()), Whereabouts::default());
    }
}
