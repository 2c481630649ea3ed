//! The versions of the statistics in result documents.

use serde::{Deserialize, Serialize};

/// How the statistics of a result document are computed. Documents keep the version that they were written with, so that
/// [`crate::ResultDocument::new`] recomputes an older one to the same bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum StatisticsVersion {
    /// Documents without a version: no `elo`, all pairs of any number of entrants, intervals of win rates in blocks by the
    /// normal distribution, and a champion even if nothing was played.
    First,
    /// Documents with `"statistics": 2`: differences and group letters by the normal distribution.
    Second,
    /// Documents with `"statistics": 3`: no intervals of means, those of points per game by the normal distribution,
    /// probabilities of being the best with a single sample that is added, and ratings of more than 64 entrants by
    /// conjugate gradients, which need not converge.
    Third,
    /// Documents with `"statistics": 4`: `elo` with a smaller share of the added wins in the fit of all, which makes
    /// differences in large fields too large.
    Fourth,
    /// Documents with `"statistics": 5`.
    #[default]
    Fifth,
}

impl StatisticsVersion {
    /// Whether the intervals of means and of points per game are by Student's distribution.
    pub(crate) fn has_student_means(self) -> bool {
        self >= Self::Fourth
    }

    /// Whether this is the version of documents that do not name one.
    #[must_use]
    pub fn is_first(&self) -> bool {
        *self == Self::First
    }
}

impl From<StatisticsVersion> for u8 {
    fn from(version: StatisticsVersion) -> Self {
        match version {
            StatisticsVersion::First => 1,
            StatisticsVersion::Second => 2,
            StatisticsVersion::Third => 3,
            StatisticsVersion::Fourth => 4,
            StatisticsVersion::Fifth => 5,
        }
    }
}

impl TryFrom<u8> for StatisticsVersion {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        match number {
            1 => Ok(Self::First),
            2 => Ok(Self::Second),
            3 => Ok(Self::Third),
            4 => Ok(Self::Fourth),
            5 => Ok(Self::Fifth),
            other => Err(format!("statistics = {other}: unknown; this program knows 1 to 5")),
        }
    }
}
