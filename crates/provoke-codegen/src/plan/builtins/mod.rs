//! Built-in operations on the std types that the API's signatures use, found by reading a first worker's table back.
//!
//! A type that something *wants* gets ways to make it; a type that something *gives* gets ways to take it apart.
//! Both are followed inwards (`Option<&[T]>` wants `&[T]`, which wants `Vec<T>`, which wants `T`) until nothing is new.

mod driven;
mod makers;
mod pattern;
mod std_types;
mod std_values;
mod takers;
mod way;

use std::collections::{BTreeMap, BTreeSet};

use provoke_api::{FlowPart, OpKind, OpRole, generic_name};
use provoke_model::{Model, Ty};
use provoke_wire::Table;
use serde::{Deserialize, Serialize};

use crate::plan::op::{OpText, PlannedFlow, PlannedOp, pointer};
use crate::types::type_name::TypeName;
use driven::Driven;
use pattern::{Bindings, bind, substitute};
use way::{BuiltinWay, RowLoans, StdType};

/// A probe of one type: an expression that is its witness.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AbilityQuery {
    pub type_name: String,
    pub witness: String,
}

/// What reading back adds to the plan.
#[derive(Debug, Default)]
pub struct Builtins {
    pub ops: Vec<PlannedOp>,
    pub probes: Vec<AbilityQuery>,
}

/// `ops` are the operations of the worker that described itself by `table`, in its numbering.
pub fn builtins(model: &Model, ops: &[PlannedOp], table: &Table) -> Builtins {
    let mut finder = Finder::new(model);
    finder.plain();
    // Two types may print alike (two versions of one crate): those are told apart by their place in the table.
    let ambiguous: BTreeSet<&str> = {
        let mut seen = BTreeSet::new();
        table.types.iter().map(|t| t.name.as_str()).filter(|name| !seen.insert(*name)).collect()
    };
    let part = |place: u32, witness: String| {
        let text = &table.types[place as usize].name;
        let identity = if ambiguous.contains(text.as_str()) { format!("{text}#{place}") } else { text.clone() };
        Found { name: TypeName::parse(text), identity, witness }
    };
    for (op, signature) in ops.iter().zip(&table.ops) {
        let function = pointer_to(&op.pointer, &op.expression);
        let args = signature.args.iter().enumerate();
        let args = args.map(|(index, &place)| part(place, format!("arg{index}_of({function})")));
        let result = part(signature.result, format!("result_of({function})"));
        // Snapshots are nobody else's business, and the rest is what others take and return anyway.
        if op.is_asked_afterwards() {
            args.chain([result]).for_each(|found| finder.probe(&found.identity, &found.witness));
            continue;
        }
        args.for_each(|found| finder.want(&found));
        finder.function = op.function;
        if let Some(driven) = op.function.and_then(|index| declared(model, index)) {
            finder.drive(&driven, &result, op.function);
        }
        finder.give(&result);
        finder.function = None;
    }
    finder.found.ops.sort_by(|a, b| a.key.cmp(&b.key));
    finder.found.ops.dedup_by(|a, b| a.key == b.key);
    finder.found
}

/// What the signature says of a result that does not show its type.
fn declared(model: &Model, function: usize) -> Option<Driven> {
    let signature = &model.functions.get(function)?.signature;
    match &signature.result {
        _ if signature.is_async => Some(Driven::Future { output: None }),
        Some(Ty::ImplTrait(bounds)) => Driven::by_bounds(model, bounds),
        _ => None,
    }
}

fn pointer_to(pointer: &str, expression: &str) -> String {
    format!("{{ let f: {pointer} = {expression}; f }}")
}

/// A type that was met: how it prints, what tells it from others, and an expression that is its witness.
struct Found {
    name: TypeName,
    identity: String,
    witness: String,
}

impl Found {
    /// The identity of a part is its name, kept apart with its whole where that was ambiguous.
    fn part(&self, name: TypeName, witness: String) -> Found {
        let text = name.to_string();
        let identity = match self.identity.split_once('#') {
            Some((_, place)) => format!("{text}#{place}"),
            None => text,
        };
        Found { name, identity, witness }
    }

    /// A type of which nothing is known but where it came from.
    fn unknown(&self, what: &str) -> TypeName {
        TypeName::Other(format!("{what} of {}", self.identity))
    }
}

struct Finder<'a> {
    model: &'a Model,
    /// By the head of the pattern.
    rows: BTreeMap<String, Vec<(TypeName, &'static StdType)>>,
    found: Builtins,
    wanted: BTreeSet<String>,
    given: BTreeSet<String>,
    driven: BTreeSet<String>,
    probed: BTreeSet<String>,
    /// The function whose result is being looked at.
    function: Option<usize>,
}

