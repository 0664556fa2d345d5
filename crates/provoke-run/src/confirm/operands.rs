//! The values that a broken clause is about, as far as they are known: what the program passed to the function that it called.
//!
//! A clause that another function of the crate breaks is about values that nobody has seen, and so is what the function would
//! have returned, had it not panicked.
//!
//! Decision: `docs/decisions/066-operands-as-far-as-they-were-seen.md`

use provoke_engine::{Activity, Api, Incident};
use provoke_model::{Clause, Function, Model, mentioned};
use provoke_report::Operand;
use provoke_wire::{Body, Mode, Program, StatementKind, TracedStep};

use crate::confirm::judge::BrokenClauses;

/// The operands of the clauses, in the order of the parameters. `seen` is what the values of the program were on the way.
pub fn operands(
    model: &Model,
    api: &Api,
    program: &Program,
    incident: &Incident,
    broken: &BrokenClauses,
    seen: &[TracedStep],
) -> Vec<Operand> {
    let body = &program.main;
    let statement = match body.statements.get(incident.at as usize) {
        Some(statement) if incident.activity == Activity::Call && statement.kind == StatementKind::Call => statement,
        _ => return Vec::new(),
    };
    let op = &api.ops[statement.op as usize];
    let called: Vec<usize> =
        [op.function, op.trait_function].into_iter().flatten().map(|place| place as usize).collect();
    let args = body.args_of(statement);
    let mut found: Vec<Option<Operand>> = vec![None; args.len()];
    for clause in &broken.clauses {
        let stands_at = model.function_of(&broken.file, clause);
        let is_its_own = |place: &usize| match stands_at {
            Some(other) => other == *place,
            None => is_own(&model.functions[*place], clause, broken),
        };
        let Some(function) = called.iter().copied().find(is_its_own).map(|place| &model.functions[place]) else {
            return Vec::new();
        };
        let names: Vec<&str> = function.signature.params.iter().map(|(name, _)| name.as_str()).collect();
        if names.len() != args.len() {
            return Vec::new();
        }
        for place in mentioned(&clause.condition, &names) {
            let value = last_seen(body, args[place].slot(), incident.at, seen);
            found[place] = value.map(|value| Operand {
                name: names[place].to_string(),
                value: value.to_string(),
                before_call: args[place].mode().is_exclusive(),
            });
        }
    }
    found.into_iter().flatten().collect()
}

/// Whether a clause is a function's own where lines do not tell: one of a whole impl is checked by each of its functions.
fn is_own(function: &Function, clause: &Clause, broken: &BrokenClauses) -> bool {
    broken.function == function.name && clause.function.is_none()
}

/// What was last seen of a value before a statement, unless something was done with it since that may have changed it.
fn last_seen<'s>(body: &Body, slot: u32, before: u32, seen: &'s [TracedStep]) -> Option<&'s str> {
    let step = seen.iter().rfind(|step| step.slot == slot && step.statement < before)?;
    let made_by = (0..body.statements.len()).find(|&index| body.slot_of(index) == slot);
    let is_literal = made_by.is_some_and(|index| body.statements[index].kind == StatementKind::Literal);
    let since = &body.statements[step.statement as usize + 1..before as usize];
    let may_change = |mode: Mode| match mode {
        Mode::RefMut | Mode::ReborrowMut => true,
        // A cell may be in it.
        Mode::Ref | Mode::Reborrow => !is_literal,
        Mode::Move | Mode::Copy => false,
    };
    let is_stale =
        since.iter().any(|other| body.args_of(other).iter().any(|arg| arg.slot() == slot && may_change(arg.mode())));
    (!is_stale).then_some(step.text.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use provoke_wire::{Arg, Literal};

    #[test]
    fn what_may_have_changed_since_it_was_seen_is_not_told() {
        let mut body = Body::default();
        let list = body.push_call(0, &[]);
        let number = body.push_literal(&Literal::I128(7));
        body.push_call(1, &[Arg::new(list, Mode::RefMut), Arg::new(number, Mode::Copy)]);
        body.push_call(2, &[Arg::new(list, Mode::Ref), Arg::new(number, Mode::Ref)]);
        let step = |statement, slot, text: &str| TracedStep { statement, slot, text: text.into() };
        let seen = [step(0, list, "[]"), step(1, number, "7"), step(2, list, "[7]"), step(3, list, "[7, 8]")];
        let told = |slot, before| last_seen(&body, slot, before, &seen[..3]);
        assert_eq!((told(list, 1), told(list, 2), told(list, 3)), (Some("[]"), Some("[]"), Some("[7]")));
        assert_eq!(told(list, 4), None, "it was lent, and a cell may be in it");
        assert_eq!(told(number, 4), Some("7"), "in a number there is none");
        assert_eq!(told(number, 1), None, "it was not there yet");
        assert_eq!(last_seen(&body, list, 4, &seen), Some("[7, 8]"), "it was seen again");
        assert_eq!(last_seen(&body, list, 3, &seen[..1]), None, "it was changed, and nobody saw to what");
    }
}
