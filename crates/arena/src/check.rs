//! Qualification: does a bot play legally, also where it rarely comes to, the same way each time, and
//! without memory of other games?

use std::cell::OnceCell;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dicehill_rules::{Chance, Dice, Game, Public, Seat};

use crate::{
    AnswerTimes, Bot, Failure, Finished, Move, Play, Program, RarePosition, Reason, Start,
};

/// A bot and what is asked of it.
pub struct Trial<'a, G: Game> {
    /// The variant of the rules.
    pub rules: G::Rules,
    /// The bot.
    pub program: &'a Arc<dyn Program<G>>,
    /// Who plays against it; at least one.
    pub opponents: &'a [Arc<dyn Program<G>>],
    /// How many games it plays.
    pub games: u64,
    /// Positions that are put to it beside.
    pub positions: &'a [RarePosition<G>],
    /// Decides dice and opponents.
    pub seed: &'a str,
    /// Writes down what the bot was shown.
    pub show: &'a dyn Fn(&G::View<'_>) -> String,
    /// After how many failures of its process nothing more is asked of it.
    pub patience: usize,
    /// Is told after each game and position how many are done, and says whether to go on.
    pub progress: &'a dyn Fn(u64) -> bool,
}

impl<G: Game> Trial<'_, G> {
    /// How many games and positions there are to be done, those played again counted twice.
    #[must_use]
    pub const fn steps(&self) -> u64 {
        2 * self.games + self.positions.len() as u64
    }
}

/// What a qualification found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Games played, those played again aside.
    pub games: u64,
    /// Answers the bot gave in them.
    pub answers: u64,
    /// Rare positions that were put to it.
    pub positions: u64,
    /// How long the answers took when the games were played as in a run, or, if it did not come to
    /// that, in fresh processes.
    pub times: AnswerTimes,
    /// What is wrong with the bot; nothing if it may take part.
    pub findings: Vec<Finding>,
    /// Whether it was asked everything.
    pub extent: Extent,
}

/// How far a qualification went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// To its end.
    Whole,
    /// The bot's process failed so often that nothing more was asked of it.
    Stopped {
        /// How often it failed.
        failures: usize,
    },
}

/// Something that is wrong with a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It gave no legal action.
    Failed {
        /// Where.
        occasion: Occasion,
        /// The number of the answer, the opponents' counted, from 1.
        answer: usize,
        /// What it was shown.
        request: String,
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
        /// What that tells.
        cause: Cause,
    },
}

/// Where something was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// In the game with this number, from 1.
    Game(u64),
    /// In the rare position with this name.
    Position(String),
}

/// Why a bot may have answered in two ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A process that had played other games answered otherwise than two that had not.
    Remembers,
    /// Two bots that had played nothing else differed.
    NotDeterministic,
}

impl Cause {
    /// What is said of the bot.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Remembers => "remembers earlier games",
            Self::NotDeterministic => "not deterministic",
        }
    }
}

impl Finding {
    /// Its kind in a word or three: a reason or a cause.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Failed { failure, .. } => failure.reason.name(),
            Self::Unrepeatable { cause, .. } => cause.name(),
        }
    }
}

/// Lets a bot play its games, each with a fresh bot, puts the rare positions to it, and lets it play
/// every game again in the opposite order: a program outside with one process for all games, code in
/// this process with fresh bots.
///
/// It sits at each seat of each size of table in turn.
///
/// # Errors
/// If the arena could not prepare or start the bot.
///
/// # Panics
/// If there is no opponent.
pub fn check<G: Game>(trial: &Trial<'_, G>) -> io::Result<Check> {
    let mut court = Court::new(trial);
    let first = court.games();
    let positions = court.positions();
    let again = court.play_again(&first);
    if let Some(why) = court.arena_error.into_inner() {
        return Err(io::Error::other(why));
    }
    let extent = match court.failures {
        failures if failures > trial.patience => Extent::Stopped { failures },
        _ => Extent::Whole,
    };
    let answers = first.iter().map(|game| game.answers.len() as u64).sum();
    let games = first.len() as u64;
    let times = if again.is_empty() { times(&first) } else { again };
    let times = AnswerTimes::new(times);
    Ok(Check { games, answers, positions, times, findings: court.findings, extent })
}

struct Court<'a, G: Game> {
    trial: &'a Trial<'a, G>,
    chance: Chance,
    findings: Vec<Finding>,
    /// Failures of the bot's process.
    failures: usize,
    done: u64,
    /// Whether somebody has had enough.
    stopped: bool,
    /// Why the arena could not start the bot.
    arena_error: OnceCell<String>,
}

/// What the bot did in one game.
#[derive(Default)]
struct Trace {
    /// Its answers, with their number in the game.
    answers: Vec<(usize, String)>,
    /// How long each took.
    times: Vec<Duration>,
    faults: Vec<Fault>,
}

