//! The struct that stands for the tracked element in a test: as small as what the test claims allows.

use provoke_wire::{Body, StatementKind};

use crate::OpText;

use crate::emit::imports::Imports;
use crate::emit::{Style, TestEnding};

/// All traits of the element, each after those that it needs.
const TRAITS: [&str; 8] = ["Clone", "Default", "Debug", "PartialEq", "Eq", "PartialOrd", "Ord", "Hash"];

/// How names of std are written, which the crate under test may have names like.
pub struct Spelled {
    mutex: String,
    fmt: String,
    ordering: String,
    hash: String,
    hasher: String,
}

/// What the struct has to be able to do.
pub struct Element {
    traits: Vec<&'static str>,
    spelled: Spelled,
    ending: TestEnding,
}

impl Element {
    /// `code` is the text of the test. The explicit style does not rely on what the plan knows about traits.
    pub fn new(
        body: &Body,
        ops: &[OpText],
        code: &str,
        style: Style,
        ending: TestEnding,
        imports: &mut Imports,
    ) -> Element {
        let mut asked: Vec<&str> = Vec::new();
        ask(body, ops, &mut asked);
        let shows = |marks: &[&str]| marks.iter().any(|mark| code.contains(mark));
        let is_needed = |name: &str| {
            style == Style::Explicit
                || asked.contains(&name)
                || match name {
                    "Clone" => shows(&["clone()", "Clone::clone"]),
                    "Default" => shows(&["default()"]),
                    "Debug" => shows(&["unwrap", "expect", "{:?}", "assert_"]),
                    "PartialEq" => shows(&[" == ", " != ", "assert_"]),
                    _ => false,
                }
        };
        let mut traits: Vec<&'static str> = Vec::new();
        // Backwards, because later ones need earlier ones.
        for name in TRAITS.into_iter().rev() {
            let serves = match name {
                "PartialEq" => &["Eq", "PartialOrd"][..],
                "Eq" | "PartialOrd" => &["Ord"],
                // It is compared by `Ord`.
                "Ord" => &["PartialOrd"],
                _ => &[],
            };
            let is_asked_by_ord = name == "Ord" && is_needed("PartialOrd");
            if is_needed(name) || is_asked_by_ord || serves.iter().any(|other| traits.contains(other)) {
                traits.insert(0, name);
            }
        }
        let has = |name: &str| traits.contains(&name) && counts(ending);
        let mut spell = |is_used: bool, name: &str, path: &str| {
            if is_used { imports.write(name, &[path.to_string()]) } else { String::new() }
        };
        let spelled = Spelled {
            mutex: spell(counts(ending), "Mutex", "std::sync::Mutex"),
            fmt: spell(has("Debug"), "fmt", "std::fmt"),
            ordering: spell(has("Ord"), "Ordering", "std::cmp::Ordering"),
            hash: spell(has("Hash"), "Hash", "std::hash::Hash"),
            hasher: spell(has("Hash"), "Hasher", "std::hash::Hasher"),
        };
        Element { traits, spelled, ending }
    }

    /// The items, to stand at the end of the test.
    pub fn items(&self) -> String {
        if counts(self.ending) { self.counting() } else { plain().to_string() }
    }

