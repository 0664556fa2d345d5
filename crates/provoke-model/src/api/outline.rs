//! The model as a short text, for logs and tests: one line per thing.

use std::fmt::Write as _;

use crate::api::text::{Names, Printer};
use crate::api::{Fields, FunctionHome, Model, TypeDef, TypeKind};

pub fn outline(model: &Model) -> String {
    let mut text = format!("crate {}", model.crate_name);
    if let Some(version) = &model.crate_version {
        text += &format!(" {version}");
    }
    text.push('\n');
    Outline { model, printer: Printer { model, has_lifetimes: true, names: Names::Last }, text }.write()
}

struct Outline<'m> {
    model: &'m Model,
    printer: Printer<'m>,
    text: String,
}

impl Outline<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "  {}", line.trim_end());
    }

    fn heading(&mut self, name: &str, is_empty: bool) {
        if !is_empty {
            let _ = writeln!(self.text, "{name}");
        }
    }

    fn write(mut self) -> String {
        let model = self.model;
        self.heading("items", model.items.is_empty());
        for item in &model.items {
            let definition = item.definition.join("::");
            let path = match &item.path {
                None => " (no path)".to_owned(),
                Some(path) if path.join("::") == definition => String::new(),
                Some(path) => format!(" as {}", path.join("::")),
            };
            let kind = format!("{:?}", item.kind).to_lowercase();
            self.line(&format!("{kind} {definition}{path}"));
        }
        self.heading("types", model.types.is_empty());
        for ty in &model.types {
            let line = self.type_line(ty);
            self.line(&line);
        }
        self.heading("traits", model.traits.is_empty());
        for local in &model.traits {
            let mut line = self.printer.item(local.item);
            line += &self.printer.generic_params(&local.generics);
            if !local.supertraits.is_empty() {
                line += &format!(": {}", self.printer.bounds(&local.supertraits));
            }
            line += &self.printer.predicates(&local.generics);
            for name in &local.assoc_types {
                line += &format!(" type {name};");
            }
            line += tag(" [unsafe]", local.is_unsafe);
            line += tag(" [dyn]", local.is_dyn_compatible);
            self.line(&line);
        }
        self.heading("impls", model.impls.is_empty());
        for impl_idx in 0..model.impls.len() {
            let line = self.impl_line(impl_idx);
            self.line(&line);
        }
        self.heading("functions", model.functions.is_empty());
        for function in &model.functions {
            let home = match &function.home {
                FunctionHome::TraitDef { has_body: true, .. } => " [provided]",
                FunctionHome::TraitDef { .. } => " [required]",
                _ => "",
            };
            let signature = &function.signature;
            let line = format!(
                "{}{}{}{}{home}{}{}{}",
                function.display,
                self.printer.generic_params(&function.generics),
                self.printer.signature(signature),
                self.printer.predicates(&function.generics),
                tag(" [async]", signature.is_async),
                tag(" [const]", signature.is_const),
                tag(" [deprecated]", function.is_deprecated),
            );
            self.line(&line);
        }
        self.heading("constants", model.constants.is_empty());
        for constant in &model.constants {
            let ty = self.printer.ty(&constant.ty);
            self.line(&format!("{}: {ty}", constant.display));
        }
        self.heading("skips", model.skips.is_empty());
        for skip in &model.skips {
            self.line(&format!("{}: {}", skip.function, skip.reason));
        }
        self.text
    }

    fn type_line(&self, ty: &TypeDef) -> String {
        let head = format!("{}{}", self.printer.item(ty.item), self.printer.generic_params(&ty.generics));
        let body = match &ty.kind {
            TypeKind::Struct(fields) => format!("struct {head}{}", self.fields(fields)),
            TypeKind::Enum(variants) => {
                let variants: Vec<String> = variants
                    .iter()
                    .map(|variant| {
                        format!(
                            "{}{}{}",
                            variant.name,
                            self.fields(&variant.fields),
                            tag(" [non_exhaustive]", variant.is_non_exhaustive)
                        )
                    })
                    .collect();
                format!("enum {head} {{ {} }}", variants.join(", "))
            }
            TypeKind::Union => format!("union {head}"),
        };
        format!("{body}{}{}", self.printer.predicates(&ty.generics), tag(" [non_exhaustive]", ty.is_non_exhaustive))
    }

    fn fields(&self, fields: &Fields) -> String {
        match fields {
            Fields::Unit => String::new(),
            Fields::Tuple { fields, has_private } => {
                let mut parts: Vec<String> =
                    fields.iter().map(|field| format!("{}: {}", field.name, self.printer.ty(&field.ty))).collect();
                parts.extend(has_private.then(|| "..".to_owned()));
                format!("({})", parts.join(", "))
            }
            Fields::Named { fields, has_private } => {
                let mut parts: Vec<String> =
                    fields.iter().map(|field| format!("{}: {}", field.name, self.printer.ty(&field.ty))).collect();
                parts.extend(has_private.then(|| "..".to_owned()));
                format!(" {{ {} }}", parts.join(", "))
            }
        }
    }

    fn impl_line(&self, impl_idx: usize) -> String {
        let block = &self.model.impls[impl_idx];
        let mut line = format!("impl{} ", self.printer.generic_params(&block.generics));
        if let Some(trait_ref) = &block.trait_ref {
            let negative = tag("!", block.is_negative);
            line += &format!("{negative}{} for ", self.printer.trait_ref(trait_ref));
        }
        line += &self.printer.ty(&block.for_ty);
        line += &self.printer.predicates(&block.generics);
        for (name, ty) in &block.assoc_types {
            line += &format!(" type {name} = {};", self.printer.ty(ty));
        }
        line + tag(" [derived]", block.is_derived)
    }
}

fn tag(text: &'static str, is_so: bool) -> &'static str {
    if is_so { text } else { "" }
}
