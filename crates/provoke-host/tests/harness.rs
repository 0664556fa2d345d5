//! From a package on disk to rustdoc JSON, a harness and verified tests, with real cargo runs.

// One test runs the harness that it built.
#![allow(clippy::disallowed_methods)]

mod fixture;

use std::fs;
use std::path::Path;
#[cfg(target_os = "linux")]
use std::sync::Arc;
use std::time::Duration;

use fixture::Fixture;
use provoke_engine::Executor;
use provoke_host::{
    BuildReport, CargoContext, CargoError, CheckReport, CrateSpec, ErrorClass, FeatureFlags, HarnessDir, LockFlags,
    Origin, Pool, PoolOptions, Profile, RunStatus, Sandbox, TestFile, VerifyOptions, fetch, toolchain,
};
use provoke_wire::{Arg, Batch, Ending, Literal, Mode, Phase, Program, RunOptions, ValueIdentity};

const STAND_IN: &str = env!("CARGO_BIN_EXE_stand-in");

const LIBRARY: &str = r#"
#[cfg(feature = "extra")]
pub fn extra() {}
pub fn patched() -> u32 { itoa::only_in_the_patch() }
pub fn setting() -> &'static str { env!("FIXTURE_SETTING") }
pub fn small<const N: usize>() -> usize { const { assert!(N < 10) }; N }
pub fn boom(n: u32) -> u32 { assert!(n < 3, "too large"); n }
pub fn end() { std::process::abort() }
"#;

