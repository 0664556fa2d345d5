//! What programs show that can be new: places in the target's sources and functions that return, each with the number of
//! programs that showed it, as far as that matters.

use std::collections::BTreeMap;

use provoke_wire::{DecodeError, Reader, Writer};

/// Nobody looks at what more programs than this have shown.
pub(crate) const ENOUGH_SIGHTINGS: u8 = 3;

/// Of an edge: it leads to no place that counts.
const NO_PLACE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sighting {
    /// How many programs, up to [`ENOUGH_SIGHTINGS`].
    n_programs: u8,
    /// The last of them that was counted.
    program: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Discovery {
    place_of_edge: Vec<u32>,
    places: Vec<Sighting>,
    functions: Vec<Sighting>,
    n_programs: u64,
    n_places: u64,
    /// Functions that too few programs have shown.
    n_open_functions: usize,
    /// How many things were shown by one program, and by two.
    n_singles: u64,
    n_doubles: u64,
    /// Programs that showed what no other one did, with how many things these are.
    loners: BTreeMap<u64, u32>,
}

impl Discovery {
    /// By edge: its place, where places are counted from 0 on, or any other number.
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
        self.n_programs += 1;
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

    /// Whether there is any function whose next sighting counts.
    pub fn has_open_functions(&self) -> bool {
        self.n_open_functions > 0
    }

    /// Places in the target's sources that any program reached.
    pub fn n_places(&self) -> u64 {
        self.n_places
    }

    fn counted(&mut self, sighting: Sighting) -> Sighting {
        if sighting.n_programs == ENOUGH_SIGHTINGS || sighting.n_programs > 0 && sighting.program == self.n_programs {
            return sighting;
        }
        match sighting.n_programs {
            0 => {
                self.n_singles += 1;
                *self.loners.entry(self.n_programs).or_default() += 1;
            }
            1 => {
                self.n_singles -= 1;
                self.n_doubles += 1;
                self.forget_loner(sighting.program);
            }
            _ => self.n_doubles -= 1,
        }
        Sighting { n_programs: sighting.n_programs + 1, program: self.n_programs }
    }

    fn forget_loner(&mut self, program: u64) {
        if let Some(n_things) = self.loners.get_mut(&program) {
            *n_things -= 1;
            if *n_things == 0 {
                self.loners.remove(&program);
            }
        }
    }

    pub fn save(&self, writer: &mut Writer) {
        writer.u64(self.n_programs);
        for sighting in self.places.iter().chain(&self.functions) {
            writer.u8(sighting.n_programs);
            // Between two programs only that of a loner matters.
            if sighting.n_programs == 1 {
                writer.u64(sighting.program);
            }
        }
    }

    pub fn restore(&mut self, reader: &mut Reader<'_>) -> Result<(), DecodeError> {
        *self = Discovery::new(&self.place_of_edge, self.functions.len());
        let n_programs = reader.u64("programs")?;
        for place in 0..self.places.len() + self.functions.len() {
            let n_sightings = reader.u8("sightings")?;
            let program = if n_sightings == 1 { reader.u64("sightings")? } else { 0 };
            if n_sightings > ENOUGH_SIGHTINGS || program > n_programs {
                return Err(reader.error("sightings"));
            }
            match n_sightings {
                1 => {
                    self.n_singles += 1;
                    *self.loners.entry(program).or_default() += 1;
                }
                2 => self.n_doubles += 1,
                _ => {}
            }
            let sighting = Sighting { n_programs: n_sightings, program };
            if let Some(of_place) = self.places.get_mut(place) {
                *of_place = sighting;
                self.n_places += u64::from(n_sightings > 0);
            } else {
                self.functions[place - self.places.len()] = sighting;
                self.n_open_functions -= usize::from(n_sightings == ENOUGH_SIGHTINGS);
            }
        }
        self.n_programs = n_programs;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Programs that reach these edges, of which 0 and 1 are instances of one place.
    fn discovery(programs: &[&[u32]]) -> Discovery {
        let mut discovery = Discovery::new(&[0, 0, 1, NO_PLACE, 2], 2);
        for edges in programs {
            discovery.next_program();
            discovery.reach(edges);
        }
        discovery
    }

    #[test]
    fn instances_of_a_place_are_one_thing_and_a_program_counts_once() {
        for (programs, n_places, singles, doubles, loners) in [
            (&[][..], 0, 0, 0, 0),
            (&[&[0, 1, 3, 99][..]][..], 1, 1, 0, 1),
            (&[&[0, 2, 4], &[1]], 3, 2, 1, 1),
            (&[&[0, 2], &[1], &[4]], 3, 2, 1, 2),
            (&[&[0], &[1], &[0, 1]], 1, 0, 0, 0),
        ] {
            let it = discovery(programs);
            assert_eq!(
                (it.n_places(), it.n_singles, it.n_doubles, it.loners.len()),
                (n_places, singles, doubles, loners),
                "{programs:?}"
            );
        }
    }

    #[test]
    fn functions_are_open_until_enough_programs_have_shown_them() {
        let mut discovery = discovery(&[]);
        for n_before in 0..ENOUGH_SIGHTINGS {
            assert!(discovery.has_open_functions(), "after {n_before}");
            discovery.next_program();
            for function in [0, 0, 1, 7] {
                discovery.cover(function);
            }
        }
        assert!(!discovery.has_open_functions());
    }

    #[test]
    fn what_is_saved_goes_on_as_if_nothing_had_happened() {
        let mut whole = discovery(&[&[0, 2], &[1], &[4]]);
        whole.cover(1);
        let mut writer = Writer::default();
        whole.save(&mut writer);
        let mut restored = Discovery::new(&[0, 0, 1, NO_PLACE, 2], 2);
        restored.restore(&mut Reader::new(&writer.bytes)).unwrap();
        for discovery in [&mut whole, &mut restored] {
            for edges in [&[2][..], &[0, 4], &[1]] {
                discovery.next_program();
                discovery.reach(edges);
                discovery.cover(0);
            }
        }
        assert_eq!(restored, whole);
        assert!(Discovery::new(&[9], 2).restore(&mut Reader::new(&writer.bytes)).is_err(), "of another worker");
    }
}
