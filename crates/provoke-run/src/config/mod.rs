//! What `provoke.toml` or `[package.metadata.provoke]` says: policy of functions and oracles, and accepted findings.
//!
//! Read by hand from a tree with positions, not by derive: every complaint names its line and column, and says what
//! could have been meant.

pub mod bad_value;
pub mod file;
pub mod finding_id;
pub mod pattern;
pub mod policy;

use std::collections::BTreeMap;
use std::ops::Range;

use provoke_codegen::{PlannedOp, ValueByHand, check_trait_path, check_type, operation_by_hand, value_by_hand};
use provoke_engine::Rating;
use provoke_host::similar;
use provoke_oracles::ORACLES;
use provoke_report::{Accepted, UserError};
use provoke_wire::Literal;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::config::finding_id::parse_id;
use crate::config::pattern::Pattern;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// By the id of an oracle; for all functions.
    pub oracles: BTreeMap<&'static str, Rating>,
    /// In order: what comes later goes before what came earlier.
    pub functions: Vec<FunctionEntry>,
    pub accepts: Vec<Accept>,
    /// Values that were added by hand.
    pub values: Vec<ValueByHand>,
    /// Operations that were.
    pub operations: Vec<PlannedOp>,
    /// Types that stand for traits.
    pub types: Vec<TypesEntry>,
}

/// One `[[function]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionEntry {
    /// As it is written.
    pub path: String,
    pub pattern: Pattern,
    pub panics: Option<Rating>,
    pub skip: Option<bool>,
    pub oracles: BTreeMap<&'static str, Rating>,
}

/// One line of `[types]`: a trait and what stands for it, as they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypesEntry {
    pub trait_path: String,
    pub types: Vec<String>,
    /// The file, line and column: whether there is such a trait can only be said when the API is known.
    pub place: String,
}

/// One `[[accept]]`: a finding that is known and lived with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accept {
    pub id: String,
    pub reason: String,
}

/// Whether a finding is accepted, and why.
pub fn accepted_as(accepts: &[Accept], id: &str) -> Option<Accepted> {
    let accept = accepts.iter().find(|accept| accept.id == id)?;
    Some(Accepted { reason: accept.reason.clone() })
}

impl Config {
    /// The operations that were added by hand, those that make a value among them.
    pub fn ops_by_hand(&self) -> impl Iterator<Item = &PlannedOp> {
        let values = self.values.iter().filter_map(|value| match value {
            ValueByHand::Op(op) => Some(&**op),
            ValueByHand::Literal(_) => None,
        });
        values.chain(&self.operations)
    }

    pub fn literals_by_hand(&self) -> impl Iterator<Item = &Literal> {
        self.values.iter().filter_map(|value| match value {
            ValueByHand::Literal(literal) => Some(literal),
            ValueByHand::Op(_) => None,
        })
    }

    /// The text of a `provoke.toml`; `name` is what complaints call it.
    pub fn of_file(text: &str, name: &str) -> Result<Config, UserError> {
        let reader = Reader { text, name };
        let document = reader.document()?;
        reader.config(document.get_ref())
    }

    /// The part of a `Cargo.toml` that is about Provoke; `None` if there is none.
    pub fn of_manifest(text: &str, name: &str) -> Result<Option<Config>, UserError> {
        let reader = Reader { text, name };
        let document = reader.document()?;
        let mut table = document.get_ref();
        for key in ["package", "metadata", "provoke"] {
            let Some(value) = table.get(key) else { return Ok(None) };
            table = reader.table(key, value, "[package.metadata.provoke]")?;
        }
        reader.config(table).map(Some)
    }
}

const SYNTAX: &str = "texts need quotes, tables brackets: https://toml.io shows how to write it";

/// A text and how complaints call it.
struct Reader<'a> {
    text: &'a str,
    name: &'a str,
}

