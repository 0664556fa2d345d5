//! Operations that are no functions: struct literals, enum variants, public fields, constants.
//!
//! Decision: `docs/decisions/011-values-are-taken-out-of-variants.md`

use provoke_api::{FlowPart, OpKind, OpRole};
use provoke_model::{Bound, Fields, Ty, TypeKind, VariantDef};

use crate::plan::op::{OpText, PlannedFlow, PlannedOp};
use crate::plan::{MAX_ARGS, Planner, spell};
use crate::types::catalog::type_args;
use crate::types::render::{Renderer, raw};

impl Planner {
    /// Struct literals, enum variants, reads and writes of public fields.
    pub(super) fn constructors(&mut self) {
        for type_idx in 0..self.catalog.model.types.len() {
            let def = self.catalog.model.types[type_idx].clone();
            for instance in self.instances.of_type(type_idx).to_vec() {
                let mut absolute = Renderer::absolute(&self.catalog.model);
                let Some(ty) = absolute.ty(&instance) else {
                    continue;
                };
                match &def.kind {
                    TypeKind::Struct(fields) => {
                        if !def.is_non_exhaustive {
                            self.literal(&instance, &ty, None, fields);
                        }
                        self.fields(&ty, fields);
                    }
                    TypeKind::Enum(variants) => {
                        for variant in variants.iter().filter(|v| !v.is_non_exhaustive) {
                            self.literal(&instance, &ty, Some(&variant.name), &variant.fields);
                        }
                        let has_others = variants.len() > 1 || def.is_non_exhaustive;
                        for variant in variants {
                            self.contents(&instance, &ty, variant, has_others);
                        }
                    }
                    TypeKind::Union => {}
                }
            }
        }
    }

    fn literal(&mut self, instance: &Ty, ty: &str, variant: Option<&str>, fields: &Fields) {
        let (names, is_named): (Vec<&str>, bool) = match fields {
            Fields::Unit => (Vec::new(), false),
            Fields::Tuple { fields, has_private: false } => (fields.iter().map(|f| f.name.as_str()).collect(), false),
            Fields::Named { fields, has_private: false } => (fields.iter().map(|f| f.name.as_str()).collect(), true),
            _ => return,
        };
        if names.len() > MAX_ARGS {
            return;
        }
        let params: Vec<String> = (0..names.len()).map(|i| format!("a{i}")).collect();
        let inits: Vec<String> = names.iter().zip(&params).map(|(name, p)| format!("{}: {p}", raw(name))).collect();
        let path = variant.map_or("X".to_string(), |v| format!("X::{}", raw(v)));
        let mut short = Renderer::short(&self.catalog.model);
        let Some(spelled) = short.expression_path(instance) else {
            return;
        };
        let spelled = variant.map_or(spelled.clone(), |v| format!("{spelled}::{}", raw(v)));
        let text = if is_named {
            let inits: Vec<String> = names.iter().enumerate().map(|(i, n)| format!("{}: {{{i}}}", raw(n))).collect();
            format!("{spelled} {{ {} }}", inits.join(", "))
        } else if names.is_empty() {
            spelled
        } else {
            format!("{spelled}({})", spell::placeholders(0, names.len()))
        };
        let imports = short.imports;
        let key = format!(
            "{}{} {{ {} }}",
            ty.trim_start_matches("::"),
            variant.map_or(String::new(), |v| format!("::{v}")),
            names.join(", ")
        );
        let expression = format!("{{ type X = {ty}; |{}| {path} {{ {} }} }}", params.join(", "), inits.join(", "));
        let kept = |arg: usize| PlannedFlow::to_result(arg as u8, FlowPart::Inner);
        let is_of_struct = variant.is_none() && !names.is_empty();
        self.push(PlannedOp {
            kind: if is_of_struct { OpKind::StructLiteral } else { OpKind::Other },
            flows: (0..names.len()).map(kept).collect(),
            text: OpText {
                pretty: text.clone(),
                explicit: text,
                imports,
                generic_args: Vec::new(),
                ..OpText::default()
            },
            ..PlannedOp::new(key, OpRole::Constructor, expression, names.len())
        });
    }

    /// Takes the values of the crate's own types out of a variant: often there is no other way to get them.
    fn contents(&mut self, instance: &Ty, ty: &str, variant: &VariantDef, has_others: bool) {
        let (fields, is_named) = match &variant.fields {
            Fields::Unit => return,
            Fields::Tuple { fields, .. } => (fields, false),
            Fields::Named { fields, .. } => (fields, true),
        };
        let mut short = Renderer::short(&self.catalog.model);
        let Some(spelled) = short.expression_path(instance) else {
            return;
        };
        let imports = short.imports;
        for (index, field) in fields.iter().enumerate() {
            if !self.holds_own_type(&field.ty) {
                continue;
            }
            let name = raw(&variant.name);
            let parts = if is_named {
                format!("{{ {}: part, .. }}", raw(&field.name))
            } else {
                let places = (0..fields.len()).map(|i| if i == index { "part" } else { "_" });
                format!("({})", places.collect::<Vec<_>>().join(", "))
            };
            let otherwise = |action: &str| if has_others { format!(", _ => {action}") } else { String::new() };
            let text = format!("match {{0}} {{ {spelled}::{name}{parts} => part{} }}", otherwise("unreachable!()"));
            let key = format!("{}::{}.{}", ty.trim_start_matches("::"), variant.name, field.name);
            let expression = format!(
                "{{ type X = {ty}; |x: X| match x {{ X::{name}{parts} => part{} }} }}",
                otherwise("::provoke_exec::another_variant()")
            );
            self.push(PlannedOp {
                flows: vec![PlannedFlow::to_result(0, FlowPart::Inner)],
                text: OpText { pretty: text.clone(), explicit: text, imports: imports.clone(), ..OpText::default() },
                ..PlannedOp::new(key, OpRole::Builtin, expression, 1)
            });
        }
    }

