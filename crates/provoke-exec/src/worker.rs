//! The worker's main loop: requests in, reports out, each batch on a thread of its own.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::FromRawFd;

use provoke_wire::{BatchReader, LastWords, Notion, PAGE_BYTES, Page, Program, Request, RunOptions, Writer};

use crate::allocator;
use crate::arena::Arena;
use crate::harness::Harness;
use crate::machine::{self, EXIT_PROTOCOL_ERROR, Machine};
use crate::panics;
use crate::registry::Registry;
use crate::sys;

/// As much as threads of `#[test]` functions have, so that an overflow here is one there.
const STACK_BYTES: usize = 2 << 20;
/// With a sanitizer, frames take more room.
const SANITIZED_STACK_BYTES: usize = 4 * STACK_BYTES;
const EXIT_USAGE: i32 = 2;

/// Serves the tool that started this process until it closes its end. Never returns.
pub fn run(register: fn(&mut Registry)) {
    let Some(input) = number_from("PROVOKE_IN") else {
        sys::say("this is a worker of Provoke; cargo provoke starts it\n");
        sys::exit_at_once(EXIT_USAGE);
    };
    let (Some(output), Some(page)) = (number_from("PROVOKE_OUT"), number_from("PROVOKE_PAGE")) else {
        sys::say("provoke worker: PROVOKE_OUT or PROVOKE_PAGE is missing\n");
        sys::exit_at_once(EXIT_USAGE);
    };
    let memory_limit = number_from("PROVOKE_MEMORY").unwrap_or(u64::MAX);
    let channels = [input, output, page].map(|fd| fd as i32);
    for fd in channels {
        // A process that the code under test starts must not keep the pipes open.
        unsafe { sys::fcntl(fd, sys::F_SETFD, sys::FD_CLOEXEC) };
    }
    let [input, output, page] = channels;
    let page = map_page(page);
    let mut registry = Registry::default();
    register(&mut registry);
    let harness = match Harness::new(registry) {
        Ok(harness) => harness,
        Err(reason) => give_up(page, &reason),
    };
    // The descriptors are ours; the process ends without closing them.
    let (mut input, mut output) = unsafe { (File::from_raw_fd(input), File::from_raw_fd(output)) };
    let idle = RunOptions { notion: Notion::None, trace: false, backtrace: false, entropy: 0, patience: 1 };
    let mut machine = Machine::new(harness, page, idle, memory_limit);
    let is_sanitized = std::env::var_os("PROVOKE_SANITIZER").is_some();
    if is_sanitized {
        machine.arena = Arena::of_single_values();
    }
    let stack_bytes = if is_sanitized { SANITIZED_STACK_BYTES } else { STACK_BYTES };
    let mut program = Program::default();
    let mut request = Vec::new();
    let mut answer = Writer::default();
    while read_message(&mut input, &mut request, page) {
        match Request::decode(&request) {
            Ok(Request::Describe) => answer.bytes = machine.harness.table.encode(),
            Ok(Request::Run(batch)) => {
                run_on_fresh_thread(&mut machine, batch, &mut program, &mut answer, stack_bytes);
            }
            Err(error) => give_up(page, &error.to_string()),
        }
        write_message(&mut output, &answer.bytes, page);
    }
    sys::exit_at_once(0);
}

/// Thread-locals of std (the keys of hash maps) and of the code under test start anew, so that the outcomes of a batch follow
/// from the batch alone.
fn run_on_fresh_thread(
    machine: &mut Machine,
    mut batch: BatchReader<'_>,
    program: &mut Program,
    answer: &mut Writer,
    stack_bytes: usize,
) {
    struct Handed<T>(T);
    // The spawning thread does nothing but wait until the thread has ended.
    unsafe impl<T> Send for Handed<T> {}
    let page = machine.page;
    // The code under test may have set a hook of its own in the batch before.
    panics::install_hook();
    let work = Handed((&raw mut *machine, &raw mut batch, program, answer));
    let run = move || {
        let Handed((machine, batch, program, answer)) = { work };
        // The machine outlives the thread and is used by it alone.
        unsafe { machine::run_batch(machine, &mut *batch, program, answer) }
    };
    let thread = std::thread::Builder::new().name("provoke".to_owned()).stack_size(stack_bytes);
    // The spawner joins before its borrows end.
    let ended = match unsafe { thread.spawn_unchecked(run) } {
        Ok(handle) => handle.join(),
        Err(error) => give_up(page, &error.to_string()),
    };
    match ended {
        Ok(Ok(())) => {}
        Ok(Err(error)) => give_up(page, &error.to_string()),
        Err(_) => give_up(page, "the executor panicked"),
    }
}

