use crate::config::*;
use expect_test::expect;

#[test]
fn a_configuration_has_policy_and_accepted_findings() {
    let text = r#"
        [oracles]
        overflow = "suspicious"
        hash-agrees = "off"

        [[function]]
        path = "slab::Slab::*"
        panics = "expected"

        [[function]]
        path = "remove"
        panics = "default"
        skip = true
        [function.oracles]
        overflow = "error"
        crash = "default"

        [[accept]]
        id = "46d3be0f1e"
        reason = "callers check"
    "#;
    let config = Config::of_file(text, "provoke.toml").unwrap();
    assert_eq!(config.oracles, [("overflow", Rating::Suspicious), ("hash-agrees", Rating::Off)].into());
    let [slab, remove] = config.functions.as_slice() else { panic!("{config:?}") };
    assert!(slab.pattern.matches("slab::Slab::insert"));
    assert_eq!((slab.panics, slab.skip, slab.oracles.len()), (Some(Rating::Off), None, 0));
    assert_eq!((remove.path.as_str(), remove.panics, remove.skip), ("remove", Some(Rating::Default), Some(true)));
    assert_eq!(remove.oracles, [("overflow", Rating::Error), ("crash", Rating::Default)].into());
    assert_eq!(config.accepts, [Accept { id: "46d3be0f1e".into(), reason: "callers check".into() }]);
}

#[test]
fn an_empty_file_says_nothing() {
    assert_eq!(Config::of_file("", "provoke.toml").unwrap(), Config::default());
    assert_eq!(Config::of_file("# later\n[oracles]\nfunction = []\n", "provoke.toml").map_err(|e| e.message).err(), {
        // `function` stands inside `[oracles]`: TOML has no way back to the top.
        Some("provoke.toml:3:1: unknown oracle `function`".to_string())
    });
    assert_eq!(Config::of_file("function = []\naccept = []\n[oracles]\n", "provoke.toml").unwrap(), Config::default());
}

#[test]
fn a_manifest_is_read_where_it_is_about_provoke() {
    let package = "[package]\nname = \"a\"\nversion = \"0.1.0\"\n";
    let read = |text: &str| Config::of_manifest(&format!("{package}{text}"), "Cargo.toml");
    assert_eq!(read("").unwrap(), None);
    assert_eq!(read("[package.metadata.docs]\nx = 1\n").unwrap(), None);
    let accepting = "[[package.metadata.provoke.accept]]\nid = \"a1\"\nreason = \"known\"\n";
    assert_eq!(read(accepting).unwrap().unwrap().accepts.len(), 1);
    let error = read("[package.metadata.provoke]\nfunctions = []\n").unwrap_err();
    assert_eq!(error.message, "Cargo.toml:5:1: unknown key `functions` in the configuration");
    assert_eq!(error.hint.as_deref(), Some("did you mean `function`?"));
}

