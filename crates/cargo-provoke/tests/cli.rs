//! The command line from outside: what is said and how the tool exits, before any crate is looked at.
#![allow(clippy::disallowed_methods, reason = "a test of the command line has to start it")]

use expect_test::expect;
use std::process::{Command, Output};

fn provoke(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cargo-provoke"))
        .args(args)
        .env_remove("CARGO_TERM_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("RUST_BACKTRACE")
        .output()
        .expect("the tool starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8 on standard output")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8 on standard error")
}

/// Nonsense, one command line each. An empty word is written as `''`.
const NONSENSE: &[&str] = &[
    "--time abc",
    "--time 0",
    "--time -5",
    "--time 1m30",
    "--time 9999h",
    "--time ''",
    "--time",
    "--time 5s --time 6s",
    "--calls none",
    "--calls 0",
    "--calls -1",
    "--calls 1.5M",
    "--calls 99999999999999999999",
    "--seed -1",
    "--seed x",
    "--seed 18446744073709551616",
    "--jobs 0",
    "--jobs many",
    "--jobs 100000",
    "--jobs -2",
    "--strategy",
    "--strategy fast",
    "--strategy direct",
    "--without speed",
    "--without pruning,speed",
    "--same identity",
    "--deny all",
    "--deny expected",
    "--release=yes",
    "--only ''",
    "--only a:b",
    "--omit 'a-b'",
    "--omit a::::b",
    "--write-tests=3",
    "--write-tests --crate slab",
    "--json ''",
    "--json -",
    "--json",
    "-q -v",
    "--color blue",
    "--crate ''",
    "--crate slab@",
    "--crate slab@latest",
    "--crate ../slab",
    "--crate slab --manifest-path Cargo.toml",
    "--crate slab -p slab",
    "--crate slab --workspace",
    "--crate slab --exclude slab",
    "--manifest-path ''",
    "--manifest-path",
    "-p ''",
    "-p a --workspace",
    "--exclude a",
    "--features",
    "-F ''",
    "--all-features=1",
    "--no-default-features=1",
    "--locked=1",
    "--offline=1",
    "--frozen=1",
    "--tme 5s",
    "-x",
    "lst",
    "replya 1",
    "--seed 1 list",
    "list --time 5s",
    "list extra",
    "replay",
    "replay a/b",
    "replay ''",
    "replay a b",
    "replay a --calls 5",
    "replay a --all",
    "replay a --deny error",
    "replay --all --deny all",
    "run list",
    "-- x",
];

#[test]
fn nonsense_gets_one_error_line_a_hint_and_exit_code_1() {
    let mut transcript = String::new();
    for line in NONSENSE {
        let words: Vec<&str> = line.split(' ').map(|word| word.trim_matches('\'')).collect();
        let output = provoke(&words);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{line}\n{text}");
        assert_eq!(stdout(&output), "", "{line}");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2, "{line}\n{text}");
        assert!(lines[0].starts_with("error: "), "{line}\n{text}");
        assert!(lines[1].starts_with("hint: "), "{line}\n{text}");
        transcript.push_str(&format!("$ cargo provoke {line}\n{text}"));
    }
    expect![[r#"
        $ cargo provoke --time abc
        error: invalid value `abc` for `--time`: not a length of time
        hint: write it like 20s, 500ms, 2m, 1m30s or 1h; a plain number is in seconds
        $ cargo provoke --time 0
        error: invalid value `0` for `--time`: no time at all
        hint: the least is 1ms; to see only what can be called, use `cargo provoke list`
        $ cargo provoke --time -5
        error: invalid value `-5` for `--time`: not a length of time
        hint: write it like 20s, 500ms, 2m, 1m30s or 1h; a plain number is in seconds
        $ cargo provoke --time 1m30
        error: invalid value `1m30` for `--time`: not a length of time
        hint: write it like 20s, 500ms, 2m, 1m30s or 1h; a plain number is in seconds
        $ cargo provoke --time 9999h
        error: invalid value `9999h` for `--time`: more than 30 days
        hint: a search of some minutes finds most of what it ever will
        $ cargo provoke --time ''
        error: invalid value `` for `--time`: not a length of time
        hint: write it like 20s, 500ms, 2m, 1m30s or 1h; a plain number is in seconds
        $ cargo provoke --time
        error: `--time` needs a value
        hint: `cargo provoke --help` lists what can be given
        $ cargo provoke --time 5s --time 6s
        error: `--time` is given more than once
        hint: leave one of them out
        $ cargo provoke --calls none
        error: invalid value `none` for `--calls`: not a whole number
        hint: write a whole number like 5000, 10_000, 10k or 2M
        $ cargo provoke --calls 0
        error: invalid value `0` for `--calls`: no calls at all
        hint: the least is 1; to see only what can be called, use `cargo provoke list`
        $ cargo provoke --calls -1
        error: invalid value `-1` for `--calls`: not a whole number
        hint: write a whole number like 5000, 10_000, 10k or 2M
        $ cargo provoke --calls 1.5M
        error: invalid value `1.5M` for `--calls`: not a whole number
        hint: write a whole number like 5000, 10_000, 10k or 2M
        $ cargo provoke --calls 99999999999999999999
        error: invalid value `99999999999999999999` for `--calls`: too large
        hint: the largest is 18446744073709551615
        $ cargo provoke --seed -1
        error: invalid value `-1` for `--seed`: not a whole number
        hint: a seed is a whole number from 0 to 18446744073709551615
        $ cargo provoke --seed x
        error: invalid value `x` for `--seed`: not a whole number
        hint: a seed is a whole number from 0 to 18446744073709551615
        $ cargo provoke --seed 18446744073709551616
        error: invalid value `18446744073709551616` for `--seed`: too large
        hint: the largest is 18446744073709551615
        $ cargo provoke --jobs 0
        error: invalid value `0` for `--jobs`: at least one worker is needed
        hint: give the number of workers, or leave it out for one per core
        $ cargo provoke --jobs many
        error: invalid value `many` for `--jobs`: not a whole number
        hint: give the number of workers, or leave it out for one per core
        $ cargo provoke --jobs 100000
        error: invalid value `100000` for `--jobs`: more than 1024
        hint: give the number of workers, or leave it out for one per core
        $ cargo provoke --jobs -2
        error: invalid value `-2` for `--jobs`: not a whole number
        hint: give the number of workers, or leave it out for one per core
        $ cargo provoke --strategy
        error: `--strategy` needs a value
        hint: it can be guided, directed, walk or legal
        $ cargo provoke --strategy fast
        error: invalid value `fast` for `--strategy`
        hint: it can be guided, directed, walk or legal
        $ cargo provoke --strategy direct
        error: invalid value `direct` for `--strategy`
        hint: did you mean `directed`?
        $ cargo provoke --without speed
        error: invalid value `speed` for `--without`
        hint: it can be pruning, regression, findings, coverage, keeping, mutation, aiming, touchstones, kinship, weighting or counters
        $ cargo provoke --without pruning,speed
        error: invalid value `speed` for `--without`
        hint: it can be pruning, regression, findings, coverage, keeping, mutation, aiming, touchstones, kinship, weighting or counters
        $ cargo provoke --same identity
        error: invalid value `identity` for `--same`
        hint: it can be equality, representation or none
        $ cargo provoke --deny all
        error: invalid value `all` for `--deny`
        hint: it can be error, suspicious or none
        $ cargo provoke --deny expected
        error: invalid value `expected` for `--deny`
        hint: it can be error, suspicious or none
        $ cargo provoke --release=yes
        error: `--release` takes no value, but `yes` was given
        hint: write just `--release`
        $ cargo provoke --only ''
        error: invalid value `` for `--only`: an empty pattern selects nothing
        hint: write path segments, with * for any part of one: insert, Slab::insert, Slab::*, *_unchecked
        $ cargo provoke --only a:b
        error: invalid value `a:b` for `--only`: not a function path
        hint: write path segments, with * for any part of one: insert, Slab::insert, Slab::*, *_unchecked
        $ cargo provoke --omit 'a-b'
        error: invalid value `a-b` for `--omit`: not a function path
        hint: write path segments, with * for any part of one: insert, Slab::insert, Slab::*, *_unchecked
        $ cargo provoke --omit a::::b
        error: invalid value `a::::b` for `--omit`: not a function path
        hint: write path segments, with * for any part of one: insert, Slab::insert, Slab::*, *_unchecked
        $ cargo provoke --write-tests=3
        error: `--write-tests` takes no value, but `3` was given
        hint: write just `--write-tests`
        $ cargo provoke --write-tests --crate slab
        error: `--write-tests` cannot be used together with `--crate`
        hint: leave one of them out
        $ cargo provoke --json ''
        error: invalid value `` for `--json`: it is empty
        hint: give the path of a file
        $ cargo provoke --json -
        error: invalid value `-` for `--json`: it is not a file
        hint: for standard output write /dev/stdout
        $ cargo provoke --json
        error: `--json` needs a value
        hint: `cargo provoke --help` lists what can be given
        $ cargo provoke -q -v
        error: `--quiet` cannot be used together with `--verbose`
        hint: leave one of them out
        $ cargo provoke --color blue
        error: invalid value `blue` for `--color`
        hint: it can be auto, always or never
        $ cargo provoke --crate ''
        error: invalid value `` for `--crate`: not the name of a crate
        hint: write NAME or NAME@VERSION, for example slab or slab@0.4.4
        $ cargo provoke --crate slab@
        error: invalid value `slab@` for `--crate`: not a version after the @
        hint: write NAME or NAME@VERSION, for example slab or slab@0.4.4
        $ cargo provoke --crate slab@latest
        error: invalid value `slab@latest` for `--crate`: not a version after the @
        hint: write NAME or NAME@VERSION, for example slab or slab@0.4.4
        $ cargo provoke --crate ../slab
        error: invalid value `../slab` for `--crate`: not the name of a crate
        hint: write NAME or NAME@VERSION, for example slab or slab@0.4.4
        $ cargo provoke --crate slab --manifest-path Cargo.toml
        error: `--crate` cannot be used together with `--manifest-path`
        hint: leave one of them out
        $ cargo provoke --crate slab -p slab
        error: `--crate` cannot be used together with `--package`
        hint: leave one of them out
        $ cargo provoke --crate slab --workspace
        error: `--crate` cannot be used together with `--workspace`
        hint: leave one of them out
        $ cargo provoke --crate slab --exclude slab
        error: `--crate` cannot be used together with `--exclude`
        hint: leave one of them out
        $ cargo provoke --manifest-path ''
        error: invalid value `` for `--manifest-path`: it is empty
        hint: give the path of a file
        $ cargo provoke --manifest-path
        error: `--manifest-path` needs a value
        hint: `cargo provoke --help` lists what can be given
        $ cargo provoke -p ''
        error: invalid value `` for `--package`: it is empty
        hint: give a name, or leave the option out
        $ cargo provoke -p a --workspace
        error: `--package` cannot be used together with `--workspace`
        hint: leave one of them out
        $ cargo provoke --exclude a
        error: `--exclude` works only together with `--workspace`
        hint: without `--workspace`, name the packages to test with `-p`
        $ cargo provoke --features
        error: `--features` needs a value
        hint: `cargo provoke --help` lists what can be given
        $ cargo provoke -F ''
        error: invalid value `` for `--features`: it is empty
        hint: give a name, or leave the option out
        $ cargo provoke --all-features=1
        error: `--all-features` takes no value, but `1` was given
        hint: write just `--all-features`
        $ cargo provoke --no-default-features=1
        error: `--no-default-features` takes no value, but `1` was given
        hint: write just `--no-default-features`
        $ cargo provoke --locked=1
        error: `--locked` takes no value, but `1` was given
        hint: write just `--locked`
        $ cargo provoke --offline=1
        error: `--offline` takes no value, but `1` was given
        hint: write just `--offline`
        $ cargo provoke --frozen=1
        error: `--frozen` takes no value, but `1` was given
        hint: write just `--frozen`
        $ cargo provoke --tme 5s
        error: unexpected argument `--tme`
        hint: did you mean `--time`?
        $ cargo provoke -x
        error: unexpected argument `-x`
        hint: `cargo provoke --help` lists what can be given
        $ cargo provoke lst
        error: no command `lst`
        hint: did you mean `list`?
        $ cargo provoke replya 1
        error: no command `replya`
        hint: did you mean `replay`?
        $ cargo provoke --seed 1 list
        error: options must come after the command `list`
        hint: write `cargo provoke list [OPTIONS]`
        $ cargo provoke list --time 5s
        error: unexpected argument `--time`
        hint: `--time` is for `cargo provoke run`, not for `list`
        $ cargo provoke list extra
        error: unexpected argument `extra`
        hint: `cargo provoke list --help` lists what can be given
        $ cargo provoke replay
        error: `replay` needs the id of a finding
        hint: ids are printed with each finding and are in summary.json; `--all` takes every one
        $ cargo provoke replay a/b
        error: invalid value `a/b` for `<ID>`: not the id of a finding
        hint: ids are printed with each finding and are in summary.json
        $ cargo provoke replay ''
        error: invalid value `` for `<ID>`: not the id of a finding
        hint: ids are printed with each finding and are in summary.json
        $ cargo provoke replay a b
        error: unexpected argument `b`
        hint: `cargo provoke replay --help` lists what can be given
        $ cargo provoke replay a --calls 5
        error: unexpected argument `--calls`
        hint: `--calls` is for `cargo provoke run`, not for `replay`
        $ cargo provoke replay a --all
        error: `<ID>` cannot be used together with `--all`
        hint: leave one of them out
        $ cargo provoke replay a --deny error
        error: `<ID>` cannot be used together with `--deny`
        hint: leave one of them out
        $ cargo provoke replay --all --deny all
        error: invalid value `all` for `--deny`
        hint: it can be error, suspicious or none
        $ cargo provoke run list
        error: unexpected argument `list`
        hint: `cargo provoke run --help` lists what can be given
        $ cargo provoke -- x
        error: no command `x`
        hint: the commands are run, list and replay
    "#]]
    .assert_eq(&transcript);
}

#[test]
fn an_argument_that_is_no_utf8_is_an_error_like_any_other() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-provoke"))
        .args(["--package".as_ref(), OsStr::from_bytes(b"\xff")])
        .output()
        .expect("the tool starts");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).starts_with("error: "));
    assert!(stderr(&output).contains("\nhint: "));
}

