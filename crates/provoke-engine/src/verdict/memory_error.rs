//! What AddressSanitizer reports, read from the last words of a worker that died of it.
//!
//! Frames are as std prints those of a backtrace: whoever runs the worker has looked them up.

use serde::{Deserialize, Serialize};

use crate::verdict::backtrace::{BacktracePart, backtrace_parts};
use crate::verdict::place::{Sources, Whereabouts, function_name, whereabouts};

/// What code did to memory that it must not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum MemoryError {
    UseAfterFree,
    HeapOverflow,
    StackOverflow,
    StackUnderflow,
    UseAfterReturn,
    UseAfterScope,
    GlobalOverflow,
    DynamicStackOverflow,
    DoubleFree,
    BadFree,
    /// Freed with another size than it was allocated with, or by another family of functions.
    MismatchedFree,
    /// Ranges that overlap were copied as if they did not.
    OverlappingCopy,
    NegativeSize,
    Poisoned,
    Unknown,
}

/// In the words of the sanitizer. It says that a free of an address is attempted, and its other words end in a detail.
const NAMES: &[(&str, MemoryError)] = &[
    ("heap-use-after-free", MemoryError::UseAfterFree),
    ("heap-buffer-overflow", MemoryError::HeapOverflow),
    ("stack-buffer-overflow", MemoryError::StackOverflow),
    ("stack-buffer-underflow", MemoryError::StackUnderflow),
    ("stack-use-after-return", MemoryError::UseAfterReturn),
    ("stack-use-after-scope", MemoryError::UseAfterScope),
    ("global-buffer-overflow", MemoryError::GlobalOverflow),
    ("dynamic-stack-buffer-overflow", MemoryError::DynamicStackOverflow),
    ("double-free", MemoryError::DoubleFree),
    ("bad-free", MemoryError::BadFree),
    ("free", MemoryError::BadFree),
    ("alloc-dealloc-mismatch", MemoryError::MismatchedFree),
    ("new-delete-type-mismatch", MemoryError::MismatchedFree),
    ("memcpy-param-overlap", MemoryError::OverlappingCopy),
    ("negative-size-param", MemoryError::NegativeSize),
    ("use-after-poison", MemoryError::Poisoned),
    ("unknown-crash", MemoryError::Unknown),
];

impl MemoryError {
    /// As the sanitizer names it.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, error)| *error == self).map_or("unknown-crash", |(name, _)| name)
    }

    /// Whether it is the same thing done to memory of another kind: what a test spells out lies elsewhere than in a worker.
    pub fn is_like(self, other: MemoryError) -> bool {
        let family = |error| match error {
            MemoryError::UseAfterFree | MemoryError::UseAfterReturn | MemoryError::UseAfterScope => 1,
            MemoryError::HeapOverflow
            | MemoryError::StackOverflow
            | MemoryError::StackUnderflow
            | MemoryError::GlobalOverflow
            | MemoryError::DynamicStackOverflow
            | MemoryError::Poisoned
            | MemoryError::Unknown => 2,
            MemoryError::DoubleFree | MemoryError::BadFree | MemoryError::MismatchedFree => 3,
            MemoryError::OverlappingCopy | MemoryError::NegativeSize => 4,
        };
        family(self) == family(other)
    }

    /// The first that a text reports. Nothing for what is no error of memory: a signal, a request for too much of it.
    pub fn in_output(output: &str) -> Option<MemoryError> {
        let (_, report) = output.split_once("==ERROR: AddressSanitizer: ")?;
        let words = report.lines().next()?;
        let word = words.strip_prefix("attempting ").unwrap_or(words);
        let word = word.split([' ', ':']).next()?;
        NAMES.iter().find(|(name, _)| *name == word).map(|(_, error)| *error)
    }
}

/// Whose stack it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Of whoever touched the memory.
    Access,
    Freed,
    Allocated,
    /// Something else that the report tells.
    Aside,
}

