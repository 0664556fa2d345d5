//! The table of a corpus run: a row per bug and seed, printed as soon as it is known, and the totals.

use std::collections::BTreeMap;

use crate::corpus::bug::Bug;
use crate::corpus::matching::{Finding, Tier, first_near, first_that_shows, shows};
use crate::corpus::record::{End, Record};
use crate::corpus::trial::Trial;
use crate::support::table;

/// Headings, and the widths that cells usually need: rows are printed before the later ones are known.
const COLUMNS: [(&str, usize); 8] = [
    ("seed", 4),
    ("result", 9),
    ("tier", 10),
    ("oracle", 18),
    ("after s", 7),
    ("calls", 5),
    ("others E/S", 10),
    ("", 0),
];

/// A trial and what came of it.
pub struct Entry {
    pub trial: Trial,
    pub record: Record,
}

/// The layout that all rows share.
pub struct CorpusTable {
    widths: Vec<usize>,
}

impl CorpusTable {
    pub fn new(trials: &[Trial]) -> CorpusTable {
        let labels = trials.iter().flat_map(|trial| trial.bugs.iter().map(|bug| label(trial, bug).chars().count()));
        let mut widths = vec![labels.max().unwrap_or(0)];
        widths.extend(COLUMNS.map(|(_, width)| width));
        CorpusTable { widths }
    }

    pub fn header(&self) -> String {
        let mut cells = vec!["bug".to_owned()];
        cells.extend(COLUMNS.map(|(heading, _)| heading.to_owned()));
        table::line(&cells, &self.widths)
    }

    /// A row for each bug of the trial.
    pub fn rows(&self, entry: &Entry) -> String {
        let Entry { trial, record } = entry;
        let (n_errors, n_suspicious) = others(entry);
        let rows = trial.bugs.iter().map(|bug| {
            let finding = first_that_shows(&record.findings, bug);
            let or_dash = |cell: Option<String>| cell.unwrap_or_else(|| "-".to_owned());
            let cells = [
                label(trial, bug),
                trial.seed.to_string(),
                result(finding, record).to_owned(),
                or_dash(finding.map(|finding| finding.tier.name().to_owned())),
                or_dash(finding.map(|finding| finding.oracle.clone())),
                or_dash(finding.map(|finding| format!("{:.1}", finding.found_after_seconds))),
                or_dash(finding.map(|finding| finding.calls.to_string())),
                format!("{n_errors}/{n_suspicious}"),
                remark(finding, bug, record),
            ];
            table::line(&cells, &self.widths)
        });
        rows.collect()
    }
}

fn label(trial: &Trial, bug: &Bug) -> String {
    format!("{trial} {}", bug.short_function())
}

fn result(finding: Option<&Finding>, record: &Record) -> &'static str {
    match (finding, &record.end) {
        (Some(_), _) => "found",
        (None, End::Complete | End::Matched) => "not found",
        (None, End::Overdue | End::Failed(_)) => "no result",
    }
}

/// What may make one look twice.
fn remark(finding: Option<&Finding>, bug: &Bug, record: &Record) -> String {
    let near = || first_near(&record.findings, bug);
    match (finding, &record.end) {
        (Some(Finding { location: Some(location), .. }), _) if bug.has_place() && !bug.is_at(location) => {
            format!("at {location}")
        }
        (Some(_), _) => String::new(),
        (None, End::Failed(reason)) => reason.clone(),
        (None, End::Overdue) => "took too long".to_owned(),
        (None, End::Complete | End::Matched) => near().map_or(String::new(), |near| {
            let message = near.message.lines().next().unwrap_or_default();
            format!("near: {} in {}: {message}", near.oracle, near.function)
        }),
    }
}

/// Findings that show none of the trial's bugs: errors and suspicious ones.
fn others(entry: &Entry) -> (usize, usize) {
    let is_other = |finding: &&Finding| !entry.trial.bugs.iter().any(|bug| shows(finding, bug));
    let others: Vec<&Finding> = entry.record.findings.iter().filter(is_other).collect();
    let n_of = |tier: Tier| others.iter().filter(|finding| finding.tier == tier).count();
    (n_of(Tier::Error), n_of(Tier::Suspicious))
}

/// A bug with whether each seed shows it.
pub struct Fate<'a> {
    /// As the table calls it.
    pub label: String,
    bug: &'a Bug,
    pub found: Vec<bool>,
}

impl Fate<'_> {
    /// How many seeds show it.
    pub fn n_found(&self) -> usize {
        self.found.iter().filter(|is_found| **is_found).count()
    }
}

/// The bugs of all trials, in an order that depends on nothing but them.
pub fn fates<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Vec<Fate<'a>> {
    // By what is the same for all seeds of a bug.
    let mut fates: BTreeMap<String, Fate<'a>> = BTreeMap::new();
    for Entry { trial, record } in entries {
        for (bug_idx, bug) in trial.bugs.iter().enumerate() {
            let new = || Fate { label: label(trial, bug), bug, found: Vec::new() };
            let fate = fates.entry(format!("{} {bug_idx}", trial.harness_name())).or_insert_with(new);
            fate.found.push(first_that_shows(&record.findings, bug).is_some());
        }
    }
    fates.into_values().collect()
}

/// Those that no seed shows, as the table calls them.
pub fn not_found(entries: &[Entry]) -> Vec<String> {
    fates(entries).into_iter().filter(|fate| !fate.found.contains(&true)).map(|fate| fate.label).collect()
}

