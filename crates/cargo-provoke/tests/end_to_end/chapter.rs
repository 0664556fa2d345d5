//! The chapter about contracts does what it says: its code is what is run, and its output is what comes of that.
//!
//! Each block of the chapter comes after a comment that says what it is. Changes are applied one after the other to a copy of the
//! crate that the chapter starts with, commands are run there, and everything else is compared with the last run.
//! `UPDATE_EXPECT=1 cargo test` writes anew what is compared; never what is run, nor which findings are shown.

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;

use crate::chapter_block::{Block, Sample};
use crate::copied_crate::CopiedCrate;
use crate::run::{Run, text};

const PACKAGE: &str = "greatest-first";

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

#[test]
fn each_step_of_the_chapter_finds_what_the_chapter_says() {
    let path = docs().join("contracts.md");
    let chapter = fs::read_to_string(&path).unwrap();
    let mut lesson = Lesson::new();
    let (mut shown_now, mut n_copied) = (String::new(), 0);
    for block in Block::all_of(&chapter) {
        shown_now += &chapter[n_copied..block.start];
        let now = lesson.go_on(&block).filter(|now| without_figures(now) != without_figures(block.body));
        shown_now += now.as_deref().unwrap_or(block.body);
        n_copied = block.start + block.body.len();
    }
    shown_now += &chapter[n_copied..];
    lesson.assert_all_is_shown();
    assert_eq!(lesson.n_runs, 8);
    expect_file![path].assert_eq(&shown_now);
}

/// Where a reader has come to who does what the chapter says.
struct Lesson {
    copied: CopiedCrate,
    run: Option<Run>,
    n_runs: usize,
    /// What all runs printed.
    said: String,
    /// Findings of the last run that the chapter did not show yet, as it names them.
    unshown: Vec<String>,
}

impl Lesson {
    fn new() -> Lesson {
        Lesson {
            copied: CopiedCrate::example("contracts"),
            run: None,
            n_runs: 0,
            said: String::new(),
            unshown: Vec::new(),
        }
    }

    /// Does what a block wants. Gives what it should show, if it shows something.
    fn go_on(&mut self, block: &Block<'_>) -> Option<String> {
        match &block.sample {
            Sample::File(name) => return Some(fs::read_to_string(docs().join("contracts").join(name)).unwrap()),
            Sample::Excerpt(name) => {
                let source = fs::read_to_string(docs().join("..").join(name)).unwrap();
                let unindented: String = source.lines().map(|line| format!("{}\n", line.trim_start())).collect();
                let excerpt: String = block.body.lines().map(|line| format!("{}\n", line.trim_start())).collect();
                assert!(unindented.contains(&excerpt), "not in {name}:\n{}", block.body);
            }
            Sample::Change(name) => {
                let before = fs::read_to_string(self.copied.path(name)).unwrap();
                let hunks = block.body.split("@@\n");
                let after = hunks.fold(before, |text, hunk| changed(&text, hunk));
                self.copied.write(name, &after);
            }
            Sample::Run => self.run(block.body),
            Sample::Finding { named, has_steps } => {
                let place = self.unshown.iter().position(|unshown| unshown == named);
                let place = place.unwrap_or_else(|| panic!("{named} is not found, but {:?}", self.unshown));
                self.unshown.remove(place);
                return Some(finding(self.last_run(), named, *has_steps));
            }
            Sample::LastLines => {
                let lines = self.last_run().stderr.lines().skip_while(|line| !line.starts_with("   Functions "));
                return Some(lines.map(|line| format!("{line}\n")).collect());
            }
            Sample::Shell => {
                let comment = format!("    // {}\n", block.body.trim_end());
                assert!(self.said.contains(&comment), "no test has it: {comment}");
            }
            Sample::Summary(field) => {
                let summary = self.copied.path("target/provoke").join(PACKAGE).join("summary.json");
                return Some(field_of(&fs::read_to_string(summary).unwrap(), field));
            }
        }
        None
    }

