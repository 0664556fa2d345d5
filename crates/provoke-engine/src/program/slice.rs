//! Which statements of a body the value or the failure of one of them comes from.

use provoke_wire::{Arg, Body, StatementKind};

/// By statement: whether the required one is made from it, or, `with_changes`, from something that it may have changed.
/// `instead` names a slot and the one that is to stand in for it.
pub fn needed_by(body: &Body, required: usize, with_changes: bool, instead: Option<(usize, usize)>) -> Vec<bool> {
    let stand_in = |slot: usize| match instead {
        Some((later, earlier)) if slot == later => earlier,
        _ => slot,
    };
    walk(body, required, |_| with_changes, stand_in, |_| true)
}

/// The same where the value of one statement comes from elsewhere: nothing is needed to make it, and, unless
/// `with_changes`, nobody who changes it.
pub fn needed_without(body: &Body, required: usize, made_elsewhere: usize, with_changes: bool) -> Vec<bool> {
    let counts_changes_of = |slot| with_changes || slot != made_elsewhere;
    walk(body, required, counts_changes_of, |slot| slot, |index| index != made_elsewhere)
}

/// By statement: whether it serves nothing but to make the values of the given statements, apart from those themselves and
/// from `spared`.
pub fn serving_only(body: &Body, made_elsewhere: &[usize], spared: Option<usize>) -> Vec<bool> {
    let mut serves_only = vec![false; body.statements.len()];
    // Whether a statement that stays uses the slot, and whether one that goes does.
    let mut is_used = vec![[false; 2]; body.statements.len()];
    for index in (0..body.statements.len()).rev() {
        let is_replaced = made_elsewhere.contains(&index);
        let [by_stayers, by_goers] = is_used[index];
        serves_only[index] = !is_replaced && spared != Some(index) && by_goers && !by_stayers;
        let goes = is_replaced || serves_only[index];
        let statement = &body.statements[index];
        // Drops go with what they drop.
        if statement.kind != StatementKind::Drop {
            for arg in body.args_of(statement) {
                if let Some(uses) = is_used.get_mut(arg.slot() as usize) {
                    uses[usize::from(goes)] = true;
                }
            }
        }
    }
    serves_only
}

fn walk(
    body: &Body,
    required: usize,
    counts_changes_of: impl Fn(usize) -> bool,
    stand_in: impl Fn(usize) -> usize,
    needs_args: impl Fn(usize) -> bool,
) -> Vec<bool> {
    let mut needed = vec![false; body.statements.len()];
    if let Some(place) = needed.get_mut(required) {
        *place = true;
    }
    for index in (0..body.statements.len()).rev() {
        let statement = &body.statements[index];
        let changes = |arg: &Arg| {
            let slot = arg.slot() as usize;
            arg.mode().is_exclusive() && needed.get(slot) == Some(&true) && counts_changes_of(slot)
        };
        if body.args_of(statement).iter().any(changes) {
            needed[index] = true;
        }
        if needed[index] && needs_args(index) {
            for arg in body.args_of(statement) {
                if let Some(place) = needed.get_mut(stand_in(arg.slot() as usize)) {
                    *place = true;
                }
            }
        }
    }
    needed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::sample;

    fn marked(text: &str, mark: impl Fn(&Body) -> Vec<bool>) -> String {
        let body = sample::body(&sample::api(), text);
        mark(&body).iter().map(|&is_marked| if is_marked { 'x' } else { '.' }).collect()
    }

    #[test]
    fn changes_count_only_if_asked_for() {
        let text = "x = make; touch &mut x; y = make; touch &mut y; look &x";
        assert_eq!(marked(text, |body| needed_by(body, 4, true, None)), "xx..x");
        assert_eq!(marked(text, |body| needed_by(body, 4, false, None)), "x...x");
    }

    #[test]
    fn nothing_is_needed_for_what_is_made_elsewhere() {
        let text = "x = make; n = look &x; v = view &x; touch &mut x; number =n";
        assert_eq!(marked(text, |body| needed_without(body, 4, 1, true)), ".x..x");
        let text = "x = make; touch &mut x; look &x";
        assert_eq!(marked(text, |body| needed_without(body, 2, 0, true)), "xxx");
        assert_eq!(marked(text, |body| needed_without(body, 2, 0, false)), "x.x");
    }

    #[test]
    fn what_others_use_too_serves_not_only_one() {
        let text = "x = make; y = make; n = look2 &x &y; drop y; look &x; number =n";
        assert_eq!(marked(text, |body| serving_only(body, &[2], None)), ".x....");
        assert_eq!(marked(text, |body| serving_only(body, &[2], Some(1))), "......");
        assert_eq!(marked(text, |body| serving_only(body, &[2, 4], None)), "xx....");
    }
}
