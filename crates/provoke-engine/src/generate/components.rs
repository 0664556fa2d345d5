//! The component set: legal programs kept for reuse, found by the type of a reusable slot.
//!
//! Short and cheap ones are preferred: components are sorted into classes by cost (calls executed and memory
//! allocated, never measured time), and a class is drawn half as often as the one below it. The set is bounded in
//! bytes; when it is full, the oldest of the costliest class goes.

use std::collections::VecDeque;
use std::sync::Arc;

use provoke_wire::Body;
use serde::{Deserialize, Serialize};

use crate::api::Api;
use crate::program::check::check;
use crate::program::rebuild::slot_type;
use crate::rng::Rng;
use crate::saved_forms::{self, RestoreError, ensure};

/// Cost classes; each holds components up to twice as expensive as the one before.
const N_CLASSES: usize = 10;

/// A legal program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Component {
    #[serde(with = "saved_forms::encoded")]
    pub body: Body,
    class: u8,
}

/// A component together with the slot that makes it useful.
#[derive(Clone, Debug)]
pub struct Reusable {
    pub component: Arc<Component>,
    pub slot: u32,
}

/// Components per type and batch.
const HAND_SIZE: usize = 24;

/// What the programs of one batch draw from.
///
/// The whole set is far larger than any cache, and a random walk through it is what the search
/// would spend its time on. A few components per type and batch stay warm, and the next batch has
/// others.
#[derive(Clone, Debug, Default)]
pub struct Hands {
    /// By type, plain and empty variants.
    by_type: Vec<[Hand; 2]>,
    /// Grows from batch to batch.
    deal: u64,
}

#[derive(Clone, Debug, Default)]
struct Hand {
    /// The deal that it is from.
    deal: Option<u64>,
    cards: Vec<Reusable>,
}

