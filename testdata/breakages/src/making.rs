//! Values that are made in different ways before the call that breaks.

/// By a literal with fields, one of which is read and written.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    pub depth: u8,
    pub name: String,
    pub angle: Angle,
}

impl Config {
    pub fn check(&self) -> bool {
        let mut seen = Vec::new();
        seen.push(self.depth == 1 && !self.name.is_empty());
        debug_assert!(!seen[0], "broken");
        true
    }
}

/// By a tuple literal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Angle(pub f64);

impl Angle {
    pub fn turn(self, by: Angle) -> Angle {
        let mut seen = Vec::new();
        seen.push(self.0 + by.0 > 2.0);
        debug_assert!(!seen[0], "broken");
        Angle(self.0 + by.0)
    }
}

/// By its variants.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    Stop,
    Say(String),
    Move { steps: i32, back: bool },
    Both(Box<Command>, Box<Command>),
}

impl Command {
    pub fn obey(&self) -> i32 {
        match self {
            Command::Stop => 0,
            Command::Say(text) => text.len() as i32,
            Command::Move { steps, back } => {
                let mut seen = Vec::new();
                seen.push(*back && *steps == 1);
                debug_assert!(!seen[0], "broken");
                1
            }
            Command::Both(first, second) => first.obey() + second.obey(),
        }
    }

    pub fn obey_twice(self) -> bool {
        let mut seen = Vec::new();
        seen.push(matches!(self, Command::Both(..)));
        debug_assert!(!seen[0], "broken");
        true
    }
}

/// By a builder: a chain, by value and by reference.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Order {
    size: u8,
    notes: Vec<String>,
}

impl Order {
    pub fn new() -> Order {
        Order::default()
    }

    pub fn size(mut self, size: u8) -> Order {
        self.size = size;
        self
    }

    pub fn note(&mut self, note: impl Into<String>) -> &mut Order {
        self.notes.push(note.into());
        self
    }

    pub fn send(self) -> Result<u8, String> {
        let mut seen = Vec::new();
        seen.push(self.size > 0 && self.notes.len() > 1);
        debug_assert!(!seen[0], "broken");
        Ok(self.size)
    }
}

/// Shared state behind several handles.
#[derive(Debug, Clone, Default)]
pub struct Account {
    total: std::rc::Rc<std::cell::Cell<i64>>,
}

impl Account {
    pub const LIMIT: i64 = 3;

    pub fn open() -> Account {
        Account::default()
    }

    pub fn pay_in(&self, amount: i64) -> Option<Account> {
        let total = self.total.get().wrapping_add(amount);
        self.total.set(total);
        (total > 0).then(|| self.clone())
    }

    pub fn close(self) {
        let mut seen = Vec::new();
        seen.push(std::rc::Rc::strong_count(&self.total) > 1 && self.total.get() == Account::LIMIT);
        debug_assert!(!seen[0], "broken");
    }
}
