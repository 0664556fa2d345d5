//! What the configuration does to a whole run.

use std::fs;

use expect_test::expect;
use serde_json::json;

use crate::copied_crate::CopiedCrate;
use crate::run::text;

const MANIFEST: &str = "[package]\nname = \"subject\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
const LIBRARY: &str = "\
pub fn at(place: u8) -> u8 {
    [2, 3, 5][usize::from(place)]
}

/// # Panics
/// If it is not below 3.
pub fn documented(place: u8) -> u8 {
    [2, 3, 5][usize::from(place)]
}

pub fn inside(n: u8) -> bool {
    let mut digits = Vec::new();
    digits.extend(n.to_string().chars());
    debug_assert!(digits.len() < 3, \"at most two digits\");
    digits.is_empty()
}
";

fn subject(config: &str) -> CopiedCrate {
    CopiedCrate::of_files(&[("Cargo.toml", MANIFEST), ("src/lib.rs", LIBRARY), ("provoke.toml", config)])
}

#[test]
fn an_accepted_finding_is_counted_and_listed_but_not_denied() {
    let copied = subject("");
    let run = copied.provoke(&["--calls", "500"]).exits_with(100);
    assert_eq!(run.verdicts(), ["error subject::inside", "suspicious subject::at"]);
    let error = run.findings().iter().find(|finding| finding["tier"] == "error").unwrap();
    let id = text(&error["id"]).to_string();
    assert_eq!((&error["accepted"], &run.summary()["accepts_unused"]), (&json!(null), &json!([])));

    let accept = format!("[[accept]]\nid = \"{id}\"\nreason = \"numbers are small\"\n");
    let unused = "[[accept]]\nid = \"0123456789\"\nreason = \"was there once\"\n";
    fs::write(copied.path("provoke.toml"), format!("{accept}\n{unused}")).unwrap();
    let run = copied.provoke(&["--calls", "500", "--write-tests"]).exits_with(0);
    let accepted = run.findings().iter().find(|finding| finding["tier"] == "error").unwrap();
    assert_eq!(accepted["accepted"], json!({ "reason": "numbers are small" }));
    assert_eq!(run.summary()["accepts_unused"], json!(["0123456789"]));
    assert!(copied.path("target/provoke/subject/findings").join(format!("{id}.rs")).exists());
    let written = fs::read_dir(copied.path("tests")).unwrap().flatten().map(|file| file.file_name());
    let n_failing = written.filter(|name| name != "provoke_regression.rs").count();
    assert_eq!(n_failing, 1, "the other one, not the accepted one");
    let said = &run.stderr;
    assert!(
        said.contains(&format!("    Accepted {id}  subject::inside at src/lib.rs:14:5: numbers are small\n")),
        "{said}"
    );
    assert!(said.contains("hint: the accepted finding 0123456789 did not occur; if it is fixed"), "{said}");
    assert!(said.trim_end().ends_with(": 1 suspicious, 1 accepted"), "{said}");
    assert!(!said.contains("at most two digits"), "its test is not shown:\n{said}");

    let run = copied.provoke(&["--calls", "500", "--only", "at"]).exits_with(0);
    assert_eq!(run.summary()["accepts_unused"], json!([]), "who looks at a part cannot tell");
    assert!(!run.stderr.contains("did not occur"), "{}", run.stderr);
}

#[test]
fn policy_decides_what_is_expected_what_is_forbidden_and_what_is_not_called() {
    let copied =
        subject("[[function]]\npath = \"at\"\npanics = \"expected\"\n[oracles]\ndebug-assert = \"suspicious\"\n");
    let verdicts = |args: &[&str]| copied.provoke(&[&["--calls", "500", "--deny", "none"], args].concat()).verdicts();
    assert_eq!(verdicts(&[]), ["suspicious subject::inside"]);
    let run = copied.provoke(&["replay", "--all"]).exits_with(0);
    assert!(run.findings()[0]["explanation"].to_string().contains("its tier is set by the configuration"));

    let forbidding = "[[function]]\npath = \"subject::*\"\npanics = \"error\"\n\n[[function]]\npath = \"inside\"\n\
                      oracles = { debug-assert = \"off\" }\n";
    fs::write(copied.path("provoke.toml"), forbidding).unwrap();
    assert_eq!(verdicts(&[]), ["error subject::at", "error subject::documented"]);

    fs::write(copied.path("provoke.toml"), "[[function]]\npath = \"inside\"\nskip = true\n").unwrap();
    let run = copied.provoke(&["--calls", "500"]).exits_with(0);
    assert_eq!(run.verdicts(), ["suspicious subject::at"]);
    let api = &run.summary()["api"];
    assert_eq!((&api["functions"], &api["callable"], &api["covered"]), (&json!(3), &json!(2), &json!(2)));
    let skipped = json!([{ "function": "subject::inside", "reason": "the configuration says so", "help": null }]);
    assert_eq!(api["skipped"], skipped);
    let list = copied.provoke(&["list"]).exits_with(0).stdout;
    assert!(list.contains("  skipped   inside      the configuration says so\n"), "{list}");
}

#[test]
fn the_manifest_can_hold_the_configuration_and_a_file_goes_before_it() {
    let manifest = format!("{MANIFEST}\n[[package.metadata.provoke.function]]\npath = \"subject\"\nskip = true\n");
    let copied = CopiedCrate::of_files(&[("Cargo.toml", &manifest), ("src/lib.rs", LIBRARY)]);
    copied.provoke(&["--calls", "500"]).exits_with(4);
    fs::write(copied.path("provoke.toml"), "[[function]]\npath = \"outside\"\nskip = true\n").unwrap();
    let run = copied.provoke(&["--calls", "500"]).exits_with(100);
    let warnings: String = run
        .stderr
        .lines()
        .filter(|line| line.starts_with("warning: ") || line.starts_with("hint: "))
        .map(|line| format!("{line}\n"))
        .collect();
    expect![[r#"
        warning: `provoke.toml` is used, and `[package.metadata.provoke]` in Cargo.toml is not
        hint: keep the configuration in one of them
        warning: `path = "outside"` in the configuration matches no function
        hint: `cargo provoke list` shows the names to match
    "#]]
    .assert_eq(&warnings);
}

#[test]
fn a_broken_configuration_is_a_usage_error_before_anything_is_built() {
    let copied = subject("[[function]]\npath = \"at\"\npanics = \"exected\"\n");
    expect![[r#"
        error: provoke.toml:3:10: invalid value `exected` for `panics`
        hint: did you mean `expected`?
    "#]]
    .assert_eq(&copied.provoke(&["--calls", "500"]).refuses_with(1));
    assert!(!copied.path("target/provoke").exists());
}

/// Nobody guesses what is on a ticket, and nothing public makes a crowd.
const THEATRE: &str = "\
pub struct Ticket {
    seat: usize,
}

impl Ticket {
    pub fn read(text: &str) -> Option<Ticket> {
        let add = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, add);
        (hash == 0x37c5_034a_caca_0fc7).then_some(Ticket { seat: 4 })
    }
}

pub fn admit(ticket: Ticket) -> u8 {
    [1, 2, 3][ticket.seat]
}

pub struct Crowd {
    size: u32,
}

impl Crowd {
    #[doc(hidden)]
    pub fn gather(size: u32) -> Crowd {
        Crowd { size }
    }

    pub fn size(&self) -> u32 {
        self.size
    }
}
";

#[test]
fn values_and_operations_by_hand_open_what_the_search_cannot() {
    let files = [("Cargo.toml", MANIFEST), ("src/lib.rs", THEATRE)];
    let copied = CopiedCrate::of_files(&files);
    let arguments = ["--calls", "20k", "--without", "regression"];
    let run = copied.provoke(&arguments).exits_with(0);
    assert_eq!((run.verdicts().len(), &run.summary()["api"]["covered"]), (0, &json!(1)));

    let config = r#"
        [values]
        "subject::Ticket" = ['subject::Ticket::read("seat 4, row 9").unwrap()', "subject::Ticket::forge()"]

        [[operation]]
        code = "|size: u8| subject::Crowd::gather(size.into())"
    "#;
    fs::write(copied.path("provoke.toml"), config).unwrap();
    let run = copied.provoke(&arguments).exits_with(0);
    assert_eq!(run.verdicts(), ["suspicious subject::admit"]);
    assert_eq!(run.summary()["tests"]["rejected"], 0);
    let test =
        fs::read_to_string(copied.path("target/provoke/subject").join(text(&run.findings()[0]["test"]))).unwrap();
    assert!(test.contains("subject::Ticket::read(\"seat 4, row 9\").unwrap()"), "{test}");
    let covered = run.summary()["api"]["covered_functions"].as_array().unwrap();
    assert!(covered.contains(&json!("subject::Crowd::size")), "{covered:?}");
    let warning =
        "`|| -> subject::Ticket { subject::Ticket::forge() }` in the configuration does not compile and is left out";
    assert!(run.stderr.contains(warning), "{}", run.stderr);
}

/// Of its shapes, the last is not among those that are taken without being asked for.
const SHAPES: &str = "\
pub trait Shape {
    fn corners(&self) -> usize;
}

macro_rules! shapes {
    ($($name:ident: $corners:expr),*) => {$(
        #[derive(Debug, Clone, Default)]
        pub struct $name;

        impl Shape for $name {
            fn corners(&self) -> usize {
                $corners
            }
        }
    )*};
}

shapes!(Arc: 0, Bow: 1, Circle: 2, Square: 4);

const NAMES: [&str; 4] = [\"round\", \"bent\", \"odd\", \"pointed\"];

pub fn name(shape: impl Shape) -> &'static str {
    NAMES[shape.corners()]
}

pub fn name_of<S: Shape>(shape: &S) -> &'static str {
    NAMES[shape.corners()]
}

pub fn name_behind(shape: Box<dyn Shape>) -> &'static str {
    NAMES[shape.corners()]
}

