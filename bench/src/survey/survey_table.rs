//! The table of a survey: a row per crate, printed as soon as it is known, the totals, and what they mean.

use crate::support::provoke::Run;
use crate::support::table;
use crate::survey::figures::Figures;

/// Fewer covered functions than this are worth a look.
const MIN_PERCENT_COVERED: u64 = 60;

/// Headings, and the widths that numbers usually need: rows are printed before the later ones are known.
const COLUMNS: [(&str, usize); 13] = [
    ("functions", 9),
    ("callable", 11),
    ("covered", 11),
    ("edges", 13),
    ("errors", 6),
    ("suspicious", 10),
    ("rejected", 8),
    ("calls/s", 10),
    ("rustdoc s", 9),
    ("build s", 7),
    ("search s", 8),
    ("total s", 7),
    ("exit", 4),
];

/// One crate and what came of it.
pub struct Entry {
    pub name: String,
    pub run: Run,
    figures: Option<Figures>,
}

impl Entry {
    pub fn new(name: String, run: Run) -> Entry {
        let figures = run.summary.as_ref().and_then(Figures::from_summary);
        Entry { name, run, figures }
    }

    fn is_below_minimum(&self) -> bool {
        let Some(figures) = &self.figures else {
            return false;
        };
        figures.n_covered * 100 < figures.n_functions * MIN_PERCENT_COVERED
    }
}

/// The layout that all rows share.
pub struct SurveyTable {
    widths: Vec<usize>,
}

impl SurveyTable {
    /// For crates of these names.
    pub fn new(names: &[String]) -> SurveyTable {
        let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let mut widths = vec![longest.max(total_label(names.len()).len())];
        widths.extend(COLUMNS.map(|(_, width)| width));
        SurveyTable { widths }
    }

    pub fn header(&self) -> String {
        let mut cells = vec!["crate".to_owned()];
        cells.extend(COLUMNS.map(|(heading, _)| heading.to_owned()));
        table::line(&cells, &self.widths)
    }

    pub fn row(&self, entry: &Entry) -> String {
        self.cells(&entry.name, entry.figures.as_ref(), entry.run.status())
    }

    /// The sums of all crates that have figures.
    pub fn totals(&self, entries: &[Entry]) -> String {
        let all: Vec<&Figures> = entries.iter().filter_map(|entry| entry.figures.as_ref()).collect();
        self.cells(&total_label(all.len()), Some(&Figures::sum(all.iter().copied())), String::new())
    }

    fn cells(&self, name: &str, figures: Option<&Figures>, status: String) -> String {
        let mut cells = vec![name.to_owned()];
        match figures {
            None => cells.extend(std::iter::repeat_n("-".to_owned(), COLUMNS.len() - 1)),
            Some(figures) => {
                let number = |value: u64| table::count(Some(value as f64));
                let share = |value: u64, base: u64| match (value * 100).checked_div(base) {
                    // Rounded down, so that what is shown as 60 % is not below 60 %.
                    Some(percent) => format!("{} {percent:>3} %", number(value)),
                    None => number(value),
                };
                let seconds = &figures.seconds;
                cells.extend([
                    number(figures.n_functions),
                    share(figures.n_callable, figures.n_functions),
                    share(figures.n_covered, figures.n_functions),
                    figures.edges.map_or("-".to_owned(), |(edges, edges_total)| share(edges, edges_total)),
                    number(figures.n_errors),
                    number(figures.n_suspicious),
                    number(figures.n_rejected),
                    table::count(figures.calls_per_second),
                ]);
                cells.extend(
                    [seconds.rustdoc, seconds.build, seconds.search, seconds.total].map(|value| format!("{value:.1}")),
                );
            }
        }
        cells.push(status);
        table::line(&cells, &self.widths)
    }
}

fn total_label(n_crates: usize) -> String {
    format!("total of {n_crates}")
}

/// Which crates are covered poorly.
pub fn remark(entries: &[Entry]) -> String {
    let below: Vec<&str> = entries.iter().filter(|entry| entry.is_below_minimum()).map(|e| e.name.as_str()).collect();
    match below.len() {
        0 => format!("no crate is below {MIN_PERCENT_COVERED} % covered"),
        n_below => format!("{n_below} below {MIN_PERCENT_COVERED} % covered: {}", below.join(", ")),
    }
}

