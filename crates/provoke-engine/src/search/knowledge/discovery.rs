//! What programs show that can be new (places in the target's sources, functions that return, incidents), how common each is, and
//! how likely the next programs are to show anything else.
//!
//! Programs are samples, and what they show are species. What one program alone has shown would still be unknown if that program
//! were left out, so the share of such *loners* estimates how many programs show something new (Good-Turing). The samples are not
//! independent, though: a search that builds on what is new meets it again at once, so there are fewer loners than chance would
//! leave. But then growth itself tells: it is about the same in each doubling of the programs. The larger of the two estimates is
//! taken; `ARCHITECTURE.md` has the figures behind that.
//!
//! Decisions:
//! - `docs/decisions/042-two-estimates-of-what-is-left.md`
//! - `docs/decisions/043-a-plateau-is-a-late-last-quarter.md`

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::saved_forms::{RestoreError, ensure};

/// Nobody looks at how many more programs have shown something.
pub(crate) const ENOUGH_SIGHTINGS: u8 = 2;

/// Of an edge: it leads to no place that counts.
const NO_PLACE: u32 = u32::MAX;

/// With fewer programs there is nothing to estimate from.
const FEW_PROGRAMS: u64 = 1_000;

/// A search is not given up before this many programs,
const PLATEAU_PROGRAMS: u64 = 100_000;
/// nor before it has run for so many times as long as it took to the last new thing.
const PLATEAU_FACTOR: u64 = 4;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Sighting {
    /// How many programs, up to [`ENOUGH_SIGHTINGS`].
    n_programs: u8,
    /// The last of them that was counted.
    program: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Discovery {
    #[serde(skip)]
    place_of_edge: Vec<u32>,
    places: Vec<Sighting>,
    functions: Vec<Sighting>,
    /// Incidents that may turn out to be findings, by key.
    findings: BTreeMap<u64, Sighting>,
    n_programs: u64,
    #[serde(skip)]
    n_places: u64,
    /// Functions that too few programs have shown.
    #[serde(skip)]
    n_open_functions: usize,
    /// Programs that showed what no other one did, with how many things these are.
    #[serde(skip)]
    loners: BTreeMap<u64, u32>,
    /// Programs that were the first to show something, in order.
    novel: Vec<u64>,
    /// Programs are not counted any more.
    is_closed: bool,
}

/// How likely programs still are to show something new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlook {
    pub n_programs: u64,
    /// Programs that showed what no other one did.
    pub n_loners: u64,
    /// Programs of the second half that were the first to show something.
    pub n_lately_novel: u64,
    /// Programs since the last that was.
    pub n_since_novel: u64,
}

impl Outlook {
    /// The share of programs that show something new, when as many are run again; nothing while there are too few to tell.
    pub fn probability(&self) -> Option<f64> {
        (self.n_programs >= FEW_PROGRAMS)
            .then(|| self.n_loners.max(self.n_lately_novel) as f64 / self.n_programs as f64)
    }

    /// Whether going on is hardly worth it. A loner does not speak against it: one stroke of luck would keep a search going for
    /// ever.
    pub fn is_plateau(&self) -> bool {
        let n_until_novel = self.n_programs - self.n_since_novel;
        self.n_programs >= PLATEAU_PROGRAMS.max(n_until_novel.saturating_mul(PLATEAU_FACTOR))
    }
}

impl Discovery {
    /// By edge: its place, where places are counted from 0 on, or `u32::MAX` for none.
    pub fn new(place_of_edge: &[u32], n_functions: usize) -> Discovery {
        let n_places = place_of_edge.iter().filter(|place| **place != NO_PLACE).max().map_or(0, |last| last + 1);
        Discovery {
            place_of_edge: place_of_edge.to_vec(),
            places: vec![Sighting::default(); n_places as usize],
            functions: vec![Sighting::default(); n_functions],
            n_open_functions: n_functions,
            ..Discovery::default()
        }
    }

    /// What is told from now on is about another program.
    pub fn next_program(&mut self) {
        self.n_programs += u64::from(!self.is_closed);
    }

    /// Programs to come do not count: nobody can tell what they reach.
    pub fn close(&mut self) {
        self.is_closed = true;
    }

