//! Takes out of rustdoc's JSON what no test needs: most of std, and what depends on the machine.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Value, json};

pub fn strip(json: &str) -> String {
    let mut value: Value = serde_json::from_str(json).expect("JSON");
    value["target"] = json!({"triple": "", "target_features": []});
    strip_index(&mut value["index"]);
    let mentioned = {
        let mut ids = BTreeSet::new();
        collect_ids(&value["index"], &mut ids);
        ids
    };
    let mut crates = BTreeSet::new();
    if let Some(paths) = value["paths"].as_object_mut() {
        paths.retain(|id, summary| {
            let is_local = summary["crate_id"] == 0;
            let is_kept = is_local || mentioned.contains(id);
            if is_kept {
                crates.insert(summary["crate_id"].to_string());
            }
            is_kept
        });
    }
    if let Some(external) = value["external_crates"].as_object_mut() {
        external.retain(|id, _| crates.contains(id));
        for krate in external.values_mut() {
            let is_std = krate["html_root_url"].is_string();
            let name = krate["path"].as_str().filter(|_| !is_std).and_then(|path| path.rsplit('/').next());
            krate["path"] = name.unwrap_or_default().into();
        }
    }
    one_line_each(&value)
}

/// Of what rustdoc adds to each type by itself, a sample stays: `Send` and `Into`.
fn strip_index(index: &mut Value) {
    let index = index.as_object_mut().expect("an index");
    index.retain(|_, item| {
        item["links"] = json!({});
        // Where the source lay when rustdoc ran is nobody's business.
        if let Some(file) = item["span"]["filename"].as_str().and_then(|path| path.rsplit('/').next()) {
            item["span"]["filename"] = file.to_string().into();
        }
        let block = &item["inner"]["impl"];
        let is_added = block["is_synthetic"] == true || !block["blanket_impl"].is_null();
        let is_sample = block["trait"]["path"] == "Send" || block["trait"]["path"] == "Into";
        item["crate_id"] == 0 && (!is_added || is_sample)
    });
}

fn collect_ids(value: &Value, ids: &mut BTreeSet<String>) {
    match value {
        Value::Array(parts) => parts.iter().for_each(|part| collect_ids(part, ids)),
        Value::Object(fields) => {
            for (name, part) in fields {
                if name == "id" {
                    ids.insert(part.to_string());
                }
                collect_ids(part, ids);
            }
        }
        _ => {}
    }
}

/// So that a change shows as a change of lines.
fn one_line_each(value: &Value) -> String {
    let mut text = String::from("{\n");
    let fields = value.as_object().expect("an object");
    for (place, (name, part)) in fields.iter().enumerate() {
        let end = if place + 1 < fields.len() { "," } else { "" };
        match part {
            Value::Object(parts) if name == "index" || name == "paths" => {
                let lines: Vec<String> = parts.iter().map(|(id, part)| format!("{}: {part}", json!(id))).collect();
                let _ = writeln!(text, "{}: {{\n{}\n}}{end}", json!(name), lines.join(",\n"));
            }
            part => {
                let _ = writeln!(text, "{}: {part}{end}", json!(name));
            }
        }
    }
    text + "}\n"
}
