//! What is printed, word for word, on the subject that everybody tries first.

use expect_test::expect;

use crate::copied_crate::CopiedCrate;
use crate::run::{Run, text};

/// What a person sees. What depends on the machine or on the path of the search is cut out, and so are progress lines,
/// of which a slow machine sees more.
fn transcript(run: &Run) -> String {
    let is_progress = |line: &&str| line.starts_with("   Searching ") && line.contains("calls/s");
    let masked = |line: &str| match (line.split_once(" in "), line.split_once(": ")) {
        (Some(_), _) if line.starts_with("       Calls ") => "       Calls [..]\n".to_owned(),
        _ if line.starts_with("    Coverage ") => "    Coverage [..]\n".to_owned(),
        _ if line.starts_with("     Outlook ") => "     Outlook [..]\n".to_owned(),
        (Some((package, _)), Some((_, end))) if line.starts_with("    Finished ") => {
            format!("{package} in [..]: {end}\n")
        }
        _ => match line.split_once(", minimized from ") {
            Some((start, _)) => format!("{start}, minimized from [..]\n"),
            None => format!("{line}\n"),
        },
    };
    // A first line that is not indented, or `expect!` would take the indentation of all others away.
    let lines: String = run.stderr.lines().filter(|line| !is_progress(line)).map(masked).collect();
    format!("$ cargo provoke\n{lines}")
}

#[test]
fn a_run_tells_its_story_on_standard_error() {
    let copied = CopiedCrate::subject("sorted-list");
    let run = copied.provoke(&["--calls", "50k"]).exits_with(100);
    assert_eq!(run.stdout, "");
    expect![[r#"
        $ cargo provoke
           Provoking sorted-list v0.1.0
             Reading public API
            Building harness
               Found 7 functions: 7 callable, 0 skipped
           Searching for calls that break it
               ERROR sorted_list::SortedList::get  no element left may be greater than the one returned
                     at src/lib.rs:53:9 · 4 calls, minimized from [..]
                     note: a false alarm if the assertion checks an argument in a way that is not seen as an entry check

            use sorted_list::SortedList;

            // Expected: an internal `debug_assert!` states what the author holds impossible.
            // Happened: no element left may be greater than the one returned
            // at src/lib.rs:53:9
            #[test]
            fn get_debug_assert() {
                let mut sorted_list = SortedList::<i32>::default();
                sorted_list.insert(0);
                sorted_list.insert(1);
                let _ = sorted_list.get();
            }

                     rerun: cargo provoke replay 46d3be0f1e

             Writing regression tests
               ERROR 46d3be0f1e  sorted_list::SortedList::get at src/lib.rs:53:9
           Functions 7 covered of 7 callable of 7 public
            Coverage [..]
               Calls [..]
             Outlook [..]
               Tests 1 failing test in [crate]/target/provoke/sorted-list/findings
               Tests 4 regression tests in [crate]/target/provoke/sorted-list/regression.rs
             Results [crate]/target/provoke/sorted-list/summary.json
            Finished sorted-list v0.1.0 in [..]: 1 error
    "#]]
    .assert_eq(&transcript(&run));

    let id = text(&run.findings()[0]["id"]);
    let replay = copied.provoke(&["replay", id]).exits_with(0);
    expect![[r#"
        1  let mut sorted_list = SortedList::<i32>::default();
             sorted_list = SortedList { items: [], max: None }
        2  sorted_list.insert(0);
             sorted_list = SortedList { items: [0], max: Some(0) }
        3  sorted_list.insert(1);
             sorted_list = SortedList { items: [0, 1], max: Some(0) }
        4  let _ = sorted_list.get();
             => panicked: no element left may be greater than the one returned

        error: sorted_list::SortedList::get at src/lib.rs:53:9
         rule: debug-assert: an internal `debug_assert!` states what the author holds impossible
          why: the crate is wrong, whatever the caller did
         note: a false alarm if the assertion checks an argument in a way that is not seen as an entry check

        backtrace, the failing place first:
          (1 call of std)
          get<i32>
              at src/lib.rs:53:9
    "#]]
    .assert_eq(&replay.stdout);

    let list = copied.provoke(&["list"]).exits_with(0);
    expect![[r#"
        sorted_list::SortedList
          covered   Default::default
          covered   contains
          covered   get
          covered   insert
          covered   is_empty
          covered   len
          covered   new

        7 functions: 7 callable (7 covered in the last run), 0 skipped
    "#]]
    .assert_eq(&list.stdout);
    let some = copied.provoke(&["list", "--only", "is_*", "--only", "Default::*", "--quiet"]).exits_with(0);
    expect![[r#"
        sorted_list::SortedList
          covered   Default::default
          covered   is_empty

        2 functions: 2 callable (2 covered in the last run), 0 skipped
    "#]]
    .assert_eq(&some.stdout);
    assert_eq!(some.stderr, "");
}

#[test]
fn a_quiet_run_without_findings_says_nothing() {
    let copied = CopiedCrate::subject("int-stack");
    let run = copied.provoke(&["--calls", "1k", "-q"]).exits_with(0);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
    let run = copied.provoke(&["--calls", "1k"]).exits_with(0);
    expect![[r#"
        $ cargo provoke
           Provoking int-stack v0.1.0
             Reading public API
            Building harness
               Found 8 functions: 8 callable, 0 skipped
           Searching for calls that break it
             Writing regression tests
           Functions 8 covered of 8 callable of 8 public
            Coverage [..]
               Calls [..]
             Outlook [..]
               Tests 7 regression tests in [crate]/target/provoke/int-stack/regression.rs
             Results [crate]/target/provoke/int-stack/summary.json
            Finished int-stack v0.1.0 in [..]: no findings
    "#]]
    .assert_eq(&transcript(&run));
    let run = copied.provoke(&["--calls", "1k", "-v"]).exits_with(0);
    assert!(run.stderr.contains("Finished `dev` profile"), "cargo is heard too:\n{}", run.stderr);
}
