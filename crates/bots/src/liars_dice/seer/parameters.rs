//! What was learned, as it is shipped.

use std::fmt::Write;
use std::sync::LazyLock;

use super::claim::{Company, Manner, TRUSTS};
use super::factors::Factors;
use super::styles::{MOST_STYLES, Styles};
use super::win_chance::WinChance;

/// The format of the file; it goes up when the meaning of a number changes.
const FORMAT: &str = "dicehill.seer/2";
/// Classes of the chance that a bid holds, each as wide as the others.
pub(super) const CHANCES: usize = 10;
/// Tables of 2 to 5 players.
pub(super) const TABLES: usize = 4;
/// What factors may be.
const FACTORS: std::ops::RangeInclusive<f64> = 1e-5..=1e5;
/// What the weights of the chance to win may be.
const WEIGHTS: std::ops::RangeInclusive<f64> = -50.0..=50.0;
/// The shipped file.
pub(super) const SHIPPED: &str = include_str!("parameters.txt");

/// All that the player has learned.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Parameters {
    /// The seed of the training.
    pub(super) seed: u64,
    /// What becomes of being raised over, by players and by the chance that the own bid holds.
    pub(super) raised_over: RaisedOvers,
    pub(super) win_chance: WinChance,
    /// The kinds of players.
    pub(super) styles: Vec<NamedStyle>,
    /// The same, as they are played with.
    pub(super) side_by_side: Styles,
}

/// How a round goes on for somebody whose bid was raised over.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct RaisedOver {
    /// The chance to gain a die.
    pub(super) gains: f64,
    /// The chance to lose one.
    pub(super) losses: f64,
}

/// By players, from two, and by the chance that the bid holds.
pub(super) type RaisedOvers = [[RaisedOver; CHANCES]; TABLES];

/// A kind of player.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct NamedStyle {
    pub(super) name: String,
    /// How common it is, as far as is known before any of its hands has been seen.
    pub(super) share: f64,
    /// The chance that it calls a bid, among two and among more, by how far it can trust it.
    pub(super) calls: [[f64; TRUSTS]; 2],
    /// What each kind of bid depends on, among two and among more, by manner.
    pub(super) factors: [[Factors; 4]; 2],
}

/// Why a text holds no parameters.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum ParametersError {
    /// The file ends too early.
    #[error("the file ends where {0:?} should be")]
    Short(String),
    /// It has too many of something.
    #[error("more than {MOST_STYLES} styles")]
    Styles,
    /// Something else stands in a line.
    #[error("line {line}: {found:?} is not {wanted}")]
    Line {
        /// From 1.
        line: usize,
        /// What stands there.
        found: String,
        /// What should.
        wanted: String,
    },
    /// The file is not as it was written.
    #[error("the checksum is {found}, and that of the lines above it {computed}")]
    Checksum {
        /// In the file.
        found: String,
        /// Of the file.
        computed: String,
    },
}

impl NamedStyle {
    fn write(&self, text: &mut String) {
        let mut line = |line: String| writeln!(text, "{line}").expect("a String takes all");
        line(format!("style {}", self.name));
        line(format!("share {}", number(self.share)));
        for company in Company::ALL {
            let name = company.name();
            line(format!("{name} calls {}", numbers(&self.calls[company as usize])));
            let factors = &self.factors[company as usize];
            for (manner, Factors { support, trust }) in Manner::ALL.iter().zip(factors) {
                let manner = manner.name();
                line(format!("{name} {manner} support {}", numbers(support)));
                line(format!("{name} {manner} trust {}", numbers(trust)));
            }
        }
    }
}

impl Parameters {
    /// # Panics
    /// If there are more than 12 styles.
    pub(super) fn new(
        seed: u64,
        raised_over: RaisedOvers,
        win_chance: WinChance,
        styles: Vec<NamedStyle>,
    ) -> Self {
        let side_by_side = Styles::new(&styles);
        Self { seed, raised_over, win_chance, styles, side_by_side }
    }

