//! `PartialOrd` and `Ord`.

use std::cmp::Ordering;

/// `ord-antisymmetric`
#[derive(Debug, PartialEq)]
pub struct OneWay(pub u8);

impl PartialOrd for OneWay {
    fn partial_cmp(&self, other: &OneWay) -> Option<Ordering> {
        if self.0 == other.0 { Some(Ordering::Equal) } else { Some(Ordering::Less) }
    }
}

/// `ord-transitive`: stone, paper, scissors.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub enum Hand {
    Stone,
    Paper,
    Scissors,
}

impl PartialOrd for Hand {
    fn partial_cmp(&self, other: &Hand) -> Option<Ordering> {
        let order = match (*self as u8 + 3 - *other as u8) % 3 {
            0 => Ordering::Equal,
            1 => Ordering::Greater,
            _ => Ordering::Less,
        };
        Some(order)
    }
}

/// `ord-total`: the partial order does not know what the total one does.
#[derive(Debug, PartialEq, Eq)]
pub struct Hesitant(pub u8);

impl PartialOrd for Hesitant {
    fn partial_cmp(&self, other: &Hesitant) -> Option<Ordering> {
        if self.0 == other.0 { Some(Ordering::Equal) } else { None }
    }
}

impl Ord for Hesitant {
    fn cmp(&self, other: &Hesitant) -> Ordering {
        self.0.cmp(&other.0)
    }
}

/// `ord-agrees-with-eq`: the order looks at the first part only.
#[derive(Debug, PartialEq)]
pub struct Ranked(pub u8, pub u8);

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Ranked) -> Option<Ordering> {
        self.0.partial_cmp(&other.0)
    }
}

/// `ord-operators`
#[derive(Debug, PartialEq)]
pub struct Sloppy(pub u8);

impl PartialOrd for Sloppy {
    fn partial_cmp(&self, other: &Sloppy) -> Option<Ordering> {
        self.0.partial_cmp(&other.0)
    }

    fn le(&self, other: &Sloppy) -> bool {
        self.0 < other.0
    }
}
