//! Statements broken over lines the way rustfmt does it with its default settings.
//!
//! Only what emitted tests contain is covered: calls, chains, lists, closures with blocks, `let` and `for`.

pub mod expression;

use crate::emit::layout::expression::{Expr, Link, List, SourceStatement, closing, parse_expression, parse_statement};

/// rustfmt's `max_width`.
pub const MAX_WIDTH: usize = 100;
/// rustfmt's `fn_call_width`, `array_width` and `chain_width`.
const LIST_WIDTH: usize = 60;
/// rustfmt's `struct_lit_width`.
const STRUCT_WIDTH: usize = 18;
/// rustfmt's `short_array_element_width_threshold`.
const SHORT_ELEMENT_WIDTH: usize = 10;
const INDENT: usize = 4;

/// Lays out one statement, its first line indented too.
pub fn format_statement(source: &str, indent: usize) -> String {
    format!("{}{}", spaces(indent), statement(&parse_statement(source), indent))
}

/// Whether rustfmt leaves the expression on one line, if the line has `available` columns for it.
pub fn fits_one_line(source: &str, available: usize) -> bool {
    one_line(&parse_expression(source)).is_some_and(|line| width(&line) <= available)
}

fn spaces(n: usize) -> String {
    " ".repeat(n)
}

fn width(text: &str) -> usize {
    text.chars().count()
}

fn statement(statement: &SourceStatement, indent: usize) -> String {
    match statement {
        SourceStatement::Let(head, value) => format!("{head} ={};", right_hand_side(value, indent, width(head) + 2)),
        SourceStatement::Loop(head, body) => format!("{head} {}", block(body, indent)),
        SourceStatement::Semi(expr) => format!("{};", expression(expr, indent, indent, 1)),
        SourceStatement::Tail(expr) => expression(expr, indent, indent, 0),
    }
}

fn block(statements: &[SourceStatement], indent: usize) -> String {
    if statements.is_empty() {
        return "{}".to_string();
    }
    let mut out = "{\n".to_string();
    for inner in statements {
        out.push_str(&spaces(indent + INDENT));
        out.push_str(&statement(inner, indent + INDENT));
        out.push('\n');
    }
    out + &spaces(indent) + "}"
}

/// What follows the `=`: on the same line, or on the next one if it then needs fewer lines.
fn right_hand_side(value: &Expr, indent: usize, head_width: usize) -> String {
    let same_line = expression(value, indent, indent + head_width + 1, 1);
    let is_good = !same_line.contains('\n') && indent + head_width + 1 + width(&same_line) < MAX_WIDTH;
    if !is_good {
        let inner = indent + INDENT;
        let next_line = expression(value, inner, inner, 1);
        let fits = |text: &str, start: usize| start + text.lines().next().map_or(0, width) <= MAX_WIDTH;
        let is_better = !next_line.contains('\n') || !fits(&same_line, indent + head_width + 1);
        if is_better && fits(&format!("{next_line};"), inner) {
            return format!("\n{}{next_line}", spaces(inner));
        }
    }
    format!(" {same_line}")
}

/// The expression on one line, unless rustfmt would break it however wide the page.
fn one_line(expr: &Expr) -> Option<String> {
    Some(match expr {
        Expr::Text(text) => text.clone(),
        Expr::Prefix(operator, inner) => format!("{operator}{}", one_line(inner)?),
        Expr::List(list) => {
            let items = one_line_items(&list.items)?;
            let limit = if list.open == '{' { STRUCT_WIDTH } else { LIST_WIDTH };
            let is_alone = list.items.len() == 1 && list.open != '{';
            if width(&items) > limit && !is_alone {
                return None;
            }
            enclosed(list, &items)
        }
        Expr::Chain(root, links) => {
            let mut line = one_line(root)?;
            for link in links {
                line.push_str(&link.name);
                if let Some(arguments) = &link.arguments {
                    let items = one_line_items(arguments)?;
                    if width(&items) > LIST_WIDTH && arguments.len() > 1 {
                        return None;
                    }
                    line.push_str(&format!("({items})"));
                }
                line.push_str(&link.suffix);
            }
            if links.len() > 1 && width(&line) > LIST_WIDTH {
                return None;
            }
            line
        }
        Expr::Closure(head, body) => format!("{head} {}", one_line(body)?),
        Expr::Block(statements) => {
            if !statements.is_empty() {
                return None;
            }
            "{}".to_string()
        }
    })
}

