//! A mistake as a position that bots can be asked in again: a line of a file of positions, `dicehill.position/1`.

use std::path::Path;

use dicehill_arena::{Failure as Fault, Move, Play, Reason};
use dicehill_rules::{Chance, Game, GameName, PublicInfo};
use dicehill_store::{FileError, FileKind, command_word, hint_of_other_kind, json_message};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::games::TerminalGame;

/// The version of the format.
const SCHEMA: &str = "dicehill.position/1";
/// In place of an action that a bot did not give.
const FAILED: &str = "!";
/// What is wrong with a file without lines.
const NO_POSITION: &str = "holds no position";
/// Where files of positions come from.
const WRITES_POSITIONS: &str =
    "`dicehill analyze RUN --bot BOT --save-positions FILE` writes positions";
/// The longest file of positions, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// A position in which a bot made a mistake.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedPosition {
    /// `dicehill.position/1`.
    pub(crate) schema: String,
    /// The game: `yahtzee` or `liars-dice`.
    pub(crate) game: String,
    /// The variant of the rules.
    pub(crate) rules: String,
    /// The bot that made the mistake.
    pub(crate) bot: String,
    /// The master seed from which the dice follow, as in the header of a log.
    pub(crate) seed: String,
    /// The table, which determines the dice.
    pub(crate) table: u64,
    /// The number of the game in its run.
    pub(crate) number: u64,
    /// The players' names, by seat.
    pub(crate) names: Vec<String>,
    /// The players' points from earlier games, by seat; empty where games do not know of each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) points: Vec<u64>,
    /// All actions before the mistake, in the notation of logs; `!` for a move that failed.
    pub(crate) actions: Vec<String>,
    /// The request that the bot got: the `turn` of the bot protocol, with the ids 1 and 0.
    pub(crate) request: Value,
    /// Its action.
    pub(crate) did: String,
    /// The best action, in words.
    pub(crate) best: String,
    /// What its action loses: points in Yahtzee, dice in Liar's Dice.
    pub(crate) loss: f64,
}

impl SavedPosition {
    /// The position of a game that is played up to the mistake. `did` is the action, and `loss` and `best` its appraisal.
    pub(crate) fn new<G: TerminalGame>(
        play: &Play<'_, G>,
        place: &PositionPlace<'_>,
        did: &G::Action,
        (loss, best): (f64, String),
    ) -> Option<Self> {
        let (seat, view) = play.turn()?;
        let action = |one: &Move<G>| match one {
            Move::Acted(action) => action.to_string(),
            Move::Failed(_) => FAILED.to_owned(),
        };
        Some(Self {
            schema: SCHEMA.to_owned(),
            game: G::NAME.to_owned(),
            rules: place.rules.to_owned(),
            bot: place.names[seat.index()].clone(),
            seed: place.seed.to_owned(),
            table: place.table,
            number: place.number,
            names: place.names.to_vec(),
            points: place.points.to_vec(),
            actions: play.moves().iter().map(action).collect(),
            request: request::<G>(&view),
            did: did.to_string(),
            best,
            loss,
        })
    }

    /// Reads a file of positions of `G`.
    ///
    /// # Errors
    /// With the line that is no position of the game.
    pub(crate) fn read_all<G: TerminalGame>(path: &Path) -> Result<Vec<Self>, FileError> {
        let text = read_text(path)?;
        let lines = lines_of(&text);
        let read = |(number, line): (usize, &str)| {
            Self::read::<G>(line).map_err(|why| FileError::at_line(path, number, why))
        };
        let positions = lines.map(read).collect::<Result<Vec<_>, _>>()?;
        if positions.is_empty() {
            return Err(FileError::new(path, NO_POSITION));
        }
        Ok(positions)
    }

    /// The game of a file of positions, which its first line names.
    ///
    /// # Errors
    /// If the first line is no position.
    pub(crate) fn game_of(path: &Path) -> Result<GameName, FileError> {
        let text = read_text(path)?;
        let Some((number, line)) = lines_of(&text).next() else {
            return Err(FileError::new(path, NO_POSITION));
        };
        let at_line = |why: String| FileError::at_line(path, number, why);
        let position = Self::of_line(line).map_err(at_line)?;
        let unknown = |_| at_line(format!("game = {:?}: no such game", position.game));
        position.game.parse().map_err(unknown)
    }

