//! How the tool tells a worker to lock itself in, and what a trapped system call means.
//!
//! The rules are a program for the kernel's system call filter, and the tool writes it; the worker only installs it. A call that
//! is not simply allowed is *trapped*: the kernel interrupts the thread with a signal and 16 bits that the rules chose for
//! the call. They say what the worker's handler shall do ([`Manner`]) and what to put down if it is refused.

use crate::Forbidden;
use crate::bytes::{DecodeError, Reader, Writer};

/// What becomes of a trapped system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Manner {
    /// It fails.
    Refuse = 0,
    /// The kernel decides: made again with the pass, and put down as refused if it lacks permission.
    Ask = 1,
    /// Made again with the pass. It changes the process for all programs that come later.
    Note = 2,
    /// Changes which signals are blocked; the one that tells of trapped calls never is.
    SignalMask = 3,
    /// A signal to a thread that must be one of this process.
    SignalThread = 4,
}

impl Manner {
    fn from_bits(bits: u32) -> Option<Manner> {
        const ALL: [Manner; 5] = [Manner::Refuse, Manner::Ask, Manner::Note, Manner::SignalMask, Manner::SignalThread];
        ALL.into_iter().find(|manner| *manner as u32 == bits)
    }
}

/// The 16 bits that come with a trapped call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trapped {
    pub manner: Manner,
    pub what: Forbidden,
}

impl Trapped {
    pub fn to_bits(self) -> u16 {
        u16::from(self.manner as u8) << 8 | u16::from(self.what as u8)
    }

    /// What is unknown is refused.
    pub fn from_bits(bits: u32) -> Trapped {
        Trapped {
            manner: Manner::from_bits(bits >> 8 & 0xff).unwrap_or(Manner::Refuse),
            what: Forbidden::from_code(bits & 0xff).unwrap_or(Forbidden::Other),
        }
    }
}

/// What a worker installs before it runs anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confinement<'a> {
    /// In the last argument of a call, it tells the filter that the worker itself makes it.
    pub pass: u64,
    /// Instructions of eight bytes, as the kernel reads them.
    pub filter: &'a [u8],
}

impl<'a> Confinement<'a> {
    pub(crate) fn encode(&self, writer: &mut Writer) {
        writer.u64(self.pass);
        writer.u32((self.filter.len() / 8) as u32);
        writer.bytes.extend_from_slice(self.filter);
    }

    pub(crate) fn decode(reader: &mut Reader<'a>) -> Result<Confinement<'a>, DecodeError> {
        let pass = reader.u64("pass")?;
        let n_instructions = reader.count(8, "filter")?;
        let filter = reader.take(8 * n_instructions, "filter")?;
        if reader.is_at_end() { Ok(Confinement { pass, filter }) } else { Err(reader.error("confinement")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_trap_says_survives_its_sixteen_bits() {
        for what in Forbidden::ALL {
            for manner in [Manner::Refuse, Manner::Ask, Manner::Note, Manner::SignalMask, Manner::SignalThread] {
                let trapped = Trapped { manner, what };
                assert_eq!(Trapped::from_bits(trapped.to_bits().into()), trapped);
            }
        }
        assert_eq!(Trapped::from_bits(0xffff), Trapped { manner: Manner::Refuse, what: Forbidden::Other });
    }
}
