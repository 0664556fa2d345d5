//! Numbers as people read them.

/// `999`, `1.2k`, `68.2M`, `1.0G`: three digits at most, never more than four characters and a unit.
pub fn human_count(n: u64) -> String {
    if n < 1000 {
        return n.to_string();
    }
    let mut scaled = n as f64;
    let mut unit = "";
    // Units change where rounding would otherwise print four digits.
    for next in ["k", "M", "G", "T"] {
        if scaled < 999.5 {
            break;
        }
        scaled /= 1000.0;
        unit = next;
    }
    if scaled < 99.95 { format!("{scaled:.1}{unit}") } else { format!("{scaled:.0}{unit}") }
}

/// `0.4s`, `12.3s`, `2m 05s`, `1h 02m`.
pub fn human_seconds(seconds: f64) -> String {
    if seconds < 59.95 {
        return format!("{:.1}s", seconds.max(0.0));
    }
    let whole = seconds.round() as u64;
    if whole < 3600 {
        format!("{}m {:02}s", whole / 60, whole % 60)
    } else {
        format!("{}h {:02}m", whole / 3600, whole % 3600 / 60)
    }
}

/// `1 finding`, `2 findings`, `1.2k calls`: for words that take an s.
pub fn plural(n: u64, noun: &str) -> String {
    let ending = if n == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", human_count(n))
}

/// An estimate: `7`, `12`, `40,000`. One digit that counts, two if it would be a one.
pub(crate) fn about(n: u64) -> String {
    let n_digits = n.checked_ilog10().map_or(1, |log| log + 1);
    let unit = |n_kept: u32| 10u64.pow(n_digits.saturating_sub(n_kept));
    let unit = if n / unit(1) == 1 { unit(2) } else { unit(1) };
    grouped((n.saturating_add(unit / 2)) / unit * unit)
}

/// `40,000`
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Rounded down: only all of it is 100. All of nothing is.
pub(crate) fn percent(n: u64, total: u64) -> u64 {
    (100 * n).checked_div(total).unwrap_or(100)
}

/// A rate that is 0 while no time has passed.
pub fn per_second(n: u64, seconds: f64) -> u64 {
    if seconds > 0.0 { (n as f64 / seconds).round() as u64 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_at_most_three_digits() {
        let table = [
            (0, "0"),
            (999, "999"),
            (1000, "1.0k"),
            (1234, "1.2k"),
            (99_949, "99.9k"),
            (99_950, "100k"),
            (999_499, "999k"),
            (999_500, "1.0M"),
            (3_400_000, "3.4M"),
            (68_249_000, "68.2M"),
            (1_000_000_000, "1.0G"),
            (2_500_000_000_000, "2.5T"),
        ];
        for (n, expected) in table {
            assert_eq!(human_count(n), expected);
        }
    }

    #[test]
    fn seconds_grow_into_minutes_and_hours() {
        let table = [
            (-1.0, "0.0s"),
            (0.04, "0.0s"),
            (12.34, "12.3s"),
            (59.94, "59.9s"),
            (59.96, "1m 00s"),
            (125.0, "2m 05s"),
            (3599.6, "1h 00m"),
            (3725.0, "1h 02m"),
        ];
        for (seconds, expected) in table {
            assert_eq!(human_seconds(seconds), expected, "{seconds}");
        }
    }

    #[test]
    fn estimates_are_round() {
        let table = [
            (0, "0"),
            (7, "7"),
            (14, "14"),
            (26, "30"),
            (96, "100"),
            (149, "150"),
            (999, "1,000"),
            (1_449, "1,400"),
            (38_600, "40,000"),
            (1_960_000, "2,000,000"),
            (u64::MAX, "18,000,000,000,000,000,000"),
        ];
        for (n, expected) in table {
            assert_eq!(about(n), expected, "{n}");
        }
    }

    #[test]
    fn one_thing_is_singular() {
        assert_eq!(plural(0, "finding"), "0 findings");
        assert_eq!(plural(1, "finding"), "1 finding");
        assert_eq!(plural(2, "finding"), "2 findings");
    }

    #[test]
    fn no_time_means_no_rate() {
        assert_eq!(per_second(10, 0.0), 0);
        assert_eq!(per_second(10, 4.0), 3);
    }
}
