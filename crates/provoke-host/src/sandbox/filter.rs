//! Programs for the kernel's system call filter, from a list of rules.
//!
//! Written by hand because `seccompiler` knows one action for all matches, and no data for a trap: the data is what tells
//! the worker what a call was about. The number of the call is looked up in a binary tree: the kernel walks the filter once
//! for every number there is when it is installed, which takes longer than starting a worker if that walk is a long list.

use provoke_wire::{Forbidden, Manner, Trapped};

/// What becomes of a system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    Allow,
    Refuse(Forbidden),
    /// As if the kernel were too old to know it: its callers have another way.
    Missing,
    /// Allowed before the worker has locked itself in, refused afterwards.
    Early(Forbidden),
    /// About a file: the file system's own rules decide.
    Ask(Forbidden),
    /// Opens a file; the argument with the flags says whether for writing.
    Open(u8),
    /// Harmless now, but later programs may feel it.
    Note,
    /// To a process, which must be the worker itself.
    SignalProcess,
    SignalThread,
    SignalMask,
    SignalAction,
    /// Starts a thread, and nothing else.
    Thread,
    /// Needs one of these values in an argument.
    OneOf(u8, &'static [u32], Forbidden),
    /// The argument is a pointer and must be null.
    Null(u8, Forbidden),
    /// A pair of connected sockets, which lead nowhere else.
    SocketPair,
    /// The arguments are descriptors, and none may be the worker's own.
    Descriptors(&'static [u8]),
    /// A descriptor, not the worker's own, and one of these commands.
    Command(&'static [u32], Forbidden),
}

/// For which moment a filter is made. Where several filters apply, the strictest answer counts, and to trap a call is stricter than to
/// let it fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    /// From before the program starts: constructors run under it, and nobody handles traps yet.
    Outer,
    /// From when the worker has started.
    Inner { pass: u64, channels: [u32; 2] },
}

/// One instruction, as the kernel reads it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Instruction {
    code: u16,
    jump_true: u8,
    jump_false: u8,
    value: u32,
}

impl Instruction {
    pub(super) fn to_bytes(self) -> [u8; 8] {
        let ([a, b], [e, f, g, h]) = (self.code.to_ne_bytes(), self.value.to_ne_bytes());
        [a, b, self.jump_true, self.jump_false, e, f, g, h]
    }
}

const LOAD: u16 = 0x20;
const JUMP: u16 = 0x05;
const IF_EQUAL: u16 = 0x15;
const IF_AT_LEAST: u16 = 0x35;
const IF_ANY_BIT: u16 = 0x45;
const AND: u16 = 0x54;
const RETURN: u16 = 0x06;

const NUMBER_AT: u32 = 0;
const ARCHITECTURE_AT: u32 = 4;
const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xc000_00b7;

/// Numbers from here on belong to the other way in which an x86_64 kernel can be called.
const FOREIGN_NUMBERS: u32 = 0x4000_0000;

/// `O_WRONLY | O_RDWR | O_CREAT | O_TRUNC`: the kernel checks these against the right to write.
const WRITING_FLAGS: u32 = (libc::O_WRONLY | libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC) as u32;

/// C libraries install handlers for these when the first thread starts or is cancelled, and hide them from everybody else.
const INTERNAL_SIGNALS: [u32; 3] = [32, 33, 34];

/// A finished filter.
#[derive(Clone, Debug)]
pub(super) struct Filter {
    pub(super) instructions: Vec<Instruction>,
    /// Instructions whose value is the id of the process that is confined.
    process_ids: Vec<usize>,
}

impl Filter {
    /// Says which process is confined; changes no lengths.
    pub(super) fn set_process(&mut self, id: libc::pid_t) {
        for place in &self.process_ids {
            self.instructions[*place].value = id as u32;
        }
    }

    /// Applies it to the calling process. `None` leaves the reason in `errno`.
    ///
    /// # Safety
    /// Makes system calls only, so it may run between fork and exec.
    pub(super) unsafe fn install(&self) -> Option<()> {
        let program = libc::sock_fprog {
            len: self.instructions.len() as u16,
            filter: self.instructions.as_ptr().cast_mut().cast(),
        };
        let install = |flags: libc::c_ulong| unsafe {
            libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const program) == 0
        };
        // Older kernels do not know the flag, which keeps the filter from slowing down what has nothing to do with it.
        (install(libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW) || install(0)).then_some(())
    }
}

