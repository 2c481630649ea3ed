//! The judge of one game: asks, applies, and keeps the record.

use std::fmt::Display;

use dicehill_rules::chance::TableDice;
use dicehill_rules::{Dice, Forfeit, Game, Public, Seat, SeatResult};

use crate::{Appraisal, Bot, Failure, Finished, Fixture, Reason};

/// A game being judged. It is either over or waits for one seat's answer.
///
/// Whoever drives it passes [`Play::turn`]'s view to the bot at that seat and the bot's answer to
/// [`Play::answer`]; one thread may have many games waiting at once.
///
/// Its dice are those of a table, unless somebody has chosen them.
pub struct Play<'a, G: Game, D = TableDice> {
    game: G,
    dice: D,
    public: Public<'a>,
    moves: Vec<Move<G>>,
    offences: Vec<Offence>,
    void: bool,
}

/// One answer as it was judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move<G: Game> {
    /// A legal action.
    Acted(G::Action),
    /// No legal action was had. It is rare, and must not make every move as large as itself.
    Failed(Box<Failure>),
}

/// A fault and who committed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offence {
    /// The seat at fault.
    pub seat: Seat,
    /// What the seat was shown.
    pub request: String,
    /// The fault.
    pub failure: Failure,
}

/// All there is to know of a game that has been played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord<G: Game> {
    /// Which game it was.
    pub fixture: Fixture,
    /// Every answer in order.
    pub moves: Vec<Move<G>>,
    /// The faults among them.
    pub offences: Vec<Offence>,
    /// Whether a fault ended the game, so that it counts for nobody.
    pub void: bool,
    /// What each seat has to show.
    pub results: Vec<SeatResult>,
    /// What the decisions of each seat cost; nothing of a game that nobody has appraised.
    pub appraisals: Vec<Appraisal>,
}

impl<'a, G: Game, D: Dice> Play<'a, G, D> {
    /// A game at its first action.
    ///
    /// # Panics
    /// If `seats` is not in [`Game::SEATS`].
    #[must_use]
    pub fn new(rules: G::Rules, dice: D, seats: usize, public: Public<'a>) -> Self {
        Self {
            game: G::new(rules, seats, &dice),
            dice,
            public,
            moves: Vec::with_capacity(64),
            offences: Vec::new(),
            void: false,
        }
    }

    /// The state of the game.
    #[must_use]
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// The faults so far.
    #[must_use]
    pub fn offences(&self) -> &[Offence] {
        &self.offences
    }

    /// Every answer so far.
    #[must_use]
    pub fn moves(&self) -> &[Move<G>] {
        &self.moves
    }

    /// Whether a fault has ended the game, so that it counts for nobody.
    #[must_use]
    pub const fn is_void(&self) -> bool {
        self.void
    }

    /// Whose turn it is and what that seat may see; `None` when the game is over.
    #[must_use]
    pub fn turn(&self) -> Option<(Seat, G::View<'_>)> {
        if self.void {
            return None;
        }
        self.game.to_act().zip(self.game.view(&self.public))
    }

    /// Judges the answer of the seat whose turn it is. Does nothing when the game is over.
    pub fn answer(&mut self, answer: Result<G::Action, Failure>) {
        let Some(seat) = self.game.to_act().filter(|_| !self.void) else { return };
        let judged = answer.and_then(|action| match self.game.apply(&action, &self.dice) {
            Ok(()) => Ok(action),
            Err(refusal) => Err(illegal(&action, &refusal)),
        });
        match judged {
            Ok(action) => self.moves.push(Move::Acted(action)),
            Err(failure) => self.fail(seat, failure),
        }
    }

    /// Judges an answer of a recorded game again.
    pub fn repeat(&mut self, recorded: &Move<G>) {
        self.answer(match recorded {
            Move::Acted(action) => Ok(action.clone()),
            Move::Failed(failure) => Err((**failure).clone()),
        });
    }

    /// Asks `bots`, by seat, until the game is over.
    ///
    /// # Panics
    /// If there are fewer bots than seats.
    pub fn drive(&mut self, bots: &mut [&mut dyn Bot<G>]) {
        while let Some((seat, view)) = self.turn() {
            let answer = bots[seat.index()].act(&view);
            if let Some(action) = self.revealing(&answer) {
                bots.iter_mut().for_each(|bot| bot.reveal(&self.game, action));
            }
            self.answer(answer);
            if let Some(why) = self.refusal() {
                bots[seat.index()].refused(why);
            }
        }
        for (seat, bot) in Seat::first(bots.len()).zip(bots) {
            bot.end(&self.finished(seat));
        }
    }

    /// The answer's action, if it is about to show what was hidden. Bots are told so ([`Bot::reveal`]) before it is judged.
    #[must_use]
    pub fn revealing<'b>(&self, answer: &'b Result<G::Action, Failure>) -> Option<&'b G::Action> {
        answer.as_ref().ok().filter(|action| self.game.reveals(action))
    }

    /// Why the last answer was not accepted, which its bot is told ([`Bot::refused`]); `None` if it was.
    #[must_use]
    pub fn refusal(&self) -> Option<&str> {
        match self.moves.last() {
            Some(Move::Failed(failure)) => Some(&failure.detail),
            Some(Move::Acted(_)) | None => None,
        }
    }

    /// The game as it stands for a seat, to be told when it is over.
    #[must_use]
    pub const fn finished(&self, seat: Seat) -> Finished<'_, G> {
        Finished { game: &self.game, seat, void: self.void, public: &self.public }
    }

    /// The dice with which it is played.
    pub(crate) const fn dice(&self) -> &D {
        &self.dice
    }

    /// How many sit at the table.
    pub(crate) fn seats(&self) -> usize {
        self.public.names.len()
    }

    /// The record of the game up to now, which nobody has appraised.
    ///
    /// # Panics
    /// If the fixture has more seats than the game.
    #[must_use]
    pub fn into_record(self, fixture: Fixture) -> GameRecord<G> {
        let results = Seat::first(fixture.seats.len()).map(|seat| self.game.result(seat)).collect();
        let Self { moves, offences, void, .. } = self;
        let appraisals = Vec::new();
        GameRecord { fixture, moves, offences, void, results, appraisals }
    }

    fn fail(&mut self, seat: Seat, failure: Failure) {
        let request =
            self.game.view(&self.public).map_or_else(String::new, |view| format!("{view:?}"));
        match self.game.forfeit(&self.dice) {
            Forfeit::Void => self.void = true,
            Forfeit::Eliminated => {}
        }
        self.moves.push(Move::Failed(Box::new(failure.clone())));
        self.offences.push(Offence { seat, request, failure });
    }
}

fn illegal(action: &impl Display, refusal: &impl Display) -> Failure {
    Failure::new(Reason::IllegalMove, format!("{action}: {refusal}"))
}
