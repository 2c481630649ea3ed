//! `dicehill hill progress`: the results of each bot over the runs of a hill.

use std::collections::{BTreeMap, BTreeSet};

use dicehill_arena::{PlacementResult, ResultDocument, Standing};
use dicehill_rules::with_game;
use dicehill_store::{BotKind, FileError, HillStore, Renaming, RunSummary, did_you_mean};

use crate::args::HillProgressArgs;
use crate::board::{MeanLoss, RunOfBot, write_progress};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::games::TerminalGame;

pub(super) fn progress(args: &HillProgressArgs, console: &Console) -> Result<Outcome, Failure> {
    let store = HillStore::open(&args.hill)?;
    store.check_lists()?;
    with_game!(store.hill().game(), G => progress_of::<G>(&store, args, console))
}

fn progress_of<G: TerminalGame>(
    store: &HillStore,
    args: &HillProgressArgs,
    console: &Console,
) -> Result<Outcome, Failure> {
    let mut history = History::default();
    for run in store.runs()?.iter().filter(|run| !run.is_imported) {
        if let Some(result) = run.result.as_deref() {
            store.check_seal(run.run)?;
            let at = |error| {
                FileError::new(store.path(), format!("run {}: its result: {error}", run.run))
            };
            history.add(run, ResultDocument::read::<G>(result).map_err(at)?);
        }
    }
    history.find_versions(store)?;
    let renamings = store.renamings()?;
    let is_same = |one: &str, other: &str| Renaming::is_same_bot(&renamings, one, other);
    history.check_names(store, &args.names, is_same)?;
    let is_wanted =
        |bot: &str| args.names.is_empty() || args.names.iter().any(|name| is_same(name, bot));
    let means = history.mean_losses(&is_wanted);
    let mut rows = history.rows;
    rows.retain(|row| is_wanted(&row.standing.bot));
    rows.sort_by(|a, b| (&a.standing.bot, a.run).cmp(&(&b.standing.bot, b.run)));
    if rows.is_empty() {
        let path = store.path().display();
        let message = "has no finished run yet; `dicehill hill add` plays the first one";
        return Err(Failure::Usage(format!("{path}: {message}")));
    }
    write_progress(&mut console.out(), &rows, &means, args.format)?;
    Ok(Outcome::Done)
}

/// The results of all bots in all runs, oldest first.
#[derive(Default)]
struct History {
    rows: Vec<RunOfBot>,
    /// The whole runs. The others place one bot.
    whole: BTreeSet<i64>,
    /// The external bots.
    external: BTreeSet<String>,
}

impl History {
    /// Adds the result of a run; of a placement only the row of the bot that it places.
    fn add(&mut self, run: &RunSummary, result: ResultDocument) {
        let entrants = result.standings.len();
        let row = |standing, among| RunOfBot {
            run: run.run,
            begun: run.begun,
            version: None,
            among,
            standing,
        };
        let among = result.placement().map_or(entrants, |found| found.among);
        match &result.placing {
            Some(placing) => {
                let placed = result.standings.into_iter().find(|row| row.bot == placing.bot);
                let placed = placed.map(|row| match row.barred {
                    None => placed_standing(placing, row),
                    Some(_) => row,
                });
                self.rows.extend(placed.map(|standing| row(standing, among)));
            }
            None => {
                self.whole.insert(run.run);
                self.rows.extend(result.standings.into_iter().map(|one| row(one, entrants)));
            }
        }
    }

    /// Looks up which version of its bot each row is of, and which bots are external.
    fn find_versions(&mut self, store: &HillStore) -> Result<(), FileError> {
        let mut known = BTreeMap::new();
        for row in &mut self.rows {
            let Standing { bot, hash, .. } = &row.standing;
            if !known.contains_key(bot) {
                let versions = store.versions_of(bot)?;
                if versions.iter().any(|one| !matches!(one.kind, BotKind::House(_))) {
                    self.external.insert(bot.clone());
                }
                known.insert(bot.clone(), versions);
            }
            let version = known[bot].iter().find(|version| version.identity == *hash);
            row.version = version.map(|version| version.number);
        }
        Ok(())
    }

    /// Refuses names that no bot has.
    fn check_names(
        &self,
        store: &HillStore,
        names: &[String],
        is_same: impl Fn(&str, &str) -> bool,
    ) -> Result<(), Failure> {
        let known: BTreeSet<_> = self.rows.iter().map(|row| row.standing.bot.as_str()).collect();
        let is_known = |name: &str| known.iter().any(|one| is_same(one, name));
        let Some(unknown) = names.iter().find(|name| !is_known(name.as_str())) else {
            return Ok(());
        };
        let similar = did_you_mean(unknown, known);
        let path = store.path().display();
        Err(Failure::Usage(format!("{path}: no bot {unknown:?} has played on it{similar}")))
    }

    /// The mean loss of the wanted bots after each run, of which each bot counts with its latest result since the last whole
    /// run. House bots count only if there are no others.
    fn mean_losses(&self, is_wanted: &dyn Fn(&str) -> bool) -> Vec<MeanLoss> {
        let counts = |row: &&RunOfBot| {
            let bot = &row.standing.bot;
            is_wanted(bot) && (self.external.is_empty() || self.external.contains(bot))
        };
        let mut latest = BTreeMap::new();
        let mut means: Vec<MeanLoss> = Vec::new();
        for run in self.rows.chunk_by(|a, b| a.run == b.run) {
            if self.whole.contains(&run[0].run) {
                latest.clear();
            }
            let rows = run.iter().filter(counts);
            latest.extend(rows.filter_map(|row| Some((row.standing.bot.clone(), row.loss()?))));
            let losses: Vec<_> = latest.values().copied().collect();
            means.extend(MeanLoss::of(&run[0], &losses));
        }
        means
    }
}

/// The row of a placed bot, without the values that games against all others would give.
fn placed_standing(placing: &PlacementResult, standing: Standing) -> Standing {
    Standing {
        rank: Some(placing.rank),
        win_rate: None,
        win_rate_ci95: None,
        elo: None,
        placed: Some(placing.clone()),
        ..standing
    }
}
