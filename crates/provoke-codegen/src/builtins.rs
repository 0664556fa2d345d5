//! Built-in operations on the std types that the API's signatures use, found by reading a first worker's table back.
//!
//! A type that something *wants* gets ways to make it; a type that something *gives* gets ways to take it apart.
//! Both are followed inwards (`Option<&[T]>` wants `&[T]`, which wants `Vec<T>`, which wants `T`) until nothing is new.

use std::collections::BTreeSet;

use provoke_model::Model;
use provoke_wire::Table;
use serde::{Deserialize, Serialize};

use crate::op::{OpText, PlannedFlow, PlannedOp, Role};
use crate::type_name::TypeName;

/// A probe of one type: an expression that is its witness.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    pub type_name: String,
    pub witness: String,
}

/// What reading back adds to the plan.
#[derive(Debug, Default)]
pub struct Builtins {
    pub ops: Vec<PlannedOp>,
    pub probes: Vec<Probe>,
}

/// `ops` are the operations of the worker that described itself by `table`, in its numbering.
pub fn builtins(model: &Model, ops: &[PlannedOp], table: &Table) -> Builtins {
    let mut finder = Finder {
        model,
        found: Builtins::default(),
        wanted: BTreeSet::new(),
        given: BTreeSet::new(),
        probed: BTreeSet::new(),
    };
    finder.plain();
    // Two types may print alike (two versions of one crate): those are told apart by their place in the table.
    let ambiguous: BTreeSet<&str> = {
        let mut seen = BTreeSet::new();
        table.types.iter().map(|t| t.name.as_str()).filter(|name| !seen.insert(*name)).collect()
    };
    let identity = |place: u32| {
        let name = &table.types[place as usize].name;
        if ambiguous.contains(name.as_str()) { format!("{name}#{place}") } else { name.clone() }
    };
    for (op, signature) in ops.iter().zip(&table.ops) {
        let function = format!("{{ let f: {} = {}; f }}", op.pointer, op.expression);
        for (index, &place) in signature.args.iter().enumerate() {
            let name = TypeName::parse(&table.types[place as usize].name);
            finder.want(&name, &identity(place), &format!("arg{index}_of({function})"));
        }
        let place = signature.result;
        let name = TypeName::parse(&table.types[place as usize].name);
        finder.give(&name, &identity(place), &format!("result_of({function})"));
    }
    finder.found.ops.sort_by(|a, b| a.key.cmp(&b.key));
    finder.found.ops.dedup_by(|a, b| a.key == b.key);
    finder.found
}

struct Finder<'a> {
    model: &'a Model,
    found: Builtins,
    wanted: BTreeSet<String>,
    given: BTreeSet<String>,
    probed: BTreeSet<String>,
}

/// How a built-in is spelled and what it lends.
struct Spelling<'a> {
    pretty: &'a str,
    explicit: &'a str,
    imports: &'a [&'a str],
    n_args: usize,
    flows: &'a [PlannedFlow],
    role: Role,
    /// The first argument is a reference by declaration; otherwise it is one only if the type itself is.
    is_by_ref: bool,
}

const INNER_0: PlannedFlow = PlannedFlow { arg: 0, is_outer: false, to_arg: None };
const INNER_1: PlannedFlow = PlannedFlow { arg: 1, is_outer: false, to_arg: None };
const INNER_2: PlannedFlow = PlannedFlow { arg: 2, is_outer: false, to_arg: None };
const INNER_3: PlannedFlow = PlannedFlow { arg: 3, is_outer: false, to_arg: None };
const OUTER_0: PlannedFlow = PlannedFlow { arg: 0, is_outer: true, to_arg: None };
const INTO_0: PlannedFlow = PlannedFlow { arg: 1, is_outer: false, to_arg: Some(0) };
const ALL_INNER: [PlannedFlow; 4] = [INNER_0, INNER_1, INNER_2, INNER_3];

/// By value in, by value out.
fn makes<'a>(pretty: &'a str, n_args: usize) -> Spelling<'a> {
    Spelling {
        pretty,
        explicit: pretty,
        imports: &[],
        n_args,
        flows: &ALL_INNER[..n_args],
        role: Role::Builtin,
        is_by_ref: false,
    }
}

fn views<'a>(pretty: &'a str) -> Spelling<'a> {
    Spelling {
        pretty,
        explicit: pretty,
        imports: &[],
        n_args: 1,
        flows: &[OUTER_0, INNER_0],
        role: Role::Coercion,
        is_by_ref: true,
    }
}

