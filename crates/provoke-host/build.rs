//! Lists the sources of the runtime that every harness is built with, so that the list cannot drift from the files.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let mut list = String::from("&[\n");
    for name in ["provoke-wire", "provoke-exec"] {
        let sources = here.join("..").join(name).join("src");
        println!("cargo::rerun-if-changed={}", sources.display());
        let mut files = Vec::new();
        collect(&sources, Path::new(""), &mut files)?;
        files.sort();
        for file in files {
            let relative = file.to_str().expect("our own file names are ASCII");
            let full = fs::canonicalize(sources.join(&file))?;
            writeln!(
                list,
                "    RuntimeFile {{ package: {name:?}, path: {relative:?}, text: include_str!({full:?}) }},"
            )
            .expect("writing to a string");
        }
    }
    list.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("runtime_files.rs"), list)
}

fn collect(root: &Path, below: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(root.join(below))? {
        let entry = entry?;
        let path = below.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            collect(root, &path, files)?;
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    Ok(())
}
