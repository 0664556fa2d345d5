//! Texts that a witness gets from calls, written out.
//!
//! What a crate prints, it can often read, and what it reads in this way may be the first to reach something: then no literal of the
//! witness says anything about it, and neither changing nor aiming gets any further. So the text becomes a literal.
//!
//! Decision: `docs/decisions/038-texts-from-calls-become-literals.md`

use std::collections::BTreeSet;

use provoke_api::OpRole;
use provoke_wire::{Body, Literal, LiteralKind, MadeText, StatementKind};
use serde::{Deserialize, Serialize};

use crate::api::Api;
use crate::api::graph::Graph;
use crate::hash::seen::checksum;
use crate::program::rebuild::{StatementFate, rebuild, slot_type};
use crate::program::slice::needed_without;

/// Texts that are written out in one search.
const MAX_TEXTS: usize = 1024;

/// Which texts were written out.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct HarvestedTexts {
    known: BTreeSet<u64>,
}

impl HarvestedTexts {
    /// What is left of a program where each text that a call made and another one used is a literal; texts that are new only.
    pub(crate) fn spell_out(&mut self, api: &Api, graph: &Graph, body: &Body, texts: &[MadeText]) -> Vec<Body> {
        let mut spelled = Vec::new();
        for made in texts {
            if made.text.is_empty() || self.known.len() >= MAX_TEXTS {
                continue;
            }
            if let Some(body) = with_text(api, graph, body, made)
                && self.known.insert(checksum(made.text.as_bytes()))
            {
                spelled.push(body);
            }
        }
        spelled
    }
}

/// The last call of a function that the text is passed to, with all that it needs. `None` if there is none.
fn with_text(api: &Api, graph: &Graph, body: &Body, made: &MadeText) -> Option<Body> {
    let at = made.slot as usize;
    let user = body.statements.iter().rposition(|statement| {
        statement.kind == StatementKind::Call
            && api.ops[statement.op as usize].role == OpRole::Function
            && body.args_of(statement).iter().any(|arg| arg.slot() == made.slot)
    })?;
    let literal = match graph.literal(slot_type(api, body.statements.get(at)?)?)? {
        LiteralKind::Str => Literal::Str(made.text.clone()),
        LiteralKind::String => Literal::String(made.text.clone()),
        _ => return None,
    };
    let needed = needed_without(body, user, at, true);
    rebuild(api, body, user, |index| match needed[index] {
        _ if index == at => StatementFate::BecomeLiteral(literal.clone()),
        true => StatementFate::Keep,
        false => StatementFate::Remove,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{sample, saved_and_read};

    /// The program with what `take_text` is given written out, as often as it is asked for.
    fn spelled(harvested: &mut HarvestedTexts, program: &str, texts: &[(u32, &str)]) -> Vec<Body> {
        let mut api = sample::api();
        let text = api.ops.iter().find(|op| op.key == "text").unwrap().clone();
        api.ops.push(crate::api::Op { key: "take_text".into(), args: vec![11, 3], result: 3, ..text });
        let made: Vec<MadeText> = texts.iter().map(|&(slot, text)| MadeText { slot, text: text.into() }).collect();
        harvested.spell_out(&api, &Graph::new(&api), &sample::body(&api, program), &made)
    }

    #[test]
    fn what_a_call_made_and_another_one_used_becomes_a_literal() {
        let mut harvested = HarvestedTexts::default();
        let program = "a = \"a\"; s = text =a; x = make; y = make; z = take_text s y; take z; take x";
        let found = spelled(&mut harvested, program, &[(1, "[a]")]);
        let mut wanted = Body::default();
        let text = wanted.push_literal(&Literal::String("[a]".into()));
        let made = wanted.push_call(0, &[]);
        let by_move = |slot| provoke_wire::Arg::new(slot, provoke_wire::Mode::Move);
        wanted.push_call(27, &[by_move(text), by_move(made)]);
        assert_eq!(found, [wanted]);
        assert_eq!(spelled(&mut harvested, program, &[(1, "[a]")]), [], "each text once");
        assert_eq!(spelled(&mut harvested, program, &[(1, "")]), [], "nothing to change about it");
        assert_eq!(spelled(&mut harvested, "a = \"a\"; s = text =a; make", &[(1, "[b]")]), [], "nobody uses it");
    }

    #[test]
    fn texts_that_were_written_out_are_saved() {
        let harvested = HarvestedTexts { known: [3, u64::MAX].into() };
        assert_eq!(saved_and_read(&harvested).known, harvested.known);
    }
}
