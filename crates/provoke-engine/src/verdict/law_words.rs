//! A broken law in words, and what a worker says of the property of a history that is.

use provoke_oracles::{INVARIANT, LAW_BROKEN, STATED_LAW, TEMPORAL};

use crate::api::LawOf;

/// What is broken, in words.
pub(crate) fn law_message(law: &LawOf, property: Option<&str>) -> String {
    let name = law.subject.rsplit("::").next().unwrap_or_default();
    match (law.oracle.message, law.oracle.id) {
        (Some(message), _) => message.to_string(),
        (None, id) if id == INVARIANT.id => format!("the invariant `{name}` does not hold afterwards"),
        (None, id) if id == TEMPORAL.id => match property {
            Some(property) => format!("{property} of `{name}` is broken"),
            None => format!("`{name}` is broken"),
        },
        (None, id) if id == STATED_LAW.id => format!("the law `{name}` does not hold"),
        (None, _) => String::new(),
    }
}

/// `src/lib.rs:3:9`
pub(crate) fn place_in(text: &str) -> Option<(String, u32, u32)> {
    let mut parts = text.rsplitn(3, ':');
    let (column, line, file) = (parts.next()?, parts.next()?, parts.next()?);
    Some((file.to_string(), line.parse().ok()?, column.parse().ok()?))
}

/// Which property of a history is broken (`` `unless` ``), and where that is stated, as the worker says it.
pub(crate) fn violation_in(message: &str) -> Option<(&str, &str)> {
    message.strip_prefix(LAW_BROKEN)?.strip_prefix(": ")?.split_once(" is broken at ")
}
