//! A program over other instances of the same generic functions: `Slab<u8>` for `Slab<String>`.
//!
//! One call is taken over another instance of its function; what its types are replaced by has to hold for the whole
//! program. Calls that have no such instance become literals, where their new type has some.

use std::collections::BTreeMap;

use provoke_api::OpRole;
use provoke_wire::{Body, Literal, LiteralKind, Mode, Shape, StatementKind};

use crate::api::abilities::is_copy;
use crate::api::{Api, Op};
use crate::program::check::check;
use crate::program::integer_literal::integer;
use crate::program::rebuild::slot_type;

/// How many instances of one function are tried.
const MAX_INSTANCES: usize = 8;
/// Nobody reads the types of a longer program, and every candidate costs as much as the program is long.
const MAX_STATEMENTS: usize = 200;

/// The same program over simpler types, the first call that can be changed first.
pub fn simpler_instances(api: &Api, body: &Body) -> Vec<Body> {
    if !body.bodies.is_empty() || body.statements.len() > MAX_STATEMENTS {
        return Vec::new();
    }
    let weight = weight(api, body);
    let called = called_ops(api, body);
    let mut found: Vec<Body> = Vec::new();
    for &number in &called {
        let op = &api.ops[number as usize];
        for (_, other) in instances(api, op).take(MAX_INSTANCES) {
            let mut types = TypeMap { api, map: BTreeMap::new() };
            if !types.unify(op, other) {
                continue;
            }
            types.extend(&called);
            let retyped = types.applied(body).filter(|retyped| self::weight(api, retyped) < weight);
            found.extend(retyped.filter(|retyped| !found.contains(retyped)));
        }
    }
    found
}

/// How much there is to read in the types: the lengths of the names of the operations, all integers being alike.
fn weight(api: &Api, body: &Body) -> usize {
    let calls = body.statements.iter().filter(|statement| statement.kind == StatementKind::Call);
    calls.filter_map(|call| api.ops.get(call.op as usize)).map(|op| name_weight(&op.key)).sum()
}

fn name_weight(key: &str) -> usize {
    const INTEGERS: [&str; 12] =
        ["i32", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i64", "i128", "isize"];
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let words = key.split(|c: char| !is_word(c));
    let in_words: usize = words.map(|word| if INTEGERS.contains(&word) { 1 } else { word.len() }).sum();
    in_words + key.chars().filter(|&c| !is_word(c)).count()
}

/// The operations of a program, each once, in the order of their first calls.
fn called_ops(api: &Api, body: &Body) -> Vec<u32> {
    let mut called: Vec<u32> = Vec::new();
    for statement in body.statements.iter().filter(|statement| statement.kind == StatementKind::Call) {
        if (statement.op as usize) < api.ops.len() && !called.contains(&statement.op) {
            called.push(statement.op);
        }
    }
    called
}

/// Other operations of the same function, with their numbers.
fn instances<'a>(api: &'a Api, op: &'a Op) -> impl Iterator<Item = (u32, &'a Op)> {
    let is_instance =
        move |other: &Op| other.function == op.function && other.key != op.key && !api.policy.skips(api, other);
    let ops = if op.role == OpRole::Function { api.ops.as_slice() } else { &[] };
    ops.iter().enumerate().filter(move |(_, other)| is_instance(other)).map(|(number, other)| (number as u32, other))
}

/// What types become. What is not in it stays as it is, until something else is asked of it.
struct TypeMap<'a> {
    api: &'a Api,
    map: BTreeMap<u32, u32>,
}

