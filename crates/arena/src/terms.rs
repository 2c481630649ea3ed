//! What a host decides before a run: entrants, format, limits, and who appraises games.

mod appraisal;
mod appraiser;
mod draft;
mod entrant;
mod format;
mod hill;
mod hill_error;
mod limits;

pub use appraisal::{Appraisal, AppraisalError, StartValue};
pub use appraiser::Appraiser;
pub use draft::HillDraft;
pub use entrant::{Entrant, EntrantId};
pub use format::{Format, FormatName};
pub use hill::{Commitment, Hill};
pub use hill_error::{DraftLocation, EntrantCount, GamesFault, HillError};
pub use limits::{Limits, Memory};
