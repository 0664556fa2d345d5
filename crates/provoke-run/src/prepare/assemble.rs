//! Puts the plan and the worker's own table together: the API as the engine knows it, and how tests spell it.

use std::collections::{BTreeMap, BTreeSet};

use provoke_api::{Flow, FlowPart, FlowTarget, OpKind, OpRole};
use provoke_codegen::{OpText, PlannedFlow, PlannedOp, TypeName, has_impl_trait};
use provoke_engine::{Api, ClausePlace, FunctionFacts, LawOf, Op, PreconditionFacts, SpecificationOf};
use provoke_model::{
    Function, FunctionHome, GenericArg, Model, Specification, SpecificationKind, Ty, docs_about, documents_panics,
    documents_range_panics, documents_zero_panics,
};
use provoke_oracles::{INVARIANT, TEMPORAL, oracle};
use provoke_wire::{Abilities, OpSignature, Shape, Table};

use crate::prepare::law_groups::law_groups;

/// The engine's view, and the texts of all operations by number.
pub struct Assembled {
    pub api: Api,
    pub texts: Vec<OpText>,
}

/// Probes are called only if they are asked for.
pub fn assemble(model: &Model, ops: &[PlannedOp], mut table: Table, has_probes: bool) -> Assembled {
    let_opaque_types_drop(model, ops, &mut table);
    let numbers: BTreeMap<&str, u32> = ops.iter().zip(0..).map(|(op, number)| (op.key.as_str(), number)).collect();
    let functions = model.functions.iter().map(|function| facts(model, function)).collect();
    let mut texts = Vec::with_capacity(ops.len());
    let mut engine_ops = Vec::with_capacity(ops.len());
    let groups = law_groups(model, ops, &table);
    for ((op, signature), group) in ops.iter().zip(&table.ops).zip(groups) {
        engine_ops.push(Op {
            key: op.key.clone(),
            role: if op.role == OpRole::Probe && !has_probes { OpRole::Aside } else { op.role },
            kind: op.kind,
            function: op.function.map(|f| f as u32),
            trait_function: op.trait_function.map(|f| f as u32),
            args: signature.args.clone(),
            result: signature.result,
            flows: flows(op, &table, signature),
            static_args: op.static_args.clone(),
            law: law(model, op, group),
            guards: op.guards.iter().map(|guard| guard.precondition as u32).collect(),
            accused: op.accused.clone().filter(|_| op.role != OpRole::Law),
            belongs_to: op.belongs_to.as_deref().and_then(|key| numbers.get(key).copied()),
        });
        texts.push(finished_text(model, op, &table, signature.result));
    }
    let preconditions = model.preconditions.iter().map(precondition).collect();
    let specifications = specifications(model, ops);
    let api = Api { types: table.types, ops: engine_ops, functions, preconditions, specifications, ..Api::default() };
    Assembled { api, texts }
}

/// What an operation asks that is a law.
fn law(model: &Model, op: &PlannedOp, group: Option<String>) -> Option<LawOf> {
    let (oracle, subject) = (oracle(op.oracle.as_ref()?)?, op.accused.as_ref()?);
    Some(LawOf {
        oracle,
        subject: subject.clone(),
        group: group.unwrap_or_default(),
        is_monitored: [INVARIANT.id, TEMPORAL.id].contains(&oracle.id),
        stated_at: op.specification.and_then(|place| stated_at(&model.specifications[place])),
    })
}

/// Where a specification stands.
fn stated_at(spec: &Specification) -> Option<(String, u32, u32)> {
    let span = spec.trampoline.span.as_ref()?;
    Some((span.file.clone(), span.line, span.column))
}

