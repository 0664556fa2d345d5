//! The repository's own rules about itself.

use xtask::code_map;

#[test]
fn the_code_map_lists_exactly_the_code() {
    let differences = match code_map::differences(&xtask::workspace_root()) {
        Ok(differences) => differences,
        Err(message) => panic!("{message}"),
    };
    assert!(differences.is_empty(), "{}", code_map::describe(&differences));
}
