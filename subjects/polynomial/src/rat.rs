//! Rational numbers.

use std::fmt;

/// A rational number in lowest terms, with a positive denominator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rat {
    numer: i64,
    denom: i64,
}

impl Rat {
    /// The number `numer / denom`.
    ///
    /// # Panics
    ///
    /// If `denom` is 0.
    pub fn new(numer: i32, denom: i32) -> Self {
        assert!(
            denom != 0,
            "a rational number needs a denominator other than 0"
        );
        let (numer, denom) = reduce(numer.into(), denom.into());
        // Two 32-bit numbers fit even if reducing flips their signs.
        Rat {
            numer: numer as i64,
            denom: denom as i64,
        }
    }

    /// The numerator in lowest terms; it carries the sign.
    pub fn numer(self) -> i64 {
        self.numer
    }

    /// The denominator in lowest terms; always positive.
    pub fn denom(self) -> i64 {
        self.denom
    }

    /// The nearest floating-point number, or one beside it.
    pub fn approx(self) -> f64 {
        self.numer as f64 / self.denom as f64
    }

    /// Whether this is 0.
    pub fn is_zero(self) -> bool {
        self.numer == 0
    }

    /// `self + other`; `None` if the result does not fit.
    pub fn checked_add(self, other: Rat) -> Option<Rat> {
        Rat::sum(
            self.numer.into(),
            self.denom,
            other.numer.into(),
            other.denom,
        )
    }

    /// `self - other`; `None` if the result does not fit.
    pub fn checked_sub(self, other: Rat) -> Option<Rat> {
        Rat::sum(
            self.numer.into(),
            self.denom,
            -i128::from(other.numer),
            other.denom,
        )
    }

    /// `a / b + x / y`. The products of 64-bit numbers and their sum fit in 128 bits.
    fn sum(a: i128, b: i64, x: i128, y: i64) -> Option<Rat> {
        let (b, y) = (i128::from(b), i128::from(y));
        let (numer, denom) = reduce(a * y + x * b, b * y);
        let sum = Rat {
            numer: numer.try_into().ok()?,
            denom: denom.try_into().ok()?,
        };
        debug_assert!(sum.denom > 0, "the denominator must be positive");
        Some(sum)
    }
}

/// `numer / denom` in lowest terms, the sign in the numerator.
fn reduce(numer: i128, denom: i128) -> (i128, i128) {
    let (mut gcd, mut rest) = (numer, denom);
    while rest != 0 {
        (gcd, rest) = (rest, gcd % rest);
    }
    if (gcd < 0) != (denom < 0) {
        gcd = -gcd;
    }
    (numer / gcd, denom / gcd)
}

impl From<i32> for Rat {
    fn from(whole: i32) -> Self {
        Rat {
            numer: whole.into(),
            denom: 1,
        }
    }
}

impl fmt::Display for Rat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denom == 1 {
            write!(f, "{}", self.numer)
        } else {
            write!(f, "{}/{}", self.numer, self.denom)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_kept_in_lowest_terms() {
        assert_eq!(Rat::new(4, -6).to_string(), "-2/3");
        assert_eq!(Rat::new(-3, -3), Rat::from(1));
        assert_eq!(Rat::new(0, -7), Rat::from(0));
        assert_eq!(Rat::new(1, i32::MIN).denom(), 1 << 31);
        assert_eq!(Rat::new(i32::MIN, i32::MIN), Rat::from(1));
        assert_eq!(Rat::new(i32::MIN, -1).numer(), 1 << 31);
    }

    #[test]
    #[should_panic(expected = "denominator")]
    fn a_denominator_of_zero_is_refused() {
        Rat::new(1, 0);
    }

    #[test]
    fn sums_and_differences_are_exact() {
        let (half, third) = (Rat::new(1, 2), Rat::new(1, 3));
        assert_eq!(half.checked_add(third), Some(Rat::new(5, 6)));
        assert_eq!(half.checked_sub(third), Some(Rat::new(1, 6)));
        assert!(half.checked_sub(half).unwrap().is_zero());
        assert_eq!(half.approx(), 0.5);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let mut tiny = Rat::new(1, i32::MAX);
        let mut n_sums = 0;
        while let Some(sum) = tiny.checked_add(Rat::new(1, i32::MAX - 1 - n_sums)) {
            tiny = sum;
            n_sums += 1;
        }
        assert!(n_sums < 4);
        let mut huge = Rat::from(i32::MIN);
        while let Some(sum) = huge.checked_add(huge) {
            huge = sum;
        }
        assert_eq!(huge.numer(), i64::MIN);
        assert_eq!(huge.checked_sub(huge), Some(Rat::from(0)));
        assert_eq!(Rat::from(0).checked_sub(huge), None);
    }
}
