//! `dicehill merge`: puts the parts of a run together that several machines have played.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{
    Bar, Event, GameRange, GameSource, Hill, Jobs, MAX_PLAY_OFFS, Offence, RecordedGame,
    ResumeState, RunOptions, Schedule, entrants_without, run_from,
};
use dicehill_rules::{Chance, with_game};
use dicehill_store::{FileError, LogWriter, Parts, RunSink};

use crate::args::MergeArgs;
use crate::bots::BotLoader;
use crate::console::progress::ExportProgress;
use crate::console::{Console, interrupt};
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;
use crate::recorded::{ForeignMove, HouseMoves, PlannedRun, game_sample};
use crate::text::{counted, thousands};
use crate::tournament::{Recording, RunSettings, play};

pub(crate) fn merge(args: &MergeArgs, console: &Console) -> Result<Outcome, Failure> {
    let run = PlannedRun::read(&args.plan, console)?;
    if let Some(out) = args.out.as_deref().filter(|out| out.exists()) {
        // Refuses a file with another content before the games are checked.
        drop(LogWriter::create(out)?);
    }
    with_game!(run.plan.header().hill.game(), G => Merge { run: &run, args, console }.carry_out::<G>())
}

/// A merge in progress.
struct Merge<'a> {
    run: &'a PlannedRun<'a>,
    args: &'a MergeArgs,
    console: &'a Console,
}

impl Merge<'_> {
    fn carry_out<G: TerminalGame>(&self) -> Result<Outcome, Failure> {
        let stop = interrupt::stop_flag(self.console)?;
        let hill = self.run.inert_hill::<G>()?;
        let parts = self.checked_parts(&hill)?;
        self.check_moves(&hill, &parts)?;
        let hill = match self.rest(&hill, &parts)? {
            None => hill,
            Some(rest) if self.args.no_play => {
                let message = format!("{rest}; without --no-play, merge plays the rest");
                return Err(FileError::new(self.run.path, message).into());
            }
            Some(rest) => {
                self.console.report(&rest);
                let loader = BotLoader::of(&self.args.external, self.console)?;
                self.run.hill(&self.args.bot, &loader)?
            }
        };
        self.play(&hill, &parts, &stop)
    }

    /// The parts, after a check that they are complete and that every game is one of the plan.
    fn checked_parts<G: TerminalGame>(&self, hill: &Hill<G>) -> Result<Parts, FileError> {
        let PlannedRun { path, plan } = self.run;
        let parts = Parts::open(path, plan, plan.games(hill), &self.args.parts)?;
        parts.refuse_missing()?;
        let progress = &mut ExportProgress::new(parts.count(), self.console);
        let jobs = self.args.settings.jobs.threads().get();
        let checked = parts.check(plan, hill, jobs, &mut |games| progress.advance_by(games));
        progress.clear();
        checked.map(|()| parts)
    }

    /// Compares moves of house bots with their answers in a sample of the games, and reports which moves were not compared.
    fn check_moves<G: TerminalGame>(&self, hill: &Hill<G>, parts: &Parts) -> Result<(), Failure> {
        let PlannedRun { path, plan } = self.run;
        let loader = BotLoader::new(None, self.args.external.isolation, self.console)?;
        let moves = HouseMoves::<G>::new(path, plan, &loader)?;
        let wanted = if moves.house().is_empty() { 0 } else { self.args.sample };
        let drawn = game_sample(parts.count(), wanted)?;
        let chance = Chance::new(hill.seed());
        let schedule = Schedule::new(hill, &chance, entrants_without(hill, plan.bars()));
        let is_drawn = |place: &u64| drawn.binary_search(place).is_ok();
        let numbered = (1..).zip(parts.numbers()).filter(|(place, _)| is_drawn(place));
        let fixtures: Vec<_> = numbered.map(|(_, game)| schedule.fixture(game)).collect();
        let jobs = self.args.settings.jobs.threads().get();
        if let Some(ForeignMove { game, difference }) =
            moves.first_foreign_move(parts, &fixtures, jobs)?
        {
            return Err(parts.altered(game, &difference).into());
        }
        let compared = Compared { games: drawn.len() as u64, of: parts.count(), moves: &moves };
        self.console.report(compared);
        Ok(())
    }

    /// What the parts leave to play: found by a run that takes every game from them, with entrants that cannot play.
    fn rest<G: TerminalGame>(
        &self,
        hill: &Hill<G>,
        parts: &Parts,
    ) -> Result<Option<Rest>, Failure> {
        let plan = &self.run.plan;
        let mut bars: Vec<Bar> = plan.bars().to_vec();
        let planned = bars.len();
        let past = ResumeState {
            bars: bars.clone(),
            games: &PartsAlone(parts),
            is_resumed: true,
            recorded: 0,
            records: None,
        };
        let options = RunOptions {
            jobs: Jobs::Exactly(1),
            max_play_offs: MAX_PLAY_OFFS,
            stop: &AtomicBool::new(false),
            deadline: None,
        };
        let end = run_from(hill, past, options, &mut |event| {
            if let Event::Barred(bar) = event {
                bars.push(bar.clone());
            }
            Ok(())
        });
        let Err(error) = end else { return Ok(None) };
        let Some(NotInParts(game)) = error.get_ref().and_then(|error| error.downcast_ref()) else {
            return Err(Failure::Failed(error));
        };
        let last = plan.games(hill).last();
        if bars.len() == planned && *game <= last {
            return Err(false_end(parts, *game - 1, self.run.path).into());
        }
        let left = games_left(hill, &bars, parts)?;
        Ok(Some(Rest { barred: bars.split_off(planned), left, game: *game }))
    }

    /// The run, which takes the games of the parts and plays the others.
    fn play<G: TerminalGame>(
        &self,
        hill: &Hill<G>,
        parts: &Parts,
        stop: &Arc<AtomicBool>,
    ) -> Result<Outcome, Failure> {
        let settings = RunSettings::of(&self.args.settings, stop, self.console);
        let log = self.args.out.as_deref().map(LogWriter::create).transpose()?;
        let sources = self.run.sources(&self.args.bot).to_vec();
        let recording =
            |log| Recording { stop_watch: None, sink: RunSink::Log(log), sources: sources.clone() };
        let bars = self.run.plan.bars().to_vec();
        let past =
            ResumeState { bars, games: parts, is_resumed: false, recorded: 0, records: None };
        play(hill, past, log.map(recording), settings)
    }
}

