//! Changes of an input. Each applies to any bytes; those of tokens and lines are meant for texts.

use std::ops::Range;

use proptest::prelude::*;
use proptest::sample::Index;

/// The longest input, in bytes.
const MAX_BYTES: usize = 128 << 10;
/// The deepest nesting that one mutation writes.
const MAX_DEPTH: usize = 20_000;
/// What opens a level of nesting in the formats that are read.
const OPENERS: [&[u8]; 5] = [b"[", b"{\"a\":", b"[[a]]\n", b"{a=", b"a."];
/// Values that readers often have no branch for.
const VALUES: [&[u8]; 40] = [
    b"",
    b"0",
    b"1",
    b"-1",
    b"00",
    b"255",
    b"65536",
    b"4294967296",
    b"9223372036854775807",
    b"-9223372036854775808",
    b"18446744073709551615",
    b"18446744073709551616",
    b"1e999",
    b"-0.0",
    b"0.1",
    b"NaN",
    b"null",
    b"true",
    b"[]",
    b"{}",
    b"\"\"",
    b"\"\"\"",
    b"'",
    b"\\",
    b"\\u0000",
    b"\\ud800",
    b"\0",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    "\u{202e}".as_bytes(),
    "\u{feff}".as_bytes(),
    b"\x1b[2J",
    b"\r\n",
    b"\n",
    b"..",
    b"../../x",
    b"/etc/passwd",
    b"%00",
    b"%zz",
    b"\r\n\r\n--edge--",
];

/// A change of an input.
#[derive(Clone, Debug)]
pub(crate) enum Mutation {
    SetByte {
        at: Index,
        byte: u8,
    },
    Insert {
        at: Index,
        value: Index,
    },
    Remove {
        at: Index,
        length: usize,
    },
    Truncate {
        at: Index,
    },
    ReplaceToken {
        token: Index,
        value: Index,
    },
    /// Replaces a token by one of another input.
    BorrowToken {
        token: Index,
        other: Index,
        borrowed: Index,
    },
    SwapTokens {
        one: Index,
        other: Index,
    },
    RemoveLine {
        line: Index,
    },
    /// Inserts a copy of a line before another: a duplicate key, game or header.
    CopyLine {
        line: Index,
        to: Index,
    },
    /// Inserts a line of another input.
    BorrowLine {
        line: Index,
        other: Index,
        to: Index,
    },
    Repeat {
        at: Index,
        length: usize,
        times: usize,
    },
    Nest {
        at: Index,
        opener: Index,
        depth: usize,
    },
    /// Continues with the end of another input.
    Splice {
        at: Index,
        other: Index,
        from: Index,
    },
}

impl Mutation {
    /// Any mutation; those that keep most of an input are more frequent.
    pub(crate) fn any() -> impl Strategy<Value = Self> {
        let index = any::<Index>;
        prop_oneof![
            4 => (index(), any::<u8>()).prop_map(|(at, byte)| Self::SetByte { at, byte }),
            3 => (index(), index()).prop_map(|(at, value)| Self::Insert { at, value }),
            2 => (index(), 1..64usize).prop_map(|(at, length)| Self::Remove { at, length }),
            1 => index().prop_map(|at| Self::Truncate { at }),
            8 => (index(), index())
                .prop_map(|(token, value)| Self::ReplaceToken { token, value }),
            8 => (index(), index(), index())
                .prop_map(|(token, other, borrowed)| Self::BorrowToken { token, other, borrowed }),
            3 => (index(), index()).prop_map(|(one, other)| Self::SwapTokens { one, other }),
            2 => index().prop_map(|line| Self::RemoveLine { line }),
            3 => (index(), index()).prop_map(|(line, to)| Self::CopyLine { line, to }),
            3 => (index(), index(), index())
                .prop_map(|(line, other, to)| Self::BorrowLine { line, other, to }),
            1 => (index(), 1..40usize, 2..400usize)
                .prop_map(|(at, length, times)| Self::Repeat { at, length, times }),
            1 => (index(), index(), 1..MAX_DEPTH)
                .prop_map(|(at, opener, depth)| Self::Nest { at, opener, depth }),
            1 => (index(), index(), index())
                .prop_map(|(at, other, from)| Self::Splice { at, other, from }),
        ]
    }

