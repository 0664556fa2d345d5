//! `pre!` and `post!` in the body of a spec.
//!
//! They are looked for in the tokens and not in the syntax, so that they are found inside of other macros, too. There
//! are no macros of these names: only the attribute knows what function they are about.

use proc_macro2::{Delimiter, Group, Ident, Literal, TokenStream, TokenTree};
use quote::{quote_spanned, ToTokens};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Error, Expr, LitStr, Result, Token};

/// The body with every clause replaced by a check that panics where the condition stands.
pub fn written_out(body: TokenStream, of: &Ident) -> Result<TokenStream> {
    let mut tokens: Vec<TokenTree> = body.into_iter().collect();
    let mut token_idx = 0;
    while token_idx < tokens.len() {
        if let Some((side, group)) = clause_at(&tokens, token_idx) {
            let check = check(side, group, of)?;
            tokens.splice(token_idx..token_idx + 3, [TokenTree::Group(check)]);
        } else if let TokenTree::Group(group) = &tokens[token_idx] {
            if has_clause(group.stream()) {
                let mut written_out = Group::new(group.delimiter(), written_out(group.stream(), of)?);
                written_out.set_span(group.span());
                tokens[token_idx] = TokenTree::Group(written_out);
            }
        }
        token_idx += 1;
    }
    Ok(tokens.into_iter().collect())
}

/// Who has to see to it that a clause holds.
#[derive(Clone, Copy)]
enum Side {
    Caller,
    Function,
}

impl Side {
    fn of(macro_name: &Ident) -> Option<Side> {
        match macro_name.to_string().as_str() {
            "pre" => Some(Side::Caller),
            "post" => Some(Side::Function),
            _ => None,
        }
    }

    fn macro_name(self) -> &'static str {
        match self {
            Side::Caller => "pre",
            Side::Function => "post",
        }
    }

    /// Provoke knows broken clauses by these words.
    fn noun(self) -> &'static str {
        match self {
            Side::Caller => "Pre-condition",
            Side::Function => "Post-condition",
        }
    }
}

/// Groups that need not be touched keep the spans of their brackets.
fn has_clause(tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    tokens.iter().enumerate().any(|(token_idx, token)| match token {
        TokenTree::Group(group) => has_clause(group.stream()),
        _ => clause_at(&tokens, token_idx).is_some(),
    })
}