fn one_line_items(items: &[Expr]) -> Option<String> {
    let items: Option<Vec<String>> = items.iter().map(one_line).collect();
    Some(items?.join(", "))
}

fn enclosed(list: &List, items: &str) -> String {
    let List { head, open, .. } = list;
    match open {
        '{' if items.is_empty() => format!("{head} {{}}"),
        '{' => format!("{head} {{ {items} }}"),
        _ => format!("{head}{open}{items}{}", closing(*open)),
    }
}

/// The expression from column `column` on, in a line indented by `indent`, with `tail` more columns to follow it.
fn expression(expr: &Expr, indent: usize, column: usize, tail: usize) -> String {
    if let Some(line) = one_line(expr)
        && column + width(&line) + tail <= MAX_WIDTH
    {
        return line;
    }
    match expr {
        Expr::Text(text) => text.clone(),
        Expr::Prefix(operator, inner) => {
            format!("{operator}{}", expression(inner, indent, column + width(operator), tail))
        }
        Expr::List(list) => broken_list(&list.head, list, indent, column).unwrap_or_else(|| unbroken(expr)),
        Expr::Chain(root, links) => chain(root, links, indent, column).unwrap_or_else(|| unbroken(expr)),
        Expr::Closure(head, body) => match &**body {
            Expr::Block(statements) => format!("{head} {}", block(statements, indent)),
            body => format!("{head} {}", block(&[SourceStatement::Tail(body.clone())], indent)),
        },
        Expr::Block(statements) => block(statements, indent),
    }
}

/// `before` and the brackets, broken; `None` if a line would be too long even so, in which case rustfmt gives up.
fn broken_list(before: &str, list: &List, indent: usize, column: usize) -> Option<String> {
    let close = closing(list.open);
    let gap = if list.open == '{' { " " } else { "" };
    if let Some(overflowing) = closure_last(before, list, indent, column) {
        return Some(overflowing);
    }
    let inner = indent + INDENT;
    let mut out = format!("{before}{gap}{}\n", list.open);
    let lines: Vec<String> = list.items.iter().map(|item| expression(item, inner, inner, 1)).collect();
    let is_too_wide = |text: &String| {
        text.lines().enumerate().any(|(idx, line)| {
            let start = if idx == 0 { inner } else { 0 };
            start + width(line) + 1 > MAX_WIDTH
        })
    };
    if lines.iter().any(is_too_wide) {
        return None;
    }
    let is_short = |(item, line): (&Expr, &String)| is_simple(item) && width(line) <= SHORT_ELEMENT_WIDTH;
    if list.open != '{' && list.items.iter().zip(&lines).all(is_short) {
        out.push_str(&filled(&lines, inner));
    } else {
        // rustfmt adds no comma to the arguments of a macro.
        let last_comma = if before.ends_with('!') && list.open == '(' { "" } else { "," };
        for (idx, line) in lines.iter().enumerate() {
            let comma = if idx + 1 < lines.len() { "," } else { last_comma };
            out.push_str(&format!("{}{line}{comma}\n", spaces(inner)));
        }
    }
    Some(format!("{out}{}{close}", spaces(indent)))
}

/// A literal or a variable, perhaps behind an operator.
fn is_simple(expr: &Expr) -> bool {
    match expr {
        Expr::Text(text) => !text.contains("::") && !text.contains([' ', '[', '(']),
        Expr::Prefix(operator, inner) => !operator.ends_with(": ") && is_simple(inner),
        _ => false,
    }
}

/// Short elements, as many to a line as there is room for.
fn filled(elements: &[String], indent: usize) -> String {
    let mut out = String::new();
    let mut column = 0;
    for (idx, element) in elements.iter().enumerate() {
        let comma = if idx + 1 < elements.len() || !out.is_empty() { "," } else { "" };
        let needed = width(element) + comma.len();
        if column == 0 {
            out.push_str(&spaces(indent));
            column = indent;
        } else if column + 1 + needed > MAX_WIDTH {
            out.push('\n');
            out.push_str(&spaces(indent));
            column = indent;
        } else {
            out.push(' ');
            column += 1;
        }
        out.push_str(element);
        out.push_str(comma);
        column += needed;
    }
    out + "\n"
}

