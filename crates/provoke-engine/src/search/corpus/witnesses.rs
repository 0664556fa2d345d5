//! Programs that were the first to reach something, and which of them is changed next.
//!
//! Decisions:
//! - `docs/decisions/025-a-guided-search-keeps-witnesses.md`
//! - `docs/decisions/036-witnesses-are-kept-as-they-are.md`

use provoke_wire::Body;
use serde::{Deserialize, Serialize};

use crate::api::Api;
use crate::generate::components::class_of;
use crate::program::check::check;
use crate::rng::Rng;
use crate::saved_forms::{self, RestoreError, ensure};
use crate::search::schedule::spent::Counts;

/// Beyond this number, the one that was changed most often for the least is replaced.
const MAX_WITNESSES: usize = 4096;
/// So many of the latest are preferred: they stand at the border of what is known.
const N_RECENT: usize = 48;
const RECENT_PERCENT: usize = 50;
/// The best of so many is taken.
const N_CANDIDATES: usize = 3;

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Witness {
    #[serde(with = "saved_forms::encoded")]
    body: Body,
    /// What it costs to run, on a logarithmic scale.
    class: u8,
    n_chosen: u32,
    /// How many programs that were made from it reached something new in turn.
    n_fruits: u32,
}

impl Witness {
    /// The lower, the more gladly it is changed: what is cheap, was rarely tried, or paid. It was
    /// chosen so many more times than is written down.
    fn weariness(&self, n_more: u32) -> u64 {
        (u64::from(self.n_chosen) + u64::from(n_more) + 1) * (u64::from(self.class) + 2)
            / (1 + 4 * u64::from(self.n_fruits))
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Witnesses {
    all: Vec<Witness>,
    /// Where the latest are, the latest last.
    recent: Vec<u32>,
}

impl Witnesses {
    /// Its place.
    pub(crate) fn add(&mut self, body: Body, n_calls: u32, cost: u64) -> u32 {
        let witness = Witness { body, class: class_of(n_calls, cost) as u8, n_chosen: 0, n_fruits: 0 };
        let place = if self.all.len() < MAX_WITNESSES {
            self.all.push(witness);
            self.all.len() - 1
        } else {
            let weariest = (0..self.all.len()).max_by_key(|&place| self.all[place].weariness(0)).unwrap_or(0);
            self.all[weariest] = witness;
            weariest
        };
        if self.recent.len() == N_RECENT {
            self.recent.remove(0);
        }
        self.recent.push(place as u32);
        place as u32
    }

    /// The place of one that is worth changing. `choices` are not written down yet.
    pub(crate) fn choose(&self, choices: &Counts, rng: &mut Rng) -> Option<u32> {
        if self.all.is_empty() {
            return None;
        }
        let is_recent = rng.percent(RECENT_PERCENT);
        let draw = |rng: &mut Rng| match is_recent {
            true => self.recent[rng.below(self.recent.len())],
            false => rng.below(self.all.len()) as u32,
        };
        let weariness = |place: u32| self.all[place as usize].weariness(choices.of(place));
        let mut best = draw(rng);
        for _ in 1..N_CANDIDATES {
            let other = draw(rng);
            if weariness(other) < weariness(best) {
                best = other;
            }
        }
        Some(best)
    }

    /// It was tried so many times to change this one.
    pub(crate) fn note_choices(&mut self, place: u32, n: u32) {
        self.all[place as usize].n_chosen += n;
    }

    pub(crate) fn body(&self, place: u32) -> &Body {
        &self.all[place as usize].body
    }

    pub(crate) fn bear_fruit(&mut self, place: u32) {
        self.all[place as usize].n_fruits += 1;
    }

    pub(crate) fn has(&self, place: u32) -> bool {
        (place as usize) < self.all.len()
    }

    pub(crate) fn restore(&mut self, api: &Api, saved: Witnesses) -> Result<(), RestoreError> {
        *self = saved;
        let is_sound = self.all.iter().all(|witness| check(api, &witness.body).is_ok())
            && self.recent.iter().all(|&place| self.has(place))
            && self.recent.is_empty() == self.all.is_empty();
        ensure(is_sound, "witnesses")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{sample, saved_and_read};

    fn body(n_calls: usize) -> Body {
        let mut body = Body::default();
        for _ in 0..n_calls {
            body.push_call(0, &[]);
        }
        body
    }

    fn choose(witnesses: &mut Witnesses, rng: &mut Rng) -> u32 {
        let place = witnesses.choose(&Counts::default(), rng).unwrap();
        witnesses.note_choices(place, 1);
        place
    }

    fn n_chosen(witnesses: &Witnesses, place: usize) -> u32 {
        witnesses.all[place].n_chosen
    }

    #[test]
    fn what_pays_is_changed_more_often_and_what_is_dear_less() {
        let mut witnesses = Witnesses::default();
        for n_calls in [1, 1, 400] {
            witnesses.add(body(n_calls), n_calls as u32, 0);
        }
        (0..20).for_each(|_| witnesses.bear_fruit(1));
        let mut rng = Rng::new(1);
        for _ in 0..3000 {
            choose(&mut witnesses, &mut rng);
        }
        assert!(n_chosen(&witnesses, 1) > 2 * n_chosen(&witnesses, 0));
        assert!(n_chosen(&witnesses, 0) > n_chosen(&witnesses, 2));
        assert!(n_chosen(&witnesses, 2) > 0);
    }

    #[test]
    fn choices_count_before_they_are_written_down() {
        let mut witnesses = Witnesses::default();
        (0..2).for_each(|_| _ = witnesses.add(body(1), 1, 0));
        let mut choices = Counts::default();
        (0..1000).for_each(|_| choices.add(0));
        let mut rng = Rng::new(1);
        let n_first = (0..1000).filter(|_| witnesses.choose(&choices, &mut rng) == Some(0)).count();
        assert!((1..250).contains(&n_first), "{n_first}");
    }

    #[test]
    fn the_latest_are_preferred_and_the_weariest_goes_when_it_is_full() {
        let mut witnesses = Witnesses::default();
        for _ in 0..MAX_WITNESSES {
            witnesses.add(body(1), 1, 0);
        }
        witnesses.all[7].n_chosen = 1000;
        witnesses.add(body(3), 3, 0);
        assert_eq!(witnesses.all.len(), MAX_WITNESSES);
        assert_eq!(witnesses.body(7).n_calls(), 3);
        let mut rng = Rng::new(1);
        let n_recent = (0..1000).filter(|_| choose(&mut witnesses, &mut rng) as usize >= MAX_WITNESSES - N_RECENT);
        assert!(n_recent.count() > 400);
    }

    #[test]
    fn witnesses_are_saved_and_damage_is_refused() {
        let mut witnesses = Witnesses::default();
        for n in 1..60 {
            witnesses.add(body(n), n as u32, 0);
        }
        let mut rng = Rng::new(1);
        for _ in 0..500 {
            choose(&mut witnesses, &mut rng);
        }
        let api = sample::api();
        let mut restored = Witnesses::default();
        restored.restore(&api, saved_and_read(&witnesses)).unwrap();
        let (mut a, mut b) = (Rng::new(3), Rng::new(3));
        assert!((0..500).all(|_| choose(&mut witnesses, &mut a) == choose(&mut restored, &mut b)));
        witnesses.recent[0] = 0xff;
        assert!(restored.restore(&api, saved_and_read(&witnesses)).is_err());
    }
}
