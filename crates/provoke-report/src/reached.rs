//! `coverage.json`: every edge and every condition in the crate's own sources, and what of them was reached.
//!
//! The summary counts them; this is for whoever wants to know which ones the search could not get past, or compares two runs.

use serde::{Deserialize, Serialize};

/// Places are written `file:line:column`, the file relative to the package.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reached {
    /// By place.
    pub edges: Vec<ReachedEdge>,
    /// By place.
    pub conditions: Vec<ReachedCondition>,
}

/// A place to which control flow leads, in any instance of generic code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReachedEdge {
    pub place: String,
    pub reached: bool,
    /// How often there is code of it: generic code is there once for each instance, inlined code for each copy.
    pub instances: u64,
    pub instances_reached: u64,
    /// Its code only ever runs while something unwinds.
    pub unwinds: bool,
    /// It leads to nothing but a panic.
    pub panics: bool,
}

/// A place at which control flow forks, in any instance of generic code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReachedCondition {
    pub place: String,
    /// Whether code got there; then it may still panic before it goes on.
    pub reached: bool,
    /// Two or more.
    pub sides: Vec<ReachedSide>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReachedSide {
    /// The next place on this side; `null` if it leaves the code of the crate.
    pub to: Option<String>,
    /// It leads to nothing but a panic. Many such sides are checks which the compiler adds and which never fail in right code.
    pub panics: bool,
    pub taken: bool,
}

impl ReachedCondition {
    /// Reached, with at least one side taken and at least one not.
    pub fn is_frontier(&self) -> bool {
        self.sides.iter().any(|side| side.taken) && self.sides.iter().any(|side| !side.taken)
    }
}

impl Reached {
    /// Sides that were taken and all there are.
    pub fn branches(&self) -> (u64, u64) {
        self.count_sides(|_| true)
    }

    /// Of the sides that lead to nothing but a panic, those that were taken and all there are.
    pub fn panic_branches(&self) -> (u64, u64) {
        self.count_sides(|side| side.panics)
    }

    fn count_sides(&self, counts: impl Fn(&ReachedSide) -> bool) -> (u64, u64) {
        let sides = || self.conditions.iter().flat_map(|condition| &condition.sides).filter(|side| counts(side));
        (sides().filter(|side| side.taken).count() as u64, sides().count() as u64)
    }

    /// The file's text: an edge or a condition a line, so that two of them can be compared.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let edges = lines(&self.edges)?;
        let conditions = lines(&self.conditions)?;
        Ok(format!("{{\"edges\": [\n{edges}\n],\n\"conditions\": [\n{conditions}\n]}}\n"))
    }
}

fn lines(items: &[impl Serialize]) -> Result<String, serde_json::Error> {
    let lines: Vec<String> = items.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    Ok(lines.join(",\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn sample() -> Reached {
        let edge = |place: &str, [instances, instances_reached]: [u64; 2], [unwinds, panics]: [bool; 2]| ReachedEdge {
            place: place.to_owned(),
            reached: instances_reached > 0,
            instances,
            instances_reached,
            unwinds,
            panics,
        };
        let side = |to: Option<&str>, panics, taken| ReachedSide { to: to.map(str::to_owned), panics, taken };
        Reached {
            edges: vec![edge("src/lib.rs:3:5", [3, 2], [false, false]), edge("src/lib.rs:4:9", [1, 0], [false, true])],
            conditions: vec![
                ReachedCondition {
                    place: "src/lib.rs:3:8".into(),
                    reached: true,
                    sides: vec![side(Some("src/lib.rs:4:9"), false, false), side(None, false, true)],
                },
                ReachedCondition {
                    place: "src/lib.rs:4:9".into(),
                    reached: false,
                    sides: vec![side(Some("src/lib.rs:4:9"), true, false), side(Some("src/lib.rs:4:20"), false, false)],
                },
            ],
        }
    }

    #[test]
    fn the_file_has_a_line_for_each_edge_and_condition() {
        let text = sample().to_json().unwrap();
        expect![[r#"
            {"edges": [
            {"place":"src/lib.rs:3:5","reached":true,"instances":3,"instances_reached":2,"unwinds":false,"panics":false},
            {"place":"src/lib.rs:4:9","reached":false,"instances":1,"instances_reached":0,"unwinds":false,"panics":true}
            ],
            "conditions": [
            {"place":"src/lib.rs:3:8","reached":true,"sides":[{"to":"src/lib.rs:4:9","panics":false,"taken":false},{"to":null,"panics":false,"taken":true}]},
            {"place":"src/lib.rs:4:9","reached":false,"sides":[{"to":"src/lib.rs:4:9","panics":true,"taken":false},{"to":"src/lib.rs:4:20","panics":false,"taken":false}]}
            ]}
        "#]]
        .assert_eq(&text);
        assert_eq!(serde_json::from_str::<Reached>(&text).unwrap(), sample());
        let empty = Reached::default();
        assert_eq!(serde_json::from_str::<Reached>(&empty.to_json().unwrap()).unwrap(), empty);
    }

    #[test]
    fn a_condition_is_at_the_frontier_if_some_of_its_sides_were_taken() {
        let reached = sample();
        let is_frontier: Vec<bool> = reached.conditions.iter().map(ReachedCondition::is_frontier).collect();
        assert_eq!(is_frontier, [true, false]);
        assert_eq!((reached.branches(), reached.panic_branches()), ((1, 4), (0, 1)));
    }
}
