//! What holds of values between two calls, and what functions promise.

use std::cell::Cell;
use std::rc::Rc;

/// Two ends that share what they hold: changing one changes the other.
#[derive(Debug, Clone)]
pub struct Rope {
    load: Rc<Cell<u8>>,
    is_loaded: bool,
}

impl Rope {
    pub fn new() -> Rope {
        Rope { load: Rc::new(Cell::new(0)), is_loaded: false }
    }

    pub fn load(&mut self, load: u8) {
        self.load.set(load);
        self.is_loaded = load > 0;
    }
}

impl Rope {
    // expected: error invariant Rope::load: the invariant `knows_its_load` does not hold afterwards
    #[provoke::invariant]
    fn knows_its_load(&self) -> bool {
        self.is_loaded == (self.load.get() > 0)
    }
}

/// Links of which the last is held by whoever mends it.
#[derive(Debug, Default)]
pub struct Chain {
    links: Vec<u8>,
    is_whole: bool,
}

/// While it is there, the chain is open.
#[derive(Debug)]
pub struct Guard<'a> {
    chain: &'a mut Chain,
}

impl Chain {
    pub fn new() -> Chain {
        Chain { links: vec![1, 2, 3], is_whole: true }
    }

    pub fn open(&mut self) -> Guard<'_> {
        self.is_whole = false;
        Guard { chain: self }
    }

    pub fn len(&self) -> usize {
        self.links.len()
    }
}

impl Guard<'_> {
    pub fn add(&mut self, link: u8) {
        self.chain.links.push(link);
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.chain.is_whole = true;
    }
}

impl Chain {
    // kept: nobody can look at a chain that is being mended
    #[provoke::invariant]
    fn is_whole_or_empty(&self) -> bool {
        self.is_whole || self.links.is_empty()
    }
}

/// Opens at most a hand wide; whoever sets the field does that alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Portcullis {
    pub height: u8,
}

impl Portcullis {
    pub fn shut() -> Portcullis {
        Portcullis { height: 0 }
    }
}

impl Portcullis {
    // expected: suspicious invariant Portcullis::is_low: the invariant `is_low` does not hold afterwards
    #[provoke::invariant]
    fn is_low(&self) -> bool {
        self.height <= 100
    }
}

/// Carries so much and no more.
#[derive(Debug, Default, Clone)]
pub struct Bridge<T> {
    crossing: Vec<T>,
    n_crossed: usize,
}

impl<T: Clone> Bridge<T> {
    pub fn new() -> Self {
        Bridge { crossing: Vec::new(), n_crossed: 0 }
    }

    /// Panics if there is no room, which callers have to see to.
    pub fn enter(&mut self, item: T) -> usize {
        if self.crossing.len() > 2 {
            panic!("the bridge breaks");
        }
        self.crossing.push(item);
        self.n_crossed += 1;
        if self.n_crossed == 4 { 7 } else { self.crossing.len() }
    }

    pub fn leave(&mut self) -> Option<T> {
        if self.crossing.is_empty() { None } else { Some(self.crossing.remove(0)) }
    }
}

impl<T: Clone + PartialEq + 'static> Bridge<T> {
    // expected: error postcondition Bridge::enter: Post-condition of enter violated: tells how many there are: n == before + 1
    #[provoke::spec(of = enter)]
    fn enter_spec(&mut self, item: T) -> usize {
        pre!(self.crossing.len() < 3);
        let before = self.crossing.len();
        let n = self.enter(item.clone());
        post!(self.crossing.last() == Some(&item));
        post!(n == before + 1, "tells how many there are");
        n
    }
}

/// Goes down.
#[derive(Debug, Clone)]
pub struct Steps(u8);

impl Steps {
    pub fn new(n: u8) -> Steps {
        Steps(n)
    }
}

impl Iterator for Steps {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        self.0 = self.0.checked_sub(if self.0 == 9 { 0 } else { 1 })?;
        Some(self.0)
    }
}

impl Steps {
    // expected: error postcondition Iterator>::next: Post-condition of next violated: self.0 < before
    #[provoke::spec(of = next)]
    fn next_spec(&mut self) -> Option<u8> {
        let before = self.0;
        let step = self.next();
        if step.is_some() {
            post!(self.0 < before);
        }
        step
    }
}

/// Gives what is asked for, but for one amount.
#[derive(Debug, Clone)]
pub struct Well {
    n_drawn: u32,
}

impl Well {
    pub fn new() -> Well {
        Well { n_drawn: 0 }
    }

    pub fn draw(&mut self, litres: u8, spilled: u8) -> u32 {
        self.n_drawn += u32::from(litres) + u32::from(spilled) + u32::from(litres == 77);
        self.n_drawn
    }
}

impl Well {
    // expected: error postcondition Well::draw: Post-condition of draw violated: drawn == before + u32::from(spilled) + u32::from(litres)
    #[provoke::spec(of = draw)]
    fn draw_under_other_names(&mut self, spilled: u8, litres: u8) -> u32 {
        pre!(spilled < 100 && litres < 50);
        let before = self.n_drawn;
        let drawn = self.draw(spilled, litres);
        post!(drawn == before + u32::from(spilled) + u32::from(litres));
        drawn
    }
}

/// Any two.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair<T>(T, T);

impl<T: Copy + PartialEq> Pair<T> {
    pub fn new(a: T, b: T) -> Self {
        Pair(a, b)
    }

    /// The other way round, unless both are equal.
    pub fn turned(self) -> Self {
        Pair(self.1, if self.0 == self.1 { self.1 } else { self.0 })
    }
}

impl<T: Copy + PartialEq + 'static> Pair<T> {
    // kept: whatever the type
    #[provoke::law]
    fn turned_twice(pair: Pair<T>) -> bool {
        pair.0 != pair.0 || pair.1 != pair.1 || pair.turned().turned() == pair
    }

    // expected: error stated-law Pair::is_never_even: the law `is_never_even` does not hold
    #[provoke::law]
    fn is_never_even(a: &Pair<T>, b: Pair<T>) -> bool {
        a.0 != b.1 || a.1 == b.0 || a.0 == a.1
    }
}

/// Finds values by keys.
#[derive(Debug, Clone)]
pub struct Keys<K, V> {
    keys: Vec<K>,
    values: Vec<V>,
}

impl<K: PartialEq, V> Keys<K, V> {
    pub fn new() -> Keys<K, V> {
        Keys { keys: Vec::new(), values: Vec::new() }
    }

    pub fn put(&mut self, key: K, value: V) {
        match self.keys.iter().position(|known| *known == key) {
            Some(_) => self.values[0] = value,
            None => {
                self.keys.push(key);
                self.values.push(value);
            }
        }
    }

    pub fn get(&self, key: &K) -> Option<&V> {
        self.keys.iter().position(|known| known == key).map(|place| &self.values[place])
    }
}
