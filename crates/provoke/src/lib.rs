//! Specifications in the code, for `cargo provoke`.
//!
//! `cargo provoke` tests a library by calling it. It finds crashes and broken laws of std traits by itself; what else your
//! types promise, you can tell it in plain Rust, beside the code, where private fields are in sight. Six attributes are
//! there for that:
//!
//! | attribute | says |
//! |---|---|
//! | [`#[provoke::invariant]`](macro@invariant) | what always holds of a value |
//! | [`#[provoke::spec]`](macro@spec) | what a function asks for and what it promises |
//! | [`#[provoke::temporal]`](macro@temporal) | what holds over the life of an object |
//! | [`#[provoke::model]`](macro@model) | what users of the type would do |
//! | [`#[provoke::probe]`](macro@probe) | what else is to be done to it in testing |
//! | [`#[provoke::law]`](macro@law) | what is true of any values |
//!
//! **In a normal build, all of it is gone**: the annotated functions, and so every cost. Only `cargo provoke` sees them,
//! because it compiles this crate and yours with `--cfg provoke`; you need not write or declare a `cfg`.
//!
//! # Example
//!
//! A list that gives back its greatest element first, and can be closed (after Prasetya, Vos and Baars, *Trace-based
//! Reflexive Testing of OO Programs*, 2007). It has two bugs; the comments say who finds them.
//!
//! ```
//! pub struct SortedList {
//!     items: Vec<i32>,
//!     max: Option<i32>,
//!     is_open: bool,
//! }
//!
//! impl SortedList {
//!     pub fn new() -> SortedList {
//!         SortedList { items: Vec::new(), max: None, is_open: true }
//!     }
//!
//!     pub fn insert(&mut self, item: i32) {
//!         // Should ask whether the list is open: `closed_stays` finds it.
//!         let place = self.items.partition_point(|other| *other <= item);
//!         self.items.insert(place, item);
//!         // Should be `>`: `get_spec` finds it.
//!         if self.max.map_or(true, |max| item < max) {
//!             self.max = Some(item);
//!         }
//!     }
//!
//!     pub fn get(&mut self) -> i32 {
//!         let greatest = self.max.expect("the list is not empty");
//!         self.items.retain(|item| *item != greatest);
//!         self.max = self.items.last().copied();
//!         greatest
//!     }
//!
//!     pub fn close(&mut self) {
//!         self.is_open = false;
//!     }
//! }
//!
//! /// How a list behaves.
//! impl SortedList {
//!     #[provoke::invariant]
//!     fn remembers_an_item(&self) -> bool {
//!         self.max.map_or(self.items.is_empty(), |max| self.items.contains(&max))
//!     }
//!
//!     #[provoke::spec(of = get)]
//!     fn get_spec(&mut self) -> i32 {
//!         pre!(!self.items.is_empty());
//!         let greatest = self.get();
//!         post!(self.items.iter().all(|item| *item <= greatest), "the greatest comes first");
//!         greatest
//!     }
//!
//!     #[provoke::temporal]
//!     fn closed_stays(&self, watch: &mut provoke::Watch) {
//!         watch.unchanged_unless((self.items.clone(), self.max), self.is_open);
//!         watch.unless(!self.is_open, false);
//!     }
//!
//!     #[provoke::model]
//!     fn gets_follow_inserts(&self, step: provoke::Step<'_>, delta: &mut i32) -> bool {
//!         match step.name {
//!             "insert" => *delta += 1,
//!             "get" => *delta -= 1,
//!             _ => {}
//!         }
//!         *delta >= 0
//!     }
//!
//!     #[provoke::probe]
//!     fn insert_max_again(&mut self) {
//!         if let Some(max) = self.max {
//!             self.insert(max);
//!             assert!(self.items.ends_with(&[max, max]));
//!         }
//!     }
//!
//!     #[provoke::law]
//!     fn order_does_not_matter(a: i32, b: i32) -> bool {
//!         let (mut ab, mut ba) = (SortedList::new(), SortedList::new());
//!         (ab.insert(a), ab.insert(b), ba.insert(b), ba.insert(a));
//!         ab.items == ba.items
//!     }
//! }
//! ```
//!
//! # Good to know
//!
//! - Methods stand in an `impl` of the type itself, not in a trait nor in the impl of one. No attribute can see where it
//!   stands; the compiler complains of what it adds there, but only with `--cfg provoke`.
//! - Write `provoke::Watch` and `provoke::Step` with their path: they are not there in a normal build, and an import of
//!   them would fail. What only specifications use, say a helper or an import, is unused in a normal build.
//! - What a watch or a model keeps must be `'static`. If that is asked of a type parameter, an impl of its own for
//!   specifications spares the others: `impl<T: Ord + Clone + 'static> SortedList<T>`.
//! - The functions must not change anything that matters, nor depend on chance; [`spec`](macro@spec) and
//!   [`probe`](macro@probe) change what the methods change that they call.
//! - To see your specifications compiled without Provoke, and to call them in tests: `RUSTFLAGS="--cfg provoke" cargo test`.

