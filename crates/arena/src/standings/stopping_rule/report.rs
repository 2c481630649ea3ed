//! What a run with a stopping rule reports.

use serde::{Deserialize, Serialize, Serializer};

use crate::{Confidence, Interval, six_digits};

/// Whether a run with a stopping rule answered its question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoppingReport {
    /// The confidence that was required.
    pub until: Confidence,
    /// Whether that confidence was reached.
    pub decided: bool,
    /// Games played, without play-offs.
    pub played: u64,
    /// The difference between the entrants, in a run of two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lead: Option<Lead>,
    /// The answer to the question of a margin, in a run that asks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<MarginReport>,
}

/// Whether one entrant is not worse than another by more than a margin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MarginReport {
    /// The entrant that the question is about.
    pub bot: String,
    /// The entrant with which it is compared.
    pub than: String,
    /// The margin, in Elo.
    pub elo: f64,
    /// The score of an entrant that is worse by exactly the margin.
    #[serde(serialize_with = "as_six_digits")]
    pub least: f64,
    /// The share of the games that the entrant has won, where a tie counts one half; `None` before the first block.
    #[serde(serialize_with = "optional_six_digits")]
    pub score: Option<f64>,
    /// The answer; `None` if it is not decided.
    pub answer: Option<MarginAnswer>,
}

/// The answer to the question of a margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MarginAnswer {
    /// The entrant is not worse by more than the margin.
    NotWorse,
    /// The entrant is worse by more than the margin.
    Worse,
}

/// How many points per game one entrant is ahead of another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lead {
    /// The entrant with more points.
    pub bot: String,
    /// The entrant with fewer points.
    pub over: String,
    /// The mean difference, in points per game.
    #[serde(serialize_with = "as_six_digits")]
    pub mean: f64,
    /// Its interval from a confidence sequence, at the confidence of the run.
    pub interval: Interval,
}

fn optional_six_digits<S: Serializer>(
    value: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value.map(six_digits).serialize(serializer)
}

fn as_six_digits<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(six_digits(*value))
}
