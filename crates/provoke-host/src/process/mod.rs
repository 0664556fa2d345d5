//! Runs one program to its end, streaming what it writes; an interrupt or a time limit kills it with all its children.

#[cfg(target_os = "linux")]
pub mod spawn;

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use crate::process::spawn::Process;

/// What is killed so often in a row did it itself: nobody else hits one program again and again.
pub(crate) const MAX_KILLS: u32 = 8;

/// How often the flags are looked at while nothing is written.
const TICK: Duration = Duration::from_millis(20);
/// How long to wait for the end of a stream that a left-over grandchild keeps open.
const LINGER: Duration = Duration::from_millis(500);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    Out,
    Err,
}

/// How a program ended.
#[derive(Debug)]
pub(crate) enum Finished {
    Exited(ExitStatus),
    TimedOut,
    Interrupted,
}

/// Runs `command` in a process group of its own, with no standard input.
pub(crate) fn run(
    command: Command,
    interrupt: &AtomicBool,
    time_limit: Option<Duration>,
    on_output: &mut dyn FnMut(Stream, &[u8]),
) -> io::Result<Finished> {
    run_with_input(command, Stdio::null(), interrupt, time_limit, on_output)
}

/// Runs code under test, confined; both of its streams come as one.
#[cfg(target_os = "linux")]
pub(crate) fn run_confined(
    launch: impl FnOnce(std::os::fd::RawFd) -> io::Result<Process>,
    interrupt: &AtomicBool,
    time_limit: Duration,
    on_output: &mut dyn FnMut(&[u8]),
) -> io::Result<Finished> {
    let (output, their_output) = io::pipe()?;
    let mut process = launch(std::os::fd::AsRawFd::as_raw_fd(&their_output))?;
    drop(their_output);
    let (sender, receiver) = sync_channel(64);
    forward(Stream::Out, output, sender);
    let deadline = Instant::now() + time_limit;
    watch(&mut process, &receiver, interrupt, Some(deadline), &mut |_, bytes| on_output(bytes))
}

/// Like [`run`], with something to read.
pub(crate) fn run_with_input(
    mut command: Command,
    input: Stdio,
    interrupt: &AtomicBool,
    time_limit: Option<Duration>,
    on_output: &mut dyn FnMut(Stream, &[u8]),
) -> io::Result<Finished> {
    command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut group = Group::spawn(command)?;
    let (sender, receiver) = sync_channel(64);
    if let Some(out) = group.child.stdout.take() {
        forward(Stream::Out, out, sender.clone());
    }
    if let Some(err) = group.child.stderr.take() {
        forward(Stream::Err, err, sender.clone());
    }
    drop(sender);
    let deadline = time_limit.map(|limit| Instant::now() + limit);
    watch(&mut group, &receiver, interrupt, deadline, on_output)
}

fn watch(
    group: &mut dyn Running,
    receiver: &Receiver<(Stream, Vec<u8>)>,
    interrupt: &AtomicBool,
    deadline: Option<Instant>,
    on_output: &mut dyn FnMut(Stream, &[u8]),
) -> io::Result<Finished> {
    let mut exited: Option<(ExitStatus, Instant)> = None;
    let mut next_look = Instant::now() + TICK;
    loop {
        let is_at_end = match receiver.recv_timeout(TICK) {
            Ok((stream, bytes)) => {
                on_output(stream, &bytes);
                false
            }
            Err(RecvTimeoutError::Timeout) => false,
            Err(RecvTimeoutError::Disconnected) => true,
        };
        // Looking costs system calls; a flood of output must neither pay for them each time nor prevent them.
        if !is_at_end && Instant::now() < next_look {
            continue;
        }
        next_look = Instant::now() + TICK;
        if interrupt.load(Ordering::Relaxed) {
            return Ok(Finished::Interrupted);
        }
        if exited.is_none() {
            exited = group.try_end()?.map(|status| (status, Instant::now()));
        }
        match exited {
            Some((status, at)) if is_at_end || at.elapsed() > LINGER => {
                return Ok(Finished::Exited(status));
            }
            None if deadline.is_some_and(|deadline| Instant::now() > deadline) => {
                return Ok(Finished::TimedOut);
            }
            _ if is_at_end => thread::sleep(Duration::from_millis(1)),
            _ => {}
        }
    }
}

/// What is watched until it ends; dropping it kills what is left.
trait Running {
    /// How it ended, if it did.
    fn try_end(&mut self) -> io::Result<Option<ExitStatus>>;
}

impl Running for Group {
    fn try_end(&mut self) -> io::Result<Option<ExitStatus>> {
        self.child.try_wait()
    }
}

#[cfg(target_os = "linux")]
impl Running for Process {
    fn try_end(&mut self) -> io::Result<Option<ExitStatus>> {
        // What it left running says nothing about it any more.
        Ok(self.is_ended().then(|| self.kill()))
    }
}

