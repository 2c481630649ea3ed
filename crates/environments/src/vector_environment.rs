//! Many environments that step together.

use std::thread;

use dicehill_rules::{Chance, Seat};

use crate::buffers::{BufferError, Buffers, Scales, Widths};
use crate::environment_game::EnvironmentGame;
use crate::options::{IllegalActions, OptionsError, VectorOptions};
use crate::tables::lineup::Lineup;
use crate::tables::table::{Setup, Table};

/// Many environments that step together. They write to the caller's [`Buffers`].
///
/// - **Games.** Game k of environment i of n, both from 0, has the number 1 + i + n k, the dice of the table with that number, and with
///   opponents the bots' seeds of that number, as in a challenge of the arena. So the arena can play each game again. What an environment
///   does is a function of the options and of its own actions; it does not depend on the number of threads, nor on n but by the numbers
///   of its games.
/// - **Automatic reset**, in the mode that Gymnasium calls *same-step*: the step that ends a game returns its rewards and `done`, and the
///   observation, mask and seat of the next game's start.
/// - **Opponents** act inside a step until the learner is to act again. A game of Liar's Dice is over for a learner without dice, although
///   the others would play on: its reward is final, theirs is what they have by then.
///
/// ```
/// use dicehill_environments::{Buffers, Observations, VectorOptions, YahtzeeVectorEnvironment};
///
/// let mut environment = YahtzeeVectorEnvironment::new(VectorOptions::new(8, 1, "a seed"))?;
/// let mut observations = vec![0; 8 * environment.observation_len()];
/// let (mut masks, mut rewards, mut dones, mut seats) = ([0; 8 * 45], [0.0; 8], [0; 8], [0; 8]);
/// for step in 0..3 {
///     let buffers = Buffers {
///         observations: Observations::U8(&mut observations),
///         masks: &mut masks,
///         rewards: &mut rewards,
///         dones: &mut dones,
///         seats: &mut seats,
///         final_observations: None,
///         seat_observations: None,
///     };
///     match step {
///         0 => environment.reset(buffers)?,
///         // Fill chance in each environment: action 32 + 12.
///         1 => environment.step(&[44_u16; 8], buffers)?,
///         // It is filled now: nothing changes.
///         _ => {
///             let error = environment.step(&[44_u16; 8], buffers).unwrap_err().to_string();
///             assert_eq!(error, "environment 0: action 44 is illegal: this category is already used");
///         }
///     }
/// }
/// assert_eq!(masks.iter().map(|legal| usize::from(*legal)).sum::<usize>(), 8 * (32 + 12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct VectorEnvironment<G: EnvironmentGame> {
    options: VectorOptions<G>,
    setup: Setup<G>,
    tables: Vec<Table<G>>,
    widths: Widths,
    scales: Scales,
    /// Whether the games are new: nothing was written of them yet.
    is_fresh: bool,
}

/// The step cannot be made. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// A buffer has the wrong length.
    #[error(transparent)]
    Buffer(#[from] BufferError),
    /// An action is illegal.
    #[error("environment {environment}: action {action} is illegal: {why}")]
    Illegal {
        /// The index of the environment, from 0: the first one with an illegal action.
        environment: usize,
        /// The number of the action.
        action: i64,
        /// Why the action is illegal.
        why: String,
    },
}

impl<G: EnvironmentGame> VectorEnvironment<G> {
    /// New environments, each before the first action of its first game.
    ///
    /// # Errors
    /// If the options are inconsistent.
    pub fn new(options: VectorOptions<G>) -> Result<Self, OptionsError> {
        options.check()?;
        let setup = Setup {
            rules: options.rules,
            players: options.players,
            environments: options.environments as u64,
            reward: options.reward,
            chance: Chance::new(&options.seed),
            lineup: Lineup::new(&options)?,
        };
        let widths = Widths {
            observation: G::observation_len(options.players),
            actions: G::ACTIONS,
            players: options.players,
        };
        let tables = (0..setup.environments).map(|index| Table::new(&setup, index)).collect();
        let scales = Scales::of(&G::fields(options.players));
        Ok(Self { options, setup, tables, widths, scales, is_fresh: true })
    }

