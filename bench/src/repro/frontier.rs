//! Branch-directed generation: conditions of which a search had taken one side only, and what a longer one makes of them.
//!
//! A frontier condition was reached with at least one side taken and at least one not. Counted are its open sides, so one that
//! goes on in two ways counts once, and a `match` as often as it has arms that were never taken. Sides that lead to nothing but a
//! panic are left out: what lies behind them are findings or checks that never fail, and there would be nothing else to see.

use std::collections::BTreeSet;

use crate::repro::bench::Bench;
use crate::repro::ledger::{Condition, Record};
use crate::repro::sample::{self, Sampled, Verdict};
use crate::repro::spread::{percent, spread, whole};
use crate::repro::trial::{Budget, Subject, Trial};
use crate::support::table;

/// Those of ours that can be searched in peace and were there when the sample was drawn, and crates of `survey/dev.txt`.
pub const SUBJECTS: [Subject; 14] = [
    Subject::Own("bin-tree"),
    Subject::Own("binomial-heap"),
    Subject::Own("bounded-stack"),
    Subject::Own("fibonacci-heap"),
    Subject::Own("ini"),
    Subject::Own("int-stack"),
    Subject::Own("polynomial"),
    Subject::Own("sorted-list"),
    Subject::Own("tree-map"),
    Subject::Registry("slab", "0.4.4"),
    Subject::Registry("semver", "1.0.4"),
    Subject::Registry("url", "2.2.0"),
    Subject::Registry("textwrap", "0.13.0"),
    Subject::Registry("fixedbitset", "0.4.0"),
];

/// Of the search whose frontier is looked at: where it stands early on.
const N_CALLS: u64 = 250_000;
/// Of those that are to get past it: some seconds.
const N_CALLS_AFTER: u64 = 10_000_000;

/// From section 8 of the thesis: all frontier conditions, those whose data flow could be followed, and those that were flipped.
const PUBLISHED: (u32, u32, u32) = (163, 29, 19);

const PAST_IT: [&str; 2] = ["directed", "guided"];

fn seeds(is_full: bool) -> std::ops::Range<u64> {
    0..if is_full { 10 } else { 2 }
}

/// The search whose frontier is looked at.
pub fn before(subject: Subject, seed: u64) -> Trial {
    Trial { subject, strategy: "directed", without: None, budget: Budget::Calls(N_CALLS), seed }
}

fn after(subject: Subject, strategy: &'static str, seed: u64) -> Trial {
    Trial { subject, strategy, without: None, budget: Budget::Calls(N_CALLS_AFTER), seed }
}

pub fn trials(is_full: bool) -> Vec<Trial> {
    let of_subject = |subject: Subject| {
        seeds(is_full).flat_map(move |seed| {
            let longer = PAST_IT.map(|strategy| after(subject, strategy, seed));
            [before(subject, seed)].into_iter().chain(longer)
        })
    };
    SUBJECTS.into_iter().flat_map(of_subject).collect()
}

/// A side of a condition, by its places; what leaves the function has none.
pub type SideName = (String, Option<String>);

/// Open sides of frontier conditions.
pub fn open_sides(record: &Record) -> BTreeSet<SideName> {
    let at_frontier = record.conditions.iter().filter(|condition| condition.sides.iter().any(|side| side.taken));
    at_frontier.flat_map(|condition| sides(condition, false)).collect()
}

fn taken_sides(record: &Record) -> BTreeSet<SideName> {
    record.conditions.iter().flat_map(|condition| sides(condition, true)).collect()
}

fn sides(condition: &Condition, taken: bool) -> impl Iterator<Item = SideName> {
    let sides = condition.sides.iter().filter(move |side| side.taken == taken && !side.panics);
    sides.map(|side| (condition.place.clone(), side.to.clone()))
}

/// What is shown of one subject and one seed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Row {
    n_conditions: f64,
    n_frontier: f64,
    n_open: f64,
    /// Of those, taken by each of [`PAST_IT`].
    n_taken: [f64; 2],
}

impl Row {
    fn new(before: &Record, after: [&Record; 2]) -> Row {
        let open = open_sides(before);
        let frontier: BTreeSet<&String> = open.iter().map(|(place, _)| place).collect();
        Row {
            n_conditions: before.conditions.len() as f64,
            n_frontier: frontier.len() as f64,
            n_open: open.len() as f64,
            n_taken: after.map(|record| open.intersection(&taken_sides(record)).count() as f64),
        }
    }

