//! Runs a qualification: it checks that a bot plays legally, also in rare positions, that it is deterministic, and that
//! it has no memory of other games.

use std::cell::OnceCell;
use std::io;
use std::mem::replace;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dicehill_rules::{Chance, Dice, Game, PublicInfo, Seat};

use super::trace::Trace;
use crate::engine::begin;
use crate::schedule::seats_with;
use crate::{
    AnswerTimes, Audience, Bot, Cause, EntrantId, Extent, Failure, Finding, Finished, Fixture,
    Memory, Play, Program, QualificationPlan, QualificationReport, RareGame, RarePosition, Start,
    TestCase,
};

/// Lets a bot play its games, asks it in the rare positions, and lets it play every game again in the opposite order. One
/// process of an external program does the first two, and another one plays again; what goes wrong with a process that
/// has played other games counts only if it does in a fresh one too. Code of this process has a fresh bot for each game.
/// The first two games are played again before the others: a bot that answers differently in both is not asked any more.
/// The games of a bot that need not be deterministic are not played again. The process that played again is kept for a run if
/// nothing was found ([`Program::keep`]).
///
/// It stops when the bot's process has failed too often, which is twice for a bot that has given no legal answer, when the bot
/// has been asked in ten games and positions without giving one, and when it has failed in twenty games; if it failed in each game,
/// in twenty games and positions. If a time is set, a slow bot has fewer games.
///
/// Nothing that the bot is sent in a game tells the qualification from a run of the hill: tables are drawn as in the run,
/// and the opponents have the names of entrants.
///
/// # Errors
/// If the arena could not prepare or start the bot.
///
/// # Panics
/// If there is no stand-in.
pub fn qualify<G: RareGame>(plan: &QualificationPlan<'_, G>) -> io::Result<QualificationReport> {
    let mut examiner = Examiner::new(plan);
    let mut bot = examiner.program().bot();
    // What the first games show twice, all others would show again.
    let early = if examiner.looks_early() { MIN_GAMES.min(plan.games) } else { 0 };
    let mut first = examiner.play_games(1..=early, &mut *bot);
    let mut second = None;
    let mut repeated_times = examiner.play_again(1, &first, &mut second);
    examiner.is_erratic = early > 0
        && examiner.findings.len() as u64 >= early
        && examiner.findings.iter().all(|finding| matches!(finding, Finding::Unrepeatable { .. }));
    let rest = examiner.play_games(early + 1..=plan.games, &mut *bot);
    let positions = examiner.ask_positions(&mut *bot);
    drop(bot);
    if plan.plays_again() && !rest.is_empty() {
        match examiner.play_again(early + 1, &rest, &mut second) {
            times if times.is_empty() => repeated_times.clear(),
            times => repeated_times.extend(times),
        }
    }
    first.extend(rest);
    if let Some(why) = examiner.arena_error.take() {
        return Err(io::Error::other(why));
    }
    if examiner.findings.is_empty()
        && let Some(server) = second.and_then(Bot::into_server)
    {
        examiner.program().keep(server);
    }
    let extent = match examiner.failures {
        failures if examiner.is_broken() => Extent::Stopped { failures },
        _ if examiner.is_hopeless() || examiner.is_erratic => {
            Extent::Stopped { failures: examiner.counted_failures() }
        }
        _ if examiner.is_futile() => Extent::Futile,
        _ if examiner.skipped > 0 => Extent::Shortened,
        _ => Extent::Whole,
    };
    let answers = first.iter().map(|game| game.answers.len() as u64).sum();
    let games = first.len() as u64;
    let times = if repeated_times.is_empty() { times(&first) } else { repeated_times };
    let times = AnswerTimes::new(&times);
    let Examiner { findings, notes, .. } = examiner;
    Ok(QualificationReport { games, answers, positions, times, findings, notes, extent })
}

/// Without a legal answer in this many games and positions, a bot is not asked in more.
const FUTILE: u64 = 10;

/// After failing in this many games, a bot is not asked in more: one is too many already, and more teach its author
/// nothing.
const HOPELESS: usize = 20;

/// A bot plays this many games however slow it is.
const MIN_GAMES: u64 = 2;

/// After so many illegal moves of a kind, further ones are not confirmed by a fresh process.
const CONFIRMATIONS: usize = 5;

/// So many failures of its process are tolerated until a bot has given a legal answer. The second one is in a fresh
/// process, and each may last as long as the clocks allow.
const PATIENCE_BEFORE_ANSWER: usize = 1;

