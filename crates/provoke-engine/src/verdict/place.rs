//! Where a panic happened: the innermost frame of a backtrace that lies in the target's sources.
//!
//! The hook's location is not enough. A `#[track_caller]` function reports its caller, which is another one in the
//! harness (a function pointer) than in a test; and a panic inside std or a dependency says nothing of who called it.

use serde::{Deserialize, Serialize};

use crate::verdict::panic_kind::is_std_file;

/// Which directories hold what. All paths absolute, without a slash at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    pub package_root: String,
    /// Below `package_root`, but not the target's: its build directory, other members of its workspace.
    pub excluded: Vec<String>,
    /// The harness, with the runtime compiled into it.
    pub harness_root: String,
    /// The worker's working directory: backtraces print what lies below it as `./…`.
    pub worker_dir: String,
}

/// Who owns a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlaceOrigin {
    Target,
    Std,
    Dependency,
    Harness,
}

/// A place in the target.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// Relative to the package root.
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// The name of the function, without path and type arguments. Empty where nothing tells.
    pub function: String,
}

/// Who called a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Caller {
    /// The program, or what it gave the target to call.
    Program,
    Target,
    /// Frames are missing.
    #[default]
    Unknown,
}

/// What a backtrace tells about a panic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Whereabouts {
    /// `None`: no frame between the panic and the harness is the target's.
    pub place: Option<Place>,
    /// Whose code panicked, std aside: what std refuses is the doing of whoever called it.
    pub origin: Option<PlaceOrigin>,
    /// std stands between that code and the panic, beyond the machinery of panicking itself.
    pub is_through_std: bool,
    /// What the innermost frame of the target called: `expect`, `panic_fmt`, `index`.
    pub via: Option<String>,
    /// Who called the function of that frame.
    pub caller: Caller,
}

impl Sources {
    pub fn origin_of(&self, file: &str) -> PlaceOrigin {
        let file = self.absolute(file);
        if is_std_file(&file) {
            return PlaceOrigin::Std;
        }
        // Only the harness is compiled as a member of its own workspace, which is what gives relative paths.
        if !file.starts_with('/') || is_below(&file, &self.harness_root) {
            return PlaceOrigin::Harness;
        }
        let is_target = is_below(&file, &self.package_root) && !self.excluded.iter().any(|root| is_below(&file, root));
        if is_target { PlaceOrigin::Target } else { PlaceOrigin::Dependency }
    }

    /// The file as the user knows it, if it is the target's.
    pub fn relative_to_package(&self, file: &str) -> Option<String> {
        if self.origin_of(file) != PlaceOrigin::Target {
            return None;
        }
        let file = self.absolute(file);
        Some(file[self.package_root.len()..].trim_start_matches('/').to_string())
    }

    fn absolute(&self, file: &str) -> String {
        match file.strip_prefix("./") {
            Some(rest) => format!("{}/{rest}", self.worker_dir.trim_end_matches('/')),
            None => file.to_string(),
        }
    }
}

fn is_below(file: &str, root: &str) -> bool {
    !root.is_empty() && file.strip_prefix(root).is_some_and(|rest| rest.starts_with('/'))
}

/// Finds the place of a panic from its backtrace; from the hook's location where the backtrace has no frame of the target.
pub fn whereabouts(backtrace: &str, hook: (&str, u32, u32), sources: &Sources) -> Whereabouts {
    let frames = frames_of_panic(backtrace);
    let mut found = Whereabouts::default();
    let mut inner: Option<&Frame<'_>> = None;
    // The optimiser may leave a frame without a line, or without a column.
    let mut has_gap = false;
    for (index, frame) in frames.iter().enumerate() {
        let Some((file, line, column)) = frame.at else {
            inner = Some(frame);
            has_gap = true;
            continue;
        };
        let origin = sources.origin_of(file);
        match origin {
            PlaceOrigin::Std => found.is_through_std |= found.origin.is_none() && !is_machinery(frame.symbol),
            origin if found.origin.is_none() => found.origin = Some(origin),
            _ => {}
        }
        match origin {
            // If that is the innermost one of the target, the hook names its place.
            PlaceOrigin::Target if (has_gap || column == 0) && sources.origin_of(hook.0) == PlaceOrigin::Target => {
                break;
            }
            PlaceOrigin::Target => {
                found.via = inner.map(|frame| function_name(frame.symbol).to_string());
                found.caller = caller(&frames[index + 1..], sources);
                found.place = Some(Place {
                    file: sources.relative_to_package(file).unwrap_or_default(),
                    line,
                    column,
                    function: enclosing_function(&frames[index..], file),
                });
                return found;
            }
            PlaceOrigin::Harness => break,
            PlaceOrigin::Std | PlaceOrigin::Dependency => inner = Some(frame),
        }
    }
    // The hook names a place in the target only if the panic is there or in something that the target called.
    let (file, line, column) = hook;
    if let Some(file) = sources.relative_to_package(file) {
        let is_vague = |frame: &&Frame<'_>| frame.at.is_none_or(|(_, _, column)| column == 0);
        let nameless =
            frames.iter().take_while(|frame| is_vague(frame) || frame.at.is_some_and(|(f, ..)| is_std_file(f)));
        let function = nameless.filter(is_vague).last();
        if let Some(innermost) = frames.iter().position(|frame| is_vague(&frame)) {
            found.caller = caller(&frames[innermost + 1..], sources);
        }
        found.origin = Some(PlaceOrigin::Target);
        found.place = Some(Place {
            file,
            line,
            column,
            function: function.map_or_else(String::new, |frame| function_name(frame.symbol).to_string()),
        });
    }
    found
}

