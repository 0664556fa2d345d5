//! The monitor of one object.
//!
//! A watch has no list of properties to begin with: the function that states them is called at every point and states them
//! anew, and what each has to remember is found by its place in the order of calls. So a property is one line with two plain
//! conditions, instead of an automaton with variables to name and to keep.

use std::mem;
use std::panic::Location;

use crate::property::{Debt, Property};
use crate::violation::Violation;

/// Watches over the life of one object, on behalf of one [`temporal`](macro@crate::temporal) function.
///
/// That function is called at every *point*: after the object was created, and after each call of one of its methods. It
/// states the same properties in the same order each time, with what is true at that point. A clone is another object,
/// whose life begins with what it was cloned from; so does that of what a method takes and gives back. An object that two functions
/// watch over has two watches.
#[derive(Debug, Default)]
pub struct Watch {
    /// In the order in which they are stated.
    properties: Vec<Property>,
    /// Where the property that is stated next has its memory.
    property_idx: usize,
    violation: Option<Violation>,
}

impl Watch {
    /// For an object that is about to be created.
    pub fn new() -> Watch {
        Watch::default()
    }

    /// `condition` holds at every point.
    #[track_caller]
    pub fn always(&mut self, condition: bool) {
        self.next::<()>("always");
        self.judge(condition, "always");
    }

    /// Once `p` holds, it goes on to hold at least until `q` does.
    #[track_caller]
    pub fn unless(&mut self, p: bool, q: bool) {
        let is_bound: &mut bool = self.next("unless");
        let was_bound = mem::replace(is_bound, p && !q);
        self.judge(!was_bound || p || q, "unless");
    }

