//! Live objects of a test, known by index, to be used again by kind or cloned from a base domain.
//!
//! A port of `Pool`, the last subject of section 5 of *Trace-based Reflexive Testing of OO Programs*
//! (Prasetya, Vos, Baars, 2007), after what its section 3 says about it: every object that a test
//! makes goes into the pool and is known by its index from then on, so that a later step can use it,
//! and have effects on it, again. Where a fresh object is wanted, one of the *base domain* is cloned.
//! Java's classes are a few [`Kind`]s here, with kinds that include others in the place of
//! interfaces.
//!
//! ```
//! use pool::{Kind, Object, Pool};
//!
//! let mut pool = Pool::new(100);
//! let seven = pool.put(Object::Int(7))?;
//! let list = pool.put(Object::List(vec![seven]))?;
//! assert_eq!(pool.pick(Kind::Scalar), Some(seven));
//! assert_eq!(pool.reach(list), [seven, list]);
//! assert!(pool.remove(seven).is_err(), "the list refers to it");
//! pool.add_base(Object::Text("a".to_owned()));
//! let text = pool.fresh(Kind::Text)?;
//! assert_eq!(pool.get(text), Some(&Object::Text("a".to_owned())));
//! # Ok::<(), pool::Refusal>(())
//! ```

mod chance;
mod object;
mod refusal;

pub use object::{Kind, Object};
pub use refusal::Refusal;

use std::collections::BTreeSet;

use chance::Chance;

/// Live objects and the base domain that fresh ones are cloned from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pool {
    /// By index, which is given out once until the pool is reset; empty where an object was removed.
    slots: Vec<Option<Object>>,
    /// Nothing that is done to the pool changes these.
    base: Vec<Object>,
    limit: usize,
    chance: Chance,
}

impl Pool {
    /// Makes an empty pool for at most `limit` objects at a time.
    pub fn new(limit: usize) -> Self {
        Pool {
            slots: Vec::new(),
            base: Vec::new(),
            limit,
            chance: Chance::default(),
        }
    }

    /// Takes an object in and says by which index it is known from now on.
    pub fn put(&mut self, object: Object) -> Result<usize, Refusal> {
        if self.count(Kind::Any) >= self.limit {
            return Err(Refusal::Full);
        }
        self.find_parts(&object)?;
        let index = self.slots.len();
        self.slots.push(Some(object));
        Ok(index)
    }

    /// The object at an index, if it is there.
    pub fn get(&self, index: usize) -> Option<&Object> {
        self.slots.get(index)?.as_ref()
    }

    /// Puts another object into the place of one, which is returned. What refers to it refers to the
    /// new one then; a list may also come to hold itself.
    pub fn replace(&mut self, index: usize, object: Object) -> Result<Object, Refusal> {
        self.find_parts(&object)?;
        match self.slots.get_mut(index) {
            Some(Some(old)) => Ok(std::mem::replace(old, object)),
            _ => Err(Refusal::Missing(index)),
        }
    }

    /// Takes an object out, unless others refer to it.
    pub fn remove(&mut self, index: usize) -> Result<Object, Refusal> {
        for (other_idx, other) in self.slots.iter().enumerate() {
            let refers = other
                .as_ref()
                .is_some_and(|other| other.parts().contains(&index));
            if refers && other_idx != index {
                return Err(Refusal::InUse {
                    index,
                    by: other_idx,
                });
            }
        }
        let slot = self.slots.get_mut(index).and_then(Option::take);
        slot.ok_or(Refusal::Missing(index))
    }

    /// The index of some live object of a kind, another one from time to time; `None` if there is
    /// none.
    pub fn pick(&mut self, kind: Kind) -> Option<usize> {
        self.chance.one_of(indices(&self.slots, kind))
    }

    /// Puts a clone of some object of the base domain into the pool.
    pub fn fresh(&mut self, kind: Kind) -> Result<usize, Refusal> {
        let fitting = self
            .base
            .iter()
            .filter(|object| kind.includes(object.kind()));
        let object = self.chance.one_of(fitting).cloned();
        self.put(object.ok_or(Refusal::NoBase(kind))?)
    }

    /// Either a live object of a kind or a fresh one, as a test engine decides for each argument; if
    /// the one is not to be had, the other.
    pub fn obtain(&mut self, kind: Kind) -> Result<usize, Refusal> {
        if self.chance.one_of([true, false]) == Some(true) {
            return self
                .fresh(kind)
                .or_else(|refusal| self.pick(kind).ok_or(refusal));
        }
        match self.pick(kind) {
            Some(index) => Ok(index),
            None => self.fresh(kind),
        }
    }

    /// Adds to the objects that fresh ones are cloned from.
    pub fn add_base(&mut self, object: Object) {
        if !self.base.contains(&object) {
            self.base.push(object);
        }
    }

    /// The indices of all objects that can be reached from one, itself included, in ascending order.
    pub fn reach(&self, index: usize) -> Vec<usize> {
        let mut reached = BTreeSet::new();
        let mut pending = vec![index];
        while let Some(index) = pending.pop() {
            if let Some(object) = self.get(index)
                && reached.insert(index)
            {
                pending.extend(object.parts());
            }
        }
        reached.into_iter().collect()
    }

    /// How many live objects of a kind there are.
    pub fn count(&self, kind: Kind) -> usize {
        indices(&self.slots, kind).count()
    }

    /// Starts the next test: no object is left, and indices start anew. The base domain stays.
    pub fn reset(&mut self) {
        self.slots.clear();
        self.chance = Chance::default();
    }

    /// All that an object refers to must be there.
    fn find_parts(&self, object: &Object) -> Result<(), Refusal> {
        let mut parts = object.parts().iter();
        match parts.find(|part| self.get(**part).is_none()) {
            Some(&missing) => Err(Refusal::Missing(missing)),
            None => Ok(()),
        }
    }
}

/// Of all live objects of a kind.
fn indices(slots: &[Option<Object>], kind: Kind) -> impl Iterator<Item = usize> {
    slots.iter().enumerate().filter_map(move |(index, slot)| {
        let object = slot.as_ref()?;
        kind.includes(object.kind()).then_some(index)
    })
}

#[cfg(test)]
mod tests;
