//! What Rust's test runner prints, read back.

use std::collections::BTreeMap;

#[derive(Debug, Default, PartialEq, Eq)]
pub struct TestOutput {
    pub failed: Vec<String>,
    /// By test: the line of the assertion of the test itself that failed.
    pub failed_assertions: BTreeMap<String, usize>,
    /// The test that was running when everything ended.
    pub unfinished: Option<String>,
}

impl TestOutput {
    /// `file`: the name of the test's source file, without its ending.
    pub fn read(output: &str, file: &str) -> TestOutput {
        let mut read = TestOutput::default();
        let mut lines = output.lines().peekable();
        while let Some(line) = lines.next() {
            if let Some((name, end)) = line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... ")) {
                let name = name.strip_suffix(" - should panic").unwrap_or(name).to_string();
                read.unfinished = None;
                match end.trim() {
                    "ok" | "ignored" => {}
                    "FAILED" => read.failed.push(name),
                    // It may have written something itself before its verdict came.
                    end if end.ends_with("ok") => {}
                    end if end.ends_with("FAILED") => read.failed.push(name),
                    _ => read.unfinished = Some(name),
                }
            } else if let Some((name, line)) = panic_place(line, file)
                && lines.peek().is_some_and(|message| message.starts_with("assertion "))
            {
                read.failed_assertions.entry(name).or_insert(line);
            }
        }
        read
    }
}

/// `thread 'name' (17) panicked at tests/file.rs:12:5:`
fn panic_place(line: &str, file: &str) -> Option<(String, usize)> {
    let (name, rest) = line.strip_prefix("thread '")?.split_once('\'')?;
    let (_, place) = rest.split_once("panicked at ")?;
    let (_, place) = place.split_once(&format!("{file}.rs:"))?;
    let line = place.split(':').next()?.parse().ok()?;
    Some((name.to_string(), line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_told_with_the_line_of_their_assertion() {
        let output = "\n\
            running 4 tests\n\
            test a_returns ... ok\n\
            test b_returns_some ... FAILED\n\
            test c_panics - should panic ... FAILED\n\
            test d_panics - should panic ... ok\n\
            test e_returns ... FAILED\n\
            \n\
            failures:\n\
            \n\
            ---- b_returns_some stdout ----\n\
            thread 'b_returns_some' (812) panicked at verify/tests/suite.rs:12:5:\n\
            assertion `left == right` failed\n  left: 1\n right: 2\n\
            ---- c_panics stdout ----\n\
            note: test did not panic as expected at verify/tests/suite.rs:19:4\n\
            ---- e_returns stdout ----\n\
            thread 'e_returns' panicked at src/lib.rs:3:5:\n\
            assertion failed: x\n";
        let read = TestOutput::read(output, "suite");
        assert_eq!(read.failed, ["b_returns_some", "c_panics", "e_returns"]);
        assert_eq!(read.failed_assertions, BTreeMap::from([("b_returns_some".to_string(), 12)]));
        assert_eq!(read.unfinished, None);
    }

    #[test]
    fn the_test_that_never_ended_is_named() {
        let output = "running 3 tests\ntest a ... ok\ntest b - should panic ... memory allocation failed\n";
        assert_eq!(TestOutput::read(output, "suite").unfinished.as_deref(), Some("b"));
    }
}