#[test]
fn what_is_wrong_is_said_with_its_place_and_a_hint() {
    let texts = [
        "[oracles",
        "[[function]]\npath = slab\n",
        "[oracle]\noverflow = \"off\"\n",
        "time = \"30s\"\n",
        "oracles = 3\n",
        "[oracles]\noverflw = \"off\"\n",
        "[oracles]\noverflow = \"of\"\n",
        "[oracles]\noverflow = \"quiet\"\n",
        "[oracles]\noverflow = false\n",
        "[function]\npath = \"a\"\n",
        "function = [3]\n",
        "[[function]]\npanics = \"expected\"\n",
        "[[function]]\npath = \"a\"\npannics = \"expected\"\n",
        "[[function]]\npath = \"a\"\npanics = \"off\"\n",
        "[[function]]\npath = \"a\"\npanics = [\"error\"]\n",
        "[[function]]\npath = \"a b\"\n",
        "[[function]]\npath = \"\"\n",
        "[[function]]\npath = \"ä\"\nskip = \"yes\"\n",
        "[[function]]\npath = \"a\"\n[function.oracles]\n  crsh = \"off\"\n",
        "[[accept]]\nreason = \"known\"\n",
        "[[accept]]\nid = \"46d3be0f1e\"\n",
        "[[accept]]\nid = \"46d3be0f1e\"\nreason = \" \"\n",
        "[[accept]]\nid = \"src/lib.rs\"\nreason = \"known\"\n",
        "[[accept]]\nid = 46\nreason = \"known\"\n",
        "[[accept]]\nid = \"a1\"\nreason = \"known\"\n\n[[accept]]\nid = \"a1\"\nreason = \"still\"\n",
        "accept = [{ id = \"ä\", reason = 2026-01-01 }]\n",
    ];
    let mut transcript = String::new();
    for text in texts {
        let error = Config::of_file(text, "provoke.toml").expect_err(text);
        let hint = error.hint.unwrap_or_default();
        transcript.push_str(&format!("{}\n    {}\n    {hint}\n", text.escape_debug(), error.message));
    }
    expect![[r#"
        [oracles
            provoke.toml:1:9: unclosed table, expected `]`
            texts need quotes, tables brackets: https://toml.io shows how to write it
        [[function]]\npath = slab\n
            provoke.toml:2:8: string values must be quoted, expected literal string
            texts need quotes, tables brackets: https://toml.io shows how to write it
        [oracle]\noverflow = \"off\"\n
            provoke.toml:1:2: unknown key `oracle` in the configuration
            did you mean `oracles`?
        time = \"30s\"\n
            provoke.toml:1:1: unknown key `time` in the configuration
            it can have oracles, function, accept, values, operation and types
        oracles = 3\n
            provoke.toml:1:11: `oracles` must be a table, but is a number
            write `[oracles]`
        [oracles]\noverflw = \"off\"\n
            provoke.toml:2:1: unknown oracle `overflw`
            did you mean `overflow`?
        [oracles]\noverflow = \"of\"\n
            provoke.toml:2:12: invalid value `of` for `overflow`
            did you mean `off`?
        [oracles]\noverflow = \"quiet\"\n
            provoke.toml:2:12: invalid value `quiet` for `overflow`
            it can be off, suspicious, error or default
        [oracles]\noverflow = false\n
            provoke.toml:2:12: `overflow` must be a string, but is a boolean
            write `overflow = "off"`
        [function]\npath = \"a\"\n
            provoke.toml:1:1: `function` must be a list of tables, but is a table
            write `[[function]]`
        function = [3]\n
            provoke.toml:1:13: `function` must be a table, but is a number
            write `[[function]]`
        [[function]]\npanics = \"expected\"\n
            provoke.toml:1:1: `[[function]]` has no `path`
            say which functions it is about: path = "slab::Slab::*"
        [[function]]\npath = \"a\"\npannics = \"expected\"\n
            provoke.toml:3:1: unknown key `pannics` in `[[function]]`
            did you mean `panics`?
        [[function]]\npath = \"a\"\npanics = \"off\"\n
            provoke.toml:3:10: invalid value `off` for `panics`
            it can be expected, suspicious, error or default
        [[function]]\npath = \"a\"\npanics = [\"error\"]\n
            provoke.toml:3:10: `panics` must be a string, but is a list
            write `panics = "expected"`
        [[function]]\npath = \"a b\"\n
            provoke.toml:2:8: invalid value `a b` for `path`: not a function path
            write path segments, with * for any part of one: insert, Slab::insert, Slab::*, *_unchecked
        [[function]]\npath = \"\"\n
            provoke.toml:2:8: invalid value `` for `path`: an empty pattern selects nothing
            write path segments, with * for any part of one: insert, Slab::insert, Slab::*, *_unchecked
        [[function]]\npath = \"ä\"\nskip = \"yes\"\n
            provoke.toml:3:8: `skip` must be true or false, but is a string
            write `skip = true`
        [[function]]\npath = \"a\"\n[function.oracles]\n  crsh = \"off\"\n
            provoke.toml:4:3: unknown oracle `crsh`
            did you mean `crash`?
        [[accept]]\nreason = \"known\"\n
            provoke.toml:1:1: `[[accept]]` has no `id`
            ids are printed with each finding and are in summary.json
        [[accept]]\nid = \"46d3be0f1e\"\n
            provoke.toml:1:1: `[[accept]]` has no `reason`
            say why the finding may stay, for whoever reads this in a year
        [[accept]]\nid = \"46d3be0f1e\"\nreason = \" \"\n
            provoke.toml:3:10: `reason` is empty
            say why the finding may stay, for whoever reads this in a year
        [[accept]]\nid = \"src/lib.rs\"\nreason = \"known\"\n
            provoke.toml:2:6: invalid value `src/lib.rs` for `id`: not the id of a finding
            ids are printed with each finding and are in summary.json
        [[accept]]\nid = 46\nreason = \"known\"\n
            provoke.toml:2:6: `id` must be a string, but is a number
            write `id = "46d3be0f1e"`
        [[accept]]\nid = \"a1\"\nreason = \"known\"\n\n[[accept]]\nid = \"a1\"\nreason = \"still\"\n
            provoke.toml:5:1: the finding `a1` is accepted twice
            leave one of them out
        accept = [{ id = \"ä\", reason = 2026-01-01 }]\n
            provoke.toml:1:18: invalid value `ä` for `id`: not the id of a finding
            ids are printed with each finding and are in summary.json
    "#]]
    .assert_eq(&transcript);
}

#[test]
fn the_example_of_the_guide_can_be_used() {
    let page = include_str!("../../../../docs/guide/configuration.md");
    let (_, rest) = page.split_once("```toml\n").unwrap();
    let (example, _) = rest.split_once("```").unwrap();
    let config = Config::of_file(example, "configuration.md").unwrap();
    assert_eq!((config.oracles.len(), config.functions.len(), config.accepts.len()), (1, 3, 1));
    assert_eq!(config.types.iter().map(|entry| entry.types.len()).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn values_and_operations_are_added_by_hand() {
    let text = r#"
        [values]
        u32 = ["7", "0xffff"]
        "slab::Slab<u8>" = ["slab::Slab::with_capacity(3)"]

        [[operation]]
        code = "|slab: &mut slab::Slab<u8>| slab.insert(1)"
    "#;
    let config = Config::of_file(text, "provoke.toml").unwrap();
    let literals: Vec<&Literal> = config.literals_by_hand().collect();
    assert_eq!(literals, [&Literal::I128(7), &Literal::I128(0xffff)]);
    let texts: Vec<&str> = config.ops_by_hand().map(|op| op.text.pretty.as_str()).collect();
    let operation = "(|slab: &mut slab::Slab<u8>| slab.insert(1))({0})";
    assert_eq!(texts, ["slab::Slab::with_capacity(3)", operation]);
    let complaint = |text: &str| Config::of_file(text, "provoke.toml").unwrap_err().message;
    expect![[r#"
        provoke.toml:2:8: `1 + 1` is no literal, and values of `u32` are
        provoke.toml:2:7: `u32` must be a list of expressions, but is a string
        provoke.toml:2:8: invalid value for `code`: it is no closure
        provoke.toml:1:1: `[[operation]]` has no `code`
    "#]]
    .assert_eq(
        &[
            "[values]\nu32 = [\"1 + 1\"]",
            "[values]\nu32 = \"1\"",
            "[[operation]]\ncode = \"slab::f()\"",
            "[[operation]]\n",
        ]
        .map(|text| complaint(text) + "\n")
        .concat(),
    );
}

#[test]
fn types_stand_for_traits_in_the_order_of_the_text() {
    let text = r#"
        [types]
        "mycrate::Shape" = ["mycrate::Square<u8>", "mycrate::Circle"]
        Hasher = ["std::hash::DefaultHasher"]
    "#;
    let config = Config::of_file(text, "provoke.toml").unwrap();
    let entry = |trait_path: &str, types: &[&str], place: &str| TypesEntry {
        trait_path: trait_path.to_string(),
        types: types.iter().map(ToString::to_string).collect(),
        place: place.to_string(),
    };
    let shapes = entry("mycrate::Shape", &["mycrate::Square<u8>", "mycrate::Circle"], "provoke.toml:3:9");
    assert_eq!(config.types, [shapes, entry("Hasher", &["std::hash::DefaultHasher"], "provoke.toml:4:9")]);
    let texts = [
        "[[types]]\n",
        "[types]\nShape = \"Circle\"",
        "[types]\nShape = [3]",
        "[types]\nShape = []",
        "[types]\n\"a shape\" = [\"Circle\"]",
        "[types]\n\"Shape<u8>\" = [\"Circle\"]",
        "[types]\nShape = [\"Circle\", \"Circle::new()\"]",
        "[types]\nShape = [\"Vec<_>\"]",
        "[types]\nShape = [\"impl Shape\"]",
    ];
    let mut transcript = String::new();
    for text in texts {
        let error = Config::of_file(text, "provoke.toml").expect_err(text);
        transcript.push_str(&format!("{}\n    {}\n", error.message, error.hint.unwrap_or_default()));
    }
    expect![[r#"
        provoke.toml:1:1: `types` must be a table, but is a list
            write `[types]`
        provoke.toml:2:9: `Shape` must be a list of types, but is a string
            write `"std::hash::Hasher" = ["std::hash::DefaultHasher"]`
        provoke.toml:2:10: `Shape` must be a string, but is a number
            write `"std::hash::Hasher" = ["std::hash::DefaultHasher"]`
        provoke.toml:2:9: `Shape` has no types
            name some, or leave the trait out
        provoke.toml:2:1: `a shape` is no path of a trait: unexpected token
            write a trait and types as in a test: "std::hash::Hasher" = ["std::hash::DefaultHasher"]
        provoke.toml:2:1: `Shape<u8>` has arguments, and the types stand for the trait with any of them
            write a trait and types as in a test: "std::hash::Hasher" = ["std::hash::DefaultHasher"]
        provoke.toml:2:20: `Circle::new()` is no type: unexpected token
            write a trait and types as in a test: "std::hash::Hasher" = ["std::hash::DefaultHasher"]
        provoke.toml:2:10: `Vec<_>` is not spelled out
            write a trait and types as in a test: "std::hash::Hasher" = ["std::hash::DefaultHasher"]
        provoke.toml:2:10: `impl Shape` is not spelled out
            write a trait and types as in a test: "std::hash::Hasher" = ["std::hash::DefaultHasher"]
    "#]]
    .assert_eq(&transcript);
}
