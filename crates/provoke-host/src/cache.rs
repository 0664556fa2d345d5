//! Files of our own: written whole or not at all, and only when they change, so that cargo's freshness checks work.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::context::CargoContext;
use crate::error::CargoError;
use crate::source_file::{MAX_SOURCE_BYTES, open_regular};

/// A directory for results that may be thrown away at any time.
#[derive(Clone, Debug)]
pub struct Cache {
    root: PathBuf,
}

impl Cache {
    /// Makes the directory if needed.
    pub fn open(root: impl Into<PathBuf>) -> Result<Cache, CargoError> {
        let root = root.into();
        make_directory(&root)?;
        Ok(Cache { root })
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// `None` if there is no such file or it cannot be read: then it is simply made again.
    pub fn read(&self, name: &str) -> Option<Vec<u8>> {
        fs::read(self.path(name)).ok()
    }

    pub fn read_text(&self, name: &str) -> Option<String> {
        String::from_utf8(self.read(name)?).ok()
    }

    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), CargoError> {
        write_whole(&self.path(name), bytes)
    }

    pub fn remove(&self, name: &str) {
        // Nothing to do if it was not there; if it cannot be removed, it cannot be overwritten either, and that is reported.
        let _ = fs::remove_file(self.path(name));
    }
}

pub(crate) fn make_directory(path: &Path) -> Result<(), CargoError> {
    fs::create_dir_all(path).map_err(CargoError::unwritable(path))
}

/// Replaces a file so that a reader sees either the old or the new one. Makes its directory.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), CargoError> {
    replace(path, |temporary| fs::write(temporary, bytes))
}

/// Like [`write_whole`], and comes back when the file would survive a power cut.
pub fn write_durably(path: &Path, bytes: &[u8]) -> Result<(), CargoError> {
    replace(path, |temporary| {
        let mut file = File::create(temporary)?;
        file.write_all(bytes)?;
        file.sync_all()
    })
}

fn replace(path: &Path, write: impl FnOnce(&Path) -> io::Result<()>) -> Result<(), CargoError> {
    if let Some(directory) = path.parent() {
        make_directory(directory)?;
    }
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(format!(".{}.tmp", std::process::id()));
    let temporary = PathBuf::from(temporary);
    write(&temporary).and_then(|()| fs::rename(&temporary, path)).map_err(|source| {
        let _ = fs::remove_file(&temporary);
        CargoError::unwritable(path)(source)
    })
}

/// Leaves the file and its time alone if it has these contents already.
pub fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<(), CargoError> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    write_whole(path, bytes)
}

/// Makes `directory` hold exactly these files (with `/` in their names for directories below), touching only what differs.
pub(crate) fn mirror(directory: &Path, files: &[(&str, &[u8])]) -> Result<(), CargoError> {
    make_directory(directory)?;
    for (name, bytes) in files {
        write_if_changed(&directory.join(name), bytes)?;
    }
    let wanted: Vec<PathBuf> = files.iter().map(|(name, _)| directory.join(name)).collect();
    remove_others(directory, &wanted).map_err(CargoError::unwritable(directory))
}

fn remove_others(directory: &Path, wanted: &[PathBuf]) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            if wanted.iter().any(|w| w.starts_with(&path)) {
                remove_others(&path, wanted)?;
            } else {
                fs::remove_dir_all(&path)?;
            }
        } else if !wanted.contains(&path) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// Keeps another run of the tool out of a directory; given up when dropped, even by a crash.
#[derive(Debug)]
pub struct DirectoryLock {
    _file: File,
}

impl DirectoryLock {
    /// Waits for its turn.
    pub fn acquire(directory: &Path, cargo_context: &CargoContext) -> Result<DirectoryLock, CargoError> {
        make_directory(directory)?;
        let path = directory.join(".lock");
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(CargoError::unwritable(&path))?;
        let mut has_told = false;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(DirectoryLock { _file: file }),
                Err(TryLockError::WouldBlock) => {}
                // A file system without locks: better to go on than to refuse it.
                Err(TryLockError::Error(_)) => return Ok(DirectoryLock { _file: file }),
            }
            if !has_told {
                cargo_context.tell_wait("another cargo provoke in this directory");
                has_told = true;
            }
            if cargo_context.is_interrupted() {
                return Err(CargoError::Interrupted);
            }
            thread::sleep(Duration::from_millis(50));
        }
    }
}

