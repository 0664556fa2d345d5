//! Covered lines in the format of lcov, which editors and web services read.

use std::fmt::Write as _;

/// What was reached of one source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileCoverage {
    pub path: String,
    /// Those with code, in order, and whether it ran.
    pub lines: Vec<(u32, bool)>,
    /// Those with code, in order.
    pub functions: Vec<FunctionCoverage>,
    /// By line.
    pub conditions: Vec<ConditionCoverage>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionCoverage {
    pub name: String,
    pub first_line: u32,
    pub is_reached: bool,
}

/// A place at which control flow forks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionCoverage {
    pub line: u32,
    pub is_reached: bool,
    /// For each side, whether it was taken.
    pub sides: Vec<bool>,
}

/// The text of a tracefile. How often a line ran is not known, so it is 1 or 0.
pub fn lcov(files: &[FileCoverage]) -> String {
    let mut text = String::new();
    for file in files {
        let n_reached = file.functions.iter().filter(|function| function.is_reached).count();
        let n_hit = file.lines.iter().filter(|(_, is_hit)| *is_hit).count();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "TN:\nSF:{}", file.path);
        for function in &file.functions {
            let _ = writeln!(text, "FN:{},{}", function.first_line, function.unique_name());
        }
        for function in &file.functions {
            let _ = writeln!(text, "FNDA:{},{}", u8::from(function.is_reached), function.unique_name());
        }
        let _ = writeln!(text, "FNF:{}\nFNH:{n_reached}", file.functions.len());
        write_branches(&mut text, &file.conditions);
        for (line, is_hit) in &file.lines {
            let _ = writeln!(text, "DA:{line},{}", u8::from(*is_hit));
        }
        let _ = writeln!(text, "LF:{}\nLH:{n_hit}\nend_of_record", file.lines.len());
    }
    text
}

/// The conditions of a line are its blocks, numbered from 0, and the sides of each its branches.
fn write_branches(text: &mut String, conditions: &[ConditionCoverage]) {
    if conditions.is_empty() {
        return;
    }
    for of_line in conditions.chunk_by(|a, b| a.line == b.line) {
        for (block, condition) in of_line.iter().enumerate() {
            for (branch, is_taken) in condition.sides.iter().enumerate() {
                let taken = match (condition.is_reached, is_taken) {
                    (true, true) => "1",
                    (true, false) => "0",
                    // Nobody asked.
                    (false, _) => "-",
                };
                let _ = writeln!(text, "BRDA:{},{block},{branch},{taken}", condition.line);
            }
        }
    }
    let sides = || conditions.iter().flat_map(|condition| &condition.sides);
    let _ = writeln!(text, "BRF:{}\nBRH:{}", sides().count(), sides().filter(|is_taken| **is_taken).count());
}

impl FunctionCoverage {
    /// Many methods are called `new`, and readers tell functions of a file apart by their names.
    fn unique_name(&self) -> String {
        format!("{}:{}", self.name, self.first_line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn a_file_is_a_record() {
        let function =
            |name: &str, first_line, is_reached| FunctionCoverage { name: name.into(), first_line, is_reached };
        let condition =
            |line, is_reached, sides: &[bool]| ConditionCoverage { line, is_reached, sides: sides.to_vec() };
        let file = FileCoverage {
            path: "/a/src/lib.rs".into(),
            lines: vec![(3, true), (4, true), (9, false)],
            functions: vec![function("new", 2, true), function("new", 8, false)],
            conditions: vec![
                condition(3, true, &[true, false]),
                condition(3, true, &[true, true, false]),
                condition(9, false, &[false, false]),
            ],
        };
        expect![[r#"
            TN:
            SF:/a/src/lib.rs
            FN:2,new:2
            FN:8,new:8
            FNDA:1,new:2
            FNDA:0,new:8
            FNF:2
            FNH:1
            BRDA:3,0,0,1
            BRDA:3,0,1,0
            BRDA:3,1,0,1
            BRDA:3,1,1,1
            BRDA:3,1,2,0
            BRDA:9,0,0,-
            BRDA:9,0,1,-
            BRF:7
            BRH:3
            DA:3,1
            DA:4,1
            DA:9,0
            LF:3
            LH:2
            end_of_record
        "#]]
        .assert_eq(&lcov(&[file]));
    }
}
