//! Which types stand for a trait because users say so.

use crate::api::ItemId;
use crate::api::ty::Ty;

/// All that users say about which types stand for which traits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypesByHand {
    traits: Vec<(ItemId, Vec<TypeByHand>)>,
    /// Types of which nothing but their names is known: no signature of the API mentions them.
    strangers: Vec<ItemId>,
}

/// A type that stands for a trait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeByHand {
    pub ty: Ty,
    /// As it is written.
    pub text: String,
}

impl TypesByHand {
    /// The types that stand for a trait, in the order in which they were listed; none if users leave that to the plan.
    pub fn of(&self, trait_item: ItemId) -> &[TypeByHand] {
        let listed = self.traits.iter().find(|(item, _)| *item == trait_item);
        listed.map_or(&[], |(_, types)| types)
    }

    /// Where a type stands in the list of a trait.
    pub fn place(&self, trait_item: ItemId, ty: &Ty) -> Option<usize> {
        self.of(trait_item).iter().position(|by_hand| by_hand.ty == *ty)
    }

    pub fn traits(&self) -> impl Iterator<Item = (ItemId, &[TypeByHand])> {
        self.traits.iter().map(|(item, types)| (*item, types.as_slice()))
    }

    /// Lets a type stand for a trait, too.
    pub fn add(&mut self, trait_item: ItemId, by_hand: TypeByHand) {
        let place = self.traits.iter().position(|(item, _)| *item == trait_item).unwrap_or_else(|| {
            self.traits.push((trait_item, Vec::new()));
            self.traits.len() - 1
        });
        let types = &mut self.traits[place].1;
        if !types.iter().any(|known| known.ty == by_hand.ty) {
            types.push(by_hand);
        }
    }

    pub fn add_stranger(&mut self, item: ItemId) {
        if !self.strangers.contains(&item) {
            self.strangers.push(item);
        }
    }

    /// Whether nothing is known of a type but its name.
    pub fn is_stranger(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Path { item, .. } if self.strangers.contains(item))
    }
}
