//! The responses of the API conform to its OpenAPI document.

use serde_json::Value;

use crate::support::Served;

#[test]
fn documents_conform_to_their_schemas() {
    let served = Served::new();
    let described = served.json("/api/v1/openapi.json");
    assert_eq!(described["openapi"].as_str().map(|version| &version[..2]), Some("3."));
    let values = [("{hill}", "spring"), ("{run}", "1"), ("{bot}", "greedy"), ("{game}", "7")];
    let paths = described["paths"].as_object().expect("paths");
    let mut asked = 0;
    for (path, item) in paths {
        let filled =
            values.iter().fold(path.clone(), |path, (key, value)| path.replace(key, value));
        let Some(operation) = item.get("get").filter(|_| !filled.contains('{')) else { continue };
        assert!(operation["summary"].as_str().is_some_and(|text| !text.is_empty()), "{path}");
        let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
        if *schema == Value::Null {
            continue;
        }
        // Such a document is for the holder of a token.
        if let Some(refused) = operation["responses"].get("403") {
            let answer = served.get(&filled);
            assert_eq!(answer.status(), 403, "{path}: {}", answer.0);
            let problem = serde_json::from_str(answer.body()).expect("it is JSON");
            check(&described, &refused["content"]["application/json"]["schema"], &problem, path);
            continue;
        }
        check(&described, schema, &served.json(&filled), path);
        asked += 1;
    }
    assert!(asked >= 5, "{asked} documents were asked for");
}

/// Checks that a document has the members that its schema requires, with the types that it declares.
fn check(described: &Value, schema: &Value, document: &Value, at: &str) {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.rsplit('/').next().expect("a name");
        return check(described, &described["components"]["schemas"][name], document, at);
    }
    for of in schema["allOf"].as_array().into_iter().flatten() {
        check(described, of, document, at);
    }
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(found) = document.get(name).filter(|found| !found.is_null()) {
            check(described, member, found, &format!("{at}.{name}"));
        }
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        let name = name.as_str().expect("a name");
        assert!(document.get(name).is_some(), "{at}: {name} is missing in {document}");
    }
    if let Some(items) = document.as_array().filter(|_| schema.get("items").is_some()) {
        items.iter().for_each(|item| check(described, &schema["items"], item, at));
    }
    let kinds: Vec<_> = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        Value::String(kind) => vec![kind.as_str()],
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => return,
    };
    let kind = match document {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let fits = kinds.contains(&kind) || (kind == "integer" && kinds.contains(&"number"));
    assert!(fits, "{at}: {document} is a {kind}, described as {kinds:?}");
}

#[test]
fn every_operation_describes_its_failure() {
    let described = Served::new().json("/api/v1/openapi.json");
    let paths = described["paths"].as_object().expect("paths").values();
    let operations: Vec<_> =
        paths.flat_map(|item| item.as_object().expect("operations").values()).collect();
    assert!(operations.len() >= 15, "{}", operations.len());
    for operation in operations {
        let failed = &operation["responses"]["500"]["content"]["application/json"]["schema"];
        assert_eq!(failed["$ref"], "#/components/schemas/ProblemDocument", "{operation}");
        let summary = operation["summary"].as_str().expect("a summary");
        assert!(summary.ends_with('.') && summary.starts_with(char::is_uppercase), "{summary}");
    }
}

#[test]
fn problems_are_documents() {
    let served = Served::new();
    let answer = served.get("/api/v1/hills/autumn");
    assert_eq!(answer.status(), 404);
    let document: Value = serde_json::from_str(answer.body()).expect("JSON");
    assert_eq!(document["error"], "no such hill: \"autumn\"");
}

#[test]
fn a_bots_document_agrees_with_its_games() {
    let served = Served::new();
    let bot = served.json("/api/v1/hills/spring/runs/1/bots/greedy");
    let sum = |value: &Value, key: &str| -> u64 {
        let list = value.as_array().expect("a list").iter();
        list.map(|one| if key.is_empty() { one } else { &one[key] }).filter_map(Value::as_u64).sum()
    };
    assert_eq!(sum(&bot["scores"], "games"), 60, "every game has a score");
    assert_eq!(sum(&bot["places"], ""), 60, "and a place");
    assert_eq!(sum(&bot["row"]["seats"], "games"), 60, "and a seat");
    assert_eq!(bot["coach"]["games"], 60);
    let chances: f64 = bot["optimal"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["chance"].as_f64())
        .sum();
    assert!((chances - 1.0).abs() < 1e-3, "{chances}");
    let lost = bot["coach"]["loss"]["value"].as_f64().expect("a number");
    let on_board = bot["row"]["luck"]["loss"]["value"].as_f64().expect("a number");
    assert!((lost - on_board).abs() < 1e-3, "coach and board agree: {lost}, {on_board}");
}

#[test]
fn a_bot_of_liars_dice_has_an_analysis() {
    let served = Served::new();
    let bot = |name: &str| served.json(&format!("/api/v1/hills/dice/runs/1/bots/{name}"));
    let [honest, random] = ["honest", "random"].map(bot);
    for bot in [&honest, &random] {
        let (coach, row) = (&bot["coach"], &bot["row"]);
        assert_eq!(coach["games"], row["games"]);
        let figure = |name: &str| {
            let figures = row["figures"].as_array().expect("a list").iter();
            figures.filter(|one| one["name"] == name).find_map(|one| one["total"].as_u64())
        };
        assert_eq!(coach["calls"]["number"].as_u64(), figure("calls"), "{row}");
        let right = |key: &str| coach[key]["came_true"].as_u64().expect("a number");
        assert_eq!(Some(right("calls") + right("called_bids")), figure("dice_gained"));
        let sum = |value: &Value| value["value"].as_f64().expect("a number");
        let faults = coach["faults"].as_array().expect("a list").iter();
        let lost: f64 = faults.map(|fault| sum(&fault["loss"])).sum();
        assert!((lost - sum(&coach["loss"]["loss"])).abs() < 1e-3, "{coach}");
    }
    let unsupported = |bot: &Value, end: usize| {
        bot["coach"]["unsupported"]["share"]["ci95"][end].as_f64().expect("a number")
    };
    assert!(unsupported(&honest, 1) < unsupported(&random, 0));
}