    /// Parses a line.
    fn of_line(line: &str) -> Result<Self, String> {
        if !line.starts_with('{') {
            return Err(format!("is no position: {WRITES_POSITIONS}"));
        }
        let damaged = |error: serde_json::Error| match error.is_eof() {
            true => format!("the line breaks off; {WRITES_POSITIONS}"),
            false => json_message(&error),
        };
        serde_json::from_str(line).map_err(damaged)
    }

    /// Reads a line, and checks that its actions lead to its request.
    fn read<G: TerminalGame>(line: &str) -> Result<Self, String> {
        let position = Self::of_line(line)?;
        let Self { schema, game, rules, names, .. } = &position;
        if schema != SCHEMA {
            return Err(format!("schema = {schema:?}: must be {SCHEMA:?}"));
        }
        if game != G::NAME {
            return Err(format!("game = {game:?}: the bots play {}", G::NAME));
        }
        G::rules_named(rules).ok_or_else(|| format!("rules = {rules:?}: unknown for {game}"))?;
        if !G::SEATS.contains(&names.len()) {
            return Err(format!("names: {} seats, which {game} does not have", names.len()));
        }
        let play = position.reach::<G>()?;
        let reached = play.turn().map(|(_, view)| request::<G>(&view));
        if reached.as_ref() != Some(&position.request) {
            return Err("actions: do not lead to the request".to_owned());
        }
        Ok(position)
    }

    /// Plays a game up to the position.
    ///
    /// # Errors
    /// If an action is not legal.
    pub(crate) fn reach<G: TerminalGame>(&self) -> Result<Play<'_, G>, String> {
        let rules = G::rules_named(&self.rules).unwrap_or_default();
        let names = self.names.iter().map(String::as_str).collect();
        let public = PublicInfo { names, points: self.points.clone() };
        let dice = Chance::new(&self.seed).table(self.table);
        let mut play = Play::<G>::new(rules, dice, self.names.len(), public);
        for (number, text) in (1..).zip(&self.actions) {
            let illegal = |why: String| format!("action {number}, {text:?}: {why}");
            if text == FAILED {
                play.answer(Err(Fault::new(Reason::IllegalMove, FAILED)));
                continue;
            }
            let action = text.parse::<G::Action>().map_err(|why| illegal(why.to_string()))?;
            let faults = play.offences().len();
            play.answer(Ok(action));
            if play.offences().len() > faults {
                return Err(illegal("is not legal here".to_owned()));
            }
        }
        Ok(play)
    }
}

/// Where a position comes from.
pub(crate) struct PositionPlace<'a> {
    pub(crate) rules: &'a str,
    pub(crate) seed: &'a str,
    pub(crate) table: u64,
    pub(crate) number: u64,
    pub(crate) names: &'a [String],
    pub(crate) points: &'a [u64],
}

/// The request in the position of a view.
fn request<G: TerminalGame>(view: &<G as Game>::View<'_>) -> Value {
    serde_json::from_str(&G::request_text(view)).unwrap_or_default()
}

fn read_text(path: &Path) -> Result<String, FileError> {
    if let Some(FileKind::RunLog | FileKind::Hill) = FileKind::of(path) {
        let shown = command_word(path);
        let message = format!(
            "holds runs: `dicehill analyze {shown} --bot BOT --save-positions FILE` writes positions of them"
        );
        return Err(FileError::new(path, message));
    }
    if let Some(FileKind::Plan | FileKind::Part | FileKind::Archive) = FileKind::of(path) {
        let hint = hint_of_other_kind(path, FileKind::Positions);
        return Err(FileError::new(path, format!("{NO_POSITION}{hint}")));
    }
    let not_opened = |error| FileError::not_opened(path, &error);
    let bytes = std::fs::metadata(path).map_err(not_opened)?.len();
    if bytes > MAX_BYTES {
        return Err(FileError::new(path, format!("longer than {MAX_BYTES} bytes")));
    }
    let bytes = std::fs::read(path).map_err(|error| FileError::new(path, error))?;
    String::from_utf8(bytes)
        .map_err(|_| FileError::new(path, format!("is no text: {WRITES_POSITIONS}")))
}

/// The lines that are not empty, with their numbers.
fn lines_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty())
}
