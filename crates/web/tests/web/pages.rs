//! Pages, and live updates during a run.

use std::io::{BufRead, BufReader, Write};
use std::sync::atomic::AtomicBool;

use dicehill_arena::{Jobs, MAX_PLAY_OFFS, RunOptions, run};
use dicehill_store::{HillSettings, HillStore};
use dicehill_web::RequestLimits;
use tempfile::TempDir;

use crate::support::{Served, wait_until, yahtzee};

#[test]
fn every_page_is_served() {
    let served = Served::new();
    let pages = [
        ("/", "Hills"),
        ("/hills/spring", "Board"),
        ("/hills/spring/runs/1", "run 1"),
        ("/hills/spring/runs/1/bots/greedy", "Cost of decisions"),
        ("/hills/dice/runs/1/bots/honest", "Bids by the probability that they hold"),
        ("/hills/spring/runs/1/head-to-head", "Head to head"),
        ("/hills/dice/runs/1/bots/bayes", "Places in games"),
        ("/hills/dice/runs/1/bots/straight%2Dshooter", "By seat"),
        ("/api", "OpenAPI"),
    ];
    for (path, text) in pages {
        let answer = served.get(path);
        assert_eq!(answer.status(), 200, "{path}");
        assert!(answer.body().contains(text), "{path} has {text}");
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert!(!answer.body().contains("style="), "{path}: no style within");
        assert!(!answer.body().contains("<script>"), "{path}: no script within");
        assert_eq!(answer.body().matches("<h1").count(), 1, "{path}: one heading above all");
    }
}

#[test]
fn an_address_that_ends_with_a_slash_leads_to_the_one_without() {
    let served = Served::new();
    let to = |path| served.get(path).header("location").map(str::to_owned);
    assert_eq!(to("/hills/spring/").as_deref(), Some("/hills/spring"));
    assert_eq!(to("/hills/spring/runs/1/?a=b").as_deref(), Some("/hills/spring/runs/1?a=b"));
    assert_eq!(served.get("/hills/spring/").status(), 308);
    assert_eq!(to("/hills").as_deref(), Some("/"));
    for path in ["//elsewhere.example/", "//", "/nothing"] {
        assert_eq!((served.get(path).status(), to(path)), (404, None), "{path}");
    }
}

#[test]
fn the_rounds_of_a_long_game_are_in_groups() {
    let served = Served::new();
    let game = |number| served.get(&format!("/hills/dice/runs/1/games/{number}"));
    let rounds = |page: &str| page.matches("id=\"round-").count();
    let mut groups_seen = false;
    let mut single_seen = false;
    for number in 1..=60 {
        let answer = game(number);
        let page = answer.body();
        let groups = page.matches("<details class=\"rounds\"").count();
        let expected = if rounds(page) > 40 { rounds(page).div_ceil(20) } else { 0 };
        assert_eq!(groups, expected, "game {number} of {} rounds", rounds(page));
        if groups > 0 {
            let last = format!("Rounds {}–{}</summary>", 20 * (groups - 1) + 1, rounds(page));
            assert!(
                page.contains("Rounds 1–20</summary>") && page.contains(&last),
                "game {number}"
            );
        }
        groups_seen |= groups > 0;
        single_seen |= groups == 0;
        if groups_seen && single_seen {
            return;
        }
    }
    panic!("the hill has long games and short ones");
}

#[test]
fn missing_pages_are_reported() {
    let served = Served::new();
    let paths = [
        "/nothing",
        "/hills/nobody",
        "/hills/spring/runs/9",
        "/hills/spring/runs/1/bots/nobody",
        "/assets/x/nothing.js",
        "/hills/spring/runs/-1",
        "/hills/spring/runs/many",
        "/api/v1/hills/nobody",
        "/api/v1/hills/spring/runs/1/bots/%3Cscript%3E",
    ];
    for path in paths {
        let answer = served.get(path);
        assert_eq!(answer.status(), 404, "{path}");
        assert!(!answer.body().contains("<script>alert"), "{path}");
    }
    let similar = |path: &str| served.get(path).body().contains("did you mean");
    assert!(similar("/hills/spring/runs/1/bots/gredy") && similar("/docs/tutorail"));
    assert!(served.get("/hills/spring/runs/9").body().contains("this hill has no run 9: it has "));
    assert_eq!(served.get("/api/v1/nothing").header("content-type"), Some("application/json"));
    assert_eq!(served.ask("DELETE", "/hills/spring", "").status(), 405);
}

