//! The edges of the target's control flow that programs have reached so far.
//!
//! Workers report what is not known, and what is known they hear from here: each batch carries the *news* since the batch before
//! it. So what is new about a program depends on the batches before it, and not on which worker ran it.

use provoke_wire::{DecodeError, Reader, Writer};

#[derive(Clone, Debug, Default)]
pub struct EdgeMap {
    is_known: Vec<bool>,
    /// In the order in which they became known.
    log: Vec<u32>,
    /// How much of the log is in batches already.
    n_told: usize,
}

impl EdgeMap {
    pub fn new(n_edges: usize) -> EdgeMap {
        EdgeMap { is_known: vec![false; n_edges], log: Vec::new(), n_told: 0 }
    }

    /// Whether workers are to report edges at all.
    pub fn is_in_use(&self) -> bool {
        !self.is_known.is_empty()
    }

    /// Learns what a program reached; whether any of it is new.
    pub fn learn(&mut self, reached: &[u32]) -> bool {
        let n_before = self.log.len();
        for &edge in reached {
            if let Some(is_known) = self.is_known.get_mut(edge as usize)
                && !*is_known
            {
                *is_known = true;
                self.log.push(edge);
            }
        }
        self.log.len() > n_before
    }

    /// All that was reached, in the order in which it was.
    pub fn known(&self) -> &[u32] {
        &self.log
    }

    /// What the next batch is to tell.
    pub fn news(&mut self) -> Vec<u32> {
        let news = self.log[self.n_told..].to_vec();
        self.n_told = self.log.len();
        news
    }

    /// How much of the log the batches so far have told.
    pub fn n_told(&self) -> usize {
        self.n_told
    }

    pub fn save(&self, writer: &mut Writer) {
        writer.words(&self.log);
    }

    /// Nothing counts as told: workers have to hear it all again.
    pub fn restore(&mut self, reader: &mut Reader<'_>) -> Result<(), DecodeError> {
        let log = reader.words("edges")?;
        *self = EdgeMap::new(self.is_known.len());
        self.learn(&log);
        if self.log == log { Ok(()) } else { Err(reader.error("edges")) }
    }

    /// What a batch is to tell that was made when so much of the log was known.
    pub fn news_until(&mut self, n_known: usize) -> Option<Vec<u32>> {
        let news = self.log.get(self.n_told..n_known)?.to_vec();
        self.n_told = n_known;
        Some(news)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_is_new_once_and_told_once() {
        let mut map = EdgeMap::new(10);
        assert!(map.learn(&[2, 5]));
        assert!(map.learn(&[2, 3]));
        assert!(!map.learn(&[2, 3, 5]));
        assert!(!map.learn(&[10, u32::MAX]), "there are no such edges");
        assert_eq!(map.known(), [2, 5, 3]);
        assert_eq!(map.news(), [2, 5, 3]);
        assert!(map.learn(&[9]));
        assert_eq!(map.news(), [9]);
        assert!(map.news().is_empty());
    }

    #[test]
    fn a_restored_map_tells_each_batch_what_it_would_have_told_and_the_first_all_before_it() {
        let mut map = EdgeMap::new(10);
        map.learn(&[7, 1]);
        map.news();
        map.learn(&[4]);
        let (_, first) = (map.news(), map.n_told());
        map.learn(&[8]);
        let mut writer = Writer::default();
        map.save(&mut writer);
        let mut restored = EdgeMap::new(10);
        restored.restore(&mut Reader::new(&writer.bytes)).unwrap();
        assert_eq!(restored.news_until(first), Some(vec![7, 1, 4]));
        assert_eq!(restored.news_until(9), None);
        assert_eq!(restored.news(), [8]);
        assert!(EdgeMap::new(8).restore(&mut Reader::new(&writer.bytes)).is_err(), "edge 8 is of another worker");
    }
}
