//! The attributes as users meet them: crates that carry them, built by cargo with and without `--cfg provoke`.
#![allow(clippy::disallowed_methods, reason = "what a crate compiles to, only cargo can tell")]

mod examples;
mod misuse;
mod project;

use project::{Mode, Project};

#[test]
fn a_normal_build_has_no_warning_and_nothing_left_of_a_specification() {
    let project = Project::of_list("normal");
    let build = project.cargo(Mode::Normal, &["build"]);
    assert!(build.is_success, "{}", build.stderr);
    let library = project.library(Mode::Normal);
    let has = |name: &str| library.windows(name.len()).any(|window| window == name.as_bytes());
    assert!(has("into_items"), "this is not the library");
    for name in ["__provoke", "a_type_has_one_provoke_model", "get_spec", "what_went_in_comes_out"] {
        assert!(!has(name), "{name} is still there");
    }
}

#[test]
fn everything_is_there_for_provoke() {
    let project = Project::of_list("provoked");
    let test = project.cargo(Mode::Provoked, &["test"]);
    assert!(test.is_success, "{}\n{}", test.stdout, test.stderr);
    assert!(!test.stderr.contains("warning"), "{}", test.stderr);
}

#[test]
fn wrong_use_is_a_compile_error_that_names_the_mistake_and_right_use_is_none() {
    let examples = examples::all();
    assert_eq!(examples.len(), 7, "one of the crate, and one of each attribute");
    let mistakes = misuse::CASES.iter().map(|case| (case.name.to_owned(), case.source()));
    let project = Project::of_programs("programs", examples.iter().cloned().chain(mistakes));
    for mode in [Mode::Normal, Mode::Provoked] {
        let messages = project.messages(mode);
        let message = |name: &str| messages.get(name).map(String::as_str).unwrap_or_default();
        for (name, _) in &examples {
            assert_eq!(message(name), "", "{name}, {mode:?}");
        }
        for case in misuse::CASES {
            let found = message(case.name);
            match case.words(mode) {
                Some(words) => assert!(found.contains(words), "{}, {mode:?}: {words:?} is not in\n{found}", case.name),
                None => assert_eq!(found, "", "{}, {mode:?}", case.name),
            }
        }
    }
}
