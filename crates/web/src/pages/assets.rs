//! Style sheets, scripts and pictures, all built into the program.

use std::sync::LazyLock;

/// A file that pages load.
pub(crate) struct Asset {
    pub(crate) name: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) content: &'static [u8],
}

macro_rules! asset {
    ($name:literal, $kind:literal) => {
        Asset { name: $name, kind: $kind, content: include_bytes!(concat!("../assets/", $name)) }
    };
}

/// All assets.
pub(crate) static ASSETS: &[Asset] = &[
    asset!("style.css", "text/css; charset=utf-8"),
    asset!("icon.svg", "image/svg+xml"),
    asset!("uPlot.min.css", "text/css; charset=utf-8"),
    asset!("uPlot.LICENSE", "text/plain; charset=utf-8"),
    asset!("dates.js", "text/javascript; charset=utf-8"),
    asset!("entry.js", "text/javascript; charset=utf-8"),
    asset!("live.js", "text/javascript; charset=utf-8"),
    asset!("pairs.js", "text/javascript; charset=utf-8"),
    asset!("plots.js", "text/javascript; charset=utf-8"),
    asset!("uPlot.iife.min.js", "text/javascript; charset=utf-8"),
    asset!("elements.js", "text/javascript; charset=utf-8"),
    asset!("replay-tables.js", "text/javascript; charset=utf-8"),
    asset!("replay.js", "text/javascript; charset=utf-8"),
    asset!("embed.js", "text/javascript; charset=utf-8"),
    asset!("watch.js", "text/javascript; charset=utf-8"),
    asset!("table-parts.js", "text/javascript; charset=utf-8"),
    asset!("table-pace.js", "text/javascript; charset=utf-8"),
    asset!("table-yahtzee.js", "text/javascript; charset=utf-8"),
    asset!("table-liars-dice.js", "text/javascript; charset=utf-8"),
    asset!("play.js", "text/javascript; charset=utf-8"),
];

/// A hash of all assets. An address that contains it may be cached permanently.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut hasher = blake3::Hasher::new();
    ASSETS.iter().for_each(|asset| {
        hasher.update(asset.content);
    });
    hasher.finalize().to_hex()[..12].to_owned()
});

/// The address of an asset on a server.
pub(crate) fn address(name: &str) -> String {
    format!("/assets/{}/{name}", *VERSION)
}
