//! `fmt` methods are called by formatting: plainly, and with widths, fill characters, precisions and flags.

use std::collections::BTreeSet;

use provoke_api::{OpKind, OpRole};
use provoke_model::{Function, FunctionHome};

use crate::plan::op::{OpText, PlannedOp};
use crate::plan::{Planner, Setting};
use crate::types::render::Renderer;

/// The format specifications of a formatting trait, the plain one first. Among the others are ones that pad on each side, wider
/// and narrower than most values.
fn specs(trait_name: &str) -> Option<&'static [&'static str]> {
    Some(match trait_name {
        "Display" => &["{}", "{:*>40}", "{:^+40.1}", "{:<03}"],
        "Debug" => &["{:?}", "{:#?}"],
        "LowerHex" => &["{:x}", "{:#040x}"],
        "UpperHex" => &["{:X}", "{:#040X}"],
        "Binary" => &["{:b}", "{:#040b}"],
        "Octal" => &["{:o}", "{:#040o}"],
        "LowerExp" => &["{:e}", "{:>+40.1e}"],
        "UpperExp" => &["{:E}", "{:>+40.1E}"],
        _ => return None,
    })
}

impl Planner {
    /// Nothing if the function is no formatting.
    pub(super) fn formatting(&self, index: usize, function: &Function, setting: &Setting) -> Option<PlannedOp> {
        let spec = self.specs_of(function, setting)?.first()?;
        let self_ty = setting.choice.self_ty.as_ref()?;
        let ty = Renderer::absolute(&self.catalog.model).ty(self_ty)?;
        let key = format!("format!(\"{spec}\", {})", ty.trim_start_matches("::"));
        let expression = format!("|x: &'static {ty}| ::std::format!(\"{spec}\", x)");
        Some(PlannedOp {
            kind: OpKind::Formatting,
            function: Some(index),
            declared_refs: vec![0],
            text: OpText {
                pretty: format!("format!(\"{spec}\", {{.0}})"),
                explicit: format!("format!(\"{spec}\", {{.0}})"),
                ..OpText::default()
            },
            ..PlannedOp::new(key, OpRole::Function, expression, 1)
        })
    }

    fn specs_of(&self, function: &Function, setting: &Setting) -> Option<&'static [&'static str]> {
        let trait_name = self.catalog.std_name(setting.trait_ref.as_ref()?.item)?;
        specs(trait_name).filter(|_| function.name == "fmt")
    }

    /// Beside the plain ones, for one instance of each: what holds for it is likely to hold for the others. What is derived
    /// leaves all of that to std.
    pub(super) fn formatting_in_style(&mut self) {
        let mut is_done = BTreeSet::new();
        let mut styled = Vec::new();
        for op in &self.plan.ops {
            let Some(FunctionHome::TraitImpl { impl_idx }) =
                op.function.map(|index| self.catalog.model.functions[index].home.clone())
            else {
                continue;
            };
            let home = &self.catalog.model.impls[impl_idx];
            let trait_name = home.trait_ref.as_ref().and_then(|trait_ref| self.catalog.std_name(trait_ref.item));
            let Some([plain, others @ ..]) = trait_name.and_then(specs).filter(|_| !home.is_derived) else { continue };
            let plain = format!("\"{plain}\"");
            if op.role != OpRole::Function || op.kind != OpKind::Formatting || !is_done.insert(op.function) {
                continue;
            }
            for spec in others {
                let with_spec = |text: &str| text.replacen(&plain, &format!("\"{spec}\""), 1);
                styled.push(PlannedOp {
                    key: with_spec(&op.key),
                    expression: with_spec(&op.expression),
                    text: OpText {
                        pretty: with_spec(&op.text.pretty),
                        explicit: with_spec(&op.text.explicit),
                        ..op.text.clone()
                    },
                    ..op.clone()
                });
            }
        }
        styled.into_iter().for_each(|op| self.push(op));
    }
}
