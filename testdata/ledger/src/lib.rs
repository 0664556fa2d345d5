//! Contracts, and who breaks them. Before each function stands what is expected of it: a finding, or `callers only` where nobody but
//! callers can be to blame.

pub mod situations;

use contracts::{contract_trait, debug_requires, ensures, invariant, requires};

/// Money that is never less than nothing.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Account {
    balance: u32,
    frozen: bool,
}

#[invariant(self.balance <= 1000, "nobody is rich")]
impl Account {
    // expected: error postcondition: Post-condition of with_balance violated: ret.balance == balance
    #[requires(balance <= 900)]
    #[ensures(ret.balance == balance)]
    pub fn with_balance(balance: u32) -> Account {
        Account { balance: if balance == 7 { 8 } else { balance }, frozen: false }
    }

    pub fn balance(&self) -> u32 {
        self.balance
    }

    // callers only: withdraw
    #[requires(amount > 0, amount <= self.balance)]
    #[ensures(self.balance == old(self.balance) - amount)]
    pub fn withdraw(&mut self, amount: u32) {
        self.balance -= amount;
    }

    /// Takes what may not be there.
    // expected: error precondition: Pre-condition of withdraw violated: amount <= self.balance
    pub fn charge(&mut self) {
        self.withdraw(3);
    }

    // expected: error invariant: Invariant (as post-condition) of interest violated: nobody is rich: self.balance <= 1000
    #[requires(percent < 100)]
    pub fn interest(&mut self, percent: u32) {
        self.balance += self.balance * percent / 100;
    }

    /// Calls itself with what it does not take.
    // expected: error precondition: Pre-condition of halve violated: n < 50
    #[requires(n < 50)]
    pub fn halve(&self, n: u32) -> u32 {
        if n % 7 == 6 { self.halve(n * 2).count_ones() } else { n / 2 }
    }

    /// Two promises, both broken.
    // expected: error postcondition: Post-condition of freeze violated: the state is kept: ret == self.frozen
    // expected: error postcondition: Post-condition of freeze violated: code != 3
    #[ensures(ret == self.frozen, "the state is kept")]
    #[ensures(code != 3)]
    pub fn freeze(&mut self, code: u8) -> bool {
        self.frozen = true;
        code != 2
    }

    /// Goes through the standard library.
    // expected: error precondition: Pre-condition of check violated: amount % 13 != 12
    pub fn check_all(&self, amounts: &[u32]) -> bool {
        amounts.iter().all(|amount| check(*amount))
    }

    /// Hands only on what is right.
    // callers only: check_some
    pub fn check_some(&self, amount: u32) -> bool {
        amount % 13 != 12 && check(amount)
    }
}

#[debug_requires(amount % 13 != 12)]
fn check(amount: u32) -> bool {
    amount % 2 == 0
}

/// A contract that all implementations share.
#[contract_trait]
pub trait Scale {
    #[requires(load < 200)]
    #[ensures(ret >= load)]
    fn weigh(&self, load: u32) -> u32;
}

#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Honest;

// callers only: weigh of Honest
#[contract_trait]
impl Scale for Honest {
    fn weigh(&self, load: u32) -> u32 {
        load + 1
    }
}

#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Crooked;

// expected: error postcondition: Post-condition of weigh violated: ret >= load
#[contract_trait]
impl Scale for Crooked {
    fn weigh(&self, load: u32) -> u32 {
        load.saturating_sub(load / 100)
    }
}

/// What is closed is checked once more.
#[derive(Debug)]
pub struct Till {
    coins: u32,
}

impl Till {
    // callers only: Till::new
    #[requires(coins < 100)]
    pub fn new(coins: u32) -> Till {
        Till { coins }
    }
}

// expected: error precondition: Pre-condition of close violated: coins != 5
impl Drop for Till {
    fn drop(&mut self) {
        close(self.coins);
    }
}

#[requires(coins != 5)]
fn close(coins: u32) -> u32 {
    coins
}

/// Everybody can write its fields, so nobody knows who broke it.
#[derive(Debug, Clone)]
pub struct Range {
    pub low: u8,
    pub high: u8,
}

// expected: suspicious invariant: Invariant (as pre-condition) of is_empty violated: self.low <= self.high
#[invariant(self.low <= self.high)]
impl Range {
    pub fn len(&self) -> u8 {
        self.high - self.low
    }

    pub fn is_empty(&self) -> bool {
        self.low == self.high
    }
}
