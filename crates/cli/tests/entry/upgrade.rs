//! A hill that the program of a later version opens, with an unfinished run, an upload that waits and a house bot that is gone; and the
//! way back.

use rusqlite::Connection;

use super::*;
use crate::support::running::wait_for;

/// The program of a later version, in which a house bot has another name: this program with other texts of the same length.
fn later_program(scratch: &Scratch) -> std::path::PathBuf {
    let mut bytes = std::fs::read(env!("CARGO_BIN_EXE_dicehill")).expect("the program");
    let version = concat!("dicehill ", env!("CARGO_PKG_VERSION"));
    let last = version.bytes().last().expect("a digit");
    let later = format!(
        "{}{}",
        &version[..version.len() - 1],
        char::from(if last == b'9' { b'8' } else { last + 1 })
    );
    for (old, new) in [(version, later.as_str()), ("aces-and-eights", "aces-and-nights")] {
        assert_eq!(old.len(), new.len());
        let mut found = 0;
        while let Some(place) =
            bytes[found..].windows(old.len()).position(|text| text == old.as_bytes())
        {
            found += place;
            bytes[found..found + old.len()].copy_from_slice(new.as_bytes());
        }
        assert!(found > 0, "the program has the text {old}");
    }
    let (draft, path) = (scratch.path("later-draft"), scratch.path("later"));
    std::fs::write(&draft, bytes).expect("a copy");
    std::fs::set_permissions(&draft, std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .expect("it is ours");
    // Another process writes it: a file that this one has open for writing is inherited by what other tests start meanwhile, and
    // cannot be started until that is over.
    let copied = std::process::Command::new("cp").arg("-p").args([&draft, &path]).status();
    assert!(copied.expect("cp starts").success());
    path
}

#[test]
fn a_later_program_loses_nothing_of_a_hill_in_full_swing() {
    if !can_isolate() {
        return;
    }
    let (scratch, token) = hill_with_token("10");
    scratch.run_ok(&["hill", "add", "h.db", "aces-and-eights"]);
    scratch.run_ok(&["hill", "set", "h.db", "approval=all"]);
    let server = Server::start(&scratch);
    let id = server.upload(&token, "good.py", BEST_BOX_BOT.as_bytes());
    server.shut_down();
    // A run that is killed.
    let database = Connection::open(scratch.path("h.db")).expect("a database");
    database.execute("UPDATE hill SET games = 1000000", []).expect("it is written");
    let mut run = scratch.command(&["hill", "run", "h.db", "--queued"]).spawn().expect("it starts");
    let stored = || {
        let sql = "SELECT max(run) FROM page HAVING max(run) > 2";
        database.query_row(sql, [], |row| row.get::<_, i64>(0)).ok()
    };
    let unfinished = wait_for("games of a run", stored);
    run.kill().expect("it is ours");
    run.wait().expect("it is ours");
    database.execute("UPDATE hill SET games = 10", []).expect("it is written");
    let state =
        |sql: &str| database.query_row(sql, [], |row| row.get::<_, String>(0)).expect("a row");

    // The later program leaves the run as it is, with the reason in its log, and keeps the upload.
    let program = later_program(&scratch);
    let log = scratch.path("server.log");
    let mut later = std::process::Command::new(&program);
    later
        .args(["serve", "h.db", "--accept", "--listen", "127.0.0.1:0"])
        .current_dir(scratch.path("."));
    later.env("PATH", path_with_python()).env("XDG_CACHE_HOME", scratch.path("cache"));
    later.stderr(std::fs::File::create(&log).expect("a file"));
    let server =
        Server { child: later.spawn().expect("it starts"), address: ([127, 0, 0, 1], 0).into() };
    let text = || std::fs::read_to_string(&log).unwrap_or_default();
    wait_for("the end of the run", || text().contains("the run is given up").then_some(()));
    let reason = "\"aces-and-eights\": no such house bot";
    assert!(text().contains(reason), "{}", text());
    let run_of = |column: &str| {
        state(&format!("SELECT coalesce({column}, 'null') FROM run WHERE id = {unfinished}"))
    };
    assert_eq!(
        (run_of("CAST(ended AS TEXT)"), run_of("CAST(queued AS TEXT)")),
        ("null".to_owned(), "0".to_owned())
    );
    assert_eq!(state(&format!("SELECT state FROM entry WHERE id = {id}")), "held");
    let upload = format!("SELECT CAST(content AS TEXT) FROM upload WHERE entry = {id}");
    assert_eq!(state(&upload), BEST_BOX_BOT);

    // The house bot that is gone is left out of runs with the reason, and the upload plays.
    let words = |words: &[&str]| {
        let mut command = std::process::Command::new(&program);
        let output =
            command.args(words).current_dir(scratch.path(".")).output().expect("it starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, err) = words(&["hill", "run", "h.db"]);
    let left_out =
        "aces-and-eights is left out of this run: \"aces-and-eights\": no such house bot";
    assert!(code == Some(0) && err.contains(left_out), "{err}");
    assert_eq!(words(&["hill", "approve", "h.db", &id.to_string()]).0, Some(0));
    let entry = format!("SELECT state FROM entry WHERE id = {id}");
    let done = wait_for("the end of the entry", || {
        let now = state(&entry);
        ["done", "refused", "failed"].contains(&now.as_str()).then_some(now)
    });
    assert_eq!(done, "done", "{}", text());
    server.shut_down();

    // The way back is refused in words, once the file has a later form.
    database.pragma_update(None, "user_version", 99).expect("it is written");
    drop(database);
    for words in [&["serve", "h.db"][..], &["hill", "show", "h.db"], &["hill", "run", "h.db"]] {
        scratch.run_refused(words, &["h.db: a hill of a newer dicehill: its version is 99, and this dicehill supports up to"]);
    }
}