/// An operation about to be added.
struct Operation {
    key: String,
    kind: OpKind,
    expression: String,
    n_args: usize,
    pretty: String,
    explicit: Option<String>,
    imports: Vec<String>,
    loans: RowLoans,
    /// The function whose code runs in it.
    function: Option<usize>,
    /// What stands accused where no function does.
    accused: Option<String>,
    /// The types of the arguments are the same for all uses of the text.
    has_fixed_args: bool,
}

impl Operation {
    fn new(key: String, expression: String, n_args: usize, pretty: &str, loans: RowLoans) -> Operation {
        Operation {
            key,
            kind: OpKind::OfStd,
            expression,
            n_args,
            pretty: pretty.to_string(),
            explicit: None,
            imports: Vec::new(),
            loans,
            function: None,
            accused: None,
            has_fixed_args: false,
        }
    }

    /// The same as one of this kind, applied to a type.
    fn being(self, kind: OpKind, of: &Found) -> Operation {
        let clone = || format!("<{} as Clone>::clone", generic_name(&of.identity));
        Operation { kind, accused: (kind == OpKind::Clone).then(clone), ..self }
    }
}

/// What flows where, by the kind of loans.
fn flows(loans: RowLoans, n_args: usize) -> Vec<PlannedFlow> {
    let inner = |arg: usize| PlannedFlow::to_result(arg as u8, FlowPart::Inner);
    let kept = |arg: usize| PlannedFlow::to_arg(arg as u8, FlowPart::Inner, 0);
    match loans {
        RowLoans::Passed | RowLoans::Called => (0..n_args).map(inner).collect(),
        RowLoans::Viewed | RowLoans::Lent if n_args > 0 => {
            FlowPart::ALL.map(|part| PlannedFlow::to_result(0, part)).to_vec()
        }
        RowLoans::TakenOut => vec![inner(0)],
        RowLoans::PutIn => (1..n_args).map(kept).collect(),
        RowLoans::CalledMut => (0..n_args).map(inner).chain((1..n_args).map(kept)).collect(),
        RowLoans::Viewed | RowLoans::Lent | RowLoans::Owned => Vec::new(),
    }
}

