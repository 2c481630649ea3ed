//! The text file of the parameters: format, checksum, reader and writer.

use std::fmt::Write;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use crate::liars_dice::seer::features::bid_context::{BidKind, TableSize};
use crate::liars_dice::seer::model::likelihood_factors::LikelihoodFactors;
use crate::liars_dice::seer::model::parameters::{HOLD_BINS, Parameters, RaiseOutcome, TABLES};
use crate::liars_dice::seer::model::playing_style::PlayingStyle;
use crate::liars_dice::seer::model::style_table::MAX_STYLES;
use crate::liars_dice::seer::model::win_probability::WinProbability;

/// The format of the file; the number goes up when the meaning of a parameter changes.
const FORMAT: &str = "dicehill.seer/2";
/// The valid range of a likelihood factor.
const FACTORS: RangeInclusive<f64> = 1e-5..=1e5;
/// The valid range of a weight of the win probability.
const WEIGHTS: RangeInclusive<f64> = -50.0..=50.0;
/// The shipped file.
pub(crate) const SHIPPED: &str = include_str!("../parameters.txt");

/// Why a text is no parameter file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum ParameterFileError {
    /// The file ends too early.
    #[error("the file ends where {0:?} should be")]
    Short(String),
    /// The file has more styles than a decision can weigh.
    #[error("more than {MAX_STYLES} styles")]
    TooManyStyles,
    /// A line is not the expected one.
    #[error("line {line}: {found:?} is not {wanted}")]
    Line {
        /// The line's number, from 1.
        line: usize,
        /// The text found.
        found: String,
        /// What was expected.
        wanted: String,
    },
    /// The file was altered.
    #[error("the checksum is {found}, but that of the lines above it is {computed}")]
    Checksum {
        /// The checksum in the file.
        found: String,
        /// The checksum of the file's other lines.
        computed: String,
    },
}

impl Parameters {
    /// The parameters that ship with the crate.
    pub(crate) fn shipped() -> &'static Self {
        static PARAMETERS: LazyLock<Parameters> =
            LazyLock::new(|| Parameters::read(SHIPPED).expect("a test reads the shipped file"));
        &PARAMETERS
    }

    /// The file's text, with a checksum in its last line.
    pub(crate) fn write(&self) -> String {
        let mut text = format!("{FORMAT}\nseed {}\n", self.seed);
        for (row, players) in self.raise_outcomes.iter().zip(2..) {
            let [gains, losses] = [row.map(|bin| bin.gains), row.map(|bin| bin.losses)];
            let (gains, losses) = (numbers(&gains), numbers(&losses));
            writeln!(text, "raised-over {players} gains {gains}").expect("a String takes all");
            writeln!(text, "raised-over {players} losses {losses}").expect("a String takes all");
        }
        for (row, players) in self.win_probability.weights.iter().zip(2..) {
            writeln!(text, "wins {players} {}", numbers(row)).expect("a String takes all");
        }
        self.styles.iter().for_each(|style| write_style(style, &mut text));
        let checksum = checksum(&text);
        writeln!(text, "checksum {checksum}").expect("a String takes all");
        text
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Names the first line that is missing or wrong.
    pub(crate) fn read(text: &str) -> Result<Self, ParameterFileError> {
        let mut lines = Lines::new(text);
        lines.end_with_checksum(text)?;
        lines.exactly(FORMAT)?;
        let seed = lines.one("seed")?;
        let mut raise_outcomes = [[RaiseOutcome { gains: 0.0, losses: 0.0 }; HOLD_BINS]; TABLES];
        for (row, players) in raise_outcomes.iter_mut().zip(2..) {
            *row = lines.raise_outcomes(players)?;
        }
        let mut weights = [WinProbability::FAIR; TABLES];
        for (row, players) in weights.iter_mut().zip(2..) {
            *row = lines.numbers(&format!("wins {players}"), WEIGHTS)?;
        }
        let mut styles = Vec::new();
        while !lines.is_at_end() {
            styles.push(lines.style()?);
        }
        if styles.is_empty() {
            return Err(ParameterFileError::Short("style".to_owned()));
        }
        if styles.len() > MAX_STYLES {
            return Err(ParameterFileError::TooManyStyles);
        }
        Ok(Self::new(seed, raise_outcomes, WinProbability::new(weights), styles))
    }
}

fn write_style(style: &PlayingStyle, text: &mut String) {
    let mut line = |line: String| writeln!(text, "{line}").expect("a String takes all");
    line(format!("style {}", style.name));
    line(format!("share {}", number(style.share)));
    for table_size in TableSize::ALL {
        let name = table_size.name();
        line(format!("{name} calls {}", numbers(&style.calls[table_size as usize])));
        let factors = &style.factors[table_size as usize];
        for (bid_kind, LikelihoodFactors { support, trust }) in BidKind::ALL.iter().zip(factors) {
            let bid_kind = bid_kind.name();
            line(format!("{name} {bid_kind} support {}", numbers(support)));
            line(format!("{name} {bid_kind} trust {}", numbers(trust)));
        }
    }
}

