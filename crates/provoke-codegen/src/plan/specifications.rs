//! Operations for what attributes of the crate `provoke` state, and what the worker is to ask by itself after each step.
//!
//! Decision: `docs/decisions/070-a-function-with-a-spec-has-two-operations.md`

use provoke_api::{OpKind, OpRole};
use provoke_model::{FunctionHome, GenericParamKind, Specification, SpecificationKind};
use provoke_oracles::{INVARIANT, STATED_LAW, TEMPORAL};

use crate::plan::op::{OpText, PlannedOp, pointer};
use crate::plan::settings::Setting;
use crate::plan::{Planner, spell};
use crate::types::render::{Renderer, raw};
use crate::types::solve::Trust;
use crate::types::subst::Choice;

/// For how many instances of a type each is asked.
const MAX_INSTANCES: usize = 6;

/// What remembers a life, as the executor takes it.
const WATCH_KIND: &str = "WatchKind::new(::provoke::Watch::new, ::provoke::Watch::is_kept, ::provoke::Watch::finish, \
                          |w: &::provoke::Watch| w.violation().map(|it| it.to_string()))";
/// The path of its type.
const WATCH: &str = "provoke::Watch";

impl Planner {
    pub(super) fn specifications(&mut self) {
        for (place, spec) in self.catalog.model.specifications.clone().iter().enumerate() {
            let planned = match spec.kind {
                // It takes the place of the function that it is of.
                SpecificationKind::Spec => continue,
                SpecificationKind::Invariant => self.each(place, spec, |op| vec![invariant(op, spec)]),
                SpecificationKind::Law => self.each(place, spec, |op| vec![law(op, spec)]),
                SpecificationKind::Temporal => self.each(place, spec, |op| temporal(op, spec)),
                SpecificationKind::Model => self.each(place, spec, |op| vec![model(op)]),
                SpecificationKind::Probe => self.each(place, spec, |op| vec![probe(op, spec)]),
            };
            planned.into_iter().for_each(|op| self.push(op));
        }
        let is_temporal = |spec: &Specification| spec.kind == SpecificationKind::Temporal;
        if self.catalog.model.specifications.iter().any(is_temporal) {
            watch_ops().into_iter().for_each(|op| self.push(op));
        }
        self.name_steps();
    }

    /// What is made of each instance of an annotated function.
    fn each(
        &mut self,
        place: usize,
        spec: &Specification,
        make: impl Fn(PlannedOp) -> Vec<PlannedOp>,
    ) -> Vec<PlannedOp> {
        let n_before = self.plan.ops.len();
        for setting in self.settings(&spec.trampoline).unwrap_or_default() {
            if self.plan.ops.len() - n_before >= MAX_INSTANCES {
                break;
            }
            // What cannot be planned is not asked; its place among the functions does not matter.
            let _ = self.try_operations(0, &spec.trampoline, &setting, Trust::Facts);
        }
        let mut planned = self.plan.ops.split_off(n_before);
        planned.truncate(MAX_INSTANCES);
        for op in &mut planned {
            (op.function, op.trait_function) = (None, None);
            op.specification = Some(place);
            op.guards.clear();
            op.text.is_specification = true;
        }
        planned.into_iter().flat_map(make).collect()
    }

    /// Lets models know what operations are called.
    fn name_steps(&mut self) {
        let model = &self.catalog.model;
        if !model.specifications.iter().any(|spec| spec.kind == SpecificationKind::Model) {
            return;
        }
        for op in &mut self.plan.ops {
            if let (OpRole::Function | OpRole::Aside, Some(function)) = (op.role, op.function) {
                op.registrations.push(format!("r.step({{op}}, {:?})", model.functions[function].name));
            }
        }
    }

