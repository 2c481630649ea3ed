//! Games and lists of games through requests.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use dicehill_arena::HillDraft;
use serde_json::Value;
use tower::ServiceExt;

use super::test_hill::{HOSTILE, TestHill, liars_dice, yahtzee};
use crate::Config;
use crate::entries::admission::UploadAdmission;
use crate::hills::Hills;
use crate::pages::links::escaped;
use crate::site::Site;

/// A server of one hill with the address `spring`.
fn served(hill: &TestHill) -> Router {
    let hills = vec![hill.path.clone()];
    let config = Config { hills: hills.clone(), ..Config::default() };
    let hills = Hills::open(&hills).expect("hills");
    let uploads = UploadAdmission::open(&config, &hills).expect("queues");
    crate::server::router(&Site::new(config, hills, uploads))
}

async fn get(server: &Router, address: &str) -> (StatusCode, String, String) {
    let request = Request::get(address).header(header::HOST, "localhost");
    let request = request.body(Body::empty()).expect("a request");
    let answer = server.clone().oneshot(request).await.expect("an answer");
    let (status, kind) = (answer.status(), answer.headers()[header::CONTENT_TYPE].clone());
    assert!(answer.headers().contains_key(header::CONTENT_SECURITY_POLICY));
    let body = to_bytes(answer.into_body(), 1 << 24).await.expect("a body");
    let kind = kind.to_str().expect("a kind").to_owned();
    (status, kind, String::from_utf8(body.to_vec()).expect("text"))
}

async fn json(server: &Router, address: &str) -> Value {
    let (status, kind, body) = get(server, address).await;
    assert_eq!((status, kind.as_str()), (StatusCode::OK, "application/json"), "{address}: {body}");
    serde_json::from_str(&body).expect("JSON")
}

const GAMES: &str = "/api/v1/hills/spring/runs/1/games";

fn numbers(list: &Value) -> Vec<u64> {
    let games = list["games"].as_array().expect("games");
    games.iter().map(|game| game["number"].as_u64().expect("a number")).collect()
}

#[tokio::test]
async fn lists_of_games_link_to_each_other() {
    let hill = TestHill::liars_dice(130);
    let server = served(&hill);
    let bot = escaped(HOSTILE);
    for (query, bot) in [(String::new(), None), (format!("bot={bot}&"), Some(HOSTILE))] {
        let of_bot = |seats: &[String]| bot.is_none_or(|bot| seats.contains(&bot.to_owned()));
        let lines = hill.outcomes();
        let wanted: Vec<_> =
            lines.iter().filter(|line| of_bot(&line.seats)).map(|line| line.game).collect();
        let (mut up, mut from) = (Vec::new(), Some(1));
        while let Some(first) = from {
            let list = json(&server, &format!("{GAMES}?{query}from={first}")).await;
            up.extend(numbers(&list));
            from = list["from"].as_u64();
            assert!(numbers(&list).len() <= 50 && list["count"] == 130);
        }
        assert_eq!(up, wanted);
        let (mut down, mut before) = (Vec::new(), Some(131));
        while let Some(behind) = before {
            let list = json(&server, &format!("{GAMES}?{query}before={behind}")).await;
            down.extend(numbers(&list).into_iter().rev());
            before = list["before"].as_u64();
        }
        down.reverse();
        assert_eq!(down, wanted);
    }
    let first = json(&server, GAMES).await;
    assert_eq!(
        (numbers(&first).len(), &first["before"], &first["from"]),
        (50, &Value::Null, &51.into())
    );
    for asked in ["before=1", "from=131", "before=0"] {
        assert_eq!(numbers(&json(&server, &format!("{GAMES}?{asked}")).await), [] as [u64; 0]);
    }
}

#[tokio::test]
async fn lists_agree_with_the_stored_lines() {
    let hill = TestHill::liars_dice(20);
    let server = served(&hill);
    let list = json(&server, GAMES).await;
    let mut failures = 0;
    for (row, line) in list["games"].as_array().expect("games").iter().zip(hill.outcomes()) {
        assert_eq!(row["seats"], serde_json::json!(line.seats));
        let won: Vec<_> = (0..line.seats.len()).filter(|seat| line.won(*seat)).collect();
        assert_eq!(row["won"], serde_json::json!(won));
        assert_eq!(row["failures"].as_array().map(Vec::len), Some(line.failures.len()));
        failures += line.failures.len();
    }
    assert!(failures > 0);
    let (status, kind, page) = get(&server, "/hills/spring/runs/1/games").await;
    assert_eq!((status, kind.as_str()), (StatusCode::OK, "text/html; charset=utf-8"));
    assert!(page.contains("malformed-answer") && page.contains("/hills/spring/runs/1/games/20\""));
    assert!(!page.contains("<img"), "{page}");
}

