//! Whether a page can be read by every reader and fits every window.

use serde_json::json;

use crate::browser::chromium::{Chromium, Scheme, Window};

/// Expects the page to be accessible in both colour schemes, and to fit a phone.
#[track_caller]
pub(crate) fn check_page(browser: &Chromium, page: &str) {
    let wrong = [violations(browser, page), too_wide(browser, page)].concat();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The accessibility violations in both colour schemes, which have to differ.
pub(crate) fn violations(browser: &Chromium, path: &str) -> Vec<String> {
    let background = "return getComputedStyle(document.body).backgroundColor";
    let (mut backgrounds, mut wrong) = (Vec::new(), Vec::new());
    for scheme in [Scheme::Light, Scheme::Dark] {
        browser.set_scheme(scheme);
        backgrounds.push(browser.evaluate_text(background));
        let violations = browser.violations();
        wrong.extend(violations.iter().map(|violation| format!("{path}, {scheme:?}: {violation}")));
    }
    browser.set_scheme(Scheme::Light);
    assert_ne!(backgrounds[0], backgrounds[1], "{path} has a look for the night");
    wrong
}

/// Whether the page scrolls sideways on a phone, or has tables that are cut off.
pub(crate) fn too_wide(browser: &Chromium, path: &str) -> Vec<String> {
    browser.resize(Window::Phone);
    let mut wrong = Vec::new();
    let width = browser.evaluate_number("return document.scrollingElement.scrollWidth");
    if width > u64::from(Window::Phone.width()) {
        wrong.push(format!("{path} is {width} wide: {}", browser.evaluate_text(WIDEST)));
    }
    let cut_off = browser.evaluate(CUT_OFF);
    if cut_off != json!([]) {
        wrong.push(format!("{path} has tables that are cut off: {cut_off}"));
    }
    browser.resize(Window::Desktop);
    wrong
}

/// Tables that are wider than the window, and not in a region that scrolls, by keyboard too.
const CUT_OFF: &str = "
    const scrolls = (region) => region && region.tabIndex === 0 &&
        getComputedStyle(region).overflowX === 'auto';
    return [...document.querySelectorAll('table')]
        .filter((table) => table.scrollWidth > innerWidth && !scrolls(table.closest('.wide')))
        .map((table) => table.outerHTML.slice(0, 200));
";

/// The rightmost element.
const WIDEST: &str = "
    const scrolls = '.wide, .formula';
    const inside = (part) => part.closest(scrolls) && !part.matches(scrolls);
    const parts = [...document.querySelectorAll('body *')].filter((part) => !inside(part));
    const right = (part) => part.getBoundingClientRect().right;
    const widest = parts.reduce((one, other) => right(other) > right(one) ? other : one);
    return `${widest.outerHTML.slice(0, 150)} reaches ${right(widest)}`;
";
