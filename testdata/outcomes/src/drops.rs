//! Values that cannot be dropped in peace.

/// An error where a value is dropped.
#[derive(Debug)]
pub struct DropsBadly {
    fuse: u8,
}

impl DropsBadly {
    pub fn new(fuse: u8) -> Self {
        DropsBadly { fuse }
    }

    pub fn is_lit(&self) -> bool {
        self.fuse > 0
    }
}

impl Drop for DropsBadly {
    fn drop(&mut self) {
        if self.fuse % 3 == 2 {
            panic!("dropped with a burning fuse");
        }
    }
}

/// An error: dropping what is left after a panic panics again, which aborts.
pub struct DropsBadlyOnTheWay;

impl DropsBadlyOnTheWay {
    pub fn panics_twice(n: u8) -> bool {
        let _local = DropsBadly { fuse: if n > 9 { 2 } else { 0 } };
        assert!(u32::from(n) * 2 < 20, "the first of two panics");
        n > 3
    }
}
