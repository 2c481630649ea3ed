//! The API: what the pages show, as JSON under `/api/v1`.

pub(crate) mod tables;

use axum::Json;
use axum::response::{IntoResponse, Response};

use utoipa_axum::router::OpenApiRouter;

use crate::Problem;
use crate::problem::ProblemDocument;
use crate::site::Site;

/// The routes of the API, each with its part of the OpenAPI document.
pub(crate) fn routes() -> OpenApiRouter<Site> {
    OpenApiRouter::new().merge(tables::routes())
}

/// A problem as JSON.
pub(crate) struct Refused(Problem);

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.0.status(), Json(ProblemDocument::from(&self.0))).into_response()
    }
}
