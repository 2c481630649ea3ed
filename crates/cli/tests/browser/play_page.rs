//! What players do on the pages of a table.

use crate::browser::chromium::Chromium;

/// The page has processed the last response of the server.
pub(crate) const IS_IDLE: &str = "document.querySelector('#table:not([aria-busy])')";
pub(crate) const IS_YOUR_TURN: &str =
    "document.getElementById('turn')?.textContent === 'Your turn'";
const IS_OVER: &str = "document.getElementById('results')";

/// Sets what the pages of tables remember: without a pause between the moves of others, and without explanations.
pub(crate) fn play_at_once(browser: &Chromium) {
    browser.evaluate(
        "localStorage.setItem('dicehill.pace', 'none'); localStorage.setItem('dicehill.guide', 'off')",
    );
}

/// Creates a table with the form: with this name, and these players in the other seats.
pub(crate) fn create_table(browser: &Chromium, game: &str, name: &str, others: &[&str]) {
    play_at_once(browser);
    fill_form(browser, game, name, others);
}

/// The same, with the pace and the explanations of a first visit.
pub(crate) fn fill_form(browser: &Chromium, game: &str, name: &str, others: &[&str]) {
    browser.type_into(&format!("#name-{game}"), name);
    let seats = browser.texts(&format!("#form-{game} select[name^=seat]")).len();
    for seat in 0..seats {
        let value = others.get(seat).copied().unwrap_or_default();
        browser.choose(&format!("#seat{}-{game}", seat + 2), value);
    }
    browser.click(&format!("#form-{game} button[type=submit]"));
    browser
        .wait_until("location.pathname.startsWith('/tables/') && document.querySelector('#turn')");
}

/// Waits until it is the player's turn or the game is over; returns whether the game continues.
pub(crate) fn wait_for_turn(browser: &Chromium) -> bool {
    browser.wait_until(&format!("{IS_IDLE} && (({IS_YOUR_TURN}) || {IS_OVER})"));
    !browser.has("#results")
}

/// Clicks, and waits until the page has processed the response.
pub(crate) fn click_and_wait(browser: &Chromium, button: &str) {
    browser.click(button);
    browser.wait_until(IS_IDLE);
}

/// The last bid of the round according to the server.
pub(crate) fn last_bid(browser: &Chromium) -> Option<(u64, u64)> {
    let path = browser.evaluate_text("return `/api/v1${location.pathname}`");
    let table = browser.fetch(&path);
    let bid = table["liars_dice"]["bids"].as_array()?.last()?;
    Some((bid["count"].as_u64()?, bid["face"].as_u64()?))
}

/// Has the page keep all announcements in `heard`: the next one may follow at once.
pub(crate) fn keep_announcements(browser: &Chromium) {
    browser.evaluate(
        "const said = document.getElementById('said');
         window.heard = [];
         new MutationObserver(() => heard.push(said.textContent)).observe(said, { childList: true });",
    );
}
