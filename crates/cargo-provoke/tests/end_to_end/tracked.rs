//! Containers that treat their elements badly are found, each by its own oracle; those that do not are left alone.

use expect_test::expect;

use crate::copied_crate::CopiedCrate;

#[test]
fn elements_that_are_dropped_twice_used_afterwards_or_lost_are_noticed() {
    let run = CopiedCrate::behaviour("mistreated-elements").provoke(&["--calls", "3M", "--seed", "2"]).exits_with(100);
    assert_eq!(run.summary()["tests"]["rejected"], 0);
    expect![[r#"
        error double-drop mistreated_elements::bad::Generous::take_first 4 calls
        error double-drop mistreated_elements::bad::Touchy::swap_with_first 4 calls
        error use-after-drop mistreated_elements::bad::Haunted::ended_with 6 calls
        error use-after-drop mistreated_elements::bad::Loose::first 7 calls
        suspicious leak mistreated_elements::bad::Forgetful::truncate 4 calls
    "#]]
    .assert_eq(&run.lines_with_calls());
}
