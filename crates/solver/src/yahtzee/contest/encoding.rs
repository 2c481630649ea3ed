//! The byte format of contests.

use crate::yahtzee::contest::Contest;
use crate::yahtzee::contest::chance_row::ChanceRow;
use crate::yahtzee::contest::level::Grid;
use crate::yahtzee::contest::rivals::{FinalScoreModel, Rivals};
use crate::yahtzee::values::solution::Solution;
use crate::yahtzee::values::table::{indices, sets};

/// Increases when the probabilities or the format change.
const VERSION: u64 = 1;

/// Why bytes are not a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a contest of this version")]
pub struct ReadContestError;

impl Contest {
    /// The contest as bytes for [`Contest::from_bytes`].
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.memory_bytes() + (1 << 20));
        let Rivals { count, before, final_scores } = &self.rivals;
        for number in [VERSION, self.solution.start().to_bits(), *count as u64, *before as u64] {
            bytes.extend(number.to_le_bytes());
        }
        for FinalScoreModel { at_zero, slope, deviations } in final_scores {
            let numbers = [*at_zero, *slope].into_iter().chain(deviations.iter().copied());
            put(&mut bytes, numbers.map(f64::to_le_bytes));
        }
        for Grid { step, len } in self.grids {
            bytes.extend((step as u64).to_le_bytes());
            bytes.extend((len as u64).to_le_bytes());
        }
        for ChanceRow { numbers, lows, chances, .. } in &self.rows {
            put(&mut bytes, numbers.iter().map(|number| number.to_le_bytes()));
            put(&mut bytes, lows.iter().map(|low| low.to_le_bytes()));
            put(&mut bytes, chances.iter().map(|chance| chance.to_le_bytes()));
        }
        bytes
    }

    /// Reads a contest written by [`Contest::to_bytes`].
    ///
    /// # Errors
    /// If the bytes are not a contest on this `solution`. Damage within them is not detected; a
    /// checksum is the caller's task.
    pub fn from_bytes(solution: &'static Solution, bytes: &[u8]) -> Result<Self, ReadContestError> {
        let mut bytes = Bytes(bytes);
        if bytes.number()? != VERSION || bytes.number()? != solution.start().to_bits() {
            return Err(ReadContestError);
        }
        let (count, before) = (bytes.size()?, bytes.size()?);
        let final_scores = (0..=13).map(|_| bytes.final_score()).collect::<Result<_, _>>()?;
        let mut grids = [Grid { step: 1, len: 1 }; 14];
        for grid in &mut grids {
            *grid = Grid { step: bytes.size()?, len: bytes.size()? };
        }
        let sets = sets();
        let rows = sets.iter().map(|set| bytes.row(grids[set.len()])).collect::<Result<_, _>>()?;
        let rivals = Rivals { count, before, final_scores };
        let read = Self { solution, rivals, grids, rows, indices: indices(&sets) };
        if bytes.0.is_empty() && count > 0 { Ok(read) } else { Err(ReadContestError) }
    }
}

/// Appends the number of values and the values.
fn put<const N: usize>(bytes: &mut Vec<u8>, values: impl Iterator<Item = [u8; N]>) {
    let begin = bytes.len();
    bytes.extend([0; 8]);
    bytes.extend(values.flatten());
    let count = (bytes.len() - begin - 8) / N;
    bytes[begin..begin + 8].copy_from_slice(&(count as u64).to_le_bytes());
}

/// The bytes not read yet.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], ReadContestError> {
        let (first, rest) = self.0.split_first_chunk().ok_or(ReadContestError)?;
        self.0 = rest;
        Ok(*first)
    }

    fn number(&mut self) -> Result<u64, ReadContestError> {
        self.take().map(u64::from_le_bytes)
    }

    /// A number small enough to allocate for.
    fn size(&mut self) -> Result<usize, ReadContestError> {
        let number = self.number()?;
        u16::try_from(number).map(usize::from).map_err(|_| ReadContestError)
    }

    fn list<const N: usize, T>(
        &mut self,
        read: fn([u8; N]) -> T,
    ) -> Result<Vec<T>, ReadContestError> {
        let count = usize::try_from(self.number()?).map_err(|_| ReadContestError)?;
        let length = count.checked_mul(N).ok_or(ReadContestError)?;
        let (list, rest) = self.0.split_at_checked(length).ok_or(ReadContestError)?;
        self.0 = rest;
        let (values, _) = list.as_chunks();
        Ok(values.iter().map(|value| read(*value)).collect())
    }

    fn final_score(&mut self) -> Result<FinalScoreModel, ReadContestError> {
        match self.list(f64::from_le_bytes)?.as_slice() {
            [at_zero, slope, deviations @ ..] if !deviations.is_empty() => {
                let deviations = deviations.to_vec();
                Ok(FinalScoreModel { at_zero: *at_zero, slope: *slope, deviations })
            }
            _ => Err(ReadContestError),
        }
    }

    fn row(&mut self, grid: Grid) -> Result<ChanceRow, ReadContestError> {
        let row = ChanceRow {
            numbers: self.list(u8::from_le_bytes)?,
            lows: self.list(f32::from_le_bytes)?,
            chances: self.list(u16::from_le_bytes)?,
            coarse: Vec::new(),
        };
        let positions = row.lows.len();
        let in_range = row.numbers.iter().all(|number| usize::from(*number) < positions);
        let whole = row.chances.len() == positions * grid.stride() && grid.len > 1 && grid.step > 0;
        if row.numbers.len() == 128 && in_range && whole { Ok(row) } else { Err(ReadContestError) }
    }
}
