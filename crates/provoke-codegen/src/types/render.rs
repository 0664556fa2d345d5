//! Types as source text: with absolute paths for the harness, with short names and imports for tests.

use provoke_model::{Bound, GenericArg, Item, Model, TraitRef, Ty};

use crate::types::prelude::{is_in_prelude, is_prelude_name};

/// How item names are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// `::slab::Slab`
    Absolute,
    /// `Slab`, to be imported.
    Short,
}

/// Writes types and collects what they need imported.
pub struct Renderer<'a> {
    model: &'a Model,
    names: Names,
    /// Inside a function pointer lifetimes may be elided.
    is_in_pointer: bool,
    pub imports: Vec<String>,
}

impl<'a> Renderer<'a> {
    pub fn absolute(model: &'a Model) -> Renderer<'a> {
        Renderer { model, names: Names::Absolute, is_in_pointer: false, imports: Vec::new() }
    }

    pub fn short(model: &'a Model) -> Renderer<'a> {
        Renderer { model, names: Names::Short, is_in_pointer: false, imports: Vec::new() }
    }

    /// `None` where something in the type cannot be named from outside.
    pub fn ty(&mut self, ty: &Ty) -> Option<String> {
        Some(match ty {
            Ty::Path { item, args } => {
                let path = self.item(self.model.item(*item))?;
                format!("{path}{}", self.args(args)?)
            }
            Ty::Primitive(name) => name.clone(),
            // What was not chosen is left to inference.
            Ty::Param(_) => "_".to_string(),
            Ty::SelfTy | Ty::ImplTrait(_) | Ty::Other(_) => return None,
            Ty::Tuple(parts) => match parts.as_slice() {
                [single] => format!("({},)", self.ty(single)?),
                _ => {
                    let parts: Option<Vec<String>> = parts.iter().map(|t| self.ty(t)).collect();
                    format!("({})", parts?.join(", "))
                }
            },
            Ty::Slice(inner) => format!("[{}]", self.ty(inner)?),
            Ty::Array(inner, len) => format!("[{}; {len}]", self.ty(inner)?),
            Ty::Ref { mutable, ty, lifetime } => {
                let inner = self.ty(ty)?;
                let lifetime = match self.names {
                    Names::Absolute if self.is_in_pointer && lifetime.is_none() => "",
                    Names::Absolute => "'static ",
                    Names::Short => "",
                };
                format!("&{lifetime}{}{inner}", if *mutable { "mut " } else { "" })
            }
            Ty::RawPointer { mutable, ty } => {
                format!("*{} {}", if *mutable { "mut" } else { "const" }, self.ty(ty)?)
            }
            Ty::FnPointer { params, result, is_unsafe } => {
                let was_in_pointer = std::mem::replace(&mut self.is_in_pointer, true);
                let params: Option<Vec<String>> = params.iter().map(|t| self.ty(t)).collect();
                let result = match result.as_deref() {
                    Some(Ty::Tuple(parts)) if parts.is_empty() => Some(String::new()),
                    Some(ty) => self.ty(ty).map(|ty| format!(" -> {ty}")),
                    None => Some(String::new()),
                };
                self.is_in_pointer = was_in_pointer;
                let result = result?;
                format!("{}fn({}){result}", if *is_unsafe { "unsafe " } else { "" }, params?.join(", "))
            }
            Ty::Dyn { bounds, lifetime } => {
                let mut parts = Vec::new();
                for bound in bounds {
                    match bound {
                        Bound::Trait { trait_ref, .. } => parts.push(self.trait_ref(trait_ref)?),
                        Bound::Lifetime(_) | Bound::Use => {}
                    }
                }
                if lifetime.is_some() && self.names == Names::Absolute {
                    parts.push("'static".to_string());
                }
                format!("(dyn {})", parts.join(" + "))
            }
            Ty::Projection { self_ty, trait_ref, name, args } => {
                let self_ty = self.ty(self_ty)?;
                let args = self.args(args)?;
                match trait_ref {
                    Some(trait_ref) => {
                        format!("<{self_ty} as {}>::{name}{args}", self.trait_ref(trait_ref)?)
                    }
                    None => format!("<{self_ty}>::{name}{args}"),
                }
            }
        })
    }

    pub fn trait_ref(&mut self, trait_ref: &TraitRef) -> Option<String> {
        let path = self.item(self.model.item(trait_ref.item))?;
        Some(format!("{path}{}", self.args(&trait_ref.args)?))
    }

    /// A path with turbofish, as expressions need it: `Slab::<u8>`.
    pub fn expression_path(&mut self, ty: &Ty) -> Option<String> {
        match ty {
            Ty::Path { item, args } => {
                let path = self.item(self.model.item(*item))?;
                let args = self.args(args)?;
                Some(if args.is_empty() { path } else { format!("{path}::{args}") })
            }
            Ty::Primitive(name) if name != "str" && name != "!" => Some(name.clone()),
            other => Some(format!("<{}>", self.ty(other)?)),
        }
    }

    fn args(&mut self, args: &[GenericArg]) -> Option<String> {
        let mut parts = Vec::new();
        for arg in args {
            match arg {
                GenericArg::Lifetime(_) if self.names == Names::Short => {}
                GenericArg::Lifetime(name) if self.is_in_pointer && name == "'_" => parts.push("'_".to_string()),
                GenericArg::Lifetime(_) => parts.push("'static".to_string()),
                GenericArg::Type(ty) => parts.push(self.ty(ty)?),
                GenericArg::Const(text) => parts.push(text.clone()),
                GenericArg::Equality { name, ty } => parts.push(format!("{name} = {}", self.ty(ty)?)),
            }
        }
        Some(if parts.is_empty() { String::new() } else { format!("<{}>", parts.join(", ")) })
    }

    fn item(&mut self, item: &Item) -> Option<String> {
        let path = item.path.as_ref()?;
        match self.names {
            Names::Absolute => Some(format!("::{}", path.iter().map(|s| raw(s)).collect::<Vec<_>>().join("::"))),
            Names::Short => Some(short_name(path, &mut self.imports)),
        }
    }
}

/// The last segment, with its import; the whole path where that name already stands for something else.
pub fn short_name(path: &[String], imports: &mut Vec<String>) -> String {
    let spelled = || path.iter().map(|segment| raw(segment)).collect::<Vec<_>>().join("::");
    let Some(name) = path.last() else { return String::new() };
    if is_in_prelude(path) {
        return raw(name);
    }
    let whole = path.join("::");
    // A `Vec` of the crate's own is not what `Vec` means.
    let is_taken =
        is_prelude_name(name) || imports.iter().any(|other| *other != whole && other.rsplit("::").next() == Some(name));
    if is_taken {
        return spelled();
    }
    if !imports.contains(&whole) {
        imports.push(whole);
    }
    raw(name)
}

/// A segment that is a keyword needs `r#`.
pub fn raw(segment: &str) -> String {
    const KEYWORDS: [&str; 39] = [
        "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
        "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
        "move", "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try",
    ];
    const MORE: [&str; 10] =
        ["type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield", "final"];
    if KEYWORDS.contains(&segment) || MORE.contains(&segment) { format!("r#{segment}") } else { segment.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_types_with_one_name_the_second_is_spelled_out() {
        let path = |text: &str| text.split("::").map(str::to_string).collect::<Vec<_>>();
        let mut imports = Vec::new();
        assert_eq!(short_name(&path("time::Duration"), &mut imports), "Duration");
        assert_eq!(short_name(&path("std::time::Duration"), &mut imports), "std::time::Duration");
        assert_eq!(short_name(&path("time::Duration"), &mut imports), "Duration");
        assert_eq!(short_name(&path("std::vec::Vec"), &mut imports), "Vec");
        assert_eq!(short_name(&path("own::Vec"), &mut imports), "own::Vec");
        assert_eq!(imports, ["time::Duration"]);
    }
}
