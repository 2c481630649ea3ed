//! Yes and no in less than a bit: a binary range coder whose chances adapt (Martin 1979; the form is that of LZMA).

/// Chances are numbers of this many bits.
const BITS: u32 = 12;
/// A chance moves by this share (a power of two) to what came.
const RATE: u32 = 5;
const TOP: u32 = 1 << 24;

/// The chance that an answer is no, learnt from those before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chance(u16);

impl Chance {
    pub(crate) const EVEN: Self = Self(1 << (BITS - 1));

    const fn bound(self, range: u32) -> u32 {
        (range >> BITS) * self.0 as u32
    }

    const fn learn(&mut self, answer: bool) {
        self.0 = if answer {
            self.0 - (self.0 >> RATE)
        } else {
            self.0 + (((1 << BITS) - self.0) >> RATE)
        };
    }
}

/// Writes answers.
#[derive(Debug)]
pub(crate) struct Encoder {
    low: u64,
    range: u32,
    bytes: Vec<u8>,
}

impl Encoder {
    pub(crate) const fn new() -> Self {
        Self { low: 0, range: u32::MAX, bytes: Vec::new() }
    }

    pub(crate) fn put(&mut self, chance: &mut Chance, answer: bool) {
        let bound = chance.bound(self.range);
        if answer {
            self.low += u64::from(bound);
            self.range -= bound;
        } else {
            self.range = bound;
        }
        chance.learn(answer);
        while self.range < TOP {
            self.range <<= 8;
            self.shift();
        }
    }

    fn shift(&mut self) {
        if self.low > u64::from(u32::MAX) {
            // The carry goes through all bytes that are full.
            for byte in self.bytes.iter_mut().rev() {
                *byte = byte.wrapping_add(1);
                if *byte != 0 {
                    break;
                }
            }
            self.low &= u64::from(u32::MAX);
        }
        self.bytes.push((self.low >> 24) as u8);
        self.low = (self.low << 8) & u64::from(u32::MAX);
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        (0..4).for_each(|_| self.shift());
        self.bytes
    }
}

/// Reads them.
#[derive(Debug)]
pub(crate) struct Decoder<'a> {
    code: u32,
    range: u32,
    bytes: &'a [u8],
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let mut new = Self { code: 0, range: u32::MAX, bytes };
        (0..4).for_each(|_| new.shift());
        new
    }

    pub(crate) fn get(&mut self, chance: &mut Chance) -> bool {
        let bound = chance.bound(self.range);
        let answer = self.code >= bound;
        if answer {
            self.code -= bound;
            self.range -= bound;
        } else {
            self.range = bound;
        }
        chance.learn(answer);
        while self.range < TOP {
            self.range <<= 8;
            self.shift();
        }
        answer
    }

    /// Behind the end are zeros.
    fn shift(&mut self) {
        let (first, rest) = self.bytes.split_first().unwrap_or((&0, &[]));
        self.code = self.code << 8 | u32::from(*first);
        self.bytes = rest;
    }
}
