//! Games lost to a clock are played again alone before they count.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use dicehill_arena::{
    Answered, Bot, Event, Failure, Finished, FormatName, GameRange, GameSlot, GameSource, Hill,
    HillDraft, IdleProcesses, Jobs, PlannedGames, PollInterest, Program, RangeEnd, Reason,
    ResumeState, RunEnd, RunOptions, Server, Start, play_range, run_from,
};
use dicehill_rules::yahtzee::{Action, View, Yahtzee};

use crate::support::{
    Bots, best_box, challenge, draft, failure, fill_first, first_box, hill, play, without,
};

/// An external program whose processes fail after some games.
struct Late {
    reason: Reason,
    /// Whether it fails in that game too when it plays it alone.
    is_late_alone: bool,
    good_games: u64,
    started: Arc<AtomicU64>,
}

struct LateBot {
    failure: Option<Reason>,
}

/// Answers at once, so that its driver never waits.
struct LateServer {
    reason: Reason,
    good_games: u64,
    games: u64,
    answers: Vec<Answered<Yahtzee>>,
}

impl Program<Yahtzee> for Late {
    fn identity(&self) -> String {
        "test:late".to_owned()
    }

    fn is_outside(&self) -> bool {
        true
    }

    fn bot(&self) -> Box<dyn Bot<Yahtzee>> {
        Box::new(LateBot { failure: self.is_late_alone.then_some(self.reason) })
    }

    fn server(&self) -> Option<Box<dyn Server<Yahtzee>>> {
        self.started.fetch_add(1, Ordering::Relaxed);
        let Self { reason, good_games, .. } = *self;
        Some(Box::new(LateServer { reason, good_games, games: 0, answers: Vec::new() }))
    }
}

impl Bot<Yahtzee> for LateBot {
    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        self.failure.map_or_else(|| fill_first(view), failure)
    }
}

impl Server<Yahtzee> for LateServer {
    fn capacity(&self) -> usize {
        usize::from(self.games <= self.good_games)
    }

    fn start(&mut self, _slot: GameSlot, _start: &Start) {
        self.games += 1;
    }

    fn ask(&mut self, slot: GameSlot, view: &View<'_>) {
        self.answers.push((slot, fill_first(view)));
    }

    fn reveal(&mut self, _slot: GameSlot, _game: &Yahtzee, _action: &Action) {}

    fn refused(&mut self, _slot: GameSlot, _why: &str) -> Vec<String> {
        Vec::new()
    }

    fn end(&mut self, _slot: GameSlot, _finished: &Finished<'_, Yahtzee>) {}

    fn abandon(&mut self, _slot: GameSlot) {}

    fn flush(&mut self) {}

    fn step(&mut self, answers: &mut Vec<Answered<Yahtzee>>) -> Result<(), Failure> {
        if self.games <= self.good_games {
            answers.append(&mut self.answers);
            return Ok(());
        }
        Err(Failure::new(self.reason, "as scripted"))
    }

    fn poll_interest(&self) -> PollInterest<'_> {
        PollInterest { deadline: Some(Instant::now()), ..PollInterest::default() }
    }

    fn wait(&self, interests: &[PollInterest<'_>], ready: &mut Vec<bool>) {
        ready.clear();
        ready.resize(interests.len(), true);
    }
}

fn bots(reason: Reason, is_late_alone: bool) -> Bots<Yahtzee> {
    let (good_games, started) = (2, Arc::default());
    let late: Arc<dyn Program<Yahtzee>> =
        Arc::new(Late { reason, is_late_alone, good_games, started });
    vec![("A", first_box()), ("Late", late), ("B", first_box())]
}

/// An external program whose processes fail after some requests, and that plays otherwise when it plays a game again.
struct Peeking {
    requests: usize,
}

struct PeekingServer {
    left: usize,
    answers: Vec<Answered<Yahtzee>>,
    has_failed: bool,
}

impl Program<Yahtzee> for Peeking {
    fn identity(&self) -> String {
        "test:peeking".to_owned()
    }

    fn is_outside(&self) -> bool {
        true
    }

    fn bot(&self) -> Box<dyn Bot<Yahtzee>> {
        best_box().bot()
    }

    fn server(&self) -> Option<Box<dyn Server<Yahtzee>>> {
        let (left, answers) = (self.requests, Vec::new());
        Some(Box::new(PeekingServer { left, answers, has_failed: false }))
    }
}

impl Server<Yahtzee> for PeekingServer {
    fn capacity(&self) -> usize {
        usize::from(!self.has_failed)
    }

