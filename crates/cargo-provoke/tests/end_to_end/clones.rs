//! A clone that depends on its original by mistake is noticed; what shares by design, or only seems to share, is left alone.

use expect_test::expect;

use crate::copied_crate::CopiedCrate;
use crate::run::text;

#[test]
fn a_clone_that_depends_on_its_original_by_mistake_is_suspicious() {
    let copied = CopiedCrate::behaviour("dependent-clones");
    let run = copied.provoke(&["--calls", "100k", "--seed", "1"]).exits_with(0);
    assert_eq!(run.summary()["tests"]["rejected"], 0);
    let mut tests: Vec<String> = Vec::new();
    for finding in run.findings() {
        let parts = ["tier", "oracle", "function"].map(|part| text(&finding[part]));
        let test = std::fs::read_to_string(copied.path("target/provoke/dependent-clones").join(text(&finding["test"])))
            .unwrap();
        tests.push(format!("{}\n{test}", parts.join(" ")));
    }
    tests.sort();
    expect![[r#"
        suspicious clone-independent <dependent_clones::Page as Clone>::clone
        use dependent_clones::Page;

        // Expected: changing one of a value and its clone does not change what the other shows.
        // Happened: changing one of a value and its clone changed what the other shows
        #[test]
        fn clone_independent() {
            let mut page = Page::blank();
            let page2 = page.clone();
            let snapshot = format!("{:?}", page2);
            page.write(0);
            assert_eq!(format!("{:?}", page2), snapshot);
        }

        suspicious clone-independent <dependent_clones::Tray as Clone>::clone
        use dependent_clones::Tray;

        // Expected: changing one of a value and its clone does not change what the other shows.
        // Happened: changing one of a value and its clone changed what the other shows
        #[test]
        fn clone_independent() {
            let tray = Tray::new();
            let mut tray2 = tray.clone();
            let snapshot = format!("{:?}", tray);
            tray2.put(0);
            assert_eq!(format!("{:?}", tray), snapshot);
        }
    "#]]
    .assert_eq(&tests.join("\n"));
}
