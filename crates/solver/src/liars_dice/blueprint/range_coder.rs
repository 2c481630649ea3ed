//! A binary range coder with adaptive probabilities (Martin 1979), in the form that LZMA uses.

/// The precision of probabilities in bits.
const BITS: u32 = 12;
/// A probability moves towards each coded bit by 2^-RATE of the distance.
const RATE: u32 = 5;
const TOP: u32 = 1 << 24;

/// The adaptive probability that a bit is 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitProbability(u16);

impl BitProbability {
    pub(crate) const EVEN: Self = Self(1 << (BITS - 1));

    const fn bound(self, range: u32) -> u32 {
        (range >> BITS) * self.0 as u32
    }

    const fn adapt(&mut self, bit: bool) {
        self.0 =
            if bit { self.0 - (self.0 >> RATE) } else { self.0 + (((1 << BITS) - self.0) >> RATE) };
    }
}

/// Encodes bits to bytes.
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

    pub(crate) fn encode(&mut self, probability: &mut BitProbability, bit: bool) {
        let bound = probability.bound(self.range);
        if bit {
            self.low += u64::from(bound);
            self.range -= bound;
        } else {
            self.range = bound;
        }
        probability.adapt(bit);
        while self.range < TOP {
            self.range <<= 8;
            self.shift();
        }
    }

    fn shift(&mut self) {
        if self.low > u64::from(u32::MAX) {
            // A carry propagates through trailing 0xff bytes.
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

/// Decodes the bits of [`Encoder`].
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

    pub(crate) fn decode(&mut self, probability: &mut BitProbability) -> bool {
        let bound = probability.bound(self.range);
        let bit = self.code >= bound;
        if bit {
            self.code -= bound;
            self.range -= bound;
        } else {
            self.range = bound;
        }
        probability.adapt(bit);
        while self.range < TOP {
            self.range <<= 8;
            self.shift();
        }
        bit
    }

    /// Bytes past the end count as zero.
    fn shift(&mut self) {
        let (first, rest) = self.bytes.split_first().unwrap_or((&0, &[]));
        self.code = self.code << 8 | u32::from(*first);
        self.bytes = rest;
    }
}