    fn start(&mut self, _slot: GameSlot, _start: &Start) {}

    fn ask(&mut self, slot: GameSlot, view: &View<'_>) {
        if self.left > 0 {
            self.left -= 1;
            self.answers.push((slot, fill_first(view)));
        } else {
            self.has_failed = true;
        }
    }

    fn reveal(&mut self, _slot: GameSlot, _game: &Yahtzee, _action: &Action) {}

    fn refused(&mut self, _slot: GameSlot, _why: &str) -> Vec<String> {
        Vec::new()
    }

    fn end(&mut self, _slot: GameSlot, _finished: &Finished<'_, Yahtzee>) {}

    fn abandon(&mut self, _slot: GameSlot) {}

    fn flush(&mut self) {}

    fn step(&mut self, answers: &mut Vec<Answered<Yahtzee>>) -> Result<(), Failure> {
        if self.has_failed {
            return Err(Failure::new(Reason::MoveTimeout, "as scripted"));
        }
        answers.append(&mut self.answers);
        Ok(())
    }

    fn poll_interest(&self) -> PollInterest<'_> {
        PollInterest { deadline: Some(Instant::now()), ..PollInterest::default() }
    }

    fn wait(&self, interests: &[PollInterest<'_>], ready: &mut Vec<bool>) {
        ready.clear();
        ready.resize(interests.len(), true);
    }
}

/// A bot may have kept the dice that it has seen, although no process of it may know of another.
#[test]
fn a_game_that_is_played_again_keeps_its_moves() {
    a_bot_that_fails_keeps_its_moves(|draft| hill(HillDraft { games: 1, ..draft }));
}

/// Its opponent may remember them too.
#[test]
fn a_game_that_is_played_again_with_a_remote_bot_keeps_its_moves() {
    a_bot_that_fails_keeps_its_moves(|draft| {
        hill(with_remote(HillDraft { games: 1, ..draft }, "B"))
    });
}

fn a_bot_that_fails_keeps_its_moves(hill: impl Fn(HillDraft<Yahtzee>) -> Hill<Yahtzee>) {
    let moves = |peeking: Arc<dyn Program<Yahtzee>>| {
        let bots: Bots<Yahtzee> = vec![("Peeking", peeking), ("B", first_box())];
        let outcome = play(&hill(draft(&bots)), 1);
        assert!(outcome.bars.is_empty(), "{:?}", outcome.bars);
        let line: serde_json::Value = serde_json::from_str(&outcome.lines[0]).expect("JSON");
        let moves: Vec<_> = line["moves"].as_str().expect("moves").split(',').collect();
        moves.into_iter().map(str::to_owned).collect::<Vec<String>>()
    };
    // Each of its turns is one answer, and B's turns are between them.
    let (first, best) = (moves(first_box()), moves(best_box()));
    assert_ne!(first, best);
    let peeking = moves(Arc::new(Peeking { requests: 8 }));
    assert_eq!(peeking[..16], first[..16]);
    assert_ne!(peeking[16..], first[16..], "it goes on as it wants to");
    // Another answer alone is no failure.
    assert_eq!(moves(Arc::new(Peeking { requests: 0 })), best);
}

const CLOCKS: [Reason; 3] = [Reason::StartTimeout, Reason::MoveTimeout, Reason::GameTimeout];

#[test]
fn a_late_game_that_is_in_time_alone_costs_nothing() {
    let honest = vec![("A", first_box()), ("Late", first_box()), ("B", first_box())];
    let undisturbed = play(&challenge(&honest, 10), 1);
    for reason in CLOCKS {
        let outcome = play(&challenge(&bots(reason, false), 10), 1);
        assert_eq!(outcome.lines, undisturbed.lines, "{reason}");
        let retried = outcome.events.iter().filter(|event| event.starts_with("retried"));
        let retried: Vec<_> = retried.collect();
        assert_eq!(retried.len(), 3, "games 3, 6 and 9: {retried:?}");
        assert!(retried.iter().all(|event| event.contains("retry_failure: None")), "{retried:?}");
    }
}

#[test]
fn a_game_that_is_late_alone_too_bars() {
    for reason in CLOCKS {
        let bots = bots(reason, true);
        let outcome = play(&challenge(&bots, 10), 1);
        let [bar] = outcome.bars.as_slice() else { panic!("{:?}", outcome.bars) };
        let found = (bar.bot.as_str(), bar.game, bar.reason.as_str());
        assert_eq!(found, ("Late", 3, reason.name()));
        assert_eq!(outcome.lines, play(&challenge(&without(&bots, &["Late"]), 10), 1).lines);
    }
}

/// A placement of this bot among four.
fn placement(new: Arc<dyn Program<Yahtzee>>) -> HillDraft<Yahtzee> {
    let bots: Bots<Yahtzee> =
        vec![("A", first_box()), ("B", best_box()), ("C", first_box()), ("D", best_box())];
    let bots: Bots<Yahtzee> = bots.into_iter().chain([("New", new)]).collect();
    let (format, challenger) = (FormatName::Gauntlet, Some("New".to_owned()));
    let strengths = Some(vec![0.0, 0.2, 0.1, 0.3, 0.0]);
    HillDraft { format, challenger, strengths, ..draft(&bots) }
}

#[test]
fn a_placement_starts_a_process_for_each_game_of_a_block() {
    let undisturbed = play(&hill(placement(first_box())), 1);
    assert!(undisturbed.lines.len() > 8, "{}", undisturbed.lines.len());
    let placed = |good_games, is_late_alone| {
        let started = Arc::new(AtomicU64::new(0));
        let reason = Reason::MoveTimeout;
        let new = Late { reason, is_late_alone, good_games, started: Arc::clone(&started) };
        (play(&hill(placement(Arc::new(new))), 1), started.load(Ordering::Relaxed))
    };
    let (outcome, started) = placed(u64::MAX, false);
    assert_eq!((&outcome.lines, started), (&undisturbed.lines, 2));
    // Timeouts of processes that serve several games are played again.
    let (outcome, started) = placed(2, false);
    assert_eq!(outcome.lines, undisturbed.lines);
    assert!(started > 2, "{started}");
    let (outcome, _) = placed(2, true);
    assert_eq!(outcome.bars.len(), 1, "{:?}", outcome.bars);
}

#[test]
fn ranges_of_a_run_share_processes_until_these_fail() {
    let stop = AtomicBool::new(false);
    let options =
        RunOptions { jobs: Jobs::Exactly(1), max_play_offs: 100, stop: &stop, deadline: None };
    let undisturbed =
        play(&challenge(&vec![("A", first_box()), ("Late", first_box())], 12), 1).lines;
    for (good_games, expected) in [(u64::MAX, 1), (5, 2)] {
        let started = Arc::new(AtomicU64::new(0));
        let (reason, is_late_alone) = (Reason::MoveTimeout, false);
        let late = Late { reason, is_late_alone, good_games, started: Arc::clone(&started) };
        let bots: Bots<Yahtzee> = vec![("A", first_box()), ("Late", Arc::new(late))];
        let hill = challenge(&bots, 12);
        let idle = IdleProcesses::default();
        let mut lines = Vec::new();
        for first in [1, 5, 9] {
            let games = GameRange::new(first, first + 3).expect("a range");
            let planned = PlannedGames { bars: &[], games };
            let end = play_range(&hill, planned, &idle, options, &mut |event| {
                if let Event::Played(played, _) = event {
                    lines.push(played.line.clone());
                }
                Ok(())
            });
            assert_eq!(end.expect("played"), RangeEnd::Done);
        }
        assert_eq!(lines, undisturbed);
        // A process that failed is replaced: games 6 and 12 are played again alone.
        assert_eq!(started.load(Ordering::Relaxed), expected, "{good_games} good games");
    }
}

/// The draft with an entrant that is remote.
fn with_remote(mut draft: HillDraft<Yahtzee>, name: &str) -> HillDraft<Yahtzee> {
    let entrant = draft.entrants.iter_mut().find(|entrant| entrant.name.as_str() == name);
    entrant.expect("an entrant").own_terms.remote = true;
    draft
}

/// The table of each line.
fn tables(lines: &[String]) -> Vec<u64> {
    let table = |line: &String| {
        serde_json::from_str::<serde_json::Value>(line).expect("JSON")["table"]
            .as_u64()
            .expect("a number")
    };
    lines.iter().map(table).collect()
}

#[test]
fn a_remote_bot_that_fails_among_other_games_is_absent_and_plays_none_again() {
    for reason in CLOCKS.into_iter().chain([Reason::Crash, Reason::Absent]) {
        for is_late_alone in [false, true] {
            let bots = bots(reason, is_late_alone);
            let outcome = play(&hill(with_remote(draft(&bots), "Late")), 1);
            let [bar] = outcome.bars.as_slice() else { panic!("{:?}", outcome.bars) };
            assert_eq!((bar.bot.as_str(), bar.game, bar.reason.as_str()), ("Late", 3, "absent"));
            let retried = outcome.events.iter().find(|event| event.starts_with("retried"));
            assert_eq!(retried, None);
            assert_eq!(outcome.lines.len(), 20, "the others play on");
        }
    }
}

/// The server that a remote bot is connected to has ended, for example.
#[test]
fn an_arena_error_of_a_remote_bots_process_ends_the_run() {
    let run = hill(with_remote(draft(&bots(Reason::ArenaError, false)), "Late"));
    let stop = AtomicBool::new(false);
    let options =
        RunOptions { jobs: Jobs::Exactly(1), max_play_offs: 100, stop: &stop, deadline: None };
    let mut played = 0;
    let end = run_from(&run, ResumeState::fresh(Vec::new()), options, &mut |event| {
        assert!(!matches!(event, Event::Barred(_)), "no bot is at fault");
        played += u64::from(matches!(event, Event::Played(..)));
        Ok(())
    });
    let error = end.err().expect("it ends with the error").to_string();
    assert!(error.contains("as scripted"), "{error}");
    assert_eq!(played, 2);
}

/// An external program whose processes answer late, and expect one request at a time in each game.
struct Patient;

#[derive(Default)]
struct PatientServer {
    /// The requests without an answer, with the steps since they arrived.
    open: Vec<(u8, Answered<Yahtzee>)>,
}

impl Program<Yahtzee> for Patient {
    fn identity(&self) -> String {
        "test:patient".to_owned()
    }

