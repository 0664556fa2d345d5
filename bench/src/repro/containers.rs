//! The four containers that Visser et al. compared techniques on: how much of them each strategy reaches, and how soon.

use std::collections::BTreeSet;

use crate::repro::bench::Bench;
use crate::repro::infeasible;
use crate::repro::ledger::Record;
use crate::repro::reached::{remarks, shares};
use crate::repro::spread::{percent, seconds, spread, whole};
use crate::repro::trial::{Budget, Subject, Trial};
use crate::support::table;

pub const STRATEGIES: [&str; 4] = ["walk", "legal", "directed", "guided"];

pub const SEEDS: std::ops::Range<u64> = 0..10;

/// Enough for all strategies to come to a standstill.
pub const N_CALLS: u64 = 1_000_000;

/// What is known of a container from figure 8-1 of the thesis: share of blocks and seconds.
struct Container {
    subject: Subject,
    name: &'static str,
    /// The best of five systematic techniques in a model checker; Randoop; random generation in the model checker, and Randoop
    /// without direction.
    published: [(&'static str, f64, f64); 4],
}

const CONTAINERS: [Container; 4] = [
    Container {
        subject: Subject::Own("bin-tree"),
        name: "BinTree",
        published: [
            ("JPF", 0.78, 0.14),
            ("Randoop", 0.78, 0.21),
            ("JPF random", 0.78, 0.14),
            ("undirected", 0.78, 0.13),
        ],
    },
    Container {
        subject: Subject::Own("binomial-heap"),
        name: "BHeap",
        published: [("JPF", 0.95, 4.3), ("Randoop", 0.95, 0.59), ("JPF random", 0.95, 6.2), ("undirected", 0.86, 6.6)],
    },
    Container {
        subject: Subject::Own("fibonacci-heap"),
        name: "FibHeap",
        published: [("JPF", 1.0, 23.0), ("Randoop", 1.0, 0.63), ("JPF random", 1.0, 1.1), ("undirected", 0.98, 27.0)],
    },
    Container {
        subject: Subject::Own("tree-map"),
        name: "TreeMap",
        published: [("JPF", 0.72, 0.65), ("Randoop", 0.72, 0.84), ("JPF random", 0.72, 1.5), ("undirected", 0.68, 1.9)],
    },
];

pub fn trials() -> Vec<Trial> {
    CONTAINERS
        .iter()
        .flat_map(|container| STRATEGIES.map(|strategy| trials_of(container, strategy)))
        .flatten()
        .collect()
}

fn trials_of(container: &Container, strategy: &'static str) -> Vec<Trial> {
    let budget = Budget::Calls(N_CALLS);
    SEEDS.map(|seed| Trial { subject: container.subject, strategy, without: None, budget, seed }).collect()
}

pub fn report(bench: &Bench) -> Result<String, String> {
    let infeasible = infeasible::read()?;
    let mut text = format!(
        "Containers: {} calls on one core, {} seeds; median (smallest to largest). Reachable is what is not in subjects/infeasible.txt.\n\
         Published are shares of basic blocks of the Java originals, so only times and who comes first compare.\n",
        whole(N_CALLS as f64),
        SEEDS.end
    );
    for container in &CONTAINERS {
        let listed = infeasible::places_in(&infeasible, container.subject);
        let mut strategies = Vec::new();
        for strategy in STRATEGIES {
            let records: Result<Vec<Record>, String> =
                trials_of(container, strategy).iter().map(|trial| bench.result(trial)).collect();
            strategies.push((strategy, records?));
        }
        text += "\n";
        text += &table_of(container, &strategies, &listed);
        text += &remarks(strategies.iter().flat_map(|(_, records)| records), &listed);
    }
    Ok(text)
}

fn table_of(container: &Container, strategies: &[(&str, Vec<Record>)], infeasible: &BTreeSet<&str>) -> String {
    let header = [
        &*container.subject.to_string(),
        "edges",
        "of all",
        "of reachable",
        "calls to the last",
        "seconds to the last",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for (technique, share, time) in container.published {
        let name = format!("{} {technique}, published", container.name);
        rows.push(vec![name, "-".into(), percent(share), "-".into(), "-".into(), seconds(time)]);
    }
    for (strategy, records) in strategies {
        let last = |value: fn((f64, u64)) -> f64| -> Vec<f64> {
            records.iter().filter_map(|record| record.last_edge().map(value)).collect()
        };
        let mut row = vec![(*strategy).to_owned()];
        row.extend(shares(records, infeasible));
        row.push(spread(&last(|(_, calls)| calls as f64), whole));
        row.push(spread(&last(|(seconds, _)| seconds), seconds));
        rows.push(row);
    }
    table::render(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn record(missed: &[&str], growth: &[(f64, u64, u64)]) -> Record {
        let missed = missed.iter().map(|place| (*place).to_owned()).collect();
        Record { edges_total: 10, missed, growth: growth.to_vec(), ..Record::default() }
    }

    #[test]
    fn a_table_shows_the_published_figures_first() {
        let strategies = [
            ("walk", vec![record(&["a", "b", "c"], &[(0.1, 500, 7)]), record(&["a", "b"], &[(0.3, 1500, 8)])]),
            ("guided", vec![record(&["a", "b"], &[])]),
        ];
        let infeasible = BTreeSet::from(["a", "z"]);
        let text = table_of(&CONTAINERS[0], &strategies, &infeasible);
        expect![[r#"
            bin-tree                            edges                     of all                of reachable     calls to the last  seconds to the last
            BinTree JPF, published                  -                     78.0 %                           -                     -                 0.14
            BinTree Randoop, published              -                     78.0 %                           -                     -                 0.21
            BinTree JPF random, published           -                     78.0 %                           -                     -                 0.14
            BinTree undirected, published           -                     78.0 %                           -                     -                 0.13
            walk                           8 (7 to 8)  75.0 % (70.0 % to 80.0 %)  93.8 % (87.5 % to 100.0 %)  1 000 (500 to 1 500)  0.20 (0.10 to 0.30)
            guided                                  8                     80.0 %                     100.0 %                     -                    -
        "#]].assert_eq(&text);
    }
}
