//! Nothing that a crate does harms its user or the run: `subjects/hostile` tries everything.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use expect_test::{Expect, expect};

use crate::copied_crate::CopiedCrate;
use crate::run::{Run, text};

/// What the functions attack.
struct Canary {
    directory: tempfile::TempDir,
    listener: TcpListener,
}

/// Of a file or directory.
#[derive(Debug, PartialEq)]
struct State {
    bytes: Option<Vec<u8>>,
    permissions: fs::Permissions,
    modified: SystemTime,
    n_links: u64,
}

impl Canary {
    fn new() -> Canary {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("home")).unwrap();
        for file in ["precious", "home/also"] {
            fs::write(directory.path().join(file), "untouched").unwrap();
        }
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        listener.set_nonblocking(true).unwrap();
        Canary { directory, listener }
    }

    /// Everything about it that anybody could change.
    fn state(&self) -> BTreeMap<PathBuf, State> {
        let mut state = BTreeMap::new();
        let mut paths = vec![self.directory.path().to_path_buf()];
        while let Some(path) = paths.pop() {
            let metadata = path.symlink_metadata().unwrap();
            if metadata.is_dir() {
                paths.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            }
            let entry = State {
                bytes: metadata.is_file().then(|| fs::read(&path).unwrap()),
                permissions: metadata.permissions(),
                modified: metadata.modified().unwrap(),
                n_links: std::os::unix::fs::MetadataExt::nlink(&metadata),
            };
            state.insert(path, entry);
        }
        state
    }

    fn run(&self, copied: &CopiedCrate, args: &[&str]) -> Run {
        let port = self.listener.local_addr().unwrap().port().to_string();
        let before = self.state();
        let run = copied.provoke_with(
            args,
            &[
                ("HOSTILE_CANARY", self.directory.path().to_str().unwrap()),
                ("HOSTILE_PORT", &port),
                ("HOSTILE_SECRET", "s3cr3t"),
            ],
        );
        assert_eq!(self.state(), before);
        assert_eq!(self.listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock, "somebody has phoned home");
        assert_eq!(sleepers(), Vec::<PathBuf>::new());
        run
    }
}

/// What `hostile::processes` would start, in a session of its own perhaps.
fn sleepers() -> Vec<PathBuf> {
    let is_sleeper =
        |process: &Path| fs::read(process.join("cmdline")).is_ok_and(|line| line == b"/bin/sleep\x001000\0");
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    processes.filter(|process| is_sleeper(process)).collect()
}

#[track_caller]
fn assert_verdicts(run: &Run, expected: Expect) {
    let summary = run.summary();
    let list = |name: &str| summary[name].as_array().unwrap().clone();
    let mut lines: Vec<String> = Vec::new();
    for finding in run.findings() {
        assert_eq!(finding["flaky"], false, "{finding:#}");
        lines.push(format!("{} {}", text(&finding["function"]), text(&finding["oracle"])));
    }
    for blocked in list("blocked") {
        lines.push(format!("{} blocked: {}", text(&blocked["function"]), text(&blocked["what"])));
    }
    for quarantined in list("quarantined") {
        lines.push(format!("{} quarantined: {}", text(&quarantined["function"]), text(&quarantined["why"])));
    }
    let is_named =
        |function: &str, lines: &[String]| lines.iter().any(|line| line.starts_with(&format!("{function} ")));
    for covered in summary["api"]["covered_functions"].as_array().unwrap() {
        if !is_named(text(covered), &lines) {
            lines.push(format!("{} returns", text(covered)));
        }
    }
    for uncovered in summary["api"]["uncovered"].as_array().unwrap() {
        if !is_named(text(&uncovered["function"]), &lines) {
            lines.push(format!("{} never returns", text(&uncovered["function"])));
        }
    }
    lines.sort();
    expected.assert_eq(&(lines.join("\n") + "\n"));
    assert_eq!(summary["tests"]["rejected"], 0, "{}", run.stderr);
}

