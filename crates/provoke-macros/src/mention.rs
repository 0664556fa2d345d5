//! How the body of a spec mentions the function that it specifies.

use proc_macro2::{Ident, TokenStream, TokenTree};

pub enum Mention {
    /// A call by a path of plain names, of which this is all but the last one: `Self::`, or nothing.
    Call(TokenStream),
    /// As a method, or by a path with more in it.
    Other,
}

/// Without a receiver, nothing but a call in the body tells whether a function is one of an impl, so calls come first.
pub fn find(body: TokenStream, of: &Ident) -> Option<Mention> {
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    let mut found = None;
    for (token_idx, token) in tokens.iter().enumerate() {
        let mention = match token {
            TokenTree::Ident(ident) if ident == of => {
                Some(mention_between(&tokens[..token_idx], &tokens[token_idx + 1..]))
            }
            TokenTree::Group(group) => find(group.stream(), of),
            _ => None,
        };
        match mention {
            Some(Mention::Call(qualifier)) => return Some(Mention::Call(qualifier)),
            Some(Mention::Other) => found = Some(Mention::Other),
            None => {}
        }
    }
    found
}

/// Reads the path in front of a name backwards.
fn mention_between(before: &[TokenTree], after: &[TokenTree]) -> Mention {
    let mut start = before.len();
    while ends_with_separator(&before[..start]) && matches!(before[..start - 2], [.., TokenTree::Ident(_)]) {
        start -= 3;
    }
    let (rest, qualifier) = before.split_at(start);
    let is_method = matches!(rest, [.., dot] if is_punct(dot, '.'));
    if is_method || ends_with_separator(rest) || !is_called(after) {
        return Mention::Other;
    }
    Mention::Call(qualifier.iter().cloned().collect())
}

fn is_called(after: &[TokenTree]) -> bool {
    match after {
        [TokenTree::Group(_), ..] => true,
        [first, second, ..] => is_punct(first, ':') && is_punct(second, ':'),
        _ => false,
    }
}

fn ends_with_separator(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [.., first, second] if is_punct(first, ':') && is_punct(second, ':'))
}

fn is_punct(token: &TokenTree, char: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == char)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::format_ident;

    #[test]
    fn the_path_of_a_call_is_read() {
        let cases = [
            ("{ parse(a) }", Some("Call()")),
            ("let x = f(Self::parse(a));", Some("Call(Self ::)")),
            ("crate::deep::parse::<T>(a)", Some("Call(crate :: deep ::)")),
            ("let parse = 1; super::parse(a)", Some("Call(super ::)")),
            ("self.parse(a)", Some("Other")),
            ("<Self as Parse>::parse(a)", Some("Other")),
            ("List::<T>::parse(a)", Some("Other")),
            ("map(parse)", Some("Other")),
            ("self.parsed(a)", None),
        ];
        for (body, expected) in cases {
            let found = find(body.parse().unwrap(), &format_ident!("parse")).map(|mention| match mention {
                Mention::Call(qualifier) => format!("Call({qualifier})"),
                Mention::Other => "Other".to_owned(),
            });
            assert_eq!(found.as_deref(), expected, "{body}");
        }
    }
}
