//! Monomials.

use crate::Rat;

/// One term of a polynomial: a coefficient times a power of the variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mono {
    coeff: Rat,
    exp: u32,
}

impl Mono {
    /// `coeff` times the variable to the power of `exp`.
    pub fn new(coeff: Rat, exp: u32) -> Self {
        Mono { coeff, exp }
    }

    /// The coefficient.
    pub fn coeff(self) -> Rat {
        self.coeff
    }

    /// The exponent.
    pub fn exp(self) -> u32 {
        self.exp
    }
}
