//! All that requests share.

use std::sync::Arc;

use crate::Config;
use crate::hills::Hills;
use crate::rate::Rate;
use crate::tables::Hall;

/// All that requests share.
#[derive(Clone)]
pub(crate) struct Site(Arc<Shared>);

struct Shared {
    config: Config,
    hills: Hills,
    hall: Hall,
    new_tables: Rate,
}

impl Site {
    pub(crate) fn new(config: Config, hills: Hills) -> Self {
        let (hall, new_tables) = (Hall::default(), Rate::of_new_tables());
        Self(Arc::new(Shared { config, hills, hall, new_tables }))
    }

    pub(crate) fn config(&self) -> &Config {
        &self.0.config
    }

    pub(crate) fn hills(&self) -> &Hills {
        &self.0.hills
    }

    /// The tables where people play.
    pub(crate) fn hall(&self) -> &Hall {
        &self.0.hall
    }

    /// How often tables may be made.
    pub(crate) fn new_tables(&self) -> &Rate {
        &self.0.new_tables
    }
}
