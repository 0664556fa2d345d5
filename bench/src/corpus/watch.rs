//! Runs the tool and watches what it finds, to stop it as soon as there is nothing left to look for.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::corpus::bug::Bug;
use crate::corpus::matching::{Finding, first_that_shows};
use crate::corpus::record::{End, Record};
use crate::support::provoke::last_line;

/// What building, minimising and verifying may take on top of the search.
const ALLOWANCE: Duration = Duration::from_secs(5 * 60);
/// After being asked to stop, the tool still verifies what it has.
const GRACE: Duration = Duration::from_secs(60);
const TICK: Duration = Duration::from_millis(100);

/// The exit code after an interrupt without findings to deny.
const INTERRUPTED: i32 = 130;

/// The files through which a run is watched.
pub struct Files {
    /// Where the tool puts each finding as soon as it is confirmed, one JSON object a line.
    pub confirmed: PathBuf,
    pub log: PathBuf,
}

/// When a run is given up.
#[derive(Clone, Copy)]
pub struct Patience {
    pub limit: Duration,
    pub grace: Duration,
}

impl Patience {
    pub fn for_search(time: &str) -> Patience {
        let seconds = time.trim_end_matches('s').parse().unwrap_or(0.0);
        let search = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        Patience { limit: search.saturating_add(ALLOWANCE), grace: GRACE }
    }
}

/// Runs a command of the tool until it ends or all bugs are found. An error if somebody else interrupted it, which is
/// meant for the whole corpus run.
pub fn run(command: Command, time: &str, files: &Files, bugs: &[Bug], patience: Patience) -> Result<Record, String> {
    // What an earlier run found must not be taken for this one's.
    let _ = fs::remove_file(&files.confirmed);
    let started = Instant::now();
    let mut child = start(command, &files.log)?;
    let (status, stopped) = watch(&mut child, started, files, bugs, patience)?;
    let end = match (stopped, status.code()) {
        (Some(end), _) => end,
        (None, Some(0 | 100)) => End::Complete,
        (None, Some(INTERRUPTED)) => return Err("interrupted; what is done so far is kept".to_owned()),
        (None, code) => {
            let code = code.map_or("killed".to_owned(), |code| code.to_string());
            let log = fs::read(&files.log).unwrap_or_default();
            End::Failed(format!("{code}: {}", last_line(&String::from_utf8_lossy(&log))))
        }
    };
    let findings = confirmed(&files.confirmed);
    Ok(Record { time: time.to_owned(), end, findings, wall_seconds: started.elapsed().as_secs_f64() })
}

fn start(mut command: Command, log: &Path) -> Result<Child, String> {
    let unwritable = |error| format!("cannot write {}: {error}", log.display());
    let log = File::create(log).map_err(unwritable)?;
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
    command.spawn().map_err(|error| format!("cannot run {command:?}: {error}"))
}

/// How it ended, and why it was stopped if it was.
fn watch(
    child: &mut Child,
    started: Instant,
    files: &Files,
    bugs: &[Bug],
    patience: Patience,
) -> Result<(ExitStatus, Option<End>), String> {
    let mut stopped: Option<(End, Instant)> = None;
    loop {
        if let Some(status) = child.try_wait().map_err(|error| format!("cannot wait for the tool: {error}"))? {
            return Ok((status, stopped.map(|(end, _)| end)));
        }
        match &stopped {
            Some((_, since)) if since.elapsed() >= patience.grace => {
                // If it ended in between, there is nothing to kill.
                let _ = child.kill();
            }
            Some(_) => {}
            None => {
                let findings = confirmed(&files.confirmed);
                let is_over = started.elapsed() >= patience.limit;
                if bugs.iter().all(|bug| first_that_shows(&findings, bug).is_some()) {
                    stopped = Some((End::Matched, Instant::now()));
                    interrupt(child)?;
                } else if is_over {
                    stopped = Some((End::Overdue, Instant::now()));
                    interrupt(child)?;
                }
            }
        }
        sleep(TICK);
    }
}

/// As Ctrl-C does it: the tool ends in an orderly way.
fn interrupt(child: &Child) -> Result<(), String> {
    let mut kill = Command::new("kill");
    kill.args(["-INT", &child.id().to_string()]).stderr(Stdio::null());
    // A tool that has ended by itself in between cannot be told, and need not be.
    kill.status().map(|_| ()).map_err(|error| format!("cannot run {kill:?}: {error}"))
}

/// The findings so far; a line that is not complete yet comes the next time.
fn confirmed(path: &Path) -> Vec<Finding> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::bug;

    const LINE: &str = r#"{"id": "1", "tier": "error", "oracle": "unreachable", "function": "a::f", "message": "", "location": null, "calls": 1, "found_after_seconds": 0.5, "flaky": false}"#;

    /// Watches a shell script that writes its findings to `$FOUND`, looking for one bug of `a::f`.
    fn watched(script: &str, limit: Duration) -> Result<Record, String> {
        let directory = tempfile::tempdir().expect("a directory");
        let files = Files { confirmed: directory.path().join("found"), log: directory.path().join("log") };
        fs::write(&files.confirmed, LINE).expect("writable");
        let mut command = Command::new("sh");
        command.args(["-c", script]).env("FOUND", &files.confirmed).env("LINE", LINE);
        let bug = r#"bug = [{ crate = "a", version = "1.0.0", function = ["a::f"], expect = "panic" }]"#;
        let bugs = bug::parse(bug).expect("valid");
        run(command, "60s", &files, &bugs, Patience { limit, grace: Duration::ZERO })
    }

    const LONG: Duration = Duration::from_secs(1000);

    #[test]
    fn a_run_is_stopped_when_all_is_found() {
        let record = watched("echo $LINE > $FOUND; exec sleep 1000", LONG).expect("not interrupted");
        assert_eq!((record.end, record.findings.len()), (End::Matched, 1));
    }

    #[test]
    fn a_run_that_takes_too_long_is_ended() {
        let record = watched("trap '' INT; exec sleep 1000", Duration::ZERO).expect("not interrupted");
        assert_eq!((record.end, record.findings.len()), (End::Overdue, 0));
    }

    #[test]
    fn a_run_that_ends_by_itself_says_how() {
        let end = |script| watched(script, LONG).map(|record| record.end);
        assert_eq!(end("exit 0"), Ok(End::Complete));
        assert_eq!(end("exit 100"), Ok(End::Complete));
        let failed = "101: error: `a` does not build";
        assert_eq!(end("echo 'error: `a` does not build' >&2; exit 101"), Ok(End::Failed(failed.to_owned())));
        assert!(end("exit 130").is_err());
    }

    #[test]
    fn a_search_is_given_five_minutes_more_than_it_asked_for() {
        assert_eq!(Patience::for_search("60s").limit, Duration::from_secs(360));
        assert_eq!(Patience::for_search("0.5s").limit, Duration::from_millis(300_500));
    }
}