    /// The options.
    #[must_use]
    pub const fn options(&self) -> &VectorOptions<G> {
        &self.options
    }

    /// The numbers of an observation, at most [`MAX_OBSERVATION`](crate::MAX_OBSERVATION).
    #[must_use]
    pub const fn observation_len(&self) -> usize {
        self.widths.observation
    }

    /// The number of the game that an environment plays, from 1: the game and table of the arena with the same seed.
    ///
    /// # Panics
    /// If there is no such environment.
    #[must_use]
    pub fn game_number(&self, environment: usize) -> u64 {
        self.tables[environment].number()
    }

    /// The game that an environment plays, with everything that is hidden.
    ///
    /// # Panics
    /// If there is no such environment.
    #[must_use]
    pub fn game(&self, environment: usize) -> &G {
        self.tables[environment].game()
    }

    /// The player at a seat of an environment's game: 0 is the learner if there are opponents; else the seat's own number.
    ///
    /// # Panics
    /// If there is no such environment or seat.
    #[must_use]
    pub fn player(&self, environment: usize, seat: Seat) -> usize {
        self.tables[environment].player(seat)
    }

    /// Begins the next game of every environment, the first at the first call, and writes how it begins. Rewards and dones are 0.
    ///
    /// # Errors
    /// If a buffer has the wrong length. Nothing has changed then.
    pub fn reset(&mut self, buffers: Buffers<'_>) -> Result<(), BufferError> {
        buffers.check(self.tables.len(), self.widths)?;
        if !self.is_fresh {
            self.tables.iter_mut().for_each(|table| table.begin_next(&self.setup));
        }
        self.is_fresh = false;
        buffers.rewards.fill(0.0);
        buffers.dones.fill(0);
        let mut rows = Rows { widths: self.widths, scales: &self.scales, buffers };
        for (row, table) in self.tables.iter().enumerate() {
            rows.write_seats(row, table);
            rows.write_position(row, table);
        }
        Ok(())
    }

    /// Begins again with the first games of another seed; [`VectorEnvironment::reset`] writes how they begin.
    pub fn reseed(&mut self, seed: &str) {
        self.options.seed = seed.to_owned();
        self.setup.chance = Chance::new(seed);
        let tables = (0..self.setup.environments).map(|index| Table::new(&self.setup, index));
        self.tables = tables.collect();
        self.is_fresh = true;
    }

    /// Performs one action in each environment, and writes what follows.
    ///
    /// # Errors
    /// If a buffer has the wrong length, or an action is illegal and that is refused. Nothing has changed then, neither here nor in the
    /// buffers.
    pub fn step<A: Copy + Into<i64> + Sync>(
        &mut self,
        actions: &[A],
        buffers: Buffers<'_>,
    ) -> Result<(), StepError> {
        let (environments, found) = (self.tables.len(), actions.len());
        buffers.check(environments, self.widths)?;
        if found != environments {
            return Err(BufferError { buffer: "actions", expected: environments, found }.into());
        }
        if self.options.illegal_actions == IllegalActions::Refuse {
            self.check_actions(actions)?;
        }
        self.is_fresh = false;
        let rows = Rows { widths: self.widths, scales: &self.scales, buffers };
        let shard = Shard { setup: &self.setup, tables: &mut self.tables, actions, rows };
        shard.step_on(self.options.threads.get());
        Ok(())
    }

    fn check_actions<A: Copy + Into<i64>>(&self, actions: &[A]) -> Result<(), StepError> {
        for (environment, (table, action)) in self.tables.iter().zip(actions).enumerate() {
            let action = (*action).into();
            if let Some(why) = table.refusal(action) {
                return Err(StepError::Illegal { environment, action, why });
            }
        }
        Ok(())
    }
}

