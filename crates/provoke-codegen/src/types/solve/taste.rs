//! Which of the types that meet a bound alike is taken.
//!
//! Decision: `docs/decisions/004-the-solver-has-tastes.md`

use provoke_model::{Bound, GenericParamKind, ItemId, Ty, WherePredicate};

use crate::types::facts::Fact;

/// Numbers by how gladly they are taken, where all of them do. In the first profile those that people write, then
/// fractions, which are unlike all others, then small ones without a sign.
const NUMBERS: [[&str; 14]; 3] = [
    ["i32", "u32", "i64", "u64", "usize", "u8", "f64", "f32", "isize", "i16", "u16", "i8", "i128", "u128"],
    ["f64", "f32", "i64", "u64", "i32", "u32", "usize", "u8", "isize", "i16", "u16", "i8", "i128", "u128"],
    ["u8", "u16", "usize", "u32", "u64", "i8", "i32", "i64", "f32", "f64", "isize", "i16", "i128", "u128"],
];

/// How gladly what an impl is for is taken, compared with others of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taste {
    Plain,
    Number(usize),
    /// A tuple of one: nobody writes that, and a point or a size of one dimension is often refused.
    Odd,
    /// Made of another type with the same trait, which has to be found first.
    Wrapper,
}

impl Taste {
    pub(super) fn of(fact: &Fact, trait_item: ItemId, profile: usize) -> Taste {
        let is_same = |bound: &Bound| matches!(bound, Bound::Trait { trait_ref, .. } if trait_ref.item == trait_item);
        let in_params =
            fact.generics.params.iter().any(
                |param| matches!(&param.kind, GenericParamKind::Type { bounds, .. } if bounds.iter().any(is_same)),
            );
        let in_predicates =
            fact.generics.predicates.iter().any(
                |predicate| matches!(predicate, WherePredicate::Type { bounds, .. } if bounds.iter().any(is_same)),
            );
        match &fact.for_ty {
            _ if in_params || in_predicates => Taste::Wrapper,
            Ty::Primitive(name) => {
                let place = NUMBERS[profile.min(NUMBERS.len() - 1)].iter().position(|number| number == name);
                place.map_or(Taste::Plain, Taste::Number)
            }
            Ty::Tuple(parts) if parts.len() == 1 => Taste::Odd,
            _ => Taste::Plain,
        }
    }

    /// What comes first is taken first.
    pub(super) fn rank(self) -> u32 {
        match self {
            Taste::Plain | Taste::Number(_) => 0,
            Taste::Odd => 1,
            Taste::Wrapper => 2,
        }
    }
}

/// Numbers change places among each other; all else stays where it is.
pub(super) fn sort_numbers<T>(found: &mut [(T, Taste)]) {
    for at in 0..found.len() {
        let Taste::Number(mut best) = found[at].1 else { continue };
        for other in at + 1..found.len() {
            if let Taste::Number(rank) = found[other].1
                && rank < best
            {
                best = rank;
                found.swap(at, other);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_change_places_among_each_other_only() {
        let number = |name: &'static str| {
            (name, NUMBERS[1].iter().position(|known| *known == name).map_or(Taste::Plain, Taste::Number))
        };
        let mut found = ["isize", "String", "i32", "f32", "Vec", "f64"].map(number);
        sort_numbers(&mut found);
        assert_eq!(found.map(|(name, _)| name), ["f64", "String", "f32", "i32", "Vec", "isize"]);
    }
}
