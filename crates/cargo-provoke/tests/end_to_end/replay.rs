//! Saved findings, run again after the crate has changed.

use std::fs;

use expect_test::expect;

use crate::copied_crate::CopiedCrate;
use crate::run::{Run, text};

const MANIFEST: &str = "[package]\nname = \"subject\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
const LIBRARY: &str = "\
pub fn stays(place: u8) -> bool {
    [true, false, true][usize::from(place)]
}

pub fn is_mended(place: u8) -> bool {
    [true, false, true][usize::from(place)]
}

pub fn changes(n: u8) -> bool {
    let mut text = String::new();
    text.extend(n.to_string().chars());
    debug_assert!(text.len() < 3, \"at most two digits\");
    text.is_empty()
}

pub fn goes(n: u8) -> bool {
    let mut text = String::new();
    text.extend(n.to_string().chars());
    debug_assert!(text.len() < 2, \"at most one digit\");
    text.is_empty()
}
";

/// With the ids of findings replaced by the names of their functions, which do not depend on how ids are made.
fn named(text: &str, run: &Run) -> String {
    let mut named = text.to_string();
    for finding in run.findings() {
        let function = finding["function"].as_str().unwrap().trim_start_matches("subject::");
        named = named.replace(crate::run::text(&finding["id"]), &format!("[{function}]"));
    }
    named
}

#[test]
fn all_findings_are_run_again_and_each_says_what_became_of_it() {
    let copied = CopiedCrate::of_files(&[("Cargo.toml", MANIFEST), ("src/lib.rs", LIBRARY)]);
    copied.provoke(&["replay", "--all"]).refuses_with(1);
    let run = copied.provoke(&["--calls", "1k"]).exits_with(100);
    assert_eq!(run.findings().len(), 4);
    let unchanged = copied.provoke(&["replay", "--all"]).exits_with(100).stdout;
    assert!(unchanged.ends_with("Replayed 4 findings: 4 still there, 0 changed, 0 fixed, 0 cannot be run any more\n"));

    let (start, rest) = LIBRARY.split_once("pub fn is_mended").unwrap();
    let mended = rest.replacen("[usize::from(place)]", "[usize::from(place % 3)]", 1);
    let changed = mended.replace("at most two digits", "too long").replace("pub fn goes(n: u8)", "pub fn went(n: u8)");
    // A line more above: what moved is still the same.
    fs::write(copied.path("src/lib.rs"), format!("//! Edited.\n{start}pub fn is_mended{changed}")).unwrap();
    let replayed = copied.provoke(&["replay", "--all", "--deny", "suspicious"]).exits_with(100);
    let mut lines: Vec<String> = named(&replayed.stdout, &run).lines().map(str::to_string).collect();
    let totals = lines.pop().unwrap();
    let mut blocks: Vec<String> = Vec::new();
    for line in lines {
        match blocks.last_mut() {
            Some(block) if line.starts_with("             ") => block.push_str(&format!("\n{line}")),
            _ => blocks.push(line),
        }
    }
    // By id, and an id says nothing.
    blocks.sort();
    expect![[r#"
        $ cargo provoke
               Fixed [is_mended]  subject::is_mended
             Changed [changes]  subject::changes at src/lib.rs:13:5
                     message: was `at most two digits`, is `too long`
          Cannot run [goes]  subject::goes: the crate no longer has `subject::goes`
         Still there [stays]  subject::stays at src/lib.rs:3:5
            Replayed 4 findings: 1 still there, 1 changed, 1 fixed, 1 cannot be run any more
    "#]]
    .assert_eq(&format!("$ cargo provoke\n{}\n{totals}\n", blocks.join("\n")));

    let only_suspicious = "[[accept]]\nid = \"ID\"\nreason = \"known\"\n";
    let changed = run.findings().iter().find(|finding| finding["function"] == "subject::changes").unwrap();
    fs::write(copied.path("provoke.toml"), only_suspicious.replace("ID", text(&changed["id"]))).unwrap();
    let accepted = copied.provoke(&["replay", "--all"]).exits_with(0).stdout;
    assert!(accepted.contains("subject::changes at src/lib.rs:13:5 (accepted)\n"), "{accepted}");
}

#[test]
fn a_finding_is_looked_for_in_every_package() {
    let member = |name: &str| MANIFEST.replace("subject", name);
    let copied = CopiedCrate::of_files(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"first\", \"second\"]\nresolver = \"2\"\n"),
        ("first/Cargo.toml", &member("first")),
        ("first/src/lib.rs", "pub fn one() -> u8 {\n    1\n}\n"),
        ("second/Cargo.toml", &member("second")),
        (
            "second/src/lib.rs",
            "pub fn at(place: u8) -> bool {\n    inner(place)\n}\n\nfn inner(place: u8) -> bool {\n    [true, false][usize::from(place)]\n}\n",
        ),
    ]);
    copied.provoke(&["--workspace", "--calls", "200"]).exits_with(0);
    let summary = fs::read_to_string(copied.path("target/provoke/second/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    let id = text(&summary["findings"][0]["id"]);
    let replayed = copied.provoke(&["replay", &id[..6], "--workspace"]).exits_with(0);
    expect![[r#"
        1  let _ = second::at(2);
             => panicked: index out of bounds: the len is 2 but the index is 2

        suspicious: second::at at src/lib.rs:6:5
              rule: undocumented-panic: a panic that callers can cause is announced in the docs
               why: the caller may be to blame, but nothing says what is asked of callers
              note: a false alarm if the refusal is conventional for this kind of function

        backtrace, the failing place first:
          (2 calls of std)
          inner
              at src/lib.rs:6:5
          at
              at src/lib.rs:2:5
    "#]]
    .assert_eq(&replayed.stdout);
    let all = copied.provoke(&["replay", "--all", "--workspace"]).exits_with(0).stdout;
    assert!(
        all.ends_with("Replayed 1 finding: 1 still there, 0 changed, 0 fixed, 0 cannot be run any more\n"),
        "{all}"
    );
    let unknown = copied.provoke(&["replay", "zzz", "--workspace"]).refuses_with(1);
    assert_eq!(unknown, format!("error: there is no finding `zzz`\nhint: known: {id}\n"));
}
