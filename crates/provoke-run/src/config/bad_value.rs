//! Why the value of an option cannot be used, with how to write it instead.

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadValue {
    /// Follows "invalid value `x` for `--option`: ".
    pub reason: String,
    pub hint: String,
}

impl BadValue {
    pub fn new(reason: impl Into<String>, hint: impl Into<String>) -> BadValue {
        BadValue { reason: reason.into(), hint: hint.into() }
    }
}

impl std::fmt::Display for BadValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for BadValue {}
