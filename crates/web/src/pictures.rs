//! Pictures for other sites: previews of links as PNG, and a bot's badge and rank as SVG.

pub(crate) mod badge;
mod canvas;
mod font;
mod png;
pub(crate) mod preview;
