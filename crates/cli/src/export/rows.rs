//! The tables of an export: games, their seats, their moves.

use std::io;

use dicehill_arena::{AnswerSum, FormatName, Move, Replay};
use dicehill_store::{GameLine, RunHeader};

use super::cell::{Cell, ExportColumn};
use super::exported_game::ExportedGame;
use super::exported_run::{ExportedRun, Unfinished};
use super::pair_rows::{PAIRS, PairRows};
use crate::args::Rows;

/// Writes the rows of a table in a format.
pub(crate) trait RowWriter {
    fn write(&mut self, row: &[Cell]) -> io::Result<()>;
    fn finish(&mut self) -> io::Result<()>;
}

/// A table of an export: what its rows are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExportTable {
    Games,
    Seats,
    Moves,
    Pairs,
}

impl From<Rows> for ExportTable {
    fn from(rows: Rows) -> Self {
        match rows {
            Rows::Games => Self::Games,
            Rows::Seats => Self::Seats,
            Rows::Moves => Self::Moves,
            Rows::Pairs => Self::Pairs,
        }
    }
}

impl ExportTable {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Seats => "seats",
            Self::Moves => "moves",
            Self::Pairs => "pairs",
        }
    }

    /// The columns of the table, with those of losses and luck if `appraised`.
    pub(crate) fn columns<G: ExportedGame>(self, appraised: bool) -> Vec<ExportColumn> {
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
}

impl<G: ExportedGame> ExportedRun<'_, G> {
    /// Writes the rows of all games, game by game, and then those of pairs.
    pub(crate) fn write_rows(
        &self,
        writers: &mut [(ExportTable, Box<dyn RowWriter + '_>)],
    ) -> Result<(), Unfinished> {
        let header = self.source.header();
        let run = Cell::from(self.source.number().map(i64::unsigned_abs));
        let mut pairs = PairRows::new(header);
        self.each_game(|game| {
            let line = self.outcome(&game)?;
            let appraised = self.is_appraised();
            let rows = GameRows { run: run.clone(), line: &line, times: &game.times, appraised };
            for (table, writer) in writers.iter_mut() {
                match table {
                    ExportTable::Games => writer.write(&rows.game())?,
                    ExportTable::Seats => (0..line.seats.len())
                        .try_for_each(|seat| writer.write(&rows.seat::<G>(seat)))?,
                    ExportTable::Moves => {
                        self.write_moves(&rows, &self.replay(&game)?, writer.as_mut())?;
                    }
                    ExportTable::Pairs if is_play_off(header, line.game) => {}
                    ExportTable::Pairs => pairs.add::<G>(&line),
                }
            }
            Ok(())
        })?;
        for (table, writer) in writers {
            if *table == ExportTable::Pairs {
                pairs.rows(&run).try_for_each(|row| writer.write(&row))?;
            }
            writer.finish()?;
        }
        Ok(())
    }

    fn write_moves(
        &self,
        rows: &GameRows<'_>,
        replay: &Replay<G>,
        writer: &mut dyn RowWriter,
    ) -> io::Result<()> {
        let mut play = replay.begin(self.rules);
        for (index, one) in replay.moves.iter().enumerate() {
            let seat = play.turn().map_or(0, |(seat, _)| seat.index());
            let mut row = vec![
                rows.run.clone(),
                rows.line.game.into(),
                rows.line.table.into(),
                (index + 1).into(),
                seat.into(),
                replay.names[seat].as_str().into(),
                G::round(play.game()).into(),
            ];
            row.extend(G::move_cells(play.game(), one));
            row.extend(outcome_of(one));
            writer.write(&row)?;
            play.repeat(one);
        }
        Ok(())
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
