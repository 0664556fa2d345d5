//! Live objects of a test, known by their places, to be used again by kind or cloned from a base
//! domain.
//!
//! A port of `Pool`, the last subject of section 5 of *Trace-based Reflexive Testing of OO Programs*
//! (Prasetya, Vos, Baars, 2007), after what its section 3 says about it: every object that a test
//! makes goes into the pool and is known by its place there from then on, so that a later step can
//! use it, and have effects on it, again. Where a fresh object is wanted, one of the *base domain* is
//! cloned. Java's classes are a few [`Kind`]s here, with kinds that include others in the place of
//! interfaces.
//!
//! ```
//! use pool::{Kind, Object, Pool};
//!
//! let mut pool = Pool::new();
//! let seven = pool.put(Object::Int(7));
//! let pair = pool.put(Object::Pair(seven, seven));
//! assert_eq!(pool.pick(Kind::Scalar), Some(seven));
//! assert_eq!(pool.reach(pair), [seven, pair]);
//! pool.add_base(Object::Text("a".to_owned()));
//! let text = pool.fresh(Kind::Text).and_then(|id| pool.get(id));
//! assert_eq!(text, Some(&Object::Text("a".to_owned())));
//! ```

mod chance;
mod object;

pub use object::{Kind, Object, ObjectId};

use std::collections::BTreeSet;

use chance::Chance;

/// Live objects and the base domain that fresh ones are cloned from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pool {
    /// A place is given out once until the pool is reset; it is empty where an object was removed.
    slots: Vec<Option<Object>>,
    /// Nothing that is done to the pool changes these.
    base: Vec<Object>,
    chance: Chance,
}

impl Pool {
    /// Makes an empty pool.
    pub fn new() -> Self {
        Pool::default()
    }

    /// Takes an object in and says what it is known by from now on.
    pub fn put(&mut self, object: Object) -> ObjectId {
        let id = ObjectId(self.slots.len());
        self.slots.push(Some(object));
        id
    }

    /// An object, if it is there.
    pub fn get(&self, id: ObjectId) -> Option<&Object> {
        self.slots.get(id.0)?.as_ref()
    }

    /// Puts another object into the place of one, which is returned; `None` if there is none, and
    /// nothing is done then. What refers to it refers to the new one, and a pair may come to hold
    /// itself.
    pub fn replace(&mut self, id: ObjectId, object: Object) -> Option<Object> {
        let old = self.slots.get_mut(id.0)?.as_mut()?;
        Some(std::mem::replace(old, object))
    }

    /// Takes an object out. What refers to it refers to nothing from now on.
    pub fn remove(&mut self, id: ObjectId) -> Option<Object> {
        self.slots.get_mut(id.0)?.take()
    }

    /// The live objects that refer to one, the oldest first.
    pub fn users(&self, id: ObjectId) -> Vec<ObjectId> {
        let users = live(&self.slots).filter(|(_, object)| object.parts().any(|part| part == id));
        users.map(|(user, _)| user).collect()
    }

    /// Some live object of a kind, another one from time to time; `None` if there is none.
    pub fn pick(&mut self, kind: Kind) -> Option<ObjectId> {
        let fitting = live(&self.slots).filter(|(_, object)| object.is(kind));
        self.chance.one_of(fitting.map(|(id, _)| id))
    }

    /// Puts a clone of some object of the base domain into the pool; `None` if none of that kind is
    /// there.
    pub fn fresh(&mut self, kind: Kind) -> Option<ObjectId> {
        let fitting = self.base.iter().filter(|object| object.is(kind));
        let object = self.chance.one_of(fitting)?.clone();
        Some(self.put(object))
    }

    /// Either a live object of a kind or a fresh one, as a test engine decides for each argument; if
    /// the one is not to be had, the other.
    pub fn obtain(&mut self, kind: Kind) -> Option<ObjectId> {
        if self.chance.one_of([true, false]) == Some(true) {
            self.fresh(kind).or_else(|| self.pick(kind))
        } else {
            self.pick(kind).or_else(|| self.fresh(kind))
        }
    }

    /// Adds to the objects that fresh ones are cloned from.
    pub fn add_base(&mut self, object: Object) {
        if !self.base.contains(&object) {
            self.base.push(object);
        }
    }

    /// All objects that can be reached from one, itself included, the oldest first.
    pub fn reach(&self, id: ObjectId) -> Vec<ObjectId> {
        let mut reached = BTreeSet::new();
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            if let Some(object) = self.get(id)
                && reached.insert(id)
            {
                pending.extend(object.parts());
            }
        }
        reached.into_iter().collect()
    }

    /// How many live objects of a kind there are.
    pub fn count(&self, kind: Kind) -> usize {
        let objects = live(&self.slots);
        objects.filter(|(_, object)| object.is(kind)).count()
    }

    /// Starts the next test: no object is left, and places start anew. The base domain stays.
    pub fn reset(&mut self) {
        self.slots.clear();
        self.chance = Chance::default();
    }
}

fn live(slots: &[Option<Object>]) -> impl Iterator<Item = (ObjectId, &Object)> {
    let objects = slots.iter().enumerate();
    objects.filter_map(|(place, slot)| Some((ObjectId(place), slot.as_ref()?)))
}

#[cfg(test)]
mod tests;