#[tokio::test]
async fn games_are_served_as_documents_and_as_pages() {
    for hill in [TestHill::yahtzee(2), TestHill::liars_dice(2)] {
        let server = served(&hill);
        for document in hill.documents() {
            let number = document.number;
            let game = json(&server, &format!("{GAMES}/{number}")).await;
            assert_eq!(game, serde_json::to_value(&document).expect("a document"));
            let (status, _, page) =
                get(&server, &format!("/hills/spring/runs/1/games/{number}")).await;
            assert_eq!(status, StatusCode::OK);
            assert!(page.contains("id=\"move-1\"") && page.contains("replay.js"));
        }
    }
}

#[tokio::test]
async fn games_without_moves_show_their_results() {
    let hill = TestHill::played(HillDraft { games: 40, ..liars_dice("s") }, false);
    let failed = hill.outcomes().into_iter().find(|line| !line.failures.is_empty());
    let failed = failed.expect("one bot fails in every thirteenth game").game;
    let server = served(&hill);
    let list = json(&server, GAMES).await;
    assert_eq!((numbers(&list).len(), &list["keeps_moves"]), (40, &false.into()));
    let game = json(&server, &format!("{GAMES}/{failed}")).await;
    assert_eq!(game["replay"], Value::Null);
    let (status, _, page) = get(&server, &format!("/hills/spring/runs/1/games/{failed}")).await;
    assert_eq!(status, StatusCode::OK);
    assert!(page.contains("The moves of this game were not kept"), "{page}");
    assert!(page.contains("&lt;b&gt;nonsense") && !page.contains("<b>nonsense"), "{page}");
}

#[tokio::test]
async fn games_before_a_bar_do_not_count() {
    let mut draft = HillDraft { games: 5, ..yahtzee("s") };
    let inner = draft.entrants[0].program.clone();
    draft.entrants.push(super::test_hill::failing("late", &inner, |game| game == 3));
    let hill = TestHill::played(draft, true);
    let server = served(&hill);
    let list = json(&server, GAMES).await;
    assert_eq!(numbers(&list), [1, 2, 3, 4, 5]);
    assert!(!list["games"].to_string().contains("late"));
    let bar = json(&server, "/api/v1/hills/spring/runs/1/bars/1").await;
    assert_eq!((&bar["void"], &bar["number"]), (&true.into(), &3.into()));
    let (status, _, page) = get(&server, "/hills/spring/runs/1/bars/1").await;
    assert!(status.is_success() && page.contains("late is barred in game 3"), "{page}");
    let (_, _, board) = get(&server, "/hills/spring/runs/1").await;
    assert!(board.contains("href=\"/hills/spring/runs/1/bars/1\""), "{board}");
    let (_, _, bot) = get(&server, "/hills/spring/runs/1/bots/late").await;
    assert!(bot.contains("href=\"/hills/spring/runs/1#bars\""), "{bot}");
    for number in [0, 2] {
        let (status, ..) = get(&server, &format!("/hills/spring/runs/1/bars/{number}")).await;
        assert_eq!(status, StatusCode::NOT_FOUND);
    }
}

#[tokio::test]
async fn missing_games_are_not_found() {
    let hill = TestHill::yahtzee(2);
    let server = served(&hill);
    for part in [
        "/hills/autumn/runs/1/games",
        "/hills/spring/runs/2/games",
        "/hills/spring/runs/1/games/3",
        "/hills/spring/runs/1/games/0",
        "/hills/spring/runs/1/games/18446744073709551615",
        "/hills/spring/runs/1/games/first",
        "/hills/spring/runs/1/games?bot=nobody",
    ] {
        let (status, kind, body) = get(&server, &format!("/api/v1{part}")).await;
        assert_eq!((status, kind.as_str()), (StatusCode::NOT_FOUND, "application/json"), "{part}");
        let refused: Value = serde_json::from_str(&body).expect("JSON");
        assert!(refused["error"].is_string(), "{body}");
        let (status, kind, _) = get(&server, part).await;
        assert_eq!((status, kind.as_str()), (StatusCode::NOT_FOUND, "text/html; charset=utf-8"));
    }
    let last = Request::get("/hills/spring/games?from=2").header(header::HOST, "localhost");
    let last = last.body(Body::empty()).expect("a request");
    let last = server.clone().oneshot(last).await.expect("an answer");
    assert_eq!(last.headers()[header::LOCATION], "/hills/spring/runs/1/games?from=2");
}