    fn run(&mut self, command: &str) {
        self.assert_all_is_shown();
        let args = command.trim_end().strip_prefix("cargo provoke ").expect("a command of ours");
        let run = self.copied.provoke(&args.split(' ').collect::<Vec<_>>());
        assert_eq!(run.summary()["tests"]["rejected"], 0);
        let has_errors = run.findings().iter().any(|finding| finding["tier"] == "error");
        let run = run.exits_with(if has_errors { 100 } else { 0 });
        self.unshown = run.findings().iter().map(name_of).collect();
        self.said += &run.stderr;
        self.n_runs += 1;
        self.run = Some(run);
    }

    fn last_run(&self) -> &Run {
        self.run.as_ref().expect("a run comes before what it prints")
    }

    fn assert_all_is_shown(&self) {
        assert!(self.unshown.is_empty(), "run {} finds more than the chapter says: {:?}", self.n_runs, self.unshown);
    }
}

/// `error overflow get`
fn name_of(finding: &serde_json::Value) -> String {
    let [tier, oracle, function] = ["tier", "oracle", "function"].map(|field| text(&finding[field]));
    format!("{tier} {oracle} {}", function.rsplit("::").next().unwrap_or_default())
}

/// What is printed about a finding, from its first line to the one before `rerun:`.
fn finding(run: &Run, named: &str, has_steps: bool) -> String {
    let finding = run.findings().iter().find(|finding| name_of(finding) == named).expect("it is one of them");
    let rerun = format!("rerun: cargo provoke replay {}", text(&finding["id"]));
    let lines: Vec<&str> = run.stderr.lines().collect();
    let end = lines.iter().position(|line| line.trim_start() == rerun).expect("each finding says how to see it again");
    let is_first = |line: &&str| ["       ERROR ", "  SUSPICIOUS "].iter().any(|start| line.starts_with(start));
    let start = lines[..end].iter().rposition(is_first).expect("each finding has a first line");
    let is_step = |line: &&str| line.starts_with("    1  ");
    let n_lines = if has_steps { None } else { lines[start..end].iter().position(is_step) };
    let shown = lines[start..n_lines.map_or(end, |n_lines| start + n_lines)].join("\n");
    let mark = if n_lines.is_some() { "\n    […]\n" } else { "" };
    format!("{}\n{mark}", shown.trim_end())
}

/// One field of a JSON file of ours, as it stands there.
fn field_of(json: &str, field: &str) -> String {
    let start = format!("  \"{field}\": {{");
    let lines = json.lines().skip_while(|line| *line != start);
    let mut field = String::new();
    for line in lines {
        field += &format!("{}\n", line.strip_prefix("  ").unwrap_or(line));
        if line.starts_with("  }") {
            break;
        }
    }
    field
}

/// The text after one hunk of a change.
fn changed(text: &str, hunk: &str) -> String {
    let side = |left_out: char| -> String {
        let lines = hunk.lines().filter(|line| !line.starts_with(left_out));
        lines.map(|line| format!("{}\n", line.get(1..).unwrap_or_default())).collect()
    };
    let (before, after) = (side('+'), side('-'));
    assert_eq!(text.matches(&before).count(), 1, "what is to be changed is not there, or not once:\n{hunk}\n{text}");
    text.replacen(&before, &after, 1)
}

/// What depends on the machine or on the path of the search is not worth a new chapter.
fn without_figures(text: &str) -> String {
    let figures_after =
        ["       Calls ", "    Coverage ", "     Outlook ", "    Finished ", "   Contracts ", "warning: "];
    let json_figures = ["\"attempts\": ", "\"satisfied\": ", "\"violated\": ", "\"discarded\": ", "\"asked\": "];
    let masked = |line: &str| {
        let is_of_figures = figures_after.iter().any(|start| line.starts_with(start))
            || json_figures.iter().any(|start| line.trim_start().starts_with(start))
            || line.contains(" calls, minimized from ");
        match is_of_figures {
            _ if line.starts_with("     Outlook ") => "     Outlook [..]\n".to_string(),
            true => format!("{}\n", line.replace(|c: char| c.is_ascii_digit() || ".,kM".contains(c), "")),
            false => format!("{line}\n"),
        }
    };
    text.lines().map(masked).collect()
}
