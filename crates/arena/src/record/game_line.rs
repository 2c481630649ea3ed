//! Game records as lines of text: written once, hashed, stored, and read again for replay.
//!
//! A line is a JSON object:
//!
//! ```json
//! {"type":"game","game":1,"table":1,"seats":[...],"moves":"...","failures":[...],"void":true,"results":[...]}
//! ```
//!
//! `moves` are the actions' texts, separated by commas; an exclamation mark is a move that failed. `failures` has an
//! object `{"seat":...,"reason":...,"detail":...}` for each of them. `void` is present if the game does not count. A
//! result has `points`, `won` and the game's figures, and in an appraised game `loss` and `variance` with six and three
//! decimals. Dice are not recorded: they follow from the seed. A game that an earlier run of the hill played under another
//! secret names its master seed behind `table`: `"seed":"spring#..."` ([`reused_line`]).

use std::collections::HashSet;
use std::fmt::Write;

use dicehill_rules::{Chance, Game, PublicInfo, Seat, SeatResult};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Appraisal, Failure, GameRecord, Hill, Move, Offence, Play, ReadRecordError, Reason};

/// Writes a game as one line, without the newline.
///
/// ```
/// use std::sync::Arc;
///
/// use dicehill_arena::{BotName, Entrant, Hill, HillDraft, Play, game_line, read_game_line};
/// use dicehill_arena::{InertBot, Reason, Schedule};
/// use dicehill_rules::liars_dice::{Action, Bid, LiarsDice};
/// use dicehill_rules::{Chance, Face, PublicInfo};
///
/// let entrant = |name| {
///     Entrant::new(BotName::new(name).unwrap(), Arc::new(InertBot("house:inert@1".to_owned())))
/// };
/// let draft = HillDraft::<LiarsDice>::challenge(vec![entrant("ada"), entrant("bob")], "a seed");
/// let hill = Hill::new(draft).unwrap();
/// let chance = Chance::new(hill.seed());
/// let schedule = Schedule::new(&hill, &chance, hill.ids().collect());
///
/// // Every round is a bid of a million sixes and a call.
/// let fixture = schedule.fixture(1);
/// let names = fixture.seats.iter().map(|id| hill.name_of(*id)).collect();
/// let public = PublicInfo { names, points: Vec::new() };
/// let mut play = Play::new(hill.rules(), chance.table(fixture.table), 2, public);
/// while play.turn().is_some() {
///     play.answer(Ok(Action::Bid(Bid::new(Bid::MAX_COUNT, Face::SIX).unwrap())));
///     play.answer(Ok(Action::Call));
/// }
/// let record = play.into_record(fixture);
/// let line = game_line(&hill, &record);
/// assert!(line.starts_with(r#"{"type":"game","game":1,"table":1,"seats":["#));
///
/// let replay = read_game_line::<LiarsDice>(&line, hill.rules(), &chance).unwrap();
/// assert_eq!((replay.moves, replay.results), (record.moves, record.results));
/// let altered = line.replacen("\"points\":", "\"points\":9", 1);
/// assert!(read_game_line::<LiarsDice>(&altered, hill.rules(), &chance).is_err());
/// ```
#[must_use]
pub fn game_line<G: Game>(hill: &Hill<G>, record: &GameRecord<G>) -> String {
    let (game, table) = (record.fixture.game, record.fixture.table);
    let seats = record.fixture.seats.iter().map(|id| hill.name_of(*id)).collect();
    let head = Head { r#type: "game", game, table, seats };
    let mut line = json(&head, LINE_LENGTH);
    line.pop();
    // Texts of actions need no escapes, and the moves are most of the line: they bypass the serializer.
    line.push_str(",\"moves\":\"");
    write_moves(&record.moves, &mut line);
    line.push('"');
    write_faults(record, &mut line);
    line.push_str(",\"results\":[");
    write_results(record, &mut line);
    line.push_str("]}");
    line
}

/// Initial capacity; enough for most lines.
const LINE_LENGTH: usize = 1024;

fn json(value: &impl Serialize, capacity: usize) -> String {
    let mut text = Vec::with_capacity(capacity);
    serde_json::to_writer(&mut text, value).expect("a record has only string keys");
    String::from_utf8(text).expect("JSON is UTF-8")
}

/// The fields before the moves.
#[derive(Serialize)]
struct Head<'a> {
    r#type: &'static str,
    game: u64,
    table: u64,
    seats: Vec<&'a str>,
}

