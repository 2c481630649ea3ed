//! The judge of one game: asks for actions, applies them, and keeps the record.

use dicehill_rules::chance::TableDice;
use dicehill_rules::{Dice, Forfeit, Game, PublicInfo, Seat};

use crate::{
    Bot, Failure, Finished, Fixture, GameRecord, HighlightWatch, Highlighter, Move, Offence,
    RequestText,
};

/// A game that is being judged. It is either over or waits for the answer of one seat.
///
/// Its driver passes the view of [`Play::turn`] to the bot at that seat, and the bot's answer to [`Play::judge`]; one
/// thread may have many games waiting at once. The dice are those of a table unless the caller chose them.
///
/// ```
/// use dicehill_arena::{Failure, Move, Play, Reason};
/// use dicehill_rules::yahtzee::{Action, Category, Yahtzee, YahtzeeRules};
/// use dicehill_rules::{Chance, PublicInfo, Seat};
///
/// let chance = Chance::new("a seed");
/// let public = PublicInfo { names: vec!["ada", "bob"], points: Vec::new() };
/// let mut play = Play::<Yahtzee>::new(YahtzeeRules::default(), chance.table(1), 2, public);
///
/// let (seat, view) = play.turn().expect("the game is not over");
/// assert_eq!((seat, view.legal().iter().count()), (Seat::new(0), 13));
/// play.answer(Ok(Action::Fill(Category::Chance)));
/// assert_eq!(play.moves(), [Move::Acted(Action::Fill(Category::Chance))]);
///
/// // In Yahtzee a fault voids the game.
/// play.answer(Err(Failure::new(Reason::Crash, "exit status 1")));
/// assert!(play.is_void() && play.turn().is_none());
/// assert_eq!(play.offences()[0].seat, Seat::new(1));
/// ```
pub struct Play<'a, G: Game, D = TableDice> {
    game: G,
    dice: D,
    public: PublicInfo<'a>,
    moves: Vec<Move<G>>,
    offences: Vec<Offence>,
    void: bool,
    request_text: RequestText<G>,
    watch: Option<Box<dyn HighlightWatch<G>>>,
}

/// The bots at a table, as far as they learn of an answer other than by their own turns.
pub trait Audience<G: Game> {
    /// An action is about to show what was hidden ([`Bot::reveal`]); `game` is the state before it.
    fn reveal(&mut self, game: &G, action: &G::Action);

    /// The answer of the bot at this seat was refused ([`Bot::refused`]). Returns the last lines of its log.
    fn refused(&mut self, seat: Seat, why: &str) -> Vec<String>;
}

/// Bots by seat.
impl<G: Game> Audience<G> for [&mut dyn Bot<G>] {
    fn reveal(&mut self, game: &G, action: &G::Action) {
        self.iter_mut().for_each(|bot| bot.reveal(game, action));
    }

    fn refused(&mut self, seat: Seat, why: &str) -> Vec<String> {
        self[seat.index()].refused(why)
    }
}

/// No bot learns anything.
pub(crate) struct NoAudience;

impl<G: Game> Audience<G> for NoAudience {
    fn reveal(&mut self, _game: &G, _action: &G::Action) {}

    fn refused(&mut self, _seat: Seat, _why: &str) -> Vec<String> {
        Vec::new()
    }
}

impl<'a, G: Game, D: Dice> Play<'a, G, D> {
    /// A game before its first action.
    ///
    /// # Panics
    /// If `seats` is not in [`Game::SEATS`].
    #[must_use]
    pub fn new(rules: G::Rules, dice: D, seats: usize, public: PublicInfo<'a>) -> Self {
        Self {
            game: G::new(rules, seats, &dice),
            dice,
            public,
            moves: Vec::with_capacity(64),
            offences: Vec::new(),
            void: false,
            request_text: |view| format!("{view:?}"),
            watch: None,
        }
    }

    /// The same, watched for what is remarkable in it, if there is a highlighter.
    ///
    /// # Panics
    /// If the game has begun.
    #[must_use]
    pub fn watched(mut self, highlighter: Option<Highlighter<G>>) -> Self {
        assert!(self.moves.is_empty(), "a game is watched from its beginning");
        self.watch = highlighter.map(|watch| watch(self.public.names.len()));
        if let Some(watch) = &mut self.watch {
            watch.begin(&self.game);
        }
        self
    }

