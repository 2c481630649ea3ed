//! The API: what the pages show, as JSON under `/api/v1`.

mod accounts;
mod address_parts;
mod description;
pub(crate) mod entries;
mod games;
mod hills;
mod problem;
mod remote;
mod tables;

pub(crate) use address_parts::Path;
pub(crate) use description::{about, routes};
pub(crate) use problem::ApiProblem;
