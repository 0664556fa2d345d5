//! How a test spells a call: method syntax, operators, paths with their imports.

use provoke_model::{Function, FunctionHome, Model, TraitRef, Ty};

use crate::plan::op::OpText;
use crate::types::render::{Renderer, raw};

/// `{0}, {1}, …` from `first` on.
pub fn placeholders(first: usize, n_args: usize) -> String {
    (first..n_args).map(|i| format!("{{{i}}}")).collect::<Vec<_>>().join(", ")
}

/// A function of the API. `turbofish` is empty or `::<A, B>`; `must_show` tells that inference cannot find it.
pub fn function(
    model: &Model,
    function: &Function,
    self_ty: Option<&Ty>,
    trait_ref: Option<&TraitRef>,
    turbofish: &str,
    must_show: bool,
) -> Option<OpText> {
    let n_args = function.signature.params.len();
    let name = raw(&function.name);
    let shown = if must_show { turbofish } else { "" };
    let mut short = Renderer::short(model);
    let (pretty, explicit) = match (&function.home, self_ty) {
        (FunctionHome::Free { path }, _) => {
            // `module::function(..)` reads better than a bare name and cannot clash.
            let text = match path.as_slice() {
                [krate, name] => format!("{}::{}", raw(krate), raw(name)),
                [.., module, name] => {
                    short.imports.push(path[..path.len() - 1].join("::"));
                    format!("{}::{}", raw(module), raw(name))
                }
                _ => return None,
            };
            let all = placeholders(0, n_args);
            (format!("{text}{shown}({all})"), format!("{text}{turbofish}({all})"))
        }
        (_, Some(self_ty)) => {
            let all = placeholders(0, n_args);
            let path = match trait_ref {
                Some(trait_ref) => format!("<{} as {}>", short.ty(self_ty)?, short.trait_ref(trait_ref)?),
                None => short.expression_path(self_ty)?,
            };
            let explicit = format!("{path}::{name}{turbofish}({all})");
            let pretty = match trait_ref.and_then(|t| operator(model, t, &function.name)) {
                Some(operator) => operator.to_string(),
                None if function.signature.has_self() => {
                    format!("{{.0}}.{name}{shown}({})", placeholders(1, n_args))
                }
                // `usize::max()` may be a method of many traits.
                None if trait_ref.is_some_and(|of| model.item(of.item).is_local) && !is_local(model, self_ty) => {
                    format!("{path}::{name}{shown}({all})")
                }
                None => format!("{}::{name}{shown}({all})", short.expression_path(self_ty)?),
            };
            (pretty, explicit)
        }
        (_, None) => return None,
    };
    Some(OpText { pretty, explicit, imports: short.imports, ..OpText::default() })
}

fn is_local(model: &Model, ty: &Ty) -> bool {
    matches!(ty, Ty::Path { item, .. } if model.item(*item).is_local)
}

/// Operators as they are written.
fn operator(model: &Model, trait_ref: &TraitRef, method: &str) -> Option<&'static str> {
    let item = model.item(trait_ref.item);
    if !matches!(item.crate_name.as_str(), "core" | "alloc" | "std") {
        return None;
    }
    Some(match (item.name.as_str(), method) {
        ("Add", "add") => "{0} + {1}",
        ("Sub", "sub") => "{0} - {1}",
        ("Mul", "mul") => "{0} * {1}",
        ("Div", "div") => "{0} / {1}",
        ("Rem", "rem") => "{0} % {1}",
        ("BitAnd", "bitand") => "{0} & {1}",
        ("BitOr", "bitor") => "{0} | {1}",
        ("BitXor", "bitxor") => "{0} ^ {1}",
        ("Shl", "shl") => "{0} << {1}",
        ("Shr", "shr") => "{0} >> {1}",
        ("Neg", "neg") => "-{0}",
        ("Not", "not") => "!{0}",
        ("AddAssign", "add_assign") => "{.0} += {1}",
        ("SubAssign", "sub_assign") => "{.0} -= {1}",
        ("MulAssign", "mul_assign") => "{.0} *= {1}",
        ("DivAssign", "div_assign") => "{.0} /= {1}",
        ("RemAssign", "rem_assign") => "{.0} %= {1}",
        ("BitAndAssign", "bitand_assign") => "{.0} &= {1}",
        ("BitOrAssign", "bitor_assign") => "{.0} |= {1}",
        ("BitXorAssign", "bitxor_assign") => "{.0} ^= {1}",
        ("ShlAssign", "shl_assign") => "{.0} <<= {1}",
        ("ShrAssign", "shr_assign") => "{.0} >>= {1}",
        ("Index", "index") => "&{.0}[{1}]",
        ("IndexMut", "index_mut") => "&mut {.0}[{1}]",
        ("PartialEq", "eq") => "{.0} == {.1}",
        ("PartialEq", "ne") => "{.0} != {.1}",
        _ => return None,
    })
}
