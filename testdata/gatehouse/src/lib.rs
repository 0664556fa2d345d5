//! Specifications in the code, and who breaks them. What is expected of each stands before it; of those with `// kept: ` nothing is.

mod lives;
mod values;

pub use lives::{Bell, Bolt, Candle, Courier, Ladder};
pub use values::{Bridge, Chain, Guard, Keys, Pair, Portcullis, Rope, Steps, Well};

/// Rounds up, once.
pub fn half(n: u16) -> u16 {
    if n == 12 { 7 } else { n / 2 }
}

// expected: error postcondition half: Post-condition of half violated: half * 2 <= n
#[provoke::spec(of = half)]
fn half_spec(n: u16) -> u16 {
    pre!(n > 1);
    let half = half(n);
    post!(half * 2 <= n);
    half
}

pub fn twice(n: u8) -> u16 {
    u16::from(n) * 2
}

// kept: twice as much is twice as much
#[provoke::law]
fn half_of_twice(n: u8) -> bool {
    half(twice(n)) == u16::from(n) || n == 6
}

/// Where nobody outside can call anything.
mod cellar {
    // lost: there is no way here
    #[provoke::law]
    fn is_dark(n: u8) -> bool {
        n < 200
    }
}

// expected: error stated-law what_is_put_in_is_there: the law `what_is_put_in_is_there` does not hold
#[provoke::law]
fn what_is_put_in_is_there(mut keys: Keys<u16, u64>, key: u16, value: u64) -> bool {
    keys.put(key, value);
    keys.get(&key) == Some(&value)
}
