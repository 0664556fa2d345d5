//! What a batch that is being made spent so far: tries of operations, choices of witnesses.

use crate::api::Api;

/// What a batch spent so far. Others that are made at the same time do not know of it, and the
/// search writes it down once it has taken up the batch.
#[derive(Debug, Default)]
pub(crate) struct Spent {
    /// Calls that were tried, by operation and by function.
    pub tries: Counts,
    pub tries_of_functions: Counts,
    /// How often witnesses were chosen to be changed.
    pub choices: Counts,
}

impl Spent {
    pub fn clear(&mut self) {
        for counts in [&mut self.tries, &mut self.tries_of_functions, &mut self.choices] {
            counts.drain().for_each(drop);
        }
    }

    /// A call of an operation is tried.
    pub fn try_again(&mut self, api: &Api, op: u32) {
        self.tries.add(op);
        if let Some(function) = api.ops[op as usize].function {
            self.tries_of_functions.add(function);
        }
    }
}

/// Counts by place, few of which are not 0.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    by_place: Vec<u32>,
    /// Those with a count.
    places: Vec<u32>,
}

impl Counts {
    pub fn add(&mut self, place: u32) {
        if self.by_place.len() <= place as usize {
            self.by_place.resize(place as usize + 1, 0);
        }
        let count = &mut self.by_place[place as usize];
        if *count == 0 {
            self.places.push(place);
        }
        *count += 1;
    }

    pub fn of(&self, place: u32) -> u32 {
        self.by_place.get(place as usize).copied().unwrap_or(0)
    }

    /// All places with their counts, which are 0 from then on.
    pub fn drain(&mut self) -> impl Iterator<Item = (u32, u32)> {
        let by_place = &mut self.by_place;
        self.places.drain(..).map(|place| (place, std::mem::take(&mut by_place[place as usize])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_taken_once() {
        let mut counts = Counts::default();
        [5, 0, 5].into_iter().for_each(|place| counts.add(place));
        assert_eq!([0, 1, 5, 99].map(|place| counts.of(place)), [1, 0, 2, 0]);
        assert_eq!(counts.drain().collect::<Vec<_>>(), [(5, 2), (0, 1)]);
        assert_eq!((counts.of(5), counts.drain().count()), (0, 0));
    }
}
