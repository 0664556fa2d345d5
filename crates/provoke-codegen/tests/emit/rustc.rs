//! Every emitted test compiles without a warning, in every edition.

use std::process::Command;

use provoke_codegen::Style;

use crate::suite::emitted_suite;
use crate::{emitted, programs, vocabulary};

#[test]
#[allow(
    clippy::disallowed_methods,
    reason = "only the tool is bound to one home for processes; this test asks cargo itself"
)]
fn emitted_tests_compile_without_warnings_in_all_editions() {
    let editions = ["2018", "2021", "2024"];
    let ops = vocabulary::ops();
    let workspace = tempfile::tempdir().expect("a temporary directory");
    let write = |path: String, text: &str| {
        let path = workspace.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a file has a parent")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    };
    let members: Vec<String> = editions.iter().map(|e| format!("\"e{e}\"")).collect();
    let manifest = format!("[workspace]\nresolver = \"2\"\nmembers = [{}]\n", members.join(", "));
    write("Cargo.toml".into(), &manifest);
    for edition in editions {
        let manifest = format!("[package]\nname = \"e{edition}\"\nversion = \"0.1.0\"\nedition = \"{edition}\"\n");
        write(format!("e{edition}/Cargo.toml"), &manifest);
        let mut modules = String::new();
        let mut add = |module: String, source: &str| {
            modules.push_str(&format!("#[cfg(test)]\nmod {module};\n"));
            write(format!("e{edition}/src/{module}.rs"), source);
        };
        for (style, prefix) in [(Style::Pretty, "pretty"), (Style::Explicit, "explicit")] {
            for sample in programs::all() {
                add(format!("{prefix}_{}", sample.name), &emitted(&sample, &ops, style));
            }
            add(format!("{prefix}_suite"), &emitted_suite(&ops, style));
        }
        write(format!("e{edition}/src/lib.rs"), &modules);
    }
    let output = Command::new(env!("CARGO"))
        .args(["test", "--no-run", "--offline", "--quiet"])
        .current_dir(workspace.path())
        .env("CARGO_TARGET_DIR", workspace.path().join("target"))
        .env("RUSTFLAGS", "-Dwarnings")
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
