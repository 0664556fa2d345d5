//! Several values of one thing as text: the middle one, and how far the others lie from it.

use crate::support::measurement::median;
use crate::support::table;

/// `median (smallest to largest)`; only one number if all are the same, `-` if there are none.
pub fn spread(values: &[f64], shown: impl Fn(f64) -> String) -> String {
    let Some(middle) = median(values.to_vec()) else { return "-".to_owned() };
    let (low, high) =
        values.iter().fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(*value), high.max(*value)));
    let (middle, low, high) = (shown(middle), shown(low), shown(high));
    if low == high { middle } else { format!("{middle} ({low} to {high})") }
}

pub fn whole(value: f64) -> String {
    table::count(Some(value))
}

/// To three digits or so.
pub fn seconds(value: f64) -> String {
    format!("{value:.2}")
}

pub fn percent(value: f64) -> String {
    format!("{:.1} %", value * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_are_one_number() {
        assert_eq!(spread(&[], whole), "-");
        assert_eq!(spread(&[5.0, 5.0], whole), "5");
        assert_eq!(spread(&[1200.0, 5.0, 7.0], whole), "7 (5 to 1 200)");
        assert_eq!(spread(&[0.5, 1.0], percent), "75.0 % (50.0 % to 100.0 %)");
    }
}
