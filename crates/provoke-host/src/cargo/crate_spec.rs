//! A crate of the registry as users name it: `slab`, `slab@0.4.4`, `slab@0.4`.

use semver::{Version, VersionReq};

/// `NAME` or `NAME@VERSION`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrateSpec {
    pub name: String,
    /// A full version means exactly that one; `1` or `1.2` the newest that begins so; none the newest of all.
    pub version: Option<String>,
}

/// Which part of a text makes it no crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadCrateSpec {
    #[error("not the name of a crate")]
    Name,
    #[error("not a version after the @")]
    Version,
}

impl CrateSpec {
    pub fn parse(text: &str) -> Result<CrateSpec, BadCrateSpec> {
        let (name, version) = match text.split_once('@') {
            Some((name, version)) => (name, Some(version.strip_prefix('v').unwrap_or(version))),
            None => (text, None),
        };
        if !is_crate_name(name) {
            return Err(BadCrateSpec::Name);
        }
        if !version.is_none_or(|version| Version::parse(version).is_ok() || is_partial(version)) {
            return Err(BadCrateSpec::Version);
        }
        Ok(CrateSpec { name: name.into(), version: version.map(str::to_owned) })
    }

    /// As Cargo.toml has it.
    pub(crate) fn requirement(&self) -> String {
        match &self.version {
            None => "*".into(),
            Some(version) if self.is_exact() => format!("={version}"),
            Some(version) => format!("~{version}"),
        }
    }

    pub(crate) fn is_exact(&self) -> bool {
        self.version.as_deref().is_some_and(|version| Version::parse(version).is_ok())
    }

    pub(crate) fn directory_name(&self) -> String {
        match &self.version {
            Some(version) => format!("{}-{version}", self.name),
            None => self.name.clone(),
        }
    }
}

/// As it is parsed.
impl std::fmt::Display for CrateSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)?;
        self.version.iter().try_for_each(|version| write!(f, "@{version}"))
    }
}

/// What the registry allows: ASCII letters, digits, `-` and `_`, a letter first, at most 64 of them.
fn is_crate_name(name: &str) -> bool {
    name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

/// `1` or `1.2`
fn is_partial(version: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    version.split('.').count() <= 2
        && version.split('.').all(is_number)
        && VersionReq::parse(&format!("~{version}")).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_version_is_exact_and_a_partial_one_is_not() {
        let table = [
            ("slab", "slab", "*"),
            ("slab@0.4.4", "slab", "=0.4.4"),
            ("rust_decimal@1.10", "rust_decimal", "~1.10"),
            ("time@0", "time", "~0"),
            ("a-b@v1.0.0-rc.1+x", "a-b", "=1.0.0-rc.1+x"),
        ];
        for (text, name, requirement) in table {
            let spec = CrateSpec::parse(text).unwrap();
            assert_eq!((spec.name.as_str(), spec.requirement().as_str()), (name, requirement), "{text}");
            assert_eq!(CrateSpec::parse(&spec.to_string()), Ok(spec), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_a_crate_is_refused_for_its_name_or_its_version() {
        for text in ["", "@1.0.0", "../slab", "slab/x", "9slab", "sl ab", "släb", "-slab", &"a".repeat(65)] {
            assert_eq!(CrateSpec::parse(text), Err(BadCrateSpec::Name), "{text}");
        }
        for version in ["", "latest", "^1", "1.0.0.0", "1.2.x", ".1", "1..2", "1.0.0@2", "99999999999999999999"] {
            let text = format!("slab@{version}");
            assert_eq!(CrateSpec::parse(&text), Err(BadCrateSpec::Version), "{text}");
        }
    }
}
