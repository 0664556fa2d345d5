//! A clone that depends on its original by mistake is noticed; what shares by design, or only seems to share, is left alone.

use expect_test::expect;

use crate::copied_crate::CopiedCrate;
use crate::run::text;

#[test]
fn a_clone_that_depends_on_its_original_by_mistake_is_suspicious() {
    let copied = CopiedCrate::testdata("twins");
    let run = copied.provoke(&["--calls", "100k"]).exits_with(0);
    assert_eq!(run.summary()["tests"]["rejected"], 0);
    let mut tests: Vec<String> = Vec::new();
    for finding in run.findings() {
        let parts = ["tier", "oracle", "function"].map(|part| text(&finding[part]));
        let test = std::fs::read_to_string(copied.path("target/provoke/twins").join(text(&finding["test"]))).unwrap();
        tests.push(format!("{}\n{test}", parts.join(" ")));
    }
    tests.sort();
    expect![[r#""#]].assert_eq(&tests.join("\n"));
}
