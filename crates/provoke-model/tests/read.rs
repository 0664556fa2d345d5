//! Reading what rustdoc wrote about the little crates in `testdata`.

use std::path::PathBuf;

use expect_test::{expect, expect_file};
use provoke_model::{FunctionHome, Model, NewerFormat, ReadError, documents_panics, outline, read};
use serde_json::{Value, json};

mod strip;

fn fixture_path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("testdata").join(name).with_extension("json")
}

fn fixture(name: &str) -> String {
    std::fs::read_to_string(fixture_path(name)).expect("a fixture")
}

fn model(name: &str) -> Model {
    read(&fixture(name)).expect("a model")
}

/// Held against `testdata/NAME.outline`.
fn check_outline(name: &str) {
    let expected = fixture_path(name).with_extension("outline");
    expect_file![expected].assert_eq(&outline(&model(name)));
}

/// The same JSON as other toolchains write it.
fn in_format(json: &str, version: u32) -> String {
    let mut value: Value = serde_json::from_str(json).expect("JSON");
    value["format_version"] = version.into();
    if version < 57
        && let Some(crates) = value["external_crates"].as_object_mut()
    {
        for external in crates.values_mut() {
            external.as_object_mut().map(|fields| fields.remove("path"));
        }
    }
    for item in value["index"].as_object_mut().expect("an index").values_mut() {
        let is_local = item["crate_id"] == 0;
        let [stable, unstable] = stabilities(version);
        if version >= 58 {
            item["stability"] = if is_local { Value::Null } else { stable };
        }
        if version >= 59 {
            item["const_stability"] = if is_local { Value::Null } else { unstable };
        }
        for kind in ["function", "assoc_const", "assoc_type"] {
            if version >= 60 && item["inner"][kind].is_object() {
                item["inner"][kind]["default_unstable"] = if is_local { Value::Null } else { json!({"feature": "f"}) };
            }
        }
    }
    value.to_string()
}

fn stabilities(version: u32) -> [Value; 2] {
    if version < 61 {
        return [
            json!({"feature": "rust1", "level": "stable", "since": "1.0.0"}),
            json!({"feature": "f", "level": "unstable"}),
        ];
    }
    [json!({"feature": "rust1", "level": {"stable": {"since": "1.0.0"}}}), json!({"feature": "f", "level": "unstable"})]
}

#[test]
fn paths_lead_through_reexports_globs_and_cycles() {
    check_outline("reexports");
}

#[test]
fn members_have_their_generics_bounds_and_lifetimes() {
    check_outline("members");
}

#[test]
fn types_without_a_name_are_found_where_they_are_returned() {
    check_outline("unnameable");
}

#[test]
fn all_supported_formats_give_the_same_model() {
    for name in ["reexports", "members", "unnameable"] {
        let json = fixture(name);
        let of_today = read(&json).expect("format 57");
        for version in 55..=61 {
            let other = read(&in_format(&json, version)).expect("another format");
            assert_eq!(outline(&other), outline(&of_today));
            assert_eq!(other, of_today);
        }
    }
}

#[test]
fn a_newer_format_is_read_with_what_is_known_of_it() {
    let json = fixture("members");
    let of_today = read(&json).expect("format 57");
    let mut value: Value = serde_json::from_str(&in_format(&json, 99)).expect("JSON");
    value["surprise"] = json!({"depth": [[[1]]]});
    for item in value["index"].as_object_mut().expect("an index").values_mut() {
        item["surprise"] = json!(["field"]);
        item["attrs"].as_array_mut().expect("attributes").extend([json!("surprise"), json!({"surprising": [1]})]);
    }
    let newer = NewerFormat { format: 99, known: 55..=61, n_unreadable: 0 };
    let with_additions = read(&value.to_string()).expect("a newer format");
    assert_eq!(with_additions, Model { newer_format: Some(newer.clone()), ..of_today.clone() });

    let exported = |item: &&mut Value| item["name"] == "exported";
    let item = value["index"].as_object_mut().and_then(|index| index.values_mut().find(exported)).expect("a function");
    item["inner"] = json!({"surprise": {"sig": 1}});
    let id = item["id"].to_string();
    value["paths"][&id] = json!({"crate_id": 0, "path": ["members", "exported"], "kind": "surprise"});
    let with_an_unknown_item = read(&value.to_string()).expect("a newer format");
    assert_eq!(with_an_unknown_item.newer_format, Some(NewerFormat { n_unreadable: 1, ..newer }));
    let names = |model: &Model| model.functions.iter().map(|f| f.display.clone()).collect::<Vec<String>>();
    let mut expected = names(&of_today);
    expected.retain(|name| name != "members::exported");
    assert_eq!(names(&with_an_unknown_item), expected);
}

#[test]
fn displays_are_unique_and_sorted() {
    for name in ["reexports", "members", "unnameable"] {
        let model = model(name);
        let displays: Vec<&str> = model.functions.iter().map(|function| function.display.as_str()).collect();
        assert!(displays.is_sorted_by(|a, b| a < b), "{displays:?}");
    }
}

#[test]
fn docs_spans_and_homes_are_kept() {
    let model = model("members");
    let function =
        |display: &str| model.functions.iter().find(|function| function.display == display).expect("the function");
    let new = function("members::Bag::new");
    assert!(new.docs.text.starts_with("# Panics"));
    let span = new.span.as_ref().expect("a span");
    assert_eq!((span.file.as_str(), span.line, span.column), ("members.rs", 18, 5));
    assert!(matches!(new.home, FunctionHome::Inherent { .. }));
    let describe = function("members::Shape::describe");
    assert!(matches!(describe.home, FunctionHome::TraitDef { has_body: true, .. }));
    assert_eq!(function("members::exported").signature.abi, "C");
}

