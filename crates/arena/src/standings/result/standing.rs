//! The row of an entrant on the board.

use dicehill_rules::Game;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use crate::standings::ledger::EntrantSums;
use crate::standings::result::figures::figures;
use crate::standings::result::luck;
use crate::standings::result::samples::{strata, win_interval};
use crate::standings::result::seats;
use crate::{
    Bar, EloRating, EntrantId, FigureSummary, Format, Hill, Interval, Ledger, Luck, OwnTerms,
    PlacementResult, SeatStanding, six_digits, statistics,
};

/// The row of an entrant.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// From 1; equal totals share a rank. `None` for a barred entrant.
    pub rank: Option<usize>,
    /// Group letters: entrants that share a letter are not significantly different (95 %).
    pub mark: String,
    /// The entrant's name.
    pub bot: String,
    /// The identity of its program: a hash of its content.
    pub hash: String,
    /// Its author.
    pub author: Option<String>,
    /// Its home page.
    pub url: Option<String>,
    /// What differs from the terms of the run.
    pub own_terms: OwnTerms,
    /// Points, play-offs included.
    pub points: u64,
    /// Votes, in games whose board counts them.
    pub votes: Option<Votes>,
    /// Games played, without play-offs.
    pub games: u64,
    /// Games won, without play-offs.
    pub wins: u64,
    /// Share of the games that were won, 0 to 1.
    pub win_rate: Option<f64>,
    /// Its 95 % interval.
    pub win_rate_ci95: Option<Interval>,
    /// The game's own figures, by name.
    pub figures: Vec<(&'static str, FigureSummary)>,
    /// Its Elo rating, fitted to the winners of all games at once. The mean over all rated entrants, weighted by the
    /// information of their games, is 0. `None` if the games do not connect the entrants.
    pub rating: Option<f64>,
    /// Its 95 % interval, from resamples of the blocks.
    pub rating_ci95: Option<Interval>,
    /// Its Elo rating on the scale of mean strength, whose zero does not depend on entrants that never win: one at 0
    /// would win its share of the games with all entrants at one table. `None` if the games do not connect the entrants.
    pub elo: Option<EloRating>,
    /// The probability that its expected points are the highest, 0 to 1; in a gauntlet, that its rating is.
    pub best: Option<f64>,
    /// Its results at each seat, at tables of up to 64.
    pub seats: Vec<SeatStanding>,
    /// The loss of its decisions and its luck-adjusted score; `None` if games are not appraised.
    pub luck: Option<Luck>,
    /// Why the entrant is barred.
    pub barred: Option<StandingBar>,
    /// Its placement, if it joined the league after the last full run.
    pub placed: Option<PlacementResult>,
}

/// An entrant's votes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Votes {
    /// As entered by the host.
    pub votes: i64,
    /// Points, plus ten for each vote if the votes are not negative.
    pub total: u64,
}

/// Why an entrant is barred, without the record of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandingBar {
    /// For example `illegal-move`.
    pub reason: String,
    /// The game of the offence, or 0 for the qualification.
    pub game: u64,
    /// The request that the entrant got.
    pub request: String,
    /// Its answer, and what is wrong with it.
    pub detail: String,
}

/// Points, plus ten for each vote if votes count and are not negative.
pub(super) fn board_total<G: Game>(hill: &Hill<G>, ledger: &Ledger, id: EntrantId) -> u64 {
    ledger.points(id) + hill.head_start(id)
}