    /// The program reached edges. Those that [`ENOUGH_SIGHTINGS`] programs have reached need not be among them.
    pub fn reach(&mut self, edges: &[u32]) {
        for edge in edges {
            let place = self.place_of_edge.get(*edge as usize).map_or(NO_PLACE, |place| *place) as usize;
            if let Some(sighting) = self.places.get(place).copied() {
                self.n_places += u64::from(sighting.n_programs == 0);
                self.places[place] = self.counted(sighting);
            }
        }
    }

    /// A function returned.
    pub fn cover(&mut self, function: u32) {
        if let Some(sighting) = self.functions.get(function as usize).copied() {
            let counted = self.counted(sighting);
            let is_settled = counted != sighting && counted.n_programs == ENOUGH_SIGHTINGS;
            self.n_open_functions -= usize::from(is_settled);
            self.functions[function as usize] = counted;
        }
    }

    /// Something in the program may turn out to be a finding, by the key of the incident.
    pub fn meet(&mut self, incident: u64) {
        let sighting = self.findings.get(&incident).copied().unwrap_or_default();
        let counted = self.counted(sighting);
        self.findings.insert(incident, counted);
    }

    /// Whether there is any function whose next sighting counts.
    pub fn has_open_functions(&self) -> bool {
        self.n_open_functions > 0
    }

    /// Places in the target's sources that any program reached.
    pub fn n_places(&self) -> u64 {
        self.n_places
    }

    /// Nothing where places are not known: too much of what is new would go unnoticed.
    pub fn outlook(&self) -> Option<Outlook> {
        let is_late = |program: &u64| *program > self.n_programs / 2;
        (!self.places.is_empty()).then(|| Outlook {
            n_programs: self.n_programs,
            n_loners: self.loners.len() as u64,
            n_lately_novel: self.novel.iter().rev().take_while(|program| is_late(program)).count() as u64,
            n_since_novel: self.n_programs - self.novel.last().unwrap_or(&0),
        })
    }

    /// Whether the search is to end here.
    pub fn is_plateau(&self) -> bool {
        !self.is_closed && self.outlook().is_some_and(|outlook| outlook.is_plateau())
    }

    fn counted(&mut self, sighting: Sighting) -> Sighting {
        if sighting.n_programs == ENOUGH_SIGHTINGS || sighting.n_programs > 0 && sighting.program == self.n_programs {
            return sighting;
        }
        if sighting.n_programs == 0 {
            *self.loners.entry(self.n_programs).or_default() += 1;
            if self.novel.last() != Some(&self.n_programs) {
                self.novel.push(self.n_programs);
            }
        } else {
            self.forget_loner(sighting.program);
        }
        Sighting { n_programs: sighting.n_programs + 1, program: self.n_programs }
    }

    /// Another program has shown one of its things, too.
    fn forget_loner(&mut self, program: u64) {
        if let Some(n_things) = self.loners.get_mut(&program) {
            *n_things -= 1;
            if *n_things == 0 {
                self.loners.remove(&program);
            }
        }
    }

    /// Takes over what was saved about the same places and functions.
    pub(crate) fn restore(&mut self, saved: Discovery) -> Result<(), RestoreError> {
        let is_alike = saved.places.len() == self.places.len() && saved.functions.len() == self.functions.len();
        let place_of_edge = std::mem::take(&mut self.place_of_edge);
        *self = Discovery { place_of_edge, ..saved };
        self.n_places = self.places.iter().filter(|place| place.n_programs > 0).count() as u64;
        self.n_open_functions = self.functions.iter().filter(|function| function.n_programs < ENOUGH_SIGHTINGS).count();
        let sightings = || self.places.iter().chain(&self.functions).chain(self.findings.values());
        for loner in sightings().filter(|sighting| sighting.n_programs == 1) {
            *self.loners.entry(loner.program).or_default() += 1;
        }
        let is_sound = |it: &Sighting| it.n_programs <= ENOUGH_SIGHTINGS && it.program <= self.n_programs;
        ensure(is_alike && sightings().all(is_sound), "sightings")?;
        ensure(self.novel.is_sorted() && self.novel.last() <= Some(&self.n_programs), "novel programs")
    }
}

#[cfg(test)]
#[path = "discovery_tests.rs"]
mod tests;