    fn counting(&self) -> String {
        let Spelled { mutex, fmt, ordering, hash, hasher } = &self.spelled;
        let is_checked = self.ending == TestEnding::UsesAfterDrop;
        let value = if is_checked { "value()" } else { "value" };
        let mut parts: Vec<String> = Vec::new();
        let is_read = self.traits.iter().any(|name| !matches!(*name, "Default" | "Eq"));
        let (field, param, init) = if is_read { ("    value: u8,\n", "value", "value, ") } else { ("", "_value", "") };
        parts.push(format!(
            "/// An element that knows how often it was dropped.\nstruct Tracked {{\n{field}    id: usize,\n}}\n"
        ));
        parts.push(format!(
            "/// How often each element was dropped.\nstatic DROPS: {mutex}<Vec<u32>> = {mutex}::new(Vec::new());\n"
        ));
        let query = match self.ending {
            TestEnding::Leaks => {
                "\n    fn leaked() -> usize {\n        DROPS.lock().unwrap().iter().filter(|n| **n == 0).count()\n    }\n"
            }
            TestEnding::DropsTwice { .. } => {
                "\n    fn dropped_twice() -> usize {\n        \
                 DROPS.lock().unwrap().iter().filter(|n| **n > 1).count()\n    }\n"
            }
            _ => {
                "\n    fn value(&self) -> u8 {\n        \
                 let n_drops = DROPS.lock().unwrap().get(self.id.wrapping_sub(1)).copied();\n        \
                 assert!(n_drops == Some(0), \"an element was used that is not alive\");\n        self.value\n    }\n"
            }
        };
        parts.push(format!(
            "impl Tracked {{\n    fn new({param}: u8) -> Tracked {{\n        \
             let mut drops = DROPS.lock().unwrap();\n        drops.push(0);\n        \
             let id = drops.len();\n        Tracked {{ {init}id }}\n    }}\n{query}}}\n"
        ));
        parts.push(
            "impl Drop for Tracked {\n    fn drop(&mut self) {\n        \
             let mut drops = DROPS.lock().unwrap();\n        \
             match drops.get_mut(self.id.wrapping_sub(1)) {\n            Some(n) => *n += 1,\n            \
             // It was never made.\n            None => drops.push(2),\n        }\n    }\n}\n"
                .to_string(),
        );
        for name in &self.traits {
            parts.push(match *name {
                "Clone" => format!(
                    "impl Clone for Tracked {{\n    fn clone(&self) -> Tracked {{\n        \
                     Tracked::new(self.{value})\n    }}\n}}\n"
                ),
                "Default" => "impl Default for Tracked {\n    fn default() -> Tracked {\n        \
                              Tracked::new(0)\n    }\n}\n"
                    .to_string(),
                "Debug" => format!(
                    "impl {fmt}::Debug for Tracked {{\n    \
                     fn fmt(&self, f: &mut {fmt}::Formatter<'_>) -> {fmt}::Result {{\n        \
                     write!(f, \"Tracked({{}})\", self.{value})\n    }}\n}}\n"
                ),
                "PartialEq" => format!(
                    "impl PartialEq for Tracked {{\n    fn eq(&self, other: &Tracked) -> bool {{\n        \
                     self.{value} == other.{value}\n    }}\n}}\n"
                ),
                "Eq" => "impl Eq for Tracked {}\n".to_string(),
                "PartialOrd" => format!(
                    "impl PartialOrd for Tracked {{\n    \
                     fn partial_cmp(&self, other: &Tracked) -> Option<{ordering}> {{\n        \
                     Some(self.cmp(other))\n    }}\n}}\n"
                ),
                "Ord" => format!(
                    "impl Ord for Tracked {{\n    fn cmp(&self, other: &Tracked) -> {ordering} {{\n        \
                     self.{value}.cmp(&other.{value})\n    }}\n}}\n"
                ),
                _ => format!(
                    "impl {hash} for Tracked {{\n    fn hash<H: {hasher}>(&self, state: &mut H) {{\n        \
                     self.{value}.hash(state);\n    }}\n}}\n"
                ),
            });
        }
        parts.join("\n")
    }
}

/// Whether the test is about what happens to elements; any other only needs some to be there.
pub fn counts(ending: TestEnding) -> bool {
    matches!(ending, TestEnding::DropsTwice { .. } | TestEnding::Leaks | TestEnding::UsesAfterDrop)
}

fn plain() -> &'static str {
    "#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]\nstruct Tracked(u8);\n\n\
     #[allow(dead_code)]\nimpl Tracked {\n    fn new(value: u8) -> Tracked {\n        Tracked(value)\n    }\n}\n"
}

fn ask<'a>(body: &Body, ops: &'a [OpText], asked: &mut Vec<&'a str>) {
    for statement in &body.statements {
        if statement.kind == StatementKind::Call {
            asked.extend(ops[statement.op as usize].element_traits.iter().map(String::as_str));
        }
    }
    for nested in &body.bodies {
        ask(nested, ops, asked);
    }
}