/// A member of a workspace that inherits, is patched, has features, a configuration, a lock file and a build script.
fn workspace() -> Fixture {
    Fixture::new(&[
        (
            "Cargo.toml",
            r#"
            [workspace]
            members = ["core"]
            resolver = "2"
            [workspace.package]
            version = "1.2.3"
            edition = "2021"
            [workspace.dependencies]
            itoa = "1"
            [patch.crates-io]
            itoa = { path = "vendor/itoa" }
            "#,
        ),
        (
            "Cargo.lock",
            "version = 4\n\n[[package]]\nname = \"itoa\"\nversion = \"1.0.99\"\n\n\
             [[package]]\nname = \"my-core\"\nversion = \"1.2.3\"\ndependencies = [\n \"itoa\",\n]\n",
        ),
        (
            ".cargo/config.toml",
            "[profile.dev]\ndebug-assertions = false\n[env]\nFIXTURE_SETTING = \"from the configuration\"\n",
        ),
        ("vendor/itoa/Cargo.toml", "[package]\nname = \"itoa\"\nversion = \"1.0.99\"\n[workspace]\n"),
        ("vendor/itoa/src/lib.rs", "pub fn only_in_the_patch() -> u32 { 7 }"),
        (
            "core/Cargo.toml",
            r#"
            [package]
            name = "my-core"
            version.workspace = true
            edition.workspace = true
            [features]
            extra = []
            [dependencies]
            itoa.workspace = true
            "#,
        ),
        ("core/build.rs", r#"fn main() { assert!(std::env::var_os("RUSTC_BOOTSTRAP").is_none(), "on nightly?"); }"#),
        ("core/src/lib.rs", LIBRARY),
    ])
}

fn prepare(fixture: &Fixture, manifest: &str, feature: &str) -> HarnessDir {
    let mut selection = fixture.selection(manifest);
    selection.features.features = vec![feature.into()];
    let target = fixture.target(&selection);
    HarnessDir::prepare(&target, Profile::default(), &CargoContext::default()).unwrap()
}

fn lines(report: &CheckReport) -> Vec<(String, u32)> {
    report.errors.iter().flat_map(|error| &error.places).map(|place| (place.file.clone(), place.line)).collect()
}

/// One operation a line, as a generated harness has it, and then a table that makes rustc generate code for all.
fn ops(lines: &[&str]) -> String {
    let mut text = String::new();
    for (n, line) in lines.iter().enumerate() {
        text.push_str(&format!("pub fn op_{n}() {{ {line} }}\n"));
    }
    let names: Vec<String> = (0..lines.len()).map(|n| format!("op_{n}")).collect();
    text + &format!("pub const ALL: &[fn()] = &[{}];\n", names.join(", "))
}

const MAIN: &str = r#"
#![allow(warnings)]
mod ops;
fn main() {
    for op in ops::ALL { op() }
    println!("{} {} {}", my_core::patched(), my_core::setting(), cfg!(debug_assertions));
}
"#;

#[test]
fn a_dependency_is_the_same_package_in_the_harness_as_in_the_target() {
    let fixture = workspace();
    let harness = prepare(&fixture, "core/Cargo.toml", "extra");
    let dependencies = harness.dependencies().unwrap();
    let names: Vec<_> = dependencies.iter().map(|d| (d.extern_name.as_deref(), d.version.as_str())).collect();
    assert_eq!(names, [(Some("itoa"), "1.0.99")]);
    let main = "fn main() { println!(\"{}\", itoa::only_in_the_patch()); }";
    harness.write_sources(&[("main.rs", main)]).unwrap();
    assert!(!harness.check().unwrap().is_clean());

    harness.use_dependencies(&dependencies).unwrap();
    assert_eq!(harness.check().unwrap(), CheckReport::default());
    let lock_file = fs::read_to_string(harness.root().join("Cargo.lock")).unwrap();
    assert_eq!(lock_file.matches("name = \"itoa\"").count(), 1, "{lock_file}");
    let source = "#[test]\nfn t() { assert_eq!(itoa::only_in_the_patch(), my_core::patched()); }\n".to_owned();
    let verified = harness.verify(&[TestFile { name: "t".into(), source }], &VerifyOptions::default()).unwrap();
    assert_eq!(verified[0].run.as_ref().map(|run| run.status), Some(RunStatus::Passed), "{verified:?}");

    // Documented once, and again only when its sources change.
    let documented = harness.rustdoc_json(Path::new(STAND_IN)).unwrap();
    let library = documented.libraries.iter().find(|l| l.package_id == dependencies[0].package_id).unwrap();
    let document = || harness.rustdoc_json_of(Path::new(STAND_IN), &dependencies[0], library).unwrap();
    let json = document();
    assert!(fs::read_to_string(&json).unwrap().contains("only_in_the_patch"));
    fs::write(&json, "kept").unwrap();
    assert_eq!(fs::read_to_string(document()).unwrap(), "kept");
    fixture.write("vendor/itoa/src/lib.rs", "pub fn only_in_the_patch() -> u32 { 7 }\npub fn new() {}");
    assert!(fs::read_to_string(document()).unwrap().contains("\"new\""));
}

#[test]
fn a_member_of_a_workspace_is_documented_checked_built_and_verified_as_its_owner_sees_it() {
    let fixture = workspace();
    let harness = prepare(&fixture, "core/Cargo.toml", "extra");
    harness.build_target_first().unwrap();

    // The build script refuses to run with RUSTC_BOOTSTRAP, so it was not set for it.
    let json = harness.rustdoc_json(Path::new(STAND_IN)).unwrap().json;
    let first = fs::read_to_string(&json).unwrap();
    for name in ["\"extra\"", "\"patched\"", "\"format_version\""] {
        assert!(first.contains(name), "{name}");
    }
    let again = harness.rustdoc_json(Path::new(STAND_IN)).unwrap().json;
    assert_eq!(fs::read_to_string(again).unwrap(), first);

    let candidates = ["::my_core::extra()", "let f: fn(_) = ::my_core::setting;", "::my_core::nothing()"];
    harness.write_sources(&[("main.rs", MAIN), ("ops.rs", &ops(&candidates))]).unwrap();
    let report = harness.check().unwrap();
    let wrong = |line| ("src/ops.rs".to_owned(), line);
    assert_eq!(lines(&report), [wrong(3), wrong(2)]);
    assert_eq!(report.errors[0].code.as_deref(), Some("E0425"));

    // This one type-checks and only fails when code is generated, inside the target.
    let candidates = [candidates[0], "::my_core::small::<3>();", "::my_core::small::<30>();"];
    harness.write_sources(&[("main.rs", MAIN), ("ops.rs", &ops(&candidates))]).unwrap();
    assert!(harness.check().unwrap().is_clean());
    let BuildReport::Refused(report) = harness.build(false).unwrap() else {
        panic!("built in spite of a failing constant");
    };
    assert_eq!(lines(&report), [wrong(3)]);
    harness.write_sources(&[("main.rs", MAIN), ("ops.rs", &ops(&candidates[..2]))]).unwrap();
    let BuildReport::Built { executable } = harness.build(true).unwrap() else {
        panic!("not built");
    };
    let output = std::process::Command::new(executable).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text, "7 from the configuration true\n");

    run_in_a_real_worker(&harness);
    verify(&harness);

    let log = fs::read_to_string(harness.log_file()).unwrap();
    assert!(log.contains("rustdoc"));
    // All that was built used the one artefact of the target.
    assert_eq!(log.matches("Compiling my-core").count(), 1, "{log}");
    for untouched in ["Cargo.lock", "core/Cargo.lock"] {
        let now = fs::read_to_string(fixture.path(untouched)).unwrap_or_default();
        assert!(!now.contains("provoke"), "{untouched}");
    }
}

