//! One worker process: started, spoken to, watched and ended. Knows descriptors and signals, not programs.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use provoke_wire::{PageReading, STACK_SIGNAL};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::param::page_size;
use rustix::pipe::{PipeFlags, fcntl_setpipe_size, pipe_with};

use crate::harness::sanitizer::Sanitizer;
use crate::process::spawn::{FIRST_DESCRIPTOR, Launch, Process};
use crate::sandbox::{Fence, directories};
use crate::worker::limits::{Look, Stopwatch};
use crate::worker::page::SharedPage;

/// A reply longer than this is not one.
const MAX_MESSAGE: usize = 256 << 20;
/// What is kept of standard output and error; with a sanitizer, all of its report.
const TAIL_BYTES: usize = 32 * 1024;
const SANITIZED_TAIL_BYTES: usize = 64 * 1024;
/// Room in the pipes for whole batches, where the system grants it.
const PIPE_BYTES: usize = 1 << 20;
/// How long the end of a worker may come after the end of its replies, and how long it may take to put down its stack.
const GRACE: Duration = Duration::from_millis(500);

/// More than any sensible program starts, and few enough to harm nobody.
const MAX_THREADS: usize = 256;
/// The worker's allocator keeps to the limit by itself; this is for memory that does not come from it.
const MEMORY_FACTOR: u64 = 3;

/// How workers are started.
#[derive(Clone, Debug)]
pub(crate) struct WorkerPlan {
    pub(crate) executable: PathBuf,
    /// Holds the working directories of all workers.
    pub(crate) scratch_directory: PathBuf,
    pub(crate) memory_limit: u64,
    /// Bytes that it may map; more than it may use, because much that is mapped is never touched.
    pub(crate) address_space: Option<u64>,
    pub(crate) fence: Fence,
    /// What the executable was built with.
    pub(crate) sanitizer: Sanitizer,
}

/// Why there is no reply.
#[derive(Debug)]
pub(crate) enum NoReply {
    /// The worker ended by itself.
    Died(ExitStatus),
    /// It was over its limit of time and is dead now.
    OverLimit,
    /// It used too much memory or too many threads and is dead now.
    Exhausted,
    /// It did not follow the protocol and is dead now.
    Garbled,
    /// Nobody wants the reply any more; it is dead now.
    Stopped,
}

/// Why an exchange came to nothing, before the worker is buried.
#[derive(PartialEq, Eq)]
enum Silence {
    Ended,
    OverLimit,
    Exhausted,
    Garbled,
    Stopped,
}

/// A running worker. Dropping it kills its whole process group and reaps it.
pub(crate) struct Worker {
    process: Process,
    memory_limit: u64,
    page: SharedPage,
    request: File,
    reply: File,
    output: File,
    is_output_open: bool,
    tail: Vec<u8>,
    tail_bytes: usize,
    /// Sent before the next message; no reply comes to these.
    announcements: Vec<u8>,
    /// Whether it was told which edges to watch, and how many of those that are known it has heard of.
    pub(crate) is_watching: bool,
    pub(crate) n_known_edges: usize,
    chunk: Box<[u8]>,
}

