//! The worker's main loop: requests in, reports out, each batch on a thread of its own.
//!
//! Decision: `docs/decisions/016-a-thread-per-batch.md`

use provoke_wire::{BatchReader, LastWords, PAGE_BYTES, Page, Program, Request, RunOptions, Writer};

use crate::env::{confinement, panics, stack, sys};
use crate::measure::allocator;
use crate::run::arena::Arena;
use crate::run::harness::Harness;
use crate::run::machine;
use crate::run::machine::{EXIT_PROTOCOL_ERROR, Machine};
use crate::run::registry::Registry;

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
    let (mut input, mut output) = (Channel(input), Channel(output));
    let mut registry = Registry::default();
    register(&mut registry);
    let harness = match Harness::new(registry) {
        Ok(harness) => harness,
        Err(reason) => give_up(page, &reason),
    };
    let mut machine = Machine::new(harness, page, RunOptions::QUIET, memory_limit);
    let is_sanitized = std::env::var_os("PROVOKE_SANITIZER").is_some();
    if is_sanitized {
        machine.arena = Arena::of_single_values();
    }
    let stack_bytes = if is_sanitized { SANITIZED_STACK_BYTES } else { STACK_BYTES };
    if !stack::install_handlers(stack_bytes) {
        give_up(page, "the handlers that put down the stack cannot be installed");
    }
    let mut program = Program::default();
    let mut request = Vec::new();
    let mut answer = Writer::default();
    while read_message(&mut input, &mut request, page) {
        match Request::decode(&request) {
            Ok(Request::Describe) => answer.bytes = machine.harness.table.encode(),
            Ok(Request::Run(batch)) => {
                run_on_fresh_thread(&mut machine, batch, &mut program, &mut answer, stack_bytes);
            }
            Ok(Request::Confine(confinement)) => {
                confinement::confine(&confinement).unwrap_or_else(|reason| give_up(page, reason));
                continue;
            }
            Ok(Request::Watch(watch)) => {
                machine.coverage.watch(&watch).unwrap_or_else(|reason| give_up(page, reason));
                continue;
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
        stack::enter_thread(page);
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
    confinement::set_page(address);
    sys::close_descriptor(fd);
    // Never unmapped.
    unsafe { Page::new(address) }
}

/// One of the two pipes to the tool. Once the worker is confined, only who has the pass can use them: the code under test
/// can neither forge a reply nor take a request away.
struct Channel(i32);

/// What the tool does not send or take any more.
enum Gone {
    AtEnd,
    Failed(isize),
}

impl Channel {
    fn read_exact(&mut self, mut bytes: &mut [u8]) -> Result<(), Gone> {
        while !bytes.is_empty() {
            let args = [self.0 as isize, bytes.as_mut_ptr() as isize, bytes.len() as isize, 0, 0, 0];
            // The buffer is ours for as long as the call takes.
            match unsafe { confinement::privileged_call(sys::number::READ, args) } {
                0 => return Err(Gone::AtEnd),
                n if n > 0 => bytes = &mut bytes[n as usize..],
                error if error == -sys::EINTR => {}
                error => return Err(Gone::Failed(error)),
            }
        }
        Ok(())
    }

    fn write_all(&mut self, mut bytes: &[u8]) -> Result<(), Gone> {
        while !bytes.is_empty() {
            let args = [self.0 as isize, bytes.as_ptr() as isize, bytes.len() as isize, 0, 0, 0];
            match unsafe { confinement::privileged_call(sys::number::WRITE, args) } {
                n if n >= 0 => bytes = &bytes[n as usize..],
                error if error == -sys::EINTR => {}
                // The tool went away.
                error if error == -sys::EPIPE => return Err(Gone::AtEnd),
                error => return Err(Gone::Failed(error)),
            }
        }
        Ok(())
    }
}

/// Reads one message into `message`; `false` if there are no more.
fn read_message(input: &mut Channel, message: &mut Vec<u8>, page: Page) -> bool {
    let mut length = [0; 4];
    let mut read = |bytes: &mut [u8]| match input.read_exact(bytes) {
        Ok(()) => true,
        Err(Gone::AtEnd) => false,
        Err(Gone::Failed(error)) => give_up(page, &format!("cannot read: error {}", -error)),
    };
    if !read(&mut length) {
        return false;
    }
    message.clear();
    message.resize(u32::from_le_bytes(length) as usize, 0);
    read(message)
}

fn write_message(output: &mut Channel, message: &[u8], page: Page) {
    let length = (message.len() as u32).to_le_bytes();
    match output.write_all(&length).and_then(|()| output.write_all(message)) {
        Ok(()) => {}
        // There is nobody left to tell.
        Err(Gone::AtEnd) => sys::exit_at_once(0),
        Err(Gone::Failed(error)) => give_up(page, &format!("cannot write: error {}", -error)),
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

        /// The linker prefers these to the functions of the C library. The cfg is set by the tool, for a second build.
        #[allow(unexpected_cfgs)]
        mod provoke_stand_ins {
            use ::std::ffi::{c_char, c_void};

            use $crate::deterministic_env::{self, Timespec, Timeval};

            #[unsafe(no_mangle)]
            unsafe extern "C" fn getrandom(buffer: *mut u8, length: usize, flags: u32) -> isize {
                unsafe { deterministic_env::getrandom(buffer, length, flags) }
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn getentropy(buffer: *mut u8, length: usize) -> i32 {
                unsafe { deterministic_env::getrandom(buffer, length, 0) };
                0
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn clock_gettime(clock: i32, out: *mut Timespec) -> i32 {
                unsafe { deterministic_env::clock_gettime(clock, out) }
            }

            /// There is no network here, and asking for one could take seconds.
            #[unsafe(no_mangle)]
            unsafe extern "C" fn getaddrinfo(_: *const u8, _: *const u8, _: *const u8, _: *mut *mut u8) -> i32 {
                deterministic_env::NO_SUCH_NAME
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn gettimeofday(out: *mut Timeval, _zone: *mut u8) -> i32 {
                unsafe { deterministic_env::gettimeofday(out) }
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn time(out: *mut i64) -> i64 {
                unsafe { deterministic_env::time(out) }
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn nanosleep(request: *const Timespec, left: *mut Timespec) -> i32 {
                unsafe { deterministic_env::nanosleep(request, left) }
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn clock_nanosleep(
                clock: i32,
                flags: i32,
                request: *const Timespec,
                left: *mut Timespec,
            ) -> i32 {
                unsafe { deterministic_env::clock_nanosleep(clock, flags, request, left) }
            }

            // A sanitizer looks at every range that is compared.
            #[cfg(not(provoke_sanitized))]
            $crate::memory_comparisons!("memcmp" "bcmp");

            /// A sanitizer has to see every thread from its start, and has a stand-in of its own for that.
            #[cfg(not(provoke_sanitized))]
            #[unsafe(no_mangle)]
            unsafe extern "C" fn pthread_create(
                thread: *mut c_void,
                attributes: *const c_void,
                start: unsafe extern "C" fn(*mut c_void) -> *mut c_void,
                argument: *mut c_void,
            ) -> i32 {
                unsafe { deterministic_env::pthread_create(thread, attributes, start, argument) }
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn setenv(name: *const c_char, value: *const c_char, overwrites: i32) -> i32 {
                unsafe { deterministic_env::setenv(name, value, overwrites) }
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn unsetenv(name: *const c_char) -> i32 {
                unsafe { deterministic_env::unsetenv(name) }
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
                unsafe { deterministic_env::syscall(number, [a, b, c, d, e, f]) }
            }
        }

        fn main() {
            $crate::run(ops::register)
        }
    };
}
