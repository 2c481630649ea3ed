//! Errors of the system as text.

use std::io;

/// The error as text, without the number that the standard library adds, such as " (os error 2)".
pub(crate) fn error_text(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error ").next().unwrap_or_default().to_owned()
}
