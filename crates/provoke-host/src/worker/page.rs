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
        let descriptor =
            unsafe { libc::memfd_create(c"provoke-page".as_ptr(), libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING) };
        if descriptor < 0 {
            return Err(io::Error::last_os_error());
        }
        // The descriptor was just made and has no other owner.
        let file = unsafe { File::from_raw_fd(descriptor) };
        file.set_len(PAGE_BYTES as u64)?;
        // Whoever touches a page that was cut off gets a signal, and that would be the tool.
        let seals = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
        if unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals) } < 0 {
            return Err(io::Error::last_os_error());
        }
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
        let more = unsafe { libc::fcntl(shared.descriptor(), libc::F_ADD_SEALS, libc::F_SEAL_FUTURE_WRITE) };
        assert_eq!((more, io::Error::last_os_error().kind()), (-1, io::ErrorKind::PermissionDenied));
        assert_eq!(shared.page().read().n_started, 0);
    }
}
