//! From what rustdoc wrote to the raw crate.

use std::collections::BTreeMap;

use rustdoc_types as format;

use crate::api::ty::{
    Bound, GenericArg, GenericParam, GenericParamKind, Generics, Signature, TraitRef, Ty, WherePredicate,
};
use crate::api::{ItemId, Span};
use crate::rustdoc::formats::outer::{Attribute, Crate, ExternalCrate, Item};
use crate::rustdoc::raw::{RawCrate, RawExternal, RawFields, RawImpl, RawInner, RawItem, RawKind, RawSummary};

/// rustdoc's number for the documented crate itself.
const LOCAL_CRATE: u32 = 0;

pub(super) fn convert(krate: Crate) -> RawCrate {
    let local_name = krate.index.get(&krate.root).and_then(|root| root.name.clone()).unwrap_or_default();
    let externals: BTreeMap<u32, RawExternal> =
        krate.external_crates.into_iter().map(|(id, external)| (id, convert_external(external))).collect();
    let summaries = krate
        .paths
        .into_iter()
        .map(|(id, summary)| {
            let crate_name = externals.get(&summary.crate_id).map_or(&local_name, |external| &external.name);
            let raw = RawSummary {
                crate_name: crate_name.clone(),
                crate_number: summary.crate_id,
                is_local: summary.crate_id == LOCAL_CRATE,
                path: summary.path,
                kind: kind_of_summary(summary.kind),
            };
            (item_id(id), raw)
        })
        .collect();
    let mut converter = Converter::default();
    let items = krate.index.into_iter().map(|(id, item)| (item_id(id), converter.convert_item(item))).collect();
    RawCrate {
        root: item_id(krate.root),
        version: krate.crate_version,
        items,
        summaries,
        externals,
        mentions: converter.mentions,
    }
}

fn convert_external(external: ExternalCrate) -> RawExternal {
    let file = Some(external.path.to_string_lossy().into_owned()).filter(|file| !file.is_empty());
    RawExternal { name: external.name, file }
}

fn item_id(id: format::Id) -> ItemId {
    ItemId(id.0)
}

fn item_ids(ids: Vec<format::Id>) -> Vec<ItemId> {
    ids.into_iter().map(item_id).collect()
}

fn kind_of_summary(kind: format::ItemKind) -> RawKind {
    use format::ItemKind;
    match kind {
        ItemKind::Module => RawKind::Module,
        ItemKind::Struct => RawKind::Struct,
        ItemKind::Enum => RawKind::Enum,
        ItemKind::Union => RawKind::Union,
        ItemKind::Trait => RawKind::Trait,
        ItemKind::TypeAlias => RawKind::TypeAlias,
        ItemKind::ExternCrate | ItemKind::TraitAlias | ItemKind::ExternType | ItemKind::Primitive => RawKind::OtherType,
        ItemKind::Function | ItemKind::Constant | ItemKind::Static => RawKind::Value,
        ItemKind::Macro | ItemKind::ProcAttribute | ItemKind::ProcDerive => RawKind::Macro,
        _ => RawKind::Inner,
    }
}

fn kind_of_item(inner: &format::ItemEnum) -> RawKind {
    use format::ItemEnum;
    match inner {
        ItemEnum::Module(_) => RawKind::Module,
        ItemEnum::Struct(_) => RawKind::Struct,
        ItemEnum::Enum(_) => RawKind::Enum,
        ItemEnum::Union(_) => RawKind::Union,
        ItemEnum::Trait(_) => RawKind::Trait,
        ItemEnum::TypeAlias(_) => RawKind::TypeAlias,
        ItemEnum::ExternCrate { .. } | ItemEnum::TraitAlias(_) | ItemEnum::ExternType | ItemEnum::Primitive(_) => {
            RawKind::OtherType
        }
        ItemEnum::Function(_) | ItemEnum::Constant { .. } | ItemEnum::Static(_) => RawKind::Value,
        ItemEnum::Macro(_) | ItemEnum::ProcMacro(_) => RawKind::Macro,
        _ => RawKind::Inner,
    }
}

#[derive(Default)]
struct Converter {
    mentions: BTreeMap<ItemId, String>,
}

impl Converter {
    /// The id, with a note of how its path is written.
    fn mention(&mut self, id: format::Id, path: &str) -> ItemId {
        let id = item_id(id);
        let name = path.rsplit("::").next().unwrap_or_default();
        if !name.is_empty() {
            // Renamed imports make for several names; which one is met first depends on a hasher.
            let known = self.mentions.entry(id).or_insert_with(|| name.to_owned());
            if name < known.as_str() {
                *known = name.to_owned();
            }
        }
        id
    }