/// What workers ask by themselves, with the operations that stand for it.
fn specifications(model: &Model, ops: &[PlannedOp]) -> Vec<SpecificationOf> {
    let is_asked = |kind: SpecificationKind| {
        use SpecificationKind::{Invariant, Law, Model, Temporal};
        matches!(kind, Invariant | Temporal | Model | Law)
    };
    let asks = |op: &PlannedOp| op.role == OpRole::Law || op.kind == OpKind::Model;
    let mut asked = Vec::new();
    for (place, spec) in model.specifications.iter().enumerate().filter(|(_, spec)| is_asked(spec.kind)) {
        let stands_for = |op: &PlannedOp| op.specification == Some(place) && asks(op);
        let ops: Vec<u32> = ops.iter().zip(0..).filter(|(op, _)| stands_for(op)).map(|(_, number)| number).collect();
        if !ops.is_empty() {
            asked.push(SpecificationOf { kind: spec.kind.name(), path: spec.display.clone(), ops });
        }
    }
    asked
}

fn precondition(precondition: &provoke_model::Precondition) -> PreconditionFacts {
    let provoke_model::Precondition { function, text, file, line, column, is_optional, .. } = precondition;
    PreconditionFacts {
        function: *function as u32,
        text: text.clone(),
        place: ClausePlace { file: file.clone(), line: *line, column: *column, is_optional: *is_optional },
    }
}

/// The plan's flows, and a borrow from the slot itself wherever an argument turns out to be a reference that the
/// signature hides behind a projection. Guesses count only where the target can hold a reference, and keep it.
fn flows(op: &PlannedOp, table: &Table, signature: &OpSignature) -> Vec<Flow> {
    let is_there = |flow: &&PlannedFlow| {
        let passed = match flow.flow.target {
            FlowTarget::Result => None,
            FlowTarget::Arg(arg) => signature.args.get(usize::from(arg)).copied(),
        };
        let target = &table.types[passed.map_or(signature.result, |ty| referenced(table, ty)) as usize];
        // What is copied reaches nothing exclusively.
        let is_copied = passed.is_some_and(|ty| referenced(table, ty) == ty) && target.abilities.has(Abilities::COPY);
        let is_shared = target.abilities.has(Abilities::SYNC);
        !flow.is_guess || target.abilities.has(Abilities::MAY_BORROW) && !((flow.needs_cell || is_copied) && is_shared)
    };
    let mut flows: Vec<Flow> = op.flows.iter().filter(is_there).map(|planned| planned.flow).collect();
    for place in 0..flows.len() {
        let flow = flows[place];
        let shape = signature.args.get(usize::from(flow.arg)).map(|&ty| &table.types[ty as usize].shape);
        let is_hidden = flow.part == FlowPart::Inner && !op.declared_refs.contains(&flow.arg);
        if is_hidden && matches!(shape, Some(Shape::Ref(_) | Shape::RefMut(_))) {
            flows.push(Flow { part: FlowPart::Outer, ..flow });
        }
    }
    flows
}

/// What a type is a reference to, or the type itself.
fn referenced(table: &Table, ty: u32) -> u32 {
    match table.types[ty as usize].shape {
        Shape::Ref(target) | Shape::RefMut(target) => target,
        _ => ty,
    }
}

/// Behind `impl Trait` any type may be dropped for all that the compiler knows, so its end is a use. The worker sees the
/// type itself, which may have nothing to drop.
fn let_opaque_types_drop(model: &Model, ops: &[PlannedOp], table: &mut Table) {
    let results = ops.iter().zip(&table.ops).filter(|(op, _)| is_opaque(model, op));
    let hidden: BTreeSet<String> = results
        .map(|(_, signature)| &table.types[signature.result as usize])
        .filter(|info| info.abilities.has(Abilities::MAY_BORROW))
        .map(|info| info.name.clone())
        .filter(|name| name.contains("::") && !name.starts_with('&'))
        .collect();
    for info in &mut table.types {
        if hidden.iter().any(|name| info.name.contains(name.as_str())) && !info.name.starts_with('&') {
            info.abilities = info.abilities.with(Abilities::NEEDS_DROP, true);
        }
    }
}