fn number_from(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

fn map_page(fd: i32) -> Page {
    let protection = sys::PROT_READ | sys::PROT_WRITE;
    // A new mapping disturbs nothing.
    let address = unsafe { sys::mmap(std::ptr::null_mut(), PAGE_BYTES, protection, sys::MAP_SHARED, fd, 0) };
    if address.is_null() || address.addr() == usize::MAX {
        sys::say("provoke worker: the shared page cannot be mapped\n");
        sys::exit_at_once(EXIT_USAGE);
    }
    allocator::set_page(address);
    // Never unmapped.
    unsafe { Page::new(address) }
}

/// Reads one message into `message`; `false` if there are no more.
fn read_message(input: &mut File, message: &mut Vec<u8>, page: Page) -> bool {
    let mut length = [0; 4];
    match input.read_exact(&mut length) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return false,
        Err(error) => give_up(page, &error.to_string()),
    }
    message.clear();
    message.resize(u32::from_le_bytes(length) as usize, 0);
    if let Err(error) = input.read_exact(message) {
        give_up(page, &error.to_string());
    }
    true
}

fn write_message(output: &mut File, message: &[u8], page: Page) {
    let length = (message.len() as u32).to_le_bytes();
    let written = output.write_all(&length).and_then(|()| output.write_all(message));
    match written {
        Ok(()) => {}
        // The tool went away; there is nobody left to tell.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => sys::exit_at_once(0),
        Err(error) => give_up(page, &error.to_string()),
    }
}

fn give_up(page: Page, reason: &str) -> ! {
    page.say_last_words(LastWords::ProtocolError);
    sys::say(&format!("provoke worker: {reason}\n"));
    sys::exit_at_once(EXIT_PROTOCOL_ERROR)
}

/// Makes a binary a worker: its allocator, the stand-ins for random numbers and clocks, and `main`. The module `ops` of the
/// binary must have a function `register(&mut Registry)`.
#[macro_export]
macro_rules! worker {
    () => {
        #[global_allocator]
        static PROVOKE_ALLOCATOR: $crate::CountingAllocator = $crate::CountingAllocator;

        /// The linker prefers these to the functions of the C library.
        mod provoke_stand_ins {
            use $crate::stand_ins::{self, Timespec, Timeval};

            #[unsafe(no_mangle)]
            unsafe extern "C" fn getrandom(buffer: *mut u8, length: usize, flags: u32) -> isize {
                unsafe { stand_ins::getrandom(buffer, length, flags) }
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn getentropy(buffer: *mut u8, length: usize) -> i32 {
                unsafe { stand_ins::getrandom(buffer, length, 0) };
                0
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn clock_gettime(clock: i32, out: *mut Timespec) -> i32 {
                unsafe { stand_ins::clock_gettime(clock, out) }
            }

            /// There is no network here, and asking for one could take seconds.
            #[unsafe(no_mangle)]
            unsafe extern "C" fn getaddrinfo(_: *const u8, _: *const u8, _: *const u8, _: *mut *mut u8) -> i32 {
                stand_ins::NO_SUCH_NAME
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn gettimeofday(out: *mut Timeval, _zone: *mut u8) -> i32 {
                unsafe { stand_ins::gettimeofday(out) }
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn time(out: *mut i64) -> i64 {
                unsafe { stand_ins::time(out) }
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn nanosleep(request: *const Timespec, left: *mut Timespec) -> i32 {
                unsafe { stand_ins::nanosleep(request, left) }
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn clock_nanosleep(
                clock: i32,
                flags: i32,
                request: *const Timespec,
                left: *mut Timespec,
            ) -> i32 {
                unsafe { stand_ins::clock_nanosleep(clock, flags, request, left) }
            }

            /// The C library's is variadic; on both supported processors such arguments travel in the same registers.
            #[unsafe(no_mangle)]
            unsafe extern "C" fn syscall(
                number: isize,
                a: isize,
                b: isize,
                c: isize,
                d: isize,
                e: isize,
                f: isize,
            ) -> isize {
                unsafe { stand_ins::syscall(number, [a, b, c, d, e, f]) }
            }
        }

        fn main() {
            $crate::run(ops::register)
        }
    };
}
