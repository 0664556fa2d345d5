//! What documentation says about panics.

/// The documentation announces that the function may panic: by a heading, or in a sentence.
///
/// Can be wrong about sentences on *other* functions, and about wordings it does not know.
pub fn announces_panic(docs: &str) -> bool {
    let mut words = Vec::new();
    for line in prose_lines(docs) {
        if let Some(heading) = heading(line) {
            if heading.to_lowercase().starts_with("panic") {
                return true;
            }
            words.push(Word::SentenceEnd);
            continue;
        }
        if line.trim().is_empty() {
            words.push(Word::SentenceEnd);
        }
        split_words(line, &mut words);
    }
    words.split(|word| *word == Word::SentenceEnd).any(sentence_announces)
}

/// The documentation says what a parameter has to be: "`radix` must be in the range 2..=36". A function that refuses another
/// value keeps its word.
pub fn obliges(docs: &str, parameter: &str) -> bool {
    let named = format!("`{parameter}` must ");
    !parameter.is_empty() && prose_lines(docs).any(|line| line.contains(&named))
}

/// The panics that the documentation announces are about where a range begins and ends. Nothing is outside of `..`.
pub fn announces_range_panic(docs: &str) -> bool {
    let is_range = |word: &&str| matches!(*word, "range" | "bounds" | "start" | "starting" | "end");
    all_announcements(docs, |sentence| sentence.iter().any(is_range))
}

/// The panics that the documentation announces are about a parameter being zero, and nothing else.
pub fn announces_zero_panic(docs: &str, is_parameter: impl Fn(&str) -> bool) -> bool {
    let is_zero = |word: &&str| matches!(*word, "zero" | "0");
    let says_more = |word: &&str| {
        let others = ["or", "and", "not", "unless", "than", "negative", "large", "overflow", "overflows", "exceeds"];
        others.contains(word)
    };
    all_announcements(docs, |sentence| {
        sentence.iter().any(is_zero)
            && sentence.iter().any(|word| is_parameter(word))
            && !sentence.iter().any(says_more)
    })
}

/// Whether panics are announced, and each sentence that does so is of a certain sort.
fn all_announcements(docs: &str, is_meant: impl Fn(&[&str]) -> bool) -> bool {
    let mut words = Vec::new();
    let mut is_about_panics = false;
    for line in prose_lines(docs) {
        if let Some(heading) = heading(line) {
            is_about_panics = heading.to_lowercase().starts_with("panic");
            words.push(Word::SentenceEnd);
            continue;
        }
        if line.trim().is_empty() {
            words.push(Word::SentenceEnd);
        // Under the heading nobody repeats the word.
        } else if is_about_panics {
            words.extend(["panics", "if"].map(|word| Word::Text(word.to_string())));
        }
        split_words(line, &mut words);
    }
    words
        .split(|word| *word == Word::SentenceEnd)
        .filter(|sentence| sentence_announces(sentence))
        .all(|sentence| is_meant(&texts(sentence)))
        && announces_panic(docs)
}

/// The documentation of a module announces that the functions in it may panic: by a heading of just that, or in a sentence about
/// all of them. What it says of panics in passing, or of one function, is no announcement for the others.
///
/// Can be wrong about a section that lists the few functions that panic.
pub fn announces_panics_of_members(docs: &str) -> bool {
    let mut sections: Vec<(bool, Vec<Word>)> = vec![(false, Vec::new())];
    for line in prose_lines(docs) {
        if let Some(heading) = heading(line) {
            let title = heading.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            sections.push((matches!(title.as_str(), "panic" | "panics"), Vec::new()));
            continue;
        }
        let Some((_, words)) = sections.last_mut() else { continue };
        if line.trim().is_empty() {
            words.push(Word::SentenceEnd);
        }
        split_words(line, words);
    }
    sections.iter().any(|(is_about_panics, words)| {
        let sentences: Vec<Vec<&str>> = words.split(|word| *word == Word::SentenceEnd).map(texts).collect();
        let is_denied = sentences.iter().any(|sentence| denies_panic(sentence));
        (*is_about_panics && !is_denied) || sentences.iter().any(|sentence| speaks_for_all(sentence))
    })
}

/// `All functions panic if ..`, `methods of this module may panic`; not `functions that panic`, nor `any panic in a callback`.
fn speaks_for_all(words: &[&str]) -> bool {
    (0..words.len()).any(|at| {
        let before = &words[..at];
        let after = words.get(at + 1).copied();
        let is_followed = after.is_none_or(|word| CONDITIONS.contains(&word));
        let says_so = match (words[at], before.last().copied()) {
            ("panics", _) => is_followed,
            ("panic", Some("any" | "the" | "every" | "each" | "this" | "of" | "on")) => false,
            ("panic", Some("a")) => is_possible_panic(before, None),
            ("panic", _) => is_followed || is_possible_panic(before, after),
            _ => false,
        };
        let is_aside = before.iter().rev().take(2).any(|word| matches!(*word, "that" | "which" | "whether"));
        says_so && !is_aside && !is_negated(before) && names_members(before)
    })
}