/// The embedded executor, compiled into a harness as the generator writes it, behind the pool.
#[cfg(target_os = "linux")]
fn run_in_a_real_worker(harness: &HarnessDir) {
    let ops = r#"
        use provoke_exec::*;
        pub fn register(r: &mut Registry) {
            let f: fn(_) -> _ = ::my_core::boom;
            r.op(0, f);
            let f: fn() -> _ = ::my_core::end;
            r.op(1, f);
        }
    "#;
    harness.write_sources(&[("main.rs", "provoke_exec::worker!();\nmod ops;\n"), ("ops.rs", ops)]).unwrap();
    let BuildReport::Built { executable } = harness.build(false).unwrap() else {
        panic!("not built");
    };
    let scratch = harness.root().join("scratch");
    let (mut pool, table) = Pool::start(&executable, &PoolOptions::new(scratch)).unwrap();
    assert_eq!(table.ops.len(), 2);
    let boom = |n: u32| {
        let mut program = Program::default();
        let number = program.main.push_literal(&Literal::U32(n));
        program.main.push_call(0, &[Arg::new(number, Mode::Copy)]);
        program
    };
    let mut end = Program::default();
    end.main.push_call(1, &[]);
    let programs = [boom(2), end, boom(3)];
    let options = RunOptions { notion: ValueIdentity::Equality, entropy: 1, ..RunOptions::QUIET };
    let batch = Batch { number: 5, options, programs: programs.to_vec(), news: Vec::new() };
    pool.submit(batch).unwrap();
    let outcomes = pool.receive(&|| false).unwrap().unwrap().1.outcomes;
    assert_eq!(outcomes, pool.run_fresh(&programs, options).unwrap());
    let aborted = Ending::Signal { statement: 0, phase: Phase::Call, signal: 6 };
    let endings: Vec<Ending> = outcomes.iter().map(|outcome| outcome.ending).collect();
    assert_eq!(endings, [Ending::Finished, aborted, Ending::Panicked]);
    assert_eq!(outcomes[2].panics[0].message, "too large");
}

#[cfg(not(target_os = "linux"))]
fn run_in_a_real_worker(_: &HarnessDir) {}

/// As if somebody else did it.
const KILL: &str =
    r#"std::process::Command::new("kill").args(["-9", &std::process::id().to_string()]).status().unwrap();"#;

