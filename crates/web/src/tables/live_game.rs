//! A game at a table, between people and bots.

#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};

use dicehill_arena::{Audience, Bot, Failure, Finished, Move, Play, Reason, printable};
use dicehill_rules::chance::TableDice;
use dicehill_rules::{Dice, Game, PublicInfo, Seat};

use super::finished_game::FinishedGame;
use super::table_game::TablePosition;
use super::{Refusal, TableGame};
use crate::model::table::{PlayerResult, Stage, TableDocument, TableEvent};

/// The number of events in a document, the last ones.
const MAX_EVENTS: usize = 60;
/// The most bytes of an action; all legal actions are shorter.
const MAX_ACTION_LENGTH: usize = 40;

/// The player at a seat.
pub(crate) enum Player<G: Game> {
    /// A person, who acts through requests.
    Person,
    /// A bot; `None` while it computes a move.
    Bot(Option<Box<dyn Bot<G>>>),
}

/// The bots at a table of people and bots.
struct BotsAtTable<'a, G: Game>(&'a mut [Player<G>]);

impl<G: Game> Audience<G> for BotsAtTable<'_, G> {
    fn reveal(&mut self, game: &G, action: &G::Action) {
        self.0.iter_mut().filter_map(Player::bot).for_each(|bot| bot.reveal(game, action));
    }

    fn refused(&mut self, seat: Seat, why: &str) {
        if let Some(bot) = self.0[seat.index()].bot() {
            bot.refused(why);
        }
    }
}

/// Who may notice that something has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Recipients {
    /// All at the table, and visitors.
    Everyone,
    /// Only the player at this seat.
    Only(Seat),
}

/// A game at a table. It is over, or waits for a person or a bot.
pub(crate) struct LiveGame<G: TableGame, D = TableDice> {
    rules: G::Rules,
    dice: D,
    names: Vec<String>,
    players: Vec<Player<G>>,
    play: Play<'static, G, D>,
    /// Moves made, by seat.
    moves: Vec<usize>,
    events: Vec<TableEvent>,
}

impl<G: TableGame, D: Dice + Clone> LiveGame<G, D> {
    /// A game at its first action, with the players by seat.
    pub(crate) fn new(rules: G::Rules, dice: D, players: Vec<(String, Player<G>)>) -> Self {
        let (names, players): (Vec<_>, Vec<_>) = players.into_iter().unzip();
        let play = Play::new(rules, dice.clone(), names.len(), PublicInfo::default());
        let moves = vec![0; names.len()];
        Self { rules, dice, names, players, play, moves, events: Vec::new() }
    }

    /// The state of the game.
    pub(crate) const fn state(&self) -> &G {
        self.play.game()
    }

    /// The players' names by seat.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// The seat whose turn it is; `None` when the game is over.
    pub(crate) fn turn(&self) -> Option<Seat> {
        self.play.turn().map(|(seat, _)| seat)
    }

    /// Whether the game is over.
    pub(crate) fn is_over(&self) -> bool {
        self.turn().is_none()
    }

    /// The stage of the game.
    pub(crate) fn stage(&self) -> Stage {
        match (self.play.is_void(), self.is_over()) {
            (true, _) => Stage::Void,
            (false, true) => Stage::Over,
            (false, false) => Stage::Playing,
        }
    }

    /// Performs an action of the person at `seat`, whose client knew of `known` moves of that seat.
    ///
    /// # Errors
    /// If the action is refused; then nothing changes.
    pub(crate) fn act(
        &mut self,
        seat: Seat,
        action: &str,
        known: usize,
    ) -> Result<Recipients, Refusal> {
        let made = self.moves[seat.index()];
        if made != known {
            return Err(Refusal::Stale { made, known });
        }
        let turn = self.turn().ok_or(Refusal::Over)?;
        if turn != seat {
            return Err(Refusal::NotYourTurn);
        }
        let action = self.read(action)?;
        Ok(self.apply(turn, Ok(action)))
    }

    fn read(&self, action: &str) -> Result<G::Action, Refusal> {
        let illegal = |why: &str| Refusal::Illegal(printable(why));
        if action.len() > MAX_ACTION_LENGTH {
            return Err(illegal("the action is too long"));
        }
        let action: G::Action = action
            .parse()
            .map_err(|error: <G::Action as std::str::FromStr>::Err| illegal(&error.to_string()))?;
        let mut trial = self.state().clone();
        trial.apply(&action, &self.dice).map_err(|refusal| illegal(&refusal.to_string()))?;
        Ok(action)
    }

    /// Applies an answer of the seat whose turn it is, informs the bots of what they may know, and returns who may notice
    /// it.
    fn apply(&mut self, seat: Seat, answer: Result<G::Action, Failure>) -> Recipients {
        let before = self.state().clone();
        self.play.judge(answer, &mut BotsAtTable(&mut self.players));
        self.moves[seat.index()] += 1;
        if self.is_over() {
            self.end_bots();
        }
        self.record_event(&before, seat)
    }

