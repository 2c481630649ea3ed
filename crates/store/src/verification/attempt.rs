//! All games of an attempt, checked against the schedule, the dice and the rules.

use std::collections::BTreeMap;

use dicehill_arena::{
    Bar, EntrantId, FailureCount, Fixture, Format, HighlightedGame, Highlights, Hill, Ledger,
    MAX_PLAY_OFFS, Memory, Offence, PlacementScheduler, Play, Reason, RecordedGame, Replay,
    Schedule,
};
use dicehill_rules::{Game, Seat, SeatResult};

use super::discrepancy::Discrepancy;
use super::game_check::{GameCheck, ReplayedGame, misplaced, recorded_number, why_unreadable};
use super::stored_failures::StoredFailures;
use crate::{GameLine, StoredFailure};

/// The number of games that are replayed together.
pub(super) const BATCH: usize = 2048;

/// A game's line, and its number in a log.
pub(super) struct RecordedLine {
    /// The number of the line in a log; `None` in a store.
    pub(super) number: Option<usize>,
    pub(super) line: String,
}

/// Checks the games between two bars, in order.
pub(super) struct AttemptCheck<'a, G: Game> {
    hill: &'a Hill<G>,
    games: GameCheck<'a, G>,
    schedule: &'a Schedule<'a, G>,
    ledger: Ledger,
    failures: FailureCount<'a, G>,
    stored: StoredFailures,
    /// Chooses the next opponent, if the run places a new entrant.
    scheduler: Option<PlacementScheduler>,
    /// The pairing of the current block of a placement; `None` when the rank is found.
    pairing: Option<usize>,
    /// The number of the next game.
    next: u64,
    /// Games that have not been checked yet.
    waiting: Vec<RecordedLine>,
    highlights: Highlights,
    seeds: BTreeMap<String, u64>,
    problems: Vec<Discrepancy>,
}

/// What was found in an attempt.
pub(super) struct CheckedAttempt {
    /// The number of games.
    pub(super) games: u64,
    /// Their most remarkable ones, if they are looked for.
    pub(super) highlights: Highlights,
    /// The seeds of earlier runs that games name, with the number of games.
    pub(super) seeds: BTreeMap<String, u64>,
    pub(super) problems: Vec<Discrepancy>,
    /// What is wrong with the failures in a store.
    pub(super) failures: Vec<Discrepancy>,
}

impl<'a, G: Game> AttemptCheck<'a, G> {
    /// `stored` are the failures of the attempt in a store; a log has none besides its games.
    pub(super) fn new(
        games: GameCheck<'a, G>,
        schedule: &'a Schedule<'a, G>,
        stored: Option<Vec<StoredFailure>>,
    ) -> Self {
        Self {
            hill: games.hill,
            failures: FailureCount::new(games.hill, schedule),
            games,
            schedule,
            ledger: Ledger::new(schedule),
            stored: StoredFailures::new(stored),
            scheduler: PlacementScheduler::new(schedule),
            pairing: None,
            next: 1,
            waiting: Vec::new(),
            highlights: Highlights::default(),
            seeds: BTreeMap::new(),
            problems: Vec::new(),
        }
    }

    /// Adds the next game.
    pub(super) fn add(&mut self, line: RecordedLine) {
        self.waiting.push(line);
        if self.waiting.len() >= BATCH {
            self.check_waiting();
        }
    }

    /// What was found. `bar`, with the number of its line, has ended the attempt.
    pub(super) fn end(mut self, bar: Option<(Option<usize>, &Bar)>) -> CheckedAttempt {
        self.check_waiting();
        if let Some((line, bar)) = bar {
            let found = self.check_bar(bar);
            self.problems.extend(found.into_iter().map(|text| Discrepancy::at(line, text)));
        }
        let Self { next, highlights, seeds, problems, stored, .. } = self;
        CheckedAttempt { games: next - 1, highlights, seeds, problems, failures: stored.end() }
    }

    fn check_waiting(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        let lines: Vec<_> = waiting.iter().map(|recorded| recorded.line.as_str()).collect();
        let replayed = self.games.replay(&lines);
        for (recorded, replayed) in waiting.into_iter().zip(replayed) {
            let mut game = self.next;
            let mut problems = Vec::new();
            let mut found = self.check_place(game, &recorded.line);
            if let Some(number) = self.other_number(game, &recorded.line, &found) {
                // The games after it are checked by their own numbers, so that each problem is reported once.
                problems.push(match number.checked_sub(game) {
                    None => format!("comes after game {}", game - 1),
                    Some(1) => format!("game {game} before it is missing"),
                    Some(_) => format!("games {game} to {} before it are missing", number - 1),
                });
                game = number;
                found = self.check_place(game, &recorded.line);
            }
            self.next = game + 1;
            match replayed {
                Ok(replayed) => {
                    self.offer_highlights(game, &replayed);
                    if let Some(seed) = replayed.seed {
                        *self.seeds.entry(seed).or_default() += 1;
                    }
                }
                Err(problem) => problems.push(problem),
            }
            problems.extend(found);
            let problem =
                |text| Discrepancy::at(recorded.number, text).within(format_args!("game {game}"));
            self.problems.extend(problems.into_iter().map(problem));
        }
    }