    fn convert_item(&mut self, item: Item) -> RawItem {
        use format::Visibility;
        let is_hidden = item.attrs.iter().any(|attribute| {
        matches!(attribute, Attribute::Other(text) if text.contains("doc(hidden)") || text.contains("hidden: true"))
    });
        RawItem {
            is_local: item.crate_id == LOCAL_CRATE,
            name: item.name,
            span: item.span.map(convert_span),
            is_public: matches!(item.visibility, Visibility::Public | Visibility::Default),
            docs: item.docs.unwrap_or_default(),
            is_hidden,
            is_derived: item.attrs.contains(&Attribute::AutomaticallyDerived),
            is_non_exhaustive: item.attrs.contains(&Attribute::NonExhaustive),
            is_deprecated: item.deprecation.is_some(),
            kind: kind_of_item(&item.inner),
            inner: self.convert_inner(item.inner),
        }
    }

    fn convert_inner(&mut self, inner: format::ItemEnum) -> RawInner {
        use format::ItemEnum;
        match inner {
            ItemEnum::Module(module) => RawInner::Module { items: item_ids(module.items) },
            ItemEnum::Use(import) => {
                RawInner::Use { name: import.name, target: import.id.map(item_id), is_glob: import.is_glob }
            }
            ItemEnum::Struct(item) => RawInner::Struct {
                generics: self.generics(item.generics),
                fields: match item.kind {
                    format::StructKind::Unit => RawFields::Unit,
                    format::StructKind::Tuple(fields) => tuple_fields(fields),
                    format::StructKind::Plain { fields, has_stripped_fields } => {
                        RawFields::Named { fields: item_ids(fields), has_stripped_fields }
                    }
                },
            },
            ItemEnum::Enum(item) => RawInner::Enum {
                generics: self.generics(item.generics),
                variants: item_ids(item.variants),
                has_stripped_variants: item.has_stripped_variants,
            },
            ItemEnum::Union(item) => RawInner::Union { generics: self.generics(item.generics) },
            ItemEnum::Variant(variant) => RawInner::Variant {
                fields: match variant.kind {
                    format::VariantKind::Plain => RawFields::Unit,
                    format::VariantKind::Tuple(fields) => tuple_fields(fields),
                    format::VariantKind::Struct { fields, has_stripped_fields } => {
                        RawFields::Named { fields: item_ids(fields), has_stripped_fields }
                    }
                },
            },
            ItemEnum::StructField(ty) => RawInner::Field(self.convert_ty(ty)),
            ItemEnum::Function(function) => RawInner::Function {
                generics: self.generics(function.generics),
                signature: self.signature(function.sig, function.header),
                has_body: function.has_body,
            },
            ItemEnum::Trait(item) => RawInner::Trait {
                generics: self.generics(item.generics),
                supertraits: self.bounds(item.bounds),
                items: item_ids(item.items),
                is_unsafe: item.is_unsafe,
                is_dyn_compatible: item.is_dyn_compatible,
            },
            ItemEnum::Impl(item) => RawInner::Impl(Box::new(RawImpl {
                generics: self.generics(item.generics),
                trait_ref: item.trait_.map(|part| self.trait_ref(part)),
                for_ty: self.convert_ty(item.for_),
                items: item_ids(item.items),
                is_negative: item.is_negative,
                is_implied: item.is_synthetic || item.blanket_impl.is_some(),
            })),
            ItemEnum::TypeAlias(alias) => {
                RawInner::TypeAlias { generics: self.generics(alias.generics), ty: self.convert_ty(alias.type_) }
            }
            ItemEnum::Constant { type_, .. } => RawInner::Constant(self.convert_ty(type_)),
            ItemEnum::Static(item) => {
                RawInner::Static { is_safe: !item.is_mutable && !item.is_unsafe, ty: self.convert_ty(item.type_) }
            }
            ItemEnum::AssocConst { type_, .. } => RawInner::AssocConst(self.convert_ty(type_)),
            ItemEnum::AssocType { type_, .. } => RawInner::AssocType(type_.map(|part| self.convert_ty(part))),
            _ => RawInner::Other,
        }
    }

    fn signature(&mut self, sig: format::FunctionSignature, header: format::FunctionHeader) -> Signature {
        Signature {
            params: sig.inputs.into_iter().map(|(name, ty)| (name, self.convert_ty(ty))).collect(),
            result: sig.output.map(|part| self.convert_ty(part)).filter(|ty| !is_unit(ty)),
            is_async: header.is_async,
            is_unsafe: header.is_unsafe,
            is_const: header.is_const,
            is_variadic: sig.is_c_variadic,
            abi: abi(header.abi),
        }
    }

