//! A game with people in it.

#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};

use dicehill_arena::{Bot, Failure, Finished, Move, Play, Reason, printable};
use dicehill_rules::chance::TableDice;
use dicehill_rules::{Dice, Game, Public, Seat};

use super::table_game::FinishedGame;
use super::{Refusal, TableGame};
use crate::model::table::{Happening, PlayerResult, Stage, TableDocument};

/// What has happened is told of so many moves.
const HAPPENINGS_TOLD: usize = 60;
/// Bytes of an action; all that the rules allow are shorter.
const LONGEST_ACTION: usize = 40;

/// Who sits at a seat.
pub(crate) enum Player<G: Game> {
    /// A person, who is asked for nothing: it acts when it likes.
    Person,
    /// A bot; not there while it thinks.
    Bot(Option<Box<dyn Bot<G>>>),
}

/// Who learns that something has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    /// All at the table, and visitors.
    Everybody,
    /// Whoever sits there.
    Only(Seat),
}

/// A game with people in it. It is over, or waits for a person or for a bot to think.
pub(crate) struct Session<G: TableGame, D = TableDice> {
    rules: G::Rules,
    dice: D,
    names: Vec<String>,
    players: Vec<Player<G>>,
    play: Play<'static, G, D>,
    /// Moves made, by seat.
    moves: Vec<usize>,
    happenings: Vec<Happening>,
}

impl<G: TableGame, D: Dice + Clone> Session<G, D> {
    /// A game at its first action, with the players by seat.
    pub(crate) fn new(rules: G::Rules, dice: D, players: Vec<(String, Player<G>)>) -> Self {
        let (names, players): (Vec<_>, Vec<_>) = players.into_iter().unzip();
        let play = Play::new(rules, dice.clone(), names.len(), Public::default());
        let moves = vec![0; names.len()];
        Self { rules, dice, names, players, play, moves, happenings: Vec::new() }
    }

    /// The state of the game.
    pub(crate) const fn game(&self) -> &G {
        self.play.game()
    }

    /// The players' names by seat.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Whose turn it is; nobody's when the game is over.
    pub(crate) fn turn(&self) -> Option<Seat> {
        self.play.turn().map(|(seat, _)| seat)
    }

    /// Whether the game is over.
    pub(crate) fn is_over(&self) -> bool {
        self.turn().is_none()
    }

    /// How far the game is.
    pub(crate) fn stage(&self) -> Stage {
        match (self.play.is_void(), self.is_over()) {
            (true, _) => Stage::Void,
            (false, true) => Stage::Over,
            (false, false) => Stage::Playing,
        }
    }

    /// An action of the person at `seat`, who knew of so many moves of its own.
    ///
    /// # Errors
    /// Says why it cannot be done; nothing is changed then.
    pub(crate) fn act(
        &mut self,
        seat: Seat,
        action: &str,
        known: usize,
    ) -> Result<Audience, Refusal> {
        let made = self.moves[seat.index()];
        if made != known {
            return Err(Refusal::Stale { made, known });
        }
        let turn = self.turn().ok_or(Refusal::Over)?;
        if turn != seat {
            return Err(Refusal::NotYourTurn);
        }
        let action = self.read(action)?;
        Ok(self.judge(turn, Ok(action)))
    }

    fn read(&self, action: &str) -> Result<G::Action, Refusal> {
        let illegal = |why: &str| Refusal::Illegal(printable(why));
        if action.len() > LONGEST_ACTION {
            return Err(illegal("no action is so long"));
        }
        let action: G::Action = action
            .parse()
            .map_err(|error: <G::Action as std::str::FromStr>::Err| illegal(&error.to_string()))?;
        let mut trial = self.game().clone();
        trial.apply(&action, &self.dice).map_err(|refusal| illegal(&refusal.to_string()))?;
        Ok(action)
    }

    /// Judges an answer of the seat whose turn it is, tells the bots what they may know of it, and says who learns of it.
    fn judge(&mut self, seat: Seat, answer: Result<G::Action, Failure>) -> Audience {
        let before = self.game().clone();
        if let Some(action) = self.play.revealing(&answer) {
            let shown = self.players.iter_mut().filter_map(Player::bot);
            shown.for_each(|bot| bot.reveal(&before, action));
        }
        self.play.answer(answer);
        self.moves[seat.index()] += 1;
        if let Some(why) = self.play.refusal()
            && let Some(bot) = self.players[seat.index()].bot()
        {
            bot.refused(why);
        }
        if self.is_over() {
            self.tell_the_end();
        }
        self.note(&before, seat)
    }

