//! Why a request is refused.

use axum::http::StatusCode;

/// Why a request is refused. Its text is shown to the client and holds nothing that only the host may know.
///
/// As a response it is a page (`pages::problem`), or JSON from the API (`api::ApiProblem`).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// There is nothing of that name.
    #[error("{0}")]
    NotFound(String),
    /// The request is malformed, or its content is invalid.
    #[error("{0}")]
    BadRequest(String),
    /// The client has no permission.
    #[error("{0}")]
    Forbidden(String),
    /// The request is too large.
    #[error("{0}")]
    TooLarge(String),
    /// The client asks too often.
    #[error("{0}")]
    RateLimited(String),
    /// The request conflicts with the current state.
    #[error("{0}")]
    Conflict(String),
    /// The stored record was altered after it was written.
    #[error(
        "the record of this run was altered and is not shown; the details are in the server's log"
    )]
    Altered,
    /// The disk of the server is full, or nearly.
    #[error("{0}")]
    Full(String),
    /// The server is ending, perhaps to start again.
    #[error("the server is ending: try again when it is back")]
    Ending,
    /// The server failed; the request is correct.
    #[error("{0}")]
    Internal(String),
}

impl Problem {
    /// The disk of the server is full.
    pub(crate) fn full() -> Self {
        Self::Full("the disk of this server is full: its host has to make room".to_owned())
    }

    /// The status of the response.
    #[must_use]
    pub const fn status(&self) -> StatusCode {
        match self {
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::BadRequest(_) => StatusCode::BAD_REQUEST,
            Self::Forbidden(_) => StatusCode::FORBIDDEN,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::RateLimited(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Conflict(_) => StatusCode::CONFLICT,
            Self::Full(_) => StatusCode::INSUFFICIENT_STORAGE,
            Self::Ending => StatusCode::SERVICE_UNAVAILABLE,
            Self::Altered | Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl From<dicehill_store::FileError> for Problem {
    /// The error goes to the server's log: the path in it is only for the host.
    fn from(error: dicehill_store::FileError) -> Self {
        tracing::error!("{error}");
        if error.is_altered() {
            return Self::Altered;
        }
        if error.is_full() {
            return Self::full();
        }
        Self::Internal("the hill cannot be read; the reason is in the server's log".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind};
    use std::path::Path;

    use dicehill_store::FileError;

    use super::*;

    #[test]
    fn a_full_disk_is_no_failure_of_the_server() {
        for (kind, status) in [
            (ErrorKind::StorageFull, StatusCode::INSUFFICIENT_STORAGE),
            (ErrorKind::QuotaExceeded, StatusCode::INSUFFICIENT_STORAGE),
            (ErrorKind::PermissionDenied, StatusCode::INTERNAL_SERVER_ERROR),
        ] {
            let error = FileError::not_written(Path::new("hill.db"), &Error::from(kind));
            assert_eq!(Problem::from(error).status(), status, "{kind}");
        }
    }
}
