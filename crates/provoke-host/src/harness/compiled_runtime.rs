//! The runtime, compiled once for all harnesses: what rustc makes of it is kept in the user's cache, and copied from there.
//!
//! An entry is for one compiler, one set of flags, and one text of the runtime, and holds for any directory: paths are not
//! part of it. What cannot be read, or is not whole, is compiled and kept anew.
//!
//! Decision: `docs/decisions/090-the-runtime-is-compiled-once.md`

use std::env;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use serde_json::json;

use crate::cache::{Fingerprint, write_whole};
use crate::harness::runtime::RuntimePackage;

/// Tells the wrapper of rustc which directory compiled runtimes are kept in.
pub(crate) const COMPILED_RUNTIME: &str = "PROVOKE_WRAP_COMPILED_RUNTIME";
/// Names the directory; if it is empty, nothing is kept.
const CACHE_DIRECTORY: &str = "PROVOKE_CACHE";
/// Of two packages, for some compilers and some ways to build.
const MAX_ENTRIES: usize = 24;
/// At the start of every entry. Another one when their form changes.
const MAGIC: &[u8; 8] = b"provoke1";
/// Stands for the directory of a harness in what debuggers and backtraces show.
const REMAPPED: &str = "provoke-runtime";
/// Stand for what is another thing in each harness, in what rustc notes for cargo.
const DIRECTORY: &str = "\u{1}";
const EXTRA: &str = "\u{2}";
/// Values of these follow from where the harness is, and change nothing about the code.
const ABOUT_PLACES: [&str; 4] = ["metadata=", "extra-filename=", "incremental=", "dependency="];
/// With these, rustc leaves more files behind than are kept, or code for this very machine.
const NOT_KEPT: [&str; 2] = ["split-debuginfo=", "target-cpu=native"];

/// Has the wrapper of rustc keep the runtime for other harnesses, and use what others have made of it.
pub(crate) fn keep_runtime(cargo: &mut Command) {
    if let Some(directory) = directory() {
        cargo.env(COMPILED_RUNTIME, directory);
    }
}

/// Where compiled runtimes are kept, if anywhere.
fn directory() -> Option<PathBuf> {
    let directory = match (env::var_os(CACHE_DIRECTORY), env::var_os("XDG_CACHE_HOME"), env::home_dir()) {
        (Some(named), ..) => PathBuf::from(named),
        (None, Some(caches), _) => Path::new(&caches).join("provoke"),
        (None, None, Some(home)) => home.join(".cache/provoke"),
        (None, None, None) => return None,
    };
    directory.is_absolute().then(|| directory.join("runtime"))
}

/// A package of the runtime that rustc is asked to compile.
pub(crate) struct CompiledRuntime {
    entry: PathBuf,
    outputs: Outputs,
}

/// Where rustc is to put what it makes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Outputs {
    directory: PathBuf,
    crate_name: String,
    extra: String,
}

impl CompiledRuntime {
    /// `None` if the command, which may have a wrapper before `rustc`, is about something else.
    pub(crate) fn of(directory: &Path, package: &str, rustc: &OsStr, command: &Command) -> Option<CompiledRuntime> {
        let name = package.split('@').next()?;
        let package = RuntimePackage::all().iter().find(|package| package.name == name)?;
        let is_wrapped = command.get_program() != rustc;
        let args: Option<Vec<&str>> = command.get_args().skip(usize::from(is_wrapped)).map(OsStr::to_str).collect();
        let args = args?;
        let outputs = Outputs::of(&args).filter(|outputs| outputs.crate_name == package.library)?;
        let mut key = Fingerprint::default();
        package.add_to(&mut key);
        add_arguments(&mut key, &args)?;
        let version = Command::new(rustc).arg("-vV").output().ok().filter(|output| output.status.success())?;
        key.add(&version.stdout);
        Some(CompiledRuntime { entry: directory.join(format!("{}-{key}", package.name)), outputs })
    }

