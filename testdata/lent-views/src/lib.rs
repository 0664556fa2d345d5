//! Views whose signatures hide from whom they borrow. Nothing here is wrong.

use std::cell::RefCell;

/// An alias that keeps its lifetime inside of a trait object.
pub type NamesIter<'a> = Box<dyn Iterator<Item = &'a String> + 'a>;

#[derive(Debug, Default)]
pub struct Register {
    names: Vec<String>,
}

impl Register {
    pub fn new() -> Register {
        Register::default()
    }

    pub fn add(&mut self, name: String) {
        self.names.push(name);
    }

    pub fn clear(&mut self) {
        self.names = Vec::new();
    }

    pub fn iter(&self) -> NamesIter<'_> {
        Box::new(self.names.iter())
    }

    /// The compiler lets nobody change the register while this is alive, though there is nothing to drop.
    pub fn lengths(&self) -> impl Iterator<Item = usize> + '_ {
        self.names.iter().map(|name| name.len())
    }

    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| name.as_str())
    }

    pub fn starting_with<'a>(&'a self, start: &'a str) -> Option<impl Iterator<Item = &'a String> + 'a> {
        (!start.is_empty()).then(|| self.names.iter().filter(move |name| name.starts_with(start)))
    }

    pub fn walk(&self) -> Walk<'_> {
        Walk(self.names.iter())
    }

    /// Says how long a name is: of each call, not of the register.
    pub fn measure(&self) -> Box<dyn Fn(&str) -> usize> {
        let n_names = self.names.len();
        Box::new(move |name| name.len() + n_names)
    }
}

#[derive(Clone, Debug)]
pub struct Walk<'a>(std::slice::Iter<'a, String>);

impl<'a> Iterator for Walk<'a> {
    type Item = &'a String;

    fn next(&mut self) -> Option<&'a String> {
        self.0.next()
    }

    fn last(self) -> Option<Self::Item> {
        self.0.last()
    }
}

impl<'a> Walk<'a> {
    pub fn all(self) -> Vec<<Self as Iterator>::Item> {
        self.0.collect()
    }
}

/// What is lent for as long as the argument of the trait says.
pub trait Lend<'a> {
    type Loan;
    fn lend(&self, register: &'a Register) -> Self::Loan;
}

#[derive(Clone, Copy, Debug, Default)]
pub struct First;

impl<'a> Lend<'a> for First {
    type Loan = Option<&'a String>;

    fn lend(&self, register: &'a Register) -> Self::Loan {
        register.names.first()
    }
}

pub fn lend_first<'a>(register: &'a Register) -> <First as Lend<'a>>::Loan {
    register.names.first()
}

/// Keeps what it is given behind a shared reference.
#[derive(Debug)]
pub struct Shelf<T> {
    kept: RefCell<Vec<T>>,
}

impl<T> Default for Shelf<T> {
    fn default() -> Shelf<T> {
        Shelf { kept: RefCell::new(Vec::new()) }
    }
}

impl<T: Clone> Shelf<T> {
    pub fn keep(&self, value: T) {
        self.kept.borrow_mut().push(value);
    }

    /// Keeps what is behind references, too.
    pub fn keep_all(&self, values: &[T]) {
        self.kept.borrow_mut().extend_from_slice(values);
    }

    pub fn newest(&self) -> Option<T> {
        self.kept.borrow().last().cloned()
    }
}

impl<T> Shelf<T> {
    /// A way to the shelf that is used up when something is put there.
    pub fn place(&mut self) -> Place<'_, T> {
        Place(self)
    }
}

#[derive(Debug)]
pub struct Place<'a, T>(&'a mut Shelf<T>);

impl<T> Place<'_, T> {
    pub fn put(self, value: T) {
        self.0.kept.borrow_mut().push(value);
    }
}

impl Shelf<&str> {
    pub fn total(&self) -> usize {
        self.kept.borrow().iter().map(|text| text.bytes().map(usize::from).sum::<usize>()).sum()
    }
}
