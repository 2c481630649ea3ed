//! Bots that come in by the form: from the token to the board, or to a report that says why not.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use crate::browser::chromium::Chromium;
use crate::browser::every_page::is_sound;
use crate::browser::hills::done;
use crate::browser::stage::Stage;
use crate::support::Scratch;
use crate::support::machine::can_isolate;

/// Fills the box that is worth most.
const GOOD: &str = "\
import json, sys
print(json.dumps({'type': 'ready', 'inflight': 1}), flush=True)
for line in sys.stdin:
    turn = json.loads(line)
    if turn['type'] == 'turn':
        best = max(turn['legal'], key=turn['legal'].get)
        print(json.dumps({'id': turn['id'], 'category': best}), flush=True)
";

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

/// A folder in which Python itself is found, and not a program that looks for it.
fn path_to_python() -> OsString {
    let show = ["-c", "import sys; print(sys.executable, end='')"];
    let output = Command::new("python3").args(show).output().expect("there is Python");
    let program = String::from_utf8(output.stdout).expect("Python has a plain name");
    let folder = Path::new(&program).parent().expect("it lies in a folder").to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = [folder].into_iter().chain(std::env::split_paths(&path));
    std::env::join_paths(paths).expect("folders of a PATH")
}

/// A hill with two house bots; a token of it is in the file `token`.
fn prepare(scratch: &Scratch) {
    done(scratch, &["hill", "init", "h.db", "yahtzee", "--games", "20", "--name", "Open hill"]);
    done(scratch, &["hill", "add", "h.db", "dummy", "random"]);
    let token = scratch.run(&["token", "new", "h.db", "--name", "ada"]);
    assert_eq!(token.code, 0, "{}", token.err);
    scratch.write("token", token.out.trim_end());
    scratch.write("canary", "alive");
    let canary = scratch.path("canary");
    scratch.write("good.py", GOOD);
    scratch.write("hostile.sh", HOSTILE.replace("CANARY", canary.to_str().expect("a plain name")));
}

/// Fills the form in and sends it; the page of the entry goes on by itself until nothing more comes of it.
#[track_caller]
fn enters(browser: &Chromium, stage: &Stage, name: &str, file: &str) {
    browser.open(&stage.address("/hills/h/enter"));
    let token = std::fs::read_to_string(stage.path("token")).expect("there is a token");
    browser.type_into("#token", &token);
    browser.type_into("#name", name);
    browser.type_into("#file", stage.path(file).to_str().expect("a plain name"));
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
    let mut stage = Stage::with_path(&path_to_python(), &["h.db", "--accept"], prepare);
    let browser = stage.browser("author");
    browser.open(&stage.address("/hills/h"));
    let before = browser.texts(".standings tbody th");
    assert_eq!(before.len(), 2, "{before:?}");

    let name = "<i id=hostile>Evil</i>";
    enters(&browser, &stage, name, "hostile.sh");
    is_refused(&browser, &stage);
    browser.open(&stage.address("/hills/h"));
    assert_eq!(browser.texts(".standings tbody th"), before, "the hill is as it was");

    enters(&browser, &stage, "Good one", "good.py");
    let (state, report) = outcome(&browser);
    assert_eq!(state, "done", "{report}");
    assert!(report.contains("qualified") && !report.contains("not qualified"), "{report}");
    browser.click("#run a");
    browser.until("document.querySelector('.standings')");
    is_on_the_board(&browser);
    browser.open(&stage.address("/hills/h"));
    is_on_the_board(&browser);

    browser.open(&stage.address("/hills/h/entries"));
    assert_eq!(browser.texts("tbody th"), ["Good one", name]);
    assert!(!browser.has("#hostile"));
    is_sound(&browser, "the list of entries");
    assert_eq!(browser.complaints(), Vec::<String>::new());
    stage.is_content();
}

/// The report has what the bot said as text.
#[track_caller]
fn is_refused(browser: &Chromium, stage: &Stage) {
    let (state, report) = outcome(browser);
    assert_eq!(state, "refused", "{report}");
    assert!(report.contains("not qualified"), "{report}");
    assert!(report.contains("<script id=hostile>"), "its answer is shown: {report}");
    assert!(report.contains("<img id=hostile"), "its log is shown: {report}");
    assert!(!report.contains("WROTE"), "{report}");
    assert!(!browser.has("#hostile"), "what it says is text");
    let canary = std::fs::read_to_string(stage.path("canary")).expect("it is there");
    assert_eq!(canary, "alive");
}

#[track_caller]
fn is_on_the_board(browser: &Chromium) {
    let names = browser.texts(".standings tbody th");
    assert!(names.len() == 3 && names.iter().any(|name| name.contains("Good one")), "{names:?}");
}
