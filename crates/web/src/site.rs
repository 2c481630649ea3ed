//! All that requests share.

use std::sync::Arc;

use crate::entry::door::Door;
use crate::hills::Hills;
use crate::model::SiteDocument;
use crate::rendered::Pages;
use crate::{Config, Problem};

/// All that requests share.
#[derive(Clone)]
pub(crate) struct Site(Arc<Shared>);

struct Shared {
    config: Config,
    hills: Hills,
    pages: Pages,
    door: Door,
}

impl Site {
    pub(crate) fn new(config: Config, hills: Hills, door: Door) -> Self {
        Self(Arc::new(Shared { config, hills, pages: Pages::new(), door }))
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
}
