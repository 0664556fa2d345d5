//! What kind of panic it was: from its message, the macro at its site, and the std function it came through.
//!
//! std has no machine-readable panic kinds, so its messages are matched. They change between releases: both the wording
//! of 1.91 and that of 1.95 are listed where they differ. A message that a crate writes itself can imitate std's, so the
//! macro at the site, where it is known, has the first word.

use provoke_oracles::ClauseKind;
use provoke_oracles::LAW_BROKEN;
use serde::{Deserialize, Serialize};

/// A closed list; [`Other`](PanicKind::Other) is what nothing below recognises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum PanicKind {
    /// Arithmetic that does not fit its type.
    Overflow,
    DivisionByZero,
    /// One index beyond the end, or a key that is not there.
    Bounds,
    /// A range beyond the end, or backwards.
    SliceRange,
    CharBoundary,
    UnwrapNone,
    UnwrapErr,
    /// `expect` or `expect_err`, with the crate's own words.
    Expect,
    RefCell,
    Unreachable,
    Todo,
    Unimplemented,
    Assert,
    DebugAssert,
    /// `panic!`, or a macro that ends in it.
    Explicit,
    CapacityOverflow,
    AllocError,
    /// Any other function of std that refuses its argument: `chunks(0)`, `step_by(0)`, a radix of 99.
    StdRefusal,
    /// The harness's own: a law does not hold.
    LawBroken,
    Other,
}

/// What the target's source says about the place of a panic; read by whoever has the files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteFacts {
    /// The macro invoked there: `assert_eq`, `panic`, `debug_assert`.
    pub macro_name: Option<String>,
    /// It stands at the start of its function and mentions only parameters and observers: it refuses an argument.
    pub is_entry_check: bool,
    /// The name of the function it stands in.
    pub function: Option<String>,
    /// A clause of a contract stands there.
    pub clause: Option<ClauseKind>,
    /// What it says, where the message does not.
    pub clause_text: Option<String>,
    /// Most builds of the target do not run what stands there.
    pub is_optional: bool,
    /// The clause stands in a spec, which programs alone call.
    pub is_in_spec: bool,
}

/// All that tells kinds apart.
#[derive(Clone, Copy, Debug, Default)]
pub struct PanicEvidence<'a> {
    pub message: &'a str,
    /// The file of the hook's location.
    pub hook_file: &'a str,
    /// The function that the innermost frame of the target called (`expect`, `panic_fmt`), where a backtrace was taken.
    pub via: Option<&'a str>,
    pub site: Option<&'a SiteFacts>,
}

impl PanicKind {
    pub fn of(evidence: PanicEvidence<'_>) -> PanicKind {
        let message = evidence.message;
        if message.starts_with(LAW_BROKEN) {
            return PanicKind::LawBroken;
        }
        let by_message = kind_of_message(message);
        // A crate that writes its own "capacity overflow" means the same as std.
        if let Some(kind @ (PanicKind::CapacityOverflow | PanicKind::AllocError)) = by_message {
            return kind;
        }
        let macro_name = evidence.site.and_then(|site| site.macro_name.as_deref());
        if let Some(kind) = macro_name.and_then(kind_of_macro) {
            return kind;
        }
        if by_message == Some(PanicKind::Assert) {
            let is_std = is_std_file(evidence.hook_file)
                || evidence
                    .via
                    .is_some_and(|via| kind_of_function(via) != Some(PanicKind::Assert) && !is_panic_function(via));
            return if is_std && message.contains("is_char_boundary") {
                PanicKind::CharBoundary
            } else if is_std {
                PanicKind::StdRefusal
            } else {
                PanicKind::Assert
            };
        }
        if let Some(kind) = by_message {
            return kind;
        }
        match evidence.via {
            Some(via) if is_panic_function(via) => PanicKind::Explicit,
            Some(via) => kind_of_function(via).unwrap_or(PanicKind::StdRefusal),
            None if is_std_file(evidence.hook_file) => PanicKind::StdRefusal,
            None => PanicKind::Other,
        }
    }
}

/// A source file of the standard library, as panics and backtraces name it.
pub fn is_std_file(file: &str) -> bool {
    file.starts_with("/rustc/")
        || file.starts_with("/rust/deps/")
        || file.contains("/lib/rustlib/src/rust/library/")
        || (file.starts_with("library/") && !file.starts_with("library/src/"))
}