fn denies_panic(words: &[&str]) -> bool {
    (0..words.len()).any(|at| words[at].starts_with("panic") && is_negated(&words[..at]))
}

/// What is in a module, as a whole.
fn names_members(words: &[&str]) -> bool {
    const MEMBERS: &[&str] =
        &["functions", "methods", "operations", "operators", "constructors", "routines", "types", "everything"];
    words.iter().any(|word| MEMBERS.contains(word))
        || words.windows(2).any(|pair| matches!(pair, ["this", "module" | "crate" | "library"]))
}

#[derive(PartialEq)]
enum Word {
    Text(String),
    SentenceEnd,
}

/// Without fenced code.
fn prose_lines(docs: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    docs.lines().filter(move |line| {
        let is_fence = is_fence(line);
        if is_fence {
            is_code = !is_code;
        }
        !is_code && !is_fence
    })
}

pub(crate) fn is_fence(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("```") || line.starts_with("~~~")
}

fn heading(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let text = line.trim_start_matches('#');
    (text.len() < line.len() && text.starts_with([' ', '\t'])).then(|| text.trim())
}

fn split_words(line: &str, words: &mut Vec<Word>) {
    for raw in line.split_whitespace() {
        let text = raw.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        if !text.is_empty() {
            words.push(Word::Text(text));
        }
        if raw.ends_with(['.', ';', ':', '!', '?']) && !raw.ends_with("e.g.") {
            words.push(Word::SentenceEnd);
        }
    }
}

fn texts(sentence: &[Word]) -> Vec<&str> {
    let words = sentence.iter().filter_map(|word| match word {
        Word::Text(text) => Some(text.as_str()),
        Word::SentenceEnd => None,
    });
    words.collect()
}

fn sentence_announces(sentence: &[Word]) -> bool {
    let words = texts(sentence);
    (0..words.len()).any(|at| {
        let before = &words[..at];
        let after = words.get(at + 1).copied();
        let says_so = match words[at] {
            "panics" => is_own_panic(before, after),
            "panic" => is_possible_panic(before, after),
            _ => false,
        };
        says_so && !is_negated(before)
    })
}

const CONDITIONS: &[&str] = &[
    "if",
    "when",
    "whenever",
    "unless",
    "on",
    "upon",
    "in",
    "for",
    "otherwise",
    "should",
    "with",
    "where",
    "once",
    "instead",
    "because",
    "and",
    "or",
];

/// `panics if ..`, `this method panics`; not `another one, which panics if ..`.
fn is_own_panic(before: &[&str], after: Option<&str>) -> bool {
    match before.last().copied() {
        Some("which" | "that") => false,
        Some("this" | "function" | "method" | "it" | "also" | "otherwise" | "call" | "always") => true,
        _ => after.is_some_and(|word| CONDITIONS.contains(&word)),
    }
}

/// `may panic`, `causes a panic`, `panic if ..`.
fn is_possible_panic(before: &[&str], after: Option<&str>) -> bool {
    match before {
        [.., "will" | "may" | "can" | "could" | "might" | "would" | "shall" | "to"] => true,
        [.., "will" | "may" | "can" | "could" | "might" | "would", "also" | "then" | "still"] => true,
        [.., "cause" | "causes" | "in" | "to" | "trigger" | "triggers" | "raise" | "raises", "a"] => true,
        _ => after.is_some_and(|word| CONDITIONS[..4].contains(&word)),
    }
}

