//! What keeps functions from being called or covered, by reason: what a developer of Provoke would work on next.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::table;

const N_EXAMPLES: usize = 3;

/// The functions without a call and those without a call that returned, in all summaries.
pub fn list<'a>(summaries: impl IntoIterator<Item = &'a Value> + Clone) -> String {
    let skipped = section("skipped functions", "skipped", summaries.clone());
    let uncovered = section("callable functions that were not covered", "uncovered", summaries);
    format!("{skipped}\n{uncovered}")
}

fn section<'a>(title: &str, field: &str, summaries: impl IntoIterator<Item = &'a Value>) -> String {
    let mut functions_by_reason: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for entry in summaries.into_iter().filter_map(|summary| summary["api"][field].as_array()).flatten() {
        if let (Some(function), Some(reason)) = (entry["function"].as_str(), entry["reason"].as_str()) {
            functions_by_reason.entry(without_names(reason)).or_default().push(function);
        }
    }
    let n_functions: usize = functions_by_reason.values().map(Vec::len).sum();
    let mut groups: Vec<(String, Vec<&str>)> = functions_by_reason.into_iter().collect();
    // The most frequent first; equally frequent ones stay in the order of their texts.
    groups.sort_by_key(|(_, functions)| std::cmp::Reverse(functions.len()));
    let mut text = format!("{title}: {n_functions}\n");
    for (reason, functions) in groups {
        let n_functions = table::count(Some(functions.len() as f64));
        text += &format!("{n_functions:>6}  {reason}\n");
        for function in functions.iter().take(N_EXAMPLES) {
            text += &format!("          {function}\n");
        }
    }
    text
}

/// Reasons that differ only in the names they quote are one piece of work.
fn without_names(reason: &str) -> String {
    let parts = reason.split('`').enumerate();
    let parts: Vec<&str> = parts.map(|(part_idx, part)| if part_idx % 2 == 1 { "…" } else { part }).collect();
    parts.join("`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn reasons_are_counted_across_crates_with_up_to_three_examples() {
        let entry = |function: &str, reason: &str| json!({"function": function, "reason": reason});
        let one = json!({"api": {
            "skipped": [entry("a::f", "takes a closure"), entry("a::g", "needs a `T`, and there is none")],
            "uncovered": [entry("a::h", "every call panicked")],
        }});
        let needs = |name: &str| entry(&format!("b::{name}"), &format!("needs a `{name}`, and there is none"));
        let two = json!({"api": {"skipped": [needs("U"), needs("V"), needs("W")]}});
        let expected = "\
skipped functions: 5
     4  needs a `…`, and there is none
          a::g
          b::U
          b::V
     1  takes a closure
          a::f

callable functions that were not covered: 1
     1  every call panicked
          a::h
";
        assert_eq!(list([&one, &two]), expected);
    }
}
