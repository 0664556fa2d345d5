//! Which names of a function the condition of a clause mentions.

use proc_macro2::{Spacing, TokenStream, TokenTree};

/// The places of those names that a condition mentions, not counting fields, paths, and what the condition itself names so.
pub fn mentioned(condition: &str, names: &[&str]) -> Vec<usize> {
    let Ok(tokens) = condition.parse::<TokenStream>() else { return Vec::new() };
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let (pattern, rest) = split_closure(&tokens);
    let is_renamed = |name: &str| pattern.iter().any(|token| holds(token, name));
    let is_there = |name: &str| !is_renamed(name) && stands_alone(rest, name);
    (0..names.len()).filter(|&place| is_there(names[place])).collect()
}

/// `|ref result| result > 0`: the name that a condition has for the result, and what it says.
fn split_closure(tokens: &[TokenTree]) -> (&[TokenTree], &[TokenTree]) {
    let is_bar = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == '|');
    match tokens {
        [first, rest @ ..] if is_bar(first) => match rest.iter().position(is_bar) {
            Some(end) => (&rest[..end], &rest[end + 1..]),
            None => (&[], tokens),
        },
        _ => (&[], tokens),
    }
}

fn holds(token: &TokenTree, name: &str) -> bool {
    match token {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => group.stream().into_iter().any(|token| holds(&token, name)),
        _ => false,
    }
}

/// Whether a name is there, and not as a field of something (`a.name`, but `..name`) or as a part of a path (`a::name`, `name::b`).
fn stands_alone(tokens: &[TokenTree], name: &str) -> bool {
    let is_punct = |at: Option<usize>, wanted: char| {
        let token = at.and_then(|at| tokens.get(at));
        matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
    };
    let is_path_sign = |at: Option<usize>| {
        let token = at.and_then(|at| tokens.get(at));
        let is_joint = matches!(token, Some(TokenTree::Punct(punct)) if punct.spacing() == Spacing::Joint);
        is_joint && is_punct(at, ':') && is_punct(at.map(|at| at + 1), ':')
    };
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Ident(ident) => {
            let is_field = is_punct(at.checked_sub(1), '.') && !is_punct(at.checked_sub(2), '.');
            let is_in_path = is_path_sign(at.checked_sub(2)) || is_path_sign(Some(at + 1));
            ident == name && !is_field && !is_in_path
        }
        TokenTree::Group(group) => stands_alone(&group.stream().into_iter().collect::<Vec<_>>(), name),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clause_is_about_the_operands_that_it_mentions() {
        let names = ["self", "amount", "level"];
        let shown = |condition: &str| -> String {
            mentioned(condition, &names).into_iter().map(|place| format!("{} ", names[place])).collect()
        };
        let cases = [
            ("ret <= old(self.balance())", "self "),
            ("amount > 0 && amount <= self.level", "self amount "),
            ("ret.is_some() -> matches!(level, 1..=9)", "level "),
            ("(0..amount).contains(&1)", "amount "),
            ("|ref cistern| cistern.level == level", "level "),
            ("|level| level > amount", "amount "),
            ("|(level, rest)| level > rest", ""),
            ("amount::MAX > a::level && b.amount()", ""),
            ("amount: Spec!(Even, inout)", "amount "),
            ("-> Spec!(Even)", ""),
            ("LIMIT > 3", ""),
            ("\"amount\" != text", ""),
            ("(amount", ""),
        ];
        for (condition, wanted) in cases {
            assert_eq!(shown(condition), wanted, "{condition}");
        }
    }
}
