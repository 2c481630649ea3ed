//! SipHash-2-4, the keyed hash function behind all randomness.
//!
//! Source: J.-P. Aumasson and D. J. Bernstein, "SipHash: a fast short-input PRF" (2012). The dice of a table are words of many messages
//! with the same first half; [`SipPrefix`] hashes that half once.

/// A 128-bit key, as the initial state of the hash.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SipKey {
    state: [u64; 4],
}

impl SipKey {
    /// The key whose little-endian integer is `key`.
    pub(crate) fn new(key: u128) -> Self {
        let (low, high) = (key as u64, (key >> 64) as u64);
        let state = [
            low ^ 0x736f_6d65_7073_6575,
            high ^ 0x646f_7261_6e64_6f6d,
            low ^ 0x6c79_6765_6e65_7261,
            high ^ 0x7465_6462_7974_6573,
        ];
        Self { state }
    }

    /// The hash of a message.
    pub(crate) fn hash(self, message: &[u8]) -> u64 {
        let mut state = self.state;
        let (blocks, rest) = message.as_chunks::<8>();
        for block in blocks {
            absorb(&mut state, u64::from_le_bytes(*block));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        finish(state, u64::from_le_bytes(last) | (message.len() as u64) << 56)
    }

    /// The state after the first half of a 16-byte message, as a little-endian integer.
    pub(crate) const fn prefix(self, first: u64) -> SipPrefix {
        let mut state = self.state;
        absorb(&mut state, first);
        SipPrefix { state }
    }
}

/// The state after the first half of a 16-byte message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SipPrefix {
    state: [u64; 4],
}

impl SipPrefix {
    /// The hash of the message whose second half is `second`, as a little-endian integer.
    #[inline]
    pub(crate) const fn word(self, second: u64) -> u64 {
        let mut state = self.state;
        absorb(&mut state, second);
        finish(state, 16 << 56)
    }
}

#[inline]
const fn absorb(state: &mut [u64; 4], block: u64) {
    state[3] ^= block;
    round(state);
    round(state);
    state[0] ^= block;
}

#[inline]
const fn finish(mut state: [u64; 4], last: u64) -> u64 {
    absorb(&mut state, last);
    state[2] ^= 0xff;
    round(&mut state);
    round(&mut state);
    round(&mut state);
    round(&mut state);
    state[0] ^ state[1] ^ state[2] ^ state[3]
}

#[inline]
const fn round([a, b, c, d]: &mut [u64; 4]) {
    *a = a.wrapping_add(*b);
    *c = c.wrapping_add(*d);
    *b = b.rotate_left(13) ^ *a;
    *d = d.rotate_left(16) ^ *c;
    *a = a.rotate_left(32);
    *c = c.wrapping_add(*b);
    *a = a.wrapping_add(*d);
    *b = b.rotate_left(17) ^ *c;
    *d = d.rotate_left(21) ^ *a;
    *c = c.rotate_left(32);
}

#[cfg(test)]
mod tests {
    use super::SipKey;

    /// The authors' vectors: key 00 01 .. 0f, message 00 01 .. of each length.
    #[test]
    fn hashes_match_the_authors_vectors() {
        let key = SipKey::new(u128::from_le_bytes(std::array::from_fn(|i| i as u8)));
        let message: Vec<u8> = (0..16).collect();
        let check = |length: usize, word: u64| assert_eq!(key.hash(&message[..length]), word);
        check(0, 0x726f_db47_dd0e_0e31);
        check(1, 0x74f8_39c5_93dc_67fd);
        check(7, 0xab02_00f5_8b01_d137);
        check(8, 0x93f5_f579_9a93_2462);
        check(15, 0xa129_ca61_49be_45e5);
    }

    #[test]
    fn a_prefix_and_a_word_are_a_message_of_sixteen_bytes() {
        let key = SipKey::new(77);
        let (first, second) = (0x0123_4567_89ab_cdef_u64, u64::MAX - 5);
        let message = [first.to_le_bytes(), second.to_le_bytes()].concat();
        assert_eq!(key.prefix(first).word(second), key.hash(&message));
    }
}
