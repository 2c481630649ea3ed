//! Two people in two browsers and two connected bots over networks that delay, cut and reorder connections.

use std::time::Duration;

use fantoccini::key::Key;
use serde_json::Value;

use crate::browser::chromium::Chromium;
use crate::browser::driver::Driver;
use crate::browser::play_page::{IS_IDLE, IS_YOUR_TURN, create_table, play_at_once};
use crate::entry::Server;
use crate::entry::remote::{Connected, open_hill};
use crate::support::bad_network::{BadNetwork, Lost};
use crate::support::machine::can_isolate;
use crate::support::running::wait_for;
use crate::support::{Scratch, parse_json};

const ACTION: &str = "POST /api/v1/tables/";
const VIEW: &str = "GET /api/v1/tables/";

/// What the network loses during the game besides old connections.
const LOSSES: [(&str, Lost); 6] = [
    (ACTION, Lost::Request),
    (ACTION, Lost::Answer),
    (VIEW, Lost::Request),
    (VIEW, Lost::Answer),
    (ACTION, Lost::Answer),
    (ACTION, Lost::Request),
];

#[test]
fn people_and_bots_play_over_networks_that_delay_and_cut() {
    if !can_isolate() {
        return;
    }
    let (scratch, token) = open_hill("6");
    let second = scratch.run_ok(&["token", "new", "h.db", "--name", "second"]).out;
    let server = Server::start(&scratch);
    let of_bots = BadNetwork::to(server.address, Duration::from_millis(1), Duration::from_secs(5));
    of_bots.cut();
    let tokens = [("One", token.as_str()), ("Two", second.trim())];
    let connected = tokens
        .map(|(name, token)| Connected::start(&scratch, of_bots.address, token, &["--name", name]));
    let life = Duration::from_millis(1500);
    let of_people = BadNetwork::to(server.address, Duration::from_millis(20), life);
    play_a_table(&scratch, &server, &of_people);
    for connected in &connected {
        let (entry, report) = server.final_entry(connected.entry());
        assert_eq!(entry["state"], "done", "{report}");
    }
    for row in wait_for("a run with both bots", || rows_of_both(&scratch)) {
        assert_eq!(row["barred"], Value::Null, "{row:#}");
    }
    assert!(of_bots.cuts() > 4 && of_people.cuts() > 20, "the networks were bad");
    connected.into_iter().for_each(Connected::interrupt);
    server.shut_down();
}

/// Plays a game of Liar's Dice between two browsers, which end with the same result; each key press is one move.
fn play_a_table(scratch: &Scratch, server: &Server, network: &BadNetwork) {
    let driver = Driver::start(scratch);
    let people @ [maker, friend] = &["maker", "friend"].map(|name| Chromium::start(&driver, name));
    maker.open(&format!("http://{}/play", network.address));
    create_table(maker, "liars-dice", "Ada", &["person"]);
    friend.open(&maker.evaluate_text("return document.getElementById('link').value"));
    play_at_once(friend);
    friend.open(&friend.evaluate_text("return location.href"));
    friend.wait_until("document.getElementById('sit')");
    friend.type_into("#sit-name", "Grace");
    friend.click("#sit");
    friend.wait_until("document.getElementById('turn').textContent !== ''");
    network.cut();
    let path = friend.evaluate_text("return `/api/v1${location.pathname}`");
    let (mut moves, mut losses) = (0, 0);
    while let Some(actor) = wait_for("a turn or the end", || next_actor(people)) {
        if let Some(&(start, lost)) = LOSSES.get(losses)
            && !network.is_losing()
        {
            network.lose(start, lost);
            losses += 1;
        }
        let button = if actor.has("#call") { "#call" } else { "#bid" };
        // By key, because a second click at the same place would be a double click.
        actor.evaluate(&format!("document.querySelector('{button}').focus()"));
        actor.press(Key::Enter);
        actor.wait_until(IS_IDLE);
        moves += 1;
        let (status, table) = server.request(&format!("GET {path}"), b"");
        let events = parse_json(&table)["happenings"].clone();
        let last = events.as_array().and_then(|events| events.last());
        let number = last.and_then(|event| event["number"].as_u64());
        assert_eq!((status, number), (200, Some(moves)), "{table}");
    }
    let results =
        |browser: &Chromium| browser.texts("#results tbody tr").join(" ").replace(" (you)", "");
    assert_eq!(results(maker), results(friend));
    assert!(losses == LOSSES.len() && !network.is_losing(), "{moves} moves, {losses} losses");
}

/// The browser whose turn it is, as its page shows; none at the end of the game, which both pages show. Nothing if neither is shown yet.
fn next_actor(people: &[Chromium; 2]) -> Option<Option<&Chromium>> {
    let is_turn = format!("return Boolean({IS_IDLE} && {IS_YOUR_TURN})");
    if let Some(actor) = people.iter().find(|browser| browser.evaluate(&is_turn) == true) {
        return Some(Some(actor));
    }
    people.iter().all(|browser| browser.has("#results")).then_some(None)
}

/// The rows of both connected bots in the last run, once it is complete.
fn rows_of_both(scratch: &Scratch) -> Option<[Value; 2]> {
    let shown = scratch.run(&["hill", "show", "h.db", "--format", "json"]);
    let document = (shown.code == 0).then(|| shown.json())?;
    let rows = document["standings"].as_array()?;
    let played =
        |bot: &str| rows.iter().find(|row| row["bot"] == bot && row["games"] == 6).cloned();
    Some([played("One")?, played("Two")?])
}
