//! What a host decides before a run: entrants, format, limits, and who appraises games.

mod appraisal;
mod appraiser;
mod challenge;
mod draft;
mod entrant;
mod format;
mod highlight;
mod hill;
mod hill_error;
mod indivisible;
mod liars_dice_highlights;
mod limit_key;
mod limits;
mod own_terms;
mod run_terms;
mod yahtzee_highlights;

pub use appraisal::{Appraisal, AppraisalError, StartValue};
pub use appraiser::Appraiser;
pub use challenge::{Barring, Challenge, RequestText, Seating, TournamentGame};
pub use draft::HillDraft;
pub use entrant::{Entrant, EntrantId};
pub use format::{Format, FormatName, ParseFormatError};
pub(crate) use highlight::CompletedGame;
pub use highlight::{Highlight, HighlightKind, HighlightWatch, Highlighter};
pub use hill::{Commitment, Hill};
pub use hill_error::{DraftLocation, EntrantCount, GamesFault, HillError};
pub use indivisible::IndivisibleRun;
pub use limit_key::{LimitKey, ParseLimitKeyError};
pub use limits::{LimitError, Limits, Memory, ParseMemoryError};
pub use own_terms::{OwnLimits, OwnTerms};
pub use run_terms::Terms;