impl Finder<'_> {
    fn probe(&mut self, identity: &str, witness: &str) {
        if self.probed.insert(identity.to_string()) {
            self.found.probes.push(Probe { type_name: identity.to_string(), witness: witness.to_string() });
        }
    }

    fn add(&mut self, key: String, expression: String, spelling: &Spelling<'_>) {
        // A value can only be lent where the worker knows the reference for one.
        if spelling.is_by_ref {
            self.probe(&format!("the first argument of {key}"), &format!("arg0_of({expression})"));
        }
        self.found.ops.push(PlannedOp {
            key,
            function: None,
            trait_function: None,
            role: spelling.role,
            expression,
            pointer: format!("fn({}) -> _", vec!["_"; spelling.n_args].join(", ")),
            n_args: spelling.n_args,
            flows: spelling.flows.to_vec(),
            static_args: Vec::new(),
            declared_refs: if spelling.is_by_ref { vec![0] } else { Vec::new() },
            text: OpText {
                pretty: spelling.pretty.to_string(),
                explicit: spelling.explicit.to_string(),
                imports: spelling.imports.iter().map(ToString::to_string).collect(),
                is_inline: spelling.role == Role::Coercion,
                generic_args: (0..spelling.n_args as u8).collect(),
                ..OpText::default()
            },
        });
    }

    /// One adapter of the runtime, applied to a witness.
    fn adapt(&mut self, adapter: &str, identity: &str, witness: &str, spelling: &Spelling<'_>) {
        self.add(format!("std {adapter} {identity}"), format!("{adapter}({witness})"), spelling);
    }

    /// Conversions between text types, which need no witness.
    fn plain(&mut self) {
        self.add("std string_as_str".into(), "string_as_str()".into(), &views("{.0}.as_str()"));
        self.add(
            "std str_to_string".into(),
            "str_to_string()".into(),
            &Spelling { flows: &[], is_by_ref: true, ..makes("{.0}.to_string()", 1) },
        );
    }

    fn spelled(&self, name: &TypeName) -> Option<(String, Vec<String>)> {
        let mut imports = Vec::new();
        let text = name.spell(self.model, &mut imports)?;
        Some((text, imports))
    }

    /// `None::<T>`-like texts: the template with `@` replaced by the type, or `otherwise` where it has no name.
    fn with_type(&mut self, adapter: &str, of: (&str, &str), shown: &TypeName, texts: (&str, &str), n_args: usize) {
        let ((identity, witness), (template, otherwise)) = (of, texts);
        let (text, imports) = match self.spelled(shown) {
            Some((ty, imports)) => (template.replace('@', &ty), imports),
            None => (otherwise.to_string(), Vec::new()),
        };
        let imports: Vec<&str> = imports.iter().map(String::as_str).collect();
        let spelling = Spelling { imports: &imports, ..makes(&text, n_args) };
        self.adapt(adapter, identity, witness, &spelling);
    }

    /// Something takes a value of this type.
    fn want(&mut self, name: &TypeName, identity: &str, witness: &str) {
        self.probe(identity, witness);
        if !self.wanted.insert(identity.to_string()) {
            return;
        }
        match name {
            TypeName::Ref { mutable, inner } => match &**inner {
                TypeName::Slice(element) => {
                    let (way, adapter, view) = if *mutable {
                        ("slice_mut_element", "vec_as_mut_slice", "&mut {.0}[..]")
                    } else {
                        ("slice_element", "vec_as_slice", "&{.0}[..]")
                    };
                    let vec_witness = format!("vec_of({way}({witness}))");
                    let vec_name = vec_of((**element).clone());
                    let vec_identity = inner_identity(identity, &vec_name);
                    self.adapt(adapter, &vec_identity, &vec_witness, &views(view));
                    self.want(&vec_name, &vec_identity, &vec_witness);
                }
                TypeName::Path { segments, .. } if segments.as_slice() == ["str"] => {}
                TypeName::Other(_) => {}
                sized => {
                    let way = if *mutable { "mut_inner" } else { "ref_inner" };
                    self.want(sized, &inner_identity(identity, sized), &format!("{way}({witness})"));
                }
            },
            TypeName::Array(element, len) => {
                let element_identity = inner_identity(identity, element);
                self.want(element, &element_identity, &format!("array_element({witness})"));
                let fill = format!("[{{0}}; {len}]");
                let cloned = "std::array::from_fn(|_| {0}.clone())";
                self.adapt("array_fill", identity, witness, &Spelling { explicit: cloned, ..makes(&fill, 1) });
                match len.as_str() {
                    "2" => self.adapt("array_2", identity, witness, &makes("[{0}, {1}]", 2)),
                    "3" => self.adapt("array_3", identity, witness, &makes("[{0}, {1}, {2}]", 3)),
                    "4" => self.adapt("array_4", identity, witness, &makes("[{0}, {1}, {2}, {3}]", 4)),
                    _ => {}
                }
            }
            TypeName::Tuple(parts) => {
                let n = parts.len();
                if (1..=4).contains(&n) {
                    let text = ["({0},)", "({0}, {1})", "({0}, {1}, {2})", "({0}, {1}, {2}, {3})"][n - 1];
                    self.adapt(&format!("tuple{n}"), identity, witness, &makes(text, n));
                    for (index, part) in parts.iter().enumerate() {
                        self.want(part, &inner_identity(identity, part), &format!("tuple{n}_{index}({witness})"));
                    }
                }
            }
            TypeName::Path { .. } => self.want_path(name, identity, witness),
            TypeName::Slice(_) | TypeName::Other(_) => {}
        }
    }

    fn want_path(&mut self, name: &TypeName, identity: &str, witness: &str) {
        let path = name.path().unwrap_or_default();
        let args = name.args();
        match (path.as_str(), args) {
            ("core::option::Option", [inner]) => {
                self.with_type("option_none", (identity, witness), inner, ("None::<@>", "None"), 0);
                self.adapt("option_some", identity, witness, &makes("Some({0})", 1));
                self.want(inner, &inner_identity(identity, inner), &format!("option_inner({witness})"));
            }
            ("core::result::Result", [ok, err]) => {
                self.with_type("result_ok", (identity, witness), err, ("Ok::<_, @>({0})", "Ok({0})"), 1);
                self.with_type("result_err", (identity, witness), ok, ("Err::<@, _>({0})", "Err({0})"), 1);
                self.want(ok, &inner_identity(identity, ok), &format!("result_ok_inner({witness})"));
                self.want(err, &inner_identity(identity, err), &format!("result_err_inner({witness})"));
            }
            ("alloc::vec::Vec", [element]) => {
                self.with_type("vec_0", (identity, witness), element, ("Vec::<@>::new()", "Vec::new()"), 0);
                self.adapt("vec_1", identity, witness, &makes("vec![{0}]", 1));
                self.adapt("vec_2", identity, witness, &makes("vec![{0}, {1}]", 2));
                self.adapt("vec_3", identity, witness, &makes("vec![{0}, {1}, {2}]", 3));
                let push = Spelling { flows: &[INTO_0], is_by_ref: true, ..makes("{.0}.push({1})", 2) };
                self.adapt("vec_push", identity, witness, &push);
                if element.path().as_deref() == Some("u8") {
                    let spelling = Spelling { flows: &[], is_by_ref: true, ..makes("{.0}.to_vec()", 1) };
                    self.add("std bytes_to_vec".into(), "bytes_to_vec()".into(), &spelling);
                }
                self.want(element, &inner_identity(identity, element), &format!("vec_element({witness})"));
            }
            ("alloc::vec::into_iter::IntoIter", [element]) => {
                let vec_witness = format!("vec_of(into_iter_element({witness}))");
                let vec_name = vec_of(element.clone());
                let vec_identity = inner_identity(identity, &vec_name);
                self.adapt("vec_into_iter", &vec_identity, &vec_witness, &makes("{.0}.into_iter()", 1));
                self.want(&vec_name, &vec_identity, &vec_witness);
            }
            ("alloc::boxed::Box", [TypeName::Slice(element)]) => {
                let vec_witness = format!("vec_of(boxed_slice_element({witness}))");
                let vec_name = vec_of((**element).clone());
                let vec_identity = inner_identity(identity, &vec_name);
                let text = "{.0}.into_boxed_slice()";
                self.adapt("vec_into_boxed_slice", &vec_identity, &vec_witness, &makes(text, 1));
                self.want(&vec_name, &vec_identity, &vec_witness);
            }
            ("alloc::boxed::Box", [inner @ (TypeName::Path { .. } | TypeName::Tuple(_) | TypeName::Array(..))]) => {
                self.adapt("boxed", identity, witness, &makes("Box::new({0})", 1));
                self.want(inner, &inner_identity(identity, inner), &format!("box_inner({witness})"));
            }
            ("alloc::rc::Rc", [inner @ TypeName::Path { .. }]) => {
                let spelling = Spelling { imports: &["std::rc::Rc"], ..makes("Rc::new({0})", 1) };
                self.adapt("rc_new", identity, witness, &spelling);
                self.want(inner, &inner_identity(identity, inner), &format!("rc_inner({witness})"));
            }
            ("alloc::sync::Arc", [inner @ TypeName::Path { .. }]) => {
                let spelling = Spelling { imports: &["std::sync::Arc"], ..makes("Arc::new({0})", 1) };
                self.adapt("arc_new", identity, witness, &spelling);
                self.want(inner, &inner_identity(identity, inner), &format!("arc_inner({witness})"));
            }
            ("std::io::cursor::Cursor", [inner]) => {
                let spelling = Spelling { imports: &["std::io::Cursor"], ..makes("Cursor::new({0})", 1) };
                self.adapt("cursor_new", identity, witness, &spelling);
                self.want(inner, &inner_identity(identity, inner), &format!("cursor_inner({witness})"));
            }
            ("alloc::borrow::Cow", _) if args.iter().any(|a| a.path().as_deref() == Some("str")) => {
                let imports = ["std::borrow::Cow"];
                let borrowed = Spelling { imports: &imports, ..makes("Cow::Borrowed({0})", 1) };
                self.add("std cow_borrowed".into(), "cow_borrowed()".into(), &borrowed);
                let owned = Spelling { imports: &imports, ..makes("Cow::<'static, str>::Owned({0})", 1) };
                self.add("std cow_owned".into(), "cow_owned()".into(), &owned);
            }
            ("core::time::Duration", _) => self.durations(),
            ("core::cmp::Ordering", _) => {
                for variant in ["Less", "Equal", "Greater"] {
                    let text = format!("Ordering::{variant}");
                    let spelling = Spelling { imports: &["std::cmp::Ordering"], ..makes(&text, 0) };
                    self.add(
                        format!("std Ordering::{variant}"),
                        format!("|| ::std::cmp::Ordering::{variant}"),
                        &spelling,
                    );
                }
            }
            ("core::ops::range::RangeFull", _) => {
                self.add("std range_full".into(), "|| ..".into(), &makes("..", 0));
            }
            (path, [index]) if path.starts_with("core::ops::range::") => {
                let (adapter, text, n_args) = match path {
                    "core::ops::range::Range" => ("range", "{0}..{1}", 2),
                    "core::ops::range::RangeInclusive" => ("range_inclusive", "{0}..={1}", 2),
                    "core::ops::range::RangeFrom" => ("range_from", "{0}..", 1),
                    "core::ops::range::RangeTo" => ("range_to", "..{0}", 1),
                    "core::ops::range::RangeToInclusive" => ("range_to_inclusive", "..={0}", 1),
                    _ => return,
                };
                self.adapt(adapter, identity, witness, &makes(text, n_args));
                self.want(index, &inner_identity(identity, index), &format!("{adapter}_inner({witness})"));
            }
            _ => self.default_and_clone(name, identity, witness),
        }
    }

    fn durations(&mut self) {
        for (name, text) in [
            ("from_secs", "Duration::from_secs({0})"),
            ("from_millis", "Duration::from_millis({0})"),
            ("from_nanos", "Duration::from_nanos({0})"),
        ] {
            let spelling = Spelling { imports: &["std::time::Duration"], ..makes(text, 1) };
            self.add(format!("std Duration::{name}"), format!("::std::time::Duration::{name}"), &spelling);
        }
    }

    /// Any other type: its default value, and a copy of one that is there.
    fn default_and_clone(&mut self, name: &TypeName, identity: &str, witness: &str) {
        if matches!(name, TypeName::Path { segments, .. } if segments.len() == 1) {
            return;
        }
        let (text, imports) = match self.spelled(name) {
            Some((ty, imports)) => (format!("<{ty}>::default()"), imports),
            None => ("Default::default()".to_string(), Vec::new()),
        };
        // `Slab::default()` reads better than `<Slab>::default()`, but generic paths need the brackets.
        let pretty = match text.strip_prefix('<').and_then(|t| t.strip_suffix(">::default()")) {
            Some(ty) if !ty.contains('<') => format!("{ty}::default()"),
            _ => text.clone(),
        };
        let imports: Vec<&str> = imports.iter().map(String::as_str).collect();
        let spelling = Spelling { explicit: &text, imports: &imports, ..makes(&pretty, 0) };
        self.adapt("default_of", identity, witness, &spelling);
        self.clone(identity, witness);
    }

    fn clone(&mut self, identity: &str, witness: &str) {
        self.adapt("clone_of", identity, witness, &Spelling { is_by_ref: true, ..makes("{.0}.clone()", 1) });
    }

    /// Something returns a value of this type.
    fn give(&mut self, name: &TypeName, identity: &str, witness: &str) {
        self.probe(identity, witness);
        if !self.given.insert(identity.to_string()) {
            return;
        }
        match name {
            TypeName::Ref { mutable, inner } => match &**inner {
                TypeName::Slice(_) | TypeName::Other(_) => {}
                TypeName::Path { segments, .. } if segments.as_slice() == ["str"] => {}
                sized => {
                    let way = if *mutable { "mut_inner" } else { "ref_inner" };
                    let inner_witness = format!("{way}({witness})");
                    let inner_identity = inner_identity(identity, sized);
                    self.clone(&inner_identity, &inner_witness);
                    self.give(sized, &inner_identity, &inner_witness);
                }
            },
            TypeName::Tuple(parts) => {
                let n = parts.len();
                if (1..=4).contains(&n) {
                    for (index, part) in parts.iter().enumerate() {
                        let text = format!("{{.0}}.{index}");
                        self.adapt(&format!("take_tuple{n}_{index}"), identity, witness, &makes(&text, 1));
                        self.give(part, &inner_identity(identity, part), &format!("tuple{n}_{index}({witness})"));
                    }
                }
            }
            TypeName::Path { .. } => {
                let path = name.path().unwrap_or_default();
                match (path.as_str(), name.args()) {
                    ("core::option::Option", [inner]) => {
                        self.adapt("option_unwrap", identity, witness, &makes("{.0}.unwrap()", 1));
                        self.give(inner, &inner_identity(identity, inner), &format!("option_inner({witness})"));
                    }
                    ("core::result::Result", [ok, err]) => {
                        let unwrap = "match {0} { Ok(value) => value, Err(_) => panic!() }";
                        self.adapt(
                            "result_unwrap",
                            identity,
                            witness,
                            &Spelling { explicit: unwrap, ..makes("{.0}.unwrap()", 1) },
                        );
                        self.adapt("result_unwrap_err", identity, witness, &makes("{.0}.err().unwrap()", 1));
                        self.give(ok, &inner_identity(identity, ok), &format!("result_ok_inner({witness})"));
                        self.give(err, &inner_identity(identity, err), &format!("result_err_inner({witness})"));
                    }
                    ("alloc::boxed::Box", [inner @ TypeName::Path { .. }]) => {
                        self.adapt("unboxed", identity, witness, &makes("*{0}", 1));
                        self.give(inner, &inner_identity(identity, inner), &format!("box_inner({witness})"));
                    }
                    ("alloc::borrow::Cow", args) if args.iter().any(|a| a.path().as_deref() == Some("str")) => {
                        let spelling = Spelling { flows: &[], ..makes("{.0}.into_owned()", 1) };
                        self.add("std cow_into_owned".into(), "cow_into_owned()".into(), &spelling);
                    }
                    (path, _)
                        if path.starts_with("core::") || path.starts_with("alloc::") || path.starts_with("std::") => {}
                    _ => self.default_and_clone(name, identity, witness),
                }
            }
            TypeName::Array(..) | TypeName::Slice(_) | TypeName::Other(_) => {}
        }
    }
}