/// The places of the target on a stack, the innermost first, up to the harness. A stack that was put down at any moment may have
/// something of the runtime's on top, such as the allocator.
pub fn places_on_stack(backtrace: &str, sources: &Sources) -> Vec<Place> {
    let frames = frames_of_panic(backtrace);
    let is_of = |frame: &Frame<'_>, origin| frame.at.is_some_and(|(file, ..)| sources.origin_of(file) == origin);
    let n_above = frames.iter().take_while(|frame| !is_of(frame, PlaceOrigin::Target)).count();
    let outside = frames[n_above..].iter().position(|frame| is_of(frame, PlaceOrigin::Harness));
    let n_inside = outside.map_or(frames.len(), |outside| n_above + outside);
    let place = |(index, frame): (usize, &Frame<'_>)| {
        let (file, line, column) = frame.at?;
        let relative = sources.relative_to_package(file)?;
        Some(Place { file: relative, line, column, function: enclosing_function(&frames[index..], file) })
    };
    frames[..n_inside].iter().enumerate().filter_map(place).collect()
}

/// Who called a function, from the frames around its own. What std or a dependency has called, whoever called that has.
fn caller(outer: &[Frame<'_>], sources: &Sources) -> Caller {
    for frame in outer {
        match frame.at.map(|(file, ..)| sources.origin_of(file)) {
            Some(PlaceOrigin::Target) => return Caller::Target,
            Some(PlaceOrigin::Harness) => return Caller::Program,
            Some(PlaceOrigin::Std | PlaceOrigin::Dependency) => {}
            None => return Caller::Unknown,
        }
    }
    Caller::Unknown
}

pub(crate) struct Frame<'a> {
    pub symbol: &'a str,
    /// File, line and column.
    pub at: Option<(&'a str, u32, u32)>,
}

/// The frames from the panicking code outwards: without the hook, and what runs between the panic and the hook.
pub(crate) fn frames_of_panic(backtrace: &str) -> Vec<Frame<'_>> {
    let mut frames: Vec<Frame<'_>> = Vec::new();
    for line in backtrace.lines() {
        let line = line.trim_start();
        if let Some(place) = line.strip_prefix("at ") {
            if let Some(frame) = frames.last_mut() {
                frame.at = parse_place(place);
            }
        } else if let Some((number, symbol)) = line.split_once(": ")
            && !number.is_empty()
            && number.bytes().all(|b| b.is_ascii_digit())
        {
            frames.push(Frame { symbol, at: None });
        }
    }
    let is_entry = |frame: &Frame<'_>| {
        ["rust_begin_unwind", "panicking::panic_with_hook", "panicking::rust_panic_with_hook", "panicking::begin_panic"]
            .iter()
            .any(|name| frame.symbol.contains(name))
    };
    // Only the first run of such frames: a panic while another one unwinds has more of them further out.
    let hook_end = frames.iter().position(is_entry).map_or(0, |first| {
        let run = frames[first..].iter().take_while(|frame| is_entry(frame) || is_panicking(frame.symbol));
        first + run.count()
    });
    frames.drain(..hook_end);
    frames
}

