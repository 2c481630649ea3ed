//! The queue of a hill in its store, and what the host does with it.

use std::path::{Path, PathBuf};

use dicehill_arena::BotName;
use dicehill_store::{
    EntryKey, EntryRefusal, EntryState, EntryStore, FileDigest, HillStore, Host, HostAction,
    NewEntrant, NewUpload, RunWriter, SecretToken, StoredFile, TokenError, TokenRole, TokenTerms,
};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::test_hill::{host, new_entrant, new_store, upload};

/// A hill with tokens of Ada, Ada again, Bob and a host, numbered from 1.
struct Hill {
    _folder: TempDir,
    path: PathBuf,
}

const ADA: i64 = 1;
const ADA_AGAIN: i64 = 2;
const BOB: i64 = 3;
const HOST: i64 = 4;

impl Hill {
    fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        let path = folder.path().join("h.db");
        drop(new_store(&path));
        let hill = Self { _folder: folder, path };
        for (number, name, role) in [
            (1, "ada", TokenRole::Author),
            (2, "ada", TokenRole::Author),
            (3, "bob", TokenRole::Author),
            (4, "eve", TokenRole::Host),
        ] {
            let terms = TokenTerms { name: Some(name.to_owned()), role, ..TokenTerms::default() };
            hill.book().add_token(&SecretToken::new([number; 32]), &terms).expect("it works");
        }
        hill
    }

    fn book(&self) -> EntryStore {
        EntryStore::open(&self.path).expect("it works")
    }

    fn add(&self, token: i64, name: &str) -> i64 {
        self.book().add_upload(token, &upload(name)).expect("it works")
    }

    fn refusal(&self, token: i64, name: &str) -> EntryRefusal {
        self.book().add_upload(token, &upload(name)).expect_err("it is refused")
    }

    fn set(&self, key: EntryKey, value: &str) {
        let entries = vec![(key, Some(value.to_owned()))];
        self.act(&HostAction::Set { limits: Vec::new(), entries }).expect("it works");
    }

    fn act(&self, action: &HostAction) -> Result<(), String> {
        self.book().act(&host(), action).map(drop).map_err(|error| error.to_string())
    }

    fn state(&self, id: i64) -> EntryState {
        self.book().entry(id).expect("it works").expect("it works").state
    }

    fn waiting(&self) -> Vec<i64> {
        self.book().waiting_entries().expect("it works").into_iter().map(|entry| entry.id).collect()
    }

    /// Qualifies an entry, and adds its bot to the hill.
    fn qualify(&self, id: i64, name: &str) {
        assert!(self.book().begin_check(id).expect("it works").is_some());
        let new = NewEntrant { entry: Some(id), ..new_entrant(name) };
        HillStore::open_to_write(&self.path).expect("it works").add(&[new]).expect("it works");
    }

    fn begin_run(&self) -> RunWriter {
        HillStore::open_to_write(&self.path)
            .expect("it works")
            .begin_run(Vec::new(), true)
            .expect("it works")
            .of_queue()
    }
}

#[test]
fn a_newer_upload_of_the_same_author_takes_the_place_of_the_one_that_waits() {
    let hill = Hill::new();
    let [first, other, bobs] =
        [(ADA, "A"), (ADA, "Other"), (BOB, "B")].map(|(token, name)| hill.add(token, name));
    let second = hill.add(ADA_AGAIN, "A");
    assert_eq!(hill.waiting(), [second, other, bobs]);
    assert_eq!(hill.state(first), EntryState::Replaced);
    let third = hill.add(ADA, "A");
    assert_eq!(hill.waiting(), [third, other, bobs], "its place stays");
    // The file of an entry is there as long as it waits.
    assert_eq!(hill.book().upload(second).unwrap(), None);
    assert_eq!(hill.book().upload(third).unwrap().unwrap().content, b"A");
    // One that is being qualified is not replaced.
    assert_eq!(hill.book().begin_check(third).unwrap(), Some(1));
    let fourth = hill.add(ADA, "A");
    assert_eq!(hill.state(third), EntryState::Checking);
    assert_eq!(hill.waiting(), [third, other, bobs, fourth]);
    assert_eq!(hill.book().begin_check(third).unwrap(), Some(2), "after a restart");
}

