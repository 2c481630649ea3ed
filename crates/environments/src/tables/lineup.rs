//! The players: the caller and its opponents.

use dicehill_arena::{Bot, Program, Start};
use dicehill_bots::HouseBot;
use dicehill_rules::{Chance, PublicInfo, Seat};

use crate::environment_game::EnvironmentGame;
use crate::options::{LEARNER, LearnerSeat, OptionsError, VectorOptions};

/// The learner and its opponents, the same in all games.
pub(crate) struct Lineup<G: EnvironmentGame> {
    /// By player: the learner, then the opponents. A house bot that plays twice has two names.
    names: Vec<String>,
    /// By player, without the learner.
    opponents: Vec<HouseBot<G>>,
    seating: LearnerSeat,
}

/// The players at one table.
pub(crate) struct SeatedPlayers<G: EnvironmentGame> {
    /// By seat.
    players: Vec<usize>,
    /// By seat; `None` is the learner.
    bots: Vec<Option<Box<dyn Bot<G>>>>,
    learner: Seat,
}

impl<G: EnvironmentGame> Lineup<G> {
    /// The lineup of the options; `None` if the caller acts for all players.
    pub(crate) fn new(options: &VectorOptions<G>) -> Result<Option<Self>, OptionsError> {
        let mut names = vec![LEARNER.to_owned()];
        for name in &options.opponents {
            let numbered = (2..).map(|number| format!("{name} {number}"));
            let mut names_of_bot = std::iter::once(name.clone()).chain(numbered);
            let free = names_of_bot.find(|name| !names.contains(name));
            names.push(free.expect("numbers do not end"));
        }
        let opponents: Result<Vec<_>, _> =
            options.opponents.iter().map(|name| house_bot(name)).collect();
        let lineup = Self { names, opponents: opponents?, seating: options.seating };
        Ok((!lineup.opponents.is_empty()).then_some(lineup))
    }

    /// Seats the players of a game, with fresh bots.
    pub(crate) fn seat(&self, chance: &Chance, game: u64) -> SeatedPlayers<G> {
        let mut players: Vec<_> = (0..self.names.len()).collect();
        match self.seating {
            LearnerSeat::Drawn => {
                players.sort_by_cached_key(|player| chance.seat_key(game, &self.names[*player]));
            }
            LearnerSeat::Fixed(seat) => players[..=seat].rotate_left(1),
        }
        let bots = players.iter().map(|player| self.bot(*player, chance, game)).collect();
        let is_learner = |seat: &Seat| players[seat.index()] == 0;
        let learner = Seat::all(players.len()).find(is_learner).expect("the learner has a seat");
        SeatedPlayers { players, bots, learner }
    }

    /// A fresh bot; `None` for the learner.
    fn bot(&self, player: usize, chance: &Chance, game: u64) -> Option<Box<dyn Bot<G>>> {
        let mut bot = self.opponents[player.checked_sub(1)?].bot();
        let (name, players) = (&self.names[player], self.names.len());
        let (id, seed) = (chance.game_id(game, name), chance.bot_seed(game, name));
        bot.start(&Start { game, id, players, seed });
        Some(bot)
    }

    /// What is public at a table.
    pub(crate) fn public(&self, seated: &SeatedPlayers<G>) -> PublicInfo<'_> {
        let names = seated.players.iter().map(|player| self.names[*player].as_str()).collect();
        PublicInfo { names, points: Vec::new() }
    }
}

impl<G: EnvironmentGame> SeatedPlayers<G> {
    /// The player at a seat.
    pub(crate) fn player(&self, seat: Seat) -> usize {
        self.players[seat.index()]
    }

    /// The learner's seat.
    pub(crate) const fn learner(&self) -> Seat {
        self.learner
    }

    /// The bot at a seat; `None` for the learner.
    pub(crate) fn bot(&mut self, seat: Seat) -> Option<&mut (dyn Bot<G> + 'static)> {
        self.bots[seat.index()].as_deref_mut()
    }

    /// All bots.
    pub(crate) fn bots(&mut self) -> impl Iterator<Item = &mut Box<dyn Bot<G>>> {
        self.bots.iter_mut().flatten()
    }
}

fn house_bot<G: EnvironmentGame>(name: &str) -> Result<HouseBot<G>, OptionsError> {
    let mut bots = G::house_bots();
    match bots.iter().position(|bot| bot.name() == name) {
        Some(index) => Ok(bots.swap_remove(index)),
        None => {
            let known: Vec<_> = bots.iter().map(HouseBot::name).collect();
            let (name, known) = (name.to_owned(), known.join(", "));
            Err(OptionsError::UnknownOpponent { name, known })
        }
    }
}
