//! The variable parts of a request's address.

use axum::extract::{FromRequestParts, Path as AxumPath};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;

use super::problem::ApiProblem;
use crate::Problem;

/// The variable parts of a request's address, such as the name of a hill and the number of a run. Where they are not of this
/// form, there is nothing at the address.
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        match AxumPath::from_request_parts(parts, state).await {
            Ok(AxumPath(found)) => Ok(Self(found)),
            Err(_) => {
                let path = parts.uri.path();
                let problem = Problem::NotFound(format!("nothing is at {path:?}"));
                Err(match path.starts_with("/api/") {
                    true => ApiProblem::from(problem).into_response(),
                    false => problem.into_response(),
                })
            }
        }
    }
}
