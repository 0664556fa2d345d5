//! Polynomials in one variable with rational coefficients, and a stack calculator for them.
//!
//! A port of `Rat`, `Mono` and `Poly` (figures 1-1, 2-1 and appendix A) and of `PStack`
//! (figure 5-2) of *Directed Random Testing* (Pacheco, MIT, 2009). Sums whose coefficients would
//! not fit are refused with `None`, so that no arithmetic overflows.
//!
//! ```
//! use polynomial::{Mono, Poly, Rat};
//!
//! // 2x³ + 1/2
//! let poly = Poly::from(Mono::new(Rat::from(2), 3)).add(Mono::new(Rat::new(1, 2), 0)).unwrap();
//! assert_eq!(poly.degree(), Some(3));
//! ```

mod mono;
mod poly;
mod pstack;
mod rat;

pub use mono::Mono;
pub use poly::Poly;
pub use pstack::PStack;
pub use rat::Rat;
