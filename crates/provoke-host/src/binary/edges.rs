//! Where the edges that a worker has counters for are in the sources.
//!
//! All of it is read from the executable. The compiler leaves a table with the address of each edge, in the order of their counters.
//! An address becomes a place through the line table alone: its rows name the innermost place, also where code was inlined. Both
//! are sorted, so one pass over each line program does for all edges; asking for each one would take minutes in a large crate.
//!
//! Decisions:
//! - `docs/decisions/021-memory-checks-of-std-are-not-traced.md`
//! - `docs/decisions/077-edges-are-read-from-the-executable.md`

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use gimli::{ColumnType, Dwarf, EndianSlice, IncompleteLineProgram, LineProgramHeader, RunTimeEndian, SectionId, Unit};
use object::{Object, ObjectSection, ObjectSymbol};
use provoke_wire::WatchedEdges;

use crate::binary::branches::{Branch, Code, conditions};
use crate::binary::control_flow::ControlFlow;
use crate::binary::landing_pads::landing_pads;
use crate::binary::noreturn::dead_ends;
use crate::binary::reachability::Courses;
use crate::binary::tables::words;
use crate::harness::counted_sources::CountedSources;

type Reader<'a> = EndianSlice<'a, RunTimeEndian>;

/// Of the section with a counter for each edge, and of the one with an address and flags for each.
const COUNTERS: &str = "__sancov_cntrs";
const ADDRESSES: &str = "__sancov_pcs";
/// Among the flags: the edge leads into a function.
const IS_ENTRY: u64 = 1;

/// The checks that std makes before it copies memory and the like. They are part of the code that calls them.
const MEMORY_CHECKS: &str = "core/src/ub_checks.rs";
/// In the names of the function that sites are counted from, whichever way names are mangled.
const FIRST_SITE: &str = "12provoke_exec7measure8compares5start";

/// In a table of files: not one of the target's.
const FOREIGN: u32 = u32::MAX;

/// A place in the sources of the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourcePlace {
    /// By place in [`Edges::files`].
    pub file: u32,
    pub line: u32,
    pub column: u32,
}

/// The edges in the target's own sources, wherever rustc generated them. Generic and inlined code is there once for each instance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edges {
    pub watch: WatchedEdges,
    /// Relative to the root of the package, sorted.
    pub files: Vec<String>,
    /// The first place that is reached through each edge, sorted: instances of generic code lie side by side.
    pub places: Vec<(SourcePlace, u32)>,
    /// File, line, and an edge that leads to it. Sorted.
    pub lines: Vec<(u32, u32, u32)>,
    /// By place. None if the compiler left nothing about them.
    pub conditions: Vec<Branch>,
    /// Edges that are taken while something unwinds, and at no other time.
    pub unwinding: BTreeSet<u32>,
    /// Edges that lead to nothing but a panic.
    pub panicking: BTreeSet<u32>,
    /// First and last site of stretches of code that compare where things lie in memory, sorted. A site is where a call of the
    /// worker's tracing returns to, counted from the place that the worker counts from.
    pub unsteady_sites: Vec<(i32, i32)>,
}

impl Edges {
    /// Nothing if the executable has no counters, or nothing that tells where they are.
    pub fn of(executable: &Path, sources: CountedSources) -> Option<Edges> {
        let bytes = fs::read(executable).ok()?;
        let file = object::File::parse(&*bytes).ok()?;
        let (addresses, entries) = addresses(&file)?;
        let endian = if file.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
        let section = |id: SectionId| -> Result<Reader<'_>, object::Error> {
            let data = file.section_by_name(id.name()).map_or(Ok(&[][..]), |section| section.data())?;
            Ok(EndianSlice::new(data, endian))
        };
        let dwarf = Dwarf::load(section).ok()?;
        let mut finder = Finder::new(&addresses, sources);
        let mut units = dwarf.units();
        while let Some(header) = units.next().ok()? {
            let unit = dwarf.unit(header).ok()?;
            if let Some(program) = unit.line_program.clone() {
                finder.read(&dwarf, &unit, program)?;
            }
        }
        finder.number_files_by_name();
        let unsteady_sites = first_site(&file).map(|first| finder.unsteady_sites(first)).unwrap_or_default();
        let Some(flow) = ControlFlow::of(&file, &addresses) else {
            return Some(Edges { unsteady_sites, ..finder.finish() });
        };
        let courses = Courses::of(&flow, &entries, &landing_pads(&file, endian), &dead_ends(&file));
        let code =
            Code { courses: &courses, first_places: &finder.place_of, frames: &finder.frames_of, ends: &finder.end_of };
        let conditions = conditions(&flow, &code);
        let (unwinding, panicking) = (courses.unwinding_edges(&flow), courses.panicking_edges(&flow));
        Some(Edges { unsteady_sites, conditions, unwinding, panicking, ..finder.finish() })
    }
}

