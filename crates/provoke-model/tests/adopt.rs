//! A crate and its dependencies, brought together in one model.

use std::path::PathBuf;

use expect_test::expect;
use provoke_model::{Model, adopt, read};

const MEASURE: &str = "libmeasure.rmeta";
const TOOLS: &str = "libtools.rmeta";

fn model(name: &str) -> Model {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("testdata").join(name).with_extension("json");
    read(&std::fs::read_to_string(path).expect("a fixture")).expect("a model")
}

/// The names of what comes from `measure`, and what is known about it.
fn known(model: &Model) -> String {
    let mut lines = Vec::new();
    for item in model.items.iter().filter(|item| item.crate_name == "measure") {
        let path = item.path.as_ref().map_or("no name".to_string(), |path| path.join("::"));
        let contents = if item.local_index.is_some() { ", with contents" } else { "" };
        lines.push(format!("{}: {path}{contents}", item.definition.join("::")));
    }
    lines.sort();
    lines.extend(model.helpers.iter().map(|helper| format!("helper {}", helper.display)));
    lines.join("\n") + "\n"
}

#[test]
fn what_the_crate_mentions_of_a_dependency_is_named_and_can_be_made() {
    let mut workshop = model("workshop");
    let crate_idx = workshop.foreign_crate("measure", Some(MEASURE));
    let n_functions = workshop.functions.len();
    adopt(&mut workshop, crate_idx, &model("measure"), Some("ruler"));
    // `Rod` has a name in the crate itself. `Long` is implemented for `u32`; `Seeded` for nothing but `Wheel`.
    expect![[r#"
        measure::Number: ruler::Number
        measure::private::Long: ruler::Long, with contents
        measure::private::Rod: workshop::Rod, with contents
        measure::private::Seeded: ruler::Seeded, with contents
        measure::private::Wheel: ruler::Wheel, with contents
        measure::units::Meter: ruler::units::Meter, with contents
        helper <measure::units::Meter as From>::from
        helper measure::Wheel::from_seed
        helper measure::units::Meter::new
        helper measure::parse
        helper measure::units::Meter::grow
        helper measure::units::Meter::length
    "#]]
    .assert_eq(&known(&workshop));
    assert_eq!(workshop.functions.len(), n_functions);
    let n_impls = |name: &str| {
        let traits = workshop.impls.iter().filter_map(|block| block.trait_ref.as_ref());
        traits.filter(|trait_ref| workshop.item(trait_ref.item).name == name).count()
    };
    assert_eq!((n_impls("Long"), n_impls("Seeded")), (2, 1));
}

#[test]
fn what_is_no_dependency_of_the_crate_itself_is_named_through_one_that_is() {
    let mut workshop = model("workshop");
    let tools = workshop.foreign_crate("tools", Some(TOOLS));
    adopt(&mut workshop, tools, &model("tools"), Some("tools"));
    let measure = workshop.foreign_crate("measure", Some(MEASURE));
    adopt(&mut workshop, measure, &model("measure"), None);
    expect![[r#"
        measure::Number: no name
        measure::private::Long: tools::Lengthy, with contents
        measure::private::Rod: workshop::Rod, with contents
        measure::private::Seeded: no name, with contents
        measure::private::Wheel: tools::Wheel, with contents
        measure::units::Meter: tools::units::Meter, with contents
        helper <measure::units::Meter as From>::from
        helper measure::Wheel::from_seed
        helper measure::units::Meter::new
        helper measure::units::Meter::grow
        helper measure::units::Meter::length
    "#]]
    .assert_eq(&known(&workshop));
}

#[test]
fn what_states_specifications_is_named_and_never_called() {
    let mut workshop = model("workshop");
    let crate_idx = workshop.foreign_crate("measure", Some(MEASURE));
    let annotations = Model { crate_name: "provoke".into(), ..model("measure") };
    adopt(&mut workshop, crate_idx, &annotations, Some("provoke"));
    assert!(workshop.items.iter().any(|item| item.path.as_ref().is_some_and(|path| path[0] == "provoke")));
    assert!(workshop.helpers.is_empty());
}

#[test]
fn another_version_of_a_dependency_is_another_crate() {
    let mut workshop = model("workshop");
    let before = known(&workshop);
    let other = workshop.foreign_crate("measure", Some("libmeasure-2.rmeta"));
    adopt(&mut workshop, other, &model("measure"), Some("ruler"));
    assert_eq!(known(&workshop), before);
    assert!(before.contains("measure::units::Meter: no name\n"), "{before}");
}