fn verify(harness: &HarnessDir) {
    let test = |name: &str, body: &str| TestFile {
        name: name.into(),
        source: format!("#[test]\nfn {name}() {{\n    {body}\n}}\n"),
    };
    let tests = [
        test("passes", "assert_eq!(my_core::boom(2), 2);"),
        test("fails", "my_core::boom(3);"),
        test("refused", "my_core::missing();"),
        test("warns", "let unused = my_core::boom(1);"),
        test("aborts", "my_core::end();"),
        test(
            "killed_twice",
            &format!(
                "if std::fs::File::create_new(\"once\").is_ok() || std::fs::File::create_new(\"twice\").is_ok() {{ {KILL} }} my_core::boom(3);"
            ),
        ),
        test("kills_itself", KILL),
        test("hangs", "std::thread::sleep(std::time::Duration::from_secs(1000));"),
    ];
    let options = VerifyOptions { time_limit: Duration::from_secs(5), jobs: 2, ..VerifyOptions::default() };
    let verified = harness.verify(&tests, &options).unwrap();
    let names: Vec<&str> = verified.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["passes", "fails", "refused", "warns", "aborts", "killed_twice", "kills_itself", "hangs"]);
    let statuses: Vec<Option<RunStatus>> = verified.iter().map(|v| v.run.as_ref().map(|run| run.status)).collect();
    let expected = [
        Some(RunStatus::Passed),
        Some(RunStatus::Failed(101)),
        None,
        Some(RunStatus::Passed),
        Some(RunStatus::Signal(6)),
        Some(RunStatus::Failed(101)),
        Some(RunStatus::Signal(9)),
        Some(RunStatus::TimedOut),
    ];
    assert_eq!(statuses, expected);
    assert_eq!(verified[0].compile, Ok(vec![]));
    assert!(verified[1].run.as_ref().unwrap().output.contains("too large"));
    assert!(verified[2].compile.as_ref().unwrap_err()[0].contains("missing"));
    assert!(verified[3].compile.as_ref().unwrap()[0].contains("unused variable"));
}

/// Reads what it inherited, tells its session, and ends as it is told.
#[cfg(target_os = "linux")]
const CONFINED: &str = r#"
use std::fs::File;
use std::io::Read;
use std::os::fd::FromRawFd;

unsafe extern "C" {
    fn getsid(process: i32) -> i32;
    fn syscall(number: i64, ...) -> i64;
}

#[test]
fn inherits_nothing() {
    for descriptor in 3..1000 {
        let mut file = std::mem::ManuallyDrop::new(unsafe { File::from_raw_fd(descriptor) });
        assert!(file.read(&mut [0; 10]).is_err(), "{descriptor} is open");
    }
}

#[test]
fn leads_a_session() {
    assert_eq!(unsafe { getsid(0) }, std::process::id() as i32);
}

#[test]
fn has_no_power_over_the_tool() {
    let tool = std::os::unix::process::parent_id();
    let tkill = if cfg!(target_arch = "x86_64") { 200 } else { 130 };
    assert_eq!(unsafe { syscall(tkill, tool, 0) }, -1);
    assert_eq!(std::io::Error::last_os_error().kind(), std::io::ErrorKind::PermissionDenied);
}
"#;

