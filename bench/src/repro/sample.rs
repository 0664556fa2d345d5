//! A sample of open sides of frontier conditions, read by hand: `survey/frontier.txt`.
//!
//! It was drawn by a fixed seed before the search was tuned, by `repro randoop --draw`. A line each:
//! `crate | condition -> side | verdict | source`.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use crate::repro::bench::Bench;
use crate::repro::frontier::{SUBJECTS, SideName, before, open_sides};
use crate::workspace_root;

const N_SIDES: usize = 40;

/// Of the draw and of the searches.
const SEED: u64 = 0;

/// What a side that leaves the function of its condition is written as.
const OUT: &str = "out";

const HEADER: &str = "\
# Sides of conditions that the directed search left open: 40 of all, drawn by `cargo xtask repro randoop --draw` with a fixed seed
# and read by hand. The third column says whether any program can take them: feasible, infeasible: why, or unknown.
";

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Feasible,
    Infeasible(String),
    Unknown,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sampled {
    pub subject: String,
    pub side: SideName,
    pub verdict: Verdict,
    /// The line of the condition.
    pub source: String,
}

impl Sampled {
    pub fn key(&self) -> (String, SideName) {
        (self.subject.clone(), self.side.clone())
    }
}

fn path() -> PathBuf {
    workspace_root().join("survey").join("frontier.txt")
}

pub fn read() -> Result<Vec<Sampled>, String> {
    let path = path();
    let text = fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    parse(&text).map_err(|message| format!("{}: {message}", path.display()))
}

/// Draws the sample; verdicts of sides that were in it before are kept.
pub fn draw(bench: &Bench) -> Result<(), String> {
    let known: BTreeMap<(String, SideName), Verdict> =
        read().unwrap_or_default().into_iter().map(|sampled| (sampled.key(), sampled.verdict)).collect();
    let mut all = Vec::new();
    for subject in SUBJECTS {
        let (record, root) = bench.make(&before(subject, SEED))?;
        let open = open_sides(&record);
        println!("{subject}: {} open sides", open.len());
        all.extend(open.into_iter().map(|side| (subject.to_string(), side, root.clone())));
    }
    let mut text = HEADER.to_owned();
    for (subject, side, root) in drawn(all, N_SIDES, SEED) {
        let source = source_line(&root, &side.0).unwrap_or_default();
        let verdict = known.get(&(subject.clone(), side.clone())).cloned().unwrap_or(Verdict::Unknown);
        text += &line(&Sampled { subject, side, verdict, source });
    }
    let path = path();
    fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    println!("wrote {}", path.display());
    Ok(())
}

/// So many of them, each as likely as any other, in their order.
fn drawn<T>(all: Vec<T>, n: usize, seed: u64) -> Vec<T> {
    let mut state = seed;
    let mut is_chosen = vec![false; all.len()];
    let mut places: Vec<usize> = (0..all.len()).collect();
    for _ in 0..n.min(all.len()) {
        let at = (split_mix(&mut state) % places.len() as u64) as usize;
        is_chosen[places.swap_remove(at)] = true;
    }
    all.into_iter().zip(is_chosen).filter(|(_, is_chosen)| *is_chosen).map(|(item, _)| item).collect()
}

/// The generator SplitMix64.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

fn source_line(root: &std::path::Path, place: &str) -> Option<String> {
    let mut parts = place.split(':');
    let text = fs::read_to_string(root.join(parts.next()?)).ok()?;
    let line: usize = parts.next()?.parse().ok()?;
    Some(text.lines().nth(line.checked_sub(1)?)?.trim().to_owned())
}

pub fn spelled((place, to): &SideName) -> String {
    format!("{place} -> {}", to.as_deref().unwrap_or(OUT))
}

fn line(sampled: &Sampled) -> String {
    let verdict = match &sampled.verdict {
        Verdict::Feasible => "feasible".to_owned(),
        Verdict::Infeasible(reason) => format!("infeasible: {reason}"),
        Verdict::Unknown => "unknown".to_owned(),
    };
    format!("{} | {} | {verdict} | {}\n", sampled.subject, spelled(&sampled.side), sampled.source)
}

fn parse(text: &str) -> Result<Vec<Sampled>, String> {
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.map(|line| parse_line(line).ok_or_else(|| format!("`{line}` is no sampled side"))).collect()
}

fn parse_line(line: &str) -> Option<Sampled> {
    let mut parts = line.splitn(4, '|').map(str::trim);
    let (subject, side, verdict, source) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let (place, to) = side.split_once(" -> ")?;
    let verdict = match verdict {
        "feasible" => Verdict::Feasible,
        "unknown" => Verdict::Unknown,
        _ => Verdict::Infeasible(verdict.strip_prefix("infeasible: ")?.to_owned()),
    };
    let to = Some(to.to_owned()).filter(|to| to != OUT);
    Some(Sampled { subject: subject.to_owned(), side: (place.to_owned(), to), verdict, source: source.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_back_as_it_was_written() {
        let text = "ini | src/a.rs:1:2 -> src/a.rs:3:4 | infeasible: never empty | if a | b {\n\
                    url@2.2.0 | src/b.rs:9:1 -> out | feasible | match x {\n\
                    slab@0.4.4 | src/lib.rs:9:1 -> out | unknown | \n";
        let sampled = parse(&format!("{HEADER}\n{text}")).expect("valid");
        assert_eq!(sampled.iter().map(line).collect::<String>(), text);
        for wrong in ["ini | a -> b | unknown", "ini | a | unknown | x", "ini | a -> b | maybe | x"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_draw_depends_on_its_seed_and_on_nothing_else() {
        let draw = |seed| drawn((0..1000).collect(), 5, seed);
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert!(draw(1).is_sorted());
        assert_eq!(drawn(vec![1, 2], 5, 0), [1, 2]);
    }

    #[test]
    fn the_committed_sample_is_complete() {
        let sampled = read().expect("valid");
        assert_eq!(sampled.len(), N_SIDES);
        let subjects: Vec<String> = SUBJECTS.iter().map(ToString::to_string).collect();
        assert!(sampled.iter().all(|sampled| subjects.contains(&sampled.subject)));
    }
}