impl Worker {
    /// `directory` is private to one worker at a time.
    pub(crate) fn spawn(plan: &WorkerPlan, directory: &Path) -> io::Result<Worker> {
        let page = SharedPage::new()?;
        let pipe = || pipe_with(PipeFlags::CLOEXEC);
        let (their_request, request) = pipe()?;
        let (reply, their_reply) = pipe()?;
        let (output, their_output) = pipe()?;
        for ours in [&request, &reply, &output] {
            fcntl_setfl(ours, OFlags::NONBLOCK)?;
        }
        for large in [&request, &reply] {
            // Slower with small pipes, but not wrong.
            let _ = fcntl_setpipe_size(large, PIPE_BYTES);
        }
        directories::make_empty(directory)?;
        let inherited = vec![their_request.as_raw_fd(), their_reply.as_raw_fd(), page.descriptor()];
        let number = |n: RawFd| n.to_string().into_bytes();
        let mut environment = vec![
            ("PROVOKE_IN", number(FIRST_DESCRIPTOR)),
            ("PROVOKE_OUT", number(FIRST_DESCRIPTOR + 1)),
            ("PROVOKE_PAGE", number(FIRST_DESCRIPTOR + 2)),
            ("PROVOKE_MEMORY", plan.memory_limit.to_string().into_bytes()),
        ];
        environment.extend(plan.sanitizer.worker_environment());
        let process = Process::start(Launch {
            executable: &plan.executable,
            arguments: &[],
            directory,
            environment,
            output: their_output.as_raw_fd(),
            inherited,
            has_fixed_addresses: true,
            fence: &plan.fence,
            address_space: plan.address_space,
        })?;
        let mut request = File::from(request);
        let channels = [FIRST_DESCRIPTOR as u32, FIRST_DESCRIPTOR as u32 + 1];
        if let Some(confinement) = plan.fence.confinement(process.id(), channels) {
            // An empty pipe takes it at once.
            request.write_all(&framed(&confinement))?;
        }
        Ok(Worker {
            process,
            memory_limit: plan.memory_limit,
            page,
            request,
            reply: File::from(reply),
            output: File::from(output),
            is_output_open: true,
            tail: Vec::new(),
            tail_bytes: if plan.sanitizer == Sanitizer::None { TAIL_BYTES } else { SANITIZED_TAIL_BYTES },
            announcements: Vec::new(),
            is_watching: false,
            n_known_edges: 0,
            chunk: vec![0; 256 * 1024].into_boxed_slice(),
        })
    }

    pub(crate) fn reading(&self) -> PageReading {
        self.page.page().read()
    }

    /// The end of what it wrote to standard output and error since the last [`ask`](Worker::ask).
    pub(crate) fn last_output(&self) -> String {
        String::from_utf8_lossy(&self.tail).into_owned()
    }

    /// Says something that is not answered, together with the next message.
    pub(crate) fn announce(&mut self, message: &[u8]) {
        self.announcements.extend(framed(message));
    }

    /// Sends one message and waits for the reply. Without one, the worker is gone afterwards; if its stack is wanted, it is asked for it
    /// before. Once per tick it is asked whether to stop, told what the worker is at.
    pub(crate) fn ask(
        &mut self,
        message: &[u8],
        stopwatch: &mut Stopwatch,
        tick: Duration,
        is_stopped: &dyn Fn(PageReading) -> bool,
        wants_stack: bool,
    ) -> Result<Vec<u8>, NoReply> {
        self.drain_output();
        self.tail.clear();
        let result = self.exchange(message, stopwatch, tick, is_stopped);
        result.map_err(|silence| {
            if silence == Silence::OverLimit && wants_stack {
                self.ask_for_stack();
            }
            let status = self.process.kill();
            self.drain_rest();
            match silence {
                Silence::Ended => NoReply::Died(status),
                Silence::OverLimit => NoReply::OverLimit,
                Silence::Exhausted => NoReply::Exhausted,
                Silence::Garbled => NoReply::Garbled,
                Silence::Stopped => NoReply::Stopped,
            }
        })
    }