#[cfg(target_os = "linux")]
#[test]
fn a_test_is_confined_as_a_worker_is() {
    use std::os::fd::AsRawFd;
    let fixture = Fixture::new(&[
        ("Cargo.toml", "[package]\nname = \"own\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
        ("src/lib.rs", ""),
        ("secret", "what the user has open"),
    ]);
    let secret = fs::File::open(fixture.path("secret")).unwrap();
    // As if a shell had opened it.
    unsafe { libc::fcntl(secret.as_raw_fd(), libc::F_SETFD, 0) };
    let target = fixture.target(&fixture.selection("Cargo.toml"));
    let cargo_context = CargoContext { sandbox: Sandbox::available(), ..CargoContext::default() };
    let harness = HarnessDir::prepare(&target, Profile::default(), &cargo_context).unwrap();
    let test = |name: &str, source: &str| TestFile { name: name.into(), source: source.into() };
    let aborts = "#[test] fn aborts() { std::thread::spawn(|| std::process::abort()).join().unwrap(); }\n";
    let tests = [test("confined", CONFINED), test("aborts", aborts)];
    let verified = harness.verify(&tests, &VerifyOptions::default()).unwrap();
    let status = |n: usize| verified[n].run.as_ref().map(|run| run.status);
    assert_eq!(status(0), Some(RunStatus::Passed), "{verified:?}");
    assert_eq!(status(1), Some(RunStatus::Signal(6)), "{verified:?}");

    let suite = harness.compile_suite(&tests[0], &Arc::default()).unwrap();
    let run = harness.run_suite(&suite, 2, &VerifyOptions::default(), &Arc::default()).unwrap();
    assert_eq!(run.status, RunStatus::Passed, "{}", run.output);
}

#[test]
fn a_crate_that_does_not_compile_is_told_in_rustcs_words() {
    let fixture = Fixture::new(&[
        ("Cargo.toml", "[package]\nname = \"broken\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[features]\nx = []\n"),
        ("src/lib.rs", "pub fn f() -> u32 { \"text\" }"),
    ]);
    let harness = prepare(&fixture, "Cargo.toml", "x");
    let error = harness.build_target_first().unwrap_err();
    assert_eq!(error.class(), ErrorClass::DoesNotBuild);
    assert!(error.to_string().contains("mismatched types"), "{error}");
}

#[test]
fn an_interrupt_stops_cargo() {
    let fixture = workspace();
    let target = fixture.target(&fixture.selection("core/Cargo.toml"));
    let cargo_context = CargoContext::default();
    let harness = HarnessDir::prepare(&target, Profile::default(), &cargo_context).unwrap();
    cargo_context.interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
    let error = harness.build_target_first().unwrap_err();
    assert!(matches!(error, CargoError::Interrupted));
}

#[test]
fn the_toolchain_names_itself() {
    let toolchain = toolchain(Path::new("/"), &CargoContext::default()).unwrap();
    assert!(toolchain.rustc_version.starts_with("1."));
    assert!(toolchain.rustc_description.contains(&toolchain.host));
}

#[test]
fn a_crate_comes_straight_from_the_registry() {
    let fixture = Fixture::new(&[]);
    let cargo_context = CargoContext::default();
    let get = |text: &str| {
        fetch(
            &CrateSpec::parse(text).unwrap(),
            &fixture.path("target"),
            &FeatureFlags::default(),
            LockFlags::default(),
            &cargo_context,
        )
    };
    let target = get("itoa@1.0.1").unwrap();
    assert_eq!((target.version.as_str(), target.origin), ("1.0.1", Origin::Registry));
    let harness = HarnessDir::prepare(&target, Profile::default(), &cargo_context).unwrap();
    harness.build_target_first().unwrap();
    let json = harness.rustdoc_json(Path::new(STAND_IN)).unwrap().json;
    assert!(fs::read_to_string(json).unwrap().contains("\"Buffer\""));
    drop(harness);

    assert!(!target.is_yanked);
    // The second time it is in the lock file, and cargo has nothing to say about it.
    for _ in 0..2 {
        let target = get("half@1.8.1").unwrap();
        assert_eq!((target.version.as_str(), target.is_yanked), ("1.8.1", true));
        let harness = HarnessDir::prepare(&target, Profile::default(), &cargo_context).unwrap();
        harness.build_target_first().unwrap();
    }
    assert!(!get("half").unwrap().is_yanked);

    let error = get("itoa@9.9.9").unwrap_err();
    assert_eq!(error.to_string(), "crate `itoa` has no version `9.9.9`");
    assert!(error.hint().unwrap().starts_with("the newest versions are 1."));
    let error = get("no-crate-has-this-name-q7").unwrap_err();
    assert_eq!(error.to_string(), "no crate `no-crate-has-this-name-q7` in the registry");
}