/// The text of a move that failed.
const FAILED: &str = "!";

fn write_moves<G: Game>(moves: &[Move<G>], line: &mut String) {
    for (index, answer) in moves.iter().enumerate() {
        if index > 0 {
            line.push(',');
        }
        match answer {
            Move::Acted(action) => G::write_action(action, line),
            Move::Failed(_) => line.push_str(FAILED),
        }
    }
}

/// Writes the failures, and whether the game is void; most games have neither.
fn write_faults<G: Game>(record: &GameRecord<G>, line: &mut String) {
    if !record.offences.is_empty() {
        let failures: Vec<_> = record.offences.iter().map(RawFailure::from).collect();
        line.push_str(",\"failures\":");
        line.push_str(&json(&failures, 256));
    }
    if record.void {
        line.push_str(",\"void\":true");
    }
}

#[derive(Serialize, Deserialize)]
struct RawFailure {
    seat: usize,
    reason: String,
    detail: String,
}

impl From<&Offence> for RawFailure {
    fn from(Offence { seat, failure, .. }: &Offence) -> Self {
        let reason = failure.reason.name().to_owned();
        Self { seat: seat.index(), reason, detail: failure.detail.clone() }
    }
}

/// Why writing to a `String` cannot fail.
const TAKES_ALL: &str = "a String takes everything";

/// Writes the results by hand: names of figures need no escapes.
fn write_results<G: Game>(record: &GameRecord<G>, line: &mut String) {
    for (seat, result) in record.results.iter().enumerate() {
        line.push_str(if seat == 0 { "{" } else { ",{" });
        let SeatResult { points, won, figures } = result;
        line.push_str("\"points\":");
        write_number(*points, line);
        line.push_str(if *won { ",\"won\":true" } else { ",\"won\":false" });
        for (figure, value) in G::FIGURES.iter().zip(figures) {
            line.push_str(",\"");
            line.push_str(figure.name);
            line.push_str("\":");
            write_number(*value, line);
        }
        if let Some(appraisal) = record.appraisals.get(seat) {
            let (loss, variance) = (appraisal.loss_text(), appraisal.variance_text());
            write!(line, ",\"loss\":{loss},\"variance\":{variance}").expect(TAKES_ALL);
        }
        line.push('}');
    }
}

