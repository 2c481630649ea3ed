//! Plans of runs that several machines play, and their shards.

use std::path::Path;

use dicehill_arena::{
    Bar, Event, GameRange, Hill, IdleProcesses, PlannedGames, ProgressLine, RangeEnd, RunOutcome,
    Shard, play_range,
};
use dicehill_store::{FileError, PartHeader, PartState, PartWriter, RunPlan, command_word};

use super::master_seed::MasterSeed;
use super::play::options;
use super::settings::RunSettings;
use super::standalone::StandaloneRun;
use crate::console::progress::{Progress, describe_bar};
use crate::console::{Console, interrupt};
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;
use crate::qualification::qualify;
use crate::recorded::PlannedRun;
use crate::text::{counted, printable, thousands};

impl<G: TerminalGame> StandaloneRun<G> {
    /// Qualifies the bots and writes the plan of the run, without playing it.
    pub(crate) fn write_plan(
        &self,
        path: &Path,
        seed: &MasterSeed,
        console: &Console,
    ) -> Result<Outcome, Failure> {
        let hill = self.hill();
        let usage = |why| Failure::Usage(format!("--plan {}: {why}", path.display()));
        hill.check_divisible().map_err(usage)?;
        if path.symlink_metadata().is_ok() {
            return Err(
                FileError::new(path, "exists already: choose another name for a new plan").into()
            );
        }
        let stop = interrupt::stop_flag(console)?;
        seed.report(hill.has_external_bots(), console);
        let Some(bars) = qualify(hill, &|_| true, &stop, console)? else {
            return Ok(Outcome::Interrupted);
        };
        bars.iter().for_each(|bar| console.report(describe_bar(bar)));
        let plan = RunPlan::new(hill, &bars, self.sources())?;
        plan.write(path)?;
        let games = counted(plan.games(hill).count(), "game");
        let (shown, path) = (path.display(), command_word(path));
        console.report(format!(
            "{shown}: the plan of {games}; play the first of 8 shards with: dicehill run --plan {path} --shard 1/8 --out part-1.jsonl"
        ));
        Ok(Outcome::Done)
    }
}

/// A shard of a plan, and the file of its games.
pub(crate) struct PlannedShard<'a> {
    pub(crate) run: &'a PlannedRun<'a>,
    pub(crate) shard: Shard,
    pub(crate) out: &'a Path,
}

impl PlannedShard<'_> {
    /// Plays the games of the shard that its file lacks. It prints no standings: they are those of the whole run alone.
    pub(crate) fn play<G: TerminalGame>(
        &self,
        hill: &Hill<G>,
        settings: RunSettings<'_>,
    ) -> Result<Outcome, Failure> {
        let RunSettings { console, .. } = settings;
        let plan = &self.run.plan;
        let games = plan.shard(hill, self.shard);
        let header = PartHeader { plan: plan.hash().to_owned(), games };
        let (mut part, state) = PartWriter::open(self.out, &header)?;
        let out = self.out.display();
        let lacks = match state {
            PartState::Lacks(lacks) => lacks,
            PartState::Finished => {
                console.report(format!("{out}: shard {} is finished already", self.shard));
                return Ok(Outcome::Done);
            }
        };
        match self.play_games(hill, lacks, &mut part, settings)? {
            RangeEnd::Done => {
                part.finish()?;
                console.report(format!("{out}: shard {} with {games} is finished", self.shard));
                Ok(Outcome::Done)
            }
            RangeEnd::Barred(bar) => {
                part.finish()?;
                let Bar { bot, game, reason, detail, .. } = &*bar;
                let (shard, detail) = (self.shard, printable(detail));
                console.report(format!(
                    "{out}: shard {shard} ends with game {game}, in which {bot} fails ({reason}: {detail}): it is barred there or \
                     earlier, and `dicehill merge` plays the run without it"
                ));
                Ok(Outcome::Done)
            }
            RangeEnd::Stopped => Ok(Outcome::Interrupted),
        }
    }

    fn play_games<G: TerminalGame>(
        &self,
        hill: &Hill<G>,
        games: GameRange,
        part: &mut PartWriter,
        settings: RunSettings<'_>,
    ) -> Result<RangeEnd, Failure> {
        let console = settings.console;
        console.emit(&ProgressLine::RunStarted {
            run: None,
            record: None,
            hill: hill.name().to_owned(),
            game: G::NAME.to_owned(),
            games: games.count(),
        });
        let mut progress = Progress::new(G::TITLE, games.count(), console);
        let planned = PlannedGames { bars: self.run.plan.bars(), games };
        let idle = IdleProcesses::default();
        let end = play_range(hill, planned, &idle, options(hill, settings), &mut |event| {
            if let Event::Played(played, _) = &event {
                part.write(played)?;
            }
            if progress.is_due() {
                part.flush()?;
            }
            progress.show(hill, &event);
            Ok(())
        });
        let flushed = part.flush();
        let end = end.and_then(|end| flushed.map(|()| end));
        progress.finish(match &end {
            Ok(RangeEnd::Done | RangeEnd::Barred(_)) => RunOutcome::Done,
            Ok(RangeEnd::Stopped) => RunOutcome::Interrupted,
            Err(_) => RunOutcome::Failed,
        });
        if matches!(end, Ok(RangeEnd::Stopped)) {
            let (done, all) = (thousands(progress.done()), counted(games.count(), "game"));
            console
                .report(format!("interrupted after {done} of {all}; the same command continues"));
        }
        end.map_err(Failure::Failed)
    }
}
