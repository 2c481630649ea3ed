//! Tables as browsers and programs use them.

mod hidden;

use std::collections::BTreeMap;
use std::net::SocketAddr;

use axum::Router;
use axum::body::{Body, BodyDataStream, to_bytes};
use axum::http::{HeaderValue, Method, Request, Response};
use serde_json::{Value, json};
use tower::ServiceExt;

use super::*;
use crate::entries::admission::UploadAdmission;
use crate::hills::Hills;
use crate::{Config, server};

fn server() -> Router {
    server_of(Config::default())
}

fn server_of(config: Config) -> Router {
    let hills = Hills::open(&[]).unwrap();
    let peer = SocketAddr::from(([127, 0, 0, 1], 4711));
    let uploads = UploadAdmission::open(&config, &hills).unwrap();
    server::router(&Site::new(config, hills, uploads)).layer(Extension(peer))
}

/// A client with its own cookies.
struct Browser {
    router: Router,
    cookies: BTreeMap<String, String>,
}

impl Browser {
    fn new(router: &Router) -> Self {
        Self { router: router.clone(), cookies: BTreeMap::new() }
    }

    async fn send(&mut self, request: Request<Body>) -> Response<Body> {
        let mut request = request;
        let cookies: Vec<_> =
            self.cookies.iter().map(|(key, value)| format!("{key}={value}")).collect();
        request.headers_mut().insert(header::COOKIE, cookies.join("; ").parse().unwrap());
        request.headers_mut().entry(header::HOST).or_insert(HeaderValue::from_static("localhost"));
        let response = self.router.clone().oneshot(request).await.unwrap();
        for cookie in response.headers().get_all(header::SET_COOKIE) {
            let (pair, terms) = cookie.to_str().unwrap().split_once(';').unwrap();
            assert_eq!(terms, " HttpOnly; SameSite=Strict; Path=/; Max-Age=86400");
            let (key, value) = pair.split_once('=').unwrap();
            self.cookies.insert(key.to_owned(), value.to_owned());
        }
        response
    }

    async fn get(&mut self, path: &str) -> (u16, Value) {
        read(self.send(Request::get(path).body(Body::empty()).unwrap()).await).await
    }

    async fn post(&mut self, path: &str, body: &Value) -> (u16, Value) {
        let request = Request::builder().method(Method::POST).uri(path);
        let request = request.header(header::CONTENT_TYPE, "application/json");
        read(self.send(request.body(Body::from(body.to_string())).unwrap()).await).await
    }

    async fn open(&mut self, order: &Value) -> Table {
        let (status, made) = self.post("/api/v1/tables", order).await;
        assert_eq!(status, 201, "{made}");
        let id = made["id"].as_str().unwrap().to_owned();
        assert_eq!(made["page"], format!("/tables/{id}"));
        Table(format!("/api/v1/tables/{id}"))
    }

    async fn sit(&mut self, table: &Table, name: &str) -> (u16, Value) {
        self.post(&table.part("/seats"), &json!({ "name": name })).await
    }

    async fn look(&mut self, table: &Table) -> Value {
        let (status, document) = self.get(&table.0).await;
        assert_eq!(status, 200, "{document}");
        document
    }

    async fn act(&mut self, table: &Table, action: &str, known: &Value) -> (u16, Value) {
        let request = json!({ "action": action, "move": known });
        self.post(&table.part("/actions"), &request).await
    }

    /// The stream of the table's versions.
    async fn listen(&mut self, table: &Table) -> Events {
        let request = Request::get(table.part("/events")).body(Body::empty()).unwrap();
        let response = self.send(request).await;
        assert_eq!(response.headers()[header::CONTENT_TYPE], "text/event-stream");
        Events(response.into_body().into_data_stream())
    }
}

/// The address of a table in the API.
struct Table(String);

impl Table {
    fn part(&self, part: &str) -> String {
        format!("{}{part}", self.0)
    }
}

struct Events(BodyDataStream);