/// Which moves were compared with those of the bots.
struct Compared<'a, G: TerminalGame> {
    games: u64,
    of: u64,
    moves: &'a HouseMoves<G>,
}

impl<G: TerminalGame> fmt::Display for Compared<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, of, moves } = self;
        let (house, others) = (moves.house(), moves.others());
        if *games > 0 {
            let (games, of) = (thousands(*games), counted(*of, "game"));
            write!(f, "checked: the moves of {} in {games} of {of}", house.join(", "))?;
        }
        let unchecked = if *games > 0 { others } else { [house, others].concat() };
        if unchecked.is_empty() {
            return Ok(());
        }
        let gap = if *games > 0 { "; " } else { "" };
        write!(f, "{gap}not checked: the moves of {}; ", unchecked.join(", "))?;
        f.write_str("`dicehill verify LOG BOT --sample N` plays games again")
    }
}

/// The error for a part that ends early although no entrant is barred.
fn false_end(parts: &Parts, last: u64, plan: &Path) -> FileError {
    let path = parts.ending_with(last).unwrap_or(plan);
    let message = format!("ends with game {last}, as if an entrant were barred there, but none is");
    FileError::altered(path, None, message)
}

/// The games of the run after these bars that no part has; none if fewer than two bots play.
fn games_left<G: TerminalGame>(
    hill: &Hill<G>,
    bars: &[Bar],
    parts: &Parts,
) -> Result<GamesLeft, Failure> {
    let active = entrants_without(hill, bars);
    let chance = Chance::new(hill.seed());
    let schedule = Schedule::new(hill, &chance, active);
    let mut left = 0;
    for game in 1..=schedule.games() {
        let line = parts.line(game)?;
        let read = |line| RecordedGame::read(hill, schedule.fixture(game), line);
        let known = line.map(read).transpose().map_err(io::Error::other)?;
        left += u64::from(known.flatten().is_none());
    }
    Ok(GamesLeft { left, of: schedule.games() })
}

/// How many games of a schedule no part has.
struct GamesLeft {
    left: u64,
    of: u64,
}

/// What the parts leave to play.
struct Rest {
    /// The entrants that are barred according to the parts.
    barred: Vec<Bar>,
    left: GamesLeft,
    /// The first game that no part has.
    game: u64,
}

impl fmt::Display for Rest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { barred, left: GamesLeft { left, of }, game } = self;
        for Bar { bot, game, reason, .. } in barred {
            write!(f, "{bot} is barred in game {game} ({reason}), and the run begins again; ")?;
        }
        match GameRange::new(*of + 1, *game) {
            Some(range) if range.count() > 0 => {
                write!(f, "a tie after {} is left to play off", counted(*of, "game"))
            }
            Some(_) | None => {
                write!(f, "{left} of its {} are left to play", counted(*of, "game"))
            }
        }
    }
}

/// The parts as the only source of games: it is an error if another one has to be played.
struct PartsAlone<'a>(&'a Parts);

/// No part has this game.
#[derive(Debug, thiserror::Error)]
#[error("no part has game {0}")]
struct NotInParts(u64);

impl GameSource for PartsAlone<'_> {
    fn line(&self, game: u64) -> io::Result<Option<String>> {
        self.0.line(game)
    }

    fn permit_play(&self, game: u64) -> io::Result<()> {
        Err(io::Error::other(NotInParts(game)))
    }

    fn unjudged_offences(&self, game: u64) -> io::Result<Option<Vec<Offence>>> {
        self.0.unjudged_offences(game)
    }
}
