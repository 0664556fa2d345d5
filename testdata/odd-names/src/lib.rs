//! Edition 2015, a library that is not called like its package, and names that became keywords later.

pub mod async {
    /// Suspicious: the panic is not announced.
    pub fn try(place: u8) -> u8 {
        [2, 3, 5][place as usize]
    }
}

#[allow(non_camel_case_types)]
pub struct dyn(pub u8);

impl dyn {
    /// An error.
    pub fn await(&self) -> bool {
        let mut seen = Vec::new();
        seen.push(self.0);
        debug_assert!(seen[0] != 5, "five is never seen");
        seen.is_empty()
    }
}
