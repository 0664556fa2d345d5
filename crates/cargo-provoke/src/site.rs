//! What the target's sources say about the place of a panic.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use provoke_engine::{ClauseKind, Place, SiteFacts};
use provoke_model::describe_site;

/// Reads source files once each.
pub struct Sites {
    package_root: PathBuf,
    files: RefCell<BTreeMap<String, Option<Rc<String>>>>,
    /// Parsing a file is slow, and the minimiser asks for the same place again and again.
    known: RefCell<BTreeMap<(String, u32, u32), Option<SiteFacts>>>,
}

impl Sites {
    pub fn new(package_root: PathBuf) -> Sites {
        Sites { package_root, files: RefCell::default(), known: RefCell::default() }
    }

    pub fn facts(&self, place: &Place) -> Option<SiteFacts> {
        let key = (place.file.clone(), place.line, place.column);
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let facts = self.read(place);
        self.known.borrow_mut().insert(key, facts.clone());
        facts
    }

    fn read(&self, place: &Place) -> Option<SiteFacts> {
        let source = self
            .files
            .borrow_mut()
            .entry(place.file.clone())
            .or_insert_with(|| std::fs::read_to_string(self.package_root.join(&place.file)).ok().map(Rc::new))
            .clone()?;
        let site = describe_site(&source, place.line, place.column);
        Some(SiteFacts {
            macro_name: site.macro_name,
            is_entry_check: site.is_entry_check,
            function: site.function,
            clause: site.clause.map(|clause| match clause.kind {
                provoke_model::ClauseKind::Precondition => ClauseKind::Precondition,
                provoke_model::ClauseKind::Postcondition => ClauseKind::Postcondition,
                provoke_model::ClauseKind::Invariant => ClauseKind::Invariant,
            }),
        })
    }
}
