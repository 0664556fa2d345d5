//! The configuration, and what the command line leaves out, as the engine's policy: patterns become the names of functions.

use provoke_engine::{Api, FunctionPolicy, Policy};

use crate::config::pattern::Pattern;
use crate::config::{Config, FunctionEntry};

/// The policy, and the patterns of the configuration that select nothing.
pub fn policy<'c>(config: &'c Config, omitted: &[Pattern], api: &Api) -> (Policy, Vec<&'c str>) {
    let mut policy = Policy { oracles: config.oracles.clone(), ..Policy::default() };
    let mut is_matched = vec![false; config.functions.len()];
    if !config.functions.is_empty() || !omitted.is_empty() {
        for name in Policy::names(api) {
            let mut own = FunctionPolicy::default();
            for (entry, is_matched) in config.functions.iter().zip(&mut is_matched) {
                if entry.pattern.matches(&name) {
                    *is_matched = true;
                    apply(entry, &mut own);
                }
            }
            own.is_skipped |= omitted.iter().any(|pattern| pattern.matches(&name));
            if own != FunctionPolicy::default() {
                policy.functions.insert(name, own);
            }
        }
    }
    let unmatched = config.functions.iter().zip(is_matched).filter(|(_, is_matched)| !is_matched);
    (policy, unmatched.map(|(entry, _)| entry.path.as_str()).collect())
}

/// Why a function is not to be called, if the command line or the configuration says so.
pub fn skip_reason(config: &Config, omitted: &[Pattern], function: &str) -> Option<&'static str> {
    if omitted.iter().any(|pattern| pattern.matches(function)) {
        return Some("omitted on the command line");
    }
    let latest_first = config.functions.iter().rev();
    let skip = latest_first.filter(|entry| entry.pattern.matches(function)).find_map(|entry| entry.skip);
    skip.filter(|yes| *yes).map(|_| "the configuration says so")
}

fn apply(entry: &FunctionEntry, own: &mut FunctionPolicy) {
    own.panics = entry.panics.or(own.panics);
    own.is_skipped = entry.skip.unwrap_or(own.is_skipped);
    own.oracles.extend(&entry.oracles);
}

#[cfg(test)]
mod tests {
    use super::*;
    use provoke_engine::{FunctionFacts, Rating};

    fn api(paths: &[&str]) -> Api {
        let function = |path: &&str| FunctionFacts { path: path.to_string(), ..FunctionFacts::default() };
        Api { functions: paths.iter().map(function).collect(), ..Api::default() }
    }

    #[test]
    fn what_comes_later_goes_before_what_came_earlier_key_by_key() {
        let text = "
            [[function]]
            path = \"Slab::*\"
            panics = \"expected\"
            skip = true
            oracles = { overflow = \"off\", crash = \"suspicious\" }
            [[function]]
            path = \"remove\"
            skip = false
            oracles = { overflow = \"error\" }
            [[function]]
            path = \"rename\"
            skip = true
        ";
        let config = Config::of_file(text, "provoke.toml").unwrap();
        let api = api(&["slab::Slab::insert", "slab::Slab::remove", "slab::Key::new"]);
        let (policy, unmatched) = policy(&config, &[], &api);
        assert_eq!(unmatched, ["rename"]);
        assert_eq!(policy.functions.len(), 2);
        let insert = &policy.functions["slab::Slab::insert"];
        assert_eq!((insert.panics, insert.is_skipped), (Some(Rating::Off), true));
        let remove = &policy.functions["slab::Slab::remove"];
        assert_eq!((remove.panics, remove.is_skipped), (Some(Rating::Off), false));
        assert_eq!(remove.oracles, [("overflow", Rating::Error), ("crash", Rating::Suspicious)].into());
        for function in &api.functions {
            let skipped = policy.functions.get(&function.path).is_some_and(|own| own.is_skipped);
            assert_eq!(skip_reason(&config, &[], &function.path).is_some(), skipped, "{}", function.path);
        }
    }

    #[test]
    fn what_the_command_line_leaves_out_is_skipped_whatever_the_configuration_says() {
        let text = "[[function]]\npath = \"remove\"\nskip = false\n[[function]]\npath = \"new\"\nskip = true\n";
        let config = Config::of_file(text, "provoke.toml").unwrap();
        let omitted = [Pattern::parse("Slab::*").unwrap()];
        let api = api(&["slab::Slab::insert", "slab::Slab::remove", "slab::Key::new", "slab::Key::next"]);
        let (policy, _) = policy(&config, &omitted, &api);
        let reasons = api.functions.iter().map(|function| skip_reason(&config, &omitted, &function.path));
        let expected =
            [Some("omitted on the command line"); 2].into_iter().chain([Some("the configuration says so"), None]);
        assert!(reasons.eq(expected));
        for function in &api.functions {
            let is_skipped = policy.functions.get(&function.path).is_some_and(|own| own.is_skipped);
            assert_eq!(is_skipped, skip_reason(&config, &omitted, &function.path).is_some(), "{}", function.path);
        }
    }
}