/// A report with its stacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryReport {
    pub error: MemoryError,
    /// `read of 8 bytes`
    access: Option<String>,
    /// `0 bytes after 8-byte region`
    region: Option<String>,
    stacks: Vec<(Role, String)>,
}

impl MemoryReport {
    pub fn in_output(output: &str) -> Option<MemoryReport> {
        let error = MemoryError::in_output(output)?;
        let (_, text) = output.split_once("==ERROR: AddressSanitizer: ")?;
        let mut report =
            MemoryReport { error, access: None, region: None, stacks: vec![(Role::Access, String::new())] };
        for line in text.lines().skip(1) {
            let trimmed = line.trim_start();
            if let Some(access) = access_of(trimmed) {
                report.access = Some(access);
            } else if let Some((_, region)) = trimmed.split_once(" is located ") {
                report.region.get_or_insert_with(|| region.split(" [").next().unwrap_or(region).trim().to_string());
                report.stacks.push((Role::Aside, String::new()));
            } else if trimmed.starts_with("freed by thread ") {
                report.stacks.push((Role::Freed, String::new()));
            } else if trimmed.contains("allocated by thread ") {
                report.stacks.push((Role::Allocated, String::new()));
            } else if trimmed.starts_with("SUMMARY: ") {
                break;
            } else if line.starts_with(' ') {
                if let Some((_, stack)) = report.stacks.last_mut() {
                    stack.push_str(line);
                    stack.push('\n');
                }
            } else if !trimmed.is_empty() {
                report.stacks.push((Role::Aside, String::new()));
            }
        }
        Some(report)
    }

    /// In one line, for people.
    pub fn message(&self) -> String {
        let details = [self.access.as_deref(), self.region.as_deref()];
        let details: Vec<&str> = details.into_iter().flatten().collect();
        match details[..] {
            [] => self.error.name().to_string(),
            _ => format!("{}: {}", self.error.name(), details.join(", ")),
        }
    }

    /// Where it is in the target: where memory was touched, or else freed, or else allocated. The caller may be the one who uses
    /// what the crate has broken.
    pub fn whereabouts(&self, sources: &Sources) -> Whereabouts {
        let nowhere = Whereabouts::default();
        let stacks = [Role::Access, Role::Freed, Role::Allocated].into_iter().filter_map(|role| self.stack(role));
        let mut found = stacks.map(|stack| whereabouts(stack, ("", 0, 0), sources));
        found.find(|found| found.place.is_some()).unwrap_or(nowhere)
    }

    /// Who touched, freed and allocated the memory, a line each, shortened to frames of the target. Nothing is said of who has
    /// none: a call at the end of a function leaves no frame of that function.
    pub fn trail(&self, sources: &Sources) -> Vec<String> {
        let touched = match (&self.access, self.error) {
            (Some(access), _) if access.starts_with("read") => "read",
            (Some(_), _) => "written",
            (None, MemoryError::DoubleFree) => "freed again",
            (None, MemoryError::BadFree | MemoryError::MismatchedFree) => "freed",
            (None, _) => "touched",
        };
        let roles = [(Role::Access, touched), (Role::Freed, "freed"), (Role::Allocated, "allocated")];
        let line = |(role, verb): (Role, &str)| Some(format!("{verb} {}", way(self.stack(role)?, sources)?));
        roles.into_iter().filter_map(line).collect()
    }

    fn stack(&self, role: Role) -> Option<&str> {
        self.stacks.iter().find(|(of, _)| *of == role).map(|(_, stack)| behind_allocator(stack))
    }
}

/// `read of 8 bytes` of `READ of size 8 at 0x7c1f thread T0`.
fn access_of(line: &str) -> Option<String> {
    let (verb, rest) = match line.strip_prefix("READ of size ") {
        Some(rest) => ("read", rest),
        None => ("write", line.strip_prefix("WRITE of size ")?),
    };
    let size = rest.split(' ').next()?;
    Some(format!("{verb} of {size} {}", if size == "1" { "byte" } else { "bytes" }))
}

