//! What each part of the search is worth: edges after some seconds with all of it, and with one part switched off at a time.

use crate::repro::bench::Bench;
use crate::repro::ledger::Record;
use crate::repro::spread::{spread, whole};
use crate::repro::trial::{Budget, Subject, Trial};
use crate::support::table;

/// Of `survey/dev.txt`: parsers, containers and numbers.
const CRATES: [Subject; 8] = [
    Subject::Registry("semver", "1.0.4"),
    Subject::Registry("url", "2.2.0"),
    Subject::Registry("slab", "0.4.4"),
    Subject::Registry("textwrap", "0.13.0"),
    Subject::Registry("regex-syntax", "0.6.18"),
    Subject::Registry("rust_decimal", "1.10.0"),
    Subject::Registry("smallvec", "1.6.0"),
    Subject::Registry("unicode-segmentation", "1.6.0"),
];

/// As `--without` names them; `coverage` is all of the others.
const PARTS: [&str; 5] = ["keeping", "mutation", "aiming", "weighting", "coverage"];
/// How arguments are come by, for which a short run has no time.
const FINER_PARTS: [&str; 2] = ["kinship", "touchstones"];

/// When edges are counted, in seconds of search. A run lasts as long as the last.
const MOMENTS: [u32; 2] = [5, 20];

fn seeds(is_full: bool) -> std::ops::Range<u64> {
    0..if is_full { 3 } else { 1 }
}

fn parts(is_full: bool) -> impl Iterator<Item = &'static str> {
    PARTS.into_iter().chain(FINER_PARTS.into_iter().filter(move |_| is_full))
}

fn ways(is_full: bool) -> impl Iterator<Item = Option<&'static str>> {
    [None].into_iter().chain(parts(is_full).map(Some))
}

fn trials_of(subject: Subject, without: Option<&'static str>, is_full: bool) -> Vec<Trial> {
    let budget = Budget::Seconds(MOMENTS[1]);
    seeds(is_full).map(|seed| Trial { subject, strategy: "guided", without, budget, seed }).collect()
}

pub fn trials(is_full: bool) -> Vec<Trial> {
    let of_crate =
        |subject: &Subject| ways(is_full).flat_map(|without| trials_of(*subject, without, is_full)).collect::<Vec<_>>();
    CRATES.iter().flat_map(of_crate).collect()
}

pub fn report(bench: &Bench, is_full: bool) -> Result<String, String> {
    let mut text = format!(
        "Ablations: edges after {} s and {} s of guided search on one core, {} seed(s), with one part switched off at a time.\n\n",
        MOMENTS[0],
        MOMENTS[1],
        seeds(is_full).end
    );
    let mut rows = Vec::new();
    for subject in &CRATES {
        let mut of_ways = Vec::new();
        for without in ways(is_full) {
            let trials = trials_of(*subject, without, is_full);
            of_ways.push(trials.iter().map(|trial| bench.result(trial)).collect::<Result<Vec<Record>, String>>()?);
        }
        rows.push((subject.to_string(), of_ways));
    }
    text += &table_of(&rows, is_full);
    Ok(text)
}

/// `rows`: for each crate and each way the records of all seeds.
fn table_of(rows: &[(String, Vec<Vec<Record>>)], is_full: bool) -> String {
    let mut header = vec![String::new(), "edges".to_owned(), "s".to_owned(), "all on".to_owned()];
    header.extend(parts(is_full).map(|part| format!("no {part}")));
    let mut cells = vec![header];
    for (name, of_ways) in rows {
        for moment in MOMENTS {
            let edges = |records: &Vec<Record>| -> Vec<f64> {
                let limit = f64::from(moment);
                records.iter().filter_map(|record| record.edges_after(limit).map(|edges| edges as f64)).collect()
            };
            let total = of_ways.iter().flatten().map(|record| record.edges_total).max().unwrap_or(0);
            let mut row = vec![name.clone(), whole(total as f64), moment.to_string()];
            row.extend(of_ways.iter().map(|records| spread(&edges(records), whole)));
            cells.push(row);
        }
    }
    table::render(&cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::crate_list;
    use crate::workspace_root;
    use expect_test::expect;

    #[test]
    fn the_crates_are_in_the_list_for_development() {
        let listed = crate_list::read(&workspace_root().join("survey").join("dev.txt")).expect("valid");
        let listed: Vec<String> = listed.iter().map(ToString::to_string).collect();
        assert!(CRATES.iter().all(|subject| listed.contains(&subject.to_string())));
    }

    #[test]
    fn a_crate_has_a_row_for_each_moment() {
        let record = |early, late| Record {
            edges_total: 900,
            growth: vec![(1.0, 10, early), (9.0, 90, late)],
            ..Record::default()
        };
        let of_ways = ways(false).map(|_| vec![record(300, 500), record(310, 500)]).collect();
        expect![[r#"
                     edges   s            all on        no keeping       no mutation         no aiming      no weighting       no coverage
            x@1.0.0    900   5  305 (300 to 310)  305 (300 to 310)  305 (300 to 310)  305 (300 to 310)  305 (300 to 310)  305 (300 to 310)
            x@1.0.0    900  20               500               500               500               500               500               500
        "#]].assert_eq(&table_of(&[("x@1.0.0".to_owned(), of_ways)], false));
    }
}
