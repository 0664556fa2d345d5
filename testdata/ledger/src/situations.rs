//! More ways to break a clause, each with a clause of its own.

use std::panic::catch_unwind;

use contracts::{contract, contract_trait, ensures, invariant, requires};

#[requires(n != 21)]
fn step_of_loop(n: u32) -> u32 {
    n
}

// expected: error precondition: Pre-condition of step_of_loop violated: n != 21
pub fn in_a_loop(n: u32) -> u32 {
    (0..n.min(40)).fold(0, |sum, n| sum + step_of_loop(n))
}

#[requires(n < 40)]
fn step_of_right_loop(n: u32) -> u32 {
    n
}

// callers only: in_a_loop_rightly
pub fn in_a_loop_rightly(n: u32) -> u32 {
    (0..n.min(40)).map(step_of_right_loop).max().unwrap_or(0)
}

/// A contract that is called through a trait object.
#[contract_trait]
trait Gauge {
    #[requires(level % 17 != 16)]
    fn read(&self, level: u32) -> u32;
}

struct Dial;

#[contract_trait]
impl Gauge for Dial {
    fn read(&self, level: u32) -> u32 {
        level / 2
    }
}

// expected: error precondition: Pre-condition of read violated: level % 17 != 16
pub fn through_a_trait_object(level: u32) -> u32 {
    let gauge: Box<dyn Gauge> = Box::new(Dial);
    gauge.read(level)
}

#[requires(*n != 33)]
fn generic_step<T: PartialEq<u32>>(n: &T) -> bool {
    *n == 3
}

// expected: error precondition: Pre-condition of generic_step violated: * n != 33
pub fn through_a_generic_function(n: u32) -> bool {
    generic_step(&n)
}

/// Weighs something when it is made.
#[derive(Debug)]
pub struct Parcel {
    weight: u32,
}

#[requires(weight != 44)]
fn weighed(weight: u32) -> u32 {
    weight
}

#[requires(weight % 19 != 18)]
fn weighed_again(weight: u32) -> u32 {
    weight
}

#[requires(weight % 23 != 22)]
fn labelled(weight: u32) -> u32 {
    weight
}

#[requires(weight % 7 != 5)]
fn opened(weight: u32) -> u32 {
    weight
}

impl Parcel {
    // expected: error precondition: Pre-condition of weighed violated: weight != 44
    pub fn new(weight: u32) -> Parcel {
        Parcel { weight: weighed(weight) }
    }
}

// expected: error precondition: Pre-condition of weighed_again violated: weight % 19 != 18
impl Clone for Parcel {
    fn clone(&self) -> Parcel {
        Parcel { weight: weighed_again(self.weight) }
    }
}

// expected: error precondition: Pre-condition of labelled violated: weight % 23 != 22
impl From<u32> for Parcel {
    fn from(weight: u32) -> Parcel {
        Parcel { weight: labelled(weight) }
    }
}

// expected: error precondition: Pre-condition of opened violated: weight % 7 != 5
impl Iterator for Parcel {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        self.weight = self.weight.checked_sub(1)?;
        Some(opened(self.weight))
    }
}

#[requires(n != 55)]
fn delivered(n: u32) -> u32 {
    n
}

// expected: error precondition: Pre-condition of delivered violated: n != 55
pub fn through_a_dependency(n: u32) -> u32 {
    courier::deliver(n, delivered).min(1000)
}

#[requires(n != 9)]
fn even(n: u32) -> bool {
    if n == 0 { true } else { odd(n - 1) }
}

#[requires(n != 66)]
fn odd(n: u32) -> bool {
    if n == 0 { false } else { even(n - 1) }
}

// expected: error precondition: Pre-condition of even violated: n != 9
pub fn by_mutual_recursion(n: u32) -> bool {
    n > 10 && n < 12 && even(n)
}

// callers only: countdown
#[requires(n < 1000)]
pub fn countdown(n: u32) -> u32 {
    if n == 0 { 0 } else { 1 + countdown(n - 1) }
}

#[requires(n < 60)]
fn inner(n: u32) -> u32 {
    n
}

// callers only: asks_what_it_needs
#[requires(n < 60)]
pub fn asks_what_it_needs(n: u32) -> u32 {
    inner(n)
}

#[ensures(ret != 70)]
fn promise(n: u32) -> u32 {
    n
}

// expected: error postcondition: Post-condition of promise violated: ret != 70
pub fn relies_on_a_promise(n: u32) -> u32 {
    promise(n)
}

