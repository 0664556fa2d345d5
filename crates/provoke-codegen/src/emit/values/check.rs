//! What a test says about a value after a call: an assertion in place of the call, or behind it.

use provoke_wire::{Literal, Mode};

use crate::{ObservedValue, OpText, TypeName};

use crate::emit::Style;
use crate::emit::layout::expression::{Binding, binding};
use crate::emit::piece::{Piece, Position, Value, argument};
use crate::emit::printer::{Frame, Printer};
use crate::emit::uses::has_no_drop;
use crate::emit::values::escape;
use crate::emit::values::literal::Demand;

/// Something that holds after a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    pub statement: usize,
    /// The result of the statement; or, behind the last statement, any other value.
    pub slot: u32,
    pub claim: Claim,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    True,
    False,
    Equals(ObservedValue),
    /// What a `&mut` refers to.
    EqualsBehind(ObservedValue),
    /// What is in an `Ok` whose error cannot be compared.
    Unwraps(ObservedValue),
    /// A method without arguments says so: `is_none`, `is_err`, `is_empty`, `is_nan`.
    Holds(&'static str),
    /// Its `Debug` text.
    Shows(String),
}

/// What a type has to be able to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ability {
    /// `PartialEq` and `Debug`
    Compare,
    /// `Debug`
    Show,
}

impl Claim {
    /// What can be said of a value with this `Debug` text, if anything.
    pub fn of(ty: &TypeName, text: &str, is_able: &dyn Fn(&TypeName, Ability) -> bool) -> Option<Claim> {
        let path = ty.path().unwrap_or_default();
        let variant = || match path.as_str() {
            "core::option::Option" if text == "None" => Some(Claim::Holds("is_none")),
            "core::option::Option" if text.starts_with("Some(") => Some(Claim::Holds("is_some")),
            "core::result::Result" if text.starts_with("Ok(") => Some(Claim::Holds("is_ok")),
            "core::result::Result" if text.starts_with("Err(") => Some(Claim::Holds("is_err")),
            _ => None,
        };
        // The other half of an `Option` or a `Result` has to be comparable, too, though it is not there.
        let is_whole = ty.args().iter().all(|part| is_everyday(part) || is_able(part, Ability::Compare));
        let read = ObservedValue::read(ty, text);
        if let (Some(ObservedValue::Result(Ok(value))), [_, error], false) = (&read, ty.args(), is_whole)
            && **value != ObservedValue::Literal(Literal::Unit)
            && !value.is_nan()
            && is_able(error, Ability::Show)
        {
            return Some(Claim::Unwraps((**value).clone()));
        }
        let Some(value) = read.filter(|_| is_whole) else {
            return variant();
        };
        Some(match &value {
            ObservedValue::Literal(Literal::Unit) => return None,
            ObservedValue::Literal(Literal::Bool(true)) => Claim::True,
            ObservedValue::Literal(Literal::Bool(false)) => Claim::False,
            ObservedValue::Literal(_) if value.is_nan() => Claim::Holds("is_nan"),
            _ if value.is_nan() => return variant(),
            _ if value.is_empty_list() => Claim::Holds("is_empty"),
            ObservedValue::Ref { mutable: true, inner } => match &**inner {
                ObservedValue::Slice(_) => Claim::Equals(value.clone()),
                inner => Claim::EqualsBehind(comparable(inner)),
            },
            ObservedValue::Ref { inner, .. } if is_string(inner) => Claim::Equals(comparable(inner)),
            _ => Claim::Equals(comparable(&value)),
        })
    }

    /// Whether the value may be thrown away once it was looked at.
    fn is_about_data(&self) -> bool {
        match self {
            Claim::True | Claim::False | Claim::Equals(_) => true,
            Claim::Holds(method) => matches!(*method, "is_nan" | "is_empty"),
            Claim::EqualsBehind(_) | Claim::Unwraps(_) | Claim::Shows(_) => false,
        }
    }

