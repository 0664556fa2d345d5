//! What something wants: ways to make values of a type.

use crate::plan::builtins::pattern::is_sized;
use crate::plan::builtins::way::RowLoans;
use provoke_api::OpKind;
use provoke_model::Ty;

use crate::plan::builtins::{Finder, Found, Operation};
use crate::types::type_name::TypeName;

impl Finder<'_> {
    /// Something takes a value of this type.
    pub(super) fn want(&mut self, of: &Found) {
        self.probe(&of.identity, &of.witness);
        if !self.wanted.insert(of.identity.clone()) {
            return;
        }
        if let Some((row, bindings)) = self.row(&of.name) {
            for way in row.makers {
                self.way(way, of, &bindings);
            }
            return;
        }
        match &of.name {
            TypeName::Ref { mutable, inner } if is_sized(inner) => {
                let way = if *mutable { "mut_inner" } else { "ref_inner" };
                let lent = of.part((**inner).clone(), format!("{way}({})", of.witness));
                self.want(&lent);
                // A reference to a reference: the inner one has to lie somewhere.
                if matches!(&lent.name, TypeName::Ref { .. }) {
                    self.adapt("kept", &lent, 1, "{0}", RowLoans::Lent);
                }
            }
            TypeName::Array(element, len) => self.want_array(of, element, len),
            TypeName::Tuple(parts) if (1..=MAX_TUPLE).contains(&parts.len()) => {
                let places: Vec<String> = (0..parts.len()).map(|index| format!("{{{index}}}")).collect();
                let comma = if parts.len() == 1 { "," } else { "" };
                let text = format!("({}{comma})", places.join(", "));
                let function = self.adapt(&format!("tuple{}", parts.len()), of, parts.len(), &text, RowLoans::Passed);
                for (index, part) in parts.iter().enumerate() {
                    self.want(&of.part(part.clone(), format!("arg{index}_of({function})")));
                }
            }
            TypeName::Path { .. } => self.default_and_clone(of),
            TypeName::Ref { .. } | TypeName::Tuple(_) | TypeName::Slice(_) | TypeName::Other(_) => {}
        }
    }

    pub(super) fn want_array(&mut self, of: &Found, element: &TypeName, len: &str) {
        self.want(&of.part(element.clone(), format!("array_element({})", of.witness)));
        if len != "0" {
            let expression = format!("array_fill({})", of.witness);
            let key = format!("std array_fill {}", of.identity);
            let mut fill = Operation::new(key, expression, 1, &format!("[{{0}}; {len}]"), RowLoans::Passed);
            fill.explicit = Some("std::array::from_fn(|_| {0}.clone())".to_string());
            self.add(fill);
        }
        if let Ok(n @ 0..=MAX_ARRAY) = len.parse::<usize>() {
            let places: Vec<String> = (0..n).map(|index| format!("{{{index}}}")).collect();
            let text = format!("[{}]", places.join(", "));
            self.adapt(&format!("array_{n}"), of, n, &text, RowLoans::Passed);
        }
    }

    /// Any other type: its default value, and a copy of one that is there.
    pub(super) fn default_and_clone(&mut self, of: &Found) {
        if matches!(&of.name, TypeName::Path { segments, .. } if segments.len() == 1) {
            return;
        }
        if self.may_implement(&of.name, "Default") {
            self.default(of);
        }
        if self.may_implement(&of.name, "Clone") {
            self.clone(of);
        }
    }

    /// `false` only for types of the crate that have no such impl: rustc need not be asked.
    pub(super) fn may_implement(&self, name: &TypeName, of_trait: &str) -> bool {
        let TypeName::Path { segments, .. } = name else {
            return true;
        };
        let item = self.model.items.iter().position(|item| item.is_local && item.definition == *segments);
        let Some(item) = item else {
            return true;
        };
        self.model.impls.iter().any(|candidate| {
            let is_of = |ty: &Ty| matches!(ty, Ty::Path { item: of, .. } if of.0 as usize == item);
            let trait_ref = candidate.trait_ref.as_ref();
            trait_ref.is_some_and(|found| self.model.item(found.item).name == of_trait) && is_of(&candidate.for_ty)
        })
    }

    pub(super) fn default(&mut self, of: &Found) {
        let mut imports = Vec::new();
        let text = match of.name.spell(self.model, &mut imports) {
            Some(ty) => format!("<{ty}>::default()"),
            None => "Default::default()".to_string(),
        };
        // `Slab::default()` reads better than `<Slab>::default()`, but generic paths need the brackets.
        let pretty = match text.strip_prefix('<').and_then(|t| t.strip_suffix(">::default()")) {
            Some(ty) if !ty.contains('<') => format!("{ty}::default()"),
            _ => text.clone(),
        };
        let key = format!("std default_of {}", of.identity);
        let expression = format!("default_of({})", of.witness);
        let mut default = Operation::new(key, expression, 0, &pretty, RowLoans::Passed).being(OpKind::DefaultValue, of);
        default.explicit = Some(text);
        default.imports = imports;
        self.add(default);
    }

    pub(super) fn clone(&mut self, of: &Found) {
        let key = format!("std clone_of {}", of.identity);
        let expression = format!("clone_of({})", of.witness);
        let mut clone = Operation::new(key, expression, 1, "{.0}.clone()", RowLoans::TakenOut).being(OpKind::Clone, of);
        // The method of what a reference refers to would go before that of the reference.
        clone.explicit = Some("Clone::clone({0})".to_string());
        self.add(clone);
        self.probe_lent(of, false);
    }
}

/// Larger tuples and arrays of elements that cannot be cloned are rare.
pub(super) const MAX_TUPLE: usize = 8;
const MAX_ARRAY: usize = 8;