/// A word shortly before turns the statement around: `does not panic`, `never panics`, `instead of a panic`.
fn is_negated(before: &[&str]) -> bool {
    const REACH: usize = 4;
    let near = &before[before.len().saturating_sub(REACH)..];
    near.iter().any(|word| {
        matches!(*word, "not" | "never" | "cannot" | "without" | "no" | "nor" | "neither" | "avoid" | "avoids")
            || word.ends_with("n't")
            || word.ends_with("n’t")
    }) || near.windows(2).any(|pair| matches!(pair, ["instead", "of"] | ["rather", "than"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_is_obliged_by_its_name() {
        assert!(obliges("Writes it.\n\nThe `radix` must be in the range 2..=36.", "radix"));
        assert!(obliges("`radix` must not be 0", "radix"));
        for docs in ["The result must be used; `radix` is optional.", "```\n// `radix` must be even\n```", ""] {
            assert!(!obliges(docs, "radix"), "{docs}");
        }
        assert!(!obliges("`` must be", ""));
    }

    #[test]
    fn announcements_are_recognised() {
        for docs in [
            "Does it.\n\n# Panics\n\nIf `index` is out of bounds.",
            "### Panics",
            "## Panic\nWhen empty.",
            "# Panics:",
            "Panics if the index is out of bounds.",
            "Removes it.\nPanics when empty.",
            "This method will panic on overflow.",
            "May panic.",
            "It can panic with a bad hasher.",
            "Note: this function panics.",
            "Adds, and panics on overflow",
            "**Panics** if `n` is zero.",
            "A zero size causes a panic.",
            "It is a bug to call this twice and will result in a panic",
            "Returns the value or will panic when\nthe key is missing.",
            "Does not allocate. Panics unless `n` is even.",
        ] {
            assert!(announces_panic(docs), "{docs}");
        }
    }

    #[test]
    fn announcements_about_ranges_are_told_from_others() {
        for (docs, is_about_ranges) in [
            ("Panics if the range extends past the end.", true),
            ("# Panics\n\nIf the starting point is greater than the end point\nor that is out of bounds.", true),
            ("Counts.\n\n# Panics\nPanics if `range` is out of bounds.\n\n# Examples\nNone.", true),
            ("Panics if the range is out of bounds. Panics if the set is empty.", false),
            ("# Panics\n\nIf empty.", false),
            ("Counts those in the range.", false),
        ] {
            assert_eq!(announces_range_panic(docs), is_about_ranges, "{docs}");
        }
    }

    #[test]
    fn announcements_about_zero_are_told_from_others() {
        for (docs, is_about_zero) in [
            ("Wraps.\n\n# Panics\n\nPanics if `columns` is zero.\n\n# Examples", true),
            ("Panics if `size` is 0.", true),
            ("# Panics\n\nIf `size` is zero.\nIf the index is out of bounds.", false),
            ("Panics if `size` is zero or too large.", false),
            ("Panics if `size` is not zero.", false),
            ("Panics if the capacity is zero.", false),
            ("Panics when empty.", false),
            ("The number of zero bits.", false),
        ] {
            let is_parameter = |name: &str| matches!(name, "size" | "columns");
            assert_eq!(announces_zero_panic(docs, is_parameter), is_about_zero, "{docs}");
        }
    }

    #[test]
    fn promises_not_to_panic_are_no_announcements() {
        for docs in [
            "",
            "Returns the length.",
            "This does not panic if the index is out of bounds.",
            "Never panics on overflow.",
            "Removes the element without panicking.",
            "It doesn't panic when empty.",
            "It will not panic.",
            "Returns `None` instead of a panic if empty.",
            "No panics in this function.",
            "The non-panicking variant of `get`, which panics if out of bounds.",
            "The callback must never panic.",
            "```\n# Panics if run\nlet x = may_panic();\n```",
            "```should_panic\nf(); // panics if empty\n```",
            "Use a panic hook.",
            "#panics",
        ] {
            assert!(!announces_panic(docs), "{docs}");
        }
    }
    #[test]
    fn a_module_announces_for_its_members_by_a_heading_or_in_general() {
        for docs in [
            "Matrices.\n\n# Panics\n\nIf the sizes differ.",
            "## Panics:\nAlways on overflow.",
            "All functions in this module panic if `n` is zero.",
            "The functions here panic on overflow.",
            "Methods may panic.",
            "All functions that take an index panic if it is out of bounds.",
            "Everything in here will panic when the lock is poisoned.",
            "This module panics on overflow.",
            "Invalid sizes: operations on them result in a panic.",
            "Never allocates. Operations panic unless both have the same size.",
        ] {
            assert!(announces_panics_of_members(docs), "{docs}");
        }
    }

    #[test]
    fn what_a_module_says_of_panics_in_passing_is_no_announcement() {
        for docs in [
            "",
            "Matrices.",
            "`Matrix::get` panics if the index is out of bounds.",
            "Panics if the index is out of bounds.",
            "Functions that panic have a `try_` variant.",
            "Methods that may panic say so.",
            "All functions here never panic.",
            "The functions in this module do not panic if `n` is zero.",
            "# Panics\n\nThis crate never panics.",
            "# Panic safety\n\nA panic in a callback leaves the map as it was.",
            "# Panic-free\n\nErrors are values.",
            "All functions are safe: any panic in a callback is passed on.",
            "Types that work across a panic.",
            "If the crate is built with overflow checks, `add` panics.",
            "```\n# Panics\n// all functions panic\n```",
            "Methods return `None` instead of a panic.",
        ] {
            assert!(!announces_panics_of_members(docs), "{docs}");
        }
    }
}
