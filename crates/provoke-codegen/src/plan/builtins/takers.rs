//! What something gives: ways to take values of a type apart.

use crate::plan::builtins::driven::{Call, Driven};
use crate::plan::builtins::pattern::is_sized;
use crate::plan::builtins::way::RowLoans;
use provoke_api::OpRole;
use provoke_oracles::EXCLUSIVE_BORROWS;

use crate::plan::builtins::makers::MAX_TUPLE;
use crate::plan::builtins::{Finder, Found, Operation};
use crate::plan::op::{OpText, PlannedOp};
use crate::types::type_name::TypeName;

impl Finder<'_> {
    /// Something returns a value of this type.
    pub(super) fn give(&mut self, of: &Found) {
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
    pub(super) fn exclusive(&mut self, of: &Found) {
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
    pub(super) fn exclusive_parts(&mut self, of: &Found, parts: &[TypeName]) {
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

    pub(super) fn exclusive_law(&mut self, adapter: &str, of: &Found, n_args: usize, text: &str) {
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
    pub(super) fn drive(&mut self, driven: &Driven, of: &Found, function: Option<usize>) {
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
