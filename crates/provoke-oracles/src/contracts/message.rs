//! What checks of contracts say when they fail.

use super::{invariant, postcondition, precondition};
use crate::oracle::Oracle;

/// A message of a check: what was broken, and the function that it stands at, if that is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContractMessage<'m> {
    pub oracle: &'static Oracle,
    pub function: Option<&'m str>,
}

/// What the crate `contracts` says: `Pre-condition of push violated: n > 0`. No version says it in another way.
pub fn message_of_contracts(message: &str) -> Option<ContractMessage<'_>> {
    let (oracle, rest) = [
        ("Pre-condition", &precondition::ORACLE),
        ("Post-condition", &postcondition::ORACLE),
        ("Invariant", &invariant::ORACLE),
    ]
    .into_iter()
    .find_map(|(noun, oracle)| Some((oracle, message.strip_prefix(noun)?)))?;
    // An invariant is asked at two moments, and says at which.
    let rest =
        [" (as pre-condition)", " (as post-condition)"].iter().find_map(|it| rest.strip_prefix(it)).unwrap_or(rest);
    let (function, _) = rest.strip_prefix(" of ")?.split_once(" violated")?;
    let is_name = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name(function).then_some(ContractMessage { oracle, function: Some(function) })
}

/// What the crate `anodized` says, which others may say as well.
pub fn message_of_anodized(message: &str) -> Option<ContractMessage<'static>> {
    let oracle = match message {
        "precondition failed" => &precondition::ORACLE,
        "postcondition failed" => &postcondition::ORACLE,
        _ => return None,
    };
    Some(ContractMessage { oracle, function: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_broken_and_where_is_read_from_the_message() {
        let read = |message| message_of_contracts(message).map(|it| (it.oracle.id, it.function.unwrap_or("-")));
        for (message, expected) in [
            ("Pre-condition of push violated: n > 0", Some(("precondition", "push"))),
            ("Pre-condition of push violated", Some(("precondition", "push"))),
            ("Post-condition of r#move violated: ret > 0", None),
            ("Post-condition of über_2 violated: some words: ret > 0", Some(("postcondition", "über_2"))),
            ("Invariant of push violated: self.ok()", Some(("invariant", "push"))),
            ("Invariant (as pre-condition) of push violated: self.ok()", Some(("invariant", "push"))),
            ("Invariant (as post-condition) of push violated: self.ok()", Some(("invariant", "push"))),
            ("Pre-condition of pushing it violated", None),
            ("Pre-condition of push", None),
            ("Invariant violated", None),
            ("index out of bounds", None),
        ] {
            assert_eq!(read(message), expected, "{message}");
        }
        assert_eq!(message_of_anodized("precondition failed").unwrap().oracle.id, "precondition");
        assert_eq!(message_of_anodized("precondition failed: n > 0"), None);
    }
}
