//! All that requests share.

use std::sync::Arc;

use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Game, GameName};
use dicehill_store::HillStore;

use crate::coaching;
use crate::entry::door::Door;
use crate::hills::Hills;
use crate::metrics::Metrics;
use crate::model::{Beside, BotDocument, RunState, SiteDocument};
use crate::rendered::Pages;
use crate::{Config, Problem};

/// All that requests share.
#[derive(Clone)]
pub(crate) struct Site(Arc<Shared>);

struct Shared {
    config: Config,
    hills: Hills,
    pages: Pages,
    metrics: Metrics,
    door: Door,
}

impl Site {
    pub(crate) fn new(config: Config, hills: Hills, door: Door) -> Self {
        let (pages, metrics) = (Pages::new(), Metrics::new());
        Self(Arc::new(Shared { config, hills, pages, metrics, door }))
    }

    pub(crate) fn config(&self) -> &Config {
        &self.0.config
    }

    pub(crate) fn hills(&self) -> &Hills {
        &self.0.hills
    }

    pub(crate) fn door(&self) -> &Door {
        &self.0.door
    }

    pub(crate) fn pages(&self) -> &Pages {
        &self.0.pages
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// All hills in a line each.
    pub(crate) fn document(&self) -> SiteDocument {
        let hills = self.hills().all().iter();
        let hills = hills.map(|hill| hill.latest().hill.summary.clone()).collect();
        SiteDocument { hills, accepts: self.config().accept }
    }

    /// What a run's pages are made anew by: the version of its hill as long as it is the last, and nothing of older ones.
    pub(crate) fn version_of(&self, address: &str, run: i64) -> Result<u64, Problem> {
        let snapshot = self.hills().named(address)?.latest();
        let is_last = snapshot.latest.as_ref().is_some_and(|latest| latest.run == run);
        Ok(if is_last { snapshot.hill.version } else { 0 })
    }

    /// A bot in a run; the last run if none is named. Takes up to a second or two.
    pub(crate) fn bot(
        &self,
        address: &str,
        run: Option<i64>,
        name: &str,
    ) -> Result<BotDocument, Problem> {
        let hill = self.hills().named(address)?;
        let view = self.hills().run(address, run)?;
        let missing = || {
            let name = dicehill_arena::printable(name);
            Problem::NotFound(format!("no bot {name:?} plays in tournament {}", view.run))
        };
        let place = view.place_of(name).ok_or_else(missing)?;
        let store = HillStore::open(hill.path())?;
        let failures = store.failures(view.run)?;
        let versions = store.versions_of(name)?;
        let mut beside = Beside { versions, failures, ..Beside::default() };
        if hill.game() == GameName::Yahtzee {
            let rules = Yahtzee::rules_named(&view.header.hill.rules);
            beside.optimal = rules.map(coaching::optimal).unwrap_or_default().to_vec();
        }
        // While games are played each second would need a new one.
        if view.board.progress.state == RunState::Ended {
            let games = view.board.rows.iter().find(|row| row.place == place);
            let games = games.map_or(0, |row| row.games);
            beside.coach = coaching::coach(&store, &store.run(view.run)?, name, games)?;
        }
        BotDocument::new(&view, place, beside).ok_or_else(missing)
    }
}
