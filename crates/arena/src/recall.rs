//! Games that were recorded before and are not played again: those of a run that goes on, and those
//! of an earlier run that a new entrant does not change.

use std::fmt;
use std::io;
use std::marker::PhantomData;

use dicehill_rules::{Game, Seat, SeatResult};
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::record::check_appraisals;
use crate::{Appraisal, Bar, EntrantId, Fixture, Hill, ReadRecordError, Reason, RecordsHash};

/// Where recorded games are found. Many threads ask at once.
pub trait Recall: Sync {
    /// The line, as [`crate::game_line`] has written it, of the game with this number; `None` of a game
    /// that has to be played.
    ///
    /// A game that was played at another table or by others, or that was appraised where others are not, or
    /// the other way round, is played anew.
    ///
    /// # Errors
    /// If what was recorded cannot be read any more: nothing is played in its place.
    fn line(&self, game: u64) -> io::Result<Option<String>>;
}

/// Nothing was recorded before.
pub struct Nothing;

impl Recall for Nothing {
    fn line(&self, _game: u64) -> io::Result<Option<String>> {
        Ok(None)
    }
}

/// What happened before a run begins or goes on.
pub struct Past<'a> {
    /// Who is barred already, in the order of the bars: in the qualification, or earlier in the run.
    pub bars: Vec<Bar>,
    /// The games that are not played again.
    pub games: &'a dyn Recall,
    /// Whether the run has begun before: its header and these bars are not told again.
    pub goes_on: bool,
    /// The hash over the records of these games, if their lines are not whole.
    pub records: Option<RecordsHash>,
}

impl Past<'_> {
    /// Nothing but what came of the qualification.
    #[must_use]
    pub fn qualified(bars: Vec<Bar>) -> Self {
        Self { bars, games: &Nothing, goes_on: false, records: None }
    }
}

/// A recorded game, as far as it counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recalled {
    /// Which game it was.
    pub fixture: Fixture,
    /// What each seat has to show.
    pub results: Vec<SeatResult>,
    /// What the decisions of each seat cost; nothing if nobody has appraised the game.
    pub appraisals: Vec<Appraisal>,
    /// Who failed, and how.
    pub failures: Vec<(Seat, Reason)>,
    /// The line, without the newline.
    pub line: String,
}

impl Recalled {
    /// Reads a line as the game of `fixture`; `None` if it is another game.
    ///
    /// The moves are not looked at: they were judged when the game was played.
    ///
    /// # Errors
    /// If the line is no record of a game.
    pub fn read<G: Game>(
        hill: &Hill<G>,
        fixture: Fixture,
        line: String,
    ) -> Result<Option<Self>, ReadRecordError> {
        let raw: RawOutcome<G> = serde_json::from_str(&line)?;
        let names = |id: &EntrantId| hill.name_of(*id);
        let RawResults { results, luck, .. } = raw.results;
        if results.len() != raw.seats.len() {
            return Err(ReadRecordError::Seats(results.len()));
        }
        let appraisals = check_appraisals(luck.into_iter())?;
        if raw.game != fixture.game
            || raw.table != fixture.table
            || appraisals.is_empty() == hill.records_luck(raw.void)
            || !fixture.seats.iter().map(names).eq(raw.seats.iter().map(String::as_str))
        {
            return Ok(None);
        }
        let seats: Vec<_> = Seat::first(raw.seats.len()).collect();
        let failure = |(index, raw): (usize, &RawOutcomeFailure)| {
            let reason = Reason::ALL.into_iter().find(|reason| reason.name() == raw.reason);
            let reason = reason.ok_or_else(|| ReadRecordError::Reason {
                number: index + 1,
                reason: raw.reason.clone(),
            })?;
            let seat = seats.get(raw.seat).ok_or(ReadRecordError::Seats(raw.seat))?;
            Ok((*seat, reason))
        };
        let failures = raw.failures.iter().enumerate().map(failure);
        let failures = failures.collect::<Result<_, ReadRecordError>>()?;
        Ok(Some(Self { fixture, results, appraisals, failures, line }))
    }
}

/// As much of a line as counts.
#[derive(Deserialize)]
#[serde(bound = "")]
struct RawOutcome<G: Game> {
    game: u64,
    table: u64,
    seats: Vec<String>,
    #[serde(default)]
    failures: Vec<RawOutcomeFailure>,
    #[serde(default)]
    void: bool,
    results: RawResults<G>,
}

#[derive(Deserialize)]
struct RawOutcomeFailure {
    seat: usize,
    reason: String,
}

/// What stands in a line as a seat's loss and variance.
type RawLuck = (Option<f64>, Option<f64>);

/// Results read without a map for each.
struct RawResults<G> {
    results: Vec<SeatResult>,
    /// Of each seat, what stands there as loss and variance.
    luck: Vec<RawLuck>,
    game: PhantomData<G>,
}

impl<'de, G: Game> Deserialize<'de> for RawResults<G> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ResultsVisitor(PhantomData))
    }
}

struct ResultsVisitor<G>(PhantomData<G>);

impl<'de, G: Game> Visitor<'de> for ResultsVisitor<G> {
    type Value = RawResults<G>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the results by seat")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut results = Vec::with_capacity(*G::SEATS.end().min(&8));
        let mut luck = Vec::new();
        while let Some((result, of_luck)) =
            seq.next_element_seed(ResultVisitor::<G>(PhantomData))?
        {
            results.push(result);
            luck.push(of_luck);
        }
        Ok(RawResults { results, luck, game: PhantomData })
    }
}

struct ResultVisitor<G>(PhantomData<G>);

impl<'de, G: Game> DeserializeSeed<'de> for ResultVisitor<G> {
    type Value = (SeatResult, RawLuck);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, G: Game> Visitor<'de> for ResultVisitor<G> {
    type Value = (SeatResult, RawLuck);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("what a seat has to show")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut points, mut won, mut figures) = (None, None, [None; dicehill_rules::MAX_FIGURES]);
        let (mut loss, mut variance) = (None, None);
        while let Some(key) = map.next_key::<&str>()? {
            match (key, G::FIGURES.iter().position(|figure| figure.name == key)) {
                ("points", _) => points = Some(map.next_value()?),
                ("won", _) => won = Some(map.next_value()?),
                ("loss", _) => loss = Some(map.next_value()?),
                ("variance", _) => variance = Some(map.next_value()?),
                (_, Some(index)) => figures[index] = Some(map.next_value()?),
                (_, None) => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        let missing = |name| A::Error::missing_field(name);
        if let Some(figure) = G::FIGURES.iter().zip(figures).find(|(_, value)| value.is_none()) {
            return Err(missing(figure.0.name));
        }
        let result = SeatResult {
            points: points.ok_or_else(|| missing("points"))?,
            won: won.ok_or_else(|| missing("won"))?,
            figures: figures.map(Option::unwrap_or_default),
        };
        Ok((result, (loss, variance)))
    }
}

/// Looks for the record of a game; `None` if it has to be played.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn recall<G: Game>(
    games: &dyn Recall,
    hill: &Hill<G>,
    fixture: &Fixture,
) -> io::Result<Option<Recalled>> {
    let Some(line) = games.line(fixture.game)? else { return Ok(None) };
    Recalled::read(hill, fixture.clone(), line).map_err(|error| {
        io::Error::new(io::ErrorKind::InvalidData, format!("game {}: {error}", fixture.game))
    })
}
