//! A game as one machine hands it to another.

use dicehill_arena::{GameRange, Offence, PlayedGame};
use dicehill_rules::Game;
use serde::Deserialize;

use super::offences_line::OffencesLine;
use crate::json_message;

/// A game that another machine has played, as lines of a part: what a bar needs of its offences, if there are any, and the
/// line of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedLine {
    game: u64,
    line: String,
    offences: Vec<Offence>,
}

impl PlayedLine {
    /// A game that was played here.
    #[must_use]
    pub fn new<G: Game>(played: &PlayedGame<G>) -> Self {
        let (line, offences) = (played.line.clone(), played.record.offences.clone());
        Self { game: played.record.fixture.game, line, offences }
    }

    /// The number of the game.
    #[must_use]
    pub const fn game(&self) -> u64 {
        self.game
    }

    /// The line of the game, without the newline.
    #[must_use]
    pub fn line(&self) -> &str {
        &self.line
    }

    /// The offences in the game, for the run to judge.
    #[must_use]
    pub fn offences(&self) -> &[Offence] {
        &self.offences
    }

    /// The lines, as a part has them.
    ///
    /// # Errors
    /// If they cannot be written as JSON.
    pub fn text(&self) -> serde_json::Result<String> {
        let mut text = String::new();
        if !self.offences.is_empty() {
            text = OffencesLine::new(self.game, &self.offences).line()? + "\n";
        }
        Ok(text + &self.line + "\n")
    }

    /// Reads the games of `text`, whose numbers must ascend within `games`. An error says what is wrong with it.
    ///
    /// # Errors
    /// If it has anything but such games.
    pub fn read_all(text: &str, games: GameRange) -> Result<Vec<Self>, String> {
        let mut read: Vec<Self> = Vec::new();
        let mut offences: Option<OffencesLine> = None;
        for line in text.lines() {
            let kind: RawLine = serde_json::from_str(line).map_err(|error| json_message(&error))?;
            let next = read.last().map_or(games.first(), |last| last.game + 1);
            if !(next..=games.last()).contains(&kind.game) {
                return Err(format!("game {} is not one of the next games of {games}", kind.game));
            }
            match kind.r#type.as_str() {
                "offences" if offences.is_none() => offences = Some(OffencesLine::read(line)?),
                "game" => {
                    let own = offences.take().map(|own| own.offences_in(kind.game, line));
                    let offences = own.transpose()?.unwrap_or_default();
                    read.push(Self { game: kind.game, line: line.to_owned(), offences });
                }
                other => return Err(format!("unexpected type {other:?}")),
            }
        }
        match offences {
            None => Ok(read),
            Some(of) => Err(format!("game {} has offences, but no line", of.game)),
        }
    }
}

/// The keys that identify the kind of a line.
#[derive(Deserialize)]
struct RawLine {
    r#type: String,
    game: u64,
}
