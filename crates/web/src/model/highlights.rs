//! The most remarkable games of a run.

use dicehill_arena::{HighlightKind, HighlightedGame, Highlights, six_digits};
use serde::Serialize;
use utoipa::ToSchema;

/// Millionths of a point.
const LUCK_UNIT: f64 = 1e6;

/// A remarkable game of a run.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct HighlightDocument {
    /// Why it is remarkable.
    pub(crate) kind: Remarkable,
    /// Its number, from 1.
    #[schema(example = 482)]
    pub(crate) game: u64,
    /// The bot that it is about.
    #[schema(example = "greedy")]
    pub(crate) bot: String,
    /// The bot that led, that had the most luck of the others, or that called the bluff; null if there is none.
    #[schema(example = "dummy")]
    pub(crate) other: Option<String>,
    /// Points or dice behind, points of luck, or bids.
    #[schema(example = 74.0)]
    pub(crate) value: f64,
}

/// Why a game is remarkable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Remarkable {
    /// The winner was far behind.
    Comeback,
    /// The winner had much more luck than all others.
    LuckiestWin,
    /// The winner had much less luck than another.
    UnluckiestWin,
    /// Many bids in a row did not hold.
    LongestBluff,
}

impl Remarkable {
    /// All reasons, in the order in which they are shown.
    pub(crate) const ALL: [Self; 4] =
        [Self::Comeback, Self::LuckiestWin, Self::UnluckiestWin, Self::LongestBluff];

    /// In words.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Comeback => "Biggest comeback",
            Self::LuckiestWin => "Luckiest win",
            Self::UnluckiestWin => "Unluckiest win",
            Self::LongestBluff => "Longest bluff",
        }
    }

    /// As the reason why a game has a page.
    pub(crate) const fn reason(self) -> &'static str {
        match self {
            Self::Comeback => "a comeback",
            Self::LuckiestWin => "a lucky win",
            Self::UnluckiestWin => "an unlucky win",
            Self::LongestBluff => "a long bluff",
        }
    }
}

impl From<HighlightKind> for Remarkable {
    fn from(kind: HighlightKind) -> Self {
        match kind {
            HighlightKind::Comeback => Self::Comeback,
            HighlightKind::LuckiestWin => Self::LuckiestWin,
            HighlightKind::UnluckiestWin => Self::UnluckiestWin,
            HighlightKind::LongestBluff => Self::LongestBluff,
        }
    }
}

impl From<&HighlightedGame> for HighlightDocument {
    fn from(game: &HighlightedGame) -> Self {
        let HighlightedGame { kind, game, bot, other, value } = game.clone();
        let value = value as f64;
        let value = match kind {
            HighlightKind::Comeback | HighlightKind::LongestBluff => value,
            HighlightKind::LuckiestWin | HighlightKind::UnluckiestWin => {
                six_digits(value / LUCK_UNIT)
            }
        };
        Self { kind: kind.into(), game, bot, other, value }
    }
}

/// The documents of a run's highlights.
pub(crate) fn documents(highlights: &Highlights) -> Vec<HighlightDocument> {
    highlights.games().iter().map(HighlightDocument::from).collect()
}
