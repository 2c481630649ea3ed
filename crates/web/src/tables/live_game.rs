//! A game at a table, between people and bots.

#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};

use dicehill_arena::{Audience, Bot, Failure, Finished, Move, Play, Reason, printable};
use dicehill_rules::chance::TableDice;
use dicehill_rules::{Dice, Game, PublicInfo, Seat};

use super::finished_game::FinishedGame;
use super::table_game::PlayedAction;
use super::table_game::TablePosition;
use super::{Refusal, TableGame};
use crate::model::table::{Absence, EventKind, PlayerResult, Stage, TableDocument, TableEvent};

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

    fn refused(&mut self, seat: Seat, why: &str) -> Vec<String> {
        self.0[seat.index()].bot().map(|bot| bot.refused(why)).unwrap_or_default()
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
    /// Whether everyone sees what is otherwise hidden, if the game has such an option.
    is_open: bool,
    /// By seat, whether its person has resigned.
    resigned: Vec<bool>,
    play: Play<'static, G, D>,
    /// Moves made, by seat.
    moves: Vec<usize>,
    /// By move, whether a bot made it for a person.
    substituted: Vec<bool>,
    /// By seat, whether a person took it.
    is_person: Vec<bool>,
    events: Vec<TableEvent>,
}

impl<G: TableGame, D: Dice + Clone> LiveGame<G, D> {
    /// A game at its first action, with the players by seat.
    pub(crate) fn new(rules: G::Rules, dice: D, players: Vec<(String, Player<G>)>) -> Self {
        let (names, players): (Vec<_>, Vec<_>) = players.into_iter().unzip();
        let play = Play::new(rules, dice.clone(), names.len(), PublicInfo::default());
        let moves = vec![0; names.len()];
        let is_person = players.iter().map(|player| matches!(player, Player::Person)).collect();
        Self {
            rules,
            dice,
            players,
            is_open: false,
            resigned: vec![false; names.len()],
            names,
            play,
            moves,
            substituted: Vec::new(),
            is_person,
            events: Vec::new(),
        }
    }

    /// The same game, in which everyone sees all cards and dice if `is_open`.
    pub(crate) fn opened(self, is_open: bool) -> Self {
        Self { is_open, ..self }
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

    /// Repeats a recorded action of the seat whose turn it is, whether a person or a bot made it.
    ///
    /// # Errors
    /// If it is illegal; then nothing changes.
    pub(crate) fn repeat(&mut self, action: &str) -> Result<(), Refusal> {
        let turn = self.turn().ok_or(Refusal::Over)?;
        let action = self.read(action)?;
        self.apply(turn, Ok(action));
        Ok(())
    }

    /// Repeats a recorded failure of the seat whose turn it is.
    ///
    /// # Errors
    /// If the game is over.
    pub(crate) fn repeat_failure(&mut self, failure: Failure) -> Result<(), Refusal> {
        let turn = self.turn().ok_or(Refusal::Over)?;
        self.apply(turn, Err(failure));
        Ok(())
    }

    /// The last move.
    pub(crate) fn last_move(&self) -> Option<&Move<G>> {
        self.play.moves().last()
    }

    /// The number of moves of all seats.
    pub(crate) fn count_moves(&self) -> usize {
        self.play.moves().len()
    }

    /// Lets a bot play for the person at `seat` from now on.
    pub(crate) fn replace(&mut self, seat: Seat, bot: Box<dyn Bot<G>>, why: Absence) {
        let name = &self.names[seat.index()];
        let text = match why {
            Absence::Late => format!("{name} is out of time: a bot plays for {name}"),
            Absence::Away => format!("{name} is away: a bot plays for {name}"),
            Absence::Resigned => format!("{name} resigns: a bot plays the rest"),
        };
        self.resigned[seat.index()] |= why == Absence::Resigned;
        self.players[seat.index()] = Player::Bot(Some(bot));
        self.notice(seat, text);
    }

    /// Gives the seat back to its person. A bot that computes a move for it is dismissed.
    pub(crate) fn give_back(&mut self, seat: Seat) {
        self.players[seat.index()] = Player::Person;
        self.notice(seat, format!("{} is back", self.names[seat.index()]));
    }

    fn notice(&mut self, seat: Seat, text: String) {
        let round = self.state().round_of();
        self.push(TableEvent::new(EventKind::Seat, round, seat.index(), text));
    }

    fn push(&mut self, event: TableEvent) {
        let number = self.events.len() + 1;
        self.events.push(TableEvent { number, ..event });
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
        let is_bot = matches!(self.players[seat.index()], Player::Bot(_));
        self.substituted.push(is_bot && self.is_person[seat.index()]);
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
            Some(Move::Acted(action)) => {
                G::event(PlayedAction { before, action, names: &self.names, is_open: self.is_open })
            }
            Some(Move::Failed(failure)) => Some(self.failure_event(before, seat, failure)),
            None => None,
        };
        let Some(event) = event else { return Recipients::Only(seat) };
        self.push(event);
        Recipients::Everyone
    }