#[test]
fn nothing_outside_is_touched_and_every_function_gets_its_verdict() {
    let copied = CopiedCrate::subject("hostile");
    let canary = Canary::new();
    let args = ["--sandbox", "strict", "--calls", "400", "--without", "regression", "--omit", "time::*"];
    let run = canary.run(&copied, &args).exits_with(100);
    assert_verdicts(
        &run,
        expect![[r#"
            hostile::files::appends_to_a_file blocked: writing files outside its directory
            hostile::files::changes_permissions blocked: changing permissions or times of files
            hostile::files::deletes_a_file blocked: deleting files
            hostile::files::deletes_a_tree blocked: reading files
            hostile::files::deletes_its_own_directory blocked: deleting files
            hostile::files::deletes_its_own_program blocked: deleting files
            hostile::files::fills_the_disk blocked: writing very large files
            hostile::files::links_a_file blocked: moving or linking files
            hostile::files::lists_a_directory blocked: reading files
            hostile::files::makes_a_directory blocked: writing files outside its directory
            hostile::files::makes_a_symlink blocked: writing files outside its directory
            hostile::files::overwrites_a_file blocked: writing files outside its directory
            hostile::files::reads_a_file blocked: reading files
            hostile::files::reads_system_files blocked: reading files
            hostile::files::renames_a_file blocked: moving or linking files
            hostile::files::truncates_a_file blocked: writing files outside its directory
            hostile::files::uses_its_own_directory returns
            hostile::files::writes_to_its_own_memory blocked: writing files outside its directory
            hostile::memory::aborts crash
            hostile::memory::aborts_on_a_thread crash
            hostile::memory::exhausts_the_memory never returns
            hostile::memory::exhausts_the_memory_by_mapping_it never returns
            hostile::memory::exits quarantined: ends the process
            hostile::memory::overflows_the_stack stack-overflow
            hostile::memory::protects_memory_from_itself crash
            hostile::memory::starts_threads_without_end never returns
            hostile::memory::writes_to_nowhere crash
            hostile::network::asks_for_an_address returns
            hostile::network::connects blocked: using the network
            hostile::network::listens blocked: using the network
            hostile::network::sends_a_datagram blocked: using the network
            hostile::network::talks_to_a_local_service blocked: using the network
            hostile::network::talks_to_itself returns
            hostile::processes::becomes_another_program blocked: starting programs
            hostile::processes::daemonizes blocked: starting programs
            hostile::processes::forks blocked: starting programs
            hostile::processes::forks_with_signals_blocked blocked: starting programs
            hostile::processes::handles_the_signal_of_the_sandbox blocked: changing how its process is run
            hostile::processes::kills_its_parent blocked: sending signals to other processes
            hostile::processes::leaves_its_session blocked: changing how its process is run
            hostile::processes::signals_everybody blocked: sending signals to other processes
            hostile::processes::signals_its_parent_through_a_pipe blocked: sending signals to other processes
            hostile::processes::starts_a_program blocked: starting programs
            hostile::processes::traces_its_parent blocked: looking into other processes
            hostile::survivors::changes_its_directory returns
            hostile::survivors::changes_its_environment returns
            hostile::survivors::changes_its_file_mode returns
            hostile::survivors::closes_all_descriptors returns
            hostile::survivors::floods_the_output returns
            hostile::survivors::handles_segmentation_faults returns
            hostile::survivors::leaves_a_busy_thread returns
            hostile::survivors::leaves_a_time_bomb returns
            hostile::survivors::looks_at_its_surroundings returns
            hostile::survivors::looks_for_secrets returns
            hostile::survivors::panics_on_a_thread returns
            hostile::survivors::replaces_the_panic_hook returns
            hostile::survivors::unmaps_what_it_mapped returns
            hostile::survivors::writes_to_all_descriptors returns
            hostile::system::changes_its_user blocked: changing how its process is run
            hostile::system::leaves_its_namespace blocked: changing how its process is run
            hostile::system::lowers_its_limits blocked: changing how its process is run
            hostile::system::makes_shared_memory blocked: sharing memory with other processes
            hostile::system::renames_the_machine blocked: changing the system
            hostile::system::sets_an_alarm blocked: setting timers that interrupt it later
        "#]],
    );
    assert!(!run.stderr.contains("s3cr3t"));
}

#[test]
fn who_stops_itself_does_not_return() {
    let copied = CopiedCrate::subject("hostile");
    let args = ["--calls", "8", "--without", "regression", "--only", "stops_itself"];
    let run = Canary::new().run(&copied, &args).exits_with(100);
    assert_verdicts(
        &run,
        expect![[r#"
            hostile::time::stops_itself endless-loop
        "#]],
    );
}