fn forward(stream: Stream, mut from: impl Read + Send + 'static, to: SyncSender<(Stream, Vec<u8>)>) {
    thread::spawn(move || {
        let mut buffer = vec![0; 64 * 1024];
        loop {
            match from.read(&mut buffer) {
                Ok(0) => return,
                Ok(n) => {
                    if to.send((stream, buffer[..n].to_vec())).is_err() {
                        return;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    });
}

/// A child that leads a process group; whatever is left of the group ends with this value.
struct Group {
    child: Child,
}

impl Group {
    fn spawn(mut command: Command) -> io::Result<Group> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        #[cfg(target_os = "linux")]
        die_with_the_tool(&mut command);
        Ok(Group { child: command.spawn()? })
    }
}

/// A tool that is killed cannot kill anybody. The one who waits for a program is the thread that started it, so the program
/// never loses its parent earlier. What it has started itself ends when it finds that nobody listens.
#[cfg(target_os = "linux")]
fn die_with_the_tool(command: &mut Command) {
    let tool = std::process::id();
    // System calls only: the child may be a copy of a process with threads.
    unsafe {
        std::os::unix::process::CommandExt::pre_exec(command, move || {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            if libc::getppid() as u32 != tool {
                // Killed before it could be said what shall happen then.
                return Err(io::Error::from_raw_os_error(libc::ESRCH));
            }
            Ok(())
        });
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        #[cfg(unix)]
        // The group id is the child's id; a group that is gone already only makes the call fail.
        unsafe {
            libc::kill(-(self.child.id() as libc::pid_t), libc::SIGKILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Cuts a stream of chunks into lines.
#[derive(Default)]
pub(crate) struct Lines {
    partial: Vec<u8>,
}

impl Lines {
    pub(crate) fn push(&mut self, bytes: &[u8], mut on_line: impl FnMut(&[u8])) {
        for piece in bytes.split_inclusive(|&b| b == b'\n') {
            match piece.strip_suffix(b"\n") {
                None => self.partial.extend_from_slice(piece),
                Some(end) if self.partial.is_empty() => on_line(end),
                Some(end) => {
                    self.partial.extend_from_slice(end);
                    on_line(&self.partial);
                    self.partial.clear();
                }
            }
        }
    }

    /// The last line, if the stream did not end with a line feed.
    pub(crate) fn finish(self, mut on_line: impl FnMut(&[u8])) {
        if !self.partial.is_empty() {
            on_line(&self.partial);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_however_the_chunks_fall() {
        let text = b"one\n\ntwo\nthree";
        for size in 1..=text.len() {
            let mut lines = Lines::default();
            let mut seen = Vec::new();
            for chunk in text.chunks(size) {
                lines.push(chunk, |line| seen.push(line.to_vec()));
            }
            lines.finish(|line| seen.push(line.to_vec()));
            assert_eq!(seen, [&b"one"[..], b"", b"two", b"three"]);
        }
    }

    #[cfg(unix)]
    mod on_unix {
        use super::*;

        fn shell(script: &str) -> Command {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            command
        }

        #[test]
        fn both_streams_and_the_status_come_back() {
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let finished =
                run(shell("echo out; echo err >&2; exit 3"), &AtomicBool::new(false), None, &mut |stream, bytes| {
                    match stream {
                        Stream::Out => out.extend_from_slice(bytes),
                        Stream::Err => err.extend_from_slice(bytes),
                    }
                });
            assert!(matches!(finished, Ok(Finished::Exited(status)) if status.code() == Some(3)));
            assert_eq!((&out[..], &err[..]), (&b"out\n"[..], &b"err\n"[..]));
        }

        #[test]
        fn an_interrupt_kills_the_grandchildren_too() {
            let interrupt = AtomicBool::new(false);
            let mut text = String::new();
            let finished = run(shell("sleep 1000 & echo $!; wait"), &interrupt, None, &mut |_, bytes| {
                text.push_str(&String::from_utf8_lossy(bytes));
                interrupt.store(true, Ordering::Relaxed);
            });
            assert!(matches!(finished, Ok(Finished::Interrupted)));
            wait_for_end(text.trim().parse().unwrap());
        }

        fn wait_for_end(process: i32) {
            let is_gone = || {
                // Whoever adopts orphans may take a moment to reap them.
                std::fs::read_to_string(format!("/proc/{process}/stat")).map_or(true, |stat| stat.contains(") Z "))
            };
            while !is_gone() {
                thread::yield_now();
            }
        }

        #[cfg(target_os = "linux")]
        #[test]
        fn nothing_is_left_of_what_ran_confined() {
            use crate::process::spawn::Launch;
            use crate::sandbox::Sandbox;
            let directory = tempfile::tempdir().unwrap();
            let executable = std::path::Path::new("/bin/sh");
            let fence = Sandbox::off().around(executable);
            let interrupt = AtomicBool::new(false);
            for (script, is_interrupted) in
                [("sleep 1000 & echo $!; exit 7", false), ("sleep 1000 & echo $!; wait", true)]
            {
                let launch = |output| {
                    Process::start(Launch {
                        executable,
                        arguments: &["-c", script],
                        directory: directory.path(),
                        environment: Vec::new(),
                        output,
                        inherited: Vec::new(),
                        has_fixed_addresses: false,
                        fence: &fence,
                        address_space: None,
                    })
                };
                let mut text = String::new();
                let finished = run_confined(launch, &interrupt, Duration::from_secs(1000), &mut |bytes| {
                    text.push_str(&String::from_utf8_lossy(bytes));
                    interrupt.store(is_interrupted, Ordering::Relaxed);
                });
                match finished.unwrap() {
                    Finished::Exited(status) => assert_eq!((status.code(), is_interrupted), (Some(7), false)),
                    finished => assert!(matches!(finished, Finished::Interrupted) && is_interrupted),
                }
                wait_for_end(text.trim().parse().unwrap());
            }
        }

        #[test]
        fn a_program_over_its_time_is_stopped() {
            let finished =
                run(shell("sleep 1000"), &AtomicBool::new(false), Some(Duration::from_millis(50)), &mut |_, _| {});
            assert!(matches!(finished, Ok(Finished::TimedOut)));
        }
    }
}
