//! Runs that a worker has prepared.

use std::io;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{
    Bar, Event, GameRange, Hill, IdleProcesses, Jobs, MAX_PLAY_OFFS, PlannedGames, RangeEnd,
    RunOptions, play_range,
};
use dicehill_rules::with_game;
use dicehill_store::PlayedLine;
use dicehill_workers::{PrepareRun, RangePlayer, RunInvitation};

use crate::args::WorkArgs;
use crate::bots::{ArrivedBots, BotLoader};
use crate::console::Console;
use crate::games::TerminalGame;
use crate::recorded::{PlannedRun, as_recorded};

/// What errors call a plan that has arrived.
const PLAN: &str = "the plan of the host";

/// Prepares the runs of a worker.
pub(super) struct Preparer<'a> {
    pub(super) args: &'a WorkArgs,
    pub(super) jobs: NonZero<usize>,
    pub(super) console: &'a Console,
}

impl PrepareRun for Preparer<'_> {
    fn prepare(&self, invitation: RunInvitation) -> Result<Box<dyn RangePlayer + '_>, String> {
        let game = invitation.plan.header().hill.game();
        with_game!(game, G => self.prepare_game::<G>(invitation))
    }
}

impl Preparer<'_> {
    fn prepare_game<G: TerminalGame>(
        &self,
        RunInvitation { plan, bots }: RunInvitation,
    ) -> Result<Box<dyn RangePlayer>, String> {
        let run = PlannedRun::of(Path::new(PLAN), plan).map_err(|error| error.to_string())?;
        let arrived = ArrivedBots::unpack(&bots, self.args.trust.trust_hill)?;
        let loader = BotLoader::of(&self.args.external, self.console);
        let loader = loader.map_err(|error| error.to_string())?;
        let hill = run.arrived_hill::<G>(&arrived, &loader).map_err(|error| error.to_string())?;
        let hill = as_recorded(hill, run.plan.header().start_value);
        hill.check_divisible().map_err(|why| why.to_string())?;
        let bars = run.plan.bars().to_vec();
        let (jobs, idle) = (self.jobs, IdleProcesses::default());
        Ok(Box::new(PreparedRun { hill, bars, jobs, idle, _bots: arrived }))
    }
}

/// A run whose bots are ready.
struct PreparedRun<G: TerminalGame> {
    hill: Hill<G>,
    /// The bars of the qualification.
    bars: Vec<Bar>,
    jobs: NonZero<usize>,
    /// The processes of the bots, from range to range.
    idle: IdleProcesses<G>,
    /// The files of the bots.
    _bots: ArrivedBots,
}

impl<G: TerminalGame> RangePlayer for PreparedRun<G> {
    fn play(&self, barred: &[String], games: GameRange) -> io::Result<Vec<PlayedLine>> {
        let bars = self.bars_of(barred);
        if !self.has(&bars, games) {
            return Err(io::Error::other(format!("the run has no {games}")));
        }
        let options = RunOptions {
            jobs: Jobs::Exactly(self.jobs.get()),
            max_play_offs: MAX_PLAY_OFFS,
            stop: &AtomicBool::new(false),
            deadline: None,
        };
        let mut lines = Vec::new();
        let planned = PlannedGames { bars: &bars, games };
        let end = play_range(&self.hill, planned, &self.idle, options, &mut |event| {
            if let Event::Played(played, _) = event {
                lines.push(PlayedLine::new(played));
            }
            Ok(())
        })?;
        match end {
            RangeEnd::Done | RangeEnd::Barred(_) | RangeEnd::Stopped => Ok(lines),
        }
    }
}

impl<G: TerminalGame> PreparedRun<G> {
    /// The bars of these entrants. Only their names matter for which games are played.
    fn bars_of(&self, barred: &[String]) -> Vec<Bar> {
        let known = |name: &&String| self.bars.iter().all(|bar| bar.bot != **name);
        let bar = |bot: &String| Bar {
            bot: bot.clone(),
            reason: String::new(),
            game: 0,
            request: String::new(),
            detail: String::new(),
            log: Vec::new(),
            record: String::new(),
        };
        self.bars.iter().cloned().chain(barred.iter().filter(known).map(bar)).collect()
    }

    /// Whether the run has these games after these bars.
    fn has(&self, bars: &[Bar], games: GameRange) -> bool {
        let chance = dicehill_rules::Chance::new(self.hill.seed());
        let active = dicehill_arena::entrants_without(&self.hill, bars);
        active.len() > 1
            && games.last() <= dicehill_arena::Schedule::new(&self.hill, &chance, active).games()
    }
}