/// A hash that is the same on every machine and in every version, for saying whether inputs changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Fingerprint {
        Fingerprint(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    /// Adds one input; its length too, so that two inputs cannot be told otherwise apart.
    pub fn add(&mut self, bytes: &[u8]) {
        self.mix(&(bytes.len() as u64).to_le_bytes());
        self.mix(bytes);
    }

    fn mix(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// Adds the contents of one file, or that there is none to read. Of a very large one, length and time have to do.
    pub fn add_file(&mut self, path: &Path) {
        let contents = |path: &Path| {
            let (file, n_bytes) = open_regular(path)?;
            let mut bytes = Vec::new();
            if n_bytes > MAX_SOURCE_BYTES {
                bytes.extend(format!("{n_bytes} {:?}", file.metadata()?.modified()?).as_bytes());
            } else {
                file.take(MAX_SOURCE_BYTES).read_to_end(&mut bytes)?;
            }
            io::Result::Ok(bytes)
        };
        match fs::canonicalize(path).and_then(|path| contents(&path)) {
            Ok(bytes) => self.add(&bytes),
            Err(_) => self.add(b"missing"),
        }
    }

    /// Adds names and contents of all files below a package's directory, but for build products and hidden files.
    pub fn add_tree(&mut self, root: &Path) {
        let mut entries: Vec<_> =
            fs::read_dir(root).map(|entries| entries.flatten().map(|e| e.path()).collect()).unwrap_or_default();
        entries.sort();
        for path in entries {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let is_product = path.is_dir() && path.join("CACHEDIR.TAG").exists() || name == "target";
            if name.starts_with('.') || is_product || path.is_symlink() {
                continue;
            }
            self.add(name.as_bytes());
            if path.is_dir() {
                self.add_tree(&path);
            } else {
                self.add_file(&path);
            }
        }
    }
}

impl std::fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Listener;
    use std::sync::{Arc, Mutex};

    fn fingerprint(root: &Path) -> String {
        let mut fingerprint = Fingerprint::default();
        fingerprint.add_tree(root);
        fingerprint.to_string()
    }

    #[test]
    fn a_file_that_does_not_change_keeps_its_time() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a/b.txt");
        write_if_changed(&path, b"one").unwrap();
        let long_ago = std::time::SystemTime::UNIX_EPOCH;
        File::options().write(true).open(&path).unwrap().set_modified(long_ago).unwrap();
        write_if_changed(&path, b"one").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), long_ago);
        write_if_changed(&path, b"two").unwrap();
        assert_ne!(fs::metadata(&path).unwrap().modified().unwrap(), long_ago);
        assert_eq!(fs::read_dir(dir.path().join("a")).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn what_cannot_be_read_to_its_end_is_part_of_a_tree_all_the_same() {
        use std::os::unix::ffi::OsStrExt;
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a.rs"), "a").unwrap();
        let before = fingerprint(dir.path());
        let pipe = std::ffi::CString::new(dir.path().join("pipe.rs").as_os_str().as_bytes()).unwrap();
        assert_eq!(unsafe { libc::mkfifo(pipe.as_ptr(), 0o600) }, 0);
        std::os::unix::fs::symlink("/dev/zero", dir.path().join("zero.rs")).unwrap();
        let with_pipe = fingerprint(dir.path());
        assert_ne!(with_pipe, before);
        let huge = File::create(dir.path().join("huge.bin")).unwrap();
        huge.set_len(1 << 40).unwrap();
        let with_huge = fingerprint(dir.path());
        assert_ne!(with_huge, with_pipe);
        huge.set_len(1 << 41).unwrap();
        assert_ne!(fingerprint(dir.path()), with_huge);
    }

    #[test]
    fn a_mirrored_directory_holds_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        mirror(dir.path(), &[("a.rs", b"a"), ("m/b.rs", b"b"), ("n/c.rs", b"c")]).unwrap();
        mirror(dir.path(), &[("m/d.rs", b"d")]).unwrap();
        assert!(dir.path().join("m/d.rs").exists());
        assert!(!dir.path().join("a.rs").exists() && !dir.path().join("m/b.rs").exists());
        assert!(!dir.path().join("n").exists());
    }

    #[test]
    fn a_fingerprint_sees_sources_and_not_build_products() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| write_whole(&dir.path().join(name), text.as_bytes()).unwrap();
        write("src/lib.rs", "a");
        let first = fingerprint(dir.path());
        write("target/debug/x", "new");
        write(".git/HEAD", "new");
        assert_eq!(fingerprint(dir.path()), first);
        write("src/lib.rs", "b");
        let second = fingerprint(dir.path());
        assert_ne!(second, first);
        write("src/other.txt", "");
        assert_ne!(fingerprint(dir.path()), second);
    }

    #[test]
    fn a_target_directory_that_is_a_file_is_reported_as_unwritable() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("target");
        fs::write(&file, "").unwrap();
        let error = Cache::open(file.join("provoke")).unwrap_err();
        assert!(matches!(error, CargoError::Unwritable { .. }));
        assert!(error.hint().unwrap().contains("CARGO_TARGET_DIR"));
    }

    #[test]
    fn a_locked_directory_is_waited_for_until_interrupted() {
        let dir = tempfile::tempdir().unwrap();
        let told = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&told);
        let on_wait: Listener = Arc::new(move |object: &str| heard.lock().unwrap().push(object.to_owned()));
        let cargo_context = CargoContext { on_wait: Some(on_wait), ..CargoContext::default() };
        let held = DirectoryLock::acquire(dir.path(), &cargo_context).unwrap();
        cargo_context.interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(told.lock().unwrap().is_empty());
        let refused = DirectoryLock::acquire(dir.path(), &cargo_context);
        assert!(matches!(refused, Err(CargoError::Interrupted)));
        assert_eq!(*told.lock().unwrap(), ["another cargo provoke in this directory"]);
        drop(held);
        DirectoryLock::acquire(dir.path(), &cargo_context).unwrap();
    }
}
