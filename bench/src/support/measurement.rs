//! One measured run: how it is read from what a program printed or wrote, and medians of several.

use serde_json::Value;

/// What one run of a driver gave; what it did not say is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measurement {
    pub calls_per_second: Option<f64>,
    /// The part of the calls that replayed the beginning of an earlier program; Provoke only.
    pub replayed_share: Option<f64>,
}

impl Measurement {
    /// From the line `calls=N seconds=S` of a baseline.
    pub fn from_baseline(output: &str) -> Measurement {
        let field = |name: &str| -> Option<f64> {
            let value = output.split_whitespace().find_map(|word| word.strip_prefix(name))?;
            value.parse().ok()
        };
        let calls_per_second = match (field("calls="), field("seconds=")) {
            (Some(calls), Some(seconds)) if seconds > 0.0 => Some(calls / seconds),
            _ => None,
        };
        Measurement { calls_per_second, replayed_share: None }
    }

    /// From the `summary.json` of a run of Provoke.
    pub fn from_summary(summary: &Value) -> Measurement {
        let field = |name: &str| summary["search"][name].as_f64();
        let replayed_share = match (field("replayed_calls"), field("calls")) {
            (Some(replayed), Some(calls)) if calls > 0.0 => Some(replayed / calls),
            _ => None,
        };
        Measurement { calls_per_second: field("calls_per_second"), replayed_share }
    }

    /// The medians, field by field, of the runs that have the field.
    pub fn median(runs: &[Measurement]) -> Measurement {
        let of = |field: fn(&Measurement) -> Option<f64>| median(runs.iter().filter_map(field).collect());
        Measurement { calls_per_second: of(|run| run.calls_per_second), replayed_share: of(|run| run.replayed_share) }
    }
}

/// The middle value, or the mean of the two in the middle.
pub fn median(values: Vec<f64>) -> Option<f64> {
    quantile(values, 0.5)
}

/// The value below which this share of the others lies, between two of them where it must be.
pub fn quantile(mut values: Vec<f64>, share: f64) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let place = share * values.len().checked_sub(1)? as f64;
    let (lower, upper) = (values.get(place.floor() as usize)?, values.get(place.ceil() as usize)?);
    Some(lower + (upper - lower) * place.fract())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_baseline_s_line_gives_its_rate() {
        let run = Measurement::from_baseline("calls=300 seconds=1.5\n");
        assert_eq!(run.calls_per_second, Some(200.0));
        assert_eq!(Measurement::from_baseline("calls=300"), Measurement::default());
        assert_eq!(Measurement::from_baseline("calls=1 seconds=0"), Measurement::default());
    }

    #[test]
    fn what_a_summary_does_not_say_is_absent() {
        let summary = serde_json::json!({"search": {"calls": 200, "calls_per_second": 50}});
        let run = Measurement::from_summary(&summary);
        assert_eq!((run.calls_per_second, run.replayed_share), (Some(50.0), None));
        let summary = serde_json::json!({"search": {"calls": 200, "replayed_calls": 50, "calls_per_second": null}});
        let run = Measurement::from_summary(&summary);
        assert_eq!((run.calls_per_second, run.replayed_share), (None, Some(0.25)));
        assert_eq!(Measurement::from_summary(&Value::Null), Measurement::default());
    }

    #[test]
    fn quantiles_lie_between_values() {
        let values = vec![4.0, 1.0, 3.0, 2.0];
        assert_eq!([0.0, 0.25, 0.5, 1.0].map(|share| quantile(values.clone(), share).unwrap()), [1.0, 1.75, 2.5, 4.0]);
        assert_eq!(quantile(Vec::new(), 0.5), None);
    }

    #[test]
    fn medians_leave_out_what_is_absent() {
        let run = |rate| Measurement { calls_per_second: rate, replayed_share: None };
        let runs = [run(Some(9.0)), run(None), run(Some(1.0)), run(Some(2.0))];
        assert_eq!(Measurement::median(&runs), run(Some(2.0)));
        assert_eq!(Measurement::median(&runs[..3]), run(Some(5.0)));
        assert_eq!(Measurement::median(&[]), run(None));
    }
}
