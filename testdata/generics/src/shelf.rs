/// Holds a few things.
#[derive(Clone, Debug, Default)]
pub struct Shelf<T> {
    things: Vec<T>,
}

impl<T: Clone> Shelf<T> {
    #[inline]
    pub fn new() -> Shelf<T> {
        Shelf { things: Vec::new() } // reached
    }

    #[inline]
    pub fn put(&mut self, thing: T) -> usize {
        self.things.push(thing); // reached
        self.tidy_up();
        self.things.len()
    }

    #[inline]
    pub fn take(&mut self) -> Option<T> {
        if self.things.is_empty() {
            return None; // reached
        }
        if self.things.len() == 77_777 {
            self.things.clear(); // not reached
        }
        self.things.pop() // reached
    }

    #[inline]
    fn tidy_up(&mut self) {
        if self.things.len() > 3 {
            self.things.truncate(2); // reached
        }
    }

    /// Nothing calls it, so there is no code of it.
    #[allow(dead_code)]
    fn forgotten(&self) -> usize {
        self.things.len() // no code
    }
}
