//! A recorded game, move by move.

use std::collections::BTreeMap;

use dicehill_arena::{FormatName, ReadRecordError, Replay, read_game_line};
use dicehill_rules::{Chance, Game, SeatResult, with_game};
use dicehill_store::{GameLine, RunHeader};
use serde::Serialize;
use utoipa::ToSchema;

use super::liars_dice_replay::LiarsDiceReplay;
use super::move_failure::public_detail;
use super::shown_game::ShownGame;
use super::yahtzee_replay::YahtzeeReplay;

/// What a game belongs to that was played at a table for people.
const TABLE: &str = "a table for people";

/// A recorded game, move by move. Every die of it follows from seed and table, and every move has been checked
/// against the rules and the dice.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ReplayDocument {
    /// The hill's name.
    #[schema(example = "Spring hill")]
    pub(crate) name: String,
    /// The number of the run, from 1; `null` of a run that is in no hill.
    pub(crate) run: Option<i64>,
    /// `yahtzee` or `liars-dice`.
    #[schema(example = "yahtzee")]
    pub(crate) game: &'static str,
    /// The variant of the rules.
    #[schema(example = "official")]
    pub(crate) rules: String,
    /// The run's seed; only of a run that has ended, since all dice follow from it.
    pub(crate) seed: Option<String>,
    /// The number of the game in its run, from 1.
    pub(crate) number: u64,
    /// The table whose dice were used.
    pub(crate) table: u64,
    /// Whether the game does not count, because a fault ended it.
    pub(crate) void: bool,
    /// Whether it was played to break a tie after the last game of the run.
    pub(crate) played_off: bool,
    /// The seats with their bots and results.
    pub(crate) seats: Vec<ReplaySeat>,
    /// Who gave no legal action, and why, in order.
    pub(crate) failures: Vec<ReplayFailure>,
    /// The moves; `null` if they were not kept.
    pub(crate) replay: Option<ReplayMoves>,
}

/// A seat and its result.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ReplaySeat {
    /// The bot's name.
    pub(crate) bot: String,
    /// Its points.
    pub(crate) points: u64,
    /// Whether it won; several may.
    pub(crate) won: bool,
    /// The game's own figures, for example `score`.
    pub(crate) figures: BTreeMap<&'static str, u64>,
}

/// A fault.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ReplayFailure {
    /// Whose, from 0.
    pub(crate) seat: usize,
    /// For example `illegal-move`.
    pub(crate) reason: String,
    /// What happened.
    pub(crate) detail: String,
}

/// The moves of a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ReplayMoves {
    /// Of Yahtzee.
    Yahtzee(YahtzeeReplay),
    /// Of Liar's Dice.
    LiarsDice(LiarsDiceReplay),
}

impl From<YahtzeeReplay> for ReplayMoves {
    fn from(replay: YahtzeeReplay) -> Self {
        Self::Yahtzee(replay)
    }
}

impl From<LiarsDiceReplay> for ReplayMoves {
    fn from(replay: LiarsDiceReplay) -> Self {
        Self::LiarsDice(replay)
    }
}

impl ReplayMoves {
    /// The number of moves of the game, including those that are left out.
    pub(crate) const fn count(&self) -> usize {
        match self {
            Self::Yahtzee(replay) => replay.moves.len() + replay.left_out,
            Self::LiarsDice(replay) => replay.moves.len() + replay.left_out,
        }
    }

    /// The number of moves at the end that are left out.
    pub(crate) const fn left_out(&self) -> usize {
        match self {
            Self::Yahtzee(replay) => replay.left_out,
            Self::LiarsDice(replay) => replay.left_out,
        }
    }
}

/// The run of a game.
#[derive(Clone, Copy)]
pub(crate) struct RunOfGame<'a> {
    pub(crate) header: &'a RunHeader,
    /// Its number, if it belongs to a hill.
    pub(crate) number: Option<i64>,
    /// Whether it has ended, so that its seed may be shown.
    pub(crate) has_ended: bool,
}

/// Why a game cannot be shown.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UnreadableGame {
    /// It is not a record of a game.
    #[error("{0}")]
    Line(String),
    /// It contradicts the rules or the dice.
    #[error(transparent)]
    Record(#[from] ReadRecordError),
    /// The variant of the rules is unknown.
    #[error("rules = {0:?}: unknown")]
    Rules(String),
}