    /// Those of a player that has learned nothing: hands tell nothing, and others call what they cannot trust.
    pub(super) fn untrained(seed: u64) -> Self {
        let mut calls = [0.0; TRUSTS];
        for (class, call) in calls.iter_mut().enumerate() {
            *call = 1.0 - class as f64 / (TRUSTS - 1) as f64;
        }
        let factors = std::array::from_fn(|_| std::array::from_fn(|_| Factors::NONE));
        let style =
            NamedStyle { name: "anybody".to_owned(), share: 1.0, calls: [calls; 2], factors };
        let nothing = RaisedOver { gains: 0.0, losses: 0.0 };
        let fair = WinChance::new([WinChance::FAIR; TABLES]);
        Self::new(seed, [[nothing; CHANCES]; TABLES], fair, vec![style])
    }

    /// Those that the crate ships.
    pub(super) fn shipped() -> &'static Self {
        static PARAMETERS: LazyLock<Parameters> =
            LazyLock::new(|| Parameters::read(SHIPPED).expect("a test reads the shipped file"));
        &PARAMETERS
    }

    /// What becomes of being raised over with a bid that holds with this chance, at a table of 2 players or more.
    pub(super) fn raised_over(&self, players: usize, holds: f64) -> RaisedOver {
        let class = (holds * CHANCES as f64) as usize;
        self.raised_over[(players - 2).min(TABLES - 1)][class.min(CHANCES - 1)]
    }

    /// The file with a checksum in its last line.
    pub(super) fn write(&self) -> String {
        let mut text = format!("{FORMAT}\nseed {}\n", self.seed);
        for (row, players) in self.raised_over.iter().zip(2..) {
            let [gains, losses] = [row.map(|class| class.gains), row.map(|class| class.losses)];
            let (gains, losses) = (numbers(&gains), numbers(&losses));
            writeln!(text, "raised-over {players} gains {gains}").expect("a String takes all");
            writeln!(text, "raised-over {players} losses {losses}").expect("a String takes all");
        }
        for (row, players) in self.win_chance.weights.iter().zip(2..) {
            writeln!(text, "wins {players} {}", numbers(row)).expect("a String takes all");
        }
        self.styles.iter().for_each(|style| style.write(&mut text));
        let checksum = checksum(&text);
        writeln!(text, "checksum {checksum}").expect("a String takes all");
        text
    }

    /// Reads a file.
    pub(super) fn read(text: &str) -> Result<Self, ParametersError> {
        let mut lines = Lines::new(text);
        lines.end_with_checksum(text)?;
        lines.exactly(FORMAT)?;
        let seed = lines.one("seed")?;
        let mut raised_over = [[RaisedOver { gains: 0.0, losses: 0.0 }; CHANCES]; TABLES];
        for (row, players) in raised_over.iter_mut().zip(2..) {
            *row = lines.raised_over(players)?;
        }
        let mut weights = [WinChance::FAIR; TABLES];
        for (row, players) in weights.iter_mut().zip(2..) {
            *row = lines.numbers(&format!("wins {players}"), WEIGHTS)?;
        }
        let mut styles = Vec::new();
        while !lines.is_at_end() {
            styles.push(lines.style()?);
        }
        if styles.is_empty() {
            return Err(ParametersError::Short("style".to_owned()));
        }
        if styles.len() > MOST_STYLES {
            return Err(ParametersError::Styles);
        }
        Ok(Self::new(seed, raised_over, WinChance::new(weights), styles))
    }
}

/// Of a text.
fn checksum(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}

fn number(number: f64) -> String {
    format!("{number:.5}")
}

fn numbers(all: &[f64]) -> String {
    all.iter().map(|one| number(*one)).collect::<Vec<_>>().join(" ")
}