/// An entrant's row, without the values that depend on the other entrants.
pub(super) fn standing<G: Game>(hill: &Hill<G>, ledger: &Ledger, id: EntrantId) -> Standing {
    let entrant = hill.entrant(id);
    let no_games = EntrantSums::default();
    let sums = ledger.entrant_sums(id).unwrap_or(&no_games);
    let strata = strata(ledger, id);
    let blocks = (hill.format() != Format::Challenge).then_some(strata.as_slice());
    let win_rate_ci95 = match blocks {
        Some(strata) => win_interval(strata, hill.format().games_per_block(), hill.statistics()),
        None => statistics::wilson(sums.wins as f64, sums.games, sums.games as f64),
    };
    let votes =
        || Votes { votes: entrant.votes.unwrap_or(0), total: board_total(hill, ledger, id) };
    Standing {
        rank: None,
        mark: String::new(),
        bot: entrant.name.to_string(),
        hash: entrant.program.identity(),
        author: entrant.author.clone(),
        url: entrant.url.clone(),
        own_terms: entrant.own_terms.clone(),
        points: sums.points,
        votes: hill.challenge().votes_count.then(votes),
        games: sums.games,
        wins: sums.wins,
        win_rate: (sums.games > 0).then(|| sums.wins as f64 / sums.games as f64),
        win_rate_ci95,
        figures: figures::<G>(sums, blocks, hill.statistics()),
        rating: None,
        rating_ci95: None,
        elo: None,
        best: None,
        seats: seats::seats(sums),
        luck: hill.start_value().map(|start| {
            let block = blocks.map(|_| hill.format().games_per_block());
            luck::luck(start, sums, &strata, block, hill.statistics())
        }),
        barred: None,
        placed: None,
    }
}

pub(super) fn barred_standing<G: Game>(hill: &Hill<G>, ledger: &Ledger, bar: &Bar) -> Standing {
    let id = hill.ids().find(|id| hill.name_of(*id) == bar.bot).expect("a bar names an entrant");
    let Bar { reason, game, request, detail, .. } = bar.clone();
    Standing {
        barred: Some(StandingBar { reason, game, request, detail }),
        ..standing(hill, ledger, id)
    }
}

impl Serialize for Standing {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("rank", &self.rank)?;
        map.serialize_entry("bot", &self.bot)?;
        map.serialize_entry("hash", &self.hash)?;
        map.serialize_entry("points", &self.points)?;
        if let Some(Votes { votes, total }) = self.votes {
            map.serialize_entry("votes", &votes)?;
            map.serialize_entry("total", &total)?;
        }
        map.serialize_entry("games", &self.games)?;
        map.serialize_entry("wins", &self.wins)?;
        map.serialize_entry("win_rate", &self.win_rate.map(six_digits))?;
        map.serialize_entry("win_rate_ci95", &self.win_rate_ci95)?;
        for (name, summary) in &self.figures {
            map.serialize_entry(name, summary)?;
        }
        map.serialize_entry("mark", &self.mark)?;
        map.serialize_entry("rating", &self.rating.map(six_digits))?;
        map.serialize_entry("rating_ci95", &self.rating_ci95)?;
        if let Some(EloRating { value, ci95 }) = self.elo {
            map.serialize_entry("elo", &value.map(six_digits))?;
            map.serialize_entry("elo_ci95", &ci95)?;
        }
        map.serialize_entry("best", &self.best.map(six_digits))?;
        map.serialize_entry("seats", &self.seats)?;
        if let Some(luck) = &self.luck {
            map.serialize_entry("luck", luck)?;
        }
        map.serialize_entry("barred", &self.barred)?;
        if let Some(placed) = &self.placed {
            map.serialize_entry("placed", placed)?;
        }
        for (name, text) in [("author", &self.author), ("url", &self.url)] {
            if let Some(text) = text {
                map.serialize_entry(name, text)?;
            }
        }
        serialize_own_terms(&self.own_terms, &mut map)?;
        map.end()
    }
}

/// Writes the keys that [`OwnTerms`] writes.
fn serialize_own_terms<M: SerializeMap>(own: &OwnTerms, map: &mut M) -> Result<(), M::Error> {
    if own.network {
        map.serialize_entry("network", &true)?;
    }
    if !own.secrets.is_empty() {
        map.serialize_entry("secrets", &own.secrets)?;
    }
    if !own.limits.is_empty() {
        map.serialize_entry("limits", &own.limits)?;
    }
    if own.remote {
        map.serialize_entry("remote", &true)?;
    }
    if !own.deterministic {
        map.serialize_entry("deterministic", &false)?;
    }
    Ok(())
}
