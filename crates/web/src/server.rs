//! The server: connections, routes, and what every request and response goes through.

mod account_routes;
mod asset_routes;
mod book_pages;
mod client_limits;
mod game_pages;
mod health_routes;
mod hill_pages;
mod listener;
mod metrics_routes;
mod middleware;
mod picture_routes;
mod play_pages;
mod router;
mod upload_routes;

pub use listener::{ServeError, ServedAddresses, serve};
#[cfg(test)]
pub(crate) use router::router;