/// The lines of a file, one after the other.
struct Lines<'a> {
    lines: Vec<&'a str>,
    /// Lines that have been read.
    read: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        Self { lines: text.lines().collect(), read: 0 }
    }

    /// Takes the last line away if it is the checksum of all before it.
    fn end_with_checksum(&mut self, text: &str) -> Result<(), ParametersError> {
        let last = self.lines.pop().unwrap_or_default();
        let Some(found) = last.strip_prefix("checksum ") else {
            return Err(ParametersError::Short("checksum".to_owned()));
        };
        let body = &text[..text.len() - text.trim_end_matches(['\r', '\n']).len()];
        let end = text.rfind("checksum ").unwrap_or(body.len());
        let computed = checksum(&text[..end]);
        if found == computed {
            return Ok(());
        }
        Err(ParametersError::Checksum { found: found.to_owned(), computed })
    }

    fn is_at_end(&self) -> bool {
        self.read == self.lines.len()
    }

    fn next(&mut self, wanted: &str) -> Result<&'a str, ParametersError> {
        let line = self.lines.get(self.read).copied();
        self.read += 1;
        line.ok_or_else(|| ParametersError::Short(wanted.to_owned()))
    }

    fn wrong(&self, found: &str, wanted: String) -> ParametersError {
        ParametersError::Line { line: self.read, found: found.to_owned(), wanted }
    }

    fn exactly(&mut self, wanted: &str) -> Result<(), ParametersError> {
        let line = self.next(wanted)?;
        if line == wanted { Ok(()) } else { Err(self.wrong(line, format!("{wanted:?}"))) }
    }

    /// What stands after a name.
    fn after(&mut self, name: &str) -> Result<&'a str, ParametersError> {
        let line = self.next(name)?;
        let rest = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
        rest.ok_or_else(|| self.wrong(line, format!("{name:?} with a value")))
    }

    fn one<T: std::str::FromStr>(&mut self, name: &str) -> Result<T, ParametersError> {
        let text = self.after(name)?;
        text.parse().map_err(|_| self.wrong(text, format!("a value for {name:?}")))
    }

    fn numbers<const N: usize>(
        &mut self,
        name: &str,
        range: std::ops::RangeInclusive<f64>,
    ) -> Result<[f64; N], ParametersError> {
        let text = self.after(name)?;
        let read = |word: &str| word.parse().ok().filter(|number| range.contains(number));
        let all: Option<Vec<f64>> = text.split(' ').map(read).collect();
        all.and_then(|all| all.try_into().ok())
            .ok_or_else(|| self.wrong(text, format!("{N} numbers of {range:?}")))
    }

    fn raised_over(&mut self, players: usize) -> Result<[RaisedOver; CHANCES], ParametersError> {
        let gains = self.numbers(&format!("raised-over {players} gains"), 0.0..=1.0)?;
        let losses: [f64; CHANCES] =
            self.numbers(&format!("raised-over {players} losses"), 0.0..=1.0)?;
        let mut all = gains.map(|gains| RaisedOver { gains, losses: 0.0 });
        all.iter_mut().zip(losses).for_each(|(of, losses)| of.losses = losses);
        Ok(all)
    }

    fn style(&mut self) -> Result<NamedStyle, ParametersError> {
        let name: String = self.one("style")?;
        let [share] = self.numbers("share", 1e-5..=1.0)?;
        let (mut calls, mut factors) = (Vec::new(), Vec::new());
        for company in Company::ALL.map(Company::name) {
            calls.push(self.numbers(&format!("{company} calls"), 0.0..=1.0)?);
            factors.push(self.factors(company)?);
        }
        let calls = calls.try_into().expect("one of each company");
        let factors = factors.try_into().expect("one of each company");
        Ok(NamedStyle { name, share, calls, factors })
    }

    fn factors(&mut self, company: &str) -> Result<[Factors; 4], ParametersError> {
        let mut factors = Vec::with_capacity(Manner::ALL.len());
        for manner in Manner::ALL.map(Manner::name) {
            let support = self.numbers(&format!("{company} {manner} support"), FACTORS)?;
            let trust = self.numbers(&format!("{company} {manner} trust"), FACTORS)?;
            factors.push(Factors { support, trust });
        }
        Ok(factors.try_into().expect("one of each manner"))
    }
}