    fn end_bots(&mut self) {
        let names = self.names.iter().map(String::as_str).collect();
        let public = PublicInfo { names, points: Vec::new() };
        let game = self.play.game();
        let void = self.play.is_void();
        for (seat, player) in Seat::all(self.players.len()).zip(&mut self.players) {
            if let Some(bot) = player.bot() {
                bot.end(&Finished { game, seat, void, public: &public });
            }
        }
    }

    /// Records what everyone could see of the last move.
    fn record_event(&mut self, before: &G, seat: Seat) -> Recipients {
        let event = match self.play.moves().last() {
            Some(Move::Acted(action)) => G::event(before, &self.names, action),
            Some(Move::Failed(failure)) => Some(self.failure_event(before, seat, failure)),
            None => None,
        };
        let Some(event) = event else { return Recipients::Only(seat) };
        let number = self.events.len() + 1;
        self.events.push(TableEvent { number, ..event });
        Recipients::Everyone
    }

    fn failure_event(&self, before: &G, seat: Seat, failure: &Failure) -> TableEvent {
        let player = seat.index();
        let text =
            format!("{} gives no legal action: {}", self.names[player], printable(&failure.detail));
        let round = before.round_of();
        TableEvent { number: 0, round, player, text, hands: Vec::new(), face: None }
    }

    /// Takes the bot whose turn it is out of the game, to compute its move without a lock; `None` if it is a person's turn,
    /// or the bot was taken already.
    pub(crate) fn take_bot_turn(&mut self) -> Option<BotTurn<G>> {
        let seat = self.turn()?;
        let bot = match &mut self.players[seat.index()] {
            Player::Person => None,
            Player::Bot(bot) => bot.take(),
        }?;
        Some(BotTurn { game: self.state().clone(), names: self.names.clone(), seat, bot })
    }

    /// Puts the bot back and applies its answer. Returns who may notice that.
    pub(crate) fn apply_bot_answer(&mut self, answer: BotAnswer<G>) -> Recipients {
        let BotAnswer { seat, bot, answer } = answer;
        self.players[seat.index()] = Player::Bot(bot);
        self.apply(seat, answer)
    }

    /// Adds to a document what a seat, or a visitor, may see.
    pub(crate) fn show(&self, viewer: Option<Seat>, document: &mut TableDocument) {
        document.you = viewer.map(Seat::index);
        document.moves = viewer.map_or(0, |seat| self.moves[seat.index()]);
        document.stage = self.stage();
        document.turn = self.turn().map(Seat::index);
        let first = self.events.len().saturating_sub(MAX_EVENTS);
        document.happenings = self.events[first..].to_vec();
        if self.is_over() {
            document.results = Some(self.results());
        }
        let position = TablePosition { game: self.state(), turn: self.turn() };
        G::show(position, viewer, document);
    }

    fn results(&self) -> Vec<PlayerResult> {
        let result = |seat| {
            let result = self.state().result(seat);
            let figures = G::FIGURES.iter().map(|figure| figure.name).zip(result.figures).collect();
            let won = result.won && !self.play.is_void();
            PlayerResult { won, points: result.points, figures }
        };
        Seat::all(self.names.len()).map(result).collect()
    }

    /// The finished game.
    ///
    /// # Errors
    /// If it is not over.
    pub(crate) fn finished(&self) -> Result<FinishedGame<G, D>, Refusal> {
        if !self.is_over() {
            return Err(Refusal::NotOver);
        }
        Ok(FinishedGame {
            rules: self.rules,
            dice: self.dice.clone(),
            seats: self.names.len(),
            moves: self.play.moves().to_vec(),
            end: self.state().clone(),
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

/// A bot, and the position in which it is to act.
pub(crate) struct BotTurn<G: Game> {
    game: G,
    names: Vec<String>,
    seat: Seat,
    bot: Box<dyn Bot<G>>,
}

/// A bot, and its answer.
pub(crate) struct BotAnswer<G: Game> {
    seat: Seat,
    bot: Option<Box<dyn Bot<G>>>,
    answer: Result<G::Action, Failure>,
}

impl<G: Game> BotTurn<G> {
    /// Asks the bot for its action, which may take seconds. A panic of the bot counts as a crash.
    pub(crate) fn play(self) -> BotAnswer<G> {
        let Self { game, names, seat, mut bot } = self;
        let names = names.iter().map(String::as_str).collect();
        let public = PublicInfo { names, points: Vec::new() };
        let caught = catch_unwind(AssertUnwindSafe(|| game.view(&public).map(|v| bot.act(&v))));
        match caught {
            Ok(Some(answer)) => BotAnswer { seat, bot: Some(bot), answer },
            Ok(None) | Err(_) => {
                let answer = Err(Failure::new(Reason::Crash, "the bot has given up"));
                BotAnswer { seat, bot: None, answer }
            }
        }
    }
}
