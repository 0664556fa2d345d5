//! Lines for the reader itself.

use crate::error::Problem;

/// Files up to this many lines are numbered as they are.
const SMALL: u32 = 3350;
/// Longer ones are numbered in blocks.
const LARGE: u32 = 3358;

const N_FIELDS: usize = 5;
const FIELD_LEN: usize = 4;
/// What a vault holds: the fields and the mark that ends them.
const VAULT_LEN: usize = N_FIELDS * FIELD_LEN + 1;

#[derive(Debug, PartialEq, Eq)]
pub enum Directive<'a> {
    /// Lines are numbered from here on as if so many had come before.
    Rebase(usize),
    /// Fields that are only to be read if the checksum is right.
    Vault(&'a str),
}

impl<'a> Directive<'a> {
    pub fn parse(line: &'a str) -> Result<Self, Problem> {
        let (word, argument) = line.split_once(' ').unwrap_or((line, ""));
        let argument = argument.trim();
        if word == "!rebase" {
            let number = argument.parse().map_err(|_| Problem::BadArgument)?;
            block_of(number).map(Directive::Rebase)
        } else if word == "!vault" {
            if argument.len() != VAULT_LEN {
                return Err(Problem::BadArgument);
            }
            Ok(Directive::Vault(argument))
        } else {
            Err(Problem::UnknownDirective)
        }
    }
}

fn block_of(number: u32) -> Result<usize, Problem> {
    match number {
        0..SMALL => Ok(number as usize),
        LARGE..=0xffff => Ok(number as usize & !0xf),
        0x1_0000.. => Err(Problem::BadArgument),
        _ => unreachable!("a file is small or large"),
    }
}

/// The fields of a vault.
pub fn fields(vault: &str) -> Vec<&[u8]> {
    let mut fields = Vec::with_capacity(N_FIELDS);
    let mut rest = vault.as_bytes();
    while let Some((field, behind)) = rest.split_at_checked(FIELD_LEN) {
        fields.push(field);
        rest = behind;
    }
    debug_assert!(rest.is_empty(), "all fields are complete");
    fields
}
