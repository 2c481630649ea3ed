//! The front of a hill after several runs: what changed, ratings over time, versions, remarkable and last games.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{BotName, Entrant, Hill, HillDraft, Jobs, MAX_PLAY_OFFS, RunOptions, run};
use dicehill_bots::{HouseBot, yahtzee_bots};
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_store::{BotKind, EntryStore, HillSettings, HillStore, Host, HostAction, NewEntrant};
use tempfile::TempDir;

use crate::hills::bot_document::bot_document;
use crate::hills::{Hills, Snapshot};
use crate::model::change::ChangeKind;
use crate::pages::hill::{Visit, hill_page};
use crate::pages::layout::Hosting;
use crate::pages::links::Links;
use crate::pictures::badge::{RankOfBot, badge, rank_picture};

/// A bot of this name that plays as a house bot does.
fn entrant(name: &str, house: &str) -> Entrant<Yahtzee> {
    let house = yahtzee_bots().into_iter().find(|bot| bot.name() == house);
    let house = house.map(HouseBot::entrant).expect("a house bot");
    Entrant { name: BotName::new(name).expect("a name"), ..house }
}

/// What the store is told of a bot that comes to the hill.
fn new_entrant(name: &BotName, identity: String) -> NewEntrant {
    NewEntrant {
        name: name.clone(),
        identity,
        kind: BotKind::House("greedy".to_owned()),
        files: Vec::new(),
        author: None,
        url: None,
        votes: None,
        entry: None,
    }
}

/// A hill on which each of these runs was played; bots whose house bot changed are new versions.
fn hill_of(runs: &[&[(&str, &str)]]) -> (TempDir, Hills, Arc<Snapshot>) {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("spring.db");
    let mut known: Vec<(String, String)> = Vec::new();
    for (index, bots) in runs.iter().enumerate() {
        let entrants = bots.iter().map(|(name, house)| entrant(name, house)).collect();
        let draft = HillDraft { games: 40, ..HillDraft::challenge(entrants, "s") };
        let hill = Hill::new(draft).expect("a hill").with_highlights();
        if index == 0 {
            let settings = HillSettings::from_hill(&hill, Some("s"));
            drop(HillStore::create(&path, &settings).expect("a new store"));
        }
        let mut new = Vec::new();
        for entrant in hill.entrants() {
            let identity = entrant.program.identity();
            let pair = (entrant.name.to_string(), identity.clone());
            if !known.contains(&pair) {
                known.push(pair);
                new.push(new_entrant(&entrant.name, identity));
            }
        }
        play(&path, &hill, new);
    }
    let hills = Hills::open(std::slice::from_ref(&path)).expect("a hill");
    let snapshot = hills.all()[0].latest();
    (folder, hills, snapshot)
}

fn play(path: &std::path::Path, hill: &Hill<Yahtzee>, new: Vec<NewEntrant>) {
    let store = HillStore::open_to_write(path).expect("the store");
    let writer = store.begin_run(new, true).expect("a run");
    let stop = AtomicBool::new(false);
    let options = RunOptions {
        jobs: Jobs::Exactly(1),
        max_play_offs: MAX_PLAY_OFFS,
        stop: &stop,
        deadline: None,
    };
    run(hill, options, &mut |event| writer.write(&event)).expect("it is written");
    writer.flush().expect("it is on disk");
}

const RUNS: [&[(&str, &str)]; 3] = [
    &[("ada", "dummy"), ("bob", "aces-and-eights"), ("<i>cid", "random")],
    &[("ada", "greedy"), ("bob", "aces-and-eights"), ("<i>cid", "random")],
    &[("ada", "greedy"), ("bob", "aces-and-eights"), ("<i>cid", "random"), ("dan", "greedy")],
];

#[test]
fn changes_are_told_newest_first() {
    let (_folder, _hills, snapshot) = hill_of(&RUNS[..2]);
    let changes = &snapshot.hill.changes;
    let found: Vec<_> =
        changes.iter().map(|change| (change.kind, change.run, change.bot.as_deref())).collect();
    assert_eq!(
        found,
        [
            (ChangeKind::Dethroned, 2, Some("ada")),
            (ChangeKind::NewVersion, 2, Some("ada")),
            (ChangeKind::FirstChampion, 1, Some("bob")),
        ]
    );
    assert_eq!(changes[0].other.as_deref(), Some("bob"));
    assert_eq!((changes[1].version, changes[1].rank, changes[1].among), (Some(2), Some(1), 3));
    let (_folder, _hills, snapshot) = hill_of(&RUNS);
    let newest = snapshot.hill.changes.iter().filter(|change| change.run == 3);
    assert!(newest.clone().any(|change| change.kind == ChangeKind::NewEntrant));
    assert!(newest.clone().all(|change| change.kind != ChangeKind::NewVersion));
}

#[test]
fn a_renamed_bot_is_neither_a_new_entrant_nor_a_new_champion() {
    let (folder, _, snapshot) = hill_of(&RUNS[..1]);
    assert_eq!(snapshot.hill.changes[0].bot.as_deref(), Some("bob"));
    let path = folder.path().join("spring.db");
    let host = Host { name: "host".to_owned(), token: None };
    let to = BotName::new("rob").expect("a name");
    let rename = HostAction::Rename { from: "bob".to_owned(), to };
    EntryStore::open(&path).expect("the store").act(&host, &rename).expect("it is on the hill");
    let entrants = [("ada", "dummy"), ("rob", "aces-and-eights"), ("eve", "dummy")];
    let entrants = entrants.map(|(name, house)| entrant(name, house));
    let eve = new_entrant(&entrants[2].name, entrants[2].program.identity());
    let draft = HillDraft { games: 40, ..HillDraft::challenge(entrants.into(), "s") };
    play(&path, &Hill::new(draft).expect("a hill").with_highlights(), vec![eve]);
    let hills = Hills::open(std::slice::from_ref(&path)).expect("a hill");
    let changes = &hills.all()[0].latest().hill.changes;
    let found: Vec<_> =
        changes.iter().map(|change| (change.kind, change.run, change.bot.as_deref())).collect();
    assert_eq!(
        found,
        [
            (ChangeKind::Defended, 2, Some("rob")),
            (ChangeKind::NewEntrant, 2, Some("eve")),
            (ChangeKind::FirstChampion, 1, Some("bob")),
        ]
    );
}

