//! The packages that something is done with, one after the other.

use std::path::PathBuf;

use provoke_host::{
    CargoContext, FeatureFlags, LockFlags, Selection, Target, default_target_directory, fetch, find_targets,
};
use provoke_report::{Event, ExitCode, UserError};

use crate::config::file::PackageConfig;
use crate::error::{from_cargo, from_io};
use crate::events::Events;
use crate::prepare::sandbox;
use crate::settings::{Packages, Setup, Subject};

/// A package with its configuration.
pub(crate) struct Package {
    pub target: Target,
    pub config: PackageConfig,
}

/// What came of each package that something could be done with, and of all together.
#[derive(Debug)]
pub struct AllPackages<T> {
    pub packages: Vec<T>,
    /// As many were asked for.
    pub n_asked_for: usize,
    /// How the tool ends, as the shell sees it; or what put an end to all of it.
    pub end: Result<ExitCode, UserError>,
}

/// What every run of cargo shares, with the sandbox that was asked for.
pub(crate) fn cargo_context(setup: &Setup, events: &Events) -> Result<CargoContext, UserError> {
    Ok(CargoContext {
        interrupt: setup.interrupt.flag(),
        listener: Some(events.listener(|line| Event::CargoSaid { line: line.to_owned() })),
        on_wait: Some(events.listener(|object| Event::Waiting { object: object.to_owned() })),
        sandbox: sandbox::set_up(setup.sandbox, events)?,
    })
}

/// All packages that are asked for, of those that `choose` leaves. Configurations are read before anything is built: who made a
/// mistake in one of them should not wait for the others.
pub(crate) fn packages(
    setup: &Setup,
    cargo_context: &CargoContext,
    choose: impl FnOnce(Vec<Target>) -> Result<Vec<Target>, UserError>,
) -> Result<Vec<Package>, UserError> {
    let targets = choose(targets(setup, cargo_context)?)?;
    targets.into_iter().map(|target| Ok(Package { config: PackageConfig::of(&target)?, target })).collect()
}

fn targets(setup: &Setup, cargo_context: &CargoContext) -> Result<Vec<Target>, UserError> {
    let build = &setup.build;
    let features = FeatureFlags {
        features: build.features.clone(),
        all_features: build.all_features,
        no_default_features: build.no_default_features,
    };
    let lock = LockFlags { locked: build.locked, offline: build.offline, frozen: build.frozen };
    match &setup.subject {
        Subject::Local { manifest_path, packages } => {
            let (named, workspace, exclude) = match packages {
                Packages::Default => (Vec::new(), false, Vec::new()),
                Packages::Named(names) => (names.clone(), false, Vec::new()),
                Packages::Workspace { exclude } => (Vec::new(), true, exclude.clone()),
            };
            let selection =
                Selection { manifest_path: manifest_path.clone(), packages: named, workspace, exclude, features, lock };
            find_targets(&selection, cargo_context).map_err(from_cargo)
        }
        Subject::Registry(spec) => {
            let here = std::env::current_dir().map_err(|error| from_io(&PathBuf::from("."), &error))?;
            let target_directory = default_target_directory(&here);
            fetch(spec, &target_directory, &features, lock, cargo_context)
                .map(|target| vec![target])
                .map_err(from_cargo)
        }
    }
}

/// Does something with each package, until something fails that concerns all of them.
pub(crate) fn each<T>(
    setup: &Setup,
    packages: &[Package],
    events: &Events,
    mut work: impl FnMut(&Package) -> Result<(ExitCode, T), UserError>,
) -> AllPackages<T> {
    let mut outcome = AllPackages { packages: Vec::new(), n_asked_for: packages.len(), end: Ok(ExitCode::Success) };
    let mut worst = ExitCode::Success;
    for package in packages {
        match work(package) {
            Ok((code, done)) => {
                worst = worse(worst, code);
                outcome.packages.push(done);
            }
            // One of many without anything to call is no reason to leave the others out.
            Err(error) if error.exit == ExitCode::NothingCallable && packages.len() > 1 => {
                worst = worse(worst, error.exit);
                events.emit(Event::PackageFailed(Box::new(error)));
            }
            // What the packages before it came to stays true.
            Err(error) if worse(worst, error.exit) == worst => break,
            Err(error) => {
                outcome.end = Err(error);
                return outcome;
            }
        }
        if setup.interrupt.is_asked() {
            break;
        }
    }
    outcome.end = Ok(worst);
    outcome
}

/// Findings in one package matter more than an empty API or a Ctrl-C in another.
fn worse(a: ExitCode, b: ExitCode) -> ExitCode {
    let rank = |code: ExitCode| match code {
        ExitCode::Success => 0,
        ExitCode::NothingCallable => 1,
        ExitCode::Interrupted => 2,
        ExitCode::Findings => 3,
        ExitCode::Usage | ExitCode::TargetDoesNotBuild | ExitCode::Bug => 4,
    };
    if rank(b) > rank(a) { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_outweigh_a_ctrl_c_and_both_an_empty_api() {
        assert_eq!(worse(ExitCode::Findings, ExitCode::Interrupted), ExitCode::Findings);
        assert_eq!(worse(ExitCode::NothingCallable, ExitCode::Interrupted), ExitCode::Interrupted);
        assert_eq!(worse(ExitCode::Findings, ExitCode::TargetDoesNotBuild), ExitCode::TargetDoesNotBuild);
    }
}