    /// Has the thread that runs programs put down its stack. It may be in a state in which it cannot.
    fn ask_for_stack(&mut self) {
        let page = self.page.page();
        let (process, thread) = (self.process.id(), page.thread() as libc::pid_t);
        if unsafe { libc::syscall(libc::SYS_tgkill, process, thread, STACK_SIGNAL) } != 0 {
            return;
        }
        let start = Instant::now();
        while !page.has_stack() && !self.process.is_ended() && start.elapsed() < GRACE {
            // It may be writing, and wait for somebody to read.
            self.drain_output();
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// What the page says of the stack: offsets in the executable, the innermost first.
    pub(crate) fn stack(&self) -> Vec<u32> {
        self.page.page().stack()
    }

    fn exchange(
        &mut self,
        message: &[u8],
        stopwatch: &mut Stopwatch,
        tick: Duration,
        is_stopped: &dyn Fn(PageReading) -> bool,
    ) -> Result<Vec<u8>, Silence> {
        let mut to_send = std::mem::take(&mut self.announcements);
        to_send.extend(framed(message));
        let mut n_sent = 0;
        let mut received = Vec::new();
        let mut next_look = Instant::now() + tick;
        loop {
            n_sent += self.send(&to_send[n_sent..]);
            self.poll(n_sent < to_send.len(), tick);
            self.drain_output();
            if self.is_reply_at_end(&mut received) {
                return Err(self.end_of_replies());
            }
            if let Some(reply) = whole_message(&mut received).map_err(|()| Silence::Garbled)? {
                return Ok(reply);
            }
            if Instant::now() < next_look {
                continue;
            }
            next_look = Instant::now() + tick;
            if is_stopped(self.reading()) {
                return Err(Silence::Stopped);
            }
            if self.process.is_ended() {
                return Err(Silence::Ended);
            }
            let tasks = self.tasks();
            if tasks.n_threads > MAX_THREADS || self.private_bytes() > MEMORY_FACTOR * self.memory_limit {
                return Err(Silence::Exhausted);
            }
            if stopwatch.is_over(self.look(tasks)) {
                return Err(Silence::OverLimit);
            }
        }
    }

    /// As much as the pipe takes. A broken pipe shows at the other end as well, as the end of replies.
    fn send(&mut self, bytes: &[u8]) -> usize {
        if bytes.is_empty() {
            return 0;
        }
        self.request.write(bytes).unwrap_or(0)
    }

    /// Sleeps until something can be read (or written), at most a tick.
    fn poll(&self, wants_to_send: bool, tick: Duration) {
        let mut watched = vec![PollFd::new(&self.reply, PollFlags::IN)];
        watched.extend(self.is_output_open.then(|| PollFd::new(&self.output, PollFlags::IN)));
        watched.extend(wants_to_send.then(|| PollFd::new(&self.request, PollFlags::OUT)));
        let tick = tick.clamp(Duration::from_millis(1), Duration::from_secs(1));
        let tick = Timespec { tv_sec: tick.as_secs() as i64, tv_nsec: i64::from(tick.subsec_nanos()) };
        // A failure (a signal) only means another round.
        let _ = poll(&mut watched, Some(&tick));
    }

    /// Reads what is there of standard output and error, but no more than a chunk: a flood must not stop the watching.
    fn drain_output(&mut self) {
        if !self.is_output_open {
            return;
        }
        match self.output.read(&mut self.chunk) {
            Ok(0) => self.is_output_open = false,
            Ok(n) => {
                self.tail.extend_from_slice(&self.chunk[..n]);
                let surplus = self.tail.len().saturating_sub(self.tail_bytes);
                self.tail.drain(..surplus);
            }
            Err(_) => {}
        }
    }

    fn is_reply_at_end(&mut self, received: &mut Vec<u8>) -> bool {
        match self.reply.read(&mut self.chunk) {
            Ok(0) => true,
            Ok(n) => {
                received.extend_from_slice(&self.chunk[..n]);
                false
            }
            Err(_) => false,
        }
    }

    /// Replies end because the worker does, unless the code under test closed the descriptor.
    fn end_of_replies(&self) -> Silence {
        let start = Instant::now();
        while start.elapsed() < GRACE {
            if self.process.is_ended() {
                return Silence::Ended;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        Silence::Garbled
    }

    fn look(&self, tasks: Tasks) -> Look {
        let Tasks { at, waited, are_asleep, .. } = tasks;
        Look { reading: self.reading(), at, cpu: self.cpu_time(), waited, is_asleep: are_asleep }
    }

    /// Memory that is in use and its own, however it came by it.
    fn private_bytes(&self) -> u64 {
        let text = fs::read_to_string(format!("/proc/{}/statm", self.process.id())).unwrap_or_default();
        let mut pages = text.split_whitespace().skip(1).map(|n| n.parse::<u64>().unwrap_or(0));
        let (resident, shared) = (pages.next().unwrap_or(0), pages.next().unwrap_or(0));
        resident.saturating_sub(shared).saturating_mul(page_size() as u64)
    }

    /// Processor time of all its threads.
    fn cpu_time(&self) -> Duration {
        let mut clock: libc::clockid_t = 0;
        let mut time: libc::timespec = unsafe { std::mem::zeroed() };
        let is_known = unsafe {
            libc::clock_getcpuclockid(self.process.id(), &mut clock) == 0 && libc::clock_gettime(clock, &mut time) == 0
        };
        if is_known { Duration::new(time.tv_sec as u64, time.tv_nsec as u32) } else { Duration::ZERO }
    }

    fn tasks(&self) -> Tasks {
        let mut seen = Tasks { at: Instant::now(), n_threads: 0, are_asleep: true, waited: Duration::ZERO };
        let Ok(tasks) = fs::read_dir(format!("/proc/{}/task", self.process.id())) else {
            return Tasks { are_asleep: false, ..seen };
        };
        for task in tasks.flatten() {
            seen.n_threads += 1;
            let read = |file: &str| fs::read_to_string(task.path().join(file)).unwrap_or_default();
            // First the state: whoever sleeps has its last wait behind it. One that works is enough to know.
            seen.are_asleep = seen.are_asleep && is_asleep(&read("stat"));
            seen.waited += waited(&read("schedstat"));
        }
        seen
    }

    fn drain_rest(&mut self) {
        // Bounded by what fits into the pipe: nobody of the group is left to write.
        for _ in 0..64 {
            let n_before = self.tail.len();
            self.drain_output();
            if !self.is_output_open || self.tail.len() == n_before && n_before < self.tail_bytes {
                return;
            }
        }
    }
}

/// The threads of a worker at one moment.
#[derive(Clone, Copy, Debug)]
struct Tasks {
    /// Before the first of them was looked at.
    at: Instant,
    n_threads: usize,
    /// No thread runs, wants to run, or waits for a disk.
    are_asleep: bool,
    /// For how long those that are alive have waited for a processor, each since it was started.
    waited: Duration,
}

/// From the line of the system about a thread. A thread that is gone is no reason to wait.
fn is_asleep(stat: &str) -> bool {
    // The state follows the name, which is in parentheses and may itself hold some.
    let state = stat.rsplit_once(") ").and_then(|(_, rest)| rest.bytes().next());
    !matches!(state, Some(b'R' | b'D'))
}

/// Processor time, time waited for a processor, and how often it got one. Where the system does not count them, nothing.
fn waited(schedstat: &str) -> Duration {
    let nanoseconds = schedstat.split_whitespace().nth(1).and_then(|n| n.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

/// A message as it is sent: its length first.
fn framed(message: &[u8]) -> Vec<u8> {
    let mut framed = Vec::with_capacity(message.len() + 4);
    framed.extend_from_slice(&(message.len() as u32).to_le_bytes());
    framed.extend_from_slice(message);
    framed
}

/// Takes a complete message off the front; an error if it cannot become one.
fn whole_message(received: &mut Vec<u8>) -> Result<Option<Vec<u8>>, ()> {
    let Some(header) = received.first_chunk::<4>() else {
        return Ok(None);
    };
    let length = u32::from_le_bytes(*header) as usize;
    if length > MAX_MESSAGE || received.len() > length + 4 {
        return Err(());
    }
    if received.len() < length + 4 {
        return Ok(None);
    }
    received.drain(..4);
    Ok(Some(std::mem::take(received)))
}