/// The frames outwards from the global allocator, which is the harness's own; all where it is not on the way.
fn behind_allocator(stack: &str) -> &str {
    const ENTRIES: [&str; 4] = ["__rust_alloc", "__rust_dealloc", "__rust_realloc", "__rust_alloc_zeroed"];
    let is_entry = |line: &str| ENTRIES.iter().any(|entry| line.trim_end().ends_with(entry));
    let mut start = 0;
    for line in stack.split_inclusive('\n') {
        start += line.len();
        if is_entry(line) {
            return &stack[start..];
        }
    }
    stack
}

/// `in pop (src/lib.rs:30:9), called by clear (src/lib.rs:52:9)`
fn way(stack: &str, sources: &Sources) -> Option<String> {
    const MAX_FRAMES: usize = 3;
    let frames = backtrace_parts(stack, sources).into_iter().filter_map(|part| match part {
        BacktracePart::Target { function, file, line, column } => {
            let name = Some(function_name(&function)).filter(|name| !name.is_empty());
            Some(format!("{} ({file}:{line}:{column})", name.unwrap_or("a closure")))
        }
        BacktracePart::Folded { .. } => None,
    });
    let frames: Vec<String> = frames.take(MAX_FRAMES).collect();
    (!frames.is_empty()).then(|| format!("in {}", frames.join(", called by ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn sources() -> Sources {
        Sources {
            package_root: "/home/u/cellar".into(),
            excluded: vec!["/home/u/cellar/target".into()],
            harness_root: "/home/u/cellar/target/provoke/cellar/harness".into(),
            worker_dir: "/home/u/cellar/target/provoke/cellar/scratch".into(),
        }
    }

    const USE_AFTER_FREE: &str = "\
some text of the crate
=================================================================
==17==ERROR: AddressSanitizer: heap-use-after-free on address 0x7c1f at pc 0x5555 bp 0x7fff sp 0x7ffe
READ of size 8 at 0x7c1f thread T1
    0: read_unchecked<u64>
        at /rustc/abc/library/core/src/ptr/mod.rs:12:9
    0: <cellar::Cellar>::peek
        at /home/u/cellar/src/lib.rs:20:9
    0: {closure#0}
        at /home/u/cellar/target/provoke/cellar/harness/src/ops.rs:7:1

0x7c1f is located 8 bytes inside of 16-byte region [0x7c17,0x7c27)
freed by thread T1 here:
    0: drop_in_place<alloc::boxed::Box<u64>>
        at /rustc/abc/library/core/src/ptr/mod.rs:805:1
    0: {closure#0}
        at /home/u/cellar/src/shelf.rs:31:5
    0: release
        at /home/u/cellar/src/shelf.rs:30:5
    0: <cellar::Cellar>::clear
        at /home/u/cellar/src/lib.rs:40:14

previously allocated by thread T1 here:
    0: alloc
        at /home/u/cellar/target/provoke/cellar/harness/runtime/provoke-exec/src/measure/allocator.rs:129:39
    0: __rust_alloc
        at /home/u/cellar/target/provoke/cellar/harness/runtime/provoke-exec/src/run/worker.rs:162:35
    0: new<u64>
        at /rustc/abc/library/alloc/src/boxed.rs:2:9
    0: store
        at /home/u/cellar/src/lib.rs:16:22

Thread T1 created by T0 here:
    0: <cellar::Cellar>::never
        at /home/u/cellar/src/lib.rs:1:1

SUMMARY: AddressSanitizer: heap-use-after-free (/worker+0x1)
Shadow bytes around the buggy address:
  0x7c1f: fa fa
==17==ABORTING
";

    #[test]
    fn a_report_is_a_kind_a_place_and_the_ways_to_it() {
        let report = MemoryReport::in_output(USE_AFTER_FREE).unwrap();
        let place = report.whereabouts(&sources()).place.unwrap();
        let mut lines = vec![report.message(), format!("{}:{} {}", place.file, place.line, place.function)];
        lines.extend(report.trail(&sources()));
        expect![[r#"
            heap-use-after-free: read of 8 bytes, 8 bytes inside of 16-byte region
            src/lib.rs:20 peek
            read in peek (src/lib.rs:20:9)
            freed in a closure (src/shelf.rs:31:5), called by release (src/shelf.rs:30:5), called by clear (src/lib.rs:40:14)
            allocated in store (src/lib.rs:16:22)"#]]
        .assert_eq(&lines.join("\n"));
    }

    #[test]
    fn what_the_caller_touches_is_broken_where_the_crate_freed_it() {
        let text =
            USE_AFTER_FREE.replace("    0: <cellar::Cellar>::peek\n        at /home/u/cellar/src/lib.rs:20:9\n", "");
        let report = MemoryReport::in_output(&text).unwrap();
        let place = report.whereabouts(&sources()).place.unwrap();
        assert_eq!((place.file.as_str(), place.function.as_str()), ("src/shelf.rs", "release"));
        assert_eq!(report.trail(&sources()).len(), 2);
    }

    #[test]
    fn kinds_are_told_by_the_first_words() {
        let kind = |words: &str| {
            MemoryError::in_output(&format!("==1==ERROR: AddressSanitizer: {words}\n")).map(MemoryError::name)
        };
        for (words, name) in [
            ("heap-buffer-overflow on address 0x1 at pc 0x2", Some("heap-buffer-overflow")),
            ("attempting double-free on 0x502 in thread T0:", Some("double-free")),
            ("attempting free on address which was not malloc()-ed: 0x7f in thread T0", Some("bad-free")),
            ("alloc-dealloc-mismatch (malloc vs operator delete) on 0x1", Some("alloc-dealloc-mismatch")),
            ("memcpy-param-overlap: memory ranges [0x1,0x2) and [0x1, 0x2) overlap", Some("memcpy-param-overlap")),
            ("negative-size-param: (size=-1)", Some("negative-size-param")),
            ("stack-use-after-return on address 0x1", Some("stack-use-after-return")),
            ("SEGV on unknown address 0x0", None),
            ("requested allocation size 0xffff exceeds maximum", None),
            ("stack-overflow on address 0x7f", None),
            ("", None),
        ] {
            assert_eq!(kind(words), name, "{words}");
        }
        assert_eq!(MemoryError::in_output("AddressSanitizer: heap-use-after-free"), None);
    }

    #[test]
    fn every_kind_has_a_name_that_leads_back_to_it() {
        for (_, error) in NAMES {
            let text = format!("==1==ERROR: AddressSanitizer: {} on", error.name());
            assert_eq!(MemoryError::in_output(&text), Some(*error));
        }
    }

    #[test]
    fn a_double_free_has_no_access_and_says_who_freed_it_first() {
        let text = "\
==1==ERROR: AddressSanitizer: attempting double-free on 0x5020 in thread T1:
    0: drop
        at /home/u/cellar/src/lib.rs:9:5

0x5020 is located 0 bytes inside of 1-byte region [0x5020,0x5021)
freed by thread T1 here:
    0: take
        at /home/u/cellar/src/lib.rs:5:5

";
        let report = MemoryReport::in_output(text).unwrap();
        assert_eq!(report.message(), "double-free: 0 bytes inside of 1-byte region");
        assert_eq!(
            report.trail(&sources()),
            ["freed again in drop (src/lib.rs:9:5)", "freed in take (src/lib.rs:5:5)"]
        );
    }

    #[test]
    fn a_report_that_is_cut_off_is_read_as_far_as_it_goes() {
        for end in 0..USE_AFTER_FREE.len() {
            if let Some(report) = MemoryReport::in_output(&USE_AFTER_FREE[..end]) {
                report.trail(&sources());
            }
        }
    }
}