/// Rules by number, sorted; numbers up to `last` without one are refused, what comes after is missing.
pub(super) fn compile(rules: &[(u32, Rule)], last: u32, layer: Layer) -> Filter {
    debug_assert!(rules.is_sorted_by_key(|(number, _)| *number));
    let mut assembler = Assembler { layer, instructions: Vec::new(), process_ids: Vec::new() };
    assembler.load(ARCHITECTURE_AT);
    assembler.jump(IF_EQUAL, ARCHITECTURE, 1, 0);
    assembler.ret(libc::SECCOMP_RET_KILL_PROCESS);
    assembler.load(NUMBER_AT);
    assembler.jump(IF_AT_LEAST, FOREIGN_NUMBERS, 0, 1);
    assembler.ret(libc::SECCOMP_RET_KILL_PROCESS);
    assembler.tree(&ranges(rules, last));
    Filter { instructions: assembler.instructions, process_ids: assembler.process_ids }
}

/// Where each run of numbers with the same rule begins.
fn ranges(rules: &[(u32, Rule)], last: u32) -> Vec<(u32, Rule)> {
    let rule_of = |number: u32| match rules.binary_search_by_key(&number, |(number, _)| *number) {
        Ok(place) => rules[place].1,
        Err(_) => Rule::Refuse(Forbidden::Other),
    };
    let mut ranges: Vec<(u32, Rule)> = Vec::new();
    for (number, rule) in (0..=last).map(|number| (number, rule_of(number))).chain([(last + 1, Rule::Missing)]) {
        if ranges.last().is_none_or(|(_, before)| *before != rule) {
            ranges.push((number, rule));
        }
    }
    ranges
}

struct Assembler {
    layer: Layer,
    instructions: Vec<Instruction>,
    process_ids: Vec<usize>,
}

impl Assembler {
    /// Expects the number of the call to be loaded.
    fn tree(&mut self, ranges: &[(u32, Rule)]) {
        if let [(_, rule)] = ranges {
            self.leaf(*rule);
            return;
        }
        let (low, high) = ranges.split_at(ranges.len() / 2);
        self.jump(IF_AT_LEAST, high[0].0, 0, 1);
        // Jumps on a condition are short; this one is not.
        let to_high = self.instructions.len();
        self.jump(JUMP, 0, 0, 0);
        self.tree(low);
        self.instructions[to_high].value = (self.instructions.len() - to_high - 1) as u32;
        self.tree(high);
    }

    fn leaf(&mut self, rule: Rule) {
        let Layer::Inner { channels, .. } = self.layer else {
            return self.outer_leaf(rule);
        };
        match rule {
            Rule::Early(what) => self.refuse(what),
            Rule::Ask(what) => {
                self.allow_with_pass();
                self.trap(Manner::Ask, what);
            }
            Rule::Open(flags) => {
                self.allow_with_pass();
                self.load_low(flags);
                self.jump(IF_ANY_BIT, WRITING_FLAGS, 0, 1);
                self.trap(Manner::Ask, Forbidden::WriteFiles);
                self.trap(Manner::Ask, Forbidden::ReadFiles);
            }
            Rule::Note => {
                self.allow_with_pass();
                self.trap(Manner::Note, Forbidden::ProcessControl);
            }
            Rule::SignalThread => self.trap(Manner::SignalThread, Forbidden::Signals),
            Rule::SignalMask => {
                // Asking, or unblocking signals, cannot block the one of traps.
                self.load_low(0);
                self.allow_if(libc::SIG_UNBLOCK as u32);
                // Who blocks some for a while asks for the old mask. The C library does not when a thread starts or ends, as
                // one does for every batch, and a trap takes longer than all that is done there.
                self.unless_null(2, |this| {
                    this.unless_null(1, |this| this.trap(Manner::SignalMask, Forbidden::Signals));
                });
            }
            Rule::SignalAction => {
                self.allow_with_pass();
                self.unless_null(1, |this| {
                    this.load_low(0);
                    for internal in INTERNAL_SIGNALS {
                        this.allow_if(internal);
                    }
                    this.jump(IF_EQUAL, libc::SIGSYS as u32, 1, 0);
                    this.trap(Manner::Note, Forbidden::ProcessControl);
                    this.refuse(Forbidden::ProcessControl);
                });
            }
            Rule::Descriptors(arguments) => {
                self.allow_with_pass();
                self.hide(channels, arguments);
                self.ret(ALLOW);
            }
            Rule::Command(commands, what) => {
                self.hide(channels, &[0]);
                self.one_of(1, commands, what);
            }
            common => self.common_leaf(common),
        }
    }