/// The first 16 hexadecimal digits of the text's BLAKE3 hash.
fn checksum(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}

fn number(number: f64) -> String {
    format!("{number:.5}")
}

fn numbers(all: &[f64]) -> String {
    all.iter().map(|one| number(*one)).collect::<Vec<_>>().join(" ")
}

/// A reader of a file, line by line.
struct Lines<'a> {
    lines: Vec<&'a str>,
    /// Number of lines read.
    read: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        Self { lines: text.lines().collect(), read: 0 }
    }

    /// Checks the last line, the checksum of all lines before it, and removes it.
    fn end_with_checksum(&mut self, text: &str) -> Result<(), ParameterFileError> {
        let last = self.lines.pop().unwrap_or_default();
        let Some(found) = last.strip_prefix("checksum ") else {
            return Err(ParameterFileError::Short("checksum".to_owned()));
        };
        let body = &text[..text.len() - text.trim_end_matches(['\r', '\n']).len()];
        let end = text.rfind("checksum ").unwrap_or(body.len());
        let computed = checksum(&text[..end]);
        if found == computed {
            return Ok(());
        }
        Err(ParameterFileError::Checksum { found: found.to_owned(), computed })
    }

    fn is_at_end(&self) -> bool {
        self.read == self.lines.len()
    }

    fn next(&mut self, wanted: &str) -> Result<&'a str, ParameterFileError> {
        let line = self.lines.get(self.read).copied();
        self.read += 1;
        line.ok_or_else(|| ParameterFileError::Short(wanted.to_owned()))
    }

    fn wrong(&self, found: &str, wanted: String) -> ParameterFileError {
        ParameterFileError::Line { line: self.read, found: found.to_owned(), wanted }
    }

    fn exactly(&mut self, wanted: &str) -> Result<(), ParameterFileError> {
        let line = self.next(wanted)?;
        if line == wanted { Ok(()) } else { Err(self.wrong(line, format!("{wanted:?}"))) }
    }

    /// The rest of the next line, which has to begin with `name`.
    fn after(&mut self, name: &str) -> Result<&'a str, ParameterFileError> {
        let line = self.next(name)?;
        let rest = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
        rest.ok_or_else(|| self.wrong(line, format!("{name:?} with a value")))
    }

    fn one<T: std::str::FromStr>(&mut self, name: &str) -> Result<T, ParameterFileError> {
        let text = self.after(name)?;
        text.parse().map_err(|_| self.wrong(text, format!("a value for {name:?}")))
    }

    fn numbers<const N: usize>(
        &mut self,
        name: &str,
        range: RangeInclusive<f64>,
    ) -> Result<[f64; N], ParameterFileError> {
        let text = self.after(name)?;
        let read = |word: &str| word.parse().ok().filter(|number| range.contains(number));
        let all: Option<Vec<f64>> = text.split(' ').map(read).collect();
        all.and_then(|all| all.try_into().ok())
            .ok_or_else(|| self.wrong(text, format!("{N} numbers of {range:?}")))
    }

    fn raise_outcomes(
        &mut self,
        players: usize,
    ) -> Result<[RaiseOutcome; HOLD_BINS], ParameterFileError> {
        let gains = self.numbers(&format!("raised-over {players} gains"), 0.0..=1.0)?;
        let losses: [f64; HOLD_BINS] =
            self.numbers(&format!("raised-over {players} losses"), 0.0..=1.0)?;
        let mut all = gains.map(|gains| RaiseOutcome { gains, losses: 0.0 });
        all.iter_mut().zip(losses).for_each(|(outcome, losses)| outcome.losses = losses);
        Ok(all)
    }

    fn style(&mut self) -> Result<PlayingStyle, ParameterFileError> {
        let name: String = self.one("style")?;
        let [share] = self.numbers("share", 1e-5..=1.0)?;
        let (mut calls, mut factors) = (Vec::new(), Vec::new());
        for table_size in TableSize::ALL.map(TableSize::name) {
            calls.push(self.numbers(&format!("{table_size} calls"), 0.0..=1.0)?);
            factors.push(self.factors(table_size)?);
        }
        let calls = calls.try_into().expect("one for each table size");
        let factors = factors.try_into().expect("one for each table size");
        Ok(PlayingStyle { name, share, calls, factors })
    }

    fn factors(&mut self, table_size: &str) -> Result<[LikelihoodFactors; 4], ParameterFileError> {
        let mut factors = Vec::with_capacity(BidKind::ALL.len());
        for bid_kind in BidKind::ALL.map(BidKind::name) {
            let support = self.numbers(&format!("{table_size} {bid_kind} support"), FACTORS)?;
            let trust = self.numbers(&format!("{table_size} {bid_kind} trust"), FACTORS)?;
            factors.push(LikelihoodFactors { support, trust });
        }
        Ok(factors.try_into().expect("one for each kind of bid"))
    }
}
