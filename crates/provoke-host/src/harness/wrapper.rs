//! The tool in the role of rustdoc, or of rustc.
//!
//! Some crates of a worker are compiled with flags that no others get ([`instrument`](crate::harness::instrument)), and so are some macros
//! ([`contract_checks`](crate::harness::contract_checks)). And rustdoc writes
//! JSON, and rustc instruments for a sanitizer, on a stable toolchain only with `RUSTC_BOOTSTRAP=1`. Set for
//! cargo, that variable would also reach build scripts and what they compile to see what works, and make crates believe that
//! they are on nightly. So cargo is told to call this very executable, and the variable is set here, for the processes that
//! need it.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;

use crate::cargo::target::MACROS_OF_CONTRACTS;
use crate::harness::compiled_runtime::{COMPILED_RUNTIME, CompiledRuntime};
use crate::harness::runtime::RuntimePackage;

/// Names the real rustdoc to the wrapper.
pub(crate) const REAL_RUSTDOC: &str = "PROVOKE_WRAP_RUSTDOC";
/// Tells the wrapper where the JSON goes, instead of where cargo would have it.
pub(crate) const RUSTDOC_OUT: &str = "PROVOKE_RUSTDOC_OUT";
/// Names the sanitizer that rustc is to instrument for.
pub(crate) const SANITIZE: &str = "PROVOKE_WRAP_SANITIZE";
/// Lists the packages whose edges rustc is to count: `name@version`, with spaces between.
pub(crate) const INSTRUMENT: &str = "PROVOKE_WRAP_INSTRUMENT";
/// Set if contracts and specifications are to be there that otherwise are not. Lists the packages that are compiled with
/// [`SPECIFIED`], beside those of the attributes: `name@version`, with spaces between.
pub(crate) const CHECK_CONTRACTS: &str = "PROVOKE_WRAP_CHECK_CONTRACTS";
/// The packages that decide about specifications.
pub(crate) const MACROS_OF_SPECIFICATIONS: [&str; 2] = ["provoke-macros", "provoke"];
/// What has specifications compiled.
pub(crate) const SPECIFIED: [&str; 2] = ["--cfg", "provoke"];
/// Names the user's own wrapper of rustc; empty where there is none.
pub(crate) const INNER_WRAPPER: &str = "PROVOKE_WRAP_INNER";

/// If cargo called this executable as rustdoc or rustc, runs the real one and returns the exit code to end with.
///
/// To be called first in `main`, before any argument is looked at.
pub fn run_as_wrapper_if_asked() -> Option<i32> {
    let args: Vec<OsString> = env::args_os().skip(1).collect();
    let specified = env::var(CHECK_CONTRACTS).ok();
    let is_checking = specified.is_some();
    // Beside a run of rustdoc, rustc is called for dependencies, and named first then.
    let is_rustc = is_checking && args.first().is_some_and(|arg| !arg.to_string_lossy().starts_with('-'));
    if let Some(real) = env::var_os(REAL_RUSTDOC).filter(|_| !is_rustc) {
        return Some(run_in_place(rustdoc(&real, args)));
    }
    let package = package_at_work();
    let settings = specified.map_or(&[][..], |specified| contract_settings(package.as_deref(), &specified, &args));
    let inner_wrapper = env::var_os(INNER_WRAPPER);
    let is_by_cargo = is_compiled_by_cargo(&args);
    let rustc_name = args.first().cloned().unwrap_or_default();
    let mut command = if let Some(packages) = env::var_os(INSTRUMENT) {
        let is_listed = packages.to_str().zip(package.as_deref()).is_some_and(|(list, package)| lists(list, package));
        counting_rustc(is_listed, inner_wrapper, args)
    } else if let Some(sanitizer) = env::var_os(SANITIZE) {
        sanitizing_rustc(&sanitizer, inner_wrapper, args)
    } else if is_checking {
        rustc(inner_wrapper, args)
    } else {
        return None;
    };
    command.args(settings);
    // With all flags there are: those that were added here count, too.
    let kept = env::var_os(COMPILED_RUNTIME)
        .zip(package)
        .filter(|_| is_by_cargo)
        .and_then(|(directory, package)| CompiledRuntime::of(Path::new(&directory), &package, &rustc_name, &command));
    Some(match kept {
        Some(runtime) => runtime.compile(command),
        None => run_in_place(command),
    })
}

