//! A crate in a temporary directory, on which the tool is let loose.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::run::Run;

pub struct CopiedCrate {
    directory: TempDir,
    /// Of the package to test, relative to the directory.
    root: PathBuf,
}

impl CopiedCrate {
    /// One of our own ports of the examples in the literature.
    pub fn subject(name: &str) -> CopiedCrate {
        CopiedCrate::copy(&repository().join("subjects").join(name), name)
    }

    /// Like [`subject`](Self::subject), but in a directory of another name.
    pub fn subject_as(name: &str, directory_name: &str) -> CopiedCrate {
        CopiedCrate::copy(&repository().join("subjects").join(name), directory_name)
    }

    /// A crate that shows one behaviour of the tool.
    pub fn behaviour(name: &str) -> CopiedCrate {
        CopiedCrate::copy(&repository().join("fixtures/behaviours").join(name), name)
    }

    /// Like [`behaviour`](Self::behaviour), but in a directory of another name.
    pub fn behaviour_as(name: &str, directory_name: &str) -> CopiedCrate {
        CopiedCrate::copy(&repository().join("fixtures/behaviours").join(name), directory_name)
    }

    /// What a chapter of the docs starts with.
    pub fn example(name: &str) -> CopiedCrate {
        CopiedCrate::copy(&repository().join("docs").join(name), name)
    }

