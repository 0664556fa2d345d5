//! A known bug of a released crate, as a corpus lists it.

use std::path::Path;

use serde::Deserialize;

use crate::corpus::oracle_kind::OracleKind;
use crate::support::crate_list::CrateVersion;

/// What a corpus says of one bug, as far as a program can use it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Bug {
    #[serde(rename = "crate")]
    name: String,
    version: String,
    /// The public functions whose call shows it; any one of them counts.
    #[serde(rename = "function")]
    pub functions: Vec<String>,
    expect: OneOrMore,
    /// A stable part of the panic or abort message; empty where there is none.
    #[serde(default)]
    message: String,
    #[serde(default)]
    messages_also: Vec<String>,
    /// `file:line` in the crate; empty where nothing panics inside it.
    #[serde(default)]
    place: String,
    #[serde(default)]
    places_also: Vec<String>,
    #[serde(default)]
    pub build: Build,
    #[serde(default)]
    pub features: Vec<String>,
    /// Can be shown with small numbers and short texts.
    #[serde(default = "yes")]
    pub modest: bool,
    /// A tool can be expected to report it.
    #[serde(default = "yes")]
    pub fair: bool,
}

/// Which build shows a bug.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Build {
    #[default]
    Debug,
    Release,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(OracleKind),
    More(Vec<OracleKind>),
}

#[derive(Deserialize)]
struct Corpus {
    #[serde(rename = "bug", default)]
    bugs: Vec<Bug>,
}

fn yes() -> bool {
    true
}

impl Bug {
    pub fn krate(&self) -> CrateVersion {
        CrateVersion { name: self.name.clone(), version: self.version.clone() }
    }

    pub fn expects(&self, kind: OracleKind) -> bool {
        match &self.expect {
            OneOrMore::One(expected) => *expected == kind,
            OneOrMore::More(expected) => expected.contains(&kind),
        }
    }

    /// One of its messages is part of the text. A bug without messages is not choosy.
    pub fn has_message_in(&self, text: &str) -> bool {
        text.contains(&self.message) || self.messages_also.iter().any(|message| text.contains(message))
    }

    /// Whether a location (`file:line:column`) is one of its places.
    pub fn is_at(&self, location: &str) -> bool {
        let line_only = location.rsplit_once(':').map_or(location, |(line, _column)| line);
        let mut places = std::iter::once(&self.place).chain(&self.places_also);
        places.any(|place| !place.is_empty() && (place == location || place == line_only))
    }

    /// It panics inside the crate.
    pub fn has_place(&self) -> bool {
        !self.place.is_empty()
    }

    /// The first of its functions, without the crate and the modules: `Slab::insert`.
    pub fn short_function(&self) -> String {
        let function = self.functions.first().map_or("", String::as_str);
        match function.strip_prefix('<').and_then(|rest| rest.split_once(" as ")) {
            Some((owner, rest)) => {
                let (of_trait, method) = rest.rsplit_once(">::").unwrap_or((rest, ""));
                format!("<{} as {}>::{method}", last_segment(owner), last_segment(of_trait))
            }
            None => {
                let segments: Vec<&str> = function.split("::").collect();
                let is_member = segments.iter().rev().nth(1).is_some_and(|owner| owner.starts_with(char::is_uppercase));
                segments[segments.len().saturating_sub(if is_member { 2 } else { 1 })..].join("::")
            }
        }
    }

    /// Whether a developer who looks for this text means this bug.
    pub fn is_meant_by(&self, text: &str) -> bool {
        self.krate().to_string().contains(text) || self.functions.iter().any(|function| function.contains(text))
    }
}

fn last_segment(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

pub fn read(path: &Path) -> Result<Vec<Bug>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    parse(&text).map_err(|message| format!("{}: {message}", path.display()))
}

