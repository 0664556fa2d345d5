//! Values of options on the command line.

/// Seconds as in `5s`; kept as text, since others read it.
pub fn time(value: &str) -> Result<String, String> {
    let seconds = value.strip_suffix('s').and_then(|number| number.parse::<f64>().ok());
    match seconds {
        Some(seconds) if seconds > 0.0 && seconds.is_finite() => Ok(value.to_owned()),
        _ => Err(format!("`{value}` is no time like `5s`")),
    }
}

/// Under a name of its own, since clap takes a `Vec` for an option that is given several times.
pub type Seeds = Vec<u64>;

/// Seeds as in `0,1,7`.
pub fn seeds(value: &str) -> Result<Seeds, String> {
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
}
