//! What the target's sources say about the place of a panic.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use provoke_engine::{ClauseKind, Place, SiteFacts};
use provoke_model::{Clause, Site, describe_site, meant_by};

/// Reads source files once each.
pub struct Sites {
    package_root: PathBuf,
    files: RefCell<BTreeMap<String, Option<Rc<String>>>>,
    /// Parsing a file is slow, and the minimiser asks for the same place again and again.
    known: RefCell<BTreeMap<PlaceKey, Option<Rc<Site>>>>,
}

/// File, line and column.
type PlaceKey = (String, u32, u32);

impl Sites {
    pub fn new(package_root: PathBuf) -> Sites {
        Sites { package_root, files: RefCell::default(), known: RefCell::default() }
    }

    /// What is known about the place of a panic that said this.
    pub fn facts(&self, place: &Place, message: &str) -> Option<SiteFacts> {
        let key = (place.file.clone(), place.line, place.column);
        let known = self.known.borrow().get(&key).cloned();
        let site = known.unwrap_or_else(|| {
            let site = self.read(place).map(Rc::new);
            self.known.borrow_mut().insert(key, site.clone());
            site
        })?;
        let meant = meant_by(&site.clauses, message, &place.function);
        Some(SiteFacts {
            macro_name: site.macro_name.clone(),
            is_entry_check: site.is_entry_check,
            function: meant.first().and_then(|clause| clause.function.clone()).or_else(|| site.function.clone()),
            clause: kind(&meant),
            clause_text: text(&meant),
            is_optional: site.is_in_spec || meant.iter().any(|clause| clause.moment.is_some()),
            is_no_answer: site.around.iter().any(|clause| clause.panics_itself((place.line, place.column), message)),
            is_in_spec: meant.iter().any(|clause| clause.spec.is_some()),
        })
    }

    /// The file of a place, with what is in it.
    pub fn source(&self, place: &Place) -> Option<(String, Rc<String>)> {
        let path = self.package_root.join(&place.file);
        let mut files = self.files.borrow_mut();
        let read = || std::fs::read_to_string(&path).ok().map(Rc::new);
        let source = files.entry(place.file.clone()).or_insert_with(read).clone()?;
        Some((path.to_string_lossy().into_owned(), source))
    }

    fn read(&self, place: &Place) -> Option<Site> {
        let (_, source) = self.source(place)?;
        Some(describe_site(&source, place.line, place.column))
    }
}

/// Where a panic can be about clauses of several kinds: before a call it is the caller who may be to blame, and after it the
/// function is, whichever it was.
fn kind(meant: &[&Clause]) -> Option<ClauseKind> {
    meant.iter().map(|clause| clause.kind).min().map(|kind| match kind {
        provoke_model::ClauseKind::Precondition => ClauseKind::Precondition,
        provoke_model::ClauseKind::Postcondition => ClauseKind::Postcondition,
        provoke_model::ClauseKind::Invariant => ClauseKind::Invariant,
    })
}

/// What the message leaves out.
fn text(meant: &[&Clause]) -> Option<String> {
    match meant {
        [] => None,
        [clause] => clause.moment.map(|_| clause.text.clone()),
        several => {
            let texts: Vec<String> = several.iter().map(|clause| format!("`{}`", clause.text)).collect();
            Some(format!("at least one of {}", texts.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_that_may_be_about_several_clauses_says_so() {
        let directory = tempfile::tempdir().unwrap();
        let source = "#[spec(requires: n > 0, maintains: self.ok(), ensures: [n > 1, n > 2])]\nfn f(&self, n: u8) {}";
        std::fs::write(directory.path().join("lib.rs"), source).unwrap();
        let sites = Sites::new(directory.path().to_path_buf());
        let place = Place { file: "lib.rs".into(), line: 1, column: 1, function: "f".into() };
        let facts = |message: &str| {
            let facts = sites.facts(&place, message).unwrap();
            (facts.clause, facts.clause_text.unwrap_or_default())
        };
        let either = "at least one of `n > 0`, `self.ok()`".to_string();
        assert_eq!(facts("precondition failed"), (Some(ClauseKind::Precondition), either));
        let any = "at least one of `self.ok()`, `n > 1`, `n > 2`".to_string();
        assert_eq!(facts("postcondition failed"), (Some(ClauseKind::Postcondition), any));
        assert_eq!(facts("something else"), (None, String::new()));
    }
}
