//! Qualification: does a bot play legally, the same way each time, without memory of other games?

use std::sync::Arc;

use dicehill_rules::{Chance, Game, Public};

use crate::{Failure, Move, Play, Program, Start};

/// What a qualification found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Games played.
    pub games: u64,
    /// Answers the bot gave in them.
    pub answers: u64,
    /// What is wrong with the bot; nothing if it may take part.
    pub findings: Vec<Finding>,
}

/// Something that is wrong with a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It gave no legal action.
    Failed {
        /// The game, from 1.
        game: u64,
        /// The number of the answer in that game, the opponents' counted, from 1.
        answer: usize,
        /// The position that it was shown.
        position: String,
        /// The fault.
        failure: Failure,
    },
    /// It answered the same request with the same seed in two ways.
    Unrepeatable {
        /// The game, from 1.
        game: u64,
        /// The number of the answer in that game, from 1.
        answer: usize,
        /// What it answered first.
        first: String,
        /// What it answered when the game was played again.
        again: String,
    },
}

/// Lets `program` play `games` games against each seat's share of `opponents`, and every game again
/// with fresh bots, in the opposite order.
///
/// The bot sits at each seat of each size of table in turn. `seed` decides dice and opponents. A game
/// lost to a clock is the last.
///
/// # Panics
/// If there is no opponent.
pub fn check<G: Game>(
    rules: G::Rules,
    program: &Arc<dyn Program<G>>,
    opponents: &[Arc<dyn Program<G>>],
    games: u64,
    seed: &str,
) -> Check {
    let trial = Trial { rules, program, opponents, chance: Chance::new(seed) };
    let first = trial.play_first(games);
    let games = first.len() as u64;
    let again: Vec<_> = (1..=games).rev().map(|game| trial.play(game)).collect();
    let answers = first.iter().map(|game| game.answers.len() as u64).sum();
    let mut findings = Vec::new();
    for ((game, first), again) in (1..).zip(&first).zip(again.iter().rev()) {
        findings.extend(first.failures.iter().map(|(answer, position, failure)| Finding::Failed {
            game,
            answer: *answer,
            position: position.clone(),
            failure: failure.clone(),
        }));
        findings.extend(first.difference(again, game));
    }
    Check { games, answers, findings }
}

struct Trial<'a, G: Game> {
    rules: G::Rules,
    program: &'a Arc<dyn Program<G>>,
    opponents: &'a [Arc<dyn Program<G>>],
    chance: Chance,
}

/// What the bot did in one game.
#[derive(Default)]
struct Trace {
    /// Its answers, with their number in the game.
    answers: Vec<(usize, String)>,
    /// Its faults, with the position it was shown.
    failures: Vec<(usize, String, Failure)>,
}

impl<G: Game> Trial<'_, G> {
    /// Whoever is late once may be late each time, and waiting for that would take hours.
    fn play_first(&self, games: u64) -> Vec<Trace> {
        let mut played: Vec<Trace> = Vec::new();
        for game in 1..=games {
            played.push(self.play(game));
            if played.last().is_some_and(Trace::is_late) {
                break;
            }
        }
        played
    }

    fn play(&self, game: u64) -> Trace {
        let (seats, mine) = self.place(game);
        let mut bots: Vec<_> =
            (0..seats).map(|seat| self.program_at(game, seat, mine).bot()).collect();
        for (seat, bot) in bots.iter_mut().enumerate() {
            let seed = self.chance.bot_seed(game, &seat.to_string());
            let id = self.chance.game_id(game, &seat.to_string());
            bot.start(&Start { game, id, players: seats, seed });
        }
        let dice = self.chance.table(game);
        let names: Vec<_> = (0..seats).map(|seat| format!("seat-{seat}")).collect();
        let names = names.iter().map(String::as_str).collect();
        let public = Public { names, points: Vec::new() };
        let mut play = Play::<G>::new(self.rules, dice, seats, public);
        let mut trace = Trace::default();
        while let Some((seat, view)) = play.turn() {
            let answer = bots[seat.index()].act(&view);
            play.answer(answer);
            if seat.index() == mine {
                trace.note(&play);
            }
        }
        trace
    }

    /// How many sit at the table, and the bot's own seat: the sizes change from game to game, and
    /// the seat each time that all sizes have been played.
    fn place(&self, game: u64) -> (usize, usize) {
        let game = game as usize;
        let most = (*G::SEATS.end()).min(5).min(self.opponents.len() + 1).max(2);
        let sizes = most - 1;
        let seats = 2 + game % sizes;
        (seats, game / sizes % seats)
    }

    fn program_at(&self, game: u64, seat: usize, mine: usize) -> &Arc<dyn Program<G>> {
        if seat == mine {
            return self.program;
        }
        &self.opponents[(game as usize + seat) % self.opponents.len()]
    }
}

impl Trace {
    fn is_late(&self) -> bool {
        self.failures.iter().any(|(_, _, failure)| failure.reason.is_by_the_clock())
    }

    fn note<G: Game>(&mut self, play: &Play<'_, G>) {
        let number = play.moves().len();
        let request = || play.offences().last().map_or_else(String::new, |o| o.request.clone());
        match play.moves().last() {
            Some(Move::Acted(action)) => self.answers.push((number, action.to_string())),
            Some(Move::Failed(failure)) => {
                self.answers.push((number, failure.to_string()));
                self.failures.push((number, request(), (**failure).clone()));
            }
            None => {}
        }
    }

    /// The first answer that was another one when the game was played again.
    fn difference(&self, again: &Self, game: u64) -> Option<Finding> {
        let mut pairs = self.answers.iter().zip(&again.answers);
        let ((answer, first), (_, again)) = pairs.find(|(first, again)| first != again)?;
        let (first, again) = (first.clone(), again.clone());
        Some(Finding::Unrepeatable { game, answer: *answer, first, again })
    }
}
