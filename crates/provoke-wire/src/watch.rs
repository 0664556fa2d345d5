//! Which edges of its control flow a worker is to watch.
//!
//! Edges are numbered in the order in which the linker laid out their counters. Only those in the sources of the target are
//! watched; the tool finds out which these are. They lie in runs, so runs travel.

use crate::bytes::{DecodeError, Reader, Writer};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WatchedEdges {
    /// All that the worker has a counter for.
    pub n_edges: u32,
    /// First edge and number of edges of each run, in order; none of them is empty.
    runs: Vec<(u32, u32)>,
}

impl WatchedEdges {
    pub fn new(is_watched: &[bool]) -> WatchedEdges {
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for (edge, _) in is_watched.iter().enumerate().filter(|(_, yes)| **yes) {
            let edge = edge as u32;
            match runs.last_mut() {
                Some((first, n)) if *first + *n == edge => *n += 1,
                _ => runs.push((edge, 1)),
            }
        }
        WatchedEdges { n_edges: is_watched.len() as u32, runs }
    }

    /// The watched edges in order.
    pub fn edges(&self) -> impl Iterator<Item = u32> + '_ {
        self.runs.iter().flat_map(|&(first, n)| first..first + n)
    }

    pub(crate) fn encode(&self, writer: &mut Writer) {
        writer.u32(self.n_edges);
        writer.u32(self.runs.len() as u32);
        let mut end = 0;
        for &(first, n) in &self.runs {
            writer.short(first - end);
            writer.short(n);
            end = first + n;
        }
    }

    pub(crate) fn decode(reader: &mut Reader<'_>) -> Result<WatchedEdges, DecodeError> {
        let n_edges = reader.u32("edges")?;
        let n_runs = reader.count(2, "runs of edges")?;
        let mut runs = Vec::with_capacity(n_runs);
        let mut end = 0u32;
        for _ in 0..n_runs {
            let (gap, n) = (reader.short("run of edges")?, reader.short("run of edges")?);
            let first = end.checked_add(gap).ok_or(reader.error("run of edges"))?;
            end = first.checked_add(n).filter(|end| n > 0 && *end <= n_edges).ok_or(reader.error("run of edges"))?;
            runs.push((first, n));
        }
        if reader.is_at_end() { Ok(WatchedEdges { n_edges, runs }) } else { Err(reader.error("watch")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Request;

    #[test]
    fn watched_edges_survive_the_wire_and_damage_never_panics() {
        let is_watched: Vec<bool> = (0..900u32).map(|edge| edge % 7 < 2 || edge > 300 && edge < 700).collect();
        let watch = WatchedEdges::new(&is_watched);
        let wanted: Vec<u32> = (0..900).filter(|edge| is_watched[*edge as usize]).collect();
        assert_eq!(watch.edges().collect::<Vec<_>>(), wanted);
        let good = Request::encode_watch(&watch);
        assert!(matches!(Request::decode(&good), Ok(Request::Watch(read)) if read == watch));
        for at in 0..good.len() {
            assert!(Request::decode(&good[..at]).is_err(), "cut at {at}");
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                if let Ok(Request::Watch(read)) = Request::decode(&bad) {
                    assert!(read.edges().all(|edge| edge < read.n_edges));
                }
            }
        }
    }
}
