//! `--write-tests`: failing and regression tests in the `tests` directory of the user's package.

use std::path::{Path, PathBuf};

use provoke_host::write_whole;
use provoke_report::{Summary, UserError};

use crate::error::from_cargo;
use crate::regression::SUITE_NAME;

pub struct WrittenTests<'a> {
    pub package_root: &'a Path,
    pub command_line: &'a str,
}

impl WrittenTests<'_> {
    /// Where they are now, and how many. A finding has a file of its own, so that it can be kept or deleted by itself.
    pub fn write(&self, summary: &Summary, suite: Option<&str>) -> Result<(PathBuf, u64), UserError> {
        let directory = self.package_root.join("tests");
        let mut n_tests = 0;
        for finding in summary.findings.iter().filter(|finding| finding.accepted.is_none()) {
            let Some(source) = &finding.test_source else {
                continue;
            };
            let origin = origin(&summary.provoke_version, summary.seed, self.command_line);
            let text = format!("{origin}\n// `cargo provoke replay {}` shows every step.\n\n{source}", finding.id);
            let path = directory.join(format!("provoke_{}.rs", finding.id));
            write_whole(&path, text.as_bytes()).map_err(from_cargo)?;
            n_tests += 1;
        }
        if let Some(source) = suite {
            write_whole(&directory.join(format!("{SUITE_NAME}.rs")), source.as_bytes()).map_err(from_cargo)?;
            n_tests += summary.tests.regression.unwrap_or(0);
        }
        Ok((directory, n_tests))
    }
}

/// The line that says where a test comes from.
pub fn origin(version: &str, seed: u64, command_line: &str) -> String {
    // A line break in an argument must not end the comment.
    let command_line: String = command_line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("// Written by cargo-provoke {version} with seed {seed}: {command_line}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_the_command_line_the_origin_is_one_comment() {
        assert_eq!(
            origin("0.1.0", 7, "cargo provoke --only 'a\nfn b'"),
            "// Written by cargo-provoke 0.1.0 with seed 7: cargo provoke --only 'a fn b'"
        );
    }
}
