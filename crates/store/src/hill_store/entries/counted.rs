//! Numbers in messages.

/// A number with a noun, in the plural unless it is one.
pub(super) fn counted(number: u32, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
