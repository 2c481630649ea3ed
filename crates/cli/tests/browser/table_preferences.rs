//! Tables with the colours of the system, and without motion: what colours and motion say is said in another way too.

use serde_json::Value;

use crate::browser::chromium::Chromium;
use crate::browser::play_page::{click_and_wait, create_table, wait_for_turn};
use crate::browser::test_server::TestServer;

const SYSTEM_COLOURS: [(&str, &str); 1] = [("forced-colors", "active")];
const NO_MOTION: [(&str, &str); 1] = [("prefers-reduced-motion", "reduce")];
const DEFAULT: [(&str, &str); 1] = [("prefers-color-scheme", "light")];

/// The values of properties of the first element of a selector; of the text that CSS adds after it for a selector that
/// ends with `::after`.
fn look(browser: &Chromium, selector: &str, properties: &[&str]) -> Vec<String> {
    let (element, part) = match selector.strip_suffix("::after") {
        Some(element) => (element, "'::after'"),
        None => (selector, "null"),
    };
    let body = format!(
        "const style = getComputedStyle(document.querySelector({element:?}), {part});
         return {properties:?}.map((name) => style.getPropertyValue(name))"
    );
    let values = browser.evaluate(&body);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    values.as_array().expect("a list").iter().map(text).collect()
}

#[test]
fn kept_dice_are_outlined_and_named_in_the_colours_of_the_system() {
    let mut server = TestServer::new(&[], |_| {});
    let browser = server.browser("player");
    browser.open(&server.address("/play"));
    create_table(&browser, "yahtzee", "Ada", &["greedy"]);
    assert!(wait_for_turn(&browser));
    browser.click("#die-2");
    browser.set_media(&SYSTEM_COLOURS);
    let outline = |die: &str| look(&browser, die, &["border-top-width", "border-top-color"]);
    let (kept, other) = (outline("#die-2"), outline("#die-3"));
    assert!(kept[0] == "4px" && other[0] == "2px" && kept[1] != other[1], "{kept:?}, {other:?}");
    let added = |die: &str| look(&browser, &format!("{die}::after"), &["content"]);
    assert_eq!([added("#die-2"), added("#die-3")], [["\"keep\""], ["\"roll\""]]);
    browser.set_media(&DEFAULT);
    server.expect_no_warnings();
}

#[test]
fn whose_turn_it_is_and_the_challenge_are_seen_in_the_colours_of_the_system() {
    let mut server = TestServer::new(&[], |_| {});
    let browser = server.browser("player");
    browser.open(&server.address("/play"));
    browser.click("#form-liars-dice details:has(#seed-liars-dice) summary");
    browser.type_into("#seed-liars-dice", "clicks");
    create_table(&browser, "liars-dice", "Ada", &["honest", "honest"]);
    while wait_for_turn(&browser) && !browser.has("#call") {
        click_and_wait(&browser, "#bid");
    }
    browser.set_media(&SYSTEM_COLOURS);
    let challenge = look(&browser, "#call", &["border-top-style", "border-top-left-radius"]);
    assert_eq!(challenge, ["double", "0px"]);
    let bid = look(&browser, "#bid", &["border-top-style", "border-top-left-radius"]);
    assert!(bid[0] == "solid" && bid[1] != "0px", "{bid:?}");
    let face = |selector: &str| look(&browser, selector, &["border-top-width"]);
    let chosen = face(".bid .die-place[aria-pressed=true]");
    assert_ne!(chosen, face(".bid .die-place[aria-pressed=false]"));
    browser.set_media(&DEFAULT);
    server.expect_no_warnings();
}

#[test]
fn kept_dice_move_only_for_readers_who_accept_motion() {
    let mut server = TestServer::new(&[], |_| {});
    let browser = server.browser("player");
    browser.open(&server.address("/play"));
    create_table(&browser, "yahtzee", "Ada", &["greedy"]);
    assert!(wait_for_turn(&browser));
    browser.click("#die-1");
    let motion = || look(&browser, "#die-1", &["transition-duration", "transform"]);
    let with_motion = motion();
    assert!(with_motion[0] != "0s" && with_motion[1] != "none", "{with_motion:?}");
    browser.set_media(&NO_MOTION);
    assert_eq!(motion(), ["0s", "none"]);
    browser.set_media(&DEFAULT);
    server.expect_no_warnings();
}
