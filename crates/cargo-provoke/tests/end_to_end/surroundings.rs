//! The harness sees what the user's build sees, and leaves the user's files alone.

use std::fs;
use std::path::PathBuf;

use crate::copied_crate::CopiedCrate;
use crate::run::text;

#[test]
fn configuration_patches_inheritance_and_features_apply() {
    let copied = CopiedCrate::behaviour("surroundings");
    let before = copied.files();
    let run = copied.provoke(&["-p", "member", "--features", "extra", "--calls", "500", "--offline"]).exits_with(0);
    let api = &run.summary()["api"];
    assert_eq!((&api["functions"], &api["covered"]), (&6.into(), &6.into()), "{api:#}");
    let listed = |args: &[&str]| {
        let list = copied.provoke(args).exits_with(0).stdout;
        ["usual", "extra"].map(|function| list.contains(&format!(" {function}\n")))
    };
    assert_eq!(listed(&["list", "-p", "member", "--offline"]), [true, false]);
    assert_eq!(listed(&["list", "-p", "member", "--offline", "-F", "member/extra"]), [true, true]);
    assert_eq!(listed(&["list", "-p", "member", "--offline", "--no-default-features"]), [false, false]);
    assert_eq!(copied.files(), before);
}

#[test]
fn the_oldest_edition_odd_names_and_an_odd_path_are_no_obstacle() {
    let copied = CopiedCrate::behaviour_as("odd-names", "päth with späces & 'quotes'");
    let run = copied.provoke(&["--calls", "20k"]).exits_with(100);
    assert_eq!(run.verdicts(), ["error other_name::dyn::await", "suspicious other_name::async::try"]);
    assert_eq!(run.summary()["tests"]["rejected"], 0);
    assert_eq!(run.summary()["package"], "odd-names");
    let id = text(&run.findings()[0]["id"]);
    let replayed = copied.provoke(&["replay", id]).exits_with(0).stdout;
    assert!(replayed.contains("five is never seen"), "{replayed}");
}

#[test]
fn the_target_directory_may_be_elsewhere() {
    let copied = CopiedCrate::subject("int-stack");
    let elsewhere = copied.path("somewhere/else");
    let run = copied.provoke_with(&["--calls", "500"], &[("CARGO_TARGET_DIR", elsewhere.to_str().unwrap())]);
    let run = run.exits_with(0);
    assert!(elsewhere.join("provoke/int-stack/summary.json").exists(), "{}", run.stderr);
    assert!(!copied.path("target").exists());
}

#[test]
fn the_runtime_is_compiled_once_for_all_crates_and_again_if_what_was_kept_is_damaged() {
    let cache = tempfile::tempdir().unwrap();
    let entries = || -> Vec<(PathBuf, Vec<u8>)> {
        let files = fs::read_dir(cache.path().join("runtime")).unwrap().map(|file| file.unwrap().path());
        let mut entries: Vec<_> = files.map(|path| (path.clone(), fs::read(path).unwrap())).collect();
        entries.sort();
        entries
    };
    let run = |subject: &str, code: i32| {
        let variables = [("PROVOKE_CACHE", cache.path().to_str().unwrap())];
        CopiedCrate::subject(subject).provoke_with(&["--calls", "20k"], &variables).exits_with(code);
    };
    run("int-stack", 0);
    let kept = entries();
    assert_eq!(kept.len(), 2, "wire and exec");
    run("sorted-list", 100);
    assert!(entries() == kept, "nothing was compiled anew");
    for (path, bytes) in &kept {
        fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
    }
    run("sorted-list", 100);
    let mended = entries();
    assert_eq!(mended.len(), 2);
    assert!(mended.iter().zip(&kept).all(|(mended, kept)| mended.0 == kept.0 && mended.1.len() > kept.1.len() / 2));
}

#[test]
fn a_change_of_the_sources_is_noticed() {
    let copied = CopiedCrate::subject("sorted-list");
    let source = copied.path("src/lib.rs");
    let replace = |old: &str, new: &str| {
        let text = fs::read_to_string(&source).unwrap();
        assert!(text.contains(old));
        fs::write(&source, text.replace(old, new)).unwrap();
    };
    let run = copied.provoke(&["--calls", "50k"]).exits_with(100);
    let id = text(&run.findings()[0]["id"]);
    assert!(copied.provoke(&["replay", id]).exits_with(0).stdout.contains("panicked"));

    replace("item < *max", "item > *max");
    let replayed = copied.provoke(&["replay", id]).exits_with(0).stdout;
    assert!(
        replayed.contains(&format!("fixed: finding {id} no longer fails: every step runs to its end\n")),
        "{replayed}"
    );
    let run = copied.provoke(&["--calls", "50k"]).exits_with(0);
    assert_eq!(run.verdicts(), [""; 0]);
    assert!(!copied.path("target/provoke/sorted-list/findings").join(format!("{id}.rs")).exists());

    replace("pub fn is_empty", "pub fn has_nothing");
    let list = copied.provoke(&["list"]).exits_with(0).stdout;
    assert!(list.contains("  callable  has_nothing\n") && !list.contains("is_empty"), "{list}");
    assert!(list.contains("  covered   insert\n"), "{list}");
}
