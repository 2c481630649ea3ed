//! What holds on every page: it has one heading, complains of nothing, loads nothing from elsewhere, can be read by everybody, and fits
//! every window.

use crate::chromium::{Chromium, Scheme, Window};
use crate::hills;
use crate::stage::Stage;

/// A page and what its heading says.
struct Expected {
    path: &'static str,
    heading: &'static str,
}

const fn page(path: &'static str, heading: &'static str) -> Expected {
    Expected { path, heading }
}

/// The pages. The hills are those of [`hills`].
const PAGES: [Expected; 13] = [
    page("/", "Hills"),
    page("/hills/yahtzee", "Spring yahtzee"),
    page("/hills/yahtzee/runs/1", "Spring yahtzee, tournament 1"),
    page("/hills/yahtzee/runs/1/bots/greedy", "greedy"),
    page("/hills/yahtzee/runs/1/bots/%D7%A7%D7%95%D7%91%D7%99%D7%95%D7%AA", "קוביות"),
    page("/hills/yahtzee/head-to-head", "Head to head"),
    page("/hills/liars-dice", "Superjedi's table"),
    page("/hills/liars-dice/runs/1", "Superjedi's table, tournament 1"),
    page("/hills/liars-dice/bots/Nobody", "Nobody"),
    page("/hills/liars-dice/head-to-head", "Head to head"),
    page("/hills/empty", "Empty"),
    page("/api", "API"),
    page("/hills/nowhere", "Not Found"),
];

#[test]
fn every_page_is_sound() {
    let mut stage = Stage::new(&["yahtzee.db", "liars-dice.db", "empty.db"], |scratch| {
        hills::yahtzee(scratch);
        hills::liars_dice(scratch);
        hills::empty(scratch);
    });
    let browser = stage.browser("visitor");
    for page in &PAGES {
        browser.open(&stage.address(page.path));
        says_what_it_is(&browser, page);
        loads_its_own_things_only(&browser, &stage, page.path);
        everybody_can_read_it(&browser, page.path);
        fits_a_phone(&browser, page.path);
    }
    stage.is_content();
}

fn says_what_it_is(browser: &Chromium, page: &Expected) {
    let headings =
        browser.ask("return [...document.querySelectorAll('h1')].map((h) => h.textContent)");
    assert_eq!(headings, serde_json::json!([page.heading]), "{}", page.path);
    let title = browser.ask_text("return document.title");
    assert!(title.ends_with(" · dicehill"), "{}: {title:?}", page.path);
    assert_eq!(browser.ask_text("return document.documentElement.lang"), "en", "{}", page.path);
}

/// Neither errors nor breaches of the policy, and nothing from another host.
fn loads_its_own_things_only(browser: &Chromium, stage: &Stage, path: &str) {
    // That a page is not there is said in the console too.
    let not_there = format!("{} - Failed to load resource", stage.address(path));
    let mut complaints = browser.complaints();
    complaints.retain(|said| !said.starts_with(&not_there));
    assert_eq!(complaints, Vec::<String>::new(), "{path}");
    let loaded = "return performance.getEntriesByType('resource').map((entry) => entry.name)";
    let loaded = browser.ask(loaded);
    let loaded = loaded.as_array().expect("a list");
    assert!(!loaded.is_empty(), "{path} has its style");
    for address in loaded {
        let address = address.as_str().unwrap_or_default();
        assert!(address.starts_with(&stage.address("/")), "{path} loads {address}");
    }
}

/// By day and by night, and the two differ.
fn everybody_can_read_it(browser: &Chromium, path: &str) {
    let paper = "return getComputedStyle(document.body).backgroundColor";
    let mut papers = Vec::new();
    for scheme in [Scheme::Light, Scheme::Dark] {
        browser.look(scheme);
        papers.push(browser.ask_text(paper));
        assert_eq!(browser.barriers(), Vec::<String>::new(), "{path}, {scheme:?}");
    }
    browser.look(Scheme::Light);
    assert_ne!(papers[0], papers[1], "{path} has a look for the night");
}

/// The page itself does not scroll sideways; its tables do, where they must, by keyboard too.
fn fits_a_phone(browser: &Chromium, path: &str) {
    browser.resize(Window::Phone);
    let width = browser.ask_number("return document.scrollingElement.scrollWidth");
    let widest = browser.ask_text(WIDEST);
    assert!(width <= u64::from(Window::Phone.width()), "{path} is {width} wide: {widest}");
    let regions = "return [...document.querySelectorAll('table')].filter((table) => {
        const region = table.closest('.wide');
        return table.scrollWidth > innerWidth &&
            !(region && region.tabIndex === 0 && getComputedStyle(region).overflowX === 'auto');
    }).map((table) => table.outerHTML.slice(0, 200))";
    assert_eq!(browser.ask(regions), serde_json::json!([]), "{path} has tables that are cut off");
    browser.resize(Window::Desk);
}

/// Names the element that reaches farthest.
const WIDEST: &str = "
    const inside = (part) => part.closest('.wide') && !part.matches('.wide');
    const parts = [...document.querySelectorAll('body *')].filter((part) => !inside(part));
    const right = (part) => part.getBoundingClientRect().right;
    const widest = parts.reduce((one, other) => right(other) > right(one) ? other : one);
    return `${widest.outerHTML.slice(0, 150)} reaches ${right(widest)}`;
";

#[test]
fn boards_can_be_read_without_scripts() {
    let mut stage = Stage::new(&["yahtzee.db"], hills::yahtzee);
    let browser = stage.browser("visitor");
    browser.scripts(false);
    browser.open(&stage.address("/hills/yahtzee"));
    assert_eq!(browser.ask("return document.querySelectorAll('.standings tbody tr').length"), 4);
    assert!(browser.ask_text("return document.body.innerText").contains("Champion: greedy"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