    fn generics(&mut self, generics: format::Generics) -> Generics {
        Generics {
            params: generics.params.into_iter().map(|part| self.generic_param(part)).collect(),
            predicates: generics.where_predicates.into_iter().map(|part| self.where_predicate(part)).collect(),
        }
    }

    fn generic_param(&mut self, param: format::GenericParamDef) -> GenericParam {
        use format::GenericParamDefKind;
        GenericParam {
            name: param.name,
            kind: match param.kind {
                GenericParamDefKind::Lifetime { outlives } => GenericParamKind::Lifetime { outlives },
                GenericParamDefKind::Type { bounds: declared, default, is_synthetic } => GenericParamKind::Type {
                    bounds: self.bounds(declared),
                    default: default.map(|part| self.convert_ty(part)),
                    is_synthetic,
                },
                GenericParamDefKind::Const { type_, default } => {
                    GenericParamKind::Const { ty: self.convert_ty(type_), default }
                }
            },
        }
    }

    fn where_predicate(&mut self, predicate: format::WherePredicate) -> WherePredicate {
        match predicate {
            format::WherePredicate::BoundPredicate { type_, bounds: declared, generic_params } => {
                let lifetimes = lifetime_names(generic_params);
                let mut bounds = self.bounds(declared);
                // `for<'a> F: Fn(&'a T)` says the same as `F: for<'a> Fn(&'a T)`.
                for bound in &mut bounds {
                    if let Bound::Trait { higher_ranked, .. } = bound {
                        higher_ranked.extend(lifetimes.iter().cloned());
                    }
                }
                WherePredicate::Type { ty: self.convert_ty(type_), bounds }
            }
            format::WherePredicate::LifetimePredicate { lifetime, outlives } => {
                WherePredicate::Lifetime { lifetime, outlives }
            }
            format::WherePredicate::EqPredicate { lhs, rhs } => {
                WherePredicate::Equality { left: self.convert_ty(lhs), right: self.term(rhs) }
            }
        }
    }

    fn term(&mut self, term: format::Term) -> Ty {
        match term {
            format::Term::Type(ty) => self.convert_ty(ty),
            format::Term::Constant(constant) => Ty::Other(constant.expr),
        }
    }

    fn bounds(&mut self, bounds: Vec<format::GenericBound>) -> Vec<Bound> {
        bounds.into_iter().map(|part| self.bound(part)).collect()
    }

    fn bound(&mut self, bound: format::GenericBound) -> Bound {
        match bound {
            format::GenericBound::TraitBound { trait_, generic_params, modifier } => Bound::Trait {
                trait_ref: self.trait_ref(trait_),
                maybe: matches!(modifier, format::TraitBoundModifier::Maybe),
                higher_ranked: lifetime_names(generic_params),
            },
            format::GenericBound::Outlives(lifetime) => Bound::Lifetime(lifetime),
            format::GenericBound::Use(_) => Bound::Use,
        }
    }

    fn trait_ref(&mut self, path: format::Path) -> TraitRef {
        TraitRef { item: self.mention(path.id, &path.path), args: self.generic_args(path.args) }
    }

    fn generic_args(&mut self, args: Option<Box<format::GenericArgs>>) -> Vec<GenericArg> {
        match args.map(|args| *args) {
            None | Some(format::GenericArgs::ReturnTypeNotation) => Vec::new(),
            Some(format::GenericArgs::AngleBracketed { args, constraints }) => {
                let mut converted: Vec<GenericArg> = args.into_iter().map(|arg| self.generic_arg(arg)).collect();
                converted.extend(constraints.into_iter().map(|part| self.constraint(part)));
                converted
            }
            Some(format::GenericArgs::Parenthesized { inputs, output }) => vec![
                GenericArg::Type(Ty::Tuple(inputs.into_iter().map(|part| self.convert_ty(part)).collect())),
                GenericArg::Equality {
                    name: "Output".to_owned(),
                    ty: output.map_or(Ty::Tuple(Vec::new()), |part| self.convert_ty(part)),
                },
            ],
        }
    }

    fn generic_arg(&mut self, arg: format::GenericArg) -> GenericArg {
        match arg {
            format::GenericArg::Lifetime(name) => GenericArg::Lifetime(name),
            format::GenericArg::Type(ty) => GenericArg::Type(self.convert_ty(ty)),
            format::GenericArg::Const(constant) => GenericArg::Const(constant.expr),
            format::GenericArg::Infer => GenericArg::Type(Ty::Other("_".to_owned())),
        }
    }

