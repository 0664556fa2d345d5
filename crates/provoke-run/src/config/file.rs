//! Where the configuration of a package is: its own `provoke.toml`, its `Cargo.toml`, or its workspace's `provoke.toml`.

use std::path::Path;

use provoke_host::{Origin, Target};
use provoke_report::{ExitCode, UserError};

use crate::config::Config;

pub const FILE_NAME: &str = "provoke.toml";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackageConfig {
    pub config: Config,
    /// It is the workspace's: what it says may be about other packages.
    pub is_shared: bool,
    /// `Cargo.toml` has a configuration, too, which is not used.
    pub overrides_manifest: bool,
}

impl PackageConfig {
    /// A crate of the registry is judged without what its author wants to be told.
    pub fn of(target: &Target) -> Result<PackageConfig, UserError> {
        match target.origin {
            Origin::Registry => Ok(PackageConfig::default()),
            Origin::Path => read(&target.package_root, &target.manifest_path, &target.workspace_root),
        }
    }
}

fn read(package_root: &Path, manifest: &Path, workspace_root: &Path) -> Result<PackageConfig, UserError> {
    let of_manifest = || match read_if_there(manifest)? {
        Some(text) => Config::of_manifest(&text, &shown(manifest)),
        None => Ok(None),
    };
    let own = package_root.join(FILE_NAME);
    if let Some(text) = read_if_there(&own)? {
        let config = Config::of_file(&text, &shown(&own))?;
        // Broken or not, it is not used.
        let overrides_manifest = !matches!(of_manifest(), Ok(None));
        return Ok(PackageConfig { config, is_shared: false, overrides_manifest });
    }
    if let Some(config) = of_manifest()? {
        return Ok(PackageConfig { config, ..PackageConfig::default() });
    }
    let shared = workspace_root.join(FILE_NAME);
    match read_if_there(&shared)? {
        Some(text) => {
            let config = Config::of_file(&text, &shown(&shared))?;
            Ok(PackageConfig { config, is_shared: true, overrides_manifest: false })
        }
        None => Ok(PackageConfig::default()),
    }
}

fn read_if_there(path: &Path) -> Result<Option<String>, UserError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(UserError::new(ExitCode::Usage, format!("cannot read {}: {error}", shown(path)))
            .with_hint("it must be a text file in UTF-8 that you may read")),
    }
}

/// As short as it can be said from here.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    let relative = here.and_then(|here| path.strip_prefix(here).ok());
    relative.unwrap_or(path).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const ACCEPT: &str = "[[accept]]\nid = \"ID\"\nreason = \"known\"\n";

    fn accepting(id: &str) -> String {
        ACCEPT.replace("ID", id)
    }

    /// The accepted ids, and what else is known, with these files there.
    fn found(files: &[(&str, String)]) -> (Vec<String>, bool, bool) {
        let directory = tempfile::tempdir().unwrap();
        let (workspace, package) = (directory.path(), directory.path().join("member"));
        fs::create_dir(&package).unwrap();
        for (name, text) in files {
            fs::write(workspace.join(name), text).unwrap();
        }
        let read = read(&package, &package.join("Cargo.toml"), workspace).unwrap();
        let ids = read.config.accepts.into_iter().map(|accept| accept.id).collect();
        (ids, read.is_shared, read.overrides_manifest)
    }

    #[test]
    fn the_nearest_configuration_is_used_and_the_file_goes_before_the_manifest() {
        let shared = ("provoke.toml", accepting("shared"));
        let own = ("member/provoke.toml", accepting("own"));
        let manifest = ("member/Cargo.toml", accepting("manifest").replace("[[", "[[package.metadata.provoke."));
        let plain = ("member/Cargo.toml", "[package]\nname = \"member\"\n".to_string());
        let id = |id: &str| vec![id.to_string()];
        assert_eq!(found(&[]), (vec![], false, false));
        assert_eq!(found(&[shared.clone(), plain.clone()]), (id("shared"), true, false));
        assert_eq!(found(&[shared.clone(), manifest.clone()]), (id("manifest"), false, false));
        assert_eq!(found(&[shared, plain, own.clone()]), (id("own"), false, false));
        assert_eq!(found(&[manifest, own]), (id("own"), false, true));
    }

    #[test]
    fn a_file_that_cannot_be_read_is_an_error_with_a_hint() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join(FILE_NAME), b"\xff").unwrap();
        let root = directory.path();
        let error = read(root, &root.join("Cargo.toml"), root).unwrap_err();
        assert!(error.message.contains("provoke.toml: "), "{error}");
        assert!(error.hint.is_some());
    }
}
