//! One table: a game, and those that follow it.

use dicehill_rules::chance::TableDice;
use dicehill_rules::{Chance, Forfeit, PublicInfo, Seat};

use crate::environment_game::{Due, EnvironmentGame};
use crate::tables::lineup::{Lineup, SeatedPlayers};

/// What all tables share.
pub(crate) struct Setup<G: EnvironmentGame> {
    pub(crate) rules: G::Rules,
    pub(crate) players: usize,
    pub(crate) environments: u64,
    pub(crate) reward: G::Reward,
    pub(crate) chance: Chance,
    pub(crate) lineup: Option<Lineup<G>>,
}

/// A table whose caller is to act, unless the game is over for it.
pub(crate) struct Table<G: EnvironmentGame> {
    game: G,
    dice: TableDice,
    number: u64,
    void: bool,
    legal: Option<G::LegalActions>,
    /// The players, if there are opponents.
    seated: Option<Box<SeatedPlayers<G>>>,
    reward_state: G::RewardState,
}

/// Nothing is public at a table without opponents.
pub(crate) static NOTHING_PUBLIC: PublicInfo<'static> =
    PublicInfo { names: Vec::new(), points: Vec::new() };

impl<G: EnvironmentGame> Table<G> {
    /// The first table of the environment `index`, from 0.
    pub(crate) fn new(setup: &Setup<G>, index: u64) -> Self {
        let mut table = Self::with_game(setup, index + 1);
        table.advance_to_caller(setup);
        table
    }

    /// The game with this number, before its first action.
    fn with_game(setup: &Setup<G>, number: u64) -> Self {
        let dice = setup.chance.table(number);
        Self {
            game: G::new(setup.rules, setup.players, &dice),
            dice,
            number,
            void: false,
            legal: None,
            seated: setup
                .lineup
                .as_ref()
                .map(|lineup| Box::new(lineup.seat(&setup.chance, number))),
            reward_state: G::RewardState::default(),
        }
    }

    /// The game.
    pub(crate) const fn game(&self) -> &G {
        &self.game
    }

    /// The number of the game.
    pub(crate) const fn number(&self) -> u64 {
        self.number
    }

    /// The player at a seat.
    pub(crate) fn player(&self, seat: Seat) -> usize {
        self.seated.as_ref().map_or(seat.index(), |seated| seated.player(seat))
    }

    /// Whether the game is over for the caller: a learner that is out does not wait for its opponents.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        let is_out = |seated: &SeatedPlayers<G>| self.game.is_out(seated.learner());
        self.void || self.game.has_ended() || self.seated.as_deref().is_some_and(is_out)
    }

    /// The seat that the caller acts for.
    ///
    /// # Panics
    /// If the game is over.
    #[inline]
    pub(crate) fn seat(&self) -> Seat {
        self.game.to_act().expect("a game in progress has a seat to act")
    }

    /// What the seat to act may see.
    ///
    /// # Panics
    /// If the game is over.
    #[inline]
    pub(crate) fn view(&self) -> G::View<'_> {
        self.game.view(&NOTHING_PUBLIC).expect("a game in progress has a view")
    }

    /// The legal actions of the caller.
    #[inline]
    pub(crate) fn legal(&self) -> G::LegalActions {
        self.legal.expect("a game in progress has legal actions")
    }

    /// Why the action with this number is illegal; `None` if it is legal.
    #[inline]
    pub(crate) fn refusal(&self, number: i64) -> Option<String> {
        let is_legal = |number| G::is_legal(self.legal(), number);
        if usize::try_from(number).is_ok_and(is_legal) {
            return None;
        }
        Some(self.why_refused(number))
    }

    #[cold]
    fn why_refused(&self, number: i64) -> String {
        let action = usize::try_from(number).ok().and_then(G::decode);
        let Some(action) = action else {
            return format!("actions are 0 to {}", G::ACTIONS - 1);
        };
        match self.game.clone().apply(action, &self.dice) {
            Err(refusal) => refusal.to_string(),
            Ok(()) => G::why_masked().to_owned(),
        }
    }

    /// Performs the caller's action, or lets it forfeit if the action is illegal, and then lets the opponents act until the caller is to
    /// act again or the game is over.
    #[inline]
    pub(crate) fn step(&mut self, setup: &Setup<G>, number: i64) {
        let number = usize::try_from(number).ok();
        let legal = number.filter(|number| G::is_legal(self.legal(), *number));
        match legal.and_then(G::decode) {
            Some(action) => {
                self.game.before_action(setup.reward, &mut self.reward_state, action);
                self.apply(action);
            }
            None => self.forfeit(),
        }
        self.advance_to_caller(setup);
    }

    /// Passes what is due to `pay`, by player.
    #[inline]
    pub(crate) fn pay(&mut self, setup: &Setup<G>, mut pay: impl FnMut(usize, f32)) {
        if self.void {
            return;
        }
        let due = Due { reward: setup.reward, players: setup.players, is_over: self.is_over() };
        let Self { game, seated, reward_state, .. } = self;
        game.pay(due, reward_state, |seat, reward| {
            pay(seated.as_ref().map_or(seat.index(), |seated| seated.player(seat)), reward);
        });
    }

    /// Begins the environment's next game.
    pub(crate) fn begin_next(&mut self, setup: &Setup<G>) {
        *self = Self::with_game(setup, self.number + setup.environments);
        self.advance_to_caller(setup);
    }

    /// Lets the opponents act, and remembers what the caller may do.
    #[inline]
    fn advance_to_caller(&mut self, setup: &Setup<G>) {
        if let Some(lineup) = &setup.lineup {
            self.advance_opponents(lineup);
        }
        self.legal = (!self.is_over()).then(|| G::legal(&self.view()));
    }

    fn advance_opponents(&mut self, lineup: &Lineup<G>) {
        let mut seated = self.seated.take().expect("the players are seated");
        let public = lineup.public(&seated);
        let learner = seated.learner();
        while !self.void
            && !self.game.is_out(learner)
            && let Some(bot) = self.game.to_act().and_then(|seat| seated.bot(seat))
        {
            let view = self.game.view(&public).expect("a seat is to act");
            let answer = bot.act(&view);
            self.judge(answer.ok(), &mut seated);
        }
        self.seated = Some(seated);
    }

    /// Judges the answer of an opponent.
    fn judge(&mut self, answer: Option<G::Action>, seated: &mut SeatedPlayers<G>) {
        let Some(action) = answer else { return self.forfeit() };
        reveal(&self.game, &action, seated);
        if self.game.apply(&action, &self.dice).is_err() {
            self.forfeit();
        }
    }

    /// Performs a legal action of the caller.
    #[inline]
    fn apply(&mut self, action: &G::Action) {
        if let Some(seated) = &mut self.seated {
            reveal(&self.game, action, seated);
        }
        self.game.apply(action, &self.dice).expect("the action is in the mask");
    }

    #[cold]
    fn forfeit(&mut self) {
        self.void |= self.game.forfeit(&self.dice) == Forfeit::Void;
    }

    /// The seat whose final observation the caller gets: the learner's if there are opponents, else the one that `acted`.
    pub(crate) fn observed_seat(&self, acted: Seat) -> Seat {
        self.seated.as_ref().map_or(acted, |seated| seated.learner())
    }
}

/// Lets the opponents know what an action is about to reveal.
fn reveal<G: EnvironmentGame>(game: &G, action: &G::Action, seated: &mut SeatedPlayers<G>) {
    if game.reveals(action) {
        seated.bots().for_each(|bot| bot.reveal(game, action));
    }
}
