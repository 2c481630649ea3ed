//! The tables of an export: games, their seats, their moves.

use std::io;

use dicehill_arena::{AnswerSum, Move, Replay};
use dicehill_store::GameLine;

use super::cell::{Cell, Column};
use super::exported_game::ExportedGame;
use super::recorded::{Recorded, Unfinished};
use crate::args::Rows;

/// Where the rows of a table go, one after the other.
pub(crate) trait RowWriter {
    fn write(&mut self, row: &[Cell]) -> io::Result<()>;
    fn finish(&mut self) -> io::Result<()>;
}

/// What a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Table {
    Games,
    Seats,
    Moves,
}

impl From<Rows> for Table {
    fn from(rows: Rows) -> Self {
        match rows {
            Rows::Games => Self::Games,
            Rows::Seats => Self::Seats,
            Rows::Moves => Self::Moves,
        }
    }
}

impl Table {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Seats => "seats",
            Self::Moves => "moves",
        }
    }

    /// The columns; games may be appraised or not.
    pub(crate) fn columns<G: ExportedGame>(self, appraised: bool) -> Vec<Column> {
        match self {
            Self::Games => GAMES.into(),
            Self::Seats => {
                let figures = G::FIGURES.iter().map(|figure| Column::number(figure.name));
                let luck = if appraised { &LUCK[..] } else { &[] };
                SEATS.into_iter().chain(figures).chain(TIMES).chain(luck.iter().copied()).collect()
            }
            Self::Moves => [&MOVES, G::MOVE_COLUMNS, &OUTCOMES].concat(),
        }
    }
}

const GAMES: [Column; 9] = [
    Column::number("run"),
    Column::number("game"),
    Column::number("table"),
    Column::number("seats"),
    Column::number("length"),
    Column::number("failures"),
    Column::flag("void"),
    Column::number("winners"),
    Column::text("winner"),
];
const SEATS: [Column; 7] = [
    Column::number("run"),
    Column::number("game"),
    Column::number("seat"),
    Column::text("bot"),
    Column::number("points"),
    Column::flag("won"),
    Column::number("failures"),
];
const TIMES: [Column; 3] =
    [Column::number("answers"), Column::number("total_us"), Column::number("longest_us")];
const LUCK: [Column; 2] =
    [Column::number("loss_millionths"), Column::number("variance_thousandths")];
const MOVES: [Column; 7] = [
    Column::number("run"),
    Column::number("game"),
    Column::number("table"),
    Column::number("move"),
    Column::number("seat"),
    Column::text("bot"),
    Column::number("round"),
];
const OUTCOMES: [Column; 3] =
    [Column::text("action"), Column::text("failed"), Column::text("detail")];

/// A game as it is turned into rows.
struct Told<'a> {
    run: Cell,
    line: &'a GameLine,
    times: &'a [Option<AnswerSum>],
    /// Whether games are appraised.
    appraised: bool,
}

impl Told<'_> {
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
        let luck = luck.map(|(name, unit)| line.parts(seat, name, *unit).into());
        head.into_iter().chain(figures).chain(times).chain(luck).collect()
    }
}

impl<G: ExportedGame> Recorded<'_, G> {
    /// Writes rows of all games, game by game.
    pub(crate) fn write_rows(
        &self,
        writers: &mut [(Table, Box<dyn RowWriter + '_>)],
    ) -> Result<(), Unfinished> {
        self.each_game(|game| {
            let run = self.source.number().map(i64::unsigned_abs).into();
            let line = self.outcome(&game)?;
            let told =
                Told { run, line: &line, times: &game.times, appraised: self.is_appraised() };
            for (table, writer) in writers.iter_mut() {
                match table {
                    Table::Games => writer.write(&told.game())?,
                    Table::Seats => (0..line.seats.len())
                        .try_for_each(|seat| writer.write(&told.seat::<G>(seat)))?,
                    Table::Moves => {
                        self.write_moves(&told, &self.replay(&game)?, writer.as_mut())?;
                    }
                }
            }
            Ok(())
        })?;
        Ok(writers.iter_mut().try_for_each(|(_, writer)| writer.finish())?)
    }

    fn write_moves(
        &self,
        told: &Told<'_>,
        replay: &Replay<G>,
        writer: &mut dyn RowWriter,
    ) -> io::Result<()> {
        let mut play = replay.begin(self.rules, &self.chance);
        for (index, one) in replay.moves.iter().enumerate() {
            let seat = play.turn().map_or(0, |(seat, _)| seat.index());
            let mut row = vec![
                told.run.clone(),
                told.line.game.into(),
                told.line.table.into(),
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

fn outcome_of<G: ExportedGame>(one: &Move<G>) -> [Cell; 3] {
    match one {
        Move::Acted(action) => [Cell::Word(action.to_string()), Cell::Nothing, Cell::Nothing],
        Move::Failed(failure) => {
            [Cell::Nothing, failure.reason.name().into(), failure.detail.as_str().into()]
        }
    }
}
