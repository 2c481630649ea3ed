//! Documents as HTML. Pages are functions of their documents; what is not a tag here is escaped.

pub(crate) mod api;
pub(crate) mod board;
pub(crate) mod bot;
pub(crate) mod dice;
pub(crate) mod enter;
pub(crate) mod entry;
pub(crate) mod games;
pub(crate) mod layout;
pub(crate) mod numbers;
pub(crate) mod pairs;
pub(crate) mod replay;
pub(crate) mod site;
pub(crate) mod static_index;

use maud::{Markup, html};

use crate::Problem;
use crate::pages::layout::{Page, Place};

/// The page of a request that is refused.
pub(crate) fn problem(problem: &Problem) -> Markup {
    let status = problem.status();
    let title = status.canonical_reason().unwrap_or("Refused");
    let body = html! { h1 { (title) } p { (problem.to_string()) } };
    Page { title: title.to_owned(), place: Place::Server, trail: Vec::new(), scripts: &[], body }
        .render()
}