    fn offer_highlights(&mut self, game: u64, replayed: &ReplayedGame) {
        for highlight in &replayed.highlights {
            if self.highlights.wants(game, highlight) {
                let named = HighlightedGame::of(game, &replayed.names, highlight);
                named.into_iter().for_each(|named| self.highlights.offer(named));
            }
        }
    }

    /// The number of the game in this line, if it is scheduled under another one than `game`. `found` is what is wrong with it as
    /// `game`.
    fn other_number(&self, game: u64, line: &str, found: &[String]) -> Option<u64> {
        let numbers = 1..=self.schedule.games();
        if found.is_empty() || self.scheduler.is_some() || !numbers.contains(&game) {
            return None;
        }
        recorded_number(line).filter(|number| *number != game && numbers.contains(number))
    }

    /// Checks the number, table and seats of a game, and adds its outcome to the ledger.
    fn check_place(&mut self, game: u64, line: &str) -> Vec<String> {
        match self.fixture(game) {
            None => vec!["the run was over before it".to_owned()],
            Some(fixture) => self.check_fixture(fixture, line),
        }
    }

    /// The fixture of this game, from the schedule and the points so far; `None` if the run ends before it.
    fn fixture(&mut self, game: u64) -> Option<Fixture> {
        let games = self.schedule.games();
        if let Some(scheduler) = &mut self.scheduler {
            // Both games of a block are against the same opponent.
            if !game.is_multiple_of(2) {
                self.pairing = scheduler.next_block(&self.ledger);
            }
            return self.pairing.map(|pairing| self.schedule.placement_fixture(game, pairing));
        }
        if self.ledger.is_decided() {
            return None;
        }
        if game <= games {
            return Some(self.schedule.fixture(game));
        }
        let plays_off =
            self.hill.challenge().ties_played_off && self.hill.format() == Format::Challenge;
        let tied = self.ledger.leaders(self.schedule.active());
        let is_play_off = plays_off && tied.len() > 1 && game <= games + MAX_PLAY_OFFS;
        is_play_off.then(|| self.schedule.play_off(game, &tied))
    }

    fn check_fixture(&mut self, fixture: Fixture, line: &str) -> Vec<String> {
        let expected = fixture.clone();
        let is_play_off = fixture.game > self.schedule.games();
        let read = RecordedGame::read(self.hill, fixture, line.to_owned());
        if !matches!(read, Ok(Some(_))) && !is_play_off {
            // Rounds are counted by numbers of games, so that a game without a result is one without points.
            let nothing = vec![SeatResult::default(); expected.seats.len()];
            self.ledger.add(self.schedule, &expected, &nothing, &[]);
        }
        match read {
            Ok(Some(recorded)) => {
                self.check_stored_failures(&recorded);
                let RecordedGame { fixture, results, appraisals, failures, .. } = recorded;
                if is_play_off {
                    self.ledger.add_play_off(&fixture, &results);
                } else {
                    self.ledger.add(self.schedule, &fixture, &results, &appraisals);
                }
                self.check_barring(&fixture, &failures)
            }
            Ok(None) => match misplaced(self.hill, &expected, line) {
                found if found.is_empty() && !self.games.keeps_moves => {
                    vec!["its loss and variance are missing, or should be".to_owned()]
                }
                found => found,
            },
            // The replay reports what is wrong, unless there are no moves to replay.
            Err(error) if !self.games.keeps_moves => vec![why_unreadable(&error)],
            Err(_) => Vec::new(),
        }
    }

    /// Checks that no failure of a game that counts bars its entrant. Reports the first that does.
    fn check_barring(&mut self, fixture: &Fixture, failures: &[(Seat, Reason)]) -> Vec<String> {
        let (hill, mut problems) = (self.hill, Vec::new());
        for (seat, reason) in failures {
            let id = fixture.seats[seat.index()];
            let name = hill.name_of(id);
            problems.extend(self.impossible_absence(id, *reason));
            if self.failures.is_barred_by(id, *reason) {
                problems.push(match self.failures.of(id) {
                    0 | 1 => format!("{name} failed ({reason}), but was not barred"),
                    count => format!("{name} failed {count} times ({reason}), but was not barred"),
                });
            }
        }
        problems.truncate(1);
        problems
    }

