//! The shared page as the tool's side makes it: anonymous memory with a descriptor that a worker can inherit.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, RawFd};

use provoke_wire::{PAGE_BYTES, Page};

/// Owns the mapping and its descriptor.
pub(crate) struct SharedPage {
    file: File,
    address: *mut libc::c_void,
}

// The memory is only touched through the atomics of `Page`.
unsafe impl Send for SharedPage {}

impl SharedPage {
    pub(crate) fn new() -> io::Result<SharedPage> {
        let descriptor = unsafe { libc::memfd_create(c"provoke-page".as_ptr(), libc::MFD_CLOEXEC) };
        if descriptor < 0 {
            return Err(io::Error::last_os_error());
        }
        // The descriptor was just made and has no other owner.
        let file = unsafe { File::from_raw_fd(descriptor) };
        file.set_len(PAGE_BYTES as u64)?;
        let address = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                PAGE_BYTES,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                0,
            )
        };
        if address == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let shared = SharedPage { file, address };
        shared.page().reset();
        Ok(shared)
    }

    pub(crate) fn page(&self) -> Page {
        // The mapping is a page long and aligned, and no `Page` leaves the worker that owns this value.
        unsafe { Page::new(self.address.cast()) }
    }

    pub(crate) fn descriptor(&self) -> RawFd {
        self.file.as_raw_fd()
    }
}

impl Drop for SharedPage {
    fn drop(&mut self) {
        unsafe { libc::munmap(self.address, PAGE_BYTES) };
    }
}
