//! Runs a qualification: it checks that a bot plays legally, also in rare positions, that it is deterministic, and that
//! it has no memory of other games.

use std::cell::OnceCell;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dicehill_rules::{Chance, Dice, Game, PublicInfo, Seat};

use super::trace::Trace;
use crate::{
    AnswerTimes, Audience, Bot, Cause, Extent, Finding, Finished, Play, Program, QualificationPlan,
    QualificationReport, RarePosition, Start, TestCase,
};

/// Lets a bot play its games, each with a fresh bot, asks it in the rare positions, and lets it play every game again
/// in the opposite order: an external program with one process for all games, code of this process with fresh bots.
///
/// The bot sits at each seat of each table size in turn.
///
/// # Errors
/// If the arena could not prepare or start the bot.
///
/// # Panics
/// If there is no opponent.
pub fn qualify<G: Game>(plan: &QualificationPlan<'_, G>) -> io::Result<QualificationReport> {
    let mut examiner = Examiner::new(plan);
    let first = examiner.play_games();
    let positions = examiner.ask_positions();
    let repeated_times = examiner.play_again(&first);
    if let Some(why) = examiner.arena_error.into_inner() {
        return Err(io::Error::other(why));
    }
    let extent = match examiner.failures {
        failures if failures > plan.patience => Extent::Stopped { failures },
        _ => Extent::Whole,
    };
    let answers = first.iter().map(|game| game.answers.len() as u64).sum();
    let games = first.len() as u64;
    let times =
        AnswerTimes::new(if repeated_times.is_empty() { times(&first) } else { repeated_times });
    let findings = examiner.findings;
    Ok(QualificationReport { games, answers, positions, times, findings, extent })
}

/// The state of a qualification.
struct Examiner<'a, G: Game> {
    plan: &'a QualificationPlan<'a, G>,
    chance: Chance,
    findings: Vec<Finding>,
    /// Failures of the bot's process.
    failures: usize,
    steps: u64,
    /// Whether the caller asked to stop.
    is_stopped: bool,
    /// Why the arena could not start the bot.
    arena_error: OnceCell<String>,
}

/// The bots at a table.
struct Table<'b, G: Game> {
    /// The bot under test.
    bot: &'b mut dyn Bot<G>,
    seat: usize,
    /// By seat; the one at the seat of the bot under test is idle.
    opponents: Vec<Box<dyn Bot<G>>>,
}

impl<G: Game> Audience<G> for Table<'_, G> {
    fn reveal(&mut self, game: &G, action: &G::Action) {
        self.bot.reveal(game, action);
        for (seat, opponent) in self.opponents.iter_mut().enumerate() {
            if seat != self.seat {
                opponent.reveal(game, action);
            }
        }
    }

    fn refused(&mut self, seat: Seat, why: &str) {
        if seat.index() == self.seat {
            self.bot.refused(why);
        }
    }
}

impl<'a, G: Game> Examiner<'a, G> {
    fn new(plan: &'a QualificationPlan<'a, G>) -> Self {
        let chance = Chance::of_qualification(plan.seed);
        Self {
            plan,
            chance,
            findings: Vec::new(),
            failures: 0,
            steps: 0,
            is_stopped: false,
            arena_error: OnceCell::new(),
        }
    }

    fn may_continue(&self) -> bool {
        !self.is_stopped && self.arena_error.get().is_none() && self.failures <= self.plan.patience
    }

    fn play_games(&mut self) -> Vec<Trace> {
        let mut traces = Vec::new();
        for game in 1..=self.plan.games {
            if self.may_continue() {
                let trace = self.play(game, &mut *self.plan.program.bot());
                self.add_faults(&trace, &TestCase::Game(game));
                self.finish_step();
                traces.push(trace);
            }
        }
        traces
    }

    /// Returns the number of positions in which the bot was asked.
    fn ask_positions(&mut self) -> u64 {
        let mut bot = self.plan.program.bot();
        let mut asked = 0;
        for (number, position) in (1..).zip(self.plan.positions) {
            if self.may_continue() {
                let trace = self.ask_position(number, position, &mut *bot);
                self.add_faults(&trace, &TestCase::Position(position.name().to_owned()));
                self.finish_step();
                asked += 1;
            }
        }
        asked
    }

    /// Returns the times of all answers, if every game was played again: a process that may serve many games does so
    /// here, as it does in a run.
    fn play_again(&mut self, first: &[Trace]) -> Vec<Duration> {
        let is_external = self.plan.program.server().is_some();
        let mut bot = self.plan.program.bot();
        let before = self.findings.len();
        let mut traces = Vec::new();
        for (index, first) in first.iter().enumerate().rev() {
            if self.may_continue() {
                let game = index as u64 + 1;
                if !is_external {
                    bot = self.plan.program.bot();
                }
                let repetition = self.play(game, &mut *bot);
                let cause =
                    || if is_external { self.cause(game, first) } else { Cause::NotDeterministic };
                let finding = first.difference(&repetition, game, cause);
                self.failures += repetition.new_process_failures(first);
                self.findings.extend(finding);
                self.finish_step();
                traces.push(repetition);
            }
        }
        self.findings[before..].reverse();
        if self.may_continue() { times(&traces) } else { Vec::new() }
    }

