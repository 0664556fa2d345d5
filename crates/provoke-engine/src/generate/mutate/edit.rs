//! Which changes are made to a program, and where.

use provoke_wire::{Body, LiteralKind, Statement, StatementKind};

use crate::generate::builder::MAX_STATEMENTS;
use crate::rng::Rng;

/// Changes that are made to one program at most.
const MAX_EDITS: usize = 6;
/// How often a call is repeated at most.
const MAX_REPEAT: usize = 100;
/// How many statements are looked at to find a suitable one.
const TRIES: usize = 6;

/// One change at a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The number of statements stands for the end of the program.
    pub at: usize,
    pub change: EditedLiteral,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditedLiteral {
    /// Another value of the same kind.
    Literal,
    /// Another argument at this place.
    Argument(usize),
    /// Another one that the program has already.
    Alias(usize),
    /// Another one that is like it.
    Twin(usize),
    /// A new call before the statement.
    Insert,
    /// The statement goes.
    Remove,
    /// The call is made again so often.
    Repeat(usize),
    /// The statement is only run right before a later one.
    Delay(usize),
}

/// Chooses one change half of the time, and ever more with ever less chance. In order of their statements.
///
/// Of 100 changes of a program with literals, 55 are of a literal, 14 of a whole argument, 11 insert a call, 7 remove a
/// statement, 7 repeat a call and 6 delay one.
pub fn choose_edits(body: &Body, rng: &mut Rng, out: &mut Vec<Edit>) {
    out.clear();
    for _ in 0..MAX_EDITS {
        out.extend(choose_edit(body, rng));
        if rng.percent(50) {
            break;
        }
    }
    out.sort_by_key(|edit| edit.at);
}

fn choose_edit(body: &Body, rng: &mut Rng) -> Option<Edit> {
    let chosen = match rng.below(100) {
        0..=54 => change_of_literal(body, rng),
        55..=68 => change_of_argument(body, rng),
        69..=79 => None,
        80..=86 => {
            find(body, rng, |s| s.kind != StatementKind::Drop).map(|at| Edit { at, change: EditedLiteral::Remove })
        }
        87..=93 => repetition(body, rng),
        _ => delay(body, rng),
    };
    Some(chosen.unwrap_or_else(|| Edit { at: rng.below(body.statements.len() + 1), change: EditedLiteral::Insert }))
}

/// Texts have more to change about them than numbers, and are chosen as often as three of them.
fn change_of_literal(body: &Body, rng: &mut Rng) -> Option<Edit> {
    let mut total = 0;
    let mut chosen = None;
    for (at, statement) in body.statements.iter().enumerate() {
        if statement.kind != StatementKind::Literal {
            continue;
        }
        let weight = match LiteralKind::from_code(statement.op) {
            None | Some(LiteralKind::Unit) => continue,
            Some(LiteralKind::Str | LiteralKind::String | LiteralKind::Bytes) => 3,
            Some(_) => 1,
        };
        total += weight;
        if rng.below(total) < weight {
            chosen = Some(Edit { at, change: EditedLiteral::Literal });
        }
    }
    chosen
}

fn change_of_argument(body: &Body, rng: &mut Rng) -> Option<Edit> {
    let at = find(body, rng, |s| s.kind == StatementKind::Call && s.n_args > 0)?;
    let nth = rng.below(body.statements[at].n_args as usize);
    Some(Edit { at, change: EditedLiteral::Argument(nth) })
}

/// Mostly a few times, few times so often that a container has to grow.
fn repetition(body: &Body, rng: &mut Rng) -> Option<Edit> {
    let changes_something = |s: &Statement| body.args_of(s).iter().any(|arg| arg.mode().is_exclusive());
    let is_call = |s: &Statement| s.kind == StatementKind::Call;
    // Without an effect, doing it again is rarely of use.
    let at = find(body, rng, |s| is_call(s) && changes_something(s));
    let at = at.or_else(|| if rng.percent(25) { find(body, rng, is_call) } else { None })?;
    let n_times = match rng.below(8) {
        0 => 1 + rng.below(MAX_REPEAT),
        1..=2 => 1 + rng.below(16),
        _ => 1 + rng.below(3),
    };
    // What was made anew for each of them counts too.
    let room = MAX_STATEMENTS.saturating_sub(body.statements.len()) / (1 + body.statements[at].n_args as usize);
    (room > 0).then(|| Edit { at, change: EditedLiteral::Repeat(n_times.min(room)) })
}

/// Up to the first use of its result, or the end.
fn delay(body: &Body, rng: &mut Rng) -> Option<Edit> {
    let at = find(body, rng, |s| s.kind == StatementKind::Call)?;
    let is_user = |s: &Statement| body.args_of(s).iter().any(|arg| arg.slot() as usize == at);
    let rest = &body.statements[at + 1..];
    let n_between = rest.iter().position(is_user).unwrap_or(rest.len());
    (n_between > 0).then(|| Edit { at, change: EditedLiteral::Delay(at + 2 + rng.below(n_between)) })
}

/// A statement of a sort, chosen by chance.
fn find(body: &Body, rng: &mut Rng, is_wanted: impl Fn(&Statement) -> bool) -> Option<usize> {
    (0..TRIES).map(|_| rng.below(body.statements.len())).find(|&at| is_wanted(&body.statements[at]))
}