impl TypeMap<'_> {
    /// Takes one operation for another; `false` if that goes against what is known.
    fn unify(&mut self, from: &Op, to: &Op) -> bool {
        if from.args.len() != to.args.len() {
            return false;
        }
        let mut map = self.map.clone();
        let pairs = from.args.iter().zip(&to.args).chain([(&from.result, &to.result)]);
        for (&old, &new) in pairs {
            let known = map.get(&old).copied().or_else(|| self.by_shape(old));
            if known.is_some_and(|known| known != new) {
                return false;
            }
            map.insert(old, new);
            if let (Some((old, is_mut)), Some((new, is_new_mut))) = (self.target(old), self.target(new))
                && (is_mut != is_new_mut || *map.entry(old).or_insert(new) != new)
            {
                return false;
            }
        }
        self.map = map;
        true
    }

    /// What a reference refers to, and whether exclusively.
    fn target(&self, ty: u32) -> Option<(u32, bool)> {
        match self.api.types.get(ty as usize)?.shape {
            Shape::Ref(target) => Some((target, false)),
            Shape::RefMut(target) => Some((target, true)),
            _ => None,
        }
    }

    /// What follows for a type that is built from one that changes.
    fn by_shape(&self, ty: u32) -> Option<u32> {
        let changed = |inner: u32| self.map.get(&inner).copied().filter(|&new| new != inner);
        let shape = match self.api.types.get(ty as usize)?.shape {
            Shape::Ref(inner) => Shape::Ref(changed(inner)?),
            Shape::RefMut(inner) => Shape::RefMut(changed(inner)?),
            Shape::Option(inner) => Shape::Option(changed(inner)?),
            Shape::Result(ok, error) => match (changed(ok), changed(error)) {
                (None, None) => return None,
                (new_ok, new_error) => Shape::Result(new_ok.unwrap_or(ok), new_error.unwrap_or(error)),
            },
            Shape::Plain => return None,
        };
        let place = self.api.types.iter().position(|info| info.shape == shape)?;
        Some(place as u32)
    }

    fn new_type(&self, ty: u32) -> u32 {
        self.map.get(&ty).copied().or_else(|| self.by_shape(ty)).unwrap_or(ty)
    }

    /// The operation itself, another instance of its function, or the same built-in on the new types.
    fn find(&mut self, number: u32) -> Option<u32> {
        let api = self.api;
        let op = api.ops.get(number as usize)?;
        let is_untouched = op.args.iter().chain([&op.result]).all(|&ty| self.new_type(ty) == ty);
        if is_untouched {
            return Some(number);
        }
        if op.role == OpRole::Function {
            return instances(api, op).find(|(_, other)| self.unify(op, other)).map(|(number, _)| number);
        }
        // The longest names first: a short one may be a part of it.
        let mut names: Vec<(&str, &str)> = self
            .map
            .iter()
            .filter(|(old, new)| old != new)
            .map(|(&old, &new)| (api.types[old as usize].name.as_str(), api.types[new as usize].name.as_str()))
            .collect();
        names.sort_by_key(|(old, _)| std::cmp::Reverse(old.len()));
        let key = names.iter().fold(op.key.clone(), |key, (old, new)| key.replace(old, new));
        let other = api.ops.iter().position(|other| other.key == key && other.role == op.role)?;
        self.unify(op, &api.ops[other]).then_some(other as u32)
    }

    /// Adds what follows from all operations of the program.
    fn extend(&mut self, called: &[u32]) {
        let mut n_known = 0;
        while self.map.len() > n_known {
            n_known = self.map.len();
            for &op in called {
                self.find(op);
            }
        }
    }

    /// The program over the new types, if it obeys the rules.
    fn applied(&mut self, body: &Body) -> Option<Body> {
        let mut out = Body::default();
        let mut texts: Vec<Vec<u8>> = Vec::new();
        for (index, statement) in body.statements.iter().enumerate() {
            let old = slot_type(self.api, statement);
            let op = match statement.kind {
                StatementKind::Call => self.find(statement.op),
                _ => None,
            };
            let new = old.map(|old| self.new_type(old));
            let mut args = body.args_of(statement).to_vec();
            for arg in &mut args {
                // A value that was moved may be one that is copied now, and the other way round.
                let given = slot_type(self.api, out.statements.get(arg.slot() as usize)?);
                let by_value = if given.is_some_and(|ty| is_copy(self.api, ty)) { Mode::Copy } else { Mode::Move };
                if matches!(arg.mode(), Mode::Move | Mode::Copy) && statement.kind == StatementKind::Call {
                    *arg = provoke_wire::Arg::new(arg.slot(), by_value);
                }
            }
            match (statement.kind, op) {
                (StatementKind::Call, Some(op)) => {
                    out.push_call(op, &args);
                }
                (StatementKind::Call | StatementKind::Literal, _) if old != new => {
                    let kind = LiteralKind::from_code(self.api.types[new? as usize].literal?)?;
                    // Equal literals stay equal, and different ones different.
                    let text = origin_of(body, index);
                    let nth = texts.iter().position(|known| *known == text).unwrap_or_else(|| {
                        texts.push(text);
                        texts.len() - 1
                    });
                    out.push_literal(&nth_literal(kind, nth)?);
                }
                (StatementKind::Call, None) => return None,
                _ => {
                    out.push_copy(body, index, &args);
                }
            }
        }
        check(self.api, &out).ok()?;
        Some(out)
    }
}

/// What a literal, or a call that made a value from literals, was made from.
fn origin_of(body: &Body, index: usize) -> Vec<u8> {
    let statement = &body.statements[index];
    let mut origin = [&statement.op.to_le_bytes()[..], body.data_of(statement)].concat();
    for arg in body.args_of(statement) {
        match body.statements.get(arg.slot() as usize) {
            Some(made) if made.kind == StatementKind::Literal => origin.extend(body.data_of(made)),
            _ => origin.extend(arg.slot().to_le_bytes()),
        }
    }
    origin
}