/// `args` start with the real rustc, or with the user's wrapper for members of the workspace.
fn rustc(inner_wrapper: Option<OsString>, args: Vec<OsString>) -> Command {
    let mut all = inner_wrapper.filter(|wrapper| !wrapper.is_empty()).into_iter().chain(args);
    let mut command = Command::new(all.next().unwrap_or_else(|| "rustc".into()));
    command.args(all);
    for role in [INSTRUMENT, SANITIZE, CHECK_CONTRACTS, INNER_WRAPPER, COMPILED_RUNTIME, REAL_RUSTDOC, RUSTDOC_OUT] {
        command.env_remove(role);
    }
    command
}

/// Settings of the crate `anodized` for tools that read its contracts: it takes none beside them that has contracts checked.
const NOT_CHECKED: [&str; 4] = ["anodized_discard_specs", "anodized_embed_specs", "anodized_charon", "anodized_hax"];

/// What has the macros of contracts write checks, if it is they that are compiled, and if the user does not want them to write
/// something else; and what has specifications compiled, in their own crates and in what is specified.
fn contract_settings(package: Option<&str>, specified: &str, args: &[OsString]) -> &'static [&'static str] {
    let name = package.and_then(|package| package.split('@').next()).unwrap_or_default();
    let is_specified = MACROS_OF_SPECIFICATIONS.contains(&name) || package.is_some_and(|it| lists(specified, it));
    if is_specified && is_compiled_by_cargo(args) {
        return &SPECIFIED;
    }
    let is_macros = name == MACROS_OF_CONTRACTS;
    let is_set = |name: &&str| {
        let is_joined = |arg: &OsString| arg.to_str().and_then(|arg| arg.strip_prefix("--cfg=")) == Some(*name);
        args.windows(2).any(|pair| pair[0] == "--cfg" && pair[1] == *name) || args.iter().any(is_joined)
    };
    let is_unwanted = NOT_CHECKED.iter().any(is_set);
    if is_macros && is_compiled_by_cargo(args) && !is_unwanted { &["--cfg", "anodized_panic"] } else { &[] }
}

/// The package that cargo has a crate of compiled.
fn package_at_work() -> Option<String> {
    Some(format!("{}@{}", env::var("CARGO_PKG_NAME").ok()?, env::var("CARGO_PKG_VERSION").ok()?))
}

fn lists(packages: &str, package: &str) -> bool {
    packages.split(' ').any(|listed| listed == package)
}

/// What rustc is told to add to a crate: counters of edges, their addresses, which blocks follow which, and a call for each
/// comparison of numbers.
const COUNTING: [&str; 9] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=3",
    // Otherwise a block has no counter if those around it tell whether it was reached, and which these are nobody knows here.
    "-Cllvm-args=-sanitizer-coverage-prune-blocks=0",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-control-flow",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    // Otherwise short comparisons of memory become loads, which nobody sees.
    "-Cllvm-args=-max-loads-per-memcmp=0",
    "-Cllvm-args=-max-loads-per-memcmp-opt-size=0",
];

fn counting_rustc(is_listed: bool, inner_wrapper: Option<OsString>, args: Vec<OsString>) -> Command {
    let is_instrumented = is_listed && is_compiled_by_cargo(&args) && !runs_while_compiling(&args);
    let mut command = rustc(inner_wrapper, args);
    if is_instrumented {
        command.args(COUNTING);
    }
    command
}

/// Build scripts and macros: nobody would be there to be called.
fn runs_while_compiling(args: &[OsString]) -> bool {
    args.windows(2).any(|pair| {
        let is_build_script = || pair[1].to_string_lossy().starts_with("build_script_");
        pair[0] == "--crate-type" && pair[1] == "proc-macro" || pair[0] == "--crate-name" && is_build_script()
    })
}