    /// If the function has a spec: the operation that calls it instead, and the given one as tests may spell it.
    pub(super) fn specified(&mut self, op: PlannedOp, setting: &Setting, choice: &Choice) -> Vec<PlannedOp> {
        let spec = op.function.and_then(|function| self.catalog.model.spec_of(function));
        let checked = spec.and_then(|place| self.calling_spec(&op, place, setting, choice));
        let Some(checked) = checked else { return vec![op] };
        let (key, belongs_to) = (format!("unspecified {}", op.key), Some(op.key.clone()));
        vec![checked, PlannedOp { key, role: OpRole::Aside, kind: OpKind::Unspecified, belongs_to, ..op }]
    }

    fn calling_spec(&self, op: &PlannedOp, place: usize, setting: &Setting, choice: &Choice) -> Option<PlannedOp> {
        let model = &self.catalog.model;
        let spec = &model.specifications[place];
        let arguments = |renderer: &mut Renderer<'_>| -> Option<String> {
            let params = spec.trampoline.generics.params.iter();
            let mut parts = Vec::new();
            for name in
                params.filter(|param| !matches!(param.kind, GenericParamKind::Lifetime { .. })).map(|param| &param.name)
            {
                match (choice.types.get(name), choice.consts.get(name)) {
                    (Some(ty), _) => parts.push(renderer.ty(ty)?),
                    (None, Some(value)) => parts.push(value.clone()),
                    (None, None) => parts.push("_".to_string()),
                }
            }
            Some(if parts.is_empty() { String::new() } else { format!("::<{}>", parts.join(", ")) })
        };
        let mut absolute = Renderer::absolute(model);
        let turbofish = arguments(&mut absolute)?;
        let self_ty = setting.choice.self_ty.as_ref();
        let expression = match (&spec.trampoline.home, self_ty) {
            (FunctionHome::Free { path }, _) => {
                format!("::{}{turbofish}", path.iter().map(|part| raw(part)).collect::<Vec<_>>().join("::"))
            }
            (_, Some(ty)) => format!("<{}>::{}{turbofish}", absolute.ty(ty)?, raw(&spec.trampoline.name)),
            (_, None) => return None,
        };
        let mut short = Renderer::short(model);
        let shown = arguments(&mut short)?;
        let mut text = spell::function(model, &spec.trampoline, self_ty, None, &shown, !shown.is_empty())?;
        text.imports.extend(short.imports);
        text.generic_args = op.text.generic_args.clone();
        text.element_traits = op.text.element_traits.clone();
        text.is_specification = true;
        Some(PlannedOp { specification: Some(place), expression, text, ..op.clone() })
    }
}

fn invariant(op: PlannedOp, spec: &Specification) -> PlannedOp {
    let registration = format!("{{ let m: fn(_) -> _ = {}; r.invariant({{op}}, m) }}", op.expression);
    let law = PlannedOp {
        key: format!("law {} {}", INVARIANT.id, op.key),
        expression: format!("|a| uphold({}(a))", op.expression),
        registrations: vec![registration],
        text: asserting(op.text),
        flows: Vec::new(),
        ..op
    };
    law.accusing(&INVARIANT, &spec.display)
}

fn law(op: PlannedOp, spec: &Specification) -> PlannedOp {
    let names: Vec<String> = (0..op.n_args).map(|index| format!("a{index}")).collect();
    let names = names.join(", ");
    let law = PlannedOp {
        key: format!("law {} {}", STATED_LAW.id, op.key),
        expression: format!("|{names}| uphold({}({names}))", op.expression),
        text: asserting(op.text),
        flows: Vec::new(),
        ..op
    };
    law.accusing(&STATED_LAW, &spec.display)
}