#[test]
fn a_refused_upload_changes_nothing() {
    let hill = Hill::new();
    HillStore::open_to_write(&hill.path).unwrap().add(&[new_entrant("Hosts")]).unwrap();
    assert_eq!(hill.refusal(ADA, "hosts"), EntryRefusal::NameTaken);
    assert_eq!(hill.refusal(HOST, "A"), EntryRefusal::Role);
    assert_eq!(hill.refusal(99, "A"), TokenError::Unknown.into());
    hill.act(&HostAction::Bar("Hosts".to_owned())).unwrap();
    assert_eq!(hill.refusal(ADA, "Hosts"), EntryRefusal::Barred);
    hill.set(EntryKey::Closes, "2001-01-01 00:00");
    assert!(matches!(hill.refusal(ADA, "A"), EntryRefusal::Late(_)));
    hill.set(EntryKey::Closes, "2901-01-01 00:00");
    hill.set(EntryKey::Opens, "2900-01-01 00:00");
    let early = hill.refusal(ADA, "A").to_string();
    assert_eq!(early, "entries open on 2900-01-01 00:00 UTC");
    let book = hill.book();
    assert!(book.entries(9).unwrap().is_empty());
    assert!(book.tokens().unwrap().iter().all(|token| token.used == 0));
}

#[test]
fn an_author_has_limits_that_tokens_of_the_same_name_share() {
    let hill = Hill::new();
    hill.set(EntryKey::AuthorWaiting, "2");
    let first = hill.add(ADA, "A");
    hill.add(ADA_AGAIN, "B");
    assert_eq!(hill.refusal(ADA, "C"), EntryRefusal::Waiting(2));
    hill.add(ADA, "B");
    hill.add(BOB, "C");
    hill.set(EntryKey::AuthorWaiting, "9");
    hill.set(EntryKey::AuthorDaily, "3");
    assert_eq!(hill.refusal(ADA_AGAIN, "D"), EntryRefusal::Daily(3));
    hill.set(EntryKey::AuthorDaily, "9");
    hill.set(EntryKey::AuthorBots, "2");
    assert_eq!(hill.refusal(ADA, "D"), EntryRefusal::Bots(2));
    hill.add(ADA, "A");
    assert_eq!(hill.state(first), EntryState::Replaced);
    // A bot that was refused does not count.
    let open = hill.waiting();
    hill.book().end_check(open[1], EntryState::Refused).unwrap();
    hill.add(ADA, "D");
}

#[test]
fn entries_follow_the_run_in_which_their_bots_play_first() {
    let hill = Hill::new();
    let [first, second] = [(ADA, "A"), (BOB, "B")].map(|(token, name)| hill.add(token, name));
    hill.qualify(first, "A");
    hill.qualify(second, "B");
    assert_eq!([first, second].map(|id| hill.state(id)), [EntryState::Ready; 2]);
    assert_eq!(hill.book().upload(first).unwrap(), None, "the hill has the files");
    // A newer version before the run.
    let newer = hill.add(ADA, "A");
    hill.qualify(newer, "A");
    assert_eq!([first, newer].map(|id| hill.state(id)), [EntryState::Replaced, EntryState::Ready]);
    assert_eq!(hill.book().run_to_resume().unwrap(), None);
    drop(hill.begin_run());
    assert_eq!(hill.state(newer), EntryState::Ready, "nothing is stored before the first event");
}

impl Hill {
    /// Two bots on the hill, whose entries play in run 1.
    fn with_a_run() -> (Self, Connection, [i64; 2]) {
        let hill = Self::new();
        let entries = [(ADA, "A"), (BOB, "B")].map(|(token, name)| {
            let id = hill.add(token, name);
            hill.qualify(id, name);
            id
        });
        let database = Connection::open(&hill.path).expect("it opens");
        let run = "INSERT INTO run (id, header, moves, begun, queued) VALUES (1, '{}', 1, 0, 1);
             INSERT INTO run_bot (run, place, name) VALUES (1, 0, 'A'), (1, 1, 'B');
             UPDATE entry SET state = 'playing', run = 1;";
        database.execute_batch(run).expect("it is written");
        (hill, database, entries)
    }

