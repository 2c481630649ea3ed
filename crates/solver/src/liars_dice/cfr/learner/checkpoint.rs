//! What was learnt so far, so that somebody can go on with it later.

use std::io::{self, Read, Write};

use crate::liars_dice::cfr::learner::Learner;
use crate::liars_dice::cfr::tables::Part;
use crate::liars_dice::game::round::{Round, Side};
use crate::liars_dice::tree::Tree;
use crate::liars_dice::tree::limits::Limits;

/// Goes up whenever something else is learnt, or is written in another way.
const VERSION: u32 = 1;
const BEGIN: &[u8; 8] = b"dicehilL";
/// Numbers that are written at a time.
const CHUNK: usize = 1 << 14;

impl Learner {
    /// Writes what was learnt, for [`Learner::read`]: `dicehilL`, the version, round and limits, the number of iterations, all numbers in the
    /// order of the tree, and a CRC-32, all little-endian.
    ///
    /// # Errors
    /// If `to` cannot be written.
    pub fn write(&mut self, to: &mut impl Write) -> io::Result<()> {
        let mut to = Summed::new(to);
        to.put(&head(&self.tree))?;
        to.put(&self.iterations.to_le_bytes())?;
        for part in self.each_part() {
            for rows in &mut part.sides {
                for numbers in [&rows.regrets, &rows.predictions, &rows.averages] {
                    to.put_numbers(numbers)?;
                }
                to.put(&rows.answers)?;
            }
        }
        let sum = to.sum.clone().finalize();
        to.put(&sum.to_le_bytes())
    }

    /// Goes on with what was learnt in the same tree.
    ///
    /// # Errors
    /// If `from` cannot be read, is damaged, or was learnt in another tree.
    pub fn read(tree: Tree, from: &mut impl Read) -> io::Result<Self> {
        let mut learner = Self::new(tree);
        let mut from = Summed::new(from);
        let known = head(&learner.tree);
        let mut told = vec![0; known.len()];
        from.take(&mut told)?;
        if told != known {
            return Err(invalid("it was learnt in another tree, or by another version"));
        }
        let mut iterations = [0; 4];
        from.take(&mut iterations)?;
        learner.iterations = u32::from_le_bytes(iterations);
        for part in learner.each_part() {
            for rows in &mut part.sides {
                for numbers in [&mut rows.regrets, &mut rows.predictions, &mut rows.averages] {
                    from.take_numbers(numbers)?;
                }
                from.take(&mut rows.answers)?;
            }
        }
        let (found, mut told) = (from.sum.clone().finalize(), [0; 4]);
        from.take(&mut told)?;
        if u32::from_le_bytes(told) != found {
            return Err(invalid("its checksum is wrong"));
        }
        Ok(learner)
    }

    fn each_part(&mut self) -> impl Iterator<Item = &mut Part> {
        std::iter::once(&mut self.trunk).chain(self.blocks.iter_mut().map(|block| &mut block.part))
    }
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_owned())
}

fn head(tree: &Tree) -> Vec<u8> {
    let (round, limits): (Round, Limits) = (tree.round(), tree.limits());
    let mut head = BEGIN.to_vec();
    head.extend(VERSION.to_le_bytes());
    head.extend(Side::BOTH.map(|side| round.dice(side)));
    let certified = limits.certified.map_or(2, |side| side.index() as u8);
    head.extend([round.wild().pips(), certified, limits.call_from]);
    head.extend((limits.most_bids as u64).to_le_bytes());
    head.extend(limits.own_bids.to_le_bytes());
    head
}

/// A stream, and the checksum of what came by.
struct Summed<'a, S> {
    stream: &'a mut S,
    sum: crc32fast::Hasher,
}

impl<'a, S> Summed<'a, S> {
    fn new(stream: &'a mut S) -> Self {
        Self { stream, sum: crc32fast::Hasher::new() }
    }
}

impl<S: Write> Summed<'_, S> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.stream.write_all(bytes)
    }

    fn put_numbers(&mut self, numbers: &[f32]) -> io::Result<()> {
        for chunk in numbers.chunks(CHUNK) {
            let bytes: Vec<u8> = chunk.iter().flat_map(|number| number.to_le_bytes()).collect();
            self.put(&bytes)?;
        }
        Ok(())
    }
}

impl<S: Read> Summed<'_, S> {
    fn take(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.stream.read_exact(bytes)?;
        self.sum.update(bytes);
        Ok(())
    }

    fn take_numbers(&mut self, numbers: &mut [f32]) -> io::Result<()> {
        let mut bytes = vec![0; 4 * CHUNK];
        for chunk in numbers.chunks_mut(CHUNK) {
            let bytes = &mut bytes[..4 * chunk.len()];
            self.take(bytes)?;
            for (number, bytes) in chunk.iter_mut().zip(bytes.as_chunks().0) {
                *number = f32::from_le_bytes(*bytes);
            }
        }
        Ok(())
    }
}
