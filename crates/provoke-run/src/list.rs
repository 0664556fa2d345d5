//! What can be called, what is skipped and why.

use provoke_report::{ApiSummary, ExitCode, FunctionReason, FunctionRow, FunctionStatus, UserError};

use crate::config::pattern::FunctionFilter;
use crate::events::{Observer, observed};
use crate::prepare::Prepared;
use crate::prepare::packages::{AllPackages, cargo_context, each, packages};
use crate::results::directory::Results;
use crate::session::{ANYTHING, Session};
use crate::settings::Setup;

/// The functions of each package, as far as the filter selects them.
pub fn list(setup: &Setup, filter: &FunctionFilter, observer: &mut dyn Observer) -> AllPackages<Vec<FunctionRow>> {
    observed(observer, |events| {
        let all = || {
            let cargo_context = cargo_context(setup, events)?;
            let packages = packages(setup, &cargo_context, Ok)?;
            Ok(each(setup, &packages, events, |package| {
                let session = Session::prepare(setup, package, ANYTHING, &cargo_context, events)?;
                Ok((ExitCode::Success, rows(&session.prepared, &session.results, filter)))
            }))
        };
        all().unwrap_or_else(|error: UserError| AllPackages { packages: Vec::new(), n_asked_for: 0, end: Err(error) })
    })
}

fn rows(prepared: &Prepared, results: &Results, filter: &FunctionFilter) -> Vec<FunctionRow> {
    let last = results.read_summary().map(|summary| summary.api);
    let functions = prepared.model.functions.iter().map(|function| function.display.as_str());
    functions
        .zip(&prepared.is_callable)
        .filter(|(function, _)| filter.selects(function))
        .map(|(function, is_callable)| {
            let status = if *is_callable {
                callable_status(function, last.as_ref())
            } else {
                FunctionStatus::Skipped { reason: reason_of(function, &prepared.skipped).unwrap_or_default() }
            };
            FunctionRow { function: function.to_string(), status }
        })
        .collect()
}

/// What the last run says about a function that it may not have known, or not by this name.
fn callable_status(function: &str, last: Option<&ApiSummary>) -> FunctionStatus {
    match last {
        Some(last) if last.covered_functions.iter().any(|covered| covered == function) => FunctionStatus::Covered,
        last => FunctionStatus::Callable { reason: last.and_then(|last| reason_of(function, &last.uncovered)) },
    }
}

fn reason_of(function: &str, reasons: &[FunctionReason]) -> Option<String> {
    let listed = reasons.iter().find(|listed| listed.function == function)?;
    Some(match &listed.help {
        Some(help) => format!("{} (would help: {help})", listed.reason),
        None => listed.reason.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_last_run_covered_under_this_name_is_covered() {
        let last = ApiSummary {
            functions: 2,
            callable: 2,
            covered: 1,
            uncovered: vec![FunctionReason {
                function: "a::pop".into(),
                reason: "it panics".into(),
                help: Some("docs".into()),
            }],
            covered_functions: vec!["a::push".into()],
            ..ApiSummary::default()
        };
        let callable = |reason: Option<&str>| FunctionStatus::Callable { reason: reason.map(str::to_owned) };
        assert_eq!(callable_status("a::push", Some(&last)), FunctionStatus::Covered);
        assert_eq!(callable_status("a::pop", Some(&last)), callable(Some("it panics (would help: docs)")));
        assert_eq!(callable_status("a::renamed", Some(&last)), callable(None));
        assert_eq!(callable_status("a::push", None), callable(None));
    }
}