impl ReplayDocument {
    /// Reads the line of a game with its first moves, `most` at most. The first game of Yahtzee takes about a second,
    /// because its solution is computed then.
    ///
    /// # Errors
    /// If the line is not a record of a game, or was altered.
    pub(crate) fn read(
        run: RunOfGame<'_>,
        line: &str,
        most: usize,
    ) -> Result<Self, UnreadableGame> {
        with_game!(run.header.hill.game(), G => Self::read_game::<G>(run, line, most))
    }

    fn read_game<G: ShownGame<Moves: Into<ReplayMoves>>>(
        run: RunOfGame<'_>,
        line: &str,
        most: usize,
    ) -> Result<Self, UnreadableGame> {
        let outcome = GameLine::read(line).map_err(UnreadableGame::Line)?;
        let moves = match outcome.moves {
            Some(_) => Some(read_moves::<G>(run.header, line, most)?),
            None => None,
        };
        Ok(Self::new::<G>(run, outcome, moves))
    }

    fn new<G: ShownGame>(
        run: RunOfGame<'_>,
        outcome: GameLine,
        replay: Option<ReplayMoves>,
    ) -> Self {
        let seats = (0..outcome.seats.len()).map(|seat| ReplaySeat::of::<G>(&outcome, seat));
        let RunOfGame { header, number, has_ended } = run;
        Self {
            name: header.hill.terms.name.clone(),
            run: number,
            game: G::NAME,
            rules: header.hill.terms.rules.clone(),
            seed: has_ended.then(|| header.seed.clone()),
            number: outcome.game,
            table: outcome.table,
            void: outcome.void,
            played_off: is_played_off(header, outcome.game),
            seats: seats.collect(),
            failures: outcome.failures.into_iter().map(ReplayFailure::from).collect(),
            replay,
        }
    }

    /// The document of a game at a table for people, with its seed and the variant of the rules.
    pub(crate) fn of_table<G: ShownGame>(
        replay: &Replay<G>,
        (seed, rules): (String, String),
        void: bool,
        moves: ReplayMoves,
    ) -> Self {
        let seats = replay.names.iter().zip(&replay.results);
        Self {
            name: TABLE.to_owned(),
            run: None,
            game: G::NAME,
            rules,
            seed: Some(seed),
            number: replay.game,
            table: replay.table,
            void,
            played_off: false,
            seats: seats.map(|(name, result)| ReplaySeat::of_table::<G>(name, result)).collect(),
            failures: Vec::new(),
            replay: Some(moves),
        }
    }

    /// The names by seat.
    pub(crate) fn names(&self) -> Vec<String> {
        self.seats.iter().map(|seat| seat.bot.clone()).collect()
    }
}

fn read_moves<G: ShownGame<Moves: Into<ReplayMoves>>>(
    header: &RunHeader,
    line: &str,
    most: usize,
) -> Result<ReplayMoves, UnreadableGame> {
    let rules = &header.hill.terms.rules;
    let rules = G::rules_named(rules).ok_or_else(|| UnreadableGame::Rules(rules.clone()))?;
    let chance = Chance::new(&header.seed);
    let replay = read_game_line::<G>(line, rules, &chance)?;
    Ok(G::replay(&replay, rules, most).into())
}

/// Whether the game is a play-off: these follow the games of a challenge.
pub(crate) fn is_played_off(header: &RunHeader, game: u64) -> bool {
    header.hill.terms.format == FormatName::Challenge && game > header.hill.games.unsigned_abs()
}

impl ReplaySeat {
    fn of_table<G: Game>(name: &str, result: &SeatResult) -> Self {
        let figures = G::FIGURES.iter().map(|figure| figure.name).zip(result.figures);
        Self {
            bot: name.to_owned(),
            points: result.points,
            won: result.won,
            figures: figures.collect(),
        }
    }

    fn of<G: Game>(outcome: &GameLine, seat: usize) -> Self {
        let figure = |figure: &dicehill_rules::Figure| {
            outcome.figure(seat, figure.name).map(|value| (figure.name, value))
        };
        Self {
            bot: outcome.seats[seat].clone(),
            points: outcome.figure(seat, "points").unwrap_or(0),
            won: outcome.won(seat),
            figures: G::FIGURES.iter().filter_map(figure).collect(),
        }
    }
}

impl From<dicehill_store::FailureLine> for ReplayFailure {
    fn from(failure: dicehill_store::FailureLine) -> Self {
        let dicehill_store::FailureLine { seat, reason, detail } = failure;
        let detail = public_detail(&reason, &detail);
        Self { seat, reason, detail }
    }
}
