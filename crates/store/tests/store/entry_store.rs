//! Tokens and entries of a hill, in stores of both schema versions.

use std::fs::File;
use std::path::{Path, PathBuf};

use dicehill_arena::{BotName, HillDraft};
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_store::{
    BotKind, EntryState, EntryStore, HillSettings, HillStore, NewEntrant, SecretToken, TokenError,
    TokenTerms,
};
use rusqlite::Connection;
use tempfile::TempDir;

/// The store of a new hill. Dropping the folder removes it.
fn hill() -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("h.db");
    let usual = HillDraft::<Yahtzee>::challenge(Vec::new(), "");
    let draft = HillDraft { name: "spring".to_owned(), ..usual };
    let record = HillSettings::from_draft(&draft, None);
    HillStore::create(&path, &record).expect("a new hill");
    (folder, path)
}

/// Changes the file to the schema version without tokens.
fn make_old(path: &Path) {
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
    book.add_entry(single, &bot("A")).unwrap();
    assert_eq!(book.token(&token(3)), Err(TokenError::UsedUp(1)));
    assert_eq!(book.add_entry(single, &bot("A")), Err(TokenError::UsedUp(1)));
    book.revoke(unlimited).unwrap();
    assert_eq!(book.token(&token(1)), Err(TokenError::Revoked));
    assert_eq!(book.add_entry(unlimited, &bot("A")), Err(TokenError::Revoked));
    assert!(book.revoke(9).unwrap_err().to_string().ends_with("has given out no token 9"));
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
    let [first, second] = ["A", "B"].map(|name| book.add_entry(uploader, &bot(name)).unwrap());
    book.set_state(first, EntryState::Checking).unwrap();
    book.set_report(first, "a line\n").unwrap();
    assert_eq!(book.mark_playing(first, "A", 0).unwrap(), None, "no run has the bot");
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
        let new = NewEntrant {
            name: bot(name),
            identity: "test".to_owned(),
            kind: BotKind::House("greedy".to_owned()),
            files: Vec::new(),
            author: None,
            url: None,
            votes: None,
        };
        HillStore::open_to_write(&path).unwrap().add(&[new]).unwrap();
    };
    add("Hosts");
    let mut book = EntryStore::open(&path).unwrap();
    let names = [Some("ada"), Some("ada"), Some("bob"), None, None];
    let [ada, ada_2, bob, unnamed, unnamed_2] =
        std::array::from_fn(|at| book.add_token(&token(at as u8), &terms(names[at])).unwrap());
    let mut upload = |token: i64, name: &str| {
        let id = book.add_entry(token, &bot(name)).unwrap();
        add(name);
        book.set_state(id, EntryState::Done).unwrap();
    };
    upload(ada, "Adas");
    upload(unnamed, "Unnamed");
    // A refused entry gives no right to its name.
    let refused = book.add_entry(bob, &bot("Adas")).unwrap();
    book.set_state(refused, EntryState::Refused).unwrap();
    let may_use = |token: i64, name: &str| book.is_name_available(&bot(name), token).unwrap();
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
    assert_eq!([ada, unnamed].map(|token| may_use(token, "aDAS")), [false; 2], "too similar");
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
    assert_eq!(number("PRAGMA user_version"), 2);
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
    let message = "another dicehill plays on this hill; wait until it is done";
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
