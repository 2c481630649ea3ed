//! What a host does with the games of its hill.

use std::io;

use dicehill_arena::{
    Bar, GameRange, GameSource, Hill, RecordedGame, Schedule, entrants_without, play_alone,
};
use dicehill_rules::{Chance, Game};
use dicehill_store::{LineCheck, PlayedLine};

/// What a host does with the games of its run, whatever game that is.
pub trait RunJudge: Sync {
    /// The games that are to be played after these bars: those that are not recorded.
    ///
    /// # Errors
    /// If a record cannot be read.
    fn needed(&self, bars: &[Bar], recorded: &dyn GameSource) -> io::Result<Vec<GameRange>>;

    /// Games that stay together.
    fn block(&self) -> u64;

    /// Replays lines of games after these bars. The error names the game and says what is wrong.
    ///
    /// # Errors
    /// If a line is not that of a game of the run.
    fn check(&self, bars: &[Bar], lines: &[PlayedLine]) -> Result<(), (u64, String)>;

    /// Plays a game after these bars.
    ///
    /// # Errors
    /// If a bot could not be started.
    fn play(&self, bars: &[Bar], game: u64) -> io::Result<PlayedLine>;
}

/// The judge of a hill's games.
pub struct HillJudge<'a, G: Game> {
    hill: &'a Hill<G>,
    chance: Chance,
}

impl<'a, G: Game> HillJudge<'a, G> {
    /// The judge of the games of `hill`.
    #[must_use]
    pub fn new(hill: &'a Hill<G>) -> Self {
        Self { hill, chance: Chance::new(hill.seed()) }
    }

    fn schedule(&self, bars: &[Bar]) -> Schedule<'_, G> {
        Schedule::new(self.hill, &self.chance, entrants_without(self.hill, bars))
    }
}

impl<G: Game> RunJudge for HillJudge<'_, G> {
    fn needed(&self, bars: &[Bar], recorded: &dyn GameSource) -> io::Result<Vec<GameRange>> {
        let schedule = self.schedule(bars);
        let mut needed: Vec<GameRange> = Vec::new();
        if schedule.active().len() < 2 {
            return Ok(needed);
        }
        for game in 1..=schedule.games() {
            let line = recorded.line(game)?;
            let read = |line| RecordedGame::read(self.hill, schedule.fixture(game), line);
            if line.map(read).transpose().map_err(io::Error::other)?.flatten().is_some() {
                continue;
            }
            match needed.last_mut() {
                Some(range) if range.last() + 1 == game => {
                    *range = GameRange::new(range.first(), game).expect("it is longer");
                }
                Some(_) | None => needed.extend(GameRange::new(game, game)),
            }
        }
        Ok(needed)
    }

    fn block(&self) -> u64 {
        self.hill.format().games_per_block()
    }

    fn check(&self, bars: &[Bar], lines: &[PlayedLine]) -> Result<(), (u64, String)> {
        let schedule = self.schedule(bars);
        let texts: Vec<_> = lines.iter().map(PlayedLine::line).collect();
        let check = LineCheck::new(self.hill, &self.chance, &schedule, 1);
        let replayed = check.replay(&texts);
        for (line, replayed) in lines.iter().zip(replayed) {
            let game = line.game();
            let place = || check.check_place(game, line.line(), line.offences());
            replayed.and_then(|()| place()).map_err(|why| (game, why))?;
        }
        Ok(())
    }

    fn play(&self, bars: &[Bar], game: u64) -> io::Result<PlayedLine> {
        let fixture = self.schedule(bars).fixture(game);
        Ok(PlayedLine::new(&play_alone(self.hill, &self.chance, fixture)?))
    }
}