    /// Why a process that has played other games answered differently: another fresh one decides.
    fn cause(&self, game: u64, first: &Trace) -> Cause {
        let fresh = self.play(game, &mut *self.plan.program.bot());
        if fresh.answers == first.answers { Cause::Remembers } else { Cause::NotDeterministic }
    }

    fn note_arena_error(&self, trace: &Trace) {
        let mut failures = trace.faults.iter().map(|fault| &fault.failure);
        if let Some(failure) = failures.find(|failure| failure.reason.is_arena_error()) {
            self.arena_error.get_or_init(|| failure.detail.clone());
        }
    }

    fn add_faults(&mut self, trace: &Trace, case: &TestCase) {
        self.failures += trace.faults.iter().filter(|fault| fault.breaks_process()).count();
        self.findings.extend(trace.faults.iter().map(|fault| fault.finding(case.clone())));
    }

    fn finish_step(&mut self) {
        self.steps += 1;
        self.is_stopped = !(self.plan.progress)(self.steps);
    }

    fn play(&self, game: u64, bot: &mut dyn Bot<G>) -> Trace {
        let (seats, seat) = self.table_and_seat(game);
        let opponents = (0..seats).map(|seat| self.opponent(game, seat).bot()).collect();
        let mut table = Table { bot, seat, opponents };
        for seat in 0..seats {
            let start = self.start(game, seats, &seat.to_string());
            if seat == table.seat {
                table.bot.start(&start);
            } else {
                table.opponents[seat].start(&start);
            }
        }
        let names = Self::names(seats);
        let dice = self.chance.table(game);
        let mut play = Play::<G>::new(self.plan.rules, dice, seats, public(&names));
        let mut trace = Trace::default();
        while let Some((seat, view)) = play.turn() {
            if seat.index() == table.seat {
                self.ask(&mut table, &mut play, &mut trace);
            } else {
                let answer = table.opponents[seat.index()].act(&view);
                play.judge(answer, &mut table);
            }
        }
        table.bot.end(&play.finished(Seat::new(seat as u16)));
        self.note_arena_error(&trace);
        trace
    }

    /// Asks the bot for one action, in a game that ends there.
    fn ask_position(&self, number: u64, position: &RarePosition<G>, bot: &mut dyn Bot<G>) -> Trace {
        // The ids continue after those of the games.
        let start = self.start(self.plan.games + number, position.seats(), position.name());
        bot.start(&start);
        let names = Self::names(position.seats());
        let mut play = position.reach(public(&names));
        let mut trace = Trace::default();
        if let Some(seat) = play.game().to_act() {
            let mut table = Table { bot, seat: seat.index(), opponents: Vec::new() };
            self.ask(&mut table, &mut play, &mut trace);
            table.bot.end(&Finished { void: true, ..play.finished(seat) });
        }
        self.note_arena_error(&trace);
        trace
    }

    /// Asks the bot under test, whose turn it is.
    fn ask<D: Dice>(&self, table: &mut Table<'_, G>, play: &mut Play<'_, G, D>, trace: &mut Trace) {
        let Some((_, view)) = play.turn() else { return };
        let request = (self.plan.show)(&view);
        let asked = Instant::now();
        let answer = table.bot.act(&view);
        trace.times.push(asked.elapsed());
        play.judge(answer, table);
        trace.add_last_move(play.moves(), request);
    }

    fn start(&self, game: u64, players: usize, name: &str) -> Start {
        let (seed, id) = (self.chance.bot_seed(game, name), self.chance.game_id(game, name));
        Start { game, id, players, seed }
    }

    fn names(seats: usize) -> Vec<String> {
        (0..seats).map(|seat| format!("seat-{seat}")).collect()
    }

    /// The number of seats and the bot's own seat: the table size changes with each game, and the seat when all sizes
    /// have been played.
    fn table_and_seat(&self, game: u64) -> (usize, usize) {
        let game = game as usize;
        let most = (*G::SEATS.end()).min(5).min(self.plan.opponents.len() + 1).max(2);
        let sizes = most - 1;
        let seats = 2 + game % sizes;
        (seats, game / sizes % seats)
    }

    fn opponent(&self, game: u64, seat: usize) -> &Arc<dyn Program<G>> {
        &self.plan.opponents[(game as usize + seat) % self.plan.opponents.len()]
    }
}

fn times(traces: &[Trace]) -> Vec<Duration> {
    traces.iter().flat_map(|trace| &trace.times).copied().collect()
}

fn public(names: &[String]) -> PublicInfo<'_> {
    PublicInfo { names: names.iter().map(String::as_str).collect(), points: Vec::new() }
}
