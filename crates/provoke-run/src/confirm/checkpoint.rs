//! What a run leaves on disk while it goes on, so that `--resume` can go on after whatever ended it.
//!
//! Under `state/`: `run.json` says which run it is, `search.bin` is the search and the confirmer at the last border at which they
//! were saved, and `verified.jsonl` has a line for each finding whose test was verified, at once. The first two are replaced
//! whole; a line that broke off is left out.
//!
//! Decision: `docs/decisions/062-findings-are-on-disk-first.md`

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use provoke_engine::checksum;
use provoke_host::{CargoError, write_durably};
use provoke_report::{Event, ReportedFinding, UserError};
use serde::{Deserialize, Serialize};

use crate::confirm::confirmed::Confirmed;
use crate::confirm::confirmer::ConfirmerState;
use crate::error::from_cargo;
use crate::events::Events;

/// How files of this kind start; the number is that of their layout.
const MAGIC: &[u8] = b"provoke search 1\n";

/// Which run it is: only the same one can go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    pub provoke_version: String,
    /// Of the API, the worker and the options.
    pub fingerprint: String,
    pub command_line: String,
}

impl Identity {
    fn is_same_run(&self, other: &Identity) -> bool {
        self.provoke_version == other.provoke_version && self.fingerprint == other.fingerprint
    }
}

/// A finding with its verified test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VerifiedFinding {
    pub confirmed: Confirmed,
    pub reported: ReportedFinding,
    /// The text of the test, which is no part of a summary.
    source: Option<String>,
}

impl VerifiedFinding {
    pub fn new(confirmed: Confirmed, reported: ReportedFinding) -> VerifiedFinding {
        VerifiedFinding { confirmed, source: reported.test_source.clone(), reported }
    }

    fn from_line(line: &[u8]) -> Option<VerifiedFinding> {
        let mut verified: VerifiedFinding = serde_json::from_slice(line).ok()?;
        verified.reported.test_source.clone_from(&verified.source);
        Some(verified)
    }
}

/// The search and the confirmer at a border.
pub struct Checkpoint {
    pub confirmer: ConfirmerState,
    /// As the engine encodes it.
    pub search: Vec<u8>,
}

/// What an earlier part of the run left.
#[derive(Default)]
pub struct Earlier {
    pub checkpoint: Option<Checkpoint>,
    pub verified: Vec<VerifiedFinding>,
}

pub struct SavedRun {
    directory: PathBuf,
}

impl SavedRun {
    pub fn new(results_directory: &Path) -> SavedRun {
        SavedRun { directory: results_directory.join("state") }
    }

    fn identity_file(&self) -> PathBuf {
        self.directory.join("run.json")
    }

    fn search_file(&self) -> PathBuf {
        self.directory.join("search.bin")
    }

    fn journal_file(&self) -> PathBuf {
        self.directory.join("verified.jsonl")
    }

    /// A new run: nothing of an earlier one is left.
    pub fn begin(&self, identity: &Identity) -> Result<(), UserError> {
        // What cannot be removed cannot be replaced either, and that is reported.
        let _ = fs::remove_dir_all(&self.directory);
        let text = serde_json::to_string_pretty(identity).unwrap_or_default();
        write_durably(&self.identity_file(), text.as_bytes()).map_err(from_cargo)
    }

    /// What an earlier part of this run left; `None` if there was no run.
    pub fn resume(&self, identity: &Identity, events: &Events) -> Result<Option<Earlier>, UserError> {
        let Ok(text) = fs::read_to_string(self.identity_file()) else {
            return Ok(None);
        };
        let Ok(saved) = serde_json::from_str::<Identity>(&text) else {
            return Ok(None);
        };
        if !saved.is_same_run(identity) {
            return Err(UserError::usage(
                "the saved run cannot go on: the crate, the options or Provoke itself have changed since",
                format!(
                    "it was started with `{}`; give the same options, or leave out --resume to start anew",
                    saved.command_line
                ),
            ));
        }
        let checkpoint = match read_checkpoint(&self.search_file()) {
            Ok(checkpoint) => checkpoint,
            Err(reason) => {
                events.emit(Event::Warning {
                    message: format!("the saved search is of no use: {reason}"),
                    hint: Some("the search starts from the beginning; what was found is kept".to_string()),
                });
                None
            }
        };
        let verified = read_journal(&self.journal_file());
        // Without what broke off, so that the next line starts on its own.
        let lines: String = verified.iter().map(line_of).collect();
        write_durably(&self.journal_file(), lines.as_bytes()).map_err(from_cargo)?;
        Ok(Some(Earlier { checkpoint, verified }))
    }

    pub fn saver(&self) -> Saver {
        Saver {
            file: self.search_file(),
            writing: None,
            last: Instant::now(),
            pause: SHORTEST_PAUSE,
            has_failed: false,
        }
    }

    /// Adds a verified finding, and comes back when it is on disk.
    pub fn record(&self, verified: &VerifiedFinding) -> io::Result<()> {
        let mut file = OpenOptions::new().append(true).create(true).open(self.journal_file())?;
        // In one piece: what is cut off by a crash is the last line at most.
        file.write_all(line_of(verified).as_bytes())?;
        file.sync_data()
    }
}

fn line_of(verified: &VerifiedFinding) -> String {
    serde_json::to_string(verified).unwrap_or_default() + "\n"
}

