//! Pages of games show every move, and hostile names in them stay text.

use super::test_hill::{HOSTILE, TestHill};
use crate::model::replay::{ReplayDocument, ReplayMoves, RunOfGame};
use crate::pages::links::Links;
use crate::pages::replay::{PlayedIn, ReplayFrame, page};

fn shown(document: &ReplayDocument, links: Links<'_>) -> String {
    let title = HOSTILE.to_owned();
    let trail = vec![(HOSTILE.to_owned(), "index.html".to_owned())];
    let neighbours = [None, Some(2)];
    let played_in = PlayedIn::Run;
    let frame = ReplayFrame { title, played_in, links, trail, json: None, neighbours };
    page(document, frame).into_string()
}

fn moves(document: &ReplayDocument) -> usize {
    document.replay.as_ref().map_or(0, ReplayMoves::count)
}

/// The block of data in a page.
fn data(page: &str) -> serde_json::Value {
    let (_, data) =
        page.split_once("<script id=\"replay\" type=\"application/json\">").expect("data");
    let (data, _) = data.split_once('<').expect("its end");
    serde_json::from_str(data).expect("JSON")
}

#[track_caller]
fn check(document: &ReplayDocument, links: Links<'_>) {
    let page = shown(document, links);
    let ids = page.split("id=\"move-").skip(1).map(|rest| rest.split('"').next());
    let mut ids: Vec<usize> =
        ids.map(|id| id.and_then(|id| id.parse().ok()).expect("a number")).collect();
    ids.sort_unstable();
    assert_eq!(ids, Vec::from_iter(1..=moves(document)));
    let scripts = page.matches("<script").count();
    let ours = page.matches("<script src=").count() + page.matches("<script id=\"replay\"").count();
    assert_eq!((scripts, page.matches("<img").count()), (ours, 0));
    assert!(!page.contains(" style=") && !page.contains("<style") && !page.contains('\u{202e}'));
    let expected = serde_json::to_value(document).expect("a document");
    assert_eq!(data(&page), expected, "page and API say the same");
}

#[test]
fn pages_show_every_move_and_escape_names() {
    for hill in [TestHill::yahtzee(2), TestHill::liars_dice(6)] {
        for document in hill.documents() {
            assert!(moves(&document) > 3);
            check(&document, Links::Files);
            check(&document, Links::Server { hill: "spring", run: Some(1) });
        }
    }
}

#[test]
fn a_cut_game_says_so() {
    let hill = TestHill::liars_dice(1);
    let source = hill.source();
    let run = RunOfGame { header: source.header(), number: None, has_ended: true };
    let document = ReplayDocument::read(run, &hill.lines()[0], 3).expect("a game");
    let page = shown(&document, Links::Files);
    assert!(page.contains("id=\"move-3\"") && !page.contains("id=\"move-4\""));
    assert!(page.contains(&format!("The game has {} moves.", moves(&document))), "{page}");
}