impl Events {
    async fn next(&mut self) -> Option<u64> {
        let event = self.0.next().await?.unwrap();
        let text = std::str::from_utf8(&event).unwrap();
        let number = text.strip_prefix("data: ").and_then(|rest| rest.strip_suffix("\n\n"));
        Some(number.unwrap_or_else(|| panic!("{text:?}")).parse().unwrap())
    }
}

async fn read(response: Response<Body>) -> (u16, Value) {
    let status = response.status().as_u16();
    let bytes = to_bytes(response.into_body(), 1 << 24).await.unwrap();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

fn is_over(document: &Value) -> bool {
    document["stage"] == "over"
}

/// Anna makes a table for two, and Berta sits down.
async fn two(game: &str) -> (Browser, Browser, Table) {
    let router = server();
    let (mut anna, mut berta) = (Browser::new(&router), Browser::new(&router));
    let order = json!({ "game": game, "people": 2, "name": "Anna" });
    let table = anna.open(&order).await;
    let (status, document) = berta.sit(&table, "Berta").await;
    assert_eq!(status, 201, "{document}");
    assert_eq!(document["stage"], "playing");
    (anna, berta, table)
}

/// Plays to the end; `choose` returns the action of the player to move. Returns the number of moves.
async fn play(
    (anna, berta): (&mut Browser, &mut Browser),
    table: &Table,
    choose: impl Fn(&Value) -> String,
) -> usize {
    let mut moves = 0;
    loop {
        let seen = [anna.look(table).await, berta.look(table).await];
        if seen.iter().all(is_over) {
            return moves;
        }
        let mover = seen.iter().position(|seen| seen["turn"] == seen["you"]).unwrap();
        let (own, other) = (&seen[mover], &seen[1 - mover]);
        assert!(other["yahtzee"]["turn"].is_null() && other["liars_dice"]["turn"].is_null());
        let browser = if mover == 0 { &mut *anna } else { &mut *berta };
        let (status, after) = browser.act(table, &choose(own), &own["moves"]).await;
        assert_eq!(status, 200, "{after}");
        assert_eq!(after["moves"], own["moves"].as_u64().unwrap() + 1);
        moves += 1;
    }
}

#[tokio::test]
async fn two_people_play_yahtzee() {
    let (mut anna, mut berta, table) = two("yahtzee").await;
    assert_eq!(anna.get(&table.part("/report")).await.0, 409);
    let choose = |own: &Value| {
        let turn = &own["yahtzee"]["turn"];
        if turn["rolls_left"] == 2 {
            return "034".to_owned();
        }
        let boxes = own["yahtzee"]["card"]["boxes"].as_array().unwrap();
        let free = boxes.iter().find(|one| !one["now"].is_null()).unwrap();
        free["category"].as_str().unwrap().to_owned()
    };
    assert_eq!(play((&mut anna, &mut berta), &table, choose).await, 2 * 2 * 13);
    let end = anna.look(&table).await;
    let (status, report) = Browser::new(&anna.router).get(&table.part("/report")).await;
    assert_eq!(status, 200);
    assert_eq!(report["moves"].as_array().unwrap().len(), 52);
    for player in 0..2 {
        let of = &report["yahtzee"][player];
        let score = end["results"][player]["figures"]["score"].as_f64().unwrap();
        let [best, luck, lost] =
            ["best_play", "luck", "lost"].map(|part| of[part].as_f64().unwrap());
        assert_eq!(of["score"].as_f64(), Some(score));
        assert!((best + luck - lost - score).abs() < 1e-6, "{of}");
        assert_eq!(end["yahtzee"]["cards"][player]["score"].as_f64(), Some(score));
    }
    let (status, refused) = anna.act(&table, "-", &end["moves"]).await;
    assert_eq!((status, &refused["error"]), (409, &json!("the game has ended")));
    assert_eq!(anna.get(&table.part("/hint")).await.0, 409);
}

#[tokio::test]
async fn two_people_play_liars_dice() {
    let (mut anna, mut berta, table) = two("liars-dice").await;
    let choose = |own: &Value| {
        let turn = &own["liars_dice"]["turn"];
        let lowest = &turn["lowest"];
        if turn["may_call"] == true && lowest["count"].as_u64() > Some(3) {
            return "Liar!".to_owned();
        }
        format!("{} 6", lowest["count"])
    };
    let moves = play((&mut anna, &mut berta), &table, choose).await;
    let end = anna.look(&table).await;
    let winner = end["liars_dice"]["winner"].as_u64().unwrap() as usize;
    assert_eq!(end["results"][winner]["won"], true);
    assert!(end["results"][winner]["points"].as_u64() >= Some(1000));
    let (_, report) = anna.get(&table.part("/report")).await;
    let all = report["moves"].as_array().unwrap();
    assert_eq!(all.len(), moves);
    let calls = all.iter().filter(|one| one["action"] == "Liar!").count() as u64;
    let sum = |figure: &str| -> u64 {
        let of = report["liars_dice"].as_array().unwrap().iter();
        of.map(|one| one[figure].as_u64().unwrap()).sum()
    };
    assert_eq!(sum("calls_right") + sum("calls_wrong"), calls);
    assert_eq!((sum("bids_fallen"), sum("bids_held")), (sum("calls_right"), sum("calls_wrong")));
    assert_eq!(sum("turns"), moves as u64);
    assert_eq!(report["seed"].as_str().unwrap().len(), 32);
}

#[tokio::test]
async fn bots_play_until_it_is_a_persons_turn() {
    let router = server();
    let mut anna = Browser::new(&router);
    let opponents = json!(["bayes", "honest", "bayes"]);
    // With this seed bots bid before Anna, and do not call.
    let order =
        json!({ "game": "liars-dice", "opponents": opponents, "name": "Anna", "seed": "2" });
    let table = anna.open(&order).await;
    let mut events = anna.listen(&table).await;
    let first = anna.look(&table).await;
    let mut names: Vec<_> = first["players"].as_array().unwrap().iter().collect();
    names.sort_by_key(|player| player["name"].as_str());
    let names: Vec<_> = names.iter().map(|player| player["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Anna", "bayes", "bayes 2", "honest"]);
    let mut seen = 0;
    loop {
        let document = anna.look(&table).await;
        if is_over(&document) || document["turn"] == document["you"] {
            break;
        }
        let version = events.next().await.unwrap();
        assert!(version > seen, "versions rise");
        seen = version;
    }
    let document = anna.look(&table).await;
    let bids = document["liars_dice"]["bids"].as_array().unwrap();
    let events_shown = document["happenings"].as_array().unwrap();
    assert_eq!(bids.len(), events_shown.len(), "no call yet: {document}");
    let (status, hint) = anna.get(&table.part("/hint")).await;
    assert_eq!(status, 200, "{hint}");
    let choices = hint["choices"].as_array().unwrap();
    assert!(!bids.is_empty());
    assert_eq!(choices.len(), 7, "a call, and a bid on each face");
    let chances: Vec<_> = choices.iter().map(|one| one["chance"].as_f64().unwrap()).collect();
    assert!(chances.is_sorted_by(|a, b| a >= b) && chances[0] <= 1.0, "{chances:?}");
}

#[tokio::test]
async fn a_hint_of_yahtzee_can_be_played() {
    let router = server();
    let mut anna = Browser::new(&router);
    let table = anna.open(&json!({ "game": "yahtzee" })).await;
    for known in 0..6 {
        let (status, hint) = anna.get(&table.part("/hint")).await;
        assert_eq!(status, 200, "{hint}");
        let best = &hint["choices"][0];
        assert_eq!(best["loss"], 0.0);
        let action = best["action"].as_str().unwrap();
        let (status, after) = anna.act(&table, action, &json!(known)).await;
        assert_eq!(status, 200, "{after}");
    }
}

#[tokio::test]
async fn only_the_player_to_move_may_act() {
    let (mut anna, mut berta, table) = two("liars-dice").await;
    let mut stranger = Browser::new(&anna.router);
    let seen = stranger.look(&table).await;
    assert!(seen["you"].is_null() && seen["liars_dice"]["dice"].is_null());
    assert_eq!(stranger.act(&table, "1 1", &json!(0)).await.0, 403);
    assert_eq!(stranger.get(&table.part("/hint")).await.0, 403);
    let (status, refused) = stranger.sit(&table, "Carla").await;
    assert_eq!((status, &refused["error"]), (409, &json!("all seats at this table are taken")));

    let other = stranger.open(&json!({ "game": "liars-dice", "opponents": ["random"] })).await;
    let (_, token) = stranger.cookies.pop_first().unwrap();
    assert!(stranger.look(&other).await["you"].is_null(), "without its cookie");
    let (name, own) = anna.cookies.clone().pop_first().unwrap();
    let refuse = [token, String::new(), own.to_uppercase() + "0", "0".repeat(32)];
    for wrong in refuse {
        stranger.cookies = BTreeMap::from([(name.clone(), wrong)]);
        assert!(stranger.look(&table).await["you"].is_null());
        assert_eq!(stranger.act(&table, "1 1", &json!(0)).await.0, 403);
    }

    let turn = anna.look(&table).await;
    let first = turn["turn"] == turn["you"];
    let (mover, waiting) = if first { (&mut anna, &mut berta) } else { (&mut berta, &mut anna) };
    let before = mover.look(&table).await;
    let (status, refused) = waiting.act(&table, "1 1", &json!(0)).await;
    assert_eq!((status, &refused["error"]), (409, &json!("it is not your turn")));
    assert_eq!(waiting.get(&table.part("/hint")).await.0, 409);
    let (status, refused) = mover.act(&table, "Liar!", &json!(0)).await;
    let why = "\"Liar!\" without a bid: the first action of a round is a bid";
    assert_eq!((status, &refused["error"]), (400, &json!(why)));
    assert_eq!(mover.act(&table, "0 1", &json!(0)).await.0, 400);
    assert_eq!(mover.act(&table, "2 5", &json!(7)).await.0, 409);
    assert_eq!(mover.look(&table).await, before, "what is refused changes nothing");
    assert_eq!(mover.act(&table, "2 5", &json!(0)).await.0, 200);
    assert_eq!(mover.act(&table, "2 6", &json!(0)).await.0, 409, "a double click");
    assert_eq!(waiting.act(&table, "2 5", &json!(0)).await.0, 400, "not higher");
}

#[tokio::test]
async fn invalid_table_options_are_refused() {
    let router = server();
    let mut anna = Browser::new(&router);
    for (order, why) in [
        (json!({ "game": "chess" }), "unknown game \"chess\": yahtzee or liars-dice"),
        (
            json!({ "game": "yahtzee", "rules": "house" }),
            "no such rules: \"house\"; Yahtzee has official and mego-2016",
        ),
        (
            json!({ "game": "yahtzee", "opponents": ["bayes"] }),
            "no such house bot for Yahtzee: \"bayes\"; there are aces-and-eights, dummy, greedy, random, optimal, winner",
        ),
        (json!({ "game": "liars-dice" }), "1 players: Liar's Dice is for 2 to 5 here"),
        (
            json!({ "game": "yahtzee", "people": u64::MAX, "opponents": ["greedy"] }),
            "18446744073709551615 players: Yahtzee is for 1 to 5 here",
        ),
        (
            json!({ "game": "yahtzee", "people": 0, "opponents": ["greedy"] }),
            "a table needs at least a seat for you: \"people\" must be 1 or more",
        ),
        (json!({ "game": "yahtzee", "seed": "" }), "a seed must have 1 to 100 characters"),
        (
            json!({ "game": "yahtzee", "seed": "x".repeat(101) }),
            "a seed must have 1 to 100 characters",
        ),
    ] {
        let (status, refused) = anna.post("/api/v1/tables", &order).await;
        assert_eq!((status, &refused["error"]), (400, &json!(why)));
    }
    let taken = json!({ "game": "yahtzee", "name": "greedy", "opponents": ["greedy"] });
    let (status, refused) = anna.post("/api/v1/tables", &taken).await;
    let why = "another player at the table already has the name \"greedy\"";
    assert_eq!((status, &refused["error"]), (409, &json!(why)));
    let (status, refused) =
        anna.post("/api/v1/tables", &json!({ "game": "yahtzee", "x": 1 })).await;
    assert_eq!(status, 400, "{refused}");
    assert!(anna.cookies.is_empty());
}

#[tokio::test]
async fn malformed_requests_are_refused() {
    let router = server();
    let mut anna = Browser::new(&router);
    for path in ["", "/hint", "/report", "/events"] {
        for id in ["0", "%00", "00000000000000000000000000000000", "ÄÄÄÄÄÄÄÄ"] {
            let id = crate::pages::links::escaped(id);
            assert_eq!(anna.get(&format!("/api/v1/tables/{id}{path}")).await.0, 404, "{id}{path}");
        }
    }
    let giant = json!({ "game": "yahtzee", "name": "x".repeat(1 << 20) });
    let (status, refused) = anna.post("/api/v1/tables", &giant).await;
    assert_eq!(status, 413);
    assert!(refused["error"].is_string(), "{refused}");
    let request = Request::post("/api/v1/tables").header(header::CONTENT_TYPE, "application/json");
    let (status, refused) = read(anna.send(request.body(Body::from("{")).unwrap()).await).await;
    assert_eq!(status, 400);
    assert!(refused["error"].is_string(), "{refused}");
    let plain = Request::post("/api/v1/tables").body(Body::from("{\"game\":\"yahtzee\"}")).unwrap();
    assert_eq!(read(anna.send(plain).await).await.0, 400, "a form of another site sends no JSON");
    let table = anna.open(&json!({ "game": "yahtzee", "people": 2 })).await;
    assert_eq!(anna.sit(&table, "again").await.0, 409);
    assert_eq!(anna.act(&table, "-", &json!(0)).await.0, 409, "the game has not begun");
    let mut berta = Browser::new(&router);
    for name in ["\u{202e}", "x".repeat(65).as_str(), "player 1", "Pl\u{430}yer 1"] {
        let (status, refused) = berta.sit(&table, name).await;
        assert_eq!(status, if name.ends_with("yer 1") { 409 } else { 400 }, "{refused}");
        let why = refused["error"].as_str().unwrap_or_default();
        assert!(status == 409 || why.starts_with("the name \""), "a person is no bot: {why}");
    }
    assert_eq!(berta.sit(&table, "").await.0, 201);
}

#[tokio::test]
async fn a_given_seed_is_announced_and_shown_only_at_the_end() {
    let router = server();
    let mut anna = Browser::new(&router);
    let seed = "a seed that nobody guesses";
    let given = anna.open(&json!({ "game": "yahtzee", "seed": seed })).await;
    let document = anna.look(&given).await;
    assert_eq!(document["seed_given"], true);
    assert!(!document.to_string().contains(seed));
    let dice = document["yahtzee"]["turn"]["dice"].clone();
    let same = anna.open(&json!({ "game": "yahtzee", "seed": seed })).await;
    assert_eq!(anna.look(&same).await["yahtzee"]["turn"]["dice"], dice);
    let drawn = anna.open(&json!({ "game": "yahtzee" })).await;
    assert_eq!(anna.look(&drawn).await["seed_given"], false);
}

#[tokio::test]
async fn versions_change_only_for_those_who_see_the_change() {
    let (mut anna, mut berta, table) = two("yahtzee").await;
    let seen = anna.look(&table).await;
    let first = seen["turn"] == seen["you"];
    let (mover, waiting) = if first { (&mut anna, &mut berta) } else { (&mut berta, &mut anna) };
    let (mut own, mut others) = (mover.listen(&table).await, waiting.listen(&table).await);
    let mut visitors = Browser::new(&mover.router).listen(&table).await;
    let begun = own.next().await.unwrap();
    let theirs = others.next().await.unwrap();
    let seen = visitors.next().await.unwrap();
    assert_eq!(mover.act(&table, "-", &json!(0)).await.0, 200);
    assert_eq!(own.next().await, Some(begun + 1));
    assert_eq!(waiting.look(&table).await["version"], theirs, "others do not see a roll");
    assert_eq!(mover.act(&table, "CHANCE", &json!(1)).await.0, 200);
    assert_eq!(own.next().await, Some(begun + 2));
    assert_eq!(others.next().await, Some(theirs + 1));
    assert_eq!(visitors.next().await, Some(seen + 1));
}

#[tokio::test]
async fn the_form_opens_a_table_without_a_script() {
    let router = server();
    let mut anna = Browser::new(&router);
    let (status, form) = anna.get("/play").await;
    let form = form.as_str().unwrap().to_owned();
    assert_eq!(status, 200);
    for part in ["action=\"/play\"", "value=\"badnomial\"", "value=\"mego-2016\"", "name=\"seed\""]
    {
        assert!(form.contains(part), "{part}");
    }
    assert!(!form.contains("<script") && !form.contains("style="));
    let sent = "game=liars-dice&name=Anna&rules=official&seat2=bayes&seat3=&seat4=person&seat5=pirate&seed=";
    let request = Request::post("/play")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header(header::HOST, "localhost")
        .header(header::ORIGIN, "http://localhost");
    let response = anna.send(request.body(Body::from(sent)).unwrap()).await;
    assert_eq!(response.status(), StatusCode::SEE_OTHER);
    let page = response.headers()[header::LOCATION].to_str().unwrap().to_owned();
    let (status, html) = anna.get(&page).await;
    assert_eq!(status, 200);
    assert!(html.as_str().unwrap().contains("<noscript>"));
    let document = anna.look(&Table(format!("/api/v1{page}"))).await;
    assert_eq!((&document["you"], &document["free_seats"]), (&json!(0), &json!(1)));
    let refused = Request::post("/play").body(Body::from("game=chess")).unwrap();
    assert_eq!(anna.send(refused).await.status(), StatusCode::BAD_REQUEST);
    assert_eq!(anna.get("/tables/0").await.0, 404);
}

#[tokio::test]
async fn cookies_are_secure_behind_a_proxy_with_https() {
    let origins = vec!["https://hill.example.org".to_owned()];
    let router = server_of(Config { origins, ..Config::default() });
    for (host, origin, is_secure) in [
        ("hill.example.org", "https://hill.example.org", true),
        // Browsers may send this from pages with `Referrer-Policy: no-referrer`.
        ("hill.example.org", "null", true),
        ("localhost", "http://localhost", false),
    ] {
        let request = Request::post("/play")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::HOST, host)
            .header(header::ORIGIN, origin)
            .header("sec-fetch-site", "same-origin");
        let request = request.body(Body::from("game=yahtzee")).unwrap();
        let response = router.clone().oneshot(request).await.unwrap();
        let cookie = response.headers()[header::SET_COOKIE].to_str().unwrap();
        assert_eq!(cookie.ends_with("; Secure"), is_secure, "{host} {origin}");
        let address = response.headers()[header::LOCATION].to_str().unwrap();
        assert!(address.starts_with("/tables/"), "a redirect names no host: {address}");
    }
}

#[tokio::test]
async fn visitors_behind_a_proxy_open_tables_independently() {
    let trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
    let router = server_of(Config { trusted_proxies, ..Config::default() });
    let status = async |client: &str| {
        let request = Request::post("/api/v1/tables")
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::HOST, "localhost")
            .header("x-forwarded-for", client);
        let request = request.body(Body::from("{\"game\":\"yahtzee\"}")).unwrap();
        router.clone().oneshot(request).await.unwrap().status().as_u16()
    };
    for spoofed in 0..30 {
        status(&format!("192.0.2.{spoofed}, 203.0.113.7")).await;
    }
    assert_eq!(status("203.0.113.7").await, 429);
    assert_eq!(status("203.0.113.8").await, 201);
}

#[tokio::test]
async fn opening_tables_is_rate_limited() {
    let router = server();
    let mut anna = Browser::new(&router);
    let order = json!({ "game": "yahtzee" });
    let mut made = 0;
    while anna.post("/api/v1/tables", &order).await.0 == 201 {
        made += 1;
        assert!(made < 100, "at most twenty at once, and one every three seconds");
    }
    let (status, refused) = anna.post("/api/v1/tables", &order).await;
    assert_eq!(status, 429, "{refused}");
    assert!(made >= 20);
}
