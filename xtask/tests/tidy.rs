//! The repository's own rules about itself.

#[test]
fn the_repository_keeps_its_rules() {
    match xtask::tidy::breaches(&xtask::workspace_root()) {
        Ok(breaches) => assert!(breaches.is_empty(), "{}", breaches.join("\n")),
        Err(message) => panic!("{message}"),
    }
}
