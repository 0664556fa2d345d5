//! What is usual of containers.

/// `is-empty-agrees`: one is none.
#[derive(Debug)]
pub struct Pessimist(Vec<u8>);

impl Pessimist {
    pub fn new(bytes: Vec<u8>) -> Pessimist {
        Pessimist(bytes)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.len() < 2
    }
}

/// `count-agrees`: does not show zeros.
#[derive(Debug)]
pub struct Secretive(Vec<u8>);

impl Secretive {
    pub fn new(bytes: Vec<u8>) -> Secretive {
        Secretive(bytes)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &u8> {
        self.0.iter().filter(|byte| **byte != 0)
    }
}

/// `capacity-agrees`
#[derive(Debug)]
pub struct Crowded(Vec<u8>);

impl Crowded {
    pub fn new(bytes: Vec<u8>) -> Crowded {
        Crowded(bytes)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn capacity(&self) -> usize {
        2
    }
}