/// `pre ! ( … )`; a macro that is called by a path (`other::pre!`) is somebody else's.
fn clause_at(tokens: &[TokenTree], token_idx: usize) -> Option<(Side, &Group)> {
    let [TokenTree::Ident(name), TokenTree::Punct(bang), TokenTree::Group(group), ..] = &tokens[token_idx..] else {
        return None;
    };
    let before = token_idx.checked_sub(1).map(|idx| &tokens[idx]);
    let has_path = matches!(before, Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    let side = Side::of(name)?;
    (bang.as_char() == '!' && !has_path).then_some((side, group))
}

fn check(side: Side, group: &Group, of: &Ident) -> Result<Group> {
    let name = side.macro_name();
    if group.stream().is_empty() {
        return Err(Error::new(group.span(), format!("`{name}!` needs a condition: `{name}!(!self.is_empty())`")));
    }
    let parse = |input: ParseStream| parse_clause(input, name);
    let (condition, message) = parse.parse2(group.stream())?;
    let text = text(group, &condition, message.as_ref());
    let message = message.map(|message| message.value() + ": ").unwrap_or_default();
    let panic_text = format!("{} of {} violated: {message}{text}", side.noun(), of.unraw());
    // A panic is located where the tokens that raise it stand. Only the first token will do, because spans cannot be
    // joined on stable; it is not moved to the macro's own context, or the attribute would be the place.
    let start = condition.to_token_stream().into_iter().next().map_or_else(|| group.span(), |token| token.span());
    let mut panic_text = Literal::string(&panic_text);
    panic_text.set_span(start);
    let check = quote_spanned! {start=>
        let holds: bool = #condition;
        if !holds {
            ::core::panic!("{}", #panic_text)
        }
    };
    let mut check = Group::new(Delimiter::Brace, check);
    check.set_span(start);
    Ok(check)
}

fn parse_clause(input: ParseStream, name: &str) -> Result<(Expr, Option<LitStr>)> {
    let condition = input.parse()?;
    if !input.is_empty() {
        input.parse::<Token![,]>()?;
    }
    if input.is_empty() {
        return Ok((condition, None));
    }
    let Ok(message) = input.parse::<LitStr>() else {
        return Err(input.error(format!("the message of `{name}!` is a string literal")));
    };
    input.parse::<Option<Token![,]>>()?;
    if !input.is_empty() {
        return Err(input.error(format!("`{name}!` takes a condition and a message, nothing else")));
    }
    Ok((condition, Some(message)))
}

/// The condition as it is written, on one line; where the source is not to be had (inside of some macros), as tokens.
fn text(group: &Group, condition: &Expr, message: Option<&LitStr>) -> String {
    let tokens = condition.to_token_stream().to_string();
    let Some(source) = source(group, message) else { return tokens };
    // A span may point at the wrong text if another macro made it.
    match source.parse::<TokenStream>() {
        Ok(parsed) if without_spaces(&parsed.to_string()) == without_spaces(&tokens) => {
            source.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
        }
        _ => tokens,
    }
}

/// Where tokens have spaces between them depends on where they come from.
fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}

/// What stands between the brackets, without the message. Taken from the brackets, because the span of a condition
/// would have to be joined from those of its tokens.
fn source(group: &Group, message: Option<&LitStr>) -> Option<String> {
    let text = group.span().source_text()?;
    let text = text.trim().strip_prefix(['(', '[', '{'])?.strip_suffix([')', ']', '}'])?.trim_end();
    let text = text.strip_suffix(',').unwrap_or(text).trim_end();
    let text = match message {
        Some(message) => text.strip_suffix(&message.span().source_text()?)?.trim_end().strip_suffix(',')?,
        None => text,
    };
    Some(text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::format_ident;

    fn panic_texts(body: &str) -> Vec<String> {
        let tokens = written_out(body.parse().unwrap(), &format_ident!("get")).unwrap();
        let mut texts = Vec::new();
        collect_panic_texts(tokens, &mut texts);
        texts
    }

    fn collect_panic_texts(tokens: TokenStream, texts: &mut Vec<String>) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => collect_panic_texts(group.stream(), texts),
                TokenTree::Literal(literal) => {
                    let text = syn::parse_str::<LitStr>(&literal.to_string()).map(|text| text.value());
                    texts.extend(text.ok().filter(|text| text.contains("condition")));
                }
                _ => {}
            }
        }
    }

    #[test]
    fn clauses_are_found_wherever_they_stand_and_told_as_written() {
        let cases = [
            ("pre!(a>1);", "Pre-condition of get violated: a>1"),
            ("post! { a  ==  b }", "Post-condition of get violated: a  ==  b"),
            ("if x { pre!(a) }", "Pre-condition of get violated: a"),
            ("let f = |x| { post!(x.is_some(),); x };", "Post-condition of get violated: x.is_some()"),
            ("vec![pre!(f(a, b))]", "Pre-condition of get violated: f(a, b)"),
            ("pre!(n < 3, \"at most two\")", "Pre-condition of get violated: at most two: n < 3"),
            ("pre!(n < 3, r#\"a \"b\"\"# , )", "Pre-condition of get violated: a \"b\": n < 3"),
            ("pre!(\n  a &&\n\n  b\n)", "Pre-condition of get violated: a && b"),
            ("post!(s == \"{}\")", "Post-condition of get violated: s == \"{}\""),
            ("pre!(a /* , */, \"b\")", "Pre-condition of get violated: b: a /* , */"),
        ];
        for (body, expected) in cases {
            assert_eq!(panic_texts(body), [expected], "{body}");
        }
    }

    #[test]
    fn without_the_source_the_tokens_are_told() {
        let tokens = written_out(quote::quote!(pre!(a.len() > 1, "m");), &format_ident!("r#try")).unwrap();
        let mut texts = Vec::new();
        collect_panic_texts(tokens, &mut texts);
        assert_eq!(texts, ["Pre-condition of try violated: m: a . len () > 1"]);
    }

    #[test]
    fn what_only_looks_like_a_clause_stays_as_it_is() {
        for body in
            ["pre(a)", "other :: pre ! (a)", "a . pre != (b)", "macro_rules ! pre { () => { } }", "prefix ! (a)"]
        {
            let body: TokenStream = body.parse().unwrap();
            let text = body.to_string();
            assert_eq!(written_out(body, &format_ident!("get")).unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_wrong_clause_is_answered_by_what_is_wrong() {
        for (body, expected) in [
            ("pre!()", "`pre!` needs a condition"),
            ("{ post!(a, b) }", "the message of `post!` is a string literal"),
            ("pre!(a, \"{}\", b)", "`pre!` takes a condition and a message, nothing else"),
            ("pre!(a b)", "expected `,`"),
        ] {
            let error = written_out(body.parse().unwrap(), &format_ident!("get")).unwrap_err();
            assert!(error.to_string().contains(expected), "{body}: {error}");
        }
    }
}