    fn plus(self, other: Row) -> Row {
        Row {
            n_conditions: self.n_conditions + other.n_conditions,
            n_frontier: self.n_frontier + other.n_frontier,
            n_open: self.n_open + other.n_open,
            n_taken: [0, 1].map(|at| self.n_taken[at] + other.n_taken[at]),
        }
    }
}

pub fn report(bench: &Bench, is_full: bool) -> Result<String, String> {
    let sampled = sample::read()?;
    let seeds: Vec<u64> = seeds(is_full).collect();
    let mut rows: Vec<(String, Vec<Row>)> = Vec::new();
    // For each seed and each of those who are to get past the frontier.
    let mut taken: Vec<[BTreeSet<(String, SideName)>; 2]> = vec![Default::default(); seeds.len()];
    for subject in SUBJECTS {
        let mut of_seeds = Vec::new();
        for (seed, taken) in seeds.iter().zip(&mut taken) {
            let first = bench.result(&before(subject, *seed))?;
            let [control, guided] = PAST_IT.map(|strategy| bench.result(&after(subject, strategy, *seed)));
            let (control, guided) = (control?, guided?);
            of_seeds.push(Row::new(&first, [&control, &guided]));
            for (taken, record) in taken.iter_mut().zip([&control, &guided]) {
                taken.extend(taken_sides(record).into_iter().map(|side| (subject.to_string(), side)));
            }
        }
        rows.push((subject.to_string(), of_seeds));
    }
    let text = format!(
        "Frontier conditions: after {} calls of directed search, and what {} calls take of their open sides with the same seed;\n\
         {} seeds, median (smallest to largest). Published: {} of {} frontier conditions flipped, of {} whose data flow could be followed.\n\n",
        whole(N_CALLS as f64),
        whole(N_CALLS_AFTER as f64),
        seeds.len(),
        PUBLISHED.2,
        PUBLISHED.0,
        PUBLISHED.1,
    );
    Ok(text + &table_of(&rows) + "\n" + &of_sample(&sampled, &taken))
}

fn table_of(rows: &[(String, Vec<Row>)]) -> String {
    let header = ["", "conditions", "frontier", "open sides", "directed takes", "guided takes"];
    let mut cells = vec![header.map(str::to_owned).to_vec()];
    let n_seeds = rows.iter().map(|(_, of_seeds)| of_seeds.len()).max().unwrap_or(0);
    let of_seed = |seed: usize| rows.iter().filter_map(move |(_, of_seeds)| of_seeds.get(seed).copied());
    let sums = (0..n_seeds).map(|seed| of_seed(seed).fold(Row::default(), Row::plus)).collect();
    for (name, of_seeds) in rows.iter().chain([&("all".to_owned(), sums)]) {
        let spread_of = |value: &dyn Fn(&Row) -> f64| spread(&of_seeds.iter().map(value).collect::<Vec<f64>>(), whole);
        cells.push(vec![
            name.clone(),
            spread_of(&|row| row.n_conditions),
            spread_of(&|row| row.n_frontier),
            spread_of(&|row| row.n_open),
            spread_of(&|row| row.n_taken[0]),
            spread_of(&|row| row.n_taken[1]),
        ]);
    }
    table::render(&cells)
}

