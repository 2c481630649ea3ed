//! Two people in two browsers at one table of Liar's Dice, and what the server sends to whom.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::browser::chromium::Chromium;
use crate::browser::page_checks::is_sound;
use crate::browser::play_page::{acts, is_asked, makes_a_table};
use crate::browser::test_server::TestServer;

/// Moves that are looked at: rounds enough for hands of several sizes.
const MOVES: usize = 14;

/// A table, the browsers of those who sit there, and the way to its document.
struct Table {
    server: TestServer,
    people: [Chromium; 2],
    path: String,
}

impl Table {
    /// Made by one, who sends the link to the other.
    #[track_caller]
    fn made() -> Self {
        let mut server = TestServer::new(&[], |_| {});
        let people = ["maker", "friend"].map(|name| server.browser(name));
        let [maker, friend] = &people;
        maker.open(&server.address("/play"));
        makes_a_table(maker, "liars-dice", "Ada", &["person"]);
        assert_eq!(maker.text("#turn"), "Waiting for one more player");
        friend.open(&maker.ask_text("return document.getElementById('link').value"));
        let path = format!("/api/v1{}", friend.ask_text("return location.pathname"));
        friend.until("document.getElementById('sit')");
        Self { server, people, path }
    }

    /// The tables as those at it are sent them.
    fn seen(&self) -> [Value; 2] {
        self.people.each_ref().map(|browser| browser.fetch(&self.path))
    }

    /// The table as somebody is sent it who has no cookie.
    #[track_caller]
    fn seen_by_a_visitor(&self) -> Value {
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

    /// Waits until both pages show the same moment, and says whose turn it is; nobody's if the game is over.
    #[track_caller]
    fn whose_turn(&self) -> Option<usize> {
        let [one, _] = self.seen();
        if one["stage"] != "playing" {
            return None;
        }
        let place = |table: &Value| table["you"].as_u64().expect("both sit there");
        let turn = one["turn"].as_u64().expect("it is somebody's turn");
        let actor = if place(&one) == turn { 0 } else { 1 };
        assert!(is_asked(&self.people[actor]), "it is the turn of browser {actor}");
        let waits = "document.getElementById('turn').textContent.endsWith('is to move …')";
        self.people[1 - actor].until(waits);
        Some(actor)
    }
}

#[test]
fn two_play_and_neither_is_sent_what_the_other_hides() {
    let table = Table::made();
    let [_, friend] = &table.people;
    hides_all(&table.seen_by_a_visitor());
    for browser in &table.people {
        is_sound(browser, "a table that waits");
    }
    friend.type_into("#sit-name", "Grace");
    friend.click("#sit");
    let (mut bids, mut calls) = (0, 0);
    while bids + calls < MOVES {
        let Some(actor) = table.whose_turn() else { break };
        nobody_is_sent_hidden_dice(&table);
        let browser = &table.people[actor];
        only_who_is_asked_can_act(&table, actor);
        if browser.has("#call") && bids > 3 * calls {
            let seen = table.seen();
            acts(browser, "#call");
            calls += 1;
            both_see_all_hands(&table, &seen);
        } else {
            acts(browser, "#bid");
            bids += 1;
        }
    }
    assert!(calls >= 3, "{bids} bids and {calls} calls");
    nobody_is_sent_hidden_dice(&table);
    for browser in &table.people {
        // The seat's secret is no script's business.
        assert_eq!(browser.ask_text("return document.cookie"), "");
        assert_eq!(browser.complaints(), Vec::<String>::new());
    }
    table.server.is_content();
}

/// What is sent to each at the same moment: its own dice, and of the others' only what calls have shown in earlier rounds.
#[track_caller]
fn nobody_is_sent_hidden_dice(table: &Table) {
    let [mine, yours] = table.seen();
    let visitors = table.seen_by_a_visitor();
    assert!(mine["you"] != yours["you"] && visitors["you"].is_null());
    let [my_dice, your_dice] = [&mine, &yours].map(own_dice);
    for (sent, own, hidden) in [
        (&mine, Some(&my_dice), vec![&your_dice]),
        (&yours, Some(&your_dice), vec![&my_dice]),
        (&visitors, None, vec![&my_dice, &your_dice]),
    ] {
        let now = without_the_past(sent);
        // What all arrays of numbers are, whatever they are called.
        let mut shown = Vec::new();
        hands_within(&now, &mut shown);
        assert_eq!(shown, own.into_iter().collect::<Vec<_>>(), "{now:#}");
        for dice in hidden.into_iter().filter(|dice| Some(*dice) != own) {
            let text = now.to_string();
            assert!(!text.contains(&dice.to_string()), "{dice} in {text}");
        }
    }
    hides_all(&visitors);
}

/// The dice of whom the document is for.
#[track_caller]
fn own_dice(table: &Value) -> Value {
    let dice = &table["liars_dice"]["dice"];
    let held = table["liars_dice"]["seats"].as_array().expect("seats").iter();
    let held = held.filter(|seat| seat["player"] == table["you"]).map(|seat| &seat["dice"]);
    let count = dice.as_array().expect("both hold dice until the game is over").len();
    assert_eq!(held.collect::<Vec<_>>(), [&json!(count)]);
    dice.clone()
}

/// The document without what happened, whose hands are those of rounds that are over.
#[track_caller]
fn without_the_past(table: &Value) -> Value {
    let round = table["liars_dice"]["round"].as_u64().expect("a round");
    let happenings = table["happenings"].as_array().expect("a list");
    for happening in happenings {
        let is_over = happening["round"].as_u64().is_some_and(|past| past < round);
        assert!(is_over || happening["hands"] == json!([]), "round {round}: {happening}");
    }
    let mut now = table.clone();
    now["happenings"] = json!([]);
    now
}

/// All lists of numbers in a document.
fn hands_within<'a>(value: &'a Value, found: &mut Vec<&'a Value>) {
    match value {
        Value::Array(items) if items.first().is_some_and(Value::is_number) => found.push(value),
        Value::Array(items) => items.iter().for_each(|item| hands_within(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| hands_within(field, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// A visitor is shown no dice, and is asked nothing.
#[track_caller]
fn hides_all(table: &Value) {
    assert_eq!(table["you"], Value::Null);
    let position = &table["liars_dice"];
    assert!(position["dice"].is_null() && position["turn"].is_null(), "{position:#}");
}

fn only_who_is_asked_can_act(table: &Table, actor: usize) {
    assert!(!table.people[1 - actor].has("#bid, #call, #hint, #bid-count"));
    assert!(table.people[actor].has("#bid, #call"));
}

/// After a call both pages show the dice that were hidden until then.
#[track_caller]
fn both_see_all_hands(table: &Table, [mine, yours]: &[Value; 2]) {
    let mut hidden = [mine, yours].map(|seen| label(&own_dice(seen)));
    hidden.sort();
    let title = json!(format!("The last call, in round {}", mine["liars_dice"]["round"]));
    let call = "document.querySelector('section[aria-labelledby=call-title]')";
    for browser in &table.people {
        browser.until(&format!("{call}?.querySelector('h2').textContent === {title}"));
        let shown = browser.ask_text(&format!(
            "return [...{call}.querySelectorAll('.dice')].map((one) => one.ariaLabel).sort().join('|')"
        ));
        assert_eq!(shown, hidden.join("|"));
    }
}

/// What the page calls these dice.
fn label(dice: &Value) -> String {
    let dice = dice.as_array().expect("dice").iter().map(Value::to_string);
    dice.collect::<Vec<_>>().join(" ")
}