    fn entry(&self, id: i64) -> (EntryState, Option<i64>, Option<i64>, Option<String>) {
        let entry = self.book().entry(id).expect("it is read").expect("it is there");
        (entry.state, entry.run, entry.played, entry.bar)
    }
}

#[test]
fn a_bot_whose_run_is_stopped_stays_on_the_hill() {
    let (hill, database, [first, second]) = Hill::with_a_run();
    assert_eq!(hill.book().run_to_resume().unwrap(), Some(1));
    hill.act(&HostAction::Stop).unwrap();
    assert_eq!(hill.book().run_to_resume().unwrap(), None, "also between two attempts");
    for id in [first, second] {
        assert_eq!(hill.entry(id), (EntryState::Done, Some(1), None, None));
    }
    // A later run ends, and then the host resumes the first one, in which a bot is barred.
    let later = "INSERT INTO run (id, header, moves, begun, ended) VALUES (2, '{}', 1, 0, 0);
         INSERT INTO run_bot (run, place, name) VALUES (2, 0, 'B');";
    database.execute_batch(later).unwrap();
    assert_eq!(hill.entry(first), (EntryState::Done, Some(1), None, None));
    assert_eq!(hill.entry(second), (EntryState::Done, Some(1), Some(2), None));
    let bar = r#"UPDATE run SET ended = 1; INSERT INTO bar VALUES (1, 0, '{"bot":"A","reason":"crash"}');"#;
    database.execute_batch(bar).unwrap();
    assert_eq!(hill.entry(first), (EntryState::Done, Some(1), Some(1), Some("crash".to_owned())));
    assert_eq!(hill.entry(second), (EntryState::Done, Some(1), Some(1), None));
}

#[test]
fn the_bots_of_a_run_from_which_the_host_bars_one_play_in_the_next() {
    let (hill, _database, [first, second]) = Hill::with_a_run();
    assert!(!hill.book().has_barred_since(0).unwrap());
    hill.act(&HostAction::Bar("A".to_owned())).unwrap();
    assert!(hill.book().has_barred_since(0).unwrap());
    assert_eq!(hill.book().run_to_resume().unwrap(), None);
    assert_eq!(hill.entry(first), (EntryState::Refused, Some(1), None, None));
    assert_eq!(hill.entry(second), (EntryState::Ready, None, None, None));
}

#[test]
fn an_entry_that_an_earlier_version_has_failed_with_its_run_is_done() {
    let (hill, _database, [first, second]) = Hill::with_a_run();
    hill.book().set_state(first, EntryState::Failed).unwrap();
    hill.book().settle().unwrap();
    assert_eq!([first, second].map(|id| hill.state(id)), [EntryState::Done, EntryState::Playing]);
}

#[test]
fn a_bot_is_not_added_for_an_entry_that_was_skipped() {
    let hill = Hill::new();
    let id = hill.add(ADA, "A");
    hill.book().begin_check(id).unwrap();
    hill.act(&HostAction::Skip(id)).unwrap();
    hill.book().end_check(id, EntryState::Refused).unwrap();
    assert_eq!(hill.state(id), EntryState::Skipped);
    let new = NewEntrant { entry: Some(id), ..new_entrant("A") };
    assert!(HillStore::open_to_write(&hill.path).unwrap().add(&[new]).is_err());
    assert!(HillStore::open(&hill.path).unwrap().entrants().unwrap().is_empty());
}

