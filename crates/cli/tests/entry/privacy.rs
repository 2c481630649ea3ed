//! What a bot was asked when it failed, its answer and its log are for its author and the hosts, as is a name that waits for
//! approval.

use super::*;

/// Remembers whether it is a run that builds it.
const BUILD: &str =
    "import os\nopen('mode.txt', 'w').write(str('/cache/dicehill/' in os.getcwd()))\n";

/// An archive with a bot that plays legally in its qualification, and not in runs.
fn traitor() -> Vec<u8> {
    let manifest = "name = \"Traitor\"\ncommand = [\"python3\", \"main.py\"]\nbuild = [\"python3\", \"build.py\"]\n";
    let illegal = "        if open('mode.txt').read() == 'True':\n            \
                   print('WORDS-OF-THE-LOG', file=sys.stderr, flush=True)\n            best = 'WORDS-OF-THE-ANSWER'\n";
    let best = "        best = max(turn['legal'], key=turn['legal'].get)\n";
    let main = BEST_BOX_BOT.replace(best, &format!("{best}{illegal}"));
    assert_ne!(main, BEST_BOX_BOT);
    let files = [
        archived("bot.toml", manifest.as_bytes()),
        archived("main.py", main.as_bytes()),
        archived("build.py", BUILD.as_bytes()),
    ];
    [files.concat(), vec![0; 1024]].concat()
}

#[test]
fn a_failure_is_shown_to_the_author_and_the_hosts() {
    if !can_isolate() {
        return;
    }
    let (scratch, ada) = hill_with_token("6");
    scratch.run_ok(&["hill", "set", "h.db", "reports=default"]);
    let token = |options: &[&str]| {
        let words = [&["token", "new", "h.db", "--name"], options].concat();
        scratch.run_ok(&words).out.trim_end().to_owned()
    };
    let (bob, eve) = (token(&["bob"]), token(&["eve", "--host"]));
    let server = Server::start(&scratch);
    let failed = server.upload(&ada, "bot.tar", &traitor());
    server.wait_for(failed, |entry| entry["is_final"] == true);
    let steady = server.upload(&bob, "steady.py", BEST_BOX_BOT.as_bytes());
    server.wait_for(steady, |entry| entry["is_final"] == true);
    let run = server.entry(failed)["run"].as_i64().expect("it has played");
    let get = |path: &str| {
        let (status, text) = server.request(&format!("GET {path}"), b"");
        assert_eq!(status, 200, "{path}: {text}");
        text
    };
    let board = format!("/hills/h/runs/{run}");
    let bot = format!("{board}/bots/Traitor");
    let paths = [
        "/hills/h".to_owned(),
        "/hills/h/feed.atom".to_owned(),
        "/hills/h/entries".to_owned(),
        format!("/hills/h/entries/{failed}"),
        format!("/hills/h/entries/{steady}"),
        "/api/v1/hills/h".to_owned(),
        format!("{board}/post.md"),
        format!("/api/v1{board}"),
        format!("/api/v1{bot}"),
        board.clone(),
        bot,
    ];
    for path in &paths {
        let text = get(path);
        let is_told = ["WORDS-OF-THE", "legal&quot;", "\\\"legal\\\""].map(|it| text.contains(it));
        assert_eq!(is_told, [false; 3], "{path}: {text}");
    }
    assert!(get(&board).contains("Its author and the host see the request"), "the page says so");
    for (token, sees) in [(&ada, true), (&eve, true), (&bob, false)] {
        let account = server.account(token);
        let log = &account["failures"][0]["log"];
        assert_eq!(log.to_string().contains("WORDS-OF-THE-LOG"), sees, "{account:#}");
    }
    let page = get(&format!("/hills/h/entries/{failed}"));
    let says = format!("barred in run {run}: illegal-move");
    assert!(page.contains(&format!("It is on the hill, and was {says}.")), "{page}");
    assert!(page.contains(&format!("Traitor: {says}\n")), "{page}");
    assert!(!page.contains("qualified: "), "visitors see the first line: {page}");
    let (status, text) = server.request("GET /api/v1/hills/h/bots/Traitor/log", b"");
    let why = "has no games: it was barred or skipped in run ";
    assert!(status == 404 && text.contains(why) && !text.contains("did you mean"), "{text}");
    // Nor does another author read it in the report on an own bot.
    scratch.run_ok(&["hill", "set", "h.db", "reports=public"]);
    let (_, report) = server.final_entry(steady);
    assert!(report.contains("Traitor is barred: illegal-move"), "{report}");
    assert!(!report.contains("WORDS-OF-THE"), "{report}");
    // The host may make them public, also for runs of the past.
    let until = Instant::now() + PATIENCE;
    while !get(&board).contains("WORDS-OF-THE-LOG") {
        assert!(Instant::now() < until, "{}", get(&board));
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_name_is_hidden_until_the_host_approves_it() {
    if !can_isolate() {
        return;
    }
    let (scratch, ada) = hill_with_bots("6", &["--next-run"]);
    scratch.run_ok(&["hill", "set", "h.db", "approval=all", "schedule=daily 03:00"]);
    let server = Server::start(&scratch);
    let [first, second] = ["Sesame", "Poppy"]
        .map(|name| server.upload(&ada, &format!("{name}.py"), BEST_BOX_BOT.as_bytes()));
    let is_told = |name: &str| {
        let paths = ["/hills/h/entries", "/api/v1/hills/h/entries"];
        let pages = [first, second].map(|id| format!("/hills/h/entries/{id}"));
        let paths = paths.iter().map(ToString::to_string).chain(pages);
        paths.map(|path| server.request(&format!("GET {path}"), b"").1).any(|it| it.contains(name))
    };
    assert_eq!(["Sesame", "Poppy", "not approved yet"].map(is_told), [false, false, true]);
    scratch.run_ok(&["hill", "approve", "h.db", &first.to_string()]);
    scratch.run_ok(&["hill", "skip", "h.db", &second.to_string()]);
    assert_eq!(["Sesame", "Poppy", "hidden by the host"].map(is_told), [true, false, true]);
    let own = &server.account(&ada)["entries"];
    assert!(own.to_string().contains("Poppy"), "{own:#}");
}
