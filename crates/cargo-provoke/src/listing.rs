//! `cargo provoke list`: what can be called, what is skipped and why.

use provoke_report::{FunctionRow, FunctionStatus, render_list};

use crate::pattern::FunctionFilter;
use crate::pipeline::callable_functions;
use crate::prepare::Prepared;
use crate::results::Results;

pub fn listing(prepared: &Prepared, results: &Results, filter: &FunctionFilter) -> String {
    let last = results.read_summary();
    let callable = callable_functions(prepared);
    let mut rows = Vec::new();
    for (function, is_callable) in prepared.model.functions.iter().zip(callable) {
        if !filter.selects(&function.display) {
            continue;
        }
        let status = if is_callable {
            let uncovered = last.as_ref().map(|s| s.api.uncovered.iter().find(|u| u.function == function.display));
            match uncovered {
                Some(None) => FunctionStatus::Covered,
                Some(Some(uncovered)) => FunctionStatus::Callable { reason: Some(uncovered.reason.clone()) },
                None => FunctionStatus::Callable { reason: None },
            }
        } else {
            let skipped = prepared.skipped.iter().find(|s| s.function == function.display);
            FunctionStatus::Skipped { reason: skipped.map_or_else(String::new, |s| s.reason.clone()) }
        };
        rows.push(FunctionRow { function: function.display.clone(), status });
    }
    render_list(&rows)
}
