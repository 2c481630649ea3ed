//! Why a recorded game cannot be read.

use dicehill_arena::ReadRecordError;
use dicehill_store::json_message;

/// The message of an error in a game's line.
pub(crate) fn why_unreadable(error: &ReadRecordError) -> String {
    if let ReadRecordError::Json(error) = error {
        return json_message(error);
    }
    error.to_string()
}
