//! What users add by hand: values of types that are hard to come by, and operations of their own.
//!
//! Both are Rust as it could stand in a test, and are printed there as they are.
//!
//! Decision: `docs/decisions/010-what-users-add-is-rust-as-in-a-test.md`

use provoke_api::{Flow, FlowPart, OpRole};
use provoke_wire::Literal;
use syn::{Expr, ExprLit, ExprUnary, Lit, UnOp};

use crate::plan::MAX_ARGS;
use crate::plan::op::{OpText, PlannedFlow, PlannedOp};

/// A value that was added by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueByHand {
    /// In the widest kind that there is; literals are drawn, not called for.
    Literal(Literal),
    Op(Box<PlannedOp>),
}

/// What makes a value of a type, both as users write them; or why it cannot.
pub fn value_by_hand(ty: &str, expression: &str) -> Result<ValueByHand, String> {
    syn::parse_str::<syn::Type>(ty).map_err(|error| format!("`{ty}` is no type: {error}"))?;
    let parsed =
        syn::parse_str::<Expr>(expression).map_err(|error| format!("`{expression}` is no expression: {error}"))?;
    if is_literal_type(ty) {
        let literal =
            literal_of(&parsed).ok_or_else(|| format!("`{expression}` is no literal, and values of `{ty}` are"))?;
        return Ok(ValueByHand::Literal(literal));
    }
    let expression = expression.trim();
    check_braces(expression)?;
    let (key, made) = (format!("by hand {ty} {expression}"), format!("|| -> {ty} {{ {expression} }}"));
    let text = as_written(expression.to_string());
    Ok(ValueByHand::Op(Box::new(PlannedOp { text, ..PlannedOp::new(key, OpRole::Constructor, made, 0) })))
}

/// An operation, as a closure that says the types of its parameters; or why it is none.
pub fn operation_by_hand(code: &str) -> Result<PlannedOp, String> {
    let parsed = syn::parse_str::<Expr>(code).map_err(|error| format!("it is no Rust: {error}"))?;
    let Expr::Closure(closure) = parsed else { return Err("it is no closure".to_string()) };
    let n_args = closure.inputs.len();
    if n_args > MAX_ARGS {
        return Err(format!("it has more than {MAX_ARGS} parameters"));
    }
    let mut declared_refs = Vec::new();
    for (input, index) in closure.inputs.iter().zip(0u8..) {
        let syn::Pat::Type(typed) = input else { return Err("a parameter does not say its type".to_string()) };
        if matches!(*typed.ty, syn::Type::Reference(_)) {
            declared_refs.push(index);
        }
    }
    // The result may borrow from whatever it gets: nobody has written down from what.
    let every_way = |arg: u8| FlowPart::ALL.map(|part| PlannedFlow::to_result(arg, part));
    let is_there = |flow: &Flow| flow.part == FlowPart::Inner || declared_refs.contains(&flow.arg);
    let code = code.trim();
    check_braces(code)?;
    let placeholders: Vec<String> = (0..n_args).map(|index| format!("{{{index}}}")).collect();
    Ok(PlannedOp {
        flows: (0..n_args as u8).flat_map(every_way).filter(|planned| is_there(&planned.flow)).collect(),
        declared_refs,
        text: as_written(format!("({code})({})", placeholders.join(", "))),
        ..PlannedOp::new(format!("by hand {code}"), OpRole::Builtin, code.to_string(), n_args)
    })
}

/// A number in braces stands for an argument where operations are printed.
fn check_braces(code: &str) -> Result<(), String> {
    let is_number = |inside: &str| !inside.is_empty() && inside.bytes().all(|byte| byte.is_ascii_digit());
    let mut inside = code.split('{').skip(1).filter_map(|rest| rest.split('}').next());
    match inside.find(|inside| is_number(inside.trim_start_matches('.'))) {
        Some(number) => Err(format!("`{{{number}}}` cannot be printed: write the number without braces")),
        None => Ok(()),
    }
}

fn as_written(text: String) -> OpText {
    OpText { pretty: text.clone(), explicit: text, ..OpText::default() }
}

/// Types whose values are literals.
fn is_literal_type(ty: &str) -> bool {
    const NAMES: [&str; 18] = [
        "bool", "char", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32",
        "f64", "&str", "String",
    ];
    NAMES.contains(&ty.trim())
}

fn literal_of(expression: &Expr) -> Option<Literal> {
    match expression {
        Expr::Lit(ExprLit { lit, .. }) => Some(match lit {
            Lit::Int(number) => Literal::I128(number.base10_parse().ok()?),
            Lit::Float(number) => Literal::F64(number.base10_parse::<f64>().ok()?.to_bits()),
            Lit::Str(text) => Literal::Str(text.value()),
            Lit::Char(c) => Literal::Char(c.value()),
            Lit::Bool(yes) => Literal::Bool(yes.value),
            _ => return None,
        }),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => match literal_of(expr)? {
            Literal::I128(number) => Some(Literal::I128(-number)),
            Literal::F64(bits) => Some(Literal::F64((-f64::from_bits(bits)).to_bits())),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_plain_types_are_literals_and_others_are_made() {
        let literal = |ty: &str, text: &str| match value_by_hand(ty, text) {
            Ok(ValueByHand::Literal(literal)) => format!("{literal:?}"),
            Ok(ValueByHand::Op(op)) => format!("{} = {}", op.key, op.expression),
            Err(why) => why,
        };
        assert_eq!(literal("u32", "0xff"), "I128(255)");
        assert_eq!(literal("i8", "-7"), "I128(-7)");
        assert_eq!(literal("String", "\"a=b\""), "Str(\"a=b\")");
        assert_eq!(literal("u32", "1 << 20"), "`1 << 20` is no literal, and values of `u32` are");
        assert_eq!(
            literal("a::B<u8>", " a::B::new(3) "),
            "by hand a::B<u8> a::B::new(3) = || -> a::B<u8> { a::B::new(3) }"
        );
        assert!(literal("a::", "1").starts_with("`a::` is no type: "));
        assert!(literal("a::B", "a::(").starts_with("`a::(` is no expression: "));
    }

    #[test]
    fn an_operation_is_a_closure_with_types() {
        let op = operation_by_hand("|n: u8, list: &mut a::List| { list.grow(n) }").unwrap();
        assert_eq!((op.n_args, op.pointer.as_str()), (2, "fn(_, _) -> _"));
        assert_eq!(op.declared_refs, [1]);
        assert_eq!(op.text.pretty, "(|n: u8, list: &mut a::List| { list.grow(n) })({0}, {1})");
        assert_eq!(op.flows.len(), 3, "what a number borrows, and what lies behind the reference and in it");
        assert_eq!(operation_by_hand("a::list()"), Err("it is no closure".to_string()));
        assert!(operation_by_hand("|n: u8| {0}").unwrap_err().starts_with("`{0}` cannot be printed"));
        assert_eq!(operation_by_hand("|n| n"), Err("a parameter does not say its type".to_string()));
    }
}