#[test]
fn panics_are_announced_at_a_function_its_type_its_trait_or_its_module() {
    let model = model("announcements");
    let list = |is_announced: bool| {
        let functions = model.functions.iter().filter(|function| documents_panics(&model, function) == is_announced);
        functions.map(|function| format!("{}\n", function.display)).collect::<String>()
    };
    expect![[r#"
        <&announcements::Plain as Loud>::loud
        <&announcements::strict::Number as Careful>::check
        <&announcements::strict::Number as Careful>::look
        <announcements::Plain as Careful>::check
        <announcements::Plain as Moody>::ask
        <u8 as From>::from
        <u8 as Moody>::ask
        announcements::Careful::check
        announcements::Moody::ask
        announcements::Plain::loud
        announcements::Ring::turn
        announcements::moved
        announcements::set
        announcements::strict::Number::increase
        announcements::strict::add
        announcements::strict::inner::deep
    "#]]
    .assert_eq(&list(true));
    expect![[r#"
        <&announcements::Plain as Loud>::quiet
        <announcements::Plain as Careful>::look
        announcements::Careful::look
        announcements::Loud::loud
        announcements::Loud::quiet
        announcements::Plain::quiet
        announcements::lax::risky
        announcements::lax::safe
    "#]]
    .assert_eq(&list(false));
}

#[test]
fn a_format_that_cannot_be_read_names_the_supported_toolchains() {
    let refuse = |json: &str| read(json).expect_err("unsupported").to_string();
    let too_new = expect![
        "the toolchain is too new: its rustdoc writes JSON format 99, supported are 55 to 61 (Rust 1.90 to 1.99)"
    ];
    too_new.assert_eq(&refuse(r#"{"format_version": 99, "index": 7}"#));
    let mut value: Value = serde_json::from_str(&in_format(&fixture("reexports"), 99)).expect("JSON");
    let root = value["root"].to_string();
    value["index"][&root]["inner"] = json!({"surprise": []});
    too_new.assert_eq(&refuse(&value.to_string()));
    expect!["the toolchain is too old: its rustdoc writes JSON format 39, supported are 55 to 61 (Rust 1.90 to 1.99)"]
        .assert_eq(&refuse(r#"{"format_version": 39, "index": 7}"#));
}

#[test]
fn what_is_cut_off_or_of_another_shape_is_an_error() {
    let json = fixture("reexports");
    let half = &json[..json.len() / 2];
    for broken in ["", "{}", "[]", half, r#"{"format_version": 57}"#, r#"{"format_version": -1}"#] {
        assert!(matches!(read(broken), Err(ReadError::Malformed(_))), "{broken:.40}");
    }
    let mut value: Value = serde_json::from_str(&json).expect("JSON");
    let other_items: Vec<u64> = value["index"]
        .as_object()
        .expect("an index")
        .values()
        .filter(|item| item["inner"]["module"].is_null())
        .filter_map(|item| item["id"].as_u64())
        .collect();
    for id in other_items.into_iter().chain([4_000_000_000]) {
        value["root"] = id.into();
        assert!(matches!(read(&value.to_string()), Err(ReadError::NoRoot)));
    }
}

#[test]
fn references_to_items_that_are_not_there_do_no_harm() {
    let mut value: Value = serde_json::from_str(&fixture("members")).expect("JSON");
    let root = value["root"].to_string();
    let ids: Vec<String> =
        value["index"].as_object().expect("an index").keys().filter(|id| **id != root).cloned().collect();
    for id in ids {
        let taken = value["index"].as_object_mut().and_then(|index| index.remove(&id));
        assert!(read(&value.to_string()).is_ok(), "without item {id}");
        value["index"][&id] = taken.expect("the item");
    }
    value["paths"] = Value::Object(Default::default());
    assert!(read(&value.to_string()).is_ok());
}

#[test]
fn numbers_as_types_may_nest_deep() {
    let levels = 200;
    let mut ty = serde_json::json!({"primitive": "u8"});
    for _ in 0..levels {
        ty = serde_json::json!({"resolved_path": {"path": "S", "id": 1, "args":
            {"angle_bracketed": {"args": [{"type": ty}], "constraints": []}}}});
    }
    let item = |id: u32, name: &str, inner: Value| {
        serde_json::json!({"id": id, "crate_id": 0, "name": name, "span": null, "visibility": "public",
            "docs": null, "links": {}, "attrs": [], "deprecation": null, "inner": inner})
    };
    let json = serde_json::json!({
        "root": 0, "crate_version": null, "includes_private": false,
        "index": {
            "0": item(0, "deep", serde_json::json!({"module": {"is_crate": true, "items": [2], "is_stripped": false}})),
            "2": item(2, "C", serde_json::json!({"constant": {"type": ty, "const": {"expr": "", "value": null, "is_literal": false}}})),
        },
        "paths": {}, "external_crates": {},
        "target": {"triple": "", "target_features": []}, "format_version": 57
    });
    let model = read(&json.to_string()).expect("a model");
    let expected = format!("deep::C: {}u8{}", "S<".repeat(levels), ">".repeat(levels));
    assert!(outline(&model).contains(&expected));
}

#[test]
#[ignore = "rewrites the fixtures"]
fn strip_fixtures() {
    for name in all_fixtures() {
        let stripped = strip::strip(&fixture(&name));
        std::fs::write(fixture_path(&name), stripped).expect("writing a fixture");
    }
}

#[test]
fn all_fixtures_are_stripped() {
    for name in all_fixtures() {
        assert!(strip::strip(&fixture(&name)) == fixture(&name), "{name}");
    }
}

fn all_fixtures() -> Vec<String> {
    let entries = std::fs::read_dir(fixture_path("x").with_file_name("")).expect("a directory");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let fixtures = paths.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    fixtures.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect()
}
