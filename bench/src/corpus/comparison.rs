//! What moved since an earlier run: bugs that one of the two shows and the other does not.

use crate::corpus::corpus_table::{Entry, Fate, fates};

/// What the trials of this run had come to in another state of the tool.
pub struct Earlier {
    /// The name of that state.
    pub revision: String,
    /// Of these trials alone, with the bugs that are looked for now.
    pub entries: Vec<Entry>,
}

/// A line about both runs, and one for each bug that moved. Only what both have is compared.
pub fn describe(now: &[Entry], earlier: &Earlier) -> String {
    let is_in_both = |entry: &&Entry| earlier.entries.iter().any(|before| before.trial == entry.trial);
    let compared: Vec<&Entry> = now.iter().filter(is_in_both).collect();
    let (before, after) = (fates(&earlier.entries), fates(compared.iter().copied()));
    let n_found = |fates: &[Fate<'_>]| fates.iter().filter(|fate| fate.n_found() > 0).count();
    let mut text = format!("compared with {}", earlier.revision);
    if compared.len() < now.len() {
        text += &format!(" in {} of {} runs, which are all it has", compared.len(), now.len());
    }
    text += &format!(": found {} before, {} now\n", n_found(&before), n_found(&after));
    let moves: String = before.iter().zip(&after).filter_map(|(before, after)| movement(before, after)).collect();
    text + if moves.is_empty() { "  nothing moved\n" } else { &moves }
}

fn movement(before: &Fate<'_>, after: &Fate<'_>) -> Option<String> {
    let (n_before, n_after, n_seeds) = (before.n_found(), after.n_found(), after.found.len());
    let how = match (n_before, n_after) {
        _ if n_before == n_after => return None,
        (_, 0) => "lost",
        (0, _) => "gained",
        _ if n_after < n_before => "less often",
        _ => "more often",
    };
    Some(format!("  {how:<10}  {}: with {n_before} of {n_seeds} seeds before, {n_after} now\n", after.label))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::bug;
    use crate::corpus::matching::{Finding, Tier};
    use crate::corpus::record::{End, Record};
    use crate::corpus::trial::Trial;

    /// Crates `a` to `e` with a bug in `f` each, and whether each of two seeds shows it.
    fn entries(found: [[bool; 2]; 5]) -> Vec<Entry> {
        let entry = |name: &str| {
            format!("{{ crate = \"{name}\", version = \"1.0.0\", function = [\"f\"], expect = \"panic\" }}")
        };
        let bugs = format!("bug = [{}]", ["a", "b", "c", "d", "e"].map(entry).join(", "));
        let finding = Finding {
            id: "1".to_owned(),
            tier: Tier::Error,
            oracle: "unreachable".to_owned(),
            function: "f".to_owned(),
            message: String::new(),
            location: None,
            calls: 1,
            found_after_seconds: 0.5,
            flaky: false,
        };
        let record = |is_found| Record {
            time: "15s".to_owned(),
            end: End::Complete,
            findings: if is_found { vec![finding.clone()] } else { Vec::new() },
            wall_seconds: 9.0,
        };
        let trials = Trial::all(&bug::parse(&bugs).expect("valid"), &[0, 1]);
        let found = found.into_iter().flatten();
        trials.into_iter().zip(found).map(|(trial, is_found)| Entry { trial, record: record(is_found) }).collect()
    }

    fn earlier(entries: Vec<Entry>) -> Earlier {
        Earlier { revision: "0123456789ab".to_owned(), entries }
    }

    const NEVER: [bool; 2] = [false, false];
    const ONCE: [bool; 2] = [true, false];
    const ALWAYS: [bool; 2] = [true, true];

    #[test]
    fn bugs_that_moved_are_told_and_others_are_not() {
        let before = earlier(entries([ALWAYS, NEVER, ALWAYS, ONCE, [false, true]]));
        expect_test::expect![[r#"
            compared with 0123456789ab: found 4 before, 4 now
              lost        a@1.0.0 f: with 2 of 2 seeds before, 0 now
              gained      b@1.0.0 f: with 0 of 2 seeds before, 1 now
              less often  c@1.0.0 f: with 2 of 2 seeds before, 1 now
              more often  d@1.0.0 f: with 1 of 2 seeds before, 2 now
        "#]]
        .assert_eq(&describe(&entries([NEVER, ONCE, ONCE, ALWAYS, ONCE]), &before));
    }

    #[test]
    fn only_what_both_have_is_compared() {
        let mut before = entries([ALWAYS, NEVER, ALWAYS, ALWAYS, ALWAYS]);
        before.truncate(3);
        expect_test::expect![[r#"
            compared with 0123456789ab in 3 of 10 runs, which are all it has: found 1 before, 1 now
              nothing moved
        "#]]
        .assert_eq(&describe(&entries([ALWAYS, NEVER, NEVER, NEVER, NEVER]), &earlier(before)));
    }
}