    fn failure_event(&self, before: &G, seat: Seat, failure: &Failure) -> TableEvent {
        let player = seat.index();
        let text =
            format!("{} gives no legal action: {}", self.names[player], printable(&failure.detail));
        let seats = self.state().counts();
        TableEvent { seats, ..TableEvent::new(EventKind::Fault, before.round_of(), player, text) }
    }

    /// Takes the bot whose turn it is out of the game, to compute its move without a lock; `None` if it is a person's turn,
    /// or the bot was taken already.
    pub(crate) fn take_bot_turn(&mut self) -> Option<BotTurn<G>> {
        let seat = self.turn()?;
        let bot = match &mut self.players[seat.index()] {
            Player::Person => None,
            Player::Bot(bot) => bot.take(),
        }?;
        let names = self.names.clone();
        Some(BotTurn { game: self.state().clone(), names, seat, moves: self.count_moves(), bot })
    }

    /// Puts the bot back and applies its answer. Returns who may notice that; `None` if the answer is not used, because the
    /// person whose seat the bot played has returned.
    pub(crate) fn apply_bot_answer(&mut self, answer: BotAnswer<G>) -> Option<Recipients> {
        let BotAnswer { seat, moves, bot, answer } = answer;
        let is_expected = matches!(self.players[seat.index()], Player::Bot(None));
        if !is_expected || moves != self.count_moves() {
            return None;
        }
        self.players[seat.index()] = Player::Bot(bot);
        Some(self.apply(seat, answer))
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
        let is_open = self.is_open;
        let position = TablePosition { game: self.state(), turn: self.turn(), is_open };
        G::show(position, viewer, document);
    }

    /// A seat that was resigned cannot win; if it would have, the best of the others have won.
    fn results(&self) -> Vec<PlayerResult> {
        let result = |seat: Seat| {
            let result = self.state().result(seat);
            let figures = G::FIGURES.iter().map(|figure| figure.name).zip(result.figures).collect();
            PlayerResult { won: result.won && !self.play.is_void(), points: result.points, figures }
        };
        let mut results: Vec<_> = Seat::all(self.names.len()).map(result).collect();
        let is_won = |(result, resigned): (&PlayerResult, &bool)| result.won && *resigned;
        let moves_up = results.iter().zip(&self.resigned).any(is_won);
        let others = results.iter().zip(&self.resigned).filter(|(_, resigned)| !**resigned);
        let best = others.map(|(result, _)| rank(result)).max();
        for (result, resigned) in results.iter_mut().zip(&self.resigned) {
            result.won = !resigned && (result.won || (moves_up && Some(rank(result)) == best));
        }
        results
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
            names: self.names.clone(),
            substituted: self.substituted.clone(),
            moves: self.play.moves().to_vec(),
            end: self.state().clone(),
            void: self.play.is_void(),
        })
    }
}

/// What players are ranked by: the score, or the points of a game without scores.
fn rank(result: &PlayerResult) -> u64 {
    result.figures.get("score").copied().unwrap_or(result.points)
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
    /// The number of moves before.
    moves: usize,
    bot: Box<dyn Bot<G>>,
}

/// A bot, and its answer.
pub(crate) struct BotAnswer<G: Game> {
    seat: Seat,
    moves: usize,
    bot: Option<Box<dyn Bot<G>>>,
    answer: Result<G::Action, Failure>,
}

impl<G: Game> BotTurn<G> {
    /// Asks the bot for its action, which may take seconds. A panic of the bot counts as a crash.
    pub(crate) fn play(self) -> BotAnswer<G> {
        let Self { game, names, seat, moves, mut bot } = self;
        let names = names.iter().map(String::as_str).collect();
        let public = PublicInfo { names, points: Vec::new() };
        let caught = catch_unwind(AssertUnwindSafe(|| game.view(&public).map(|v| bot.act(&v))));
        match caught {
            Ok(Some(answer)) => BotAnswer { seat, moves, bot: Some(bot), answer },
            Ok(None) | Err(_) => {
                let answer = Err(Failure::new(Reason::Crash, "the bot has given up"));
                BotAnswer { seat, moves, bot: None, answer }
            }
        }
    }
}