#[test]
fn help_mentions_every_option_command_and_exit_code() {
    for args in [&["--help"][..], &["-h"], &["provoke", "--help"], &["help"]] {
        let output = provoke(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        let help = stdout(&output);
        for option in [
            "--manifest-path",
            "-p, --package",
            "--workspace",
            "--all",
            "--exclude",
            "-F, --features",
            "--all-features",
            "--no-default-features",
            "--time",
            "--calls",
            "--seed",
            "-j, --jobs",
            "--strategy",
            "--without",
            "--same",
            "--deny",
            "--release",
            "--only",
            "--omit",
            "--write-tests",
            "--json",
            "-q, --quiet",
            "-v, --verbose",
            "--color",
            "--crate",
            "--locked",
            "--offline",
            "--frozen",
            "-h, --help",
            "-V, --version",
        ] {
            assert!(help.contains(option), "{option} is not in\n{help}");
        }
        for command in ["  run ", "  list ", "  replay "] {
            assert!(help.contains(command), "{command} is not in\n{help}");
        }
        for code in ["0 nothing", "1 usage", "4 nothing", "70 ", "100 ", "101 ", "130 "] {
            assert!(help.contains(code), "{code} is not in\n{help}");
        }
        assert!(!help.contains('\u{1b}'), "a pipe gets no colours");
    }
}

#[test]
fn each_command_has_its_own_help() {
    for (command, has, has_not) in
        [("run", "--time", "[ID]"), ("list", "--only", "--time"), ("replay", "[ID]", "--only")]
    {
        let output = provoke(&["provoke", command, "--help"]);
        let help = stdout(&output);
        assert_eq!(output.status.code(), Some(0));
        assert!(help.contains(has), "{help}");
        assert!(!help.contains(has_not), "{help}");
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    for args in [&["--version"][..], &["-V"], &["provoke", "--version"]] {
        let output = provoke(args);
        assert_eq!(output.status.code(), Some(0));
        let expected = format!("cargo-provoke {}\n", env!("CARGO_PKG_VERSION"));
        assert_eq!(stdout(&output), expected);
    }
}

#[test]
fn colours_are_there_when_asked_for_and_only_then() {
    let output = provoke(&["--color", "always", "--time", "x"]);
    assert!(stderr(&output).starts_with('\u{1b}'));
    let output = provoke(&["--color=always", "--help"]);
    assert!(stdout(&output).contains('\u{1b}'));
    for (variable, is_colored) in [("always", true), ("never", false)] {
        let output = Command::new(env!("CARGO_BIN_EXE_cargo-provoke"))
            .args(["--time", "x"])
            .env("CARGO_TERM_COLOR", variable)
            .output()
            .expect("the tool starts");
        assert_eq!(stderr(&output).contains('\u{1b}'), is_colored, "{variable}");
    }
}

#[test]
fn what_is_installed_carries_no_debug_information() {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    let manifest: toml::Table = std::fs::read_to_string(manifest).expect("the workspace").parse().expect("TOML");
    // Names of functions stay: a backtrace of a bug is of use.
    assert_eq!(manifest["profile"]["release"]["strip"].as_str(), Some("debuginfo"));
}