/// The address of each edge, as the executable lies on disk, and the edges that lead into a function.
fn addresses(file: &object::File<'_>) -> Option<(Vec<u64>, BTreeSet<u32>)> {
    let n_edges = file.section_by_name(COUNTERS)?.size();
    let words = words(file, ADDRESSES)?;
    let (pairs, rest) = words.as_chunks::<2>();
    if n_edges == 0 || pairs.len() as u64 != n_edges || !rest.is_empty() {
        return None;
    }
    let entries = pairs.iter().zip(0..).filter(|([_, flags], _)| flags & IS_ENTRY != 0).map(|(_, edge)| edge).collect();
    Some((pairs.iter().map(|[address, _]| *address).collect(), entries))
}

/// The address that sites are counted from.
fn first_site(file: &object::File<'_>) -> Option<u64> {
    let is_first = |name: &str| name.contains(FIRST_SITE);
    file.symbols().find(|symbol| symbol.name().is_ok_and(is_first)).map(|symbol| symbol.address())
}

/// From this address on.
#[derive(Clone)]
struct Row {
    address: u64,
    place: SourcePlace,
    /// Where its code is in the sources of the target: in the outermost function first, then in those that were inlined.
    frames: Vec<Framed>,
}

/// A place, in a function or in a copy of one that was inlined there. Copies have numbers, which only mean something inside
/// of that function; its own is 0.
pub(crate) type Framed = (u32, SourcePlace);

struct Finder {
    /// Address and edge, by address.
    sorted: Vec<(u64, u32)>,
    sources: CountedSources,
    /// By path as the debug information has it.
    file_numbers: BTreeMap<PathBuf, u32>,
    files: Vec<String>,
    /// The first place that each edge leads to.
    place_of: Vec<Option<SourcePlace>>,
    /// For each edge, the first place in each copy of a function that has code up to the next edge.
    frames_of: Vec<Vec<Framed>>,
    /// Where the last code up to the next edge is, if it is the target's.
    end_of: Vec<Option<Framed>>,
    lines: Vec<(u32, u32, u32)>,
    /// First address of code of [`MEMORY_CHECKS`], and the first behind it.
    checks: Vec<(u64, u64)>,
}

impl Finder {
    fn new(addresses: &[u64], sources: CountedSources) -> Finder {
        let mut sorted: Vec<(u64, u32)> = addresses.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        Finder {
            sorted,
            sources,
            file_numbers: BTreeMap::new(),
            files: Vec::new(),
            place_of: vec![None; addresses.len()],
            frames_of: vec![Vec::new(); addresses.len()],
            end_of: vec![None; addresses.len()],
            lines: Vec::new(),
            checks: Vec::new(),
        }
    }

