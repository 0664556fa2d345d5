//! Laws that the same code breaks, so that a root cause is one finding: both directions of a comparison between two types, and the
//! types whose impls one macro call wrote (`Iter`, `IterMut` and `IntoIter` of a container).
//!
//! Decision: `docs/decisions/045-one-finding-per-place.md`

use std::collections::BTreeMap;

use provoke_codegen::PlannedOp;
use provoke_model::{FunctionHome, Model, Ty};
use provoke_wire::Table;

/// A question whether a law holds.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Question<'a> {
    oracle: &'a str,
    subject: &'a str,
    /// File, line and column of the method in question. For what a macro wrote it is the place of the macro call.
    written_at: Option<(&'a str, u32, u32)>,
    /// The method is one of a type of the crate itself.
    is_of_local_type: bool,
    /// Types of the values it is asked about.
    types: &'a [u32],
}

/// By operation: what stands for all subjects that are accused together. `None` for what is no law.
pub fn law_groups(model: &Model, ops: &[PlannedOp], table: &Table) -> Vec<Option<String>> {
    let questions: Vec<Option<Question<'_>>> =
        ops.iter().zip(&table.ops).map(|(op, signature)| question(model, op, &signature.args)).collect();
    groups(&questions)
}

fn groups(questions: &[Option<Question<'_>>]) -> Vec<Option<String>> {
    let known: Vec<&Question<'_>> = questions.iter().flatten().collect();
    let mut first_at: BTreeMap<_, &str> = BTreeMap::new();
    for question in known.iter().filter(|question| question.written_at.is_some()) {
        let first = first_at.entry((question.oracle, question.written_at)).or_insert(question.subject);
        *first = (*first).min(question.subject);
    }
    let group = |question: &Question<'_>| {
        let turned = known.iter().find(|other| is_turned_round(question, other));
        // A type of the crate rather than `str`; of two such the one that comes first.
        let preferred = turned.map_or(question, |turned| {
            let [own, others] = [question, turned].map(|question| (!question.is_of_local_type, question.subject));
            if others < own { turned } else { question }
        });
        let first = first_at.get(&(preferred.oracle, preferred.written_at)).copied();
        first.unwrap_or(preferred.subject).to_string()
    };
    questions.iter().map(|question| question.as_ref().map(group)).collect()
}

fn question<'a>(model: &'a Model, op: &'a PlannedOp, types: &'a [u32]) -> Option<Question<'a>> {
    let (oracle, subject) = (op.oracle.as_ref()?, op.accused.as_ref()?);
    let function = op.function.and_then(|index| model.functions.get(index));
    let self_type = match function.map(|function| &function.home) {
        Some(FunctionHome::Inherent { impl_idx } | FunctionHome::TraitImpl { impl_idx }) => {
            Some(&model.impls[*impl_idx].for_ty)
        }
        _ => None,
    };
    Some(Question {
        oracle,
        subject,
        written_at: function
            .and_then(|function| function.span.as_ref())
            .map(|span| (span.file.as_str(), span.line, span.column)),
        is_of_local_type: matches!(self_type, Some(Ty::Path { item, .. }) if model.item(*item).is_local),
        types,
    })
}

/// The same law about the same two types, asked from the other side.
fn is_turned_round(a: &Question<'_>, b: &Question<'_>) -> bool {
    match (a.types, b.types) {
        ([a1, a2], [b1, b2]) => a.oracle == b.oracle && a1 != a2 && (a1, a2) == (b2, b1),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked<'a>(subject: &'a str, line: u32, types: &'a [u32]) -> Question<'a> {
        let is_of_local_type = subject != "str";
        Question { oracle: "eq-symmetric", subject, written_at: Some(("src/lib.rs", line, 1)), is_of_local_type, types }
    }

    fn named(questions: &[Question<'_>]) -> Vec<String> {
        let questions: Vec<Option<Question<'_>>> = questions.iter().cloned().map(Some).collect();
        groups(&questions).into_iter().flatten().collect()
    }

    #[test]
    fn both_directions_between_two_types_are_one_group_named_by_a_type_of_the_crate() {
        assert_eq!(named(&[asked("Name", 1, &[7, 8]), asked("Label", 2, &[8, 7])]), ["Label", "Label"]);
        assert_eq!(named(&[asked("text::Text", 1, &[7, 9]), asked("str", 2, &[9, 7])]), ["text::Text", "text::Text"]);
    }

    #[test]
    fn a_std_type_does_not_tie_two_types_of_the_crate_together() {
        let questions =
            [asked("Name", 1, &[7, 9]), asked("str", 2, &[9, 7]), asked("Label", 3, &[8, 9]), asked("str", 4, &[9, 8])];
        assert_eq!(named(&questions), ["Name", "Name", "Label", "Label"]);
    }

    #[test]
    fn what_one_macro_call_wrote_is_one_group_for_each_law() {
        let other_law = Question { oracle: "hash-agrees", ..asked("IterMut", 5, &[3]) };
        let questions = [asked("IterMut", 5, &[1]), asked("Iter", 5, &[2]), asked("Other", 6, &[4]), other_law];
        assert_eq!(named(&questions), ["Iter", "Iter", "Other", "IterMut"]);
    }

    #[test]
    fn what_is_written_at_no_known_place_is_by_itself() {
        let nowhere = |subject| Question { written_at: None, ..asked(subject, 0, &[1]) };
        assert_eq!(named(&[nowhere("Iter"), nowhere("IterMut")]), ["Iter", "IterMut"]);
    }
}
