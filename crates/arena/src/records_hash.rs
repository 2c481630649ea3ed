//! The hash over all records of a run, which can be taken up again where it was left.
//!
//! It is BLAKE3 over the lines of all games that count, each with its newline, in order. BLAKE3 is a
//! tree: of what has been hashed only one value for each complete subtree has to be kept.

use std::fmt::Write;

use blake3::hazmat::{
    ChainingValue, HasherExt, Mode, merge_subtrees_non_root, merge_subtrees_root,
};

/// Bytes of the smallest subtree that is kept: many chunks at a time are hashed much faster.
const SUBTREE: usize = 1 << 16;

/// The hash over the lines so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordsHash {
    /// Subtrees hashed, of [`SUBTREE`] bytes each.
    subtrees: u64,
    /// The values of complete subtrees, largest first: one for each bit that is set in `subtrees`.
    stack: Vec<ChainingValue>,
    /// What comes behind them. It is not empty once there is a line.
    tail: Vec<u8>,
}

impl RecordsHash {
    /// Takes in a line, given without its newline.
    pub fn add(&mut self, line: &str) {
        self.tail.extend_from_slice(line.as_bytes());
        self.tail.push(b'\n');
        // What comes last belongs to the root, so that something is always left.
        while self.tail.len() > SUBTREE {
            self.push_subtree();
        }
    }

    /// Takes in a line that `leader` has taken in already, whose work need not be done again.
    pub fn follow(&mut self, line: &str, leader: &Self) {
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

    /// The hash, as documents have it.
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

    /// All that is needed to go on, as one line of text.
    #[must_use]
    pub fn state(&self) -> String {
        let mut text = format!("{}:", self.subtrees);
        for byte in self.stack.iter().flatten().chain(&self.tail) {
            write!(text, "{byte:02x}").expect("a String takes everything");
        }
        text
    }

    /// The hash as [`RecordsHash::state`] has described it; `None` if the text describes none.
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

    /// Lines whose lengths meet and miss the ends of subtrees.
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
    fn the_hash_goes_on_from_its_state() {
        let (mut through, mut stopped) = (RecordsHash::default(), RecordsHash::default());
        for (index, line) in lines().iter().enumerate() {
            through.add(line);
            stopped.add(line);
            if index % 7 == 0 {
                stopped = RecordsHash::from_state(&stopped.state()).expect("its own state");
            }
            assert_eq!(stopped, through);
        }
    }

    #[test]
    fn who_follows_is_where_the_leader_is() {
        let (mut leader, mut follower) = (RecordsHash::default(), RecordsHash::default());
        for line in lines() {
            leader.add(&line);
            follower.follow(&line, &leader);
            assert_eq!(follower, leader);
        }
    }

    #[test]
    fn what_is_no_state_is_refused() {
        for text in ["", "1", "x:00", "0:0", "0:zz", "1:00", "3:00", "1:é"] {
            assert_eq!(RecordsHash::from_state(text), None, "{text}");
        }
    }
}
