//! Unsafe code, some of it wrong in ways that show in nothing that it returns.

/// Bottles, the newest of them at hand.
#[derive(Default)]
pub struct Cellar {
    bottles: Vec<Box<u32>>,
    at_hand: Option<*const u32>,
}

impl Cellar {
    pub fn new() -> Cellar {
        Cellar::default()
    }

    pub fn store(&mut self, year: u32) {
        let bottle = Box::new(year);
        self.at_hand = Some(&*bottle);
        self.bottles.push(bottle);
    }

    /// Wrong: the newest bottle stays at hand when it is gone.
    pub fn drink(&mut self) {
        self.bottles.pop();
    }

    /// Any year is as good as another one; nobody notices from the answer that the bottle is gone.
    pub fn year_at_hand(&self) -> Option<u32> {
        self.at_hand.map(|bottle| unsafe { *bottle })
    }

    /// Right, and unsafe as well.
    pub fn oldest(&self) -> Option<u32> {
        if self.bottles.is_empty() { None } else { Some(unsafe { **self.bottles.get_unchecked(0) }) }
    }
}

/// Wrong: looks at one letter more than there are.
pub fn is_label_blank(label: &[u8]) -> bool {
    let mut sum = 0u64;
    if label.is_empty() {
        return true;
    }
    for at in 0..=label.len() {
        sum += u64::from(unsafe { label.as_ptr().add(at).read() });
    }
    sum == u64::MAX
}

/// Right.
pub fn total(years: &[u32]) -> u64 {
    (0..years.len()).map(|at| u64::from(unsafe { *years.get_unchecked(at) })).sum()
}