impl<'a> Finder<'a> {
    fn new(model: &'a Model) -> Finder<'a> {
        let mut rows: BTreeMap<String, Vec<(TypeName, &'static StdType)>> = BTreeMap::new();
        for row in std_types::rows() {
            let pattern = TypeName::parse(row.pattern);
            rows.entry(head(&pattern)).or_default().push((pattern, row));
        }
        Finder {
            model,
            rows,
            found: Builtins::default(),
            wanted: BTreeSet::new(),
            given: BTreeSet::new(),
            driven: BTreeSet::new(),
            probed: BTreeSet::new(),
            function: None,
        }
    }

    fn row(&self, name: &TypeName) -> Option<(&'static StdType, Bindings)> {
        let rows = self.rows.get(&head(name))?;
        rows.iter().find_map(|(pattern, row)| Some((*row, bind(pattern, name)?.with_self(name))))
    }

    fn probe(&mut self, identity: &str, witness: &str) {
        if self.probed.insert(identity.to_string()) {
            self.found.probes.push(AbilityQuery { type_name: identity.to_string(), witness: witness.to_string() });
        }
    }

    /// A value can only be lent where the worker knows the reference for one.
    fn probe_lent(&mut self, of: &Found, mutable: bool) {
        let way = if mutable { "lent_mut" } else { "lent" };
        let reference = TypeName::Ref { mutable, inner: Box::new(of.name.clone()) };
        let reference = of.part(reference, format!("{way}({})", of.witness));
        self.probe(&reference.identity, &reference.witness);
    }

    fn add(&mut self, operation: Operation) {
        let n_args = operation.n_args;
        let is_by_ref = !matches!(operation.loans, RowLoans::Passed) && n_args > 0;
        let role = match operation.loans {
            _ if operation.function.is_some() => OpRole::Function,
            RowLoans::Viewed => OpRole::Coercion,
            _ => OpRole::Builtin,
        };
        let explicit = operation.explicit.unwrap_or_else(|| operation.pretty.clone());
        let is_inline = role == OpRole::Coercion;
        let is_unwrapping = matches!(operation.kind, OpKind::UnwrapSome | OpKind::UnwrapOk);
        let registrations = if is_unwrapping { vec!["r.unwraps({op})".to_string()] } else { Vec::new() };
        self.found.ops.push(PlannedOp {
            kind: operation.kind,
            function: operation.function,
            accused: operation.accused,
            flows: flows(operation.loans, n_args),
            declared_refs: if is_by_ref { vec![0] } else { Vec::new() },
            text: OpText {
                pretty: operation.pretty,
                explicit,
                imports: operation.imports,
                is_inline,
                generic_args: if operation.has_fixed_args { Vec::new() } else { (0..n_args as u8).collect() },
                ..OpText::default()
            },
            registrations,
            ..PlannedOp::new(operation.key, role, operation.expression, n_args)
        });
    }

    /// One adapter of the runtime, applied to the witness of a type. Returns it as an expression.
    fn adapt(&mut self, adapter: &str, of: &Found, n_args: usize, text: &str, loans: RowLoans) -> String {
        let expression = format!("{adapter}({})", of.witness);
        let key = format!("std {adapter} {}", of.identity);
        self.add(Operation::new(key, expression.clone(), n_args, text, loans));
        expression
    }

    /// Conversions between text types, which need no witness.
    fn plain(&mut self) {
        for (adapter, text, loans) in [
            ("string_as_str", "{.0}.as_str()", RowLoans::Viewed),
            ("str_to_string", "{.0}.to_string()", RowLoans::Owned),
        ] {
            let expression = format!("{adapter}()");
            let arg = if adapter == "string_as_str" { "&alloc::string::String" } else { "&str" };
            self.probe(arg, &format!("arg0_of({expression})"));
            self.add(Operation::new(format!("std {adapter}"), expression, 1, text, loans));
        }
    }

    /// `text` with the names of `T0`, `T1`… in the places of `@0`, `@1`…
    fn with_types(&self, text: &str, bindings: &Bindings, imports: &mut Vec<String>) -> String {
        let mut out = text.to_string();
        for number in 0..3 {
            let place = format!("@{number}");
            if !out.contains(&place) {
                continue;
            }
            let mut needed = imports.clone();
            let bound = bindings.get(&format!("T{number}"));
            let ty = match bound.and_then(|name| name.spell(self.model, &mut needed)) {
                Some(ty) => {
                    *imports = needed;
                    ty
                }
                None => "_".to_string(),
            };
            out = out.replace(&place, &ty);
        }
        if out == text { out } else { out.replace("::<_>", "").replace("::<_, _>", "") }
    }

    /// One operation of a row, and what it makes reachable or needs.
    fn way(&mut self, way: &BuiltinWay, of: &Found, bindings: &Bindings) {
        let types: Option<Vec<TypeName>> =
            way.args.iter().map(|arg| substitute(&TypeName::parse(arg), bindings)).collect();
        let result = substitute(&TypeName::parse(way.result), bindings);
        let (Some(types), Some(result)) = (types, result) else {
            return;
        };
        let n_args = types.len();
        let (key, expression, function) = if way.is_direct() {
            let key = format!("std {}", way.function.trim_start_matches("::std::"));
            (key, way.function.to_string(), pointer_to(&pointer(n_args), way.function))
        } else {
            let expression = format!("{}({})", way.function, of.witness);
            (format!("std {} {}", way.function, of.identity), expression.clone(), expression)
        };
        let mut operation = Operation::new(key, expression, n_args, "", way.loans).being(way.kind, of);
        operation.imports = way.imports.iter().map(ToString::to_string).collect();
        operation.pretty = self.with_types(way.text, bindings, &mut operation.imports);
        operation.explicit = way.explicit.map(|text| self.with_types(text, bindings, &mut operation.imports));
        operation.has_fixed_args = way.is_direct() && !way.result.contains('<');
        self.add(operation);
        for (index, (ty, arg)) in types.into_iter().zip(way.args).enumerate() {
            match *arg {
                "Self" => {}
                "&Self" => self.probe_lent(of, false),
                "&mut Self" => self.probe_lent(of, true),
                "T0" if way.is_bounded => self.want(&of.part(ty, format!("first_part({})", of.witness))),
                "T1" if way.is_bounded => self.want(&of.part(ty, format!("second_part({})", of.witness))),
                _ => self.want(&of.part(ty, format!("arg{index}_of({function})"))),
            }
        }
        if !matches!(way.result, "Self" | "()") {
            self.give(&of.part(result, format!("result_of({function})")));
        }
    }
}

/// What rows are looked up by: the path, or the kind of type.
fn head(name: &TypeName) -> String {
    match name {
        TypeName::Ref { .. } => "&".to_string(),
        _ => name.path().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests;