fn read_journal(path: &Path) -> Vec<VerifiedFinding> {
    let text = fs::read(path).unwrap_or_default();
    text.split(|byte| *byte == b'\n').filter_map(VerifiedFinding::from_line).collect()
}

fn read_checkpoint(path: &Path) -> Result<Option<Checkpoint>, String> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    decode(&bytes).map(Some).ok_or_else(|| "the file is damaged".to_string())
}

/// Magic, the length of the confirmer, the confirmer, the search, and a checksum of all that.
fn encode(confirmer: &ConfirmerState, search: &[u8]) -> Vec<u8> {
    let confirmer = serde_json::to_vec(confirmer).unwrap_or_default();
    let mut bytes = Vec::with_capacity(MAGIC.len() + confirmer.len() + search.len() + 16);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&(confirmer.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&confirmer);
    bytes.extend_from_slice(search);
    let sum = checksum(&bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes
}

fn decode(bytes: &[u8]) -> Option<Checkpoint> {
    let (content, sum) = bytes.split_last_chunk::<8>()?;
    if checksum(content) != u64::from_le_bytes(*sum) {
        return None;
    }
    let (length, rest) = content.strip_prefix(MAGIC)?.split_first_chunk::<8>()?;
    let (confirmer, search) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    Some(Checkpoint { confirmer: serde_json::from_slice(confirmer).ok()?, search: search.to_vec() })
}

const SHORTEST_PAUSE: Duration = Duration::from_secs(2);
/// The search waits while it is encoded; this many times as long it does not.
const PAUSE_PER_ENCODING: u32 = 50;

/// Writes the search to disk beside the search.
pub struct Saver {
    file: PathBuf,
    writing: Option<JoinHandle<Result<(), CargoError>>>,
    last: Instant,
    pause: Duration,
    has_failed: bool,
}

impl Saver {
    /// Whether it has been long enough. When exactly the search is saved changes nothing about it.
    pub fn is_due(&self) -> bool {
        self.last.elapsed() >= self.pause && self.writing.as_ref().is_none_or(JoinHandle::is_finished)
    }

    pub fn save(&mut self, confirmer: &ConfirmerState, save: &dyn Fn() -> Vec<u8>, events: &Events) {
        self.finish(events);
        let started = Instant::now();
        let bytes = encode(confirmer, &save());
        self.pause = SHORTEST_PAUSE.max(started.elapsed() * PAUSE_PER_ENCODING);
        self.last = Instant::now();
        let file = self.file.clone();
        self.writing = Some(std::thread::spawn(move || write_durably(&file, &bytes)));
    }

    /// Waits for what is being written. What cannot be saved is no reason to stop searching.
    pub fn finish(&mut self, events: &Events) {
        let Some(writing) = self.writing.take() else { return };
        if let Ok(Err(error)) = writing.join()
            && !std::mem::replace(&mut self.has_failed, true)
        {
            events.emit(Event::Warning {
                message: format!("the search cannot be saved for --resume: {error}"),
                hint: error.hint(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saved_search_is_read_back_and_any_damage_is_noticed() {
        let mut confirmer = ConfirmerState::default();
        confirmer.search_seconds = 1.5;
        let good = encode(&confirmer, b"the search");
        let read = decode(&good).unwrap();
        assert_eq!((read.confirmer, &read.search[..]), (confirmer, &b"the search"[..]));
        for at in 0..good.len() {
            assert!(decode(&good[..at]).is_none(), "cut at {at}");
            let mut bad = good.clone();
            bad[at] ^= 1;
            assert!(decode(&bad).is_none(), "damaged at {at}");
        }
    }

    fn identity(fingerprint: &str) -> Identity {
        let (fingerprint, command_line) = (fingerprint.to_string(), "cargo provoke --seed 3".to_string());
        Identity { provoke_version: "1".to_string(), fingerprint, command_line }
    }

    #[test]
    fn only_the_same_run_goes_on_and_the_other_one_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let run = SavedRun::new(directory.path());
        let silent = Events::unheard();
        assert!(run.resume(&identity("a"), &silent).unwrap().is_none());
        run.begin(&identity("a")).unwrap();
        let shorter = Identity { command_line: String::new(), ..identity("a") };
        assert!(run.resume(&shorter, &silent).unwrap().is_some());
        let error = run.resume(&identity("b"), &silent).err().unwrap();
        assert!(error.hint.unwrap().contains("cargo provoke --seed 3"));
    }

    #[test]
    fn a_damaged_search_costs_the_search_and_not_the_findings() {
        let directory = tempfile::tempdir().unwrap();
        let run = SavedRun::new(directory.path());
        let silent = Events::unheard();
        run.begin(&identity("a")).unwrap();
        let mut saver = run.saver();
        saver.save(&ConfirmerState::default(), &|| b"search".to_vec(), &silent);
        saver.finish(&silent);
        let earlier = run.resume(&identity("a"), &silent).unwrap().unwrap();
        assert_eq!(earlier.checkpoint.unwrap().search, b"search");
        fs::write(run.search_file(), b"provoke search 1\nnonsense").unwrap();
        fs::write(run.journal_file(), b"{\"confirmed\": {\"find").unwrap();
        let earlier = run.resume(&identity("a"), &silent).unwrap().unwrap();
        assert!(earlier.checkpoint.is_none() && earlier.verified.is_empty());
        assert_eq!(fs::read(run.journal_file()).unwrap(), b"", "what broke off is gone");
    }
}