/// Asks at any point, asks at the end, and tells a watch of a point, in this order.
fn temporal(op: PlannedOp, spec: &Specification) -> Vec<PlannedOp> {
    let name = &spec.name;
    let ask = |how: &str| format!("|a| {{ let _ = |w| {}(a, w); {how}({name:?}, a) }}", op.expression);
    // What stands in a test instead shows every point; this is for people who follow a replay.
    let text = || {
        let told = format!("assert!({{.0}}.history_keeps({name:?}))");
        OpText { pretty: told.clone(), explicit: told, is_unit: true, is_specification: true, ..OpText::default() }
    };
    let law = |word: &str, how: &str, registration: String| {
        let law = PlannedOp {
            key: format!("law {word} {}", op.key),
            expression: ask(how),
            pointer: pointer(1),
            n_args: 1,
            flows: Vec::new(),
            declared_refs: vec![0],
            registrations: vec![registration],
            text: text(),
            ..op.clone()
        };
        law.accusing(&TEMPORAL, &spec.display)
    };
    let watching =
        format!("{{ let m: fn(_, _) -> _ = {}; r.temporal({{op}}, {name:?}, m, {WATCH_KIND}) }}", op.expression);
    let asks = PlannedOp { kind: OpKind::AskHistory, ..law(TEMPORAL.id, "uphold_history", watching) };
    let belongs_to = Some(asks.key.clone());
    let asks_at_end = PlannedOp {
        kind: OpKind::AskLife,
        belongs_to: belongs_to.clone(),
        ..law("temporal-end", "uphold_life", format!("r.ending({{op}}, {name:?}, f)"))
    };
    let point = PlannedOp {
        key: format!("point {}", op.key),
        role: OpRole::Aside,
        kind: OpKind::WatchPoint,
        belongs_to,
        flows: Vec::new(),
        ..op
    };
    vec![asks, asks_at_end, point]
}

fn model(op: PlannedOp) -> PlannedOp {
    let registration = format!("{{ let m: fn(_, _, _) -> _ = {}; r.model({{op}}, m, {WATCH_KIND}) }}", op.expression);
    PlannedOp {
        key: format!("model {}", op.key),
        role: OpRole::Aside,
        kind: OpKind::Model,
        flows: Vec::new(),
        registrations: vec![registration],
        ..op
    }
}

fn probe(op: PlannedOp, spec: &Specification) -> PlannedOp {
    let step = format!("r.step({{op}}, {:?})", spec.name);
    PlannedOp {
        key: format!("probe {}", op.key),
        role: OpRole::Probe,
        kind: OpKind::Probe,
        accused: Some(spec.display.clone()),
        registrations: vec![step],
        ..op
    }
}

/// The text of a question as one that has to be answered with yes.
fn asserting(text: OpText) -> OpText {
    OpText {
        pretty: format!("assert!({})", text.pretty),
        explicit: format!("assert!({})", text.explicit),
        is_unit: true,
        ..text
    }
}

/// Operations that tests of histories are spelled with; the search calls none of them.
fn watch_ops() -> [PlannedOp; 3] {
    let op = |key: &str, expression: &str, n_args: usize, pretty: &str, explicit: &str| PlannedOp {
        declared_refs: (0..n_args as u8).collect(),
        text: OpText {
            pretty: pretty.to_string(),
            explicit: explicit.to_string(),
            imports: vec![WATCH.to_string()],
            is_specification: true,
            ..OpText::default()
        },
        ..PlannedOp::new(key.to_string(), OpRole::Aside, expression.to_string(), n_args)
    };
    let kept = "|w: &'static ::provoke::Watch| uphold(w.is_kept())";
    let new = op("watch new", "::provoke::Watch::new", 0, "Watch::new()", "Watch::new()");
    let finish = op("watch finish", "::provoke::Watch::finish", 1, "{.0}.finish()", "Watch::finish({0})");
    let claim = ["assert_eq!({.0}.violation(), None)", "assert_eq!(Watch::violation({0}), None)"];
    let kept = op("watch kept", kept, 1, claim[0], claim[1]);
    [(new, OpKind::WatchNew), (finish, OpKind::WatchFinish), (kept, OpKind::WatchKept)]
        .map(|(op, kind)| PlannedOp { kind, ..op })
}