pub fn name_lent(shape: &dyn Shape) -> &'static str {
    NAMES[shape.corners()]
}

pub fn hashed<H: std::hash::Hasher>(mut hasher: H) -> u64 {
    hasher.write_u8(1);
    hasher.finish()
}

pub struct Drawing<S>(Vec<S>);

impl<S: Shape> Drawing<S> {
    pub fn of(shape: S) -> Drawing<S> {
        Drawing(vec![shape])
    }

    pub fn title(&self) -> &'static str {
        NAMES[self.0[0].corners()]
    }
}
";

#[test]
fn types_by_hand_stand_for_a_trait_wherever_it_is_asked_for() {
    let copied = CopiedCrate::of_files(&[("Cargo.toml", MANIFEST), ("src/lib.rs", SHAPES)]);
    let arguments = ["--calls", "20k", "--without", "regression"];
    let run = copied.provoke(&arguments).exits_with(0);
    assert_eq!(run.verdicts(), [""; 0], "what is taken without being asked for has few corners");

    let config = "[types]\nShape = [\"subject::Square\", \"subject::Sqare\", \"String\"]\n";
    fs::write(copied.path("provoke.toml"), config).unwrap();
    let run = copied.provoke(&arguments).exits_with(0);
    let broken = ["Drawing::title", "name", "name_behind", "name_lent", "name_of"];
    assert_eq!(run.verdicts(), broken.map(|function| format!("suspicious subject::{function}")));
    assert_eq!(run.summary()["tests"]["rejected"], 0);
    let lost =
        |ty: &str| format!("warning: `{ty}` in [types] is of no use: nothing that asks for a `Shape` can take it\n");
    assert!(run.stderr.contains(&lost("subject::Sqare")), "{}", run.stderr);
    assert!(run.stderr.contains(&lost("String")), "{}", run.stderr);
    assert!(!run.stderr.contains(&lost("subject::Square")), "{}", run.stderr);

    // The user might know better than we do about what is not the crate's own, but not than rustc.
    fs::write(copied.path("provoke.toml"), "[types]\nHasher = [\"String\"]\n").unwrap();
    let list = copied.provoke(&["list"]).exits_with(0).stdout;
    let skipped = "  skipped   hashed       rustc refuses every instance tried: the trait bound `String: Hasher` is not satisfied";
    assert!(list.contains(skipped), "{list}");

    let complaint = |types: &str| {
        fs::write(copied.path("provoke.toml"), format!("[types]\n{types}\n")).unwrap();
        let said = copied.provoke(&arguments).refuses_with(1);
        let lines = said.lines().filter(|line| line.starts_with("error: ") || line.starts_with("hint: "));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    expect![[r#"
        error: provoke.toml:2:1: `Shapes` is no trait that the API of `subject` mentions
        hint: did you mean `Shape`?
    "#]]
    .assert_eq(&complaint("Shapes = [\"subject::Square\"]"));
    expect![[r#"
        error: provoke.toml:2:1: `Sqare` is no type that the API of `subject` mentions
        hint: write its path, from the name of its crate on
    "#]]
    .assert_eq(&complaint("Shape = [\"Sqare\"]"));
}
