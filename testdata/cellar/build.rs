//! Looks for features of nightly, as build scripts of many crates do. Nothing that is done to the crate may make it find one.

use std::env;
use std::io::Write;
use std::process::{Command, Stdio};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    assert!(env::var_os("RUSTC_BOOTSTRAP").is_none(), "the build script is told to behave as on nightly");
    let rustc = env::var_os("RUSTC").unwrap();
    let mut probe = match env::var_os("RUSTC_WRAPPER") {
        Some(wrapper) => Command::new(wrapper),
        None => Command::new(&rustc),
    };
    if env::var_os("RUSTC_WRAPPER").is_some() {
        probe.arg(&rustc);
    }
    probe.args(["--crate-name", "probe", "--crate-type", "lib", "--emit", "metadata", "--target"]);
    probe.arg(env::var_os("TARGET").unwrap()).arg("--out-dir").arg(env::var_os("OUT_DIR").unwrap()).arg("-");
    let mut probe = probe.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    probe.stdin.take().unwrap().write_all(b"#![feature(rustc_attrs)] #![allow(internal_features)]").unwrap();
    assert!(!probe.wait().unwrap().success(), "this looks like nightly");
}
