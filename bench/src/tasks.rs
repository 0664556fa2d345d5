//! The command line: every task, with its options.

use clap::{Parser, Subcommand};

use crate::{corpus, repro, soak, speed, survey, unchanged};

/// Measures Provoke
#[derive(Debug, Parser)]
#[command(
    name = "provoke-bench",
    bin_name = "cargo xtask",
    max_term_width = 100,
    disable_help_subcommand = true,
    args_override_self = true
)]
pub struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Compares calls per second
    #[command(subcommand)]
    Bench(speed::Comparison),
    /// Runs Provoke over a list of crates
    Survey(survey::Options),
    /// Says which known bugs of released crates Provoke finds, and how soon
    Corpus(corpus::Options),
    /// Our figures beside those that were published about other systems
    #[command(subcommand)]
    Repro(repro::System),
    /// Kills workers, and the tool itself, at random moments; what is found must be as in peace
    Soak(soak::Options),
    /// Says whether a change that should change nothing does
    #[command(subcommand)]
    Unchanged(unchanged::Action),
}

impl Args {
    pub fn run(&self) -> Result<(), String> {
        match &self.task {
            Task::Bench(comparison) => speed::run(comparison),
            Task::Survey(options) => survey::run(options),
            Task::Corpus(options) => corpus::run(options),
            Task::Repro(system) => repro::run(system),
            Task::Soak(options) => soak::run(options),
            Task::Unchanged(action) => unchanged::run(action),
        }
    }
}

/// What is read from the words behind a task, which may have two words itself.
#[cfg(test)]
pub(crate) fn parse<O: clap::FromArgMatches>(task: &str, words: &[&str]) -> Result<O, String> {
    use clap::CommandFactory;

    let line = ["provoke-bench"].into_iter().chain(task.split(' ')).chain(words.iter().copied());
    let matches = Args::command().try_get_matches_from(line).map_err(|error| error.to_string())?;
    let of_task = task.split(' ').try_fold(&matches, |matches, word| matches.subcommand_matches(word));
    O::from_arg_matches(of_task.ok_or("no such task")?).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Command, CommandFactory};

    fn about(task: &Command) -> String {
        task.get_about().map(ToString::to_string).unwrap_or_default()
    }

    #[test]
    fn xtask_lists_every_task_in_the_words_of_its_help() {
        let mut tasks = Vec::new();
        for task in Args::command().get_subcommands() {
            if !task.has_subcommands() {
                tasks.push((task.get_name().to_owned(), about(task)));
            }
            let name = |part: &Command| format!("{} {}", task.get_name(), part.get_name());
            tasks.extend(task.get_subcommands().map(|part| (name(part), about(part))));
        }
        let listed = xtask::measuring::TASKS.map(|(task, purpose)| (task.to_owned(), purpose.to_owned()));
        assert_eq!(tasks, listed);
    }

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn an_option_that_is_given_again_counts_as_given_last() {
        let twice = parse::<soak::Options>("soak", &["--seed", "1", "--seed", "2"]);
        assert_eq!(twice, parse("soak", &["--seed", "2"]));
        assert!(parse::<corpus::Options>("corpus", &["--fresh", "--fresh"]).is_ok());
    }

    #[test]
    fn a_task_without_its_second_word_is_refused() {
        for task in ["bench", "repro", "unchanged", "bench speed", "nothing"] {
            assert!(Args::try_parse_from(["provoke-bench"].into_iter().chain(task.split(' '))).is_err(), "{task}");
        }
    }
}
