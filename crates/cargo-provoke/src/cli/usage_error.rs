//! What clap finds wrong with a command line, as one line and a hint instead of a page.

use crate::cli::args::Args;
use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use provoke_report::UserError;
use provoke_run::BadValue;
use std::error::Error as _;

pub fn usage_error(error: &Error) -> UserError {
    let argument = context(error, ContextKind::InvalidArg).map(|name| option_name(&name));
    let argument = argument.as_deref().unwrap_or("an argument");
    let value = context(error, ContextKind::InvalidValue).unwrap_or_default();
    match error.kind() {
        ErrorKind::InvalidValue if value.is_empty() => {
            UserError::usage(format!("`{argument}` needs a value"), values(error))
        }
        ErrorKind::InvalidValue => UserError::usage(
            format!("invalid value `{value}` for `{argument}`"),
            did_you_mean(error, ContextKind::SuggestedValue).unwrap_or_else(|| values(error)),
        ),
        ErrorKind::ValueValidation => {
            let bad_value = error.source().and_then(|source| source.downcast_ref());
            let (reason, hint) = match bad_value {
                Some(BadValue { reason, hint }) => (reason.as_str(), hint.clone()),
                None => ("it cannot be read", see_help(error)),
            };
            UserError::usage(format!("invalid value `{value}` for `{argument}`: {reason}"), hint)
        }
        ErrorKind::UnknownArgument => UserError::usage(
            format!("unexpected argument `{argument}`"),
            option_of_run(error, argument)
                .or_else(|| did_you_mean(error, ContextKind::SuggestedArg))
                .or_else(|| did_you_mean(error, ContextKind::SuggestedSubcommand))
                .unwrap_or_else(|| see_help(error)),
        ),
        ErrorKind::TooManyValues => UserError::usage(
            format!("`{argument}` takes no value, but `{value}` was given"),
            format!("write just `{argument}`"),
        ),
        ErrorKind::InvalidSubcommand => {
            let command = context(error, ContextKind::InvalidSubcommand).unwrap_or_default();
            UserError::usage(
                format!("no command `{command}`"),
                did_you_mean(error, ContextKind::SuggestedSubcommand)
                    .unwrap_or_else(|| "the commands are run, list and replay".to_string()),
            )
        }
        ErrorKind::ArgumentConflict => conflict(error, argument),
        ErrorKind::MissingRequiredArgument if argument == "<ID>" => UserError::usage(
            "`replay` needs the id of a finding",
            "ids are printed with each finding and are in summary.json; `--all` takes every one",
        ),
        ErrorKind::MissingRequiredArgument if argument == "--workspace" => UserError::usage(
            "`--exclude` works only together with `--workspace`",
            "without `--workspace`, name the packages to test with `-p`",
        ),
        ErrorKind::MissingRequiredArgument => UserError::usage(format!("`{argument}` is missing"), see_help(error)),
        ErrorKind::InvalidUtf8 => UserError::usage("an argument is not valid UTF-8", "rename it, or go there with cd"),
        _ => UserError::usage(first_line(error), see_help(error)),
    }
}

fn conflict(error: &Error, argument: &str) -> UserError {
    if let Some(command) = context(error, ContextKind::InvalidSubcommand) {
        return UserError::usage(
            format!("options must come after the command `{command}`"),
            format!("write `cargo provoke {command} [OPTIONS]`"),
        );
    }
    let other = context(error, ContextKind::PriorArg).map(|name| option_name(&name));
    match other.as_deref() {
        Some(other) if other != argument => {
            UserError::usage(format!("`{argument}` cannot be used together with `{other}`"), "leave one of them out")
        }
        _ => UserError::usage(format!("`{argument}` is given more than once"), "leave one of them out"),
    }
}

/// The help of the command that was being parsed.
fn see_help(error: &Error) -> String {
    let command = subcommand(error).map_or(String::new(), |command| format!(" {command}"));
    format!("`cargo provoke{command} --help` lists what can be given")
}

/// Options of the search are easily given to a command that does not search.
fn option_of_run(error: &Error, argument: &str) -> Option<String> {
    let command = subcommand(error)?;
    let long = argument.strip_prefix("--")?;
    let is_known = Args::command().get_arguments().any(|known| known.get_long() == Some(long));
    is_known.then(|| format!("`{argument}` is for `cargo provoke run`, not for `{command}`"))
}

/// The command whose arguments were being parsed, as clap's usage line names it.
fn subcommand(error: &Error) -> Option<&'static str> {
    let usage = context(error, ContextKind::Usage)?;
    let (_, rest) = usage.split_once("cargo provoke ")?;
    let first_word = rest.split_whitespace().next()?;
    ["run", "list", "replay"].into_iter().find(|command| *command == first_word)
}

/// The values an option can have, where they are few.
fn values(error: &Error) -> String {
    match context(error, ContextKind::ValidValue) {
        Some(values) if !values.is_empty() => format!("it can be {values}"),
        _ => see_help(error),
    }
}

fn did_you_mean(error: &Error, kind: ContextKind) -> Option<String> {
    let suggestion = context(error, kind)?;
    Some(format!("did you mean `{}`?", option_name(&suggestion)))
}

/// The context as text; of several values, a list a person would write.
fn context(error: &Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => Some(match texts.as_slice() {
            [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
            texts => texts.concat(),
        }),
        ContextValue::StyledStr(text) => Some(text.to_string()),
        ContextValue::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// `--seed <N>` is `--seed`.
fn option_name(argument: &str) -> String {
    let name = argument.split([' ', '=']).next().unwrap_or(argument);
    match name.trim_end_matches("...") {
        // Optional only because `--all` can take its place.
        "[ID]" => "<ID>".to_string(),
        name => name.to_string(),
    }
}

fn first_line(error: &Error) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    line.trim_start_matches("error: ").to_string()
}
