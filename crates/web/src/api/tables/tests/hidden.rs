//! An adversary at a table: asks everything that can be asked about it, as a visitor and from another seat.

use super::*;

/// Everything that a client can ask about a table, except its document.
const PARTS: [&str; 4] = ["/hint", "/report", "/replay", "/seat"];

/// All lists of numbers in a document.
fn number_lists(value: &Value, found: &mut Vec<Value>) {
    match value {
        Value::Array(items) if items.first().is_some_and(Value::is_number) => {
            found.push(value.clone());
        }
        Value::Array(items) => items.iter().for_each(|item| number_lists(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| number_lists(field, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The lists of numbers in what a client is sent now: the hands that earlier calls have shown do not count.
async fn lists_seen_by(client: &mut Browser, table: &Table, seed: &str) -> Vec<Value> {
    let mut document = client.look(table).await;
    let round = document["liars_dice"]["round"].as_u64();
    for event in document["happenings"].as_array_mut().unwrap() {
        if event["hands"] != json!([]) {
            assert!(event["round"].as_u64() < round, "only calls of earlier rounds show hands");
            event["hands"] = Value::Null;
        }
    }
    let mut found = Vec::new();
    number_lists(&document, &mut found);
    let is_turn = document["turn"] == document["you"] && !document["you"].is_null();
    for part in PARTS {
        let (status, answer) = client.get(&table.part(part)).await;
        assert!(status >= 400 || (part == "/hint" && is_turn), "{part}: {status}");
        number_lists(&answer, &mut found);
        assert!(!answer.to_string().contains(seed) && !document.to_string().contains(seed));
    }
    let page = table.0.replace("/api/v1", "");
    assert_eq!(client.get(&format!("{page}/replay")).await.0, 409, "the game is not over");
    let (_, html) = client.get(&page).await;
    let html = html.as_str().unwrap();
    assert!(!html.contains(seed) && !html.contains("role=\"img\""), "the page itself has no dice");
    found
}

/// Checks a whole game; returns the number of positions.
async fn check(game: &str, choose: impl Fn(&Value) -> String) -> usize {
    let router = server();
    let mut people = [Browser::new(&router), Browser::new(&router)];
    let mut visitor = Browser::new(&router);
    let seed = "known to the adversary only after the game";
    let order = json!({ "game": game, "people": 2, "name": "Anna", "seed": seed });
    let table = people[0].open(&order).await;
    assert_eq!(people[1].sit(&table, "Berta").await.0, 201);
    let mut positions = 0;
    loop {
        let seen = [people[0].look(&table).await, people[1].look(&table).await];
        if is_over(&seen[0]) {
            return positions;
        }
        assert_eq!(lists_seen_by(&mut visitor, &table, seed).await, [] as [Value; 0]);
        for (person, own) in people.iter_mut().zip(&seen) {
            let own = [&own["liars_dice"]["dice"], &own["yahtzee"]["turn"]["dice"]];
            let mut lists = lists_seen_by(person, &table, seed).await;
            lists.retain(|list| !own.contains(&list));
            // The scores of all, lowest first, which the rules show.
            let scores = |list: &Value| game == "yahtzee" && list.as_array().unwrap().len() == 2;
            assert!(lists.iter().all(scores), "{lists:?}");
        }
        let mover = seen.iter().position(|seen| seen["turn"] == seen["you"]).unwrap();
        let action = choose(&seen[mover]);
        let (status, answer) = visitor.act(&table, &action, &json!(0)).await;
        assert_eq!(status, 403, "{answer}");
        let (status, answer) = people[mover].act(&table, &action, &seen[mover]["moves"]).await;
        assert_eq!(status, 200, "{answer}");
        positions += 1;
    }
}

#[tokio::test]
async fn a_visitor_and_another_seat_learn_no_hidden_dice_of_liars_dice() {
    let choose = |own: &Value| {
        let lowest = &own["liars_dice"]["turn"]["lowest"];
        let may_call = own["liars_dice"]["turn"]["may_call"] == true;
        if may_call && lowest["count"].as_u64() > Some(2) {
            return "Liar!".to_owned();
        }
        format!("{} 6", lowest["count"])
    };
    let positions = check("liars-dice", choose).await;
    assert!(positions > 10, "{positions}");
}

#[tokio::test]
async fn a_visitor_and_another_seat_learn_no_hidden_dice_of_yahtzee() {
    let choose = |own: &Value| {
        let boxes = own["yahtzee"]["card"]["boxes"].as_array().unwrap();
        if own["yahtzee"]["turn"]["rolls_left"] == 2 {
            return "12".to_owned();
        }
        let free = boxes.iter().find(|one| !one["now"].is_null()).unwrap();
        free["category"].as_str().unwrap().to_owned()
    };
    assert_eq!(check("yahtzee", choose).await, 2 * 2 * 13);
}

#[tokio::test]
async fn seats_are_left_resigned_and_asked_for_again_by_the_api() {
    let (mut anna, mut berta, table) = two("liars-dice").await;
    let change = |change: &str| json!({ "change": change });
    let seat = table.part("/seat");
    let mut visitor = Browser::new(&anna.router);
    assert_eq!(visitor.post(&seat, &change("leave")).await.0, 403);
    assert_eq!(anna.post(&seat, &change("vanish")).await.0, 400);
    assert_eq!(anna.post(&table.part("/rematch"), &json!({})).await.0, 409);
    let (status, left) = anna.post(&seat, &change("leave")).await;
    assert_eq!(status, 200, "{left}");
    let you = left["you"].as_u64().unwrap() as usize;
    assert_eq!(left["players"][you]["absence"], "away");
    assert_eq!(anna.post(&seat, &change("return")).await.1["players"][you]["absence"], Value::Null);
    assert_eq!(anna.post(&seat, &change("resign")).await.0, 200);
    assert_eq!(anna.post(&seat, &change("return")).await.0, 409);
    // No person is left: bots play the rest.
    assert_eq!(berta.post(&seat, &change("resign")).await.0, 200);
    let mut events = visitor.listen(&table).await;
    while !is_over(&visitor.look(&table).await) {
        events.next().await.unwrap();
    }
    let end = berta.look(&table).await;
    assert!(end["results"].as_array().unwrap().iter().all(|result| result["won"] == false));
    let (status, replay) = visitor.get(&table.part("/replay")).await;
    assert_eq!((status, &replay["game"]), (200, &json!("liars-dice")));
    let page = table.0.replace("/api/v1", "");
    let (status, html) = visitor.get(&format!("{page}/replay")).await;
    assert!(status == 200 && html.as_str().unwrap().contains("replay.js"), "{status}");
    assert_eq!(visitor.post(&table.part("/rematch"), &json!({})).await.0, 403);
    let (status, made) = anna.post(&table.part("/rematch"), &json!({})).await;
    assert_eq!(status, 201, "{made}");
    let (status, joined) = berta.post(&table.part("/rematch"), &json!({})).await;
    assert_eq!((status, &joined["id"]), (201, &made["id"]));
    let again = Table(format!("/api/v1/tables/{}", made["id"].as_str().unwrap()));
    assert_eq!(berta.look(&again).await["stage"], "playing");
}
