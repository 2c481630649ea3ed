//! All that requests share.

use std::sync::Arc;

use crate::Config;
use crate::entry::door::Door;
use crate::hills::Hills;

/// All that requests share.
#[derive(Clone)]
pub(crate) struct Site(Arc<Shared>);

struct Shared {
    config: Config,
    hills: Hills,
    door: Door,
}

impl Site {
    pub(crate) fn new(config: Config, hills: Hills, door: Door) -> Self {
        Self(Arc::new(Shared { config, hills, door }))
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
}