    fn read<'a>(
        &mut self,
        dwarf: &Dwarf<Reader<'a>>,
        unit: &Unit<Reader<'a>>,
        program: IncompleteLineProgram<Reader<'a>>,
    ) -> Option<()> {
        let header = program.header().clone();
        // By number in this program.
        let mut numbers: BTreeMap<u64, u32> = BTreeMap::new();
        let mut number_of = |finder: &mut Finder, number: u64| {
            *numbers
                .entry(number)
                .or_insert_with(|| path_of(dwarf, unit, &header, number).map_or(FOREIGN, |path| finder.number(path)))
        };
        let mut checks: BTreeMap<u32, bool> = BTreeMap::new();
        let mut is_check = |number: u32| {
            *checks.entry(number).or_insert_with(|| {
                path_of(dwarf, unit, &header, number.into()).is_some_and(|path| path.ends_with(MEMORY_CHECKS))
            })
        };
        let mut functions: Vec<Vec<Row>> = Vec::new();
        let mut function: Vec<Row> = Vec::new();
        let mut rows = program.rows();
        while let Some((_, row)) = rows.next_row().ok()? {
            let column = match row.column() {
                ColumnType::LeftEdge => 0,
                ColumnType::Column(column) => column.get() as u32,
            };
            let line = row.line().map_or(0, |line| line.get() as u32);
            // What the file is called is only looked up where there are edges.
            let place = SourcePlace { file: row.file_index() as u32, line, column };
            function.push(Row { address: row.address(), place, frames: Vec::new() });
            if row.end_sequence() {
                let mut function = std::mem::take(&mut function);
                // Functions that were left out of the executable start at 0.
                if function[0].address != 0 && !self.edges_in(&function).is_empty() {
                    for pair in function.windows(2).filter(|pair| is_check(pair[0].place.file)) {
                        self.checks.push((pair[0].address, pair[1].address));
                    }
                    for row in &mut function {
                        row.place.file = number_of(self, u64::from(row.place.file));
                    }
                    functions.push(function);
                }
            }
        }
        functions.sort_by_key(|function| function[0].address);
        if !functions.is_empty() {
            let mut rows: Vec<Row> = functions.concat();
            // Those that the code of each row was inlined through, outer calls first: what was inlined from elsewhere is
            // where it was called from.
            let mut calls_to: Vec<Vec<Framed>> = vec![Vec::new(); rows.len()];
            for call in inlined_calls(dwarf, unit)? {
                let place = SourcePlace { file: number_of(self, call.file), ..call.place };
                let from = rows.partition_point(|row| row.address < call.start);
                let to = rows.partition_point(|row| row.address < call.end);
                for calls in &mut calls_to[from..to.max(from)] {
                    calls.push((call.number, place));
                }
            }
            for (row, calls) in rows.iter_mut().zip(calls_to) {
                let places = calls.iter().map(|(_, place)| *place).chain([row.place]);
                let numbers = [0].into_iter().chain(calls.iter().map(|(number, _)| *number));
                row.frames = numbers.zip(places).filter(|(_, place)| place.file != FOREIGN).collect();
            }
            let mut rest = &rows[..];
            for function in &functions {
                let (rows, others) = rest.split_at(function.len());
                self.find(rows, self.edges_in(rows));
                rest = others;
            }
        }
        Some(())
    }

    /// By place in `sorted`.
    fn edges_in(&self, function: &[Row]) -> std::ops::Range<usize> {
        let start = function.first().map_or(0, |row| row.address);
        let end = function.last().map_or(0, |row| row.address);
        let from = self.sorted.partition_point(|(address, _)| *address < start);
        let to = self.sorted.partition_point(|(address, _)| *address < end);
        from..to.max(from)
    }

    fn number(&mut self, path: PathBuf) -> u32 {
        if let Some(number) = self.file_numbers.get(&path) {
            return *number;
        }
        let number = match self.sources.counted(&path) {
            Some(own) => {
                // One file may be written in several ways.
                let known = self.files.iter().position(|file| *file == own);
                known.unwrap_or_else(|| {
                    self.files.push(own);
                    self.files.len() - 1
                }) as u32
            }
            None => FOREIGN,
        };
        self.file_numbers.insert(path, number);
        number
    }

    /// The edges in a function, which are these by address. An edge leads to the code up to the next one; it is the target's
    /// if any of that is.
    fn find(&mut self, rows: &[Row], edges: std::ops::Range<usize>) {
        let mut next_row = 0;
        for at in edges.clone() {
            let (address, edge) = self.sorted[at];
            let end = if at + 1 < edges.end { self.sorted[at + 1].0 } else { u64::MAX };
            while rows.get(next_row).is_some_and(|row| row.address <= address) {
                next_row += 1;
            }
            // A row holds up to the next, so the last one of a function is only its end.
            for pair in rows[next_row.saturating_sub(1)..].windows(2) {
                let Row { address: start, place, frames } = &pair[0];
                if *start >= end && *start > address {
                    break;
                }
                let innermost = frames.last().copied();
                // What the compiler added has no line.
                if pair[1].address == *start || innermost.map_or(place.line, |(_, place)| place.line) == 0 {
                    continue;
                }
                self.end_of[edge as usize] = innermost;
                if let Some((_, place)) = innermost {
                    self.place_of[edge as usize].get_or_insert(place);
                    self.lines.push((place.file, place.line, edge));
                }
                let known = &mut self.frames_of[edge as usize];
                for frame in frames {
                    if !known.iter().any(|(number, _)| *number == frame.0) {
                        known.push(*frame);
                    }
                }
            }
        }
    }

    fn number_files_by_name(&mut self) {
        let mut order: Vec<usize> = (0..self.files.len()).collect();
        order.sort_by(|a, b| self.files[*a].cmp(&self.files[*b]));
        let mut new_number = vec![0; order.len()];
        for (new, old) in order.iter().enumerate() {
            new_number[*old] = new as u32;
        }
        self.files.sort();
        let framed = self.frames_of.iter_mut().flatten().chain(self.end_of.iter_mut().flatten());
        for place in self.place_of.iter_mut().flatten().chain(framed.map(|(_, place)| place)) {
            place.file = new_number[place.file as usize];
        }
        self.lines.iter_mut().for_each(|(file, ..)| *file = new_number[*file as usize]);
    }

    /// A call in the checks returns behind itself, so the last one may do so to the first address behind them.
    fn unsteady_sites(&mut self, first_site: u64) -> Vec<(i32, i32)> {
        self.checks.sort_unstable();
        let site = |address: u64| i32::try_from(address.cast_signed().wrapping_sub(first_site.cast_signed())).ok();
        self.checks
            .iter()
            .filter(|(start, end)| start < end)
            .filter_map(|(start, end)| Some((site(start + 1)?, site(*end)?)))
            .collect()
    }

    fn finish(self) -> Edges {
        let is_watched: Vec<bool> = self.place_of.iter().map(Option::is_some).collect();
        let mut places: Vec<(SourcePlace, u32)> =
            self.place_of.iter().zip(0..).filter_map(|(place, edge)| Some(((*place)?, edge))).collect();
        places.sort_unstable();
        let mut lines = self.lines;
        lines.sort_unstable();
        lines.dedup();
        let watch = WatchedEdges::new(&is_watched);
        Edges { watch, files: self.files, places, lines, ..Edges::default() }
    }
}