fn vec_of(element: TypeName) -> TypeName {
    TypeName::Path { segments: ["alloc", "vec", "Vec"].map(str::to_string).to_vec(), args: vec![element] }
}

/// The identity of a part: its name, kept apart with its whole where that was ambiguous.
fn inner_identity(whole: &str, part: &TypeName) -> String {
    let text = print(part);
    match whole.split_once('#') {
        Some((_, place)) => format!("{text}#{place}"),
        None => text,
    }
}

/// Back to the form that `type_name` prints.
fn print(name: &TypeName) -> String {
    match name {
        TypeName::Path { segments, args } if args.is_empty() => segments.join("::"),
        TypeName::Path { segments, args } => {
            format!("{}<{}>", segments.join("::"), args.iter().map(print).collect::<Vec<_>>().join(", "))
        }
        TypeName::Ref { mutable, inner } => {
            format!("&{}{}", if *mutable { "mut " } else { "" }, print(inner))
        }
        TypeName::Slice(inner) => format!("[{}]", print(inner)),
        TypeName::Array(inner, len) => format!("[{}; {len}]", print(inner)),
        TypeName::Tuple(parts) if parts.len() == 1 => format!("({},)", print(&parts[0])),
        TypeName::Tuple(parts) => format!("({})", parts.iter().map(print).collect::<Vec<_>>().join(", ")),
        TypeName::Other(text) => text.clone(),
    }
}
