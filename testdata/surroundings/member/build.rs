//! Fails if it can believe that it is on nightly where it is not.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    assert!(env::var_os("RUSTC_BOOTSTRAP").is_none(), "RUSTC_BOOTSTRAP is set for a build script");
    let rustc = env::var_os("RUSTC").expect("cargo names rustc");
    let version = Command::new(&rustc).arg("--version").output().expect("rustc runs");
    let is_nightly = String::from_utf8_lossy(&version.stdout).contains("nightly");
    let out = env::var_os("OUT_DIR").expect("cargo gives a directory");
    let probe = Path::new(&out).join("probe.rs");
    std::fs::write(&probe, "#![feature(rustc_attrs)]\n").expect("the directory can be written");
    let answer = Command::new(&rustc)
        .args(["--crate-type=lib", "--emit=metadata", "--out-dir"])
        .arg(&out)
        .arg(&probe)
        .output()
        .expect("rustc runs");
    assert_eq!(answer.status.success(), is_nightly, "unstable features are allowed on stable");
    println!("cargo::rustc-env=SURROUNDINGS_NOTE=from the build script");
}