/// What std does between `rust_panic_with_hook` and `rust_begin_unwind`.
fn is_panicking(symbol: &str) -> bool {
    symbol.contains("std::panicking::") || symbol.contains("__rust_end_short_backtrace")
}

/// Functions that the compiler or a macro calls only in order to panic.
fn is_machinery(symbol: &str) -> bool {
    symbol.contains("core::panicking::") || symbol.contains("std::panicking::")
}

fn parse_place(place: &str) -> Option<(&str, u32, u32)> {
    let mut parts = place.trim_end().rsplitn(3, ':');
    let column = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    Some((parts.next()?, line, column))
}

/// The name of the first frame's function; of the function around it, where that is a closure.
fn enclosing_function(frames: &[Frame<'_>], file: &str) -> String {
    frames
        .iter()
        .filter(|frame| frame.at.is_some_and(|(at, _, _)| at == file))
        .map(|frame| function_name(frame.symbol))
        .find(|name| !name.is_empty())
        .unwrap_or_default()
        .to_string()
}

/// The last segment of a symbol that is a name: `insert` of `<a::B<T> as c::D>::insert::<u8>::{closure#0}`.
///
/// Inlined frames print bare names (`insert<u8>`), the others whole paths; the last segment is what they share.
pub fn function_name(symbol: &str) -> &str {
    let mut depth = 0usize;
    let mut segment_start = 0;
    let mut last = "";
    let bytes = symbol.as_bytes();
    let mut keep = |segment: &'_ str, range: std::ops::Range<usize>| {
        let is_hash =
            segment.len() == 17 && segment.starts_with('h') && segment[1..].bytes().all(|b| b.is_ascii_hexdigit());
        if !segment.is_empty()
            && !is_hash
            && segment.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80)
        {
            last = &symbol[range];
        }
    };
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'<' | b'{' | b'(' | b'[' => {
                if depth == 0 {
                    keep(&symbol[segment_start..at], segment_start..at);
                }
                depth += 1;
            }
            b'>' if at > 0 && bytes[at - 1] == b'-' => {}
            b'>' | b'}' | b')' | b']' => {
                depth = depth.saturating_sub(1);
                segment_start = at + 1;
            }
            b':' if depth == 0 => {
                keep(&symbol[segment_start..at], segment_start..at);
                segment_start = at + 1;
            }
            _ => {}
        }
    }
    if depth == 0 {
        keep(&symbol[segment_start..], segment_start..symbol.len());
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources() -> Sources {
        Sources {
            package_root: "/home/u/slab".into(),
            excluded: vec!["/home/u/slab/target".into()],
            harness_root: "/home/u/slab/target/provoke/slab/harness".into(),
            worker_dir: "/home/u".into(),
        }
    }

    /// As std prints a backtrace, shortened: the hook, the machinery, the frames of `frames`, the worker's own.
    fn backtrace(frames: &[(&str, &str)]) -> String {
        let around = |list: &[(&str, &str)]| -> Vec<(String, String)> {
            list.iter().map(|(s, f)| (s.to_string(), f.to_string())).collect()
        };
        let mut all = around(&[
            ("{closure#0}", "./slab/target/provoke/slab/harness/exec/src/hook.rs:4:81"),
            ("std::panicking::panic_with_hook", "/rustc/59/library/std/src/panicking.rs:833:13"),
            ("std::panicking::panic_handler::{closure#0}", "/rustc/59/library/std/src/panicking.rs:691:13"),
            (
                "std::sys::backtrace::__rust_end_short_backtrace::<x, !>",
                "/rustc/59/library/std/src/sys/backtrace.rs:182:18",
            ),
            ("__rustc::rust_begin_unwind", "/rustc/59/library/std/src/panicking.rs:689:5"),
            ("core::panicking::panic_fmt", "/rustc/59/library/core/src/panicking.rs:80:14"),
        ]);
        all.extend(around(frames));
        all.extend(around(&[
            ("call_once<fn(u8), ()>", "/rustc/59/library/core/src/ops/function.rs:250:5"),
            ("harness::main", "src/main.rs:1:1"),
            ("main", ""),
        ]));
        all.iter()
            .enumerate()
            .map(|(n, (symbol, at))| match at.as_str() {
                "" => format!("{n:4}: {symbol}\n"),
                at => format!("{n:4}: {symbol}\n             at {at}\n"),
            })
            .collect()
    }

    #[test]
    fn a_stack_is_the_targets_from_below_the_runtime_on_top_up_to_the_harness() {
        let harness = "/home/u/slab/target/provoke/slab/harness";
        let stack: String = [
            format!("    0: alloc\n        at {harness}/exec/src/allocator.rs:9:5\n"),
            "    0: with_capacity\n        at /rustc/59/library/alloc/src/vec.rs:1:1\n".into(),
            "    0: first\n        at /home/u/slab/src/lib.rs:4:9\n".into(),
            "    0: get\n        at /home/u/slab/src/lib.rs:8:15\n".into(),
            format!("    0: call\n        at {harness}/exec/src/frame.rs:1:1\n"),
            "    0: callback\n        at /home/u/slab/src/lib.rs:20:1\n".into(),
        ]
        .concat();
        let places = |stack: &str| -> Vec<(u32, String)> {
            places_on_stack(stack, &sources()).into_iter().map(|place| (place.line, place.function)).collect()
        };
        assert_eq!(places(&stack), [(4, "first".into()), (8, "get".into())]);
        assert_eq!(places(""), []);
    }

    const CORE: &str = "/rustc/59/library/core/src/option.rs:1016:21";

    fn find(frames: &[(&str, &str)]) -> Whereabouts {
        let hook = ("/rustc/59/library/core/src/ops/function.rs", 250, 5);
        whereabouts(&backtrace(frames), hook, &sources())
    }

    #[test]
    fn whoever_is_next_outside_has_called() {
        const HARNESS: &str = "./slab/target/provoke/slab/harness/src/ops.rs:9:5";
        const DEPENDENCY: &str = "/home/u/.cargo/registry/src/index/either-1.0.0/src/lib.rs:3:3";
        let own = ("withdraw", "/home/u/slab/src/lib.rs:23:22");
        let table: &[(&[(&str, &str)], Caller)] = &[
            (&[own, ("call_once", CORE), ("thunk", HARNESS)], Caller::Program),
            (&[own, ("charge", "/home/u/slab/src/lib.rs:40:9"), ("thunk", HARNESS)], Caller::Target),
            // The same function again.
            (&[own, ("withdraw", "/home/u/slab/src/lib.rs:25:9"), ("thunk", HARNESS)], Caller::Target),
            (
                &[own, ("for_each", CORE), ("{closure#0}", "/home/u/slab/src/lib.rs:41:9"), ("x", HARNESS)],
                Caller::Target,
            ),
            (
                &[own, ("either", DEPENDENCY), ("charge", "/home/u/slab/src/lib.rs:40:9"), ("x", HARNESS)],
                Caller::Target,
            ),
            (&[own, ("either", DEPENDENCY), ("thunk", HARNESS)], Caller::Program),
            // What the program gave the target to call has called.
            (&[own, ("closure", HARNESS), ("with", "/home/u/slab/src/lib.rs:50:9"), ("x", HARNESS)], Caller::Program),
            (&[own, ("nameless", ""), ("thunk", HARNESS)], Caller::Unknown),
        ];
        for (frames, expected) in table {
            assert_eq!(find(frames).caller, *expected, "{frames:?}");
        }
        // Where the optimiser left the innermost frame without a line, the hook has it.
        let by_hook = |frames: &[(&str, &str)]| {
            whereabouts(&backtrace(frames), ("/home/u/slab/src/lib.rs", 23, 22), &sources()).caller
        };
        let vague = ("withdraw", "");
        assert_eq!(by_hook(&[vague, ("thunk", HARNESS)]), Caller::Program);
        assert_eq!(by_hook(&[vague, ("charge", "/home/u/slab/src/lib.rs:40:9"), ("thunk", HARNESS)]), Caller::Target);
        assert_eq!(by_hook(&[vague, vague, ("thunk", HARNESS)]), Caller::Unknown);
    }

    #[test]
    fn the_innermost_frame_of_the_target_is_the_place() {
        let found = find(&[
            ("core::option::unwrap_failed", CORE),
            ("unwrap<u8>", CORE),
            ("{closure#0}", "./slab/src/entry.rs:7:9"),
            ("<slab::Slab<u8>>::insert_at", "./slab/src/entry.rs:5:3"),
            ("slab::run", "/home/u/slab/src/lib.rs:1:1"),
        ]);
        let place = Place { file: "src/entry.rs".into(), line: 7, column: 9, function: "insert_at".into() };
        assert_eq!(found.place, Some(place));
        assert_eq!((found.origin, found.is_through_std), (Some(PlaceOrigin::Target), true));
        assert_eq!(found.via.as_deref(), Some("unwrap"));
    }

    #[test]
    fn a_panic_of_the_target_itself_is_not_through_std() {
        let found = find(&[("slab::f", "./slab/src/lib.rs:3:1")]);
        assert!(!found.is_through_std);
        assert_eq!(found.via.as_deref(), Some("panic_fmt"));
    }

    #[test]
    fn a_panic_in_a_dependency_is_placed_at_its_caller() {
        let found = find(&[
            ("dep::g", "/home/u/.cargo/registry/src/x/dep-1.0.0/src/lib.rs:2:2"),
            ("slab::f", "./slab/src/lib.rs:3:1"),
        ]);
        assert_eq!(found.origin, Some(PlaceOrigin::Dependency));
        assert_eq!(found.place.unwrap().line, 3);
        assert_eq!(found.via.as_deref(), Some("g"));
    }

    #[test]
    fn a_panic_of_the_harness_has_no_place_even_below_the_target() {
        let found = find(&[
            ("unwrap<u8>", CORE),
            ("builtin", "./slab/target/provoke/slab/harness/src/ops.rs:9:9"),
            ("slab::retain", "./slab/src/lib.rs:3:1"),
        ]);
        assert_eq!((found.origin, found.place), (Some(PlaceOrigin::Harness), None));
    }

    #[test]
    fn without_frames_the_hook_is_believed() {
        let hook = ("/home/u/slab/src/lib.rs", 4, 2);
        let found = whereabouts("", hook, &sources());
        assert_eq!(found.place.map(|p| (p.file, p.line)), Some(("src/lib.rs".into(), 4)));
        let hook = ("/home/u/other/src/lib.rs", 4, 2);
        assert_eq!(whereabouts("", hook, &sources()).place, None);
    }

    #[test]
    fn names_lose_paths_type_arguments_closures_and_hashes() {
        for (symbol, name) in [
            ("<bt::target::S as core::fmt::Debug>::fmt", "fmt"),
            ("slab::Slab<T>::insert::h0123456789abcdef", "insert"),
            ("a::b::insert::<fn(u8) -> u8>::{closure#0}::{closure#1}", "insert"),
            ("do_call<bt::main::{closure_env#1}, u8>", "do_call"),
            ("a::{impl#3}::push", "push"),
            ("{closure#0}", ""),
            ("_start", "_start"),
        ] {
            assert_eq!(function_name(symbol), name, "{symbol}");
        }
    }

    #[test]
    fn a_frame_that_the_optimiser_left_without_a_line_is_found_through_the_hook() {
        let mut text = String::new();
        for (number, (symbol, at)) in [
            ("core::panicking::panic_fmt", Some("/rustc/59/library/core/src/panicking.rs:80:14")),
            ("get<alloc::string::String>", None),
            ("thunk<(), u8>", Some("/home/u/slab/target/provoke/slab/harness/exec/src/signature.rs:48:43")),
        ]
        .into_iter()
        .enumerate()
        {
            text.push_str(&format!("  {number}: {symbol}\n"));
            if let Some(at) = at {
                text.push_str(&format!("             at {at}\n"));
            }
        }
        let found = whereabouts(&text, ("/home/u/slab/src/lib.rs", 53, 9), &sources());
        assert_eq!(found.origin, Some(PlaceOrigin::Target));
        let place = found.place.unwrap();
        assert_eq!((place.file.as_str(), place.line, place.column), ("src/lib.rs", 53, 9));
        assert_eq!(place.function, "get");
        // So is one whose caller in the target has a line.
        let called =
            text.replace("  2: thunk", "  2: slab::run\n             at /home/u/slab/src/lib.rs:80:5\n  3: thunk");
        let found = whereabouts(&called, ("/home/u/slab/src/lib.rs", 53, 9), &sources());
        assert_eq!(found.place.map(|place| (place.line, place.function)), Some((53, "get".to_string())));
        let vague =
            called.replace("get<alloc::string::String>", "get<u8>\n             at /home/u/slab/src/lib.rs:50:0");
        let found = whereabouts(&vague, ("/home/u/slab/src/lib.rs", 53, 9), &sources());
        assert_eq!(found.place.map(|place| (place.line, place.function)), Some((53, "get".to_string())));
        // A panic of the harness's own stays there.
        let own = whereabouts(&text, ("/home/u/slab/target/provoke/slab/harness/src/ops.rs", 5, 1), &sources());
        assert_eq!(own.place, None);
    }
}