/// The state of a qualification.
struct Examiner<'a, G: RareGame> {
    plan: &'a QualificationPlan<'a, G>,
    chance: Chance,
    findings: Vec<Finding>,
    /// Failures in contrived positions.
    notes: Vec<Finding>,
    /// Failures of the bot's process, other than in contrived positions.
    failures: usize,
    /// The games and their repetitions in which the bot failed.
    failed_games: usize,
    failed_positions: usize,
    /// Games that were played, repetitions not counted.
    games: usize,
    steps: u64,
    /// The steps that are left out because the bot is slow.
    skipped: u64,
    /// Whether it has given a legal answer.
    has_answered: bool,
    /// Whether it answered differently in each of the first games that were played again.
    is_erratic: bool,
    /// Whether the bot failed in the last game that was played again.
    had_faults: bool,
    /// Whether the process that is asked next has not been asked before.
    is_fresh: bool,
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

    fn refused(&mut self, seat: Seat, why: &str) -> Vec<String> {
        if seat.index() == self.seat { self.bot.refused(why) } else { Vec::new() }
    }
}

impl<'a, G: RareGame> Examiner<'a, G> {
    fn new(plan: &'a QualificationPlan<'a, G>) -> Self {
        let chance = Chance::of_qualification(plan.hill.seed());
        Self {
            plan,
            chance,
            findings: Vec::new(),
            notes: Vec::new(),
            failures: 0,
            failed_games: 0,
            failed_positions: 0,
            games: 0,
            steps: 0,
            skipped: 0,
            has_answered: false,
            is_erratic: false,
            had_faults: false,
            is_fresh: true,
            is_stopped: false,
            arena_error: OnceCell::new(),
        }
    }

    fn may_continue(&self) -> bool {
        let has_ended = self.is_stopped || self.arena_error.get().is_some();
        let is_known = self.is_hopeless() || self.is_futile() || self.is_erratic;
        !(has_ended || self.is_broken() || is_known)
    }

    /// Whether the first games are played again before the others.
    fn looks_early(&self) -> bool {
        self.plan.plays_again() && self.repeats_alone()
    }

    fn is_broken(&self) -> bool {
        let patience = self.plan.patience;
        let patience =
            if self.has_answered { patience } else { patience.min(PATIENCE_BEFORE_ANSWER) };
        self.failures > patience || self.is_silent()
    }

    /// Whether it was waited for in vain before it gave any answer: every further wait would be as long.
    fn is_silent(&self) -> bool {
        let is_timeout = |finding: &Finding| match finding {
            Finding::Failed { failure, .. } => failure.reason.is_timeout(),
            Finding::Unrepeatable { .. } => false,
        };
        !self.has_answered && self.findings.iter().any(is_timeout)
    }

    /// Whether all faults are illegal moves of kinds that were found so often that a fresh process would only find them again.
    fn is_confirmed(&self, trace: &Trace) -> bool {
        let findings = || self.findings.iter().chain(&self.notes);
        let often = |failure: &Failure| {
            let is_same = |finding: &&Finding| match finding {
                Finding::Failed { failure: other, .. } => other.kind() == failure.kind(),
                Finding::Unrepeatable { .. } => false,
            };
            failure.refused_action().is_some()
                && findings().filter(is_same).count() >= CONFIRMATIONS
        };
        trace.faults.iter().all(|fault| often(&fault.failure))
    }

    const fn is_hopeless(&self) -> bool {
        self.counted_failures() >= HOPELESS
    }

    /// The games in which it failed, and the positions if there was no game in which it did not.
    const fn counted_failures(&self) -> usize {
        let fails_always = self.games > 0 && self.failed_games >= self.games;
        self.failed_games + if fails_always { self.failed_positions } else { 0 }
    }

    /// Whether no further game or position begins, since the first one did at `begun`.
    fn is_over(&self, begun: Instant) -> bool {
        self.plan.time.is_some_and(|time| begun.elapsed() >= time)
    }

    const fn is_futile(&self) -> bool {
        !self.has_answered && self.steps >= FUTILE
    }