    /// `value` only changes from or to a point at which `q` holds.
    ///
    /// It is kept until the next point, so it has to be a copy of what is watched.
    #[track_caller]
    pub fn unchanged_unless<V: PartialEq + 'static>(&mut self, value: V, q: bool) {
        let frozen: &mut Option<(V, bool)> = self.next("unchanged_unless");
        let is_kept = match &*frozen {
            Some((frozen_value, q_held)) => q || *q_held || value == *frozen_value,
            None => true,
        };
        *frozen = Some((value, q));
        self.judge(is_kept, "unchanged_unless");
    }

    /// Whenever `p` holds, `q` holds too, or will at some later point.
    #[track_caller]
    pub fn leads_to(&mut self, p: bool, q: bool) {
        let debt: &mut Debt = self.next("leads_to");
        if q {
            *debt = Debt::Paid;
        } else if p {
            *debt = Debt::Owed;
        }
    }

    /// `p` holds at some point or other before the object is dropped.
    #[track_caller]
    pub fn eventually_before_drop(&mut self, p: bool) {
        let debt: &mut Debt = self.next("eventually_before_drop");
        if p {
            *debt = Debt::Paid;
        } else if *debt == Debt::None {
            *debt = Debt::Owed;
        }
    }

    /// A state of your own, which starts as its default and is kept from point to point. With [`require`](Self::require)
    /// it makes whatever automaton you need:
    ///
    /// ```text
    /// let longest: &mut usize = watch.state();
    /// *longest = self.len().max(*longest);
    /// let is_short = *longest <= 8;
    /// watch.require(is_short);
    /// ```
    #[track_caller]
    pub fn state<S: Default + 'static>(&mut self) -> &mut S {
        self.next("state")
    }

    /// What was made of a [`state`](Self::state) is right.
    #[track_caller]
    pub fn require(&mut self, condition: bool) {
        self.next::<()>("require");
        self.judge(condition, "require");
    }

    /// For Provoke: the properties are about to be stated once more. Trampolines do that by themselves.
    pub fn start_point(&mut self) {
        self.property_idx = 0;
    }

    /// For Provoke, and for its tests: the object is about to be dropped, so what has not come will not come any more.
    pub fn finish(&mut self) {
        let broken = self.properties.iter().find(|property| property.is_owed());
        if let (None, Some(property)) = (self.violation, broken) {
            self.violation = Some(Violation::new(property.method, property.place));
        }
    }

    /// The first property that was broken.
    pub fn violation(&self) -> Option<&Violation> {
        self.violation.as_ref()
    }

    /// Whether no property was broken so far.
    pub fn is_kept(&self) -> bool {
        self.violation.is_none()
    }

    /// What the property that is stated now remembers.
    #[track_caller]
    fn next<M: Default + 'static>(&mut self, method: &'static str) -> &mut M {
        let property_idx = self.property_idx;
        self.property_idx += 1;
        if property_idx == self.properties.len() {
            let memory = Box::<M>::default();
            self.properties.push(Property { method, place: Location::caller(), memory });
        }
        let Property { method: method_before, place, memory } = &mut self.properties[property_idx];
        assert!(
            *method_before == method,
            "the same properties have to be stated in the same order at every point, \
             but number {} was `{method_before}` (at {place}) before and is `{method}` now",
            property_idx + 1,
        );
        match memory.downcast_mut() {
            Some(memory) => memory,
            None => panic!(
                "the same properties have to be stated in the same order at every point, \
                 but number {}, `{method}`, was about a value of another type (at {place}) before",
                property_idx + 1,
            ),
        }
    }

    #[track_caller]
    fn judge(&mut self, is_kept: bool, method: &'static str) {
        if !is_kept && self.violation.is_none() {
            self.violation = Some(Violation::new(method, Location::caller()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// States a property at each of the points, then finishes; at which point (the end counts as the last) it was broken.
    fn broken_at<P: Copy>(points: &[P], state: impl Fn(&mut Watch, P)) -> Option<usize> {
        let mut watch = Watch::new();
        for (point_idx, point) in points.iter().enumerate() {
            watch.start_point();
            state(&mut watch, *point);
            if !watch.is_kept() {
                return Some(point_idx);
            }
        }
        watch.finish();
        (!watch.is_kept()).then_some(points.len())
    }

    const NO: bool = false;
    const YES: bool = true;

    #[test]
    fn always_means_at_every_point() {
        let cases: [(&[bool], _); 4] = [(&[], None), (&[YES, YES], None), (&[NO], Some(0)), (&[YES, NO, YES], Some(1))];
        for (points, expected) in cases {
            assert_eq!(broken_at(points, |watch, p| watch.always(p)), expected, "{points:?}");
            assert_eq!(broken_at(points, |watch, p| watch.require(p)), expected, "{points:?}");
        }
    }

    #[test]
    fn unless_binds_from_one_point_to_the_next() {
        let cases: [(&[(bool, bool)], _); 8] = [
            (&[(NO, NO), (NO, NO)], None),
            (&[(YES, NO), (YES, NO), (YES, NO)], None),
            (&[(YES, NO), (NO, NO)], Some(1)),
            (&[(YES, NO), (NO, YES)], None),
            (&[(YES, NO), (YES, YES), (NO, NO)], None),
            (&[(YES, YES), (NO, NO)], None),
            (&[(YES, NO), (NO, YES), (YES, NO), (NO, NO)], Some(3)),
            (&[(NO, NO), (YES, NO), (NO, NO)], Some(2)),
        ];
        for (points, expected) in cases {
            assert_eq!(broken_at(points, |watch, (p, q)| watch.unless(p, q)), expected, "{points:?}");
        }
    }

    #[test]
    fn a_frozen_value_changes_from_or_to_free_points_only() {
        let cases: [(&[(u8, bool)], _); 7] = [
            (&[(1, NO)], None),
            (&[(1, NO), (1, NO)], None),
            (&[(1, NO), (2, NO)], Some(1)),
            (&[(1, YES), (2, NO)], None),
            (&[(1, NO), (2, YES)], None),
            (&[(1, YES), (2, NO), (3, NO)], Some(2)),
            (&[(1, NO), (2, YES), (3, NO), (3, NO), (1, NO)], Some(4)),
        ];
        for (points, expected) in cases {
            let state = |watch: &mut Watch, (value, q): (u8, bool)| watch.unchanged_unless(vec![value], q);
            assert_eq!(broken_at(points, state), expected, "{points:?}");
        }
    }

    #[test]
    fn what_leads_to_something_is_judged_at_the_end() {
        let cases: [(&[(bool, bool)], _); 7] = [
            (&[], None),
            (&[(NO, NO)], None),
            (&[(YES, YES)], None),
            (&[(YES, NO), (NO, NO)], Some(2)),
            (&[(YES, NO), (NO, NO), (NO, YES)], None),
            (&[(YES, NO), (NO, YES), (YES, NO)], Some(3)),
            (&[(NO, YES), (YES, NO)], Some(2)),
        ];
        for (points, expected) in cases {
            assert_eq!(broken_at(points, |watch, (p, q)| watch.leads_to(p, q)), expected, "{points:?}");
        }
    }

    #[test]
    fn eventually_takes_any_one_point() {
        let cases: [(&[bool], _); 5] =
            [(&[], None), (&[NO], Some(1)), (&[NO, NO], Some(2)), (&[NO, YES, NO], None), (&[YES, NO], None)];
        for (points, expected) in cases {
            assert_eq!(broken_at(points, |watch, p| watch.eventually_before_drop(p)), expected, "{points:?}");
        }
    }

    #[test]
    fn a_state_is_kept_and_starts_as_its_default() {
        let at_most_two_in_a_row = |watch: &mut Watch, is_hit: bool| {
            let run: &mut u32 = watch.state();
            *run = if is_hit { *run + 1 } else { 0 };
            let is_short = *run <= 2;
            watch.require(is_short);
        };
        assert_eq!(broken_at(&[YES, YES, NO, YES, YES], at_most_two_in_a_row), None);
        assert_eq!(broken_at(&[NO, YES, YES, YES], at_most_two_in_a_row), Some(3));
    }

    #[test]
    fn each_call_remembers_for_itself() {
        let both = |watch: &mut Watch, (a, b): (bool, bool)| {
            watch.unless(a, false);
            watch.unless(b, false);
            watch.state::<u8>();
            watch.state::<String>();
        };
        assert_eq!(broken_at(&[(YES, NO), (YES, NO), (YES, YES)], both), None);
        assert_eq!(broken_at(&[(YES, NO), (YES, YES), (YES, NO)], both), Some(2));
    }

    #[test]
    fn the_first_violation_stays_and_says_where_it_stands() {
        let mut watch = Watch::new();
        let line = line!() + 5; // of `unless`
        for holds in [true, false, false] {
            watch.start_point();
            watch.leads_to(true, false);
            watch.always(true);
            watch.unless(holds, false);
            watch.always(holds);
        }
        watch.finish();
        let violation = watch.violation().expect("it was broken");
        assert_eq!((violation.property(), violation.place().line()), ("unless", line));
        assert_eq!(violation.to_string(), format!("`unless` is broken at {}:{line}:19", file!()));
        assert!(!watch.is_kept());
    }

    #[test]
    fn what_did_not_come_is_said_to_be_broken_where_it_was_asked_for() {
        let mut watch = Watch::new();
        watch.start_point();
        let line = line!() + 1;
        watch.leads_to(true, false);
        assert!(watch.is_kept());
        watch.finish();
        assert_eq!(watch.violation().map(|violation| violation.place().line()), Some(line));
    }

    #[test]
    #[should_panic = "number 2 was `always` (at "]
    fn another_property_at_a_place_is_a_misuse() {
        broken_at(&[true, false], |watch, is_first| {
            watch.always(true);
            if is_first {
                watch.always(true);
            } else {
                watch.leads_to(true, true);
            }
        });
    }

    #[test]
    #[should_panic = "number 1, `unchanged_unless`, was about a value of another type"]
    fn a_value_of_another_type_at_a_place_is_a_misuse() {
        broken_at(&[true, false], |watch, is_first| {
            if is_first {
                watch.unchanged_unless(1_u8, false);
            } else {
                watch.unchanged_unless(1_u16, false);
            }
        });
    }

    #[test]
    fn properties_can_be_left_out_at_the_end_of_a_point() {
        let state = |watch: &mut Watch, is_all: bool| {
            watch.always(true);
            if is_all {
                watch.unless(true, false);
            }
        };
        assert_eq!(broken_at(&[YES, NO, YES], state), None);
    }
}
