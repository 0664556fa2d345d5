//! Points, things in space, and a tree of them: traits for tuples, for what wraps other types, and for all that is a point.

pub trait Scalar: Copy + PartialOrd {}

impl Scalar for isize {}
impl Scalar for i8 {}
impl Scalar for f32 {}
impl Scalar for i32 {}
impl Scalar for f64 {}

pub trait Point: Clone + PartialEq {
    fn dimensions() -> usize;
}

impl<S: Scalar> Point for (S,) {
    fn dimensions() -> usize {
        1
    }
}

impl<S: Scalar> Point for (S, S) {
    fn dimensions() -> usize {
        2
    }
}

impl<S: Scalar, const N: usize> Point for [S; N] {
    fn dimensions() -> usize {
        N
    }
}

pub trait Object {
    fn size(&self) -> usize;
}

#[derive(Clone)]
pub struct Cached<T: Object>(pub T);

impl<T: Object + Clone> Object for Cached<T> {
    fn size(&self) -> usize {
        self.0.size()
    }
}

#[derive(Clone)]
pub struct Line<P>(pub P, pub P);

impl<P: Point> Object for Line<P> {
    fn size(&self) -> usize {
        2 * P::dimensions()
    }
}

impl<P: Point> Object for P {
    fn size(&self) -> usize {
        P::dimensions()
    }
}

#[derive(Clone)]
pub struct Tree<T> {
    things: Vec<T>,
}

impl<T: Object + Clone> Tree<T> {
    pub fn new() -> Tree<T> {
        Tree { things: Vec::new() }
    }

    pub fn insert(&mut self, thing: T) -> usize {
        self.things.push(thing);
        self.things.iter().map(Object::size).sum()
    }
}