    /// Paths and texts, for crates too small to deserve a directory of their own.
    pub fn of_files(files: &[(&str, &str)]) -> CopiedCrate {
        let copied = CopiedCrate { directory: tempfile::tempdir().unwrap(), root: PathBuf::from("crate") };
        for (name, text) in files {
            let path = copied.path(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        copied
    }

    fn copy(from: &Path, directory_name: &str) -> CopiedCrate {
        let copied = CopiedCrate { directory: tempfile::tempdir().unwrap(), root: PathBuf::from(directory_name) };
        copy_directory(from, &copied.path(""));
        copied.find_our_crates();
        copied
    }

    /// As if a user had changed a file.
    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
        self.find_our_crates();
    }

    /// The copy is elsewhere, and our own crates that it depends on are not.
    fn find_our_crates(&self) {
        let manifest = self.path("Cargo.toml");
        let text = fs::read_to_string(&manifest).unwrap();
        if text.contains("../crates/") {
            let crates = format!("{}/", repository().join("crates").display());
            let text = text.replace("../../../crates/", &crates).replace("../../crates/", &crates);
            fs::write(&manifest, text).unwrap();
        }
    }

    /// One of our own crates, at `subjects/NAME` in this directory.
    pub fn add_subject(&self, name: &str) {
        let place = Path::new("subjects").join(name);
        copy_directory(&repository().join(&place), &self.directory.path().join(&self.root).join(place));
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(&self.root).join(name)
    }

    /// The text with the path of this copy replaced by `[crate]`: the path is another one in each run.
    pub fn without_path(&self, text: &str) -> String {
        let root = self.path("");
        text.replace(root.to_str().unwrap().trim_end_matches('/'), "[crate]")
    }

    /// Runs the tool in this directory and sees to it that nothing is left running.
    pub fn provoke(&self, args: &[&str]) -> Run {
        self.provoke_with(args, &[])
    }

    /// With additional environment variables.
    pub fn provoke_with(&self, args: &[&str], variables: &[(&str, &str)]) -> Run {
        let run = Run::of(self.command(args, variables), self);
        self.assert_nothing_runs();
        run
    }

    /// With a rustdoc that writes this text, whatever it is asked for, as the API of the crate.
    pub fn provoke_with_rustdoc(&self, crate_name: &str, json: &str, args: &[&str]) -> Run {
        self.provoke_with_rustdoc_script("", &format!(r#"echo '{json}' >"$2/{crate_name}.json""#), args)
    }

    /// With a rustdoc whose JSON is changed by a script of `sed`, as if it were of another version.
    pub fn provoke_with_changed_rustdoc(&self, change: &str, args: &[&str]) -> Run {
        self.provoke_with_rustdoc_script(r#"rustdoc "$@" || exit"#, &format!(r#"sed -i '{change}' "$2"/*.json"#), args)
    }

    /// With a shell script as rustdoc: `begin`, and then `write` with the directory for the JSON as `$2`.
    fn provoke_with_rustdoc_script(&self, begin: &str, write: &str, args: &[&str]) -> Run {
        let rustdoc = self.path("rustdoc.sh");
        let script = format!(
            r#"#!/bin/sh
{begin}
while [ $# -gt 0 ]; do
    case "$1" in
    -o | --output | --out-dir) {write} ;;
    esac
    shift
done
"#
        );
        fs::write(&rustdoc, script).unwrap();
        fs::set_permissions(&rustdoc, fs::Permissions::from_mode(0o755)).unwrap();
        self.provoke_with(args, &[("RUSTDOC", rustdoc.to_str().unwrap())])
    }

    /// No file may become larger than a megabyte.
    pub fn provoke_with_small_files(&self, args: &[&str]) -> Run {
        let tool = self.command(args, &[]);
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' XFSZ; ulimit -f 2048; exec \"$@\"", "sh"]);
        command.arg(tool.get_program()).args(tool.get_args()).current_dir(self.path(""));
        quieten(&mut command);
        let run = Run::of(command, self);
        self.assert_nothing_runs();
        run
    }

    /// Presses Ctrl-C as soon as the tool has said `sign`.
    pub fn provoke_until(&self, sign: &str, args: &[&str]) -> Run {
        let mut is_pressed = false;
        let run = Run::watched(self.command(args, &[]), self, |child, stderr| {
            if !is_pressed && stderr.contains(sign) {
                let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
                is_pressed = killed.expect("`kill` runs").success();
            }
        });
        assert!(is_pressed, "it never said {sign}:\n{}", run.stderr);
        self.assert_nothing_runs();
        run
    }

    /// Kills the tool as nobody should, as soon as `is_time`, and sees to it that nothing is left running all the same.
    pub fn provoke_killed_when(&self, args: &[&str], is_time: impl Fn() -> bool) {
        let mut is_killed = false;
        let run = Run::watched(self.command(args, &[]), self, |child, _| {
            if !is_killed && is_time() {
                let killed = Command::new("kill").args(["-KILL", &child.id().to_string()]).status();
                is_killed = killed.expect("`kill` runs").success();
            }
        });
        assert!(is_killed && run.code.is_none(), "it ended before it was time: {}", run.stderr);
        self.assert_nothing_runs();
    }

    fn command(&self, args: &[&str], variables: &[(&str, &str)]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-provoke"));
        command.arg("provoke").args(args).current_dir(self.path(""));
        quieten(&mut command);
        // All tests share what is compiled of the runtime, and leave the cache of whoever runs them alone.
        command.env("PROVOKE_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
        command.envs(variables.iter().copied());
        command
    }

    /// Runs cargo itself in this directory.
    pub fn cargo(&self, args: &[&str]) -> Run {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(args).current_dir(self.path(""));
        quieten(&mut command);
        Run::of(command, self)
    }

    /// Names of files in `tests`; none where rustfmt is not installed.
    pub fn tests_that_rustfmt_would_change(&self) -> Vec<String> {
        let files = fs::read_dir(self.path("tests")).unwrap().flatten();
        let mut names: Vec<String> = files.map(|file| file.file_name().into_string().unwrap()).collect();
        names.sort();
        names.retain(|name| {
            let mut command = Command::new("rustfmt");
            command.args(["--check", "--edition", "2024", name]).current_dir(self.path("tests"));
            let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
            status.is_ok_and(|status| !status.success())
        });
        names
    }

    /// Every file but those under `target`, with its bytes.
    pub fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut directories = vec![self.path("")];
        while let Some(directory) = directories.pop() {
            for entry in fs::read_dir(directory).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() && path != self.path("target") {
                    directories.push(path);
                } else if path.is_file() {
                    let bytes = fs::read(&path).unwrap();
                    files.insert(path, bytes);
                }
            }
        }
        files
    }

    /// Neither a worker nor anything that one has started survives the tool.
    fn assert_nothing_runs(&self) {
        // Who was killed needs a moment to be gone.
        let deadline = Instant::now() + Duration::from_secs(10);
        while Instant::now() < deadline {
            if self.processes().is_empty() {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("still running: {:?}", self.processes());
    }

    /// Processes whose program or working directory is in this directory.
    fn processes(&self) -> Vec<String> {
        let root = fs::canonicalize(self.directory.path()).unwrap();
        let mut processes = Vec::new();
        for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let links = ["exe", "cwd"].map(|link| fs::read_link(entry.path().join(link)));
            if links.into_iter().flatten().any(|path| path.starts_with(&root)) {
                let command_line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
                processes.push(String::from_utf8_lossy(&command_line).replace('\0', " "));
            }
        }
        processes
    }
}

/// What the user's own shell or the cargo that runs the tests says must not decide what is seen here.
fn quieten(command: &mut Command) {
    for variable in [
        "CARGO_BUILD_TARGET_DIR",
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_TARGET_DIR",
        "CARGO_TERM_COLOR",
        "CLICOLOR_FORCE",
        "RUSTC_WRAPPER",
        "RUSTDOC",
        "RUSTFLAGS",
        "RUST_BACKTRACE",
    ] {
        command.env_remove(variable);
    }
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_path_buf()
}

fn copy_directory(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap_or_else(|error| panic!("{}: {error}", from.display())) {
        let entry = entry.unwrap();
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if !source.is_dir() {
            fs::copy(source, target).unwrap();
        } else if entry.file_name() != "target" {
            copy_directory(&source, &target);
        }
    }
}
