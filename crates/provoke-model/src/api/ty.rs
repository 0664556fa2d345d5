//! Types, bounds and signatures as the API declares them, before any instance is chosen.

use crate::api::ItemId;

/// A type as written. Names inside are resolved: `Path` points into [`Model::items`](crate::Model::items).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// A struct, enum, union or foreign type with its arguments.
    Path {
        item: ItemId,
        args: Vec<GenericArg>,
    },
    /// A type parameter in scope (of the function, its impl or its trait).
    Param(String),
    SelfTy,
    /// `u8`, `str`, `bool`, `never` as `!`.
    Primitive(String),
    Tuple(Vec<Ty>),
    Slice(Box<Ty>),
    /// The length as written: a number or a const parameter.
    Array(Box<Ty>, String),
    Ref {
        lifetime: Option<String>,
        mutable: bool,
        ty: Box<Ty>,
    },
    RawPointer {
        mutable: bool,
        ty: Box<Ty>,
    },
    FnPointer {
        params: Vec<Ty>,
        result: Option<Box<Ty>>,
        is_unsafe: bool,
    },
    Dyn {
        bounds: Vec<Bound>,
        lifetime: Option<String>,
    },
    ImplTrait(Vec<Bound>),
    /// `<self_ty as trait_ref>::name`; the trait is absent in inherent projections.
    Projection {
        self_ty: Box<Ty>,
        trait_ref: Option<Box<TraitRef>>,
        name: String,
        args: Vec<GenericArg>,
    },
    /// What the format cannot express or we do not know, as text.
    Other(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GenericArg {
    /// With its quote: `'a`, `'static`, `'_`.
    Lifetime(String),
    Type(Ty),
    Const(String),
    /// `Item = T` inside angle brackets (also from `Fn(A) -> B`, where the name is `Output`).
    Equality {
        name: String,
        ty: Ty,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TraitRef {
    /// `None` where the trait is known by name only (`Model::items` has every trait that the JSON names).
    pub item: ItemId,
    pub args: Vec<GenericArg>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// `for<'a> Trait<..>`; `maybe` is `?Trait`.
    Trait {
        trait_ref: TraitRef,
        maybe: bool,
        higher_ranked: Vec<String>,
    },
    Lifetime(String),
    /// `use<..>`
    Use,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GenericParamKind {
    Lifetime {
        outlives: Vec<String>,
    },
    Type {
        bounds: Vec<Bound>,
        default: Option<Ty>,
        /** made by `impl Trait` in argument position */
        is_synthetic: bool,
    },
    Const {
        ty: Ty,
        default: Option<String>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GenericParam {
    /// Lifetimes with their quote.
    pub name: String,
    pub kind: GenericParamKind,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum WherePredicate {
    Type { ty: Ty, bounds: Vec<Bound> },
    Lifetime { lifetime: String, outlives: Vec<String> },
    Equality { left: Ty, right: Ty },
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Generics {
    pub params: Vec<GenericParam>,
    pub predicates: Vec<WherePredicate>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    /// Name and type of each parameter; a receiver is called `self` and its type is written out (`Self`, `&Self`, `Box<Self>`).
    pub params: Vec<(String, Ty)>,
    /// `None` is the unit type.
    pub result: Option<Ty>,
    pub is_async: bool,
    pub is_unsafe: bool,
    pub is_const: bool,
    pub is_variadic: bool,
    /// `"Rust"`, `"C"`…
    pub abi: String,
}

impl Signature {
    pub fn has_self(&self) -> bool {
        self.params.first().is_some_and(|(name, _)| name == "self")
    }
}
