//! Functions with every kind of result, most of them borrowed.

use crate::hidden::Nameless;

/// Lends parts of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Library {
    books: Vec<String>,
}

impl Library {
    pub fn new() -> Library {
        Library::default()
    }

    pub fn add(&mut self, title: &str) {
        self.books.push(title.to_owned());
    }

    pub fn first(&self) -> Option<&str> {
        self.books.first().map(String::as_str)
    }

    pub fn books(&self) -> &[String] {
        &self.books
    }

    pub fn last_mut(&mut self) -> Option<&mut String> {
        self.books.last_mut()
    }

    pub fn iter(&self) -> Iter<'_> {
        Iter { books: self.books.iter() }
    }

    pub fn lengths(&self) -> impl Iterator<Item = usize> + '_ {
        self.books.iter().map(String::len)
    }

    pub fn boxed(&self) -> Box<dyn Iterator<Item = &String> + '_> {
        Box::new(self.books.iter())
    }

    pub fn longest<'a>(&'a self, other: &'a Library) -> Option<&'a String> {
        self.books.iter().chain(&other.books).max_by_key(|book| book.len())
    }

    pub fn split(self) -> (Vec<String>, usize) {
        let n_books = self.books.len();
        (self.books, n_books)
    }
}

/// Lives no longer than its library.
#[derive(Debug, Clone)]
pub struct Iter<'a> {
    books: std::slice::Iter<'a, String>,
}

impl<'a> Iter<'a> {
    pub fn rest(&self) -> &'a [String] {
        self.books.as_slice()
    }
}

impl<'a> Iterator for Iter<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.books.next().map(String::as_str)
    }
}

impl<'a> IntoIterator for &'a Library {
    type Item = &'a str;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

/// Holds what was lent to it.
#[derive(Debug)]
pub struct Reader<'a> {
    text: &'a str,
    place: usize,
}

impl<'a> Reader<'a> {
    pub fn new(text: &'a str) -> Reader<'a> {
        Reader { text, place: 0 }
    }

    pub fn word(&mut self) -> &'a str {
        let rest = &self.text[self.place..];
        let word = rest.split(' ').next().unwrap_or_default();
        self.place = (self.place + word.len() + 1).min(self.text.len());
        word
    }
}

/// Gives a value of a type without a public name.
pub fn nameless(n: u8) -> Nameless {
    Nameless::of(n)
}

/// Takes one.
pub fn take_nameless(nameless: Nameless) -> u8 {
    nameless.value()
}

pub fn nothing() {}

pub fn from_the_program() -> &'static str {
    "always there"
}

pub fn nested() -> Option<Result<Vec<(u8, String)>, ()>> {
    Some(Ok(vec![(1, "one".into())]))
}
