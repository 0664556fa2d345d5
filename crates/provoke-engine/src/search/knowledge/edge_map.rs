//! The edges of the target's control flow that programs have reached so far.
//!
//! Workers report what is not settled, and what is settled they hear from here: each batch carries the *news* since the batch
//! before it. So what is reported of a program depends on the batches before it, and not on which worker ran it. An edge is known
//! from its first program on, and settled when so many have reached it that nobody counts any further.
//!
//! Decision: `docs/decisions/041-news-are-relative-to-what-the-engine-knows.md`

use serde::{Deserialize, Serialize};

use crate::saved_forms::{RestoreError, ensure};
use crate::search::knowledge::discovery::ENOUGH_SIGHTINGS;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgeMap {
    /// By edge: how many programs have reached it, up to [`ENOUGH_SIGHTINGS`].
    n_programs: Vec<u8>,
    /// In the order in which they became known.
    known: Vec<u32>,
    /// In the order in which they were settled.
    settled: Vec<u32>,
    /// How many of the settled ones are in batches already.
    #[serde(skip)]
    n_told: usize,
}

impl EdgeMap {
    pub fn new(n_edges: usize) -> EdgeMap {
        EdgeMap { n_programs: vec![0; n_edges], ..EdgeMap::default() }
    }

    /// Whether workers are to report edges at all.
    pub fn is_in_use(&self) -> bool {
        !self.n_programs.is_empty()
    }

    /// Learns what a program reached; whether any of it is new.
    pub fn learn(&mut self, reached: &[u32]) -> bool {
        let n_before = self.known.len();
        for &edge in reached {
            if let Some(n_programs) = self.n_programs.get_mut(edge as usize)
                && *n_programs < ENOUGH_SIGHTINGS
            {
                if *n_programs == 0 {
                    self.known.push(edge);
                }
                *n_programs += 1;
                if *n_programs == ENOUGH_SIGHTINGS {
                    self.settled.push(edge);
                }
            }
        }
        self.known.len() > n_before
    }

    /// All that was reached, in the order in which it was.
    pub fn known(&self) -> &[u32] {
        &self.known
    }

    /// What the next batch is to tell.
    pub fn news(&mut self) -> Vec<u32> {
        let news = self.settled[self.n_told..].to_vec();
        self.n_told = self.settled.len();
        news
    }

    /// How much the batches so far have told.
    pub fn n_told(&self) -> usize {
        self.n_told
    }

    /// Takes over what was saved about the same edges. None counts as told: workers have to hear of them all again.
    pub(crate) fn restore(&mut self, saved: EdgeMap) -> Result<(), RestoreError> {
        let n_edges = self.n_programs.len();
        *self = saved;
        let is_settled = |edge: &u32| self.n_programs.get(*edge as usize) == Some(&ENOUGH_SIGHTINGS);
        let is_sound = self.n_programs.len() == n_edges
            && self.known.iter().all(|edge| (*edge as usize) < n_edges)
            && self.settled.iter().all(is_settled);
        ensure(is_sound, "edges")
    }

    /// What a batch is to tell that was made when so many were settled.
    pub fn news_until(&mut self, n_settled: usize) -> Option<Vec<u32>> {
        let news = self.settled.get(self.n_told..n_settled)?.to_vec();
        self.n_told = n_settled;
        Some(news)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::saved_and_read;

    #[test]
    fn an_edge_is_new_once_and_told_once_when_it_was_seen_often_enough() {
        let mut map = EdgeMap::new(10);
        assert!(map.learn(&[2, 5]));
        assert!(map.learn(&[3]));
        assert!(map.news().is_empty());
        assert!(!map.learn(&[5, 3, 2]));
        assert!(!map.learn(&[10, u32::MAX]), "there are no such edges");
        assert_eq!(map.known(), [2, 5, 3]);
        assert_eq!(map.news(), [5, 3, 2]);
        assert!(!map.learn(&[2]));
        assert!(map.learn(&[9]));
        assert!(map.news().is_empty());
    }

    #[test]
    fn a_restored_map_tells_each_batch_what_it_would_have_told_and_the_first_all_before_it() {
        let settle = |map: &mut EdgeMap, edges: &[u32]| (0..ENOUGH_SIGHTINGS).for_each(|_| _ = map.learn(edges));
        let mut map = EdgeMap::new(10);
        settle(&mut map, &[7, 1]);
        map.news();
        settle(&mut map, &[4]);
        let (_, first) = (map.news(), map.n_told());
        settle(&mut map, &[8]);
        map.learn(&[0]);
        let mut restored = EdgeMap::new(10);
        restored.restore(saved_and_read(&map)).unwrap();
        assert_eq!(restored.known(), [7, 1, 4, 8, 0]);
        assert_eq!(restored.news_until(first), Some(vec![7, 1, 4]));
        assert_eq!(restored.news_until(9), None);
        assert_eq!(restored.news(), [8]);
        settle(&mut restored, &[0]);
        assert_eq!(restored.news(), [0], "it was seen before");
        assert!(EdgeMap::new(8).restore(map).is_err(), "edge 8 is of another worker");
    }
}