    fn is_outside(&self) -> bool {
        true
    }

    fn bot(&self) -> Box<dyn Bot<Yahtzee>> {
        Box::new(LateBot { failure: None })
    }

    fn server(&self) -> Option<Box<dyn Server<Yahtzee>>> {
        Some(Box::new(PatientServer::default()))
    }
}

impl Server<Yahtzee> for PatientServer {
    fn capacity(&self) -> usize {
        4
    }

    fn start(&mut self, _slot: GameSlot, _start: &Start) {}

    fn ask(&mut self, slot: GameSlot, view: &View<'_>) {
        assert!(self.open.iter().all(|(_, (other, _))| *other != slot), "it is asked twice");
        self.open.push((0, (slot, fill_first(view))));
    }

    fn reveal(&mut self, _slot: GameSlot, _game: &Yahtzee, _action: &Action) {}

    fn refused(&mut self, _slot: GameSlot, why: &str) -> Vec<String> {
        panic!("its answers are legal: {why}");
    }

    fn end(&mut self, _slot: GameSlot, _finished: &Finished<'_, Yahtzee>) {}

    fn abandon(&mut self, slot: GameSlot) {
        self.open.retain(|(_, (other, _))| *other != slot);
    }

    fn flush(&mut self) {}

    fn step(&mut self, answers: &mut Vec<Answered<Yahtzee>>) -> Result<(), Failure> {
        self.open.iter_mut().for_each(|(age, _)| *age += 1);
        answers.extend(self.open.extract_if(.., |(age, _)| *age > 2).map(|(_, answer)| answer));
        Ok(())
    }

    fn poll_interest(&self) -> PollInterest<'_> {
        PollInterest { deadline: Some(Instant::now()), ..PollInterest::default() }
    }

