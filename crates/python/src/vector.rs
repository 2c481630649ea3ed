//! Vector environments over arrays of numpy.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};

use dicehill_environments::{
    Buffers, EnvironmentGame, IllegalActions, LearnerSeat, LiarsDiceReward, Observations,
    VectorEnvironment as Environments, VectorOptions, YahtzeeReward,
};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{GameName, with_game};
use numpy::{
    Element, PyArray1, PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn, PyUntypedArrayMethods,
};
use pyo3::prelude::*;

use crate::arguments::{invalid, rules};
use crate::state::IllegalAction;

/// A game whose rewards have names.
trait NamedRewards: EnvironmentGame {
    const REWARDS: &'static [(&'static str, Self::Reward)];
}

impl NamedRewards for Yahtzee {
    const REWARDS: &'static [(&'static str, YahtzeeReward)] = &[
        ("points", YahtzeeReward::Points),
        ("score", YahtzeeReward::Score),
        ("score-gained", YahtzeeReward::ScoreGained),
        ("luck-adjusted", YahtzeeReward::LuckAdjusted),
    ];
}

impl NamedRewards for LiarsDice {
    const REWARDS: &'static [(&'static str, LiarsDiceReward)] =
        &[("points", LiarsDiceReward::Points), ("win", LiarsDiceReward::Win)];
}

/// The environments of one of the games.
enum Inner {
    Yahtzee(Environments<Yahtzee>),
    LiarsDice(Environments<LiarsDice>),
}

/// Runs an expression with the environments of either game.
macro_rules! with_inner {
    ($inner:expr, $environments:ident => $body:expr) => {
        match $inner {
            Inner::Yahtzee($environments) => $body,
            Inner::LiarsDice($environments) => $body,
        }
    };
}

/// Many games at once, over arrays of numpy. `dicehill.vector` wraps it as a vector environment of Gymnasium.
#[pyclass(module = "dicehill")]
pub(crate) struct VectorEnvironment(
    /// Bots cannot be shared between threads; this makes sure that they are not.
    Mutex<Inner>,
);

impl VectorEnvironment {
    fn inner(&mut self) -> &mut Inner {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Options that both games have, as Python gives them.
struct PythonOptions {
    environments: usize,
    players: usize,
    seed: String,
    rules: Option<String>,
    opponents: Vec<String>,
    seat: Option<usize>,
    reward: Option<String>,
    forfeit: bool,
    threads: NonZero<usize>,
}

impl PythonOptions {
    fn make<G: NamedRewards>(self) -> PyResult<Environments<G>> {
        let defaults = VectorOptions::<G>::new(self.environments, self.players, &self.seed);
        let reward = match self.reward {
            None => defaults.reward,
            Some(name) => {
                let found = G::REWARDS.iter().find(|(known, _)| *known == name);
                let names: Vec<_> = G::REWARDS.iter().map(|(known, _)| *known).collect();
                let why =
                    || invalid(format!("reward: {name:?} is not one of {}", names.join(", ")));
                found.ok_or_else(why)?.1
            }
        };
        let options = VectorOptions {
            rules: rules::<G>(self.rules.as_deref())?,
            opponents: self.opponents,
            seating: self.seat.map_or(LearnerSeat::Drawn, LearnerSeat::Fixed),
            reward,
            illegal_actions: if self.forfeit {
                IllegalActions::Forfeit
            } else {
                IllegalActions::Refuse
            },
            threads: self.threads,
            ..defaults
        };
        Environments::new(options).map_err(invalid)
    }
}

/// Arrays that are written.
struct Arrays<'py> {
    observations: ObservationArray<'py>,
    masks: PyReadwriteArrayDyn<'py, u8>,
    rewards: PyReadwriteArrayDyn<'py, f32>,
    dones: PyReadwriteArrayDyn<'py, u8>,
    seats: PyReadwriteArrayDyn<'py, u8>,
    last: Option<ObservationArray<'py>>,
    all: Option<ObservationArray<'py>>,
}

/// Name, offset, count, bytes of each number, and its largest value.
type FieldTuple = (&'static str, usize, usize, usize, u16);

/// An array of observations, of either type.
enum ObservationArray<'py> {
    U8(PyReadwriteArrayDyn<'py, u8>),
    F32(PyReadwriteArrayDyn<'py, f32>),
}

impl<'py> FromPyObject<'_, 'py> for ObservationArray<'py> {
    type Error = PyErr;

    /// Looks at the type first: pyo3's derived conversion makes an exception of each variant that does not fit, which
    /// takes longer than a step.
    fn extract(array: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if array.is_instance_of::<PyArrayDyn<u8>>() {
            return Ok(Self::U8(array.extract()?));
        }
        Ok(Self::F32(array.extract()?))
    }
}

impl ObservationArray<'_> {
    fn numbers(&mut self) -> PyResult<Observations<'_>> {
        Ok(match self {
            Self::U8(array) => Observations::U8(contiguous("observations", array)?),
            Self::F32(array) => Observations::F32(contiguous("observations", array)?),
        })
    }
}

impl Arrays<'_> {
    fn buffers(&mut self) -> PyResult<Buffers<'_>> {
        let last = self.last.as_mut().map(ObservationArray::numbers).transpose()?;
        let all = self.all.as_mut().map(ObservationArray::numbers).transpose()?;
        Ok(Buffers {
            observations: self.observations.numbers()?,
            masks: contiguous("masks", &mut self.masks)?,
            rewards: contiguous("rewards", &mut self.rewards)?,
            dones: contiguous("dones", &mut self.dones)?,
            seats: contiguous("seats", &mut self.seats)?,
            final_observations: last,
            seat_observations: all,
        })
    }
}

