//! Polynomials.

use crate::{Mono, Rat};

/// A polynomial: monomials in order of decreasing exponent, none of them zero.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Poly {
    monos: Vec<Mono>,
}

impl Poly {
    /// The polynomial 0.
    pub fn new() -> Self {
        Poly::default()
    }

    /// The polynomial with these terms; `None` unless their exponents decrease strictly and no
    /// coefficient is 0.
    pub fn from_monos(monos: Vec<Mono>) -> Option<Self> {
        let poly = Poly { monos };
        poly.rep_ok().then_some(poly)
    }

    /// The terms, highest exponent first.
    pub fn monos(&self) -> &[Mono] {
        &self.monos
    }

    /// The highest exponent; `None` for the polynomial 0.
    pub fn degree(&self) -> Option<u32> {
        highest_exp(&self.monos)
    }

    /// Whether this is the polynomial 0.
    pub fn is_zero(&self) -> bool {
        self.monos.is_empty()
    }

    /// This polynomial plus one more term; `None` if a coefficient does not fit.
    pub fn add(&self, mono: Mono) -> Option<Poly> {
        if mono.coeff().is_zero() {
            return Some(self.clone());
        }
        let mut monos = self.monos.clone();
        let place = monos.partition_point(|other| other.exp() > mono.exp());
        match monos.get_mut(place) {
            Some(same) if same.exp() == mono.exp() => {
                let sum = same.coeff().checked_add(mono.coeff())?;
                *same = Mono::new(sum, mono.exp());
            }
            _ => monos.insert(place, mono),
        }
        let sum = Poly { monos };
        debug_assert!(
            sum.rep_ok(),
            "exponents must decrease and coefficients must not be 0"
        );
        Some(sum)
    }

    /// `self + other`; `None` if a coefficient does not fit.
    pub fn checked_add(&self, other: &Poly) -> Option<Poly> {
        self.merge(other, Rat::checked_add)
    }

    /// `self - other`; `None` if a coefficient does not fit.
    pub fn checked_sub(&self, other: &Poly) -> Option<Poly> {
        self.merge(other, Rat::checked_sub)
    }

    /// Combines the coefficients of equal exponents, 0 standing in for a missing one.
    fn merge(&self, other: &Poly, combine: fn(Rat, Rat) -> Option<Rat>) -> Option<Poly> {
        let (mut left, mut right) = (self.monos.as_slice(), other.monos.as_slice());
        let mut monos = Vec::new();
        while let Some(exp) = highest_exp(left).max(highest_exp(right)) {
            let coeff = combine(take_coeff(&mut left, exp), take_coeff(&mut right, exp))?;
            if !coeff.is_zero() {
                monos.push(Mono::new(coeff, exp));
            }
        }
        Some(Poly { monos })
    }

    /// The representation invariant.
    fn rep_ok(&self) -> bool {
        self.monos.is_sorted_by(|a, b| a.exp() > b.exp())
            && self.monos.iter().all(|mono| !mono.coeff().is_zero())
    }
}

fn highest_exp(monos: &[Mono]) -> Option<u32> {
    monos.first().map(|mono| mono.exp())
}

/// Takes the first term off if it has this exponent; 0 otherwise.
fn take_coeff(monos: &mut &[Mono], exp: u32) -> Rat {
    match monos.split_first() {
        Some((mono, rest)) if mono.exp() == exp => {
            *monos = rest;
            mono.coeff()
        }
        _ => Rat::from(0),
    }
}

impl From<Mono> for Poly {
    fn from(mono: Mono) -> Self {
        let monos = if mono.coeff().is_zero() {
            Vec::new()
        } else {
            vec![mono]
        };
        Poly { monos }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mono(coeff: i32, exp: u32) -> Mono {
        Mono::new(Rat::from(coeff), exp)
    }

    #[test]
    fn badly_ordered_or_zero_terms_are_refused() {
        assert_eq!(Poly::from_monos(vec![mono(1, 2), mono(1, 2)]), None);
        assert_eq!(Poly::from_monos(vec![mono(1, 2), mono(1, 3)]), None);
        assert_eq!(Poly::from_monos(vec![mono(0, 2)]), None);
        assert_eq!(Poly::from_monos(vec![]), Some(Poly::new()));
    }

    #[test]
    fn a_term_is_added_in_its_place() {
        let poly = Poly::from_monos(vec![mono(2, 3), mono(1, 0)]).unwrap();
        for (term, expected) in [
            (mono(1, 2), vec![mono(2, 3), mono(1, 2), mono(1, 0)]),
            (mono(1, 4), vec![mono(1, 4), mono(2, 3), mono(1, 0)]),
            (mono(5, 0), vec![mono(2, 3), mono(6, 0)]),
            (mono(0, 1), vec![mono(2, 3), mono(1, 0)]),
        ] {
            assert_eq!(poly.add(term).unwrap().monos(), expected);
        }
        assert_eq!(Poly::new().add(mono(3, 1)).unwrap().degree(), Some(1));
    }

    #[test]
    fn whole_polynomials_cancel_out() {
        let poly = Poly::from_monos(vec![mono(2, 3), mono(1, 0)]).unwrap();
        assert!(poly.checked_sub(&poly).unwrap().is_zero());
        let double = poly.checked_add(&poly).unwrap();
        assert_eq!(double.monos(), [mono(4, 3), mono(2, 0)]);
        assert_eq!(double.checked_sub(&poly), Some(poly));
        let (square, one) = (Poly::from(mono(1, 2)), Poly::from(mono(1, 0)));
        assert_eq!(
            one.checked_sub(&square).unwrap().monos(),
            [mono(-1, 2), mono(1, 0)]
        );
    }
}
