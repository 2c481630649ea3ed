//! Texts that boards and pages show.

use dicehill_arena::is_printable;

/// The most characters of such a text.
const MAX_LENGTH: usize = 1000;

/// Why the text of a key may not be shown: it must be printable and not too long.
pub(crate) fn text_problem(key: &str, text: &str) -> Option<String> {
    if let Some(character) = text.chars().find(|c| !is_printable(*c)) {
        let code = u32::from(character);
        return Some(format!("{key} = {text:?}: contains the unprintable character U+{code:04X}"));
    }
    let is_long = text.chars().count() > MAX_LENGTH;
    is_long.then(|| format!("{key}: longer than {MAX_LENGTH} characters"))
}

/// Why boards may not link to this address of a bot's page.
pub(crate) fn url_problem(url: &str) -> Option<String> {
    if let Some(problem) = text_problem("url", url) {
        return Some(problem);
    }
    let address = ["https://", "http://"].iter().find_map(|scheme| url.strip_prefix(scheme));
    if address.is_none_or(str::is_empty) {
        return Some(format!("url = {url:?}: must begin with https:// or http://"));
    }
    let refused = url.chars().find(|c| " \"<>\\^`{|}".contains(*c))?;
    Some(format!("url = {url:?}: {refused:?} is not allowed in an address"))
}
