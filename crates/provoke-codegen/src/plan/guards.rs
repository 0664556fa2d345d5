//! Preconditions as predicates that the harness can ask before it makes a call.
//!
//! Whether a clause can be asked from outside is for rustc to say: what sees private parts does not compile, and is left to the
//! contract's own check.
//!
//! Decision: `docs/decisions/064-preconditions-are-asked-before-the-call.md`

use provoke_model::{Function, Ty, compiled_elsewhere};

use crate::plan::Planner;
use crate::plan::op::Guard;
use crate::types::render::{Renderer, raw};
use crate::types::subst::Choice;

/// What `self` is called in a closure.
const RECEIVER: &str = "provoke_self";

impl Planner {
    /// Those of a function, or of the declaration in a trait that it implements, for an operation with these types.
    pub(super) fn guards(&self, function: usize, declaration: Option<usize>, choice: &Choice) -> Vec<Guard> {
        let preconditions = self.catalog.model.preconditions.iter().enumerate();
        let owners = [Some(function), declaration];
        let of_it = preconditions.filter(|(_, precondition)| owners.contains(&Some(precondition.function)));
        of_it
            .filter_map(|(place, precondition)| {
                let owner = &self.catalog.model.functions[precondition.function];
                let closure = self.closure_of(owner, precondition.condition.as_ref()?, choice)?;
                Some(Guard { precondition: place, closure })
            })
            .collect()
    }

    fn closure_of(&self, owner: &Function, condition: &str, choice: &Choice) -> Option<String> {
        let model = &self.catalog.model;
        let mut absolute = Renderer::absolute(model);
        let self_ty = choice.self_ty.as_ref().and_then(|ty| absolute.ty(ty));
        let mut types = Vec::new();
        for (name, ty) in &choice.types {
            types.extend(absolute.ty(ty).map(|ty| (name.as_str(), ty)));
        }
        let condition = compiled_elsewhere(condition, |name| match name {
            "self" => Some(RECEIVER.to_string()),
            "Self" => self_ty.as_ref().map(|ty| format!("<{ty}>")),
            _ => {
                let chosen = types.iter().find(|(param, _)| *param == name).map(|(_, ty)| ty);
                chosen.or_else(|| choice.consts.get(name)).cloned()
            }
        })?;
        let params = &owner.signature.params;
        let arguments: Vec<String> = (0..params.len()).map(|index| format!("provoke_{index}")).collect();
        let bindings: String =
            params.iter().zip(&arguments).filter_map(|((name, ty), argument)| binding(name, ty, argument)).collect();
        let uses: String =
            modules_of(owner, &model.crate_name).iter().map(|path| format!("use ::{path}::*; ")).collect();
        Some(format!("|{}| {{ {uses}{bindings}{condition} }}", arguments.join(", ")))
    }
}

/// Makes a parameter of a reference to the argument: what is lent is lent on, what can be copied is, and anything else is lent.
fn binding(name: &str, ty: &Ty, argument: &str) -> Option<String> {
    let name = match name {
        "self" => RECEIVER.to_string(),
        name if syn::parse_str::<syn::Ident>(name).is_ok() => raw(name),
        // A pattern: its names stay unknown.
        _ => return None,
    };
    let value = match ty {
        Ty::Ref { .. } => format!("&**{argument}"),
        _ => format!("(&provoke_exec::Lent({argument})).bound()"),
    };
    Some(format!("let {name} = {value}; "))
}

/// Where names that a clause uses may come from: the root of the crate, and the module in which the function can be found.
fn modules_of(owner: &Function, crate_name: &str) -> Vec<String> {
    let mut modules = vec![raw(crate_name)];
    if let provoke_model::FunctionHome::Free { path } = &owner.home
        && path.len() > 2
    {
        modules.push(path[..path.len() - 1].iter().map(|segment| raw(segment)).collect::<Vec<_>>().join("::"));
    }
    modules
}
