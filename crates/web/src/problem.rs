//! Why a request is refused.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

/// Why a request is refused. Its text is for whoever asked, and tells nothing that only the host may know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// There is nothing of that name.
    #[error("{0}")]
    NotFound(String),
    /// What was asked for means nothing, or cannot be done now.
    #[error("{0}")]
    Bad(String),
    /// Whoever asks may not.
    #[error("{0}")]
    Forbidden(String),
    /// Too large.
    #[error("{0}")]
    TooLarge(String),
    /// Too often; come again later.
    #[error("{0}")]
    TooMany(String),
    /// Something else is being done, or has been done since.
    #[error("{0}")]
    Conflict(String),
    /// What is stored is not what was played.
    #[error(
        "the record of this tournament was altered, and is not shown; its host finds the details in the server's log"
    )]
    Altered,
    /// Nothing of what was asked is wrong.
    #[error("{0}")]
    Ours(String),
}

impl Problem {
    /// The status of the answer.
    #[must_use]
    pub const fn status(&self) -> StatusCode {
        match self {
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::Bad(_) => StatusCode::BAD_REQUEST,
            Self::Forbidden(_) => StatusCode::FORBIDDEN,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Conflict(_) => StatusCode::CONFLICT,
            Self::Altered | Self::Ours(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl From<dicehill_store::FileError> for Problem {
    /// The file's path is the host's matter; it goes to the server's log.
    fn from(error: dicehill_store::FileError) -> Self {
        eprintln!("{error}");
        if error.is_altered() {
            return Self::Altered;
        }
        Self::Ours(
            "the hill cannot be read; its host finds the reason in the server's log".to_owned(),
        )
    }
}

/// What the API answers to a request that is refused.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProblemDocument {
    /// What is wrong.
    #[schema(example = "there is no hill \"autumn\" here")]
    error: String,
}

/// As a page; the API makes JSON of it (`api::Refused`).
impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.status(), crate::pages::problem(&self)).into_response()
    }
}

impl From<&Problem> for ProblemDocument {
    fn from(problem: &Problem) -> Self {
        Self { error: problem.to_string() }
    }
}