/// How many bugs were found, of all and of those that can be expected; a bug counts if any seed shows it.
pub fn totals(entries: &[Entry]) -> String {
    let fates = fates(entries);
    let count = |is_counted: &dyn Fn(&Bug) -> bool| {
        let counted: Vec<&Fate<'_>> = fates.iter().filter(|fate| is_counted(fate.bug)).collect();
        let n_found = counted.iter().filter(|fate| fate.found.contains(&true)).count();
        format!("{n_found} of {}", counted.len())
    };
    let mut text = format!("found {}", count(&|_| true));
    text += &format!("; fair {}, fair and modest {}\n", count(&|bug| bug.fair), count(&|bug| bug.fair && bug.modest));
    if fates.iter().any(|fate| fate.found.len() > 1) {
        let n_always = fates.iter().filter(|fate| !fate.found.contains(&false)).count();
        text += &format!("with every seed {n_always} of {}\n", fates.len());
    }
    let n_without = entries.iter().filter(|entry| matches!(entry.record.end, End::Failed(_) | End::Overdue)).count();
    if n_without > 0 {
        text += &format!("{n_without} of {} runs did not come to their end\n", entries.len());
    }
    let (n_errors, n_suspicious) = entries.iter().map(others).fold((0, 0), |sum, n| (sum.0 + n.0, sum.1 + n.1));
    text += &format!("other findings: errors {n_errors}, suspicious {n_suspicious}\n");
    let seconds: f64 = entries.iter().map(|entry| entry.record.wall_seconds).sum();
    text + &format!("the runs took {seconds:.0} s in all\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::bug;

    const BUGS: &str = r#"
        [[bug]]
        crate = "slab"
        version = "0.4.3"
        function = ["slab::Slab::insert"]
        expect = "panic"
        message = "unreachable"
        place = "src/lib.rs:942"

        [[bug]]
        crate = "slab"
        version = "0.4.3"
        function = ["<slab::Slab as Hash>::hash"]
        expect = "law"
        modest = false

        [[bug]]
        crate = "bytes"
        version = "1.11.0"
        function = ["bytes::BytesMut::reserve"]
        expect = "invariant"
        build = "release"
        fair = false
    "#;

    fn finding(tier: Tier, oracle: &str, function: &str, message: &str, location: &str) -> Finding {
        Finding {
            id: String::new(),
            tier,
            oracle: oracle.to_owned(),
            function: function.to_owned(),
            message: message.to_owned(),
            location: Some(location.to_owned()),
            calls: 3,
            found_after_seconds: 1.25,
            flaky: false,
        }
    }

    fn entries() -> Vec<Entry> {
        let bugs = bug::parse(BUGS).expect("valid");
        let insert = |location| finding(Tier::Error, "unreachable", "slab::Slab::insert", "unreachable code", location);
        let key =
            finding(Tier::Suspicious, "undocumented-panic", "slab::Slab::key", "index out of bounds", "src/lib.rs:1:1");
        let hash =
            finding(Tier::Error, "crash", "<slab::Slab<u8> as Hash>::hash", "ended by signal 11", "src/lib.rs:2:1");
        let results = [
            (vec![insert("src/lib.rs:942:7"), key.clone(), hash], End::Complete),
            (vec![insert("src/lib.rs:5:7")], End::Complete),
            (Vec::new(), End::Failed("101: error: `bytes` does not build".to_owned())),
            (vec![key], End::Overdue),
        ];
        let records =
            results.map(|(findings, end)| Record { time: "60s".to_owned(), end, findings, wall_seconds: 9.0 });
        let trials = Trial::all(&bugs, &[0, 1]);
        trials.into_iter().zip(records).map(|(trial, record)| Entry { trial, record }).collect()
    }

    #[test]
    fn every_bug_has_a_row_and_a_failed_run_says_why() {
        let entries = entries();
        let trials: Vec<Trial> = entries.iter().map(|entry| entry.trial.clone()).collect();
        let table = CorpusTable::new(&trials);
        let mut text = table.header();
        entries.iter().for_each(|entry| text += &table.rows(entry));
        expect_test::expect![[r#"
            bug                                       seed     result        tier              oracle  after s  calls  others E/S
            slab@0.4.3 Slab::insert                      0      found       error         unreachable      1.2      3         1/1
            slab@0.4.3 <Slab as Hash>::hash              0  not found           -                   -        -      -         1/1  near: crash in <slab::Slab<u8> as Hash>::hash: ended by signal 11
            slab@0.4.3 Slab::insert                      1      found       error         unreachable      1.2      3         0/0  at src/lib.rs:5:7
            slab@0.4.3 <Slab as Hash>::hash              1  not found           -                   -        -      -         0/0
            bytes@1.11.0 (release) BytesMut::reserve     0  no result           -                   -        -      -         0/0  101: error: `bytes` does not build
            bytes@1.11.0 (release) BytesMut::reserve     1  no result           -                   -        -      -         0/1  took too long
        "#]].assert_eq(&text);
    }

    #[test]
    fn what_one_seed_shows_is_found() {
        let slab_alone = &entries()[..2];
        assert_eq!(not_found(slab_alone), ["slab@0.4.3 <Slab as Hash>::hash"]);
    }

    #[test]
    fn a_bug_counts_once_however_many_seeds_show_it() {
        expect_test::expect![[r#"
            found 1 of 3; fair 1 of 2, fair and modest 1 of 1
            with every seed 1 of 3
            2 of 4 runs did not come to their end
            other findings: errors 1, suspicious 2
            the runs took 36 s in all
        "#]]
        .assert_eq(&totals(&entries()));
        expect_test::expect![[r#"
            found 1 of 2; fair 1 of 2, fair and modest 1 of 1
            other findings: errors 1, suspicious 1
            the runs took 9 s in all
        "#]]
        .assert_eq(&totals(&entries()[..1]));
    }
}
