//! Two people in two browsers at one table of Liar's Dice, and what the server sends to each.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::browser::chromium::Chromium;
use crate::browser::page_checks::check_page;
use crate::browser::play_page::{click_and_wait, create_table, play_at_once, wait_for_turn};
use crate::browser::test_server::TestServer;
use crate::support::running::wait_for;

/// Checked moves: enough rounds for hands of several sizes.
const MOVES: usize = 14;

/// A table, the browsers of its players, and the path of its document.
struct Table {
    server: TestServer,
    people: [Chromium; 2],
    path: String,
}

impl Table {
    /// A table that one player has created and whose link the other has opened.
    #[track_caller]
    fn create() -> Self {
        let mut server = TestServer::new(&[], |_| {});
        let people = ["maker", "friend"].map(|name| server.browser(name));
        let [maker, friend] = &people;
        maker.open(&server.address("/play"));
        create_table(maker, "liars-dice", "Ada", &["person"]);
        assert_eq!(maker.text("#turn"), "Waiting for one more player");
        friend.open(&maker.evaluate_text("return document.getElementById('link').value"));
        play_at_once(friend);
        friend.open(&friend.evaluate_text("return location.href"));
        let path = format!("/api/v1{}", friend.evaluate_text("return location.pathname"));
        friend.wait_until("document.getElementById('sit')");
        Self { server, people, path }
    }

    /// The table as the server sends it to each player.
    fn documents(&self) -> [Value; 2] {
        self.people.each_ref().map(|browser| browser.fetch(&self.path))
    }

    /// The table as the server sends it to a client without cookie.
    #[track_caller]
    fn document_of_visitor(&self) -> Value {
        let mut stream =
            TcpStream::connect(self.server.host()).expect("the server takes everybody");
        let (path, host) = (&self.path, self.server.host());
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("the server listens");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("the server answers");
        let (head, body) = answer.split_once("\r\n\r\n").expect("an answer has a body");
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
        assert!(!head.to_ascii_lowercase().contains("set-cookie"), "{head}");
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {body}"))
    }

    /// Waits until both pages show the same state; returns the browser whose turn it is, or none if the game is over.
    #[track_caller]
    fn whose_turn(&self) -> Option<usize> {
        let [one, _] = self.documents();
        if one["stage"] != "playing" {
            return None;
        }
        let place = |table: &Value| table["you"].as_u64().expect("both sit there");
        let turn = one["turn"].as_u64().expect("the game has a turn");
        let actor = if place(&one) == turn { 0 } else { 1 };
        assert!(wait_for_turn(&self.people[actor]), "it is the turn of browser {actor}");
        let waits = "document.getElementById('turn').textContent.endsWith('is to move …')";
        self.people[1 - actor].wait_until(waits);
        Some(actor)
    }
}

#[test]
fn hidden_dice_are_never_sent_to_other_players() {
    let table = Table::create();
    let [_, friend] = &table.people;
    check_nothing_is_sent(&table.document_of_visitor());
    for browser in &table.people {
        check_page(browser, "a table that waits");
    }
    friend.type_into("#sit-name", "Grace");
    friend.click("#sit");
    wait_for("the game begins", || (table.documents()[0]["stage"] == "playing").then_some(()));
    let (mut bids, mut calls) = (0, 0);
    while bids + calls < MOVES {
        let Some(actor) = table.whose_turn() else { break };
        check_hidden_dice(&table);
        let browser = &table.people[actor];
        check_only_actor_can_act(&table, actor);
        if browser.has("#call") && bids > 3 * calls {
            let documents = table.documents();
            click_and_wait(browser, "#call");
            calls += 1;
            check_hands_after_call(&table, &documents);
        } else {
            click_and_wait(browser, "#bid");
            bids += 1;
        }
    }
    assert!(calls >= 3, "{bids} bids and {calls} calls");
    check_hidden_dice(&table);
    for browser in &table.people {
        // Scripts cannot read the cookie of the seat.
        assert_eq!(browser.evaluate_text("return document.cookie"), "");
        assert_eq!(browser.console_problems(), Vec::<String>::new());
    }
    table.server.expect_no_warnings();
}

/// Answers that the page requested as a visitor arrive after the answer that gives it a seat.
const DELAYED_ANSWERS: &str = "
    const send = window.fetch, wait = (ms) => new Promise((done) => setTimeout(done, ms));
    let isSeated = false;
    window.lateAnswers = 0;
    window.fetch = async (address, options) => {
      if (String(address).endsWith('/seats')) {
        const answer = await send(address, options);
        await wait(1000);
        isSeated = true;
        return answer;
      }
      if (isSeated) return send(address, options);
      const answer = await send(address, { ...options, credentials: 'omit' });
      while (!isSeated) await wait(20);
      await wait(300);
      window.lateAnswers += 1;
      return answer;
    };";

