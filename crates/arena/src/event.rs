//! What a run tells those who display or store it.

use dicehill_rules::Game;
use serde::{Deserialize, Serialize};

use crate::{
    Confidence, Failure, Format, Hill, Ledger, Limits, PROGRAM, Played, Recalled, ResultDocument,
    StartValue,
};

/// Something that has happened, in the order of game numbers.
///
/// The same hill and seed give the same events, whatever the number of threads.
pub enum Event<'a, G: Game> {
    /// The run begins.
    Started(&'a Header),
    /// A game counts; the ledger has it already.
    Played(&'a Played<G>, &'a Ledger),
    /// A game counts that was recorded before; the ledger has it already.
    Recalled(&'a Recalled, &'a Ledger),
    /// An entrant is barred: the run begins anew without it, and no game so far counts.
    Barred(&'a Bar),
    /// A game has been played again, alone, before anybody was charged. It is no part of the result.
    Retried(&'a Retrial),
    /// A bot that was to live through the run has failed, and begins a new life without its memory.
    MemoryLost {
        /// The entrant's name.
        bot: &'a str,
        /// The game in which it failed.
        game: u64,
        /// Its failure.
        failure: &'a Failure,
    },
    /// A bot that lives through the run was sent again what it was sent in a recorded game, and has answered
    /// otherwise: it is not deterministic. What is recorded counts, and what the bot knew is lost.
    Diverged {
        /// The entrant's name.
        bot: &'a str,
        /// The game.
        game: u64,
        /// What it answered then.
        recorded: &'a str,
        /// What it answers now.
        answered: &'a str,
    },
    /// The run is over.
    Ended(&'a ResultDocument),
}

/// Why a game was played again, alone, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retrial {
    /// The entrant whose process failed.
    pub bot: String,
    /// The game.
    pub game: u64,
    /// What happened first: in a process that had begun other games too, or by a clock.
    pub failure: Failure,
    /// What happened when the game was played alone; `None` if all went well.
    pub again: Option<Failure>,
}

/// All that a run depends on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Header {
    /// The program's name and version.
    pub program: String,
    /// The hill's name.
    pub name: String,
    /// The game.
    pub game: String,
    /// The variant of the rules.
    pub rules: String,
    /// The format.
    pub format: &'static str,
    /// How many sit at a table of a duel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seats: Option<usize>,
    /// Who runs a gauntlet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub challenger: Option<String>,
    /// How strong each entrant is known to be, if the challenger is to be placed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strengths: Option<Vec<f64>>,
    /// How long a bot lives.
    pub memory: &'static str,
    /// The master seed.
    pub seed: String,
    /// What was published before it was known who plays, if the seed follows from a secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
    /// Games, or games for each pairing; at most, if the run may end before.
    pub games: u64,
    /// How sure it has to be to end before all games are played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Confidence>,
    /// What a bot may use.
    pub limits: Limits,
    /// The score that optimal play gets on average, if games are appraised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_value: Option<StartValue>,
    /// The entrants.
    pub bots: Vec<HeaderBot>,
}

/// An entrant as a header names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HeaderBot {
    /// Its name.
    pub name: String,
    /// What it plays with, down to its content.
    pub hash: String,
    /// Who wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Where to read about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Votes, where the board counts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub votes: Option<i64>,
}

impl Header {
    /// The header of a hill.
    #[must_use]
    pub fn new<G: Game>(hill: &Hill<G>) -> Self {
        let seats = match hill.format() {
            Format::Duel { seats } => Some(seats),
            Format::Challenge | Format::Gauntlet { .. } => None,
        };
        let everybody: Vec<_> = hill.ids().collect();
        let challenger = hill.challenger(&everybody).map(|id| hill.name_of(id).to_owned());
        Self {
            program: PROGRAM.to_owned(),
            name: hill.name().to_owned(),
            game: G::NAME.to_owned(),
            rules: hill.rules().to_string(),
            format: hill.format().name(),
            seats,
            challenger,
            strengths: hill.strengths().map(<[f64]>::to_vec),
            memory: hill.memory().name(),
            seed: hill.seed().to_owned(),
            commitment: hill.commitment().map(|known| known.secret.commitment()),
            games: hill.games(),
            until: hill.until(),
            limits: hill.limits(),
            start_value: hill.start_value(),
            bots: hill.entrants().iter().map(header_bot).collect(),
        }
    }
}

fn header_bot<G: Game>(entrant: &crate::Entrant<G>) -> HeaderBot {
    HeaderBot {
        name: entrant.name.to_string(),
        hash: entrant.program.identity(),
        author: entrant.author.clone(),
        url: entrant.url.clone(),
        votes: entrant.votes,
    }
}

/// Who was barred, why, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bar {
    /// The entrant's name.
    pub bot: String,
    /// The reason, for example `illegal-move`.
    pub reason: String,
    /// The game in which the bar fell, or 0 if it was the qualification.
    pub game: u64,
    /// What the entrant was shown there.
    pub request: String,
    /// What it answered, and what is wrong with that; before it the place, if it was the
    /// qualification.
    pub detail: String,
    /// The last lines of its log.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub log: Vec<String>,
    /// The record of that game, as a line of the log; none of the qualification.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub record: String,
}