/// How a message of std starts or ends. The first row that fits counts.
enum Wording {
    Is(&'static str),
    Starts(&'static str),
    Ends(&'static str),
    /// Starts with the first and contains the second.
    Holds(&'static str, &'static str),
}

use PanicKind as K;
use Wording::{Ends, Holds, Is, Starts};

const MESSAGES: &[(Wording, PanicKind)] = &[
    (Starts("attempt to divide by zero"), K::DivisionByZero),
    (Starts("attempt to calculate the remainder with a divisor of zero"), K::DivisionByZero),
    (Starts("divide by zero error when dividing duration"), K::DivisionByZero),
    (Holds("attempt to ", " with overflow"), K::Overflow),
    (Starts("overflow when "), K::Overflow),
    (Is("overflow in Duration::new"), K::Overflow),
    (Is("argument of integer logarithm must be positive"), K::Overflow),
    (Starts("index out of bounds"), K::Bounds),
    (Is("Out of bounds access"), K::Bounds),
    (Is("no entry found for key"), K::Bounds),
    (Holds("", " should be < len (is "), K::Bounds),
    (Holds("", " should be <= len (is "), K::Bounds),
    (Holds("partition_at_index index ", " greater than length of slice "), K::Bounds),
    (Holds("range start index ", " out of range for slice"), K::SliceRange),
    (Holds("range end index ", " out of range for slice"), K::SliceRange),
    (Holds("slice index starts at ", " but ends at "), K::SliceRange),
    (Starts("attempted to index slice "), K::SliceRange),
    (Holds("begin ", " when slicing `"), K::SliceRange),
    (Is("mid > len"), K::SliceRange),
    (Holds("", " does not match destination slice length"), K::SliceRange),
    (Is("source slice length does not match destination slice length"), K::SliceRange),
    (Holds("", " is out of bounds of `"), K::SliceRange),
    (Holds("", " is not a char boundary"), K::CharBoundary),
    (Holds("", " should be a character boundary"), K::CharBoundary),
    (Is("called `Option::unwrap()` on a `None` value"), K::UnwrapNone),
    (Ends("on an `Err` value: LayoutError"), K::CapacityOverflow),
    (Starts("called `Result::unwrap()` on an `Err` value"), K::UnwrapErr),
    (Starts("called `Result::unwrap_err()` on an `Ok` value"), K::UnwrapErr),
    (Starts("RefCell already "), K::RefCell),
    (Starts("already borrowed"), K::RefCell),
    (Starts("already mutably borrowed"), K::RefCell),
    (Starts("internal error: entered unreachable code"), K::Unreachable),
    (Starts("not yet implemented"), K::Todo),
    (Starts("not implemented"), K::Unimplemented),
    (Starts("assertion failed: "), K::Assert),
    (Starts("assertion `"), K::Assert),
    (Is("explicit panic"), K::Explicit),
    (Is("capacity overflow"), K::CapacityOverflow),
    (Is("Hash table capacity overflow"), K::CapacityOverflow),
    (Starts("memory allocation of "), K::AllocError),
];

fn kind_of_message(message: &str) -> Option<PanicKind> {
    let fits = |wording: &Wording| match wording {
        Is(text) => message == *text,
        Starts(text) => message.starts_with(text),
        Ends(text) => message.ends_with(text),
        Holds(start, text) => message.starts_with(start) && message.contains(text),
    };
    MESSAGES.iter().find(|(wording, _)| fits(wording)).map(|row| row.1)
}

fn kind_of_macro(name: &str) -> Option<PanicKind> {
    Some(match name {
        "debug_assert" | "debug_assert_eq" | "debug_assert_ne" => K::DebugAssert,
        "assert" | "assert_eq" | "assert_ne" => K::Assert,
        "panic" => K::Explicit,
        "unreachable" => K::Unreachable,
        "todo" => K::Todo,
        "unimplemented" => K::Unimplemented,
        _ => return None,
    })
}

/// What a function of std that the target called says about the panic, where the message is the crate's own.
fn kind_of_function(name: &str) -> Option<PanicKind> {
    Some(match name {
        "expect" | "expect_err" | "expect_failed" | "unwrap_failed" => K::Expect,
        "assert_failed" | "assert_failed_inner" => K::Assert,
        _ => return None,
    })
}

fn is_panic_function(name: &str) -> bool {
    matches!(
        name,
        "panic"
            | "panic_fmt"
            | "panic_display"
            | "panic_explicit"
            | "panic_str_2015"
            | "panic_any"
            | "begin_panic"
            | "begin_panic_fmt"
            | "panic_cold_explicit"
            | "panic_cold_display"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Messages as rustc 1.95 prints them, and older wordings.
    const SEEN: &[(&str, PanicKind)] = &[
        ("attempt to add with overflow", K::Overflow),
        ("attempt to calculate the remainder with overflow", K::Overflow),
        ("attempt to shift left with overflow", K::Overflow),
        ("overflow when subtracting durations", K::Overflow),
        ("attempt to divide by zero", K::DivisionByZero),
        ("attempt to calculate the remainder with a divisor of zero", K::DivisionByZero),
        ("index out of bounds: the len is 2 but the index is 5", K::Bounds),
        ("removal index (is 3) should be < len (is 1)", K::Bounds),
        ("`at` split index (is 3) should be <= len (is 1)", K::Bounds),
        ("no entry found for key", K::Bounds),
        ("range start index 3 out of range for slice of length 2", K::SliceRange),
        ("slice index starts at 2 but ends at 1", K::SliceRange),
        ("begin > end (2 > 1) when slicing `abc`", K::SliceRange),
        ("begin <= end (2 <= 1) when slicing `abc`", K::SliceRange),
        ("end byte index 9 is out of bounds of `abc`", K::SliceRange),
        ("byte index 9 is out of bounds of `abc`", K::SliceRange),
        ("start byte index 2 is not a char boundary; it is inside 'é' (bytes 1..3) of `héllo`", K::CharBoundary),
        ("byte index 2 is not a char boundary; it is inside 'é' (bytes 1..3) of `héllo`", K::CharBoundary),
        ("called `Option::unwrap()` on a `None` value", K::UnwrapNone),
        ("called `Result::unwrap()` on an `Err` value: \"e\"", K::UnwrapErr),
        ("RefCell already borrowed", K::RefCell),
        ("already mutably borrowed: BorrowError", K::RefCell),
        ("internal error: entered unreachable code: x 1", K::Unreachable),
        ("not yet implemented: later", K::Todo),
        ("not implemented", K::Unimplemented),
        ("assertion failed: b(false)", K::Assert),
        ("assertion `left == right` failed: why 3\n  left: 1\n right: 2", K::Assert),
        ("explicit panic", K::Explicit),
        ("capacity overflow", K::CapacityOverflow),
        ("Hash table capacity overflow", K::CapacityOverflow),
        ("called `Result::unwrap()` on an `Err` value: LayoutError", K::CapacityOverflow),
        ("memory allocation of 99 bytes failed", K::AllocError),
        ("my own words", K::Other),
    ];

    fn evidence(message: &str) -> PanicEvidence<'_> {
        PanicEvidence { message, hook_file: "src/lib.rs", ..PanicEvidence::default() }
    }

    #[test]
    fn messages_of_std_tell_their_kind() {
        for &(message, kind) in SEEN {
            assert_eq!(PanicKind::of(evidence(message)), kind, "{message}");
        }
    }

    #[test]
    fn the_macro_at_the_site_has_the_first_word() {
        let kind = |macro_name: &str, message: &'static str| {
            let site = SiteFacts { macro_name: Some(macro_name.into()), ..SiteFacts::default() };
            PanicKind::of(PanicEvidence { site: Some(&site), ..evidence(message) })
        };
        assert_eq!(kind("debug_assert", "assertion failed: x"), K::DebugAssert);
        assert_eq!(kind("debug_assert_eq", "assertion `left == right` failed"), K::DebugAssert);
        assert_eq!(kind("assert", "my own words"), K::Assert);
        assert_eq!(kind("panic", "index out of bounds"), K::Explicit);
        assert_eq!(kind("vec", "index out of bounds"), K::Bounds);
        assert_eq!(kind("panic", "capacity overflow"), K::CapacityOverflow);
    }

    #[test]
    fn an_own_message_is_sorted_by_the_function_it_came_through() {
        let kind = |via, message| PanicKind::of(PanicEvidence { via: Some(via), ..evidence(message) });
        assert_eq!(kind("expect", "my own words"), K::Expect);
        assert_eq!(kind("panic_fmt", "my own words"), K::Explicit);
        assert_eq!(kind("chunks", "chunk size must be non-zero"), K::StdRefusal);
        assert_eq!(kind("panic", "assertion failed: x"), K::Assert);
        assert_eq!(kind("insert", "assertion failed: self.is_char_boundary(idx)"), K::CharBoundary);
        assert_eq!(kind("rotate_left", "assertion failed: mid <= self.len()"), K::StdRefusal);
    }

    #[test]
    fn an_assertion_inside_std_is_not_the_targets() {
        let file = "/rustc/59807616e1/library/core/src/iter/adapters/step_by.rs";
        let kind = PanicKind::of(PanicEvidence { hook_file: file, ..evidence("assertion failed: step != 0") });
        assert_eq!(kind, K::StdRefusal);
        assert!(!is_std_file("library/src/lib.rs") && is_std_file("library/core/src/num/mod.rs"));
    }
}