#[test]
fn a_host_holds_approves_and_skips_entries_and_the_log_names_who_did_it() {
    let hill = Hill::new();
    let id = hill.add(ADA, "A");
    let eve = hill.book().host(HOST).unwrap();
    assert_eq!(eve, Host { name: "eve".to_owned(), token: Some(HOST) });
    for (action, state) in [
        (HostAction::Hold(id), EntryState::Held),
        (HostAction::Approve(id), EntryState::Waiting),
        (HostAction::Skip(id), EntryState::Skipped),
    ] {
        hill.book().act(&eve, &action).unwrap();
        assert_eq!(hill.state(id), state);
    }
    assert_eq!(hill.book().upload(id).unwrap(), None);
    let error = hill.act(&HostAction::Approve(id)).unwrap_err();
    assert!(error.ends_with("entry 1 is skipped, which cannot be changed to waiting"), "{error}");
    let error = hill.act(&HostAction::Skip(9)).unwrap_err();
    assert!(error.ends_with("has no entry 9"), "{error}");
    hill.act(&HostAction::Message(Some("Hello".to_owned()))).unwrap();
    hill.act(&HostAction::Hide(id)).unwrap();
    assert!(hill.book().entry(id).unwrap().unwrap().is_hidden);
    let actions = hill.book().actions(9).unwrap();
    let words: Vec<_> = actions
        .iter()
        .rev()
        .map(|it| format!("{} {:?} {} {} {}", it.host, it.token, it.action, it.target, it.detail))
        .collect();
    assert_eq!(
        words,
        [
            "eve Some(4) hold entry 1 ",
            "eve Some(4) approve entry 1 ",
            "eve Some(4) skip entry 1 ",
            "host None message on the page Hello",
            "host None hide entry 1 ",
        ]
    );
    for token in [ADA, 99] {
        assert!(hill.book().host(token).is_err(), "{token} is not a host's");
    }
    hill.book().revoke(HOST).unwrap();
    assert!(hill.book().host(HOST).is_err());
}

#[test]
fn the_log_of_actions_is_not_changed() {
    let hill = Hill::new();
    hill.act(&HostAction::Stop).unwrap();
    let database = Connection::open(&hill.path).unwrap();
    for sql in ["UPDATE action SET host = 'x'", "DELETE FROM action"] {
        let error = database.execute(sql, []).unwrap_err().to_string();
        assert!(error.contains("the log of actions is not changed"), "{error}");
    }
}

#[test]
fn names_are_held_for_approval_where_the_host_wants_it() {
    let hill = Hill::new();
    hill.set(EntryKey::Approval, "names");
    hill.set(EntryKey::ApprovalWords, "badger");
    let [plain, held, foreign] = ["A", "My BADGER", "B\u{e4}r"].map(|name| hill.add(ADA, name));
    assert_eq!(
        [plain, held, foreign].map(|id| hill.state(id)),
        [EntryState::Waiting, EntryState::Held, EntryState::Held]
    );
    assert_eq!(hill.waiting(), [plain]);
    hill.act(&HostAction::Approve(held)).unwrap();
    assert_eq!(hill.waiting(), [plain, held]);
}

#[test]
fn texts_that_visitors_see_are_held_for_approval() {
    let hill = Hill::new();
    hill.set(EntryKey::Approval, "names");
    hill.set(EntryKey::ApprovalWords, "badger");
    let by = |author: &str| NewUpload { texts: vec![author.to_owned()], ..upload("A") };
    let mut book = hill.book();
    let [plain, held] = ["Zo\u{eb}", "a b4dger"].map(|author| book.add_upload(ADA, &by(author)));
    assert_eq!(hill.state(plain.unwrap()), EntryState::Replaced);
    assert_eq!(hill.state(held.unwrap()), EntryState::Held);
}