/// An answer that was none.
struct Fault {
    /// Its number in the game.
    answer: usize,
    request: String,
    failure: Failure,
}

impl Fault {
    /// Whether it says that the process is broken, not only an answer.
    const fn breaks_the_process(&self) -> bool {
        match self.failure.reason {
            Reason::IllegalMove | Reason::MalformedAnswer => false,
            Reason::Crash
            | Reason::StartTimeout
            | Reason::MoveTimeout
            | Reason::Flood
            | Reason::Memory
            | Reason::ArenaError => true,
        }
    }
}

impl<'a, G: Game> Court<'a, G> {
    fn new(trial: &'a Trial<'a, G>) -> Self {
        let chance = Chance::new(trial.seed);
        Self {
            trial,
            chance,
            findings: Vec::new(),
            failures: 0,
            done: 0,
            stopped: false,
            arena_error: OnceCell::new(),
        }
    }

    fn goes_on(&self) -> bool {
        !self.stopped && self.arena_error.get().is_none() && self.failures <= self.trial.patience
    }

    fn games(&mut self) -> Vec<Trace> {
        let mut traces = Vec::new();
        for game in 1..=self.trial.games {
            if self.goes_on() {
                let trace = self.play(game, &mut *self.trial.program.bot());
                self.find_faults(&trace, &Occasion::Game(game));
                self.step();
                traces.push(trace);
            }
        }
        traces
    }

    /// How many positions were put to the bot.
    fn positions(&mut self) -> u64 {
        let mut bot = self.trial.program.bot();
        let mut put = 0;
        for (number, position) in (1..).zip(self.trial.positions) {
            if self.goes_on() {
                let trace = self.put(number, position, &mut *bot);
                self.find_faults(&trace, &Occasion::Position(position.name().to_owned()));
                self.step();
                put += 1;
            }
        }
        put
    }

    /// How long the answers took, if every game was played again: a process that may serve many
    /// games does so here, as it does in a run.
    fn play_again(&mut self, first: &[Trace]) -> Vec<Duration> {
        let is_outside = self.trial.program.server().is_some();
        let mut bot = self.trial.program.bot();
        let before = self.findings.len();
        let mut traces = Vec::new();
        for (index, first) in first.iter().enumerate().rev() {
            if self.goes_on() {
                let game = index as u64 + 1;
                if !is_outside {
                    bot = self.trial.program.bot();
                }
                let again = self.play(game, &mut *bot);
                let tell =
                    || if is_outside { self.cause(game, first) } else { Cause::NotDeterministic };
                let found = first.difference(&again, game, tell);
                self.failures += again.failures_unlike(first);
                self.findings.extend(found);
                self.step();
                traces.push(again);
            }
        }
        self.findings[before..].reverse();
        if self.goes_on() { times(&traces) } else { Vec::new() }
    }

    /// Why a process that has played other games may have answered otherwise: what does another
    /// fresh one answer?
    fn cause(&self, game: u64, first: &Trace) -> Cause {
        let fresh = self.play(game, &mut *self.trial.program.bot());
        if fresh.answers == first.answers { Cause::Remembers } else { Cause::NotDeterministic }
    }

    fn note_arena_error(&self, trace: &Trace) {
        let mut failures = trace.faults.iter().map(|fault| &fault.failure);
        if let Some(failure) = failures.find(|failure| failure.reason.is_arena_error()) {
            self.arena_error.get_or_init(|| failure.detail.clone());
        }
    }

    fn find_faults(&mut self, trace: &Trace, occasion: &Occasion) {
        self.failures += trace.faults.iter().filter(|fault| fault.breaks_the_process()).count();
        self.findings.extend(trace.faults.iter().map(|fault| fault.finding(occasion.clone())));
    }

    fn step(&mut self) {
        self.done += 1;
        self.stopped = !(self.trial.progress)(self.done);
    }

    fn play(&self, game: u64, bot: &mut dyn Bot<G>) -> Trace {
        let (seats, mine) = self.place(game);
        let mut others: Vec<_> = (0..seats).map(|seat| self.opponent(game, seat).bot()).collect();
        for (seat, other) in others.iter_mut().enumerate() {
            let other = if seat == mine { &mut *bot } else { &mut **other };
            other.start(&self.start(game, seats, &seat.to_string()));
        }
        let names = Self::names(seats);
        let mut play =
            Play::<G>::new(self.trial.rules, self.chance.table(game), seats, public(&names));
        let mut trace = Trace::default();
        while let Some((seat, view)) = play.turn() {
            if seat.index() == mine {
                self.ask(bot, &mut play, &mut trace);
            } else {
                let answer = others[seat.index()].act(&view);
                if let Some(action) = play.revealing(&answer) {
                    others.iter_mut().for_each(|other| other.reveal(play.game(), action));
                    bot.reveal(play.game(), action);
                }
                play.answer(answer);
            }
        }
        bot.end(&play.finished(Seat::new(mine as u16)));
        self.note_arena_error(&trace);
        trace
    }