    fn outer_leaf(&mut self, rule: Rule) {
        match rule {
            Rule::Early(_)
            | Rule::Ask(_)
            | Rule::Open(_)
            | Rule::Note
            | Rule::SignalMask
            | Rule::SignalAction
            | Rule::Descriptors(_) => self.ret(ALLOW),
            // A filter cannot tell whose thread it is, but for the first one, which has the id of its process.
            Rule::SignalThread => {
                self.load_low(0);
                self.allow_own_id();
                self.refuse(Forbidden::Signals);
            }
            common => self.common_leaf(common),
        }
    }

    /// What is decided by the arguments alone, in both layers.
    fn common_leaf(&mut self, rule: Rule) {
        match rule {
            Rule::Refuse(what) => self.refuse(what),
            Rule::Missing => self.fail(libc::ENOSYS),
            Rule::SignalProcess => {
                self.load_low(0);
                // The group of the worker has no other members.
                self.allow_if(0);
                self.allow_own_id();
                self.refuse(Forbidden::Signals);
            }
            Rule::Thread => {
                self.load_low(0);
                self.jump(IF_ANY_BIT, libc::CLONE_THREAD as u32, 0, 1);
                self.ret(ALLOW);
                self.refuse(Forbidden::Programs);
            }
            Rule::OneOf(argument, values, what) => self.one_of(argument, values, what),
            Rule::Command(commands, what) => self.one_of(1, commands, what),
            Rule::Null(argument, what) => self.unless_null(argument, |this| this.refuse(what)),
            Rule::SocketPair => {
                self.load_low(0);
                self.jump(IF_EQUAL, libc::AF_UNIX as u32, 0, 4);
                self.load_low(1);
                self.jump(AND, 0xf, 0, 0);
                self.allow_if(libc::SOCK_STREAM as u32);
                self.refuse(Forbidden::Network);
            }
            _ => self.ret(ALLOW),
        }
    }

    /// Ends the filter: nothing else than these values is allowed.
    fn one_of(&mut self, argument: u8, values: &[u32], what: Forbidden) {
        self.load_low(argument);
        for value in values {
            self.allow_if(*value);
        }
        self.refuse(what);
    }

    /// Where one of the arguments is a channel, there is no such descriptor.
    fn hide(&mut self, channels: [u32; 2], arguments: &[u8]) {
        for argument in arguments {
            self.load_low(*argument);
            for channel in channels {
                self.jump(IF_EQUAL, channel, 0, 1);
                self.fail(libc::EBADF);
            }
        }
    }

    fn refuse(&mut self, what: Forbidden) {
        match self.layer {
            Layer::Outer => self.fail(libc::EPERM),
            Layer::Inner { .. } => self.trap(Manner::Refuse, what),
        }
    }

    fn trap(&mut self, manner: Manner, what: Forbidden) {
        self.ret(libc::SECCOMP_RET_TRAP | u32::from(Trapped { manner, what }.to_bits()));
    }

    fn fail(&mut self, error: i32) {
        self.ret(libc::SECCOMP_RET_ERRNO | error as u32);
    }

    fn allow_with_pass(&mut self) {
        let Layer::Inner { pass, .. } = self.layer else { return };
        self.load_low(5);
        self.jump(IF_EQUAL, pass as u32, 0, 3);
        self.load_high(5);
        self.jump(IF_EQUAL, (pass >> 32) as u32, 0, 1);
        self.ret(ALLOW);
    }