    fn imports(&self) -> Vec<String> {
        match self {
            Claim::Equals(value) | Claim::EqualsBehind(value) | Claim::Unwraps(value) => value.imports(),
            _ => Vec::new(),
        }
    }

    /// The assertion, about the value of an expression.
    fn text(&self, subject: &str, style: Style) -> String {
        let typed = style == Style::Explicit;
        let tight = || match binding(subject) {
            Binding::Tight => subject.to_string(),
            Binding::Prefix | Binding::Loose => format!("({subject})"),
        };
        match self {
            Claim::True => format!("assert!({subject});"),
            Claim::False => format!("assert!(!{});", tight()),
            Claim::Equals(value) => format!("assert_eq!({subject}, {});", value.text(typed)),
            Claim::EqualsBehind(value) => format!("assert_eq!(*{}, {});", tight(), value.text(typed)),
            Claim::Unwraps(value) => format!("assert_eq!({}.unwrap(), {});", tight(), value.text(typed)),
            Claim::Holds(method) => format!("assert!({}.{method}());", tight()),
            Claim::Shows(text) => {
                format!("assert_eq!(format!(\"{{:?}}\", {subject}), \"{}\");", escape::in_string(text))
            }
        }
    }
}

fn is_string(value: &ObservedValue) -> bool {
    matches!(value, ObservedValue::Literal(Literal::String(_)))
}

/// Strings can be compared with texts, which are shorter.
fn comparable(value: &ObservedValue) -> ObservedValue {
    match value {
        ObservedValue::Literal(Literal::String(text)) => ObservedValue::Literal(Literal::Str(text.clone())),
        value => value.clone(),
    }
}

/// Numbers, texts, and what std makes of them.
fn is_everyday(ty: &TypeName) -> bool {
    match ty {
        TypeName::Path { segments, args } => {
            let is_basic = segments.len() == 1 || matches!(segments[0].as_str(), "alloc" | "core");
            is_basic && args.iter().all(is_everyday)
        }
        TypeName::Ref { inner, .. } | TypeName::Slice(inner) | TypeName::Array(inner, _) => is_everyday(inner),
        TypeName::Tuple(parts) => parts.iter().all(is_everyday),
        TypeName::Other(_) => false,
    }
}