fn of_sample(sampled: &[Sampled], taken: &[[BTreeSet<(String, SideName)>; 2]]) -> String {
    let n_of = |kind: fn(&Verdict) -> bool| sampled.iter().filter(|side| kind(&side.verdict)).count();
    let feasible: Vec<&Sampled> = sampled.iter().filter(|side| side.verdict == Verdict::Feasible).collect();
    let mut text = format!(
        "Of the {} sides in survey/frontier.txt {} are feasible, {} infeasible, {} unknown.\n",
        sampled.len(),
        feasible.len(),
        n_of(|verdict| matches!(verdict, Verdict::Infeasible(_))),
        n_of(|verdict| *verdict == Verdict::Unknown),
    );
    for (at, strategy) in PAST_IT.into_iter().enumerate() {
        let is_taken = |side: &Sampled, of: &[BTreeSet<(String, SideName)>; 2]| of[at].contains(&side.key());
        let counts = |sides: &[&Sampled]| -> Vec<f64> {
            taken.iter().map(|of| sides.iter().filter(|side| is_taken(side, of)).count() as f64).collect()
        };
        let all: Vec<&Sampled> = sampled.iter().collect();
        let shares: Vec<f64> = counts(&feasible).iter().map(|n| n / feasible.len().max(1) as f64).collect();
        text += &format!("  {strategy} takes {} of all", spread(&counts(&all), whole));
        text += &match feasible.len() {
            0 => "\n".to_owned(),
            n => format!(
                ", {} of the {n} feasible ones: {}\n",
                spread(&counts(&feasible), whole),
                spread(&shares, percent)
            ),
        };
        let never = |side: &&&Sampled| !taken.iter().any(|of| is_taken(side, of));
        for side in feasible.iter().filter(never) {
            text += &format!("    never: {} {}\n", side.subject, sample::spelled(&side.side));
        }
        let wrong = sampled.iter().filter(|side| matches!(side.verdict, Verdict::Infeasible(_)));
        for side in wrong.filter(|side| taken.iter().any(|of| is_taken(side, of))) {
            text += &format!("    taken though called infeasible: {} {}\n", side.subject, sample::spelled(&side.side));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repro::ledger::Side;
    use expect_test::expect;

    /// Where a side leads, whether it panics and whether it was taken.
    type GivenSide = (&'static str, bool, bool);

    fn record(conditions: &[(&str, &[GivenSide])]) -> Record {
        let side = |(to, panics, taken): &GivenSide| Side {
            to: Some((*to).to_owned()).filter(|to| to != "out"),
            panics: *panics,
            taken: *taken,
        };
        let conditions = conditions
            .iter()
            .map(|(place, sides)| Condition { place: (*place).to_owned(), sides: sides.iter().map(side).collect() });
        Record { conditions: conditions.collect(), ..Record::default() }
    }

    const GOES_ON: bool = false;
    const PANICS: bool = true;

    #[test]
    fn open_is_what_was_not_taken_where_something_was_and_does_not_panic() {
        let record = record(&[
            ("a", &[("x", GOES_ON, true), ("out", GOES_ON, false), ("y", GOES_ON, false)]),
            ("b", &[("x", GOES_ON, true), ("x", PANICS, false)]),
            ("c", &[("x", GOES_ON, false), ("y", GOES_ON, false)]),
        ]);
        let open = [("a".to_owned(), None), ("a".to_owned(), Some("y".to_owned()))];
        assert_eq!(open_sides(&record), open.into());
    }

    #[test]
    fn tables_add_up_seed_by_seed_and_the_sample_names_what_was_never_taken() {
        let before = record(&[("a", &[("x", GOES_ON, true), ("y", GOES_ON, false), ("out", GOES_ON, false)])]);
        let control = record(&[("a", &[("x", GOES_ON, true), ("y", GOES_ON, false), ("out", GOES_ON, true)])]);
        let guided = record(&[("a", &[("x", GOES_ON, false), ("y", GOES_ON, true), ("out", GOES_ON, true)])]);
        let row = Row::new(&before, [&control, &guided]);
        let better = Row { n_taken: [2.0, 2.0], ..row };
        let rows = [("one".to_owned(), vec![row, better]), ("two".to_owned(), vec![row, row])];
        let sampled = |to: Option<&str>, verdict| Sampled {
            subject: "one".to_owned(),
            side: ("a".to_owned(), to.map(str::to_owned)),
            verdict,
            source: String::new(),
        };
        let sample = [
            sampled(Some("y"), Verdict::Feasible),
            sampled(None, Verdict::Infeasible("x".to_owned())),
            sampled(Some("z"), Verdict::Unknown),
        ];
        let keys = |record: &Record| taken_sides(record).into_iter().map(|side| ("one".to_owned(), side)).collect();
        let text = table_of(&rows) + &of_sample(&sample, &[[keys(&control), keys(&guided)]]);
        expect![[r#"
                 conditions  frontier  open sides  directed takes  guided takes
            one           1         1           2      2 (1 to 2)             2
            two           1         1           2               1             2
            all           2         2           4      2 (2 to 3)             4
            Of the 3 sides in survey/frontier.txt 1 are feasible, 1 infeasible, 1 unknown.
              directed takes 1 of all, 0 of the 1 feasible ones: 0.0 %
                never: one a -> y
                taken though called infeasible: one a -> out
              guided takes 2 of all, 1 of the 1 feasible ones: 100.0 %
                taken though called infeasible: one a -> out
        "#]]
        .assert_eq(&text);
    }
}
