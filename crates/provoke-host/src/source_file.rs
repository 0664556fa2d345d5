//! The one way to read a file whose name comes from code under test or its sources: a place in a message, what lies in a package.
//!
//! Such a name may lead anywhere: to a device without end, to a pipe that nobody writes to, or to what is not the package's.
//!
//! Decision: `docs/decisions/086-file-names-come-from-code-under-test.md`

use std::collections::{BTreeSet, VecDeque};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// What is larger was not written by hand, and is not read.
pub(crate) const MAX_SOURCE_BYTES: u64 = 16 << 20;
/// Of directories in directories that are searched.
const MAX_DEPTH: u32 = 8;

/// Which files are a package's: those below its directory, wherever symbolic links lead, and those that the compiler named.
#[derive(Clone, Debug, Default)]
pub struct SourceFiles {
    roots: Vec<PathBuf>,
    named: BTreeSet<PathBuf>,
}

impl SourceFiles {
    pub fn below(root: &Path) -> SourceFiles {
        SourceFiles { roots: fs::canonicalize(root).into_iter().collect(), named: BTreeSet::new() }
    }

    /// With what is below another directory.
    pub(crate) fn and_below(mut self, root: &Path) -> SourceFiles {
        self.roots.extend(fs::canonicalize(root).ok());
        self
    }

    /// With files that the compiler has read as sources, wherever they are.
    pub fn and<'a>(mut self, named: impl Iterator<Item = &'a Path>) -> SourceFiles {
        let named: BTreeSet<&Path> = named.collect();
        self.named.extend(named.into_iter().filter_map(|path| fs::canonicalize(path).ok()));
        self
    }

    /// The text of a file, if it is one of these.
    pub fn read(&self, path: &Path) -> Option<String> {
        self.read_up_to(path, MAX_SOURCE_BYTES)
    }

    fn read_up_to(&self, path: &Path, max_bytes: u64) -> Option<String> {
        text(&self.resolve(path)?, max_bytes)
    }

    /// Without symbolic links, if it is one of these.
    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        let path = fs::canonicalize(path).ok()?;
        let is_own = self.named.contains(&path) || self.roots.iter().any(|root| path.starts_with(root));
        is_own.then_some(path)
    }

    /// Files of Rust code below a directory with their texts, in the order of names, so that every run sees the same; larger files, and
    /// those that come after so many, are left out. What several symbolic links lead to is read at the first place.
    pub fn rust_files(&self, directory: &Path, max_bytes: u64, max_files: usize) -> Vec<(PathBuf, String)> {
        let mut walk = Walk {
            files: self,
            max_bytes,
            max_files,
            seen: BTreeSet::new(),
            links: VecDeque::new(),
            found: Vec::new(),
        };
        walk.enter(directory, 0);
        // Last, so that what is there without links is found there.
        while let Some((directory, depth)) = walk.links.pop_front() {
            walk.enter(&directory, depth);
        }
        walk.found
    }
}

struct Walk<'a> {
    files: &'a SourceFiles,
    max_bytes: u64,
    max_files: usize,
    /// Directories, without symbolic links: so that there are no cycles.
    seen: BTreeSet<PathBuf>,
    /// Symbolic links that may lead to directories, and how deep they lie.
    links: VecDeque<(PathBuf, u32)>,
    found: Vec<(PathBuf, String)>,
}

impl Walk<'_> {
    fn enter(&mut self, directory: &Path, depth: u32) {
        let Some(resolved) = self.files.resolve(directory).filter(|_| depth <= MAX_DEPTH) else { return };
        let entries = fs::read_dir(&resolved);
        if !self.seen.insert(resolved) {
            return;
        }
        let mut names: Vec<_> = entries.into_iter().flatten().flatten().map(|entry| entry.file_name()).collect();
        names.sort();
        for path in names.into_iter().map(|name| directory.join(name)) {
            if self.found.len() >= self.max_files {
                return;
            }
            let Ok(kind) = path.symlink_metadata() else { continue };
            if kind.is_dir() {
                self.enter(&path, depth + 1);
            } else if path.extension().is_some_and(|extension| extension == "rs") && !path.is_dir() {
                let text = self.files.read_up_to(&path, self.max_bytes);
                self.found.extend(text.map(|text| (path, text)));
            } else if kind.is_symlink() {
                self.links.push_back((path, depth + 1));
            }
        }
    }
}

/// The text of a file that the compiler named, wherever it is.
pub fn read_named_source(path: &Path) -> Option<String> {
    text(&fs::canonicalize(path).ok()?, MAX_SOURCE_BYTES)
}

fn text(path: &Path, max_bytes: u64) -> Option<String> {
    let (file, n_bytes) = open_regular(path).ok()?;
    if n_bytes > max_bytes {
        return None;
    }
    // It may have grown, and some say that they are empty.
    let mut bytes = Vec::with_capacity(n_bytes as usize);
    file.take(max_bytes + 1).read_to_end(&mut bytes).ok()?;
    String::from_utf8(bytes).ok().filter(|text| text.len() as u64 <= max_bytes)
}

