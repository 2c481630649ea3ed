//! The terms of a hill, as its store keeps them.

use std::path::Path;

use dicehill_arena::{Confidence, Entrant, Format, FormatName, Hill, HillDraft, Limits, Memory};
use dicehill_rules::{Game, GameName};
use rusqlite::{Connection, Row, params};

use super::database;
use crate::{FileError, HillTerms};

/// The terms of a hill, without its entrants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HillRecord {
    /// Its name.
    pub name: String,
    /// The game.
    pub game: GameName,
    /// The variant of the rules, for the game to read.
    pub rules: String,
    /// The format.
    pub format: FormatName,
    /// How many sit at a table of a duel.
    pub seats: Option<i64>,
    /// Who runs a gauntlet, if it is not always the last.
    pub challenger: Option<String>,
    /// Games, or games for each pairing.
    pub games: i64,
    /// How long a bot lives.
    pub memory: Memory,
    /// What it may use.
    pub limits: Limits,
    /// The seed of every tournament; each draws its own without one.
    pub seed: Option<String>,
    /// How sure a run is to be before it ends early; `None` if it plays all its games, as a hill's do.
    pub until: Option<Confidence>,
}

impl HillRecord {
    /// The terms of a hill; `seed` is that of every tournament.
    #[must_use]
    pub fn of<G: Game>(hill: &Hill<G>, seed: Option<&str>) -> Self {
        let (format, seats, challenger) = match hill.format() {
            Format::Challenge => (FormatName::Challenge, None, None),
            Format::Duel { seats } => (FormatName::Duel, Some(seats as i64), None),
            Format::Gauntlet { challenger } => {
                let name = challenger.map(|id| hill.name_of(id).to_owned());
                (FormatName::Gauntlet, None, name)
            }
        };
        Self {
            name: hill.name().to_owned(),
            game: G::NAME.parse().expect("a game of ours has a name of ours"),
            rules: hill.rules().to_string(),
            format,
            seats,
            challenger,
            games: hill.games() as i64,
            memory: hill.memory(),
            limits: hill.limits(),
            seed: seed.map(str::to_owned),
            until: hill.until(),
        }
    }

    /// The terms on which its bots play.
    ///
    /// # Errors
    /// If its rules are not known.
    pub fn terms<G: Game>(&self, path: &Path) -> Result<HillTerms<G::Rules>, FileError> {
        let rules = G::RULES.iter().copied().find(|rules| rules.to_string() == self.rules);
        let unknown =
            || FileError::new(path, format!("rules = {:?}: unknown for {}", self.rules, G::NAME));
        Ok(HillTerms {
            rules: rules.ok_or_else(unknown)?,
            memory: self.memory,
            limits: self.limits,
        })
    }

    /// A tournament between `entrants`.
    #[must_use]
    pub fn draft<G: Game>(
        &self,
        rules: G::Rules,
        seed: String,
        entrants: Vec<Entrant<G>>,
    ) -> HillDraft<G> {
        HillDraft {
            name: self.name.clone(),
            rules,
            format: self.format,
            seats: self.seats,
            challenger: self.challenger.clone(),
            games: self.games,
            seed,
            memory: self.memory,
            limits: self.limits,
            until: self.until,
            entrants,
        }
    }

    pub(super) fn insert(&self, database: &Connection) -> rusqlite::Result<()> {
        let limits = self.limits;
        database.execute(
            "INSERT INTO hill VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
            params![
                self.name,
                self.game.name(),
                self.rules,
                self.format.name(),
                self.seats,
                self.challenger,
                self.games,
                self.memory.name(),
                limits.start_ms as i64,
                limits.move_ms as i64,
                limits.memory_mb as i64,
                self.seed,
                database::now(),
            ],
        )?;
        Ok(())
    }

    pub(super) fn read(database: &Connection, path: &Path) -> Result<Self, FileError> {
        let raw = database.query_row("SELECT * FROM hill WHERE id = 1", [], RawHill::read);
        raw.map_err(|error| database::error(path, &error))?.check(path)
    }
}

/// The row, still unchecked.
struct RawHill {
    name: String,
    game: String,
    rules: String,
    format: String,
    seats: Option<i64>,
    challenger: Option<String>,
    games: i64,
    memory: String,
    limits: [i64; 3],
    seed: Option<String>,
}

impl RawHill {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            name: row.get("name")?,
            game: row.get("game")?,
            rules: row.get("rules")?,
            format: row.get("format")?,
            seats: row.get("seats")?,
            challenger: row.get("challenger")?,
            games: row.get("games")?,
            memory: row.get("memory")?,
            limits: [row.get("start_ms")?, row.get("move_ms")?, row.get("memory_mb")?],
            seed: row.get("seed")?,
        })
    }

    fn check(self, path: &Path) -> Result<HillRecord, FileError> {
        let unknown = |key: &str, value: &str| {
            FileError::new(path, format!("its table hill has {key} = {value:?}: unknown"))
        };
        let format = FormatName::ALL.into_iter().find(|format| format.name() == self.format);
        let memory = Memory::ALL.into_iter().find(|memory| memory.name() == self.memory);
        let [start_ms, move_ms, memory_mb] = self.limits.map(|limit| limit.max(1).unsigned_abs());
        Ok(HillRecord {
            game: self.game.parse().map_err(|_| unknown("game", &self.game))?,
            format: format.ok_or_else(|| unknown("format", &self.format))?,
            memory: memory.ok_or_else(|| unknown("memory", &self.memory))?,
            name: self.name,
            rules: self.rules,
            seats: self.seats,
            challenger: self.challenger,
            games: self.games,
            limits: Limits { start_ms, move_ms, memory_mb },
            seed: self.seed,
            until: None,
        })
    }
}
