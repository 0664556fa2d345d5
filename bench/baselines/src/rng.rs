//! A small, fast generator of random numbers (xorshift64*), so that the native loop spends its
//! time in the subject.

pub struct Rng(u64);

impl Rng {
    pub fn new() -> Self {
        Rng(0x9E37_79B9_7F4A_7C15)
    }

    /// A number below `n`; slightly uneven, which does not matter here.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32) as u32;
        ((u64::from(high) * u64::from(n)) >> 32) as u32
    }

    /// A small number of either sign.
    #[inline]
    pub fn small(&mut self) -> i32 {
        self.below(21) as i32 - 10
    }
}
