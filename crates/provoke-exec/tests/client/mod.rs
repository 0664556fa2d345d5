//! The tool's side of a worker, as small as it can be.

#![allow(
    clippy::disallowed_methods,
    reason = "the worker under test is a process, and the crate that starts processes must not be a dependency of this one"
)]
#![allow(dead_code, reason = "each test binary uses a part of this")]

use std::io::{PipeReader, PipeWriter, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};

use provoke_wire::{
    Batch, BatchReport, Body, Outcome, PAGE_BYTES, Page, PageReading, Program, Request, RunOptions, STACK_SIGNAL,
    Table, ValueIdentity, Writer,
};

#[path = "../../examples/sample_worker/numbers.rs"]
pub mod numbers;

unsafe extern "C" {
    fn fcntl(fd: i32, command: i32, ...) -> i32;
    fn memfd_create(name: *const u8, flags: u32) -> i32;
    fn ftruncate(fd: i32, length: i64) -> i32;
    fn close(fd: i32) -> i32;
    fn tgkill(process: i32, thread: i32, signal: i32) -> i32;
    fn mmap(at: *mut u8, length: usize, protection: i32, flags: i32, fd: i32, offset: i64) -> *mut u8;
}

const MEMORY_LIMIT: &str = "67108864";

pub struct Worker {
    child: Child,
    requests: Option<PipeWriter>,
    answers: PipeReader,
    page: Page,
}

/// How a worker ended, and what it left behind.
#[derive(Debug)]
pub struct Death {
    pub page: PageReading,
    pub stack: Vec<u32>,
    pub code: Option<i32>,
    pub signal: Option<i32>,
    pub stderr: String,
}

pub const QUIET: RunOptions = RunOptions { notion: ValueIdentity::Equality, entropy: 1, ..RunOptions::QUIET };

fn example() -> Command {
    let test = std::env::current_exe().unwrap();
    let profile = test.parent().unwrap().parent().unwrap();
    Command::new(profile.join("examples/sample_worker"))
}

/// Runs the worker as a user might by mistake.
pub fn run_alone() -> std::process::Output {
    example().output().unwrap()
}

impl Worker {
    pub fn start() -> Worker {
        let (worker_in, requests) = std::io::pipe().unwrap();
        let (answers, worker_out) = std::io::pipe().unwrap();
        let (page_fd, address) = unsafe {
            let fd = memfd_create(c"page".as_ptr().cast(), 1);
            assert_eq!(ftruncate(fd, PAGE_BYTES as i64), 0);
            (fd, mmap(std::ptr::null_mut(), PAGE_BYTES, 3, 1, fd, 0))
        };
        let fds = [worker_in.as_raw_fd(), worker_out.as_raw_fd(), page_fd];
        let mut command = example();
        command
            .env("PROVOKE_IN", fds[0].to_string())
            .env("PROVOKE_OUT", fds[1].to_string())
            .env("PROVOKE_PAGE", fds[2].to_string())
            .env("PROVOKE_MEMORY", MEMORY_LIMIT)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        // Only this child keeps them: other tests start processes at the same time.
        let keep = move || {
            for fd in fds {
                unsafe { fcntl(fd, 2, 0) };
            }
            Ok(())
        };
        let child = unsafe { command.pre_exec(keep) }.spawn().unwrap();
        unsafe { close(page_fd) };
        let page = unsafe { Page::new(address) };
        Worker { child, requests: Some(requests), answers, page }
    }

    pub fn send(&mut self, message: &[u8]) {
        let requests = self.requests.as_mut().unwrap();
        requests.write_all(&(message.len() as u32).to_le_bytes()).unwrap();
        requests.write_all(message).unwrap();
    }

    fn receive(&mut self) -> Option<Vec<u8>> {
        let mut length = [0; 4];
        self.answers.read_exact(&mut length).ok()?;
        let mut message = vec![0; u32::from_le_bytes(length) as usize];
        self.answers.read_exact(&mut message).ok()?;
        Some(message)
    }

    pub fn describe(&mut self) -> Table {
        self.send(&Request::encode_describe());
        Table::decode(&self.receive().expect("a table")).unwrap()
    }

    /// `None` if the worker died.
    pub fn try_run(&mut self, programs: Vec<Program>, options: RunOptions) -> Option<BatchReport> {
        let batch = Batch { number: 42, options, programs, news: Vec::new() };
        let mut writer = Writer::default();
        batch.encode(0, &[], &mut writer);
        self.send(&writer.bytes);
        let report = BatchReport::decode(&self.receive()?).unwrap();
        assert_eq!(report.number, 42);
        assert_eq!(report.outcomes.len(), batch.programs.len());
        Some(report)
    }

    /// What a worker says of its stack that is asked in the second statement of a program.
    pub fn stack_in(&mut self, program: Program) -> Vec<u32> {
        let batch = Batch { number: 42, options: QUIET, programs: vec![program], news: Vec::new() };
        let mut writer = Writer::default();
        batch.encode(0, &[], &mut writer);
        self.send(&writer.bytes);
        while self.page.read().statement == 0 {
            std::thread::yield_now();
        }
        assert_eq!(unsafe { tgkill(self.child.id() as i32, self.page.thread() as i32, STACK_SIGNAL) }, 0);
        while !self.page.has_stack() {
            std::thread::yield_now();
        }
        self.page.stack()
    }

    pub fn run(&mut self, programs: Vec<Program>, options: RunOptions) -> Vec<Outcome> {
        match self.try_run(programs, options) {
            Some(report) => report.outcomes,
            None => panic!("the worker died: {:?}", self.death()),
        }
    }

    /// Closes the worker's input and waits for its end.
    pub fn death(&mut self) -> Death {
        self.requests = None;
        let mut stderr = Vec::new();
        self.child.stderr.take().unwrap().read_to_end(&mut stderr).unwrap();
        let status = self.child.wait().unwrap();
        Death {
            page: self.page.read(),
            stack: self.page.stack(),
            code: status.code(),
            signal: status.signal(),
            stderr: String::from_utf8_lossy(&stderr).into_owned(),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A program that is observed from its beginning.
pub fn program(build: impl FnOnce(&mut Body)) -> Program {
    let mut main = Body::default();
    build(&mut main);
    Program { main, observe_from: 0 }
}

/// The `Debug` text of the last thing a traced program showed of a slot.
pub fn shown(outcome: &Outcome, slot: u32) -> &str {
    let step = outcome.steps.iter().rfind(|step| step.slot == slot);
    step.map_or("(nothing)", |step| &step.text)
}
