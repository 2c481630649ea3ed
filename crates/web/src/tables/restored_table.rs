//! Tables to files and back.

use super::seat_token::SeatTokenHash;
use super::stored_table::{DamagedTable, FORMAT, StoredPerson, StoredTable};
use super::table::Table;
use super::table_options::{TableDraft, TableOptions};
use super::{TableGame, TableId};

impl<G: TableGame> Table<G> {
    /// The table as its file has it.
    pub(super) fn stored(&self) -> StoredTable {
        let TableDraft { game, opponents, move_seconds, open, .. } = self.options.draft_again();
        let person = |person: &super::table::Person| StoredPerson {
            name: person.name.clone(),
            token_hash: person.token.to_hex(),
        };
        StoredTable {
            format: FORMAT.to_owned(),
            id: self.id.to_string(),
            game,
            rules: self.options.rules.to_string(),
            seed: self.options.seed.text.clone(),
            seed_given: self.options.seed.given,
            opponents,
            people: self.options.people,
            move_seconds,
            open,
            seated: self.people.iter().map(person).collect(),
            journal: self.journal.clone(),
            rematch: self.rematch.map(|id| id.to_string()),
        }
    }

    /// The table that a file has: its people take their seats, and the journal is replayed by the rules.
    ///
    /// # Errors
    /// If the file contradicts itself or the rules.
    pub(super) fn restore(id: TableId, stored: StoredTable) -> Result<Self, DamagedTable> {
        if stored.id != id.to_string() {
            return Err(DamagedTable::Id(stored.id));
        }
        let mut table = Self::new(id, options(&stored)?);
        for (index, person) in stored.seated.iter().enumerate() {
            let damaged = |why: String| DamagedTable::Person(index, why);
            let token = SeatTokenHash::from_hex(&person.token_hash);
            let token = token.ok_or_else(|| damaged("token_hash: not a hash".to_owned()))?;
            let seated = table.seat_person(Some(&person.name), token);
            seated.map_err(|refusal| damaged(refusal.to_string()))?;
        }
        for (index, entry) in stored.journal.iter().enumerate() {
            let damaged = |refusal: super::Refusal| DamagedTable::Entry(index, refusal.to_string());
            table.repeat(entry).map_err(damaged)?;
        }
        let parsed = |id: String| id.parse().map_err(|_| DamagedTable::Rematch(id));
        table.rematch = stored.rematch.map(parsed).transpose()?;
        Ok(table)
    }
}

fn options<G: TableGame>(stored: &StoredTable) -> Result<TableOptions<G>, DamagedTable> {
    let draft = TableDraft {
        game: stored.game.clone(),
        rules: Some(stored.rules.clone()),
        name: None,
        opponents: stored.opponents.clone(),
        people: Some(stored.people),
        seed: Some(stored.seed.clone()),
        move_seconds: stored.move_seconds,
        open: stored.open,
    };
    let options = TableOptions::new(&draft);
    let mut options = options.map_err(|refusal| DamagedTable::Options(refusal.to_string()))?;
    options.seed.given = stored.seed_given;
    Ok(options)
}