/// A closure as the last argument opens its block on the line of the call.
fn closure_last(before: &str, list: &List, indent: usize, column: usize) -> Option<String> {
    let (last, others) = list.items.split_last()?;
    if list.open != '(' || !ends_in_closure(last) {
        return None;
    }
    let others = one_line_items(others)?;
    let joint = if others.is_empty() { "" } else { ", " };
    let start = format!("{before}({others}{joint}");
    let body = expression(last, indent, column + width(&start), 1);
    let first_line = body.lines().next().unwrap_or_default();
    let is_open = body.contains('\n') && column + width(&start) + width(first_line) <= MAX_WIDTH;
    is_open.then(|| format!("{start}{body})"))
}

fn ends_in_closure(expr: &Expr) -> bool {
    match expr {
        Expr::Closure(..) => true,
        Expr::Prefix(_, inner) => ends_in_closure(inner),
        _ => false,
    }
}

fn chain(root: &Expr, links: &[Link], indent: usize, column: usize) -> Option<String> {
    let (last, firsts) = links.split_last()?;
    let has_closure = last.arguments.as_ref().and_then(|arguments| arguments.last()).is_some_and(ends_in_closure);
    if (firsts.is_empty() || has_closure) && last.suffix.is_empty() {
        let mut before = one_line(root)?;
        for link in firsts {
            before.push_str(&link_text(link, indent + INDENT, 0)?);
        }
        before.push_str(&last.name);
        if width(&before) <= LIST_WIDTH || firsts.is_empty() {
            return broken_list(&before, &arguments_of(last)?, indent, column);
        }
    }
    let inner = indent + INDENT;
    let mut out = expression(root, indent, column, 0);
    // A root as narrow as the indent keeps its first link.
    let n_joined = usize::from(!out.contains('\n') && width(&out) <= INDENT);
    for (idx, link) in links.iter().enumerate() {
        let at = if idx < n_joined { column + width(&out) } else { inner };
        let text = link_text(link, inner, at)?;
        if idx >= n_joined {
            out.push_str(&format!("\n{}", spaces(inner)));
        }
        out.push_str(&text);
    }
    Some(out)
}

fn link_text(link: &Link, indent: usize, column: usize) -> Option<String> {
    let Some(arguments) = &link.arguments else {
        return Some(format!("{}{}", link.name, link.suffix));
    };
    let list = arguments_of(link)?;
    let call = match one_line_items(arguments) {
        Some(items)
            if (arguments.len() == 1 || width(&items) <= LIST_WIDTH)
                && column + width(&link.name) + width(&items) + 3 <= MAX_WIDTH =>
        {
            format!("{}({items})", link.name)
        }
        _ => broken_list(&link.name, &list, indent, column)?,
    };
    Some(call + &link.suffix)
}

fn arguments_of(link: &Link) -> Option<List> {
    Some(List { head: String::new(), open: '(', items: link.arguments.clone()? })
}

/// All on one line, whatever its width.
fn unbroken(expr: &Expr) -> String {
    match expr {
        Expr::Text(text) => text.clone(),
        Expr::Prefix(operator, inner) => format!("{operator}{}", unbroken(inner)),
        Expr::List(list) => enclosed(list, &unbroken_items(&list.items)),
        Expr::Chain(root, links) => {
            let mut out = unbroken(root);
            for link in links {
                out.push_str(&link.name);
                if let Some(arguments) = &link.arguments {
                    out.push_str(&format!("({})", unbroken_items(arguments)));
                }
                out.push_str(&link.suffix);
            }
            out
        }
        Expr::Closure(head, body) => format!("{head} {}", unbroken(body)),
        Expr::Block(statements) => {
            let inside: Vec<String> = statements.iter().map(unbroken_statement).collect();
            if inside.is_empty() { "{}".to_string() } else { format!("{{ {} }}", inside.join(" ")) }
        }
    }
}

fn unbroken_items(items: &[Expr]) -> String {
    let items: Vec<String> = items.iter().map(unbroken).collect();
    items.join(", ")
}

fn unbroken_statement(statement: &SourceStatement) -> String {
    match statement {
        SourceStatement::Let(head, value) => format!("{head} = {};", unbroken(value)),
        SourceStatement::Loop(head, body) => format!("{head} {}", unbroken(&Expr::Block(body.clone()))),
        SourceStatement::Semi(expr) => format!("{};", unbroken(expr)),
        SourceStatement::Tail(expr) => unbroken(expr),
    }
}
