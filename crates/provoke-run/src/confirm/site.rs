//! What the target's sources say about the place of a panic.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use provoke_engine::{ClauseKind, Place, SiteFacts};
use provoke_host::SourceFiles;
use provoke_model::{Clause, Site, describe_site, meant_by};
use provoke_oracles::{ContractMessage, Oracle, message_of_anodized, message_of_contracts};

/// Which crates check contracts in a target: nobody else's messages are about clauses.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checkers {
    pub contracts: bool,
    pub anodized: bool,
}

/// Reads source files once each.
pub struct Sites {
    package_root: PathBuf,
    sources: SourceFiles,
    checkers: Checkers,
    files: RefCell<BTreeMap<String, Option<Rc<String>>>>,
    /// Parsing a file is slow, and the minimiser asks for the same place again and again.
    known: RefCell<BTreeMap<PlaceKey, Option<Rc<Site>>>>,
}

/// File, line and column.
type PlaceKey = (String, u32, u32);

impl Sites {
    /// The names of files come from messages, which code under test writes; `sources` are those that are read.
    pub fn new(package_root: PathBuf, sources: SourceFiles, checkers: Checkers) -> Sites {
        Sites { package_root, sources, checkers, files: RefCell::default(), known: RefCell::default() }
    }

    /// What is known about the place of a panic that said this. One that started `elsewhere` is not about a clause of the target.
    pub fn facts(&self, place: &Place, message: &str, elsewhere: bool) -> Option<SiteFacts> {
        let site = self.site(place)?;
        let meant = meant_by(&site.clauses, message, &place.function);
        // Clauses that a macro writes, or that are imported by another name, are known by nothing but what they say.
        let said = if meant.is_empty() && !elsewhere { self.said(message) } else { None };
        Some(SiteFacts {
            macro_name: site.macro_name.clone(),
            is_entry_check: site.is_entry_check,
            function: meant
                .first()
                .and_then(|clause| clause.function.clone())
                .or_else(|| said.and_then(|said| said.function).map(str::to_string))
                .or_else(|| site.function.clone()),
            clause: kind(&meant).or_else(|| said.and_then(|said| kind_by_oracle(said.oracle))),
            clause_text: text(&meant),
            is_optional: site.is_in_spec
                || meant.iter().any(|clause| clause.moment.is_some())
                || said.is_some_and(|said| said.function.is_none()),
            is_in_spec: meant.iter().any(|clause| clause.spec.is_some()),
        })
    }

    fn said<'m>(&self, message: &'m str) -> Option<ContractMessage<'m>> {
        let of_anodized = || message_of_anodized(message).filter(|_| self.checkers.anodized);
        message_of_contracts(message).filter(|_| self.checkers.contracts).or_else(of_anodized)
    }

    /// The clauses that a panic there is about, one of which was asked and did not hold.
    pub fn answered_clauses(&self, place: &Place, message: &str) -> Vec<Clause> {
        if message_of_contracts(message).or(message_of_anodized(message)).is_none() {
            return Vec::new();
        }
        let Some(site) = self.site(place) else { return Vec::new() };
        meant_by(&site.clauses, message, &place.function).into_iter().cloned().collect()
    }

    /// The clause that was being asked there, if that came to no answer. `said` is what a panic said that started there, or nothing.
    pub fn unanswered_clause(&self, place: &Place, said: &str) -> Option<Clause> {
        let at = (place.line, place.column);
        let is_unanswered = |clause: &&Clause| clause.panics_itself(at, said);
        self.site(place)?.around.iter().find(is_unanswered).cloned()
    }

    /// Of the function whose clause a panic is about, one that changes what it is about.
    pub fn writing_clause(&self, place: &Place, message: &str) -> Option<Clause> {
        let site = self.site(place)?;
        let meant = meant_by(&site.clauses, message, &place.function);
        let is_beside = |clause: &&Clause| meant.iter().any(|meant| meant.is_asked_with(clause));
        site.writing.iter().find(is_beside).cloned()
    }

    fn site(&self, place: &Place) -> Option<Rc<Site>> {
        let key = (place.file.clone(), place.line, place.column);
        let known = self.known.borrow().get(&key).cloned();
        known.unwrap_or_else(|| {
            let site = self.read(place).map(Rc::new);
            self.known.borrow_mut().insert(key, site.clone());
            site
        })
    }

    /// The file of a place, with what is in it.
    pub fn source(&self, place: &Place) -> Option<(String, Rc<String>)> {
        let path = self.package_root.join(&place.file);
        let mut files = self.files.borrow_mut();
        let read = || self.sources.read(&path).map(Rc::new);
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
    meant.iter().map(|clause| clause.kind).min()
}

/// What an oracle about clauses claims to be broken.
fn kind_by_oracle(oracle: &Oracle) -> Option<ClauseKind> {
    ClauseKind::ALL.into_iter().find(|kind| kind.name() == oracle.id)
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
    use std::path::Path;

    fn sites(root: &Path, checkers: Checkers) -> Sites {
        Sites::new(root.to_path_buf(), SourceFiles::below(root), checkers)
    }

    #[test]
    fn a_panic_that_may_be_about_several_clauses_says_so() {
        let directory = tempfile::tempdir().unwrap();
        let source = "#[spec(requires: n > 0, maintains: self.ok(), ensures: [n > 1, n > 2])]\nfn f(&self, n: u8) {}";
        std::fs::write(directory.path().join("lib.rs"), source).unwrap();
        let sites = sites(directory.path(), Checkers { contracts: false, anodized: true });
        let place = Place { file: "lib.rs".into(), line: 1, column: 1, function: "f".into() };
        let facts = |message: &str| {
            let facts = sites.facts(&place, message, false).unwrap();
            (facts.clause, facts.clause_text.unwrap_or_default())
        };
        let either = "at least one of `n > 0`, `self.ok()`".to_string();
        assert_eq!(facts("precondition failed"), (Some(ClauseKind::Precondition), either));
        let any = "at least one of `self.ok()`, `n > 1`, `n > 2`".to_string();
        assert_eq!(facts("postcondition failed"), (Some(ClauseKind::Postcondition), any));
        assert_eq!(facts("something else"), (None, String::new()));
    }

    #[test]
    fn a_clause_that_nobody_can_read_is_known_by_what_it_says() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("lib.rs"), "checked! { fn f(n: u8) {} }").unwrap();
        let place = Place { file: "lib.rs".into(), line: 1, column: 1, function: "f".into() };
        let facts = |message: &str, checkers, elsewhere| {
            let sites = sites(directory.path(), checkers);
            let facts = sites.facts(&place, message, elsewhere).unwrap();
            (facts.clause, facts.function.unwrap_or_default(), facts.is_optional)
        };
        let (contracts, anodized) =
            (Checkers { contracts: true, anodized: false }, Checkers { contracts: false, anodized: true });
        let nothing = (None, String::new(), false);
        let broken = "Post-condition of g violated: ret > 0";
        assert_eq!(facts(broken, contracts, false), (Some(ClauseKind::Postcondition), "g".into(), false));
        assert_eq!(facts(broken, contracts, true), nothing, "it is a clause of a dependency");
        assert_eq!(facts(broken, anodized, false), nothing, "anybody may say so");
        let broken = "precondition failed";
        assert_eq!(facts(broken, anodized, false), (Some(ClauseKind::Precondition), String::new(), true));
        assert_eq!(facts(broken, contracts, false), nothing, "anybody may say so");
    }
}