#[test]
fn a_feed_without_news_was_updated_when_the_hill_was_created() {
    let (folder, _hills, snapshot) = hill_of(&RUNS[..1]);
    let store = HillStore::open(&folder.path().join("spring.db")).expect("the store");
    let created = crate::model::time::date(store.created().expect("it is stored"));
    let feed = crate::news::feed::feed(&snapshot, &[], None);
    assert!(feed.contains(&format!("<updated>{created}</updated>")), "{feed}");
    assert!(created.as_str() > "2026", "{created}");
}

#[test]
fn ratings_are_followed_over_the_runs() {
    let (_folder, _hills, snapshot) = hill_of(&RUNS);
    let of = |bot: &str| {
        let series = snapshot.hill.ratings.iter().find(|series| series.bot == bot);
        series.map(|series| {
            series.ratings.iter().map(|one| (one.run, one.version)).collect::<Vec<_>>()
        })
    };
    assert_eq!(of("ada"), Some(vec![(1, Some(1)), (2, Some(2)), (3, Some(2))]));
    assert_eq!(of("dan"), Some(vec![(3, Some(1))]));
}

#[test]
fn a_bot_has_what_its_versions_gained() {
    let (_folder, hills, _snapshot) = hill_of(&RUNS[..2]);
    let bot = bot_document(&hills, "spring", 2, "bob").expect("a bot");
    let gain = bot.versions[0].gain.as_ref().expect("it played");
    assert_eq!((gain.version, gain.run, gain.gained), (1, 1, None));
    let ada = bot_document(&hills, "spring", 2, "ada").expect("a bot");
    let runs: Vec<_> =
        ada.versions.iter().map(|version| version.gain.as_ref().map(|gain| gain.run)).collect();
    assert_eq!(runs, [Some(2), Some(1)], "the newest version first");
    // By points, which are 0 for all but the winner, there would be no third place.
    let last = bot_document(&hills, "spring", 2, "<i>cid").expect("a bot");
    assert_eq!(last.places.len(), 3, "{:?}", last.places);
    let links = Links::Server { hill: "spring", run: Some(2) };
    let origin = Some("https://hill.example.org");
    let page = crate::pages::bot::page(&ada, links, Hosting::Server, origin).into_string();
    for text in [
        "[![The rank of ada on ",
        "](https://hill.example.org/hills/spring/bots/ada)",
        "&lt;img src=&quot;https://hill.example.org/hills/spring/bots/ada/rank.svg&quot;",
        "property=\"og:image\" content=\"https://hill.example.org/hills/spring/runs/2/bots/ada/preview.png\"",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
}

#[test]
fn the_front_of_a_hill_shows_all_of_it() {
    let (_folder, _hills, snapshot) = hill_of(&RUNS);
    let hill = &snapshot.hill;
    assert_eq!(
        hill.last_games.iter().map(|game| game.number).collect::<Vec<_>>(),
        [40, 39, 38, 37, 36]
    );
    let highlights = hill.board.as_ref().and_then(|board| board.highlights.as_ref());
    assert!(!highlights.expect("they were looked for").is_empty());
    let plain = hill_page(hill, Visit { accepts: false, origin: None }).into_string();
    for heading in [
        "What changed last",
        "Ratings over time",
        "Remarkable games",
        "Biggest comeback",
        "Last games",
    ] {
        assert!(plain.contains(heading), "{heading}: {plain}");
    }
    assert!(!plain.contains("<i>"), "names are escaped");
    assert!(plain.contains("property=\"og:description\" content=\"Champion of "), "{plain}");
    assert!(!plain.contains("og:url") && !plain.contains("og:image"), "they need whole URLs");
    let visit = Visit { accepts: false, origin: Some("https://hill.example.org") };
    let named = hill_page(hill, visit).into_string();
    assert!(
        named.contains("property=\"og:url\" content=\"https://hill.example.org/hills/spring\"")
    );
    assert!(named.contains("content=\"https://hill.example.org/hills/spring/preview.png\""));
}

#[test]
fn badges_are_escaped_and_described() {
    let (_folder, _hills, snapshot) = hill_of(&RUNS[..1]);
    let board = snapshot.hill.board.as_ref().expect("a board");
    let bot = RankOfBot::find(board, "<i>cid").expect("a bot of the board");
    for svg in [badge(&bot), rank_picture(&bot)] {
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{svg}");
        assert!(svg.contains("&lt;i&gt;cid: #2 of 3 on ") && !svg.contains("<i>"), "{svg}");
        assert!(svg.contains("<desc id=\"desc\">Win % (95 % CI): "), "{svg}");
    }
    assert!(rank_picture(&bot).contains("prefers-color-scheme:dark"));
    assert!(RankOfBot::find(board, "nobody").is_none());
    let mut unplayed = board.clone();
    unplayed.rows.iter_mut().for_each(|row| row.games = 0);
    let bot = RankOfBot::find(&unplayed, "<i>cid").expect("a bot of the board");
    assert!(
        badge(&bot).contains("no games yet") && !badge(&bot).contains(" of "),
        "{}",
        badge(&bot)
    );
}