/// A build script that compiles something to see whether that works asks for no JSON.
fn is_compiled_by_cargo(args: &[OsString]) -> bool {
    args.iter().any(|arg| arg.to_string_lossy().starts_with("--json"))
}

fn rustdoc(real: &OsStr, args: Vec<OsString>) -> Command {
    let mut command = Command::new(real);
    command.env_remove(REAL_RUSTDOC).env_remove(RUSTDOC_OUT).env_remove(CHECK_CONTRACTS);
    if args.iter().any(|arg| arg == "--output-format") {
        command.env("RUSTC_BOOTSTRAP", "1");
        command.args(redirected(args, env::var_os(RUSTDOC_OUT).as_deref()));
    } else {
        command.args(args);
    }
    command
}

fn sanitizing_rustc(sanitizer: &OsStr, inner_wrapper: Option<OsString>, args: Vec<OsString>) -> Command {
    let (is_in_worker, is_instrumented) = (is_in_worker(&args), !is_runtime(&args));
    let mut command = rustc(inner_wrapper, args);
    if is_in_worker {
        // The sanitizer follows them from each allocation to whoever asked for it.
        command.arg("-Cforce-frame-pointers=yes");
    }
    if is_in_worker && is_instrumented {
        let mut flag = OsString::from("-Zsanitizer=");
        flag.push(sanitizer);
        command.env("RUSTC_BOOTSTRAP", "1").args(["--cfg", "provoke_sanitized"]).arg(flag);
    }
    command
}

/// Whether cargo compiles a crate that runs in the worker. What runs while compiling has no `--target`, given that cargo was
/// told one.
fn is_in_worker(args: &[OsString]) -> bool {
    is_compiled_by_cargo(args) && args.iter().any(|arg| arg.to_string_lossy().starts_with("--target"))
}

/// The runtime in the worker is left as fast as it is: what code under test does to memory goes through the generic code that
/// the harness makes of it.
fn is_runtime(args: &[OsString]) -> bool {
    let crate_name = args.windows(2).find(|pair| pair[0] == "--crate-name").map(|pair| &pair[1]);
    crate_name.is_some_and(|name| RuntimePackage::all().iter().any(|package| *name == package.library))
}

/// Only returns if the program could not be run.
#[cfg(unix)]
fn run_in_place(mut command: Command) -> i32 {
    use std::io::Write;
    let error = std::os::unix::process::CommandExt::exec(&mut command);
    let program = command.get_program().to_string_lossy().into_owned();
    // Cargo shows this to the user; there is no one else to tell.
    let _ = writeln!(std::io::stderr(), "error: cannot run `{program}`: {error}");
    127
}

#[cfg(not(unix))]
fn run_in_place(mut command: Command) -> i32 {
    command.status().ok().and_then(|status| status.code()).unwrap_or(127)
}

