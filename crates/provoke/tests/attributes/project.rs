//! Little crates that depend on `provoke`, in a place of their own.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How crates are built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// As by everybody.
    Normal,
    /// As by Provoke.
    Provoked,
}

impl Mode {
    fn rustflags(self) -> &'static str {
        match self {
            Mode::Normal => "-Dwarnings",
            Mode::Provoked => "-Dwarnings --cfg provoke",
        }
    }
}

/// In a place that stays the same, and with a target directory that stays: so cargo need not build `syn` each time.
pub struct Project {
    root: PathBuf,
}

pub struct Output {
    pub is_success: bool,
    pub stdout: String,
    pub stderr: String,
}

impl Project {
    /// The list and its tests.
    pub fn of_list(name: &str) -> Project {
        let project = Project::create(name, "sorted-list");
        project.write("src/lib.rs", include_str!("sorted_list.rs"));
        project.write("tests/trampolines.rs", include_str!("sorted_list_tests.rs"));
        project
    }

    /// Names and sources.
    pub fn of_programs(name: &str, programs: impl Iterator<Item = (String, String)>) -> Project {
        let project = Project::create(name, "programs");
        for (name, source) in programs {
            project.write(&format!("src/bin/{name}.rs"), &source);
        }
        project
    }

    fn create(name: &str, package: &str) -> Project {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("attributes").join(name);
        if root.exists() {
            fs::remove_dir_all(&root).expect("the project of the last time goes");
        }
        let project = Project { root };
        project.write("Cargo.lock", include_str!("../../../../Cargo.lock"));
        project.write("Cargo.toml", &manifest(package));
        project
    }

    pub fn cargo(&self, mode: Mode, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO"));
        command.args(args).arg("--offline").current_dir(&self.root);
        command.env("CARGO_TARGET_DIR", target_directory(mode));
        // What the cargo that runs this test was told is not meant for the one that it starts.
        for variable in ["CARGO_BUILD_TARGET", "CARGO_ENCODED_RUSTFLAGS", "CARGO_TERM_COLOR", "RUSTC_WRAPPER"] {
            command.env_remove(variable);
        }
        let output = command.env("RUSTFLAGS", mode.rustflags()).output().expect("cargo runs");
        let text = |bytes| String::from_utf8(bytes).expect("cargo writes UTF-8");
        Output { is_success: output.status.success(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// What the compiler says of each program.
    pub fn messages(&self, mode: Mode) -> BTreeMap<String, String> {
        let output = self.cargo(mode, &["check", "--keep-going", "--message-format=json"]);
        let mut messages = BTreeMap::<String, String>::new();
        for line in output.stdout.lines() {
            let message: serde_json::Value = serde_json::from_str(line).expect("cargo writes JSON");
            if message["reason"] == "compiler-message" {
                let text = messages.entry(message["target"]["name"].as_str().expect("a name").to_owned()).or_default();
                *text += message["message"]["rendered"].as_str().expect("a text");
            }
        }
        assert!(!messages.is_empty(), "nothing was compiled: {}", output.stderr);
        messages
    }

    /// The library of the list, as the last build has left it.
    pub fn library(&self, mode: Mode) -> Vec<u8> {
        fs::read(target_directory(mode).join("debug/libsorted_list.rlib")).expect("there is a library")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().expect("a file has a parent")).expect("a directory");
        fs::write(path, text).expect("a file");
    }
}

/// One for each mode, since both leave their libraries under the same names.
fn target_directory(mode: Mode) -> PathBuf {
    let name = match mode {
        Mode::Normal => "normal-target",
        Mode::Provoked => "provoked-target",
    };
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("attributes").join(name)
}

fn manifest(name: &str) -> String {
    let provoke = env!("CARGO_MANIFEST_DIR");
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nprovoke = {{ path = {provoke:?} }}\n\n[workspace]\n"
    )
}
