//! Tokens and entries of a hill, in stores of both schema versions.

use std::fs::File;
use std::path::{Path, PathBuf};

use dicehill_arena::{BotName, HillDraft, Limits};
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_store::{
    EntryRefusal, EntryState, EntryStore, FileError, HillSettings, HillStore, HostAction,
    SecretToken, TokenError, TokenTerms,
};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::test_hill::{host, new_entrant, upload};

/// The store of a new hill. Dropping the folder removes it.
fn hill() -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("h.db");
    HillStore::create(&path, &settings()).expect("a new hill");
    (folder, path)
}

fn settings() -> HillSettings {
    let usual = HillDraft::<Yahtzee>::challenge(Vec::new(), "");
    HillSettings::from_draft(&HillDraft { name: "spring".to_owned(), ..usual }, None)
}

/// Changes the file to the schema version before the machines of workers.
fn make_version_5(path: &Path) {
    let database = Connection::open(path).expect("a database");
    let drop = "ALTER TABLE page DROP machines; PRAGMA user_version = 5";
    database.execute_batch(drop).expect("a column");
}

/// Changes the file to the schema version before queues that persist.
pub(crate) fn make_version_4(path: &Path) {
    make_version_5(path);
    let columns = ["entry DROP place", "entry DROP attempts", "entry DROP check_ms"];
    let columns =
        columns.into_iter().chain(["entry DROP hidden", "run DROP queued", "token DROP role"]);
    let drops: String = columns.map(|column| format!("ALTER TABLE {column};")).collect();
    let tables = "DROP TABLE setting; DROP TABLE upload; DROP TABLE action;";
    let database = Connection::open(path).expect("a database");
    database.execute_batch(&format!("{drops} {tables} PRAGMA user_version = 4")).expect("columns");
}

/// Changes the file to the schema version before limits of games and runs.
fn make_version_2(path: &Path) {
    make_version_4(path);
    let columns = ["hill DROP game_ms", "hill DROP run_ms", "hill DROP open_seed"];
    let columns = columns.into_iter().chain([
        "hill DROP stops",
        "entrant DROP barred",
        "run DROP highlights",
    ]);
    let drops: String = columns.map(|column| format!("ALTER TABLE {column};")).collect();
    let database = Connection::open(path).expect("a database");
    database.execute_batch(&format!("{drops} PRAGMA user_version = 2")).expect("columns");
}

/// Changes the file to the schema version without tokens.
pub(crate) fn make_old(path: &Path) {
    make_version_2(path);
    let database = Connection::open(path).expect("a database");
    database
        .execute_batch("DROP TABLE entry; DROP TABLE token; PRAGMA user_version = 1")
        .expect("tables");
}

fn token(number: u8) -> SecretToken {
    SecretToken::new([number; 32])
}

fn bot(name: &str) -> BotName {
    BotName::new(name).expect("a name")
}

fn terms(name: Option<&str>) -> TokenTerms {
    TokenTerms { name: name.map(str::to_owned), ..TokenTerms::default() }
}

#[test]
fn a_token_is_valid_until_it_is_revoked_expires_or_is_used_up() {
    let (_folder, path) = hill();
    let mut book = EntryStore::open(&path).unwrap();
    let unlimited = book.add_token(&token(1), &terms(None)).unwrap();
    book.add_token(&token(2), &TokenTerms { expires: Some(1_000), ..terms(None) }).unwrap();
    let single = book.add_token(&token(3), &TokenTerms { uses: Some(1), ..terms(None) }).unwrap();
    assert_eq!(book.token(&token(1)).unwrap().id, unlimited);
    assert_eq!(book.token(&token(2)), Err(TokenError::Expired));
    assert_eq!(book.token(&token(4)), Err(TokenError::Unknown));
    assert_eq!(book.token(&token(3)).unwrap().id, single);
    book.add_upload(single, &upload("A")).unwrap();
    assert_eq!(book.token(&token(3)), Err(TokenError::UsedUp(1)));
    assert_eq!(book.add_upload(single, &upload("A")), Err(TokenError::UsedUp(1).into()));
    book.revoke(unlimited).unwrap();
    assert_eq!(book.token(&token(1)), Err(TokenError::Revoked));
    assert_eq!(book.add_upload(unlimited, &upload("A")), Err(TokenError::Revoked.into()));
    assert!(book.revoke(9).unwrap_err().to_string().ends_with("has no token 9"));
    let used: Vec<_> = book.tokens().unwrap().into_iter().map(|token| token.used).collect();
    assert_eq!(used, [0, 0, 1]);
    assert_eq!(book.entries(10).unwrap().len(), 1, "a refused entry is not stored");
}

