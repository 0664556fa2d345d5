//! What is looked into after the search, since looking has had its share of the time beside it.
//!
//! Decision: `docs/decisions/051-the-search-gets-its-time.md`

use std::collections::BTreeSet;

use crate::confirm::lead::Lead;

/// More than these take too much memory, and nobody would get to them.
const MAX_WAITING: usize = 64;
/// At one place: other functions that lead there.
const MAX_PER_SPOT: usize = 4;

/// In the order in which they came.
#[derive(Default)]
pub(crate) struct WaitingRoom {
    waiting: Vec<Lead>,
    /// Keys of incidents for which there was no room. They may be met again when there is time for a look at once.
    turned_away: BTreeSet<u64>,
}

impl WaitingRoom {
    /// Takes one more in. Whoever came first leaves when it is full. Gives the key of who found no room, if any.
    pub(crate) fn add(&mut self, lead: Lead) -> Option<u64> {
        let n_alike = self.waiting.iter().filter(|other| other.spot == lead.spot).count();
        let turned_away = if n_alike >= MAX_PER_SPOT {
            Some(lead)
        } else {
            let is_full = self.waiting.len() >= MAX_WAITING;
            let first = is_full.then(|| self.waiting.remove(0));
            self.turned_away.remove(&lead.incident.key);
            self.waiting.push(lead);
            first
        };
        let key = turned_away?.incident.key;
        self.turned_away.insert(key);
        Some(key)
    }

    pub(crate) fn has_turned_away(&self, key: u64) -> bool {
        self.turned_away.contains(&key)
    }

    /// Somebody looks into it now.
    pub(crate) fn call_in(&mut self, key: u64) {
        self.turned_away.remove(&key);
    }

    /// The one that came last of those at places that are not `known` yet, or else the one that came last.
    pub(crate) fn take_next(&mut self, is_known: impl Fn(u64) -> bool) -> Option<Lead> {
        let newest = self.waiting.iter().rposition(|waiting| !is_known(waiting.spot));
        let place = newest.or_else(|| self.waiting.len().checked_sub(1))?;
        Some(self.waiting.remove(place))
    }

    pub(crate) fn has(&self, key: u64) -> bool {
        self.keys().any(|waiting| waiting == key)
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = u64> {
        self.waiting.iter().map(|waiting| waiting.incident.key)
    }

    /// How many nobody has looked into, or will.
    pub(crate) fn n_left(&self) -> u64 {
        (self.turned_away.len() + self.waiting.len()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::confirm::pipeline::fake_worker::lead;

    fn waiting(key: u64, spot: u64) -> Lead {
        Lead { spot, ..lead(key) }
    }

    fn order(room: &mut WaitingRoom, known: &[u64]) -> Vec<u64> {
        let mut known = known.to_vec();
        let mut keys = Vec::new();
        while let Some(next) = room.take_next(|spot| known.contains(&spot)) {
            keys.push(next.incident.key);
            known.push(next.spot);
        }
        keys
    }

    #[test]
    fn the_newest_places_come_first_and_each_once_before_any_comes_twice() {
        let mut room = WaitingRoom::default();
        for (key, spot) in [(1, 10), (2, 20), (3, 10), (4, 30), (5, 20)] {
            assert_eq!(room.add(waiting(key, spot)), None);
        }
        assert_eq!(order(&mut room, &[30]), [5, 3, 4, 2, 1]);
        assert_eq!(room.n_left(), 0);
    }

    #[test]
    fn a_full_room_forgets_what_came_first_and_says_how_many() {
        let mut room = WaitingRoom::default();
        let turned_away: Vec<u64> = (0..10).filter_map(|key| room.add(waiting(key, 1))).collect();
        assert_eq!(turned_away, [4, 5, 6, 7, 8, 9]);
        assert_eq!(room.keys().collect::<Vec<_>>(), [0, 1, 2, 3]);
        let turned_away: Vec<u64> = (100..200).filter_map(|key| room.add(waiting(key, key))).collect();
        assert_eq!((turned_away[..6].to_vec(), turned_away.len()), (vec![0, 1, 2, 3, 100, 101], 40));
        assert_eq!(room.n_left(), 110);
        assert_eq!(order(&mut room, &[]).len(), MAX_WAITING);
        assert_eq!(room.n_left(), 110 - MAX_WAITING as u64);
        assert!(room.has_turned_away(9));
        room.call_in(9);
        assert!(!room.has_turned_away(9));
        assert_eq!(room.n_left(), 110 - MAX_WAITING as u64 - 1);
        // Another time there is room, and nobody is counted twice.
        assert_eq!(room.add(waiting(8, 2)), None);
        assert_eq!((room.has_turned_away(8), room.n_left()), (false, 110 - MAX_WAITING as u64 - 1));
    }
}
