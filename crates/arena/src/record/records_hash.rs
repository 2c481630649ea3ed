//! The hash over all records of a run, with a state that can be saved and resumed.
//!
//! It is BLAKE3 over the lines of all games that count, each with its newline, in order. BLAKE3 is a tree hash, so the
//! state is one value per complete subtree and the bytes after them.

use std::fmt::Write;

use blake3::hazmat::{
    ChainingValue, HasherExt, Mode, merge_subtrees_non_root, merge_subtrees_root,
};

/// Bytes of the smallest subtree. BLAKE3 is much faster over many chunks at once.
const SUBTREE: usize = 1 << 16;

/// The hash over the lines so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordsHash {
    /// The number of subtrees hashed, of [`SUBTREE`] bytes each.
    subtrees: u64,
    /// The chaining values of complete subtrees, largest first: one for each bit set in `subtrees`.
    stack: Vec<ChainingValue>,
    /// The bytes after them. Not empty once there is a line.
    tail: Vec<u8>,
}

impl RecordsHash {
    /// Adds a line, given without its newline.
    pub fn add(&mut self, line: &str) {
        self.tail.extend_from_slice(line.as_bytes());
        self.tail.push(b'\n');
        // The last bytes belong to the root, so the tail must not become empty.
        while self.tail.len() > SUBTREE {
            self.push_subtree();
        }
    }

    /// Adds a line that is already in `leader`, and copies the work instead of repeating it. Both must have had the
    /// same lines before.
    pub fn add_shared(&mut self, line: &str, leader: &Self) {
        self.tail.extend_from_slice(line.as_bytes());
        self.tail.push(b'\n');
        if self.subtrees != leader.subtrees {
            self.tail.drain(..(leader.subtrees - self.subtrees) as usize * SUBTREE);
            self.subtrees = leader.subtrees;
            self.stack.clone_from(&leader.stack);
        }
        debug_assert_eq!(self.tail.len(), leader.tail.len(), "both have had the same lines");
    }

    fn push_subtree(&mut self) {
        let mut value = hasher_at(self.subtrees).update(&self.tail[..SUBTREE]).finalize_non_root();
        self.tail.drain(..SUBTREE);
        self.subtrees += 1;
        for _ in 0..self.subtrees.trailing_zeros() {
            let left = self.stack.pop().expect("as many as bits of the count before were set");
            value = merge_subtrees_non_root(&left, &value, Mode::Hash);
        }
        self.stack.push(value);
    }

    /// The hash as documents write it: `blake3:` and 64 hexadecimal digits.
    #[must_use]
    pub fn finish(&self) -> String {
        format!("blake3:{}", self.root())
    }

    fn root(&self) -> blake3::Hash {
        let [first, rest @ ..] = self.stack.as_slice() else { return blake3::hash(&self.tail) };
        let last = hasher_at(self.subtrees).update(&self.tail).finalize_non_root();
        let right = rest
            .iter()
            .rev()
            .fold(last, |right, left| merge_subtrees_non_root(left, &right, Mode::Hash));
        merge_subtrees_root(first, &right, Mode::Hash)
    }

    /// The state as one line of text, for [`RecordsHash::from_state`].
    #[must_use]
    pub fn state(&self) -> String {
        let mut text = format!("{}:", self.subtrees);
        for byte in self.stack.iter().flatten().chain(&self.tail) {
            write!(text, "{byte:02x}").expect("a String takes everything");
        }
        text
    }

    /// Restores the state that [`RecordsHash::state`] wrote; `None` for any other text.
    #[must_use]
    pub fn from_state(text: &str) -> Option<Self> {
        let (subtrees, hex) = text.split_once(':')?;
        let subtrees: u64 = subtrees.parse().ok()?;
        let digits = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        if hex.len() % 2 != 0 {
            return None;
        }
        let bytes = hex.as_bytes().chunks(2).map(digits).collect::<Option<Vec<u8>>>()?;
        let (values, tail) = bytes.split_at_checked(32 * subtrees.count_ones() as usize)?;
        let stack = values.chunks(32).map(|value| value.try_into().expect("chunks of 32"));
        let fits = tail.len() <= SUBTREE && (subtrees == 0 || !tail.is_empty());
        fits.then(|| Self { subtrees, stack: stack.collect(), tail: tail.to_vec() })
    }
}

fn hasher_at(subtrees: u64) -> blake3::Hasher {
    let mut hasher = blake3::Hasher::new();
    hasher.set_input_offset(subtrees * SUBTREE as u64);
    hasher
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines that end at, before and after the ends of subtrees.
    fn lines() -> Vec<String> {
        let length =
            |n: usize| (n * n * 37) % 3000 + usize::from(n.is_multiple_of(50)) * (SUBTREE - 1);
        (0..400).map(|n| char::from(b'a' + (n % 26) as u8).to_string().repeat(length(n))).collect()
    }

    #[test]
    fn the_hash_is_blake3_of_all_lines() {
        let (mut hash, mut plain) = (RecordsHash::default(), blake3::Hasher::new());
        assert_eq!(hash.finish(), format!("blake3:{}", plain.finalize()));
        for line in lines() {
            hash.add(&line);
            plain.update(line.as_bytes()).update(b"\n");
            assert_eq!(hash.finish(), format!("blake3:{}", plain.finalize()));
        }
    }

    #[test]
    fn a_hash_restored_from_its_state_continues_as_before() {
        let (mut uninterrupted, mut restored) = (RecordsHash::default(), RecordsHash::default());
        for (index, line) in lines().iter().enumerate() {
            uninterrupted.add(line);
            restored.add(line);
            if index % 7 == 0 {
                restored = RecordsHash::from_state(&restored.state()).expect("its own state");
            }
            assert_eq!(restored, uninterrupted);
        }
    }

    #[test]
    fn a_follower_has_the_state_of_its_leader() {
        let (mut leader, mut follower) = (RecordsHash::default(), RecordsHash::default());
        for line in lines() {
            leader.add(&line);
            follower.add_shared(&line, &leader);
            assert_eq!(follower, leader);
        }
    }

    #[test]
    fn texts_that_are_no_state_are_refused() {
        for text in ["", "1", "x:00", "0:0", "0:zz", "1:00", "3:00", "1:é"] {
            assert_eq!(RecordsHash::from_state(text), None, "{text}");
        }
    }
}
