//! The file of `--json`: a copy of the summaries where the user wants it.

use std::fs::{self, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use provoke_report::{Summary, UserError};

use provoke_run::from_io;

/// Written once, when all packages are done: the user may name a device, which cannot be written again.
#[derive(Debug)]
pub struct JsonFile {
    path: PathBuf,
    summaries: Vec<Summary>,
}

impl JsonFile {
    pub fn open(path: &Path) -> Result<JsonFile, UserError> {
        ensure_writable(path)?;
        Ok(JsonFile { path: path.to_path_buf(), summaries: Vec::new() })
    }

    pub fn add(&mut self, summary: Summary) {
        self.summaries.push(summary);
    }

    /// One package is an object, as in its `summary.json`; several are a list of these, even if only one of them was
    /// tested in the end. Without any summary a single package leaves the file as it is.
    pub fn write(self, n_packages: usize) -> Result<(), UserError> {
        let text = match (n_packages, self.summaries.as_slice()) {
            (..=1, []) => return Ok(()),
            (..=1, [summary, ..]) => summary.to_json(),
            (_, summaries) => Summary::list_to_json(summaries),
        };
        let text = text.unwrap_or_default();
        fs::write(&self.path, text).map_err(|error| from_io(&self.path, &error))
    }
}

/// Makes sure that a file can be written, with its directories: better now than after the search.
pub fn ensure_writable(path: &Path) -> Result<(), UserError> {
    let refused = |error: std::io::Error| from_io(path, &error);
    match path.parent().map(fs::create_dir_all) {
        // A file in the place of a directory: opening says so in better words.
        Some(Err(error)) if error.kind() != ErrorKind::AlreadyExists => return Err(refused(error)),
        _ => {}
    }
    OpenOptions::new().append(true).create(true).open(path).map_err(refused)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use provoke_report::{ApiSummary, ExitCode, SearchSummary, Seconds, StoppedBy, TestCounts};
    use serde_json::Value;

    fn summary(package: &str) -> Summary {
        Summary {
            version: Summary::VERSION,
            package: package.into(),
            package_version: "0.1.0".into(),
            seed: 0,
            seconds: Seconds::default(),
            api: ApiSummary::default(),
            search: SearchSummary {
                programs: 0,
                calls: 0,
                calls_per_second: 0,
                components: 0,
                worker_restarts: 0,
                replayed_calls: 0,
                strategy: "directed".into(),
                stopped_by: StoppedBy::Calls,
                suspects_left: 0,
                discovery: None,
                held_by: None,
            },
            coverage: None,
            growth: Vec::new(),
            findings: Vec::new(),
            tests: TestCounts::default(),
            provoke_version: "0.1.0".into(),
            toolchain: String::new(),
            accepts_unused: Vec::new(),
            blocked: Vec::new(),
            quarantined: Vec::new(),
            contracts: None,
        }
    }

    /// What is in the file after these packages out of so many.
    fn written(n_packages: usize, packages: &[&str]) -> Value {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("not/yet/there.json");
        let mut file = JsonFile::open(&path).unwrap();
        packages.iter().for_each(|package| file.add(summary(package)));
        file.write(n_packages).unwrap();
        serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
    }

    #[test]
    fn one_package_is_an_object_and_several_are_a_list_of_all() {
        assert_eq!(written(1, &["a"])["package"], "a");
        let packages = |list: Value| -> Vec<Value> {
            list.as_array().unwrap().iter().map(|summary| summary["package"].clone()).collect()
        };
        assert_eq!(packages(written(2, &["a", "b"])), ["a", "b"]);
        assert_eq!(packages(written(2, &["a"])), ["a"], "the second did not come to its end");
        assert_eq!(packages(written(2, &[])), [Value::Null; 0]);
    }

    #[test]
    fn a_run_without_a_summary_leaves_the_file_of_a_single_package_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("old.json");
        fs::write(&path, "old").unwrap();
        JsonFile::open(&path).unwrap().write(1).unwrap();
        assert_eq!(fs::read_to_string(path).unwrap(), "old");
    }

    #[test]
    fn a_file_that_cannot_be_written_is_refused_before_anything_is_done() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("file");
        fs::write(&file, "").unwrap();
        for path in [file.join("summary.json"), directory.path().to_path_buf()] {
            assert_eq!(JsonFile::open(&path).unwrap_err().exit, ExitCode::Usage, "{}", path.display());
        }
    }
}
