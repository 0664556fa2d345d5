//! Tables of addresses that the compiler leaves in an executable.

use object::{Object, ObjectSection, RelocationTarget};

/// Stands for an address in another file, which only the loader will know.
pub(crate) const ELSEWHERE: u64 = u64::MAX;

const WORD_BYTES: usize = 8;

/// All words of a section, addresses as the executable lies on disk.
pub(crate) fn words(file: &object::File<'_>, section_name: &str) -> Option<Vec<u64>> {
    let section = file.section_by_name(section_name)?;
    let (start, data) = (section.address(), section.data().ok()?);
    if data.len() as u64 != section.size() || data.len() % WORD_BYTES != 0 {
        return None;
    }
    let (chunks, _) = data.as_chunks::<WORD_BYTES>();
    let mut words: Vec<u64> = chunks.iter().map(|chunk| u64::from_le_bytes(*chunk)).collect();
    // In an executable that can be loaded anywhere, the loader fills them in.
    for (at, relocation) in file.dynamic_relocations().into_iter().flatten() {
        let Some(offset) = at.checked_sub(start).filter(|offset| offset % WORD_BYTES as u64 == 0) else { continue };
        if let Some(word) = words.get_mut(offset as usize / WORD_BYTES) {
            let is_known = relocation.target() == RelocationTarget::Absolute;
            *word = if is_known { relocation.addend() as u64 } else { ELSEWHERE };
        }
    }
    Some(words)
}
