//! Builds a worker again that does not start: a power cut or a full disk may have left half of it, which cargo takes for whole.

use std::fs;
use std::path::Path;

use crate::error::CargoError;
use crate::harness::HarnessDir;
use crate::harness::compile::BuildReport;

impl HarnessDir {
    /// Removes the worker and everything that cargo would make it from by copying, and builds it again.
    pub fn rebuild(&self, executable: &Path) -> Result<BuildReport, CargoError> {
        // What is not there need not be removed; what cannot be removed is not built again, and then the worker says so.
        let _ = fs::remove_file(executable);
        let stem = self.package().replace('-', "_") + "-";
        let compiled = executable.parent().map(|directory| directory.join("deps"));
        let entries = compiled.and_then(|directory| fs::read_dir(directory).ok());
        for entry in entries.into_iter().flatten().flatten() {
            if entry.file_name().to_str().is_some_and(|name| name.starts_with(&stem)) {
                let _ = fs::remove_file(entry.path());
            }
        }
        self.build(false)
    }
}
