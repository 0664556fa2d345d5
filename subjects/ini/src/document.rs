//! A document: sections with entries.

use std::fmt;

use crate::error::{NameError, ParseError, ValueError};
use crate::parse::parse;
use crate::quote::quote;

/// The contents of an INI file, in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Ini {
    /// The first one has no name.
    sections: Vec<Section>,
    /// What only a file with the right checksum can bring along.
    fields: Vec<Vec<u8>>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Section {
    name: String,
    entries: Vec<(String, String)>,
}

impl Ini {
    /// Makes a document without entries.
    pub fn new() -> Self {
        Ini { sections: vec![Section::default()], fields: Vec::new() }
    }

    /// Reads a document.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        parse(text)
    }

    /// The value of an entry; `section` is empty for those before the first section.
    pub fn get(&self, section: &str, key: &str) -> Option<&str> {
        let entries = &self.section(section)?.entries;
        let (_, value) = entries.iter().find(|(known, _)| known == key)?;
        Some(value)
    }

    /// The value of an entry as a number.
    pub fn get_int(&self, section: &str, key: &str) -> Result<i64, ValueError> {
        let value = self.get(section, key).ok_or(ValueError::Missing)?;
        let number = value.parse();
        number.map_err(|_| ValueError::WrongType(value.to_string()))
    }

    /// The value of an entry as `true` (also `yes` or `on`) or `false` (also `no` or `off`).
    pub fn get_bool(&self, section: &str, key: &str) -> Result<bool, ValueError> {
        match self.get(section, key).ok_or(ValueError::Missing)? {
            "true" | "yes" | "on" => Ok(true),
            "false" | "no" | "off" => Ok(false),
            other => Err(ValueError::WrongType(other.to_string())),
        }
    }

    /// The value of an entry as what is between its commas.
    pub fn get_list(&self, section: &str, key: &str) -> Result<Vec<String>, ValueError> {
        let value = self.get(section, key).ok_or(ValueError::Missing)?;
        let parts = value.split(',').map(|part| part.trim().to_string());
        Ok(parts.filter(|part| !part.is_empty()).collect())
    }

    /// Sets the value of an entry, which is made if need be. Gives the old value.
    pub fn set(&mut self, section: &str, key: &str, value: &str) -> Result<Option<String>, NameError> {
        if section.starts_with('.') || !is_name(section, &[']']) {
            return Err(NameError(section.to_string()));
        }
        if key.is_empty() || key.starts_with(['[', ';', '#', '!']) || !is_name(key, &['=']) {
            return Err(NameError(key.to_string()));
        }
        Ok(self.section_mut(section).put(key, value.to_string()))
    }

    /// Removes an entry and gives its value.
    pub fn remove(&mut self, section: &str, key: &str) -> Option<String> {
        let mut sections = self.sections.iter_mut();
        let section = sections.find(|known| known.name == section)?;
        let place = section.entries.iter().position(|(known, _)| known == key)?;
        Some(section.entries.remove(place).1)
    }

    /// The names of all sections; the first one is empty.
    pub fn sections(&self) -> Vec<&str> {
        let names = self.sections.iter().map(|section| section.name.as_str());
        names.collect()
    }

    /// The keys of a section.
    pub fn keys(&self, section: &str) -> Vec<&str> {
        let section = self.section(section).into_iter();
        let entries = section.flat_map(|section| &section.entries);
        entries.map(|(key, _)| key.as_str()).collect()
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        let entries = self.sections.iter().map(|section| section.entries.len());
        entries.sum()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }

    pub(crate) fn section_mut(&mut self, name: &str) -> &mut Section {
        let known = self.sections.iter().position(|known| known.name == name);
        let place = known.unwrap_or_else(|| {
            let name = name.to_string();
            let entries = Vec::new();
            self.sections.push(Section { name, entries });
            self.sections.len() - 1
        });
        &mut self.sections[place]
    }

    pub(crate) fn set_fields(&mut self, fields: Vec<&[u8]>) {
        self.fields = fields.into_iter().map(<[u8]>::to_vec).collect();
    }
}

impl Section {
    pub(crate) fn put(&mut self, key: &str, value: String) -> Option<String> {
        match self.entries.iter_mut().find(|(known, _)| known == key) {
            Some((_, old)) => Some(std::mem::replace(old, value)),
            None => {
                self.entries.push((key.to_string(), value));
                None
            }
        }
    }
}

/// Reads back as it is written.
fn is_name(name: &str, forbidden: &[char]) -> bool {
    name.trim() == name && !name.contains(['\n', '\r']) && !name.contains(forbidden)
}

impl Default for Ini {
    fn default() -> Self {
        Ini::new()
    }
}

/// Writes the document so that it can be read again.
impl fmt::Display for Ini {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for section in &self.sections {
            if !section.name.is_empty() {
                writeln!(f, "[{}]", section.name)?;
            }
            for (key, value) in &section.entries {
                writeln!(f, "{key} = {}", quote(value))?;
            }
        }
        Ok(())
    }
}