    /// Asks the bot for one action, in a game that nobody plays on.
    fn put(&self, number: u64, position: &RarePosition<G>, bot: &mut dyn Bot<G>) -> Trace {
        // Ids are numbered on after the games.
        let start = self.start(self.trial.games + number, position.seats(), position.name());
        bot.start(&start);
        let names = Self::names(position.seats());
        let mut play = position.reach(public(&names));
        let mut trace = Trace::default();
        if let Some(seat) = play.game().to_act() {
            self.ask(bot, &mut play, &mut trace);
            bot.end(&Finished { void: true, ..play.finished(seat) });
        }
        self.note_arena_error(&trace);
        trace
    }

    /// Asks the bot whose turn it is.
    fn ask<D: Dice>(&self, bot: &mut dyn Bot<G>, play: &mut Play<'_, G, D>, trace: &mut Trace) {
        let Some((_, view)) = play.turn() else { return };
        let request = (self.trial.show)(&view);
        let asked = Instant::now();
        let answer = bot.act(&view);
        trace.times.push(asked.elapsed());
        if let Some(action) = play.revealing(&answer) {
            bot.reveal(play.game(), action);
        }
        play.answer(answer);
        if let Some(why) = play.refusal() {
            bot.refused(why);
        }
        trace.note(play.moves(), request);
    }

    fn start(&self, game: u64, players: usize, name: &str) -> Start {
        let (seed, id) = (self.chance.bot_seed(game, name), self.chance.game_id(game, name));
        Start { game, id, players, seed }
    }

    fn names(seats: usize) -> Vec<String> {
        (0..seats).map(|seat| format!("seat-{seat}")).collect()
    }

    /// How many sit at the table, and the bot's own seat: the sizes change from game to game, and
    /// the seat each time that all sizes have been played.
    fn place(&self, game: u64) -> (usize, usize) {
        let game = game as usize;
        let most = (*G::SEATS.end()).min(5).min(self.trial.opponents.len() + 1).max(2);
        let sizes = most - 1;
        let seats = 2 + game % sizes;
        (seats, game / sizes % seats)
    }

    fn opponent(&self, game: u64, seat: usize) -> &Arc<dyn Program<G>> {
        &self.trial.opponents[(game as usize + seat) % self.trial.opponents.len()]
    }
}

fn times(traces: &[Trace]) -> Vec<Duration> {
    traces.iter().flat_map(|trace| &trace.times).copied().collect()
}

fn public(names: &[String]) -> Public<'_> {
    Public { names: names.iter().map(String::as_str).collect(), points: Vec::new() }
}

impl Fault {
    fn finding(&self, occasion: Occasion) -> Finding {
        let Self { answer, request, failure } = self;
        Finding::Failed {
            occasion,
            answer: *answer,
            request: request.clone(),
            failure: failure.clone(),
        }
    }
}

impl Trace {
    fn note<G: Game>(&mut self, moves: &[Move<G>], request: String) {
        let answer = moves.len();
        match moves.last() {
            Some(Move::Acted(action)) => self.answers.push((answer, action.to_string())),
            Some(Move::Failed(failure)) => {
                self.answers.push((answer, failure.to_string()));
                self.faults.push(Fault { answer, request, failure: (**failure).clone() });
            }
            None => {}
        }
    }

    /// The first answer that was another one when the game was played again. A process that is
    /// broken only once has no answer to be compared: that is what is found.
    fn difference(&self, again: &Self, game: u64, cause: impl Fn() -> Cause) -> Option<Finding> {
        let mut pairs = self.answers.iter().zip(&again.answers);
        let (first, then) = pairs.find(|(first, again)| first != again)?;
        let broken = |trace: &Self, answer: usize| {
            let at = |fault: &&Fault| fault.answer == answer && fault.breaks_the_process();
            trace.faults.iter().find(at).map(|fault| fault.finding(Occasion::Game(game)))
        };
        if broken(self, first.0).is_some() {
            return None;
        }
        let (answer, first) = first.clone();
        broken(again, then.0).or_else(|| {
            let (again, cause) = (then.1.clone(), cause());
            Some(Finding::Unrepeatable { game, answer, first, again, cause })
        })
    }

    /// How often the process broke here, where it did not break so in `first`.
    fn failures_unlike(&self, first: &Self) -> usize {
        let new = self.faults.iter().filter(|fault| fault.breaks_the_process());
        new.filter(|fault| !first.faults.iter().any(|known| known.answer == fault.answer)).count()
    }
}
