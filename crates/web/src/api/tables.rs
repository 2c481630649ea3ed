//! Tables where people play: made, joined and played at.

#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{AppendHeaders, IntoResponse};
use serde::{Deserialize, Serialize};
use tokio_stream::wrappers::WatchStream;
use tokio_stream::{Stream, StreamExt};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Refused;
use crate::Problem;
use crate::model::table::{HintDocument, ReportDocument, TableDocument};
use crate::problem::ProblemDocument;
use crate::rate::visitor;
use crate::site::Site;
use crate::tables::{AnyRoom, OrderDraft, Refusal, SeatToken, Wanted};

/// Without news a stream says so often that it is still there.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// How long a browser keeps a seat's secret.
const SEAT_SECONDS: u32 = 24 * 60 * 60;

/// The routes, each with its part of the OpenAPI document.
pub(super) fn routes() -> OpenApiRouter<Site> {
    OpenApiRouter::new()
        .routes(routes!(open))
        .routes(routes!(table))
        .routes(routes!(sit))
        .routes(routes!(act))
        .routes(routes!(hint))
        .routes(routes!(report))
        .routes(routes!(events))
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let text = refusal.to_string();
        match refusal {
            Refusal::NoSuchTable(_) => Self::NotFound(text),
            Refusal::NoSeat => Self::Forbidden(text),
            Refusal::NameTaken(_)
            | Refusal::Full
            | Refusal::Seated
            | Refusal::NotBegun
            | Refusal::NotYourTurn
            | Refusal::Over
            | Refusal::NotOver
            | Refusal::Stale { .. } => Self::Conflict(text),
            Refusal::Game(_)
            | Refusal::Rules { .. }
            | Refusal::Bot { .. }
            | Refusal::Players { .. }
            | Refusal::NoPeople
            | Refusal::Seed(_)
            | Refusal::Name(_)
            | Refusal::Illegal(_) => Self::Bad(text),
            Refusal::NoChance => Self::Ours(text),
        }
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        Problem::from(refusal).into()
    }
}

/// A table that has been made.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewTable {
    /// Its id.
    id: String,
    /// Its page, to be shared with whoever is to play too.
    #[schema(example = "/tables/00112233445566778899aabbccddeeff")]
    page: String,
}

/// Whoever sits down.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Newcomer {
    /// The name at the table.
    name: Option<String>,
}

/// Makes a table, and gives whoever makes it a seat. The cookie is the seat's secret.
#[utoipa::path(
    post,
    path = "/api/v1/tables",
    tag = "tables",
    request_body = OrderDraft,
    responses(
        (status = 201, description = "the table, with a cookie for your seat", body = NewTable),
        (status = 400, description = "what was asked for cannot be", body = ProblemDocument),
        (status = 429, description = "too many tables", body = ProblemDocument),
    )
)]
pub(crate) async fn open(
    State(site): State<Site>,
    Extension(peer): Extension<SocketAddr>,
    headers: HeaderMap,
    draft: Result<Json<OrderDraft>, JsonRejection>,
) -> Result<impl IntoResponse, Refused> {
    let (id, cookie) = make(&site, peer, &headers, &body(draft)?)?;
    let page = format!("/tables/{id}");
    let headers = AppendHeaders([(header::SET_COOKIE, cookie), (header::LOCATION, page.clone())]);
    Ok((StatusCode::CREATED, headers, Json(NewTable { id, page })))
}

/// Makes a table, and says its id and the cookie of whoever makes it.
pub(crate) fn make(
    site: &Site,
    peer: SocketAddr,
    headers: &HeaderMap,
    draft: &OrderDraft,
) -> Result<(String, String), Problem> {
    if !site.new_tables().take(visitor(peer.ip()), Instant::now()) {
        let text = "too many tables from your address: try again in a minute";
        return Err(Problem::TooMany(text.to_owned()));
    }
    let (id, token) = site.hall().open(draft, Instant::now())?;
    let id = id.to_string();
    let cookie = cookie(&id, &token, headers);
    site.hall().let_bots_move(room(site, &id)?);
    Ok((id, cookie))
}

/// The table as you may see it: your seat's view if you sit there, or what is public.
#[utoipa::path(
    get,
    path = "/api/v1/tables/{id}",
    tag = "tables",
    params(("id" = String, Path, description = "the table's id")),
    responses(
        (status = 200, description = "the table", body = TableDocument),
        (status = 404, description = "there is no such table", body = ProblemDocument),
    )
)]
pub(crate) async fn table(
    State(site): State<Site>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Refused> {
    let document = room(&site, &id)?.document(token(&headers, &id));
    Ok(uncached(document))
}

/// Takes a free seat. The cookie is the seat's secret.
#[utoipa::path(
    post,
    path = "/api/v1/tables/{id}/seats",
    tag = "tables",
    params(("id" = String, Path, description = "the table's id")),
    request_body = Newcomer,
    responses(
        (status = 201, description = "the table, with a cookie for your seat", body = TableDocument),
        (status = 400, description = "no name", body = ProblemDocument),
        (status = 404, description = "there is no such table", body = ProblemDocument),
        (status = 409, description = "no seat, or no such name, is free", body = ProblemDocument),
    )
)]
pub(crate) async fn sit(
    State(site): State<Site>,
    Path(id): Path<String>,
    headers: HeaderMap,
    newcomer: Result<Json<Newcomer>, JsonRejection>,
) -> Result<impl IntoResponse, Refused> {
    let newcomer = body(newcomer)?;
    let room = room(&site, &id)?;
    let seat = room.sit(token(&headers, &id), newcomer.name.as_deref())?;
    site.hall().let_bots_move(Arc::clone(&room));
    let cookie = AppendHeaders([(header::SET_COOKIE, cookie(&id, &seat, &headers))]);
    Ok((StatusCode::CREATED, cookie, uncached(room.document(Some(seat.as_str())))))
}

