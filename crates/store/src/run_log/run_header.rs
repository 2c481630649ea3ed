//! The header of a run: everything that the run depends on.

use std::path::Path;
use std::sync::Arc;

use dicehill_arena::{
    BotName, Entrant, Header, Hill, InertBot, OwnTerms, Program, StartValue, TournamentGame,
};
use dicehill_rules::{Game, SeedParts};
use serde_json::Value;

use super::header_line::{HASH, hash_of, hashed, header_line, header_text, without_hash};
use crate::{FileError, HillSettings};

/// The header of a run: everything that is needed to replay its games and to repeat the run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunHeader {
    /// The program that played the run, with its version.
    pub program: String,
    /// The settings of the run.
    pub hill: HillSettings,
    /// The master seed.
    pub seed: String,
    /// The hash that was published before the entrants were known, if the seed is derived from a secret.
    pub commitment: Option<String>,
    /// The expected score of optimal play, if the games are appraised.
    pub start_value: Option<StartValue>,
    /// The entrants, in order.
    pub bots: Vec<RecordedBot>,
    /// The header as one line of JSON, without the newline.
    pub line: String,
}

/// An entrant as a header names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedBot {
    /// The entrant's name.
    pub name: BotName,
    /// The hash of everything that its play depends on.
    pub hash: String,
    /// Its author.
    pub author: Option<String>,
    /// The address of its page.
    pub url: Option<String>,
    /// Its votes, where the board counts votes.
    pub votes: Option<i64>,
    /// What differed from the terms of the run.
    pub own_terms: OwnTerms,
}

impl RunHeader {
    /// The first difference between this header and `now`, in words; `None` if there is none.
    #[must_use]
    pub fn difference(&self, now: &Header) -> Option<String> {
        let line = header_line(now).ok()?;
        let parse = |line: &str| serde_json::from_str::<Value>(line).ok();
        let (then, now) = (parse(&self.line)?, parse(&line)?);
        let keys = now.as_object()?.keys().chain(then.as_object()?.keys());
        keys.filter(|key| *key != HASH && then.get(key) != now.get(key))
            .map(|key| {
                let shown =
                    |value: Option<&Value>| value.map_or("nothing".to_owned(), Value::to_string);
                let bots =
                    (key == "bots").then(|| bot_difference(&then["bots"], &now["bots"])).flatten();
                let whole =
                    || format!("{key} was {} and is {}", shown(then.get(key)), shown(now.get(key)));
                bots.unwrap_or_else(whole)
            })
            .next()
    }

    /// The hill of the run with entrants that cannot play, and without an appraiser. `path` is the file of the run.
    ///
    /// # Errors
    /// If the settings are invalid for game `G`.
    pub fn inert_hill<G: TournamentGame>(&self, path: &Path) -> Result<Hill<G>, FileError> {
        let terms = self.hill.bot_terms::<G>(path)?;
        let entrants = self.bots.iter().map(RecordedBot::inert).collect();
        let draft = self.hill.draft::<G>(terms.rules, &self.seed, entrants);
        let hill = Hill::new(draft).map_err(|error| FileError::new(path, error))?;
        Ok(match self.start_value {
            Some(start) => hill.with_start_value(start),
            None => hill,
        })
    }

    /// The seed as far as it may be shown: until the run has ended, only its text, as its secret reveals the dice.
    #[must_use]
    pub fn public_seed(&self, has_ended: bool) -> &str {
        if has_ended { &self.seed } else { SeedParts::of(&self.seed).text }
    }

    /// Whether `header` is written as this line, byte for byte, with the hash or without it as in older versions.
    #[must_use]
    pub(crate) fn is_line_of(&self, header: &Header) -> bool {
        header_text(header).is_ok_and(|text| {
            text == self.line || (self.hash_problem().is_none() && hashed(&text) == self.line)
        })
    }

    /// Whether the header has a hash over itself. Without one, alterations of keys that no game depends on go undetected.
    #[must_use]
    pub fn has_hash(&self) -> bool {
        without_hash(&self.line).is_some()
    }

    /// What is wrong with the hash over the header; `None` if it is right or, as in older versions, absent.
    #[must_use]
    pub(crate) fn hash_problem(&self) -> Option<String> {
        let (text, recorded) = without_hash(&self.line)?;
        let recomputed = hash_of(&text);
        (recorded != recomputed)
            .then(|| format!("{HASH}: recorded {recorded:?}, recomputed {recomputed:?}"))
    }
}

impl RecordedBot {
    /// The entrant, which plays with this program.
    #[must_use]
    pub fn entrant<G: Game>(&self, program: Arc<dyn Program<G>>) -> Entrant<G> {
        let Self { name, author, url, votes, own_terms, .. } = self.clone();
        Entrant { name, program, author, url, votes, own_terms }
    }

    /// Whether it is a function of the Python package, of which the log has no code.
    #[must_use]
    pub fn is_callable(&self) -> bool {
        self.hash.starts_with("callable:")
    }

    /// An entrant with the same identity that cannot play.
    fn inert<G: Game>(&self) -> Entrant<G> {
        let program: Arc<dyn Program<G>> = Arc::new(InertBot(self.hash.clone()));
        self.entrant(program)
    }
}

/// The first difference between two lists of bots.
fn bot_difference(then: &Value, now: &Value) -> Option<String> {
    let (then, now) = (then.as_array()?, now.as_array()?);
    let pairs = then.iter().zip(now).find(|(then, now)| then != now);
    let Some((then, now)) = pairs else {
        return Some(format!("{} bots played, but {} would play now", then.len(), now.len()));
    };
    let text = |bot: &Value, key: &str| bot[key].as_str().unwrap_or_default().to_owned();
    let (name, hash) = (text(then, "name"), text(then, "hash"));
    if text(now, "name") == name {
        let changed = |(what, then, now)| {
            format!("the bot {name} has changed: its {what} was {then} and is {now}")
        };
        return Some(changed(match text(now, "hash") {
            same if same == hash => key_difference(then, now)?,
            now => ("hash".to_owned(), hash, now),
        }));
    }
    Some(format!("the bot {name} played in the place of {}", text(now, "name")))
}

/// The first key in which two objects differ, and both values.
fn key_difference(then: &Value, now: &Value) -> Option<(String, String, String)> {
    let shown = |value: Option<&Value>| value.map_or("missing".to_owned(), Value::to_string);
    let keys = now.as_object()?.keys().chain(then.as_object()?.keys());
    let mut changed = keys.filter(|key| then.get(key) != now.get(key));
    changed.next().map(|key| (key.clone(), shown(then.get(key)), shown(now.get(key))))
}
