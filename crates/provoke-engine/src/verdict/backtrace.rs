//! The way to a panic, shortened to the frames of the target.

use crate::verdict::place::{Frame, PlaceOrigin, Sources, frames_of_panic};

/// A part of the way to a panic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BacktracePart {
    /// One frame of the target.
    Target {
        /// The symbol as the compiler names it.
        function: String,
        /// Relative to the package root.
        file: String,
        line: u32,
        column: u32,
    },
    /// Frames of std, or of a dependency, between the target and the panic or within the target.
    Folded { n: usize, owner: PlaceOrigin },
}

/// From the panic outwards, up to the harness: its own frames, and what std puts between it and the target, are left out.
/// Empty if the target has no frame in it.
pub fn backtrace_parts(backtrace: &str, sources: &Sources) -> Vec<BacktracePart> {
    let mut parts = Vec::new();
    let mut folded: Vec<BacktracePart> = Vec::new();
    for frame in frames_of_panic(backtrace) {
        let origin = match frame.at {
            Some((file, _, _)) => sources.origin_of(file),
            // Only what was compiled without line numbers has none, and that is std.
            None => PlaceOrigin::Std,
        };
        match (origin, target_frame(&frame, sources)) {
            (PlaceOrigin::Harness, _) => break,
            (PlaceOrigin::Target, Some(part)) => {
                parts.append(&mut folded);
                parts.push(part);
            }
            (owner, _) => match folded.last_mut() {
                Some(BacktracePart::Folded { n, owner: last }) if *last == owner => *n += 1,
                _ => folded.push(BacktracePart::Folded { n: 1, owner }),
            },
        }
    }
    parts
}

fn target_frame(frame: &Frame<'_>, sources: &Sources) -> Option<BacktracePart> {
    let (file, line, column) = frame.at?;
    let file = sources.relative_to_package(file)?;
    Some(BacktracePart::Target { function: without_hash(frame.symbol).to_string(), file, line, column })
}

/// The old way of mangling puts a hash behind each symbol.
fn without_hash(symbol: &str) -> &str {
    match symbol.rsplit_once("::h") {
        Some((path, hash)) if hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()) => path,
        _ => symbol,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_the_target_are_kept_and_others_between_them_folded() {
        let sources = Sources {
            package_root: "/home/u/slab".into(),
            excluded: Vec::new(),
            harness_root: "/home/u/slab/target/harness".into(),
            worker_dir: "/home/u/slab/target/scratch".into(),
        };
        let backtrace = "\
   0: std::panicking::panic_with_hook
             at /rustc/abc/library/std/src/panicking.rs:800:13
   1: rust_begin_unwind
             at /rustc/abc/library/std/src/panicking.rs:690:5
   2: core::panicking::panic_fmt
             at /rustc/abc/library/core/src/panicking.rs:80:14
   3: core::option::unwrap_failed
             at /rustc/abc/library/core/src/option.rs:2000:5
   4: slab::grow::h0123456789abcdef
             at /home/u/slab/src/lib.rs:12:5
   5: <core::slice::Iter<u8> as Iterator>::for_each
             at /rustc/abc/library/core/src/slice/iter.rs:1:1
   6: either::Either::map
             at /home/u/.cargo/registry/src/either-1.0.0/src/lib.rs:5:5
   7: slab::Slab<u8>::insert
             at /home/u/slab/src/lib.rs:30:9
   8: core::ops::function::FnOnce::call_once
             at /rustc/abc/library/core/src/ops/function.rs:250:5
   9: harness::main
             at src/main.rs:3:1
  10: slab::never
             at /home/u/slab/src/lib.rs:99:9
";
        let target = |function: &str, line, column| BacktracePart::Target {
            function: function.into(),
            file: "src/lib.rs".into(),
            line,
            column,
        };
        let folded = |n, owner| BacktracePart::Folded { n, owner };
        assert_eq!(
            backtrace_parts(backtrace, &sources),
            [
                folded(2, PlaceOrigin::Std),
                target("slab::grow", 12, 5),
                folded(1, PlaceOrigin::Std),
                folded(1, PlaceOrigin::Dependency),
                target("slab::Slab<u8>::insert", 30, 9),
            ]
        );
        assert_eq!(backtrace_parts("", &sources), []);
    }
}