fn redirected(args: Vec<OsString>, out: Option<&OsStr>) -> Vec<OsString> {
    let Some(out) = out else { return args };
    let mut is_value = false;
    args.into_iter()
        .map(|arg| {
            let arg = if is_value { out.to_owned() } else { arg };
            is_value = !is_value && ["-o", "--output", "--out-dir"].iter().any(|o| arg == *o);
            arg
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_output_directory_is_replaced() {
        let args = ["--edition=2021", "-o", "target/doc", "-L", "x"].map(OsString::from);
        assert_eq!(redirected(args.to_vec(), Some(OsStr::new("-o"))), ["--edition=2021", "-o", "-o", "-L", "x"]);
        assert_eq!(redirected(args.to_vec(), None), args);
    }

    fn spelled(line: &str, inner_wrapper: &str) -> String {
        let args = line.split(' ').map(OsString::from).collect();
        let command = sanitizing_rustc(OsStr::new("address"), Some(inner_wrapper.into()), args);
        let mut words = vec![command.get_program().to_owned()];
        words.extend(command.get_args().map(OsStr::to_owned));
        let is_set = command.get_envs().any(|(name, value)| name == "RUSTC_BOOTSTRAP" && value.is_some());
        assert_eq!(is_set, words.last().is_some_and(|word| word == "-Zsanitizer=address"));
        words.join(OsStr::new(" ")).into_string().unwrap()
    }

    #[test]
    fn the_edges_of_listed_packages_are_counted_and_of_nothing_that_runs_while_compiling() {
        assert!(lists("slab@0.4.4 provoke-harness-slab@0.0.0", "slab@0.4.4"));
        assert!(!lists("slab@0.4.4 provoke-harness-slab@0.0.0", "slab@0.4.40"));
        let n_added = |line: &str, is_listed: bool| {
            let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let n_args = args.len();
            let command = counting_rustc(is_listed, Some("sccache".into()), args);
            assert_eq!(command.get_program(), "sccache");
            command.get_args().count() - n_args
        };
        let library = "rustc --crate-name slab --json=artifacts --crate-type lib";
        assert_eq!(n_added(library, true), COUNTING.len());
        assert_eq!(n_added(library, false), 0);
        for line in [
            "rustc --crate-name build_script_build --json=artifacts --crate-type bin",
            "rustc --crate-name build_script_main --json=artifacts --crate-type bin",
            "rustc --crate-name slab_macros --json=artifacts --crate-type proc-macro",
            "rustc --crate-name probe0 --crate-type lib",
            "rustc -vV",
        ] {
            assert_eq!(n_added(line, true), 0, "{line}");
        }
    }

    #[test]
    fn macros_write_checks_unless_the_user_has_them_write_something_else() {
        let settings = |package: &str, line: &str| {
            let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            contract_settings(Some(package), "list@1.0.0 provoke-verify-list@0.0.0", &args).join(" ")
        };
        let line = "rustc --crate-name anodized_macros --json=artifacts --check-cfg anodized_hax --cfg anodized_print";
        assert_eq!(settings("anodized-macros@0.8.0", line), "--cfg anodized_panic");
        assert_eq!(settings("anodized-core@0.8.0", line), "");
        assert_eq!(settings("anodized-macros@0.8.0", "rustc -vV"), "");
        assert_eq!(settings("anodized-macros@0.8.0", &format!("{line} --cfg anodized_hax")), "");
        assert_eq!(settings("anodized-macros@0.8.0", &format!("{line} --cfg=anodized_embed_specs")), "");
    }

    #[test]
    fn specifications_are_compiled_in_what_is_specified_and_in_no_other_crate() {
        let settings = |package: &str, line: &str| {
            let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            contract_settings(Some(package), "list@1.0.0 provoke-verify-list@0.0.0", &args).join(" ")
        };
        let line = "rustc --crate-name it --json=artifacts";
        for package in ["list@1.0.0", "provoke-verify-list@0.0.0", "provoke@0.1.0", "provoke-macros@0.2.0"] {
            assert_eq!(settings(package, line), "--cfg provoke", "{package}");
            assert_eq!(settings(package, "rustc -vV"), "", "{package}");
        }
        for package in ["list@1.0.1", "slab@1.0.0", "provoke-exec@0.1.0"] {
            assert_eq!(settings(package, line), "", "{package}");
        }
    }

    #[test]
    fn only_what_runs_in_the_worker_is_instrumented() {
        let flag = " -Cforce-frame-pointers=yes --cfg provoke_sanitized -Zsanitizer=address";
        let target = "rustc --crate-name slab --json=artifacts --target x86_64-unknown-linux-gnu";
        assert_eq!(spelled(target, ""), format!("{target}{flag}"));
        assert_eq!(spelled(target, "sccache"), format!("sccache {target}{flag}"));
        for untouched in [
            "rustc --crate-name build_script_build --json=artifacts",
            "rustc --crate-name probe0 --target x86_64-unknown-linux-gnu",
            "rustc -vV",
        ] {
            assert_eq!(spelled(untouched, ""), untouched);
        }
        let runtime = "rustc --crate-name provoke_exec --json=artifacts --target x86_64-unknown-linux-gnu";
        assert_eq!(spelled(runtime, ""), format!("{runtime} -Cforce-frame-pointers=yes"));
    }
}