#[test]
fn the_secret_of_a_token_is_not_in_the_file() {
    let (_folder, path) = hill();
    EntryStore::open(&path).unwrap().add_token(&token(0xa5), &terms(Some("ada"))).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let digits = "a5".repeat(16);
    assert!(bytes.windows(3).any(|window| window == b"ada"), "the name is stored");
    assert!(!bytes.windows(digits.len()).any(|window| window == digits.as_bytes()));
}

#[test]
fn an_entry_has_a_state_and_a_report() {
    let (_folder, path) = hill();
    let mut book = EntryStore::open(&path).unwrap();
    let uploader = book.add_token(&token(1), &terms(None)).unwrap();
    let [first, second] = ["A", "B"].map(|name| book.add_upload(uploader, &upload(name)).unwrap());
    book.set_state(first, EntryState::Checking).unwrap();
    book.set_report(first, "a line\n").unwrap();
    let entry = book.entry(first).unwrap().unwrap();
    assert_eq!(
        (entry.state, entry.report.as_str(), entry.run),
        (EntryState::Checking, "a line\n", None)
    );
    book.set_state(second, EntryState::Refused).unwrap();
    let ids = |entries: Vec<dicehill_store::StoredEntry>| {
        entries.into_iter().map(|entry| entry.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(book.open_entries().unwrap()), [first]);
    assert_eq!(ids(book.entries(10).unwrap()), [second, first]);
    assert_eq!(ids(book.entries(1).unwrap()), [second]);
    assert_eq!(book.entry(99).unwrap(), None);
}

#[test]
fn a_name_belongs_to_its_first_uploader() {
    let (_folder, path) = hill();
    let add = |name: &str| {
        HillStore::open_to_write(&path).unwrap().add(&[new_entrant(name)]).unwrap();
    };
    add("Hosts");
    let mut book = EntryStore::open(&path).unwrap();
    let names = [Some("ada"), Some("ada"), Some("bob"), None, None];
    let [ada, ada_2, bob, unnamed, unnamed_2] =
        std::array::from_fn(|at| book.add_token(&token(at as u8), &terms(names[at])).unwrap());
    let mut bring = |token: i64, name: &str| {
        let id = book.add_upload(token, &upload(name)).unwrap();
        add(name);
        book.set_state(id, EntryState::Done).unwrap();
    };
    bring(ada, "Adas");
    bring(unnamed, "Unnamed");
    assert_eq!(book.add_upload(bob, &upload("Adas")), Err(EntryRefusal::NameTaken));
    // A bot that waits has its name already.
    let waiting = book.add_upload(ada, &upload("Next")).unwrap();
    for name in ["Next", "n\u{435}xt"] {
        assert_eq!(book.add_upload(bob, &upload(name)), Err(EntryRefusal::NameTaken), "{name}");
    }
    let again = book.add_upload(ada_2, &upload("Next")).unwrap();
    assert!(again > waiting, "it replaces the other");
    book.set_state(again, EntryState::Refused).unwrap();
    // A refused entry gives no right to its name.
    let refused = book.add_upload(bob, &upload("New")).unwrap();
    book.set_state(refused, EntryState::Refused).unwrap();
    let may_use = |token: i64, name: &str| book.name_refusal(&bot(name), token).unwrap().is_none();
    assert!([ada, bob, unnamed].into_iter().all(|token| may_use(token, "New")));
    assert_eq!(
        [ada, ada_2, bob, unnamed].map(|token| may_use(token, "Adas")),
        [true, true, false, false]
    );
    assert_eq!(
        [ada, unnamed, unnamed_2].map(|token| may_use(token, "Unnamed")),
        [false, true, false]
    );
    assert_eq!([ada, bob, unnamed].map(|token| may_use(token, "Hosts")), [false; 3]);
    for similar in ["aDAS", "\u{410}d\u{430}s", "A\u{ff44}as", "Ada\u{455}"] {
        assert_eq!([ada, unnamed].map(|token| may_use(token, similar)), [false; 2], "{similar}");
    }
    let similar = EntryRefusal::OwnName("Adas".to_owned());
    assert_eq!(book.name_refusal(&bot("aDAS"), ada_2).unwrap(), Some(similar));
    assert_eq!(book.name_refusal(&bot("aDAS"), bob).unwrap(), Some(EntryRefusal::NameTaken));
    HillStore::open_to_write(&path).unwrap().remove("Adas").unwrap();
    assert!(!may_use(bob, "Adas"), "the name of a removed entrant stays reserved");
}

#[test]
fn an_old_store_is_read_unchanged_and_migrated_to_write() {
    let (_folder, path) = hill();
    make_old(&path);
    let before = std::fs::read(&path).unwrap();
    assert_eq!(HillStore::open(&path).unwrap().hill().terms.name, "spring");
    let empty = EntryStore::open_to_read(&path).unwrap();
    assert!(empty.tokens().unwrap().is_empty() && empty.entries(9).unwrap().is_empty());
    assert_eq!(empty.entry(1).unwrap(), None);
    drop(empty);
    assert_eq!(std::fs::read(&path).unwrap(), before, "reading changes nothing");
    EntryStore::open(&path).unwrap().add_token(&token(1), &terms(None)).unwrap();
    assert_eq!(EntryStore::open_to_read(&path).unwrap().tokens().unwrap().len(), 1);
    assert_eq!(HillStore::open_to_write(&path).unwrap().hill().terms.name, "spring");
}

#[test]
fn a_failed_migration_changes_nothing() {
    let (_folder, path) = hill();
    make_old(&path);
    let database = Connection::open(&path).expect("a database");
    // The migration creates the first table and then fails at the last one.
    database.execute_batch("CREATE TABLE entry (id)").expect("a table");
    assert!(EntryStore::open(&path).is_err() && HillStore::open_to_write(&path).is_err());
    let number = |sql: &str| database.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    let tables = number("SELECT count(*) FROM sqlite_schema WHERE name = 'token'");
    assert_eq!((number("PRAGMA user_version"), tables), (1, 0));
    database.execute_batch("DROP TABLE entry").expect("a table");
    assert!(EntryStore::open(&path).unwrap().tokens().unwrap().is_empty());
    assert_eq!(number("PRAGMA user_version"), 6);
}

/// The columns of the table `hill` since version 3, and the schema version.
fn columns_of_version_3(path: &Path) -> (i64, i64) {
    let database = Connection::open(path).expect("a database");
    let number =
        |sql: &str| database.query_row(sql, [], |row| row.get::<_, i64>(0)).expect("a number");
    let columns = number(
        "SELECT count(*) FROM pragma_table_info('hill')
         WHERE name IN ('game_ms', 'run_ms', 'open_seed', 'stops')",
    );
    (number("PRAGMA user_version"), columns)
}

#[test]
fn a_store_of_version_2_is_read_unchanged_and_migrated_to_write() {
    let (_folder, path) = hill();
    make_version_2(&path);
    let before = std::fs::read(&path).unwrap();
    assert_eq!(HillStore::open(&path).unwrap().hill().limits, Limits::default());
    assert!(EntryStore::open_to_read(&path).unwrap().tokens().unwrap().is_empty());
    assert_eq!(std::fs::read(&path).unwrap(), before, "reading changes nothing");
    let store = HillStore::open_to_write(&path).unwrap();
    assert_eq!(store.hill().limits, Limits::default());
    drop(store);
    assert_eq!(columns_of_version_3(&path), (6, 4));
    assert_eq!(HillStore::open(&path).unwrap().hill().limits, Limits::default());
}

/// A process that is killed during the migration leaves a transaction without an end.
#[test]
fn a_killed_migration_to_version_3_is_repeated() {
    let (_folder, path) = hill();
    make_version_2(&path);
    let database = Connection::open(&path).expect("a database");
    database
        .execute_batch(
            "BEGIN; ALTER TABLE hill ADD COLUMN game_ms INTEGER; PRAGMA user_version = 3",
        )
        .expect("a part of the migration");
    // Dropped without a commit, as when the process is killed.
    drop(database);
    assert_eq!(columns_of_version_3(&path), (2, 0));
    drop(EntryStore::open(&path).unwrap());
    assert_eq!(columns_of_version_3(&path), (6, 4));
}

#[test]
fn limits_of_games_and_runs_are_stored() {
    let folder = TempDir::new().expect("a folder");
    for (game_ms, run_ms) in [(None, None), (Some(7), None), (None, Some(8)), (Some(9), Some(10))] {
        let path = folder.path().join(format!("{game_ms:?}{run_ms:?}.db"));
        let limits = Limits { game_ms, run_ms, ..Limits::default() };
        let mut settings = settings();
        settings.limits = limits;
        HillStore::create(&path, &settings).expect("a new hill");
        assert_eq!(HillStore::open(&path).unwrap().hill().limits, limits);
    }
}

#[test]
fn limits_out_of_their_range_are_refused() {
    let day = "86400001";
    let of_hill = [("start_ms", "0"), ("move_ms", day), ("memory_mb", "1048577")];
    let of_hill = of_hill.into_iter().chain([("game_ms", "-1"), ("run_ms", "31536000001")]);
    for (key, value) in of_hill {
        let (_folder, path) = hill();
        alter(&path, &format!("hill SET {key} = {value}"));
        assert_names(&HillStore::open(&path).map(drop).unwrap_err(), key);
    }
    for (key, value) in [("start_ms", day), ("move_ms", "0"), ("game_ms", day)] {
        let (_folder, path) = hill();
        let mut store = HillStore::open_to_write(&path).unwrap();
        store.add(&[new_entrant("Slow")]).unwrap();
        drop(store);
        let command = r#""command":["bot"],"folder":false,"build":null,"read":[]"#;
        let own_terms = format!("\"own_terms\":{{\"limits\":{{\"{key}\":{value}}}}}");
        let source = format!("{{\"command\":{{{command},{own_terms}}}}}");
        alter(&path, &format!("version SET source = '{source}'"));
        let store = HillStore::open(&path).unwrap();
        assert_names(&store.entrants().unwrap_err(), &format!("{key} = {value}"));
    }
}

fn alter(path: &Path, alteration: &str) {
    let database = Connection::open(path).expect("a database");
    let altered = database.execute(&format!("UPDATE {alteration}"), []).expect("altered");
    assert_eq!(altered, 1, "{alteration}");
}

#[track_caller]
fn assert_names(error: &FileError, words: &str) {
    let text = error.to_string();
    assert!(text.contains("must be 1 to ") && text.contains(words), "{words:?}: {text}");
}

#[test]
fn a_barred_entrant_is_off_the_hill_until_it_is_added_again() {
    let (_folder, path) = hill();
    let is_present = || !HillStore::open(&path).unwrap().entrants().unwrap().is_empty();
    let mut store = HillStore::open_to_write(&path).unwrap();
    store.add(&[new_entrant("Slow")]).unwrap();
    // While another process plays.
    let mut book = EntryStore::open(&path).unwrap();
    assert_eq!(book.stop_requests().unwrap(), 0);
    assert!(book.act(&host(), &HostAction::Bar("Slow".to_owned())).unwrap());
    assert_eq!((is_present(), book.stop_requests().unwrap()), (false, 1));
    assert!(book.is_barred("Slow").unwrap() && book.is_barred("sLOW").unwrap());
    assert!(!book.is_barred("Other").unwrap());
    assert!(!book.act(&host(), &HostAction::Bar("Slow".to_owned())).unwrap(), "it is barred");
    assert_eq!(book.stop_requests().unwrap(), 1, "no run has a bot that is not on the hill");
    assert_eq!(book.actions(9).unwrap().len(), 1);
    let error = book.act(&host(), &HostAction::Bar("Other".to_owned())).unwrap_err().to_string();
    assert!(error.ends_with("has no entrant \"Other\""), "{error}");
    store.add(&[new_entrant("Slow")]).unwrap();
    assert!(is_present() && !book.is_barred("Slow").unwrap());
    book.act(&host(), &HostAction::Stop).unwrap();
    assert_eq!(book.stop_requests().unwrap(), 2);
}

#[test]
fn a_run_in_progress_blocks_the_migration_and_nothing_else() {
    let (_folder, path) = hill();
    let playing = File::open(&path).unwrap();
    playing.try_lock().unwrap();
    EntryStore::open(&path).unwrap().add_token(&token(1), &terms(None)).unwrap();
    make_old(&path);
    let error = EntryStore::open(&path).err().unwrap();
    assert!(error.is_busy());
    let message = "another dicehill is playing on this hill; wait until it is done";
    assert!(error.to_string().ends_with(message), "{error}");
    playing.unlock().unwrap();
    assert!(EntryStore::open(&path).unwrap().tokens().unwrap().is_empty());
}

#[test]
fn a_file_that_is_not_a_hill_is_refused() {
    let (folder, path) = hill();
    assert!(EntryStore::open(&folder.path().join("none.db")).is_err());
    std::fs::write(&path, "not a database").unwrap();
    assert!(EntryStore::open(&path).is_err() && EntryStore::open_to_read(&path).is_err());
}
