//! Rows that cannot be confused, and texts that can be filled in.

use super::*;

#[test]
fn every_oracle_has_its_own_id_and_says_when_it_can_be_wrong() {
    for (index, row) in ORACLES.iter().enumerate() {
        assert!(ORACLES[..index].iter().all(|other| other.id != row.id), "{}", row.id);
        for text in [row.claim, row.applies_to, row.can_be_wrong] {
            assert!(!text.is_empty() && !text.ends_with('.'), "{}: {text}", row.id);
        }
        assert_eq!(oracle(row.id), Some(*row));
    }
    assert_eq!(oracle("no-such-oracle"), None);
}

#[test]
fn laws_name_only_values_that_they_take() {
    for row in ORACLES {
        let Some(law) = &row.law else {
            continue;
        };
        assert!(row.message.is_some() && !law.trials.is_empty(), "{}", row.id);
        for text in [law.check, law.test] {
            for (index, name) in ["a", "b", "c"].into_iter().enumerate() {
                let is_named = text.contains(&format!("{{{name}}}")) || text.contains(&format!("{{&{name}}}"));
                assert_eq!(is_named, index < law.values.len(), "{}: {name} in {text}", row.id);
            }
        }
        assert!(law.test.starts_with("assert"), "{}", row.id);
        let is_convention = law.trials.iter().any(|trial| matches!(trial, LawTrial::Methods(_)));
        assert!(!is_convention || row.tier == Tier::Suspicious, "{}", row.id);
    }
}
