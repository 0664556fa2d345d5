//! The target's dependencies, as far as its API mentions them: read by rustdoc and taken into the model.
//!
//! Decision: `docs/decisions/078-dependencies-count-if-named.md`

use std::collections::BTreeSet;
use std::path::Path;

use provoke_host::{CargoError, Dependency, ErrorClass, Fingerprint, HarnessDir, Library, similar};
use provoke_model::{ForeignCrate, Item, Model, adopt};
use provoke_report::UserError;

use crate::error::from_cargo;
use crate::interrupt::Interrupt;

/// How many dependencies are documented; each costs a run of rustdoc.
const MAX_DOCUMENTED: usize = 10;
/// A crate that is not a dependency of the target itself is looked for in the re-exports of so many that are.
const MAX_FACADES: usize = 2;
/// In the second round come the crates that the first one's dependencies put into their bounds.
const N_ROUNDS: usize = 2;

/// Takes into the model what it mentions of the target's dependencies, and lets the harness name them; returns the names.
///
/// A dependency that cannot be documented is left out: that only makes for fewer calls.
pub fn adopt_dependencies(
    harness: &HarnessDir,
    wrapper: &Path,
    interrupt: &Interrupt,
    libraries: &[Library],
    model: &mut Model,
    fingerprint: &mut Fingerprint,
) -> Result<Vec<String>, UserError> {
    if model.foreign_crates.iter().all(|krate| krate.items.is_empty()) {
        return Ok(Vec::new());
    }
    let Some(dependencies) = tolerant(harness.dependencies())? else {
        return Ok(Vec::new());
    };
    let mut adoption = Adoption { harness, wrapper, interrupt, libraries, dependencies, seen: BTreeSet::new() };
    adoption.locate(model);
    for _ in 0..N_ROUNDS {
        adoption.round(model, fingerprint)?;
    }
    let is_used = |dependency: &&Dependency| {
        dependency.extern_name.as_ref().is_some_and(|name| {
            let starts_here = |item: &Item| item.path.as_ref().is_some_and(|path| path.first() == Some(name));
            model.items.iter().any(|item| !item.is_local && starts_here(item))
        })
    };
    let used: Vec<Dependency> = adoption.dependencies.iter().filter(is_used).cloned().collect();
    harness.use_dependencies(&used).map_err(from_cargo)?;
    Ok(used.into_iter().filter_map(|dependency| dependency.extern_name).collect())
}

/// The dependencies that a user names, each as `name` or `name@version`; all versions of a name if none is given.
pub fn covered_dependencies(harness: &HarnessDir, names: &[String]) -> Result<Vec<Dependency>, UserError> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let all = harness.dependencies().map_err(from_cargo)?;
    let mut covered: Vec<Dependency> = Vec::new();
    for name in names {
        let is_meant = |dependency: &&Dependency| {
            let Dependency { package_name, crate_name, .. } = *dependency;
            [package_name, crate_name].contains(&name) || dependency.spec() == *name
        };
        let meant: Vec<&Dependency> = all.iter().filter(is_meant).collect();
        if meant.is_empty() {
            return Err(no_such_dependency(harness, name, &all));
        }
        for dependency in meant {
            if !covered.contains(dependency) {
                covered.push(dependency.clone());
            }
        }
    }
    Ok(covered)
}

fn no_such_dependency(harness: &HarnessDir, name: &str, all: &[Dependency]) -> UserError {
    let is_version_unknown = |known: &&str| name.split_once('@').is_some_and(|(before, _)| before == *known);
    let names = || all.iter().map(|dependency| dependency.package_name.as_str());
    let hint = match (names().find(is_version_unknown), similar(name, names()).first()) {
        (Some(known), _) => {
            let mut specs: Vec<String> =
                all.iter().filter(|d| d.package_name == known).map(|d| format!("`{}`", d.spec())).collect();
            specs.sort();
            format!("there is {}", specs.join(" and "))
        }
        (None, Some(near)) => format!("did you mean `{near}`?"),
        (None, None) => "`cargo tree --edges normal` shows what it depends on".to_owned(),
    };
    UserError::usage(format!("`{}` does not depend on `{name}`", harness.target().package_name), hint)
}

struct Adoption<'a> {
    harness: &'a HarnessDir,
    wrapper: &'a Path,
    interrupt: &'a Interrupt,
    libraries: &'a [Library],
    dependencies: Vec<Dependency>,
    /// Packages that were documented, or could not be.
    seen: BTreeSet<String>,
}

