//! What a part records of the offences in a game besides the game's own line.

use dicehill_arena::{Failure, Offence, Reason, printable_json};
use dicehill_rules::Seat;
use serde::{Deserialize, Serialize};

use crate::{FailureLine, GameLine, json_message};

/// What the line of a game leaves out, and a bar needs: the requests on which bots failed, and the ends of their logs. It comes
/// before the line of its game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OffencesLine {
    r#type: String,
    pub(super) game: u64,
    /// In the order of the game's failures.
    offences: Vec<RawOffence>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct RawOffence {
    request: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    log: Vec<String>,
}

impl OffencesLine {
    pub(crate) fn new(game: u64, offences: &[Offence]) -> Self {
        let raw = |offence: &Offence| RawOffence {
            request: offence.request.clone(),
            log: offence.failure.log.clone(),
        };
        let offences = offences.iter().map(raw).collect();
        Self { r#type: "offences".to_owned(), game, offences }
    }

    /// The line, without the newline.
    pub(crate) fn line(&self) -> serde_json::Result<String> {
        printable_json(self)
    }

    /// Reads a line; an error says what is wrong with it.
    pub(crate) fn read(line: &str) -> Result<Self, String> {
        serde_json::from_str(line).map_err(|error| json_message(&error))
    }

    /// The offences of this game, whose line this is; an error says why it is not that of the game.
    pub(super) fn offences_in(&self, game: u64, line: &str) -> Result<Vec<Offence>, String> {
        if self.game != game {
            return Err(format!("game {game} has the offences of game {}", self.game));
        }
        self.offences_of(line)
    }

    /// The offences of the game whose line this is; an error says why it is not that of the game.
    pub(crate) fn offences_of(&self, game_line: &str) -> Result<Vec<Offence>, String> {
        let GameLine { seats, failures, .. } = GameLine::read(game_line)?;
        if failures.len() != self.offences.len() {
            let (of_game, own) = (failures.len(), self.offences.len());
            return Err(format!("the game has {of_game} failures, but {own} offences"));
        }
        let both = failures.into_iter().zip(&self.offences);
        both.map(|(failure, raw)| raw.offence(failure, seats.len())).collect()
    }
}

impl RawOffence {
    /// The offence whose failure is recorded in the line of its game.
    fn offence(&self, failure: FailureLine, seats: usize) -> Result<Offence, String> {
        let FailureLine { seat, reason, detail } = failure;
        let known =
            Reason::named(&reason).ok_or_else(|| format!("no reason is called {reason:?}"))?;
        let seat = Seat::all(seats).nth(seat).ok_or_else(|| format!("there is no seat {seat}"))?;
        let failure = Failure { reason: known, detail, log: self.log.clone() };
        Ok(Offence { seat, request: self.request.clone(), failure })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "{\"type\":\"game\",\"game\":7,\"table\":7,\"seats\":[\"A\",\"B\"],\"moves\":\"!\",\
        \"failures\":[{\"seat\":1,\"reason\":\"crash\",\"detail\":\"exit status 1\"}],\"results\":[{},{}]}";

    fn offence() -> Offence {
        let log = vec!["Traceback".to_owned(), "\u{1b}[31mred".to_owned()];
        let failure = Failure { reason: Reason::Crash, detail: "exit status 1".to_owned(), log };
        Offence { seat: Seat::new(1), request: "{\"type\":\"turn\"}".to_owned(), failure }
    }

    #[test]
    fn offences_are_restored_with_their_logs() {
        let written = OffencesLine::new(7, &[offence()]).line().unwrap();
        assert!(!written.contains('\u{1b}'), "{written}");
        let read = OffencesLine::read(&written).unwrap();
        assert_eq!(read.offences_of(GAME).unwrap(), [offence()]);
    }

    #[test]
    fn offences_that_are_not_those_of_the_game_are_refused() {
        let problem = |offences: &[Offence], game: &str| {
            OffencesLine::new(7, offences).offences_of(game).unwrap_err()
        };
        assert_eq!(problem(&[], GAME), "the game has 1 failures, but 0 offences");
        let game = |from, to| GAME.replacen(from, to, 1);
        assert_eq!(problem(&[offence()], &game("crash", "smash")), "no reason is called \"smash\"");
        assert_eq!(problem(&[offence()], &game("\"seat\":1", "\"seat\":2")), "there is no seat 2");
    }
}