    /// Only a remote bot can be absent: its failure ends the attempt whatever the rule says.
    fn impossible_absence(&self, id: EntrantId, reason: Reason) -> Option<String> {
        let Self { hill, .. } = self;
        let is_possible = reason != Reason::Absent || hill.entrant(id).own_terms.remote;
        (!is_possible).then(|| format!("{} is no remote bot, but absent", hill.name_of(id)))
    }

    /// Compares the failures in a store with those of a game. If the game cannot be read, that is reported by itself.
    fn check_stored_failures(&mut self, recorded: &RecordedGame) {
        let RecordedGame { fixture, failures, line, .. } = recorded;
        if !self.stored.has_failures(fixture.game, !failures.is_empty()) {
            return;
        }
        let Ok(game) = GameLine::read(line) else { return };
        let requests = self.games.keeps_moves.then(|| self.games.checked(line).ok()).flatten();
        let of_play =
            |play: &Play<'_, G>| play.offences().iter().map(|one| one.request.clone()).collect();
        let requests: Vec<Vec<String>> = requests.map_or_else(Vec::new, |replay| {
            self.replayed(fixture, &replay).iter().map(of_play).collect()
        });
        self.stored.compare(&game, &requests);
    }

    /// A game that was replayed, with requests as they are recorded now and as older versions recorded them.
    fn replayed<'r>(&self, fixture: &Fixture, replay: &'r Replay<G>) -> [Play<'r, G>; 2] {
        let points = |seat: &EntrantId| self.ledger.points(*seat);
        let points_before = match self.hill.memory() {
            Memory::Game => Vec::new(),
            Memory::Set => fixture.seats.iter().map(points).collect(),
        };
        let begin = || replay.begin_with_points(self.hill.rules(), points_before.clone());
        let mut plays = [begin().with_requests(self.hill.request_text()), begin()];
        for play in &mut plays {
            replay.moves.iter().for_each(|one| play.repeat(one));
        }
        plays
    }

    /// Checks a bar against the record of the game in which the entrant was barred.
    fn check_bar(&mut self, bar: &Bar) -> Vec<String> {
        let (Bar { bot, game, .. }, next) = (bar, self.next);
        if *game == 0 {
            let played = next - 1;
            let early = || format!("{played} games before the qualification barred {bot}");
            return if played > 0 { vec![early()] } else { Vec::new() };
        }
        if *game != next {
            return vec![format!("{bot} is barred in game {game}, but the next game was {next}")];
        }
        let problems = match self.fixture(*game) {
            None => vec!["the run was over before it".to_owned()],
            Some(fixture) => self.bar_problems(bar, &fixture),
        };
        let with_bar = |problem| format!("the bar of {bot} in game {game}: {problem}");
        problems.into_iter().map(with_bar).collect()
    }

    fn bar_problems(&mut self, bar: &Bar, fixture: &Fixture) -> Vec<String> {
        let replay = match self.games.with_moves().checked(&bar.record) {
            Ok(replay) => replay,
            Err(problem) => return vec![problem],
        };
        let problems = misplaced(self.hill, fixture, &bar.record);
        if !problems.is_empty() {
            return problems;
        }
        let plays = self.replayed(fixture, &replay);
        let entrant = |offence: &Offence| fixture.seats[offence.seat.index()];
        let is_offence_of_bar = |offence: &&Offence| {
            self.hill.name_of(entrant(offence)) == bar.bot
                && offence.failure.reason.name() == bar.reason
                && offence.failure.detail == bar.detail
                && offence.request == bar.request
        };
        let Some(offence) =
            plays.iter().find_map(|play| play.offences().iter().find(is_offence_of_bar))
        else {
            return vec!["its reason, detail or request is not that of the game".to_owned()];
        };
        let (barred, reason) = (entrant(offence), offence.failure.reason);
        if let Some(problem) = self.impossible_absence(barred, reason) {
            return vec![problem];
        }
        // The first failure of the game that bars an entrant ends the attempt.
        let [play, _] = &plays;
        let mut offences = play.offences().iter();
        let first =
            offences.find(|one| self.failures.is_barred_by(entrant(one), one.failure.reason));
        match first {
            Some(first) if entrant(first) == barred && first.failure.reason == reason => Vec::new(),
            Some(first) => {
                vec![format!("{} is barred before it", self.hill.name_of(entrant(first)))]
            }
            None => {
                let count = self.failures.of(barred);
                vec![format!("a {reason} does not bar it: its program has failed {count} times")]
            }
        }
    }
}
