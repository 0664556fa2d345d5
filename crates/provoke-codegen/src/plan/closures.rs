//! Closures for `Fn` parameters: function pointers made from closures that capture nothing. Constants, an argument passed
//! through, and what is usual for predicates, comparisons and keys.
//!
//! Decision: `docs/decisions/007-closures-are-function-pointers.md`

use provoke_api::OpRole;
use provoke_model::{Fields, Ty, TypeKind};

use crate::plan::Planner;
use crate::plan::op::{OpText, PlannedOp};
use crate::types::catalog::{Catalog, type_args};
use crate::types::render::{Renderer, raw};
use crate::types::subst::{Choice, Substitution};

/// Closures of one type.
const MAX_CLOSURES: usize = 6;
/// Names of parameters.
const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

impl Planner {
    /// Every function pointer type that was chosen for a parameter gets values.
    pub(super) fn closures(&mut self) {
        for pointer in std::mem::take(&mut self.fn_pointers) {
            let Ty::FnPointer { params, result, .. } = &pointer else { continue };
            let Some(ty) = Renderer::absolute(&self.catalog.model).ty(&pointer) else { continue };
            let mut short = Renderer::short(&self.catalog.model);
            let Some(spelled) = short.ty(&pointer) else { continue };
            let type_imports = short.imports;
            if params.len() > NAMES.len() {
                continue;
            }
            let unit = Ty::Tuple(Vec::new());
            let bodies = bodies(&self.catalog, params, result.as_deref().unwrap_or(&unit));
            for body in bodies.into_iter().take(MAX_CLOSURES) {
                let names: Vec<&str> = NAMES[..params.len()]
                    .iter()
                    .map(|name| if mentions_name(&body.text, name) { *name } else { "_" })
                    .collect();
                let closure = format!("|{}| {}", names.join(", "), body.text);
                let mut imports = type_imports.clone();
                imports.extend(body.imports.iter().map(ToString::to_string));
                let absolute = body.imports.iter().fold(closure.clone(), |text, import| {
                    let name = import.rsplit("::").next().unwrap_or_default();
                    text.replace(&format!("{name}::"), &format!("::{import}::"))
                });
                let key = format!("closure {spelled} {closure}");
                let expression = format!("|| -> {ty} {{ {absolute} }}");
                self.push(PlannedOp {
                    text: OpText {
                        pretty: closure.clone(),
                        explicit: format!("({closure}) as {spelled}"),
                        imports,
                        is_inline: true,
                        ..OpText::default()
                    },
                    ..PlannedOp::new(key, OpRole::Builtin, expression, 0)
                });
            }
        }
    }
}

/// What a closure computes.
struct ClosureBody {
    text: String,
    imports: Vec<&'static str>,
}

fn plain(text: impl Into<String>) -> ClosureBody {
    ClosureBody { text: text.into(), imports: Vec::new() }
}

fn mentions_name(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}

fn bodies(catalog: &Catalog, params: &[Ty], result: &Ty) -> Vec<ClosureBody> {
    let mut found: Vec<ClosureBody> = Vec::new();
    if let Ty::Tuple(parts) = result
        && parts.is_empty()
    {
        return vec![plain("{}")];
    }
    let same_pair = match params {
        [a, b] => same(a, b),
        _ => false,
    };
    if catalog.is_std(result, "Ordering") && same_pair {
        let is_ref = matches!(params[0], Ty::Ref { .. });
        let other = |name: &str| if is_ref { name.to_string() } else { format!("&{name}") };
        found.push(plain(format!("a.cmp({})", other("b"))));
        found.push(plain(format!("b.cmp({})", other("a"))));
    }
    if *result == Ty::Primitive("bool".to_string()) {
        if same_pair {
            found.extend(["a == b", "a < b"].map(plain));
        }
        if let [param] = params {
            match param {
                Ty::Primitive(name) if is_integer(name) => found.push(plain("a % 2 == 0")),
                Ty::Ref { ty, mutable: false, .. } => match &**ty {
                    Ty::Primitive(name) if is_integer(name) => found.push(plain("*a % 2 == 0")),
                    Ty::Ref { ty, .. } if matches!(&**ty, Ty::Primitive(name) if is_integer(name)) => {
                        found.push(plain("**a % 2 == 0"));
                    }
                    _ => {}
                },
                _ => {}
            }
        }
    }
    // An argument passed through, as it is or wrapped.
    for (name, param) in NAMES.iter().zip(params) {
        if same(param, result) {
            found.push(plain(*name));
        } else if let Ty::Ref { ty, mutable: false, .. } = param
            && same(ty, result)
        {
            found.push(plain(format!("{name}.clone()")));
        }
        if let Ty::Path { args, .. } = result {
            let inner: Vec<&Ty> = type_args(args).collect();
            if catalog.is_std(result, "Option") && same(param, inner[0]) {
                found.push(plain(format!("Some({name})")));
            }
            if catalog.is_std(result, "Result") && inner.first().is_some_and(|ok| same(param, ok)) {
                found.push(plain(format!("Ok({name})")));
            }
            if catalog.is_std(result, "Vec") && inner.first().is_some_and(|element| same(param, element)) {
                found.push(plain(format!("vec![{name}]")));
            }
        }
    }
    found.extend(constants(catalog, result, 2));
    found
}

