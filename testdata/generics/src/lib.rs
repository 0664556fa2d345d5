//! All of it is generic or inlined, so none of its code is generated where it is compiled.

mod shelf;

pub use shelf::Shelf;

#[inline]
pub fn largest<T: PartialOrd + Copy>(first: T, others: &[T]) -> T {
    let mut largest = first;
    for other in others {
        largest = inner::larger(largest, *other); // reached
    }
    if others.len() == 77_777 {
        largest = others[largest_place(others)]; // not reached
    }
    largest
}

#[inline]
fn largest_place<T: PartialOrd>(of: &[T]) -> usize {
    of.iter().take_while(|other| **other < of[0]).count() // not reached
}