/// A file that is neither a device nor a pipe nor a link, and how long it says it is. Waits for nobody.
pub(crate) fn open_regular(path: &Path) -> io::Result<(File, u64)> {
    let refused = || io::Error::new(io::ErrorKind::InvalidInput, "not a regular file");
    // Opening alone may do something, as to whoever writes to a pipe.
    if !path.symlink_metadata()?.is_file() {
        return Err(refused());
    }
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK | libc::O_NOFOLLOW);
    let file = options.open(path)?;
    // Something else may have its name by now.
    let opened = file.metadata()?;
    if opened.is_file() { Ok((file, opened.len())) } else { Err(refused()) }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;
    use tempfile::TempDir;

    struct Package {
        directory: TempDir,
        files: SourceFiles,
    }

    impl Package {
        /// In a directory that has other things, too.
        fn new(files: &[&str]) -> Package {
            let directory = tempfile::tempdir().unwrap();
            for name in files.iter().copied().chain(["package/src/lib.rs", "outside.rs"]) {
                let path = directory.path().join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, name).unwrap();
            }
            let files = SourceFiles::below(&directory.path().join("package"));
            Package { directory, files }
        }

        fn path(&self, name: &str) -> PathBuf {
            self.directory.path().join("package").join(name)
        }

        fn read(&self, name: &str) -> Option<String> {
            self.files.read(&self.path(name))
        }

        fn link(&self, to: &str, name: &str) {
            symlink(to, self.path(name)).unwrap();
        }

        fn pipe(&self, name: &str) {
            let path = std::ffi::CString::new(self.path(name).as_os_str().as_bytes()).unwrap();
            assert_eq!(unsafe { libc::mkfifo(path.as_ptr(), 0o600) }, 0);
        }

        /// The names of all files that are found.
        fn found(&self) -> Vec<String> {
            let (root, found) = (self.path(""), self.files.rust_files(&self.path("src"), MAX_SOURCE_BYTES, 100));
            found.iter().map(|(path, _)| path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned()).collect()
        }
    }

    #[test]
    fn what_a_message_names_is_read_only_if_it_is_the_packages() {
        let package = Package::new(&[]);
        assert_eq!(package.read("src/lib.rs").as_deref(), Some("package/src/lib.rs"));
        assert_eq!(package.read("src/../src/./lib.rs").as_deref(), Some("package/src/lib.rs"));
        let to_root = "../".repeat(package.path("src").components().count());
        for elsewhere in ["/dev/zero", &format!("src/{to_root}dev/zero"), "../outside.rs", "src/none.rs", "src", ""] {
            assert_eq!(package.read(elsewhere), None, "{elsewhere}");
        }
        let named = package.directory.path().join("package/../outside.rs");
        let files = package.files.clone().and([named.as_path(), Path::new("/dev/zero")].into_iter());
        assert_eq!(files.read(&package.path("../outside.rs")).as_deref(), Some("outside.rs"));
        assert_eq!(files.read(Path::new("/dev/zero")), None, "whoever names it");
        assert_eq!(read_named_source(&named).as_deref(), Some("outside.rs"));
        assert_eq!(read_named_source(Path::new("/dev/zero")), None);
    }

    #[test]
    fn nothing_is_waited_for_and_nothing_without_end_is_read() {
        let package = Package::new(&["package/src/inner/mod.rs"]);
        package.pipe("src/pipe.rs");
        package.link("/dev/zero", "src/zero.rs");
        package.link("pipe.rs", "src/link_to_pipe.rs");
        package.link("../../outside.rs", "src/outside.rs");
        package.link("../..", "src/everything");
        package.link("self.rs", "src/self.rs");
        package.link("lib.rs", "src/again.rs");
        package.link("..", "src/inner/cycle");
        let huge = File::create(package.path("src/huge.rs")).unwrap();
        huge.set_len(MAX_SOURCE_BYTES + 1).unwrap();
        assert_eq!(package.found(), ["src/again.rs", "src/inner/mod.rs", "src/lib.rs"]);
        for name in ["pipe.rs", "zero.rs", "link_to_pipe.rs", "outside.rs", "self.rs", "huge.rs"] {
            assert_eq!(package.read(&format!("src/{name}")), None, "{name}");
            assert_eq!(read_named_source(&package.path(&format!("src/{name}"))).is_some(), name == "outside.rs");
        }
        huge.set_len(MAX_SOURCE_BYTES).unwrap();
        assert!(package.read("src/huge.rs").is_some());
        let all = |max_bytes, max_files| package.files.rust_files(&package.path("src"), max_bytes, max_files).len();
        assert_eq!((all(17, 100), all(18, 100), all(18, 1)), (0, 2, 1));
    }

    #[test]
    fn links_in_the_package_are_followed_where_nothing_else_leads() {
        let package = Package::new(&["package/common/deep/a.rs", "package/src/real/b.rs"]);
        package.link("../common", "src/common");
        package.link("real", "src/alias");
        assert_eq!(package.found(), ["src/lib.rs", "src/real/b.rs", "src/common/deep/a.rs"]);
    }

    #[test]
    fn many_links_between_directories_are_no_burden() {
        let names: Vec<String> = (0..30).map(|n| format!("package/src/d{n:02}/x.rs")).collect();
        let package = Package::new(&names.iter().map(String::as_str).collect::<Vec<_>>());
        for (from, to) in (0..30).flat_map(|from| (0..30).map(move |to| (from, to))) {
            package.link(&format!("../d{to:02}"), &format!("src/d{from:02}/to{to:02}"));
        }
        assert_eq!(package.found().len(), 31);
    }
}