#[test]
fn an_unchanged_page_is_not_sent_again() {
    let served = Served::new();
    let first = served.get("/hills/spring");
    let tag = first.header("etag").expect("a tag").to_owned();
    let unchanged = served.ask("GET", "/hills/spring", &format!("If-None-Match: {tag}\r\n"));
    assert_eq!((unchanged.status(), unchanged.body()), (304, ""));
    let packed = served.ask("GET", "/hills/spring", "Accept-Encoding: gzip\r\n");
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
}

/// Reads a stream of versions until one differs from `before`, and returns it.
fn next_version(stream: &mut impl BufRead, before: &str) -> String {
    for line in stream.lines() {
        let line = line.expect("the stream goes on");
        if let Some(version) = line.strip_prefix("data: ").filter(|version| *version != before) {
            return version.to_owned();
        }
    }
    panic!("the stream has ended");
}

#[test]
fn a_run_is_followed_while_it_is_played() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("live.db");
    let hill = yahtzee(400);
    let record = HillSettings::from_hill(&hill, None);
    drop(HillStore::create(&path, &record).expect("a new store"));
    let served = Served::showing(folder, vec![path.clone()], RequestLimits::default());
    assert!(served.get("/hills/live").body().contains("No run has been played yet"));
    let mut stream = served.connect();
    let host = served.address;
    write!(stream, "GET /hills/live/live HTTP/1.1\r\nHost: {host}\r\n\r\n").expect("it is sent");
    let mut stream = BufReader::new(stream);
    let begun = next_version(&mut stream, "");

    let store = HillStore::open_to_write(&path).expect("no other process plays");
    let writer = store.begin_run(Vec::new(), true).expect("it can be written");
    let stop = AtomicBool::new(false);
    let options = RunOptions {
        jobs: Jobs::Exactly(1),
        max_play_offs: MAX_PLAY_OFFS,
        stop: &stop,
        deadline: None,
    };
    let mut seen = (String::new(), 0);
    run(&hill, options, &mut |event| {
        writer.write(&event)?;
        if let dicehill_arena::Event::Played(played, _) = event
            && played.record.fixture.game == 200
        {
            writer.flush()?;
            let version = next_version(&mut stream, &begun);
            wait_until("half of the games are shown", || {
                let document = served.json("/api/v1/hills/live");
                seen =
                    (version.clone(), document["board"]["progress"]["games"].as_u64().unwrap_or(0));
                let state = document["board"]["progress"]["state"].clone();
                state == "playing" && seen.1 == 200
            });
            let board = served.json("/api/v1/hills/live")["board"].clone();
            assert_eq!(board["champion"], serde_json::Value::Null, "no champion before the end");
            assert_eq!(board["seed"], serde_json::Value::Null, "dice follow from it");
            assert_eq!(board["progress"]["of"], 400);
        }
        Ok(())
    })
    .expect("it is played");
    drop(writer);
    assert_eq!(seen.1, 200);
    next_version(&mut stream, &seen.0);
    wait_until("the end is shown", || {
        served.json("/api/v1/hills/live")["board"]["progress"]["state"] == "ended"
    });
    let shown = served.json("/api/v1/hills/live")["board"].clone();
    let store = HillStore::open(&path).expect("it can be read");
    let result = store.run(1).expect("the run").result.expect("its result");
    let result: serde_json::Value = serde_json::from_str(&result).expect("JSON");
    assert_eq!(shown["champion"], result["champion"]);
    assert_eq!(shown["records"], result["records"]);
    let rows = |document: &serde_json::Value, key: &str| {
        let rows = document[key].as_array().expect("rows").clone();
        let row = |row: &serde_json::Value| (row["bot"].clone(), row["points"].clone());
        rows.iter().map(row).collect::<Vec<_>>()
    };
    assert_eq!(rows(&shown, "rows"), rows(&result, "standings"));
    assert!(
        served
            .ask_metrics("/metrics", "localhost")
            .body()
            .contains("dicehill_run_games{hill=\"live\"} 4")
    );
}
