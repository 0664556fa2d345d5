//! The list of *Trace-based Reflexive Testing of OO Programs* (figures 1, 3 and 4, and the probe of §3.3), and beside it one
//! function of each shape that attributes can stand on. All lints that could notice something are on.
#![warn(missing_docs, unreachable_pub, unused, clippy::all)]

/// A sorted list with quick access to its greatest element.
#[derive(Debug, Default)]
pub struct SortedList<T> {
    items: Vec<T>,
    max: Option<T>,
    is_closed: bool,
}

impl<T: Ord + Clone> SortedList<T> {
    /// Makes an empty list.
    pub fn new() -> Self {
        SortedList { items: Vec::new(), max: None, is_closed: false }
    }

    /// Puts an item where it belongs; remembers the smallest one by mistake, and does not heed whether the list is closed.
    pub fn insert(&mut self, item: T) {
        let place = self.items.partition_point(|other| *other <= item);
        self.items.insert(place, item.clone());
        if self.max.as_ref().is_none_or(|max| item < *max) {
            self.max = Some(item);
        }
    }

    /// Takes the greatest element out of the list.
    pub fn get(&mut self) -> Option<T> {
        let greatest = self.max.take()?;
        let place = self.items.iter().position(|item| *item == greatest)?;
        self.items.remove(place);
        self.max = self.items.last().cloned();
        Some(greatest)
    }

    /// From now on, nothing changes.
    pub fn close(&mut self) {
        self.is_closed = true;
    }

    /// Forgets what it should remember.
    pub fn forget(&mut self) {
        self.max = None;
    }

    /// All items, in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.items.iter()
    }

    /// The least item. Changing it can spoil the order.
    pub fn first_mut<'a>(&'a mut self) -> Option<&'a mut T> {
        self.items.first_mut()
    }

    /// Makes a list of the items.
    pub fn from_pair((a, b): (T, T)) -> Self {
        let mut list = SortedList::new();
        list.insert(a);
        list.insert(b);
        list
    }

    /// The items.
    pub fn into_items(self) -> Vec<T> {
        self.items
    }

    /// How many items a key tells to be there.
    pub fn count<Q: PartialEq<T>, const N: usize>(&self, keys: [Q; N]) -> usize {
        self.items.iter().filter(|item| keys.iter().any(|key| *key == **item)).count()
    }
}

/// Its specification.
impl<T: Ord + Clone + 'static> SortedList<T> {
    #[provoke::invariant]
    fn remembers_an_item(&self) -> bool {
        match &self.max {
            Some(max) => self.items.contains(max),
            None => self.items.is_empty(),
        }
    }

    #[provoke::spec(of = get)]
    fn get_spec(&mut self) -> Option<T> {
        pre!(!self.items.is_empty());
        let greatest = self.get();
        if let Some(greatest) = &greatest {
            post!(self.items.iter().all(|item| item <= greatest), "the greatest comes first");
        }
        greatest
    }

    #[provoke::spec(of = insert)]
    fn insert_spec(&mut self, item: T) {
        let len = self.items.len();
        let check = |list: &Self| post!(list.items.len() == len + 1);
        self.insert(item);
        check(self);
    }

    #[provoke::spec(of = iter)]
    fn iter_spec(&self) -> impl Iterator<Item = &T> {
        let items = self.iter();
        post![items.size_hint().0 <= self.items.len()];
        items
    }

    #[provoke::spec(of = first_mut)]
    fn first_mut_spec<'a>(&'a mut self) -> Option<&'a mut T> {
        let is_empty = self.items.is_empty();
        let first = self.first_mut();
        post!(first.is_none() == is_empty);
        first
    }

    #[provoke::spec(of = from_pair)]
    fn from_pair_spec((a, b): (T, T)) -> Self {
        pre!(a <= b, "the lesser comes first");
        Self::from_pair((a, b))
    }

    #[provoke::spec(of = into_items)]
    fn into_items_spec(mut self) -> Vec<T> {
        self.max = None;
        let items = self.into_items();
        post!(items.is_sorted());
        items
    }

    #[provoke::spec(of = count)]
    fn count_spec<Q: PartialEq<T>, const N: usize>(&self, keys: [Q; N]) -> usize {
        pre!(N > 0);
        self.count(keys)
    }

    #[provoke::temporal]
    fn closed_stays(&self, watch: &mut provoke::Watch) {
        watch.unchanged_unless((self.items.clone(), self.max.clone()), !self.is_closed);
        watch.unless(self.is_closed, false);
    }

    #[provoke::temporal]
    fn is_closed_in_the_end(&self, watch: &mut provoke::Watch) {
        watch.leads_to(!self.items.is_empty(), self.is_closed);
    }

    #[provoke::model]
    fn gets_follow_inserts(&self, step: provoke::Step<'_>, delta: &mut i32) -> bool {
        match step.name {
            "insert" => *delta += 1,
            "get" => *delta -= 1,
            _ => {}
        }
        *delta >= 0
    }

    #[provoke::probe]
    fn insert_max_again(&mut self) {
        if let Some(max) = self.max.clone() {
            self.insert(max);
        }
    }

    #[provoke::probe]
    fn of_default<U: Default + Into<T>>(_: u8) -> Self {
        let mut list = Self::new();
        list.insert(U::default().into());
        list
    }

    #[provoke::law]
    fn what_went_in_comes_out(item: &T) -> bool {
        let mut list = Self::new();
        list.insert(item.clone());
        list.get().as_ref() == Some(item)
    }
}

/// Reads a number.
pub fn parse(text: &str) -> Option<u32> {
    text.parse().ok()
}

#[provoke::spec(of = parse)]
fn parse_spec(text: &str) -> Option<u32> {
    pre!(text.len() < 3);
    parse(text)
}

#[provoke::law]
fn numbers_come_back(n: u32) -> bool {
    parse(&n.to_string()) == Some(n)
}

#[provoke::probe]
#[cfg(any())]
fn is_not_there() {}

/// Twice as much.
pub fn double(n: u8) -> u8 {
    n * 2
}

macro_rules! specify_double {
    ($limit:expr) => {
        #[provoke::spec(of = double)]
        fn double_spec(n: u8) -> u8 {
            pre!(n < $limit);
            double(n)
        }
    };
}

specify_double!(0x80);

mod private {
    /// Which histories a counter has does not depend on anything but the last step.
    pub struct Counter(#[allow(dead_code)] u8);

    impl Counter {
        #[provoke::model]
        fn is_never_reset(&self, step: provoke::Step) -> bool {
            step.name != "reset"
        }

        #[provoke::invariant]
        pub(super) fn is_small(&self) -> bool {
            self.0 < 10
        }
    }
}

/// A counter.
pub use private::Counter;