#[test]
fn a_late_answer_to_a_visitor_does_not_replace_the_view_of_a_player() {
    let table = Table::create();
    let [_, friend] = &table.people;
    friend.evaluate(DELAYED_ANSWERS);
    friend.type_into("#sit-name", "Grace");
    friend.click("#sit");
    friend.wait_until("window.lateAnswers > 0");
    let actor = table.whose_turn().expect("the game begins");
    click_and_wait(&table.people[actor], "#bid");
    assert!(table.whose_turn().is_some());
    table.server.expect_no_warnings();
}

/// Expects each client to be sent its own dice, and of the others' dice only those shown by calls in earlier rounds.
#[track_caller]
fn check_hidden_dice(table: &Table) {
    let [mine, yours] = table.documents();
    let visitors = table.document_of_visitor();
    assert!(mine["you"] != yours["you"] && visitors["you"].is_null());
    let [my_dice, your_dice] = [&mine, &yours].map(own_dice);
    for (sent, own, hidden) in [
        (&mine, Some(&my_dice), vec![&your_dice]),
        (&yours, Some(&your_dice), vec![&my_dice]),
        (&visitors, None, vec![&my_dice, &your_dice]),
    ] {
        let now = without_events(sent);
        // Looks at all arrays of numbers, whatever their keys.
        let mut shown = Vec::new();
        number_lists(&now, &mut shown);
        assert_eq!(shown, own.into_iter().collect::<Vec<_>>(), "{now:#}");
        for dice in hidden.into_iter().filter(|dice| Some(*dice) != own) {
            let text = now.to_string();
            assert!(!text.contains(&dice.to_string()), "{dice} in {text}");
        }
    }
    check_nothing_is_sent(&visitors);
}

/// The dice of the document's player.
#[track_caller]
fn own_dice(table: &Value) -> Value {
    let dice = &table["liars_dice"]["dice"];
    let held = table["liars_dice"]["seats"].as_array().expect("seats").iter();
    let held = held.filter(|seat| seat["player"] == table["you"]).map(|seat| &seat["dice"]);
    let count = dice.as_array().expect("both hold dice until the game is over").len();
    assert_eq!(held.collect::<Vec<_>>(), [&json!(count)]);
    dice.clone()
}

/// The document without its events, which may hold hands of earlier rounds.
#[track_caller]
fn without_events(table: &Value) -> Value {
    let round = table["liars_dice"]["round"].as_u64().expect("a round");
    let events = table["happenings"].as_array().expect("a list");
    for event in events {
        let is_past_round = event["round"].as_u64().is_some_and(|past| past < round);
        assert!(is_past_round || event["hands"] == json!([]), "round {round}: {event}");
    }
    let mut now = table.clone();
    now["happenings"] = json!([]);
    now
}

/// All lists of numbers in a document.
fn number_lists<'a>(value: &'a Value, found: &mut Vec<&'a Value>) {
    match value {
        Value::Array(items) if items.first().is_some_and(Value::is_number) => found.push(value),
        Value::Array(items) => items.iter().for_each(|item| number_lists(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| number_lists(field, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// A visitor is sent no dice and no turn.
#[track_caller]
fn check_nothing_is_sent(table: &Value) {
    assert_eq!(table["you"], Value::Null);
    let position = &table["liars_dice"];
    assert!(position["dice"].is_null() && position["turn"].is_null(), "{position:#}");
}

fn check_only_actor_can_act(table: &Table, actor: usize) {
    assert!(!table.people[1 - actor].has("#bid, #call, #hint, #bid-count"));
    assert!(table.people[actor].has("#bid, #call"));
}

/// Expects both pages to show after a call the dice that were hidden until then.
#[track_caller]
fn check_hands_after_call(table: &Table, [mine, yours]: &[Value; 2]) {
    let mut hidden = [mine, yours].map(|documents| label(&own_dice(documents)));
    hidden.sort();
    let title = json!(format!("The last call, in round {}", mine["liars_dice"]["round"]));
    let call = "document.querySelector('section[aria-labelledby=call-title]')";
    for browser in &table.people {
        browser.wait_until(&format!("{call}?.querySelector('h2').textContent === {title}"));
        let shown = browser.evaluate_text(&format!(
            "return [...{call}.querySelectorAll('.dice')].map((one) => one.ariaLabel).sort().join('|')"
        ));
        assert_eq!(shown, hidden.join("|"));
    }
}

/// The label of these dice on the page.
fn label(dice: &Value) -> String {
    let dice = dice.as_array().expect("dice").iter().map(Value::to_string);
    dice.collect::<Vec<_>>().join(" ")
}
