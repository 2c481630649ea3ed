//! Tables over time: absent people, time limits, rematches, and restarts of the server. The time is a value.

mod restart;
mod time;

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::stored_table::StoredTable;
use super::table_folder::TableFolder;
use super::*;
use crate::model::table::TableDocument;
use crate::requests::client_address::ClientAddress;

const HOUR: Duration = Duration::from_hours(1);

fn client() -> ClientAddress {
    ClientAddress::direct([192, 0, 2, 1].into())
}

/// A lobby with a table for people of these names.
struct Played {
    lobby: Lobby,
    id: String,
    tokens: Vec<String>,
    begin: Instant,
}

fn lobby(folder: Option<&std::path::Path>) -> Lobby {
    let folder = folder.map(|path| TableFolder::open(path.to_owned()));
    let lobby = Lobby::new(LobbyLimits { tables: 9, idle: 24 * HOUR }, folder);
    lobby.load();
    lobby
}

/// What the file of a table says.
pub(super) fn stored_table() -> StoredTable {
    StoredTable::read(restart::VERSION_1.as_bytes()).unwrap()
}

fn draft(game: &str, people: usize, opponents: &[&str]) -> TableDraft {
    TableDraft {
        game: game.to_owned(),
        people: Some(people),
        name: Some("Anna".to_owned()),
        opponents: opponents.iter().map(|name| (*name).to_owned()).collect(),
        seed: Some("a seed".to_owned()),
        ..TableDraft::default()
    }
}

impl Played {
    /// Opens a table in the lobby, at which Anna and others sit.
    fn open(lobby: Lobby, draft: &TableDraft) -> Self {
        let begin = Instant::now();
        let (id, token) = lobby.open(client(), draft, begin).unwrap();
        let mut played =
            Self { lobby, id: id.to_string(), tokens: vec![token.as_str().to_owned()], begin };
        for name in ["Berta", "Carla"].into_iter().take(draft.people.unwrap_or(1) - 1) {
            let token = played.session().sit(None, Some(name)).unwrap();
            played.tokens.push(token.as_str().to_owned());
        }
        played
    }

    fn session(&self) -> Arc<dyn AnyTableSession> {
        self.lobby.find(&self.id, self.begin).unwrap_or_else(|refusal| panic!("{refusal}"))
    }

    fn token(&self, person: usize) -> Option<&str> {
        Some(&self.tokens[person])
    }

    fn seen_by(&self, person: usize) -> TableDocument {
        self.session().document(self.token(person))
    }

    /// The person whose turn it is, by the order in which they took seats.
    fn to_act(&self) -> Option<usize> {
        (0..self.tokens.len()).find(|person| {
            let seen = self.seen_by(*person);
            seen.turn.is_some() && seen.turn == seen.you
        })
    }

    fn act(&self, person: usize, action: &str) -> Result<TableDocument, Refusal> {
        let known = self.seen_by(person).moves;
        let request = ActionRequest { action: action.to_owned(), known };
        self.session().act(self.token(person), &request)
    }

    fn change(&self, person: usize, change: SeatChange) -> Result<TableDocument, Refusal> {
        self.session().change_seat(self.token(person), change)
    }

    /// Lets bots play until it is the turn of a person that no bot plays for.
    fn play_bots(&self) {
        while self.session().play_bot_turn() {}
    }

    /// Lets `seconds` pass since the beginning; returns whether a person was replaced.
    fn pass(&self, seconds: u64) -> bool {
        !self.lobby.enforce_time(self.begin + Duration::from_secs(seconds)).is_empty()
    }
}