fn contiguous<'a, T: Element>(
    name: &str,
    array: &'a mut PyReadwriteArrayDyn<'_, T>,
) -> PyResult<&'a mut [T]> {
    if !array.is_c_contiguous() {
        return Err(invalid(format!("{name}: the rows of the array must lie one after the other")));
    }
    array.as_slice_mut().map_err(|why| invalid(format!("{name}: {why}")))
}

#[pymethods]
impl VectorEnvironment {
    #[new]
    #[pyo3(signature = (game, environments, players, seed, *, rules, opponents, seat, reward, forfeit, threads))]
    #[expect(
        clippy::too_many_arguments,
        reason = "the wrapper in Python has keywords and defaults"
    )]
    fn new(
        game: &str,
        environments: usize,
        players: usize,
        seed: String,
        rules: Option<String>,
        opponents: Vec<String>,
        seat: Option<usize>,
        reward: Option<String>,
        forfeit: bool,
        threads: usize,
    ) -> PyResult<Self> {
        let threads =
            NonZero::new(threads).ok_or_else(|| invalid("threads: 0 is not 1 or more"))?;
        let options = PythonOptions {
            environments,
            players,
            seed,
            rules,
            opponents,
            seat,
            reward,
            forfeit,
            threads,
        };
        let name: GameName = game.parse().map_err(|why| invalid(format!("game: {why}")))?;
        Ok(Self(Mutex::new(match name {
            GameName::Yahtzee => Inner::Yahtzee(options.make()?),
            GameName::LiarsDice => Inner::LiarsDice(options.make()?),
        })))
    }

    /// The numbers of an observation.
    #[getter]
    fn observation_len(&mut self) -> usize {
        with_inner!(self.inner(), inner => inner.observation_len())
    }

    /// Begins the next games and writes how they begin.
    #[pyo3(signature = (observations, masks, rewards, dones, seats, seat_observations = None))]
    fn reset<'py>(
        &mut self,
        observations: ObservationArray<'py>,
        masks: PyReadwriteArrayDyn<'py, u8>,
        rewards: PyReadwriteArrayDyn<'py, f32>,
        dones: PyReadwriteArrayDyn<'py, u8>,
        seats: PyReadwriteArrayDyn<'py, u8>,
        seat_observations: Option<ObservationArray<'py>>,
    ) -> PyResult<()> {
        let (last, all) = (None, seat_observations);
        let mut arrays = Arrays { observations, masks, rewards, dones, seats, last, all };
        let buffers = arrays.buffers()?;
        with_inner!(self.inner(), inner => inner.reset(buffers).map_err(invalid))
    }

    /// Begins again with the first games of another seed, at the next reset.
    fn reseed(&mut self, seed: &str) {
        with_inner!(self.inner(), inner => inner.reseed(seed));
    }

    /// Performs one action in each environment. Returns whether a game has ended.
    #[pyo3(signature = (actions, observations, masks, rewards, dones, seats, final_observations = None, seat_observations = None))]
    #[expect(clippy::too_many_arguments, reason = "each is an array of the caller")]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: &Bound<'py, PyArray1<i64>>,
        observations: ObservationArray<'py>,
        masks: PyReadwriteArrayDyn<'py, u8>,
        rewards: PyReadwriteArrayDyn<'py, f32>,
        dones: PyReadwriteArrayDyn<'py, u8>,
        seats: PyReadwriteArrayDyn<'py, u8>,
        final_observations: Option<ObservationArray<'py>>,
        seat_observations: Option<ObservationArray<'py>>,
    ) -> PyResult<bool> {
        let (last, all) = (final_observations, seat_observations);
        let mut arrays = Arrays { observations, masks, rewards, dones, seats, last, all };
        let buffers = arrays.buffers()?;
        let actions = actions.try_readonly().map_err(|why| invalid(format!("actions: {why}")))?;
        let actions = actions.as_slice().map_err(|why| invalid(format!("actions: {why}")))?;
        let inner = self.inner();
        py.detach(|| with_inner!(inner, inner => inner.step(actions, buffers)))
            .map_err(|why| IllegalAction::new_err(why.to_string()))?;
        let dones = contiguous("dones", &mut arrays.dones)?;
        Ok(dones.contains(&1))
    }

    /// The number of the game that an environment plays, from 1.
    fn game_number(&mut self, environment: usize) -> PyResult<u64> {
        let count = with_inner!(self.inner(), inner => inner.options().environments);
        if environment >= count {
            return Err(invalid(format!("environment: {environment} is not below {count}")));
        }
        Ok(with_inner!(self.inner(), inner => inner.game_number(environment)))
    }

    /// The fields of an observation: name, offset, count, bytes of each number, and its largest value.
    fn fields(&mut self) -> Vec<FieldTuple> {
        fn listed<G: EnvironmentGame>(inner: &Environments<G>) -> Vec<FieldTuple> {
            fields_of::<G>(inner.options().players)
        }
        with_inner!(self.inner(), inner => listed(inner))
    }
}

