//! How contracts come to be checked that otherwise are not: those of the crate `anodized`.
//!
//! Its macros decide while they themselves are compiled whether what they write into other crates checks anything. So the
//! wrapper of rustc sets a `cfg` for that one package, and the target and everything else are compiled as ever. Flags for all
//! of rustc would do, but replace those of the user, and not reach macros where cargo is told a `--target`.

use std::path::Path;
use std::process::Command;

use crate::harness::HarnessDir;
use crate::invocation::tool;
use crate::wrapper::{CHECK_CONTRACTS, INNER_WRAPPER, MACROS_OF_CONTRACTS};

/// What shows the failure of a test that only fails if contracts are checked, and names what was broken.
pub const CONTRACT_CHECKS_COMMAND: &str = "RUSTFLAGS=\"--cfg anodized_panic --cfg anodized_print\" cargo test";

/// A number of parts to compile the macros in that nobody else chooses: so cargo tells what they were expanded into from builds
/// without checks, in the same directory.
const CODEGEN_UNITS: u32 = 13;

impl HarnessDir {
    /// Contracts of the crate `anodized` are checked from now on, in workers and in tests. `wrapper` is an executable whose `main`
    /// starts with [`run_as_wrapper_if_asked`](crate::run_as_wrapper_if_asked).
    pub fn with_contract_checks(mut self, wrapper: &Path) -> HarnessDir {
        self.contracts_wrapper = Some(wrapper.to_path_buf());
        self
    }

    pub(crate) fn check_contracts(&self, command: &mut Command) {
        let Some(wrapper) = &self.contracts_wrapper else { return };
        let setting = format!("profile.dev.package.\"{MACROS_OF_CONTRACTS}\".codegen-units={CODEGEN_UNITS}");
        command
            .arg("--config")
            .arg(setting)
            .env("RUSTC_WRAPPER", wrapper)
            .env(CHECK_CONTRACTS, "1")
            .env(INNER_WRAPPER, tool("RUSTC_WRAPPER", ""));
    }
}
