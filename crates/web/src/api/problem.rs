//! Refused requests as JSON.

use axum::Json;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::Problem;
use crate::tables::Refusal;

/// What the API answers to a request that is refused.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProblemDocument {
    /// What is wrong.
    #[schema(example = "there is no hill \"autumn\" here")]
    error: String,
}

impl From<&Problem> for ProblemDocument {
    fn from(problem: &Problem) -> Self {
        Self { error: problem.to_string() }
    }
}

/// A problem whose response is JSON.
pub(crate) struct ApiProblem(Problem);

impl From<Problem> for ApiProblem {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

impl From<Refusal> for ApiProblem {
    fn from(refusal: Refusal) -> Self {
        Self(refusal.into())
    }
}

impl IntoResponse for ApiProblem {
    fn into_response(self) -> Response {
        (self.0.status(), Json(ProblemDocument::from(&self.0))).into_response()
    }
}