    /// Lets `bot` or fresh ones play these games.
    fn play_games(&mut self, games: RangeInclusive<u64>, bot: &mut dyn Bot<G>) -> Vec<Trace> {
        let mut traces = Vec::new();
        let begun = Instant::now();
        for game in games {
            if game > MIN_GAMES && self.is_over(begun) {
                self.skipped += if self.plan.plays_again() { 2 } else { 1 };
            } else if self.may_continue() {
                let mut trace = if self.is_external() {
                    self.play(game, bot)
                } else {
                    self.play(game, &mut *self.program().bot())
                };
                let was_fresh = replace(&mut self.is_fresh, false);
                if !was_fresh && self.repeats_alone() {
                    trace = trace.or_alone(|| self.play(game, &mut *self.program().bot()));
                }
                self.note_answers(&trace);
                self.add_faults(&trace, &TestCase::Game(game));
                self.finish_step();
                traces.push(trace);
            }
        }
        traces
    }

    /// Returns the number of positions in which the bot was asked.
    fn ask_positions(&mut self, bot: &mut dyn Bot<G>) -> u64 {
        let mut asked = 0;
        let begun = Instant::now();
        for (number, position) in (1..).zip(self.plan.positions) {
            if self.is_over(begun) {
                self.skipped += 1;
            } else if self.may_continue() {
                let mut trace = self.ask_position(number, position, bot);
                let was_fresh = replace(&mut self.is_fresh, false);
                self.note_answers(&trace);
                let case = TestCase::Position(position.name().to_owned());
                if !was_fresh && self.repeats_alone() && !self.is_confirmed(&trace) {
                    let alone = || self.ask_position(number, position, &mut *self.program().bot());
                    trace = trace.or_alone(alone);
                }
                self.add_faults(&trace, &case);
                self.finish_step();
                asked += 1;
            }
        }
        asked
    }

    /// Lets the bot `second`, or fresh ones, play games again, which begin with the game `from` and were played as in `first`. Returns the times of all answers by game,
    /// if every game was played again: a process that may serve many games does so here, as it does in a run.
    fn play_again(
        &mut self,
        from: u64,
        first: &[Trace],
        second: &mut Option<Box<dyn Bot<G>>>,
    ) -> Vec<Vec<Duration>> {
        let is_external = self.is_external();
        let may_remember = self.plan.hill.memory() == Memory::Set;
        let before = self.findings.len();
        let mut traces = Vec::new();
        for (index, first) in first.iter().enumerate().rev() {
            if self.may_continue() {
                let game = from + index as u64;
                if !is_external {
                    *second = None;
                }
                let bot = second.get_or_insert_with(|| self.program().bot());
                let mut repetition = self.play(game, &mut **bot);
                // A process may end after it has said that a game failed, which is not the next game's fault.
                if self.had_faults && self.repeats_alone() {
                    repetition =
                        repetition.or_alone(|| self.play(game, &mut *self.program().bot()));
                }
                self.had_faults = !repetition.faults.is_empty();
                let cause = || match (is_external, may_remember) {
                    (true, false) => self.cause(game, first, &repetition),
                    (false, _) | (_, true) => Cause::NotDeterministic,
                };
                let finding = first.difference(&repetition, game, cause);
                let is_allowed = |finding: &Finding| {
                    may_remember && matches!(finding, Finding::Unrepeatable { .. })
                };
                self.failures += repetition.new_process_failures(first);
                let finding = finding.filter(|finding| !is_allowed(finding));
                self.failed_games += usize::from(finding.is_some());
                self.findings.extend(finding);
                self.finish_step();
                traces.push(repetition);
            }
        }
        self.findings[before..].reverse();
        if self.may_continue() { times(&traces) } else { Vec::new() }
    }

    /// Why processes that have played other games answered differently: another fresh one decides.
    fn cause(&self, game: u64, first: &Trace, repetition: &Trace) -> Cause {
        let is_external = self.is_external();
        // That is known of the bot, not of the game, and another start would only find it again.
        let is_known = || self.findings.iter().any(Finding::is_not_deterministic);
        if is_external && (self.program().plays_one_game_a_process() || is_known()) {
            return Cause::NotDeterministic;
        }
        let fresh = self.play(game, &mut *self.program().bot());
        if fresh.answers == first.answers || is_external && fresh.answers == repetition.answers {
            Cause::Remembers
        } else {
            Cause::NotDeterministic
        }
    }

    fn note_arena_error(&self, trace: &Trace) {
        let mut failures = trace.faults.iter().map(|fault| &fault.failure);
        if let Some(failure) = failures.find(|failure| failure.reason.is_arena_error()) {
            self.arena_error.get_or_init(|| failure.detail.clone());
        }
    }