impl Adoption<'_> {
    fn round(&mut self, model: &mut Model, fingerprint: &mut Fingerprint) -> Result<(), UserError> {
        let mentioned: Vec<usize> =
            (0..model.foreign_crates.len()).filter(|&place| !model.foreign_crates[place].items.is_empty()).collect();
        let mut others = Vec::new();
        for crate_idx in mentioned {
            match self.dependency(model, crate_idx) {
                Some(dependency) if dependency.extern_name.is_some() => self.adopt(model, &dependency, fingerprint)?,
                Some(dependency) => others.push((crate_idx, dependency)),
                None => {}
            }
        }
        for (crate_idx, dependency) in others {
            for facade in self.facades(&dependency) {
                self.adopt(model, &facade, fingerprint)?;
            }
            let items = &model.foreign_crates[crate_idx].items;
            if items.iter().any(|item| model.item(*item).path.is_some()) {
                self.adopt(model, &dependency, fingerprint)?;
            }
        }
        Ok(())
    }

    /// Older rustdocs do not say which file a crate is from. The name tells as long as there is only one of it.
    fn locate(&self, model: &mut Model) {
        for krate in model.foreign_crates.iter_mut().filter(|krate| krate.file.is_none()) {
            let mut same_name = self.dependencies.iter().filter(|d| d.crate_name == krate.name);
            if let (Some(only), None) = (same_name.next(), same_name.next())
                && let Some(file) = self.library(only).and_then(|library| library.files.first())
            {
                krate.file = Some(file.to_string_lossy().into_owned());
            }
        }
    }

    fn library(&self, dependency: &Dependency) -> Option<&Library> {
        self.libraries.iter().find(|library| library.package_id == dependency.package_id)
    }

    fn dependency(&self, model: &Model, crate_idx: usize) -> Option<Dependency> {
        let file = model.foreign_crates[crate_idx].file.as_ref()?;
        let library = self.libraries.iter().find(|library| is_from(file, library))?;
        self.dependencies.iter().find(|d| d.package_id == library.package_id).cloned()
    }

    /// The place of a dependency among the crates of the model. A package may be compiled more than once: for procedural
    /// macros, too.
    fn place(&self, model: &mut Model, dependency: &Dependency) -> Option<usize> {
        let compiled = || self.libraries.iter().filter(|library| library.package_id == dependency.package_id);
        let is_it = |krate: &ForeignCrate| {
            krate.file.as_ref().is_some_and(|file| compiled().any(|library| is_from(file, library)))
        };
        if let Some(known) = model.foreign_crates.iter().position(is_it) {
            return Some(known);
        }
        let file = compiled().next()?.files.first()?.to_string_lossy().into_owned();
        Some(model.foreign_crate(&dependency.crate_name, Some(&file)))
    }

    /// Dependencies of the target itself that may re-export another crate; those that bear its name first.
    fn facades(&self, dependency: &Dependency) -> Vec<Dependency> {
        let is_candidate = |d: &&Dependency| d.extern_name.is_some() && d.reaches(dependency);
        let mut found: Vec<Dependency> = self.dependencies.iter().filter(is_candidate).cloned().collect();
        found.sort_by_key(|facade| !dependency.crate_name.starts_with(&facade.crate_name));
        found.truncate(MAX_FACADES);
        found
    }

    fn adopt(
        &mut self,
        model: &mut Model,
        dependency: &Dependency,
        fingerprint: &mut Fingerprint,
    ) -> Result<(), UserError> {
        if self.seen.len() >= MAX_DOCUMENTED || !self.seen.insert(dependency.package_id.clone()) {
            return Ok(());
        }
        let Some(library) = self.library(dependency) else {
            return Ok(());
        };
        let Some(json_file) = tolerant(self.harness.rustdoc_json_of(self.wrapper, dependency, library))? else {
            return Ok(());
        };
        let Ok(json) = std::fs::read_to_string(&json_file) else {
            return Ok(());
        };
        fingerprint.add(dependency.extern_name.as_deref().unwrap_or_default().as_bytes());
        fingerprint.add(json.as_bytes());
        let Ok(mut read) = self.interrupt.wait_for(move || provoke_model::read(&json))? else {
            return Ok(());
        };
        self.locate(&mut read);
        if let Some(crate_idx) = self.place(model, dependency) {
            adopt(model, crate_idx, &read, dependency.extern_name.as_deref());
        }
        Ok(())
    }
}

/// The hash in the name of a file is all that tells versions apart; directories may be written in several ways.
fn is_from(file: &str, library: &Library) -> bool {
    let name = Path::new(file).file_name();
    name.is_some() && library.files.iter().any(|known| known.file_name() == name)
}

/// `None` for a failure that the user need not care about.
fn tolerant<T>(result: Result<T, CargoError>) -> Result<Option<T>, UserError> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.class() == ErrorClass::Interrupted || matches!(error, CargoError::DiskFull { .. }) => {
            Err(from_cargo(error))
        }
        Err(_) => Ok(None),
    }
}
