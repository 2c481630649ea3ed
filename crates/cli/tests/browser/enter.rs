//! Bots that come in by the form: from the token to the board, or to a report that says why not.

use crate::browser::chromium::Chromium;
use crate::browser::page_checks::is_sound;
use crate::browser::test_server::TestServer;
use crate::support::external::path_with_python;
use crate::support::machine::can_isolate;
use crate::support::{BEST_BOX_BOT, Scratch};

/// Wants to write where it must not, says tags wherever it can, and answers with one.
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
    let token = scratch.run(&["token", "new", "h.db", "--name", "ada"]);
    assert_eq!(token.code, 0, "{}", token.err);
    scratch.write("token", token.out.trim_end());
    scratch.write("canary", "alive");
    let canary = scratch.path("canary");
    scratch.write("good.py", BEST_BOX_BOT);
    scratch.write("hostile.sh", HOSTILE.replace("CANARY", canary.to_str().expect("a plain name")));
}

/// Fills the form in and sends it; the page of the entry goes on by itself until nothing more comes of it.
#[track_caller]
fn enters(browser: &Chromium, server: &TestServer, name: &str, file: &str) {
    browser.open(&server.address("/hills/h/enter"));
    let token = server.read("token");
    browser.type_into("#token", &token);
    browser.type_into("#name", name);
    browser.type_into("#file", server.path(file).to_str().expect("a plain name"));
    browser.click("#enter button[type=submit]");
    browser.until("location.pathname.startsWith('/hills/h/entries/')");
    assert_eq!(browser.texts("h1"), [name]);
    let is_live = "return document.getElementById('entry').dataset.live !== undefined";
    assert!(browser.ask(is_live) == true, "it is not decided when the page is loaded");
    browser.ask("window.here = 'still here'");
    browser.until(
        "['refused', 'done', 'failed'].includes(document.querySelector('#state > *').textContent)",
    );
    browser.until("document.getElementById('report').textContent !== ''");
    assert_eq!(browser.ask_text("return window.here ?? 'loaded anew'"), "still here");
}

/// What the entry has come to, and its report; both are the same when the page is loaded anew.
#[track_caller]
fn outcome(browser: &Chromium) -> (String, String) {
    let shown = || (browser.text("#state"), browser.text("#report"));
    let live = shown();
    let address = browser.ask_text("return location.href");
    browser.open(&address);
    assert_eq!(shown(), live);
    assert!(!browser.has("#entry[data-live]"));
    is_sound(browser, &address);
    live
}

#[test]
fn a_bot_comes_to_the_board_and_a_hostile_one_is_told_why_not() {
    if !can_isolate() {
        return;
    }
    let mut server = TestServer::with_path(&path_with_python(), &["h.db", "--accept"], prepare);
    let browser = server.browser("author");
    browser.open(&server.address("/hills/h"));
    let before = browser.texts(".standings tbody th");
    assert_eq!(before.len(), 2, "{before:?}");

    let name = "<i id=hostile>Evil</i>";
    enters(&browser, &server, name, "hostile.sh");
    is_refused(&browser, &server);
    browser.open(&server.address("/hills/h"));
    assert_eq!(browser.texts(".standings tbody th"), before, "the hill is as it was");

    enters(&browser, &server, "Good one", "good.py");
    let (state, report) = outcome(&browser);
    assert_eq!(state, "done", "{report}");
    assert!(report.contains("qualified") && !report.contains("not qualified"), "{report}");
    browser.click("#run a");
    browser.until("document.querySelector('.standings')");
    is_on_the_board(&browser);
    browser.open(&server.address("/hills/h"));
    is_on_the_board(&browser);

    browser.open(&server.address("/hills/h/entries"));
    assert_eq!(browser.texts("tbody th"), ["Good one", name]);
    assert!(!browser.has("#hostile"));
    is_sound(&browser, "the list of entries");
    assert_eq!(browser.complaints(), Vec::<String>::new());
    server.is_content();
}

/// The report has what the bot said as text.
#[track_caller]
fn is_refused(browser: &Chromium, server: &TestServer) {
    let (state, report) = outcome(browser);
    assert_eq!(state, "refused", "{report}");
    assert!(report.contains("not qualified"), "{report}");
    assert!(report.contains("<script id=hostile>"), "its answer is shown: {report}");
    assert!(report.contains("<img id=hostile"), "its log is shown: {report}");
    assert!(!report.contains("WROTE"), "{report}");
    assert!(!browser.has("#hostile"), "what it says is text");
    let canary = server.read("canary");
    assert_eq!(canary, "alive");
}

#[track_caller]
fn is_on_the_board(browser: &Chromium) {
    let names = browser.texts(".standings tbody th");
    assert!(names.len() == 3 && names.iter().any(|name| name.contains("Good one")), "{names:?}");
}
