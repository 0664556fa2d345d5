//! Runs one program to its end, streaming what it writes; an interrupt or a time limit kills it with all its children.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

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
    group: &mut Group,
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
            exited = group.child.try_wait()?.map(|status| (status, Instant::now()));
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
            let grandchild: i32 = text.trim().parse().unwrap();
            let is_gone = |pid: i32| {
                // Whoever adopts orphans may take a moment to reap them.
                std::fs::read_to_string(format!("/proc/{pid}/stat")).map_or(true, |stat| stat.contains(") Z "))
            };
            while !is_gone(grandchild) {
                thread::yield_now();
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
