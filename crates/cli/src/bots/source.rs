//! The two forms of what an external bot is made of: that of hills, and that of processes.

use dicehill_arena::OwnTerms;
use dicehill_link::BotSource;
use dicehill_store::BotKind;

/// The source of an external bot; `None` for a house bot.
pub(super) fn source_of(kind: &BotKind) -> Option<BotSource> {
    match kind.clone() {
        BotKind::House(_) => None,
        BotKind::Command { command, base, dir, build, read, .. } => {
            Some(BotSource::Command { command, base, dir, build, read })
        }
        BotKind::Java { path, class, read, .. } => Some(BotSource::Java { path, class, read }),
        BotKind::Remote { entry } => Some(BotSource::Remote { entry }),
    }
}

/// The kind of a bot with this source and these terms of its own.
pub(super) fn kind_of(source: BotSource, own_terms: OwnTerms) -> BotKind {
    match source {
        BotSource::Command { command, base, dir, build, read } => {
            BotKind::Command { command, base, dir, build, read, own_terms }
        }
        BotSource::Java { path, class, read } => BotKind::Java { path, class, read, own_terms },
        BotSource::Remote { entry } => BotKind::Remote { entry },
    }
}
