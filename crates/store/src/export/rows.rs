//! The tables of an export: games, their seats, their moves.

use std::io;

use dicehill_arena::{AnswerSum, FormatName, Move, Replay, read_game_line};
use dicehill_rules::Chance;

use super::cell::{Cell, ExportColumn};
use super::exported_game::ExportedGame;
use super::pair_rows::{PAIRS, PairRows};
use crate::{FileError, GameLine, RunHeader, RunSource, StoredGame};

/// Writes the rows of a table in a format.
pub trait RowWriter {
    /// Writes a row: a cell for each column of the table.
    ///
    /// # Errors
    /// If it cannot be written.
    fn write(&mut self, row: &[Cell]) -> io::Result<()>;

    /// Called after the last row.
    ///
    /// # Errors
    /// If it cannot be written.
    fn finish(&mut self) -> io::Result<()>;
}

/// A table of an export: what its rows are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportTable {
    /// A row for each game.
    Games,
    /// A row for each seat of each game.
    Seats,
    /// A row for each move.
    Moves,
    /// A row for each two entrants that played in games together.
    Pairs,
}

impl ExportTable {
    /// All tables.
    pub const ALL: [Self; 4] = [Self::Games, Self::Seats, Self::Moves, Self::Pairs];

    /// The name, as in `--rows` and in the names of files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Seats => "seats",
            Self::Moves => "moves",
            Self::Pairs => "pairs",
        }
    }

    /// The columns of the table, with those of losses and luck if `appraised`.
    #[must_use]
    pub fn columns<G: ExportedGame>(self, appraised: bool) -> Vec<ExportColumn> {
        match self {
            Self::Games => GAMES.into(),
            Self::Seats => {
                let figures = G::FIGURES.iter().map(|figure| ExportColumn::number(figure.name));
                let luck = if appraised { &LUCK[..] } else { &[] };
                SEATS.into_iter().chain(figures).chain(TIMES).chain(luck.iter().copied()).collect()
            }
            Self::Moves => [&MOVES, G::MOVE_COLUMNS, &OUTCOMES].concat(),
            Self::Pairs => PAIRS.into(),
        }
    }
}

const GAMES: [ExportColumn; 9] = [
    ExportColumn::number("run"),
    ExportColumn::number("game"),
    ExportColumn::number("table"),
    ExportColumn::number("seats"),
    ExportColumn::number("length"),
    ExportColumn::number("failures"),
    ExportColumn::flag("void"),
    ExportColumn::number("winners"),
    ExportColumn::text("winner"),
];
const SEATS: [ExportColumn; 7] = [
    ExportColumn::number("run"),
    ExportColumn::number("game"),
    ExportColumn::number("seat"),
    ExportColumn::text("bot"),
    ExportColumn::number("points"),
    ExportColumn::flag("won"),
    ExportColumn::number("failures"),
];
const TIMES: [ExportColumn; 3] = [
    ExportColumn::number("answers"),
    ExportColumn::number("total_us"),
    ExportColumn::number("longest_us"),
];
const LUCK: [ExportColumn; 2] =
    [ExportColumn::number("loss_millionths"), ExportColumn::number("variance_thousandths")];
const MOVES: [ExportColumn; 7] = [
    ExportColumn::number("run"),
    ExportColumn::number("game"),
    ExportColumn::number("table"),
    ExportColumn::number("move"),
    ExportColumn::number("seat"),
    ExportColumn::text("bot"),
    ExportColumn::number("round"),
];
const OUTCOMES: [ExportColumn; 3] =
    [ExportColumn::text("action"), ExportColumn::text("failed"), ExportColumn::text("detail")];

/// Turns a game into rows.
struct GameRows<'a> {
    run: Cell,
    line: &'a GameLine,
    times: &'a [Option<AnswerSum>],
    /// Whether games are appraised.
    appraised: bool,
}

impl GameRows<'_> {
    fn game(&self) -> Vec<Cell> {
        let line = self.line;
        let won: Vec<_> = (0..line.seats.len()).filter(|seat| line.won(*seat)).collect();
        let winner = match won.as_slice() {
            [seat] => line.seats.get(*seat).cloned(),
            _ => None,
        };
        vec![
            self.run.clone(),
            line.game.into(),
            line.table.into(),
            line.seats.len().into(),
            line.length().into(),
            line.failures.len().into(),
            line.void.into(),
            won.len().into(),
            winner.into(),
        ]
    }

    fn seat<G: ExportedGame>(&self, seat: usize) -> Vec<Cell> {
        let line = self.line;
        let failures = line.failures.iter().filter(|failure| failure.seat == seat).count();
        let head = [
            self.run.clone(),
            line.game.into(),
            seat.into(),
            line.seats[seat].as_str().into(),
            line.figure(seat, "points").into(),
            line.won(seat).into(),
            failures.into(),
        ];
        let figures = G::FIGURES.iter().map(|figure| line.figure(seat, figure.name).into());
        let time = self.times.get(seat).copied().flatten();
        let times = [
            time.map(|time| time.answers).into(),
            time.map(|time| time.total_us).into(),
            time.map(|time| time.longest_us).into(),
        ];
        let luck = [("loss", 1e6), ("variance", 1e3)];
        let luck = luck.iter().filter(|_| self.appraised);
        let luck = luck.map(|(name, unit)| line.scaled_figure(seat, name, *unit).into());
        head.into_iter().chain(figures).chain(times).chain(luck).collect()
    }

    fn moves<G: ExportedGame>(&self, rules: G::Rules, replay: &Replay<G>) -> Vec<Vec<Cell>> {
        let mut play = replay.begin(rules);
        let mut rows = Vec::new();
        for (index, one) in replay.moves.iter().enumerate() {
            let seat = play.turn().map_or(0, |(seat, _)| seat.index());
            let mut row = vec![
                self.run.clone(),
                self.line.game.into(),
                self.line.table.into(),
                (index + 1).into(),
                seat.into(),
                replay.names[seat].as_str().into(),
                G::round(play.game()).into(),
            ];
            row.extend(G::move_cells(play.game(), one));
            row.extend(outcome_of(one));
            rows.push(row);
            play.repeat(one);
        }
        rows
    }
}

