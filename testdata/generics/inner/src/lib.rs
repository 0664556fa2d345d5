//! A dependency in the directory of the crate under test: what it does is not counted.

#[inline]
pub fn larger<T: PartialOrd>(a: T, b: T) -> T {
    if a < b { b } else { a }
}
