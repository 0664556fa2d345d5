//! Types whose clones depend on their originals: by mistake, by design, or not at all. What is said here about a type's clones
//! is in ordinary comments, because documentation is read.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};

// A mistake: the label is the clone's own, the items are not.
#[derive(Clone, Debug, Default)]
pub struct Tray {
    label: String,
    items: Rc<RefCell<Vec<u8>>>,
}

impl Tray {
    pub fn new() -> Tray {
        Tray::default()
    }

    pub fn relabel(&mut self, label: &str) {
        self.label = label.to_string();
    }

    pub fn put(&mut self, item: u8) {
        self.items.borrow_mut().push(item);
    }

    pub fn take(&mut self) -> Option<u8> {
        self.items.borrow_mut().pop()
    }
}

// A mistake that shows in one direction: the clone copies before it writes, the original does not know that it has to.
pub struct Page {
    words: Rc<RefCell<Vec<u8>>>,
    is_copied_first: bool,
}

impl Page {
    pub fn blank() -> Page {
        Page { words: Rc::default(), is_copied_first: false }
    }

    pub fn write(&mut self, word: u8) {
        if self.is_copied_first {
            let words = self.words.borrow().clone();
            self.words = Rc::new(RefCell::new(words));
        }
        self.words.borrow_mut().push(word);
    }
}

impl Clone for Page {
    fn clone(&self) -> Page {
        Page { words: Rc::clone(&self.words), is_copied_first: true }
    }
}

impl fmt::Debug for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.words.borrow())
    }
}

// By design: there is nothing but what is in common.
#[derive(Clone, Debug, Default)]
pub struct Board {
    notes: Rc<RefCell<Vec<u8>>>,
}

impl Board {
    pub fn new() -> Board {
        Board::default()
    }

    pub fn pin(&self, note: u8) {
        self.notes.borrow_mut().push(note);
    }

    pub fn clear(&mut self) {
        self.notes.borrow_mut().clear();
    }
}

// Independent but for the board that it was given, which is in common by design.
#[derive(Clone, Debug)]
pub struct Room {
    name: String,
    board: Board,
}

impl Room {
    pub fn with(board: Board) -> Room {
        Room { name: String::new(), board }
    }

    pub fn rename(&mut self, name: &str) {
        self.name = name.to_string();
    }

    pub fn pin(&mut self, note: u8) {
        self.board.pin(note);
    }
}

/// A handle to a bell.
#[derive(Clone, Debug, Default)]
pub struct Bell {
    name: String,
    n_rings: Rc<Cell<u32>>,
}

impl Bell {
    pub fn new() -> Bell {
        Bell::default()
    }

    pub fn rename(&mut self, name: &str) {
        self.name = name.to_string();
    }

    pub fn ring(&mut self) {
        self.n_rings.set(self.n_rings.get().wrapping_add(1));
    }
}

// Independent but for the bell that it was given, of which the documentation says that it is in common.
#[derive(Clone, Debug)]
pub struct Door {
    is_open: bool,
    bell: Bell,
}

impl Door {
    pub fn with(bell: Bell) -> Door {
        Door { is_open: false, bell }
    }

    pub fn turn(&mut self) {
        self.is_open = !self.is_open;
    }

    pub fn ring(&mut self) {
        self.bell.ring();
    }
}

// Independent.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    entries: Vec<i32>,
    n_seen: Cell<u32>,
}

impl Ledger {
    pub fn new() -> Ledger {
        Ledger::default()
    }

    pub fn enter(&mut self, amount: i32) {
        self.entries.push(amount);
    }

    pub fn see(&self) {
        self.n_seen.set(self.n_seen.get().wrapping_add(1));
    }
}

static N_TICKETS: AtomicUsize = AtomicUsize::new(0);

// Independent, but every change of any of them shows in all of them.
#[derive(Clone, Default)]
pub struct Ticket {
    stamps: Vec<u8>,
}

impl Ticket {
    pub fn new() -> Ticket {
        Ticket::default()
    }

    pub fn stamp(&mut self, stamp: u8) {
        self.stamps.push(stamp);
        if stamp.is_multiple_of(2) {
            N_TICKETS.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl fmt::Debug for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} of {}", self.stamps, N_TICKETS.load(Ordering::Relaxed))
    }
}

// Independent, but shows where it is and how often it was shown.
#[derive(Clone, Default)]
pub struct Spot {
    number: u8,
    n_shown: Cell<u32>,
}

impl Spot {
    pub fn new() -> Spot {
        Spot::default()
    }

    pub fn set(&mut self, number: u8) {
        self.number = number;
    }
}

impl fmt::Debug for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.n_shown.set(self.n_shown.get() + 1);
        write!(f, "{} at {:p}, {}", self.number, self, self.n_shown.get())
    }
}
