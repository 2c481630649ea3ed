//! The caller's buffers.

use crate::environment_game::{Field, MAX_OBSERVATION};

/// Where observations are written: one row for each environment, without gaps.
#[derive(Debug)]
pub enum Observations<'a> {
    /// As numbers of one and two bytes.
    U8(&'a mut [u8]),
    /// Scaled to 0 to 1: each number is divided by its [`Field::max`].
    F32(&'a mut [f32]),
}

/// Where [`reset`](crate::VectorEnvironment::reset) and [`step`](crate::VectorEnvironment::step) write, for n environments. Rows follow
/// each other without gaps, so that each buffer is a C-contiguous array of the shape given. Every number is written each time, except for
/// rows of [`Buffers::final_observations`] whose game goes on.
#[derive(Debug)]
pub struct Buffers<'a> {
    /// Shape (n, [`observation_len`](crate::VectorEnvironment::observation_len)): what the seat to act may see.
    pub observations: Observations<'a>,
    /// Shape (n, [`ACTIONS`](crate::EnvironmentGame::ACTIONS)): 1 for each legal action of the seat to act, 0 for the others. At least one
    /// is legal.
    pub masks: &'a mut [u8],
    /// Shape (n, players): what each player gained by this step. Player 0 is the learner if there are opponents, and the opponents follow in
    /// their order; without opponents, players are seats.
    pub rewards: &'a mut [f32],
    /// Shape (n): 1 if this step ended a game, else 0.
    pub dones: &'a mut [u8],
    /// Shape (n): the seat to act.
    pub seats: &'a mut [u8],
    /// Shape (n, [`observation_len`](crate::VectorEnvironment::observation_len)), on request: where this step ended a game, what the seat that
    /// acted in this step sees of its end. Other rows stay as they are.
    pub final_observations: Option<Observations<'a>>,
    /// Shape (n, players, [`observation_len`](crate::VectorEnvironment::observation_len)), on request: what each seat sees after this step,
    /// by seat; where the step ended a game, of its end. All rows of an environment together have everything that is hidden, as a critic
    /// or a state for all players needs it.
    pub seat_observations: Option<Observations<'a>>,
}

/// A buffer has the wrong length.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the buffer {buffer} has {found} numbers, not {expected}")]
pub struct BufferError {
    /// The name of the field of [`Buffers`], or `actions`.
    pub buffer: &'static str,
    /// The numbers that it must have.
    pub expected: usize,
    /// The numbers that it has.
    pub found: usize,
}

/// The numbers that one environment has in each buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Widths {
    pub(crate) observation: usize,
    pub(crate) actions: usize,
    pub(crate) players: usize,
}

/// Converts observations from bytes to float32.
#[derive(Clone, Debug)]
pub(crate) struct Scales {
    /// By offset.
    factors: [f32; PADDED],
    /// The offsets of the numbers of two bytes.
    words: Vec<usize>,
}

/// The bytes that are converted at a time.
const LANES: usize = 16;
/// The longest observation, with room for a whole number of lanes.
const PADDED: usize = MAX_OBSERVATION.next_multiple_of(LANES);

impl Scales {
    pub(crate) fn of(fields: &[Field]) -> Self {
        let mut scales = Self { factors: [0.0; PADDED], words: Vec::new() };
        for field in fields {
            for index in 0..field.count {
                let offset = field.offset + index * field.width;
                scales.factors[offset] = 1.0 / f32::from(field.max);
                if field.width == 2 {
                    scales.words.push(offset);
                }
            }
        }
        scales
    }

    /// Long stretches of an observation are often 0: they are not converted.
    fn apply(&self, bytes: &[u8; PADDED], scaled: &mut [f32]) {
        let (groups, factors) = (bytes.chunks_exact(LANES), self.factors.chunks_exact(LANES));
        for ((scaled, bytes), factors) in scaled.chunks_mut(LANES).zip(groups).zip(factors) {
            if bytes.iter().fold(0, |any, byte| any | byte) == 0 {
                scaled.fill(0.0);
                continue;
            }
            let numbers = bytes.iter().zip(factors);
            for (scaled, (byte, factor)) in scaled.iter_mut().zip(numbers) {
                *scaled = (f32::from(*byte) * factor).min(1.0);
            }
        }
        for offset in &self.words {
            let word = u16::from_le_bytes([bytes[*offset], bytes[offset + 1]]);
            scaled[*offset] = (f32::from(word) * self.factors[*offset]).min(1.0);
        }
    }
}

impl<'a> Observations<'a> {
    const fn len(&self) -> usize {
        match self {
            Self::U8(numbers) => numbers.len(),
            Self::F32(numbers) => numbers.len(),
        }
    }

    fn split_at(self, index: usize) -> (Self, Self) {
        match self {
            Self::U8(numbers) => {
                let (left, right) = numbers.split_at_mut(index);
                (Self::U8(left), Self::U8(right))
            }
            Self::F32(numbers) => {
                let (left, right) = numbers.split_at_mut(index);
                (Self::F32(left), Self::F32(right))
            }
        }
    }

    /// Writes one row.
    #[inline]
    pub(crate) fn write(
        &mut self,
        row: usize,
        width: usize,
        scales: &Scales,
        write: impl FnOnce(&mut [u8]),
    ) {
        match self {
            Self::U8(bytes) => write(&mut bytes[row * width..][..width]),
            Self::F32(numbers) => {
                let mut bytes = [0; PADDED];
                write(&mut bytes[..width]);
                scales.apply(&bytes, &mut numbers[row * width..][..width]);
            }
        }
    }
}

impl<'a> Buffers<'a> {
    pub(crate) fn check(&self, environments: usize, widths: Widths) -> Result<(), BufferError> {
        let check = |buffer, found, width| {
            let expected = environments * width;
            let is_right = expected == found;
            is_right.then_some(()).ok_or(BufferError { buffer, expected, found })
        };
        check("observations", self.observations.len(), widths.observation)?;
        check("masks", self.masks.len(), widths.actions)?;
        check("rewards", self.rewards.len(), widths.players)?;
        check("dones", self.dones.len(), 1)?;
        check("seats", self.seats.len(), 1)?;
        let last = self.final_observations.as_ref();
        last.map_or(Ok(()), |last| check("final_observations", last.len(), widths.observation))?;
        let seats = self.seat_observations.as_ref();
        let width = widths.players * widths.observation;
        seats.map_or(Ok(()), |seats| check("seat_observations", seats.len(), width))
    }

    /// The rows before `row`, and those from it on.
    pub(crate) fn split_at(self, row: usize, widths: Widths) -> (Self, Self) {
        let (observations, observations2) = self.observations.split_at(row * widths.observation);
        let (masks, masks2) = self.masks.split_at_mut(row * widths.actions);
        let (rewards, rewards2) = self.rewards.split_at_mut(row * widths.players);
        let (dones, dones2) = self.dones.split_at_mut(row);
        let (seats, seats2) = self.seats.split_at_mut(row);
        let last = self.final_observations.map(|last| last.split_at(row * widths.observation));
        let (last, last2) = last.unzip();
        let place = row * widths.players * widths.observation;
        let (all, all2) = self.seat_observations.map(|all| all.split_at(place)).unzip();
        let left = Self {
            observations,
            masks,
            rewards,
            dones,
            seats,
            final_observations: last,
            seat_observations: all,
        };
        let right = Self {
            observations: observations2,
            masks: masks2,
            rewards: rewards2,
            dones: dones2,
            seats: seats2,
            final_observations: last2,
            seat_observations: all2,
        };
        (left, right)
    }
}
