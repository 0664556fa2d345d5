//! An API with the types of two versions of one dependency, each of which is called the same.

/// Has a length in both worlds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rope {
    length: u32,
}

impl Rope {
    pub fn new(length: u32) -> Rope {
        Rope { length }
    }
}

impl old::Long for Rope {
    fn length(&self) -> old::Meter {
        old::Meter::new(self.length)
    }
}

impl new::Long for Rope {
    fn length(&self) -> new::Meter {
        new::Meter::new(f64::from(self.length))
    }
}

pub fn old_meters(n: u32) -> old::Meter {
    old::Meter::new(n)
}

pub fn new_meters(n: f64) -> new::Meter {
    new::Meter::new(n)
}

pub fn modernize(meters: old::Meter) -> new::Meter {
    new::Meter::new(f64::from(meters.whole()))
}

/// To be called, the types in it have to be named, not only inferred.
pub fn total_of_old(lengths: Vec<old::Meter>) -> u64 {
    lengths.iter().map(|length| u64::from(length.whole())).sum()
}

pub fn total_of_new(lengths: Vec<new::Meter>) -> f64 {
    lengths.iter().map(|length| length.exact()).sum()
}

/// Breaks for what only the first version can be.
pub fn both(old: old::Meter, new: Option<new::Meter>) -> bool {
    let mut whole = Vec::new();
    whole.push(old.whole());
    debug_assert!(new.is_some() || whole[0] != 7, "seven of the old need a new one");
    new.is_some()
}
