//! The source of the harness: one operation or probe per line, so that an error's line names its culprit.
//!
//! Decision: `docs/decisions/001-operations-are-function-pointers.md`

use crate::plan::builtins::AbilityQuery;
use crate::plan::op::PlannedOp;

/// What a line of `ops.rs` holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    Op(usize),
    Probe(usize),
    /// One of an operation.
    Guard {
        op: usize,
        guard: usize,
    },
}

/// The two source files of the harness crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HarnessSource {
    pub main: String,
    pub ops: String,
    /// By line number of `ops.rs`, counted from 1; the first lines hold nothing of ours.
    first_line: u32,
    n_ops: usize,
    n_probes: usize,
    /// Of which operation each guard is, and which of its.
    guards: Vec<(usize, usize)>,
}

impl HarnessSource {
    /// Operations get their places in `ops` as their numbers.
    pub fn new(ops: &[PlannedOp], probes: &[AbilityQuery]) -> HarnessSource {
        let mut text = String::from("#![allow(warnings)]\nuse provoke_exec::*;\n");
        let first_line = 3;
        for (number, op) in ops.iter().enumerate() {
            let more: String = op
                .registrations
                .iter()
                .map(|code| format!("; {}", code.replace("{op}", &number.to_string())))
                .collect();
            text.push_str(&format!(
                "fn op_{number}(r: &mut Registry) {{ let f: {} = {}; r.op({number}, f){more} }}\n",
                op.pointer, op.expression
            ));
        }
        for (number, probe) in probes.iter().enumerate() {
            text.push_str(&format!("fn ty_{number}(r: &mut Registry) {{ probe!(r, {}) }}\n", probe.witness));
        }
        let mut guards = Vec::new();
        for (op, planned) in ops.iter().enumerate() {
            for (place, guard) in planned.guards.iter().enumerate() {
                let number = guards.len();
                guards.push((op, place));
                text.push_str(&format!(
                    "fn guard_{number}(r: &mut Registry) {{ let f: {} = {}; r.guard({op}, {place}, guard_of_{}(f, {})) }}\n",
                    planned.pointer, planned.expression, planned.n_args, guard.closure
                ));
            }
        }
        text.push_str("pub fn register(r: &mut Registry) {\n");
        for number in 0..ops.len() {
            text.push_str(&format!("    op_{number}(r);\n"));
        }
        for number in 0..probes.len() {
            text.push_str(&format!("    ty_{number}(r);\n"));
        }
        for number in 0..guards.len() {
            text.push_str(&format!("    guard_{number}(r);\n"));
        }
        text.push_str("}\n");
        HarnessSource {
            main: "provoke_exec::worker!();\nmod ops;\n".to_string(),
            ops: text,
            first_line,
            n_ops: ops.len(),
            n_probes: probes.len(),
            guards,
        }
    }

    /// What the line of an error holds; `None` for the scaffolding.
    pub fn line(&self, line: u32) -> Option<Line> {
        let index = line.checked_sub(self.first_line)? as usize;
        if index < self.n_ops {
            Some(Line::Op(index))
        } else if index < self.n_ops + self.n_probes {
            Some(Line::Probe(index - self.n_ops))
        } else {
            self.guard(index - self.n_ops - self.n_probes)
        }
    }

    /// The guard with this number.
    pub fn guard(&self, number: usize) -> Option<Line> {
        self.guards.get(number).map(|&(op, guard)| Line::Guard { op, guard })
    }
}
