//! The pages where tables are made and played at.

use std::net::SocketAddr;
use std::time::Instant;

use axum::Router;
use axum::extract::rejection::FormRejection;
use axum::extract::{Extension, Form, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use axum::routing::get;
use maud::Markup;
use serde::Deserialize;

use crate::site::Site;
use crate::tables::OrderDraft;
use crate::{Problem, api, pages};

/// The routes of these pages.
pub(crate) fn routes() -> Router<Site> {
    Router::new().route("/play", get(form).post(open)).route("/tables/{id}", get(table))
}

async fn form() -> Markup {
    pages::play::form()
}

/// What the form sends: a choice for each seat but one's own.
#[derive(Deserialize)]
struct Sent {
    game: String,
    rules: Option<String>,
    name: Option<String>,
    seed: Option<String>,
    seat2: Option<String>,
    seat3: Option<String>,
    seat4: Option<String>,
    seat5: Option<String>,
}

impl From<Sent> for OrderDraft {
    fn from(sent: Sent) -> Self {
        let filled = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let seats = [sent.seat2, sent.seat3, sent.seat4, sent.seat5].into_iter().filter_map(filled);
        let (people, opponents): (Vec<_>, Vec<_>) =
            seats.partition(|seat| seat == pages::play::PERSON);
        Self {
            game: sent.game,
            rules: filled(sent.rules),
            name: filled(sent.name),
            opponents,
            people: Some(1 + people.len()),
            seed: filled(sent.seed),
        }
    }
}

async fn open(
    State(site): State<Site>,
    Extension(peer): Extension<SocketAddr>,
    headers: HeaderMap,
    sent: Result<Form<Sent>, FormRejection>,
) -> Result<Response, Problem> {
    let Form(sent) = sent.map_err(|rejection| unreadable(&rejection))?;
    let (id, cookie) = api::tables::make(&site, peer, &headers, &sent.into())?;
    let cookie = AppendHeaders([(header::SET_COOKIE, cookie)]);
    Ok((cookie, Redirect::to(&format!("/tables/{id}"))).into_response())
}

fn unreadable(rejection: &FormRejection) -> Problem {
    let text = dicehill_arena::printable(&rejection.body_text());
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Problem::TooLarge(text),
        _ => Problem::Bad(text),
    }
}

async fn table(
    State(site): State<Site>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Problem> {
    let room = site.hall().find(&id, Instant::now())?;
    let document = room.document(api::tables::token(&headers, &id));
    Ok(([(header::CACHE_CONTROL, "no-store")], pages::play::table(&document)))
}
