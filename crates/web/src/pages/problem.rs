//! The page of a refused request.

use axum::response::{IntoResponse, Response};
use maud::{Markup, html};

use super::layout::{Hosting, Page};
use crate::Problem;

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.status(), page(&self)).into_response()
    }
}

fn page(problem: &Problem) -> Markup {
    let status = problem.status();
    let title = status.canonical_reason().unwrap_or("Refused");
    let body = html! {
        h1 { (title) }
        p.problem { (problem.to_string()) }
        p.links { a href="/" { "All hills" } a href="/play" { "Play" } a href="/docs" { "Documentation" } }
    };
    Page {
        title: title.to_owned(),
        hosting: Hosting::Server,
        trail: Vec::new(),
        scripts: &[],
        body,
    }
    .render()
}
