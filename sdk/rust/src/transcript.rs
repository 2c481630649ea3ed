//! Saved games, for `--transcript` and for the tests of authors.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::json::{Read, Reader, Unreadable};
use crate::panics;
use crate::session::Session;
use crate::text::words;
use crate::yahtzee::Category;

/// A turn of a transcript and the bot's answer.
///
/// It displays as one line, with the recorded answer and the reason if the answer is illegal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The line in the transcript, from 1.
    pub line: usize,
    /// The game's number.
    pub game: u64,
    /// The request's number.
    pub id: u64,
    /// The turn as text for people.
    pub turn: String,
    /// The answer: `keep 3 4`, `SIXES`, `4 3` or `Liar!`.
    pub answer: String,
    /// The recorded answer in the same form, if there is one.
    pub recorded: Option<String>,
    /// Why the answer is illegal; `None` if it is legal.
    pub illegal: Option<String>,
}

/// The transcript cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TranscriptError {
    /// A line is not part of the protocol.
    Line {
        /// The line's number, from 1.
        line: usize,
        /// What was expected, and where.
        why: String,
    },
    /// The transcript has no turn, so that it would test nothing.
    NoTurn,
}

impl fmt::Display for TranscriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { line, why } => write!(f, "line {line} of the transcript: {why}"),
            Self::NoTurn => write!(f, "the transcript has no turn"),
        }
    }
}

impl std::error::Error for TranscriptError {}

impl Step {
    /// Whether the answer equals the recorded one; `None` if none is recorded.
    #[must_use]
    pub fn is_as_recorded(&self) -> Option<bool> {
        self.recorded.as_ref().map(|recorded| *recorded == self.answer)
    }

    pub(crate) fn complaint(&self) -> Option<String> {
        let Self { line, game, id, .. } = self;
        self.illegal.as_ref().map(|why| format!("line {line}: game {game}, request {id}: {why}"))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, id, turn, answer, recorded, .. } = self;
        write!(f, "game {game}, request {id}: {turn} -> {answer}")?;
        match (self.is_as_recorded(), recorded) {
            (Some(false), Some(recorded)) => write!(f, " (recorded: {recorded})")?,
            (Some(_), _) => write!(f, " (as recorded)")?,
            (None, _) => {}
        }
        self.illegal.as_ref().map_or(Ok(()), |why| write!(f, " ILLEGAL: {why}"))
    }
}

/// Passes the messages of a transcript to the bot and yields its answers.
pub(crate) fn steps<'a>(
    session: &'a mut Session,
    text: &'a str,
) -> impl Iterator<Item = Result<Step, TranscriptError>> + 'a {
    let mut recorded = HashMap::new();
    let mut first_error = None;
    for (line, message) in
        lines(text).filter_map(|(line, text)| Some((line, text.strip_prefix('<')?)))
    {
        match recorded_answer(message) {
            Ok(answer) => recorded.extend(answer),
            Err(why) => first_error = first_error.or(Some(error(line, &why))),
        }
    }
    let messages = lines(text).filter(|(_, text)| !text.starts_with('<'));
    let played = messages.filter_map(move |(line, text)| {
        let message = text.strip_prefix('>').unwrap_or(text);
        let answered = session.step(message).map_err(|why| error(line, &why)).transpose()?;
        Some(answered.map(|answered| Step {
            line,
            game: answered.game,
            id: answered.id,
            turn: answered.turn,
            answer: answered.answer,
            recorded: recorded.get(&answered.id).cloned(),
            illegal: answered.illegal,
        }))
    });
    first_error.map(Err).into_iter().chain(played)
}

/// The lines that are messages or answers, with their numbers from 1.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

fn error(line: usize, why: &Unreadable) -> TranscriptError {
    TranscriptError::Line { line, why: why.to_string() }
}

/// The request's number and the answer as text for people; `None` for a `ready`.
fn recorded_answer(line: &str) -> Read<Option<(u64, String)>> {
    let (mut id, mut answer) = (None, String::new());
    Reader::new(line).object(|reader, key| {
        match key {
            "id" => id = Some(reader.number()?),
            "keep" => {
                let mut indexes: Vec<u8> = Vec::new();
                reader.numbers(&mut indexes)?;
                answer = format!("keep {}", words(&indexes)).trim_end().to_owned();
            }
            "category" => {
                let name = reader.text()?.into_owned();
                answer = Category::named(&name).map_or(name, |category| category.to_string());
            }
            "bid" => answer = reader.text()?.split_ascii_whitespace().collect::<Vec<_>>().join(" "),
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    Ok(id.map(|id| (id, answer)))
}

/// Steps through a transcript and prints each turn with its answer; returns the exit code.
pub(crate) fn show(mut session: Session, file: Option<OsString>) -> i32 {
    let Some(file) = file else {
        eprintln!("dicehill: --transcript needs a file");
        return 2;
    };
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("dicehill: {}: {error}", file.display());
            return 2;
        }
    };
    panics::install_report();
    let shown = catch_unwind(AssertUnwindSafe(|| show_steps(&mut session, &text)));
    match shown {
        Ok(Ok(())) => 0,
        Ok(Err(error)) => {
            eprintln!("dicehill: {error}");
            1
        }
        Err(_) => 1,
    }
}

fn show_steps(session: &mut Session, text: &str) -> Result<(), TranscriptError> {
    let (mut turns, mut same, mut illegal) = (0, 0, 0);
    for step in steps(session, text) {
        let step = step?;
        println!("{step}");
        turns += 1;
        same += u32::from(step.is_as_recorded() == Some(true));
        illegal += u32::from(step.illegal.is_some());
    }
    println!("{turns} turns, {same} answers as recorded, {illegal} illegal");
    Ok(())
}
