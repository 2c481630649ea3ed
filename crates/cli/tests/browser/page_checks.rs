//! Whether a page can be read by every reader and fits every window.

use serde_json::json;

use crate::browser::chromium::{Chromium, Scheme, Window};

/// Expects everybody to be able to read the page as it is now, by day, by night, and on a phone.
#[track_caller]
pub(crate) fn is_sound(browser: &Chromium, page: &str) {
    let wrong = [barriers(browser, page), too_wide(browser, page)].concat();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What keeps somebody from reading the page, by day and by night, which differ.
pub(crate) fn barriers(browser: &Chromium, path: &str) -> Vec<String> {
    let paper = "return getComputedStyle(document.body).backgroundColor";
    let (mut papers, mut wrong) = (Vec::new(), Vec::new());
    for scheme in [Scheme::Light, Scheme::Dark] {
        browser.look(scheme);
        papers.push(browser.ask_text(paper));
        let barriers = browser.barriers();
        wrong.extend(barriers.iter().map(|barrier| format!("{path}, {scheme:?}: {barrier}")));
    }
    browser.look(Scheme::Light);
    assert_ne!(papers[0], papers[1], "{path} has a look for the night");
    wrong
}

/// Whether the page itself scrolls sideways on a phone, or has tables that do not.
pub(crate) fn too_wide(browser: &Chromium, path: &str) -> Vec<String> {
    browser.resize(Window::Phone);
    let mut wrong = Vec::new();
    let width = browser.ask_number("return document.scrollingElement.scrollWidth");
    if width > u64::from(Window::Phone.width()) {
        wrong.push(format!("{path} is {width} wide: {}", browser.ask_text(WIDEST)));
    }
    let cut_off = browser.ask(CUT_OFF);
    if cut_off != json!([]) {
        wrong.push(format!("{path} has tables that are cut off: {cut_off}"));
    }
    browser.resize(Window::Desk);
    wrong
}

/// Tables that are wider than the window, and in no region that scrolls, by keyboard too.
const CUT_OFF: &str = "
    const scrolls = (region) => region && region.tabIndex === 0 &&
        getComputedStyle(region).overflowX === 'auto';
    return [...document.querySelectorAll('table')]
        .filter((table) => table.scrollWidth > innerWidth && !scrolls(table.closest('.wide')))
        .map((table) => table.outerHTML.slice(0, 200));
";

/// Names the element that reaches farthest.
const WIDEST: &str = "
    const inside = (part) => part.closest('.wide') && !part.matches('.wide');
    const parts = [...document.querySelectorAll('body *')].filter((part) => !inside(part));
    const right = (part) => part.getBoundingClientRect().right;
    const widest = parts.reduce((one, other) => right(other) > right(one) ? other : one);
    return `${widest.outerHTML.slice(0, 150)} reaches ${right(widest)}`;
";