    fn tell_the_end(&mut self) {
        let names = self.names.iter().map(String::as_str).collect();
        let public = Public { names, points: Vec::new() };
        let (game, void) = (self.play.game(), self.play.is_void());
        for (seat, player) in Seat::first(self.players.len()).zip(&mut self.players) {
            if let Some(bot) = player.bot() {
                bot.end(&Finished { game, seat, void, public: &public });
            }
        }
    }

    /// Notes what all could see of the last move.
    fn note(&mut self, before: &G, seat: Seat) -> Audience {
        let happening = match self.play.moves().last() {
            Some(Move::Acted(action)) => G::happening(before, &self.names, action),
            Some(Move::Failed(failure)) => Some(self.failing(before, seat, failure)),
            None => None,
        };
        let Some(happening) = happening else { return Audience::Only(seat) };
        let number = self.happenings.len() + 1;
        self.happenings.push(Happening { number, ..happening });
        Audience::Everybody
    }

    fn failing(&self, before: &G, seat: Seat, failure: &Failure) -> Happening {
        let player = seat.index();
        let text =
            format!("{} gives no legal action: {}", self.names[player], printable(&failure.detail));
        let round = before.round_of();
        Happening { number: 0, round, player, text, hands: Vec::new(), face: None }
    }

    /// What the bot whose turn it is has to think about, which needs no lock; nothing if it is a person's turn, or the bot
    /// thinks already.
    pub(crate) fn thought(&mut self) -> Option<Thought<G>> {
        let seat = self.turn()?;
        let bot = match &mut self.players[seat.index()] {
            Player::Person => None,
            Player::Bot(bot) => bot.take(),
        }?;
        Some(Thought { game: self.game().clone(), names: self.names.clone(), seat, bot })
    }

    /// The bot has thought. Says who learns of what it does.
    pub(crate) fn conclude(&mut self, conclusion: Conclusion<G>) -> Audience {
        let Conclusion { seat, bot, answer } = conclusion;
        self.players[seat.index()] = Player::Bot(bot);
        self.judge(seat, answer)
    }

    /// Puts into a document what a seat, or a visitor, may see.
    pub(crate) fn show(&self, viewer: Option<Seat>, document: &mut TableDocument) {
        document.you = viewer.map(Seat::index);
        document.moves = viewer.map_or(0, |seat| self.moves[seat.index()]);
        document.stage = self.stage();
        document.turn = self.turn().map(Seat::index);
        let first = self.happenings.len().saturating_sub(HAPPENINGS_TOLD);
        document.happenings = self.happenings[first..].to_vec();
        if self.is_over() {
            document.results = Some(self.results());
        }
        G::show(self, viewer, document);
    }

    fn results(&self) -> Vec<PlayerResult> {
        let result = |seat| {
            let result = self.game().result(seat);
            let figures = G::FIGURES.iter().map(|figure| figure.name).zip(result.figures).collect();
            let won = result.won && !self.play.is_void();
            PlayerResult { won, points: result.points, figures }
        };
        Seat::first(self.names.len()).map(result).collect()
    }

    /// The game, once it is over.
    pub(crate) fn finished(&self) -> Result<FinishedGame<G, D>, Refusal> {
        if !self.is_over() {
            return Err(Refusal::NotOver);
        }
        Ok(FinishedGame {
            rules: self.rules,
            dice: self.dice.clone(),
            seats: self.names.len(),
            moves: self.play.moves().to_vec(),
            end: self.game().clone(),
            void: self.play.is_void(),
        })
    }
}

impl<G: Game> Player<G> {
    fn bot(&mut self) -> Option<&mut Box<dyn Bot<G>>> {
        match self {
            Self::Person => None,
            Self::Bot(bot) => bot.as_mut(),
        }
    }
}

/// A bot and what it is to think about.
pub(crate) struct Thought<G: Game> {
    game: G,
    names: Vec<String>,
    seat: Seat,
    bot: Box<dyn Bot<G>>,
}

/// A bot and what it has come to.
pub(crate) struct Conclusion<G: Game> {
    seat: Seat,
    bot: Option<Box<dyn Bot<G>>>,
    answer: Result<G::Action, Failure>,
}

impl<G: Game> Thought<G> {
    /// Lets the bot think, which may take seconds. A bot that panics has crashed.
    pub(crate) fn think(self) -> Conclusion<G> {
        let Self { game, names, seat, mut bot } = self;
        let names = names.iter().map(String::as_str).collect();
        let public = Public { names, points: Vec::new() };
        let thought = catch_unwind(AssertUnwindSafe(|| game.view(&public).map(|v| bot.act(&v))));
        match thought {
            Ok(Some(answer)) => Conclusion { seat, bot: Some(bot), answer },
            Ok(None) | Err(_) => {
                let answer = Err(Failure::new(Reason::Crash, "the bot has given up"));
                Conclusion { seat, bot: None, answer }
            }
        }
    }
}