/// What only the worker knows: the type of the result.
fn finished_text(model: &Model, op: &PlannedOp, table: &Table, result: u32) -> OpText {
    let info = &table.types[result as usize];
    let name = TypeName::parse(&info.name);
    let mut text = op.text.clone();
    // Names that the operation's own text imports keep their meaning.
    let mut imports = text.imports.clone();
    text.result_type = name.spell(model, &mut imports).filter(|_| !is_opaque(model, op));
    if text.result_type.is_some() {
        text.imports = imports;
    }
    text.variable = name.variable();
    text.is_unit = info.name == "()";
    text.needs_drop = info.abilities.has(Abilities::NEEDS_DROP) || !info.abilities.has(Abilities::PROBED);
    text
}

/// The worker sees through `impl Trait`; a test does not.
fn is_opaque(model: &Model, op: &PlannedOp) -> bool {
    let signature = op.function.map(|function| &model.functions[function].signature);
    signature.is_some_and(|signature| signature.is_async || signature.result.as_ref().is_some_and(has_impl_trait))
}

fn facts(model: &Model, function: &Function) -> FunctionFacts {
    let of_trait = match function.home {
        FunctionHome::TraitImpl { impl_idx } | FunctionHome::Inherent { impl_idx } => {
            model.impls[impl_idx].trait_ref.as_ref().map(|trait_ref| trait_ref.item)
        }
        FunctionHome::TraitDef { trait_idx, .. } => Some(model.traits[trait_idx].item),
        FunctionHome::Free { .. } => None,
    };
    let of_trait = of_trait.map(|item| model.item(item).name.clone());
    let docs = docs_about(model, function);
    FunctionFacts {
        path: function.display.clone(),
        name: function.name.clone(),
        documents_panics: documents_panics(model, function),
        documents_range_panics: documents_range_panics(model, function),
        documents_zero_panics: documents_zero_panics(model, function),
        promises_error: promises_error(model, function, of_trait.as_deref()),
        of_trait,
        is_deprecated: function.is_deprecated,
        states_preconditions: states_preconditions(&function.docs.text),
        documents_overflow: docs.iter().any(|text| text.to_lowercase().contains("overflow")),
        lends_loosely: model.lends_loosely(function),
        documents_leaks: docs.iter().any(|text| text.to_lowercase().contains("leak")),
    }
}

/// The docs oblige callers to something: "must be", "must not", "callers must"… What attributes add to them is checked, and
/// obliges nobody beyond that.
fn states_preconditions(docs: &str) -> bool {
    let by_hand = docs.lines().take_while(|line| line.trim() != "# Contracts");
    let docs = by_hand.collect::<Vec<_>>().join("\n").to_lowercase();
    docs.split(|c: char| !c.is_alphabetic()).any(|word| word == "must" || word == "mustn")
}

/// The name or the result says that failure is a value.
fn promises_error(model: &Model, function: &Function, of_trait: Option<&str>) -> bool {
    let name = function.name.as_str();
    if name.starts_with("try_") || name.starts_with("checked_") || name.starts_with("parse") {
        return true;
    }
    if matches!(of_trait, Some("FromStr" | "TryFrom")) {
        return true;
    }
    let Some(Ty::Path { item, args }) = &function.signature.result else {
        return false;
    };
    let is_result = model.item(*item).name == "Result" && !model.item(*item).is_local;
    let mut types = args.iter().filter_map(|arg| match arg {
        GenericArg::Type(ty) => Some(ty),
        _ => None,
    });
    is_result
        && types.next_back().is_some_and(|ty| match ty {
            Ty::Path { item, .. } => model.item(*item).is_local,
            _ => false,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_attributes_add_to_the_docs_obliges_nobody() {
        assert!(states_preconditions("The index must be in bounds."));
        assert!(!states_preconditions("Doubles it.\n\n# Contracts\n\nPre-condition: must be even: `n % 2 == 0`"));
        assert!(!states_preconditions("# Contracts\n\nPre-condition: must be even: `n % 2 == 0`"));
    }
}
