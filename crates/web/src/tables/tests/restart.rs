//! Tables that survive a restart of the server, and files that are damaged.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::*;
use crate::model::table::{Absence, Stage};
use crate::tables::lobby::restored;
use crate::tables::stored_table::DamagedTable;
use crate::tables::table_session::Saved;

/// A table as version 1 of the format wrote it.
pub(super) const VERSION_1: &str = r#"{"format":"dicehill.table/1","id":"0000000000000000000000000000002a","game":"liars-dice","rules":"official","seed":"a seed","seed_given":true,"opponents":["badnomial"],"people":2,"move_seconds":60,"open":false,"seated":[{"name":"Anna","token_hash":"e2a8b65ef7d9a9f5f4e4dbd5f4b6ab9d9fdc2d46ad8d0d2a1c9c4f1f1ae0c1d2"},{"name":"Berta","token_hash":"a2a8b65ef7d9a9f5f4e4dbd5f4b6ab9d9fdc2d46ad8d0d2a1c9c4f1f1ae0c1d2"}],"journal":[{"acted":"1 2"},{"replaced":{"person":1,"why":"late"}},{"acted":"1 3"},{"returned":{"person":1}}],"rematch":null}"#;
const ID: &str = "0000000000000000000000000000002a";

/// The same table after a restart of the server.
fn restarted(played: Played, folder: &Path) -> Played {
    let Played { lobby: before, id, tokens, begin } = played;
    drop(before);
    Played { lobby: lobby(Some(folder)), id, tokens, begin }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.file_name().is_some_and(|name| name != "lock"));
    files.sort();
    files
}

#[test]
fn a_game_continues_after_a_restart() {
    for (game, bots) in [("yahtzee", &["greedy"][..]), ("liars-dice", &["bayes", "badnomial"])] {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("tables");
        let mut played = Played::open(lobby(Some(&folder)), &draft(game, 2, bots));
        played.play_bots();
        let mut restarts = 0;
        while let Some(person) = played.to_act() {
            let before = [0, 1].map(|person| played.seen_by(person));
            let action = first_action(&before[person]);
            if restarts < 8 {
                played = restarted(played, &folder);
                let after = [0, 1].map(|person| played.seen_by(person));
                for (one, other) in before.into_iter().zip(after) {
                    assert!(other.version > one.version, "a page must not take it for an old one");
                    assert_eq!(TableDocument { version: other.version, ..one }, other);
                }
                restarts += 1;
            }
            played.act(person, &action).unwrap();
            played.play_bots();
        }
        assert_eq!(played.seen_by(0).stage, Stage::Over, "{game}");
        let report = played.session().report().unwrap();
        let played = restarted(played, &folder);
        assert_eq!(played.session().report().unwrap(), report);
        let [file] = &files(&folder)[..] else { panic!("one file") };
        assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
        let text = fs::read_to_string(file).unwrap();
        assert!(played.tokens.iter().all(|token| !text.contains(token)), "only hashes are stored");
    }
}

#[test]
fn a_folder_that_others_can_use_becomes_private_and_their_files_are_set_aside() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("tables");
    fs::create_dir(&folder).unwrap();
    let mode = |path: &Path, mode: u32| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(&folder, 0o755);
    let writable = folder.join(format!("{ID}.json"));
    fs::write(&writable, VERSION_1).unwrap();
    mode(&writable, 0o666);
    let pipe = folder.join(format!("{}.json", ID.replace('2', "1")));
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let lobby = lobby(Some(&folder));
    assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
    let names: Vec<_> =
        files(&folder).iter().map(|path| path.extension().map(OsStr::to_owned)).collect();
    assert_eq!(names, [Some("damaged".into()), Some("damaged".into())]);
    assert!(lobby.find(ID, Instant::now()).is_err());
}

fn first_action(seen: &TableDocument) -> String {
    if let Some(turn) = seen.liars_dice.as_ref().and_then(|position| position.turn.as_ref()) {
        return if turn.may_call { "Liar!".to_owned() } else { "2 6".to_owned() };
    }
    let card = seen.yahtzee.as_ref().and_then(|position| position.card.as_ref()).unwrap();
    card.boxes.iter().find(|one| one.now.is_some()).unwrap().category.to_owned()
}

#[test]
fn absences_and_free_seats_survive_too() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("tables");
    let draft = TableDraft { move_seconds: Some(90), ..draft("yahtzee", 2, &[]) };
    let played = Played::open(lobby(Some(&folder)), &draft);
    played.change(1, SeatChange::Leave).unwrap();
    let played = restarted(played, &folder);
    let seen = played.seen_by(0);
    assert_eq!(seen.move_seconds, Some(90));
    let absences: Vec<_> = seen.players.iter().filter_map(|player| player.absence).collect();
    assert_eq!(absences, [Absence::Away]);
    played.change(1, SeatChange::Return).unwrap();
    let lobby = played.lobby;
    let (id, _) = lobby.open(client(), &draft, played.begin).unwrap();
    drop(lobby);
    let lobby = super::lobby(Some(&folder));
    let waiting = lobby.find(&id.to_string(), Instant::now());
    let waiting = waiting.unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!(waiting.document(None).free_seats, 1);
}

