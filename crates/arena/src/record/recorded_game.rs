//! A recorded game without its moves: what the ledger needs.

use std::fmt;
use std::marker::PhantomData;

use dicehill_rules::{Game, Seat, SeatResult, SeedParts};
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::record::game_line::check_appraisals;
use crate::{Appraisal, EntrantId, Fixture, Hill, Offence, ReadRecordError, Reason};

/// The largest figure of a seat that is read, above those of all games. Sums of squares have room for as many of it as there
/// are games.
const MAX_FIGURE: u64 = u32::MAX as u64;

/// A recorded game without its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedGame {
    /// The fixture of the game.
    pub fixture: Fixture,
    /// The result of each seat.
    pub results: Vec<SeatResult>,
    /// The appraisal of each seat; empty if the game was not appraised.
    pub appraisals: Vec<Appraisal>,
    /// The failures in order: seat and reason.
    pub failures: Vec<(Seat, Reason)>,
    /// The failures as the run has to judge them, of a game that another machine has played for it; `None` if they were
    /// judged before.
    pub unjudged: Option<Vec<Offence>>,
    /// The line, without the newline.
    pub line: String,
    /// The machine that played it for this run; `None` if it was the one that records the run, or the game is of an earlier run.
    pub machine: Option<String>,
}

impl RecordedGame {
    /// Reads a line as the game of `fixture`; `None` if it is another game.
    ///
    /// The moves are not checked: they were judged when the game was played. Results are ones that sums have room for.
    ///
    /// # Errors
    /// If the line is not the record of a game.
    pub fn read<G: Game>(
        hill: &Hill<G>,
        fixture: Fixture,
        line: String,
    ) -> Result<Option<Self>, ReadRecordError> {
        let raw: RawOutcome<G> = serde_json::from_str(&line)?;
        let names = |id: &EntrantId| hill.name_of(*id);
        let RawResults { results, luck, .. } = raw.results;
        if results.len() != raw.seats.len() || !G::SEATS.contains(&results.len()) {
            return Err(ReadRecordError::Seats(results.len()));
        }
        check_results::<G>(&results)?;
        let appraisals = check_appraisals(luck.into_iter())?;
        if raw.game != fixture.game
            || !fixture.may_have(raw.table)
            || raw.seed.is_some_and(|seed| !may_reuse(hill.seed(), &seed))
            || appraisals.is_empty() == hill.records_luck(raw.void)
            || !fixture.seats.iter().map(names).eq(raw.seats.iter().map(String::as_str))
        {
            return Ok(None);
        }
        let fixture = Fixture { table: raw.table, ..fixture };
        let seats: Vec<_> = Seat::all(raw.seats.len()).collect();
        let failure = |(index, raw): (usize, &RawOutcomeFailure)| {
            let reason = Reason::named(&raw.reason).ok_or_else(|| ReadRecordError::Reason {
                number: index + 1,
                reason: raw.reason.clone(),
            })?;
            let seat = seats.get(raw.seat).ok_or(ReadRecordError::Seats(raw.seat))?;
            Ok((*seat, reason))
        };
        let failures = raw.failures.iter().enumerate().map(failure);
        let failures = failures.collect::<Result<_, ReadRecordError>>()?;
        Ok(Some(Self {
            fixture,
            results,
            appraisals,
            failures,
            unjudged: None,
            line,
            machine: None,
        }))
    }
}

/// Refuses results that no game gives: standings and statistics rely on their bounds.
fn check_results<G: Game>(results: &[SeatResult]) -> Result<(), ReadRecordError> {
    let (most_points, most_lead) = (G::max_points(results.len()), G::max_lead(results.len()));
    for (seat, result) in results.iter().enumerate() {
        let points = ("points", result.points, most_points);
        let figures = G::FIGURES.iter().zip(result.figures);
        let figures = figures.map(|(figure, value)| (figure.name, value, MAX_FIGURE));
        let too_much = |(_, value, most): &(_, u64, u64)| value > most;
        if let Some((name, value, most)) = [points].into_iter().chain(figures).find(too_much) {
            return Err(ReadRecordError::TooMuch { seat, name, value, most });
        }
    }
    let points = || results.iter().map(|result| result.points);
    let lead = points().max().unwrap_or(0) - points().min().unwrap_or(0);
    if lead > most_lead { Err(ReadRecordError::Lead(lead, most_lead)) } else { Ok(()) }
}

/// Whether a run of the master seed `own` may hold a game that was played under the master seed `other`: both have the same
/// text, so that the same entrants sit at its table. Without a secret, all runs of a text have the same seed.
#[must_use]
pub fn may_reuse(own: &str, other: &str) -> bool {
    let [own, other] = [own, other].map(SeedParts::of);
    own.secret.is_some() && own.text == other.text
}

/// The fields of a line that are read.
#[derive(Deserialize)]
#[serde(bound = "")]
struct RawOutcome<G: Game> {
    game: u64,
    table: u64,
    seed: Option<String>,
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

/// The loss and the variance of a seat, as far as they are in the line.
type RawLuck = (Option<f64>, Option<f64>);

/// Results, deserialized without an intermediate map for each.
struct RawResults<G> {
    results: Vec<SeatResult>,
    /// By seat.
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
