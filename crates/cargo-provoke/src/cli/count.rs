//! Whole numbers as users write them: `1000`, `1_000`, `10k`, `2M`, `1G`.

use provoke_run::{BadValue, MAX_JOBS};

const HINT: &str = "write a whole number like 5000, 10_000, 10k or 2M";

/// A number of calls, at least one.
pub fn parse_calls(text: &str) -> Result<u64, BadValue> {
    let (digits, scale) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 1_000),
        Some((at, 'm' | 'M')) => (&text[..at], 1_000_000),
        Some((at, 'g' | 'G')) => (&text[..at], 1_000_000_000),
        _ => (text, 1),
    };
    let number = parse_digits(digits, HINT)?;
    match number.checked_mul(scale) {
        None => Err(too_large()),
        Some(0) => Err(BadValue::new(
            "no calls at all",
            "the least is 1; to see only what can be called, use `cargo provoke list`",
        )),
        Some(calls) => Ok(calls),
    }
}

pub fn parse_seed(text: &str) -> Result<u64, BadValue> {
    parse_digits(text, "a seed is a whole number from 0 to 18446744073709551615")
}

pub fn parse_jobs(text: &str) -> Result<usize, BadValue> {
    let hint = "give the number of workers, or leave it out for one per core";
    match usize::try_from(parse_digits(text, hint)?) {
        Ok(0) => Err(BadValue::new("at least one worker is needed", hint)),
        Ok(jobs) if jobs <= MAX_JOBS => Ok(jobs),
        _ => Err(BadValue::new(format!("more than {MAX_JOBS}"), hint)),
    }
}

/// Digits, with underscores between them.
fn parse_digits(text: &str, hint: &str) -> Result<u64, BadValue> {
    let is_grouped = text.split('_').all(|group| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit()));
    if !is_grouped {
        return Err(BadValue::new("not a whole number", hint));
    }
    text.replace('_', "").parse().map_err(|_| too_large())
}

fn too_large() -> BadValue {
    BadValue::new("too large", "the largest is 18446744073709551615")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_may_have_separators_and_units() {
        let table = [
            ("1", 1),
            ("1_000", 1000),
            ("10k", 10_000),
            ("10K", 10_000),
            ("2M", 2_000_000),
            ("1G", 1_000_000_000),
            ("18446744073709551615", u64::MAX),
        ];
        for (text, expected) in table {
            assert_eq!(parse_calls(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn calls_that_are_no_number_or_none_are_refused() {
        let table = [
            "",
            "0",
            "0k",
            "k",
            "-1",
            "+1",
            "1.5M",
            "1__0",
            "_1",
            "1_",
            "ten",
            "10kk",
            "1e6",
            "10 k",
            "18446744073709551616",
            "18446744073709551615k",
            "１",
        ];
        for text in table {
            assert!(parse_calls(text).is_err(), "{text}");
        }
    }

    #[test]
    fn seeds_are_any_64_bit_number() {
        assert_eq!(parse_seed("0"), Ok(0));
        assert_eq!(parse_seed("18446744073709551615"), Ok(u64::MAX));
        for text in ["-1", "0x10", "18446744073709551616", "seven", ""] {
            assert!(parse_seed(text).is_err(), "{text}");
        }
    }

    #[test]
    fn jobs_are_at_least_one_and_sane() {
        assert_eq!(parse_jobs("1"), Ok(1));
        assert_eq!(parse_jobs("1024"), Ok(1024));
        for text in ["0", "-1", "1025", "many", "99999999999999999999"] {
            assert!(parse_jobs(text).is_err(), "{text}");
        }
    }
}
