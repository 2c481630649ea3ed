//! The game's figures, summarised over the games of an entrant.

use dicehill_rules::{Figure, Game, Summary};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use crate::standings::ledger::{EntrantSums, FigureTally, Stratum};
use crate::standings::result::samples::{freedom, variance_of_sum};
use crate::{Interval, StatisticsVersion, six_digits};

/// The summary of a figure.
#[derive(Clone, Debug, PartialEq)]
pub enum FigureSummary {
    /// By its distribution; `None` without games.
    Distribution(Option<Distribution>),
    /// By its sum.
    Total(u128),
}

/// How a figure is distributed over games.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Distribution {
    /// The arithmetic mean.
    pub mean: f64,
    /// The standard error of the mean; `None` for fewer than two samples.
    pub se: Option<f64>,
    /// The 95 % interval of the mean, by Student's distribution; `None` for fewer than two samples, and in documents before
    /// `"statistics": 4`.
    #[serde(default)]
    pub ci95: Option<Interval>,
    /// The standard deviation, with the divisor n - 1; `None` for fewer than two games.
    pub sd: Option<f64>,
    /// The least value.
    pub min: u64,
    /// The median; the mean of the middle two of an even number.
    pub median: f64,
    /// The greatest value.
    pub max: u64,
}

impl Distribution {
    /// The 95 % interval of the mean; of a document that has none, the normal one.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        self.ci95.or_else(|| Some(Interval::from_standard_error(self.mean, self.se?)))
    }
}

pub(super) fn figures<G: Game>(
    sums: &EntrantSums,
    blocks: Option<&[(&Stratum, usize)]>,
    version: StatisticsVersion,
) -> Vec<(&'static str, FigureSummary)> {
    let summary_of = |(index, figure): (usize, &Figure)| {
        let tally = &sums.figures[index];
        let summary = match (figure.summary, blocks) {
            (Summary::Total, _) => FigureSummary::Total(tally.sums.sum),
            (Summary::Distribution, Some(strata)) if index == 0 => {
                let variance = variance_of_sum(strata, |stratum| &stratum.figure);
                let se = variance.map(|variance| variance.sqrt() / sums.games as f64);
                FigureSummary::Distribution(distribution(tally, se, freedom(strata), version))
            }
            (Summary::Distribution, _) => {
                let variance = tally.sums.variance();
                let se = variance.map(|variance| (variance / sums.games as f64).sqrt());
                let freedom = sums.games.saturating_sub(1);
                FigureSummary::Distribution(distribution(tally, se, freedom, version))
            }
        };
        (figure.name, summary)
    };
    G::FIGURES.iter().enumerate().map(summary_of).collect()
}

fn distribution(
    tally: &FigureTally,
    se: Option<f64>,
    freedom: u64,
    version: StatisticsVersion,
) -> Option<Distribution> {
    let mean = tally.sums.mean()?;
    let se_of_mean = se.filter(|_| version.has_student_means());
    Some(Distribution {
        mean,
        se,
        ci95: se_of_mean.and_then(|se| Interval::student(mean, se, freedom)),
        sd: tally.sums.variance().map(f64::sqrt),
        min: *tally.values.keys().next()?,
        median: median(tally),
        max: *tally.values.keys().next_back()?,
    })
}

fn median(tally: &FigureTally) -> f64 {
    let value_at = |position: u64| {
        let mut cumulative = 0;
        let is_reached = |(_, times): &(&u64, &u64)| {
            cumulative += **times;
            cumulative > position
        };
        *tally.values.iter().find(is_reached).expect("the position is below the count").0 as f64
    };
    let count = tally.sums.count;
    f64::midpoint(value_at((count - 1) / 2), value_at(count / 2))
}

impl Serialize for FigureSummary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Total(total) => serializer.serialize_u128(*total),
            Self::Distribution(distribution) => distribution.serialize(serializer),
        }
    }
}

impl Serialize for Distribution {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("mean", &six_digits(self.mean))?;
        map.serialize_entry("se", &self.se.map(six_digits))?;
        if let Some(interval) = self.ci95 {
            map.serialize_entry("ci95", &interval)?;
        }
        map.serialize_entry("sd", &self.sd.map(six_digits))?;
        map.serialize_entry("min", &self.min)?;
        map.serialize_entry("median", &self.median)?;
        map.serialize_entry("max", &self.max)?;
        map.end()
    }
}
