//! Little-endian reading and writing, for messages in both directions.

/// What was wrong with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// What was being read.
    pub what: &'static str,
    /// How far into the message.
    pub offset: usize,
}

impl std::fmt::Display for DecodeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "malformed {} at byte {}", self.what, self.offset)
    }
}

impl std::error::Error for DecodeError {}

/// Appends numbers and text to a buffer.
#[derive(Default)]
pub struct Writer {
    pub bytes: Vec<u8>,
}

impl Writer {
    #[inline]
    pub fn u8(&mut self, v: u8) {
        self.bytes.push(v);
    }

    #[inline]
    pub fn u32(&mut self, v: u32) {
        self.bytes.extend_from_slice(&v.to_le_bytes());
    }

    #[inline]
    pub fn u64(&mut self, v: u64) {
        self.bytes.extend_from_slice(&v.to_le_bytes());
    }

    pub fn blob(&mut self, v: &[u8]) {
        self.u32(v.len() as u32);
        self.bytes.extend_from_slice(v);
    }

    pub fn text(&mut self, v: &str) {
        self.blob(v.as_bytes());
    }

    /// Their number, then each.
    pub fn words(&mut self, v: &[u32]) {
        self.u32(v.len() as u32);
        for word in v {
            self.u32(*word);
        }
    }

    /// In as few bytes as it takes, seven bits each.
    pub fn short(&mut self, mut v: u32) {
        while v >= 0x80 {
            self.u8(v as u8 | 0x80);
            v >>= 7;
        }
        self.u8(v as u8);
    }
}

/// Reads them back; every length is checked against what is left before anything is allocated.
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, at: 0 }
    }

    #[inline]
    pub fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    #[inline]
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub fn error(&self, what: &'static str) -> DecodeError {
        DecodeError { what, offset: self.at }
    }

    #[inline]
    pub fn take(&mut self, n: usize, what: &'static str) -> Result<&'a [u8], DecodeError> {
        if n > self.remaining() {
            return Err(self.error(what));
        }
        let taken = &self.bytes[self.at..self.at + n];
        self.at += n;
        Ok(taken)
    }

    #[inline]
    pub fn u8(&mut self, what: &'static str) -> Result<u8, DecodeError> {
        Ok(self.take(1, what)?[0])
    }

    #[inline]
    pub fn u32(&mut self, what: &'static str) -> Result<u32, DecodeError> {
        let bytes = self.take(4, what)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    #[inline]
    pub fn u64(&mut self, what: &'static str) -> Result<u64, DecodeError> {
        let low = u64::from(self.u32(what)?);
        Ok(u64::from(self.u32(what)?) << 32 | low)
    }

    /// A count of things that each take at least `least` bytes, so that it cannot ask for absurd memory.
    #[inline]
    pub fn count(&mut self, least: usize, what: &'static str) -> Result<usize, DecodeError> {
        let n = self.u32(what)? as usize;
        if n.saturating_mul(least.max(1)) > self.remaining() {
            return Err(self.error(what));
        }
        Ok(n)
    }

    pub fn words(&mut self, what: &'static str) -> Result<Vec<u32>, DecodeError> {
        let n = self.count(4, what)?;
        (0..n).map(|_| self.u32(what)).collect()
    }

    pub fn short(&mut self, what: &'static str) -> Result<u32, DecodeError> {
        let mut value = 0;
        for shift in (0..32).step_by(7) {
            let byte = u32::from(self.u8(what)?);
            value |= (byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(self.error(what))
    }

    pub fn blob(&mut self, what: &'static str) -> Result<&'a [u8], DecodeError> {
        let n = self.u32(what)? as usize;
        self.take(n, what)
    }

    /// Text from code under test need not be valid UTF-8; what is not gets replaced.
    pub fn text(&mut self, what: &'static str) -> Result<String, DecodeError> {
        Ok(String::from_utf8_lossy(self.blob(what)?).into_owned())
    }
}
