//! All that requests share.

use std::sync::Arc;

use crate::Config;
use crate::hills::Hills;

/// All that requests share.
#[derive(Clone)]
pub(crate) struct Site(Arc<Shared>);

struct Shared {
    config: Config,
    hills: Hills,
}

impl Site {
    pub(crate) fn new(config: Config, hills: Hills) -> Self {
        Self(Arc::new(Shared { config, hills }))
    }

    pub(crate) fn config(&self) -> &Config {
        &self.0.config
    }

    pub(crate) fn hills(&self) -> &Hills {
        &self.0.hills
    }
}