// In a normal build there is nothing here that would need std, so that crates can use it that do without.
#![cfg_attr(not(any(provoke, test, doc)), no_std)]

#[cfg(any(provoke, test, doc))]
mod property;
#[cfg(any(provoke, test, doc))]
mod step;
#[cfg(any(provoke, test, doc))]
mod violation;
#[cfg(any(provoke, test, doc))]
mod watch;

#[cfg(any(provoke, test, doc))]
pub use step::Step;
#[cfg(any(provoke, test, doc))]
pub use violation::Violation;
#[cfg(any(provoke, test, doc))]
pub use watch::Watch;

/// What always holds of a value between two calls: `fn ok(&self) -> bool`.
///
/// Provoke asks after every step, of every object of the type; never while one of its methods is running. A method after
/// which the answer is `false` is wrong.
///
/// ```
/// # pub struct Stack { items: Vec<u8>, room: usize }
/// impl Stack {
///     #[provoke::invariant]
///     fn fits(&self) -> bool {
///         self.items.len() <= self.room
///     }
/// }
/// ```
pub use provoke_macros::invariant;

/// What is true of any values: `fn f(a: &A, b: B) -> bool`.
///
/// Provoke finds values by calling your API, and a combination for which the answer is `false`. A law is a free
/// function, or stands in an impl and has no `self`.
///
/// ```
/// # pub struct Path(String);
/// # impl Path { pub fn join(&self, other: &Path) -> Path { Path(format!("{}/{}", self.0, other.0)) } }
/// #[provoke::law]
/// fn joining_is_associative(a: &Path, b: &Path, c: &Path) -> bool {
///     a.join(b).join(c).0 == a.join(&b.join(c)).0
/// }
/// ```
pub use provoke_macros::law;

/// Which histories an application would make: `fn m(&self, step: provoke::Step<'_>, state: &mut S) -> bool`.
///
/// It is told of each step in the life of an object, right after it, and keeps a state, which starts as its default (or
/// none: the parameter can be left out). When it says `false`, no application would have come here: Provoke throws the
/// history away, whatever came of it. A type has one model at most. The last step is called `drop`, right before it; if nobody
/// would let go of the object then, what is to come before its end is not asked for.
///
/// ```
/// # pub struct File { is_open: bool }
/// impl File {
///     #[provoke::model]
///     fn is_opened_once(&self, step: provoke::Step<'_>, n_opened: &mut u32) -> bool {
///         *n_opened += u32::from(step.name == "open");
///         *n_opened <= 1
///     }
/// }
/// ```
pub use provoke_macros::model;

/// An operation for testing only: any function or method.
///
/// Provoke calls it like those of your API. It can bring about what is rare otherwise, or check something
/// where it is easily checked (with `assert!`).
///
/// ```
/// # pub struct Pool { free: Vec<u8> }
/// impl Pool {
///     #[provoke::probe]
///     fn exhaust(&mut self) {
///         self.free.clear();
///     }
/// }
/// ```
pub use provoke_macros::probe;

/// What a function asks of its callers and promises to them: another function that is called in its place.
///
/// It has the signature of the function that `of` names, and calls it. `pre!(condition)` and `post!(condition)` can stand
/// wherever the condition can be told, also with a message: `pre!(condition, "text")`. A broken `pre!` is the fault of
/// the caller, a broken `post!` that of the function. What is to be compared with the state before, a variable keeps:
///
/// ```
/// # pub struct Queue { items: Vec<u8> }
/// # impl Queue { pub fn push(&mut self, item: u8) -> usize { self.items.push(item); self.items.len() } }
/// impl Queue {
///     #[provoke::spec(of = push)]
///     fn push_spec(&mut self, item: u8) -> usize {
///         pre!(self.items.len() < 10, "there is room");
///         let len_before = self.items.len();
///         let len = self.push(item);
///         post!(len == len_before + 1);
///         len
///     }
/// }
/// ```
///
/// A free function, or one without `self`, can have a spec, too.
pub use provoke_macros::spec;

/// What holds over the life of one object: `fn closed_stays(&self, watch: &mut provoke::Watch)`.
///
/// It is called when the object was made and after every step, always with the same [`Watch`], and states its properties
/// each time, in the same order. The watch remembers what is needed from the points before.
///
/// ```
/// # pub struct Door { is_locked: bool, key: Option<u32>, id: u32 }
/// impl Door {
///     #[provoke::temporal]
///     fn only_its_key_unlocks(&self, watch: &mut provoke::Watch) {
///         watch.unless(self.is_locked, self.key == Some(self.id));
///     }
/// }
/// ```
pub use provoke_macros::temporal;
