//! The table of `cargo provoke list`: what can be called, and why the rest cannot.

use crate::text::printable::one_line;
use crate::text::style::{FAINT, STRONG, VERB, WARNING, paint};
use crate::text::units::plural;
use std::collections::BTreeMap;

/// A name longer than this does not push the reasons of its group further right.
const MAX_NAME_COLUMN: usize = 36;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FunctionStatus {
    /// A call returned normally in the last run.
    Covered,
    /// It has an operation that compiles; with a reason if the last run never saw a call return normally.
    Callable {
        reason: Option<String>,
    },
    Skipped {
        reason: String,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionRow {
    /// As the model displays it: `slab::Slab::insert`, `<slab::Slab as Index>::index`.
    pub function: String,
    pub status: FunctionStatus,
}

/// The functions by type or module, each with its status, and the totals.
pub fn render_list(rows: &[FunctionRow]) -> String {
    let mut groups: BTreeMap<String, Vec<(String, &FunctionStatus)>> = BTreeMap::new();
    for row in rows {
        let (group, name) = split_path(&row.function);
        groups.entry(group).or_default().push((name, &row.status));
    }
    let mut text = String::new();
    for (group, mut functions) in groups {
        functions.sort_by(|(a, _), (b, _)| a.cmp(b));
        let width = functions
            .iter()
            .map(|(name, _)| name.chars().count())
            .filter(|&width| width <= MAX_NAME_COLUMN)
            .max()
            .unwrap_or(MAX_NAME_COLUMN);
        text.push_str(&paint(STRONG, &group));
        text.push('\n');
        for (name, status) in functions {
            let (word, style, reason) = match status {
                FunctionStatus::Covered => ("covered", VERB, None),
                FunctionStatus::Callable { reason } => ("callable", VERB, reason.as_deref()),
                FunctionStatus::Skipped { reason } => ("skipped", WARNING, Some(reason.as_str())),
            };
            text.push_str(&format!("  {style}{word:<8}{style:#}  "));
            match reason {
                None => text.push_str(&name),
                Some(reason) => {
                    let reason = paint(FAINT, &one_line(reason));
                    text.push_str(&format!("{name:<width$}  {reason}"));
                }
            }
            text.push('\n');
        }
        text.push('\n');
    }
    text.push_str(&totals(rows));
    text
}

fn totals(rows: &[FunctionRow]) -> String {
    let count = |is_counted: fn(&FunctionStatus) -> bool| rows.iter().filter(|row| is_counted(&row.status)).count();
    let n_covered = count(|status| *status == FunctionStatus::Covered);
    let n_skipped = count(|status| matches!(status, FunctionStatus::Skipped { .. }));
    let n_callable = rows.len() - n_skipped;
    let functions = plural(rows.len() as u64, "function");
    let covered = if n_covered > 0 { format!(" ({n_covered} covered in the last run)") } else { String::new() };
    format!("{functions}: {n_callable} callable{covered}, {n_skipped} skipped\n")
}

/// The type or module a function is shown under, and its name there.
///
/// `slab::Slab::insert` is `insert` under `slab::Slab`; `<slab::Slab as Index>::index` is `Index::index` there.
fn split_path(function: &str) -> (String, String) {
    let Some((home, name)) = split_last(function) else {
        return (String::new(), function.to_string());
    };
    let qualified = home.strip_prefix('<').and_then(|inner| inner.strip_suffix('>')).and_then(split_as);
    match qualified {
        Some((ty, trait_name)) => (ty.to_string(), format!("{trait_name}::{name}")),
        None => (home.to_string(), name.to_string()),
    }
}

/// At the last `::` outside angle brackets.
fn split_last(path: &str) -> Option<(&str, &str)> {
    let at = outermost(path, "::").last()?;
    Some((&path[..at], &path[at + 2..]))
}

fn split_as(inner: &str) -> Option<(&str, &str)> {
    let at = outermost(inner, " as ").next()?;
    Some((&inner[..at], &inner[at + 4..]))
}

/// Places of `separator` that are not inside any bracket. The `>` of an arrow closes nothing.
fn outermost<'a>(path: &'a str, separator: &'a str) -> impl Iterator<Item = usize> + 'a {
    let mut depth = 0usize;
    let mut previous = ' ';
    path.char_indices().filter_map(move |(at, c)| {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' if previous == '-' => {}
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        previous = c;
        (depth == 0 && path[at..].starts_with(separator)).then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::style::unstyled;
    use expect_test::expect;

    fn row(function: &str, status: FunctionStatus) -> FunctionRow {
        FunctionRow { function: function.into(), status }
    }

    fn skipped(reason: &str) -> FunctionStatus {
        FunctionStatus::Skipped { reason: reason.into() }
    }

    #[test]
    fn functions_are_grouped_and_reasons_aligned() {
        let never = FunctionStatus::Callable { reason: Some("every call panicked".into()) };
        let rows = [
            row("slab::Slab::insert", FunctionStatus::Covered),
            row("<slab::Slab as Index>::index", never),
            row("slab::Slab::compact", skipped("mismatched types:\n expected `u8`")),
            row("slab::free", FunctionStatus::Callable { reason: None }),
            row("slab::Slab::a_name_that_is_so_long_that_it_would_push_all", skipped("no")),
        ];
        expect![[r#"
            slab
              callable  free

            slab::Slab
              callable  Index::index  every call panicked
              skipped   a_name_that_is_so_long_that_it_would_push_all  no
              skipped   compact       mismatched types: expected `u8`
              covered   insert

            5 functions: 3 callable (1 covered in the last run), 2 skipped
        "#]]
        .assert_eq(&unstyled(&render_list(&rows)));
    }

    #[test]
    fn an_api_that_was_never_run_has_no_covered_count() {
        let rows = [row("a::b", FunctionStatus::Callable { reason: None })];
        assert!(render_list(&rows).ends_with("1 function: 1 callable, 0 skipped\n"));
        assert_eq!(render_list(&[]), "0 functions: 0 callable, 0 skipped\n");
    }

    #[test]
    fn paths_split_outside_their_brackets() {
        let table = [
            ("free", "", "free"),
            ("a::b", "a", "b"),
            ("a::B<c::D>::e", "a::B<c::D>", "e"),
            ("<a::B as Index<c::D>>::index", "a::B", "Index<c::D>::index"),
            ("<a::B<fn() -> u8> as T>::m", "a::B<fn() -> u8>", "T::m"),
            ("<[u8] as a::T>::m", "[u8]", "a::T::m"),
            ("<a::B>::m", "<a::B>", "m"),
        ];
        for (path, group, name) in table {
            assert_eq!(split_path(path), (group.into(), name.into()), "{path}");
        }
    }
}
