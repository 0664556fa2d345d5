//! The text of `cargo provoke replay --all`: what became of each saved finding, and the totals.

use crate::text::INDENT;
use crate::text::printable::one_line;
use crate::text::replay::{Change, Fate};
use crate::text::style::{ERROR, VERB, WARNING, verb_line};
use crate::text::units::plural;

/// A saved finding and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayedFinding {
    pub id: String,
    pub function: String,
    /// Where it is now; where it was, if it is no longer there.
    pub location: Option<String>,
    /// By the user: known, and lived with.
    pub is_accepted: bool,
    pub fate: Fate,
}

pub fn render_replayed(replayed: &ReplayedFinding) -> String {
    let mut line = format!("{}  {}", replayed.id, one_line(&replayed.function));
    if let (Some(location), Fate::StillThere | Fate::Changed(_)) = (&replayed.location, &replayed.fate) {
        line.push_str(&format!(" at {}", one_line(location)));
    }
    if replayed.is_accepted {
        line.push_str(" (accepted)");
    }
    match &replayed.fate {
        Fate::StillThere => verb_line(ERROR, "Still there", &line),
        Fate::Changed(changes) => verb_line(WARNING, "Changed", &line) + &change_lines(changes, INDENT),
        Fate::Fixed { happened: None } => verb_line(VERB, "Fixed", &line),
        Fate::Fixed { happened: Some(happened) } => {
            verb_line(VERB, "Fixed", &format!("{line}: now it {}", one_line(happened)))
        }
        Fate::CannotRun { why } => verb_line(WARNING, "Cannot run", &format!("{line}: {}", one_line(why))),
    }
}

/// Each on a line of its own.
pub(crate) fn change_lines(changes: &[Change], indent: &str) -> String {
    let line = |change: &Change| {
        let (before, now) = (one_line(&change.before), one_line(&change.now));
        format!("{indent}{}: was `{before}`, is `{now}`\n", change.what)
    };
    changes.iter().map(line).collect()
}

/// The last line.
pub fn render_totals(replayed: &[ReplayedFinding]) -> String {
    let count = |is_counted: fn(&Fate) -> bool| replayed.iter().filter(|one| is_counted(&one.fate)).count();
    let n_there = count(|fate| *fate == Fate::StillThere);
    let n_changed = count(|fate| matches!(fate, Fate::Changed(_)));
    let n_fixed = count(|fate| matches!(fate, Fate::Fixed { .. }));
    let n_lost = count(|fate| matches!(fate, Fate::CannotRun { .. }));
    let style = match (n_there, n_changed + n_lost) {
        (1.., _) => ERROR,
        (0, 1..) => WARNING,
        (0, 0) => VERB,
    };
    let findings = plural(replayed.len() as u64, "finding");
    let counts =
        format!("{n_there} still there, {n_changed} changed, {n_fixed} fixed, {n_lost} cannot be run any more");
    verb_line(style, "Replayed", &format!("{findings}: {counts}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::style::screen;
    use expect_test::expect;

    #[test]
    fn each_finding_is_a_line_and_the_totals_are_the_last() {
        let changed = Change { what: "message", before: "index\nis 4".into(), now: "index is 5".into() };
        let fates = [
            Fate::StillThere,
            Fate::Changed(vec![changed]),
            Fate::Fixed { happened: None },
            Fate::Fixed { happened: Some("panicked: at most 99".into()) },
            Fate::CannotRun { why: "the crate no longer has `slab::Slab::insert_at`".into() },
        ];
        let replayed: Vec<ReplayedFinding> = fates
            .into_iter()
            .map(|fate| ReplayedFinding {
                id: "3f2a9c1d".into(),
                function: "slab::Slab::insert_at".into(),
                location: Some("src/lib.rs:12:5".into()),
                is_accepted: fate == Fate::StillThere,
                fate,
            })
            .collect();
        let text: String = replayed.iter().map(render_replayed).collect();
        expect![[r#"
            $ cargo provoke
             Still there 3f2a9c1d  slab::Slab::insert_at at src/lib.rs:12:5 (accepted)
                 Changed 3f2a9c1d  slab::Slab::insert_at at src/lib.rs:12:5
                         message: was `index is 4`, is `index is 5`
                   Fixed 3f2a9c1d  slab::Slab::insert_at
                   Fixed 3f2a9c1d  slab::Slab::insert_at: now it panicked: at most 99
              Cannot run 3f2a9c1d  slab::Slab::insert_at: the crate no longer has `slab::Slab::insert_at`
                Replayed 5 findings: 1 still there, 1 changed, 2 fixed, 1 cannot be run any more
        "#]]
        .assert_eq(&screen(&(text + &render_totals(&replayed))));
    }
}
