//! Whether a page can be read by every reader and fits every window.

use serde_json::json;

use crate::browser::chromium::{Chromium, Scheme, Window};

/// Expects the page to be accessible in both colour schemes and on a narrow screen, to fit every window, and to respect
/// the system's colours and its wish for no motion.
#[track_caller]
pub(crate) fn check_page(browser: &Chromium, page: &str) {
    let checks = [violations, narrow_violations, ignored_preferences, too_wide];
    let wrong = checks.map(|check| check(browser, page)).concat();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The accessibility violations in both colour schemes, which have to differ.
pub(crate) fn violations(browser: &Chromium, path: &str) -> Vec<String> {
    let background = "return getComputedStyle(document.body).backgroundColor";
    let (mut backgrounds, mut wrong) = (Vec::new(), Vec::new());
    for scheme in [Scheme::Light, Scheme::Dark] {
        browser.set_scheme(scheme);
        backgrounds.push(browser.evaluate_text(background));
        let violations = match scheme {
            Scheme::Light => browser.violations(),
            Scheme::Dark => browser.colour_violations(),
        };
        wrong.extend(violations.iter().map(|violation| format!("{path}, {scheme:?}: {violation}")));
    }
    browser.set_scheme(Scheme::Light);
    assert_ne!(backgrounds[0], backgrounds[1], "{path} has a look for the night");
    wrong
}

/// Whether the page scrolls sideways in any window, or has tables that are cut off.
pub(crate) fn too_wide(browser: &Chromium, path: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for window in Window::ALL {
        browser.resize(window);
        let width = browser.evaluate_number("return document.scrollingElement.scrollWidth");
        if width > u64::from(window.width()) {
            let widest = browser.evaluate_text(WIDEST);
            wrong.push(format!("{path}, {window:?}: it is {width} wide: {widest}"));
        }
        let cut_off = browser.evaluate(CUT_OFF);
        if cut_off != json!([]) {
            wrong.push(format!("{path}, {window:?}: tables are cut off: {cut_off}"));
        }
    }
    browser.resize(Window::Desktop);
    wrong
}

/// The accessibility violations on the narrowest screen, where parts fold.
pub(crate) fn narrow_violations(browser: &Chromium, path: &str) -> Vec<String> {
    browser.resize(Window::Narrow);
    let violations = browser.violations();
    browser.resize(Window::Desktop);
    violations.iter().map(|violation| format!("{path}, narrow: {violation}")).collect()
}

/// What is lost with the colours of the system, or moves although the system asks for no motion.
pub(crate) fn ignored_preferences(browser: &Chromium, path: &str) -> Vec<String> {
    browser.set_media(&[("forced-colors", "active"), ("prefers-reduced-motion", "reduce")]);
    let ignored = browser.evaluate(IGNORED);
    browser.set_media(&[("prefers-color-scheme", "light")]);
    if ignored == json!([]) { Vec::new() } else { vec![format!("{path}: {ignored}")] }
}

/// Controls without an outline in forced colours, dice whose pips have the colour of their face, and motion.
const IGNORED: &str = "
    const described = (what) => (part) => `${what}: ${part.outerHTML.slice(0, 120)}`;
    const all = (selector) => [...document.querySelectorAll(selector)].filter((part) => part.checkVisibility());
    const style = (part) => getComputedStyle(part);
    const bare = all('button').filter((part) =>
        style(part).borderTopStyle === 'none' && style(part).outlineStyle === 'none');
    const faces = [...document.querySelectorAll('symbol .body')];
    const blank = faces.filter((face) => [...face.parentElement.querySelectorAll('.pip')].some((pip) =>
        style(pip).fill === style(face).fill));
    const moving = document.getAnimations().map((motion) => motion.effect.target).filter(Boolean);
    return [...bare.map(described('no outline')), ...blank.map(described('no pips')),
        ...moving.map(described('moves'))];
";

/// The compressed bytes of the scripts that a page has loaded.
pub(crate) fn script_bytes(browser: &Chromium) -> u64 {
    browser.evaluate_number(
        "return performance.getEntriesByType('resource')
            .filter((entry) => entry.initiatorType === 'script')
            .reduce((sum, entry) => sum + entry.encodedBodySize, 0)",
    )
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
