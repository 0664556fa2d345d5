//! One worker process: started, spoken to, watched and ended. Knows descriptors and signals, not programs.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use provoke_wire::PageReading;

use crate::limits::{Look, Stopwatch};
use crate::page::SharedPage;
use crate::sanitizer::Sanitizer;
use crate::spawn::{Launch, Process};

/// A reply longer than this is not one.
const MAX_MESSAGE: usize = 256 << 20;
/// What is kept of standard output and error; with a sanitizer, all of its report.
const TAIL_BYTES: usize = 8 * 1024;
const SANITIZED_TAIL_BYTES: usize = 64 * 1024;
/// Room in the pipes for whole batches, where the system grants it.
const PIPE_BYTES: libc::c_int = 1 << 20;
/// How long the end of a worker may come after the end of its replies.
const GRACE: Duration = Duration::from_millis(500);

/// How workers are started.
#[derive(Clone, Debug)]
pub(crate) struct WorkerPlan {
    pub(crate) executable: PathBuf,
    pub(crate) directory: PathBuf,
    pub(crate) memory_limit: u64,
    /// What the executable was built with.
    pub(crate) sanitizer: Sanitizer,
}

/// Why there is no reply.
#[derive(Debug)]
pub(crate) enum NoReply {
    /// The worker ended by itself.
    Died(ExitStatus),
    /// It was over a limit and is dead now.
    OverLimit,
    /// It did not follow the protocol and is dead now.
    Garbled,
    /// Nobody wants the reply any more; it is dead now.
    Stopped,
}

/// Why an exchange came to nothing, before the worker is buried.
enum Silence {
    Ended,
    OverLimit,
    Garbled,
    Stopped,
}

/// A running worker. Dropping it kills its whole process group and reaps it.
pub(crate) struct Worker {
    process: Process,
    page: SharedPage,
    request: File,
    reply: File,
    output: File,
    is_output_open: bool,
    tail: Vec<u8>,
    tail_bytes: usize,
    chunk: Box<[u8]>,
}

impl Worker {
    pub(crate) fn spawn(plan: &WorkerPlan) -> io::Result<Worker> {
        let page = SharedPage::new()?;
        let (their_request, request) = pipe()?;
        let (reply, their_reply) = pipe()?;
        let (output, their_output) = pipe()?;
        for ours in [&request, &reply, &output] {
            set_nonblocking(ours.as_raw_fd())?;
        }
        for large in [&request, &reply] {
            // Slower with small pipes, but not wrong.
            unsafe { libc::fcntl(large.as_raw_fd(), libc::F_SETPIPE_SZ, PIPE_BYTES) };
        }
        let inherited = [their_request.as_raw_fd(), their_reply.as_raw_fd(), page.descriptor()];
        let directory = plan.directory.clone().into_os_string().into_vec();
        let number = |n: RawFd| n.to_string().into_bytes();
        let mut environment = vec![
            ("PATH", b"/usr/bin:/bin".to_vec()),
            ("HOME", directory.clone()),
            ("TMPDIR", directory),
            ("PROVOKE_IN", number(inherited[0])),
            ("PROVOKE_OUT", number(inherited[1])),
            ("PROVOKE_PAGE", number(inherited[2])),
            ("PROVOKE_MEMORY", plan.memory_limit.to_string().into_bytes()),
        ];
        environment.extend(plan.sanitizer.worker_environment());
        if let Some(path) = std::env::var_os("LD_LIBRARY_PATH") {
            environment.push(("LD_LIBRARY_PATH", path.into_vec()));
        }
        let nothing = File::open("/dev/null")?;
        let process = Process::start(&Launch {
            executable: &plan.executable,
            directory: &plan.directory,
            environment,
            stdin: nothing.as_raw_fd(),
            output: their_output.as_raw_fd(),
            inherited,
        })?;
        Ok(Worker {
            process,
            page,
            request: File::from(request),
            reply: File::from(reply),
            output: File::from(output),
            is_output_open: true,
            tail: Vec::new(),
            tail_bytes: if plan.sanitizer == Sanitizer::None { TAIL_BYTES } else { SANITIZED_TAIL_BYTES },
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

    /// Sends one message and waits for the reply. Without one, the worker is gone afterwards.
    pub(crate) fn ask(
        &mut self,
        message: &[u8],
        stopwatch: &mut Stopwatch,
        tick: Duration,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Vec<u8>, NoReply> {
        self.drain_output();
        self.tail.clear();
        let result = self.exchange(message, stopwatch, tick, is_stopped);
        result.map_err(|silence| {
            let status = self.process.kill();
            self.drain_rest();
            match silence {
                Silence::Ended => NoReply::Died(status),
                Silence::OverLimit => NoReply::OverLimit,
                Silence::Garbled => NoReply::Garbled,
                Silence::Stopped => NoReply::Stopped,
            }
        })
    }

    fn exchange(
        &mut self,
        message: &[u8],
        stopwatch: &mut Stopwatch,
        tick: Duration,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Vec<u8>, Silence> {
        let mut to_send = Vec::with_capacity(message.len() + 4);
        to_send.extend_from_slice(&(message.len() as u32).to_le_bytes());
        to_send.extend_from_slice(message);
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
            if is_stopped() {
                return Err(Silence::Stopped);
            }
            if self.process.is_ended() {
                return Err(Silence::Ended);
            }
            if stopwatch.is_over(self.look()) {
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
        let watch = |file: &File, is_wanted: bool, events| libc::pollfd {
            fd: if is_wanted { file.as_raw_fd() } else { -1 },
            events,
            revents: 0,
        };
        let mut descriptors = [
            watch(&self.reply, true, libc::POLLIN),
            watch(&self.output, self.is_output_open, libc::POLLIN),
            watch(&self.request, wants_to_send, libc::POLLOUT),
        ];
        let milliseconds = tick.as_millis().clamp(1, 1000) as libc::c_int;
        // A failure (a signal) only means another round.
        unsafe { libc::poll(descriptors.as_mut_ptr(), descriptors.len() as libc::nfds_t, milliseconds) };
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

    fn look(&self) -> Look {
        let cpu = self.cpu_time();
        Look { reading: self.reading(), at: Instant::now(), cpu, is_asleep: self.is_asleep() }
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

    /// No thread runs, wants to run, or waits for a disk.
    fn is_asleep(&self) -> bool {
        let Ok(tasks) = fs::read_dir(format!("/proc/{}/task", self.process.id())) else {
            return false;
        };
        tasks.flatten().all(|task| {
            let Ok(stat) = fs::read_to_string(task.path().join("stat")) else {
                return true;
            };
            // The state follows the name, which is in parentheses and may itself hold some.
            let state = stat.rsplit_once(") ").map(|(_, rest)| rest.as_bytes()[0]);
            !matches!(state, Some(b'R' | b'D'))
        })
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

/// (reading end, writing end), both closed on exec.
fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends = [0; 2];
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } < 0 {
        return Err(io::Error::last_os_error());
    }
    // Just made, owned by nobody else.
    Ok(unsafe { (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])) })
}

fn set_nonblocking(descriptor: RawFd) -> io::Result<()> {
    if unsafe { libc::fcntl(descriptor, libc::F_SETFL, libc::O_NONBLOCK) } < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
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