fn fields_of<G: EnvironmentGame>(players: usize) -> Vec<FieldTuple> {
    let fields = G::fields(players);
    fields.iter().map(|f| (f.name, f.offset, f.count, f.width, f.max)).collect()
}

/// The fields of an observation at a table of this many players: name, offset, count, bytes of each number, and its largest
/// value.
#[pyfunction]
pub(crate) fn observation_fields(game: &str, players: usize) -> PyResult<Vec<FieldTuple>> {
    let name: GameName = game.parse().map_err(|why| invalid(format!("game: {why}")))?;
    Ok(with_game!(name, G => fields_of::<G>(players)))
}

/// The number of actions of a game.
#[pyfunction]
pub(crate) fn action_count(game: &str) -> PyResult<usize> {
    let name: GameName = game.parse().map_err(|why| invalid(format!("game: {why}")))?;
    Ok(with_game!(name, G => G::ACTIONS))
}

/// The number of an action in the notation of logs; None if the environments have none for it.
#[pyfunction]
pub(crate) fn encode_action(game: &str, action: &str) -> PyResult<Option<usize>> {
    fn encoded<G: EnvironmentGame>(action: &str) -> PyResult<Option<usize>> {
        let action: G::Action =
            action.parse().map_err(|why| invalid(format!("{action}: {why}")))?;
        Ok(G::encode(&action))
    }
    let name: GameName = game.parse().map_err(|why| invalid(format!("game: {why}")))?;
    with_game!(name, G => encoded::<G>(action))
}

/// The action with this number, in the notation of logs.
#[pyfunction]
pub(crate) fn decode_action(game: &str, number: usize) -> PyResult<String> {
    fn decoded<G: EnvironmentGame>(number: usize) -> PyResult<String> {
        let action = G::decode(number);
        let last = G::ACTIONS - 1;
        let action =
            action.ok_or_else(|| invalid(format!("action: {number} is not 0 to {last}")))?;
        Ok(action.to_string())
    }
    let name: GameName = game.parse().map_err(|why| invalid(format!("game: {why}")))?;
    with_game!(name, G => decoded::<G>(number))
}
