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

fn as_six_digits<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(six_digits(*value))
}
