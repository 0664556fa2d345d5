//! The shared page as the tool's side makes it: anonymous memory with a descriptor that a worker can inherit.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, RawFd};

use memmap2::{MmapOptions, MmapRaw};
use provoke_wire::{PAGE_BYTES, Page};
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};

/// Owns the mapping and its descriptor.
pub(crate) struct SharedPage {
    file: File,
    memory: MmapRaw,
}

impl SharedPage {
    pub(crate) fn new() -> io::Result<SharedPage> {
        let file = File::from(memfd_create("provoke-page", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?);
        file.set_len(PAGE_BYTES as u64)?;
        // Whoever touches a page that was cut off gets a signal, and that would be the tool.
        fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
        let memory = MmapOptions::new().len(PAGE_BYTES).map_raw(&file)?;
        let shared = SharedPage { file, memory };
        shared.page().reset();
        Ok(shared)
    }

    pub(crate) fn page(&self) -> Page {
        // SAFETY: the mapping is a page long and aligned, and no `Page` leaves the worker that owns this value.
        unsafe { Page::new(self.memory.as_mut_ptr().cast()) }
    }

    pub(crate) fn descriptor(&self) -> RawFd {
        self.file.as_raw_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_keeps_its_size_whoever_has_it() {
        let shared = SharedPage::new().unwrap();
        for length in [0, 1, PAGE_BYTES as u64 * 2] {
            let error = shared.file.set_len(length).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::PermissionDenied, "{length}");
        }
        // By its name, too.
        let name = format!("/proc/self/fd/{}", shared.descriptor());
        assert!(File::create(name).is_err());
        let more = fcntl_add_seals(&shared.file, SealFlags::FUTURE_WRITE).map_err(io::Error::from);
        assert_eq!(more.unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        assert_eq!(shared.page().read().n_started, 0);
    }
}