/// Different literals of a kind, the plainest first.
fn nth_literal(kind: LiteralKind, nth: usize) -> Option<Literal> {
    let letter = char::from(b'a' + u8::try_from(nth).ok().filter(|&n| n < 26)?);
    Some(match kind {
        LiteralKind::Unit => Literal::Unit,
        LiteralKind::Bool => Literal::Bool(nth % 2 == 1),
        LiteralKind::Char => Literal::Char(letter),
        LiteralKind::Str => Literal::Str(letter.to_string()),
        LiteralKind::String => Literal::String(letter.to_string()),
        LiteralKind::F32 => Literal::F32((nth as f32).to_bits()),
        LiteralKind::F64 => Literal::F64((nth as f64).to_bits()),
        LiteralKind::Bytes => Literal::Bytes(vec![nth as u8]),
        integer_kind => integer(integer_kind, nth as i128)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::FunctionFacts;
    use crate::test_support::sample;
    use provoke_api::OpKind;
    use provoke_wire::{Abilities, TypeInfo};

    /// A generic `Bag` over `u8` and `String`, `Vec` of both, and a function that only takes a bag of texts.
    fn api() -> Api {
        let copy = Abilities::PROBED.with(Abilities::COPY, true);
        let dropping = Abilities::PROBED.with(Abilities::NEEDS_DROP, true);
        let ty = |name: &str, shape, abilities, literal: Option<LiteralKind>| TypeInfo {
            name: name.into(),
            size: 8,
            align: 8,
            abilities,
            shape,
            literal: literal.map(|kind| kind as u32),
        };
        let types = vec![
            ty("()", Shape::Plain, copy, None),
            ty("u8", Shape::Plain, copy, Some(LiteralKind::U8)),
            ty("String", Shape::Plain, dropping, Some(LiteralKind::String)),
            ty("&str", Shape::Plain, copy, Some(LiteralKind::Str)),
            ty("Bag<u8>", Shape::Plain, dropping, None),
            ty("Bag<String>", Shape::Plain, dropping, None),
            ty("&mut Bag<u8>", Shape::RefMut(4), Abilities::PROBED, None),
            ty("&mut Bag<String>", Shape::RefMut(5), Abilities::PROBED, None),
            ty("Vec<u8>", Shape::Plain, dropping, None),
            ty("Vec<String>", Shape::Plain, dropping, None),
            ty("&Bag<String>", Shape::Ref(5), copy, None),
        ];
        let mut functions: Vec<FunctionFacts> = Vec::new();
        let mut ops = Vec::new();
        let mut op = |key: &str, function: Option<&str>, args: &[u32], result| {
            let function = function.map(|name| {
                functions.iter().position(|facts| facts.name == name).unwrap_or_else(|| {
                    functions.push(FunctionFacts { name: name.into(), ..FunctionFacts::default() });
                    functions.len() - 1
                }) as u32
            });
            ops.push(Op {
                key: key.into(),
                role: if function.is_some() { OpRole::Function } else { OpRole::Builtin },
                function,
                trait_function: None,
                kind: OpKind::Other,
                args: args.to_vec(),
                result,
                flows: Vec::new(),
                static_args: Vec::new(),
                law: None,
                guards: Vec::new(),
                accused: None,
                belongs_to: None,
            });
        };
        op("new<u8>", Some("new"), &[], 4);
        op("new<String>", Some("new"), &[], 5);
        op("add<u8>", Some("add"), &[6, 1], 0);
        op("add<String>", Some("add"), &[7, 2], 0);
        op("of<u8>", Some("of"), &[8], 4);
        op("of<String>", Some("of"), &[9], 5);
        op("vec_2:Vec<u8>", None, &[1, 1], 8);
        op("vec_2:Vec<String>", None, &[2, 2], 9);
        op("to_string", None, &[3], 2);
        op("texts", Some("texts"), &[10], 0);
        Api { types, ops, functions, ..Api::default() }
    }

    fn retyped(text: &str) -> Vec<String> {
        let api = api();
        let body = sample::body(&api, text);
        simpler_instances(&api, &body).iter().map(|body| sample::print(&api, body)).collect()
    }

    #[test]
    fn a_whole_program_moves_to_the_plainer_element() {
        let text = "b = new<String>; s = \"x\"; t = to_string =s; add<String> &mut b t; u = to_string =s; add<String> &mut b u";
        let expected = "s0 = new<u8>\ns1 = Str(\"x\")\ns2 = U8(0)\ns3 = add<u8> &mut s0 =s2\ns4 = U8(0)\ns5 = add<u8> &mut s0 =s4\n";
        assert_eq!(retyped(text), [expected]);
        // Nothing is plainer than that.
        assert_eq!(retyped("b = new<u8>; n = 7u8; add<u8> &mut b =n"), [""; 0]);
    }

    #[test]
    fn built_ins_follow_and_different_values_stay_different() {
        let text =
            "x = \"x\"; s = to_string =x; y = \"y\"; t = to_string =y; v = vec_2:Vec<String> s t; b = of<String> v";
        let expected =
            "s0 = Str(\"x\")\ns1 = U8(0)\ns2 = Str(\"y\")\ns3 = U8(1)\ns4 = vec_2:Vec<u8> =s1 =s3\ns5 = of<u8> s4\n";
        assert_eq!(retyped(text), [expected]);
    }

    #[test]
    fn a_long_program_keeps_its_types() {
        let text = |n_calls: usize| {
            let add = "; s = \"x\"; t = to_string =s; add<String> &mut b t".repeat(n_calls);
            format!("b = new<String>{add}")
        };
        assert_eq!(retyped(&text(60)).len(), 1);
        assert_eq!(retyped(&text(70)), [""; 0]);
    }

    #[test]
    fn a_program_that_needs_its_types_keeps_them() {
        assert_eq!(retyped("b = new<String>; texts &b"), [""; 0]);
    }
}