    fn constraint(&mut self, constraint: format::AssocItemConstraint) -> GenericArg {
        GenericArg::Equality {
            name: constraint.name,
            ty: match constraint.binding {
                format::AssocItemConstraintKind::Equality(value) => self.term(value),
                // `Item: Bound` is `Item = impl Bound` to anybody who has to choose a type.
                format::AssocItemConstraintKind::Constraint(declared) => Ty::ImplTrait(self.bounds(declared)),
            },
        }
    }

    fn convert_ty(&mut self, ty: format::Type) -> Ty {
        use format::Type;
        match ty {
            Type::ResolvedPath(path) => {
                Ty::Path { item: self.mention(path.id, &path.path), args: self.generic_args(path.args) }
            }
            Type::DynTrait(object) => Ty::Dyn {
                bounds: object
                    .traits
                    .into_iter()
                    .map(|poly| Bound::Trait {
                        trait_ref: self.trait_ref(poly.trait_),
                        maybe: false,
                        higher_ranked: lifetime_names(poly.generic_params),
                    })
                    .collect(),
                lifetime: object.lifetime,
            },
            Type::Generic(name) if name == "Self" => Ty::SelfTy,
            Type::Generic(name) => Ty::Param(name),
            Type::Primitive(name) if name == "never" => Ty::Primitive("!".to_owned()),
            Type::Primitive(name) => Ty::Primitive(name),
            Type::FunctionPointer(pointer) => {
                let signature = self.signature(pointer.sig, pointer.header);
                if signature.abi != "Rust" {
                    // No closure or ordinary function fits: nothing that could be chosen for it.
                    return Ty::Other(format!("extern {:?} fn", signature.abi));
                }
                Ty::FnPointer {
                    params: signature.params.into_iter().map(|(_, ty)| ty).collect(),
                    result: signature.result.map(Box::new),
                    is_unsafe: signature.is_unsafe,
                }
            }
            Type::Tuple(parts) => Ty::Tuple(parts.into_iter().map(|part| self.convert_ty(part)).collect()),
            Type::Slice(element) => Ty::Slice(Box::new(self.convert_ty(*element))),
            Type::Array { type_, len } => Ty::Array(Box::new(self.convert_ty(*type_)), len),
            Type::Pat { type_, .. } => self.convert_ty(*type_),
            Type::ImplTrait(declared) => Ty::ImplTrait(self.bounds(declared)),
            Type::Infer => Ty::Other("_".to_owned()),
            Type::RawPointer { is_mutable, type_ } => {
                Ty::RawPointer { mutable: is_mutable, ty: Box::new(self.convert_ty(*type_)) }
            }
            Type::BorrowedRef { lifetime, is_mutable, type_ } => Ty::Ref {
                lifetime: lifetime.filter(|name| name != "'_"),
                mutable: is_mutable,
                ty: Box::new(self.convert_ty(*type_)),
            },
            Type::QualifiedPath { name, args, self_type, trait_ } => Ty::Projection {
                self_ty: Box::new(self.convert_ty(*self_type)),
                trait_ref: trait_.map(|path| Box::new(self.trait_ref(path))),
                name,
                args: self.generic_args(args),
            },
        }
    }
}

fn convert_span(span: format::Span) -> Span {
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Span {
        file: span.filename.to_string_lossy().into_owned(),
        line: number(span.begin.0),
        column: number(span.begin.1),
        end_line: number(span.end.0),
    }
}

fn tuple_fields(fields: Vec<Option<format::Id>>) -> RawFields {
    RawFields::Tuple(fields.into_iter().map(|id| id.map(item_id)).collect())
}

fn is_unit(ty: &Ty) -> bool {
    matches!(ty, Ty::Tuple(parts) if parts.is_empty())
}

fn abi(abi: format::Abi) -> String {
    use format::Abi;
    let (name, unwind) = match abi {
        Abi::Rust => ("Rust", false),
        Abi::C { unwind } => ("C", unwind),
        Abi::Cdecl { unwind } => ("cdecl", unwind),
        Abi::Stdcall { unwind } => ("stdcall", unwind),
        Abi::Fastcall { unwind } => ("fastcall", unwind),
        Abi::Aapcs { unwind } => ("aapcs", unwind),
        Abi::Win64 { unwind } => ("win64", unwind),
        Abi::SysV64 { unwind } => ("sysv64", unwind),
        Abi::System { unwind } => ("system", unwind),
        Abi::Other(name) => return name,
    };
    if unwind { format!("{name}-unwind") } else { name.to_owned() }
}

fn lifetime_names(params: Vec<format::GenericParamDef>) -> Vec<String> {
    params
        .into_iter()
        .filter(|param| matches!(param.kind, format::GenericParamDefKind::Lifetime { .. }))
        .map(|param| param.name)
        .collect()
}