    /// Changes the input. Other inputs come from `pool`, which is not empty.
    pub(crate) fn apply(&self, input: &mut Vec<u8>, pool: &[Vec<u8>]) {
        match self {
            Self::SetByte { at, byte } => {
                if let Some(place) = place_of(at, input.len()) {
                    input[place] = *byte;
                }
            }
            Self::Insert { at, value } => insert(input, at, one_of(&VALUES, value)),
            Self::Remove { at, length } => {
                drop(input.drain(chunk(input, at, *length)));
            }
            Self::Truncate { at } => input.truncate(at.index(input.len() + 1)),
            Self::ReplaceToken { token, value } => replace(input, token, one_of(&VALUES, value)),
            Self::BorrowToken { token, other, borrowed } => {
                let other = other.get(pool);
                let borrowed = nth_token(other, borrowed).map_or(&[][..], |token| &other[token]);
                replace(input, token, borrowed);
            }
            Self::SwapTokens { one, other } => swap_tokens(input, one, other),
            Self::RemoveLine { line } => {
                drop(input.drain(nth_line(input, line)));
            }
            Self::CopyLine { line, to } => {
                let copy = input[nth_line(input, line)].to_vec();
                insert_line(input, to, &copy);
            }
            Self::BorrowLine { line, other, to } => {
                let other = other.get(pool);
                insert_line(input, to, &other[nth_line(other, line)]);
            }
            Self::Repeat { at, length, times } => {
                let chunk = input[chunk(input, at, *length)].repeat(*times);
                insert(input, at, &chunk);
            }
            Self::Nest { at, opener, depth } => {
                insert(input, at, &one_of(&OPENERS, opener).repeat(*depth));
            }
            Self::Splice { at, other, from } => {
                let other = other.get(pool);
                input.truncate(at.index(input.len() + 1));
                input.extend_from_slice(&other[from.index(other.len() + 1)..]);
            }
        }
        input.truncate(MAX_BYTES);
    }
}

fn place_of(at: &Index, length: usize) -> Option<usize> {
    (length > 0).then(|| at.index(length))
}

/// The bytes from `at` on, at most `length`.
fn chunk(input: &[u8], at: &Index, length: usize) -> Range<usize> {
    let start = at.index(input.len() + 1);
    start..(start + length).min(input.len())
}

fn insert(input: &mut Vec<u8>, at: &Index, bytes: &[u8]) {
    let at = at.index(input.len() + 1);
    input.splice(at..at, bytes.iter().copied());
}

fn insert_line(input: &mut Vec<u8>, to: &Index, line: &[u8]) {
    let at = nth_line(input, to).start;
    input.splice(at..at, line.iter().copied());
}

fn replace(input: &mut Vec<u8>, token: &Index, bytes: &[u8]) {
    if let Some(token) = nth_token(input, token) {
        input.splice(token, bytes.iter().copied());
    }
}

fn swap_tokens(input: &mut Vec<u8>, one: &Index, other: &Index) {
    let (Some(one), Some(other)) = (nth_token(input, one), nth_token(input, other)) else { return };
    let (first, second) = if one.start <= other.start { (one, other) } else { (other, one) };
    if first != second {
        let (start, end) = (input[first.clone()].to_vec(), input[second.clone()].to_vec());
        // From the back, so that the first token stays where it is.
        input.splice(second, start);
        input.splice(first, end);
    }
}

/// A token: letters, digits and what numbers and names consist of.
fn nth_token(input: &[u8], token: &Index) -> Option<Range<usize>> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.+".contains(byte);
    let mut tokens = Vec::new();
    let mut start = 0;
    for part in input.split(|byte| !is_word(byte)) {
        if !part.is_empty() {
            tokens.push(start..start + part.len());
        }
        start += part.len() + 1;
    }
    (!tokens.is_empty()).then(|| token.get(&tokens).clone())
}

/// A line with its newline; of an empty input, nothing.
fn nth_line(input: &[u8], line: &Index) -> Range<usize> {
    let mut start = 0;
    let lines: Vec<_> = input
        .split_inclusive(|byte| *byte == b'\n')
        .map(|line| {
            start += line.len();
            start - line.len()..start
        })
        .collect();
    if lines.is_empty() { 0..0 } else { line.get(&lines).clone() }
}

fn one_of<'a>(values: &[&'a [u8]], index: &Index) -> &'a [u8] {
    values[index.index(values.len())]
}
