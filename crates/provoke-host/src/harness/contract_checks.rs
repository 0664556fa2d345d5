//! How contracts come to be checked that otherwise are not: those of the crates `anodized` and `provoke`.
//!
//! Their macros decide while they themselves are compiled whether what they write into other crates checks anything. So the
//! wrapper of rustc sets a `cfg` for those packages (and the one of `provoke` for the target and its tests, too), and everything
//! else is compiled as ever. Flags for all of rustc would do, but replace those of the user, and not reach macros where cargo
//! is told a `--target`.
//!
//! Decision: `docs/decisions/072-anodized-is-switched-on-by-the-wrapper.md`

use std::path::Path;
use std::process::Command;

use crate::cargo::invocation::tool;
use crate::cargo::target::MACROS_OF_CONTRACTS;
use crate::harness::HarnessDir;
use crate::harness::manifest::verify_package;
use crate::harness::wrapper::{CHECK_CONTRACTS, INNER_WRAPPER, MACROS_OF_SPECIFICATIONS};

/// What shows the failure of a test that only fails if contracts are checked, and names what was broken.
pub const CONTRACT_CHECKS_COMMAND: &str = "RUSTFLAGS=\"--cfg anodized_panic --cfg anodized_print\" cargo test";

/// What compiles specifications, and the tests that ask them.
pub const SPECIFICATIONS_COMMAND: &str = "RUSTFLAGS=\"--cfg provoke\" cargo test";

/// A number of parts to compile the macros in that nobody else chooses: so cargo tells what they were expanded into from builds
/// without checks, in the same directory.
const CODEGEN_UNITS: u32 = 13;

impl HarnessDir {
    /// Contracts of the crates `anodized` and `provoke` are checked from now on, in workers and in tests. `wrapper` is an executable whose `main`
    /// starts with [`run_as_wrapper_if_asked`](crate::run_as_wrapper_if_asked).
    pub fn with_contract_checks(mut self, wrapper: &Path) -> HarnessDir {
        self.contracts_wrapper = Some(wrapper.to_path_buf());
        self
    }

    pub(crate) fn check_contracts(&self, command: &mut Command) {
        let Some(wrapper) = &self.contracts_wrapper else { return };
        let mut packages = Vec::new();
        if self.target.uses_anodized {
            packages.push(MACROS_OF_CONTRACTS);
        }
        let mut specified = Vec::new();
        if self.target.uses_provoke {
            packages.extend(MACROS_OF_SPECIFICATIONS);
            specified.push(format!("{}@{}", self.target.package_name, self.target.version));
            specified.push(format!("{}@0.0.0", verify_package(&self.target)));
        }
        for package in packages {
            command.arg("--config").arg(format!("profile.dev.package.\"{package}\".codegen-units={CODEGEN_UNITS}"));
        }
        command
            .env("RUSTC_WRAPPER", wrapper)
            .env(CHECK_CONTRACTS, specified.join(" "))
            .env(INNER_WRAPPER, tool("RUSTC_WRAPPER", ""));
    }
}
