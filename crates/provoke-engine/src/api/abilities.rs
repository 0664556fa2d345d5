//! What the values of a type can do, as far as the worker probed it.

use provoke_wire::{Abilities, Shape};

use crate::api::Api;

/// Values of the type can be used again after they were passed by value.
pub fn is_copy(api: &Api, ty: u32) -> bool {
    api.types.get(ty as usize).is_some_and(|info| {
        matches!(info.shape, Shape::Ref(_)) || info.abilities.has(Abilities::PROBED.with(Abilities::COPY, true))
    })
}

/// Dropping a value of the type may run code; what was not probed is taken to.
pub fn needs_drop(api: &Api, ty: u32) -> bool {
    api.types
        .get(ty as usize)
        .is_none_or(|info| !info.abilities.has(Abilities::PROBED) || info.abilities.has(Abilities::NEEDS_DROP))
}