/// The rows of a recorded run.
pub struct ExportRows<'a, G: ExportedGame> {
    source: &'a RunSource,
    rules: G::Rules,
    chance: Chance,
}

impl<'a, G: ExportedGame> ExportRows<'a, G> {
    /// The rows of `source`.
    ///
    /// # Errors
    /// If the header names unknown rules.
    pub fn new(source: &'a RunSource) -> Result<Self, FileError> {
        let header = source.header();
        let rules = &header.hill.terms.rules;
        let unknown = || format!("rules = {rules:?}: unknown for {}", G::NAME);
        let rules = G::rules_named(rules).ok_or_else(|| source.error(Some(1), unknown()))?;
        Ok(Self { source, rules, chance: Chance::new(&header.seed) })
    }

    /// Whether the run keeps the moves of its games. The first game is looked at.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn keeps_moves(&self) -> Result<bool, FileError> {
        let first = self.source.games().line(1);
        let first = first.map_err(|error| self.source.error(None, error))?;
        let Some(line) = first else { return Ok(true) };
        let first = GameLine::read(&line).map_err(|why| self.source.error(None, why))?;
        Ok(first.moves.is_some())
    }

    /// Whether the run has losses and luck.
    #[must_use]
    pub fn is_appraised(&self) -> bool {
        self.source.header().start_value.is_some()
    }

    /// The columns of a table of this run.
    #[must_use]
    pub fn columns(&self, table: ExportTable) -> Vec<ExportColumn> {
        table.columns::<G>(self.is_appraised())
    }

    /// Writes the rows of all games that count, game by game, and then those of pairs. `before_game` is called before each
    /// game and can end it.
    ///
    /// # Errors
    /// If the run cannot be read or a game is not one by the rules, and the errors of the writers and of `before_game`.
    pub fn write<E: From<FileError> + From<io::Error>>(
        &self,
        writers: &mut [(ExportTable, Box<dyn RowWriter + '_>)],
        mut before_game: impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let header = self.source.header();
        let mut pairs = PairRows::new(header);
        self.source.each_game(|game| {
            before_game()?;
            let line = self.line(&game)?;
            for (table, writer) in writers.iter_mut() {
                match table {
                    ExportTable::Pairs if is_play_off(header, line.game) => {}
                    ExportTable::Pairs => pairs.add::<G>(&line),
                    ExportTable::Games | ExportTable::Seats | ExportTable::Moves => {
                        let rows = self.rows_of(*table, &game, &line)?;
                        rows.iter().try_for_each(|row| writer.write(row))?;
                    }
                }
            }
            Ok::<(), E>(())
        })?;
        for (table, writer) in writers {
            if *table == ExportTable::Pairs {
                pairs.rows(&self.run()).try_for_each(|row| writer.write(&row))?;
            }
            writer.finish()?;
        }
        Ok(())
    }

    /// The rows of a game in a table; none in the table of pairs, whose rows need all games.
    ///
    /// # Errors
    /// If the game cannot be read, or is not one by the rules.
    pub fn rows_of_game(
        &self,
        table: ExportTable,
        game: &StoredGame,
    ) -> Result<Vec<Vec<Cell>>, FileError> {
        self.rows_of(table, game, &self.line(game)?)
    }

    fn line(&self, game: &StoredGame) -> Result<GameLine, FileError> {
        GameLine::read(&game.line).map_err(|why| self.source.error(game.number, why))
    }

    fn rows_of(
        &self,
        table: ExportTable,
        game: &StoredGame,
        line: &GameLine,
    ) -> Result<Vec<Vec<Cell>>, FileError> {
        let appraised = self.is_appraised();
        let rows = GameRows { run: self.run(), line, times: &game.times, appraised };
        Ok(match table {
            ExportTable::Games => vec![rows.game()],
            ExportTable::Seats => (0..line.seats.len()).map(|seat| rows.seat::<G>(seat)).collect(),
            ExportTable::Moves => {
                let replay = read_game_line(&game.line, self.rules, &self.chance)
                    .map_err(|error| self.source.error(game.number, error))?;
                rows.moves::<G>(self.rules, &replay)
            }
            ExportTable::Pairs => Vec::new(),
        })
    }

    /// The cell of the column `run`.
    fn run(&self) -> Cell {
        self.source.number().map(i64::unsigned_abs).into()
    }
}

/// Whether a game plays off a tie.
fn is_play_off(header: &RunHeader, game: u64) -> bool {
    header.hill.terms.format == FormatName::Challenge && game > header.hill.games.unsigned_abs()
}

fn outcome_of<G: ExportedGame>(one: &Move<G>) -> [Cell; 3] {
    match one {
        Move::Acted(action) => [Cell::Word(action.to_string()), Cell::Nothing, Cell::Nothing],
        Move::Failed(failure) => {
            [Cell::Nothing, failure.reason.name().into(), failure.detail.as_str().into()]
        }
    }
}
