//! Lengths of time as users write them: `20`, `20s`, `1.5s`, `2m`, `1m30s`, `500ms`, `1h`.

use provoke_run::BadValue;
use std::time::Duration;

const HINT: &str = "write it like 20s, 500ms, 2m, 1m30s or 1h; a plain number is in seconds";
/// Longer than anybody waits, short enough to be added to any clock.
const MAX: Duration = Duration::from_secs(30 * 24 * 3600);
/// From large to small, which is the order in which they must be written.
const UNITS: [(&str, f64); 4] = [("h", 3600.0), ("m", 60.0), ("s", 1.0), ("ms", 0.001)];

pub fn parse_duration(text: &str) -> Result<Duration, BadValue> {
    let malformed = || BadValue::new("not a length of time", HINT);
    let mut seconds = 0.0;
    let mut units = UNITS.as_slice();
    let mut rest = text;
    while !rest.is_empty() {
        let (number, after) = rest.split_at(end_of(rest, |c| c.is_ascii_digit() || c == '.'));
        let (unit, after) = after.split_at(end_of(after, |c| c.is_ascii_alphabetic()));
        let number: f64 = number.parse().map_err(|_| malformed())?;
        // Seconds are meant where a plain number is the whole text; `1m30` could mean anything.
        let unit = if unit.is_empty() && rest.len() == text.len() && after.is_empty() { "s" } else { unit };
        let unit_idx = units.iter().position(|(name, _)| *name == unit).ok_or_else(malformed)?;
        seconds += number * units[unit_idx].1;
        units = &units[unit_idx + 1..];
        rest = after;
    }
    if text.is_empty() {
        return Err(malformed());
    }
    if seconds > MAX.as_secs_f64() {
        return Err(BadValue::new("more than 30 days", "a search of some minutes finds most of what it ever will"));
    }
    let duration = Duration::try_from_secs_f64(seconds).map_err(|_| malformed())?;
    if duration < Duration::from_millis(1) {
        return Err(BadValue::new(
            "no time at all",
            "the least is 1ms; to see only what can be called, use `cargo provoke list`",
        ));
    }
    Ok(duration)
}

fn end_of(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_ways_to_write_a_time_are_understood() {
        let table = [
            ("20", 20_000),
            ("20s", 20_000),
            ("1.5s", 1500),
            ("0.5", 500),
            ("2m", 120_000),
            ("1m30s", 90_000),
            ("500ms", 500),
            ("1h", 3_600_000),
            ("1h2m3s4ms", 3_723_004),
            ("90s", 90_000),
        ];
        for (text, millis) in table {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        let table = [
            "",
            "s",
            "abc",
            "-5",
            "5x",
            "1m30",
            "30s1m",
            "1s1s",
            "1..2",
            ".",
            "5 s",
            "1e9",
            "inf",
            "nan",
            "0",
            "0s",
            "0.0001ms",
            "31d",
            "1000h",
            "999999999999999999999999h",
            "2 m",
            "½m",
        ];
        for text in table {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }
}