pub(crate) fn parse(text: &str) -> Result<Vec<Bug>, String> {
    let corpus: Corpus = toml::from_str(text).map_err(|error| error.to_string())?;
    if let Some(bug) = corpus.bugs.iter().find(|bug| bug.functions.is_empty()) {
        return Err(format!("a bug of {} names no function", bug.krate()));
    }
    if corpus.bugs.is_empty() { Err("no bugs are listed".to_owned()) } else { Ok(corpus.bugs) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLAB: &str = r#"
        # A comment, and fields that are for people.
        [[bug]]
        crate = "slab"
        version = "0.4.3"
        kind = "panic"
        trigger = '''`once((1,x)).collect::<Slab<_>>(); insert×n`'''
        function = ["slab::Slab::insert", "<slab::Slab as FromIterator>::from_iter"]
        expect = "panic"
        message = "entered unreachable code"
        place = "src/lib.rs:942"
        modest = true
        fair = true
    "#;

    fn bug(text: &str) -> Bug {
        parse(text).expect("valid").remove(0)
    }

    #[test]
    fn fields_that_are_left_out_have_defaults() {
        let bug = bug(SLAB);
        assert_eq!(bug.krate().to_string(), "slab@0.4.3");
        assert_eq!((bug.build, bug.fair, bug.modest), (Build::Debug, true, true));
        assert!(bug.features.is_empty());
        assert!(bug.expects(OracleKind::Panic) && !bug.expects(OracleKind::Law));
    }

    #[test]
    fn expectations_can_be_a_list_and_a_build_can_be_named() {
        let text = SLAB.replace("expect = \"panic\"", "expect = [\"signal\", \"drop\"]\nbuild = \"release\"");
        let bug = bug(&text.replace("fair = true", "fair = false\nfeatures = [\"std\"]"));
        assert!(bug.expects(OracleKind::Signal) && bug.expects(OracleKind::Drop) && !bug.expects(OracleKind::Panic));
        assert_eq!((bug.build, bug.fair, bug.features), (Build::Release, false, vec!["std".to_owned()]));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        assert_eq!(parse(""), Err("no bugs are listed".to_owned()));
        assert!(parse("[[bug]]\ncrate = \"slab\"").is_err());
        assert!(parse(&SLAB.replace("expect = \"panic\"", "expect = \"surprise\"")).is_err());
        assert!(parse(&SLAB.replace("modest", "build = \"fast\"\nmodest")).is_err());
        let without_function =
            SLAB.replace("slab::Slab::insert", "").replace(", \"<slab::Slab as FromIterator>::from_iter\"", "");
        assert!(parse(&without_function.replace("[\"\"]", "[]")).is_err());
    }

    #[test]
    fn a_place_is_a_line_whatever_the_column() {
        let bug = bug(&SLAB.replace("modest", "places_also = [\"src/iter.rs:7\"]\nmodest"));
        assert!(bug.is_at("src/lib.rs:942:5") && bug.is_at("src/iter.rs:7:1"));
        assert!(!bug.is_at("src/lib.rs:94:2") && !bug.is_at("lib.rs:942:5"));
        let nowhere = self::bug(&SLAB.replace("src/lib.rs:942", ""));
        assert!(!nowhere.is_at("") && !nowhere.is_at("src/lib.rs:942:5"));
    }

    #[test]
    fn one_of_several_messages_is_enough() {
        let bug = bug(&SLAB.replace("modest", "messages_also = [\"overflow\"]\nmodest"));
        assert!(bug.has_message_in("internal error: entered unreachable code: no"));
        assert!(bug.has_message_in("attempt to add with overflow"));
        assert!(!bug.has_message_in("index out of bounds"));
        assert!(self::bug(&SLAB.replace("entered unreachable code", "")).has_message_in("anything"));
    }

    #[test]
    fn functions_are_shown_without_crate_and_modules() {
        let short = |function: &str| bug(&SLAB.replace("slab::Slab::insert", function)).short_function();
        assert_eq!(short("slab::Slab::insert"), "Slab::insert");
        assert_eq!(short("petgraph::algo::tarjan_scc"), "tarjan_scc");
        assert_eq!(short("<a::b::C as d::E>::f"), "<C as E>::f");
        assert_eq!(short("diff"), "diff");
    }
}
