//! A crate of the registry as users name it: `slab`, `slab@0.4.4`, `slab@0.4`.

use crate::bad_value::BadValue;

const HINT: &str = "write NAME or NAME@VERSION, for example slab or slab@0.4.4";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrateSpec {
    pub name: String,
    /// As in Cargo.toml: `=0.4.4`, `~0.4` for the newest of an incomplete version; `None` for the newest of all.
    pub requirement: Option<String>,
    /// As the user wrote it.
    pub text: String,
}

pub fn parse_crate_spec(text: &str) -> Result<CrateSpec, BadValue> {
    let (name, version) = match text.split_once('@') {
        Some((name, version)) => (name, Some(version)),
        None => (text, None),
    };
    if !is_crate_name(name) {
        return Err(BadValue::new("not the name of a crate", HINT));
    }
    Ok(CrateSpec {
        name: name.to_string(),
        requirement: version.map(parse_version).transpose()?,
        text: text.to_string(),
    })
}

/// What the registry allows: ASCII letters, digits, `-` and `_`, a letter first, at most 64 of them.
fn is_crate_name(name: &str) -> bool {
    name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

fn parse_version(text: &str) -> Result<String, BadValue> {
    if semver::Version::parse(text).is_ok() {
        return Ok(format!("={text}"));
    }
    let is_partial =
        text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(|c| c.is_ascii_digit() || c == '.');
    let requirement = format!("~{text}");
    if is_partial && semver::VersionReq::parse(&requirement).is_ok() {
        Ok(requirement)
    } else {
        Err(BadValue::new("not a version after the @", HINT))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_may_have_a_whole_or_a_partial_version() {
        let table = [
            ("slab", "slab", None),
            ("slab@0.4.4", "slab", Some("=0.4.4")),
            ("rust_decimal@1.10", "rust_decimal", Some("~1.10")),
            ("time@0", "time", Some("~0")),
            ("a-b@1.0.0-rc.1+x", "a-b", Some("=1.0.0-rc.1+x")),
        ];
        for (text, name, requirement) in table {
            let spec = parse_crate_spec(text).unwrap();
            let parsed = (spec.name.as_str(), spec.requirement.as_deref());
            assert_eq!(parsed, (name, requirement), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_a_crate_is_refused() {
        let table = [
            "",
            "@1.0.0",
            "slab@",
            "slab@latest",
            "slab@^1",
            "slab@1.0.0.0",
            "slab@.1",
            "slab@1..2",
            "../slab",
            "slab/x",
            "9slab",
            "sl ab",
            "slab@1.0.0@2",
            "släb",
            "-slab",
        ];
        for text in table {
            assert!(parse_crate_spec(text).is_err(), "{text}");
        }
    }
}