// expected: error postcondition: Post-condition of leaves_early violated: ret.is_some() -> n < 80
#[ensures(ret.is_some() -> n < 80)]
pub fn leaves_early(n: u32) -> Option<u32> {
    if n == 88 {
        return Some(n);
    }
    (n < 80).then_some(n)
}

#[requires(n != 99)]
fn risky(n: u32) -> u32 {
    n
}

// callers only: catches_it
pub fn catches_it(n: u32) -> bool {
    catch_unwind(|| risky(n)).is_ok()
}

/// Keeps its limit, but for one way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meter {
    value: u8,
}

#[invariant(self.value <= 100)]
impl Meter {
    // callers only: Meter::new
    #[requires(value <= 50)]
    pub fn new(value: u8) -> Meter {
        Meter { value }
    }

    // expected: error invariant: Invariant (as post-condition) of double violated: self.value <= 100
    pub fn double(&mut self) {
        self.value = self.value.saturating_mul(2);
    }

    // callers only: reset
    pub fn reset(&mut self) {
        self.value = 0;
    }
}

/// Marks in a margin, of which there may be none.
#[derive(Debug, Default)]
pub struct Margin {
    marks: Vec<u8>,
}

impl Margin {
    pub fn new() -> Margin {
        Margin { marks: Vec::new() }
    }

    pub fn mark(&mut self, mark: u8) {
        self.marks.push(mark);
    }

    // callers only: a postcondition that panics itself says nothing about the function
    #[ensures(self.marks[0] <= self.marks[self.marks.len() - 1])]
    pub fn sort(&mut self) {
        self.marks.sort_unstable();
    }

    // callers only: and a precondition that does, nothing about callers
    #[requires(ret_to <= usize::from(self.marks[0]))]
    pub fn leaf(&self, ret_to: usize) -> usize {
        ret_to
    }
}

#[requires(share != 0)]
fn share_of(whole: u32, share: u32) -> u32 {
    whole / share
}

// callers only: what is announced may come from a clause
/// # Panics
///
/// If there is nobody to share with.
pub fn share(whole: u32, n_people: u32) -> u32 {
    share_of(whole, n_people)
}

/// Minutes and seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span(u32);

impl Span {
    pub fn new(seconds: u32) -> Span {
        Span(seconds)
    }
}

// callers only: everybody knows what a division does
impl std::ops::Div<u32> for Span {
    type Output = Span;

    fn div(self, n: u32) -> Span {
        Span(share_of(self.0, n))
    }
}

/// Anybody may write what is in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    pub size: u32,
    pub used: u32,
}

impl Entry {
    // expected: suspicious postcondition: Post-condition of left violated: ret <= self.size
    #[ensures(ret <= self.size)]
    pub fn left(&self) -> u32 {
        self.size.wrapping_sub(self.used)
    }
}

/// What nobody reads: attributes in a macro, and one that is imported by another name.
mod unread {
    use contracts::requires as needs;

    macro_rules! checked {
        ($wants:ident, $halves:ident) => {
            #[contracts::requires(n < 10)]
            pub fn $wants(n: u32) -> u32 {
                n
            }

            #[contracts::ensures(ret * 2 == n)]
            pub fn $halves(n: u32) -> u32 {
                n / 2
            }
        };
    }

    // callers only: wants_a_digit
    // expected: error postcondition: Post-condition of halves_exactly violated: ret * 2 == n
    checked!(wants_a_digit, halves_exactly);

    // callers only: needs_a_digit
    #[needs(n < 10)]
    pub fn needs_a_digit(n: u32) -> u32 {
        n
    }

    // expected: error precondition: Pre-condition of needs_a_digit violated: n < 10
    pub fn passes_on(n: u32) -> u32 {
        needs_a_digit(n / 2) + 1
    }
}

pub use unread::*;

// callers only: several clauses in one attribute
#[cfg_attr(debug_assertions, contract(
    requires(whole > 0, "something to cut"),
    ensures(ret < whole),
))]
pub fn cut(whole: u32) -> u32 {
    whole / 2
}

// expected: error postcondition: Post-condition of cut_badly violated: ret < whole
#[contract(requires(whole > 0), ensures(ret < whole))]
pub fn cut_badly(whole: u32) -> u32 {
    whole - whole / 400
}

// expected: error precondition: Pre-condition of cut violated: something to cut: whole > 0
pub fn cut_twice(whole: u32) -> u32 {
    cut(whole / 300) + 1
}