impl Hands {
    /// A new batch begins: every type gets a new hand when it is first asked for.
    pub fn deal(&mut self) {
        self.deal += 1;
    }
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Entry {
    id: u32,
    slot: u32,
    /// Which of the component's places this is.
    nth: u32,
}

/// Where a component stands on a shelf, so that it can be taken off without a search.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Place {
    ty: u32,
    is_empty: bool,
    position: u32,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Shelf {
    classes: [Vec<Entry>; N_CLASSES],
    #[serde(skip)]
    n_entries: usize,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Components {
    all: Vec<Option<Arc<Component>>>,
    /// By component: where it stands.
    places: Vec<Vec<Place>>,
    /// Free places in `all`.
    free: Vec<u32>,
    /// By type: values of every kind but the empty variants.
    plain: Vec<Shelf>,
    /// By type: `None` and `Err`.
    empty: Vec<Shelf>,
    by_age: [VecDeque<u32>; N_CLASSES],
    #[serde(skip)]
    bytes: usize,
    #[serde(skip)]
    max_bytes: usize,
    #[serde(skip)]
    n_alive: usize,
}

impl Components {
    pub fn new(n_types: usize, max_bytes: usize) -> Components {
        Components {
            all: Vec::new(),
            places: Vec::new(),
            free: Vec::new(),
            plain: vec![Shelf::default(); n_types],
            empty: vec![Shelf::default(); n_types],
            by_age: Default::default(),
            bytes: 0,
            max_bytes,
            n_alive: 0,
        }
    }

    pub fn len(&self) -> usize {
        self.n_alive
    }

    /// How many reusable values of a type there are.
    pub fn n_values(&self, ty: u32) -> usize {
        self.plain[ty as usize].n_entries + self.empty[ty as usize].n_entries
    }

    /// Keeps a program. `slots` are the reusable ones: type, slot, and whether it holds `None` or `Err`.
    pub fn add(&mut self, body: Body, n_calls: u32, cost: u64, slots: &[(u32, u32, bool)]) {
        let class = class_of(n_calls, cost);
        self.bytes += weight(&body, slots.len());
        self.n_alive += 1;
        let component = Arc::new(Component { body, class: class as u8 });
        let id = match self.free.pop() {
            Some(id) => {
                self.all[id as usize] = Some(component);
                id
            }
            None => {
                self.all.push(Some(component));
                self.places.push(Vec::new());
                self.all.len() as u32 - 1
            }
        };
        for (nth, &(ty, slot, is_empty)) in slots.iter().enumerate() {
            let shelf = if is_empty { &mut self.empty[ty as usize] } else { &mut self.plain[ty as usize] };
            let position = shelf.classes[class].len() as u32;
            shelf.classes[class].push(Entry { id, slot, nth: nth as u32 });
            shelf.n_entries += 1;
            self.places[id as usize].push(Place { ty, is_empty, position });
        }
        self.by_age[class].push_back(id);
        while self.bytes > self.max_bytes && self.n_alive > 1 {
            self.evict();
        }
    }

    fn evict(&mut self) {
        let Some(class) = (0..N_CLASSES).rev().find(|&c| !self.by_age[c].is_empty()) else {
            return;
        };
        let Some(id) = self.by_age[class].pop_front() else {
            return;
        };
        let Some(component) = self.all[id as usize].take() else {
            return;
        };
        self.bytes -= weight(&component.body, self.places[id as usize].len());
        self.n_alive -= 1;
        // Entries are removed here rather than when met, so that a freed place can be used again at once.
        for nth in 0..self.places[id as usize].len() {
            let Place { ty, is_empty, position } = self.places[id as usize][nth];
            let shelf = if is_empty { &mut self.empty[ty as usize] } else { &mut self.plain[ty as usize] };
            let entries = &mut shelf.classes[component.class as usize];
            entries.swap_remove(position as usize);
            shelf.n_entries -= 1;
            if let Some(moved) = entries.get(position as usize) {
                self.places[moved.id as usize][moved.nth as usize].position = position;
            }
        }
        self.places[id as usize].clear();
        self.free.push(id);
    }

    /// Takes over what was saved.
    pub(crate) fn restore(&mut self, api: &Api, saved: Components) -> Result<(), RestoreError> {
        *self = Components { max_bytes: self.max_bytes, ..saved };
        ensure(self.is_sound(api), "components")?;
        for shelf in self.plain.iter_mut().chain(&mut self.empty) {
            shelf.n_entries = shelf.classes.iter().map(Vec::len).sum();
        }
        for (component, places) in self.all.iter().zip(&self.places) {
            self.n_alive += usize::from(component.is_some());
            self.bytes += component.as_ref().map_or(0, |component| weight(&component.body, places.len()));
        }
        Ok(())
    }

    /// Whether each component is legal and stands where it says, nothing else stands anywhere, and all are in one list.
    fn is_sound(&self, api: &Api) -> bool {
        let is_listed = |class: usize, id: &u32| self.get(*id).is_some_and(|it| usize::from(it.class) == class);
        let mut ids: Vec<u32> = self.free.iter().chain(self.by_age.iter().flatten()).copied().collect();
        ids.sort_unstable();
        let shelves = || self.plain.iter().chain(&self.empty);
        let n_entries: usize = shelves().flat_map(|shelf| &shelf.classes).map(Vec::len).sum();
        self.plain.len() == api.types.len()
            && self.empty.len() == api.types.len()
            && self.places.len() == self.all.len()
            && ids.into_iter().eq(0..self.all.len() as u32)
            && self.by_age.iter().enumerate().all(|(class, ids)| ids.iter().all(|id| is_listed(class, id)))
            && self.free.iter().all(|id| self.get(*id).is_none())
            && self.places.iter().map(Vec::len).sum::<usize>() == n_entries
            && (0..self.all.len() as u32).all(|id| self.stands_where_it_says(api, id))
    }

    fn get(&self, id: u32) -> Option<&Component> {
        self.all.get(id as usize)?.as_deref()
    }

    fn entry_at(&self, class: u8, place: &Place) -> Option<&Entry> {
        let shelves = if place.is_empty { &self.empty } else { &self.plain };
        shelves.get(place.ty as usize)?.classes.get(usize::from(class))?.get(place.position as usize)
    }

    fn stands_where_it_says(&self, api: &Api, id: u32) -> bool {
        let places = &self.places[id as usize];
        let Some(Component { body, class }) = self.get(id) else { return places.is_empty() };
        let type_in = |slot: u32| slot_type(api, body.statements.get(slot as usize)?);
        let is_sound = |(place, nth): (&Place, u32)| {
            let entry = self.entry_at(*class, place);
            entry.is_some_and(|it| (it.id, it.nth, type_in(it.slot)) == (id, nth, Some(place.ty)))
        };
        check(api, body).is_ok() && places.iter().zip(0..).all(is_sound)
    }

    /// A component that makes a value of the type, out of the hand of this batch.
    pub fn pick(&self, hands: &mut Hands, ty: u32, from_empty: bool, rng: &mut Rng) -> Option<Reusable> {
        let shelf = if from_empty { &self.empty[ty as usize] } else { &self.plain[ty as usize] };
        if shelf.n_entries == 0 {
            return None;
        }
        hands.by_type.resize_with(self.plain.len(), Default::default);
        let hand = &mut hands.by_type[ty as usize][usize::from(from_empty)];
        if hand.deal != Some(hands.deal) {
            hand.deal = Some(hands.deal);
            hand.cards.clear();
            hand.cards.extend((0..HAND_SIZE).filter_map(|_| self.draw(shelf, rng)));
        }
        rng.pick(&hand.cards).cloned()
    }

    /// One of the first and cheapest few. What is asked about several values at once is answered sooner if they are few.
    pub fn pick_early(&self, ty: u32, rng: &mut Rng) -> Option<Reusable> {
        const FEW: usize = 12;
        let entries = self.plain[ty as usize].classes.iter().find(|entries| !entries.is_empty())?;
        let entry = entries[rng.below(entries.len().min(FEW))];
        let component = self.all[entry.id as usize].clone()?;
        Some(Reusable { component, slot: entry.slot })
    }

    /// Some of the shortest components that make a value of the type, the shortest first. The order follows from what is in
    /// the set and from nothing else.
    pub fn shortest(&self, ty: u32, n: usize) -> Vec<Reusable> {
        let shelves = [&self.plain[ty as usize], &self.empty[ty as usize]];
        // A class holds components of like cost, so the first ones that fill the list are short enough to choose from.
        let entries = (0..N_CLASSES).flat_map(|class| shelves.map(|shelf| &shelf.classes[class])).flatten();
        let mut found: Vec<Reusable> = entries
            .take(8 * n)
            .filter_map(|entry| Some(Reusable { component: self.all[entry.id as usize].clone()?, slot: entry.slot }))
            .collect();
        found.sort_by_key(|reusable| (reusable.component.body.n_calls(), reusable.component.body.statements.len()));
        found.truncate(n);
        found
    }

    /// From the whole shelf: each class has half the weight of the one below.
    fn draw(&self, shelf: &Shelf, rng: &mut Rng) -> Option<Reusable> {
        let weight = |class: usize| 1usize << (N_CLASSES - class);
        let filled = || shelf.classes.iter().enumerate().filter(|(_, entries)| !entries.is_empty());
        let total: usize = filled().map(|(class, _)| weight(class)).sum();
        let mut left = rng.below(total);
        for (class, entries) in filled() {
            if left < weight(class) {
                let entry = &entries[rng.below(entries.len())];
                let component = self.all[entry.id as usize].clone()?;
                return Some(Reusable { component, slot: entry.slot });
            }
            left -= weight(class);
        }
        None
    }
}

/// What a component costs in memory.
fn weight(body: &Body, n_slots: usize) -> usize {
    body.weight_in_bytes() + n_slots * (size_of::<Entry>() + size_of::<Place>())
}

/// Calls, and what they cost beyond that, on a logarithmic scale.
pub(crate) fn class_of(n_calls: u32, cost: u64) -> usize {
    let n_units = u64::from(n_calls) + cost / 4096;
    (n_units.max(1).ilog2() as usize).min(N_CLASSES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(n: usize) -> Body {
        let mut body = Body::default();
        for _ in 0..n {
            body.push_call(0, &[]);
        }
        body
    }

    #[test]
    fn the_set_stays_within_its_bytes_and_the_costliest_go_first() {
        let mut components = Components::new(1, 20_000);
        for n in 1..=100 {
            components.add(body(n), n as u32, 0, &[(0, 0, false)]);
        }
        assert!(components.bytes <= 20_000);
        assert_eq!(components.n_values(0), components.len());
        let (mut hands, mut rng) = (Hands::default(), Rng::new(3));
        let longest = (0..2000)
            .filter_map(|_| {
                hands.deal();
                components.pick(&mut hands, 0, false, &mut rng)
            })
            .map(|r| r.component.body.n_calls())
            .max()
            .unwrap();
        assert!(longest < 100, "{longest}");
    }

    #[test]
    fn the_shortest_components_come_first() {
        let mut components = Components::new(1, 1 << 20);
        for n in [64, 2, 5, 1, 3] {
            components.add(body(n), n as u32, 0, &[(0, 0, n == 5)]);
        }
        let lengths: Vec<usize> = components.shortest(0, 4).iter().map(|r| r.component.body.n_calls()).collect();
        assert_eq!(lengths, [1, 2, 3, 5]);
    }

    #[test]
    fn short_components_are_drawn_more_often_than_long_ones() {
        let mut components = Components::new(1, 1 << 20);
        components.add(body(1), 1, 0, &[(0, 0, false)]);
        components.add(body(64), 64, 0, &[(0, 0, false)]);
        let (mut hands, mut rng) = (Hands::default(), Rng::new(3));
        let n_short = (0..1000)
            .filter(|_| {
                hands.deal();
                components.pick(&mut hands, 0, false, &mut rng).unwrap().component.body.n_calls() == 1
            })
            .count();
        assert!((900..1000).contains(&n_short), "{n_short}");
    }
}
