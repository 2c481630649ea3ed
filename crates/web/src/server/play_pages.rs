//! The pages where tables are opened and played at.

use std::time::Instant;

use axum::Router;
use axum::extract::rejection::FormRejection;
use axum::extract::{Extension, Form, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use axum::routing::get;
use maud::Markup;
use serde::Deserialize;

use crate::api::Path;
use crate::pages::links::Links;
use crate::pages::replay::{MAX_MOVES, PlayedIn, ReplayFrame};
use crate::requests::client_address::ClientAddress;
use crate::requests::{origin, run_blocking};
use crate::site::Site;
use crate::tables::{TableDraft, seat_cookie, seat_token};
use crate::{Problem, pages};

/// The routes of these pages.
pub(super) fn routes() -> Router<Site> {
    Router::new()
        .route("/play", get(form).post(open))
        .route("/tables/{id}", get(table))
        .route("/tables/{id}/replay", get(replay))
}

async fn form() -> Markup {
    pages::play::form()
}

/// The fields of the form: the first seat is the sender's, the others have one choice each.
#[derive(Deserialize)]
struct PlayForm {
    game: String,
    rules: Option<String>,
    name: Option<String>,
    seed: Option<String>,
    seat2: Option<String>,
    seat3: Option<String>,
    seat4: Option<String>,
    seat5: Option<String>,
    move_seconds: Option<String>,
    open: Option<String>,
}

impl From<PlayForm> for TableDraft {
    fn from(form: PlayForm) -> Self {
        let filled = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let seats = [form.seat2, form.seat3, form.seat4, form.seat5].into_iter().filter_map(filled);
        let (people, opponents): (Vec<_>, Vec<_>) =
            seats.partition(|seat| seat == pages::play::PERSON);
        Self {
            game: form.game,
            rules: filled(form.rules),
            name: filled(form.name),
            opponents,
            people: Some(1 + people.len()),
            seed: filled(form.seed),
            // Another text is no number of seconds that a table may have.
            move_seconds: filled(form.move_seconds).map(|text| text.parse().unwrap_or(0)),
            open: filled(form.open).is_some(),
        }
    }
}

async fn open(
    State(site): State<Site>,
    Extension(client): Extension<ClientAddress>,
    headers: HeaderMap,
    sent: Result<Form<PlayForm>, FormRejection>,
) -> Result<Response, Problem> {
    let Form(form) = sent.map_err(|rejection| unreadable(&rejection))?;
    let (opening, draft) = (site.clone(), form.into());
    let (id, token) = run_blocking(move || opening.open_table(client, &draft)).await?;
    let is_secure = origin::is_secure(site.config(), &headers);
    let cookie = seat_cookie(&id.to_string(), &token, is_secure);
    let cookie = AppendHeaders([(header::SET_COOKIE, cookie)]);
    Ok((cookie, Redirect::to(&format!("/tables/{id}"))).into_response())
}

pub(super) fn unreadable(rejection: &FormRejection) -> Problem {
    let text = dicehill_arena::printable(&rejection.body_text());
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Problem::TooLarge(text),
        _ => Problem::BadRequest(text),
    }
}

async fn table(
    State(site): State<Site>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Problem> {
    let session = site.lobby().find(&id, Instant::now())?;
    let document = session.document(seat_token(&headers, &id));
    Ok((
        [(header::CACHE_CONTROL, "no-store")],
        pages::play::table(&document, site.config().public_origin()),
    ))
}

/// The game of a table, move by move, when it is over.
async fn replay(
    State(site): State<Site>,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, Problem> {
    let session = site.lobby().find(&id, Instant::now())?;
    let document = run_blocking(move || session.replay(MAX_MOVES)).await?;
    let table = format!("/tables/{id}");
    let frame = ReplayFrame {
        title: "The game at this table".to_owned(),
        played_in: PlayedIn::Table,
        links: Links::Server { hill: "", run: None },
        trail: vec![("Play".to_owned(), "/play".to_owned()), ("Table".to_owned(), table)],
        json: Some(format!("/api/v1/tables/{id}/replay")),
        neighbours: [None; 2],
    };
    let page = pages::replay::page(&document, frame);
    Ok(([(header::CACHE_CONTROL, "no-store")], page))
}