    pub(super) fn holds_own_type(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Path { item, args } => {
                self.catalog.model.item(*item).is_local || type_args(args).any(|ty| self.holds_own_type(ty))
            }
            Ty::Ref { ty, .. } | Ty::Slice(ty) | Ty::Array(ty, _) => self.holds_own_type(ty),
            Ty::Tuple(parts) => parts.iter().any(|ty| self.holds_own_type(ty)),
            Ty::Dyn { bounds, .. } => bounds.iter().any(|bound| {
                matches!(bound, Bound::Trait { trait_ref, .. } if self.catalog.model.item(trait_ref.item).is_local)
            }),
            _ => false,
        }
    }

    fn fields(&mut self, ty: &str, fields: &Fields) {
        let (Fields::Tuple { fields, .. } | Fields::Named { fields, .. }) = fields else {
            return;
        };
        for field in fields {
            let name = raw(&field.name);
            let base = ty.trim_start_matches("::");
            let read = format!("|x: &'static {ty}| &x.{name}");
            self.push(PlannedOp {
                flows: FlowPart::ALL.map(|part| PlannedFlow::to_result(0, part)).to_vec(),
                declared_refs: vec![0],
                text: OpText {
                    pretty: format!("&{{.0}}.{name}"),
                    explicit: format!("&{{.0}}.{name}"),
                    ..OpText::default()
                },
                ..PlannedOp::new(format!("{base}.{name}"), OpRole::Constructor, read, 1)
            });
            let write = format!("|x: &'static mut {ty}, value| {{ x.{name} = value; }}");
            self.push(PlannedOp {
                kind: OpKind::FieldAssignment,
                flows: vec![PlannedFlow::to_arg(1, FlowPart::Inner, 0)],
                declared_refs: vec![0],
                text: OpText {
                    pretty: format!("{{.0}}.{name} = {{1}}"),
                    explicit: format!("{{.0}}.{name} = {{1}}"),
                    ..OpText::default()
                },
                ..PlannedOp::new(format!("{base}.{name} = _"), OpRole::Constructor, write, 2)
            });
        }
    }

    pub(super) fn constants(&mut self) {
        let model = self.catalog.model.clone();
        for constant in &model.constants {
            let places: Vec<(String, String, Vec<String>)> = match (&constant.path, constant.impl_idx) {
                (Some(path), _) => {
                    let mut imports = Vec::new();
                    let spelled = match path.as_slice() {
                        [krate, name] => format!("{}::{}", raw(krate), raw(name)),
                        [.., module, name] => {
                            imports.push(path[..path.len() - 1].join("::"));
                            format!("{}::{}", raw(module), raw(name))
                        }
                        _ => continue,
                    };
                    vec![(
                        format!("::{}", path.iter().map(|s| raw(s)).collect::<Vec<_>>().join("::")),
                        spelled,
                        imports,
                    )]
                }
                (None, Some(impl_idx)) => {
                    let Ok(settings) = self.impl_settings(impl_idx) else {
                        continue;
                    };
                    let mut found = Vec::new();
                    for setting in settings.iter().take(2) {
                        let Some(self_ty) = &setting.choice.self_ty else {
                            continue;
                        };
                        let Some(ty) = Renderer::absolute(&model).ty(self_ty) else {
                            continue;
                        };
                        let mut short = Renderer::short(&model);
                        let Some(spelled) = short.expression_path(self_ty) else {
                            continue;
                        };
                        let name = raw(&constant.name);
                        let place = match &setting.trait_ref {
                            None => format!("<{ty}>::{name}"),
                            Some(trait_ref) => {
                                let Some(t) = Renderer::absolute(&model).trait_ref(trait_ref) else {
                                    continue;
                                };
                                short.trait_ref(trait_ref);
                                format!("<{ty} as {t}>::{name}")
                            }
                        };
                        found.push((place, format!("{spelled}::{name}"), short.imports));
                    }
                    found
                }
                (None, None) => continue,
            };
            for (place, spelled, imports) in places {
                let key = format!("const {}", place.trim_start_matches("::"));
                self.push(PlannedOp {
                    declared_refs: vec![0],
                    text: OpText { pretty: spelled.clone(), explicit: spelled, imports, ..OpText::default() },
                    ..PlannedOp::new(key, OpRole::Constructor, format!("|| {place}"), 0)
                });
            }
        }
    }
}