/// Appends a number in plain digits. Every game has up to twenty, and `write!` takes several times as long.
fn write_number(mut number: u64, line: &mut String) {
    let mut digits = [0; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    line.push_str(std::str::from_utf8(&digits[start..]).expect("digits are ASCII"));
}

/// The fields of a seat's result, by name.
fn fields<G: Game>(result: &SeatResult) -> impl Iterator<Item = (&'static str, Value)> {
    let figures = G::FIGURES.iter().zip(result.figures);
    let figures = figures.map(|(figure, value)| (figure.name, value.into()));
    [("points", result.points.into()), ("won", result.won.into())].into_iter().chain(figures)
}

/// The line of a game for a run of the master seed `to` that reuses it from a run of the master seed `from`: it names the
/// seed under which the game was played, if that is not `to`. A text that is not the record of a game stays as it is.
#[must_use]
pub fn reused_line(line: String, from: &str, to: &str) -> String {
    let Ok(RawPlace { game, table, seed }) = serde_json::from_str(&line) else { return line };
    let head = format!("{{\"type\":\"game\",\"game\":{game},\"table\":{table}");
    let with_seed = |seed: &str| format!("{head},\"seed\":{}", json(&seed, seed.len() + 2));
    let written = seed.as_deref().map_or_else(|| head.clone(), with_seed);
    let Some(rest) = line.strip_prefix(&written) else { return line };
    match seed.as_deref().unwrap_or(from) {
        own if own == to => format!("{head}{rest}"),
        other => with_seed(other) + rest,
    }
}

/// The fields of a line that say where its game was played.
#[derive(Deserialize)]
struct RawPlace {
    game: u64,
    table: u64,
    seed: Option<String>,
}

/// A recorded game, checked move by move against the rules and the dice.
pub struct Replay<G: Game> {
    /// The game's number.
    pub game: u64,
    /// The table whose dice were used.
    pub table: u64,
    /// All randomness of the game: that of the run, or of the seed that the line names.
    pub chance: Chance,
    /// The master seed that the line names, if it is not the run's.
    pub seed: Option<String>,
    /// The entrants' names, by seat.
    pub names: Vec<String>,
    /// All answers in order.
    pub moves: Vec<Move<G>>,
    /// The result of each seat.
    pub results: Vec<SeatResult>,
    /// The recorded appraisal of each seat; empty if the game was not appraised. The replay does not check it:
    /// [`Hill::check_appraisals`] does.
    pub appraisals: Vec<Appraisal>,
}

#[derive(Deserialize)]
struct RawLine {
    game: u64,
    table: u64,
    seed: Option<String>,
    seats: Vec<String>,
    moves: Option<String>,
    #[serde(default)]
    failures: Vec<RawFailure>,
    #[serde(default)]
    void: bool,
    results: Vec<Map<String, Value>>,
}

/// Reads a line of [`game_line`] and replays the game with the dice of `chance`, the run's randomness, or of the seed that
/// the line names. See [`game_line`] for an example.
///
/// # Errors
/// If the line is not a record, or its moves are illegal or do not lead to its results: then it was altered, or belongs
/// to another seed.
pub fn read_game_line<G: Game>(
    line: &str,
    rules: G::Rules,
    chance: &Chance,
) -> Result<Replay<G>, ReadRecordError> {
    let raw: RawLine = serde_json::from_str(line)?;
    if !G::SEATS.contains(&raw.seats.len()) {
        return Err(ReadRecordError::Seats(raw.seats.len()));
    }
    if let Some(name) = repeated(&raw.seats) {
        return Err(ReadRecordError::RepeatedName(name.clone()));
    }
    let failed_seats: Vec<_> = raw.failures.iter().map(|failure| failure.seat).collect();
    let moves = read_moves(&raw.moves.ok_or(ReadRecordError::NoMoves)?, raw.failures)?;
    let appraisals = read_appraisals(&raw.results)?;
    let chance = raw.seed.as_deref().map_or_else(|| chance.clone(), Chance::new);
    let (game, table, seed, names) = (raw.game, raw.table, raw.seed, raw.seats);
    let results = Vec::new();
    let replay = Replay { game, table, chance, seed, names, moves, results, appraisals };
    let replayed = replay.play_through(rules, raw.void, &failed_seats);
    let replayed = replayed.and_then(|results| {
        compare_results::<G>(&raw.results, &results)?;
        Ok(results)
    });
    match (replayed, &replay.seed) {
        (Ok(results), _) => Ok(Replay { results, ..replay }),
        (Err(error), None) => Err(error),
        (Err(error), Some(seed)) => {
            Err(ReadRecordError::NamedSeed { seed: seed.clone(), error: Box::new(error) })
        }
    }
}

/// The appraisals in the results of a line.
fn read_appraisals(results: &[Map<String, Value>]) -> Result<Vec<Appraisal>, ReadRecordError> {
    let number = |result: &Map<String, Value>, name: &str| {
        let value = result.get(name);
        value.map(f64::deserialize).transpose()
    };
    let numbers_of =
        |result: &Map<String, Value>| Ok((number(result, "loss")?, number(result, "variance")?));
    let numbers = results.iter().map(numbers_of).collect::<Result<Vec<_>, ReadRecordError>>()?;
    check_appraisals(numbers.into_iter())
}

/// The appraisals of all seats, from each seat's loss and variance. Either all seats must have both, or none.
pub(crate) fn check_appraisals(
    numbers: impl ExactSizeIterator<Item = (Option<f64>, Option<f64>)>,
) -> Result<Vec<Appraisal>, ReadRecordError> {
    let seats = numbers.len();
    let mut appraisals = Vec::new();
    for (seat, (loss, variance)) in numbers.enumerate() {
        let appraisal = Appraisal::read(loss, variance);
        appraisals.extend(appraisal.map_err(|why| ReadRecordError::Appraisal { seat, why })?);
    }
    match appraisals.len() {
        0 => Ok(appraisals),
        all if all == seats => Ok(appraisals),
        appraised => Err(ReadRecordError::PartlyAppraised { appraised, seats }),
    }
}

fn repeated(names: &[String]) -> Option<&String> {
    let mut seen = HashSet::new();
    names.iter().find(|name| !seen.insert(*name))
}

fn read_moves<G: Game>(
    text: &str,
    failures: Vec<RawFailure>,
) -> Result<Vec<Move<G>>, ReadRecordError> {
    let mut failures = failures.into_iter();
    let texts = text.split(',').filter(|_| !text.is_empty());
    let moves = texts.enumerate().map(|(index, text)| match text {
        FAILED => read_failure(index + 1, failures.next()),
        action => read_action(index + 1, action),
    });
    let moves = moves.collect::<Result<Vec<_>, _>>()?;
    match failures.next() {
        None => Ok(moves),
        Some(RawFailure { reason, .. }) => Err(ReadRecordError::SurplusFailure { reason }),
    }
}

fn read_action<G: Game>(number: usize, text: &str) -> Result<Move<G>, ReadRecordError> {
    text.parse().map(Move::Acted).map_err(|why: <G::Action as std::str::FromStr>::Err| {
        ReadRecordError::Action { number, why: why.to_string() }
    })
}

fn read_failure<G: Game>(
    number: usize,
    raw: Option<RawFailure>,
) -> Result<Move<G>, ReadRecordError> {
    let RawFailure { reason, detail, .. } = raw.ok_or(ReadRecordError::NoReason { number })?;
    match Reason::named(&reason) {
        Some(reason) => Ok(Move::Failed(Box::new(Failure::new(reason, detail)))),
        None => Err(ReadRecordError::Reason { number, reason }),
    }
}

impl<G: Game> Replay<G> {
    /// The game before its first action.
    #[must_use]
    pub fn begin(&self, rules: G::Rules) -> Play<'_, G> {
        self.begin_with_points(rules, Vec::new())
    }

    /// The game before its first action, with the points that each seat has from earlier games of the set.
    #[must_use]
    pub fn begin_with_points(&self, rules: G::Rules, points: Vec<u64>) -> Play<'_, G> {
        let names = self.names.iter().map(String::as_str).collect();
        let public = PublicInfo { names, points };
        Play::new(rules, self.chance.table(self.table), self.names.len(), public)
    }

    fn play_through(
        &self,
        rules: G::Rules,
        void: bool,
        failed_seats: &[usize],
    ) -> Result<Vec<SeatResult>, ReadRecordError> {
        let mut play = self.begin(rules);
        for (index, recorded) in self.moves.iter().enumerate() {
            if play.turn().is_none() {
                return Err(ReadRecordError::TooLong(index));
            }
            play.repeat(recorded);
            let number = index + 1;
            match (recorded, play.moves().last()) {
                (Move::Acted(action), Some(Move::Failed(failure))) => {
                    let (action, why) = (action.to_string(), failure.detail.clone());
                    return Err(ReadRecordError::Refused { number, action, why });
                }
                (Move::Failed(failure), Some(Move::Acted(action))) => {
                    let (detail, action) = (failure.detail.clone(), action.to_string());
                    return Err(ReadRecordError::Legal { number, action, detail });
                }
                (Move::Failed(recorded), Some(Move::Failed(replayed)))
                    if recorded.detail != replayed.detail =>
                {
                    let [recorded, replayed] = [recorded, replayed].map(|one| one.detail.clone());
                    return Err(ReadRecordError::Detail { number, recorded, replayed });
                }
                _ => {}
            }
        }
        if play.turn().is_some() {
            return Err(ReadRecordError::TooShort(self.moves.len()));
        }
        if play.is_void() != void {
            return Err(ReadRecordError::Void(void));
        }
        let failed = play.offences().iter().map(|offence| offence.seat.index());
        if let Some((recorded, replayed)) = failed_seats
            .iter()
            .copied()
            .zip(failed)
            .find(|(recorded, replayed)| recorded != replayed)
        {
            return Err(ReadRecordError::FailureSeat { recorded, replayed });
        }
        Ok(Seat::all(self.names.len()).map(|seat| play.game().result(seat)).collect())
    }
}

fn compare_results<G: Game>(
    recorded: &[Map<String, Value>],
    replayed: &[SeatResult],
) -> Result<(), ReadRecordError> {
    if recorded.len() != replayed.len() {
        return Err(ReadRecordError::Seats(recorded.len()));
    }
    for (seat, (recorded, result)) in recorded.iter().zip(replayed).enumerate() {
        for (name, replayed) in fields::<G>(result) {
            let recorded = recorded.get(name).unwrap_or(&Value::Null);
            if *recorded != replayed {
                let (recorded, replayed) = (recorded.to_string(), replayed.to_string());
                return Err(ReadRecordError::Result {
                    seat,
                    name: name.to_owned(),
                    recorded,
                    replayed,
                });
            }
        }
    }
    Ok(())
}