/// Code of a function that was inlined, and where it was called.
struct InlinedCall {
    /// From 1 on, the same for all parts of its code.
    number: u32,
    start: u64,
    end: u64,
    /// By number in the line program.
    file: u64,
    place: SourcePlace,
}

/// Outer calls first.
fn inlined_calls<'a>(dwarf: &Dwarf<Reader<'a>>, unit: &Unit<Reader<'a>>) -> Option<Vec<InlinedCall>> {
    let mut calls = Vec::new();
    let mut number = 0;
    let mut entries = unit.entries();
    while let Some((_, entry)) = entries.next_dfs().ok()? {
        if entry.tag() != gimli::DW_TAG_inlined_subroutine {
            continue;
        }
        number += 1;
        let value_of = |name| entry.attr_value(name).ok().flatten().and_then(|value| value.udata_value());
        let Some(file) = file_number(entry.attr_value(gimli::DW_AT_call_file).ok().flatten()) else { continue };
        let place = SourcePlace {
            file: FOREIGN,
            line: value_of(gimli::DW_AT_call_line).unwrap_or(0) as u32,
            column: value_of(gimli::DW_AT_call_column).unwrap_or(0) as u32,
        };
        let mut ranges = dwarf.die_ranges(unit, entry).ok()?;
        while let Some(range) = ranges.next().ok()? {
            calls.push(InlinedCall { number, start: range.begin, end: range.end, file, place });
        }
    }
    Some(calls)
}

fn file_number(value: Option<gimli::AttributeValue<Reader<'_>>>) -> Option<u64> {
    match value? {
        gimli::AttributeValue::FileIndex(number) => Some(number),
        other => other.udata_value(),
    }
}

/// As the debug information has it; what is relative, from where the compiler ran.
fn path_of<'a>(
    dwarf: &Dwarf<Reader<'a>>,
    unit: &Unit<Reader<'a>>,
    header: &LineProgramHeader<Reader<'a>>,
    number: u64,
) -> Option<PathBuf> {
    let file = header.file(number)?;
    let text = |value| Some(PathBuf::from(dwarf.attr_string(unit, value).ok()?.to_string_lossy().into_owned()));
    let mut path =
        unit.comp_dir.map(|directory| PathBuf::from(directory.to_string_lossy().into_owned())).unwrap_or_default();
    if let Some(directory) = file.directory(header) {
        path.push(text(directory)?);
    }
    path.push(text(file.path_name())?);
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_executable_without_counters_has_no_edges() {
        let bytes = fs::read(std::env::current_exe().unwrap()).unwrap();
        assert_eq!(addresses(&object::File::parse(&*bytes).unwrap()), None);
    }
}