/// What must not happen with any crate: a run that ends abnormally, or a test that is rejected.
pub fn complaint(entries: &[Entry]) -> Option<String> {
    let mut complaints = Vec::new();
    let is_abnormal = |entry: &&Entry| !entry.run.is_normal() || entry.figures.is_none();
    let abnormal: Vec<&str> = entries.iter().filter(is_abnormal).map(|entry| entry.name.as_str()).collect();
    if !abnormal.is_empty() {
        complaints.push(format!("{} ended abnormally: {}", abnormal.len(), abnormal.join(", ")));
    }
    let n_rejected = |entry: &Entry| entry.figures.as_ref().map_or(0, |figures| figures.n_rejected);
    let rejecting: Vec<&str> =
        entries.iter().filter(|entry| n_rejected(entry) > 0).map(|entry| entry.name.as_str()).collect();
    if !rejecting.is_empty() {
        let n_tests: u64 = entries.iter().map(n_rejected).sum();
        complaints.push(format!("{n_tests} tests were rejected: {}", rejecting.join(", ")));
    }
    (!complaints.is_empty()).then(|| complaints.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::figures::canned_summary;

    fn entry(name: &str, code: i32, summary: Option<serde_json::Value>) -> Entry {
        let last_line = "error: `x` does not build".to_owned();
        Entry::new(name.to_owned(), Run { code: Some(code), summary, last_line, wall_seconds: 28.0 })
    }

    #[test]
    fn rows_line_up_and_the_totals_leave_out_what_has_no_figures() {
        let mut measured = canned_summary(1000, 590, 599);
        measured["coverage"] = serde_json::json!({"edges": 1500, "edges_total": 2000});
        let entries = [
            entry("slab@0.4.4", 100, Some(canned_summary(53, 51, 50))),
            entry("linked-hash-map@0.5.2", 0, Some(measured)),
            entry("x@1.0.0", 101, None),
        ];
        let names: Vec<String> = entries.iter().map(|entry| entry.name.clone()).collect();
        let table = SurveyTable::new(&names);
        let mut text = table.header();
        entries.iter().for_each(|entry| text += &table.row(entry));
        text += &table.totals(&entries);
        expect_test::expect![[r#"
            crate                  functions     callable      covered          edges  errors  suspicious  rejected     calls/s  rustdoc s  build s  search s  total s  exit
            slab@0.4.4                    53     51  96 %     50  94 %              -       1           2         0   3 412 450        0.5      6.2      20.0     27.5   100
            linked-hash-map@0.5.2      1 000    590  59 %    599  59 %    1 500  75 %       1           2         0   3 412 450        0.5      6.2      20.0     27.5     0
            x@1.0.0                        -            -            -              -       -           -         -           -          -        -         -        -  101, no summary: error: `x` does not build
            total of 2                 1 053    641  60 %    649  61 %    1 500  75 %       2           4         0           -        1.0     12.5      40.0     55.0
        "#]].assert_eq(&text);
    }

    #[test]
    fn a_crate_just_below_the_minimum_is_named() {
        let entries = [
            entry("just@1.0.0", 0, Some(canned_summary(1000, 1000, 599))),
            entry("enough@1.0.0", 0, Some(canned_summary(1000, 1000, 600))),
            entry("unknown@1.0.0", 70, None),
        ];
        assert_eq!(remark(&entries), "1 below 60 % covered: just@1.0.0");
        assert_eq!(remark(&entries[1..]), "no crate is below 60 % covered");
    }

    #[test]
    fn abnormal_ends_and_rejected_tests_are_complaints() {
        let fine = entry("fine@1.0.0", 100, Some(canned_summary(1, 1, 1)));
        assert_eq!(complaint(&[fine]), None);
        let mut summary = canned_summary(1, 1, 1);
        summary["tests"]["rejected"] = 2.into();
        let entries = [
            entry("a@1.0.0", 0, Some(summary)),
            entry("b@1.0.0", 130, Some(canned_summary(1, 1, 1))),
            entry("c@1.0.0", 0, Some(serde_json::json!({}))),
        ];
        let expected = "2 ended abnormally: b@1.0.0, c@1.0.0; 2 tests were rejected: a@1.0.0";
        assert_eq!(complaint(&entries).as_deref(), Some(expected));
    }
}