impl<'a> Printer<'a> {
    pub fn with_checks(mut self, checks: &'a [Check]) -> Printer<'a> {
        self.checks = checks;
        self
    }

    pub(crate) fn check_of(&self, frame: &Frame<'_>, idx: usize) -> Option<&'a Check> {
        let slot = frame.body.slot_of(idx);
        self.checks.iter().filter(|_| frame.is_main).find(|check| check.statement == idx && check.slot == slot)
    }

    /// A call whose result is checked.
    pub(crate) fn checked_call(&mut self, frame: &mut Frame<'_>, op: &OpText, piece: &Piece, check: &Check) {
        let is_unused = frame.uses.of(check.slot).is_empty();
        let claim = match &check.claim {
            // Unwrapping takes it away from whoever comes next.
            Claim::Unwraps(_) if !is_unused => &Claim::Holds("is_ok"),
            claim => claim,
        };
        let is_dropped_unseen = !op.needs_drop || op.result_type.as_deref().is_some_and(has_no_drop);
        let may_be_temporary =
            is_unused && !self.needs_type(frame, check.slot) && (claim.is_about_data() || is_dropped_unseen);
        if may_be_temporary {
            self.assert(frame, check.statement, claim, &piece.text);
            return;
        }
        self.bind(frame, check.slot, piece);
        if let Value::Named { name, .. } = frame.values[check.slot as usize].clone() {
            self.assert(frame, check.statement, claim, &name);
        }
    }

    /// What is said about other values when all is done.
    pub(crate) fn final_checks(&mut self, frame: &mut Frame<'_>) {
        let checks = self.checks;
        let is_final = |check: &&Check| check.slot != frame.body.slot_of(check.statement);
        for check in checks.iter().filter(is_final).collect::<Vec<_>>() {
            self.name_queued(frame, 0);
            self.name_inline(frame, check.slot);
            let position = Position {
                mode: Mode::Copy,
                is_receiver: false,
                is_operand: false,
                is_of_trait: false,
                is_last: true,
                demand: Demand::TYPED,
            };
            if let value @ Value::Named { .. } = &frame.values[check.slot as usize] {
                let name = argument(value, position).text;
                self.assert(frame, check.statement, &check.claim, &name);
            }
        }
    }

    fn assert(&mut self, frame: &mut Frame<'_>, statement: usize, claim: &Claim, subject: &str) {
        let text = claim.text(subject, self.style);
        let text = self.import(&text, &claim.imports());
        frame.push(statement, text, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(ty: &str, text: &str) -> Option<String> {
        let is_able = |ty: &TypeName, ability| match ty.path().as_deref() {
            Some("slab::Error") => true,
            Some("slab::Odd") => ability == Ability::Show,
            _ => false,
        };
        let claim = Claim::of(&TypeName::parse(ty), text, &is_able)?;
        Some(claim.text("x.get()", Style::Pretty))
    }

    #[test]
    fn a_debug_text_becomes_the_plainest_assertion_that_says_it() {
        for (ty, text, expected) in [
            ("u8", "7", "assert_eq!(x.get(), 7);"),
            ("bool", "true", "assert!(x.get());"),
            ("bool", "false", "assert!(!x.get());"),
            ("f64", "NaN", "assert!(x.get().is_nan());"),
            ("alloc::string::String", "\"a\"", "assert_eq!(x.get(), \"a\");"),
            ("core::option::Option<u8>", "None", "assert_eq!(x.get(), None);"),
            ("core::option::Option<f64>", "Some(NaN)", "assert!(x.get().is_some());"),
            ("core::option::Option<slab::Slab<u8>>", "None", "assert!(x.get().is_none());"),
            ("core::option::Option<slab::Slab<u8>>", "Some(Slab)", "assert!(x.get().is_some());"),
            ("core::result::Result<u8, slab::Error>", "Ok(7)", "assert_eq!(x.get(), Ok(7));"),
            ("core::result::Result<u8, slab::Opaque>", "Ok(7)", "assert!(x.get().is_ok());"),
            ("core::result::Result<u8, slab::Odd>", "Ok(7)", "assert_eq!(x.get().unwrap(), 7);"),
            ("core::result::Result<(), slab::Odd>", "Ok(())", "assert!(x.get().is_ok());"),
            ("core::result::Result<u8, slab::Error>", "Err(Full)", "assert!(x.get().is_err());"),
            ("alloc::vec::Vec<u8>", "[]", "assert!(x.get().is_empty());"),
            ("&alloc::string::String", "\"a\"", "assert_eq!(x.get(), \"a\");"),
            ("&[u8]", "[1]", "assert_eq!(x.get(), &[1][..]);"),
            ("&mut u8", "1", "assert_eq!(*x.get(), 1);"),
            ("&mut alloc::string::String", "\"a\"", "assert_eq!(*x.get(), \"a\");"),
            ("&mut [u8]", "[1]", "assert_eq!(x.get(), &mut [1][..]);"),
        ] {
            assert_eq!(claim(ty, text).as_deref(), Some(expected), "{ty} {text}");
        }
        assert_eq!(claim("()", "()"), None);
        assert_eq!(claim("slab::Slab<u8>", "Slab { len: 0 }"), None);
    }

    #[test]
    fn a_subject_with_an_operator_is_enclosed() {
        assert_eq!(Claim::False.text("a == b", Style::Pretty), "assert!(!(a == b));");
        assert_eq!(Claim::Holds("is_nan").text("-x", Style::Pretty), "assert!((-x).is_nan());");
    }

    #[test]
    fn a_debug_text_is_quoted() {
        let claim = Claim::Shows("A { b: \"c\" }".into());
        assert_eq!(claim.text("a", Style::Pretty), r#"assert_eq!(format!("{:?}", a), "A { b: \"c\" }");"#);
    }
}