#[test]
fn a_file_of_version_1_is_read() {
    let scratch = tempfile::tempdir().unwrap();
    fs::write(scratch.path().join(format!("{ID}.json")), VERSION_1).unwrap();
    let lobby = lobby(Some(scratch.path()));
    let table = lobby.find(ID, Instant::now()).unwrap_or_else(|refusal| panic!("{refusal}"));
    let seen = table.document(None);
    assert_eq!((seen.players.len(), seen.move_seconds), (3, Some(60)));
    let texts: Vec<_> = seen.happenings.iter().map(|event| event.text.clone()).collect();
    assert!(texts[0].ends_with("bids one two"), "{texts:?}");
    assert_eq!(texts[1], "Berta is out of time: a bot plays for Berta");
    assert!(texts[2].ends_with("bids one three") && texts[3] == "Berta is back", "{texts:?}");
    let stored = StoredTable::read(VERSION_1.as_bytes()).unwrap();
    assert_eq!(String::from_utf8(stored.to_bytes()).unwrap().trim_end(), VERSION_1);
}

#[test]
fn a_damaged_file_is_set_aside() {
    let damages = [
        ("{", "EOF while parsing"),
        (&VERSION_1.replace("table/1", "table/2"), "format = \"dicehill.table/2\""),
        (&VERSION_1.replace(ID, "0000000000000000000000000000002b"), "id = "),
        (&VERSION_1.replace("liars-dice", "chess"), "options: "),
        (&VERSION_1.replace("badnomial", "nemo"), "options: no such house bot"),
        (&VERSION_1.replace("e2a8", "xyz8"), "seated[0]: token_hash"),
        (&VERSION_1.replace("Berta", "Anna"), "seated[1]: another player"),
        (&VERSION_1.replace("1 3", "0 9"), "journal[2]: "),
        (&VERSION_1.replace("\"person\":1", "\"person\":7"), "journal[1]: "),
        (&VERSION_1.replace("\"rematch\":null", "\"rematch\":\"x\""), "rematch = \"x\""),
        (&VERSION_1.replace("\"rematch\":null", "\"rematch\":null,\"more\":1"), "unknown field"),
    ];
    for (text, expected) in damages {
        let scratch = tempfile::tempdir().unwrap();
        let file = scratch.path().join(format!("{ID}.json"));
        fs::write(&file, text).unwrap();
        let lobby = lobby(Some(scratch.path()));
        assert!(lobby.find(ID, Instant::now()).is_err(), "{text}");
        assert_eq!(files(scratch.path()), [file.with_extension("damaged")]);
        let why = read(text.as_bytes()).unwrap_err().to_string();
        assert!(why.starts_with(expected) || why.contains(expected), "{why}");
    }
}

/// Reads a file as the server does.
fn read(bytes: &[u8]) -> Result<(), DamagedTable> {
    let stored = StoredTable::read(bytes)?;
    restored(ID.parse().unwrap(), stored, Saved { writer: None, version: 1 }).map(|_| ())
}

/// No byte of a file that is different or missing makes the server fail: it reads a table, or refuses the file.
#[test]
fn no_damage_is_a_panic() {
    let bytes = VERSION_1.as_bytes();
    let mut refused = 0;
    for place in 0..bytes.len() {
        refused += usize::from(read(&bytes[..place]).is_err());
        for change in [b'9', b'"'] {
            let mut changed = bytes.to_vec();
            changed[place] = change;
            refused += usize::from(read(&changed).is_err());
        }
    }
    assert!(refused > bytes.len(), "{refused}");
}

#[test]
fn a_second_server_leaves_the_tables_of_the_first() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("tables");
    let first = lobby(Some(&folder));
    let early = lobby(Some(&folder));
    let begin = Instant::now();
    let (id, _) = first.open(client(), &draft("yahtzee", 1, &[]), begin).unwrap();
    first.flush();
    let late = lobby(Some(&folder));
    for second in [early, late] {
        assert!(second.find(&id.to_string(), begin).is_err());
        second.open(client(), &draft("yahtzee", 1, &[]), begin).unwrap();
        second.flush();
    }
    assert_eq!(files(&folder).len(), 1);
}

#[test]
fn the_file_of_an_idle_table_is_removed() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("tables");
    let lobby = lobby(Some(&folder));
    let begin = Instant::now();
    let draft = draft("yahtzee", 1, &[]);
    let (id, _) = lobby.open(client(), &draft, begin).unwrap();
    lobby.flush();
    assert_eq!(files(&folder).len(), 1);
    assert!(lobby.find(&id.to_string(), begin + 25 * HOUR).is_err());
    lobby.flush();
    assert!(files(&folder).is_empty());
    for hour in 0..12 {
        lobby.open(client(), &draft, begin + hour * HOUR).unwrap();
    }
    lobby.flush();
    assert_eq!(files(&folder).len(), 9, "the limit of tables");
    lobby.open(client(), &draft, begin + 40 * HOUR).unwrap();
    lobby.flush();
    assert_eq!(files(&folder).len(), 1);
    drop(lobby);
    let later = std::time::SystemTime::now() + 25 * HOUR;
    let kept = TableFolder::open(folder.clone()).load(24 * HOUR, later, |_, _| Ok(()));
    assert!(kept.is_empty() && files(&folder).is_empty());
}
