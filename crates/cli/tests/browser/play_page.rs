//! What players do on the pages of a table.

use crate::browser::chromium::Chromium;

/// What the page has to say that has been asked for is there.
pub(crate) const IS_QUIET: &str = "document.querySelector('#table:not([aria-busy])')";
const IS_YOURS: &str = "document.getElementById('turn')?.textContent === 'Your turn'";
const IS_OVER: &str = "document.getElementById('results')";

/// Makes a table by the form: these fields of it are filled, and its seats so that these play.
pub(crate) fn makes_a_table(browser: &Chromium, game: &str, name: &str, others: &[&str]) {
    browser.type_into(&format!("#name-{game}"), name);
    let seats = browser.texts(&format!("#form-{game} select[name^=seat]")).len();
    for seat in 0..seats {
        let value = others.get(seat).copied().unwrap_or_default();
        browser.choose(&format!("#seat{}-{game}", seat + 2), value);
    }
    browser.click(&format!("#form-{game} button[type=submit]"));
    browser.until("location.pathname.startsWith('/tables/') && document.querySelector('#turn')");
}

/// Waits until it is one's turn, or the game is over; returns whether it goes on.
pub(crate) fn is_asked(browser: &Chromium) -> bool {
    browser.until(&format!("{IS_QUIET} && (({IS_YOURS}) || {IS_OVER})"));
    !browser.has("#results")
}

/// Clicks, and waits until the server has answered and the page has shown it.
pub(crate) fn acts(browser: &Chromium, button: &str) {
    browser.click(button);
    browser.until(IS_QUIET);
}

/// The last bid of the round as the server tells it.
pub(crate) fn last_bid(browser: &Chromium) -> Option<(u64, u64)> {
    let path = browser.ask_text("return `/api/v1${location.pathname}`");
    let table = browser.fetch(&path);
    let bid = table["liars_dice"]["bids"].as_array()?.last()?;
    Some((bid["count"].as_u64()?, bid["face"].as_u64()?))
}