/// Does what you want in your turn.
#[utoipa::path(
    post,
    path = "/api/v1/tables/{id}/actions",
    tag = "tables",
    params(("id" = String, Path, description = "the table's id")),
    request_body = Wanted,
    responses(
        (status = 200, description = "the table after it", body = TableDocument),
        (status = 400, description = "against the rules; nothing is changed", body = ProblemDocument),
        (status = 403, description = "you have no seat there", body = ProblemDocument),
        (status = 404, description = "there is no such table", body = ProblemDocument),
        (status = 409, description = "not your turn, or done already", body = ProblemDocument),
    )
)]
pub(crate) async fn act(
    State(site): State<Site>,
    Path(id): Path<String>,
    headers: HeaderMap,
    wanted: Result<Json<Wanted>, JsonRejection>,
) -> Result<impl IntoResponse, Refused> {
    let wanted = body(wanted)?;
    let room = room(&site, &id)?;
    let document = room.act(token(&headers, &id), &wanted)?;
    site.hall().let_bots_move(room);
    Ok(uncached(document))
}

/// What you may do in your turn, with what it is worth.
#[utoipa::path(
    get,
    path = "/api/v1/tables/{id}/hint",
    tag = "tables",
    params(("id" = String, Path, description = "the table's id")),
    responses(
        (status = 200, description = "what can be done, best first", body = HintDocument),
        (status = 403, description = "you have no seat there", body = ProblemDocument),
        (status = 404, description = "there is no such table", body = ProblemDocument),
        (status = 409, description = "it is not your turn", body = ProblemDocument),
    )
)]
pub(crate) async fn hint(
    State(site): State<Site>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Refused> {
    let room = room(&site, &id)?;
    let token = token(&headers, &id).map(str::to_owned);
    Ok(uncached(apart(move || room.hint(token.as_deref())).await?))
}

/// All about a game that is over: its seed, every move, and what decisions were worth.
#[utoipa::path(
    get,
    path = "/api/v1/tables/{id}/report",
    tag = "tables",
    params(("id" = String, Path, description = "the table's id")),
    responses(
        (status = 200, description = "the report", body = ReportDocument),
        (status = 404, description = "there is no such table", body = ProblemDocument),
        (status = 409, description = "the game is not over", body = ProblemDocument),
    )
)]
pub(crate) async fn report(
    State(site): State<Site>,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, Refused> {
    let room = room(&site, &id)?;
    Ok(uncached(apart(move || room.report()).await?))
}

/// A stream of the versions of the table, as you may see it: one at once, and another whenever something has changed for you.
#[utoipa::path(
    get,
    path = "/api/v1/tables/{id}/events",
    tag = "tables",
    params(("id" = String, Path, description = "the table's id")),
    responses(
        (status = 200, description = "server-sent events, whose data are numbers", content_type = "text/event-stream", body = String),
        (status = 404, description = "there is no such table", body = ProblemDocument),
    )
)]
pub(crate) async fn events(
    State(site): State<Site>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Refused> {
    // The stream keeps no table: it ends when the table is removed.
    let versions = room(&site, &id)?.listen(token(&headers, &id));
    let event = |version: u64| Ok(Event::default().data(version.to_string()));
    let stream = WatchStream::new(versions).map(event);
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)))
}

fn room(site: &Site, id: &str) -> Result<Arc<dyn AnyRoom>, Problem> {
    Ok(site.hall().find(id, Instant::now())?)
}

/// What takes long, away from the threads that serve.
async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Problem> {
    let broken = |_| Problem::Ours("this cannot be worked out".to_owned());
    Ok(tokio::task::spawn_blocking(work).await.map_err(broken)??)
}

/// What was sent, or why it means nothing.
fn body<T>(sent: Result<Json<T>, JsonRejection>) -> Result<T, Problem> {
    sent.map(|Json(sent)| sent).map_err(|rejection| {
        let text = dicehill_arena::printable(&rejection.body_text());
        match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => Problem::TooLarge(text),
            _ => Problem::Bad(text),
        }
    })
}

/// A document that is for whoever asked, now.
fn uncached<T: Serialize>(document: T) -> impl IntoResponse {
    ([(header::CACHE_CONTROL, "no-store")], Json(document))
}

/// The name of the cookie for a seat at a table.
fn cookie_name(id: &str) -> String {
    format!("seat-{}", &id[..16.min(id.len())])
}

/// The cookie for a seat. It is for this server alone, and no script can read it.
fn cookie(id: &str, token: &SeatToken, headers: &HeaderMap) -> String {
    let origin = headers.get(header::ORIGIN).map(|origin| origin.as_bytes().starts_with(b"https:"));
    let secure = if origin == Some(true) { "; Secure" } else { "" };
    format!(
        "{}={}; HttpOnly; SameSite=Strict; Path=/; Max-Age={SEAT_SECONDS}{secure}",
        cookie_name(id),
        token.as_str()
    )
}

/// The secret that came with a request, for a seat at this table.
pub(crate) fn token<'a>(headers: &'a HeaderMap, id: &str) -> Option<&'a str> {
    if id.parse::<crate::tables::TableId>().is_err() {
        return None;
    }
    let name = cookie_name(id);
    let cookies = headers.get_all(header::COOKIE).into_iter().filter_map(|one| one.to_str().ok());
    let mut pairs = cookies.flat_map(|one| one.split(';')).filter_map(|one| one.split_once('='));
    pairs.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim())
}
