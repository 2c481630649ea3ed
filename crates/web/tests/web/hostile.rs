//! Names and texts of bots' authors are escaped.

use std::sync::Arc;

use dicehill_arena::{Bot, BotName, Entrant, Failure, Hill, HillDraft, Program, Reason};
use dicehill_bots::HouseBot;
use dicehill_rules::liars_dice::{Action, LiarsDice, View};
use dicehill_web::RequestLimits;
use tempfile::TempDir;

use crate::support::{Served, store};

const SCRIPT: &str = "<script>alert(1)</script>";
/// A path of the host, which a bot's messages contain.
const HOST_PATH: &str = "/home/ada/hills/bot.py";
/// An address with a quotation mark, which hills may link to.
const ADDRESS: &str = "https://example.org/?";
const NAMES: [&str; 4] =
    [SCRIPT, "\"><img src=x onerror=alert(1)>", "a&lt;b' onload='x", "{{7*7}}"];

/// Fails with a message that contains a script.
struct Hostile;

impl Program<LiarsDice> for Hostile {
    fn identity(&self) -> String {
        SCRIPT.to_owned()
    }

    fn bot(&self) -> Box<dyn Bot<LiarsDice>> {
        Box::new(Self)
    }
}

impl Bot<LiarsDice> for Hostile {
    fn act(&mut self, _view: &View<'_>) -> Result<Action, Failure> {
        let detail = format!("</pre>{SCRIPT} in {HOST_PATH}");
        let log = vec![format!("File \"{HOST_PATH}\", line 1"), "uid=1000".to_owned()];
        Err(Failure { log, ..Failure::new(Reason::IllegalMove, detail) })
    }
}

fn hill() -> Hill<LiarsDice> {
    let author = || Some(format!("</bdi>{SCRIPT}"));
    let url = Some(format!("{ADDRESS}'onload='alert(1)"));
    let hostile = |name: &str| {
        let name = BotName::new(name).expect("it can be printed");
        Entrant { author: author(), url: url.clone(), ..Entrant::new(name, Arc::new(Hostile)) }
    };
    let mut entrants: Vec<_> = NAMES.into_iter().map(hostile).collect();
    entrants.extend(dicehill_bots::liars_dice_bots().into_iter().take(2).map(HouseBot::entrant));
    let draft = HillDraft::challenge(entrants, &format!("seed {SCRIPT}"));
    Hill::new(HillDraft { games: 40, name: format!("hill {SCRIPT}"), ..draft }).expect("a hill")
}

#[test]
fn no_text_of_an_author_becomes_a_tag() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("hostile.db");
    store(&path, &hill());
    let served = Served::showing(folder, vec![path], RequestLimits::default());
    let board = served.json("/api/v1/hills/hostile/runs/1");
    let rows = board["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 6);
    let hex = |name: &str| name.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
    let run = "/hills/hostile/runs/1";
    let mut pages_with_files = 0;
    let mut paths = vec!["/".to_owned(), "/hills/hostile".to_owned(), run.to_owned()];
    paths.extend(NAMES.map(|name| format!("{run}/bots/{}", hex(name))));
    paths.extend(
        ["head-to-head", "games", "games/1", "games/40"].map(|page| format!("{run}/{page}")),
    );
    paths.push(format!("{run}/games?bot={}", hex(SCRIPT)));
    let documents =
        ["", "/games/1", "/games/40", "/games"].map(|page| format!("/api/v1{run}{page}"));
    let of_bots = NAMES.map(|name| format!("/api/v1{run}/bots/{}", hex(name)));
    for path in documents.iter().chain(&of_bots).chain(&paths) {
        let answer = served.get(path);
        assert_eq!(answer.status(), 200, "{path}");
        assert!(!answer.body().contains("/home") && !answer.body().contains("uid=1000"), "{path}");
        pages_with_files += usize::from(answer.body().contains(".../bot.py"));
    }
    assert!(pages_with_files >= 8, "files are named on {pages_with_files} pages");
    let mut pages_with_names = 0;
    let mut pages_with_addresses = 0;
    for path in paths {
        let answer = served.get(&path);
        assert_eq!(answer.status(), 200, "{path}");
        let page = answer.body();
        let lower = page.to_lowercase();
        for tag in ["<script>", "<img src=x", "</bdi><script", "href=\"javascript:"] {
            assert!(!lower.contains(tag), "{path}: {tag}");
        }
        for attribute in ["onload=", "onerror=", " style="] {
            let mut found = lower.match_indices(attribute);
            assert_eq!(found.find(|(at, _)| is_attribute(&lower, *at)), None, "{path}");
        }
        pages_with_addresses += usize::from(page.contains(&format!("href=\"{ADDRESS}")));
        pages_with_names += usize::from(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    }
    assert!(pages_with_names >= 8, "the names are shown on {pages_with_names} pages");
    assert!(pages_with_addresses >= 1, "no page links to the bots' addresses");
}

/// Whether the position `at` is inside a tag and not inside a quoted value. Quotation marks within a value are written
/// `&quot;`.
fn is_attribute(page: &str, at: usize) -> bool {
    let tag = page[..at].rfind(['<', '>']).expect("a page begins with a tag");
    page[tag..].starts_with('<') && page[tag..at].matches('"').count().is_multiple_of(2)
}
