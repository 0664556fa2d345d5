//! The names of a dependency's items, as the crate that uses it can write them.

use std::collections::BTreeMap;

use crate::api::Model;

pub(super) struct Names {
    /// What the crate calls the dependency.
    pub extern_name: Option<String>,
    /// Modules of the dependency, as it names them itself, that others re-export; and what stands for each.
    reexported_modules: Vec<(Vec<String>, Vec<String>)>,
    /// By definition.
    items: BTreeMap<Vec<String>, Vec<String>>,
}

impl Names {
    pub(super) fn new(model: &Model, crate_idx: usize, dependency: &Model, extern_name: Option<&str>) -> Names {
        let exports = || model.exports.iter().filter(|export| export.crate_idx == Some(crate_idx));
        let mut names = Names {
            extern_name: extern_name.map(str::to_owned),
            reexported_modules: exports()
                .filter(|export| export.is_module)
                .map(|export| (export.definition.clone(), export.path.clone()))
                .collect(),
            items: BTreeMap::new(),
        };
        // The crate's own re-exports come first: its users know it better than its dependencies.
        for is_own_turn in [true, false] {
            for export in exports().filter(|e| !e.is_module && (e.path[0] == model.crate_name) == is_own_turn) {
                names.items.entry(export.definition.clone()).or_insert_with(|| export.path.clone());
            }
            if is_own_turn {
                for export in dependency.exports.iter().filter(|export| export.crate_idx.is_none()) {
                    if !names.items.contains_key(&export.definition)
                        && let Some(path) = names.of_path(&export.path)
                    {
                        names.items.insert(export.definition.clone(), path);
                    }
                }
            }
        }
        names
    }

    pub(super) fn of_item(&self, definition: &[String]) -> Option<Vec<String>> {
        self.items.get(definition).cloned()
    }

    /// What to write for a path that starts with the dependency's own name.
    pub(super) fn of_path(&self, path: &[String]) -> Option<Vec<String>> {
        let through = |module: &[String], name: &[String]| {
            path.strip_prefix(module).filter(|rest| !rest.is_empty()).map(|rest| [name, rest].concat())
        };
        // Modules of the crate are listed before those that dependencies brought.
        let reexported = self.reexported_modules.iter().find_map(|(module, name)| through(module, name));
        reexported.or_else(|| {
            let name = self.extern_name.as_ref()?;
            through(path.get(..1)?, std::slice::from_ref(name))
        })
    }
}
