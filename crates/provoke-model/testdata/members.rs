//! What types and traits have.

use std::fmt;
use std::ops::Index;

/// A bag.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bag<T> {
    items: Vec<T>,
    pub label: String,
}

impl<T> Bag<T> {
    pub const CAPACITY: usize = 8;

    /// # Panics
    /// Never.
    pub const fn new() -> Self {
        Bag { items: Vec::new(), label: String::new() }
    }

    pub fn first(&self) -> Option<&T> {
        self.items.first()
    }

    pub fn longest<'a>(&'a self, other: &'a mut T, _name: &'static str) -> &'a T
    where
        T: Ord + 'a,
    {
        other
    }

    pub fn retain<F>(&mut self, _keep: F)
    where
        F: for<'b> FnMut(&'b T) -> bool,
    {
    }

    pub fn extend(&mut self, items: impl IntoIterator<Item = T>, _log: &dyn Fn(&str)) {
        self.items.extend(items);
    }

    pub fn boxed(mut self: Box<Self>) -> impl Iterator<Item = T> {
        std::mem::take(&mut self.items).into_iter()
    }

    #[deprecated]
    pub fn old(&self) {}

    #[doc(hidden)]
    pub fn hidden(&self) {}

    /// # Safety
    /// None.
    pub unsafe fn dangerous(&self) {}

    pub async fn later(&self) -> u8 {
        0
    }

    fn private(&self) {}
}

impl Bag<u8> {
    pub fn sum(&self) -> u8 {
        self.items.iter().sum()
    }
}

impl Bag<u16> {
    pub fn sum(&self) -> u16 {
        self.items.iter().sum()
    }
}

impl<T> Drop for Bag<T> {
    fn drop(&mut self) {}
}

impl<T> Index<usize> for Bag<T> {
    type Output = T;
    fn index(&self, index: usize) -> &Self::Output {
        &self.items[index]
    }
}

impl<'a, T> IntoIterator for &'a Bag<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<T: fmt::Display> fmt::Display for Bag<T> {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.private();
        Ok(())
    }
}

macro_rules! from {
    ($($ty:ty),*) => {
        $(impl From<$ty> for Bag<$ty> {
            fn from(item: $ty) -> Self {
                let mut bag = Bag::new();
                bag.items.push(item);
                bag
            }
        })*
    };
}

from!(u8, char);

impl PartialEq<Bag<u8>> for [u8] {
    fn eq(&self, other: &Bag<u8>) -> bool {
        self == other.items
    }
}

/// An alias with a parameter.
pub type Pair<'a, T, const N: usize = 2> = [(&'a T, Bag<T>); N];

pub fn aliased<'x>(_: Pair<'x, u8>, _: Pair<'_, char, 3>) -> std::io::Result<()> {
    Ok(())
}

pub trait Shape {
    type Unit: Clone;
    const SIDES: u32;
    fn area(&self) -> Self::Unit;
    fn describe(&self) -> String {
        String::new()
    }
    #[doc(hidden)]
    fn secret(&self) {}
    /// # Safety
    /// None.
    unsafe fn raw(&self) {}
}

impl<T: Clone> Shape for Bag<T> {
    type Unit = T;
    const SIDES: u32 = 0;
    fn area(&self) -> T {
        self.items[0].clone()
    }
}

impl Shape for u8 {
    type Unit = u8;
    const SIDES: u32 = 1;
    fn area(&self) -> u8 {
        *self
    }
    fn describe(&self) -> String {
        "u8".to_owned()
    }
}

pub trait Named: Shape<Unit = u8> + Send {
    fn name(&self) -> &str;
}

/// Written as a blanket impl: its methods are those of the trait.
impl<T: Shape<Unit = u8> + Send> Named for T {
    fn name(&self) -> &str {
        ""
    }
}

/// # Safety
/// None.
pub unsafe trait Trusted<const N: usize> {}

#[doc(hidden)]
pub trait Internal {
    fn internal(&self);
}

impl Internal for u8 {
    fn internal(&self) {}
}

impl<T> Internal for Bag<T> {
    fn internal(&self) {}
}

#[non_exhaustive]
pub enum Kind<'a> {
    Unit,
    Tuple(u8, &'a str),
    Named { size: usize },
    #[non_exhaustive]
    Open { size: usize },
    #[doc(hidden)]
    Hidden,
}

#[non_exhaustive]
pub struct Settings {
    pub depth: u8,
}

pub struct Mixed(pub u8, u8);

pub union Bits {
    pub int: u32,
    pub float: f32,
}

pub struct Matrix<T = f64, const N: usize = 3>
where
    T: Copy,
{
    pub cells: [[T; N]; N],
}

pub const LIMIT: usize = 3;
pub static NAME: &str = "members";
pub static mut COUNTER: u8 = 0;

pub extern "C" fn exported(callback: extern "C" fn(u8) -> u8, _: *const u8) -> ! {
    let _ = callback;
    loop {}
}

pub fn projected<I: Iterator>(items: I) -> Vec<<I as Iterator>::Item>
where
    I::Item: Ord,
{
    items.collect()
}
