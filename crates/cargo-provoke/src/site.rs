//! What the target's sources say about the place of a panic.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use provoke_engine::{Place, SiteFacts};
use provoke_model::describe_site;

/// Reads source files once each.
pub struct Sites {
    package_root: PathBuf,
    files: RefCell<BTreeMap<String, Option<Rc<String>>>>,
}

impl Sites {
    pub fn new(package_root: PathBuf) -> Sites {
        Sites { package_root, files: RefCell::default() }
    }

    pub fn facts(&self, place: &Place) -> Option<SiteFacts> {
        let source = self
            .files
            .borrow_mut()
            .entry(place.file.clone())
            .or_insert_with(|| std::fs::read_to_string(self.package_root.join(&place.file)).ok().map(Rc::new))
            .clone()?;
        let site = describe_site(&source, place.line, place.column);
        Some(SiteFacts { macro_name: site.macro_name, is_entry_check: site.is_entry_check, function: site.function })
    }
}
