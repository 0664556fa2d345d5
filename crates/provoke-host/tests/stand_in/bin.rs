//! Stands in for the tool, as the rustdoc wrapper, and for a harness, as a worker that speaks the protocol and misbehaves
//! on demand: the number of an operation says how.

use std::env;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{FromRawFd, RawFd};
use std::process::ExitCode;
use std::time::Duration;

use provoke_wire::{
    BatchReport, LastWords, Observed, Outcome, PAGE_BYTES, Page, Phase, Program, Request, Table, Variant, Writer,
};

fn main() -> ExitCode {
    if let Some(code) = provoke_host::run_as_wrapper_if_asked() {
        return ExitCode::from(code as u8);
    }
    match (number("PROVOKE_IN"), number("PROVOKE_OUT"), number("PROVOKE_PAGE")) {
        (Some(input), Some(output), Some(page)) => {
            // Descriptors that were inherited for this purpose.
            let (input, output) = unsafe { (File::from_raw_fd(input), File::from_raw_fd(output)) };
            serve(input, output, map(page));
            ExitCode::SUCCESS
        }
        _ => ExitCode::from(2),
    }
}

fn number(name: &str) -> Option<RawFd> {
    env::var(name).ok()?.parse().ok()
}

fn map(descriptor: RawFd) -> Page {
    let address = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            PAGE_BYTES,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_SHARED,
            descriptor,
            0,
        )
    };
    assert_ne!(address, libc::MAP_FAILED);
    // Stays mapped until the process ends.
    unsafe { Page::new(address.cast()) }
}

fn serve(mut input: File, mut output: File, page: Page) {
    let mut n_programs = 0;
    // Instead of what it reached, each program gets the watched edges that the worker has heard are known.
    let (mut watched, mut known) = (Vec::new(), Vec::new());
    loop {
        let mut length = [0; 4];
        if input.read_exact(&mut length).is_err() {
            return;
        }
        let mut message = vec![0; u32::from_le_bytes(length) as usize];
        input.read_exact(&mut message).unwrap();
        let reply = match Request::decode(&message).unwrap() {
            Request::Describe => Table::default().encode(),
            Request::Confine(_) => continue,
            Request::Watch(watch) => {
                watched = watch.edges().collect();
                continue;
            }
            Request::Run(mut batch) => {
                known.extend(std::mem::take(&mut batch.news));
                let heard = watched.iter().copied().filter(|edge| batch.options.coverage && known.contains(edge));
                let heard: Vec<u32> = heard.collect();
                let mut report = BatchReport { number: batch.number, ..BatchReport::default() };
                let mut program = Program::default();
                let mut index = 0;
                while batch.next_into(&mut program).unwrap() {
                    page.start_program(index);
                    let outcome = run(&program, page, &mut output);
                    report.outcomes.push(Outcome { edges: heard.clone(), ..outcome });
                    index += 1;
                    n_programs += 1;
                }
                report.wants_renewal = n_programs > 50;
                let mut writer = Writer::default();
                report.encode(&mut writer);
                writer.bytes
            }
        };
        let mut framed = (reply.len() as u32).to_le_bytes().to_vec();
        framed.extend(reply);
        output.write_all(&framed).unwrap();
    }
}

fn run(program: &Program, page: Page, output: &mut File) -> Outcome {
    let mut outcome = Outcome::default();
    for (index, statement) in program.main.statements.iter().enumerate() {
        page.start_statement(index as u32, Phase::Call);
        misbehave(statement.op, page, output);
        outcome.n_calls += 1;
        outcome.observed.push(Observed {
            slot: index as u32,
            variant: Variant::Plain,
            fingerprint: Some(match statement.op {
                16 => u64::from(std::process::id()),
                op => u64::from(op),
            }),
        });
    }
    outcome
}

fn misbehave(op: u32, page: Page, output: &mut File) {
    match op {
        1 => std::process::abort(),
        2 => loop {
            std::hint::spin_loop();
        },
        3 => loop {
            std::thread::sleep(Duration::from_secs(1000));
        },
        4 => unsafe { libc::_exit(3) },
        5 => {
            let line = [b'x'; 1000];
            for _ in 0..2000 {
                std::io::stderr().write_all(&line).unwrap();
            }
            std::io::stderr().write_all(b"the end").unwrap();
        }
        6 => {
            output.write_all(&8u32.to_le_bytes()).unwrap();
            output.write_all(b"nonsense").unwrap();
        }
        7 => {
            page.say_last_words(LastWords::MemoryExhausted);
            std::process::abort();
        }
        8 => {
            std::io::stderr().write_all(b"\nthread 'x' has overflowed its stack\n").unwrap();
            std::process::abort();
        }
        // Slower than the limit of the tests and faster than ten times that.
        9 => {
            let mut time: libc::timespec = unsafe { std::mem::zeroed() };
            loop {
                unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
                if time.tv_sec > 0 || time.tv_nsec > 250_000_000 {
                    return;
                }
            }
        }
        // A child that would outlive the worker, holding every descriptor.
        10 => unsafe {
            if libc::fork() == 0 {
                loop {
                    libc::pause();
                }
            }
        },
        11 => unsafe {
            *std::ptr::null_mut::<u8>().wrapping_add(8) = 1;
        },
        // Kills the worker when it wants to reply, after all programs have run.
        12 => unsafe {
            libc::close(std::os::fd::AsRawFd::as_raw_fd(output));
        },
        // The reply goes nowhere, and the worker lives.
        14 => unsafe {
            let nowhere = libc::open(c"/dev/null".as_ptr(), libc::O_WRONLY);
            libc::dup2(nowhere, std::os::fd::AsRawFd::as_raw_fd(output));
        },
        // A reply that announces more than anyone would allocate.
        13 => output.write_all(&u32::MAX.to_le_bytes()).unwrap(),
        15 => unsafe {
            libc::raise(libc::SIGKILL);
        },
        // It wakes up again and again, and uses next to no processor time.
        19 => loop {
            std::thread::sleep(Duration::from_millis(5));
        },
        // Longer than the limit of the tests and shorter than ten times that.
        20 => (0..30).for_each(|_| std::thread::sleep(Duration::from_millis(5))),
        // Longer than a moment, and far from any limit.
        17 => std::thread::sleep(Duration::from_millis(20)),
        // Takes the page away from everybody who has it mapped, if that is possible.
        18 => {
            let descriptor = number("PROVOKE_PAGE").unwrap();
            assert_ne!(unsafe { libc::ftruncate(descriptor, 0) }, 0);
            assert!(File::create(format!("/proc/self/fd/{descriptor}")).is_err());
        }
        _ => {}
    }
}
