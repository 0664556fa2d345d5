//! Built-in operations on the std types that the API's signatures use, found by reading a first worker's table back.
//!
//! A type that something *wants* gets ways to make it; a type that something *gives* gets ways to take it apart.
//! Both are followed inwards (`Option<&[T]>` wants `&[T]`, which wants `Vec<T>`, which wants `T`) until nothing is new.

mod driven;
mod pattern;
mod std_types;
mod std_values;
mod way;

use std::collections::{BTreeMap, BTreeSet};

use provoke_api::{FlowPart, OpKind, OpRole, generic_name};
use provoke_model::{Model, Ty};
use provoke_oracles::EXCLUSIVE_BORROWS;
use provoke_wire::Table;
use serde::{Deserialize, Serialize};

use crate::plan::op::{OpText, PlannedFlow, PlannedOp, pointer};
use crate::types::type_name::TypeName;
use driven::{Call, Driven};
use pattern::{Bindings, bind, is_sized, substitute};
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

    /// Something takes a value of this type.
    fn want(&mut self, of: &Found) {
        self.probe(&of.identity, &of.witness);
        if !self.wanted.insert(of.identity.clone()) {
            return;
        }
        if let Some((row, bindings)) = self.row(&of.name) {
            for way in row.makers {
                self.way(way, of, &bindings);
            }
            return;
        }
        match &of.name {
            TypeName::Ref { mutable, inner } if is_sized(inner) => {
                let way = if *mutable { "mut_inner" } else { "ref_inner" };
                let lent = of.part((**inner).clone(), format!("{way}({})", of.witness));
                self.want(&lent);
                // A reference to a reference: the inner one has to lie somewhere.
                if matches!(&lent.name, TypeName::Ref { .. }) {
                    self.adapt("kept", &lent, 1, "{0}", RowLoans::Lent);
                }
            }
            TypeName::Array(element, len) => self.want_array(of, element, len),
            TypeName::Tuple(parts) if (1..=MAX_TUPLE).contains(&parts.len()) => {
                let places: Vec<String> = (0..parts.len()).map(|index| format!("{{{index}}}")).collect();
                let comma = if parts.len() == 1 { "," } else { "" };
                let text = format!("({}{comma})", places.join(", "));
                let function = self.adapt(&format!("tuple{}", parts.len()), of, parts.len(), &text, RowLoans::Passed);
                for (index, part) in parts.iter().enumerate() {
                    self.want(&of.part(part.clone(), format!("arg{index}_of({function})")));
                }
            }
            TypeName::Path { .. } => self.default_and_clone(of),
            TypeName::Ref { .. } | TypeName::Tuple(_) | TypeName::Slice(_) | TypeName::Other(_) => {}
        }
    }

    fn want_array(&mut self, of: &Found, element: &TypeName, len: &str) {
        self.want(&of.part(element.clone(), format!("array_element({})", of.witness)));
        if len != "0" {
            let expression = format!("array_fill({})", of.witness);
            let key = format!("std array_fill {}", of.identity);
            let mut fill = Operation::new(key, expression, 1, &format!("[{{0}}; {len}]"), RowLoans::Passed);
            fill.explicit = Some("std::array::from_fn(|_| {0}.clone())".to_string());
            self.add(fill);
        }
        if let Ok(n @ 0..=MAX_ARRAY) = len.parse::<usize>() {
            let places: Vec<String> = (0..n).map(|index| format!("{{{index}}}")).collect();
            let text = format!("[{}]", places.join(", "));
            self.adapt(&format!("array_{n}"), of, n, &text, RowLoans::Passed);
        }
    }

    /// Any other type: its default value, and a copy of one that is there.
    fn default_and_clone(&mut self, of: &Found) {
        if matches!(&of.name, TypeName::Path { segments, .. } if segments.len() == 1) {
            return;
        }
        if self.may_implement(&of.name, "Default") {
            self.default(of);
        }
        if self.may_implement(&of.name, "Clone") {
            self.clone(of);
        }
    }

    /// `false` only for types of the crate that have no such impl: rustc need not be asked.
    fn may_implement(&self, name: &TypeName, of_trait: &str) -> bool {
        let TypeName::Path { segments, .. } = name else {
            return true;
        };
        let item = self.model.items.iter().position(|item| item.is_local && item.definition == *segments);
        let Some(item) = item else {
            return true;
        };
        self.model.impls.iter().any(|candidate| {
            let is_of = |ty: &Ty| matches!(ty, Ty::Path { item: of, .. } if of.0 as usize == item);
            let trait_ref = candidate.trait_ref.as_ref();
            trait_ref.is_some_and(|found| self.model.item(found.item).name == of_trait) && is_of(&candidate.for_ty)
        })
    }

    fn default(&mut self, of: &Found) {
        let mut imports = Vec::new();
        let text = match of.name.spell(self.model, &mut imports) {
            Some(ty) => format!("<{ty}>::default()"),
            None => "Default::default()".to_string(),
        };
        // `Slab::default()` reads better than `<Slab>::default()`, but generic paths need the brackets.
        let pretty = match text.strip_prefix('<').and_then(|t| t.strip_suffix(">::default()")) {
            Some(ty) if !ty.contains('<') => format!("{ty}::default()"),
            _ => text.clone(),
        };
        let key = format!("std default_of {}", of.identity);
        let expression = format!("default_of({})", of.witness);
        let mut default = Operation::new(key, expression, 0, &pretty, RowLoans::Passed).being(OpKind::DefaultValue, of);
        default.explicit = Some(text);
        default.imports = imports;
        self.add(default);
    }

    fn clone(&mut self, of: &Found) {
        let key = format!("std clone_of {}", of.identity);
        let expression = format!("clone_of({})", of.witness);
        let mut clone = Operation::new(key, expression, 1, "{.0}.clone()", RowLoans::TakenOut).being(OpKind::Clone, of);
        // The method of what a reference refers to would go before that of the reference.
        clone.explicit = Some("Clone::clone({0})".to_string());
        self.add(clone);
        self.probe_lent(of, false);
    }

    /// Something returns a value of this type.
    fn give(&mut self, of: &Found) {
        self.probe(&of.identity, &of.witness);
        if !self.given.insert(of.identity.clone()) {
            return;
        }
        if let Some(driven) = Driven::by_name(&of.name) {
            // Adaptors run the closures of the function that returned them; a boxed object may come from anywhere.
            let is_adaptor = of.name.path().is_some_and(|path| path.starts_with("core::iter::"));
            self.drive(&driven, of, self.function.filter(|_| is_adaptor));
        }
        if let Some((row, bindings)) = self.row(&of.name) {
            for way in row.takers {
                self.way(way, of, &bindings);
            }
            return;
        }
        match &of.name {
            TypeName::Ref { mutable, inner } if is_sized(inner) => {
                let way = if *mutable { "mut_inner" } else { "ref_inner" };
                let inner = of.part((**inner).clone(), format!("{way}({})", of.witness));
                if self.may_implement(&inner.name, "Clone") {
                    self.clone(&inner);
                }
                if *mutable && self.function.is_some() {
                    self.exclusive(of);
                }
                self.give(&inner);
            }
            TypeName::Tuple(parts) if (1..=MAX_TUPLE).contains(&parts.len()) => {
                if self.function.is_some() {
                    self.exclusive_parts(of, parts);
                }
                for (index, part) in parts.iter().enumerate() {
                    let adapter = format!("tuple{}_{index}", parts.len());
                    let function = self.adapt(&adapter, of, 1, &format!("{{.0}}.{index}"), RowLoans::Passed);
                    self.give(&of.part(part.clone(), format!("result_of({function})")));
                }
            }
            TypeName::Array(element, len) if len != "0" => {
                // In edition 2018 `array.into_iter()` lends the elements.
                let text = "IntoIterator::into_iter({0}).next()";
                let function = self.adapt("array_next", of, 1, text, RowLoans::Passed);
                let option = TypeName::parse(&format!("core::option::Option<{element}>"));
                self.give(&of.part(option, format!("result_of({function})")));
            }
            TypeName::Path { segments, .. }
                if !matches!(segments.first().map(String::as_str), Some("core" | "alloc" | "std")) =>
            {
                self.default_and_clone(of);
            }
            _ => {}
        }
    }

    /// Asks whether what a function of the crate lends exclusively is lent to others, too.
    ///
    /// Beside a shared one it has to be lent exclusively itself: one that was made from it may be read beside it.
    fn exclusive(&mut self, of: &Found) {
        self.probe_lent(of, false);
        self.probe_lent(of, true);
        if let TypeName::Ref { inner, .. } = &of.name {
            let shared = TypeName::Ref { mutable: false, inner: inner.clone() };
            let shared = of.part(shared, format!("lent(mut_inner({}))", of.witness));
            self.probe(&shared.identity, &shared.witness);
            self.probe_lent(&shared, false);
        }
        let text = "assert!(!std::ptr::eq({.0}, {.1}))";
        self.exclusive_law("exclusive_pair", of, 2, text);
        self.exclusive_law("exclusive_beside_shared", of, 2, text);
    }

    /// The same for what is lent together.
    fn exclusive_parts(&mut self, of: &Found, parts: &[TypeName]) {
        let [TypeName::Ref { mutable: true, inner }, TypeName::Ref { mutable: true, inner: other }] = parts else {
            return;
        };
        if inner != other {
            return;
        }
        self.probe_lent(of, false);
        match **inner {
            TypeName::Slice(_) => {
                let text = "assert!({.0}.0.as_ptr_range().end <= {.0}.1.as_ptr() || {.0}.1.as_ptr_range().end <= {.0}.0.as_ptr())";
                self.exclusive_law("exclusive_slices", of, 1, text);
            }
            _ if is_sized(inner) => {
                self.exclusive_law("exclusive_tuple", of, 1, "assert!(!std::ptr::eq({.0}.0, {.0}.1))");
            }
            _ => {}
        }
    }

    fn exclusive_law(&mut self, adapter: &str, of: &Found, n_args: usize, text: &str) {
        let key = format!("law {} {adapter} {}", EXCLUSIVE_BORROWS.id, of.identity);
        let expression = format!("{adapter}({})", of.witness);
        let law = PlannedOp {
            declared_refs: (0..n_args as u8).collect(),
            text: OpText { pretty: text.to_string(), explicit: text.to_string(), ..OpText::default() },
            ..PlannedOp::new(key, OpRole::Law, expression, n_args)
        };
        // Whoever lent what it is asked about.
        self.found.ops.push(law.accusing(&EXCLUSIVE_BORROWS, ""));
    }

    /// Runs what a value would do later. `function` is the one whose code runs then, where that is known.
    fn drive(&mut self, driven: &Driven, of: &Found, function: Option<usize>) {
        if !self.driven.insert(of.identity.clone()) {
            return;
        }
        let mut run = |adapter: &str, n_args: usize, text: &str, imports: &[&str], loans: RowLoans| {
            let expression = format!("{adapter}({})", of.witness);
            let mut operation =
                Operation::new(format!("std {adapter} {}", of.identity), expression.clone(), n_args, text, loans);
            operation.imports = imports.iter().map(ToString::to_string).collect();
            operation.function = function;
            self.add(operation);
            expression
        };
        match driven {
            Driven::Iterator { item, is_double_ended } => {
                let next = run("iterator_next", 1, "{.0}.next()", &[], RowLoans::TakenOut);
                if *is_double_ended {
                    run("iterator_next_back", 1, "{.0}.next_back()", &[], RowLoans::TakenOut);
                }
                let collect = "{.0}.take(100).collect::<Vec<_>>()";
                let collect = run("iterator_collect", 1, collect, &[], RowLoans::Passed);
                let item = item.clone().unwrap_or_else(|| of.unknown("item"));
                self.probe_lent(of, true);
                self.give(&of.part(option_of(item.clone()), format!("result_of({next})")));
                self.give(&of.part(vec_of(item), format!("result_of({collect})")));
            }
            Driven::Future { output } => {
                let imports = ["std::future::Future", "std::task::Context", "std::task::Poll", "std::task::Waker"];
                let poll = run("future_poll", 1, POLL, &imports, RowLoans::Passed);
                let output = output.clone().unwrap_or_else(|| of.unknown("output"));
                self.give(&of.part(option_of(output), format!("result_of({poll})")));
            }
            Driven::Callable { call, args, result } => {
                let (adapter, callee, loans) = match call {
                    Call::Shared => ("call", "{.0}", RowLoans::Called),
                    Call::Exclusive => ("call_mut", "{.0}", RowLoans::CalledMut),
                    Call::Once => ("call_once", "{0}", RowLoans::Passed),
                };
                let places: Vec<String> = (1..=args.len()).map(|place| format!("{{{place}}}")).collect();
                let adapter = format!("{adapter}_{}", args.len());
                let text = format!("{callee}({})", places.join(", "));
                let function = run(&adapter, args.len() + 1, &text, &[], loans);
                if *call != Call::Once {
                    self.probe_lent(of, *call == Call::Exclusive);
                }
                for (index, arg) in args.iter().enumerate() {
                    let name = arg.clone().unwrap_or_else(|| of.unknown(&format!("argument {index}")));
                    self.want(&of.part(name, format!("arg{}_of({function})", index + 1)));
                }
                let result = result.clone().unwrap_or_else(|| of.unknown("result"));
                self.give(&of.part(result, format!("result_of({function})")));
            }
        }
    }
}

/// Larger tuples and arrays of elements that cannot be cloned are rare.
const MAX_TUPLE: usize = 8;
const MAX_ARRAY: usize = 8;

/// A future is polled a bounded number of times and then given up.
const POLL: &str = "(0..100)\
    .scan(Box::pin({0}), |future, _| Some(future.as_mut().poll(&mut Context::from_waker(Waker::noop()))))\
    .find_map(|poll| match poll { Poll::Ready(value) => Some(value), Poll::Pending => None })";

fn option_of(inner: TypeName) -> TypeName {
    TypeName::Path { segments: ["core", "option", "Option"].map(str::to_string).to_vec(), args: vec![inner] }
}

fn vec_of(element: TypeName) -> TypeName {
    TypeName::Path { segments: ["alloc", "vec", "Vec"].map(str::to_string).to_vec(), args: vec![element] }
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
