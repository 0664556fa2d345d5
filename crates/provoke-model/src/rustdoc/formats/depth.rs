//! How deep the JSON is nested, and the stack that reading it takes.
//!
//! serde_json stops at 128 levels. A type takes about seven levels per argument list, so numbers as types
//! (`UInt<UInt<..>>`) go beyond that in real crates. The nesting is measured first, and what is deep but not absurd is
//! read on a thread with a stack to match.

use crate::rustdoc::error::ReadError;

/// What any thread's stack bears.
const SHALLOW: usize = 120;
const LIMIT: usize = 4000;
/// Generous: an unoptimised build takes below 10 KiB a level. Memory that is not touched costs nothing.
const STACK_PER_LEVEL: usize = 32 * 1024;

pub(super) fn with_enough_stack<T: Send>(
    json: &str,
    read: impl FnOnce() -> Result<T, ReadError> + Send,
) -> Result<T, ReadError> {
    let depth = nesting(json);
    if depth > LIMIT {
        return Err(ReadError::TooDeep { depth, limit: LIMIT });
    }
    if depth <= SHALLOW {
        return read();
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(depth * STACK_PER_LEVEL).spawn_scoped(scope, read)?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// The deepest nesting of brackets and braces. The text is known to be JSON.
fn nesting(json: &str) -> usize {
    let mut depth = 0usize;
    let mut deepest = 0;
    let mut bytes = json.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => skip_string(&mut bytes),
            _ => {}
        }
    }
    deepest
}

fn skip_string(bytes: &mut std::str::Bytes<'_>) {
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => return,
            b'\\' => {
                bytes.next();
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_inside_strings_do_not_nest() {
        assert_eq!(nesting(r#"{"a": ["]]][[[", "\"[[["], "b": 1}"#), 2);
        assert_eq!(nesting("[[], [[[]]], []]"), 4);
        assert_eq!(nesting("1"), 0);
    }

    #[test]
    fn absurd_nesting_is_refused_before_anything_recurses() {
        let json = "[".repeat(LIMIT + 1) + &"]".repeat(LIMIT + 1);
        let read = with_enough_stack(&json, || Ok(()));
        assert!(matches!(read, Err(ReadError::TooDeep { .. })));
    }
}
