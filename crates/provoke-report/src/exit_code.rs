//! How the tool ends, as the shell sees it. Scripts rely on these numbers.

use crate::{StoppedBy, Summary, Tier};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ExitCode {
    /// Nothing to report.
    Success = 0,
    /// Wrong arguments or configuration, or a crate that cannot be tested at all.
    Usage = 1,
    /// The crate has no function that could be called, or none returned and one of them took the time.
    NothingCallable = 4,
    /// A bug in Provoke.
    Bug = 70,
    /// Findings at or above `--deny`.
    Findings = 100,
    /// The crate under test does not build.
    TargetDoesNotBuild = 101,
    /// Ended by Ctrl-C, without findings to deny.
    Interrupted = 130,
}

impl ExitCode {
    pub fn code(self) -> u8 {
        self as u8
    }

    /// How a run that came to its end exits; `deny` is the mildest tier that makes it fail.
    pub fn of_run(summary: &Summary, deny: Option<Tier>) -> ExitCode {
        if summary.findings.iter().any(|finding| finding.is_denied(deny)) {
            ExitCode::Findings
        } else if summary.search.stopped_by == StoppedBy::Interrupt {
            ExitCode::Interrupted
        } else if summary.api.callable == 0 || summary.is_in_vain() {
            ExitCode::NothingCallable
        } else {
            ExitCode::Success
        }
    }
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(exit_code: ExitCode) -> Self {
        std::process::ExitCode::from(exit_code.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Accepted;
    use crate::summary::sample;

    #[test]
    fn a_run_fails_only_for_findings_at_or_above_what_is_denied() {
        let errors = sample();
        let mut suspicious = sample();
        suspicious.findings[0].tier = Tier::Suspicious;
        let mut none = sample();
        none.findings.clear();
        let mut accepted = sample();
        accepted.findings[0].accepted = Some(Accepted { reason: "known".into() });
        let table = [
            (&errors, Some(Tier::Error), 100),
            (&errors, Some(Tier::Suspicious), 100),
            (&errors, None, 0),
            (&suspicious, Some(Tier::Error), 0),
            (&suspicious, Some(Tier::Suspicious), 100),
            (&none, Some(Tier::Suspicious), 0),
            (&accepted, Some(Tier::Suspicious), 0),
        ];
        for (row, (summary, deny, code)) in table.into_iter().enumerate() {
            assert_eq!(ExitCode::of_run(summary, deny).code(), code, "row {row}");
        }
    }

    #[test]
    fn after_ctrl_c_denied_findings_still_count() {
        let mut summary = sample();
        summary.search.stopped_by = StoppedBy::Interrupt;
        let code = |summary: &Summary| ExitCode::of_run(summary, Some(Tier::Error)).code();
        assert_eq!(code(&summary), 100);
        summary.findings.clear();
        assert_eq!(code(&summary), 130);
    }

    #[test]
    fn a_crate_with_nothing_callable_has_its_own_code() {
        let mut summary = sample();
        summary.findings.clear();
        summary.api.callable = 0;
        assert_eq!(ExitCode::of_run(&summary, Some(Tier::Error)).code(), 4);
    }

    #[test]
    fn a_run_without_a_call_is_no_success() {
        let mut summary = sample();
        summary.search.calls = 0;
        let code = |summary: &Summary| ExitCode::of_run(summary, None).code();
        assert_eq!(code(&summary), 0, "what was found was called");
        summary.findings.clear();
        assert_eq!(code(&summary), 4);
        summary.search.calls = 3;
        assert_eq!(code(&summary), 0);
        summary.search.held_by = Some("slab::Slab::drain".into());
        assert_eq!(code(&summary), 4, "those were calls of std");
        summary.search.stopped_by = StoppedBy::Interrupt;
        assert_eq!(code(&summary), 130);
    }
}
