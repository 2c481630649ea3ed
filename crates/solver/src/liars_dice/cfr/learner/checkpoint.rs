//! Checkpoints of a learner, from which learning continues.

use std::io::{self, Read, Write};

use crate::liars_dice::cfr::learner::Learner;
use crate::liars_dice::cfr::tables::CfrTables;
use crate::liars_dice::game::round::{Round, Side};
use crate::liars_dice::tree::Tree;
use crate::liars_dice::tree::limits::TreeLimits;

/// Increases when the algorithm or the format changes.
const VERSION: u32 = 1;
const MAGIC: &[u8; 8] = b"dicehilL";
/// Numbers converted to bytes at a time.
const CHUNK: usize = 1 << 14;

impl Learner {
    /// Writes a checkpoint for [`Learner::read`]: `dicehilL`, the version, round and limits, the
    /// number of iterations, all tables in the order of traversal, and a CRC-32. Numbers are
    /// little-endian.
    ///
    /// # Errors
    /// If writing to `to` fails.
    pub fn write(&mut self, to: &mut impl Write) -> io::Result<()> {
        let mut to = ChecksummedStream::new(to);
        to.put(&head(&self.tree))?;
        to.put(&self.iterations.to_le_bytes())?;
        for tables in self.each_tables() {
            for rows in &mut tables.sides {
                for numbers in [&rows.regrets, &rows.predictions, &rows.averages] {
                    to.put_numbers(numbers)?;
                }
                to.put(&rows.best_actions)?;
            }
        }
        let sum = to.sum.clone().finalize();
        to.put(&sum.to_le_bytes())
    }

    /// Reads a checkpoint of the same tree.
    ///
    /// # Errors
    /// If reading from `from` fails, or the checkpoint is damaged or of another tree.
    pub fn read(tree: Tree, from: &mut impl Read) -> io::Result<Self> {
        let mut learner = Self::new(tree);
        let mut from = ChecksummedStream::new(from);
        let expected = head(&learner.tree);
        let mut stored = vec![0; expected.len()];
        from.take(&mut stored)?;
        if stored != expected {
            return Err(invalid("it was learnt in another tree, or by another version"));
        }
        let mut iterations = [0; 4];
        from.take(&mut iterations)?;
        learner.iterations = u32::from_le_bytes(iterations);
        for tables in learner.each_tables() {
            for rows in &mut tables.sides {
                for numbers in [&mut rows.regrets, &mut rows.predictions, &mut rows.averages] {
                    from.take_numbers(numbers)?;
                }
                from.take(&mut rows.best_actions)?;
            }
        }
        let (found, mut stored) = (from.sum.clone().finalize(), [0; 4]);
        from.take(&mut stored)?;
        if u32::from_le_bytes(stored) != found {
            return Err(invalid("its checksum is wrong"));
        }
        Ok(learner)
    }

    fn each_tables(&mut self) -> impl Iterator<Item = &mut CfrTables> {
        std::iter::once(&mut self.trunk)
            .chain(self.subgames.iter_mut().map(|subgame| &mut subgame.tables))
    }
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_owned())
}

fn head(tree: &Tree) -> Vec<u8> {
    let (round, limits): (Round, TreeLimits) = (tree.round(), tree.limits());
    let mut head = MAGIC.to_vec();
    head.extend(VERSION.to_le_bytes());
    head.extend(Side::BOTH.map(|side| round.dice(side)));
    let certified = limits.certified.map_or(2, |side| side.index() as u8);
    head.extend([round.wild().pips(), certified, limits.call_from]);
    head.extend((limits.max_bids as u64).to_le_bytes());
    head.extend(limits.own_bids.to_le_bytes());
    head
}

/// A stream with the checksum of the bytes that have passed through it.
struct ChecksummedStream<'a, S> {
    stream: &'a mut S,
    sum: crc32fast::Hasher,
}

impl<'a, S> ChecksummedStream<'a, S> {
    fn new(stream: &'a mut S) -> Self {
        Self { stream, sum: crc32fast::Hasher::new() }
    }
}

impl<S: Write> ChecksummedStream<'_, S> {
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

impl<S: Read> ChecksummedStream<'_, S> {
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