    /// Copies what was kept, or compiles and keeps it. The exit code to end with.
    pub(crate) fn compile(&self, mut rustc: Command) -> i32 {
        let copied = read_entry(&self.entry).is_some_and(|files| self.outputs.write(&files).is_ok());
        if copied {
            // It is in use.
            let _ = File::options().write(true).open(&self.entry).and_then(|it| it.set_modified(SystemTime::now()));
            return i32::from(self.outputs.tell_cargo().is_err());
        }
        if let Ok(here) = env::current_dir() {
            rustc.arg(format!("--remap-path-prefix={}={REMAPPED}", here.display()));
        }
        let status = match rustc.status() {
            Ok(status) => status,
            Err(error) => {
                let _ = writeln!(io::stderr(), "error: cannot run {:?}: {error}", rustc.get_program());
                return 127;
            }
        };
        if status.success() {
            // It only costs time if it cannot be kept.
            let kept = self.outputs.read().map(|files| write_whole(&self.entry, &entry_of(&files)));
            if matches!(kept, Ok(Ok(()))) {
                forget_oldest(&self.entry);
            }
        }
        status.code().unwrap_or(1)
    }
}

impl Outputs {
    /// Only of builds that make code, and not of checks, which take no time.
    fn of(args: &[&str]) -> Option<Outputs> {
        let after = |name: &str| args.windows(2).find(|pair| pair[0] == name).map(|pair| pair[1]);
        let emits = args.iter().find_map(|arg| arg.strip_prefix("--emit="))?;
        let extra = args.iter().find_map(|arg| arg.strip_prefix("extra-filename="))?;
        let is_code = emits.split(',').any(|emit| emit == "link");
        let has_notes = ["dep-info", "metadata"].iter().all(|note| emits.split(',').any(|emit| emit == *note));
        let outputs = Outputs {
            directory: PathBuf::from(after("--out-dir")?),
            crate_name: after("--crate-name")?.to_owned(),
            extra: extra.to_owned(),
        };
        (is_code && has_notes && after("--crate-type") == Some("lib")).then_some(outputs)
    }

