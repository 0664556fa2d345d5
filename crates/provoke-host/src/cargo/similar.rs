//! Names that a mistyped name may have meant.

/// The candidates nearest to `name`, best first, at most three; none if all are far off.
pub fn similar<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let limit = (name.chars().count() / 3).max(1);
    let mut near: Vec<(usize, &str)> = candidates
        .into_iter()
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|&(distance, _)| distance <= limit)
        .collect();
    near.sort();
    near.dedup();
    near.truncate(3);
    near.into_iter().map(|(_, name)| name.to_owned()).collect()
}

/// Insertions, deletions and replacements between two names; `-` and `_` are the same.
fn distance(a: &str, b: &str) -> usize {
    let fold = |c: char| {
        if c == '-' { '_' } else { c.to_ascii_lowercase() }
    };
    let b: Vec<char> = b.chars().map(fold).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().map(fold).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names_come_first_and_far_ones_not_at_all() {
        let names = ["sorted-list", "tree-map", "stack", "sorted-lists"];
        assert_eq!(similar("sorted_lst", names), ["sorted-list", "sorted-lists"]);
        assert!(similar("graph", names).is_empty());
        assert_eq!(similar("stak", names), ["stack"]);
    }
}