    fn add_faults(&mut self, trace: &Trace, case: &TestCase) {
        let is_game = matches!(case, TestCase::Game(_));
        let (contrived, faults): (Vec<_>, Vec<_>) =
            trace.faults.iter().partition(|fault| fault.is_contrived);
        self.failures += faults.iter().filter(|fault| fault.breaks_process()).count();
        self.games += usize::from(is_game);
        self.failed_games += usize::from(is_game && !faults.is_empty());
        self.failed_positions += usize::from(!is_game && !faults.is_empty());
        self.findings.extend(faults.iter().map(|fault| fault.finding(case.clone())));
        self.notes.extend(contrived.iter().map(|fault| fault.finding(case.clone())));
    }

    const fn note_answers(&mut self, trace: &Trace) {
        self.has_answered |= trace.answers.len() > trace.faults.len();
    }

    fn finish_step(&mut self) {
        self.steps += 1;
        self.is_stopped = !(self.plan.progress)(self.steps + self.skipped);
    }

    /// Whether a fault in a process that was asked before counts only if it occurs in a fresh one too. It always counts where
    /// one process serves the whole run.
    fn repeats_alone(&self) -> bool {
        self.is_external() && self.plan.hill.memory() == Memory::Game
    }

    fn is_external(&self) -> bool {
        self.program().is_outside()
    }

    fn program(&self) -> &'a Arc<dyn Program<G>> {
        &self.plan.hill.entrant(self.plan.entrant).program
    }

    fn play(&self, game: u64, bot: &mut dyn Bot<G>) -> Trace {
        let QualificationPlan { hill, entrant, .. } = *self.plan;
        let seats = seats_with(hill, &self.chance, entrant, game);
        let seat = seats.iter().position(|id| *id == entrant).expect("the bot has a seat");
        let opponents = seats.iter().map(|id| self.opponent(*id).bot()).collect();
        let mut table = Table { bot, seat, opponents };
        // Each game has dice of its own, also where a block of the run would share them.
        let fixture = Fixture { game, table: game, pairing: 0, seats };
        let (mut play, starts) = begin(hill, &self.chance, &fixture, Vec::new());
        for (seat, start) in starts.iter().enumerate() {
            if seat == table.seat {
                table.bot.start(start);
            } else {
                table.opponents[seat].start(start);
            }
        }
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
        bot.start(&self.start_of_position(number, position));
        let names = self.names(position.seats(), position.asked().index());
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
        let is_contrived = play.game().is_contrived();
        let Some((_, view)) = play.turn() else { return };
        let request = (self.plan.hill.request_text())(&view);
        let asked = Instant::now();
        let answer = table.bot.act(&view);
        trace.times.push(asked.elapsed());
        play.judge(answer, table);
        trace.add_last_move(play.moves(), request, is_contrived);
    }

    /// What the bot learns when it is asked in the position with this number. The ids continue after those of the games.
    fn start_of_position(&self, number: u64, position: &RarePosition<G>) -> Start {
        let game = self.plan.games + number;
        let name = self.plan.hill.name_of(self.plan.entrant);
        let (seed, id) = (self.chance.bot_seed(game, name), self.chance.game_id(game, name));
        Start { game, id, players: position.seats(), seed }
    }

    /// The names at a table of this many seats, with the bot's own at `own`. If the hill has too few entrants for it, further
    /// names are numbered.
    fn names(&self, seats: usize, own: usize) -> Vec<String> {
        let QualificationPlan { hill, entrant, .. } = *self.plan;
        let others: Vec<_> = hill.ids().filter(|id| *id != entrant).collect();
        let numbered = (0..seats - 1).map(|index| {
            let name = hill.name_of(others[index % others.len()]);
            match index / others.len() {
                0 => name.to_owned(),
                times => format!("{name}-{}", times + 1),
            }
        });
        let mut names: Vec<_> = numbered.collect();
        names.insert(own, hill.name_of(entrant).to_owned());
        names
    }

    /// The program at the seat of an entrant. Only house bots play for themselves: other processes would cost time, and
    /// their faults would disturb the games.
    fn opponent(&self, id: EntrantId) -> &'a Arc<dyn Program<G>> {
        let program = &self.plan.hill.entrant(id).program;
        let stand_ins = self.plan.stand_ins;
        if program.is_house() { program } else { &stand_ins[id.index() % stand_ins.len()] }
    }
}

fn times(traces: &[Trace]) -> Vec<Vec<Duration>> {
    traces.iter().map(|trace| trace.times.clone()).collect()
}

fn public(names: &[String]) -> PublicInfo<'_> {
    PublicInfo { names: names.iter().map(String::as_str).collect(), points: Vec::new() }
}