impl<'a> Reader<'a> {
    fn document(&self) -> Result<Spanned<DeTable<'a>>, UserError> {
        DeTable::parse(self.text).map_err(|error| {
            let at = error.span().unwrap_or(0..0);
            self.complaint(&at, error.message(), SYNTAX)
        })
    }

    fn config(&self, table: &DeTable<'_>) -> Result<Config, UserError> {
        let mut config = Config::default();
        const KEYS: [&str; 6] = ["oracles", "function", "accept", "values", "operation", "types"];
        for (key, value) in self.entries(table, "the configuration", &KEYS)? {
            match key {
                "types" => config.types = self.types(value)?,
                "values" => config.values = self.values(value)?,
                "operation" => {
                    for element in self.tables("operation", value)? {
                        config.operations.push(self.operation(element)?);
                    }
                }
                "oracles" => config.oracles = self.oracles(value, "[oracles]")?,
                "function" => {
                    for element in self.tables("function", value)? {
                        config.functions.push(self.function(element)?);
                    }
                }
                _ => {
                    for element in self.tables("accept", value)? {
                        let accept = self.accept(element)?;
                        if config.accepts.iter().any(|known| known.id == accept.id) {
                            let message = format!("the finding `{}` is accepted twice", accept.id);
                            return Err(self.complaint(&element.span(), &message, "leave one of them out"));
                        }
                        config.accepts.push(accept);
                    }
                }
            }
        }
        Ok(config)
    }

    fn function(&self, element: &Spanned<DeValue<'_>>) -> Result<FunctionEntry, UserError> {
        let table = self.table("function", element, "[[function]]")?;
        let mut path = None;
        let (mut panics, mut skip, mut oracles) = (None, None, BTreeMap::new());
        for (key, value) in self.entries(table, "[[function]]", &["path", "panics", "skip", "oracles"])? {
            match key {
                "path" => {
                    let text = self.string(key, value, "path = \"slab::Slab::*\"")?;
                    let pattern = Pattern::parse(text).map_err(|bad| {
                        let message = format!("invalid value `{text}` for `path`: {}", bad.reason);
                        self.complaint(&value.span(), &message, &bad.hint)
                    })?;
                    path = Some((text.to_string(), pattern));
                }
                "panics" => panics = Some(self.rating(key, value, PANIC_RATINGS)?),
                "skip" => match value.get_ref() {
                    DeValue::Boolean(yes) => skip = Some(*yes),
                    _ => return Err(self.wrong_type(key, value, "true or false", "skip = true")),
                },
                _ => oracles = self.oracles(value, "[function.oracles]")?,
            }
        }
        let Some((path, pattern)) = path else {
            let hint = "say which functions it is about: path = \"slab::Slab::*\"";
            return Err(self.complaint(&element.span(), "`[[function]]` has no `path`", hint));
        };
        Ok(FunctionEntry { path, pattern, panics, skip, oracles })
    }

    fn values(&self, value: &Spanned<DeValue<'_>>) -> Result<Vec<ValueByHand>, UserError> {
        let example = "\"slab::Slab<u8>\" = [\"slab::Slab::with_capacity(3)\"]";
        let mut values = Vec::new();
        for (ty, listed) in by_position(self.table("values", value, "[values]")?) {
            let DeValue::Array(expressions) = listed.get_ref() else {
                return Err(self.wrong_type(ty.get_ref(), listed, "a list of expressions", example));
            };
            for expression in expressions {
                let text = self.string(ty.get_ref(), expression, example)?;
                let hint = format!("write it as in a test: {example}");
                let made = value_by_hand(ty.get_ref(), text);
                values.push(made.map_err(|why| self.complaint(&expression.span(), &why, &hint))?);
            }
        }
        Ok(values)
    }

    fn types(&self, value: &Spanned<DeValue<'_>>) -> Result<Vec<TypesEntry>, UserError> {
        let example = "\"std::hash::Hasher\" = [\"std::hash::DefaultHasher\"]";
        let hint = format!("write a trait and types as in a test: {example}");
        let mut entries = Vec::new();
        for (key, listed) in by_position(self.table("types", value, "[types]")?) {
            let trait_path = key.get_ref();
            check_trait_path(trait_path).map_err(|why| self.complaint(&key.span(), &why, &hint))?;
            let DeValue::Array(texts) = listed.get_ref() else {
                return Err(self.wrong_type(trait_path, listed, "a list of types", example));
            };
            let mut types = Vec::new();
            for element in texts {
                let text = self.string(trait_path, element, example)?;
                check_type(text).map_err(|why| self.complaint(&element.span(), &why, &hint))?;
                types.push(text.to_string());
            }
            if types.is_empty() {
                let message = format!("`{trait_path}` has no types");
                return Err(self.complaint(&listed.span(), &message, "name some, or leave the trait out"));
            }
            entries.push(TypesEntry { trait_path: trait_path.to_string(), types, place: self.place(&key.span()) });
        }
        Ok(entries)
    }

    fn operation(&self, element: &Spanned<DeValue<'_>>) -> Result<PlannedOp, UserError> {
        let example = "code = \"|n: u8| slab::Slab::<u8>::with_capacity(n.into())\"";
        let table = self.table("operation", element, "[[operation]]")?;
        let mut op = None;
        for (key, value) in self.entries(table, "[[operation]]", &["code"])? {
            let text = self.string(key, value, example)?;
            let hint = format!("write a closure: {example}");
            let complaint =
                |why: String| self.complaint(&value.span(), &format!("invalid value for `code`: {why}"), &hint);
            op = Some(operation_by_hand(text).map_err(complaint)?);
        }
        op.ok_or_else(|| self.complaint(&element.span(), "`[[operation]]` has no `code`", &format!("write {example}")))
    }

    fn accept(&self, element: &Spanned<DeValue<'_>>) -> Result<Accept, UserError> {
        let table = self.table("accept", element, "[[accept]]")?;
        let (mut id, mut reason) = (None, None);
        for (key, value) in self.entries(table, "[[accept]]", &["id", "reason"])? {
            match key {
                "id" => {
                    let text = self.string(key, value, "id = \"46d3be0f1e\"")?;
                    id = Some(parse_id(text).map_err(|bad| {
                        let message = format!("invalid value `{text}` for `id`: {}", bad.reason);
                        self.complaint(&value.span(), &message, &bad.hint)
                    })?);
                }
                _ => {
                    let text = self.string(key, value, "reason = \"callers check the length\"")?;
                    if text.trim().is_empty() {
                        return Err(self.complaint(&value.span(), "`reason` is empty", REASON));
                    }
                    reason = Some(text.to_string());
                }
            }
        }
        match (id, reason) {
            (Some(id), Some(reason)) => Ok(Accept { id, reason }),
            (None, _) => {
                let hint = "ids are printed with each finding and are in summary.json";
                Err(self.complaint(&element.span(), "`[[accept]]` has no `id`", hint))
            }
            (Some(_), None) => Err(self.complaint(&element.span(), "`[[accept]]` has no `reason`", REASON)),
        }
    }

    fn oracles(
        &self,
        value: &Spanned<DeValue<'_>>,
        example: &str,
    ) -> Result<BTreeMap<&'static str, Rating>, UserError> {
        let mut ratings = BTreeMap::new();
        for (id, value) in by_position(self.table("oracles", value, example)?) {
            let known = ORACLES.iter().find(|oracle| oracle.id == &**id.get_ref());
            let Some(oracle) = known else {
                let ids: Vec<&str> = ORACLES.iter().map(|oracle| oracle.id).collect();
                let hint =
                    meant(id.get_ref(), &ids).unwrap_or_else(|| format!("the oracles are {}", listed(&ids, "and")));
                return Err(self.complaint(&id.span(), &format!("unknown oracle `{}`", id.get_ref()), &hint));
            };
            ratings.insert(oracle.id, self.rating(oracle.id, value, ORACLE_RATINGS)?);
        }
        Ok(ratings)
    }

    fn rating(
        &self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
        ratings: &[(&'static str, Rating)],
    ) -> Result<Rating, UserError> {
        let text = self.string(key, value, &format!("{key} = \"{}\"", ratings[0].0))?;
        let names: Vec<&str> = ratings.iter().map(|(name, _)| *name).collect();
        ratings.iter().find(|(name, _)| *name == text).map(|(_, rating)| *rating).ok_or_else(|| {
            let hint = meant(text, &names).unwrap_or_else(|| format!("it can be {}", listed(&names, "or")));
            self.complaint(&value.span(), &format!("invalid value `{text}` for `{key}`"), &hint)
        })
    }

    /// The entries of a table in the order of the text, if it has no others than these.
    fn entries<'t, 'i>(
        &self,
        table: &'t DeTable<'i>,
        home: &str,
        known: &[&'static str],
    ) -> Result<Vec<(&'static str, &'t Spanned<DeValue<'i>>)>, UserError> {
        let found = by_position(table).into_iter().map(|(key, value)| {
            let name = known.iter().find(|name| **name == &**key.get_ref());
            name.map(|name| (*name, value)).ok_or_else(|| {
                let hint =
                    meant(key.get_ref(), known).unwrap_or_else(|| format!("it can have {}", listed(known, "and")));
                self.complaint(&key.span(), &format!("unknown key `{}` in {}", key.get_ref(), quoted(home)), &hint)
            })
        });
        found.collect()
    }

    fn table<'t, 'i>(
        &self,
        key: &str,
        value: &'t Spanned<DeValue<'i>>,
        example: &str,
    ) -> Result<&'t DeTable<'i>, UserError> {
        match value.get_ref() {
            DeValue::Table(table) => Ok(table),
            _ => Err(self.wrong_type(key, value, "a table", example)),
        }
    }

    fn tables<'t, 'i>(
        &self,
        key: &str,
        value: &'t Spanned<DeValue<'i>>,
    ) -> Result<Vec<&'t Spanned<DeValue<'i>>>, UserError> {
        match value.get_ref() {
            DeValue::Array(elements) => Ok(elements.iter().collect()),
            _ => Err(self.wrong_type(key, value, "a list of tables", &format!("[[{key}]]"))),
        }
    }

    fn string<'t>(&self, key: &str, value: &'t Spanned<DeValue<'_>>, example: &str) -> Result<&'t str, UserError> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text),
            _ => Err(self.wrong_type(key, value, "a string", example)),
        }
    }

    fn wrong_type(&self, key: &str, value: &Spanned<DeValue<'_>>, expected: &str, example: &str) -> UserError {
        let found = match value.get_ref() {
            DeValue::String(_) => "a string",
            DeValue::Integer(_) | DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "a boolean",
            DeValue::Datetime(_) => "a date or time",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        let message = format!("`{key}` must be {expected}, but is {found}");
        self.complaint(&value.span(), &message, &format!("write `{example}`"))
    }

    fn complaint(&self, at: &Range<usize>, message: &str, hint: &str) -> UserError {
        UserError::usage(format!("{}: {message}", self.place(at)), hint)
    }

    fn place(&self, at: &Range<usize>) -> String {
        let (line, column) = line_and_column(self.text, at.start);
        format!("{}:{line}:{column}", self.name)
    }
}

