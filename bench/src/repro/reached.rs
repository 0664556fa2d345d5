//! What runs reached of one of our subjects, and what they left.

use std::collections::BTreeSet;

use crate::repro::ledger::Record;
use crate::repro::spread::{percent, spread, whole};

/// Cells of a table: edges, their share of all, and their share of those that are not listed as infeasible.
pub fn shares(records: &[Record], infeasible: &BTreeSet<&str>) -> [String; 3] {
    let of = |value: &dyn Fn(&Record) -> f64| records.iter().map(value).collect::<Vec<f64>>();
    let n_reachable = |record: &Record| record.edges_total - infeasible.len() as u64;
    [
        spread(&of(&|record| record.edges() as f64), whole),
        spread(&of(&share_of_all), percent),
        spread(&of(&|record| share(record, n_reachable(record))), percent),
    ]
}

pub fn share_of_all(record: &Record) -> f64 {
    share(record, record.edges_total)
}

/// Of the edges that are neither listed as infeasible nor taken while something unwinds only.
pub fn share_of_ordinary(record: &Record, infeasible: &BTreeSet<&str>) -> f64 {
    let mut left_out = infeasible.clone();
    left_out.extend(record.unwinding.iter().map(String::as_str));
    let n_missed = record.missed.iter().filter(|place| !left_out.contains(place.as_str())).count() as u64;
    let total = record.edges_total.saturating_sub(left_out.len() as u64);
    total.saturating_sub(n_missed) as f64 / total.max(1) as f64
}

fn share(record: &Record, total: u64) -> f64 {
    record.edges() as f64 / total.max(1) as f64
}

/// What no run reached though nobody says that it is infeasible and more than unwinding leads there, and the other way round.
pub fn remarks<'a>(records: impl Iterator<Item = &'a Record> + Clone, infeasible: &BTreeSet<&str>) -> String {
    let unwinding: BTreeSet<&str> = records.clone().flat_map(|record| &record.unwinding).map(String::as_str).collect();
    let missed = |record: &'a Record| record.missed.iter().map(String::as_str).collect::<BTreeSet<&str>>();
    let never = records.map(missed).reduce(|a, b| a.intersection(&b).copied().collect()).unwrap_or_default();
    let unexplained: Vec<&str> =
        never.difference(infeasible).copied().filter(|place| !unwinding.contains(place)).collect();
    let wrong: Vec<&str> = infeasible.difference(&never).copied().collect();
    let mut text = format!("reached in no run: {}, listed as infeasible: {}\n", never.len(), infeasible.len());
    if !unexplained.is_empty() {
        text += &format!("reached in no run and not listed: {}\n", unexplained.join(", "));
    }
    if !wrong.is_empty() {
        text += &format!("listed as infeasible, but reached or not there: {}\n", wrong.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn record(missed: &[&str]) -> Record {
        let missed = missed.iter().map(|place| (*place).to_owned()).collect();
        Record { edges_total: 10, missed, ..Record::default() }
    }

    #[test]
    fn shares_are_of_all_and_of_what_can_be_reached() {
        let records = [record(&["a", "b", "c"]), record(&["a", "b"])];
        let cells = shares(&records, &BTreeSet::from(["a", "z"]));
        assert_eq!(cells, ["8 (7 to 8)", "75.0 % (70.0 % to 80.0 %)", "93.8 % (87.5 % to 100.0 %)"]);
        assert_eq!(shares(&[], &BTreeSet::new()), ["-"; 3]);
    }

    #[test]
    fn what_only_unwinding_leads_to_is_not_ordinary_whether_reached_or_not() {
        let unwinding = ["b", "y"].map(str::to_owned).to_vec();
        let record = Record { unwinding, ..record(&["a", "b", "c"]) };
        assert_eq!(share_of_ordinary(&record, &BTreeSet::from(["a", "b"])), 6.0 / 7.0);
        assert_eq!(share_of_ordinary(&record, &BTreeSet::new()), 6.0 / 8.0);
        let text = remarks([&record].into_iter(), &BTreeSet::from(["a"]));
        assert_eq!(text, "reached in no run: 3, listed as infeasible: 1\nreached in no run and not listed: c\n");
    }

    #[test]
    fn remarks_name_what_no_run_reached_and_what_is_listed_wrongly() {
        let records = [record(&["a", "b", "c"]), record(&["a", "b"])];
        expect![[r#"
            reached in no run: 2, listed as infeasible: 2
            reached in no run and not listed: b
            listed as infeasible, but reached or not there: z
        "#]]
        .assert_eq(&remarks(records.iter(), &BTreeSet::from(["a", "z"])));
        let text = remarks(records.iter(), &BTreeSet::from(["a", "b"]));
        assert_eq!(text, "reached in no run: 2, listed as infeasible: 2\n");
    }
}