    /// Of the process that is confined.
    fn allow_own_id(&mut self) {
        self.process_ids.push(self.instructions.len());
        self.allow_if(0);
    }

    fn allow_if(&mut self, value: u32) {
        self.jump(IF_EQUAL, value, 0, 1);
        self.ret(ALLOW);
    }

    /// Allows a null pointer; `otherwise` must end the filter.
    fn unless_null(&mut self, argument: u8, otherwise: impl FnOnce(&mut Assembler)) {
        self.load_low(argument);
        self.jump(IF_EQUAL, 0, 0, 3);
        self.load_high(argument);
        self.jump(IF_EQUAL, 0, 0, 1);
        self.ret(ALLOW);
        otherwise(self);
    }

    /// Arguments are eight bytes each, in the order of the processor, which is little-endian here.
    fn load_low(&mut self, argument: u8) {
        self.load(16 + 8 * u32::from(argument));
    }

    fn load_high(&mut self, argument: u8) {
        self.load(20 + 8 * u32::from(argument));
    }

    fn load(&mut self, at: u32) {
        self.jump(LOAD, at, 0, 0);
    }

    fn ret(&mut self, action: u32) {
        self.jump(RETURN, action, 0, 0);
    }

    fn jump(&mut self, code: u16, value: u32, jump_true: u8, jump_false: u8) {
        self.instructions.push(Instruction { code, jump_true, jump_false, value });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASS: u64 = 0x1234_5678_9abc_def0;
    const INNER: Layer = Layer::Inner { pass: PASS, channels: [200, 201] };

    /// What the kernel would make of a call.
    fn run(filter: &Filter, number: u32, args: [u64; 6]) -> u32 {
        run_on(filter, ARCHITECTURE, number, args)
    }

    fn run_on(filter: &Filter, architecture: u32, number: u32, args: [u64; 6]) -> u32 {
        let (mut at, mut accumulator) = (0, 0u32);
        loop {
            let Instruction { code, jump_true, jump_false, value } = filter.instructions[at];
            at += 1;
            let mut branch = |is_true: bool| at += usize::from(if is_true { jump_true } else { jump_false });
            match code {
                LOAD => {
                    accumulator = match value {
                        NUMBER_AT => number,
                        ARCHITECTURE_AT => architecture,
                        offset => {
                            let word = args[(offset as usize - 16) / 8];
                            if offset % 8 == 0 { word as u32 } else { (word >> 32) as u32 }
                        }
                    }
                }
                JUMP => at += value as usize,
                AND => accumulator &= value,
                IF_EQUAL => branch(accumulator == value),
                IF_AT_LEAST => branch(accumulator >= value),
                IF_ANY_BIT => branch(accumulator & value != 0),
                RETURN => return value,
                _ => panic!("unknown instruction {code}"),
            }
        }
    }

    fn errno(error: i32) -> u32 {
        libc::SECCOMP_RET_ERRNO | error as u32
    }

    fn trap(manner: Manner, what: Forbidden) -> u32 {
        libc::SECCOMP_RET_TRAP | u32::from(Trapped { manner, what }.to_bits())
    }

    #[test]
    fn every_number_gets_its_rule_and_the_others_are_refused_or_missing() {
        let rules: Vec<(u32, Rule)> = (0..300)
            .filter(|number| number % 7 != 3)
            .map(|number| (number, if number % 2 == 0 { Rule::Allow } else { Rule::Refuse(Forbidden::Network) }))
            .collect();
        let (outer, inner) = (compile(&rules, 320, Layer::Outer), compile(&rules, 320, INNER));
        for number in 0..400 {
            let rule = rules.iter().find(|(known, _)| *known == number).map(|(_, rule)| *rule);
            let (expected_outer, expected_inner) = match rule {
                Some(Rule::Allow) => (ALLOW, ALLOW),
                Some(_) => (errno(libc::EPERM), trap(Manner::Refuse, Forbidden::Network)),
                None if number <= 320 => (errno(libc::EPERM), trap(Manner::Refuse, Forbidden::Other)),
                None => (errno(libc::ENOSYS), errno(libc::ENOSYS)),
            };
            assert_eq!(run(&outer, number, [0; 6]), expected_outer, "{number}");
            assert_eq!(run(&inner, number, [0; 6]), expected_inner, "{number}");
        }
        assert_eq!(run_on(&outer, 3, 0, [0; 6]), libc::SECCOMP_RET_KILL_PROCESS);
        assert_eq!(run(&outer, FOREIGN_NUMBERS, [0; 6]), libc::SECCOMP_RET_KILL_PROCESS);
    }

    /// The answer of the inner layer to one call under one rule.
    fn inner(rule: Rule, args: [u64; 6]) -> u32 {
        let mut filter = compile(&[(1, rule)], 2, INNER);
        filter.set_process(4242);
        run(&filter, 1, args)
    }

    #[test]
    fn files_are_asked_about_unless_the_worker_itself_asks() {
        let rule = Rule::Open(2);
        let reading = [0, 0, libc::O_RDONLY as u64, 0, 0, 0];
        assert_eq!(inner(rule, reading), trap(Manner::Ask, Forbidden::ReadFiles));
        let writing = [0, 0, libc::O_RDWR as u64, 0, 0, 0];
        assert_eq!(inner(rule, writing), trap(Manner::Ask, Forbidden::WriteFiles));
        assert_eq!(inner(rule, [0, 0, libc::O_RDWR as u64, 0, 0, PASS]), ALLOW);
        assert_ne!(inner(rule, [0, 0, 0, 0, 0, PASS & 0xffff_ffff]), ALLOW);
        assert_eq!(inner(Rule::Ask(Forbidden::MoveFiles), [0; 6]), trap(Manner::Ask, Forbidden::MoveFiles));
    }

    #[test]
    fn signals_go_to_the_own_process_only() {
        assert_eq!(inner(Rule::SignalProcess, [4242, 6, 0, 0, 0, 0]), ALLOW);
        assert_eq!(inner(Rule::SignalProcess, [4243, 6, 0, 0, 0, 0]), trap(Manner::Refuse, Forbidden::Signals));
        let everyone = u64::from(u32::MAX);
        assert_eq!(inner(Rule::SignalProcess, [everyone, 9, 0, 0, 0, 0]), trap(Manner::Refuse, Forbidden::Signals));
    }

    #[test]
    fn before_main_too_no_signal_leaves_the_process() {
        let mut filter = compile(&crate::sandbox::rules::rules(), crate::sandbox::rules::LAST_NUMBER, Layer::Outer);
        filter.set_process(4242);
        let call = |number: libc::c_long, args: [u64; 6]| run(&filter, number as u32, args);
        let everyone = u64::from(u32::MAX);
        for number in [libc::SYS_kill, libc::SYS_tkill, libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo] {
            assert_eq!(call(number, [4242, 6, 0, 0, 0, 0]), ALLOW, "{number}");
            for other in [4243, everyone, u64::from(4242u32.wrapping_neg())] {
                assert_eq!(call(number, [other, 6, 0, 0, 0, 0]), errno(libc::EPERM), "{number} {other}");
            }
        }
        assert_eq!(call(libc::SYS_rt_tgsigqueueinfo, [4243, 4243, 6, 0, 0, 0]), errno(libc::EPERM));
        assert_eq!(call(libc::SYS_pidfd_send_signal, [4242, 6, 0, 0, 0, 0]), errno(libc::EPERM));
        // How the C library aborts from any thread.
        assert_eq!(call(libc::SYS_tgkill, [4242, 4250, 6, 0, 0, 0]), ALLOW);
    }

    #[test]
    fn the_signal_of_traps_can_be_neither_blocked_for_a_while_nor_handled() {
        let (block, unblock) = (libc::SIG_BLOCK as u64, libc::SIG_UNBLOCK as u64);
        assert_eq!(inner(Rule::SignalMask, [block, 0, 99, 8, 0, 0]), ALLOW);
        assert_eq!(inner(Rule::SignalMask, [unblock, 99, 0, 8, 0, 0]), ALLOW);
        let masked = inner(Rule::SignalMask, [block, 1 << 40, 1 << 41, 8, 0, 0]);
        assert_eq!(masked, trap(Manner::SignalMask, Forbidden::Signals));
        assert_eq!(inner(Rule::SignalMask, [block, 99, 0, 8, 0, 0]), ALLOW, "so does every thread that ends");
        let (sigsys, sigint) = (libc::SIGSYS as u64, libc::SIGINT as u64);
        let refused = trap(Manner::Refuse, Forbidden::ProcessControl);
        assert_eq!(inner(Rule::SignalAction, [sigsys, 99, 0, 8, 0, 0]), refused);
        assert_eq!(inner(Rule::SignalAction, [sigsys, 0, 99, 8, 0, 0]), ALLOW);
        let noted = trap(Manner::Note, Forbidden::ProcessControl);
        assert_eq!(inner(Rule::SignalAction, [sigint, 99, 0, 8, 0, 0]), noted);
        assert_eq!(inner(Rule::SignalAction, [sigint, 0, 99, 8, 0, 0]), ALLOW, "std asks so on every thread");
        assert_eq!(inner(Rule::SignalAction, [33, 99, 0, 8, 0, 0]), ALLOW, "so does every first thread");
    }

    #[test]
    fn arguments_decide_where_a_call_serves_two_ends() {
        let thread = (libc::CLONE_VM | libc::CLONE_THREAD) as u64;
        assert_eq!(inner(Rule::Thread, [thread, 0, 0, 0, 0, 0]), ALLOW);
        let process = (libc::CLONE_VM | libc::CLONE_VFORK) as u64;
        assert_eq!(inner(Rule::Thread, [process, 0, 0, 0, 0, 0]), trap(Manner::Refuse, Forbidden::Programs));
        let rule = Rule::OneOf(1, &[3, 5], Forbidden::System);
        assert_eq!(inner(rule, [0, 5, 0, 0, 0, 0]), ALLOW);
        assert_eq!(inner(rule, [0, 4, 0, 0, 0, 0]), trap(Manner::Refuse, Forbidden::System));
        let rule = Rule::Null(2, Forbidden::ProcessControl);
        assert_eq!(inner(rule, [1, 1, 0, 1, 0, 0]), ALLOW);
        assert_ne!(inner(rule, [1, 1, 1 << 33, 1, 0, 0]), ALLOW);
        let stream = (libc::SOCK_STREAM | libc::SOCK_CLOEXEC) as u64;
        assert_eq!(inner(Rule::SocketPair, [libc::AF_UNIX as u64, stream, 0, 0, 0, 0]), ALLOW);
        let datagram = libc::SOCK_DGRAM as u64;
        let refused = trap(Manner::Refuse, Forbidden::Network);
        assert_eq!(inner(Rule::SocketPair, [libc::AF_UNIX as u64, datagram, 0, 0, 0, 0]), refused);
        assert_eq!(inner(Rule::SocketPair, [libc::AF_INET as u64, stream, 0, 0, 0, 0]), refused);
    }

    #[test]
    fn the_pipes_to_the_tool_do_not_exist_for_the_code_under_test() {
        let rule = Rule::Descriptors(&[0, 2]);
        assert_eq!(inner(rule, [7, 0, 8, 0, 0, 0]), ALLOW);
        assert_eq!(inner(rule, [200, 0, 8, 0, 0, 0]), errno(libc::EBADF));
        assert_eq!(inner(rule, [7, 0, 201, 0, 0, 0]), errno(libc::EBADF));
        assert_eq!(inner(rule, [200, 0, 201, 0, 0, PASS]), ALLOW);
        let rule = Rule::Command(&[3, 4], Forbidden::Signals);
        assert_eq!(inner(rule, [7, 4, 0, 0, 0, 0]), ALLOW);
        assert_eq!(inner(rule, [7, 8, 0, 0, 0, 0]), trap(Manner::Refuse, Forbidden::Signals));
        assert_eq!(inner(rule, [201, 4, 0, 0, 0, 0]), errno(libc::EBADF));
    }
}
