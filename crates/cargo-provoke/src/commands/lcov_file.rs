//! The file of `--lcov`: what was reached of all packages.

use std::fs;
use std::path::{Path, PathBuf};

use provoke_report::{FileCoverage, UserError, lcov};
use provoke_run::from_io;

use crate::commands::json_file::ensure_writable;

/// The file of `--lcov`: what was reached of all packages.
pub struct LcovFile {
    path: PathBuf,
    files: Vec<FileCoverage>,
}

impl LcovFile {
    pub fn open(path: &Path) -> Result<LcovFile, UserError> {
        ensure_writable(path)?;
        Ok(LcovFile { path: path.to_path_buf(), files: Vec::new() })
    }

    pub fn add(&mut self, files: Vec<FileCoverage>) {
        self.files.extend(files);
    }

    pub fn write(self) -> Result<(), UserError> {
        fs::write(&self.path, lcov(&self.files)).map_err(|error| from_io(&self.path, &error))
    }
}
