//! Bots entered through the form: from the token to the board, or to a report with the reason of the refusal.

use crate::browser::chromium::Chromium;
use crate::browser::page_checks::check_page;
use crate::browser::test_server::TestServer;
use crate::support::external::path_with_python;
use crate::support::machine::can_isolate;
use crate::support::{BEST_BOX_BOT, Scratch};

/// Tries to write outside of its folder, writes HTML to its log, and answers with HTML.
const HOSTILE: &str = "\
#!/bin/sh
echo '<img id=hostile src=x onerror=alert(1)>' >&2
for name in CANARY here /tmp/here; do
    (echo dead > $name) 2>/dev/null && echo WROTE $name >&2
done
while read -r message; do
    case $message in *'\"type\":\"turn\"'*) echo '<script id=hostile>alert(1)</script>' ;; esac
done
";

/// A hill with two house bots; a token of it is in the file `token`.
fn prepare(scratch: &Scratch) {
    scratch.run_ok(&["hill", "init", "h.db", "yahtzee", "--games", "20", "--name", "Open hill"]);
    scratch.run_ok(&["hill", "add", "h.db", "dummy", "random"]);
    scratch.run_ok(&["hill", "set", "h.db", "reports=public"]);
    let token = scratch.run(&["token", "new", "h.db", "--name", "ada"]);
    assert_eq!(token.code, 0, "{}", token.err);
    scratch.write("token", token.out.trim_end());
    scratch.write("canary", "alive");
    let canary = scratch.path("canary");
    // Slow enough that its percentage is seen.
    scratch.write(
        "good.py",
        format!("import time\n{}", BEST_BOX_BOT.replace("print(", "time.sleep(.002); print(")),
    );
    scratch.write("hostile.sh", HOSTILE.replace("CANARY", canary.to_str().expect("a plain name")));
}

/// Fills in and sends the form; the page of the entry has to update itself until the entry is final.
#[track_caller]
fn enter_bot(browser: &Chromium, server: &TestServer, name: &str, file: &str) {
    browser.open(&server.address("/hills/h/enter"));
    let token = server.read("token");
    browser.type_into("#token", &token);
    browser.type_into("#name", name);
    browser.type_into("#file", server.path(file).to_str().expect("a plain name"));
    browser.click("#enter button[type=submit]");
    browser.wait_until("location.pathname.startsWith('/hills/h/entries/')");
    assert_eq!(browser.texts("h1"), [name]);
    let is_live = "return document.getElementById('entry').dataset.live !== undefined";
    assert!(browser.evaluate(is_live) == true, "it is not decided when the page is loaded");
    browser.evaluate("window.here = 'still here'");
    browser.evaluate(WATCH_PERCENTAGE);
    browser.wait_until(
        "['refused', 'done', 'failed'].includes(document.querySelector('#state > *').textContent)",
    );
    browser.wait_until("document.getElementById('report').textContent !== ''");
    assert_eq!(browser.evaluate_text("return window.here ?? 'reloaded'"), "still here");
}

/// Notes whether the step of the qualification shows a percentage.
const WATCH_PERCENTAGE: &str = "
    const steps = document.getElementById('steps');
    const look = () => { window.sawPercentage ||= /^[0-9]+ %/.test(steps.children[2].lastElementChild.textContent); };
    window.sawPercentage = false;
    look();
    new MutationObserver(look).observe(steps, { childList: true, subtree: true, characterData: true });
";

/// The form says what happens, and has the server's own address in the command for programs.
#[track_caller]
fn check_form(browser: &Chromium, server: &TestServer) {
    browser.open(&server.address("/hills/h/enter"));
    let steps = browser.texts(".what-happens strong");
    assert_eq!(steps, ["Upload", "Build", "Qualification", "Run"]);
    assert_eq!(browser.texts("nav.trail a"), ["Hills", "Open hill"]);
    let command = browser.text("pre.command:last-of-type");
    let address = server.address("/api/v1/hills/h/entries");
    assert!(command.contains(&address), "{command}");
}

/// The final state of the entry and its report; both have to be the same after a reload.
#[track_caller]
fn final_state(browser: &Chromium) -> (String, String) {
    let shown = || (browser.text("#state"), browser.text("#report"));
    let live = shown();
    let address = browser.evaluate_text("return location.href");
    browser.open(&address);
    assert_eq!(shown(), live);
    assert!(!browser.has("#entry[data-live]"));
    check_page(browser, &address);
    live
}

#[test]
fn a_good_bot_enters_the_board_and_a_hostile_one_gets_a_report() {
    if !can_isolate() {
        return;
    }
    let mut server = TestServer::with_path(&path_with_python(), &["h.db", "--accept"], prepare);
    let browser = server.browser("author");
    browser.open(&server.address("/hills/h"));
    let before = browser.texts(".standings tbody th");
    assert_eq!(before.len(), 2, "{before:?}");

    let name = "<i id=hostile>Evil</i>";
    enter_bot(&browser, &server, name, "hostile.sh");
    check_refused(&browser, &server);
    browser.open(&server.address("/hills/h"));
    assert_eq!(browser.texts(".standings tbody th"), before, "the hill is as it was");

    check_form(&browser, &server);
    enter_bot(&browser, &server, "Good one", "good.py");
    assert_eq!(browser.evaluate("return window.sawPercentage"), true);
    let (state, report) = final_state(&browser);
    assert_eq!(state, "done", "{report}");
    assert!(report.contains("qualified") && !report.contains("not qualified"), "{report}");
    browser.click("#run a");
    browser.wait_until("document.querySelector('.standings')");
    check_on_board(&browser);
    browser.open(&server.address("/hills/h"));
    check_on_board(&browser);

    browser.open(&server.address("/hills/h/entries"));
    assert_eq!(browser.texts("tbody th"), ["Good one", name]);
    assert!(!browser.has("#hostile"));
    check_page(&browser, "the list of entries");
    assert_eq!(browser.console_problems(), Vec::<String>::new());
    server.expect_no_warnings();
}

/// Expects a refusal whose report shows the bot's output as text.
#[track_caller]
fn check_refused(browser: &Chromium, server: &TestServer) {
    let (state, report) = final_state(browser);
    assert_eq!(state, "refused", "{report}");
    assert!(report.contains("not qualified"), "{report}");
    let verdict = browser.text("#verdict");
    assert!(verdict.contains(": not qualified: "), "{verdict}");
    assert!(verdict.lines().count() > 2, "the first failures follow: {verdict}");
    assert!(browser.has("#verdict-of:not([hidden])") && browser.has("#whole:not([open])"));
    assert!(report.contains("<script id=hostile>"), "its answer is shown: {report}");
    assert!(report.contains("<img id=hostile"), "its log is shown: {report}");
    assert!(!report.contains("WROTE"), "{report}");
    assert!(!browser.has("#hostile"), "what it says is text");
    let canary = server.read("canary");
    assert_eq!(canary, "alive");
}

#[track_caller]
fn check_on_board(browser: &Chromium) {
    let names = browser.texts(".standings tbody th");
    assert!(names.len() == 3 && names.iter().any(|name| name.contains("Good one")), "{names:?}");
}