const REASON: &str = "say why the finding may stay, for whoever reads this in a year";
const PANIC_RATINGS: &[(&str, Rating)] = &[
    ("expected", Rating::Off),
    ("suspicious", Rating::Suspicious),
    ("error", Rating::Error),
    ("default", Rating::Default),
];
const ORACLE_RATINGS: &[(&str, Rating)] =
    &[("off", Rating::Off), ("suspicious", Rating::Suspicious), ("error", Rating::Error), ("default", Rating::Default)];

type Entry<'t, 'i> = (&'t Spanned<std::borrow::Cow<'i, str>>, &'t Spanned<DeValue<'i>>);

/// The parser sorts by name; people read from top to bottom.
fn by_position<'t, 'i>(table: &'t DeTable<'i>) -> Vec<Entry<'t, 'i>> {
    let mut entries: Vec<Entry<'t, 'i>> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

fn meant(text: &str, known: &[&str]) -> Option<String> {
    similar(text, known.iter().copied()).first().map(|name| format!("did you mean `{name}`?"))
}

fn quoted(home: &str) -> String {
    if home.starts_with('[') { format!("`{home}`") } else { home.to_string() }
}

/// `a, b and c`
fn listed(names: &[&str], last_word: &str) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} {last_word} {last}", first.join(", ")),
        names => names.concat(),
    }
}

/// Both from 1, columns in characters.
fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

#[cfg(test)]
mod tests;