    /// The same with requests of offences as reports show them.
    #[must_use]
    pub const fn with_requests(mut self, request_text: RequestText<G>) -> Self {
        self.request_text = request_text;
        self
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

    /// All answers so far.
    #[must_use]
    pub fn moves(&self) -> &[Move<G>] {
        &self.moves
    }

    /// Whether a fault has ended the game, so that it does not count.
    #[must_use]
    pub const fn is_void(&self) -> bool {
        self.void
    }

    /// The seat to act and its view; `None` when the game is over.
    #[must_use]
    pub fn turn(&self) -> Option<(Seat, G::View<'_>)> {
        if self.void {
            return None;
        }
        self.game.to_act().zip(self.game.view(&self.public))
    }

    /// Judges the answer of the seat to act, and lets the audience know what it reveals and whether it is refused.
    /// Does nothing when the game is over.
    pub fn judge(
        &mut self,
        answer: Result<G::Action, Failure>,
        audience: &mut (impl Audience<G> + ?Sized),
    ) {
        let Some(seat) = self.game.to_act().filter(|_| !self.void) else { return };
        // The action stays where the bot wrote it: a copy of bytes that have just been written would wait for them.
        let refusal = match &answer {
            Ok(action) => {
                if self.game.reveals(action) {
                    audience.reveal(&self.game, action);
                }
                let applied = self.game.apply(action, &self.dice);
                applied.err().map(|refusal| Failure::refused(action, &refusal))
            }
            Err(_) => None,
        };
        if let Some(failure) = refusal {
            return self.fail(seat, failure, audience);
        }
        match answer {
            Ok(action) => self.take(seat, Move::Acted(action)),
            Err(failure) => self.fail(seat, failure, audience),
        }
    }

    /// Records an answer after which the game is in its present state.
    fn take(&mut self, seat: Seat, answer: Move<G>) {
        if let Some(watch) = &mut self.watch {
            watch.see(&self.game, seat, &answer);
        }
        self.moves.push(answer);
    }

    /// Judges the answer of the seat to act where no bot has to learn of it.
    pub fn answer(&mut self, answer: Result<G::Action, Failure>) {
        self.judge(answer, &mut NoAudience);
    }

    /// Judges an answer of a recorded game again: also an action that was refused, whose text its failure has.
    pub fn repeat(&mut self, recorded: &Move<G>) {
        let refused = match recorded {
            Move::Acted(_) => None,
            Move::Failed(failure) => failure.refused_action().and_then(|text| text.parse().ok()),
        };
        self.answer(refused.map_or_else(|| recorded.answer(), Ok));
    }

    /// Asks `bots`, by seat, until the game is over.
    ///
    /// # Panics
    /// If there are fewer bots than seats.
    pub fn drive(&mut self, bots: &mut [&mut dyn Bot<G>]) {
        while let Some((seat, view)) = self.turn() {
            let answer = bots[seat.index()].act(&view);
            self.judge(answer, bots);
        }
        for (seat, bot) in Seat::all(bots.len()).zip(bots) {
            bot.end(&self.finished(seat));
        }
    }

    /// Like [`Play::drive`], for a game that was begun before with these moves and the same dice, which the bots may have seen and
    /// kept somewhere. The bots are asked from the beginning, so that new processes of them know what they knew, but the moves
    /// stay what they were: what a bot learned of later dice is of no use to it. A bot that fails where it did not before has failed.
    pub(crate) fn drive_again(&mut self, moves: &[Move<G>], bots: &mut [&mut dyn Bot<G>]) {
        for before in moves {
            let Some((seat, view)) = self.turn() else { break };
            let answer = bots[seat.index()].act(&view).and_then(|_| before.answer());
            let is_other = answer.is_err() && matches!(before, Move::Acted(_));
            self.judge(answer, bots);
            if is_other {
                break;
            }
        }
        self.drive(bots);
    }

    /// The finished game from the point of view of a seat.
    #[must_use]
    pub const fn finished(&self, seat: Seat) -> Finished<'_, G> {
        Finished { game: &self.game, seat, void: self.void, public: &self.public }
    }

    /// The dice of the game.
    pub(crate) const fn dice(&self) -> &D {
        &self.dice
    }

    /// What watches the game.
    pub(crate) fn watch(&mut self) -> Option<&mut Box<dyn HighlightWatch<G>>> {
        self.watch.as_mut()
    }

    /// The number of seats.
    pub(crate) fn seats(&self) -> usize {
        self.public.names.len()
    }

    /// The record of the game so far, without appraisals.
    ///
    /// # Panics
    /// If the fixture has more seats than the game.
    #[must_use]
    pub fn into_record(self, fixture: Fixture) -> GameRecord<G> {
        let results = Seat::all(fixture.seats.len()).map(|seat| self.game.result(seat)).collect();
        let Self { moves, offences, void, .. } = self;
        let appraisals = Vec::new();
        GameRecord { fixture, moves, offences, void, results, appraisals }
    }

    #[cold]
    fn fail(
        &mut self,
        seat: Seat,
        mut failure: Failure,
        audience: &mut (impl Audience<G> + ?Sized),
    ) {
        let log = audience.refused(seat, &failure.detail);
        if failure.log.is_empty() {
            failure.log = log;
        }
        let view = self.game.view(&self.public);
        let request = view.map_or_else(String::new, |view| (self.request_text)(&view));
        match self.game.forfeit(&self.dice) {
            Forfeit::Void => self.void = true,
            Forfeit::Eliminated => {}
        }
        self.take(seat, Move::Failed(Box::new(failure.clone())));
        self.offences.push(Offence { seat, request, failure });
    }
}