    /// What cargo calls them, and the files.
    fn paths(&self) -> [(&'static str, PathBuf); 3] {
        let Outputs { directory, crate_name, extra } = self;
        [
            ("dep-info", directory.join(format!("{crate_name}{extra}.d"))),
            ("metadata", directory.join(format!("lib{crate_name}{extra}.rmeta"))),
            ("link", directory.join(format!("lib{crate_name}{extra}.rlib"))),
        ]
    }

    fn read(&self) -> io::Result<[Vec<u8>; 3]> {
        let [(_, notes), (_, metadata), (_, code)] = self.paths();
        let notes = fs::read_to_string(notes)?.replace(&self.prefix(), DIRECTORY).replace(&self.extra, EXTRA);
        Ok([notes.into_bytes(), fs::read(metadata)?, fs::read(code)?])
    }

    fn write(&self, [notes, metadata, code]: &[Vec<u8>; 3]) -> io::Result<()> {
        let [(_, notes_path), (_, metadata_path), (_, code_path)] = self.paths();
        let notes = String::from_utf8_lossy(notes).replace(DIRECTORY, &self.prefix()).replace(EXTRA, &self.extra);
        fs::write(metadata_path, metadata)?;
        fs::write(code_path, code)?;
        fs::write(notes_path, notes)
    }

    fn prefix(&self) -> String {
        format!("{}/", self.directory.display())
    }

    /// As rustc does when a file is there.
    fn tell_cargo(&self) -> io::Result<()> {
        for (emit, path) in self.paths() {
            let message = json!({ "$message_type": "artifact", "artifact": path, "emit": emit });
            writeln!(io::stderr(), "{message}")?;
        }
        Ok(())
    }
}

/// All that the code follows from. `None` if it is not to be kept.
fn add_arguments(key: &mut Fingerprint, args: &[&str]) -> Option<()> {
    let mut args = args.iter();
    while let Some(&arg) = args.next() {
        let is_about_places = ABOUT_PLACES.iter().any(|name| arg.starts_with(name));
        let is_for_readers =
            ["--json", "--error-format", "--diagnostic-width"].iter().any(|name| arg.starts_with(name));
        if NOT_KEPT.iter().any(|name| arg.contains(name)) {
            return None;
        } else if arg == "--out-dir" {
            args.next();
        } else if arg == "--extern" {
            // What was made for another directory is another file.
            let (name, path) = args.next()?.split_once('=')?;
            key.add(name.as_bytes());
            key.add(&fs::read(path).ok()?);
        } else if !is_about_places && !is_for_readers {
            key.add(arg.as_bytes());
        }
    }
    Some(())
}

fn entry_of(files: &[Vec<u8>; 3]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    for file in files {
        bytes.extend((file.len() as u64).to_le_bytes());
        bytes.extend(file);
    }
    bytes.extend(check_of(&bytes));
    bytes
}

fn read_entry(path: &Path) -> Option<[Vec<u8>; 3]> {
    let bytes = fs::read(path).ok()?;
    let (bytes, check) = bytes.split_last_chunk::<16>()?;
    let mut rest = bytes.strip_prefix(MAGIC).filter(|_| check_of(bytes) == *check)?;
    let mut files = [const { Vec::new() }; 3];
    for file in &mut files {
        let (len, behind) = rest.split_first_chunk::<8>()?;
        let (contents, behind) = behind.split_at_checked(usize::try_from(u64::from_le_bytes(*len)).ok()?)?;
        *file = contents.to_vec();
        rest = behind;
    }
    rest.is_empty().then_some(files)
}

/// Tells whether an entry is whole.
fn check_of(bytes: &[u8]) -> [u8; 16] {
    let mut fingerprint = Fingerprint::default();
    fingerprint.add(bytes);
    let mut check = [0; 16];
    check.copy_from_slice(fingerprint.to_string().as_bytes());
    check
}

/// Runtimes of compilers that nobody uses any more are not kept for ever.
fn forget_oldest(newest: &Path) {
    let entries = newest.parent().and_then(|directory| fs::read_dir(directory).ok()).into_iter().flatten().flatten();
    let time = |entry: &fs::DirEntry| entry.metadata().and_then(|metadata| metadata.modified()).ok();
    let mut entries: Vec<_> = entries.filter_map(|entry| Some((time(&entry)?, entry.path()))).collect();
    entries.sort();
    let n_too_many = entries.len().saturating_sub(MAX_ENTRIES);
    for (_, path) in &entries[..n_too_many] {
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAGS: &str = "--crate-name provoke_exec --edition=2024 runtime/provoke-exec/src/lib.rs --error-format=json \
                         --crate-type lib --emit=dep-info,metadata,link -C opt-level=3 -C metadata=1a \
                         -C extra-filename=-1a --out-dir /a/deps -L dependency=/a/deps";

    fn key(flags: &str) -> Option<String> {
        let mut key = Fingerprint::default();
        add_arguments(&mut key, &flags.split_whitespace().collect::<Vec<_>>())?;
        Some(key.to_string())
    }

    /// Where the result of a command is kept.
    fn entry(program: &str, package: &str, flags: &str) -> Option<PathBuf> {
        let mut command = Command::new(program);
        command.args(flags.split_whitespace());
        let runtime = CompiledRuntime::of(Path::new("/cache"), package, OsStr::new("rustc"), &command)?;
        Some(runtime.entry)
    }

    #[test]
    fn flags_count_and_places_do_not() {
        let other_place = FLAGS.replace("1a", "2b").replace("/a/", "/b/");
        assert!(key(FLAGS).is_some() && key(FLAGS) == key(&other_place));
        assert_ne!(key(FLAGS), key(&FLAGS.replace("opt-level=3", "opt-level=2")));
        for not_kept in ["-C target-cpu=native", "-C split-debuginfo=unpacked", "--extern a=/nowhere/a.rmeta"] {
            assert_eq!(key(&format!("{FLAGS} {not_kept}")), None, "{not_kept}");
        }
    }

    #[test]
    fn what_is_linked_in_counts_by_its_contents() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        for (name, text) in [("a.rmeta", "a"), ("b.rmeta", "a"), ("c.rmeta", "c")] {
            fs::write(path(name), text).unwrap();
        }
        let with = |name: &str| key(&format!("{FLAGS} --extern provoke_wire={}", path(name).display()));
        assert_eq!(with("a.rmeta"), with("b.rmeta"));
        assert_ne!(with("a.rmeta"), with("c.rmeta"));
    }

    #[test]
    fn only_the_runtime_is_kept_and_only_where_it_becomes_code() {
        let is_kept = |package: &str, flags: &str| entry("rustc", package, flags).is_some();
        assert!(is_kept("provoke-runtime-exec@0.0.0", FLAGS));
        assert!(!is_kept("provoke-exec@0.1.0", FLAGS), "a target, perhaps");
        assert!(!is_kept("provoke-runtime-wire@0.0.0", FLAGS));
        assert!(!is_kept("provoke-runtime-exec@0.0.0", &FLAGS.replace(",link", "")));
        assert!(!is_kept("provoke-runtime-exec@0.0.0", "-vV"));
    }

    #[test]
    fn what_the_wrapper_adds_counts_and_the_users_wrapper_does_not() {
        let exec = "provoke-runtime-exec@0.0.0";
        let plain = entry("rustc", exec, FLAGS);
        assert_ne!(entry("rustc", exec, &format!("{FLAGS} -Cforce-frame-pointers=yes")), plain);
        assert_eq!(entry("sccache", exec, &format!("rustc {FLAGS}")), plain);
    }

    #[test]
    fn what_was_kept_is_the_same_elsewhere_and_what_is_damaged_is_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let outputs = |name: &str, extra: &str| {
            let place = directory.path().join(name);
            fs::create_dir_all(&place).unwrap();
            Outputs { directory: place, crate_name: "provoke_exec".into(), extra: extra.into() }
        };
        let (first, second) = (outputs("first", "-1a"), outputs("second", "-2b"));
        let notes = format!("{}provoke_exec-1a.d: runtime/src/lib.rs\n", first.prefix());
        for ((_, path), text) in first.paths().into_iter().zip([notes.as_str(), "metadata", "code"]) {
            fs::write(path, text).unwrap();
        }
        let entry = directory.path().join("entry");
        let bytes = entry_of(&first.read().unwrap());
        fs::write(&entry, &bytes).unwrap();
        second.write(&read_entry(&entry).unwrap()).unwrap();
        let [notes, metadata, code] = second.paths().map(|(_, path)| fs::read_to_string(path).unwrap());
        assert_eq!(notes, format!("{}provoke_exec-2b.d: runtime/src/lib.rs\n", second.prefix()));
        assert_eq!((metadata.as_str(), code.as_str()), ("metadata", "code"));
        for n_bytes in 0..bytes.len() {
            fs::write(&entry, &bytes[..n_bytes]).unwrap();
            assert!(read_entry(&entry).is_none(), "{n_bytes} bytes");
            let mut changed = bytes.clone();
            changed[n_bytes] ^= 1;
            fs::write(&entry, &changed).unwrap();
            assert!(read_entry(&entry).is_none(), "byte {n_bytes}");
        }
    }

    #[test]
    fn entries_that_were_not_used_for_long_go_first() {
        let directory = tempfile::tempdir().unwrap();
        let path = |n: usize| directory.path().join(n.to_string());
        for n in 0..MAX_ENTRIES + 2 {
            fs::write(path(n), "").unwrap();
            let time = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(n as u64);
            File::options().write(true).open(path(n)).unwrap().set_modified(time).unwrap();
        }
        forget_oldest(&path(0));
        assert!(!path(0).exists() && !path(1).exists() && path(2).exists());
    }
}
