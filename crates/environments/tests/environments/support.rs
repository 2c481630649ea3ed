//! Environments with their buffers, and a policy.

use dicehill_environments::{
    Buffers, EnvironmentGame, Observations, StepError, VectorEnvironment, VectorOptions,
};

/// What unwritten bytes hold.
pub(crate) const UNWRITTEN: u8 = 0xee;

/// A caller: environments, its buffers and its actions.
pub(crate) struct Caller<G: EnvironmentGame> {
    pub(crate) environment: VectorEnvironment<G>,
    pub(crate) arrays: Arrays,
}

/// The caller's buffers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Arrays {
    pub(crate) observations: Vec<u8>,
    pub(crate) masks: Vec<u8>,
    pub(crate) rewards: Vec<f32>,
    pub(crate) dones: Vec<u8>,
    pub(crate) seats: Vec<u8>,
    pub(crate) last: Vec<u8>,
    /// What each seat sees.
    pub(crate) all: Vec<u8>,
}

impl Arrays {
    pub(crate) fn buffers(&mut self) -> Buffers<'_> {
        Buffers {
            observations: Observations::U8(&mut self.observations),
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            dones: &mut self.dones,
            seats: &mut self.seats,
            final_observations: Some(Observations::U8(&mut self.last)),
            seat_observations: Some(Observations::U8(&mut self.all)),
        }
    }
}

impl<G: EnvironmentGame> Caller<G> {
    /// A caller that was reset.
    pub(crate) fn new(options: VectorOptions<G>) -> Self {
        let (n, players) = (options.environments, options.players);
        let environment = VectorEnvironment::new(options).expect("consistent options");
        let length = environment.observation_len();
        let arrays = Arrays {
            observations: vec![UNWRITTEN; n * length],
            masks: vec![UNWRITTEN; n * G::ACTIONS],
            rewards: vec![f32::NAN; n * players],
            dones: vec![UNWRITTEN; n],
            seats: vec![UNWRITTEN; n],
            last: vec![UNWRITTEN; n * length],
            all: vec![UNWRITTEN; n * players * length],
        };
        let mut caller = Self { environment, arrays };
        caller.reset();
        caller
    }

    pub(crate) fn reset(&mut self) {
        self.environment.reset(self.arrays.buffers()).expect("right lengths");
    }

    pub(crate) fn try_step(&mut self, actions: &[i64]) -> Result<(), StepError> {
        self.environment.step(actions, self.arrays.buffers())
    }

    pub(crate) fn step(&mut self, actions: &[i64]) {
        self.try_step(actions).expect("legal actions");
    }

    pub(crate) fn observation(&self, environment: usize) -> &[u8] {
        let length = self.environment.observation_len();
        &self.arrays.observations[environment * length..][..length]
    }

    pub(crate) fn last(&self, environment: usize) -> &[u8] {
        let length = self.environment.observation_len();
        &self.arrays.last[environment * length..][..length]
    }

    /// What a seat sees.
    pub(crate) fn seen_by(&self, environment: usize, seat: usize) -> &[u8] {
        let (length, players) =
            (self.environment.observation_len(), self.environment.options().players);
        &self.arrays.all[(environment * players + seat) * length..][..length]
    }

    pub(crate) fn mask(&self, environment: usize) -> &[u8] {
        &self.arrays.masks[environment * G::ACTIONS..][..G::ACTIONS]
    }

    pub(crate) fn rewards(&self, environment: usize) -> &[f32] {
        let players = self.environment.options().players;
        &self.arrays.rewards[environment * players..][..players]
    }

    /// The actions of [`policy`] in all environments.
    pub(crate) fn actions(&self) -> Vec<i64> {
        let all = 0..self.arrays.dones.len();
        all.map(|index| policy(self.observation(index), self.mask(index)) as i64).collect()
    }
}

/// A policy that looks random and is a function of observation and mask.
pub(crate) fn policy(observation: &[u8], mask: &[u8]) -> usize {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in observation {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    let legal: Vec<_> = (0..mask.len()).filter(|action| mask[*action] == 1).collect();
    legal[((hash ^ hash >> 32) % legal.len() as u64) as usize]
}
