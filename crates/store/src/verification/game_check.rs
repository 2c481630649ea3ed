//! Single games, checked against the dice and the rules.

use std::{fmt, thread};

use dicehill_arena::{
    Fixture, GameRecord, Highlight, Hill, ReadRecordError, Replay, game_line, may_reuse,
    read_game_line, reused_line,
};
use dicehill_rules::{Chance, Game, SeedParts};
use serde::Deserialize;
use serde_json::json;

use crate::json_message;

/// A game that was replayed.
#[derive(Default)]
pub(crate) struct ReplayedGame {
    /// The names of its bots by seat.
    pub(crate) names: Vec<String>,
    /// What is remarkable in it; nothing if that is not looked for, or its moves were not kept.
    pub(crate) highlights: Vec<Highlight>,
    /// The seed of an earlier run, if the game is one of that.
    pub(crate) seed: Option<String>,
}

/// Replays recorded games of a run.
pub(crate) struct GameCheck<'a, G: Game> {
    /// The hill of the run with entrants that cannot play.
    pub(crate) hill: &'a Hill<G>,
    pub(crate) chance: &'a Chance,
    /// Whether games must have moves.
    pub(crate) keeps_moves: bool,
    /// Whether games may be those of an earlier run, with its seed. In a committed run they may not: its seed cannot be chosen, but
    /// those of earlier runs could be.
    pub(crate) may_reuse: bool,
    /// The number of threads.
    pub(crate) jobs: usize,
}

impl<'a, G: Game> GameCheck<'a, G> {
    /// The same check, by which games must have moves.
    pub(super) const fn with_moves(&self) -> GameCheck<'a, G> {
        let Self { hill, chance, may_reuse, jobs, .. } = self;
        GameCheck { hill, chance, keeps_moves: true, may_reuse: *may_reuse, jobs: *jobs }
    }

    /// Replays the games of these lines on several threads. An error says what is wrong with a game.
    pub(crate) fn replay(&self, lines: &[&str]) -> Vec<Result<ReplayedGame, String>> {
        let check = |line: &&str| self.check_moves(line);
        let size = lines.len().div_ceil(self.jobs.max(1)).max(1);
        thread::scope(|scope| {
            let check = &check;
            let work = |chunk| scope.spawn(move || <[&str]>::iter(chunk).map(check).collect());
            let threads: Vec<thread::ScopedJoinHandle<'_, Vec<_>>> =
                lines.chunks(size).map(work).collect();
            let done =
                threads.into_iter().map(|thread| thread.join().expect("checks do not panic"));
            done.flatten().collect()
        })
    }

    /// The game of this line, after a check of its moves.
    pub(crate) fn checked(&self, line: &str) -> Result<Replay<G>, String> {
        self.check_moves(line)?;
        read_game_line::<G>(line, self.hill.rules(), self.chance)
            .map_err(|error| why_unreadable(&error))
    }

    /// Refuses a game with a seed of its own in a committed run.
    fn check_seed(&self, seed: Option<&str>) -> Result<(), String> {
        match seed.filter(|_| !self.may_reuse) {
            None => Ok(()),
            Some(seed) => Err(format!(
                "seed: the game names {seed:?}, but a committed run has one seed for all its games"
            )),
        }
    }

    /// Checks that the moves are legal with the dice of the seed and lead to the results, and that the line has the bytes that
    /// this program writes.
    fn check_moves(&self, line: &str) -> Result<ReplayedGame, String> {
        let Self { hill, chance, keeps_moves, .. } = self;
        let replay = match read_game_line::<G>(line, hill.rules(), chance) {
            Ok(replay) => replay,
            Err(ReadRecordError::NoMoves) if !keeps_moves => {
                let place: Result<RecordedPlace, _> = serde_json::from_str(line);
                let seed = place.map_err(|error| json_message(&error))?.seed;
                self.check_seed(seed.as_deref())?;
                return Ok(ReplayedGame { seed, ..ReplayedGame::default() });
            }
            Err(error) => return Err(why_unreadable(&error)),
        };
        self.check_seed(replay.seed.as_deref())?;
        let id = |name: &String| {
            let unknown = || format!("bot {name:?} plays, but the header does not name it");
            hill.ids().find(|id| hill.name_of(*id) == name).ok_or_else(unknown)
        };
        let seats = replay.names.iter().map(id).collect::<Result<_, _>>()?;
        let fixture = Fixture { game: replay.game, table: replay.table, pairing: 0, seats };
        let mut play = replay.begin(hill.rules());
        replay.moves.iter().for_each(|one| play.repeat(one));
        let appraisals = replay.appraisals.clone();
        hill.check_appraisals(&play, &appraisals).map_err(|mismatch| mismatch.to_string())?;
        let highlights = hill.highlights(&mut play, &appraisals).unwrap_or_default();
        let record = GameRecord { appraisals, ..play.into_record(fixture) };
        let written = game_line(hill, &record);
        let own = hill.seed();
        let written = reused_line(written, replay.seed.as_deref().unwrap_or(own), own);
        if written == line {
            return Ok(ReplayedGame { names: replay.names, highlights, seed: replay.seed });
        }
        Err("its line was altered: a failure, a blank or the order of keys".to_owned())
    }
}

/// The message for an unreadable line. Of a JSON error it names the column alone: the caller knows the line.
pub(super) fn why_unreadable(error: &ReadRecordError) -> String {
    if let ReadRecordError::Json(error) = error {
        return json_message(error);
    }
    error.to_string()
}

/// The keys of a game's line that say where the game belongs.
#[derive(Deserialize)]
struct RecordedPlace {
    game: u64,
    table: u64,
    seed: Option<String>,
    seats: Vec<String>,
}

/// The number of the game in a line, if it can be read.
pub(super) fn recorded_number(line: &str) -> Option<u64> {
    serde_json::from_str(line).ok().map(|RecordedPlace { game, .. }| game)
}

/// The differences in number, table and seats between the game of a line and `fixture`.
pub(crate) fn misplaced<G: Game>(hill: &Hill<G>, fixture: &Fixture, line: &str) -> Vec<String> {
    let recorded: RecordedPlace = match serde_json::from_str(line) {
        Ok(recorded) => recorded,
        Err(error) => return vec![json_message(&error)],
    };
    let names: Vec<_> = fixture.seats.iter().map(|id| hill.name_of(*id)).collect();
    let mut found = Vec::new();
    let mut differs = |key: &str, recorded: &dyn fmt::Display, recomputed: &dyn fmt::Display| {
        found.push(format!("{key}: recorded {recorded}, recomputed {recomputed}"));
    };
    if recorded.game != fixture.game {
        differs("game", &recorded.game, &fixture.game);
    }
    if !fixture.may_have(recorded.table) {
        differs("table", &recorded.table, &fixture.table);
    }
    if recorded.seats != names {
        differs("seats", &json!(recorded.seats), &json!(names));
    }
    if let Some(seed) = recorded.seed.filter(|seed| !may_reuse(hill.seed(), seed)) {
        let own = SeedParts::of(hill.seed());
        found.push(match own.secret {
            Some(_) => format!(
                "seed: the game names {seed:?}, but the text of the run's seed is {:?}",
                own.text
            ),
            None => format!(
                "seed: the game names {seed:?}, but the run has no secret, so that all its games have its seed"
            ),
        });
    }
    found
}