#[test]
fn a_renamed_entrant_keeps_its_author_and_its_runs_keep_its_old_name() {
    let hill = Hill::new();
    let id = hill.add(ADA, "Rude");
    hill.qualify(id, "Rude");
    let to = |name: &str| BotName::new(name).unwrap();
    let rename =
        |from: &str, name: &str| HostAction::Rename { from: from.to_owned(), to: to(name) };
    HillStore::open_to_write(&hill.path).unwrap().add(&[new_entrant("Taken")]).unwrap();
    for (from, name, part) in [
        ("Nobody", "Kind", "has no entrant"),
        ("Rude", "taken", "has, or had, an entrant with a name like"),
        ("Rude", "Rude", "has, or had, an entrant with a name like"),
    ] {
        let error = hill.act(&rename(from, name)).unwrap_err();
        assert!(error.contains(part), "{error}");
    }
    hill.act(&rename("Rude", "Kind")).unwrap();
    let names = |path: &Path| -> Vec<String> {
        let store = HillStore::open(path).unwrap();
        store.entrants().unwrap().into_iter().map(|entrant| entrant.name.to_string()).collect()
    };
    assert_eq!(names(&hill.path), ["Taken", "Kind"]);
    let book = hill.book();
    assert!(book.name_refusal(&to("Kind"), ADA_AGAIN).unwrap().is_none());
    assert!(book.name_refusal(&to("Kind"), BOB).unwrap().is_some());
    assert!(
        book.name_refusal(&to("Rude"), ADA).unwrap().is_some(),
        "the old name is not free again"
    );
    assert_eq!(book.entry(id).unwrap().unwrap().bot, "Kind");
    // Its author reads which of its bots has the name.
    assert_eq!(hill.refusal(ADA_AGAIN, "Rude"), EntryRefusal::OwnName("Kind".to_owned()));
    assert_eq!(hill.refusal(ADA, "rude"), EntryRefusal::OwnName("Kind".to_owned()));
    assert_eq!(hill.refusal(ADA, "KIND"), EntryRefusal::OwnName("Kind".to_owned()));
    assert_eq!(hill.refusal(BOB, "Rude"), EntryRefusal::NameTaken);
    assert_eq!(book.bots_of(ADA).unwrap(), ["Kind", "Rude"], "its history is under both");
    assert_eq!(book.bots_of(BOB).unwrap(), Vec::<String>::new());
    let old = hill.act(&HostAction::Bar("Rude".to_owned())).unwrap_err();
    assert!(old.ends_with("\"Rude\" has the name \"Kind\" now: bar that"), "{old}");
    hill.act(&HostAction::Bar("Kind".to_owned())).unwrap();
    assert_eq!(names(&hill.path), ["Taken"]);
}

#[test]
fn an_unchanged_bot_is_refused_at_once_if_no_other_upload_of_it_is_open() {
    let hill = Hill::new();
    let files = |program: &str, executable| {
        [("bot.toml", "name = \"A\"", false), ("a/main.py", program, executable)].map(
            |(path, content, is_set)| (PathBuf::from(path), content.as_bytes().to_vec(), is_set),
        )
    };
    let upload = |program: &str, is_set, environment: Option<&str>| {
        let digest =
            |(path, content, is_set): (_, Vec<u8>, _)| FileDigest::new(path, is_set, &content);
        let files = files(program, is_set).into_iter().rev().map(digest).collect();
        let new = NewUpload { files, environment: environment.map(str::to_owned), ..upload("A") };
        hill.book().add_upload(ADA, &new)
    };
    let add = |id: i64, program: &str| {
        hill.book().begin_check(id).unwrap();
        let stored = |(path, content, executable)| StoredFile { path, executable, content };
        let files = files(program, false).map(stored).into();
        let new = NewEntrant { entry: Some(id), files, ..new_entrant("A") };
        HillStore::open_to_write(&hill.path).unwrap().add(&[new]).unwrap();
    };
    let first = upload("1", false, None).unwrap();
    add(first, "1");
    let unchanged = EntryRefusal::Unchanged("A".to_owned());
    assert_eq!(upload("1", false, None), Err(unchanged.clone()));
    assert_eq!(hill.book().entries(9).unwrap().len(), 1);
    let second = upload("1", true, None).unwrap();
    // The other upload may change the bot before it.
    upload("1", false, None).unwrap();
    assert_eq!(hill.state(second), EntryState::Replaced);
    hill.act(&HostAction::Skip(3)).unwrap();
    let fourth = upload("2", false, None).unwrap();
    add(fourth, "2");
    assert_eq!(upload("2", false, None), Err(unchanged));
    let earlier = upload("1", false, None).unwrap();
    hill.act(&HostAction::Skip(earlier)).unwrap();
    // What is in an environment may have changed.
    hill.set(EntryKey::Environments, "science=/opt");
    upload("2", false, Some("science")).unwrap();
    // A bot that the host has removed comes back.
    hill.act(&HostAction::Skip(6)).unwrap();
    HillStore::open_to_write(&hill.path).unwrap().remove("A").unwrap();
    upload("2", false, None).unwrap();
}