/// The same type, lifetimes apart.
fn same(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Ref { mutable, ty: a, .. }, Ty::Ref { mutable: other, ty: b, .. }) => mutable == other && same(a, b),
        _ => a == b,
    }
}

fn is_integer(name: &str) -> bool {
    matches!(name, "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "u8" | "u16" | "u32" | "u64" | "u128" | "usize")
}

/// Constant expressions of a type.
fn constants(catalog: &Catalog, ty: &Ty, depth: u32) -> Vec<ClosureBody> {
    let wrapped = |text: &str, inner: &Ty| -> Vec<ClosureBody> {
        if depth == 0 {
            return Vec::new();
        }
        constants(catalog, inner, depth - 1)
            .into_iter()
            .take(1)
            .map(|body| ClosureBody { text: text.replace('@', &body.text), imports: body.imports })
            .collect()
    };
    match ty {
        Ty::Primitive(name) if is_integer(name) => ["0", "1", "7"].map(plain).into_iter().collect(),
        Ty::Primitive(name) => match name.as_str() {
            "bool" => ["true", "false"].map(plain).into_iter().collect(),
            "f32" | "f64" => ["0.0", "1.5"].map(plain).into_iter().collect(),
            "char" => vec![plain("'x'")],
            _ => Vec::new(),
        },
        Ty::Ref { ty, mutable: false, .. } if **ty == Ty::Primitive("str".to_string()) => {
            ["\"\"", "\"x\""].map(plain).into_iter().collect()
        }
        Ty::Tuple(parts) if parts.is_empty() => vec![plain("()")],
        Ty::Tuple(parts) => {
            let parts: Option<Vec<ClosureBody>> =
                parts.iter().map(|part| constants(catalog, part, depth.saturating_sub(1)).into_iter().next()).collect();
            parts.map_or(Vec::new(), |parts| {
                let texts: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
                let comma = if texts.len() == 1 { "," } else { "" };
                vec![ClosureBody {
                    text: format!("({}{comma})", texts.join(", ")),
                    imports: parts.iter().flat_map(|part| part.imports.clone()).collect(),
                }]
            })
        }
        Ty::Path { args, .. } => {
            let inner: Vec<&Ty> = type_args(args).collect();
            if catalog.is_std(ty, "String") {
                return ["String::new()", "\"x\".to_string()"].map(plain).into_iter().collect();
            }
            if catalog.is_std(ty, "Option") {
                return wrapped("Some(@)", inner[0]).into_iter().chain([plain("None")]).collect();
            }
            if catalog.is_std(ty, "Result")
                && let [ok, error] = inner[..]
            {
                return wrapped("Ok(@)", ok).into_iter().chain(wrapped("Err(@)", error)).collect();
            }
            if catalog.is_std(ty, "Ordering") {
                let of = |text: &str| ClosureBody { text: text.to_string(), imports: vec!["std::cmp::Ordering"] };
                return ["Ordering::Equal", "Ordering::Less", "Ordering::Greater"].map(of).into_iter().collect();
            }
            if catalog.is_std(ty, "Vec") {
                return vec![plain("Vec::new()")];
            }
            let mut found = literals(catalog, ty, depth);
            found.push(plain("Default::default()"));
            found
        }
        _ => Vec::new(),
    }
}

/// Variants and struct literals of a local type, with constants inside.
fn literals(catalog: &Catalog, ty: &Ty, depth: u32) -> Vec<ClosureBody> {
    let Ty::Path { item, args } = ty else { return Vec::new() };
    let found = catalog.model.item(*item);
    let (Some(path), Some(def)) = (&found.path, found.local_index.and_then(|index| catalog.model.types.get(index)))
    else {
        return Vec::new();
    };
    if depth == 0 || def.is_non_exhaustive || found.kind == provoke_model::ItemKind::Trait {
        return Vec::new();
    }
    let mut choice = Choice::default();
    let params = def.generics.params.iter().filter(|param| !param.name.starts_with('\''));
    for (param, arg) in params.zip(type_args(args)) {
        choice.types.insert(param.name.clone(), arg.clone());
    }
    let name = path.iter().map(|segment| raw(segment)).collect::<Vec<_>>().join("::");
    let bodies: Vec<(String, &Fields)> = match &def.kind {
        TypeKind::Struct(fields) => vec![(name, fields)],
        TypeKind::Enum(variants) => {
            let open = variants.iter().filter(|variant| !variant.is_non_exhaustive).take(3);
            open.map(|variant| (format!("{name}::{}", raw(&variant.name)), &variant.fields)).collect()
        }
        TypeKind::Union => Vec::new(),
    };
    let constant = |ty: &Ty| constants(catalog, &choice.apply(ty), depth - 1).into_iter().next();
    bodies
        .into_iter()
        .filter_map(|(name, fields)| match fields {
            Fields::Unit => Some(plain(name)),
            Fields::Tuple { fields, has_private: false } => {
                let parts: Vec<ClosureBody> = fields.iter().map(|field| constant(&field.ty)).collect::<Option<_>>()?;
                let texts: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
                Some(ClosureBody {
                    text: format!("{name}({})", texts.join(", ")),
                    imports: parts.iter().flat_map(|part| part.imports.clone()).collect(),
                })
            }
            _ => None,
        })
        .collect()
}