/// The rows of some environments in the buffers.
struct Rows<'a> {
    widths: Widths,
    scales: &'a Scales,
    buffers: Buffers<'a>,
}

impl Rows<'_> {
    /// Writes the position in which the caller is to act.
    #[inline]
    fn write_position<G: EnvironmentGame>(&mut self, row: usize, table: &Table<G>) {
        let Self { widths, scales, buffers } = self;
        let view = table.view();
        buffers.observations.write(row, widths.observation, scales, |bytes| {
            G::observe(&view, bytes);
        });
        let mask = &mut buffers.masks[row * widths.actions..][..widths.actions];
        G::write_mask(table.legal(), mask);
        buffers.seats[row] = table.seat().index() as u8;
    }

    /// Writes what the last step gained, where it is not 0.
    #[inline]
    fn write_rewards<G: EnvironmentGame>(
        &mut self,
        row: usize,
        setup: &Setup<G>,
        table: &mut Table<G>,
    ) {
        let players = self.widths.players;
        let rewards = &mut self.buffers.rewards[row * players..][..players];
        table.pay(setup, |player, reward| rewards[player] = reward);
    }

    /// Writes what each seat sees, if that is requested.
    #[inline]
    fn write_seats<G: EnvironmentGame>(&mut self, row: usize, table: &Table<G>) {
        let Self { widths, scales, buffers } = self;
        let Some(seats) = &mut buffers.seat_observations else { return };
        for seat in Seat::all(widths.players) {
            let row = row * widths.players + seat.index();
            seats.write(row, widths.observation, scales, |bytes| {
                table.game().observe_seat(seat, bytes);
            });
        }
    }

    fn write_final<G: EnvironmentGame>(&mut self, row: usize, table: &Table<G>, acted: Seat) {
        if let Some(last) = &mut self.buffers.final_observations {
            let seat = table.observed_seat(acted);
            last.write(row, self.widths.observation, self.scales, |bytes| {
                table.game().observe_seat(seat, bytes);
            });
        }
    }
}

/// Some environments with their actions and rows.
struct Shard<'a, G: EnvironmentGame, A> {
    setup: &'a Setup<G>,
    tables: &'a mut [Table<G>],
    actions: &'a [A],
    rows: Rows<'a>,
}

impl<G: EnvironmentGame, A: Copy + Into<i64> + Sync> Shard<'_, G, A> {
    /// Steps the environments on this many threads, the calling one included.
    fn step_on(self, threads: usize) {
        let threads = threads.min(self.tables.len());
        if threads <= 1 {
            return self.step();
        }
        let count = self.tables.len() / threads;
        thread::scope(|scope| {
            let (first, others) = self.split_at(count);
            scope.spawn(move || others.step_on(threads - 1));
            first.step();
        });
    }

    fn split_at(self, count: usize) -> (Self, Self) {
        let Self { setup, tables, actions, rows: Rows { widths, scales, buffers } } = self;
        let (tables, tables2) = tables.split_at_mut(count);
        let (actions, actions2) = actions.split_at(count);
        let (buffers, buffers2) = buffers.split_at(count, widths);
        let rows = |buffers| Rows { widths, scales, buffers };
        let left = Self { setup, tables, actions, rows: rows(buffers) };
        (left, Self { setup, tables: tables2, actions: actions2, rows: rows(buffers2) })
    }

    fn step(mut self) {
        self.rows.buffers.rewards.fill(0.0);
        self.rows.buffers.dones.fill(0);
        let steps = self.tables.iter_mut().zip(self.actions).enumerate();
        for (row, (table, action)) in steps {
            let acted = table.seat();
            table.step(self.setup, (*action).into());
            self.rows.write_rewards(row, self.setup, table);
            self.rows.write_seats(row, table);
            if table.is_over() {
                self.rows.buffers.dones[row] = 1;
                self.rows.write_final(row, table, acted);
                table.begin_next(self.setup);
            }
            self.rows.write_position(row, table);
        }
    }
}