    fn wait(&self, interests: &[PollInterest<'_>], ready: &mut Vec<bool>) {
        ready.clear();
        ready.resize(interests.len(), true);
    }
}

/// Another bot's process may fail at any time, and its failure may count at once.
#[test]
fn a_process_whose_opponent_fails_is_not_asked_twice() {
    for (good_games, is_remote) in [(0, false), (0, true), (1, true), (2, true)] {
        let (reason, started) = (Reason::Crash, Arc::default());
        let late = Late { reason, is_late_alone: true, good_games, started };
        let bots: Bots<Yahtzee> =
            vec![("Patient", Arc::new(Patient)), ("Late", Arc::new(late)), ("B", first_box())];
        let draft = draft(&bots);
        let draft = if is_remote { with_remote(draft, "Late") } else { draft };
        let outcome = play(&hill(draft), 1);
        let barred: Vec<_> = outcome.bars.iter().map(|bar| bar.bot.as_str()).collect();
        assert_eq!(barred, ["Late"], "{good_games} good games");
        let honest = vec![("Patient", first_box()), ("B", first_box())];
        if !is_remote {
            assert_eq!(outcome.lines, play(&challenge(&honest, 20), 1).lines);
        }
    }
}

/// What the games of a run would show a remote bot must be of no use in another game.
#[test]
fn games_with_a_remote_bot_share_no_dice() {
    let bots: Bots<Yahtzee> = vec![("A", first_box()), ("B", best_box()), ("Remote", first_box())];
    let duel = || HillDraft { format: FormatName::Duel, games: 10, ..draft(&bots) };
    let played = play(&hill(with_remote(duel(), "Remote")), 1);
    let mut all = tables(&played.lines);
    assert_eq!(all[..10], [1, 1, 2, 2, 3, 3, 4, 4, 5, 5], "A against B");
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 5 + 20);
    // Nor may games that are played again after a bar: here the bots that are not remote are the same.
    let late =
        Late { reason: Reason::Crash, is_late_alone: true, good_games: 4, started: Arc::default() };
    let bots: Bots<Yahtzee> =
        vec![("A", first_box()), ("Late", Arc::new(late)), ("Remote", first_box())];
    let outcome = play(&hill(with_remote(draft(&bots), "Remote")), 1);
    assert_eq!(outcome.bars.len(), 1, "{:?}", outcome.bars);
    let played = outcome.events.iter().filter_map(|event| {
        let (head, line) = event.strip_prefix("played ")?.split_once(' ')?;
        head.parse::<u64>().ok()?;
        Some(line.to_owned())
    });
    let all = tables(&played.collect::<Vec<_>>());
    let mut different = all.clone();
    different.sort_unstable();
    different.dedup();
    assert!(all.len() > 20 && different.len() == all.len(), "{all:?}");
}

/// The process of another bot fails, so that its games are played again alone, also those with a remote bot.
#[test]
fn a_game_that_is_played_again_with_a_remote_bot_has_the_same_dice() {
    let all: Bots<Yahtzee> =
        bots(Reason::MoveTimeout, false).into_iter().chain([("Remote", first_box())]).collect();
    let run = hill(with_remote(draft(&all), "Remote"));
    let outcome = play(&run, 1);
    assert!(outcome.bars.is_empty(), "{:?}", outcome.bars);
    let retried = outcome.events.iter().filter(|event| event.starts_with("retried")).count();
    assert_eq!(retried, 6);
    let tables = tables(&outcome.lines);
    assert!(tables.is_sorted_by(|one, next| one + 1 == *next), "{tables:?}");
    // A resumed run takes them as they are, and plays the games that are missing with dice that no one has seen.
    let recorded = Recorded(outcome.lines[..10].to_vec());
    let state = ResumeState {
        bars: Vec::new(),
        games: &recorded,
        is_resumed: true,
        recorded: 10,
        records: None,
    };
    let mut lines = Vec::new();
    let stop = AtomicBool::new(false);
    let options =
        RunOptions { jobs: Jobs::Exactly(1), max_play_offs: 100, stop: &stop, deadline: None };
    let end = run_from(&run, state, options, &mut |event| {
        match event {
            Event::Played(played, _) => lines.push(played.line.clone()),
            Event::Recalled(recalled, _) => lines.push(recalled.line.clone()),
            Event::Started(_)
            | Event::Barred(_)
            | Event::Retried(_)
            | Event::MemoryLost { .. }
            | Event::Diverged { .. }
            | Event::Ended(_) => {}
        }
        Ok(())
    });
    assert!(matches!(end, Ok(RunEnd::Done(_))));
    assert_eq!(lines[..10], outcome.lines[..10]);
    let resumed = self::tables(&lines);
    assert!(resumed[10..].iter().all(|table| !tables.contains(table)), "{resumed:?}");
}

/// The first games of a run.
struct Recorded(Vec<String>);

impl GameSource for Recorded {
    fn line(&self, game: u64) -> io::Result<Option<String>> {
        Ok(self.0.get(game as usize - 1).cloned())
    }
}
