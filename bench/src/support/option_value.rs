//! Values of options on the command line.

/// Seconds as in `5s`; kept as text, since others read it.
pub fn time(value: &str) -> Result<String, String> {
    let seconds = value.strip_suffix('s').and_then(|number| number.parse::<f64>().ok());
    match seconds {
        Some(seconds) if seconds > 0.0 && seconds.is_finite() => Ok(value.to_owned()),
        _ => Err(format!("`{value}` is no time like `5s`")),
    }
}

/// How often something is done: once at least.
pub fn number_of(what: &str, value: &str) -> Result<u32, String> {
    let number = value.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| format!("`{value}` is no number of {what}"))
}

/// Seeds as in `0,1,7`.
pub fn seeds(value: &str) -> Result<Vec<u64>, String> {
    let seed = |text: &str| text.trim().parse().map_err(|_| format!("`{text}` is no seed"));
    value.split(',').map(seed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_positive_number_of_seconds() {
        assert_eq!(time("0.5s").as_deref(), Ok("0.5s"));
        for wrong in ["5", "s", "-1s", "0s", "infs", "NaNs"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn seeds_are_numbers_between_commas() {
        assert_eq!(seeds("0, 1,7"), Ok(vec![0, 1, 7]));
        for wrong in ["", "1,", "-1", "a"] {
            assert!(seeds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn nothing_is_done_no_times() {
        assert_eq!(number_of("runs", "3"), Ok(3));
        assert_eq!(number_of("runs", "0"), Err("`0` is no number of runs".to_owned()));
        assert!(number_of("runs", "many").is_err());
    }
}