#[test]
fn a_bot_that_came_to_the_hill_without_a_run_has_played_in_the_first_one_that_ends() {
    let hill = Hill::new();
    let id = hill.add(ADA, "Mine");
    hill.qualify(id, "Mine");
    // The hill had too few bots. That is remembered, also when settings change.
    assert_eq!(hill.book().whole_runs().unwrap().last_begun, None);
    hill.book().end_ready_in_vain(77).unwrap();
    hill.set(EntryKey::AuthorWaiting, "3");
    assert_eq!(hill.book().whole_runs().unwrap().last_begun, Some(77));
    // Its bot is on the hill, and counts.
    hill.set(EntryKey::AuthorBots, "1");
    assert_eq!(hill.refusal(ADA, "Other"), EntryRefusal::Bots(1));
    let entry = || hill.book().entry(id).unwrap().unwrap();
    let database = Connection::open(&hill.path).unwrap();
    let run = "INSERT INTO run (id, header, moves, begun, queued) VALUES (1, '{}', 1, 0, 0);
        INSERT INTO run_bot SELECT 1, 0, 'Mine', id FROM version;";
    database.execute_batch(run).unwrap();
    assert_eq!((entry().state, entry().run, entry().played), (EntryState::Done, None, None));
    database.execute("UPDATE run SET ended = 1", []).unwrap();
    assert_eq!((entry().run, entry().played), (None, Some(1)));
}

#[test]
fn a_name_that_waits_belongs_to_its_author_in_a_renaming_too() {
    let hill = Hill::new();
    let rename = |from: &str, name: &str| HostAction::Rename {
        from: from.to_owned(),
        to: BotName::new(name).unwrap(),
    };
    let mine = hill.add(ADA, "Mine");
    hill.qualify(mine, "Mine");
    let own = hill.add(ADA_AGAIN, "Later");
    let bobs = hill.add(BOB, "Wanted");
    let refused = |name: &str| {
        let error = hill.act(&rename("Mine", name)).unwrap_err();
        assert!(error.contains("entry 3, which is not finished, has a name like"), "{error}");
    };
    refused("Wanted");
    hill.act(&HostAction::Hold(bobs)).unwrap();
    refused("wanted");
    hill.act(&HostAction::Approve(bobs)).unwrap();
    hill.book().begin_check(bobs).unwrap();
    refused("Wanted");
    let is_free = |token| {
        hill.book().name_refusal(&BotName::new("Wanted").unwrap(), token).unwrap().is_none()
    };
    assert!(is_free(BOB), "nothing has changed");
    // A new version would have the old name in its files.
    let version = hill.add(ADA, "Mine");
    let error = hill.act(&rename("Mine", "Later")).unwrap_err();
    assert!(error.contains("entry 4, which is not finished, is a new version of Mine"), "{error}");
    hill.act(&HostAction::Skip(version)).unwrap();
    // An own upload with the new name becomes a new version.
    hill.act(&rename("Mine", "Later")).unwrap();
    hill.qualify(own, "Later");

    // A refused entry of another author keeps its name, also when the bot is renamed again.
    hill.book().end_check(bobs, EntryState::Refused).unwrap();
    hill.act(&rename("Later", "Wanted")).unwrap();
    hill.act(&rename("Wanted", "Last")).unwrap();
    let names = [mine, own, bobs].map(|id| hill.book().entry(id).unwrap().unwrap().bot);
    assert_eq!(names, ["Last", "Last", "Wanted"]);
}
