//! Where code goes on when a call unwinds, from the tables that the unwinder reads.

use std::collections::BTreeSet;

use gimli::{BaseAddresses, CieOrFde, EhFrame, EndianSlice, Pointer, Reader as _, RunTimeEndian, UnwindSection};
use object::{Object, ObjectSection};

type Reader<'a> = EndianSlice<'a, RunTimeEndian>;

/// In a table of calls: what it has no value for.
const OMITTED: u8 = 0xff;

/// Addresses of landing pads. What cannot be read has none.
pub(crate) fn landing_pads(file: &object::File<'_>, endian: RunTimeEndian) -> BTreeSet<u64> {
    let mut pads = BTreeSet::new();
    // Whatever was read up to something unreadable counts.
    let _ = read_pads(file, endian, &mut pads);
    pads
}

fn read_pads(file: &object::File<'_>, endian: RunTimeEndian, pads: &mut BTreeSet<u64>) -> Option<()> {
    let frames = file.section_by_name(".eh_frame")?;
    let tables = file.section_by_name(".gcc_except_table")?;
    let tables_data = tables.data().ok()?;
    let eh_frame = EhFrame::new(frames.data().ok()?, endian);
    let bases = BaseAddresses::default().set_eh_frame(frames.address());
    let mut entries = eh_frame.entries(&bases);
    while let Some(entry) = entries.next().ok()? {
        let CieOrFde::Fde(partial) = entry else { continue };
        let function = partial.parse(|section, bases, offset| section.cie_from_offset(bases, offset)).ok()?;
        let Some(Pointer::Direct(table)) = function.lsda() else { continue };
        let Some(data) = table.checked_sub(tables.address()).and_then(|at| tables_data.get(at as usize..)) else {
            continue;
        };
        for offset in pads_of_calls(EndianSlice::new(data, endian)).ok().flatten().into_iter().flatten() {
            pads.insert(function.initial_address() + offset);
        }
    }
    Some(())
}

/// The landing pads of one function, from its start on; nothing if the table is of a kind that no compiler of Rust writes.
fn pads_of_calls(mut table: Reader<'_>) -> gimli::Result<Option<Vec<u64>>> {
    if table.read_u8()? != OMITTED {
        return Ok(None);
    }
    if table.read_u8()? != OMITTED {
        table.read_uleb128()?;
    }
    let encoding = gimli::DwEhPe(table.read_u8()?);
    let n_bytes = table.read_uleb128()? as usize;
    let mut calls = table.split(n_bytes)?;
    let mut pads = Vec::new();
    while !calls.is_empty() {
        let mut number = || match encoding {
            gimli::DW_EH_PE_uleb128 => calls.read_uleb128().map(Some),
            gimli::DW_EH_PE_udata4 => calls.read_u32().map(|number| Some(u64::from(number))),
            gimli::DW_EH_PE_udata8 => calls.read_u64().map(Some),
            _ => Ok(None),
        };
        let (Some(_start), Some(_length), Some(pad)) = (number()?, number()?, number()?) else { return Ok(None) };
        let _action = calls.read_uleb128()?;
        // 0: nothing is to be done when this call unwinds.
        if pad != 0 {
            pads.push(pad);
        }
    }
    Ok(Some(pads))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> gimli::Result<Option<Vec<u64>>> {
        pads_of_calls(EndianSlice::new(bytes, RunTimeEndian::Little))
    }

    #[test]
    fn calls_without_a_landing_pad_have_none() {
        let table = [OMITTED, OMITTED, 0x01, 9, 0, 5, 0x90, 0x01, 0, 5, 7, 0, 1, 77];
        assert_eq!(read(&table), Ok(Some(vec![0x90])));
        let with_types_and_wide_numbers = [OMITTED, 0x9b, 40, 0x03, 13, 1, 0, 0, 0, 2, 0, 0, 0, 3, 1, 0, 0, 0];
        assert_eq!(read(&with_types_and_wide_numbers), Ok(Some(vec![0x103])));
    }

    #[test]
    fn a_table_that_ends_too_soon_or_is_of_another_kind_is_no_table() {
        assert!(read(&[OMITTED, OMITTED, 0x01, 9, 0]).is_err());
        assert_eq!(read(&[OMITTED, OMITTED, 0x09, 4, 0, 5, 3, 0]), Ok(None));
    }

    #[test]
    fn this_program_has_landing_pads() {
        let bytes = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let file = object::File::parse(&*bytes).unwrap();
        assert!(!landing_pads(&file, RunTimeEndian::Little).is_empty());
    }
}
