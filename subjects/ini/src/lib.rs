//! INI files: read, asked for typed values, changed and written back.
//!
//! A file is made of lines. `[name]` starts a section and `[.name]` one below the section before
//! it; `key = value` is an entry, and entries before the first section belong to the one without a
//! name. Lines that start with `;` or `#` are comments. A line that ends with a space and a
//! backslash goes on in the next one. A value in double quotes keeps its white space and knows the escapes `\n`,
//! `\t`, `\"` and `\\`. Lines that start with `!` are directives for the reader. The last line may
//! state a checksum of all that is above it.
//!
//! ```
//! use ini::Ini;
//!
//! let mut ini = Ini::parse("name = demo\n[limits]\nusers = 12")?;
//! assert_eq!(ini.get("", "name"), Some("demo"));
//! assert_eq!(ini.get_int("limits", "users"), Ok(12));
//! ini.set("limits", "label", " a ")?;
//! assert_eq!(ini.to_string(), "name = demo\n[limits]\nusers = 12\nlabel = \" a \"\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod directive;
mod document;
mod error;
mod lines;
mod parse;
mod quote;
mod seal;

pub use document::Ini;
pub use error::{NameError, ParseError, Problem, ValueError};
