//! Every game of an attempt held against the schedule, the dice and the rules.

use std::thread;

use dicehill_arena::{
    Bar, EntrantId, Fixture, Format, GameRecord, Hill, Ledger, MOST_PLAY_OFFS, Placer,
    ReadRecordError, Recalled, Replay, Schedule, game_line, read_game_line,
};
use dicehill_rules::{Barring, Chance, Game};
use serde_json::Value;

use super::Problem;
use crate::json_message;

/// Games whose moves are replayed at once.
const TOGETHER: usize = 2048;

/// A game's record, and where it stands.
pub(super) struct Stored {
    /// The number of its line, in a log.
    pub(super) number: Option<usize>,
    pub(super) line: String,
}

/// The games between two bars, as they come.
pub(super) struct AttemptCheck<'a, G: Game> {
    hill: &'a Hill<G>,
    chance: &'a Chance,
    schedule: &'a Schedule<'a, G>,
    keeps_moves: bool,
    jobs: usize,
    ledger: Ledger,
    /// Chooses who plays, if the run places a newcomer.
    placer: Option<Placer>,
    /// The number of the next game.
    next: u64,
    waiting: Vec<Stored>,
    problems: Vec<Problem>,
}

impl<'a, G: Game> AttemptCheck<'a, G> {
    pub(super) fn new(
        hill: &'a Hill<G>,
        chance: &'a Chance,
        schedule: &'a Schedule<'a, G>,
        keeps_moves: bool,
        jobs: usize,
    ) -> Self {
        Self {
            hill,
            chance,
            schedule,
            keeps_moves,
            jobs,
            ledger: Ledger::new(schedule),
            placer: Placer::new(schedule),
            next: 1,
            waiting: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// Takes the next game.
    pub(super) fn take(&mut self, stored: Stored) {
        self.waiting.push(stored);
        if self.waiting.len() >= TOGETHER {
            self.check_waiting();
        }
    }

    /// How many games there were, and what is wrong with them. `bar`, with the number of its line, has ended them.
    pub(super) fn end(mut self, bar: Option<(Option<usize>, &Bar)>) -> (u64, Vec<Problem>) {
        self.check_waiting();
        if let Some((line, bar)) = bar {
            let found = self.check_bar(bar);
            self.problems.extend(found.into_iter().map(|text| Problem::at(line, text)));
        }
        (self.next - 1, self.problems)
    }

    fn check_waiting(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        let replayed = self.replay(&waiting);
        for (stored, replayed) in waiting.into_iter().zip(replayed) {
            let game = self.next;
            self.next += 1;
            let fixture = self.fixture(game);
            let mut problems: Vec<_> = replayed.err().into_iter().collect();
            match fixture {
                None => problems.push("the run was over before it".to_owned()),
                Some(fixture) => problems.extend(self.check_place(fixture, &stored.line)),
            }
            let named = |text| Problem::at(stored.number, text).within(format_args!("game {game}"));
            self.problems.extend(problems.into_iter().map(named));
        }
    }

    /// Each game's moves against dice and rules, on several threads.
    fn replay(&self, lines: &[Stored]) -> Vec<Result<(), String>> {
        let (hill, chance, keeps_moves) = (self.hill, self.chance, self.keeps_moves);
        let check = |stored: &Stored| check_moves(hill, chance, &stored.line, keeps_moves);
        let size = lines.len().div_ceil(self.jobs.max(1)).max(1);
        thread::scope(|scope| {
            let check = &check;
            let work = |chunk| scope.spawn(move || <[Stored]>::iter(chunk).map(check).collect());
            let threads: Vec<thread::ScopedJoinHandle<'_, Vec<_>>> =
                lines.chunks(size).map(work).collect();
            let done =
                threads.into_iter().map(|thread| thread.join().expect("checks do not panic"));
            done.flatten().collect()
        })
    }

    /// The game of this number as the schedule and the points so far have it.
    fn fixture(&mut self, game: u64) -> Option<Fixture> {
        let games = self.schedule.games();
        if let Some(placer) = &mut self.placer {
            // A block of two games has one rival.
            let has_rival =
                game.is_multiple_of(2) || placer.next_block(self.schedule, &self.ledger);
            return has_rival.then(|| self.schedule.fixture(game));
        }
        if self.ledger.is_decided() {
            return None;
        }
        if game <= games {
            return Some(self.schedule.fixture(game));
        }
        let plays_off = G::CHALLENGE.ties_played_off && self.hill.format() == Format::Challenge;
        let tied = self.ledger.leaders(self.schedule.active());
        let goes_on = plays_off && tied.len() > 1 && game <= games + MOST_PLAY_OFFS;
        goes_on.then(|| self.schedule.play_off(game, &tied))
    }

    /// Number, table and seats; what came of it enters the ledger.
    fn check_place(&mut self, fixture: Fixture, line: &str) -> Vec<String> {
        let expected = fixture.clone();
        let is_play_off = fixture.game > self.schedule.games();
        match Recalled::read(self.hill, fixture, line.to_owned()) {
            Ok(Some(recalled)) => {
                let Recalled { fixture, results, appraisals, failures, .. } = recalled;
                if is_play_off {
                    self.ledger.add_play_off(&fixture, &results);
                } else {
                    self.ledger.add(self.schedule, &fixture, &results, &appraisals);
                }
                match (G::CHALLENGE.barring, failures.as_slice()) {
                    (Barring::FirstOffence, [(seat, reason), ..]) => {
                        let name = self.hill.name_of(fixture.seats[seat.index()]);
                        vec![format!("{name} failed ({reason}), and nobody was barred")]
                    }
                    (Barring::FirstOffence | Barring::Failures { .. }, _) => Vec::new(),
                }
            }
            Ok(None) => match misplaced(self.hill, &expected, line) {
                found if found.is_empty() && !self.keeps_moves => {
                    vec!["its loss and variance are not there, or should not be".to_owned()]
                }
                found => found,
            },
            // The replay says what is wrong with its moves, but there may be none.
            Err(error) if !self.keeps_moves => vec![why_unreadable(&error)],
            Err(_) => Vec::new(),
        }
    }

    /// The game in which an entrant was barred: what is recorded of it is what the bar says.
    fn check_bar(&mut self, bar: &Bar) -> Vec<String> {
        let (Bar { bot, game, .. }, next) = (bar, self.next);
        if *game == 0 {
            let played = next - 1;
            let early = || format!("{played} games before the qualification barred {bot}");
            return if played > 0 { vec![early()] } else { Vec::new() };
        }
        if *game != next {
            return vec![format!("{bot} is barred in game {game}, and the next was {next}")];
        }
        let problems = match self.fixture(*game) {
            None => vec!["the run was over before it".to_owned()],
            Some(fixture) => self.bar_problems(bar, &fixture),
        };
        let named = |problem| format!("the bar of {bot} in game {game}: {problem}");
        problems.into_iter().map(named).collect()
    }

    fn bar_problems(&self, bar: &Bar, fixture: &Fixture) -> Vec<String> {
        let replay = match check_moves(self.hill, self.chance, &bar.record, true)
            .and_then(|()| read::<G>(self.hill, self.chance, &bar.record))
        {
            Ok(replay) => replay,
            Err(problem) => return vec![problem],
        };
        let problems = misplaced(self.hill, fixture, &bar.record);
        if !problems.is_empty() {
            return problems;
        }
        let points = |seat: &EntrantId| self.ledger.points(*seat);
        let brought = match self.hill.memory() {
            dicehill_arena::Memory::Game => Vec::new(),
            dicehill_arena::Memory::Set => fixture.seats.iter().map(points).collect(),
        };
        let mut play = replay.begin_with(self.hill.rules(), self.chance, brought);
        replay.moves.iter().for_each(|one| play.repeat(one));
        let is_it = |offence: &&dicehill_arena::Offence| {
            self.hill.name_of(fixture.seats[offence.seat.index()]) == bar.bot
                && offence.failure.reason.name() == bar.reason
                && offence.failure.detail == bar.detail
                && offence.request == bar.request
        };
        let said = || vec!["its reason, detail or request is not that of the game".to_owned()];
        if play.offences().iter().any(|offence| is_it(&offence)) { Vec::new() } else { said() }
    }
}

/// Of a line that is no JSON, the column alone: its number is known.
fn why_unreadable(error: &ReadRecordError) -> String {
    if let ReadRecordError::Json(error) = error {
        return json_message(error);
    }
    error.to_string()
}

fn read<G: Game>(hill: &Hill<G>, chance: &Chance, line: &str) -> Result<Replay<G>, String> {
    read_game_line::<G>(line, hill.rules(), chance).map_err(|error| why_unreadable(&error))
}

/// Whether the moves are legal with the dice of the seed, lead to the results, and are written as they always are.
fn check_moves<G: Game>(
    hill: &Hill<G>,
    chance: &Chance,
    line: &str,
    keeps_moves: bool,
) -> Result<(), String> {
    let replay = match read_game_line::<G>(line, hill.rules(), chance) {
        Ok(replay) => replay,
        Err(ReadRecordError::NoMoves) if !keeps_moves => return Ok(()),
        Err(error) => return Err(why_unreadable(&error)),
    };
    let id = |name: &String| {
        let stranger = || format!("bot {name:?} plays, and the header does not name it");
        hill.ids().find(|id| hill.name_of(*id) == name).ok_or_else(stranger)
    };
    let seats = replay.names.iter().map(id).collect::<Result<_, _>>()?;
    let fixture = Fixture { game: replay.game, table: replay.table, seats };
    let mut play = replay.begin(hill.rules(), chance);
    replay.moves.iter().for_each(|one| play.repeat(one));
    let appraisals = replay.appraisals.clone();
    hill.check_appraisals(&play, &appraisals).map_err(|mismatch| mismatch.to_string())?;
    let record = GameRecord { appraisals, ..play.into_record(fixture) };
    if game_line(hill, &record) == line {
        return Ok(());
    }
    Err("its line is not as it was written: a failure, a blank or the order of keys was altered"
        .to_owned())
}

/// In what the line is of another game than `fixture`.
fn misplaced<G: Game>(hill: &Hill<G>, fixture: &Fixture, line: &str) -> Vec<String> {
    let recorded: Value = serde_json::from_str(line).unwrap_or_default();
    let names: Vec<_> = fixture.seats.iter().map(|id| hill.name_of(*id)).collect();
    let expected = [
        ("game", Value::from(fixture.game)),
        ("table", Value::from(fixture.table)),
        ("seats", Value::from(names)),
    ];
    let differs = expected.into_iter().filter(|(key, value)| recorded[*key] != *value);
    let shown = |(key, value): (&str, Value)| {
        format!("{key}: recorded {}, recomputed {value}", recorded[key])
    };
    differs.map(shown).collect()
}
