//! Addresses of a worker as functions and places in sources.
//!
//! A worker may start no programs, and looking places up in it would take longer than anything else it does. So reports of the
//! sanitizer come with offsets into the executable, and are made readable here, where the debug information is read once.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use addr2line::Context;
use gimli::{Dwarf, EndianArcSlice, RunTimeEndian, SectionId};
use object::{Object, ObjectSection};

type Reader = EndianArcSlice<RunTimeEndian>;

/// What a frame of a report has instead of a symbol, and what none other has.
const REPORT: &str = "==ERROR: AddressSanitizer: ";

/// The symbols of one executable, read when they are first needed.
pub(crate) struct Symbols {
    executable: PathBuf,
    /// Nothing if it cannot be read: then reports stay as they are.
    context: OnceLock<Option<Mutex<Context<Reader>>>>,
}

impl std::fmt::Debug for Symbols {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Symbols").field("executable", &self.executable).finish_non_exhaustive()
    }
}

impl Symbols {
    pub(crate) fn of(executable: &Path) -> Symbols {
        Symbols { executable: executable.to_path_buf(), context: OnceLock::new() }
    }

    /// The text with the frames of a report as std prints those of a backtrace, calls that were inlined included. A text
    /// without a report is left as it is.
    pub(crate) fn in_report(&self, text: String) -> String {
        let Some(start) = text.find(REPORT) else { return text };
        let (before, report) = text.split_at(start);
        let mut readable = before.to_owned();
        for line in report.lines() {
            match offset_of(line) {
                Some((module, offset)) => {
                    let frames = if Path::new(module) == self.executable { self.frames_at(offset) } else { Vec::new() };
                    frames.into_iter().for_each(|frame| push_frame(&mut readable, frame));
                }
                None => {
                    readable.push_str(line);
                    readable.push('\n');
                }
            }
        }
        readable
    }

    /// A stack as std prints a backtrace, calls that were inlined included. Frames outside of the executable are left out.
    pub(crate) fn backtrace(&self, offsets: &[u32]) -> String {
        let mut readable = String::new();
        for &offset in offsets.iter().filter(|offset| **offset != 0) {
            self.frames_at(offset.into()).into_iter().for_each(|frame| push_frame(&mut readable, frame));
        }
        readable
    }

    /// The innermost first.
    fn frames_at(&self, offset: u64) -> Vec<(String, Option<String>)> {
        let context = self.context.get_or_init(|| read_context(&self.executable).map(Mutex::new));
        let Some(context) = context else { return Vec::new() };
        let context = context.lock().unwrap_or_else(|error| error.into_inner());
        let mut found = Vec::new();
        let Ok(mut frames) = context.find_frames(offset).skip_all_loads() else { return found };
        while let Ok(Some(frame)) = frames.next() {
            let name = frame.function.as_ref().and_then(|function| function.demangle().ok().map(Cow::into_owned));
            let place = frame.location.and_then(|at| {
                Some(format!("{}:{}:{}", at.file?, at.line.unwrap_or_default(), at.column.unwrap_or_default()))
            });
            found.push((name.unwrap_or_else(|| "<unknown>".to_owned()), place));
        }
        found
    }
}

fn push_frame(text: &mut String, (symbol, place): (String, Option<String>)) {
    text.push_str(&format!("    0: {symbol}\n"));
    if let Some(place) = place {
        text.push_str(&format!("        at {place}\n"));
    }
}

/// Executable and offset of a frame without symbols: `#1 0x55e4  (/path/worker+0x12) (BuildId: 4f)`.
fn offset_of(line: &str) -> Option<(&str, u64)> {
    let frame = line.trim_start().strip_prefix('#')?;
    let (_, rest) = frame.split_once('(')?;
    let module = match rest.rfind(") (BuildId: ") {
        Some(end) => &rest[..end],
        None => rest.trim_end().strip_suffix(')')?,
    };
    let (path, offset) = module.rsplit_once("+0x")?;
    Some((path, u64::from_str_radix(offset, 16).ok()?))
}

fn read_context(executable: &Path) -> Option<Context<Reader>> {
    let bytes = fs::read(executable).ok()?;
    let file = object::File::parse(&*bytes).ok()?;
    let endian = if file.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
    let section = |id: SectionId| -> Result<Reader, object::Error> {
        let data = match file.section_by_name(id.name()) {
            Some(section) => section.data()?,
            None => &[],
        };
        Ok(EndianArcSlice::new(Arc::from(data), endian))
    };
    Context::from_dwarf(Dwarf::load(section).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_read_from_frames_and_from_nothing_else() {
        let frame = "    #12 0x55555565980a  (/a dir (x)/worker+0x10580a) (BuildId: 4f28)";
        assert_eq!(offset_of(frame), Some(("/a dir (x)/worker", 0x10580a)));
        assert_eq!(offset_of("#0 0x7f (/lib/libc.so.6+0x27)"), Some(("/lib/libc.so.6", 0x27)));
        for other in ["READ of size 8 at 0x7c thread T0", "    #0 0x1 in main", "SUMMARY: x (/worker+0x1)"] {
            assert_eq!(offset_of(other), None, "{other}");
        }
    }

    #[test]
    fn a_frame_of_this_test_is_found_in_this_test() {
        let executable = std::env::current_exe().unwrap();
        let bytes = fs::read(&executable).unwrap();
        let file = object::File::parse(&*bytes).unwrap();
        let name = "a_frame_of_this_test_is_found_in_this_test";
        let is_it =
            |symbol: &object::Symbol<'_, '_>| object::ObjectSymbol::name(symbol).is_ok_and(|n| n.contains(name));
        let symbol = file.symbols().find(is_it).unwrap();
        let offset = object::ObjectSymbol::address(&symbol);
        let frame = format!("    #0 0x1  ({}+{offset:#x}) (BuildId: 1)\n", executable.display());
        let report = format!("hello\n==1==ERROR: AddressSanitizer: double-free\n{frame}");
        let readable = Symbols::of(&executable).in_report(report);
        assert!(readable.starts_with("hello\n==1==ERROR: AddressSanitizer: double-free\n    0: "), "{readable}");
        assert!(readable.contains("symbols.rs:"), "{readable}");
        assert_eq!(Symbols::of(&executable).in_report(frame.clone()), frame);
        let backtrace = Symbols::of(&executable).backtrace(&[0, offset as u32]);
        assert!(backtrace.starts_with("    0: ") && backtrace.contains("symbols.rs:"), "{backtrace}");
    }
}
